"""Result: what a run says of every bet, beside the exact value it should come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from houseway.exact import three_card
from houseway.exact.blackjack import blackjack
from houseway.exact.bonus import JointLaw, joint_law
from houseway.exact.law import Law, law_of
from houseway.exact.long_run import long_run
from houseway.exact.meter_law import RunLaw, run_law
from houseway.exact.progressive import ProgressiveRow, if_folded_not_eligible, progressive_row
from houseway.exact.sheet import html_table
from houseway.exact.succession import poker_law, war_law, winning_categories
from houseway.exact.tabulate import Floats
from houseway.games import game_of
from houseway.games.base import PLAYER_WINS, net_units
from houseway.games.progressive import folded_player_earns_envy
from houseway.games.registry import shown_options
from houseway.games.solvers import Showdown
from houseway.games.triple_shot_bonus.rules import hat_trick
from houseway.house.meters import MICROCENTS
from houseway.sim.jackpot import Jackpot
from houseway.sim.job import Job, Row, laid_out
from houseway.sim.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One bet: the player's net per unit first wagered, as dealt and as counted."""

    bet: str
    paytable: str | None
    mean: float
    standard_error: float
    exact: Fraction | None
    """The exact value; of a progressive its value in the long run."""
    expected: float | None
    """What the mean should be: the exact value, or of a progressive that of a run this long."""

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is off; None where there is nothing to hold it to."""
        if self.expected is None or self.standard_error == 0:
            return None
        return (self.mean - self.expected) / self.standard_error

    def to_json(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {
            "bet": self.bet,
            "paytable": self.paytable,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "exact": None if self.exact is None else str(self.exact),
            "expected": self.expected,
            "z": self.z,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A run that was carried out, or as far as it got."""

    run: Run
    estimates: tuple[Estimate, ...]
    covariance: Floats
    """Between the bets of one seat, in the order of the first estimates."""
    between: Floats | None
    """Between a bet of one seat and a bet of another."""

    @property
    def job(self) -> Job:
        """What was simulated."""
        return self.run.job

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway simulate --json`."""
        run, job = self.run, self.run.job
        document: dict[str, Any] = {
            "game": job.game,
            "rounds": run.done,
            "seats": job.seats,
            "rng_seed": job.seed,
            "strategy": job.way.name,
            "options": shown_options(job.game, job.options),
            "seconds": round(run.seconds, 3),
            "rounds_per_second": round(run.rounds_per_second),
            "bets": [estimate.to_json() for estimate in self.estimates],
            "covariance": self.covariance.tolist(),
            "totals": self.totals(),
        }
        if self.between is not None:
            document["covariance_between"] = self.between.tolist()
        if run.jackpots:
            document["jackpots"] = [jackpot.to_json() for jackpot in run.jackpots]
        return document

    def columns(self) -> dict[str, list[Any]]:
        """The estimates column by column; `pandas.DataFrame` makes a frame of it."""
        rows = self.estimates
        return {
            "bet": [row.bet for row in rows],
            "paytable": [row.paytable for row in rows],
            "mean": [row.mean for row in rows],
            "standard_error": [row.standard_error for row in rows],
            "exact": [None if row.exact is None else float(row.exact) for row in rows],
            "z": [row.z for row in rows],
        }

    def _repr_html_(self) -> str:
        return html_table(self.columns())

    def totals(self) -> dict[str, Any]:
        """Whole numbers that are the same however the work was shared out."""
        run, layout = self.run, laid_out(self.run.job)
        counts = run.tally.counts.astype(object)
        names = [f"{row.bet} {label(row)}".strip() for row in run.job.rows]
        sums = counts @ layout.units.astype(object)
        squares = counts @ layout.units.astype(object) ** 2
        return {
            "rounds": run.done,
            "hands": run.done * run.job.seats,
            "folded": int(run.tally.counts[layout.table.folded == 1].sum()),
            "per_unit": dict(zip(names, layout.per_unit, strict=True)),
            "net": {name: int(n) for name, n in zip(names, sums, strict=True)},
            "net_squared": {name: int(n) for name, n in zip(names, squares, strict=True)},
            "table_products": [[int(n) for n in row] for row in run.tally.products.tolist()],
            "jackpots": [
                {
                    "awards": sum(level.awards for level in jackpot.levels.values()),
                    "awarded_cents": jackpot.awarded_cents,
                    "fixed_cents": jackpot.fixed_cents(_judged(run, jackpot)),
                    "envy_cents": jackpot.envy_cents,
                }
                for jackpot in run.jackpots
            ],
        }

    def net_histogram(self) -> list[tuple[int, int]]:
        """Cents that a round wins and in how many rounds; for a table by the width of a bin."""
        run, layout = self.run, laid_out(self.run.job)
        if run.job.seats > 1:
            lefts = layout.lowest + layout.width * np.arange(run.tally.bins.size)
            pairs = zip(lefts.tolist(), run.tally.bins.tolist(), strict=True)
            return [(cents, count) for cents, count in pairs if count]
        found: dict[int, int] = {}
        for cents, count in zip(layout.nets.tolist(), run.tally.counts.tolist(), strict=True):
            if count:
                found[cents] = found.get(cents, 0) + count
        return sorted(found.items())


def label(row: Row) -> str:
    """The code of a row's paytable, or nothing."""
    return "" if row.paytable is None else row.paytable.code


def result_of(run: Run) -> Result:
    """What a run says so far, with exact values beside it."""
    means, errors, covariance, between = spread(run)
    exact = exact_laws(run.job)
    estimates = [
        Estimate(
            bet=row.bet,
            paytable=label(row) or None,
            mean=means[n],
            standard_error=errors[n],
            exact=exact[n].mean,
            expected=float(exact[n].mean),
        )
        for n, row in enumerate(run.job.rows)
    ]
    estimates += [_jackpot_estimate(run, jackpot) for jackpot in run.jackpots]
    return Result(run=run, estimates=tuple(estimates), covariance=covariance, between=between)


def spread(run: Run) -> tuple[list[float], list[float], Floats, Floats | None]:
    """Means, their standard errors, covariances of a seat and between seats, per unit.

    Seats of one table move together, so an error comes from what whole tables win.
    """
    layout, seats = laid_out(run.job), run.job.seats
    scale = np.array(layout.per_unit, dtype=np.float64)
    hands = run.done * seats
    counts, units = run.tally.counts, layout.units
    sums = (counts.astype(object) @ units.astype(object)).astype(np.float64)
    means = sums / scale / hands
    weighed = units * counts[:, None].astype(np.float64)
    covariance = (weighed.T @ units) / np.outer(scale, scale) / hands - np.outer(means, means)
    between = None
    variance = covariance.diagonal()
    if seats > 1:
        upper = np.triu(run.tally.products.astype(np.float64))
        products = upper + np.triu(upper, 1).T
        table = products / np.outer(scale, scale) / run.done - np.outer(means, means) * seats**2
        between = (table - seats * covariance) / (seats * (seats - 1))
        variance = table.diagonal() / seats
    errors = np.sqrt(np.maximum(variance, 0.0) / hands)
    return means.tolist(), errors.tolist(), covariance, between


def exact_laws(job: Job) -> list[Law]:
    """The law of every row, counted, under the way of playing that is simulated."""
    return list(_laws(job))


def _laws(job: Job) -> Iterator[Law]:
    game, options = game_of(job.game), job.options
    if isinstance(game.solver, Showdown):
        plays = job.way.decisions.astype(bool)
        for row in job.rows:
            tables = row.tables(job.tables)
            if row.bet == "ante":
                yield three_card.ante_analysis(game, tables, options).law(plays)
            elif row.bet == "pair-plus":
                yield three_card.pair_plus_law(game, tables["pair-plus"], options, plays)
            else:
                yield three_card.six_card_bonus_law(game, tables["six-card-bonus"])
        return
    best = job.way.name == "optimal"
    joint: JointLaw | None = None
    for row in job.rows:
        tables = row.tables(job.tables)
        if row.bet == "war":
            yield war_law(options)
        elif row.bet == "blackjack":
            yield blackjack(options).figures(None if best else job.way.decide).law
        elif row.bet == "poker":
            yield poker_law(tables["poker"])
        else:
            joint = joint or joint_law(options, None if best else job.way.decide)
            wins = winning_categories(tables["poker"])
            won = joint.probability(war=True, blackjack=True, poker=wins)
            paid = net_units(hat_trick((), PLAYER_WINS, (), tables["hat-trick"]))
            taken = net_units(hat_trick(("war",), PLAYER_WINS, (), tables["hat-trick"]))
            yield law_of([(paid, won.numerator), (taken, won.denominator - won.numerator)])


def _judged(run: Run, jackpot: Jackpot) -> Any:
    return run.tally.judged[jackpot.paytable.community]


def returned_cents(run: Run, jackpot: Jackpot) -> int:
    """All that wagers on a progressive were paid: shares of meters, fixed pays and envy."""
    fixed = jackpot.fixed_cents(_judged(run, jackpot))
    return jackpot.awarded_cents + fixed + jackpot.envy_cents


def _jackpot_estimate(run: Run, jackpot: Jackpot) -> Estimate:
    """The progressive over the run: meters start low or high, so a run has a mean of its own."""
    wagers = run.done * run.job.seats
    wagered = wagers * jackpot.wager
    mean = returned_cents(run, jackpot) / wagered - 1
    law = jackpot_law(run.job, jackpot, wagers)
    return Estimate(
        bet="progressive",
        paytable=jackpot.paytable.code,
        mean=mean,
        standard_error=0.0 if law is None else law.standard_deviation / wagered,
        exact=_long_run_value(run.job, jackpot),
        expected=None if law is None else law.mean / wagered - 1,
    )


def jackpot_row(job: Job, jackpot: Jackpot) -> ProgressiveRow:
    """How often each hand wins under the way of playing that is simulated."""
    game = game_of(job.game)
    if job.options.folded_hand_progressive == "eligible":
        return progressive_row(jackpot.paytable)
    analysis = three_card.ante_analysis(game, job.tables, job.options)
    return if_folded_not_eligible(jackpot.paytable, analysis, job.way.decisions.astype(bool))


def jackpot_law(job: Job, jackpot: Jackpot, wagers: int) -> RunLaw | None:
    """Mean and spread of what the run returns; None where these are no linear matter.

    That is so with a cap, and with envy that a fold gives up. With several seats it is a model:
    it judges one wager after the other, and seats of one table now and then win together.
    """
    envy_by_fold = job.seats > 1 and not folded_player_earns_envy(job.options)
    if job.options.cap or envy_by_fold:
        return None
    return run_law(
        jackpot_row(job, jackpot),
        jackpot.settings,
        wagers=wagers,
        wager_cents=jackpot.wager,
        start_cents={level: amount / MICROCENTS for level, amount in jackpot.start.items()},
        other_hands=job.seats - 1,
        options=job.options,
    )


def _long_run_value(job: Job, jackpot: Jackpot) -> Fraction | None:
    """The player's net per dollar when the progressive runs for ever; known for $1 wagers."""
    if job.options.cap or jackpot.wager != 100:
        return None
    row = jackpot_row(job, jackpot)
    return -long_run(row, jackpot.settings, job.seats - 1).hold


def bands(run: Run) -> list[tuple[str, float, float]]:
    """Running means of the bets with their standard errors."""
    means, errors, _, _ = spread(run)
    return list(zip((row.bet for row in run.job.rows), means, errors, strict=True))
