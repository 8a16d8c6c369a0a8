"""Play: whether a table is dealt at, and what a round came to, in numbers that books add up.

The progressive and its envy have records of their own: the wager goes to a meter, a meter pays,
and envy is an expense of its own. Neither is in what a table has won, because neither is in what
it was expected to win.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

from houseway.floor.live_round import round_of
from houseway.floor.table import FloorTable
from houseway.live.state import Round

APART = ("progressive", "envy")
"""Bets that the books of a table leave to the records of the progressive."""


def is_under_way(table: FloorTable) -> bool:
    """True while a round, or a game of the progressive without one, is under way at a table."""
    under_way = round_of(table)
    return table.started or (under_way is not None and not under_way.over)


def came_to(under_way: Round, opened_at: str) -> dict[str, Any]:
    """The wagers of a round that is over, and what the house has won by bet.

    `within` has the products of the wagers of one seat, summed over the seats, and `across` those
    of the whole table: how far a win may lie from what is expected follows from them.
    """
    played = [seat for seat in under_way.seats if seat.wagers]
    wagers: Counter[str] = Counter()
    net: Counter[str] = Counter()
    within: Counter[str] = Counter()
    for seat in played:
        made: dict[str, int] = {
            bet: cents for bet, cents in seat.wagers.items() if bet not in APART
        }
        wagers.update(made)
        within.update(_products(made))
        for line in seat.lines:
            if line.bet not in APART:
                net[line.bet] -= line.net
    void = under_way.voided
    return {
        "number": int(under_way.number),
        "void": void,
        "opened_at": opened_at,
        "shuffled": under_way.shuffle is not None,
        "seats": len(played),
        # A void round gives everything back.
        "wagers": {} if void else dict(wagers),
        "net": {} if void else dict(net),
        "within": {} if void else dict(within),
        "across": {} if void else _products(wagers),
    }


def net_of(data: Mapping[str, Any]) -> dict[str, int]:
    """The house's net by bet in a round that has ended, from the data of its event.

    An earlier program counted envy in it.
    """
    return {bet: cents for bet, cents in data["net"].items() if bet not in APART}


def _products(wagers: Mapping[str, int]) -> dict[str, int]:
    """The product of every two wagers, and the square of each."""
    pairs = combinations_with_replacement(sorted(wagers), 2)
    return {f"{one}+{other}": wagers[one] * wagers[other] for one, other in pairs}
