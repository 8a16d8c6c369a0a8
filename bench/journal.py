"""The journal: durable START GAME transactions, beside the raw driver and with many clients."""

import os
import sqlite3
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg

from tests.databases import server
from tests.floor_room import Room

STARTS = 300
CLIENTS = 64


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


def ready(room: Room, tables: int) -> None:
    """A floor with so many tables, seven lit seats at each."""
    room.set_up(games=("three-card-poker",) * tables)
    for table in range(1, tables + 1):
        room.light(f"T{table}", *range(1, 8))


def starts(room: Room, tables: int, clients: int, rounds: int) -> float:
    """START GAME transactions a second; END GAME between them is not counted."""
    spent = 0.0
    for _ in range(rounds):
        commands = [room.command("d1", "start_game", table=f"T{n}") for n in range(1, tables + 1)]
        start = time.perf_counter()
        if clients == 1:
            for command in commands:
                room.journal.do(command)
        else:
            threads = [
                threading.Thread(target=lambda own=command: room.journal.do(own))
                for command in commands
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        spent += time.perf_counter() - start
        for table in range(1, tables + 1):
            room.do("s1", "void_game", table=f"T{table}", reason="bench")
            room.light(f"T{table}", *range(1, 8))
    return tables * rounds / spent


def raw_rate(execute: Any, commit: Any, mark: str, count: int) -> float:
    """The same statements by the driver itself: event, transfers, accounts, stream, commit."""
    body = "x" * 900
    start = time.perf_counter()
    for number in range(count):
        execute("SELECT max(position) FROM raw_event", ())
        execute(f"SELECT hash FROM raw_event WHERE hash = {mark}", (f"k{number}",))
        execute(
            f"INSERT INTO raw_event VALUES ({mark}, {mark}, {mark}, {mark})",
            (number, "table:T1", body, f"k{number}"),
        )
        for part in range(3):
            execute(
                f"INSERT INTO raw_transfer VALUES ({mark}, {mark}, {mark}, {mark}, {mark})",
                (number, part, "tray:T1", "meter:L:single", 1000),
            )
        for account in range(4):
            execute(
                f"INSERT INTO raw_account VALUES ({mark}, {mark}, {mark}) "
                "ON CONFLICT (name) DO UPDATE SET debits = excluded.debits",
                (f"a{account}", number, number),
            )
        execute(
            f"INSERT INTO raw_stream VALUES ({mark}, {mark}) "
            "ON CONFLICT (name) DO UPDATE SET state = excluded.state",
            ("table:T1", body),
        )
        commit()
    return count / (time.perf_counter() - start)


TABLES = """
CREATE TABLE raw_event (position BIGINT PRIMARY KEY, stream TEXT, body TEXT, hash TEXT UNIQUE);
CREATE TABLE raw_transfer (
  position BIGINT, part INT, debit TEXT, credit TEXT, amount BIGINT, PRIMARY KEY (position, part)
);
CREATE TABLE raw_account (name TEXT PRIMARY KEY, debits BIGINT, credits BIGINT);
CREATE TABLE raw_stream (name TEXT PRIMARY KEY, state TEXT);
""".strip().split(";\n")


def raw_sqlite(folder: str) -> float:
    connection = sqlite3.connect(f"{folder}/raw.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    for table in TABLES:
        connection.execute(table)
    connection.execute("BEGIN IMMEDIATE")

    def commit() -> None:
        connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")

    return raw_rate(connection.execute, commit, "?", STARTS)


def raw_postgresql(url: str) -> float:
    with psycopg.connect(url) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.commit()
        return raw_rate(connection.execute, connection.commit, "%s", STARTS)


def main() -> None:
    """Print rates and ratios for both databases."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        made = stack.enter_context(server())
        print(f"{'fsync of this disk':<38}{fsync_seconds(folder) * 1e3:9.3f} ms")
        for kind in ("SQLite", "PostgreSQL"):
            if kind == "SQLite":
                raw = raw_sqlite(folder)
                urls = [f"sqlite:///{folder}/{n}.sqlite" for n in (1, 2)]
            else:
                raw = raw_postgresql(made.new_database())
                urls = [made.new_database() for _ in (1, 2)]
            rates = []
            for url, tables, clients in ((urls[0], 1, 1), (urls[1], CLIENTS, CLIENTS)):
                room = Room(url)
                ready(room, tables)
                rates.append(starts(room, tables, clients, 5 if clients > 1 else 100))
                room.journal.close()
            one, many = rates
            print(
                f"{kind + ', START GAME, one client':<38}{one:9.0f} /s  raw driver {raw:9.0f} /s "
                f"{one / raw:6.2f} x (at least 0.30)"
            )
            print(
                f"{kind + ', START GAME, 64 clients':<38}{many:9.0f} /s  one client {one:9.0f} /s "
                f"{many / one:6.2f} x (at least 3)"
            )


if __name__ == "__main__":
    main()
