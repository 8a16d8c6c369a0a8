"""A second way to name a five- or six-card hand: from four rank masks, with no search.

Nothing is compared and no five cards are chosen: the category follows from how often ranks occur
and from runs of bits. It shares no line with the code under test.
"""

from collections import Counter
from functools import cache

from tests.oracles.domains import canonical_hands

_RUNS = [sum(1 << rank for rank in range(low, low + 5)) for low in range(9)]
_WHEEL = 1 << 12 | 0b1111
_BROADWAY = _RUNS[-1]


def _has_run(mask: int) -> bool:
    return mask & _WHEEL == _WHEEL or any(mask & run == run for run in _RUNS)


def category(masks: tuple[int, int, int, int]) -> str:
    """The best five-card category that the cards hold."""
    clubs, diamonds, hearts, spades = masks
    flush = next((suit for suit in masks if suit.bit_count() >= 5), 0)
    if flush & _BROADWAY == _BROADWAY:
        return "royal_flush"
    if flush and _has_run(flush):
        return "straight_flush"
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
    if four:
        return "four_of_a_kind"
    if three and two.bit_count() >= 2:
        return "full_house"
    if flush:
        return "flush"
    if _has_run(clubs | diamonds | hearts | spades):
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
    """How many of all six-card hands are of each category."""
    counts: Counter[str] = Counter()
    for masks, weight in canonical_hands(6):
        counts[category(masks)] += weight
    return counts
