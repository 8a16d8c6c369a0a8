"""Claim: the meter awards that the dealer's hand buttons claim, as they wait on the link."""

from dataclasses import asdict

from houseway.floor.context import Context
from houseway.floor.link import Link, Pending, link_stream
from houseway.floor.queue import with_awards
from houseway.floor.table import table_stream
from houseway.games.progressive import starts_again
from houseway.house.money import MeterShare
from houseway.journal.event import Draft
from houseway.live.progressive import claimed, hand_of, meter_hands
from houseway.live.state import Round


def waiting(context: Context, under_way: Round | None) -> list[Pending]:
    """All that waits on the link when the round of this table stands so; None for no round."""
    claims = [] if under_way is None else _claims(context, under_way)
    found: list[Pending] = []
    for level in context.paytable.levels:
        wanted = [pending for pending in claims if pending.level == level]
        found += with_awards(context.state, context.link, level, context.table.name, wanted)
    return found


def _claims(context: Context, under_way: Round) -> list[Pending]:
    """The awards of this round whose button is on and which are not confirmed, in pay order."""
    known = {p.position: p for p in context.link.pending if p.table == context.table.name}
    shares = meter_hands(under_way)
    return [
        known.get(position) or _new(context, under_way, position, shares[position])
        for position in claimed(under_way)
    ]


def _new(context: Context, under_way: Round, position: int, share: MeterShare) -> Pending:
    seat = under_way.seat(position)
    wager = seat.wagers["progressive"]
    return Pending(
        table=context.table.name,
        round=context.table.deal_number,
        position=position,
        level=share.level,
        hand=hand_of(under_way, seat),
        wager_cents=wager,
        amount_cents=0,
        whole=starts_again(share, wager, context.options),
        by=context.command.actor,
        at=context.state.now,
    )


def changes(context: Context, waits: list[Pending]) -> list[Draft]:
    """The events when other awards wait than before, through the table of a command."""
    return changed(context.link, context.table.name, waits)


def changed(link: Link, through: str, waits: list[Pending]) -> list[Draft]:
    """The event of the link when other awards wait than before, and one of each other table.

    Whoever has looked at an award there looks again before it is confirmed for another amount.
    """
    if tuple(waits) == link.pending:
        return []
    before = {(p.table, p.position): p.amount_cents for p in link.pending}
    amounts: dict[str, dict[str, int]] = {}
    for pending in waits:
        was = before.get((pending.table, pending.position), pending.amount_cents)
        if pending.table != through and was != pending.amount_cents:
            of_table = amounts.setdefault(pending.table, {})
            of_table[str(pending.position)] = pending.amount_cents
    events = [
        Draft(
            stream=table_stream(table),
            kind="amounts_changed",
            data={"amounts": of_table, "through": through},
        )
        for table, of_table in sorted(amounts.items())
    ]
    data = {"through": through, "pending": [asdict(pending) for pending in waits]}
    return [*events, Draft(stream=link_stream(link.name), kind="award_waits", data=data)]


def claim_at(context: Context, position: int) -> Pending | None:
    """The award of a position of this table that waits on the link."""
    own = (context.table.name, position)
    return next((p for p in context.link.pending if (p.table, p.position) == own), None)
