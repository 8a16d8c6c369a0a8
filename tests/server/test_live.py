"""Streams: the present state at once, every change, no event lost or told twice, none left open."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from houseway.server import room
from tests.server.serving import Dealer, InThread, Rigged, Stream, boldly, in_thread
from tests.waiting import wait_for

POKER = {"table": "Poker"}


@pytest.fixture
def floor(database: str) -> Iterator[InThread]:
    with in_thread(database) as made:
        yield made


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[InThread]:
    """A floor for what is the same on every database."""
    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}") as made:
        yield made


def positions(stream: Stream, upto: int) -> list[int]:
    """The positions of the events of a stream, up to one."""
    found: list[int] = []
    while not found or found[-1] < upto:
        name, event = stream.next()
        assert name == "events"
        assert stream.last == event["position"]
        found.append(event["position"])
    return found


def test_a_view_at_once_and_after_every_change(floor: InThread) -> None:
    dan = floor.as_("d1")
    with dan.listen("table:Poker") as stream:
        assert stream.response.headers["content-type"].startswith("text/event-stream")
        name, first = stream.next()
        assert (name, first) == ("table:Poker", dan.get("/api/tables/Poker"))
        assert stream.last == floor.position
        dan.do("open_round", POKER)
        for number in range(1, 6):
            _, view = stream.next()
            assert view == dan.get("/api/tables/Poker")
            assert view["version"] == first["version"] + number
            assert stream.last == floor.position
            dan.do("round", {**POKER, "text": f"bets {number}: ante 10"})
        # What happens at another table is not told here, nor what was refused.
        dan.do("open_round", {"table": "FaceUp"})
        dan.ask("round", {**POKER, "text": "deliver"})
        dan.do("undo", POKER)
        versions = [stream.next()[1]["version"] for _ in range(2)]
        assert versions == [first["version"] + 6, first["version"] + 7]


def test_each_sees_what_is_for_him(rigged_floor: InThread, decks: Rigged) -> None:
    """Also where both hear of the same: views are made for kinds of readers."""
    decks.decks.append("As Ks Qs Kh 9h 4d")
    plain = rigged_floor
    with (
        plain.as_("s1").listen("lobby", "inbox") as sue,
        plain.as_("v1").listen("inbox", "lobby") as viv,
        plain.client().listen("sign:Royal", "sign:Summit") as wall,
    ):
        assert [sue.next()[0], sue.next()[0]] == ["lobby", "inbox"]
        assert [viv.next()[0], viv.next()[0]] == ["inbox", "lobby"]
        assert [wall.next()[0], wall.next()[0]] == ["sign:Royal", "sign:Summit"]
        dealer = Dealer(plain.as_("d1"), "Poker")
        dealer.begin("ante 10, progressive 10")
        dealer.until("close", boldly)
        dealer.client.do("call_supervisor", POKER)
        _, sign = wall.until(lambda _, view: view["pending"])
        assert sign["meters"][0]["shown_cents"] == 1_000_200
        _, lobby = sue.until(lambda name, view: name == "lobby" and waits(view))
        # Ten thousand dollars are for an executive, and for the camera once they are confirmed.
        assert lobby["inbox"] == 0
        _, inbox = viv.until(lambda name, view: name == "inbox" and view["items"])
        assert [(item["kind"], item["mine"]) for item in inbox["items"]] == [("award", False)]
        with plain.as_("e1").listen("lobby") as eve:
            assert eve.next()[1]["inbox"] == 1


def waits(lobby: Any) -> bool:
    """True when an award waits somewhere."""
    return any("an award waits" in " ".join(table["attention"]) for table in lobby["tables"])


def test_pages_of_the_whole_floor_are_sent_twice_a_second_at_most(
    plain: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens before the next time they are sent is one message."""
    dan = plain.as_("d1")
    assert room.SLOW_SECONDS == 0.5
    with dan.listen("lobby") as stream:
        stream.next()
        with monkeypatch.context() as held:
            held.setattr(plain.room, "_send_slow", lambda: None)
            dan.do("open_round", POKER)
            for number in range(30):
                dan.do("round", {**POKER, "text": f"bets 1: ante {number + 1}"})
            dan.do("open_round", {"table": "FaceUp"})
            wait_for(lambda: "lobby" in plain.room._dirty)
        _, view = stream.next()
        assert {t["table"] for t in view["tables"] if t["round"]} == {"Poker", "FaceUp"}


