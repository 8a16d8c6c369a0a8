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

from houseway.exact.blackjack import DECK, ENDS, KINDS, LONGEST, TEN_KIND, dealer_hands
from houseway.kernels.blackjack import falling_factorials
from houseway.options import Options
from houseway.tabulate import Ints, Ints32

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
    """ways[row, up kind, end]; nothing where the deck has no such up card left."""


def code_of(sets: npt.NDArray[np.integer]) -> Ints:
    """A number for each set; the codes of two sets add to that of both.

    The tens are left out: they follow from the number of cards.
    """
    digits = np.array([BASE**kind for kind in reversed(range(TEN_KIND))], dtype=np.int64)
    return sets[..., :TEN_KIND].astype(np.int64) @ digits


def ends_table(cards: int, options: Options) -> EndsTable:
    """The table for sets of so many cards, for all up cards."""
    options = Options(dealer_soft_17=options.dealer_soft_17)
    left, right = _half(range(LEFT), cards), _half(range(LEFT, KINDS), cards)
    pairs = [
        (np.flatnonzero(left.sum(axis=1) == size), np.flatnonzero(right.sum(axis=1) == other))
        for size, other in zip(range(cards + 1), range(cards, -1, -1), strict=True)
    ]
    sets = np.concatenate(
        [
            np.hstack([np.repeat(left[a], b.size, axis=0), np.tile(right[b], (a.size, 1))])
            for a, b in pairs
        ]
    )
    ways = np.zeros((len(sets), KINDS, len(ENDS)), dtype=np.int64)
    for up in range(KINDS):
        by_left, by_right = _halves(up, cards, left, right, options)
        found = [
            np.tensordot(by_left[a], by_right[b], axes=(1, 1)).swapaxes(1, 2).reshape(-1, len(ENDS))
            for a, b in pairs
        ]
        ways[:, up] = np.concatenate(found)
        ways[sets[:, up] == DECK[up], up] = 0
    codes = code_of(sets)
    order = np.argsort(codes)
    row = np.full(CODES, -1, dtype=np.int32)
    row[codes[order]] = np.arange(len(sets))
    return EndsTable(cards, sets[order], row, ways[order])


def _half(kinds: range, most: int) -> Ints:
    """Every set of at most so many cards of some kinds."""
    counts = product(*(range(min(DECK[kind], most) + 1) for kind in kinds))
    return np.array([held for held in counts if sum(held) <= most], dtype=np.int64)


def _halves(up: int, cards: int, left: Ints, right: Ints, options: Options) -> tuple[Ints, Ints]:
    """by_left[set, draws, end] and by_right[set, draws]: to be multiplied and summed over draws.

    Draws are what a dealer draws of the kinds on the right.
    """
    hands = dealer_hands(up, options)
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
    return by_left, _ways(deck[LEFT:] - right, rights)


def _ways(held: Ints, draws: npt.NDArray[np.int8]) -> Ints:
    """ways[set, draws]: orders in which these draws come from what is held."""
    falling = falling_factorials(52, LONGEST)
    ways = np.ones((len(held), len(draws)), dtype=np.int64)
    for kind in range(held.shape[1]):
        ways *= falling[np.maximum(held[:, kind], 0)[:, None], draws[:, kind][None, :]]
    return ways
