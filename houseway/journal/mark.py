"""Mark: what the head of a database file says, to notice that another content was put into it.

A copy that is written over an open file leaves the file the same file. So a server gives its file
a number of its own, and looks at its head before every commit: the number stays, and the count of
changes and the size only grow.
"""

import os
import secrets
from pathlib import Path
from typing import NamedTuple

from houseway.journal.file_connection import FileConnection

HEAD = 100
MAGIC = b"SQLite format 3\0"
LARGEST = 2**31 - 1


class Head(NamedTuple):
    """The head of a file."""

    number: int
    """The number that a server has given it (`PRAGMA user_version`); 0 for none."""
    changes: int
    size: int


class Mark:
    """The head of a file that is open.

    The file is kept open until every connection of the process is closed: the system takes all
    locks of a process off a file when the process closes it once.
    """

    def __init__(self, path: Path, anchor: FileConnection) -> None:
        [(number,)] = anchor.execute("PRAGMA user_version").fetchall()
        if not number:
            number = 1 + secrets.randbelow(LARGEST)
            anchor.execute(f"PRAGMA user_version = {number}")
            # Somebody who reads may keep the log from being emptied, which then happens later.
            anchor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._number = number
        self._file = os.open(path, os.O_RDONLY)
        self._last = self._head()

    def stays(self) -> bool:
        """False once something else is in the file, or less than before."""
        now, last = self._head(), self._last
        if now is None or last is None:
            return False
        same = now.number == self._number or now.number == last.number != self._number
        if not same or now.changes < last.changes or now.size < last.size:
            return False
        self._last = now
        return True

    def _head(self) -> Head | None:
        """The head of the file; None where it is none of a database."""
        found = os.pread(self._file, HEAD, 0)
        if len(found) < HEAD or not found.startswith(MAGIC):
            return None
        return Head(_number(found, 60), _number(found, 24), os.fstat(self._file).st_size)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def _number(head: bytes, place: int) -> int:
    return int.from_bytes(head[place : place + 4], "big")
