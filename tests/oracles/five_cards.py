"""Five-card poker hands, judged the long way, and the best five of six.

A card is a string of two characters as in `three_cards`. Clauses: TSR-14, SCB-02 (6 Card Bonus),
TSB-18 (Poker bet), PML-04 (exactly five cards).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from .three_cards import RANKS, check_cards

# Worst to best, the traditional order of five-card poker.
ORDER = [
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
]


def _numbers(hand5: list[str]) -> list[int]:
    """The ranks as numbers from 2 to 14 (Ace high), highest first."""
    return sorted((RANKS.index(card[0]) + 2 for card in hand5), reverse=True)


def _straight_top(hand5: list[str]) -> int | None:
    """The top card of a straight, or None; 5-4-3-2-A is a straight whose top card is the 5."""
    numbers = _numbers(hand5)
    if numbers == [14, 5, 4, 3, 2]:
        return 5
    top = numbers[0]
    if numbers == [top, top - 1, top - 2, top - 3, top - 4]:
        return top
    return None


def _class(hand5: list[str]) -> str:
    """The class in which a hand is compared: one of `ORDER`."""
    check_cards(hand5)
    assert len(hand5) == 5, hand5
    times = sorted(Counter(card[0] for card in hand5).values(), reverse=True)
    suited = len({card[1] for card in hand5}) == 1
    straight = _straight_top(hand5) is not None
    if suited and straight:
        return "straight_flush"
    if times == [4, 1]:
        return "four_of_a_kind"
    if times == [3, 2]:
        return "full_house"
    if suited:
        return "flush"
    if straight:
        return "straight"
    if times == [3, 1, 1]:
        return "three_of_a_kind"
    if times == [2, 2, 1]:
        return "two_pair"
    if times == [2, 1, 1, 1]:
        return "pair"
    assert times == [1, 1, 1, 1, 1], hand5
    return "high_card"


def category5(hand5: list[str]) -> str:
    """The name of a five-card hand as the paytables know it (TSB-18).

    The best straight flush is 'royal_flush'; a pair is 'jacks_or_better' or 'low_pair'.
    """
    name = _class(hand5)
    if name == "straight_flush" and _straight_top(hand5) == 14:
        return "royal_flush"
    if name == "pair":
        times = Counter(card[0] for card in hand5)
        paired = next(rank for rank in times if times[rank] == 2)
        return "jacks_or_better" if paired in ("J", "Q", "K", "A") else "low_pair"
    return name


def strength5(hand5: list[str]) -> tuple[int, ...]:
    """A tuple that orders all five-card poker hands, the bigger the better."""
    name = _class(hand5)
    place = ORDER.index(name)
    if name in ("straight_flush", "straight"):
        top = _straight_top(hand5)
        assert top is not None
        return (place, top)
    times = Counter(_numbers(hand5))
    by_times = sorted(times, key=lambda number: (times[number], number), reverse=True)
    return (place, *by_times)


def best_category(cards: list[str]) -> str:
    """The name of the best five-card hand within five or six cards (TSR-14, SCB-02, TSB-18)."""
    check_cards(cards)
    assert len(cards) in (5, 6), cards
    hands = [list(five) for five in combinations(cards, 5)]
    return category5(max(hands, key=strength5))
