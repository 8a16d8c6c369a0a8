"""The journal's time beside a clock that people set, and one that nobody can set."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from houseway.journal.journal import Journal
from houseway.journal.timekeeper import BOUND, ZERO, Timekeeper, time_text
from tests.journal.bank import Bank, look, pay, sound

MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
AHEAD = timedelta(days=400)


class Machine:
    """A machine: time passes, and somebody sets its clock."""

    def __init__(self) -> None:
        self.clock, self.passed = MONDAY, 0.0

    def shown(self) -> str:
        return time_text(self.clock)

    def elapsed(self) -> float:
        return self.passed

    def wait(self, **time: float) -> None:
        self.passed += timedelta(**time).total_seconds()
        self.clock += timedelta(**time)

    def set_clock(self, by: timedelta) -> None:
        self.clock += by

    def keeper(self) -> Timekeeper:
        return Timekeeper(self.shown, self.elapsed)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("by", [AHEAD, -AHEAD, BOUND + timedelta(seconds=1)])
def test_a_clock_that_is_set_moves_the_time_nowhere(machine: Machine, by: timedelta) -> None:
    keeper = machine.keeper()
    written, offset = keeper.tell("", ZERO)[0], ZERO
    machine.wait(minutes=5)
    machine.set_clock(by)
    assert keeper.moved(offset)
    at, _, jump = keeper.tell(written, offset)
    assert jump is not None
    assert (at, jump.offset, jump.machine) == (time_text(MONDAY + 5 * MINUTE), -by, machine.shown())
    # From then on it goes by the offset, and finds nothing more.
    machine.wait(minutes=1)
    assert not keeper.moved(jump.offset)
    assert keeper.tell(at, jump.offset)[::2] == (time_text(MONDAY + 6 * MINUTE), None)
    # A clock that is right again needs no offset.
    machine.set_clock(-by)
    at, _, jump = keeper.tell(at, -by)
    assert jump is not None
    assert (at, jump.offset) == (time_text(MONDAY + 6 * MINUTE), ZERO)


MINUTE = timedelta(minutes=1)


def test_a_clock_that_is_kept_right_does_not_jump(machine: Machine) -> None:
    keeper = machine.keeper()
    written = keeper.tell("", ZERO)[0]
    for by in (BOUND, -BOUND):
        machine.set_clock(by)
        at, _, jump = keeper.tell(written, ZERO)
        assert jump is None
        # Times do not go back by themselves.
        assert at >= written
        written = at


@pytest.mark.parametrize(
    ("by", "offset", "time"),
    [
        (timedelta(days=1), None, timedelta(days=1)),
        (AHEAD, None, AHEAD),
        (-MINUTE, None, ZERO),
        (-AHEAD, AHEAD, ZERO),
    ],
)
def test_a_clock_that_was_set_while_nobody_looked(
    machine: Machine, by: timedelta, offset: timedelta | None, time: timedelta
) -> None:
    """With the journal closed nobody knows how long; backwards it cannot have been."""
    machine.set_clock(by)
    at, _, jump = machine.keeper().tell(time_text(MONDAY), ZERO)
    assert at == time_text(MONDAY + time)
    assert (None if jump is None else jump.offset) == offset


def test_a_clock_that_was_put_right_while_nobody_looked(machine: Machine) -> None:
    machine.wait(hours=1)
    at, _, jump = machine.keeper().tell(time_text(MONDAY), -AHEAD)
    assert jump is not None
    assert (at, jump.offset, jump.closed) == (machine.shown(), ZERO, True)


def test_one_moment_of_a_fast_clock_leaves_no_trace_but_two_jumps(
    machine: Machine, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/bank.sqlite"
    clocks: dict[str, Any] = {"clock": machine.shown, "elapsed": machine.elapsed}
    with Journal(url, Bank(), **clocks) as journal:
        journal.do(pay("first"))
        machine.wait(minutes=1)
        machine.set_clock(AHEAD)
        journal.do(pay("while it is ahead"))
        machine.wait(minutes=1)
        machine.set_clock(-AHEAD)
        journal.do(pay("right again"))
    machine.wait(minutes=1)
    with Journal(url, Bank(), **clocks) as journal:
        journal.do(pay("after a restart"))
    times = look(url, "SELECT kind, at FROM event WHERE part = 0 ORDER BY position")
    assert times == [
        ("paid", time_text(MONDAY)),
        ("jumped", time_text(MONDAY + MINUTE)),
        ("paid", time_text(MONDAY + MINUTE)),
        ("jumped", time_text(MONDAY + 2 * MINUTE)),
        ("paid", time_text(MONDAY + 2 * MINUTE)),
        ("paid", time_text(MONDAY + 3 * MINUTE)),
    ]
    sound(url, Bank())


def test_a_jump_is_found_without_a_command(machine: Machine, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/bank.sqlite"
    with Journal(url, Bank(), clock=machine.shown, elapsed=machine.elapsed) as journal:
        journal.do(pay("first"))
        machine.set_clock(AHEAD)
        journal.look()
    assert look(url, "SELECT kind FROM event ORDER BY position")[-1] == ("jumped",)


def test_a_clock_of_a_second_process_finds_the_jump_written_down(
    machine: Machine, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/bank.sqlite"
    clocks: dict[str, Any] = {"clock": machine.shown, "elapsed": machine.elapsed}
    with Journal(url, Bank(), **clocks) as one, Journal(url, Bank(), **clocks) as other:
        one.do(pay("one"))
        other.do(pay("other"))
        machine.set_clock(AHEAD)
        one.do(pay("one again"))
        other.do(pay("other again"))
    assert look(url, "SELECT count(*) FROM event WHERE kind = 'jumped'") == [(1,)]
    assert look(url, "SELECT max(at) FROM event") == [(time_text(MONDAY),)]
