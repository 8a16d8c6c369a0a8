"""Figures: what each bet of a practice table costs on average, from the exact analysis."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.house.money import CENTS_PER_DOLLAR
from houseway.names import Bet
from houseway.practice.coach import prepare
from houseway.practice.meters import Amounts, shown
from houseway.practice.stakes import offered
from houseway.rules.ruleset import Ruleset

Edges = Mapping[Bet, Fraction]
"""What each bet loses on average per unit first wagered, played as well as can be."""


def count(ruleset: Ruleset) -> Edges:
    """The exact edge of every bet, with the values of the coach made ready beside it.

    It takes seconds the first time and needs the extra 'fast'.
    """
    prepare(ruleset)
    from houseway.exact import par

    if "progressive" in ruleset.paytables:
        from houseway.exact.progressive import row_in_force

        row_in_force(ruleset)

    chosen: dict[str, str] = {bet: table.code for bet, table in ruleset.paytables.items()}
    sheet = par(ruleset.game.code, ruleset.options, chosen)
    return {bet: sheet.row(bet).house_edge for bet in offered(ruleset) if bet != "progressive"}


def meter_edge(ruleset: Ruleset, meters: Amounts, wager_cents: int) -> Fraction:
    """What the progressive loses on average per unit with these meters, alone at the table.

    Where a fold gives it up, the Ante is played as if there were none.
    """
    from houseway.exact.progressive import house_edge, row_in_force

    dollars = {level: Fraction(cents, CENTS_PER_DOLLAR) for level, cents in shown(meters)}
    return house_edge(row_in_force(ruleset), dollars, wager_cents, options=ruleset.options)


def expected_cost(wagers: Mapping[Bet, int], edges: Edges) -> Fraction:
    """What these first wagers lose on average, in cents; below 0 where the player gains.

    The progressive is left out: what it costs changes with the meter from round to round.
    """
    priced = (
        (edges[bet], cents)
        for bet, cents in wagers.items()
        if bet in edges and bet != "progressive"
    )
    return sum((edge * cents for edge, cents in priced), Fraction(0))
