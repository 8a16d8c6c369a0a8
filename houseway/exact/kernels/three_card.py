"""Counts over pairs of three-card hands and over all six-card hands."""

import numpy as np
from numba import njit

from houseway.exact.tabulate import Ints, Masks, Small


@njit("int64(int8[:], uint64)", cache=True, nogil=True)
def flush_category(category_by_suit: Small, mask: np.uint64) -> int:
    """The best that any one suit of the cards makes; 0 when none has five."""
    best = 0
    for suit in range(4):
        ranks = (mask >> np.uint64(13 * suit)) & np.uint64(8191)
        found = category_by_suit[ranks]
        if found > best:
            best = found
    return best


@njit(
    "void(int64[:], uint64[:], int64[:], int8[:], int64[:], int8[:,:], int8[:,:], int8[:], "
    "int64[:,:,:])",
    cache=True,
    nogil=True,
)
def count_seats(
    players: Ints,
    masks: Masks,
    triple: Ints,
    suited: Small,
    hand_class: Ints,
    facts: Small,
    category_by_ranks: Small,
    category_by_suit: Small,
    counts: Ints,
) -> None:
    """counts[player, facts, six-card category] over every dealer hand the player leaves."""
    for number in range(players.size):
        player = players[number]
        held = masks[player]
        row = facts[hand_class[player]]
        by_ranks = category_by_ranks[triple[player]]
        for dealer in range(masks.size):
            if held & masks[dealer]:
                continue
            category = int(by_ranks[triple[dealer]])
            if suited[player] or suited[dealer]:
                category = max(category, flush_category(category_by_suit, held | masks[dealer]))
            counts[number, row[hand_class[dealer]], category] += 1


@njit(
    "void(int64[:], int64[:,:], uint64[:], int64[:], int8[:,:], int64[:,:,:])",
    cache=True,
    nogil=True,
)
def count_up_cards(
    players: Ints, cards: Ints, masks: Masks, hand_class: Ints, facts: Small, counts: Ints
) -> None:
    """counts[player, up card, facts]: each card of a dealer's hand is the up card in turn."""
    for number in range(players.size):
        player = players[number]
        held = masks[player]
        row = facts[hand_class[player]]
        for dealer in range(masks.size):
            if held & masks[dealer]:
                continue
            found = row[hand_class[dealer]]
            for place in range(3):
                counts[number, cards[dealer, place], found] += 1


@njit(
    "void(int64[:,:], uint64[:], int64[:], int8[:], int8[:,:], int8[:], int64[:], int64[:])",
    cache=True,
    nogil=True,
)
def count_six_cards(
    cards: Ints,
    masks: Masks,
    triple: Ints,
    suited: Small,
    category_by_ranks: Small,
    category_by_suit: Small,
    first_from: Ints,
    counts: Ints,
) -> None:
    """counts[category] over all six-card hands: three low cards and three that stand above them.

    `first_from[c]` is the first hand whose lowest card is c; hands are in ascending order.
    """
    for low in range(masks.size):
        highest = cards[low, 2]
        if highest > 48:
            continue
        held = masks[low]
        by_ranks = category_by_ranks[triple[low]]
        for high in range(first_from[highest + 1], masks.size):
            category = int(by_ranks[triple[high]])
            if suited[low] or suited[high]:
                category = max(category, flush_category(category_by_suit, held | masks[high]))
            counts[category] += 1
