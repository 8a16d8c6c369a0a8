"""Seal file: how far a journal had come, kept outside of it after every commit.

A line says the position and hash of the newest event and the number and hash of the last seal. A
journal whose end was cut off, or that was made anew, does not agree with it. It is no part of any
transaction: a line that cannot be written stops no command, and is told.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from houseway.journal.places import real_path
from houseway.journal.store import sqlite_path
from houseway.refusal import Reason, Refused

LARGEST = 512 * 1024
"""Bytes after which a file is written anew with what is still needed."""


class Place(NamedTuple):
    """How far a journal had come."""

    position: int
    """The newest event."""
    hash: str
    seal: int
    """The last seal; 0 before the first."""
    seal_hash: str
    at: str
    """When the event was written."""


def default_seals(database: Path) -> Path:
    """Where the seal file of a SQLite database is, unless somebody says otherwise."""
    real = real_path(database)
    return real.with_name(f"{real.name}.seals")


class SealFile:
    """The seal file of one open journal."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.problem: str | None = None
        """Why the last line could not be written."""
        self.places = read_places(self.path) if self.path.exists() else []
        """Those that are compared: of each commit since the last seal."""
        self._file: int | None = None
        self._size = 0

    def write(self, place: Place) -> None:
        """Write a line, where it says anything new; what goes wrong is kept as the problem."""
        if self._file is not None and self.places and self.places[-1] == place:
            return
        if self.places and self.places[-1].seal != place.seal:
            # A seal covers what came before it.
            self.places = self.places[-1:]
        self.places.append(place)
        try:
            self._append(place)
        except OSError as error:
            self.problem = error.strerror or str(error)
            self.close()
        else:
            self.problem = None

    def _append(self, place: Place) -> None:
        line = _line(place)
        gone = self._file is None or not self._is_at_its_place()
        if gone or self._size + len(line) > LARGEST:
            self._renew()
            return
        assert self._file is not None
        if os.write(self._file, line) < len(line):
            raise OSError(0, "a line was written in part")
        self._size += len(line)

    def _renew(self) -> None:
        """Put a file in its place with the lines that are compared, in one step."""
        self.close()
        content = b"".join(map(_line, self.places))
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        self._size = len(content)

    def _is_at_its_place(self) -> bool:
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False

    def set_aside(self) -> Path:
        """Keep the file under another name, and begin anew; returns where it is kept."""
        self.close()
        kept = next(path for path in _numbered(self.path) if not path.exists())
        self.path.rename(kept)
        self.places = []
        return kept

    def close(self) -> None:
        """Let go of the file."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def read_places(path: Path) -> list[Place]:
    """The places of a file since its last seal, in order; refused where it is no seal file."""
    if path.exists() and not path.is_file():
        # A device or a pipe may never end.
        raise Refused(Reason.BAD_ARGUMENT, f"seal file '{path}' cannot be read: it is no file")
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"seal file '{path}' cannot be read: {error.strerror}"
        ) from None
    if lines and not lines[-1].endswith(b"\n"):
        # The machine stopped while it was written.
        lines.pop()
    try:
        places = [_place(line) for line in lines]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"file '{path}' is no seal file; name the one that the server of this journal writes",
        ) from None
    return _compared(places)


def known_places(url: str, asked: str | None) -> list[Place] | None:
    """The places of the seal file that is named, or of the one beside a SQLite file."""
    if asked is not None:
        return read_places(Path(asked))
    database = sqlite_path(url)
    beside = None if database is None else default_seals(database)
    return read_places(beside) if beside is not None and beside.exists() else None


def _compared(places: Sequence[Place]) -> list[Place]:
    """What is to be compared: the places since the last seal, and the one before it."""
    if not places:
        return []
    since = next(n for n, place in enumerate(places) if place.seal == places[-1].seal)
    return list(places[max(0, since - 1) :])


KINDS = [int, str, int, str, str]


def _place(line: bytes) -> Place:
    found = json.loads(line)
    place = Place(**found)
    if [type(value) for value in place] != KINDS:
        raise ValueError(found)
    return place


def _line(place: Place) -> bytes:
    return _LINE.encode(place._asdict()).encode() + b"\n"


_LINE = json.JSONEncoder(separators=(",", ":"))


def _numbered(path: Path) -> Iterator[Path]:
    number = 0
    while True:
        number += 1
        yield path.with_name(f"{path.name}.{number}")
