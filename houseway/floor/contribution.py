"""Contribution: progressive wagers are taken at START GAME and shared out to the meters."""

from houseway.floor import accounts
from houseway.floor.bank import check_cover
from houseway.floor.context import Context
from houseway.house.meters import MICROCENTS, contribute
from houseway.house.money import MeterLevel
from houseway.journal.event import Draft, Transfer
from houseway.live.state import Round
from houseway.refusal import Reason, Refused

Shown = dict[MeterLevel, int]
"""Cents on each meter."""


def take_wagers(context: Context, under_way: Round) -> tuple[Draft, Shown]:
    """COIN IN or START GAME takes lit wagers once and shares them out (PGM-06, PNX-06, PML-07).

    What a void round carried over is on the meters already (A-15).
    """
    link, table = context.link, context.table
    if link.closed:
        raise Refused(Reason.WRONG_PHASE, f"link {link.name} takes no wagers: {link.closed}")
    check_cover(context.state, link)
    unset = [level for level in context.paytable.levels if level not in link.thresholds]
    if unset:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the threshold of meter {unset[0]} of {link.name} is not set; set it before play",
            context.profile.confirm_clause,
        )
    seats = [under_way.seat(position) for position in under_way.lit()]
    wagered = sum(seat.wagers["progressive"] - seat.prepaid for seat in seats)
    moved: list[Transfer] = []
    shown: Shown = {}
    rest = wagered * MICROCENTS
    for level, settings in link.settings.items():
        meter = accounts.meter_of(context.state, link.name, level)
        if wagered:
            meter, parts = contribute(meter, settings, wagered)
            moved += accounts.contribution(table.name, link.name, level, parts)
            rest -= parts.to_meter + parts.to_reserve + parts.to_overflow
        shown[level] = meter.shown_cents
    moved += accounts.moves((accounts.tray(table.name), accounts.HOUSE, rest))
    data = {
        "round": table.deal_number,
        "lit": {str(seat.position): seat.wagers["progressive"] for seat in seats},
        "wagered": wagered,
        "meters": shown,
        "starts": dict(link.starts),
        "earlier": False,
    }
    return context.draft("game_started", data, moved), shown
