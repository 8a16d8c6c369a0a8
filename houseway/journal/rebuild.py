"""Rebuild: the projections worked out again from the events, and where they differ."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.journal import stream_row
from houseway.journal.state import Model, State

PAGE = 10_000


def rebuilt(connection: Connection, model: Model) -> State:
    """The state that the events alone lead to."""
    state = State()
    for event in every_event(connection):
        state.take(event, model)
    return state


def every_event(connection: Connection) -> Iterator[Event]:
    """All events in order, some thousand at a time."""
    table, last = schema.event, 0
    while True:
        rows = connection.execute(
            select(table).where(table.c.position > last).order_by(table.c.position).limit(PAGE)
        ).all()
        if not rows:
            return
        for row in rows:
            yield Event(*row)
        last = rows[-1].position


def differences(connection: Connection, model: Model) -> Iterator[str]:
    """Where a projection is not what the events lead to, a sentence each."""
    state = rebuilt(connection, model)
    kept = {row.name: tuple(row) for row in connection.execute(select(schema.stream))}
    for name in sorted({*state.streams, *kept}):
        made = stream_row(state, model, name) if name in state.streams else None
        if made != kept.get(name):
            yield f"stream {name} is not what its events lead to"
    accounts = {
        row.name: (row.debits, row.credits) for row in connection.execute(select(schema.account))
    }
    for name in sorted({*state.accounts, *accounts}):
        balance = state.accounts.get(name)
        if balance != accounts.get(name):
            by_events = None if balance is None else tuple(balance)
            yield f"account {name} is {accounts.get(name)} and by its events {by_events}"
