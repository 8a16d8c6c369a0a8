"""Floor lock: one server on a SQLite file, and which files that server has open.

The lock is the operating system's and ends with the process that holds it, so a lock file that
was left behind keeps nobody out. In it stand the files that the server has open: whoever else
wants to open the database looks there first.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from houseway.journal.places import files_of, gone, identity_of, moved, real_path
from houseway.refusal import Reason, Refused

TRIES = 50
"""How often a lock is tried for: whoever looks whether it is held has it for that moment."""
AGAIN_SECONDS = 0.005


def lock_path(path: Path) -> Path:
    """Where the lock of a database is, by whatever link the database is named."""
    real = real_path(path)
    return real.with_name(f"{real.name}.lock")


class FloorLock:
    """The lock of a SQLite file, held by the one server that serves it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.files = files_of(self.path)
        self._file: int | None = None

    def take(self) -> None:
        """Take the lock; refused when another server has it."""
        check_one_name(self.path)
        place = lock_path(self.path)
        for _ in range(TRIES):
            file = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
            if _locked(file, fcntl.LOCK_EX) and _is_at(file, place):
                self._file = file
                os.ftruncate(file, 0)
                return
            os.close(file)
            time.sleep(AGAIN_SECONDS)
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"database '{self.path}' is served by another server already; stop that one, or keep "
            "the floor on PostgreSQL, where several servers may serve it",
        )

    def record(self) -> None:
        """Write down which files are open now, for whoever looks."""
        assert self._file is not None
        self.files = files_of(self.path)
        identities = [self.files[path] for path in self.files]
        document = {"process": os.getpid(), "files": identities}
        os.pwrite(self._file, json.dumps(document).encode(), 0)
        # Whoever puts the lock away lets another server in.
        place = lock_path(self.path)
        self.files[place] = identity_of(place)

    def lost(self) -> Path | None:
        """The first file that the server has open and that is gone; None when all are there."""
        return moved(self.files)

    def release(self) -> None:
        """Let the next server in, and leave nothing behind."""
        file, self._file = self._file, None
        if file is not None:
            place = lock_path(self.path)
            # Another server's lock stays. Put away while it is locked, nobody can have taken it.
            if _is_at(file, place):
                place.unlink(missing_ok=True)
            os.close(file)


FORSAKEN: set[Path] = set()
"""Databases that this process had open with an index that is no longer the one in use."""


def forsake(path: Path) -> None:
    """Open a database no more in this process: SQLite would use the index that it still has."""
    FORSAKEN.add(real_path(path))


def check_one_name(path: Path) -> None:
    """Refuse a database that has a second name by a hard link.

    SQLite names the log by the name that it was given: by another one it makes another log, and
    what was answered from the first is written over.
    """
    with suppress(FileNotFoundError):
        found = path.stat()
        names = found.st_nlink
        # A folder has a name in each of its own; that it is none to serve is told elsewhere.
        if stat.S_ISREG(found.st_mode) and names > 1:
            raise Refused(
                Reason.JOURNAL_UNAVAILABLE,
                f"database '{path}' has {names} names (hard links), and each would get a log of "
                "its own; delete all but the one that is served, and make copies with `houseway "
                "backup`",
            )


def check_held(path: Path) -> None:
    """Refuse to open a database that a server holds when its files are not those it has open."""
    if real_path(path) in FORSAKEN:
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the journal is not available: the index of '{path}' was replaced while it was open; "
            "start this program again",
        )
    place = lock_path(path)
    with _opened(place) as file:
        if file is None or _locked(file, fcntl.LOCK_SH):
            # A server may have it open by another name.
            check_one_name(path)
            return
        said = os.pread(file, 4096, 0)
    if not said:
        # It has only begun to open the database.
        return
    document = json.loads(said)
    found = files_of(path)
    open_there = [one and tuple(one) for one in document["files"]]
    lost = moved(dict(zip(found, open_there, strict=True)))
    if lost is not None:
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"{gone(lost)}, and a server has it open: whoever opened the journal now could destroy "
            f"it; stop the server (process {document['process']}), which keeps what was written, "
            "and start it again",
        )


@contextmanager
def _opened(place: Path) -> Iterator[int | None]:
    """The lock file, opened to be looked at; None where there is none."""
    try:
        file = os.open(place, os.O_RDONLY)
    except FileNotFoundError:
        yield None
        return
    try:
        yield file
    finally:
        os.close(file)


def _locked(file: int, kind: int) -> bool:
    """Whether the lock could be taken at once."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(file: int, place: Path) -> bool:
    """Whether it is still the file at its place: the one who had it may have put it away."""
    try:
        return os.path.samestat(os.fstat(file), place.stat())
    except FileNotFoundError:
        return False
