"""Follows a blackjack strategy through every order of six cards."""

import numpy as np
from numba import njit

from houseway.tabulate import Ints, Short, Small

STAND, HIT, DOUBLE, SPLIT = range(4)
SHIFT = 4
RESULTS = 11
"""Blackjack results in half units, from -4 (two wagers lost) to 6, shifted by 4."""
SIX = 6
DEEPEST = SIX + 1


@njit(
    "void(int64, int64, int64[:], int64, boolean, int16[:,:], int8[:,:], int8[:,:], int8[:,:], "
    "int8[:,:,:], int64[:], int64[:,:], int64[:,:])",
    cache=True,
    nogil=True,
)
def _follow(
    node: int,
    ways: int,
    rest: Ints,
    up: int,
    peeks: bool,
    after: Short,
    decision: Small,
    stand_halves: Small,
    double_halves: Small,
    split_halves: Small,
    factorial: Ints,
    stack: Ints,
    orders: Ints,
) -> None:
    """Add to `orders` every way a two-card hand goes on, when `rest` is what it may draw.

    A walk in depth with a stack of its own: numba loses compiled functions that call themselves.
    `stack` holds hand, ways, next kind to try and kind drawn, by number of cards held.
    """
    ends = orders.shape[0]
    upto = ends - 1 if peeks else ends
    cards = 2
    stack[cards, 0], stack[cards, 1], stack[cards, 2] = node, ways, 0
    while cards >= 2:
        held, reached = stack[cards, 0], stack[cards, 1]
        choice, left = decision[held, up], SIX - cards
        kind = stack[cards, 2]
        while kind < rest.size and rest[kind] == 0:
            kind += 1
        if choice == STAND or kind == rest.size:
            if choice == STAND:
                for end in range(upto):
                    won = stand_halves[held, end]
                    orders[end, won + SHIFT] += reached * factorial[left]
            if cards > 2:
                rest[stack[cards, 3]] += 1
            cards -= 1
            continue
        stack[cards, 2] = kind + 1
        drawn = reached * rest[kind]
        then = after[held, kind]
        if choice == HIT and then >= 0:
            rest[kind] -= 1
            cards += 1
            stack[cards, 0], stack[cards, 1] = then, drawn
            stack[cards, 2], stack[cards, 3] = 0, kind
        elif choice == SPLIT:
            rest[kind] -= 1
            for second in range(rest.size):
                both = drawn * rest[second] * factorial[left - 2]
                for end in range(upto):
                    won = split_halves[0, kind, end] + split_halves[1, second, end]
                    orders[end, won + SHIFT] += both
            rest[kind] += 1
        else:
            for end in range(upto):
                won = -2
                if choice == DOUBLE:
                    won = -4 if then < 0 else double_halves[then, end]
                orders[end, won + SHIFT] += drawn * factorial[left - 1]


@njit(
    "void(int64[:,:], int64, boolean, int16[:,:], int16[:,:], int8[:,:], int8[:,:], int8[:,:], "
    "int8[:,:,:], int64[:], int64[:,:,:,:])",
    cache=True,
    nogil=True,
)
def follow_strategy(
    sets: Ints,
    up: int,
    peeks: bool,
    first_two: Short,
    after: Short,
    decision: Small,
    stand_halves: Small,
    double_halves: Small,
    split_halves: Small,
    factorial: Ints,
    orders: Ints,
) -> None:
    """orders[set, first kind, end, result]: orders of the other five cards by the dealer's end."""
    natural = orders.shape[2] - 1
    stack = np.zeros((DEEPEST, 4), dtype=np.int64)
    for number in range(sets.shape[0]):
        rest = sets[number].copy()
        for first in range(rest.size):
            if rest[first] == 0:
                continue
            rest[first] -= 1
            for second in range(rest.size):
                if rest[second] == 0:
                    continue
                node = first_two[first, second]
                ways = rest[second]
                if peeks:
                    won = stand_halves[node, natural]
                    orders[number, first, natural, won + SHIFT] += ways * factorial[SIX - 2]
                rest[second] -= 1
                _follow(
                    node,
                    ways,
                    rest,
                    up,
                    peeks,
                    after,
                    decision,
                    stand_halves,
                    double_halves,
                    split_halves,
                    factorial,
                    stack,
                    orders[number, first],
                )
                rest[second] += 1
            rest[first] += 1