def test_events_come_one_by_one_and_none_is_left_out(floor: InThread) -> None:
    uma, dan = floor.as_("u1"), floor.as_("d1")
    with uma.listen("events") as stream:
        began = floor.position
        dan.do("open_round", POKER)
        for number in range(20):
            dan.do("round", {**POKER, "text": f"bets 1: ante {number + 1}"})
        end = floor.position
        assert positions(stream, end) == [*range(began + 1, end + 1)]
        last = stream.last
    # Whoever was away hears what was missed, and nothing twice.
    for number in range(5):
        dan.do("round", {**POKER, "text": f"bets 2: ante {number + 1}"})
    with uma.listen("events", last=last) as stream:
        assert positions(stream, end + 5) == [*range(end + 1, end + 6)]
        dan.do("undo", POKER)
        assert positions(stream, end + 6) == [end + 6]
        trail = uma.get("/api/trail")["events"]
        assert [event["position"] for event in trail[:6]] == [*range(end + 6, end, -1)]
    with uma.listen("events", last=0) as stream:
        assert positions(stream, end + 6) == [*range(1, end + 7)]


def test_a_place_that_is_none_is_the_present(plain: InThread) -> None:
    uma, dan = plain.as_("u1"), plain.as_("d1")
    params = {"topic": "events"}
    dan.do("open_round", POKER)
    for number, last in enumerate(("", "-1", "x", "1.5", "9" * 30, "٣"), start=1):
        headers = {b"last-event-id": last.encode()}
        with uma.http.stream("GET", "/api/live", params=params, headers=headers) as answer:
            assert answer.status_code == 200
            dan.do("round", {**POKER, "text": f"bets {number}: ante 10"})
            assert next(answer.iter_lines()) == f"id: {plain.position}"


def test_a_place_of_another_journal_is_no_reason_to_be_silent(plain: InThread) -> None:
    """As after a copy was restored: a place that is not reached yet counts as the present one."""
    uma, dan = plain.as_("u1"), plain.as_("d1")
    with uma.listen("events", last=10**9) as stream:
        dan.do("open_round", POKER)
        assert stream.next()[1]["position"] == plain.position


def test_views_beside_events_say_nothing_of_where_the_events_are(plain: InThread) -> None:
    """Otherwise who comes back after a view would miss the events before it."""
    uma, dan = plain.as_("u1"), plain.as_("d1")
    dan.do("open_round", POKER)
    with uma.listen("table:Poker", "events", last=0) as stream:
        assert stream.next()[0] == "table:Poker"
        assert stream.last is None
        for number in range(20):
            dan.do("round", {**POKER, "text": f"bets 1: ante {number + 1}"})
        told = [0]
        while told[-1] < plain.position:
            name, data = stream.next()
            if name == "events":
                assert data["position"] == told[-1] + 1
                told.append(data["position"])
            assert stream.last == (told[-1] or None)


