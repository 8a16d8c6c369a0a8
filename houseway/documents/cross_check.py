"""Cross-check: the game dealt by the million, with a seed, and held against the exact figures.

A run that is the same every time: the seed and the number of rounds are fixed, and nothing in it
depends on how many workers deal. All figures of a sheet are judged together, as the witness does.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from houseway.documents.subject import Subject
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.games.library import paytable_of
from houseway.house.options import Options, parse_options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.sim.jackpot import Jackpot
from houseway.sim.plan import make_job
from houseway.sim.result import exact_laws, jackpot_row, spread
from houseway.sim.run import Run, carry_out, new_run
from houseway.sim.witness import CONFIDENCE, ENOUGH_HITS, GROWTH

SEED = 1
ROUNDS = 2_000_000
"""About a second of dealing."""


class Checked(NamedTuple):
    """One figure as it was dealt, between the bounds within which chance leaves it."""

    figure: str
    estimate: float
    exact: float
    low: float
    high: float

    @property
    def passes(self) -> bool:
        """True when what was dealt lies within the bounds."""
        return self.low <= self.estimate <= self.high


def cross_check(subject: Subject) -> tuple[Checked, ...]:
    """Every figure of a sheet that so many rounds can judge."""
    run = _dealt(subject)
    raw: list[tuple[str, float, float, float]] = []
    if not subject.is_progressive:
        means = spread(run)[0]
        for row, mean, law in zip(run.job.rows, means, exact_laws(run.job), strict=True):
            name = bet_name(row.bet, row.paytable.code if row.paytable else None)
            error = law.standard_deviation / sqrt(run.done)
            raw.append((f"{name}, house edge", -mean, float(-law.mean), error))
    for jackpot in run.jackpots:
        raw += _hits(run, jackpot)
    limit = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * max(1, len(raw))))
    return tuple(
        Checked(figure, dealt, exact, exact - limit * error, exact + limit * error)
        for figure, dealt, exact, error in raw
    )


def _dealt(subject: Subject) -> Run:
    job = make_job(
        subject.game.code,
        _growing(subject.options),
        [(bet, table.code) for bet, table in _paytables(subject)],
        seed=SEED,
    )
    with ThreadPoolExecutor(1) as one:
        return carry_out(new_run(job, ROUNDS), one, 1)


def _growing(options: Options) -> Options:
    """The options with meters that grow: how much does not matter to how often a hand comes."""
    return replace(
        options,
        contribution_rate=parse_options(GROWTH, Options()).contribution_rate,
        cap=(),
        meter_seed=(),
    )


def _paytables(subject: Subject) -> Sequence[tuple[Bet, PayTable]]:
    """Every paytable of the sheet, of each bet and of the progressives."""
    found: list[tuple[Bet, PayTable]] = []
    for row in subject.sheet.rows:
        bet = "ante-bonus" if row.bet == "ante" else row.bet
        if row.paytable is not None:
            found.append((bet, paytable_of(subject.game.code, bet, row.paytable)))
    for priced in subject.sheet.progressives:
        code = priced.to_json()["paytable"]
        found.append(("progressive", paytable_of(subject.game.code, "progressive", code)))
    return found


def _hits(run: Run, jackpot: Jackpot) -> list[tuple[str, float, float, float]]:
    """How often each hand of a progressive won, where it is not too rare to judge."""
    paytable = jackpot.paytable
    judged = run.tally.judged[paytable.community]
    counted = judged.sum(axis=0)
    if run.job.options.folded_hand_progressive != "eligible":
        counted = judged[0]
    found = []
    for hand, probability in jackpot_row(run.job, jackpot).probabilities.items():
        p = float(probability)
        if p * run.done >= ENOUGH_HITS:
            name = spaced(paytable.name_of(hand))
            error = sqrt(p * (1 - p) / run.done)
            share = int(counted[hand]) / run.done
            found.append((f"Progressive {paytable.code}, {name}", share, p, error))
    return found
