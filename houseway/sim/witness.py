"""Witness: every bet of every game dealt and held against the exact figure, all in one judgement.

Both sides read the same tables that the rules made. So agreement says that nothing was lost in
counting, indexing or dealing; whether a rule is right is for second implementations to say.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.games.library import paytables_of
from houseway.games.solvers import Showdown
from houseway.sim.jackpot import Jackpot
from houseway.sim.job import Job, Row
from houseway.sim.plan import make_job
from houseway.sim.result import exact_laws, jackpot_row, label, result_of, spread
from houseway.sim.run import Run, carry_out, new_run

CONFIDENCE = 0.999
ENOUGH_HITS = 100
"""Hits from which a count is near enough to normal to be judged by its deviation."""
GROWTH = {
    "contribution_rate": "single=0.2,mega=0.05,major=0.05,minor=0.05",
    "reserve_rate": "single=0.05,mega=0.01,major=0.01,minor=0.01",
    "meter_seed": "single=5000,mega=20000,major=2000,minor=200",
}
"""How the meters of the witness grow; any growth would do."""
VARIANTS: dict[str, tuple[dict[str, str], ...]] = {
    "three-card-poker": (
        {"pair_plus_after_fold": "stays", "folded_hand_progressive": "eligible"},
        {"tie_rule": "lose"},
    ),
    "three-card-poker-face-up": (
        {"pair_plus_after_fold": "forfeit"},
        {"face_up_unqualified_play": "win_or_push"},
    ),
    "triple-shot-rummy": (
        {"pair_plus_after_fold": "forfeit", "folded_hand_progressive": "eligible"},
        {"ace_in_runs": "high_low"},
    ),
    "triple-shot-bonus": (
        {"dealer_soft_17": "hit", "war_ace": "low"},
        {"dealer_natural": "no_peek_original_bets"},
        {"split_ace_ten": "blackjack"},
    ),
}
"""House options under which the long form deals each game besides."""


MOST_CASES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Testimony:
    """One figure: what was dealt, what was counted, and how many standard errors lie between."""

    game: str
    seats: int
    strategy: str
    options: Mapping[str, str]
    figure: str
    dealt: float
    exact: float
    z: float

    def to_json(self) -> dict[str, Any]:
        """The testimony as plain data."""
        return {
            "game": self.game,
            "seats": self.seats,
            "strategy": self.strategy,
            "options": dict(self.options),
            "figure": self.figure,
            "dealt": self.dealt,
            "exact": self.exact,
            "z": self.z,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All testimonies judged together."""

    rounds: int
    seed: int
    heard: tuple[Testimony, ...]

    @property
    def limit(self) -> float:
        """The deviation that one of so many figures passes with the probability left over.

        A bound for any dependence between them: the probability is shared out evenly.
        """
        return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * len(self.heard)))

    @property
    def furthest(self) -> Testimony:
        """The one that is furthest off."""
        return max(self.heard, key=lambda testimony: abs(testimony.z))

    @property
    def holds(self) -> bool:
        """True when none is further off than chance explains."""
        return abs(self.furthest.z) <= self.limit

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway witness --json`."""
        return {
            "rounds": self.rounds,
            "rng_seed": self.seed,
            "confidence": CONFIDENCE,
            "figures": [testimony.to_json() for testimony in self.heard],
            "limit": self.limit,
            "furthest": self.furthest.to_json(),
            "holds": self.holds,
        }


def hear(
    rounds: int,
    seed: int,
    executor: Executor,
    workers: int,
    *,
    long: bool = False,
    watch: Callable[[str], None] | None = None,
) -> Verdict:
    """Deal every game and judge all figures together; the long form also deals house options."""
    heard: list[Testimony] = []
    for job, options in _jobs(seed, long):
        if watch is not None:
            watch(f"{job.game}, {job.seats} seats, {job.way.name}")
        dealt = rounds if job.seats == 1 else -(-rounds // job.seats)
        run = carry_out(new_run(job, dealt), executor, workers)
        heard += _testify(run, options)
    return Verdict(rounds=rounds, seed=seed, heard=tuple(heard))


def _jobs(seed: int, long: bool) -> Iterator[tuple[Job, dict[str, str]]]:
    """Every game with all its paytables: a seat, a whole table, another way of playing."""
    for first, game in enumerate(GAMES):
        other = "simple" if isinstance(game.solver, Showdown) else "printed"
        cases: list[tuple[int, str, dict[str, str]]] = [(1, "optimal", {}), (7, "optimal", {})]
        if long:
            cases += [(1, other, {}), (6, "simple", {})]
            cases += [(1, "optimal", options) for options in VARIANTS[game.code]]
        for place, (seats, strategy, options) in enumerate(cases):
            # Other cards for every game, so that what one says the next does not repeat.
            own_seed = seed + MOST_CASES * first + place
            yield _job(game, seats, strategy, options, own_seed), options


def _job(game: Game, seats: int, strategy: str, options: dict[str, str], seed: int) -> Job:
    bets = ["ante-bonus", "pair-plus", "six-card-bonus", "poker", "hat-trick"]
    growth: dict[str, str] = {}
    if "progressive" in game.wagers:
        bets.append("progressive")
        growth = GROWTH
    several = [(bet, table.code) for bet in bets for table in paytables_of(game.code, bet)]
    return make_job(game.code, options | growth, several, strategy=strategy, seats=seats, seed=seed)


def _testify(run: Run, options: Mapping[str, str]) -> Iterator[Testimony]:
    """Every figure of a run."""
    job = run.job

    def testimony(figure: str, dealt: float, exact: float, error: float) -> Testimony:
        return Testimony(
            game=job.game,
            seats=job.seats,
            strategy=job.way.name,
            options=options,
            figure=figure,
            dealt=dealt,
            exact=exact,
            z=(dealt - exact) / error,
        )

    means, errors, _, _ = spread(run)
    for row, mean, error, law in zip(job.rows, means, errors, exact_laws(job), strict=True):
        if job.seats == 1:
            error = law.standard_deviation / sqrt(run.done)
        yield testimony(_named(row), mean, float(law.mean), error)
    judged_alike = {jackpot.paytable.community: jackpot for jackpot in reversed(run.jackpots)}
    for jackpot in judged_alike.values():
        yield from _hits(run, jackpot, testimony)
    if job.seats == 1:
        for estimate in result_of(run).estimates[len(job.rows) :]:
            if estimate.expected is not None and estimate.standard_error:
                yield testimony(
                    f"progressive {estimate.paytable}",
                    estimate.mean,
                    estimate.expected,
                    estimate.standard_error,
                )


def _named(row: Row) -> str:
    return f"{row.bet} {label(row)}".strip()


def _hits(
    run: Run, jackpot: Jackpot, testimony: Callable[[str, float, float, float], Testimony]
) -> Iterator[Testimony]:
    """How often each hand of a progressive was judged, where it is not too rare.

    A single seat only: seats of one table share cards, and so their hits go together.
    """
    job, paytable = run.job, jackpot.paytable
    if job.seats > 1:
        return
    hands = run.done * job.seats
    judged = run.tally.judged[paytable.community]
    eligible = judged.sum(axis=0)
    if job.options.folded_hand_progressive != "eligible":
        eligible = judged[0]
    kind = paytable.classes
    for hand, probability in jackpot_row(job, jackpot).probabilities.items():
        p = float(probability)
        if p * hands >= ENOUGH_HITS:
            name = f"{paytable.game} {kind(hand).name.lower()}"
            yield testimony(name, int(eligible[hand]) / hands, p, sqrt(p * (1 - p) / hands))
