"""Simulation: a variant dealt by the million, with what is known after every few blocks."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from houseway.documents.words import bet_name
from houseway.refusal import Reason, Refused
from houseway.rules.variant import Variant
from houseway.sim.plan import make_job
from houseway.sim.result import result_of
from houseway.sim.run import Run, carry_out, new_run
from houseway.studio.figure import Told, nobody

MOST_ROUNDS = 1_000_000_000
CONFIDENCE_ERRORS = 2.5758293035489004
"""Standard errors of a 99% band."""


def simulate(
    variant: Variant,
    rounds: int,
    seed: int,
    told: Told = nobody,
) -> dict[str, Any]:
    """Every bet as dealt beside its exact value; `told` hears how far it is."""
    if isinstance(rounds, bool) or not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"rounds {rounds} are not allowed; allowed: 1 to {MOST_ROUNDS:,}"
        )
    tables: dict[str, str] = {
        bet: table.code
        for bet, table in variant.ruleset().paytables.items()
        # A meter starts and grows by options that a draft need not have.
        if bet != "progressive"
    }
    job = make_job(variant.game, variant.options, tables, seed=seed)

    def watch(run: Run) -> None:
        told({"rounds": run.done, "of": run.rounds, "rate": round(run.rounds_per_second)})

    with ThreadPoolExecutor(1) as one:
        result = result_of(carry_out(new_run(job, rounds), one, 1, watch=watch))
    rows = []
    for row in result.estimates:
        half = CONFIDENCE_ERRORS * row.standard_error
        assert row.expected is not None
        rows.append(
            {
                "bet": row.bet,
                "name": bet_name(row.bet, row.paytable),
                "estimate": -row.mean,
                "low": -row.mean - half,
                "high": -row.mean + half,
                "exact": -row.expected,
                "inside": -row.mean - half <= -row.expected <= -row.mean + half,
            }
        )
    return {
        "rounds": result.run.done,
        "of": rounds,
        "seed": seed,
        "rate": round(result.run.rounds_per_second),
        "bets": rows,
    }
