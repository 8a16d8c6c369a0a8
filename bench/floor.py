"""The floor server under load: 200 tables, 1,000 open streams, one process on SQLite.

Then 800 tables on PostgreSQL, with two processes of the server against one. The load comes from
processes of its own, whose time is told apart. Everything is on loopback. `--tables` asks for
another floor on SQLite, with five streams to a table as well.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from bench.line import Line
from houseway.floor.model import FloorModel
from houseway.journal.event import Command
from houseway.journal.journal import Journal
from houseway.server.door import COOKIE
from houseway.server.serving import raise_file_limit
from houseway.server.session import Sessions
from tests.journal.databases import Server
from tests.server.serving import Process, check_journal, furnish
from tests.waiting import wait_for

TABLES, STREAMS_EACH, EVERY_SECONDS = 200, 5, 5.0
MANY, MANY_SECONDS = 800, 15.0
"""Tables of a floor that is more than one process serves, and how long they are played at."""
ROUND = (
    "open_round",
    "bets 1 by Robin: pair-plus 5",
    "no more bets",
    "shuffle",
    "deliver",
    "reveal dealer",
    "reconcile",
    "close",
)
"""A whole round of somebody who plays Pair Plus alone, a command for each line."""
MOST_MS, MOST_MB, MOST_PAGE, MOST_PIT_MS = 150, 600, 150_000, 1000
PIT = "the pit"
"""Stands for the one who watches all tables."""


def furnish_tables(url: str, count: int) -> dict[str, tuple[str, str]]:
    """A floor with people of every role and so many tables; the session of each table's dealer."""
    furnish(url)
    tables = [f"N{n:03d}" for n in range(1, count + 1)]
    with Journal(url, FloorModel()) as journal:

        def do(name: str, key: str, /, **arguments: str) -> Any:
            asked = {**arguments, "pin_held": True}
            return journal.submit(Command(name=name, arguments=asked, actor="a1", key=key))

        made = []
        for table in tables:
            made.append(do("make_table", f"table {table}", table=table, game="three-card-poker"))
            dealer = {"card": f"of {table}", "name": f"Dealer {table}", "role": "dealer"}
            made.append(do("issue_card", f"card {table}", **dealer, pin_hash="none"))
        for one in made:
            one.result()
        sessions = Sessions(journal.engine)
        opened = {table: sessions.open(f"of {table}") for table in tables}
        opened[PIT] = sessions.open("s1")
    return {table: (token, session.csrf) for table, (token, session) in opened.items()}


class Session(NamedTuple):
    """What a browser holds once somebody has signed in."""

    port: int
    cookie: str
    csrf: str


Floor = dict[str, Session]
"""The session of the dealer at each table."""


async def play(line: Line, table: str, until: float, begin: float, found: dict[str, Any]) -> None:
    """Round after round at a table; each begins on time, or as soon as the one before is over."""
    numbers = count()
    await asyncio.sleep(max(0, begin - time.monotonic()))
    while (start := time.monotonic()) < until:
        await line.open()
        for said in ROUND:
            name = said if said in ("open_round", "shuffle") else "round"
            arguments = {"table": table, **({"text": said} if name == "round" else {})}
            asked = {"name": name, "arguments": arguments, "key": f"bench-{table}-{next(numbers)}"}
            sent = time.perf_counter()
            status, body = await line.ask("POST", "/api/commands", asked)
            while status == 503:
                # Turned away and not done: asked again with its key, as a console does.
                found["away"] += 1
                await asyncio.sleep(1)
                status, body = await line.ask("POST", "/api/commands", asked)
            found["ms"].append((time.perf_counter() - sent) * 1e3)
            if status != 200:
                found["wrong"].append((said, status, body.decode()))
                return
        found["rounds"] += 1
        # A server does not hold a connection that is not used for long.
        line.close()
        await asyncio.sleep(max(0, start + EVERY_SECONDS - time.monotonic()))


async def players(floor: Floor, seconds: float) -> dict[str, Any]:
    """All tables at once, their rounds spread over the time."""
    found: dict[str, Any] = {"ms": [], "rounds": 0, "wrong": [], "away": 0}
    now = time.monotonic()
    await asyncio.gather(
        *(
            play(Line(*session), table, now + seconds, now + EVERY_SECONDS * n / len(floor), found)
            for n, (table, session) in enumerate(floor.items())
        )
    )
    return found


