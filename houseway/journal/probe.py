"""Probe: a journal that is served, read over and over by a little at a time.

A damaged page that nobody writes to makes no write fail. So some events are read from the disk
every few seconds, by their hashes and indexes, and one of the smaller tables, again and again.
"""

import logging
import sqlite3

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, OperationalError

from houseway.journal.audit import Finding, verify_some
from houseway.journal.store import open_if_begun
from houseway.refusal import Refused

AT_A_TIME = 500
"""Events that are read in one step; that takes some 20 ms."""
LARGE = ("event", "transfer")
"""Tables that grow with the journal, and are read in slices."""
DAMAGED = (
    "a record on the disk is damaged or was changed; stop the server, look at the journal with "
    "`houseway audit verify`, and restore a backup"
)
LOG = logging.getLogger("houseway")


class Probe:
    """How far the reading is, and whether it has found anything."""

    def __init__(self, url: str, at_a_time: int = AT_A_TIME) -> None:
        self._url = url
        self._at_a_time = at_a_time
        self._next = 1
        self._tables: list[str] = []
        self._engine: Engine | None = None
        self.finding: Finding | None = None

    def problems(self) -> list[str]:
        """What was found, without what is in the records."""
        return [] if self.finding is None else [DAMAGED]

    def step(self) -> None:
        """Read the next events, and one table; what was found once is not looked for again."""
        if self.finding is not None:
            return
        try:
            self._engine = self._engine or open_if_begun(self._url)
            if self._engine is None:
                return
            # A new connection each time: one that is kept would show what it has in memory.
            with self._engine.connect() as connection:
                found = self._events(connection) or self._table(connection)
        except (Refused, OperationalError) as error:
            # A file that is gone, or locked, or a server that is away: that is told by others.
            found = None if _can_be_read(error) else Finding(record="the file", problem=str(error))
        except DBAPIError as error:
            found = Finding(record="the file", problem=f"cannot be read: {error.orig}")
        if found is not None:
            LOG.error("the journal is damaged: %s %s", found.record, found.problem)
            self.finding = found

    def _events(self, connection: Connection) -> Finding | None:
        last = connection.execute(text("SELECT MAX(position) FROM event")).scalar() or 0
        if not isinstance(last, int):
            return Finding(record=f"event {last}", problem="has no place")
        first = self._next if self._next <= last else 1
        upto = min(last, first + self._at_a_time - 1)
        self._next = upto + 1
        return verify_some(connection, first, upto) if last else None

    def _table(self, connection: Connection) -> Finding | None:
        if connection.dialect.name != "sqlite":
            return None
        if not self._tables:
            listed = text("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            self._tables = [name for name in connection.scalars(listed) if name not in LARGE]
        name = self._tables.pop()
        checked = connection.exec_driver_sql(f'PRAGMA integrity_check("{name}")')
        told = checked.scalars().first()
        if told == "ok":
            return None
        return Finding(record=f"table {name}", problem=f"is damaged: {told}")

    def close(self) -> None:
        """Let go of the database."""
        if self._engine is not None:
            self._engine.dispose()


def _can_be_read(error: Exception) -> bool:
    """False where a disk cannot give back what was written to it."""
    cause = error.orig if isinstance(error, OperationalError) else None
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return bool(code & 0xFF != sqlite3.SQLITE_IOERR)
