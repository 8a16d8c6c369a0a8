"""Offer: what may be chosen for a draft: games, revisions, options, paytables and hands."""

from functools import cache
from typing import Any

from houseway.catalog import catalog
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.games import GAMES
from houseway.games.library import chosen_bets, designators, paytables_of
from houseway.house.options import allowed_values, of_few_words, register, value_text
from houseway.house.paytables import PayTable
from houseway.names import PROGRESSIVE_CODES
from houseway.rules.ruleset import make_ruleset
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
                        "values": list(allowed_values(name, game.options)),
                        "open": name not in of_few_words(game.options),
                    }
                    for name, entry in register(game.options).items()
                    if game.touches(name)
                ],
                "paytables": [
                    {
                        "bet": bet,
                        "name": bet_name(bet),
                        "usual": make_ruleset(game.code).paytables[bet].code,
                        "tables": [_table(table) for table in paytables_of(game.code, bet)],
                    }
                    for bet in chosen_bets(game)
                ],
                "designators": [
                    {"code": entry.code, "paytables": dict(entry.paytables)}
                    for entry in designators(game.code)
                ],
            }
            for game in GAMES
        ],
        "sections": [{"section": name, "title": title} for name, title in SECTIONS.items()],
        "exports": list(KINDS),
    }


def _table(table: PayTable) -> dict[str, Any]:
    if table.by_score:
        hands = [hand for hand, _ in table.rows]
    else:
        hands = [member.name.lower() for member in reversed(table.classes) if member]
    return {
        "code": table.code,
        "levels": list(table.levels) if table.game in PROGRESSIVE_CODES else [],
        "rows": [
            {"hand": hand, "label": spaced(hand), "pays": str(odds)} for hand, odds in table.rows
        ],
        "hands": [{"hand": hand, "label": spaced(hand)} for hand in hands],
    }