async def listeners(floor: Floor, seconds: float) -> dict[str, Any]:
    """Five streams to a table: the dealer, two who watch and two signs.

    At every fifth table the last is of somebody in the lobby, which shows the whole floor.
    """
    heard = [0, 0]

    async def one(session: Session, topic: str) -> None:
        line = Line(*session)
        await line.open()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    async for chunk in line.listen(topic):
                        heard[0] += chunk.count(b"event: ")
                        heard[1] += len(chunk)
        finally:
            line.close()

    await asyncio.gather(
        *(
            one(session, topic)
            for number, (table, session) in enumerate(floor.items())
            for topic in (
                *[f"table:{table}"] * 3,
                "sign:Royal",
                "sign:Summit" if number % 5 else "lobby",
            )
        )
    )
    return {"messages": heard[0], "bytes": heard[1]}


def work(kind: str, floor: Floor, seconds: float, back: Any) -> None:
    """A process of the load, and what it cost."""
    run = {"players": players, "listeners": listeners}[kind]
    raise_file_limit()
    began = time.process_time()
    found = asyncio.run(run(floor, seconds))
    back.send({**found, "cpu": time.process_time() - began})


def first_page(floor: Process) -> int:
    """Bytes of the first page as they travel, without pictures of cards."""
    asked = {"accept-encoding": "gzip, br"}
    total, seen, waiting = 0, set[str](), ["/"]
    with floor.client() as client:
        while waiting:
            path = waiting.pop()
            seen.add(path)
            with client.http.stream("GET", path, headers=asked) as answer:
                raw = b"".join(answer.iter_raw())
            total += len(raw)
            if path == "/":
                text = client.http.get("/").text
                waiting += map(str, re.findall(r'(?:src|href)="(/[^"]+)"', text))
    return total


def pit_ms(session: Session, tables: int) -> float:
    """How long the page of the pit takes, with every table of the floor on it: the worst of ten."""
    address = f"http://127.0.0.1:{session.port}"
    taken = []
    with httpx.Client(base_url=address, headers={"cookie": session.cookie}) as client:
        for _ in range(10):
            began = time.perf_counter()
            answer = client.get("/api/pit")
            taken.append((time.perf_counter() - began) * 1e3)
            assert len(answer.json()["tables"]) >= tables, answer.text
    print(f"the pit, worst of ten       {max(taken):9.1f} ms   (under {MOST_PIT_MS})")
    return max(taken)


