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

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection

    def __iter__(self) -> "Iterator[Event]":
        from houseway.journal.rebuild import every_event

        return every_event(self._connection)


@contextmanager
def read_journal(database: str) -> Iterator[Happened]:
    """A journal as it is at one moment; refused when there is none. Nothing is written."""
    with progress("reading the journal", extra="floor"):
        from houseway.journal.store import open_to_read, told

        engine = open_to_read(database)
        try:
            with told(database), engine.connect() as connection:
                yield Happened(connection)
        finally:
            engine.dispose()
