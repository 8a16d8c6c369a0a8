"""Community: what a hand of three cards comes to, alone or with two community cards.

The three-card progressives look at the player's own cards, the link at these and two cards that
all seats share. Hands are counted by class up to a change of suits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from houseway.cards import DECK, DECK_SIZE, make_card, rank_of
from houseway.cards.hands import category5
from houseway.exact.tabulate import (
    FIVE_CARD_CATEGORIES,
    HANDS3,
    TRIPLES,
    Ints,
    Small,
    card_mask,
    category_by_suit,
    suit_class,
    three_card_hands,
)
from houseway.house.paytables import PayTable

SUIT_CHANGES = 24
"""Every class of hands up to a change of suits holds a number of hands that divides this."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """counts[canonical hand (, up card), hand of the paytable], each row out of `of`."""

    counts: Ints
    of: int


def judged_hands(paytable: PayTable, *, face_up: bool = False) -> Judged:
    """What becomes of each class of three cards as the paytable sees it, given an up card or not.

    The A-K-Q of spades and those of other suits are one class up to suits; their row says how
    many of it are which. What cannot be, an up card that the player holds, has no cases.
    """
    if paytable.community:
        return _judged_with_up_card() if face_up else Judged(_community_counts(), comb(49, 2))
    hands = three_card_hands()
    kinds = len(paytable.classes)
    counts = np.zeros((hands.canonical.size, kinds), dtype=np.int64)
    np.add.at(counts, (hands.class_of, hands.progressive), 1)
    counts *= (SUIT_CHANGES // hands.weight)[:, None]
    if face_up:
        counts = np.repeat(counts[:, None, :], DECK_SIZE, axis=1)
    return Judged(counts, SUIT_CHANGES)


@cache
def community_classes() -> tuple[Small, tuple[int, ...]]:
    """Categories of every hand with one community of each class, and how many that stands for."""
    classes: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for pair in _community_pairs():
        classes.setdefault(suit_class(pair), []).append(pair)
    firsts = [members[0] for members in classes.values()]
    weights = tuple(len(members) for members in classes.values())
    return _five_card_categories(np.arange(HANDS3), firsts), weights


@cache
def _canonical_categories() -> Small:
    return _five_card_categories(three_card_hands().canonical, _community_pairs())


@cache
def _community_counts() -> Ints:
    """counts[canonical hand, five-card category] over the 1,176 community pairs it leaves."""
    return _count_categories(_canonical_categories())


@cache
def _judged_with_up_card() -> Judged:
    """The counts by up card: pairs that hold the up card cannot lie on the table."""
    categories = _canonical_categories()
    pairs = np.array(_community_pairs())
    holding = [
        _count_categories(categories[:, (pairs == card).any(axis=1)]) for card in range(DECK_SIZE)
    ]
    counts = _community_counts()[:, None, :] - np.stack(holding, axis=1)
    return Judged(counts, comb(48, 2))


def _count_categories(categories: Small) -> Ints:
    """How often each category stands in every row."""
    counts = [(categories == category).sum(axis=1) for category in range(FIVE_CARD_CATEGORIES)]
    return np.stack(counts, axis=1)


def _five_card_categories(chosen: Ints, pairs: Iterable[tuple[int, int]]) -> Small:
    """categories[three-card hand, community pair] (PML-02, PML-04); -1 where they share a card."""
    hands = three_card_hands()
    communities = list(pairs)
    places = {ranks: place for place, ranks in enumerate(_rank_pairs())}
    pair = np.array([places[_ranks(two)] for two in communities])
    masks = np.array([card_mask(two) for two in communities], dtype=np.uint64)
    found: Small = _category_of_five_ranks()[hands.triple[chosen][:, None], pair[None, :]]
    # Five cards of a suit need three of it in the hand.
    suited = np.flatnonzero(hands.suited[chosen])
    together = hands.masks[chosen[suited]][:, None] | masks[None, :]
    for suit in range(4):
        of_suit = (together >> np.uint64(13 * suit)) & np.uint64(8191)
        found[suited] = np.maximum(found[suited], category_by_suit()[of_suit])
    found[(hands.masks[chosen][:, None] & masks[None, :]) != 0] = -1
    return found


@cache
def _category_of_five_ranks() -> Small:
    """table[rank triple, rank pair]: what five cards make that are not of one suit.

    Entries that would need five cards of a rank cannot occur and are 0.
    """
    table = np.zeros((TRIPLES, len(_rank_pairs())), dtype=np.int8)
    found: dict[tuple[int, ...], int] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        # Neighbours differ in suit, so equal ranks give different cards and no flush is there.
        cards = tuple(make_card(rank, place % 4) for place, rank in enumerate(ranks))
        found[ranks] = 0 if ranks[0] == ranks[4] else category5(cards)
    for row, three in enumerate(combinations_with_replacement(range(13), 3)):
        for column, two in enumerate(_rank_pairs()):
            table[row, column] = found[tuple(sorted(three + two))]
    return table


@cache
def _community_pairs() -> tuple[tuple[int, int], ...]:
    return tuple(combinations(DECK, 2))


@cache
def _rank_pairs() -> tuple[tuple[int, ...], ...]:
    return tuple(combinations_with_replacement(range(13), 2))


def _ranks(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(rank_of(card) for card in cards))
