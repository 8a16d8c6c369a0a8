"""Choices: what may be chosen for a practice table, which is less than a house may choose.

Offered are the paytables of every bet, and for each game the one house option that changes how it
is played most. A draft of the studio may be played as well: any option of a few words, and
paytables with changes.
"""

from collections.abc import Mapping
from typing import Any

from houseway.games import GAMES, game_of
from houseway.games.contract import Game
from houseway.games.library import chosen_bets, paytables_of
from houseway.house.options import allowed_values, of_few_words, register
from houseway.practice.view import bets
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import make_ruleset


def choices() -> list[dict[str, Any]]:
    """Every game with what may be chosen for it; what comes first is chosen by default."""
    return [
        {
            "game": game.code,
            "name": game.name,
            "bets": bets(make_ruleset(game.code), None),
            "paytables": [{"bet": bet, "codes": codes} for bet, codes in _paytables(game).items()],
            "options": [
                {
                    "option": name,
                    "text": register(game.options)[name].metadata["text"],
                    "values": list(allowed_values(name, game.options)),
                }
                for name in game.main_options
            ],
        }
        for game in GAMES
    ]


def check_choices(game: str, options: Mapping[str, str], paytables: Mapping[str, str]) -> None:
    """Refuse what a practice table does not offer; whether a value is known is for the rules."""
    found = game_of(game)
    taken = [name for name in of_few_words(found.options) if found.touches(name)]
    for name in options:
        if name not in taken or name == "profile":
            raise Refused(
                Reason.UNKNOWN_OPTION,
                f"option {name!r} is not offered in practice; offered: "
                f"{listed(found.main_options)}",
            )
    bets = chosen_bets(found)
    for bet in paytables:
        if bet not in bets:
            raise Refused(
                Reason.UNKNOWN_BET,
                f"bet {bet!r} has no paytable to choose in practice; offered: {listed(bets)}",
            )


def _paytables(game: Game) -> dict[str, list[str]]:
    """The codes of every bet that is offered and has a choice, the default first."""
    defaults = make_ruleset(game.code).paytables
    found: dict[str, list[str]] = {}
    for bet in chosen_bets(game):
        codes = [table.code for table in paytables_of(game.code, bet)]
        if bet != "progressive" and len(codes) > 1:
            usual = defaults[bet].code
            found[bet] = [usual, *(code for code in codes if code != usual)]
    return found
