"""Custody: a journal as a server holds it: alone, looked over, and with its place kept outside.

A tool at the machine opens a journal and lets go of it; a server answers for it for weeks. So it
takes the lock of a SQLite file, looks whether the file is damaged before it writes to it, and holds
the end of the journal against the seal file.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import text

from houseway.journal.audit import compare, verify_end
from houseway.journal.file_connection import FileConnection, SqliteFile
from houseway.journal.floor_lock import FloorLock
from houseway.journal.mark import Mark
from houseway.journal.places import gone
from houseway.journal.seal_file import Place, SealFile, default_seals
from houseway.journal.store import BUSY_SECONDS, open_if_begun, sqlite_path, told, without_password
from houseway.refusal import Reason, Refused

LEAST_FREE = 100_000_000
"""Bytes that the disks of the journal and of its seal file need free."""
TAIL = 2_000
"""Events at the end whose chain is looked at when a server starts: more than a seal leaves out."""
ENDINGS = {
    "-wal": "its log (-wal)",
    "-shm": "the index of its log (-shm)",
    "lock": "the file that keeps other servers out (.lock)",
}
REPLACED = "something else was written over the database file, or a part of it was cut off"
THEN = "stop the server, look at the file with `houseway audit verify`, and restore a backup"
Tell = Callable[[str], None]
"""Is told what takes longer."""


class Custody:
    """What a server holds for as long as it serves a journal."""

    def __init__(
        self,
        url: str,
        *,
        seal: str | None = None,
        accept_cut: bool = False,
        tell: Tell | None = None,
    ) -> None:
        self.url = url
        self.path = sqlite_path(url)
        self.cut: str | None = None
        """What was missing at the end of the journal, where somebody has accepted that."""
        self._tell: Tell = tell or (lambda _: None)
        self._lock: FloorLock | None = None
        self._anchor: FileConnection | None = None
        self._mark: Mark | None = None
        self._seals: SealFile | None = None
        try:
            with told(url):
                if self.path is not None:
                    self._hold(self.path)
                self._look_over(_seal_path(seal, self.path), accept_cut=accept_cut)
                self._mark = self._marked()
        except BaseException:
            self.close()
            raise

    def _hold(self, path: Path) -> None:
        """Take the lock, and keep a connection: as long as there is one, SQLite keeps its files."""
        lock = FloorLock(path)
        lock.take()
        self._lock = lock
        self._anchor = SqliteFile(path, BUSY_SECONDS).connect()
        lock.record()

    def _marked(self) -> Mark | None:
        """The head of a file that was looked over, to be watched from now on."""
        if self.path is None or self._anchor is None:
            return None
        return Mark(self.path, self._anchor)

    def _look_over(self, seal: Path | None, *, accept_cut: bool) -> None:
        seals = None if seal is None else SealFile(seal)
        if self._anchor is not None:
            self._check_file(self._anchor)
        cut = self._check_end([] if seals is None else seals.places)
        if cut is None and accept_cut:
            raise Refused(
                Reason.BAD_ARGUMENT,
                "--accept-cut is given and nothing is cut off: the journal has all that the seal "
                "file knows; start without it",
            )
        if cut is not None and seals is not None:
            if not accept_cut:
                raise Refused(
                    Reason.JOURNAL_UNAVAILABLE,
                    f"the journal does not agree with seal file '{seals.path}': {cut}; find out "
                    "why, and where it is right, as after an older backup was restored, start "
                    "with --accept-cut, which is written down",
                )
            self.cut = f"{cut}; the earlier seal file is kept as {seals.set_aside().name}"
        self._seals = seals

    def _check_file(self, anchor: FileConnection) -> None:
        size = (self.path or Path()).stat().st_size
        self._tell(f"checking the database file, {size / 1e6:,.0f} MB")
        [(found,)] = anchor.execute("PRAGMA integrity_check(1)").fetchall()
        if found != "ok":
            self._damaged(f"the file is damaged: {found}")

    def _check_end(self, places: Sequence[Place]) -> str | None:
        """Look at the end of the chain; what the seal file knows and the journal does not."""
        engine = open_if_begun(self.url)
        if engine is None:
            return (
                f"event {places[-1].position} is missing: the journal is empty" if places else None
            )
        try:
            with engine.connect() as connection:
                last = connection.execute(text("SELECT MAX(position) FROM event")).scalar() or 0
                self._tell(f"checking the last of {last:,} events")
                found = verify_end(connection, TAIL)
                if found is not None:
                    self._damaged(f"{found.record} {found.problem}")
                cut = compare(connection, places)
        finally:
            engine.dispose()
        return None if cut is None else f"{cut.record} {cut.problem}"

    def _damaged(self, problem: str) -> None:
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the journal {without_password(self.url)} cannot be served: "
            f"{' '.join(problem.split())}; look at it with `houseway audit verify`, and restore a "
            "backup",
        )

    def check(self) -> None:
        """Refuse to go on when a file of the database is not the one that was opened."""
        lost = self._lock.lost() if self._lock is not None else None
        if lost is not None:
            raise Refused(
                Reason.JOURNAL_UNAVAILABLE,
                f"the journal is not available: {gone(lost)}; stop the server, which keeps what "
                "was written, see that the file is at its place, and start the server again",
            )
        if self._mark is not None and not self._mark.stays():
            raise Refused(
                Reason.JOURNAL_UNAVAILABLE, f"the journal is not available: {REPLACED}; {THEN}"
            )

    def keep(self, place: Place) -> None:
        """Write down outside how far the journal has come."""
        if self._seals is not None:
            self._seals.write(place)

    def problems(self) -> list[str]:
        """Everything that is wrong with the files now, a sentence each, without their places."""
        found = []
        lost = self._lock.lost() if self._lock is not None else None
        if lost is not None:
            what = "the database file" if lost == self.path else ENDINGS[lost.name[-4:]]
            found.append(f"{what} is gone or was replaced; stop the server and start it again")
        elif self._mark is not None and not self._mark.stays():
            found.append(f"{REPLACED}; {THEN}")
        if self._seals is not None and self._seals.problem is not None:
            found.append(f"the seal file cannot be written: {self._seals.problem}")
        disks = {
            "journal": self.path,
            "seal file": self._seals.path if self._seals is not None else None,
        }
        for what, path in disks.items():
            free = None if path is None else _free(path)
            if free is not None and free < LEAST_FREE:
                found.append(
                    f"the disk of the {what} has {free // 1_000_000} MB free; it needs "
                    f"{LEAST_FREE // 1_000_000} MB"
                )
        return found

    def close(self) -> None:
        """Let go of everything."""
        if self._seals is not None:
            self._seals.close()
        anchor, self._anchor = self._anchor, None
        if anchor is not None:
            anchor.close()
        if self._mark is not None:
            self._mark.close()
            self._mark = None
        if self._lock is not None:
            self._lock.release()


def _seal_path(asked: str | None, database: Path | None) -> Path | None:
    """Where the seal file is: as asked for, or beside a SQLite file."""
    if asked is not None:
        path = Path(asked)
        if not path.parent.is_dir() or path.is_dir():
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"seal file '{asked}' cannot be written; name a file in a folder that is there",
            )
        return path
    return None if database is None else default_seals(database)


def _free(path: Path) -> int | None:
    """Bytes that are free on the disk of a file; None where nobody can say."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return None
