"""Three-card hands, judged the long way: poker categories, order of hands, Rummy points.

A card is a string of two characters: rank in "23456789TJQKA", suit in "cdhs". Clauses: TCP-02,
TCP-03, TCP-04 (poker), TSR-03, TSR-04 (Rummy); readings A-07, A-08, A-26.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"

# TCP-02: worst to best. The suited A-K-Q is no class of its own when hands are compared.
ORDER = ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]

# TSR-03: what a card counts when it stands in no combination.
RUMMY_VALUE = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "T": 10,
    "J": 10,
    "Q": 10,
    "K": 10,
}

# neighbours in this line of ranks are neighbours in a run.
RUN_LINE = {
    "low": "A23456789TJQK",
    "high_low": "A23456789TJQKA",
    "wrap": "A23456789TJQKA2",
}


def check_cards(cards: list[str]) -> None:
    """Assert that these are different cards of one 52-card deck (TSR-01, TCP-01)."""
    for card in cards:
        assert len(card) == 2, card
        assert card[0] in RANKS, card
        assert card[1] in SUITS, card
    assert len(set(cards)) == len(cards), cards


def _numbers(hand: list[str]) -> list[int]:
    """The ranks as numbers from 2 to 14 (Ace high), highest first."""
    return sorted((RANKS.index(card[0]) + 2 for card in hand), reverse=True)


def _straight_top(hand: list[str]) -> int | None:
    """The top card of a straight, or None; 3-2-A is a straight whose top card is the 3 (TCP-03)."""
    numbers = _numbers(hand)
    if numbers == [14, 3, 2]:
        return 3
    if numbers[0] == numbers[1] + 1 and numbers[1] == numbers[2] + 1:
        return numbers[0]
    return None


def category(hand: list[str]) -> str:
    """The name of a three-card poker hand (TCP-02); suited A-K-Q is 'mini_royal' (A-26)."""
    check_cards(hand)
    assert len(hand) == 3, hand
    same_rank = max(Counter(card[0] for card in hand).values())
    suited = len({card[1] for card in hand}) == 1
    straight = _straight_top(hand) is not None
    if suited and {card[0] for card in hand} == {"A", "K", "Q"}:
        return "mini_royal"
    if suited and straight:
        return "straight_flush"
    if same_rank == 3:
        return "three_of_a_kind"
    if straight:
        return "straight"
    if suited:
        return "flush"
    if same_rank == 2:
        return "pair"
    return "high_card"


def strength(hand: list[str]) -> tuple[int, ...]:
    """A tuple that orders all three-card poker hands, the bigger the better (TCP-02, TCP-03)."""
    name = category(hand)
    if name == "mini_royal":
        name = "straight_flush"
    place = ORDER.index(name)
    if name in ("straight_flush", "straight"):
        top = _straight_top(hand)
        assert top is not None
        return (place, top)
    if name == "pair":
        times = Counter(_numbers(hand))
        paired = next(number for number in times if times[number] == 2)
        kicker = next(number for number in times if times[number] == 1)
        return (place, paired, kicker)
    return (place, *_numbers(hand))


def dealer_qualifies(hand: list[str]) -> bool:
    """True for Queen high or better (TCP-04)."""
    if category(hand) != "high_card":
        return True
    return any(card[0] in ("Q", "K", "A") for card in hand)


def _is_suited_run(cards: list[str], ace_in_runs: str) -> bool:
    """True when two or three cards of one suit follow one another (TSR-04, A-07)."""
    if len({card[1] for card in cards}) != 1:
        return False
    line = RUN_LINE[ace_in_runs]
    ranks = {card[0] for card in cards}
    windows = [line[i : i + len(cards)] for i in range(len(line) - len(cards) + 1)]
    return any(set(window) == ranks for window in windows)


def _is_set(cards: list[str]) -> bool:
    """True when two or three cards are of one rank: a pair or a triple (TSR-04)."""
    return len({card[0] for card in cards}) == 1


def rummy_points(
    hand: list[str], ace_in_runs: str = "low", combination_choice: str = "lowest"
) -> int:
    """The points of a Rummy hand, 0 (best) to 30 (worst) (TSR-03, TSR-04).

    One combination, a pair, a triple or a suited run of two or three, counts nothing and the cards
    outside of it count their value. Where several combinations are possible, 'lowest' takes the one
    that leaves the fewest points and 'pair_first' takes the pair if there is one (A-08).
    """
    check_cards(hand)
    assert len(hand) == 3, hand
    assert ace_in_runs in RUN_LINE, ace_in_runs
    assert combination_choice in ("lowest", "pair_first"), combination_choice
    if _is_set(hand) or _is_suited_run(hand, ace_in_runs):
        return 0
    with_pair = []
    with_run = []
    for two in combinations(hand, 2):
        (left,) = [card for card in hand if card not in two]
        if _is_set(list(two)):
            with_pair.append(RUMMY_VALUE[left[0]])
        if _is_suited_run(list(two), ace_in_runs):
            with_run.append(RUMMY_VALUE[left[0]])
    if combination_choice == "pair_first" and with_pair:
        return min(with_pair)
    without = sum(RUMMY_VALUE[card[0]] for card in hand)
    return min([without, *with_pair, *with_run])
