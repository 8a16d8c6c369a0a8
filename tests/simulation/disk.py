"""Disk: the files of a simulated floor, whose statements and commits fail and whose power goes.

Faults come in below the journal, at the connection to SQLite. Where the power goes, whatever was
not yet safe on the disk is torn: each sector is the old one, the new one, or rubbish.
"""

import resource
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any

from houseway.journal.file_connection import FileConnection

NAME = "floor.sqlite"
LOG = f"{NAME}-wal"
INDEX = f"{NAME}-shm"
SECTOR = 512
FULL = 2
"""What `PRAGMA synchronous` says where a commit is on the disk before it returns."""
ERRORS = {
    "busy": ("database is locked", sqlite3.SQLITE_BUSY),
    "disk full": ("database or disk is full", sqlite3.SQLITE_FULL),
    "disk error": ("disk I/O error", sqlite3.SQLITE_IOERR),
    "commit answer lost": ("disk I/O error", sqlite3.SQLITE_IOERR),
}
PLACES = {
    "busy": ("connect", "begin", "commit"),
    "disk full": ("write", "commit"),
    "disk error": ("connect", "begin", "read", "write", "commit"),
    "commit answer lost": ("commit",),
    "connection lost": ("begin", "read", "write", "commit"),
    "short write": ("commit",),
    "process killed": ("connect", "begin", "read", "write", "commit", "close"),
    "power lost": ("connect", "begin", "read", "write", "commit", "close"),
}
"""The faults of a disk, and the operations at which each may happen."""
CRASHES = ("process killed", "power lost")
Contents = Mapping[str, bytes]


class Crash(BaseException):
    """The process ends here, or its whole machine."""


@dataclass
class Plan:
    """A fault that is to come: at the next but so many of its operations."""

    kind: str
    skip: int


