"""The books of a month: a journal of a million events, reported on SQLite and on PostgreSQL.

The journal is generated: a round of a real table, written by the program, is copied with numbers
and times of its own, so what is read has the shape and the size of what is written. Its hashes are
not, so it is good for reading only. Each report runs in a process of its own, whose memory is told.
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
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert, text

from houseway.floor.model import FloorModel
from houseway.floor.statement import make_period, statement
from houseway.journal import schema
from houseway.journal.event import Command, Event
from houseway.journal.journal import Journal, events
from houseway.journal.store import open_store, open_to_read
from houseway.live.commands import LoadShuffle
from houseway.live.shuffler import make_shuffle
from houseway.live.text import command_text
from tests.journal.databases import server as new_server
from tests.server.serving import DATE, furnish

TABLES, DAYS = 200, 30
MOST_SECONDS, MOST_MB = 10.0, 1024
FIRST = datetime.fromisoformat("2026-10-01T08:00:00+00:00")
ROUND = (
    "bets 1 by Robin: ante 10, pair-plus 5",
    "bets 2 by Kim: ante 15",
    "no more bets",
    "deliver",
    "decide 1: play",
    "decide 2: play",
    "reveal dealer",
    "reconcile",
    "close",
)
REPORTS = ("master", "play", "pace", "slips", "voids", "shuffler", "coin-in", "progressive")


def one_day(url: str) -> tuple[list[Event], list[Event]]:
    """A floor as it is furnished, and the events of a table's day with a round in it."""
    furnish(url)
    with Journal(url, FloorModel()) as journal:
        numbers = iter(range(10**6))

        def do(actor: str, name: str, /, **given: Any) -> Any:
            signed = {"pin_held": True, "second_pin_held": True}
            key = f"bench-{next(numbers)}"
            arguments = {**signed, **given}
            return journal.do(Command(name=name, arguments=arguments, actor=actor, key=key))

        with journal.engine.connect() as connection:
            before = len(events(connection))
        do("a1", "make_table", table="N", game="three-card-poker")
        do("a1", "join_link", table="N", link="Royal", date=DATE)
        count = {"count": {"500": 400}, "total_cents": 200_000}
        do("s1", "count_opener", table="N", second="d1", **count)
        do("d1", "open_round", table="N")
        deck = command_text(LoadShuffle(make_shuffle(Random(1), 3)))
        for line in ROUND:
            if line == "deliver":
                do("d1", "round", table="N", text=deck, from_shuffler=True)
            do("d1", "round", table="N", text=line)
        slip = do("s1", "request_slip", table="N", kind="fill", **count)["slip"]
        do("c1", "send_slip", slip=slip)
        do("s1", "receive_slip", slip=slip, second="d1")
        do("s1", "drop_box", table="N", second="v1")
        do("c1", "count_drop", box=1, second="u1", **count)
        do("s1", "count_closer", table="N", second="d1", **count)
        with journal.engine.connect() as connection:
            found = list(events(connection))
    return found[:before], found[before:]


