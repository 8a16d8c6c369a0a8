"""Choices: what may be chosen for a practice table, which is less than a house may choose.

Offered are the paytables of every bet, and for each game the one house option that changes how it
is played most. A draft of the studio may be played as well: any option of a few words, and
paytables with changes.
"""

from collections.abc import Mapping
from typing import Any

from houseway.games import game_of
from houseway.names import GAME_CODES, GameCode
from houseway.options import allowed_values, of_few_words, register
from houseway.paytables import library
from houseway.practice.view import bets
from houseway.refusal import Reason, Refused, listed
from houseway.ruleset import make_ruleset


def choices() -> list[dict[str, Any]]:
    """Every game with what may be chosen for it; what comes first is chosen by default."""
    return [
        {
            "game": code,
            "name": game_of(code).name,
            "bets": bets(make_ruleset(code), None),
            "paytables": [{"bet": bet, "codes": codes} for bet, codes in _paytables(code).items()],
            "options": [
                {
                    "option": name,
                    "text": register()[name].metadata["text"],
                    "values": list(allowed_values(name)),
                }
                for name in game_of(code).main_options
            ],
        }
        for code in GAME_CODES
    ]


def check_choices(game: str, options: Mapping[str, str], paytables: Mapping[str, str]) -> None:
    """Refuse what a practice table does not offer; whether a value is known is for the rules."""
    code = next((known for known in GAME_CODES if known == game), None)
    if code is None:
        raise Refused(Reason.UNKNOWN_GAME, f"game {game!r} is unknown; known: {listed(GAME_CODES)}")
    taken = [name for name in of_few_words() if code in register()[name].metadata["games"]]
    for name in options:
        if name not in taken or name == "profile":
            raise Refused(
                Reason.UNKNOWN_OPTION,
                f"option {name!r} is not offered in practice; offered: "
                f"{listed(game_of(code).main_options)}",
            )
    bets = library().chosen_bets(code)
    for bet in paytables:
        if bet not in bets:
            raise Refused(
                Reason.UNKNOWN_BET,
                f"bet {bet!r} has no paytable to choose in practice; offered: {listed(bets)}",
            )


def _paytables(game: GameCode) -> dict[str, list[str]]:
    """The codes of every bet that is offered and has a choice, the default first."""
    defaults = make_ruleset(game).paytables
    found: dict[str, list[str]] = {}
    for bet in library().chosen_bets(game):
        codes = [table.code for table in library().of(game, bet)]
        if bet != "progressive" and len(codes) > 1:
            usual = defaults[bet].code
            found[bet] = [usual, *(code for code in codes if code != usual)]
    return found
