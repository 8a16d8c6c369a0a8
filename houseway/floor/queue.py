"""Queue: the awards that wait for one meter, in the order they are taken off it (A-16 to A-18).

An award is priced where it stands: what those in front of it leave on the meter, started again
after a whole one. Then the amount stands fast, whatever comes in, until something in front of it
changes. Whoever takes money off a meter leaves enough for all that wait.
"""

from collections.abc import Sequence
from dataclasses import replace

from houseway.floor.accounts import meter_of
from houseway.floor.link import Link, Pending
from houseway.floor.table import find_table, share_of
from houseway.games.progressive import share_cents
from houseway.house.meters import MICROCENTS, Meter, MeterSettings
from houseway.house.meters import award as taken_off
from houseway.house.money import MeterLevel
from houseway.journal.state import State


def queue_of(link: Link, level: MeterLevel) -> list[Pending]:
    """The awards that wait for a meter, those first that J-POT has recorded."""
    return [pending for pending in link.pending if pending.level == level]


def with_awards(
    state: State, link: Link, level: MeterLevel, table: str, wanted: Sequence[Pending]
) -> list[Pending]:
    """The queue once a table's chosen awards are these, in the order it pays them.

    A table keeps its places, and its awards fill them in its own order; one more is put at the
    end. So an award that is found late does not overtake another table's.
    """
    before = queue_of(link, level)
    places = [n for n, p in enumerate(before) if p.table == table and not p.recorded]
    filled: list[Pending | None] = list(before)
    for place in places:
        filled[place] = None
    for number, pending in enumerate(wanted):
        if number < len(places):
            filled[places[number]] = pending
        else:
            filled.append(pending)
    after = [pending for pending in filled if pending is not None]
    same = 0
    while same < min(len(after), len(before)) and _is(after[same], before[same]):
        same += 1
    return priced(state, link, level, [*before[:same], *after[same:]], same)


def priced(
    state: State, link: Link, level: MeterLevel, queue: Sequence[Pending], first: int
) -> list[Pending]:
    """The queue with the amounts from a place on worked out from the meter as it is now."""
    meter = meter_of(state, link.name, level)
    found = []
    for number, pending in enumerate(queue):
        if number >= first:
            share = share_of(pending.hand, link.pays)
            assert share is not None
            options = find_table(state, pending.table).house_options
            cents = share_cents(share, meter.shown_cents, pending.wager_cents, options)
            pending = replace(pending, amount_cents=cents)
        meter, _ = taken_off(
            meter, link.next_start(level), pending.amount_cents, whole=pending.whole
        )
        found.append(pending)
    return found


def recorded(queue: Sequence[Pending], place: int) -> list[Pending]:
    """The queue with one of its awards recorded, and before all that are not."""
    rest = [pending for number, pending in enumerate(queue) if number != place]
    before = sum(pending.recorded for pending in rest)
    return [*rest[:before], replace(queue[place], recorded=True), *rest[before:]]


def at_once(queue: Sequence[Pending], place: int) -> list[Pending]:
    """The queue with one of its awards before all others, as it is when it leaves now."""
    return [queue[place], *queue[:place], *queue[place + 1 :]]


def free(meter: Meter, queue: Sequence[Pending], start: MeterSettings) -> int:
    """How much may leave a meter with all that wait still paid in turn; below 0 when they are not.

    In millionths of a cent.
    """
    needed = 0
    first = next((number for number, pending in enumerate(queue) if pending.whole), None)
    for number, pending in reversed(list(enumerate(queue))):
        if pending.whole and not _above_cap(needed, start):
            # The meter starts again; what a cap cuts off then is not missed by those after it.
            reserve = meter.reserve if number == first else 0
            needed = max(0, needed - start.meter_seed_cents * MICROCENTS - reserve)
        needed += pending.amount_cents * MICROCENTS
    return meter.amount - needed


def _above_cap(amount: int, start: MeterSettings) -> bool:
    """True where only what stands on a meter already can pay: a new start fills it to its cap.

    A meter stands above its cap where an award from before the cap was put back.
    """
    return start.cap_cents is not None and amount > start.cap_cents * MICROCENTS


def free_on(state: State, link: Link, level: MeterLevel) -> int:
    """The same for a meter of a link as it is."""
    meter = meter_of(state, link.name, level)
    return free(meter, queue_of(link, level), link.next_start(level))


def _is(one: Pending, other: Pending) -> bool:
    return (one.table, one.round, one.position, one.hand) == (
        other.table,
        other.round,
        other.position,
        other.hand,
    )
