"""Clients of a floor in a process of their own: `python -m bench.clients URL FIRST LAST`.

There is one client for each table from FIRST to LAST. For each line it reads, a number of rounds,
every client plays so many with one lit seat that wins nothing; then the process answers with a
line.
"""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.floor.room import Room

CENTS = 100
"""The wager of a seat."""


def rounds(room: Room, table: str, count: int) -> None:
    for _ in range(count):
        room.quiet_round(table, 1, cents=CENTS)


def main(url: str, first: int, last: int) -> None:
    room = Room(url)
    tables = [f"T{number}" for number in range(first, last + 1)]
    with ThreadPoolExecutor(len(tables)) as pool:
        while line := sys.stdin.readline():
            list(pool.map(lambda table, count=int(line): rounds(room, table, count), tables))
            print("played", flush=True)
    room.journal.close()


class Clients:
    """Such a process, as whoever started it sees it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def play(self, count: int) -> None:
        """Let every client play so many rounds."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()

    def wait(self) -> None:
        """Wait until they have."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "played\n"


@contextmanager
def clients(url: str, first: int, last: int) -> Iterator[Clients]:
    """Clients for as long as they are needed."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.clients", url, str(first), str(last)],
        cwd=Path(__file__).parent.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Clients(process)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
