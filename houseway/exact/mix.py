"""Mix: what several bets of a seat cost together."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.exact.sheet import ParRow
from houseway.exact.table import Wagers, checked_wagers
from houseway.names import Bet


def whole_game_edge(rows: Mapping[Bet, ParRow], wagers: Wagers) -> Fraction:
    """Expected loss on all bets together per unit first wagered on any of them."""
    staked = checked_wagers(wagers, tuple(rows))
    lost = sum((rows[bet].house_edge * stake for bet, stake in staked.items()), Fraction(0))
    return lost / sum(staked.values())
