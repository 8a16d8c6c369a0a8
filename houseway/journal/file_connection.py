"""File connection: a SQLite file that is held on to, and missed when it is put away."""

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "schema_version")
"""How a connection is set up. The last one reads: SQLite opens the log only then, and a connection
that has not opened it would take the log that it opens later for one put in its place."""
AGAIN_SECONDS = 0.005


class FileMovedError(SQLAlchemyError):
    """A file that is open is no longer the one at its path."""


class FileConnection(sqlite3.Connection):
    """A connection that knows which files it has open: the database and its log."""

    path: Path
    identities: "dict[Path, tuple[int, int] | None]"

    def learn(self) -> None:
        """Take the files that are there now for those that are open."""
        log = self.path.with_name(f"{self.path.name}-wal")
        self.identities = {path: _identity(path) for path in (self.path, log)}

    def check(self) -> None:
        """Complain when somebody has put a file away, or another in its place."""
        for path, identity in self.identities.items():
            now = _identity(path)
            if now != identity:
                what = "is no longer there" if now is None else "is another file than before"
                raise FileMovedError(f"'{path}' {what}")

    def close(self) -> None:
        """Let go of the files.

        SQLite leaves the log of a file that was moved where it is, and takes it for the log of
        whatever is there now. So all that is in it is first brought home.
        """
        try:
            self.check()
        except FileMovedError:
            with suppress(sqlite3.Error):
                self.rollback()
                self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        super().close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class SqliteFile:
    """A SQLite file that is made by the first connection, and by none after that."""

    def __init__(
        self, path: Path, busy_seconds: float, files: type[FileConnection] = FileConnection
    ) -> None:
        self.path = path.absolute()
        self.busy_seconds = busy_seconds
        self.files = files
        self.mode = "rwc"

    def connect(self) -> FileConnection:
        """A connection that waits for the disk with every commit."""
        before = _identity(self.path)
        connection = sqlite3.connect(
            f"{self.path.as_uri()}?mode={self.mode}",
            uri=True,
            timeout=self.busy_seconds,
            check_same_thread=False,
            # The driver must not begin transactions of its own accord: the engine says when.
            isolation_level=None,
            factory=self.files,
        )
        connection.path, connection.identities = self.path, {}
        try:
            # No file is opened before something is asked of it.
            for pragma in PRAGMAS:
                self._set(connection, pragma)
            connection.learn()
            if before not in (None, connection.identities[self.path]):
                raise FileMovedError(f"'{self.path}' was replaced while it was opened")
        except BaseException:
            connection.close()
            raise
        self.mode = "rw"
        return connection

    def _set(self, connection: FileConnection, pragma: str) -> None:
        """Set a connection up, waiting for others who do.

        SQLite itself does not wait where several change at once how a new file is kept.
        """
        until = time.monotonic() + self.busy_seconds
        while True:
            try:
                connection.execute(f"PRAGMA {pragma}")
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() >= until:
                    raise
                time.sleep(AGAIN_SECONDS)
            else:
                return
