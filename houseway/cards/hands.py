"""Hands: what three, five or six cards are worth. Scalar, exact, and the only place that says so.

Every function takes cards as ints from 0 to 51. Ranks of hands are ints that compare: the
higher the better, equal hands equal. Categories are small ints with names.
"""

from enum import IntEnum
from itertools import combinations, pairwise, starmap
from typing import Literal

from houseway.cards import (
    ACE,
    DEUCE,
    FIVE,
    FOUR,
    JACK,
    QUEEN,
    RANK_WORDS,
    SIX,
    SPADES,
    TEN,
    THREE,
    rank_of,
    rank_plural,
    suit_of,
)

AceInRuns = Literal["low", "high_low", "wrap"]
CombinationChoice = Literal["lowest", "pair_first"]


class ThreeCard(IntEnum):
    """Three-card hands from worst to best; a straight stands above a flush (TCP-02).

    The suited A-K-Q has a name of its own because some paytables pay it apart (A-26). It is the
    best straight flush anyway, so the order of hands is the same with and without it.
    """

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    MINI_ROYAL = 6


class FiveCard(IntEnum):
    """Five-card hands from worst to best; pairs are parted where the Poker bet parts them."""

    HIGH_CARD = 0
    LOW_PAIR = 1
    JACKS_OR_BETTER = 2
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10


class ProgressiveThree(IntEnum):
    """What the three-card progressive looks at: the A-K-Q of spades stands alone (PGM-19)."""

    NOTHING = 0
    STRAIGHT = 1
    THREE_OF_A_KIND = 2
    STRAIGHT_FLUSH = 3
    AKQ_OTHER_SUIT = 4
    AKQ_SPADES = 5


def rank3(a: int, b: int, c: int) -> int:
    """The rank of a three-card hand, 0 to 7 * 4096 - 1; the higher wins (TCP-02, TCP-03).

    Category first, then the ranks that decide within it: the pair before its kicker, else the
    cards from the highest down. The Ace is high except in 3-2-A, which is the lowest straight.
    """
    high, middle, low = sorted((a >> 2, b >> 2, c >> 2), reverse=True)
    flush = a & 3 == b & 3 == c & 3
    if high == low:
        return _ranked3(ThreeCard.THREE_OF_A_KIND, high, 0, 0)
    if high == middle:
        return _ranked3(ThreeCard.PAIR, high, low, 0)
    if middle == low:
        return _ranked3(ThreeCard.PAIR, low, high, 0)
    if high - low == 2:
        straight_high = high
    elif (high, middle, low) == (ACE, THREE, DEUCE):
        straight_high = THREE
    else:
        return _ranked3(ThreeCard.FLUSH if flush else ThreeCard.HIGH_CARD, high, middle, low)
    if not flush:
        category = ThreeCard.STRAIGHT
    else:
        category = ThreeCard.MINI_ROYAL if straight_high == ACE else ThreeCard.STRAIGHT_FLUSH
    return _ranked3(category, straight_high, 0, 0)


def _ranked3(category: ThreeCard, first: int, second: int, third: int) -> int:
    return category << 12 | first << 8 | second << 4 | third


QUEEN_HIGH = _ranked3(ThreeCard.HIGH_CARD, QUEEN, THREE, DEUCE)
"""The lowest hand a dealer plays with: Queen-3-2 (TCP-04)."""
QUEEN_SIX_FOUR = _ranked3(ThreeCard.HIGH_CARD, QUEEN, SIX, FOUR)
"""The lowest hand that the well-known strategy for three cards plays."""


def category3(a: int, b: int, c: int) -> ThreeCard:
    """The category of a three-card hand (TCP-02)."""
    return ThreeCard(rank3(a, b, c) >> 12)


