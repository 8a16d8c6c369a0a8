"""Rebuild: the projections worked out again from the events, and where they differ."""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine, bindparam, delete, insert, inspect, select, update

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.state import Model, State, stream_row
from houseway.journal.versions import form_of, newest

PAGE = 10_000


def rebuilt(connection: Connection, model: Model) -> State:
    """The state that the events alone lead to."""
    state = State()
    for event in every_event(connection):
        state.take(event, model)
    return state


def events_today(connection: Connection, model: Model) -> Iterator[Event]:
    """All events in order, each as it would be written today; refused when one is newer."""
    table = schema.event.c
    found = connection.execute(select(table.kind, table.schema).distinct())
    if all(version == newest(model.upcasts, kind) for kind, version in found):
        yield from every_event(connection)
        return
    state = State()
    for event in every_event(connection):
        yield state.take(event, model)


def every_event(connection: Connection) -> Iterator[Event]:
    """All events in order as they are stored, some thousand at a time."""
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
    yield from differences_from(connection, model, rebuilt(connection, model))


def differences_from(connection: Connection, model: Model, state: State) -> Iterator[str]:
    """Where a projection is not what a state says, a sentence each."""
    # The states that another program has kept may well look different.
    compared = 4 if kept_form(connection) == form_of(model) else 3
    kept = {row.name: tuple(row)[:compared] for row in connection.execute(select(schema.stream))}
    for name in sorted({*state.streams, *kept}, key=str):
        made = stream_row(state, model, name)[:compared] if name in state.streams else None
        if made != kept.get(name):
            yield f"stream {name} is not what its events lead to"
    accounts = {
        row.name: (row.debits, row.credits) for row in connection.execute(select(schema.account))
    }
    for name in sorted({*state.accounts, *accounts}, key=str):
        balance = state.accounts.get(name)
        if balance != accounts.get(name):
            by_events = None if balance is None else tuple(balance)
            yield f"account {name} is {accounts.get(name)} and by its events {by_events}"


def changed_streams(connection: Connection, model: Model, kind: str) -> Iterator[str]:
    """The streams of one kind whose kept state is not what their own events lead to.

    Only for kinds whose events are read without a look at other streams.
    """
    table, kept = schema.event, schema.stream
    rows = connection.execute(
        select(kept).where(kept.c.name.startswith(kind)).order_by(kept.c.name)
    )
    for stood in rows.all():
        state, name = State(), stood.name
        own = select(table).where(table.c.stream == name).order_by(table.c.version)
        for row in connection.execute(own):
            state.take(Event(*row), model)
        if name not in state.streams or stream_row(state, model, name) != tuple(stood):
            yield name


def renew(engine: Engine, model: Model) -> None:
    """Write the states of all streams anew where another version of the program has kept them.

    Heads and balances are the journal's own and stay as they are.
    """
    with engine.connect() as connection:
        if kept_form(connection) == form_of(model):
            return
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if kept_form(connection) == form_of(model):
            # Somebody else has just done it.
            return
        state = rebuilt(connection, model)
        rows = (stream_row(state, model, name) for name in state.streams)
        documents = [{"of": name, "document": document} for name, _, _, document in rows]
        if documents:
            table = schema.stream
            changed = update(table).where(table.c.name == bindparam("of"))
            connection.execute(changed.values(state=bindparam("document")), documents)
        keep_form(connection, model)


def kept_form(connection: Connection) -> str | None:
    """The form in which states are kept; None when nobody has said."""
    if not inspect(connection).has_table(schema.form.name):
        return None
    return connection.execute(select(schema.form.c.digest)).scalar()


def keep_form(connection: Connection, model: Model) -> None:
    """Say in which form states are kept."""
    connection.execute(delete(schema.form))
    connection.execute(insert(schema.form), {"digest": form_of(model)})
