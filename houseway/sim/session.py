"""Session: what becomes of a player's bankroll, and of a table's shift, over many rounds.

Rounds are dealt as for any simulation. A player wagers the same on every round and leaves after a
number of rounds, with the goal reached, or when what is left does not cover all that a round may
ask for: the wagers, and the Play bet or the doubled or split wager that may follow.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from houseway.exact.kernels.session import (
    BUY_INS,
    DRAWDOWN,
    DROP,
    PEAK,
    PLAYED,
    PURSE,
    RUINED,
    WIN,
    walk_sessions,
    walk_shifts,
)
from houseway.exact.tabulate import Ints
from houseway.games import game_of
from houseway.house.money import check_amount, dollars_text
from houseway.refusal import Reason, Refused
from houseway.sim.job import BATCH, Job, laid_out
from houseway.sim.result import exact_laws
from houseway.sim.stream import Stream

if TYPE_CHECKING:
    from houseway.names import Bet

SESSIONS_EACH = 1 << 11
"""Sessions that one key of the generator deals."""
SHIFTS_EACH = 1 << 7
SHIFT_BLOCKS = 1 << 40
"""Blocks of shifts are numbered from here, so that they share no words with sessions."""
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST_SESSIONS = 10_000_000
Done = Callable[[float], None] | None
"""Told now and then which share is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """How a player plays: amounts in cents."""

    bankroll: int
    rounds: int
    goal: int = 0
    """A purse at which the player leaves; 0 where there is none."""


def needed_cents(job: Job) -> int:
    """The most that a round may ask for: the wagers, and what may be put beside one of them."""
    return sum(job.wagers.values()) + job.wagers.get(game_of(job.game).unit, 0)


def check_visit(job: Job, visit: Visit) -> None:
    """Refuse a bankroll that does not cover a round, and a goal that is reached already.

    Each bet has one paytable here: a purse cannot be paid by two.
    """
    if "progressive" in job.wagers or job.progressives:
        raise Refused(
            Reason.BAD_ARGUMENT,
            "a session has no meters; leave the progressive out and see houseway simulate",
        )
    for row, after in pairwise(job.rows):
        if row.bet == after.bet and row.paytable and after.paytable:
            raise Refused(
                Reason.GIVEN_TWICE,
                f"paytable {after.paytable.code!r} of {after.paytable.bet} is given beside "
                f"{row.paytable.code!r}; a session is played under one",
            )
    check_amount(visit.bankroll, "bankroll")
    needs = needed_cents(job)
    if visit.bankroll < needs:
        raise Refused(
            Reason.BELOW_MINIMUM,
            f"bankroll {dollars_text(visit.bankroll)} does not cover a round, which may ask for "
            f"{dollars_text(needs)}; bring at least that",
        )
    if visit.goal and visit.goal <= visit.bankroll:
        raise Refused(
            Reason.BELOW_MINIMUM,
            f"goal {dollars_text(visit.goal)} is not above the bankroll of "
            f"{dollars_text(visit.bankroll)}; name a purse to leave with that is",
        )


def play_block(job: Job, visit: Visit, block: int, sessions: int) -> Ints:
    """sessions[n]: purse, rounds played, peak, drawdown and whether ruined, of one block."""
    found = np.zeros((sessions, 5), dtype=np.int64)
    state = np.array([visit.bankroll, 0, visit.bankroll, 0, 0], dtype=np.int64)
    return _walked(job, visit, block, walk_sessions, found, state)


def shift_block(job: Job, visit: Visit, shift_rounds: int, block: int, shifts: int) -> Ints:
    """shifts[n]: drop, win of the house and buy-ins, of one block."""
    found = np.zeros((shifts, 3), dtype=np.int64)
    seats = np.zeros((job.seats, 2), dtype=np.int64)
    state = np.zeros(1, dtype=np.int64)
    shift = (shift_rounds, seats, state)
    return _walked(job, visit, SHIFT_BLOCKS + block, walk_shifts, found, *shift)


