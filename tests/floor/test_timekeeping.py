"""The floor's time when clocks jump, and how people set it right."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from houseway.floor.day import Clock as DayClock
from houseway.floor.house import today
from houseway.floor.link import find_link
from houseway.floor.model import FloorModel
from houseway.floor.statement import make_period, statement
from houseway.floor.timekeeping import find_time
from houseway.journal.audit import verify
from houseway.journal.rebuild import differences
from houseway.journal.timekeeper import time_text
from houseway.refusal import Reason, Refused
from tests.floor.room import Room
from tests.journal.test_timekeeper import AHEAD, MONDAY, Machine

CORRECT = {"reason": "the clock was set wrongly", "second": "e1"}
HELD = {"pin_held": True, "second_pin_held": True}


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def room(database: str, machine: Machine) -> Iterator[Room]:
    made = Room(database, clock=machine.shown, elapsed=machine.elapsed)
    made.set_up(deposits="weekly")
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


def opened_again(room: Room, machine: Machine, by: timedelta) -> Room:
    """The same floor, served by a new process; in between somebody has set the clock."""
    room.journal.close()
    machine.set_clock(by)
    return Room(room.journal.url, clock=machine.shown, elapsed=machine.elapsed)


def test_a_fast_clock_is_an_alarm_and_nothing_else(room: Room, machine: Machine) -> None:
    machine.wait(hours=1)
    machine.set_clock(AHEAD)
    room.play("T1", {1: "straight_flush"})
    assert room.state.at[:10] == "2026-01-05"
    assert today(room.state) == "2026-01-05"
    [alarm] = find_time(room.state).alarms
    assert (alarm.machine[:10], alarm.time[:13]) == ("2027-02-09", "2026-01-05T10")
    machine.set_clock(-AHEAD)
    room.press("T1", 1, "straight_flush")
    assert (find_time(room.state).offset_us, len(find_time(room.state).alarms)) == (0, 2)
    assert room.state.at[:13] == "2026-01-05T10"


def test_an_administrator_acknowledges_a_jump(room: Room, machine: Machine) -> None:
    with pytest.raises(Refused, match="no jump of the clock waits") as told:
        room.do("a1", "acknowledge_clock", text="none", **HELD)
    assert told.value.reason is Reason.WRONG_PHASE
    machine.set_clock(AHEAD)
    room.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    with pytest.raises(Refused, match="this takes administrator"):
        room.do("s1", "acknowledge_clock", text="seen", **HELD)
    with pytest.raises(Refused, match="PIN"):
        room.do("a1", "acknowledge_clock", text="seen", pin_held=False)
    assert room.do("a1", "acknowledge_clock", text="a battery", **HELD) == {"jumps": 1}
    assert find_time(room.state).alarms == ()
    # The floor's time stays as it is.
    assert find_time(room.state).offset_us == -AHEAD // timedelta(microseconds=1)


def test_two_people_set_right_what_a_start_with_a_wrong_clock_did(
    room: Room, machine: Machine
) -> None:
    """Days and deposits follow the corrected time, and so does every report."""
    machine.wait(days=1)
    again = opened_again(room, machine, AHEAD)
    deposit = {"link": "L", "balance_cents": 10**9, "reference": "a wire", "pin_held": True}
    again.do("c1", "record_deposit", **deposit)
    assert today(again.state) == "2027-02-10"
    machine.set_clock(-AHEAD)
    machine.wait(hours=1)
    # The time does not go back by itself: everything would be written with the last of them.
    again.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    assert today(again.state) == "2027-02-10"
    assert len(find_time(again.state).alarms) == 1
    for wrong in ({"second": "a1"}, {"second": "s1"}, {"second_pin_held": False}):
        with pytest.raises(Refused):
            again.do("a1", "correct_time", **{**CORRECT, **HELD, **wrong})
    with pytest.raises(Refused, match="'noon' is not a moment"):
        again.do("a1", "correct_time", **CORRECT, **HELD, time="noon")
    again.do("a1", "correct_time", **CORRECT, **HELD)
    assert again.state.at == machine.shown()
    assert (find_time(again.state).offset_us, find_time(again.state).alarms) == (0, ())
    with pytest.raises(Refused, match="already"):
        again.do("a1", "correct_time", **CORRECT, **HELD)
    # The deposit was made a day after Monday, and the next is due a week later.
    assert find_link(again.state, "L").deposited_at[:10] == "2026-01-06"
    machine.wait(days=6)
    again.play("T1", {1: "straight_flush"})
    again.press("T1", 1, "straight_flush")
    again.say("T1", "close")
    machine.wait(days=2)
    with pytest.raises(Refused, match="the last deposit of L was on 2026-01-06"):
        again.play("T1", {1: "straight_flush"})
    day = DayClock().day(again.state.at)
    assert day == "2026-01-14"
    with again.journal.engine.connect() as connection:
        period = make_period("2026-01-05", day, "", "", day)
        rows = statement(connection, "play", period).rows
    assert [row["day"] for row in rows] == ["2026-01-12"]
    again.journal.close()
    # The room that the fixture looks at is the journal as it is now.
    room.journal = Room(again.journal.url).journal


@pytest.mark.parametrize("by", [timedelta(hours=5), -timedelta(hours=5)])
def test_a_second_process_takes_no_correction_for_a_jump(
    room: Room, machine: Machine, by: timedelta
) -> None:
    """It would set the time back to what two people have just corrected."""
    other = Room(room.journal.url, clock=machine.shown, elapsed=machine.elapsed)
    other.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    machine.wait(minutes=10)
    room.do("a1", "correct_time", **CORRECT, **HELD, time=(machine.clock + by).isoformat())
    machine.wait(minutes=10)
    other.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    assert other.state.at == time_text(machine.clock + by)
    assert find_time(other.state).alarms == ()
    other.journal.close()


def test_a_correction_whose_answer_is_lost_holds(
    room: Room, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = machine.clock - timedelta(hours=5)
    asked = room.command("a1", "correct_time", **CORRECT, **HELD, time=wanted.isoformat())
    dialect = room.journal.engine.dialect
    commit = dialect.do_commit

    def lose(connection: Any) -> None:
        commit(connection)
        monkeypatch.setattr(dialect, "do_commit", commit)
        raise dialect.loaded_dbapi.OperationalError("the answer is lost")

    monkeypatch.setattr(dialect, "do_commit", lose)
    with pytest.raises(Refused, match="the answer is lost"):
        room.journal.do(asked)
    assert room.journal.do(asked)["time"] == time_text(wanted)
    machine.wait(minutes=10)
    room.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    assert room.state.at == time_text(wanted + timedelta(minutes=10))
    assert find_time(room.state).alarms == ()


def test_a_process_that_is_opened_with_a_wrong_clock_is_one_alarm_for_the_others(
    room: Room, machine: Machine
) -> None:
    """What it has written cannot be dated back, so the others go on from there."""
    machine.set_clock(AHEAD)
    other = Room(room.journal.url, clock=machine.shown, elapsed=machine.elapsed)
    other.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    for minutes in range(3):
        room.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
        assert room.state.at == time_text(MONDAY + AHEAD + timedelta(minutes=minutes))
        machine.wait(minutes=1)
    assert len(find_time(room.state).alarms) == 1
    other.journal.close()


def test_a_time_of_another_zone_is_written_in_utc(room: Room) -> None:
    """Times are compared as they are written."""
    text = "2026-01-03T18:30:00-08:00"
    answer = room.do("a1", "correct_time", **CORRECT, **HELD, time=text)
    assert answer == {"time": "2026-01-04T02:30:00.000000+00:00"}
    assert room.state.at == answer["time"]


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59+00:00",
        "1999-12-31T23:59:59+00:00",
        # In the zone that it is written in, the year would do.
        "2199-12-31T23:59:59-12:00",
        "2000-01-01T00:00:00+00:01",
    ],
)
def test_a_year_that_nothing_can_be_reckoned_from_is_refused(room: Room, text: str) -> None:
    with pytest.raises(Refused, match="is not a moment of 2000 to 2199"):
        room.do("a1", "correct_time", **CORRECT, **HELD, time=text)
    room.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)


def test_a_time_that_is_given_is_set(room: Room, machine: Machine) -> None:
    wanted = MONDAY - timedelta(days=3)
    text = wanted.isoformat()
    assert room.do("a1", "correct_time", **CORRECT, **HELD, time=text)["time"][:19] == text[:19]
    machine.wait(hours=2)
    room.do("a1", "unlock_card", card="s1", pin_hash="y", **HELD)
    assert room.state.at[:19] == (wanted + timedelta(hours=2)).isoformat()[:19]
    assert find_time(room.state).alarms == ()
