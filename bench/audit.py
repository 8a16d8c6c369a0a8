"""The audit of a long journal: its time and memory beside those of a shorter one.

The journal is written at once, without the writer: rounds of real tables are copied with places,
keys and times of their own, and every hash, seal and balance is made as the description has it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import text

from houseway.journal.event import Event, chained
from houseway.journal.journal import events, heads_digest
from houseway.journal.state import Head
from houseway.journal.store import make_engine, open_to_read, read_url
from tests.floor.room import Room

TABLES = 40
SEAL_EVERY = 1000
SHORT = 200_000
LONG = 5 * SHORT


def template(url: str) -> list[list[Event]]:
    """A floor as it is furnished, and the events of a round of each of its tables."""
    room = Room(url)
    room.set_up(games=("three-card-poker",) * TABLES)
    rounds = []
    for number in range(1, TABLES + 1):
        before = room.state.position
        room.quiet_round(f"T{number}", 1, 2)
        with room.journal.engine.connect() as connection:
            rounds.append(list(events(connection, after=before)))
    room.journal.close()
    return rounds


def lengthen(url: str, upto: int) -> None:
    """Write rounds to a journal until it has so many events."""
    rounds = template(url)
    engine = make_engine(read_url(url))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for index in ("event_kind", "event_actor", "transfer_debit", "transfer_credit"):
            connection.execute(text(f"DROP INDEX {index}"))
        _fill(connection, rounds, upto)
        for table, columns in (("event", ("kind", "actor")), ("transfer", ("debit", "credit"))):
            for column in columns:
                more = ", position" if table == "event" else ""
                made = f"CREATE INDEX {table}_{column} ON {table} ({column}{more})"
                connection.execute(text(made))
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()


def _fill(connection: Any, rounds: list[list[Event]], upto: int) -> None:
    driver = connection.connection.dbapi_connection
    heads = {n: Head(v, h) for n, v, h in driver.execute("SELECT name, version, hash FROM stream")}
    sides = {n: [d, c] for n, d, c in driver.execute("SELECT name, debits, credits FROM account")}
    place, at = driver.execute("SELECT max(position), max(at) FROM event").fetchone()
    seals = driver.execute("SELECT max(number), max(position) FROM seal").fetchone()
    [(seal_hash,)] = driver.execute("SELECT hash FROM seal WHERE number = ?", seals[:1])
    number, _ = seals
    moved = [(e, [tuple(t) for t in e.transfers]) for found in rounds for e in found]
    made = _copies(moved, place, datetime.fromisoformat(at), heads)
    while place < upto:
        some = list(islice(made, min(SEAL_EVERY, upto - place)))
        transfers, written = [], []
        for event, listed in some:
            for part, (debit, credit, amount) in enumerate(listed):
                transfers.append((event[0], part, debit, credit, amount))
                sides[debit][0] += amount
                sides[credit][1] += amount
            written.append(event)
        driver.executemany(f"INSERT INTO event VALUES ({', '.join('?' * 12)})", written)
        driver.executemany("INSERT INTO transfer VALUES (?, ?, ?, ?, ?)", transfers)
        place = written[-1][0]
        # The heads are those of the last event that was made, which is the last one here.
        number += 1
        fields = (number, place, written[-1][8], heads_digest(heads))
        row = (*fields, seal_hash, chained(seal_hash, fields))
        driver.execute("INSERT INTO seal VALUES (?, ?, ?, ?, ?, ?)", row)
        seal_hash = row[-1]
    driver.executemany(
        "UPDATE stream SET version = ?, hash = ? WHERE name = ?",
        [(*head, name) for name, head in heads.items()],
    )
    driver.executemany(
        "UPDATE account SET debits = ?, credits = ? WHERE name = ?",
        [(*side, name) for name, side in sides.items()],
    )


def _copies(
    moved: list[tuple[Event, list[Any]]], place: int, at: datetime, heads: dict[str, Head]
) -> Iterator[tuple[Any, list[Any]]]:
    """Endless rounds, each event in the place that comes next."""
    turn = 0
    while True:
        turn += 1
        at += timedelta(seconds=60)
        now = at.isoformat(timespec="microseconds")
        for event, listed in moved:
            place += 1
            head = heads[event.stream]
            key = f"{event.key}-{turn}"
            fields = (place, event.stream, head.version + 1, event.kind, event.schema, key,
                      event.part, event.actor, now, event.body)  # fmt: skip
            made = chained(head.hash, fields)
            heads[event.stream] = Head(head.version + 1, made)
            yield (*fields, head.hash, made), listed


def measured(url: str) -> dict[str, Any]:
    """Measures an audit in a process of its own: its finding, seconds, and megabytes at most."""
    code = "import sys; from bench.audit import in_process; in_process(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, url], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_process(url: str) -> None:
    """Audit a journal and print what that took."""
    from houseway.floor.invariants import verify_floor

    began = time.perf_counter()
    engine = open_to_read(url)
    with engine.connect() as connection:
        audit = verify_floor(connection, url=url)
    engine.dispose()
    seconds = time.perf_counter() - began
    own, workers = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        json.dumps(
            {
                "events": audit.events,
                "holds": audit.holds,
                "finding": str(audit.finding),
                "seconds": round(seconds, 1),
                "cpu": round(sum(u.ru_utime + u.ru_stime for u in (own, workers)), 1),
                "mb": own.ru_maxrss // 1024,
                "worker_mb": workers.ru_maxrss // 1024,
            }
        )
    )


def main() -> None:
    """Print what audits of a short and a long journal take."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--events", type=int, default=LONG)
    asked.add_argument("--database", default="")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for count in (SHORT, given.events):
            url = f"sqlite:///{folder}/{count}.sqlite"
            lengthen(url, count)
            found.append(measured(url))
            print(found[-1])
        short, long = found
        rate = (long["events"] / long["seconds"]) / (short["events"] / short["seconds"])
        print(f"{'memory, long beside short':<38}{long['mb'] / short['mb']:6.2f} x (at most 1.2)")
        print(f"{'events a second, long beside short':<38}{rate:6.2f} x (at least 0.8)")


if __name__ == "__main__":
    main()
