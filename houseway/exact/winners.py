"""Winners: how many seats of one round win a share of a meter together."""

from fractions import Fraction
from math import comb, perm

import numpy as np

from houseway.cards import DECK_SIZE
from houseway.exact.community import community_classes
from houseway.exact.tabulate import three_card_hands
from houseway.house.money import MeterShare
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused

MOST_SEATS = 7


def simultaneous(paytable: PayTable, seats: int) -> Fraction:
    """P(two or more of so many lit seats win a share of a meter in one round) (PGM-10, PNX-11).

    Two players cannot both hold the A-K-Q of spades, but the link's community cards are shared.
    """
    return sum(meter_winners(paytable, seats)[2:], Fraction(0))


def meter_winners(paytable: PayTable, seats: int) -> tuple[Fraction, ...]:
    """P(exactly k of so many lit seats win a share of a meter in one round), for k = 0 … seats.

    Every hand counts, folded or not. With W(k) the sets of k hands that win together, summed over
    the community cards, the expected number of sets of k winning seats is W(k) times the ways to
    give those hands to seats over all deals; inclusion and exclusion makes probabilities of these.
    """
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= MOST_SEATS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"seats {seats!r} are not a table; give 1 to {MOST_SEATS}"
        )
    sets, communities, left = _winning_sets(paytable)
    expected = [
        Fraction(perm(seats, size) * count, communities * _deals(left, size))
        for size, count in enumerate(sets[: seats + 1])
    ]
    return tuple(
        sum(
            (
                (-1) ** (size - winners) * comb(size, winners) * expected[size]
                for size in range(winners, len(expected))
            ),
            Fraction(0),
        )
        for winners in range(seats + 1)
    )


def _deals(cards: int, seats: int) -> int:
    """Ways to deal three cards to each of so many seats."""
    ways = 1
    for seat in range(seats):
        ways *= comb(cards - 3 * seat, 3)
    return ways


def _winning_sets(paytable: PayTable) -> tuple[list[int], int, int]:
    """Sets of k hands that win a share together, by k; over how many communities; cards left.

    One community stands for all that a change of suits makes of it.
    """
    wanted = [hand for hand, odds in paytable.pays.items() if isinstance(odds, MeterShare)]
    hands = three_card_hands()
    if not paytable.community:
        winners = hands.masks[np.isin(hands.progressive, wanted)]
        return _disjoint_sets(winners.tolist(), 1), 1, DECK_SIZE
    categories, weights = community_classes()
    wins = np.isin(categories, wanted)
    sets = [0] * (MOST_SEATS + 1)
    for column, weight in enumerate(weights):
        found = _disjoint_sets(hands.masks[wins[:, column]].tolist(), weight)
        sets = [before + more for before, more in zip(sets, found, strict=True)]
    return sets, comb(DECK_SIZE, 2), DECK_SIZE - 2


def _disjoint_sets(masks: list[int], weight: int) -> list[int]:
    """How many sets of k masks share no card, for k = 0 … MOST_SEATS, times a weight."""
    found = [0] * (MOST_SEATS + 1)

    def choose(held: int, start: int, size: int) -> None:
        found[size] += weight
        if size < MOST_SEATS:
            for place in range(start, len(masks)):
                if not masks[place] & held:
                    choose(held | masks[place], place + 1, size + 1)

    choose(0, 0, 0)
    return found
