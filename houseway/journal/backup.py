"""Backup: a whole journal in one file that either database can be made from.

The file holds events and seals as they stand at one moment, a line each, packed, with a digest at
the end. Everything else is worked out again from the events, so that a restored floor is proved
and not only copied.
"""

import gzip
import json
import os
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert, select
from sqlalchemy.exc import OperationalError, StatementError

from houseway.journal import schema
from houseway.journal.audit import Audit, verify
from houseway.journal.event import Event, canonical
from houseway.journal.floor_lock import FloorLock
from houseway.journal.places import files_of
from houseway.journal.rebuild import every_event, keep_form
from houseway.journal.state import Model, State, stream_row
from houseway.journal.store import (
    open_store,
    open_to_read,
    sqlite_path,
    told,
    without_password,
)
from houseway.refusal import Reason, Refused

VERSION = 1
AT_ONCE = 1000
LONGEST_LINE = 1 << 24
"""A line that does not end is not read into memory."""
KINDS = {
    "event": [int, str, int, str, int, str, int, str, str, str, str, str],
    "seal": [int, int, str, str, str, str],
}
WRONG = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    zlib.error,
)
"""What content that nobody's backup has may lead to, in reading it and in working it out."""


def write_backup(url: str, path: Path) -> int:
    """Write a journal to a file, also while others write to it; returns how many events."""
    if path.exists():
        raise Refused(Reason.BAD_ARGUMENT, f"file '{path}' is there already; name a new one")
    engine = open_to_read(url)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    digest, count = sha256(), 0
    try:
        with gzip.open(beside, "wb") as file, closing(_content(engine, url)) as content:
            for kind, line in content:
                data = f"{line}\n".encode()
                digest.update(data)
                file.write(data)
                count += kind == "event"
            file.write(f"{canonical({'sha256': digest.hexdigest()})}\n".encode())
        with beside.open("rb") as written:
            os.fsync(written.fileno())
        beside.replace(path)
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"file '{path}' cannot be written: {error.strerror}"
        ) from None
    except TypeError:
        # A damaged record may hold what is no text and no number.
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the journal {without_password(url)} has a record that cannot be read; look at it "
            "with `houseway audit verify`",
        ) from None
    finally:
        beside.unlink(missing_ok=True)
        engine.dispose()
    return count


def _content(engine: Engine, url: str) -> Generator[tuple[str, str], None, None]:
    """The lines of a backup, each with its kind.

    What the database complains of is told here; what the file does is for whoever writes it.
    """
    yield "head", canonical({"houseway_backup": VERSION})
    with told(url), engine.connect() as connection:
        for event in every_event(connection):
            yield "event", canonical(["event", *event])
        for seal in connection.execute(select(schema.seal).order_by(schema.seal.c.number)):
            yield "seal", canonical(["seal", *seal])


def restore_backup(url: str, path: Path, model: Model) -> Audit:
    """Make a journal from a file in a database that has none, and audit it.

    Refused when the file is torn, the database is not empty or is served, or what comes out does
    not hold; then a database file that was not there before is not left behind.
    """
    _check_digest(path)
    with _own_file(url):
        engine = open_store(url)
        try:
            with (
                told(url),
                engine.connect().execution_options(writes=True) as connection,
                connection.begin(),
            ):
                if connection.execute(select(schema.event.c.position).limit(1)).first():
                    raise Refused(
                        Reason.BAD_ARGUMENT,
                        f"database {without_password(url)} holds a journal; restore to an empty "
                        "one",
                    )
                with _understood(path):
                    _fill(connection, path, model)
                keep_form(connection, model)
                audit = verify(connection)
                if audit.finding is not None:
                    raise Refused(
                        Reason.BAD_ARGUMENT,
                        f"the backup '{path}' does not hold: {audit.finding.record} "
                        f"{audit.finding.problem}; nothing was restored",
                    )
        finally:
            engine.dispose()
    return audit


@contextmanager
def _own_file(url: str) -> Iterator[None]:
    """Keep servers off a SQLite file, and put it away again when it was made for nothing."""
    database = sqlite_path(url)
    if database is None:
        yield
        return
    there = database.exists()
    lock = FloorLock(database)
    with told(url):
        lock.take()
    try:
        yield
    except BaseException:
        if not there:
            for made in files_of(database):
                made.unlink(missing_ok=True)
        raise
    finally:
        lock.release()


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    """Turn whatever a content that nobody's backup has leads to into one sentence."""
    try:
        yield
    except OperationalError:
        # It is the database that cannot, and not the file.
        raise
    except (*WRONG, StatementError) as error:
        words = " ".join(str(getattr(error, "orig", None) or error).split())[:120]
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the backup '{path}' cannot be understood ({type(error).__name__}: {words}); nothing "
            "was restored; use another copy",
        ) from None


def _fill(connection: Connection, path: Path, model: Model) -> None:
    """Write the events and seals of a file, and what follows from them."""
    state = State()
    rows: dict[str, list[dict[str, Any]]] = {"event": [], "seal": [], "transfer": []}
    for kind, values in _lines(path):
        if kind == "event":
            event = Event(*values)
            state.take(event, model)
            rows["event"].append(event._asdict())
            rows["transfer"] += [
                {"position": event.position, "part": n, **moved._asdict()}
                for n, moved in enumerate(event.transfers)
            ]
        else:
            rows["seal"].append(_named(schema.seal, values))
        if len(rows["event"]) >= AT_ONCE:
            _insert(connection, rows)
    rows["account"] = [
        {"name": name, **balance._asdict()} for name, balance in state.accounts.items()
    ]
    rows["stream"] = [
        _named(schema.stream, stream_row(state, model, name)) for name in state.streams
    ]
    _insert(connection, rows)


def _named(table: Table, values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip((column.name for column in table.columns), values, strict=True))


def _insert(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    for name, found in rows.items():
        if found:
            connection.execute(insert(schema.metadata.tables[name]), found)
            found.clear()


def _torn(path: Path) -> Refused:
    return Refused(
        Reason.BAD_ARGUMENT, f"file '{path}' is no backup, or it is torn; use another copy"
    )


def _check_digest(path: Path) -> None:
    """Refuse a file that is not whole."""
    digest, last = sha256(), b""
    if path.exists() and not path.is_file():
        # A device or a pipe may never end.
        raise _torn(path)
    try:
        with gzip.open(path, "rb") as file:
            while line := file.readline(LONGEST_LINE):
                digest.update(last)
                last = line
        said = json.loads(last)
    except FileNotFoundError:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"file '{path}' is not there; name one that `houseway backup` wrote",
        ) from None
    except (OSError, *WRONG):
        raise _torn(path) from None
    if not isinstance(said, dict) or said.get("sha256") != digest.hexdigest():
        raise _torn(path)


def _lines(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """The events and seals of a file, each of which is made of what such a record is made of."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        head = json.loads(file.readline(LONGEST_LINE))
        version = head.get("houseway_backup") if isinstance(head, dict) else head
        if version != VERSION:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"backup '{path}' is of version {str(version)[:40]!r}; this program reads version "
                f"{VERSION}",
            )
        number = 1
        while line := file.readline(LONGEST_LINE):
            number += 1
            found = json.loads(line)
            if isinstance(found, dict):
                # The digest, which ends the file.
                continue
            kind, *values = found if isinstance(found, list) and found else [None]
            if not isinstance(kind, str) or [type(value) for value in values] != KINDS.get(kind):
                raise ValueError(f"line {number} is no event and no seal")
            yield kind, values
