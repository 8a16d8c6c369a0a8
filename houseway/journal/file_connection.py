"""File connection: a SQLite file that is held on to, and missed when it is put away.

SQLite keeps a log (`-wal`) and an index of it (`-shm`) beside a database. Whoever opens the file
while others have an index that was deleted makes one of its own: then both write to one log, and
neither knows of the other. So all three files are watched, and a file that a server holds is
opened only as long as they are the ones that the server has open.
"""

import ctypes
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from houseway.journal.floor_lock import check_held, forsake
from houseway.journal.places import Identity, files_of, gone, identity_of, moved

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "schema_version")
"""How a connection is set up. The last one reads: SQLite opens the log only then, and a connection
that has not opened it would take the log that it opens later for one put in its place."""
AGAIN_SECONDS = 0.005


class FileMovedError(SQLAlchemyError):
    """A file that is open is no longer the one at its path."""


class FileConnection(sqlite3.Connection):
    """A connection that knows which files it has open: the database, its log and its index."""

    path: Path
    files: dict[Path, Identity]

    def check(self) -> None:
        """Complain when somebody has put a file away, or another in its place."""
        lost = moved(self.files)
        if lost is not None:
            raise FileMovedError(gone(lost))

    def close(self) -> None:
        """Let go of the files.

        SQLite leaves the log of a file that was moved where it is, and takes it for the log of
        whatever is there now. So all that is in it is first brought home. Where somebody has made
        another index of the log, the log is that one's now: nothing more is done to it.
        """
        database, *companions = self.files
        with suppress(sqlite3.Error):
            # A statement that some traceback still refers to keeps a closed connection alive, and
            # with it the lock of what was begun.
            self.rollback()
        try:
            self.check()
        except FileMovedError:
            stays = identity_of(database) == self.files[database]
            if stays and any(identity_of(one) not in (None, self.files[one]) for one in companions):
                self._abandon()
                return
            with suppress(sqlite3.Error):
                self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        super().close()

    def _abandon(self) -> None:
        """Keep the connection for as long as the process lives, and open the database no more.

        The last one to close a database empties the log by the index that it knows, and this one
        knows the wrong one. There is no other way to keep it from closing.
        """
        forsake(self.path)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))


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
        check_held(self.path)
        before = identity_of(self.path)
        connection = sqlite3.connect(
            f"{self.path.as_uri()}?mode={self.mode}",
            uri=True,
            timeout=self.busy_seconds,
            check_same_thread=False,
            # The driver must not begin transactions of its own accord: the engine says when.
            isolation_level=None,
            factory=self.files,
        )
        connection.path, connection.files = self.path, {self.path: before}
        try:
            # No file is opened before something is asked of it.
            for pragma in PRAGMAS:
                self._set(connection, pragma)
            connection.files = files_of(self.path)
            if before not in (None, connection.files[self.path]):
                raise FileMovedError(f"'{self.path}' was replaced while it was opened")
            connection.check()
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
