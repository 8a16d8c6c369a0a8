"""Journal: the events of a floor, opened by a command that only reads them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from houseway.cli.output import progress

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from houseway.journal.event import Event


class Happened:
    """All events up to one moment; they may be gone through more than once."""

    def __init__(self, connection: "Connection", *, stored: bool) -> None:
        self._connection = connection
        self._stored = stored

    def __iter__(self) -> "Iterator[Event]":
        from houseway.floor.model import FloorModel
        from houseway.journal.rebuild import events_today, every_event

        if self._stored:
            return every_event(self._connection)
        return events_today(self._connection, FloorModel())


@contextmanager
def read_journal(database: str, *, stored: bool = False) -> Iterator[Happened]:
    """A journal as it is at one moment; refused when there is none. Nothing is written.

    Events are as they would be written today, or as they are stored.
    """
    with progress("reading the journal", extra="floor"):
        from houseway.floor.model import FloorModel
        from houseway.journal.blame import blamed
        from houseway.journal.store import open_to_read, told

        engine = open_to_read(database)
        try:
            with (
                blamed(database, FloorModel()),
                told(database),
                engine.connect() as connection,
            ):
                yield Happened(connection, stored=stored)
        finally:
            engine.dispose()