def progressive3(a: int, b: int, c: int) -> ProgressiveThree:
    """What the three-card progressive sees in a hand (PGM-03, PGM-19, PNX-04)."""
    match category3(a, b, c):
        case ThreeCard.MINI_ROYAL if suit_of(a) == SPADES:
            return ProgressiveThree.AKQ_SPADES
        case ThreeCard.MINI_ROYAL:
            return ProgressiveThree.AKQ_OTHER_SUIT
        case ThreeCard.STRAIGHT_FLUSH:
            return ProgressiveThree.STRAIGHT_FLUSH
        case ThreeCard.THREE_OF_A_KIND:
            return ProgressiveThree.THREE_OF_A_KIND
        case ThreeCard.STRAIGHT:
            return ProgressiveThree.STRAIGHT
    return ProgressiveThree.NOTHING


def rank5(a: int, b: int, c: int, d: int, e: int) -> int:
    """The rank of a five-card poker hand, category first; the higher wins (TSR-14, TSB-18).

    Within a category the ranks decide in the usual order: those that occur most often first,
    then from the highest down. The Ace is low only in 5-4-3-2-A.
    """
    ranks = sorted((a >> 2, b >> 2, c >> 2, d >> 2, e >> 2), reverse=True)
    distinct = len(set(ranks))
    if distinct == 5:
        flush = a & 3 == b & 3 == c & 3 == d & 3 == e & 3
        straight_high = _straight_high(ranks)
        if straight_high is None:
            return _ranked5(FiveCard.FLUSH if flush else FiveCard.HIGH_CARD, ranks)
        if not flush:
            category = FiveCard.STRAIGHT
        else:
            category = FiveCard.ROYAL_FLUSH if straight_high == ACE else FiveCard.STRAIGHT_FLUSH
        return _ranked5(category, [straight_high, 0, 0, 0, 0])
    by_count = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    most = ranks.count(by_count[0])
    if distinct == 4:
        pair_of_jacks = by_count[0] >= JACK
        category = FiveCard.JACKS_OR_BETTER if pair_of_jacks else FiveCard.LOW_PAIR
    elif distinct == 3:
        category = FiveCard.THREE_OF_A_KIND if most == 3 else FiveCard.TWO_PAIR
    else:
        category = FiveCard.FOUR_OF_A_KIND if most == 4 else FiveCard.FULL_HOUSE
    return _ranked5(category, by_count)


def _straight_high(ranks: list[int]) -> int | None:
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    return FIVE if ranks[:2] == [ACE, FIVE] else None


def _ranked5(category: FiveCard, ranks: list[int]) -> int:
    first, second, third, fourth, fifth = ranks
    return category << 20 | first << 16 | second << 12 | third << 8 | fourth << 4 | fifth


def category5(cards: tuple[int, ...]) -> FiveCard:
    """The category of the best five of five or six cards (TSR-14, SCB-02, TSB-18, PML-04)."""
    return FiveCard(max(starmap(rank5, combinations(cards, 5))) >> 20)


def card_points(card: int) -> int:
    """Rummy points of one card: Ace 1, King, Queen, Jack and ten 10, else its face (TSR-03)."""
    rank = rank_of(card)
    if rank == ACE:
        return 1
    return 10 if rank >= TEN else rank + 2


def rummy_points(
    a: int,
    b: int,
    c: int,
    ace_in_runs: AceInRuns = "low",
    combination_choice: CombinationChoice = "lowest",
) -> int:
    """Rummy points of a hand, 0 (best) to 30 (worst) (TSR-04, A-07, A-08).

    A pair, a triple and a suited run of two or three cards count nothing; what is left counts
    its card points. Of several ways the lowest total counts, unless pairs come first.
    """
    hand = (a, b, c)
    if _is_triple(hand) or _is_run(hand, ace_in_runs):
        return 0
    kickers = {
        kind: [card_points(left) for left, pair in _splits(hand) if test(pair)]
        for kind, test in (("pair", _is_pair), ("run", lambda two: _is_run(two, ace_in_runs)))
    }
    if kickers["pair"] and combination_choice == "pair_first":
        return min(kickers["pair"])
    return min(kickers["pair"] + kickers["run"], default=sum(map(card_points, hand)))


def _splits(hand: tuple[int, int, int]) -> list[tuple[int, tuple[int, ...]]]:
    """Each card of the hand with the other two."""
    a, b, c = hand
    return [(a, (b, c)), (b, (a, c)), (c, (a, b))]


