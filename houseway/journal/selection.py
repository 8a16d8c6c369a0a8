"""Selection: events that somebody looks back for, read by one index and no more than are asked for.

In a stream the order of versions is the order of positions. Whoever asks for a stream is served by
its versions, so that millions of events of others are never looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, select

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.rebuild import PAGE

_event = schema.event.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which events are looked for; what is empty is not asked for."""

    stream: str = ""
    first: int = 1
    """The first version of the stream."""
    last: int | None = None
    """Its last version; None for all there are."""
    kind: str = ""
    actor: str = ""


def newest_first(
    connection: Connection,
    wanted: Selection,
    most: int,
    *,
    before: int | None = None,
    skip: int = 0,
) -> list[Event]:
    """The newest of the selected events, before a position where one is given."""
    conditions: list[ColumnElement[bool]] = []
    order = _event.position
    if wanted.stream:
        order = _event.version
        conditions += [_event.stream == wanted.stream, _event.version >= wanted.first]
        if wanted.last is not None:
            conditions.append(_event.version <= wanted.last)
        if before is not None:
            upto = version_before(connection, wanted.stream, before)
            conditions.append(_event.version <= upto)
    elif before is not None:
        conditions.append(_event.position < before)
    if wanted.actor:
        conditions.append(_plain(_event.actor, wanted.stream) == wanted.actor)
    if wanted.kind:
        conditions.append(_plain(_event.kind, wanted.stream or wanted.actor) == wanted.kind)
    asked = select(schema.event).where(*conditions).order_by(order.desc())
    asked = asked.limit(most).offset(skip)
    return [Event(*row) for row in connection.execute(asked)]


def stretch(connection: Connection, stream: str, first: int, last: int) -> Iterator[Event]:
    """The events of a stream from one version to another, in order, some thousand at a time."""
    while first <= last:
        upto = min(last, first + PAGE - 1)
        asked = select(schema.event).where(
            _event.stream == stream, _event.version.between(first, upto)
        )
        for row in connection.execute(asked.order_by(_event.version)):
            yield Event(*row)
        first = upto + 1


def of_kind(connection: Connection, stream: str, kind: str, upto: int) -> list[Event]:
    """The events of a stream that are of a rare kind, up to a version, in order."""
    conditions = (
        _event.kind == kind,
        _plain(_event.stream, "kind") == stream,
        _event.version <= upto,
    )
    asked = select(schema.event).where(*conditions).order_by(_event.position)
    return [Event(*row) for row in connection.execute(asked)]


def version_before(connection: Connection, stream: str, position: int) -> int:
    """The last version that a stream had before a position; 0 when it had none."""
    low, high = 0, head_version(connection, stream)
    while low < high:
        middle = (low + high + 1) // 2
        # A version may be missing where somebody took it out; the audit tells of that.
        asked = select(_event.version, _event.position).where(
            _event.stream == stream, _event.version <= middle
        )
        found = connection.execute(asked.order_by(_event.version.desc()).limit(1)).first()
        if found is None or found.position < position:
            low = middle
        else:
            high = found.version - 1
    return low


def head_version(connection: Connection, stream: str) -> int:
    """The version that a stream is at; 0 when there is none."""
    asked = select(func.max(_event.version)).where(_event.stream == stream)
    return int(connection.execute(asked).scalar() or 0)


def kinds(connection: Connection) -> list[str]:
    """Every kind of event that the journal holds, each found by one look into the index."""
    first = select(func.min(_event.kind))
    found: list[str] = []
    one = connection.execute(first).scalar()
    while one is not None:
        found.append(one)
        one = connection.execute(first.where(_event.kind > one)).scalar()
    return found


def _plain(column: ColumnElement[str], by: str) -> ColumnElement[str]:
    """A column to be compared row by row where another index leads to the rows.

    A database that took the index of this one would have to sort all that it leads to.
    """
    return column.concat("") if by else column
