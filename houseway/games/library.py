"""Library: the paytables of every game and progressive, each read when it is first asked for.

The tables of a game lie in its folder, those of the progressives in the catalog, because several
games play for them.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from houseway.catalog import catalog_text
from houseway.games.contract import Game
from houseway.games.registry import codes, entry_of, game_of, shelf_of
from houseway.games.shelf import Shelf
from houseway.house.paytables import (
    CHANGES,
    HANDS,
    Designator,
    Hands,
    PayTable,
    changed,
    read_tables,
)
from houseway.names import PROGRESSIVE_CODES, Bet
from houseway.refusal import Reason, Refused, listed


@cache
def progressives() -> Shelf:
    """The paytables of the progressives (PGM-19, PNX-19, PML-12)."""
    return Shelf(*read_tables(catalog_text("progressives.toml"), "", _kind_of))


def _kind_of(entry: dict[str, Any]) -> Hands:
    if entry.get("game") not in PROGRESSIVE_CODES or entry.get("hands") not in HANDS:
        raise ValueError(
            f"paytable {entry.get('code')!r} pays {entry.get('hands')!r} of {entry.get('game')!r}; "
            f"known: {listed(HANDS)} of {listed(PROGRESSIVE_CODES)}"
        )
    return HANDS[entry["hands"]]


def all_paytables() -> tuple[PayTable, ...]:
    """Every paytable that there is."""
    return (
        *(paytable for code in codes() for paytable in entry_of(code).shelf.paytables),
        *progressives().paytables,
    )


def paytables_of(owner: str | Game, bet: str) -> tuple[PayTable, ...]:
    """The paytables of one bet of a game, or of a progressive."""
    if owner in PROGRESSIVE_CODES:
        return tuple(pt for pt in progressives().paytables if pt.game == owner)
    game = game_of(owner)
    side = game.side_bet(bet)
    if side is not None and side.owners:
        return tuple(pt for one in side.owners for pt in paytables_of(one, bet))
    return tuple(pt for pt in shelf_of(game).paytables if pt.bet == bet)


def paytable_of(owner: str | Game, bet: str, code: str) -> PayTable:
    """The paytable of that code, with the changes that it names.

    Refused with the known codes when there is none.
    """
    known = paytables_of(owner, bet)
    code, changes, text = code.partition(CHANGES)
    for paytable in known:
        if paytable.code == code:
            return changed(paytable, text) if changes else paytable
    raise Refused(
        Reason.UNKNOWN_PAYTABLE,
        f"paytable {code!r} of {owner if owner in PROGRESSIVE_CODES else bet} is unknown; "
        f"known: {listed(pt.code for pt in known)}"
        if known
        else f"bet {bet!r} of {game_of(owner).code} has no paytable to choose; "
        f"paytables are chosen for {listed(chosen_bets(game_of(owner)))}",
    )


def usual_paytables(game: Game) -> dict[Bet, PayTable]:
    """The usual paytable of each bet of a game: the one that stands first."""
    found: dict[Bet, PayTable] = {}
    for bet in game.order:
        if tables := paytables_of(game, bet):
            found[bet] = tables[0]
    return found


def chosen_bets(game: Game) -> tuple[Bet, ...]:
    """The bets of a game that a paytable is chosen for: its own, and then those from a meter."""
    own = dict.fromkeys(pt.bet for pt in shelf_of(game).paytables)
    return (*own, *(side.code for side in game.side_bets if side.owners))


def designators(game: str) -> tuple[Designator, ...]:
    """The printed codes of a game that stand for paytables of several bets."""
    return entry_of(game).shelf.designators


def designator(game: str, code: str) -> Designator:
    """The designator of that code; refused with the known ones when there is none."""
    known = () if game in PROGRESSIVE_CODES else designators(game)
    for entry in known:
        if entry.code == code:
            return entry
    raise Refused(
        Reason.UNKNOWN_PAYTABLE,
        f"paytable {code!r} is unknown; known: {_span(entry.code for entry in known)}"
        if known
        else f"paytable {code!r} is unknown; choose one bet at a time, such as {_example(game)}",
    )


def changes_of(paytable: PayTable) -> tuple[PayTable, dict[str, str]]:
    """The known table behind a table, and what its code says of each hand that differs."""
    code, _, text = paytable.code.partition(CHANGES)
    base = paytable_of(paytable.game, paytable.bet, code)
    return base, dict(part.split("=") for part in text.split(",")) if text else {}


def _span(codes: Iterable[str]) -> str:
    known = list(codes)
    return listed(known) if len(known) < 4 else f"{known[0]} … {known[-1]}"


def _example(game: str) -> str:
    known = progressives() if game in PROGRESSIVE_CODES else entry_of(game).shelf
    last = [table for table in known.paytables if table.game == game][-1]
    usual = next(t for t in known.paytables if (t.game, t.bet) == (game, last.bet))
    return f"{usual.bet}={usual.code}"
