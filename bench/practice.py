"""Practice tables under load: a decision over loopback with 100 tables in play.

The load comes from a process of its own, whose time is told apart; each table has a browser with
a stream. Browsers come from several addresses of loopback, as people do.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

from bench.floor import cpu_seconds, memory_mb
from bench.line import Line
from houseway.games import codes
from tests.server.serving import Process, furnish

TABLES, PAUSE_SECONDS = 100, 1.0
"""How long a learner thinks before each touch."""
PER_ADDRESS = 20
MOST_MS = 50


class Learner(Line):
    """A browser at a table of its own, with a stream."""

    def __init__(self, number: int, port: int) -> None:
        super().__init__(port, own=f"127.0.0.{2 + number // PER_ADDRESS}")
        self.number = number
        self.view: dict[str, Any] = {}
        self.messages = 0

    async def do(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = await self.ask(method, f"/api/practice{path}", body)
        assert status == 200, answer
        return json.loads(answer)

    async def sit(self) -> None:
        """Make a table, sit down, and listen."""
        await self.open()
        self.token = (await self.do("GET", ""))["token"]
        game = codes()[self.number % len(codes())]
        made = await self.do("POST", "/tables", {"game": game, "seed": str(self.number)})
        self.path = f"/tables/{made['table']}"
        self.view = await self.do("POST", f"{self.path}/sit", {"position": 1, "player": "Robin"})
        self.stream = asyncio.create_task(self._listen(made["table"]))

    async def _listen(self, table: str) -> None:
        line = Line(self.port, self.cookie, own=self.own)
        await line.open()
        with suppress(asyncio.CancelledError):
            async for chunk in line.listen(f"practice:{table}"):
                self.messages += chunk.count(b"event: ")
        line.close()

    async def play(self, until: float, found: dict[str, list[float]]) -> None:
        """Round after round, with a pause before each touch."""
        await asyncio.sleep(PAUSE_SECONDS * self.number / TABLES)
        # A server does not hold a connection that is not used for long.
        self.close()
        await self.open()
        while time.monotonic() < until:
            you, live = self.view["you"], self.view["round"]
            began = time.perf_counter()
            if you["decisions"]:
                wished = [x for x in ("play", "stand", "no-insurance") if x in you["decisions"]]
                own = live["positions"][0]
                asked = {
                    "decision": wished[0],
                    "round": live["number"],
                    "after": len(own["decisions"]),
                }
                self.view = await self.do("POST", f"{self.path}/decide", asked)
                found["decide"].append((time.perf_counter() - began) * 1e3)
            else:
                if you["bankroll"] < 20_000:
                    await self.do("POST", f"{self.path}/chips")
                    began = time.perf_counter()
                bets = {bet["code"]: bet["cents"] for bet in self.view["bets"]}
                asked = {"bets": bets, "ready": True}
                self.view = await self.do("POST", f"{self.path}/bets", asked)
                found["bets"].append((time.perf_counter() - began) * 1e3)
            await asyncio.sleep(PAUSE_SECONDS)


async def learners(port: int, seconds: float, counted_seconds: float) -> dict[str, Any]:
    """All tables at once; they begin when the coach has counted, at most so much later."""
    all_of_them = [Learner(number, port) for number in range(TABLES)]
    for one in all_of_them:
        await one.sit()
    ends = time.monotonic() + counted_seconds
    first = all_of_them[: len(codes())]
    while time.monotonic() < ends:
        views = [await one.do("GET", one.path) for one in first]
        if all(view["figures"] != "counting" for view in views):
            break
        await asyncio.sleep(1)
    found: dict[str, list[float]] = {"decide": [], "bets": []}
    until = time.monotonic() + seconds
    await asyncio.gather(*(one.play(until, found) for one in all_of_them))
    for one in all_of_them:
        one.stream.cancel()
    return {**found, "messages": sum(one.messages for one in all_of_them)}


def work(port: int, seconds: float, counted_seconds: float, back: Any) -> None:
    """The process of the load, and what it cost."""
    began = time.process_time()
    found = asyncio.run(learners(port, seconds, counted_seconds))
    back.send({**found, "cpu": time.process_time() - began})


def measure(seconds: float) -> bool:
    """Run the load and print what was measured; true when the bound holds."""
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as folder:
        url = f"sqlite:///{folder}/floor.sqlite"
        furnish(url)
        floor = Process(url)
        try:
            end, back = get_context("spawn").Pipe(duplex=False)
            load = get_context("spawn").Process(
                target=work, args=(floor.port, seconds, 180.0, back)
            )
            load.start()
            # Else nobody would notice that it is gone.
            back.close()
            found = end.recv()
            load.join()
            used, memory = cpu_seconds(floor.process.pid), memory_mb(floor.process.pid)
        finally:
            _, errors = floor.stop()
    decided, bet = sorted(found["decide"]), sorted(found["bets"])
    median = decided[len(decided) // 2]
    print(f"{TABLES} practice tables in play, {seconds:.0f} s, a touch a second at each")
    print(f"decisions                   {len(decided):9,}   {len(decided) / seconds:.0f} /s")
    print(f"a decision, median          {median:9.1f} ms   (under {MOST_MS})")
    print(f"a decision, 99 of 100       {decided[len(decided) * 99 // 100]:9.1f} ms")
    print(f"bets and cards, median      {bet[len(bet) // 2]:9.1f} ms")
    print(f"messages to streams         {found['messages']:9,}")
    print(f"memory of the server        {memory:9.0f} MB")
    print(
        f"processor of the server     {used:9.1f} s with counting; of the load {found['cpu']:.1f}"
    )
    if errors:
        print(errors, file=sys.stderr)
    return median < MOST_MS and not errors


def main() -> int:
    """Measure, for as long as is said."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=30.0)
    return 0 if measure(reader.parse_args().seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
