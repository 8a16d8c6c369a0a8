"""Figures: what each bet of a practice table costs on average, from the exact analysis."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.coach import prepare
from houseway.names import Bet
from houseway.practice.stakes import offered
from houseway.ruleset import Ruleset

Edges = Mapping[Bet, Fraction]
"""What each bet loses on average per unit first wagered, played as well as can be."""


def count(ruleset: Ruleset) -> Edges:
    """The exact edge of every bet, with the values of the coach made ready beside it.

    It takes seconds the first time and needs the extra 'fast'.
    """
    prepare(ruleset)
    from houseway.exact import par

    chosen: dict[str, str] = {bet: table.code for bet, table in ruleset.paytables.items()}
    sheet = par(ruleset.game.code, ruleset.options, chosen)
    return {bet: sheet.row(bet).house_edge for bet in offered(ruleset)}


def expected_cost(wagers: Mapping[Bet, int], edges: Edges) -> Fraction:
    """What these first wagers lose on average, in cents; below 0 where the player gains."""
    return sum((edges[bet] * cents for bet, cents in wagers.items()), Fraction(0))
