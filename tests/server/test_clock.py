"""A clock that jumps under a server: who is told, and what goes on."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pyotp
import pytest

from houseway.server.hub import Holder
from houseway.server.session import token_hash
from tests.journal.test_timekeeper import AHEAD, Machine
from tests.server.serving import PIN, InThread, in_thread
from tests.waiting import wait_for


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as made:
        yield made


def test_a_jump_of_the_clock_is_told_to_whoever_watches_and_to_administrators(
    floor: InThread,
) -> None:
    machine = Machine()
    machine.clock = floor.room._moment()
    floor.room.floor.journal._keeper = machine.keeper()
    ada = floor.as_("a1")
    ada.do(
        "record_paper",
        {"paper": "internal_controls", "reference": "1", "day": "2023-06-14"},
        pin=PIN,
    )
    assert ada.get("/healthz")["clock"] == {"offset_seconds": 0.0, "alarms": 0}
    machine.set_clock(AHEAD)
    # Nobody has a command; the server finds it by itself.
    wait_for(lambda: ada.get("/healthz")["clock"]["alarms"] == 1)
    shown = ada.get("/api/administration")["clock"]
    assert (shown["offset_seconds"], len(shown["alarms"])) == (-AHEAD.total_seconds(), 1)
    # She is signed in still, and the day is the same.
    ada.do("acknowledge_clock", {"text": "a battery"}, pin=PIN)
    assert ada.get("/healthz")["clock"]["alarms"] == 0
    status, told = ada.refused(
        "correct_time", {"reason": "x", "second": "s1"}, pin=PIN, second_pin=PIN
    )
    assert (status, "executive" in told) == (403, True)
    ada.do("correct_time", {"reason": "as it should be", "second": "e1"}, pin=PIN, second_pin=PIN)
    assert ada.get("/healthz")["clock"] == {"offset_seconds": 0.0, "alarms": 0}


def test_a_wrong_year_locks_nobody_out(floor: InThread) -> None:
    """Two people set the time to a wrong year; their telephones show the real one."""
    sessions = floor.room.sessions
    secret = sessions.waiting_secret("a1")
    assert not sessions.code_holds("a1", "x")
    now = sessions.machine()
    sessions.clock = lambda: now + timedelta(days=36 * 365)
    code = pyotp.TOTP(secret).at(now)
    assert sessions.code_holds("a1", code)
    # Still good once only.
    assert not sessions.code_holds("a1", code)


def test_a_session_of_a_clock_that_was_ahead_is_good_no_more(floor: InThread) -> None:
    """After the time is corrected, a session from the future would last for a year."""
    sessions = floor.room.sessions
    now = sessions.clock()
    sessions.clock = lambda: now + timedelta(days=400)
    token, _ = sessions.open("d1")
    holder = Holder("d1", token_hash(token))
    assert sessions.lasting(frozenset({holder})) == {holder}
    sessions.clock = lambda: now
    assert asyncio.run(sessions.find(token)) is None
    assert sessions.lasting(frozenset({holder})) == frozenset()


@pytest.mark.parametrize("zone", ["localtime", "posixrules", "Factory", "right/UTC", "posix/UTC"])
def test_no_zone_means_something_else_on_another_machine(floor: InThread, zone: str) -> None:
    asked = {"time_zone": zone, "day_begins": "06:00", "shifts": []}
    status, told = floor.as_("a1").refused("set_clock", asked, pin=PIN)
    assert (status, "is unknown" in told) == (409, True)
