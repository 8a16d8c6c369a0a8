"""Counts of how a dealer's hand ends, for many sets of cards that are gone."""

from functools import cache

import numpy as np
from numba import njit

from houseway.exact.tabulate import Ints, Small


@njit(
    "void(int8[:,:], int8[:], int8[:], int64[:], int64[:], int8[:,:], int64[:,:], int64, "
    "int64[:,:])",
    cache=True,
    nogil=True,
)
def count_dealer_ends(
    draws: Small,
    length: Small,
    end: Small,
    orders: Ints,
    deck: Ints,
    removed: Small,
    falling: Ints,
    longest: int,
    counts: Ints,
) -> None:
    """counts[case, end]: ordered ways to draw `longest` cards so that the dealer ends there.

    `draws` lists every multiset of cards that ends a dealer's hand, `orders` in how many orders
    it does; `deck` is what the pack holds of each kind with the up card gone, `removed` what each
    case takes away besides. `falling[a, m]` is a * (a - 1) * ... over m factors.
    """
    kinds = deck.size
    for case in range(removed.shape[0]):
        left = 0
        for kind in range(kinds):
            left += deck[kind] - removed[case, kind]
        for final in range(draws.shape[0]):
            ways = orders[final]
            for kind in range(kinds):
                wanted = draws[final, kind]
                if wanted:
                    ways *= falling[max(0, deck[kind] - removed[case, kind]), wanted]
            if ways:
                drawn = length[final]
                # What comes after the dealer's last card may be anything that is left.
                ways *= falling[left - drawn, longest - drawn]
                counts[case, end[final]] += ways


@njit(
    "void(int64[:,:,::1], int64[:,::1], int64[::1], int64[::1], int64[:,::1])",
    cache=True,
    nogil=True,
)
def multiply_halves(by_left: Ints, by_right: Ints, lefts: Ints, rights: Ints, counts: Ints) -> None:
    """counts[case, end]: the sum over draws of by_left[left, draws, end] * by_right[right, draws].

    Each case has a left and a right half.
    """
    for case in range(counts.shape[0]):
        left, right = lefts[case], rights[case]
        for draws in range(by_right.shape[1]):
            ways = by_right[right, draws]
            if ways:
                for end in range(counts.shape[1]):
                    counts[case, end] += by_left[left, draws, end] * ways


@cache
def falling_factorials(most: int, factors: int) -> Ints:
    """table[a, m] = a * (a - 1) * ... over m factors; 0 once it runs out."""
    table = np.zeros((most + 1, factors + 1), dtype=np.int64)
    table[:, 0] = 1
    for a in range(most + 1):
        for m in range(1, factors + 1):
            table[a, m] = table[a, m - 1] * max(0, a - m + 1)
    return table
