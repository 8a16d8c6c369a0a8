"""A floor that is served: in a thread of the test or as a process, and a client that asks it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import httpx
import psycopg
from argon2 import PasswordHasher

from houseway.cards import parse_cards
from houseway.floor import service
from houseway.floor.model import FloorModel
from houseway.journal.audit import verify
from houseway.journal.event import Command, Event
from houseway.journal.journal import Journal, events
from houseway.journal.store import open_to_read
from houseway.server.guard import RATES, RateLimits
from houseway.server.room import Room
from houseway.server.serving import Server, bind, open_floor
from tests import ROOT
from tests.journal.ports import free_port as free_port
from tests.server.declared import check_answer, check_message
from tests.waiting import PATIENCE, wait_for

PIN = "2468"
# What a hash costs is written in it; a cheap one does where nothing is at stake.
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PEOPLE = {
    "a1": ("Ada", "administrator"),
    "a2": ("Abe", "administrator"),
    "d1": ("Dan", "dealer"),
    "s1": ("Sue", "supervisor"),
    "e1": ("Eve", "executive"),
    "c1": ("Cal", "cage"),
    "u1": ("Uma", "auditor"),
    "v1": ("Viv", "surveillance"),
    "t1": ("Tia", "trainer"),
}
ROLES = {role: card for card, (_, role) in reversed(PEOPLE.items())}
SINGLE = {"contribution_ppm": 200_000, "reserve_ppm": 50_000, "meter_seed_cents": 1_000_000}
LEVELS = {
    "mega": {"contribution_ppm": 80_000, "reserve_ppm": 20_000, "meter_seed_cents": 5_000_000},
    "major": {"contribution_ppm": 100_000, "reserve_ppm": 20_000, "meter_seed_cents": 500_000},
}
LINKS: dict[str, dict[str, Any]] = {
    "Royal": {
        "progressive": "three-card-progressive",
        "paytable": "1",
        "meters": {"single": SINGLE},
    },
    "Summit": {"progressive": "five-card-link", "paytable": "ML01", "meters": LEVELS},
}
ELIGIBLE = {"folded_hand_progressive": "eligible"}
TABLES: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("Poker", "three-card-poker", {}, "Royal"),
    ("Keyed", "three-card-poker", {"award_profile": "game_manager"}, "Royal"),
    ("FaceUp", "three-card-poker-face-up", dict(ELIGIBLE), ""),
    ("Rummy", "triple-shot-rummy", dict(ELIGIBLE), "Summit"),
    ("Bonus", "triple-shot-bonus", {}, ""),
)
THRESHOLD_CENTS = 1_000_000
DATE = "2026-01-01"


def limits(most: Mapping[str, int] | None = None) -> RateLimits:
    """Limits by which one may ask so often and never again; what is not named is not limited.

    Their clock stands still, so that a slow machine is as strict as a quick one.
    """
    named = most or {}
    return RateLimits(lambda: 0.0, {what: (named.get(what, 10**9), 1.0) for what in RATES})


def furnish(url: str, *, demo: bool = True, clock: Callable[[], str] | None = None) -> None:
    """People of every role, two links and five tables; a demonstration asks for no codes."""
    numbers = count(1)
    pin_hash = CHEAP.hash(PIN)
    with Journal(url, FloorModel(), clock=clock) as journal:

        def do(name: str, actor: str = "a1", /, **arguments: Any) -> None:
            given = {"pin_held": True, **arguments}
            key = f"furnish-{next(numbers)}"
            journal.do(Command(name=name, arguments=given, actor=actor, key=key))

        do("note_start", "machine", demo=demo, version="0", digest="0" * 64, checked=False)
        do("first_administrator", card="a1", name="Ada", pin_hash=pin_hash)
        for card, (name, role) in PEOPLE.items():
            if card != "a1":
                do("issue_card", card=card, name=name, role=role, pin_hash=pin_hash)
        for link, asked in LINKS.items():
            do("make_link", link=link, deposits="not_asked", **asked)
            do(
                "set_thresholds",
                link=link,
                thresholds=dict.fromkeys(asked["meters"], THRESHOLD_CENTS),
            )
        for table, game, options, link in TABLES:
            do("make_table", table=table, game=game, options=options)
            if link:
                do("join_link", table=table, link=link)


@cache
def _furnished(kind: str, demo: bool) -> str:
    """The address of a furnished floor, made once and copied from then on."""
    if kind == "sqlite":
        url = f"sqlite:///{tempfile.mkdtemp(prefix='houseway-floor-')}/floor.sqlite"
    else:
        # On the same server as the copies.
        url = _new_database(kind)
    furnish(url, demo=demo)
    return url


def furnish_quickly(url: str, *, demo: bool = True) -> None:
    """The same as `furnish`, by a copy, which is quicker."""
    if url.startswith("sqlite:///"):
        shutil.copy(_path(_furnished("sqlite", demo)), _path(url))
        return
    server, _, name = url.rpartition("/")
    template = _furnished(server, demo).rpartition("/")[2]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name}")
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")


def _new_database(server: str) -> str:
    name = f"furnished_{uuid4().hex[:12]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{server}/{name}"


def _path(url: str) -> str:
    return url.removeprefix("sqlite:///")


class Rigged(Random):
    """A shuffler's generator that deals what it was told, in that order; then whatever comes."""

    def __init__(self, *decks: str, seed: int = 1) -> None:
        super().__init__(seed)
        self.decks = [*decks]
        """The first cards of each deck."""
        self._stacked = False

    def sample(self, population: Any, k: int, *, counts: Any = None) -> Any:
        """The next deck: the cards that were named, then all others."""
        self._stacked = bool(self.decks)
        if not self.decks:
            return super().sample(population, k, counts=counts)
        first = parse_cards(self.decks.pop(0))
        return [*first, *(card for card in population if card not in first)]

    def shuffle(self, x: Any) -> None:
        """Packets stay where they were put."""
        if not self._stacked:
            super().shuffle(x)


