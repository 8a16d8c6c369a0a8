"""Hold: what a mix of wagers costs, and what a visit is expected to leave at the table."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.exact.sheet import ParRow
from houseway.exact.table import Wagers, checked_wagers
from houseway.names import Bet
from houseway.refusal import Reason, Refused


def whole_game_edge(rows: Mapping[Bet, ParRow], wagers: Wagers) -> Fraction:
    """Expected loss on all bets together per unit first wagered on any of them."""
    staked = checked_wagers(wagers, tuple(rows))
    lost = sum((rows[bet].house_edge * stake for bet, stake in staked.items()), Fraction(0))
    return lost / sum(staked.values())


def expected_hold(
    *,
    house_edge: Fraction,
    average_bet: int | Fraction,
    decisions_per_hour: int | Fraction,
    hours: int | Fraction,
    buy_in: int | Fraction,
) -> Fraction:
    """Win over drop that a model expects of one player's visit (TSB-24). A model, not a count.

    win = house edge x average bet x decisions an hour x hours; drop = the buy-in; hold = win over
    drop, at most 1. The model assumes that the player buys in once and for cash, so that the
    drop is the buy-in and nothing else; that he wagers the same on every round, wins wagered
    again, until the hours are over; that he never runs out before, so ruin neither shortens the
    visit nor caps a loss; and that he plays as the edge assumes. `average_bet` is what is first
    wagered on all bets of a round, `house_edge` the edge on that (see `whole_game_edge`).
    """
    given = {
        "average_bet": average_bet,
        "decisions_per_hour": decisions_per_hour,
        "hours": hours,
    }
    for name, value in given.items():
        if value < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"{name} {value} is negative; it must be 0 or more"
            )
    if buy_in <= 0:
        raise Refused(Reason.ZERO_AMOUNT, f"buy_in {buy_in} is no drop; it must be more than 0")
    win = Fraction(house_edge) * average_bet * decisions_per_hour * hours
    return min(Fraction(1), win / buy_in)