def memory_mb(pid: int) -> float:
    """What a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def cpu_seconds(pid: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(count: int, seconds: float) -> bool:
    """Run the load and print what was measured; true when every bound holds."""
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as folder:
        url = f"sqlite:///{folder}/floor.sqlite"
        tables = furnish_tables(url, count)
        floor = Process(url)
        try:
            held = {
                table: Session(floor.port, f"{COOKIE}={token}", csrf)
                for table, (token, csrf) in tables.items()
            }
            watches = held.pop(PIT)
            good = _measured(floor, held, seconds)
            good &= pit_ms(watches, count) < MOST_PIT_MS
        finally:
            _, errors = floor.stop()
        check_journal(url)
        if errors:
            print(errors, file=sys.stderr)
        return good and not errors


def _measured(floor: Process, held: Floor, seconds: float) -> bool:
    process = get_context("spawn")
    pid, streams = floor.process.pid, len(held) * STREAMS_EACH
    ends, started = {}, []
    for kind, extra in (("listeners", 10.0), ("players", 0.0)):
        ends[kind], back = process.Pipe(duplex=False)
        one = process.Process(target=work, args=(kind, held, seconds + extra, back))
        one.start()
        # Else nobody would notice that it is gone.
        back.close()
        started.append(one)
        if kind == "listeners":
            wait_for(lambda: floor.streams() == streams, seconds=60)
    before = cpu_seconds(pid)
    played = ends["players"].recv()
    used = cpu_seconds(pid) - before
    memory = memory_mb(pid)
    heard = ends["listeners"].recv()
    for one in started:
        one.join()
    wait_for(lambda: floor.streams() == 0, seconds=30)
    assert not played["wrong"], played["wrong"][:3]
    times = sorted(played["ms"])
    p99 = times[len(times) * 99 // 100]
    page = first_page(floor)
    rounds = played["rounds"]
    print(f"{len(held)} tables, {streams:,} streams, {seconds:.0f} s, {len(ROUND)} commands each")
    print(f"rounds                      {rounds:9,}   {rounds / seconds:.1f} /s")
    print(f"commands                    {len(times):9,}   {len(times) / seconds:.0f} /s")
    print(f"a command, median           {times[len(times) // 2]:9.1f} ms")
    print(f"a command, 99 of 100        {p99:9.1f} ms   (under {MOST_MS})")
    print(f"memory of the server        {memory:9.0f} MB   (under {MOST_MB})")
    share = f"{used / seconds:.0%} of a core"
    print(f"processor per round         {used / rounds * 1e3:9.1f} ms   {share}")
    print(f"messages to streams         {heard['messages']:9,}   {heard['bytes'] / 1e6:.0f} MB")
    print(f"first page                  {page:9,} bytes   (under {MOST_PAGE:,})")
    print("open streams afterwards             0")
    print(
        f"the load itself             {played['cpu'] + heard['cpu']:9.1f} s of processor: "
        f"commands {played['cpu']:.1f}, streams {heard['cpu']:.1f}"
    )
    return p99 < MOST_MS and memory < MOST_MB and page < MOST_PAGE


class Played(NamedTuple):
    """Measures so many processes of the server."""

    rounds: float
    """In a second."""
    p99: float
    """Milliseconds."""
    cpu: float
    """Milliseconds of processor a round, of all of them."""
    away: int
    """Commands that were turned away for a moment."""


def play_many(url: str, processes: int, tables: int, seconds: float) -> Played:
    """Rounds at many tables of one floor, shared out among so many processes of the server."""
    sessions = furnish_tables(url, tables)
    del sessions[PIT]
    floors: list[Process] = []
    try:
        floors += [Process(url) for _ in range(processes)]
        held = {
            table: Session(floors[number % processes].port, f"{COOKIE}={token}", csrf)
            for number, (table, (token, csrf)) in enumerate(sessions.items())
        }
        end, back = get_context("spawn").Pipe(duplex=False)
        load = get_context("spawn").Process(target=work, args=("players", held, seconds, back))
        before = sum(cpu_seconds(floor.process.pid) for floor in floors)
        load.start()
        back.close()
        played = end.recv()
        used = sum(cpu_seconds(floor.process.pid) for floor in floors) - before
        load.join()
    finally:
        for floor in floors:
            floor.stop()
    check_journal(url)
    assert not played["wrong"], played["wrong"][:3]
    times, rounds = sorted(played["ms"]), played["rounds"]
    p99 = times[len(times) * 99 // 100]
    return Played(rounds / seconds, p99, used / rounds * 1e3, played["away"])


def compare_processes(tables: int, seconds: float) -> None:
    """Print what two processes on one PostgreSQL come to, against one."""
    server = Server()
    try:
        one = play_many(server.new_database(), 1, tables, seconds)
        two = play_many(server.new_database(), 2, tables, seconds)
    finally:
        server.close()
    print(f"\n{tables} tables on PostgreSQL, {seconds:.0f} s, no streams")
    print("                             one process   two processes   ratio")
    for what, first, second in (
        ("rounds /s", one.rounds, two.rounds),
        ("a command, 99 of 100, ms", one.p99, two.p99),
        ("processor per round, ms", one.cpu, two.cpu),
    ):
        print(f"{what:27} {first:12.1f} {second:15.1f} {second / first:7.2f}")
    print(f"{'commands turned away':27} {one.away:12,} {two.away:15,}")


def main() -> int:
    """Measure, for as long as is said."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=60.0)
    reader.add_argument("--tables", type=int, default=TABLES)
    reader.add_argument("--many", type=int, default=MANY, help="tables for two processes; 0: none")
    given = reader.parse_args()
    good = measure(given.tables, given.seconds)
    if given.many:
        compare_processes(given.many, min(given.seconds, MANY_SECONDS))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
