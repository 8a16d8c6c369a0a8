"""Procedure: the dealer's own next step, for a table that deals itself."""

from houseway.live import commands as c
from houseway.live import three_card
from houseway.live.commands import Command
from houseway.live.phases import Phase
from houseway.live.state import Round, is_three_card
from houseway.money import MeterLevel

Meters = tuple[tuple[MeterLevel, int], ...]


def next_step(table: Round, meters: Meters = ()) -> Command | None:
    """What the dealer does now without being asked; None while players or a deck are awaited.

    Whatever waits is done at one stroke, in the order of the procedure. Insurance is left open:
    whoever asks the players closes it.
    """
    if table.over or table.reported or table.wrong or table.runbook is not None:
        return None
    match table.phase:
        case Phase.NO_MORE_BETS:
            if table.lit() and not table.started:
                order = table.lit() if table.options.meter_pay_order != "right_to_left" else ()
                return c.StartGame(meters, order)
            return c.Deliver() if table.shuffle is not None else None
        case Phase.DEALING:
            return c.Deliver()
        case Phase.REVEAL:
            if is_three_card(table) and three_card.uncollected(table):
                return c.CollectForfeits()
            return c.Reveal("community" if table.dealer_shown else "dealer")
        case Phase.RECONCILE:
            if table.waiting:
                return c.Reconcile()
            if is_three_card(table) and three_card.unpaid_envy(table):
                return c.PayEnvy()
            return c.CloseRound()
    return None
