"""The chips of a table: counted, brought, taken back and dropped, as two people sign for it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from houseway.floor.books import BOOKS, Clocks
from houseway.floor.day import Clock as DayClock
from houseway.floor.house import find_house
from houseway.floor.model import FloorModel
from houseway.floor.pit import find_pit
from houseway.floor.records import coin_in
from houseway.floor.statement import GROUPS, Period, statement
from houseway.floor.tray import find_tray
from houseway.house.meters import MICROCENTS
from houseway.journal.event import Draft, Event, Transfer, body_of
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from houseway.server.today import Today
from tests.floor.room import Clock, Room

BOTH = {"pin_held": True, "second_pin_held": True}
OPENER = {"10000": 20, "2500": 40, "500": 100, "100": 100}
OPENER_CENTS = 20 * 10_000 + 40 * 2_500 + 100 * 500 + 100 * 100


class Pit(Room):
    """A floor whose people sign with card and PIN."""

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        super().__init__(url, clock=self.clock)

    def sign(self, first: str, second: str, name: str, /, **asked: Any) -> Any:
        return self.do(first, name, second=second, **{**BOTH, **asked})

    def count(self, what: str, count: dict[str, int], /, **asked: Any) -> Any:
        total = sum(int(worth) * pieces for worth, pieces in count.items())
        given = {"table": "T1", "count": count, "total_cents": total, **asked}
        return self.sign("s1", "d1", f"count_{what}", **given)

    def ask(self, kind: str, cents: int, table: str = "T1") -> int:
        count = {"100": cents // 100}
        asked = {"table": table, "kind": kind, "count": count, "total_cents": cents}
        return int(self.do("s1", "request_slip", pin_held=True, **asked)["slip"])

    def fill(self, cents: int) -> int:
        slip = self.ask("fill", cents)
        self.do("c1", "send_slip", slip=slip, pin_held=True)
        self.sign("d1", "s1", "receive_slip", slip=slip)
        return slip

    def credit(self, cents: int) -> int:
        slip = self.ask("credit", cents)
        self.sign("d1", "s1", "send_slip", slip=slip)
        self.do("c1", "receive_slip", slip=slip, pin_held=True)
        return slip

    def drop(self, cents: int) -> int:
        box = int(self.sign("s1", "v1", "drop_box", table="T1")["box"])
        count = {"10000": cents // 10_000, "100": cents % 10_000 // 100}
        self.sign("c1", "u1", "count_drop", box=box, count=count, total_cents=cents)
        return box

    def journal_events(self) -> list[Event]:
        with self.journal.engine.connect() as connection:
            return list(events(connection))

    def book(self, name: str) -> list[dict[str, Any]]:
        every = self.journal_events()
        book = BOOKS[name]
        return list(book.rows((e for e in every if e.kind in book.kinds), Clocks(every)))


@pytest.fixture
def pit(database: str) -> Iterator[Pit]:
    made = Pit(database)
    made.set_up()
    yield made
    with made.journal.engine.connect() as connection:
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def refused(pit: Pit, first: str, name: str, /, **asked: Any) -> Refused:
    before = len(pit.journal_events())
    with pytest.raises(Refused) as raised:
        pit.do(first, name, **asked)
    # The refusal itself is written down, and nothing else.
    assert len(pit.journal_events()) == before + 1
    return raised.value


@pytest.mark.clause("CMP-02")
def test_a_day_from_opener_to_closer(pit: Pit) -> None:
    pit.count("opener", OPENER)
    assert (pit.fill(150_000), pit.credit(40_000), pit.fill(20_000)) == (1, 2, 3)
    pit.drop(610_000)
    pit.clock.move(hours=8)
    closer = {"10000": 4, "500": 7}
    pit.count("closer", closer)
    pit.drop(5_500)
    [row] = pit.book("master")
    # Win is closer, credits and drop, less opener and fills.
    won = (40_000 + 3_500) + 40_000 + (610_000 + 5_500) - OPENER_CENTS - (150_000 + 20_000)
    assert row["win_cents"] == won
    assert (row["state"], row["day"], row["table"]) == ("counted", "2026-01-05", "T1")
    assert [(slip["slip"], slip["state"], slip["kind"]) for slip in pit.book("slips")] == [
        (1, "received", "fill"),
        (2, "received", "credit"),
        (3, "received", "fill"),
    ]
    for name in ("master", "slips", "drops", "system"):
        assert {tuple(row) for row in pit.book(name)} == {tuple(BOOKS[name].columns.split())}
    # What was left is what is opened with.
    assert pit.count("opener", closer)["session"] == 2
    assert [row["state"] for row in pit.book("master")] == ["counted", "open"]


def test_a_difference_between_closer_and_opener_takes_a_reason(pit: Pit) -> None:
    pit.count("opener", OPENER)
    pit.count("closer", OPENER)
    less = {**OPENER, "100": 99}
    asked = {"table": "T1", "count": less, "total_cents": OPENER_CENTS - 100, "second": "d1"}
    told = refused(pit, "s1", "count_opener", **BOTH, **asked)
    assert "$3,599.00" in told.message
    assert "$3,600.00" in told.message
    pit.count("opener", less, reason="a chip was found under the table")
    assert pit.book("master")[1]["difference_cents"] == -100


def test_a_closer_is_what_its_denominations_come_to(pit: Pit) -> None:
    pit.count("opener", OPENER)
    asked = {"table": "T1", "count": OPENER, "total_cents": OPENER_CENTS + 1, "second": "d1"}
    told = refused(pit, "s1", "count_closer", **BOTH, **asked)
    assert told.message == (
        "the denominations come to $3,600.00, and the total says $3,600.01; count again"
    )
    for count, words in (
        ({"300": 1}, "denomination '300' is unknown"),
        ({"x": 1}, "denomination 'x' is unknown"),
        ({"100": -1}, "-1 pieces of $1.00 are not allowed"),
        ({"100": True}, "True pieces"),
        ({"100": 1.5}, "1.5 pieces"),
        ({"100": 10**7}, "10000000 pieces"),
    ):
        given = {"table": "T1", "count": count, "total_cents": 100, "second": "d1"}
        assert words in refused(pit, "s1", "count_closer", **BOTH, **given).message


def test_a_number_is_used_once_and_none_is_left_out(pit: Pit) -> None:
    pit.count("opener", OPENER)
    first, second = pit.ask("fill", 10_000), pit.ask("fill", 20_000)
    void = {"slip": first, "reason": "asked twice", "second": "c1"}
    pit.do("s1", "void_slip", **BOTH, **void)
    pit.do("c1", "send_slip", slip=second, pin_held=True)
    pit.sign("d1", "s1", "receive_slip", slip=second)
    for used in (first, second):
        told = refused(pit, "c1", "send_slip", slip=used, pin_held=True)
        assert told.reason is Reason.GIVEN_TWICE
        assert f"slip {used} is over" in told.message
    assert pit.ask("credit", 100) == 3
    assert "slip 4 is unknown" in refused(pit, "c1", "send_slip", slip=4, pin_held=True).message
    rows = pit.book("slips")
    assert [row["slip"] for row in rows] == [1, 2, 3]
    assert (rows[0]["state"], rows[0]["reason"], rows[0]["voided_with"]) == (
        "void",
        "asked twice",
        "c1",
    )
    # All parts of it are kept.
    assert (rows[0]["requested_by"], rows[0]["cents"]) == ("s1", 10_000)
    [void_row] = pit.book("voids")
    assert (void_row["table"], void_row["text"]) == ("T1", "slip 1: asked twice")


def test_who_signs_for_what(pit: Pit) -> None:
    count = {"table": "T1", "count": OPENER, "total_cents": OPENER_CENTS}
    for first, second, words in (
        ("s1", "s2", "beside you this takes dealer"),
        ("d1", "d2", "this takes supervisor, executive"),
        ("c1", "d1", "a cage's"),
        ("d1", "d1", "another person signs too"),
    ):
        asked = {**BOTH, **count, "second": second}
        assert words in refused(pit, first, "count_opener", **asked).message
    for missing in ("pin_held", "second_pin_held"):
        asked = {**BOTH, **count, "second": "d1", missing: False}
        assert "needs its PIN" in refused(pit, "s1", "count_opener", **asked).message
    assert (
        "closed; count its opener"
        in refused(
            pit,
            "s1",
            "request_slip",
            table="T1",
            kind="fill",
            count={},
            total_cents=0,
            pin_held=True,
        ).message
    )
    pit.count("opener", OPENER)
    slip = pit.ask("fill", 10_000)
    # The cage sends a fill, and nobody else does.
    told = refused(pit, "s1", "send_slip", slip=slip, pin_held=True)
    assert told.message == "the cage sends slip 1"
    early = {"slip": slip, "second": "s1"}
    assert "it is sent first" in refused(pit, "d1", "receive_slip", **BOTH, **early).message
    pit.do("c1", "send_slip", slip=slip, pin_held=True)
    assert "received next" in refused(pit, "c1", "send_slip", slip=slip, pin_held=True).message
    assert (
        refused(pit, "c1", "receive_slip", **BOTH, slip=slip, second="d1").message
        == "the table receives slip 1"
    )
    # Until it is there the table does not close.
    closer = {"table": "T1", "count": OPENER, "total_cents": OPENER_CENTS, "second": "d1"}
    assert (
        "slips of T1 are under way: 1"
        in refused(pit, "s1", "count_closer", **BOTH, **closer).message
    )
    pit.sign("s1", "d1", "receive_slip", slip=slip)
    pit.sign("s1", "c1", "drop_box", table="T1")
    assert "takes cage" in refused(pit, "s1", "drop_box", **BOTH, table="T1", second="d1").message
    box = {"box": 1, "count": {"100": 5}, "total_cents": 500}
    assert "another person" in refused(pit, "c1", "count_drop", **BOTH, **box, second="c1").message
    assert "a dealer's" in refused(pit, "c1", "count_drop", **BOTH, **box, second="d1").message
    pit.sign("c1", "u1", "count_drop", **box)
    assert "counted once" in refused(pit, "c1", "count_drop", **BOTH, **box, second="u1").message
    assert (
        "box 2 is unknown"
        in refused(pit, "c1", "count_drop", **BOTH, **{**box, "box": 2}, second="u1").message
    )


SUE = {"same_person_as": "s1", "pin_hash": "x"}


def test_nobody_carries_a_slip_through_alone(pit: Pit) -> None:
    pit.do("a1", "issue_card", card="c9", name="Sue", role="cage", **SUE)
    pit.count("opener", OPENER)
    slip = pit.ask("fill", 10_000)
    told = refused(pit, "c9", "send_slip", slip=slip, pin_held=True)
    assert "Sue has signed slip 1" in told.message


def counting() -> dict[str, Any]:
    """The arguments of a count that two people sign."""
    asked = {"table": "T1", "count": OPENER, "total_cents": OPENER_CENTS, "second": "d1"}
    return {**BOTH, **asked}


@pytest.mark.parametrize("what", ["opener", "closer"])
def test_a_tray_is_not_counted_while_a_round_is_under_way(pit: Pit, what: str) -> None:
    if what == "closer":
        pit.count("opener", OPENER)
    pit.do("d1", "open_round", table="T1")
    before = find_tray(pit.state, "T1")
    told = refused(pit, "s1", f"count_{what}", **counting())
    assert told.reason is Reason.WRONG_PHASE
    assert told.message == "a round is under way at T1; end it before its tray is counted"
    assert find_tray(pit.state, "T1") == before
    pit.do("s1", "round", table="T1", text="void exposed_card: a card fell")
    pit.count(what, OPENER)


def test_nothing_is_dealt_while_the_tray_is_closed(pit: Pit) -> None:
    # A table whose chips nobody counts is dealt at all the same.
    pit.do("d1", "open_round", table="T1")
    assert "no round" not in str(
        pit.do("s1", "round", table="T1", text="void exposed_card: a card fell")
    )
    pit.count("opener", OPENER)
    pit.do("d1", "open_round", table="T1")
    closer = {"table": "T1", "count": OPENER, "total_cents": OPENER_CENTS, "second": "d1"}
    assert "a round is under way" in refused(pit, "s1", "count_closer", **BOTH, **closer).message
    pit.do("s1", "round", table="T1", text="void exposed_card: a card fell")
    for name in ("play", "pace", "voids", "shuffler"):
        assert {tuple(row) for row in pit.book(name)} == {tuple(BOOKS[name].columns.split())}
    assert [row["what"] for row in pit.book("voids")] == ["round void"] * 2
    pit.count("closer", OPENER)
    assert "count its opener" in refused(pit, "d1", "open_round", table="T1").message


@pytest.mark.parametrize("seed", range(3))
def test_win_is_what_chips_and_cash_come_to(pit: Pit, seed: int) -> None:
    """Chips and cash in a model of their own: what the house has afterwards, less what it had."""
    chance = Random(seed)
    tray, before = OPENER_CENTS, OPENER_CENTS
    cage = brought = 10**9
    pit.count("opener", OPENER)
    players = box = 0
    for _ in range(12):
        cents = chance.randrange(1, 60) * 100
        match chance.choice(["fill", "credit", "buy", "wins", "loses", "void"]):
            case "fill":
                pit.fill(cents)
                tray, cage = tray + cents, cage - cents
            case "credit":
                cents = min(cents, tray // 2 // 100 * 100)
                pit.credit(cents)
                tray, cage = tray - cents, cage + cents
            case "buy":
                # Cash goes into the box, and chips to the player.
                box, tray, players = box + cents, tray - cents, players + cents
            case "wins":
                tray, players = tray - cents, players + cents
            case "loses":
                lost = min(cents, players)
                tray, players = tray + lost, players - lost
            case "void":
                slip = pit.ask("fill", cents)
                pit.do("s1", "void_slip", **BOTH, slip=slip, reason="not needed", second="c1")
    pit.count("closer", {"100": tray // 100})
    pit.drop(box)
    [row] = pit.book("master")
    assert row["win_cents"] == (tray - before) + (cage - brought) + box
    numbers = [slip["slip"] for slip in pit.book("slips")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_day_is_the_floor_s_own(pit: Pit) -> None:
    """Ten in the evening in January on the west coast is six in the morning in Greenwich."""
    clock = {
        "time_zone": "America/Los_Angeles",
        "day_begins": "06:00",
        "shifts": [
            {"name": "day", "begins": "06:00"},
            {"name": "swing", "begins": "14:00"},
            {"name": "grave", "begins": "22:00"},
        ],
    }
    pit.do("a1", "set_clock", **clock)
    times = {
        "2026-01-06T13:59:59+00:00": ("2026-01-05", "grave"),
        "2026-01-06T14:00:00+00:00": ("2026-01-06", "day"),
        "2026-01-06T22:00:00+00:00": ("2026-01-06", "swing"),
        "2026-01-07T06:00:00+00:00": ("2026-01-06", "grave"),
        # In summer the clock is an hour ahead.
        "2026-07-07T13:00:00+00:00": ("2026-07-07", "day"),
        "2026-07-07T12:59:59+00:00": ("2026-07-06", "grave"),
    }
    clocks = Clocks(pit.journal_events())
    assert {at: tuple(clocks.when(at).values()) for at in times} == times
    # Before it was set, days were those of Greenwich.
    assert clocks.when("2026-01-01T03:00:00+00:00")["day"] == "2026-01-01"
    assert clocks.now.bounds("2026-03-08") == (
        "2026-03-08T13:00:00.000000+00:00",
        "2026-03-09T13:00:00.000000+00:00",
    )
    assert clocks.now.bounds("2026-03-07")[0] == "2026-03-07T14:00:00.000000+00:00"


@pytest.mark.parametrize(
    ("zone", "begins", "first", "last"),
    [
        # The clock is set back from two to one, and shows half past one twice.
        ("America/Los_Angeles", "01:30", "2026-11-01T08:30", "2026-11-02T09:30"),
        # It is set forward from two to three, and never shows half past two.
        ("America/Los_Angeles", "02:30", "2026-03-08T10:00", "2026-03-09T09:30"),
        ("America/Santiago", "00:00", "2026-09-06T04:00", "2026-09-07T03:00"),
        # It was set back from a minute past midnight, so that the day before came once more.
        ("America/St_Johns", "00:00", "2010-11-07T02:30", "2010-11-08T03:30"),
    ],
)
def test_a_day_begins_once_however_the_clock_is_set(
    zone: str, begins: str, first: str, last: str
) -> None:
    late = f"{int(begins[:2]) + 12}:15"
    clock = DayClock(zone, begins, (("a", begins), ("b", late)))
    start = datetime.fromisoformat(f"{first}:00+00:00")
    before: tuple[str, str] = ("", "")
    for minute in range(-36 * 60, 36 * 60):
        at = (start + timedelta(minutes=minute)).isoformat(timespec="microseconds")
        now = (clock.day(at), clock.shift(at))
        assert now >= before, at
        began, ends = clock.bounds(now[0])
        assert began <= at < ends
        before = now
    day = clock.day(f"{first}:00.000000+00:00")
    bounds = (f"{first}:00.000000+00:00", f"{last}:00.000000+00:00")
    assert clock.bounds(day) == bounds


def test_what_an_earlier_clock_has_in_a_day_is_in_its_report(pit: Pit) -> None:
    """In the evening on the west coast a day begins when in Greenwich it is over already."""
    pit.clock.at = datetime.fromisoformat("2026-01-06T00:30:00+00:00")
    pit.count("opener", OPENER)
    pit.clock.move(hours=12)
    clock = {"time_zone": "America/Los_Angeles", "day_begins": "18:00", "shifts": []}
    pit.do("a1", "set_clock", pin_held=True, **clock)
    with pit.journal.engine.connect() as connection:
        found = statement(connection, "master", Period("2026-01-06", "2026-01-06"))
    assert [row["opened_at"][:16] for row in found.rows] == ["2026-01-06T00:30"]


def test_what_is_not_counted_holds_nothing_in_any_sum(pit: Pit) -> None:
    pit.count("opener", OPENER)
    pit.drop(30_000)
    pit.sign("s1", "v1", "drop_box", table="T1")
    pit.count("closer", OPENER)
    day = pit.clock()[:10]
    with pit.journal.engine.connect() as connection:
        for group in ("", "day", "table", "month"):
            found = statement(connection, "master", Period(day, day), group=group)
            assert found.totals["drop_cents"] == 30_000
            assert "hold" not in found.totals, group
    pit.sign("c1", "u1", "count_drop", box=2, count={"100": 100}, total_cents=10_000)
    with pit.journal.engine.connect() as connection:
        for group in ("", "day", "table", "month"):
            found = statement(connection, "master", Period(day, day), group=group)
            assert found.totals["hold"] == 1


def test_what_came_to_meters_is_let_go_of_though_nobody_looks() -> None:
    """Of months in which nobody opens the pit only the last hour is held."""
    today, start = Today(), datetime.fromisoformat("2026-01-05T00:00:00+00:00")
    moved = Transfer("wagers", "meter:L:single", 20)
    for hour in range(200):
        at = (start + timedelta(hours=hour)).isoformat(timespec="microseconds")
        body = body_of(
            Draft(stream="table:T1", kind="game_started", data={}, transfers=[moved]), {}
        )
        started = Event(hour + 1, "table:T1", 1, "game_started", 1, "k", 0, "d1", at, body, "", "")
        today.take([started], DayClock())
    assert len(today._growth) <= 2
    assert today.growth("meter:L:single", at) == 40


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"time_zone": "Mars/Olympus"}, "time zone 'Mars/Olympus' is unknown"),
        ({"time_zone": "../etc/passwd"}, "is unknown"),
        ({"day_begins": "24:00"}, "'24:00' is no time"),
        ({"day_begins": "6"}, "'6' is no time"),
        ({"shifts": [{"name": "a", "begins": "07:00"}]}, "shifts begin with the day at 06:00"),
        ({"shifts": [{"name": "", "begins": "06:00"}]}, "is no name"),
        ({"shifts": [{"name": "a", "begins": "06:00"}] * 2}, "follow each other"),
        ({"shifts": "all"}, "is no list"),
        ({"shifts": [{"name": "a", "begins": "06:00"}] * 7}, "too many"),
    ],
)
def test_a_clock_that_cannot_be(pit: Pit, asked: dict[str, Any], words: str) -> None:
    given = {"time_zone": "UTC", "day_begins": "06:00", "shifts": [], **asked}
    assert words in refused(pit, "a1", "set_clock", **given, pin_held=True).message


WEST = {
    "time_zone": "America/Los_Angeles",
    "day_begins": "06:00",
    "shifts": [{"name": "early", "begins": "06:00"}, {"name": "late", "begins": "18:00"}],
}


def reported(pit: Pit, name: str, day: str, **more: str) -> Any:
    with pit.journal.engine.connect() as connection:
        return statement(connection, name, Period(day, day, **more))


def wager(pit: Pit, cents: int) -> None:
    """A round with one progressive wager."""
    pit.quiet_round("T1", 1, cents=cents)


def test_coin_in_is_told_by_the_gaming_day_and_its_shifts(pit: Pit) -> None:
    """Two in the morning in Greenwich is still the evening of the day before on the west coast."""
    pit.do("a1", "set_clock", **WEST)
    pit.clock.at = datetime(2026, 1, 6, 1, tzinfo=UTC)
    wager(pit, 100)
    pit.clock.at = datetime(2026, 1, 6, 3, tzinfo=UTC)
    wager(pit, 200)
    pit.clock.at = datetime(2026, 1, 6, 15, tzinfo=UTC)
    wager(pit, 400)
    monday, tuesday = (reported(pit, "coin-in", day) for day in ("2026-01-05", "2026-01-06"))
    assert [(row["shift"], row["cents"]) for row in monday.rows] == [("early", 100), ("late", 200)]
    assert (monday.totals["cents"], tuesday.totals["cents"]) == (300, 400)
    late = reported(pit, "coin-in", "2026-01-05", shift="late")
    assert late.totals["cents"] == 200
    # The record for a printer has a line for a day.
    assert [(line["date"], line["cents"]) for line in coin_in(pit.journal_events())] == [
        ("2026-01-05", 300),
        ("2026-01-06", 400),
    ]


@pytest.mark.parametrize("name", ["reconciliation", "deposits"])
def test_how_things_stood_is_told_as_of_the_end_of_a_day(pit: Pit, name: str) -> None:
    wager(pit, 1_000)
    before = reported(pit, name, "2026-01-05")
    pit.clock.move(days=1)
    wager(pit, 5_000)
    assert reported(pit, name, "2026-01-05").rows == before.rows
    after = reported(pit, name, "2026-01-06")
    told = "microcents" if name == "reconciliation" else "liability_cents"
    grown = after.totals[told] - before.totals[told]
    # A quarter of every wager is put by for players.
    assert grown == 5_000 // 4 * (MICROCENTS if name == "reconciliation" else 1)


def test_a_report_is_not_empty_because_of_what_it_cannot_be_asked_for(pit: Pit) -> None:
    wager(pit, 100)
    for name in ("progressive", "deposits", "system"):
        assert reported(pit, name, "2026-01-05").rows
        with pytest.raises(Refused, match="is not told by table; ask for it with all tables"):
            reported(pit, name, "2026-01-05", table="T1")
    for name in ("reconciliation", "deposits"):
        with pytest.raises(Refused, match="ask for it with all shifts"):
            reported(pit, name, "2026-01-05", shift="day")


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_no_hold_is_told_while_a_session_is_open(pit: Pit, group: str) -> None:
    """However it is added up: what lies in the tray of an open table is not known."""

    def told() -> Any:
        with pit.journal.engine.connect() as connection:
            return statement(connection, "master", Period(*["2026-01-05"] * 2), group=group)

    pit.count("opener", OPENER)
    pit.drop(50_000)
    pit.count("closer", OPENER)
    assert told().totals["hold"] == 1
    pit.count("opener", OPENER)
    pit.drop(30_000)
    assert "hold" not in told().totals
    assert told().totals["win_cents"] == 50_000
    pit.count("closer", OPENER)
    assert told().totals["hold"] == 1


def today(pit: Pit) -> Today:
    """The day as a server finds it that is started now."""
    found = find_pit(pit.state)
    with pit.journal.engine.connect() as connection:
        clock, upto = find_house(pit.state).clock, pit.state.position
        return Today.read(connection, clock, pit.clock(), upto, found.checkpoint_at)


def test_a_box_belongs_to_the_day_of_its_session_whenever_it_is_counted(pit: Pit) -> None:
    pit.count("opener", OPENER)
    late = int(pit.sign("s1", "v1", "drop_box", table="T1")["box"])
    pit.drop(10_000)
    assert today(pit).at("T1").drop_cents == 10_000
    pit.count("closer", OPENER)
    pit.clock.move(days=1)
    pit.sign("c1", "u1", "count_drop", box=late, count={"10000": 7}, total_cents=70_000)
    assert today(pit).at("T1").drop_cents == 0
    pit.count("opener", OPENER)
    pit.drop(20_000)
    assert today(pit).at("T1").drop_cents == 20_000
    assert [row["drop_cents"] for row in pit.book("master")] == [80_000, 20_000]


def test_the_pit_and_the_books_tell_one_day_after_the_clock_was_changed(pit: Pit) -> None:
    """What was counted before it keeps the day that it had."""
    pit.clock.at = datetime(2026, 1, 6, 1, tzinfo=UTC)
    pit.count("opener", OPENER)
    pit.drop(10_000)
    pit.clock.move(minutes=1)
    pit.do("a1", "set_clock", **WEST)
    assert today(pit).day == "2026-01-05"
    assert today(pit).at("T1").drop_cents == 0
    assert reported(pit, "master", "2026-01-05").rows == []
    pit.clock.at = datetime(2026, 1, 6, 15, tzinfo=UTC)
    assert today(pit).day == "2026-01-06"
    assert today(pit).at("T1").drop_cents == 10_000
    assert reported(pit, "master", "2026-01-06").totals["drop_cents"] == 10_000


def test_what_was_won_since_the_checkpoint_does_not_end_with_the_day() -> None:
    def ended(at: str, cents: int) -> Event:
        data = {"opened_at": at, "void": "", "seats": 1, "wagers": {}, "net": {"ante": cents}}
        data |= {"within": {}, "across": {}}
        return event("table:T1", "round_ended", at, data)

    def event(stream: str, kind: str, at: str, data: dict[str, Any]) -> Event:
        body = {"data": data, "transfers": []}
        return Event(1, stream, 1, kind, 1, "key", 0, "d1", at, json.dumps(body), "", "")

    found, clock = Today(), DayClock()
    found.take([ended("2026-01-05T20:00:00+00:00", 100)], clock)
    found.take([event("floor:pit", "checkpoint_set", "2026-01-05T21:00:00+00:00", {})], clock)
    found.take([ended("2026-01-05T22:00:00+00:00", 30)], clock)
    assert (found.at("T1").won_cents, found.since["T1"]) == (130, 30)
    found.take([ended("2026-01-06T01:00:00+00:00", 5)], clock)
    assert (found.at("T1").won_cents, found.since["T1"]) == (5, 35)