def test_much_is_caught_up_on_in_pieces(plain: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that are no longer at hand come from the database, some at a time."""
    monkeypatch.setattr("houseway.server.trail.AT_ONCE", 7)
    dan, uma = plain.as_("d1"), plain.as_("u1")
    dan.do("open_round", POKER)
    plain.room.mirror.recent.clear()
    with uma.listen("events", last=0) as stream:
        end = plain.position
        assert positions(stream, end) == [*range(1, end + 1)]


def test_events_across_a_restart(database: str) -> None:
    with in_thread(database) as floor:
        floor.as_("d1").do("open_round", POKER)
        cookies = dict(floor.as_("u1").http.cookies)
        with floor.as_("u1").listen("events", last=0) as stream:
            told = positions(stream, floor.position - 3)
            last = stream.last
    with in_thread(database, furnished=False) as floor:
        # Sessions outlive a server, and so does a place in the journal.
        uma = floor.client(cookies=cookies)
        assert uma.get("/api/me")["person"]["card"] == "u1"
        floor.as_("d1").do("round", {**POKER, "text": "bets 1: ante 10"})
        with uma.listen("events", last=last) as stream:
            told += positions(stream, floor.position)
        assert told == [*range(1, floor.position + 1)]


def test_streams_are_counted_and_all_are_gone_when_their_clients_are(plain: InThread) -> None:
    """Three hundred streams of all kinds, whose readers leave in good order or just hang up."""
    topics = ("table:Poker", "lobby", "sign:Royal", "sign:Summit")
    dan, other = plain.as_("d1"), plain.client()
    other.sign_in("d1")
    streams = []
    for number in range(300):
        streams.append((dan, other)[number % 2].listen(topics[number % 4]))
        assert streams[-1].next()[0]
    assert plain.streams() == 300
    dan.do("open_round", POKER)
    for stream in streams[::2]:
        stream.close()
    wait_for(lambda: plain.streams() == 150)
    other.http.close()
    wait_for(lambda: plain.streams() == 0)
    # Nothing is kept of who was there.
    hub = plain.room.hub
    assert (hub._topics, hub.holders()) == ({}, frozenset())


def test_who_does_not_read_holds_nobody_up(
    plain: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "SEND_SECONDS", 10**6)
    dan, sue = plain.as_("d1"), plain.as_("s1")
    # Messages as long as a line holds, so that the first ones fill it.
    long = plain.room.message
    monkeypatch.setattr(plain.room, "message", lambda *asked: long(*asked) + b":" * 10**6 + b"\n\n")
    with sue.listen("table:Poker") as awake:
        awake.next()
        asleep = dan.listen("table:Poker")
        dan.do("open_round", POKER)
        for number in range(20):
            dan.do("round", {**POKER, "text": f"bets 1: ante {number + 1}"})
            version = dan.get("/api/tables/Poker")["version"]
            awake.until(lambda _, view, last=version: view["version"] == last)
        listeners = plain.room.hub._listeners
        # It holds no more than the newest, and is let go of; who reads has everything by then.
        assert all(len(one._held) <= 1 for one in listeners)
        wait_for(lambda: sum(one.sending is not None for one in listeners) == 1)
        monkeypatch.setattr(room, "SEND_SECONDS", 0)
        wait_for(lambda: plain.streams() == 1)
        asleep.close()


def test_a_sign_of_life_is_sent(plain: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PING_SECONDS", 0)
    with plain.client().listen("sign:Royal") as stream:
        stream.next()
        for line in stream._lines:
            if line.startswith(": ping"):
                break


def test_so_many_streams_and_no_more(plain: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.server.live.MOST_STREAMS", 2)
    wall = plain.client()
    with wall.listen("sign:Royal") as one, wall.listen("sign:Royal") as two:
        one.next(), two.next()
        assert wall.http.get("/api/live?topic=sign:Royal").status_code == 429
    wait_for(lambda: plain.streams() == 0)
    with wall.listen("sign:Royal") as again:
        assert again.next()[0] == "sign:Royal"


def test_a_stream_ends_when_its_session_has_run_out(
    plain: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "CHECK_SECONDS", 0)
    with (
        plain.as_("d1").listen("table:Poker") as stream,
        plain.client().listen("sign:Royal") as wall,
    ):
        stream.next(), wall.next()
        plain.room.sessions.clock = lambda: datetime(9999, 1, 1, tzinfo=UTC)
        assert stream.next() == ("", None)
        # A sign needs nobody to be signed in.
        assert plain.streams() == 1
