"""Follows purses through rounds that were dealt: players' sessions, and a table's shifts."""

from numba import njit

from houseway.exact.kernels.deal import Outcomes
from houseway.exact.tabulate import Ints

# What a session under way has come to, and what is written down of one that ended.
PURSE, PLAYED, PEAK, DRAWDOWN, RUINED = range(5)
DROP, WIN, BUY_INS = range(3)


@njit(
    "int64(int32[:,::1], int64, int64, int64[:,::1], int64[::1], int64, int64, int64, int64, "
    "int64[::1])",
    cache=True,
    nogil=True,
)
def walk_sessions(
    outcomes: Outcomes,
    dealt: int,
    ended: int,
    sessions: Ints,
    net: Ints,
    bankroll: int,
    needs: int,
    goal: int,
    rounds: int,
    state: Ints,
) -> int:
    """Play sessions one after the other with the rounds that were dealt.

    A session ends after so many rounds, when the purse no longer covers what a round may need, or
    when it reaches the goal, if that is above 0. Returns how many sessions have ended.
    """
    at = 0
    while at < dealt and ended < sessions.shape[0]:
        state[PURSE] += net[outcomes[at, 0]]
        at += 1
        state[PLAYED] += 1
        purse = state[PURSE]
        state[PEAK] = max(state[PEAK], purse)
        state[DRAWDOWN] = max(state[DRAWDOWN], state[PEAK] - purse)
        ruined = purse < needs
        reached = goal > 0 and purse >= goal
        if ruined or reached or state[PLAYED] == rounds:
            state[RUINED] = 1 if ruined and state[PLAYED] < rounds else 0
            sessions[ended, :] = state
            ended += 1
            state[PURSE], state[PLAYED], state[PEAK], state[DRAWDOWN] = bankroll, 0, bankroll, 0
            state[RUINED] = 0
    return ended


@njit(
    "int64(int32[:,::1], int64, int64, int64[:,::1], int64[::1], int64, int64, int64, int64, "
    "int64, int64[:,::1], int64[::1])",
    cache=True,
    nogil=True,
)
def walk_shifts(
    outcomes: Outcomes,
    dealt: int,
    ended: int,
    shifts: Ints,
    net: Ints,
    bankroll: int,
    needs: int,
    goal: int,
    rounds: int,
    shift_rounds: int,
    seats: Ints,
    state: Ints,
) -> int:
    """Play shifts of a whole table, a new player sitting down wherever one leaves.

    `seats` holds purse and rounds played of who sits there, with no rounds and no purse where
    nobody does yet; `state` counts the rounds of the shift. A shift gives its drop, which is what
    was bought in for, the win of the house and the number of buy-ins. Returns how many have ended.
    """
    at = 0
    while at < dealt and ended < shifts.shape[0]:
        shift = shifts[ended]
        for seat in range(seats.shape[0]):
            if seats[seat, 1] == 0:
                seats[seat, 0] = bankroll
                shift[DROP] += bankroll
                shift[BUY_INS] += 1
            won = net[outcomes[at, seat]]
            shift[WIN] -= won
            seats[seat, 0] += won
            seats[seat, 1] += 1
            purse = seats[seat, 0]
            if purse < needs or (goal > 0 and purse >= goal) or seats[seat, 1] == rounds:
                seats[seat, 1] = 0
        at += 1
        state[0] += 1
        if state[0] == shift_rounds:
            state[0] = 0
            seats[:, 1] = 0
            ended += 1
    return ended
