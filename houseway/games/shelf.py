"""Shelf: the paytables in the folder of a game, whose bets say what they may pay."""

from pathlib import Path
from typing import Any, NamedTuple

from houseway.games.contract import Game
from houseway.house.paytables import Designator, Hands, PayTable, read_tables
from houseway.refusal import listed

FILE = "paytables.toml"


class Shelf(NamedTuple):
    """The paytables and designators of one game, or of all progressives, in their order."""

    paytables: tuple[PayTable, ...] = ()
    designators: tuple[Designator, ...] = ()


def read_shelf(game: Game, folder: Path) -> Shelf:
    """The paytables of a game; ValueError with one sentence on the first bad one.

    Nothing is taken from drawings of layouts (TCP-26). Three Card Poker (TCP-25), its 6 Card Bonus
    (SCB-04) and Face Up (FUP-10), Rummy (TSR-34..36), the sheets of Triple Shot Bonus (TSB-25).
    """
    file = folder / FILE
    if not file.exists():
        return Shelf()
    kinds: dict[Any, Hands] = {
        **{bet.code: bet.hands for bet in game.bets if bet.hands is not None},
        **{side.code: side.hands for side in game.side_bets if side.hands is not None},
    }

    def kind_of(entry: dict[str, Any]) -> Hands:
        if entry["bet"] not in kinds:
            raise ValueError(
                f"paytable {entry['code']!r} is of bet {entry['bet']!r}, which pays by no table; "
                f"bets that do: {listed(kinds) or 'none'}"
            )
        return kinds[entry["bet"]]

    return Shelf(*read_tables(file.read_text(encoding="utf-8"), game.code, kind_of))
