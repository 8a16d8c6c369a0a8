"""A second way to name a five- or six-card hand: from four rank masks, with no search.

Nothing is compared and no five cards are chosen: the category follows from how often ranks occur
and from runs of bits. It shares no line with the code under test.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from tests.oracles.domains import Masks, masks_of

_RUNS = [sum(1 << rank for rank in range(low, low + 5)) for low in range(9)]
_WHEEL = 1 << 12 | 0b1111
_BROADWAY = _RUNS[-1]


def _has_run(mask: int) -> bool:
    return mask & _WHEEL == _WHEEL or any(mask & run == run for run in _RUNS)


def category(masks: Masks) -> str:
    """The best five-card category that the cards hold."""
    clubs, diamonds, hearts, spades = masks
    four = clubs & diamonds & hearts & spades
    three = (
        (clubs & diamonds & hearts)
        | (clubs & diamonds & spades)
        | (clubs & hearts & spades)
        | (diamonds & hearts & spades)
    )
    two = (
        (clubs & diamonds)
        | (clubs & hearts)
        | (clubs & spades)
        | (diamonds & hearts)
        | (diamonds & spades)
        | (hearts & spades)
    )
    flush = next((suit for suit in masks if suit.bit_count() >= 5), 0)
    return _named(flush, clubs | diamonds | hearts | spades, two, three, four)


def _named(flush: int, one: int, two: int, three: int, four: int) -> str:
    """The category from the ranks of a flush, and those held once, twice, three and four times."""
    if flush & _BROADWAY == _BROADWAY:
        return "royal_flush"
    if flush and _has_run(flush):
        return "straight_flush"
    if four:
        return "four_of_a_kind"
    if three and two.bit_count() >= 2:
        return "full_house"
    if flush:
        return "flush"
    if _has_run(one):
        return "straight"
    if three:
        return "three_of_a_kind"
    if two.bit_count() >= 2:
        return "two_pair"
    if two:
        return "jacks_or_better" if two >= 1 << 9 else "low_pair"
    return "high_card"


@cache
def six_card_counts() -> Counter[str]:
    """How many of all six-card hands are of each category.

    All hands are counted by their ranks, as if suits did not matter; then each hand with a flush
    goes from the category of its ranks to its own.
    """
    counts: Counter[str] = Counter()
    for ranks in combinations_with_replacement(range(13), 6):
        held = Counter(ranks)
        if max(held.values()) <= 4:
            times = [sum(1 << rank for rank in held if held[rank] >= n) for n in range(1, 5)]
            counts[_named(0, *times)] += prod(comb(4, count) for count in held.values())
    for long in masks_of(6):
        counts[_named(0, long, 0, 0, 0)] -= 4
        counts[_named(long, long, 0, 0, 0)] += 4
    for long in masks_of(5):
        for rank in range(13):
            # A card of each other suit may be the sixth, paired with one of the five or not.
            two = long & (1 << rank)
            counts[_named(0, long | 1 << rank, two, 0, 0)] -= 4 * 3
            counts[_named(long, long | 1 << rank, two, 0, 0)] += 4 * 3
    return +counts