def _walked(
    job: Job, visit: Visit, block: int, walk: Callable[..., int], found: Ints, *more: object
) -> Ints:
    """Deal the rounds of a block and walk through them until `found` is full."""
    layout, stream, ended = laid_out(job), Stream(job.seed, block), 0
    means = (visit.bankroll, needed_cents(job), visit.goal, visit.rounds)
    outcomes = np.zeros((BATCH, job.seats), dtype=np.int32)
    while ended < len(found):
        dealt = layout.table.deal(stream, BATCH, outcomes)
        if dealt:
            ended = walk(outcomes, dealt, ended, found, layout.nets, *means, *more)
        else:
            stream.refill()
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sessions:
    """Many sessions of one player."""

    job: Job
    visit: Visit
    ended: Ints

    @property
    def results(self) -> Ints:
        """What each session won, in cents."""
        return np.asarray(self.ended[:, PURSE] - self.visit.bankroll)

    @property
    def ruined(self) -> float:
        """The share that ended because the purse did not cover another round."""
        return float(self.ended[:, RUINED].mean())

    def to_json(self) -> dict[str, Any]:
        """What the sessions came to, as plain data; amounts in cents."""
        results, played = self.results, self.ended[:, PLAYED]
        count = len(results)
        goal = self.visit.goal
        return {
            "sessions": count,
            "mean": float(results.mean()),
            "standard_error": float(results.std() / sqrt(count)),
            "standard_deviation": float(results.std()),
            "mean_if_never_short": float(if_never_short(self.job, self.visit.rounds)),
            "quantiles": quantiles(results),
            "probability_ahead": float((results > 0).mean()),
            "probability_of_ruin": self.ruined,
            "ruin_standard_error": sqrt(self.ruined * (1 - self.ruined) / count),
            "probability_of_goal": float((self.ended[:, PURSE] >= goal).mean()) if goal else None,
            "rounds_played": {"mean": float(played.mean()), **quantiles(played)},
            "drawdown": {
                "mean": float(self.ended[:, DRAWDOWN].mean()),
                **quantiles(self.ended[:, DRAWDOWN]),
            },
            "peak": quantiles(self.ended[:, PEAK] - self.visit.bankroll),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shifts:
    """Many shifts of a whole table, seen from the house."""

    rounds: int
    """Rounds of a shift."""
    ended: Ints

    @property
    def wins(self) -> Ints:
        """What the house won in each, in cents."""
        return np.asarray(self.ended[:, WIN])

    def to_json(self) -> dict[str, Any]:
        """What the shifts came to, as plain data; amounts in cents."""
        drop = self.ended[:, DROP]
        return {
            "shifts": len(self.ended),
            "rounds_per_shift": self.rounds,
            "win": {"mean": float(self.wins.mean()), **quantiles(self.wins)},
            "win_standard_deviation": float(self.wins.std()),
            "drop": {"mean": float(drop.mean()), **quantiles(drop)},
            "hold": float(self.wins.sum() / drop.sum()),
            "hold_per_shift": quantiles(self.wins / drop),
            "buy_ins": float(self.ended[:, BUY_INS].mean()),
            "probability_house_loses": float((self.wins < 0).mean()),
        }


def quantiles(values: Any) -> dict[str, float]:
    """The usual quantiles by name, such as '5%'."""
    found = np.quantile(values, QUANTILES)
    return {f"{share:.0%}": float(value) for share, value in zip(QUANTILES, found, strict=True)}


def if_never_short(job: Job, rounds: int) -> Fraction:
    """The exact mean of so many rounds with an endless purse, in cents; breakage is left aside."""
    means: dict[Bet, Fraction] = {}
    for row, law in zip(job.rows, exact_laws(job), strict=True):
        means.setdefault(row.bet, law.mean)
    return sum((means[bet] * cents for bet, cents in job.wagers.items()), Fraction(0)) * rounds


def play_sessions(
    job: Job, visit: Visit, sessions: int, executor: Executor, done: Done = None
) -> Sessions:
    """So many sessions, dealt by whatever executor there is; the same for any number of workers."""
    check_visit(job, visit)
    blocks = [
        executor.submit(play_block, job, visit, block, min(SESSIONS_EACH, sessions - first))
        for block, first in enumerate(range(0, sessions, SESSIONS_EACH))
    ]
    return Sessions(job=job, visit=visit, ended=_gathered(blocks, done))


def play_shifts(
    job: Job, visit: Visit, shift_rounds: int, shifts: int, executor: Executor, done: Done = None
) -> Shifts:
    """So many shifts of the table."""
    check_visit(job, visit)
    blocks = [
        executor.submit(
            shift_block, job, visit, shift_rounds, block, min(SHIFTS_EACH, shifts - first)
        )
        for block, first in enumerate(range(0, shifts, SHIFTS_EACH))
    ]
    return Shifts(rounds=shift_rounds, ended=_gathered(blocks, done))


def _gathered(blocks: Sequence[Future[Ints]], done: Done) -> Ints:
    found = []
    for block in blocks:
        found.append(block.result())
        if done is not None:
            done(len(found) / len(blocks))
    return np.concatenate(found)
