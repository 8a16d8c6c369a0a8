"""Adds up what rounds came to."""

import numpy as np
from numba import njit

from houseway.exact.kernels.deal import Outcomes
from houseway.exact.tabulate import Ints, Small


@njit("void(int32[:,::1], int64, int64[::1])", cache=True, nogil=True)
def count_outcomes(outcomes: Outcomes, rounds: int, counts: Ints) -> None:
    """counts[outcome] over all seats of the rounds."""
    for number in range(rounds):
        for seat in range(outcomes.shape[1]):
            counts[outcomes[number, seat]] += 1


@njit("void(int32[:,::1], int64, int64[:,::1], int64[:,::1])", cache=True, nogil=True)
def add_products(outcomes: Outcomes, rounds: int, units: Ints, products: Ints) -> None:
    """products[bet, other]: what the seats of a table win together on two bets, multiplied.

    `units[outcome, bet]` is what a seat wins. Only bet <= other is filled.
    """
    bets = units.shape[1]
    together = np.zeros(bets, dtype=np.int64)
    for number in range(rounds):
        together[:] = 0
        for seat in range(outcomes.shape[1]):
            outcome = outcomes[number, seat]
            for bet in range(bets):
                together[bet] += units[outcome, bet]
        for bet in range(bets):
            for other in range(bet, bets):
                products[bet, other] += together[bet] * together[other]


@njit("void(int32[:,::1], int64, int64[::1], int64, int64, int64[::1])", cache=True, nogil=True)
def count_table_nets(
    outcomes: Outcomes, rounds: int, net: Ints, width: int, lowest: int, bins: Ints
) -> None:
    """bins[n]: rounds in which the seats together win from lowest + n * width up to the next.

    The first and the last also hold what lies beyond.
    """
    last = bins.size - 1
    for number in range(rounds):
        won = 0
        for seat in range(outcomes.shape[1]):
            won += net[outcomes[number, seat]]
        place = (won - lowest) // width
        bins[min(max(place, 0), last)] += 1


@njit(
    "int64(int32[:,::1], int8[:,::1], int64, int8[::1], int8[::1], int8[::1], int64, int64[:,::1])",
    cache=True,
    nogil=True,
)
def note_hits(
    outcomes: Outcomes,
    judged: Small,
    rounds: int,
    hand_of: Small,
    folded: Small,
    noted: Small,
    first: int,
    hits: Ints,
) -> int:
    """Write down every hand of note: round, seat, hand, whether folded, and all who folded.

    The hand of an outcome is in `hand_of`, or in `judged` where community cards count. Returns how
    many were found; those beyond the size of `hits` are only counted.
    """
    found = 0
    for number in range(rounds):
        for seat in range(outcomes.shape[1]):
            outcome = outcomes[number, seat]
            hand = judged[number, seat] if judged.size else hand_of[outcome]
            if noted[hand]:
                if found < hits.shape[0]:
                    gone = 0
                    for other in range(outcomes.shape[1]):
                        gone += folded[outcomes[number, other]]
                    hits[found, 0] = first + number
                    hits[found, 1] = seat
                    hits[found, 2] = hand
                    hits[found, 3] = folded[outcome]
                    hits[found, 4] = gone
                found += 1
    return found


@njit(
    "void(int32[:,::1], int8[:,::1], int64, int8[::1], int8[::1], int64[:,::1])",
    cache=True,
    nogil=True,
)
def count_judged(
    outcomes: Outcomes, judged: Small, rounds: int, hand_of: Small, folded: Small, counts: Ints
) -> None:
    """counts[folded, hand] as a progressive judges them, over all seats."""
    for number in range(rounds):
        for seat in range(outcomes.shape[1]):
            outcome = outcomes[number, seat]
            hand = judged[number, seat] if judged.size else hand_of[outcome]
            counts[folded[outcome], hand] += 1