def _is_triple(hand: tuple[int, ...]) -> bool:
    return rank_of(hand[0]) == rank_of(hand[1]) == rank_of(hand[2])


def _is_pair(two: tuple[int, ...]) -> bool:
    return rank_of(two[0]) == rank_of(two[1])


def _is_run(cards: tuple[int, ...], ace_in_runs: AceInRuns) -> bool:
    """True for neighbours of one suit; where the Ace may stand is an option (A-07)."""
    if len({suit_of(card) for card in cards}) != 1:
        return False
    ranks = sorted(rank_of(card) for card in cards)
    ace_low = sorted((rank + 1) % 13 for rank in ranks)
    runs = [ace_low]
    if ace_in_runs != "low":
        runs.append(ranks)
    if ace_in_runs == "wrap":
        # K-A-2 stands together on the circle once the King is counted as 0 and the deuce as 2.
        runs.append(sorted((rank + 2) % 13 for rank in ranks))
    return any(all(after - before == 1 for before, after in pairwise(run)) for run in runs)


def describe3(a: int, b: int, c: int) -> str:
    """A three-card hand in words, down to the card that decides: 'a pair of Nines and a Four'."""
    rank = rank3(a, b, c)
    category = ThreeCard(rank >> 12)
    first, second, third = rank >> 8 & 15, rank >> 4 & 15, rank & 15
    match category:
        case ThreeCard.MINI_ROYAL:
            return "a suited Ace-King-Queen"
        case ThreeCard.STRAIGHT_FLUSH:
            return f"a straight flush to the {RANK_WORDS[first]}"
        case ThreeCard.THREE_OF_A_KIND:
            return f"three {rank_plural(first)}"
        case ThreeCard.STRAIGHT:
            return f"a straight to the {RANK_WORDS[first]}"
        case ThreeCard.PAIR:
            return f"a pair of {rank_plural(first)} and {_article(second)}"
    held = f"{RANK_WORDS[first]}-{RANK_WORDS[second]}-{RANK_WORDS[third]}"
    if category is ThreeCard.FLUSH:
        return f"{_article(first).split()[0]} {held} flush"
    return f"{held} high"


def _article(rank: int) -> str:
    word = RANK_WORDS[rank]
    return f"{'an' if word[0] in 'AE' else 'a'} {word}"


def describe5(cards: tuple[int, ...]) -> str:
    """The best five of five or six cards in words: 'a full house, Nines over Fours'."""
    rank = max(rank5(*five) for five in combinations(cards, 5))
    first, third, fourth = rank >> 16 & 15, rank >> 8 & 15, rank >> 4 & 15
    match FiveCard(rank >> 20):
        case FiveCard.ROYAL_FLUSH:
            return "a royal flush"
        case FiveCard.STRAIGHT_FLUSH:
            return f"a straight flush to the {RANK_WORDS[first]}"
        case FiveCard.FOUR_OF_A_KIND:
            return f"four {rank_plural(first)}"
        case FiveCard.FULL_HOUSE:
            return f"a full house, {rank_plural(first)} over {rank_plural(fourth)}"
        case FiveCard.FLUSH:
            return f"{_article(first)}-high flush"
        case FiveCard.STRAIGHT:
            return f"a straight to the {RANK_WORDS[first]}"
        case FiveCard.THREE_OF_A_KIND:
            return f"three {rank_plural(first)}"
        case FiveCard.TWO_PAIR:
            return f"two pair, {rank_plural(first)} and {rank_plural(third)}"
        case FiveCard.JACKS_OR_BETTER | FiveCard.LOW_PAIR:
            return f"a pair of {rank_plural(first)}"
    return f"{RANK_WORDS[first]} high"


def war_rank(card: int, *, ace_low: bool = False) -> int:
    """The rank of a card in War, suits aside (TSB-06); the Ace is high unless told (A-21)."""
    rank = rank_of(card)
    return -1 if ace_low and rank == ACE else rank
