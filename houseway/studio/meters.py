"""Meters: what a progressive costs at what stands on its meters, and where it costs nothing."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from houseway.exact.bands import LEVELS
from houseway.exact.progressive import (
    ProgressiveRow,
    check_other_hands,
    house_edge,
    row_in_force,
    standard_deviation,
)
from houseway.exact.spread import volatility_index
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, check_amount
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset
from houseway.studio.figure import exact

STEPS = 24
"""Points of the line of edges by meter."""


def progressive_figures(ruleset: Ruleset, given: Mapping[str, int], others: int) -> dict[str, Any]:
    """A $1 wager on the progressive: its edge at these meters, and each fair meter by itself.

    Without a meter the first level stands half way to fair, the others where the options start
    them.
    """
    table = ruleset.paytables["progressive"]
    row = row_in_force(ruleset)
    check_other_hands(others)
    for level in given:
        if level not in table.levels:
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter {level!r} is unknown to progressive {table.code!r}; allowed: "
                f"{listed(table.levels)}",
            )
    seeds = {
        level: Fraction(dict(ruleset.options.meter_seed).get(level, 0), CENTS_PER_DOLLAR)
        for level in table.levels
    }
    meters = {
        level: Fraction(check_amount(given[level], f"meter {level}", zero=True), CENTS_PER_DOLLAR)
        if level in given
        else seeds[level]
        for level in table.levels
    }
    first = table.levels[0]
    if not given and not meters[first]:
        meters[first] = Fraction(round(fair(row, first, meters, others) / 2))
    edge = _edge(row, meters, others, ruleset)
    deviation = standard_deviation(row, meters, CENTS_PER_DOLLAR, ruleset.options)
    coefficients = row.meter_coefficients
    return {
        "code": table.code,
        "fixed_return": exact(row.fixed_return),
        "hit_frequency": exact(row.hit_frequency),
        "house_edge": exact(edge),
        "standard_deviation": deviation,
        "volatility_index": {
            f"{level:.2f}": volatility_index(deviation, level) for level in LEVELS
        },
        "envy": exact(row.envy_per_other_hand),
        "others": others,
        "folded_hands": ruleset.options.folded_hand_progressive,
        "levels": [
            {
                "level": level,
                "cents": int(meters[level] * CENTS_PER_DOLLAR),
                "adds": exact(coefficients[level]),
                "fair": exact(fair(row, level, meters, others)),
            }
            for level in table.levels
        ],
        "line": [
            {"dollars": float(amount), "edge": float(found)}
            for amount, found in _line(row, first, meters, others, ruleset)
        ],
    }


def fair(
    row: ProgressiveRow, level: MeterLevel, meters: Mapping[MeterLevel, Fraction], others: int
) -> Fraction:
    """What must stand on one meter for a $1 wager to cost nothing, the other meters as they are."""
    coefficients = row.meter_coefficients
    rest = sum((coefficients[m] * meters[m] for m in meters if m != level), Fraction(0))
    left = 1 - row.fixed_return - rest - others * row.envy_per_other_hand
    return max(Fraction(0), left / coefficients[level])


def _line(
    row: ProgressiveRow,
    level: MeterLevel,
    meters: Mapping[MeterLevel, Fraction],
    others: int,
    ruleset: Ruleset,
) -> list[tuple[Fraction, Fraction]]:
    """The edge as one meter grows, from nothing past where it is fair and past where it stands."""
    most = max(2 * fair(row, level, meters, others), meters[level], Fraction(1))
    amounts = [most * step / STEPS for step in range(STEPS + 1)]
    return [(a, _edge(row, {**meters, level: a}, others, ruleset)) for a in amounts]


def _edge(
    row: ProgressiveRow, meters: Mapping[MeterLevel, Fraction], others: int, ruleset: Ruleset
) -> Fraction:
    return house_edge(row, meters, CENTS_PER_DOLLAR, others, ruleset.options)
