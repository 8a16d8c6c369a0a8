"""Follows a blackjack strategy through every order of six cards."""

import numpy as np
from numba import njit

from houseway.exact.tabulate import Ints, Short, Small

STAND, HIT, DOUBLE, SPLIT = range(4)


@njit(
    "void(int64, int64, int64[:], int64, int8[:], int16[:,:], int8[:,:], int8[:,:], int8[:,:], "
    "int8[:,:], int8[:,:,:], int64, int64[:], int64[:,:], int64[:,:])",
    cache=True,
    nogil=True,
)
def _follow(
    node: int,
    ways: int,
    rest: Ints,
    up: int,
    found_at_once: Small,
    after: Short,
    decision: Small,
    stand_halves: Small,
    double_halves: Small,
    over_halves: Small,
    split_halves: Small,
    least: int,
    orders: Ints,
    stack: Ints,
    counts: Ints,
) -> None:
    """Add to `counts` every way a two-card hand goes on, when `rest` is what it may draw.

    A walk in depth with a stack of its own: numba loses compiled functions that call themselves.
    `stack` holds hand, ways, next kind to try and kind drawn, by number of cards held.
    """
    ends = found_at_once.size
    cards = 2
    stack[cards, 0], stack[cards, 1], stack[cards, 2] = node, ways, 0
    while cards >= 2:
        held, reached = stack[cards, 0], stack[cards, 1]
        choice = decision[held, up]
        kind = stack[cards, 2]
        while kind < rest.size and rest[kind] == 0:
            kind += 1
        if choice == STAND or kind == rest.size:
            if choice == STAND:
                for end in range(ends):
                    if not found_at_once[end]:
                        counts[end, stand_halves[held, end] - least] += reached * orders[cards]
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
                both = drawn * rest[second] * orders[cards + 2]
                for end in range(ends):
                    if not found_at_once[end]:
                        won = split_halves[0, kind, end] + split_halves[1, second, end]
                        counts[end, won - least] += both
            rest[kind] += 1
        else:
            for end in range(ends):
                if not found_at_once[end]:
                    won = over_halves[choice, end] if then < 0 else double_halves[then, end]
                    counts[end, won - least] += drawn * orders[cards + 1]


@njit(
    "void(int64[:,:], int64, int8[:], int16[:,:], int16[:,:], int8[:,:], int8[:,:], int8[:,:], "
    "int8[:,:], int8[:,:,:], int64, int64[:], int64[:,:,:,:])",
    cache=True,
    nogil=True,
)
def follow_strategy(
    sets: Ints,
    up: int,
    found_at_once: Small,
    first_two: Short,
    after: Short,
    decision: Small,
    stand_halves: Small,
    double_halves: Small,
    over_halves: Small,
    split_halves: Small,
    least: int,
    orders: Ints,
    counts: Ints,
) -> None:
    """counts[set, first kind, dealer's end, result]: orders of the other cards of a set.

    Results are in half units, counted from `least`. `found_at_once[end]` is 1 for an end that
    comes before any decision; `over_halves[decision, end]` is what a hand over 21 comes to.
    `orders[cards]` counts the orders of what is left of a set when so many are drawn.
    """
    stack = np.zeros((orders.size, 4), dtype=np.int64)
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
                for end in range(found_at_once.size):
                    if found_at_once[end]:
                        won = stand_halves[node, end]
                        counts[number, first, end, won - least] += ways * orders[2]
                rest[second] -= 1
                _follow(
                    node,
                    ways,
                    rest,
                    up,
                    found_at_once,
                    after,
                    decision,
                    stand_halves,
                    double_halves,
                    over_halves,
                    split_halves,
                    least,
                    orders,
                    stack,
                    counts[number, first],
                )
                rest[second] += 1
            rest[first] += 1
