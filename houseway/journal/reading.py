"""Reading: events by kind and time, as many as there are, without holding them all."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.versions import Upcasts, newest

AT_A_TIME = 5_000


def first_at(connection: Connection, at: str) -> int:
    """The position of the first event at or after a time; one past the last where there is none.

    Times never go back, so it is found by halves.
    """
    table = schema.event
    low, high = 1, int(connection.scalar(select(func.max(table.c.position))) or 0) + 1
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
