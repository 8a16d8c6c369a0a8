"""Follows a blackjack strategy through every order of the cards that a player is given.

A decision says how many cards it draws and whether the hand goes on: none, one and on, one and no
more, one to each of two hands. What a hand is worth then is looked up.
"""

import numpy as np
from numba import njit

from houseway.tabulate import Ints, Short, Small

STAND, HIT, DOUBLE, SPLIT = range(4)


@njit(
    "void(int64, int64, int64[:], int64[:], int64, int16[:,:], int8[:,:], int8[:,:], int8[:,:], "
    "int8[:,:], int8[:,:,:], int64, int64[:], int64[:,:], int64[:])",
    cache=True,
    nogil=True,
)
def _follow(
    node: int,
    ways: int,
    rest: Ints,
    ends: Ints,
    up: int,
    after: Short,
    decision: Small,
    stand_halves: Small,
    double_halves: Small,
    over_halves: Small,
    split_halves: Small,
    least: int,
    orders: Ints,
    stack: Ints,
    results: Ints,
) -> None:
    """Add to `results` every way a two-card hand goes on, when `rest` is what it may draw.

    A walk in depth with a stack of its own: numba loses compiled functions that call themselves.
    `stack` holds hand, ways, next kind to try and kind drawn, by number of cards held.
    """
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
                for end in range(ends.size):
                    won = stand_halves[held, end]
                    results[won - least] += reached * orders[cards] * ends[end]
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
                for end in range(ends.size):
                    won = split_halves[0, kind, end] + split_halves[1, second, end]
                    results[won - least] += both * ends[end]
            rest[kind] += 1
        else:
            for end in range(ends.size):
                won = over_halves[choice, end] if then < 0 else double_halves[then, end]
                results[won - least] += drawn * orders[cards + 1] * ends[end]


@njit(
    "void(int64[:,:], int64[:,:], int64, int8[:], int16[:,:], int16[:,:], int8[:,:], int8[:,:], "
    "int8[:,:], int8[:,:], int8[:,:,:], int64, int64[:], int64[:,:,:])",
    cache=True,
    nogil=True,
)
def follow_strategy(
    sets: Ints,
    ends: Ints,
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
    results: Ints,
) -> None:
    """results[set, first kind, result]: orders of the other cards times the dealer's ways.

    Results are in half units, counted from `least`. `found_at_once[end]` is 1 for an end that
    comes before any decision; `over_halves[decision, end]` is what a hand over 21 comes to.
    `orders[cards]` counts the orders of what is left of a set when so many are drawn.
    """
    stack = np.zeros((orders.size, 4), dtype=np.int64)
    later = np.zeros(ends.shape[1], dtype=np.int64)
    for number in range(sets.shape[0]):
        rest = sets[number].copy()
        for end in range(later.size):
            later[end] = 0 if found_at_once[end] else ends[number, end]
        for first in range(rest.size):
            if rest[first] == 0:
                continue
            rest[first] -= 1
            for second in range(rest.size):
                if rest[second] == 0:
                    continue
                node = first_two[first, second]
                ways = rest[second]
                for end in range(later.size):
                    if found_at_once[end]:
                        won = stand_halves[node, end]
                        results[number, first, won - least] += ways * orders[2] * ends[number, end]
                rest[second] -= 1
                _follow(
                    node,
                    ways,
                    rest,
                    later,
                    up,
                    after,
                    decision,
                    stand_halves,
                    double_halves,
                    over_halves,
                    split_halves,
                    least,
                    orders,
                    stack,
                    results[number, first],
                )
                rest[second] += 1
            rest[first] += 1
