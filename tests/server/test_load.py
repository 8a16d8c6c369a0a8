"""Load: no card fills the disk, what has no place is told so, and commands come first."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from houseway.server import serving, turns
from houseway.server.guard import RATES, RateLimits
from houseway.server.turns import Hand, Turns
from tests.server.serving import Client, InThread, in_thread, limits

POKER = {"table": "Poker"}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}") as made:
        yield made


def from_(floor: InThread, address: str) -> Client:
    return floor.client(transport=httpx.HTTPTransport(local_address=address))


def test_a_card_has_only_so_many_refusals_written_down(floor: InThread) -> None:
    """Anybody with a card may ask for what is refused, and no record is ever made shorter."""
    dan, sue = floor.as_("d1"), floor.as_("s1")
    floor.room.limits = limits({"refused": 3})
    # A command that is done does not count, however often.
    for _ in range(5):
        dan.do("call_supervisor", {**POKER, "reason": "misdeal"})
        sue.do("answer_call", {**POKER, "reason": "misdeal"})
    before = len(floor.events())
    told = [dan.ask("round", {**POKER, "text": "deliver"}).status_code for _ in range(6)]
    assert told == [409] * 3 + [429] * 3
    kept = floor.events()[before:]
    assert [(event.kind, event.actor) for event in kept] == [("refused", "d1")] * 3
    # It is so for that card alone, which waits a minute for whatever it asks.
    late = dan.ask("open_round", POKER)
    assert (late.status_code, late.headers["retry-after"]) == (429, "2")
    assert sue.ask("round", {**POKER, "text": "deliver"}).status_code == 409


def test_no_card_writes_much_with_what_is_refused() -> None:
    """Thirty records of 1,600 bytes in a minute; rows and indexes beside them are small."""
    most, seconds = RATES["refused"]
    assert most * 1_600 / seconds <= 1_000


def test_what_is_given_back_may_be_taken_again() -> None:
    bucket = RateLimits(lambda: 0.0, {"refused": (2, 60.0)})
    for _ in range(5):
        assert bucket.allow("refused", "d1")
        bucket.give_back("refused", "d1")
    assert [bucket.allow("refused", "d1") for _ in range(3)] == [True, True, False]
    bucket.give_back("refused", "d2")
    assert [bucket.allow("refused", "d2") for _ in range(3)] == [True, True, False]


def test_commands_without_a_place_are_turned_away_and_not_done(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    dan, before = floor.as_("d1"), len(floor.events())
    monkeypatch.setattr(turns, "MOST_IN_HAND", 0)
    full = dan.ask("open_round", POKER, key="key-number-one")
    assert full.status_code == 503, full.text
    assert (full.status_code, full.headers["retry-after"]) == (503, "1")
    assert full.json()["error"]["reason"] == "too_busy"
    assert len(floor.events()) == before
    monkeypatch.undo()
    assert dan.ask("open_round", POKER, key="key-number-one").status_code == 200


def test_an_address_reads_only_so_often_and_those_signed_in_are_counted_apart(
    floor: InThread,
) -> None:
    dan, sue = (from_(floor, "127.0.0.2") for _ in range(2))
    assert dan.sign_in("d1").status_code == sue.sign_in("s1").status_code == 200
    for client in (dan, sue):
        assert client.get("/api/me")["person"]
    floor.room.limits = limits({"reads": 3})
    player = from_(floor, "127.0.0.2")
    told = [player.http.get("/api/practice").status_code for _ in range(5)]
    assert told == [200] * 3 + [429] * 2
    # Who works behind the same address goes on, and so does everybody behind another.
    for client in (dan, sue, from_(floor, "127.0.0.3")):
        assert client.http.get("/api/me").status_code == 200
    # A cookie that nobody gave is nobody's session.
    forged = from_(floor, "127.0.0.2")
    forged.http.cookies.set("houseway_session", "x" * 43)
    assert forged.http.get("/api/me").status_code == 429


def test_reads_of_the_public_wait_for_commands_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        hand = Hand()
        public = Turns(hand)
        monkeypatch.setattr(turns, "COMMANDS_FIRST_SECONDS", 10**6)
        with hand.holding():
            with hand.holding():
                waits = asyncio.create_task(public.take())
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not waits.done()
        await waits
        public.end()
        # Where commands never end, its turn comes all the same.
        monkeypatch.setattr(turns, "COMMANDS_FIRST_SECONDS", 0)
        with hand.holding():
            await public.take()
            public.end()

    asyncio.run(run())


def test_so_many_reads_of_the_public_go_on_and_so_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        public = Turns(Hand())
        monkeypatch.setattr(turns, "MOST_WAITING", 1)
        for _ in range(turns.AT_ONCE):
            await public.take()
        full = [public.full]
        waits = asyncio.create_task(public.take())
        await asyncio.sleep(0)
        full.append(public.full)
        # Who goes away leaves no place taken.
        waits.cancel()
        await asyncio.gather(waits, return_exceptions=True)
        full.append(public.full)
        assert full == [False, True, False]
        for _ in range(turns.AT_ONCE):
            public.end()
        for _ in range(turns.AT_ONCE):
            await asyncio.wait_for(public.take(), None)

    asyncio.run(run())


def test_where_too_many_reads_wait_the_next_is_turned_away(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    dan = floor.as_("d1")
    assert dan.get("/api/me")["person"]
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    answer = floor.client().http.get("/api/practice")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert dan.get("/api/lobby")["tables"]


def test_people_who_come_back_after_a_restart_wait_for_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    with in_thread(url) as before:
        cookies = before.as_("d1").http.cookies
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    again = InThread(url)
    try:
        with httpx.Client(base_url=again.address, cookies=cookies) as dan:
            assert dan.get("/api/lobby").status_code == 200
    finally:
        again.stop()


def test_a_stream_keeps_no_turn(floor: InThread) -> None:
    streams = [floor.client().listen("sign:Royal") for _ in range(turns.AT_ONCE + 1)]
    for stream in streams:
        assert stream.next()[0] == "sign:Royal"
        stream.close()


def test_the_description_is_made_once_and_known_by_its_tag(floor: InThread) -> None:
    anybody = floor.client().http
    first = anybody.get("/openapi.json")
    assert first.json()["info"]["title"] == "Houseway"
    tag = first.headers["etag"]
    again = anybody.get("/openapi.json", headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = anybody.get("/openapi.json", headers={"if-none-match": '"other"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_who_finds_no_place_is_answered_and_the_log_says_so_once(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(serving.LOG, "error", lambda text, *given: told.append(text % given))
    config = floor.server.config
    assert isinstance(config, serving.Config)
    config.places = 2
    with floor.client().listen("sign:Royal") as one, floor.client().listen("sign:Royal") as two:
        one.next(), two.next()
        for _ in range(3):
            answer = floor.client().http.get("/healthz")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    config.places = None
    [line] = told
    assert line.startswith("connections are turned away: 2 are open")


RAISED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 512))
from houseway.server.serving import places_with, raise_file_limit
print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0], places_with(512))
sys.modules["resource"] = None
print(raise_file_limit(), places_with(None))
"""


def test_as_many_files_may_be_open_as_the_system_allows() -> None:
    """In a process of its own, whose limit can be lowered."""
    told = subprocess.run(
        [sys.executable, "-c", RAISED], capture_output=True, text=True, check=True
    )
    assert told.stdout == "512 512 412\nNone None\n"


def test_where_few_files_may_be_open_half_of_them_are_for_connections() -> None:
    assert serving.places_with(1024) == 924
    assert serving.places_with(64) == 32