class Disk:
    """The files of one floor, in a folder of their own for each life of the machine."""

    def __init__(self, folder: Path, rng: Random, start: Contents) -> None:
        self.folder = folder
        self.rng = rng
        self.lives = 0
        self.plan: Plan | None = None
        self.fired: list[str] = []
        """Faults that have happened since somebody last looked."""
        self.counts: Counter[str] = Counter()
        self.log: Callable[[str], None] = lambda text: None  # noqa: ARG005
        self.begun = 0
        """Transactions that were begun."""
        self.dead = False
        self.waits = True
        """Whether connections wait for the disk with every commit."""
        self.place = folder
        self._reader: sqlite3.Connection | None = None
        self.begin_life(start)

    def begin_life(self, contents: Contents) -> None:
        """Start a machine that finds these files."""
        self.close_reader()
        before, self.lives = self.place, self.lives + 1
        self.place = self.folder / f"life-{self.lives}"
        self.place.mkdir()
        for name, content in contents.items():
            (self.place / name).write_bytes(content)
        if before != self.folder:
            rmtree(before)
        self.safe: Contents = dict(contents)
        """What no loss of power takes away."""
        self.found: Contents = dict(contents)
        """What the next machine finds."""
        self.plan, self.dead = None, False

    @property
    def url(self) -> str:
        """The address of the floor."""
        return f"sqlite:///{self.place / NAME}"

    def files(self) -> type[FileConnection]:
        """The connections that a journal makes to these files."""
        return type("Connection", (FaultyConnection,), {"disk": self, "life": self.lives})

    def arm(self, kind: str, most: int = 12) -> None:
        """Have a fault happen soon."""
        if kind == "power lost":
            self.keep_safe()
        self.plan = Plan(kind, self.rng.randrange(most))

    def note(self, kind: str, place: str = "") -> None:
        """Count a fault that has happened."""
        self.fired.append(kind)
        self.log(f"{kind} at {place}" if place else kind)
        self.counts[kind] += 1

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What is committed, read past the journal."""
        if self._reader is None:
            uri = f"{(self.place / NAME).absolute().as_uri()}?mode=ro"
            self._reader = sqlite3.connect(uri, uri=True, timeout=0)
        return self._reader.execute(statement, values).fetchall()

    def close_reader(self) -> None:
        """Stop reading; the last connection that closes empties the log."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Somebody else holds the lock of the floor."""
        with closing(sqlite3.connect(self.place / NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                other.execute("ROLLBACK")

    # What a connection asks before and after each of its operations.

    def operate(self, connection: "FaultyConnection", place: str, do: Callable[[], Any]) -> Any:
        """Do an operation, or have it fail."""
        if self.dead or connection.life != self.lives:
            return do()
        self.begun += place == "begin"
        plan = self.plan
        if plan is None:
            return do()
        if place not in PLACES[plan.kind] or plan.skip > 0:
            plan.skip -= place in PLACES[plan.kind]
            found = do()
            if place in ("commit", "close"):
                self.keep_safe()
            return found
        self.plan = None
        return self.fail(connection, plan.kind, place, do)

    def fail(
        self, connection: "FaultyConnection", kind: str, place: str, do: Callable[[], Any]
    ) -> Any:
        """Have an operation fail."""
        if kind == "short write":
            return self.write_short(do)
        self.note(kind, place)
        after = kind == "commit answer lost" or (
            kind in (*CRASHES, "connection lost") and place == "commit" and self.rng.random() < 0.5
        )
        if after:
            do()
        match kind:
            case "connection lost":
                connection.rollback()
                sqlite3.Connection.close(connection)
                return connection.total_changes  # Which complains that it is closed.
            case "process killed":
                self.found = self.contents()
            case "power lost":
                if after:
                    self.keep_safe()
                if place in ("commit", "close") and not after:
                    # How far it got, nobody knows: anything between before and after.
                    do()
                self.found = self.torn()
            case _:
                if place in ("write", "commit") and not after and self.rng.random() < 0.5:
                    connection.rollback()  # As SQLite does of its own accord for some errors.
                words, code = ERRORS[kind]
                error = sqlite3.OperationalError(words)
                error.sqlite_errorcode = code
                raise error
        self.dead = True
        raise Crash(kind)

    def write_short(self, do: Callable[[], Any]) -> Any:
        """Let the log grow by no more than some bytes while something is done."""
        log = self.place / LOG
        size = log.stat().st_size if log.exists() else 0
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        room = size + self.rng.randrange(9000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        try:
            return do()
        except sqlite3.Error:
            self.note("short write")
            raise
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    # What is on the disk.

    def contents(self) -> Contents:
        """The files as the machine has them now."""
        return {path.name: path.read_bytes() for path in sorted(self.place.iterdir())}

    def keep_safe(self) -> None:
        """What was committed is safe, if connections wait for the disk."""
        if self.waits:
            self.safe = dict(self.contents())

    def torn(self) -> Contents:
        """What a loss of power leaves of the files."""
        now, old = dict(self.contents()), self.safe
        now.pop(INDEX, None)
        if any(name.endswith("-journal") for name in now):
            # A new file that was not yet kept with a log: as it is, or as it was.
            return self.rng.choice([now, old])
        if now.get(NAME) != old.get(NAME):
            # Pages are brought home from a log that is safe, and only then is the log let go.
            home = self.rng.random() < 0.3
            log = now.get(LOG, old.get(LOG, b""))
            pages = now[NAME] if home else self.mixed(old.get(NAME, b""), now[NAME], rubbish=False)
            if home and LOG not in now and self.rng.random() < 0.5:
                return {NAME: pages}
            return {NAME: pages, LOG: log}
        found = {NAME: now[NAME]} if NAME in now else {}
        if LOG in now:
            found[LOG] = self.cut(old.get(LOG, b""), now[LOG])
        return found

    def cut(self, old: bytes, new: bytes) -> bytes:
        """A log of which only the old part is safe."""
        match self.rng.randrange(4):
            case 0:
                return old
            case 1:
                return new
            case 2:
                # Written in order up to some byte.
                end = self.rng.randrange(len(new) + 1)
                return new[:end] + old[end:]
            case _:
                return self.mixed(old, new, rubbish=True)

    def mixed(self, old: bytes, new: bytes, *, rubbish: bool) -> bytes:
        """Sectors in any order: some are written, others are not or are rubbish."""
        parts = []
        for start in range(0, max(len(old), len(new)), SECTOR):
            was, wanted = old[start : start + SECTOR], new[start : start + SECTOR]
            if was == wanted:
                parts.append(was)
                continue
            chance = self.rng.random()
            if rubbish and chance < 0.1:
                # A write damages no bytes beside those that are written.
                pairs = enumerate(zip(was, wanted, strict=False))
                same = next((n for n, (a, b) in pairs if a != b), min(len(was), len(wanted)))
                parts.append(wanted[:same] + self.rng.randbytes(len(wanted) - same))
            elif chance < 0.6:
                parts.append(wanted)
            else:
                parts.append(was + bytes(max(0, len(wanted) - len(was))))
        return b"".join(parts)


class FaultyCursor(sqlite3.Cursor):
    """A cursor whose statements may fail."""

    connection: "FaultyConnection"

    def execute(self, statement: str, *values: Any) -> "FaultyCursor":
        place = "read" if statement.lstrip().upper().startswith(("SELECT", "PRAGMA")) else "write"
        run = super().execute
        disk, connection = self.connection.disk, self.connection
        disk.operate(connection, place, lambda: run(statement, *values))
        return self

    def executemany(self, statement: str, values: Any) -> "FaultyCursor":
        run = super().executemany
        disk, connection = self.connection.disk, self.connection
        disk.operate(connection, "write", lambda: run(statement, values))
        return self


class FaultyConnection(FileConnection):
    """A connection whose operations may fail, or be the last."""

    disk: Disk
    life: int

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        run = super().execute
        place = "begin" if statement.startswith("BEGIN") else "connect"
        found: sqlite3.Cursor = self.disk.operate(self, place, lambda: run(statement, *values))
        if "synchronous" in statement:
            [(level,)] = run("PRAGMA synchronous").fetchall()
            self.disk.waits = level >= FULL
        return found

    def cursor(self, *_: Any) -> FaultyCursor:  # type: ignore[override]
        return super().cursor(FaultyCursor)

    def commit(self) -> None:
        self.disk.operate(self, "commit", super().commit)

    def close(self) -> None:
        run = super().close
        if self.disk.dead or self.life != self.disk.lives:
            # Nobody is there any more to bring the log home.
            with suppress(sqlite3.Error):
                run()
            return
        self.disk.operate(self, "close", run)
