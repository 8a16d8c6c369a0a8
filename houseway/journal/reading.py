"""Reading: events by kind and time, as many as there are, without holding them all."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection, Select, func, select

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.versions import Upcasts, newest

AT_A_TIME = 5_000
TIME_CORRECTED = "time_corrected"
"""The kind of event with which the time may go back."""


def first_at(connection: Connection, at: str) -> int:
    """The position of the first event at or after a time; one past the last where there is none."""
    runs = _runs(connection)
    found = ((_first_in(connection, at, low, high), high) for low, high in runs)
    return min((position for position, high in found if position < high), default=runs[-1][1])


def end_before(connection: Connection, at: str) -> int:
    """The position after the last event before a time."""
    found = ((low, _first_in(connection, at, low, high)) for low, high in _runs(connection))
    return max((position for low, position in found if position > low), default=1)


def _runs(connection: Connection) -> list[tuple[int, int]]:
    """Positions between which times do not go back: they do where somebody corrected the time."""
    table = schema.event
    end = int(connection.scalar(select(func.max(table.c.position))) or 0) + 1
    corrected = select(table.c.position).where(table.c.kind == TIME_CORRECTED)
    starts = [1, *connection.scalars(corrected.order_by(table.c.position)), end]
    return list(pairwise(starts))


def _first_in(connection: Connection, at: str, low: int, high: int) -> int:
    """The position of the first event of a run at or after a time, found by halves."""
    table = schema.event
    while low < high:
        middle = (low + high) // 2
        found = connection.scalar(select(table.c.at).where(table.c.position == middle))
        assert found is not None, middle
        if found < at:
            low = middle + 1
        else:
            high = middle
    return low


def of_kinds(
    connection: Connection, kinds: Sequence[str], first: int = 1, end: int | None = None
) -> Iterator[Event]:
    """Events of these kinds in order, from a position up to before another."""
    table = schema.event
    asked = select(table).where(table.c.kind.in_(kinds), table.c.position >= first)
    if end is not None:
        asked = asked.where(table.c.position < end)
    return _read(connection, asked)


def others(connection: Connection, kinds: Sequence[str], end: int | None = None) -> Iterator[Event]:
    """All events in order, but for those of these kinds; or those before a position."""
    table = schema.event
    asked = select(table).where(table.c.kind.not_in(kinds))
    if end is not None:
        asked = asked.where(table.c.position < end)
    return _read(connection, asked)


def _read(connection: Connection, asked: Select[Any]) -> Iterator[Event]:
    asked = asked.order_by(schema.event.c.position).execution_options(yield_per=AT_A_TIME)
    for row in connection.execute(asked):
        yield Event(*row)


def has_older(connection: Connection, upcasts: Upcasts) -> bool:
    """True when events of an earlier shape are in the journal."""
    table = schema.event
    return any(
        connection.execute(
            select(table.c.position)
            .where(table.c.kind == kind, table.c.schema < newest(upcasts, kind))
            .limit(1)
        ).first()
        for kind in upcasts
    )