def generated(day: list[Event], begin: int, wanted: int) -> Iterator[dict[str, Any]]:
    """The events of a month at many tables, as rows, in order of time."""
    made = [event for event in day if event.kind in ("table_made", "link_joined", "table_joined")]
    opening = [e for e in day if e.kind == "tray_opened"]
    ending = [e for e in day if e.stream.startswith(("tray:", "floor:")) and e not in opening]
    played = [e for e in day if e not in made and e not in opening and e not in ending]
    position = begin
    versions: dict[str, int] = {}

    def row(event: Event, table: str, at: datetime, number: int, session: int) -> dict[str, Any]:
        nonlocal position
        position += 1
        stream = event.stream.replace(":N", f":{table}")
        versions[stream] = versions.get(stream, 0) + 1
        body = json.loads(event.body)
        data = body["data"]
        if data.get("table") == "N":
            data["table"] = table
        if data.get("name") == "N":
            data["name"] = table
        if "number" in data:
            data["number"] = number
        if "opened_at" in data:
            data["opened_at"] = (at - timedelta(seconds=70)).isoformat(timespec="microseconds")
        for name in ("slip", "box"):
            if name in data:
                data[name] = number
        if "session" in data:
            data["session"] = session
        return {
            **event._asdict(),
            "position": position,
            "stream": stream,
            "version": 10**6 + versions[stream],
            "key": f"made-{position}",
            "part": 0,
            "at": at.isoformat(timespec="microseconds"),
            "body": json.dumps(body, separators=(",", ":")),
        }

    tables = [f"N{number:03d}" for number in range(TABLES)]
    for table in tables:
        for event in made:
            yield row(event, table, FIRST, 0, 0)
    rounds = max(1, (wanted - 14 * TABLES * DAYS) // (len(played) * TABLES * DAYS))
    slip = 0
    for day_number in range(DAYS):
        start = FIRST + timedelta(days=day_number)
        for table in tables:
            for event in opening:
                yield row(event, table, start, 0, day_number + 1)
        for number in range(rounds):
            at = start + timedelta(minutes=1 + number)
            for table in tables:
                for event in played:
                    yield row(event, table, at, day_number * rounds + number + 1, 0)
        for table in tables:
            slip += 1
            for event in ending:
                yield row(event, table, start + timedelta(hours=15), slip, day_number + 1)


def fill(url: str, wanted: int) -> int:
    """Generate the journal; how many events it has."""
    before, day = one_day(url)
    engine = open_store(url)
    rows = generated(day, len(before) + len(day), wanted)
    total = 0
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        # The table's one real day lies after the others, and would stand in their way.
        connection.execute(text("DELETE FROM event WHERE position > :n"), {"n": len(before)})
        connection.execute(
            text("UPDATE event SET at = :at"), {"at": FIRST.isoformat(timespec="microseconds")}
        )
        batch = []
        for row in rows:
            # Without gaps, as a journal is.
            row["position"] -= len(day)
            batch.append(row)
            total += 1
            if len(batch) == 20_000:
                connection.execute(insert(schema.event), batch)
                batch = []
        if batch:
            connection.execute(insert(schema.event), batch)
    engine.dispose()
    return total


def report(url: str, name: str) -> dict[str, Any]:
    """One report of the month, in this process: seconds, rows and memory."""
    engine = open_to_read(url)
    began = time.perf_counter()
    last = (FIRST + timedelta(days=DAYS - 1)).date().isoformat()
    period = make_period(FIRST.date().isoformat(), last, "", "", "2026-12-31")
    with engine.connect() as connection:
        found = statement(connection, name, period)
    seconds = time.perf_counter() - began
    engine.dispose()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "rows": len(found.rows), "mb": peak, "totals": found.totals}


def measure(url: str, kind: str, wanted: int) -> bool:
    """Fill a database, report from it, and say what it took."""
    began = time.perf_counter()
    total = fill(url, wanted)
    print(
        f"{kind}: {total:,} events of {TABLES} tables in {DAYS} days, made in "
        f"{time.perf_counter() - began:.0f} s"
    )
    good = True
    for name in REPORTS:
        done = subprocess.run(
            [sys.executable, "-m", "bench.books", "--report", name, "--url", url],
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout)
        fits = found["seconds"] < MOST_SECONDS and found["mb"] < MOST_MB
        good &= fits
        print(
            f"  {name:12} {found['seconds']:6.2f} s  {found['rows']:8,} rows  {found['mb']:5.0f} MB"
        )
    return good


def main() -> int:
    """Measure on both databases, or make one report where that is asked for."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--events", type=int, default=1_200_000)
    reader.add_argument("--report")
    reader.add_argument("--url")
    given = reader.parse_args()
    if given.report:
        print(json.dumps(report(given.url, given.report)))
        return 0
    good = True
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as folder:
        good &= measure(f"sqlite:///{Path(folder) / 'books.sqlite'}", "SQLite", given.events)
    with new_server() as server:
        good &= measure(server.new_database(), "PostgreSQL", given.events)
    print(f"bounds: a report under {MOST_SECONDS:.0f} s and {MOST_MB} MB")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
