"""Expectation: what a table should have won by what was wagered at it, and how far it may be off.

Edges and covariances are the exact ones of `houseway.exact`, so a table is held against the rules
that pay people at it. They take seconds to count, once for each set of rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any

from houseway.games import GAMES
from houseway.refusal import Reason, Refused
from houseway.rules.seat import read_house

CONFIDENCE_95 = 1.959963984540054
"""How many standard deviations lie to either side of the middle 95 of 100 results."""
Rules = tuple[str, tuple[tuple[str, str], ...]]
"""A game and its options, by which figures are kept."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The edge of each bet, and how bets of one seat and of two seats move together."""

    edges: Mapping[str, float]
    within: Mapping[str, float]
    between: Mapping[str, float]

    def band(
        self, wagered: Mapping[str, int], within: Mapping[str, int], across: Mapping[str, int]
    ) -> dict[str, Any]:
        """What the house should have won, in cents, and the band of 95 in 100.

        `within` and `across` are products of wagers, summed over rounds: of one seat, and of the
        whole table.
        """
        mean = sum(self.edges[bet] * cents for bet, cents in wagered.items())
        variance = 0.0
        for pair, whole in across.items():
            one, _, other = pair.partition("+")
            same = within.get(pair, 0)
            moved = self.within[pair] * same + self.between[pair] * (whole - same)
            variance += moved if one == other else 2 * moved
        spread = CONFIDENCE_95 * sqrt(max(0.0, variance))
        return {
            "expected_cents": round(mean),
            "low_cents": round(mean - spread),
            "high_cents": round(mean + spread),
        }


@cache
def expectation(rules: Rules) -> Expectation:
    """The figures of a set of rules; refused where the exact analysis is not installed."""
    code, options = rules
    try:
        from houseway.exact.pricing import par
        from houseway.exact.solver import solver_of
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"what is expected needs module {error.name!r}; install houseway with the extra 'fast'",
        ) from None
    game = next(game for game in GAMES if game.code == code)
    chosen, tables = read_house(game, dict(options), None, community=False)
    whole = solver_of(game).whole_table(tables, chosen)
    sheet = par(code, dict(options), {bet: table.code for bet, table in tables.items()})
    edges = {row.bet: float(row.house_edge) for row in sheet.rows}
    pairs = [(a, b) for a in sorted(whole.bets) for b in sorted(whole.bets) if a <= b]
    return Expectation(
        edges,
        {f"{a}+{b}": float(whole.within[a, b]) for a, b in pairs},
        {f"{a}+{b}": float(whole.between[a, b]) for a, b in pairs},
    )
