"""Offer: what may be chosen for a draft: games, revisions, options, paytables and hands."""

from functools import cache
from typing import Any

from houseway.catalog import catalog
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.games import GAMES
from houseway.names import PROGRESSIVE_CODES
from houseway.options import allowed_values, of_few_words, register, value_text
from houseway.paytables import HANDS, RUMMY_POINTS, PayTable, library
from houseway.ruleset import make_ruleset
from houseway.studio.names import KINDS, SECTIONS


@cache
def offer() -> dict[str, Any]:
    """Everything that a draft may be made of."""
    return {
        "games": [
            {
                "game": game.code,
                "name": game.name,
                "revisions": [
                    {"date": row["date"], "text": row["text"], "profile": row.get("profile")}
                    for row in catalog("revisions")["revision"]
                    if row["game"] == game.code
                ],
                "options": [
                    {
                        "option": name,
                        "text": entry.metadata["text"],
                        "source": entry.metadata["source"],
                        "default": value_text(name, entry.default),
                        "values": list(allowed_values(name)),
                        "open": name not in of_few_words(),
                    }
                    for name, entry in register().items()
                    if game.code in entry.metadata["games"]
                ],
                "paytables": [
                    {
                        "bet": bet,
                        "name": bet_name(bet),
                        "usual": make_ruleset(game.code).paytables[bet].code,
                        "tables": [_table(table) for table in library().of(game.code, bet)],
                    }
                    for bet in library().chosen_bets(game.code)
                ],
                "designators": [
                    {"code": entry.code, "paytables": dict(entry.paytables)}
                    for entry in library().designators
                    if entry.game == game.code
                ],
            }
            for game in GAMES
        ],
        "sections": [{"section": name, "title": title} for name, title in SECTIONS.items()],
        "exports": list(KINDS),
    }


def _table(table: PayTable) -> dict[str, Any]:
    if table.hands == RUMMY_POINTS:
        hands = [hand for hand, _ in table.rows]
    else:
        hands = [member.name.lower() for member in reversed(HANDS[table.hands]) if member]
    return {
        "code": table.code,
        "levels": list(table.levels) if table.game in PROGRESSIVE_CODES else [],
        "rows": [
            {"hand": hand, "label": spaced(hand), "pays": str(odds)} for hand, odds in table.rows
        ],
        "hands": [{"hand": hand, "label": spaced(hand)} for hand in hands],
    }
