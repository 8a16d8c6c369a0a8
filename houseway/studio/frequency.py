"""Frequency: how often each row of a paytable comes, as fractions of all deals."""

from fractions import Fraction

from houseway.exact.progressive import row_in_force
from houseway.exact.solver import solver_of
from houseway.house.paytables import PayTable
from houseway.rules.ruleset import Ruleset


def frequencies(table: PayTable, ruleset: Ruleset) -> dict[str, Fraction]:
    """By row: how often it is paid, played as well as can be."""
    if table.bet == "progressive":
        row = row_in_force(ruleset)
        return dict(row.named(row.probabilities))
    return solver_of(ruleset.game).frequencies(table, ruleset.paytables, ruleset.options)