class Dealer:
    """A dealer who does what the console shows next, and asks somebody what to decide."""

    def __init__(self, client: "Client", table: str) -> None:
        self.client = client
        self.table = table

    @property
    def view(self) -> Any:
        """The console."""
        return self.client.get(f"/api/tables/{self.table}")

    def say(self, text: str) -> Any:
        """One line of the round."""
        if text == "shuffle":
            return self.client.do("shuffle", {"table": self.table})
        return self.client.do("round", {"table": self.table, "text": text})

    def begin(self, *bets: str) -> None:
        """Open a round with these bets, from position 1 on."""
        self.client.do("open_round", {"table": self.table})
        for position, placed in enumerate(bets, start=1):
            self.say(f"bets {position}: {placed}")

    def steps(self, choose: Callable[[list[str]], str]) -> Iterator[str]:
        """Go on to the end, one line after the other; each is given when it is done."""
        for _ in range(MOST_STEPS):
            view = self.view["round"]
            if view["over"]:
                return
            line = view["next"] or choose([x for x in view["legal"] if x.startswith(CHOICES)])
            self.say(line)
            yield line
        raise AssertionError("the round does not end")

    def until(self, wanted: str | tuple[str, ...], choose: Callable[[list[str]], str]) -> None:
        """Go on up to a line, or to one of some, which is still to be said or is blocked."""
        for _ in range(MOST_STEPS):
            view = self.view["round"]
            if view["blocked"] and view["blocked"]["line"].startswith(wanted):
                return
            line = view["next"] or choose([x for x in view["legal"] if x.startswith(CHOICES)])
            if line.startswith(wanted):
                return
            self.say(line)
        raise AssertionError(f"{wanted!r} does not come")


MOST_STEPS = 200
CHOICES = ("decide", "close insurance")


def boldly(lines: list[str]) -> str:
    """Who never folds, never insures and soon stands."""
    for wanted in (": play", ": stand", "close insurance"):
        found = [line for line in lines if wanted in line]
        if found:
            return found[0]
    return lines[0]


