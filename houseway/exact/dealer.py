"""Dealer: how a dealer's hand ends when a number of cards is gone, for every set of them.

A dealer draws cards of a kind in as many ways as a falling factorial says, so the ways to an end
are sums of products over the ten kinds. The kinds are cut into two halves, and what one half
contributes is worked out once for all sets that have it in common.
"""

from dataclasses import dataclass
from itertools import product
from math import perm

import numpy as np
import numpy.typing as npt

from houseway.exact.blackjack import (
    DECK,
    ENDS,
    KINDS,
    LONGEST,
    TEN_KIND,
    dealer_hands,
    dealer_options,
)
from houseway.exact.kernels.blackjack import falling_factorials, multiply_halves
from houseway.exact.tabulate import Ints, Ints32
from houseway.games.blackjack import BlackjackOptions

BASE = 5
"""A kind other than the ten is held at most four times, so its count is a digit."""
CODES = BASE**TEN_KIND
LEFT = 5
"""The kinds below this one are one half, the others the other."""


@dataclass(frozen=True, slots=True, eq=False)
class EndsTable:
    """Ordered ways of LONGEST draws by how the dealer ends, for every set of so many cards."""

    cards: int
    sets: Ints
    """sets[row, kind]: what is gone besides the up card."""
    row: Ints32
    """The row of a set by its code; -1 where a deck has no such set."""
    ways: Ints
    """ways[up kind, row, end]; nothing where the deck has no such up card left."""


def code_of(sets: npt.NDArray[np.integer]) -> Ints:
    """A number for each set; the codes of two sets add to that of both.

    The tens are left out: they follow from the number of cards.
    """
    digits = np.array([BASE**kind for kind in reversed(range(TEN_KIND))], dtype=np.int64)
    return sets[..., :TEN_KIND].astype(np.int64) @ digits


def ends_table(cards: int, options: BlackjackOptions) -> EndsTable:
    """The table for sets of so many cards, for all up cards."""
    left, right = _half(range(LEFT), cards), _half(range(LEFT, KINDS), cards)
    lefts, rights = np.nonzero(left.sum(axis=1)[:, None] + right.sum(axis=1) == cards)
    sets = np.hstack([left[lefts], right[rights]])
    order = np.argsort(code_of(sets))
    sets, lefts, rights = sets[order], lefts[order], rights[order]
    ways = np.zeros((KINDS, len(sets), len(ENDS)), dtype=np.int64)
    for up in range(KINDS):
        by_left, by_right = _halves(up, cards, left, right, options)
        multiply_halves(by_left, by_right, lefts, rights, ways[up])
        ways[up, sets[:, up] == DECK[up]] = 0
    row = np.full(CODES, -1, dtype=np.int32)
    row[code_of(sets)] = np.arange(len(sets))
    return EndsTable(cards, sets, row, ways)


def _half(kinds: range, most: int) -> Ints:
    """Every set of at most so many cards of some kinds."""
    counts = product(*(range(min(DECK[kind], most) + 1) for kind in kinds))
    return np.array([held for held in counts if sum(held) <= most], dtype=np.int64)


def _halves(
    up: int, cards: int, left: Ints, right: Ints, options: BlackjackOptions
) -> tuple[Ints, Ints]:
    """by_left[set, draws, end] and by_right[set, draws]: to be multiplied and summed over draws.

    Draws are what a dealer draws of the kinds on the right.
    """
    hands = dealer_hands(up, dealer_options(options))
    drawn = hands.length.astype(np.int64)
    unseen = 52 - 1 - cards
    # What comes after the dealer's last card may be anything that is left.
    after = np.array([perm(unseen - n, LONGEST - n) for n in range(LONGEST + 1)], dtype=np.int64)
    lefts, left_of = np.unique(hands.draws[:, :LEFT], axis=0, return_inverse=True)
    rights, right_of = np.unique(hands.draws[:, LEFT:], axis=0, return_inverse=True)
    hands_of = np.zeros((len(lefts), len(rights), len(ENDS)), dtype=np.int64)
    np.add.at(hands_of, (left_of, right_of, hands.end), hands.orders * after[drawn])
    deck = np.array([count - (kind == up) for kind, count in enumerate(DECK)], dtype=np.int64)
    by_left = np.tensordot(_ways(deck[:LEFT] - left, lefts), hands_of, axes=(1, 0))
    return np.ascontiguousarray(by_left), _ways(deck[LEFT:] - right, rights)


def _ways(held: Ints, draws: npt.NDArray[np.int8]) -> Ints:
    """ways[set, draws]: orders in which these draws come from what is held."""
    falling = falling_factorials(52, LONGEST)
    ways = np.ones((len(held), len(draws)), dtype=np.int64)
    for kind in range(held.shape[1]):
        ways *= falling[np.maximum(held[:, kind], 0)[:, None], draws[:, kind][None, :]]
    return ways
