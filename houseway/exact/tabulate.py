"""Tabulate: scalar rules called once for every input, kept in arrays.

Nothing here decides anything. Each array is made by calling a function of `hands` or of a game
for its whole domain, so fast code can look answers up and contains no rule of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK, make_card, rank_of, suit_of
from houseway.cards.hands import FiveCard, category3, category5, progressive3
from houseway.exact.kept import kept

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]
Small = npt.NDArray[np.int8]
Short = npt.NDArray[np.int16]
Ints32 = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

HANDS3 = 22_100
TRIPLES = 455
"""Multisets of three ranks."""


@dataclass(frozen=True, slots=True, eq=False)
class ThreeCardHands:
    """Every three-card hand, in the order of `itertools.combinations`."""

    cards: npt.NDArray[np.int64]
    masks: Masks
    """One bit a card, suit by suit: bit 13 * suit + rank."""
    category: Small
    progressive: Small
    triple: npt.NDArray[np.int64]
    """Which multiset of ranks the hand has, an index into `category_by_ranks`."""
    suited: Small
    """1 when all three cards are of one suit: only then can the six cards hold a flush."""
    canonical: npt.NDArray[np.int64]
    """Indices of one hand of every class up to a change of suits."""
    weight: npt.NDArray[np.int64]
    """How many hands each of these stands for."""
    class_of: npt.NDArray[np.int64]
    """For every hand the place of its class among the canonical ones."""


@kept
def three_card_hands() -> ThreeCardHands:
    """The 22,100 hands with what the classifiers say of each."""
    hands = list(combinations(DECK, 3))
    triples: dict[tuple[int, ...], int] = {
        ranks: number for number, ranks in enumerate(combinations_with_replacement(range(13), 3))
    }
    classes: dict[tuple[int, ...], int] = {}
    canonical: list[int] = []
    class_of: list[int] = []
    for number, hand in enumerate(hands):
        key = suit_class(hand)
        if key not in classes:
            classes[key] = len(canonical)
            canonical.append(number)
        class_of.append(classes[key])
    return ThreeCardHands(
        cards=np.array(hands, dtype=np.int64),
        masks=np.array([card_mask(hand) for hand in hands], dtype=np.uint64),
        category=np.array([category3(*hand) for hand in hands], dtype=np.int8),
        progressive=np.array([progressive3(*hand) for hand in hands], dtype=np.int8),
        triple=np.array([triples[_ranks(hand)] for hand in hands], dtype=np.int64),
        suited=np.array([len({suit_of(card) for card in hand}) == 1 for hand in hands], np.int8),
        canonical=np.array(canonical, dtype=np.int64),
        weight=np.bincount(np.array(class_of)).astype(np.int64),
        class_of=np.array(class_of, dtype=np.int64),
    )


def _ranks(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(rank_of(card) for card in cards))


def suit_class(cards: Sequence[int]) -> tuple[int, ...]:
    """A key that two sets of cards share when a change of suits turns one into the other."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return tuple(sorted(masks, reverse=True))


def card_mask(cards: Sequence[int]) -> int:
    """The cards as bits, suit by suit."""
    return sum(1 << (13 * suit_of(card) + rank_of(card)) for card in cards)


@kept
def category_by_ranks() -> Small:
    """category_by_ranks[a, b]: the best five of two rank triples when no flush is there.

    Entries that would need five cards of a rank cannot occur and are 0.
    """
    triples = list(combinations_with_replacement(range(13), 3))
    table = np.zeros((TRIPLES, TRIPLES), dtype=np.int8)
    for a, first in enumerate(triples):
        for b, second in enumerate(triples[: a + 1]):
            table[a, b] = table[b, a] = category_of_ranks(tuple(sorted(first + second)))
    return table


@cache
def category_of_ranks(ranks: tuple[int, ...]) -> int:
    """The best five of six ranks, in ascending order, when no flush is there; 0 if impossible."""
    cards = _without_flush(ranks)
    return 0 if cards is None else category5(cards)


def _without_flush(ranks: tuple[int, ...]) -> tuple[int, ...] | None:
    """Cards of these ranks with at most four of one suit; None when a rank occurs five times."""
    cards: list[int] = []
    taken: set[int] = set()
    per_suit = [0, 0, 0, 0]
    for rank in ranks:
        free = [s for s in range(4) if make_card(rank, s) not in taken]
        if not free:
            return None
        suit = min(free, key=lambda s: per_suit[s])
        per_suit[suit] += 1
        taken.add(make_card(rank, suit))
        cards.append(make_card(rank, suit))
    return tuple(cards)


@cache
def category_by_suit() -> Small:
    """category_by_suit[mask]: what five or six ranks of one suit make; 0 for fewer than five.

    Of six suited cards the best five are looked at, as of any six.
    """
    table = np.zeros(8192, dtype=np.int8)
    for size in (5, 6):
        for ranks in combinations(range(13), size):
            hand = tuple(make_card(rank, 0) for rank in ranks)
            table[sum(1 << rank for rank in ranks)] = category5(hand)
    return table


@cache
def categories_by_suited() -> tuple[frozenset[int], ...]:
    """For each number of cards of one suit in six, what these may make by their suit."""
    table = category_by_suit()
    found: list[set[int]] = [set() for _ in range(SIX_CARDS + 1)]
    for mask in np.flatnonzero(table).tolist():
        found[mask.bit_count()].add(int(table[mask]))
    return tuple(frozenset(categories) for categories in found)


FIVE_CARD_CATEGORIES = len(FiveCard)
SIX_CARDS = 6