class Client:
    """Somebody with a browser: a cookie, the token of the session, and keys."""

    def __init__(self, address: str, **options: Any) -> None:
        # Without certificates, which take their time to be read and are of no use here.
        limits = httpx.Limits(max_connections=None)
        self.http = httpx.Client(
            base_url=address,
            timeout=PATIENCE,
            verify=False,
            limits=limits,
            event_hooks={"response": [check_answer]},
            **options,
        )
        self.csrf = ""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **options: Any) -> Any:
        """A page that is there."""
        answer = self.http.get(path, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """Send a body as a page of the session would."""
        sent = {"x-houseway-token": self.csrf} if self.csrf else {}
        return self.http.post(path, json=body, headers={**sent, **headers})

    def sign_in(self, card: str, pin: str = PIN, code: str = "") -> Any:
        """Sign in; what was answered."""
        answer = self.post("/api/sign-in", {"card": card, "pin": pin, "code": code})
        if answer.status_code == 200:
            self.csrf = answer.json()["csrf"] or ""
        return answer

    def ask(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        key: str | None = None,
        **beside: Any,
    ) -> httpx.Response:
        """Send a command, whatever comes of it."""
        body = {"name": name, "arguments": arguments, "key": key or uuid4().hex, **beside}
        return self.post("/api/commands", body)

    def do(self, name: str, arguments: Mapping[str, Any], **beside: Any) -> Any:
        """Do a command that may be done; its answer."""
        answer = self.ask(name, arguments, **beside)
        assert answer.status_code == 200, (name, arguments, answer.text)
        return answer.json()["answer"]

    def refused(self, name: str, arguments: Mapping[str, Any], **beside: Any) -> tuple[int, str]:
        """Send a command that may not be done; status and sentence."""
        answer = self.ask(name, arguments, **beside)
        assert answer.status_code != 200, (name, arguments, answer.text)
        return answer.status_code, answer.json()["error"]["message"]

    def listen(self, *topics: str, last: int | None = None) -> "Stream":
        """Open a stream."""
        return Stream(self, topics, last)


class Stream:
    """An open stream, read message by message."""

    def __init__(self, client: Client, topics: Sequence[str], last: int | None) -> None:
        headers = {} if last is None else {"last-event-id": str(last)}
        self._open = client.http.stream(
            "GET", "/api/live", params=[("topic", topic) for topic in topics], headers=headers
        )
        self.response = self._open.__enter__()
        self._lines = self.response.iter_lines() if self.response.status_code == 200 else iter(())
        self.texts: list[str] = []
        self.last: int | None = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Go away."""
        self._open.__exit__(None, None, None)

    def next(self) -> tuple[str, Any]:
        """The next message: its name and what it says; nothing but an end is ('', None)."""
        name, data = "", None
        for line in self._lines:
            self.texts.append(line)
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "id":
                self.last = int(value)
            elif field == "data":
                data = json.loads(value)
            elif not line and data is not None:
                check_message(name, data)
                return name, data
        return "", None

    def until(self, wanted: Any) -> tuple[str, Any]:
        """The first message of which something is true."""
        while True:
            name, data = self.next()
            assert name, "the stream has ended"
            if wanted(name, data):
                return name, data


class Served:
    """A server that is running, and its clients."""

    def __init__(self, url: str, address: str) -> None:
        self.url = url
        self.address = address
        self.clients: list[Client] = []
        self._signed: dict[str, Client] = {}

    def client(self, **options: Any) -> Client:
        """Somebody who is not signed in."""
        made = Client(self.address, **options)
        self.clients.append(made)
        return made

    def as_(self, card: str) -> Client:
        """Somebody who is signed in; the same each time."""
        if card not in self._signed:
            self._signed[card] = self.client()
            answer = self._signed[card].sign_in(card)
            assert answer.status_code == 200, answer.text
        return self._signed[card]

    def events(self) -> list[Event]:
        """All events of the journal."""
        return all_events(self.url)

    def streams(self) -> int:
        """Open streams, by what the server counts."""
        found = re.search(r"^houseway_streams (\d+)", self.metrics(), re.MULTILINE)
        assert found is not None
        return int(found[1])

    def metrics(self) -> str:
        """What Prometheus would collect."""
        return self.probe.http.get("/metrics").text

    @property
    def position(self) -> int:
        """How far the journal is."""
        return int(self.probe.get("/healthz")["position"])

    @property
    def probe(self) -> Client:
        """Somebody who only asks how things are."""
        if "" not in self._signed:
            self._signed[""] = self.client()
        return self._signed[""]

    def leave(self) -> None:
        """All clients go."""
        for client in self.clients:
            client.http.close()
        self.clients.clear()
        self._signed.clear()


def all_events(url: str) -> list[Event]:
    """All events of a journal, read beside whoever writes it."""
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            return list(events(connection))
    finally:
        engine.dispose()


def check_journal(url: str) -> Any:
    """The journal of a floor, audited; it holds."""
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            found = verify(connection)
    finally:
        engine.dispose()
    assert found.holds, found
    return found


_OPENED: Counter[str] = Counter()


def seed_of(url: str) -> int:
    """By what a floor deals: another seed each time it is opened, and the same in every run."""
    _OPENED[url] += 1
    return _OPENED[url]


class InThread(Served):
    """A server in a thread of the test: its room can be looked into."""

    def __init__(
        self, url: str, *, demo: bool = False, randomness: Random | None = None, now: str = ""
    ) -> None:
        self.room: Room = open_floor(url, demo=demo, clock=(lambda: now) if now else None)
        self.room.floor._randomness = randomness or Random(seed_of(url))
        self.room.limits = limits()
        self.draw_anew()
        listening = bind("127.0.0.1", 0)
        super().__init__(url, f"http://127.0.0.1:{listening.getsockname()[1]}")
        self.server = Server(self.room, ("127.0.0.1", "localhost"))
        self._thread = threading.Thread(target=self.server.run, args=([listening],))
        self._thread.start()
        wait_for(lambda: self.server.started or not self._thread.is_alive())
        assert self.server.started

    def draw_anew(self) -> None:
        """Draw the same seeds again for whoever gives none, whatever was drawn before."""
        self.room.practice.draw = Random(1).randrange
        self.room.training.draw = Random(2).randrange

    def stop(self) -> None:
        """Stop in good order."""
        self.leave()
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.room.floor.close()


class Process(Served):
    """A server as people start it."""

    def __init__(
        self,
        url: str,
        *options: str,
        port: int | None = None,
        program: Sequence[str] = ("-m", "houseway"),
    ) -> None:
        self.port = port or free_port()
        super().__init__(url, f"http://127.0.0.1:{self.port}")
        self.process = start(
            [*program, "serve", "--database", url, "--port", str(self.port), *options]
        )
        self.printed: list[str] = []
        try:
            self._wait()
        except BaseException:
            self.process.kill()
            raise

    def _wait(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line)
            if line.startswith("Open http"):
                break
        else:
            raise AssertionError(self.process.communicate())
        wait_for(lambda: answers(self.address))

    def stop(self, number: int = signal.SIGTERM, seconds: float = PATIENCE) -> tuple[int, str]:
        """Stop it and wait; its exit code and what it wrote to standard error.

        Progress of the start is left out: it is shown where a busy machine takes over a second.
        """
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=seconds)
        self.leave()
        lines = errors.splitlines(keepends=True)
        told = (line for line in lines if not line.startswith("houseway: checking the "))
        return self.process.returncode, "".join(told)


PATIENTLY = f"""
import sys
from random import Random
from argon2 import PasswordHasher
from houseway.cli import main
from houseway.floor import service
from houseway.server import serving
serving.STOP_SECONDS = {PATIENCE:.0f}
service._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
service.SystemRandom = lambda: Random(int(sys.argv[1]))
sys.exit(main(sys.argv[2:]))
"""
"""The program with cheap hashes, which deals by a seed and lets requests end on a busy machine."""


def start_serving(*arguments: str, cwd: Path | None = None) -> "subprocess.Popen[str]":
    """`houseway serve` in a process of its own."""
    return start(["-m", "houseway", "serve", *arguments], cwd)


def start(arguments: Sequence[str], cwd: Path | None = None) -> "subprocess.Popen[str]":
    """Python in a process of its own, with this checkout."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd or ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def in_thread(
    url: str,
    *,
    furnished: bool = True,
    demo: bool = True,
    randomness: Random | None = None,
    now: str = "",
) -> Iterator[InThread]:
    """A server in a thread, furnished or empty; its journal holds when it is stopped.

    With a time of its own, which must be yet to come, no day ends while a test runs.
    """
    if furnished and now:
        furnish(url, demo=demo, clock=lambda: now)
    elif furnished:
        furnish_quickly(url, demo=demo)
    with ExitStack() as patched:
        patched.enter_context(patch.object(service, "_HASHER", CHEAP))
        made = InThread(url, randomness=randomness, now=now)
        try:
            yield made
        finally:
            made.stop()
    check_journal(url)


@contextmanager
def process(url: str, *options: str, port: int | None = None) -> Iterator[Process]:
    """A server process, stopped at the end whatever happens."""
    program = ("-c", PATIENTLY, str(seed_of(url)))
    made = Process(url, *options, port=port, program=program)
    try:
        yield made
    finally:
        made.stop(signal.SIGKILL)


def answers(address: str) -> bool:
    """True when a server is there that is well."""
    try:
        return httpx.get(f"{address}/healthz", timeout=PATIENCE, verify=False).status_code == 200
    except httpx.TransportError:
        return False
