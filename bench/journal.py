"""The journal: durable START GAME transactions beside the raw driver, many clients, two processes.

What is compared is done in turn, a little of each at a time, so that both have the same disk.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.clients import CENTS, Clients, clients
from houseway.floor.model import FloorModel
from houseway.house.meters import MICROCENTS
from houseway.journal.store import LOCK, open_store
from tests.floor.room import SETTINGS, Room
from tests.journal.bank import look, sound
from tests.journal.databases import server

TURNS = 15
STARTS = 30
"""START GAME transactions of one client in a turn."""
CLIENTS = 64
ROUNDS = 3
"""Rounds of each table in a turn of several processes: ten commands in each."""


def fsync_seconds(folder: str) -> float:
    """How long the disk takes to make a small write safe."""
    path = Path(folder) / "fsync"
    taken = []
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 4096)
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    return sorted(taken)[len(taken) // 2]


# One client, and many.


class Floor:
    """A floor on which every table has seven lit seats at START GAME; then its round is void."""

    def __init__(self, url: str, tables: int) -> None:
        self.room = Room(url)
        self.tables = [f"T{number}" for number in range(1, tables + 1)]
        self.room.set_up(games=("three-card-poker",) * tables)

    def starts(self, rounds: int) -> float:
        """Seconds for START GAME at every table so often; what comes between is not counted.

        Each table waits for its own answer, as the server does: all are under way at once.
        """
        spent = 0.0
        for _ in range(rounds):
            self.everywhere("d1", "open_round", {})
            self.everywhere("d1", "round", *BETS, {"text": "no more bets"})
            commands = [
                self.room.command("d1", "round", table=table, text="start game")
                for table in self.tables
            ]
            start = time.perf_counter()
            for answer in [self.room.journal.submit(command) for command in commands]:
                answer.result()
            spent += time.perf_counter() - start
            self.everywhere("s1", "round", {"text": "void ruling: only the start is measured"})
        return spent

    def everywhere(self, card: str, name: str, *arguments: dict[str, Any]) -> None:
        futures = [
            self.room.journal.submit(self.room.command(card, name, table=table, **given))
            for table in self.tables
            for given in arguments
        ]
        for future in futures:
            future.result()

    def close(self) -> None:
        self.room.journal.close()


BETS = [{"text": f"bets {p}: ante 5, progressive {CENTS / 100:.2f}"} for p in range(1, 8)]


# The same by the driver itself.


class Raw:
    """The rows of a START GAME, written to the same tables by somebody who is in no doubt."""

    def __init__(self, connection: Any, mark: str, begin: Callable[[Any], object]) -> None:
        self.connection = connection
        self.cursor = connection.cursor()
        self.begin = begin
        self.number = 0
        self.news = f"SELECT * FROM event WHERE position >= {mark} ORDER BY position"
        self.known = f"SELECT key, body FROM event WHERE key = {mark} AND part = 0"
        self.event = f"INSERT INTO event VALUES ({', '.join([mark] * 12)})"
        self.transfer = f"INSERT INTO transfer VALUES ({', '.join([mark] * 5)})"
        self.account = (
            f"INSERT INTO account VALUES ({mark}, {mark}, {mark}) ON CONFLICT (name) "
            "DO UPDATE SET debits = excluded.debits, credits = excluded.credits"
        )
        self.stream = (
            f"INSERT INTO stream VALUES ({mark}, {mark}, {mark}, {mark}) ON CONFLICT (name) "
            "DO UPDATE SET version = excluded.version, hash = excluded.hash, state = excluded.state"
        )

    def starts(self, count: int) -> float:
        """Seconds for so many transactions."""
        start = time.perf_counter()
        for _ in range(count):
            self.transact()
        return time.perf_counter() - start

    def transact(self) -> None:
        number, key, hash_ = self.number + 1, f"key {self.number}", "0" * 64
        at, state = "2026-01-01T00:00:00.000000+00:00", "x" * 1000
        execute = self.cursor.execute
        self.begin(execute)
        execute(self.news, (self.number,)).fetchall()
        execute(self.known, (key,)).fetchall()
        # The line of the round, and what the ledger took.
        for part, body in enumerate(("x" * 330, "x" * 280)):
            place = number + part
            execute(
                self.event,
                (place, "table:T1", place, "start", 1, key, part, "d1", at, body, hash_, hash_),
            )
        number += 1
        moved = [(number, part, "tray:T1", f"account {part}", 1000) for part in range(3)]
        self.cursor.executemany(self.transfer, moved)
        sides = [(f"account {name}", number, number) for name in range(4)]
        self.cursor.executemany(self.account, sides)
        execute(self.stream, ("table:T1", number, hash_, state))
        self.connection.commit()
        self.number = number


def raw_sqlite(url: str) -> Raw:
    open_store(url).dispose()
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    return Raw(connection, "?", lambda execute: execute("BEGIN IMMEDIATE"))


def raw_postgresql(url: str) -> Raw:
    open_store(url).dispose()
    # The driver begins by itself, and prepares what it is given more than a few times.
    lock = f"SELECT pg_advisory_xact_lock({LOCK})"
    return Raw(psycopg.connect(url), "%s", lambda execute: execute(lock))


def compare(kind: str, new_url: Callable[[], str], raw: Raw) -> None:
    """Print the rates of the raw driver, of one client and of many."""
    one, many = Floor(new_url(), 1), Floor(new_url(), CLIENTS)
    raw_rate, one_rate, many_rate = rates(
        (STARTS, lambda: raw.starts(STARTS)),
        (STARTS, lambda: one.starts(STARTS)),
        (CLIENTS, lambda: many.starts(1)),
    )
    one.close()
    many.close()
    raw.connection.close()
    show(f"{kind}, one client", one_rate, "raw driver", raw_rate, "at least 0.30")
    show(f"{kind}, {CLIENTS} clients", many_rate, "one client", one_rate, "at least 3")


def rates(*compared: tuple[int, Callable[[], float]]) -> list[float]:
    """How many a second each does, by its middle turn: one slow moment of the disk is no matter."""
    seconds: list[list[float]] = [[] for _ in compared]
    for _ in range(TURNS):
        for (_, work), taken in zip(compared, seconds, strict=True):
            taken.append(work())
    return [count / median(taken) for (count, _), taken in zip(compared, seconds, strict=True)]


def show(what: str, ours: float, other: str, theirs: float, target: str) -> None:
    print(
        f"{what:<38}{ours:9.0f} /s  {other:<12}{theirs:9.0f} /s {ours / theirs:6.2f} x ({target})"
    )


# Several processes on one meter.


def several(url: str) -> None:
    """Print the rate of two processes beside that of one, all on one meter of one floor."""
    room = Room(url)
    room.set_up(games=("three-card-poker",) * CLIENTS)
    room.journal.close()
    half = CLIENTS // 2
    with ExitStack() as stack:
        started = [
            stack.enter_context(clients(url, first, last))
            for first, last in ((1, CLIENTS), (1, half), (half + 1, CLIENTS))
        ]
        played = ROUNDS * CLIENTS
        one, two = rates(
            (played, lambda: together(started[:1])), (played, lambda: together(started[1:]))
        )
    show("PostgreSQL, two processes, one meter", two, "one process", one, "at least 0.80")
    check(url, rounds=2 * TURNS * ROUNDS * CLIENTS)


def together(working: list[Clients]) -> float:
    """Seconds until all clients of these processes have played their rounds."""
    start = time.perf_counter()
    for process in working:
        process.play(ROUNDS)
    for process in working:
        process.wait()
    return time.perf_counter() - start


def check(url: str, rounds: int) -> None:
    """Every round that was played is there, and the meter is what came in."""
    sound(url, FloorModel())
    [(found,)] = look(url, "SELECT count(*) FROM event WHERE kind = 'game_started'")
    assert found == rounds, (found, rounds)
    [(meter,)] = look(url, "SELECT credits - debits FROM account WHERE name = 'meter:L:single'")
    seeded = SETTINGS["meter_seed_cents"] * MICROCENTS
    assert meter == seeded + rounds * CENTS * SETTINGS["contribution_ppm"], meter
    print(f"{'  nothing lost':<38}{rounds:9,} rounds, and the meter holds what they put in")


def main() -> None:
    """Print rates and ratios for both databases."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        made = stack.enter_context(server())
        print(f"{'fsync of this disk':<38}{fsync_seconds(folder) * 1e3:9.3f} ms")
        files = iter(f"sqlite:///{folder}/{number}.sqlite" for number in range(9))
        compare("SQLite", lambda: next(files), raw_sqlite(next(files)))
        compare("PostgreSQL", made.new_database, raw_postgresql(made.new_database()))
        several(made.new_database())


if __name__ == "__main__":
    main()
