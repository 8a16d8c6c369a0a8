"""Timekeeper: the time of a journal, which a jump of the machine's clock does not take along.

The journal's time is the machine's clock plus an offset, which is 0 until the clock jumps. A second
clock that only runs forward says how much time has really passed. Where the two differ by more than
a bound, the machine's clock was set: the journal goes on by the time that has passed, the offset
takes up the difference, and the model writes the jump down for somebody to look at.

People may set the journal's time, in this process or another. By how much they have set it in all
is in the journal, so that no process takes a correction for a jump.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

BOUND = timedelta(minutes=2)
"""Smaller differences are a clock that is being kept right, and not a jump."""
ZERO = timedelta()


class Jump(NamedTuple):
    """A clock that does not show what it should."""

    machine: str
    """What the machine's clock shows."""
    time: str
    """The time that the journal goes on with."""
    offset: timedelta
    """What is added to the machine's clock from now on."""
    closed: bool
    """True when it was found while the journal was opened: nobody knows how much time passed."""


class Told(NamedTuple):
    """A time as it is told."""

    at: str
    machine: str
    """The machine's clock then."""
    jump: Jump | None


def utc_now() -> str:
    """The machine's clock as a time of the journal."""
    return time_text(datetime.now(UTC))


_MACHINE = utc_now


def time_text(moment: datetime) -> str:
    """A moment as it is written down."""
    return moment.isoformat(timespec="microseconds")


def moved_back(at: str, microseconds: int) -> str:
    """An earlier time by so much."""
    return time_text(datetime.fromisoformat(at) - timedelta(microseconds=microseconds))


def elapsed_seconds() -> float:
    """Seconds by a clock that nobody can set, which also runs while the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Timekeeper:
    """Tells the time of one open journal."""

    def __init__(
        self,
        clock: Callable[[], str] | None = None,
        elapsed: Callable[[], float] | None = None,
    ) -> None:
        self.clock = clock or utc_now
        # Any other clock than the machine's is believed, unless it comes with a second one.
        self._elapsed = elapsed or (elapsed_seconds if self.clock is _MACHINE else None)
        self._anchor: tuple[datetime, float] | None = None
        """The journal's time when it was last told, less all corrections, and the second clock."""

    def now(self, offset: timedelta) -> str:
        """The journal's time by the offset that was last written down."""
        shown = self.clock()
        return time_text(datetime.fromisoformat(shown) + offset) if offset else shown

    def tell(self, written: str, offset: timedelta, corrected: timedelta = ZERO) -> Told:
        """The time of the next events, and the jump that was found on the way.

        `written` is the time of the last event. Times go back by a correction only; `corrected` is
        what all corrections come to.
        """
        shown = self.clock()
        machine = datetime.fromisoformat(shown)
        now = machine + offset
        last = datetime.fromisoformat(written) if written else now
        if self._elapsed is None:
            return Told(max(shown, written), shown, None)
        expected = self._expected(corrected)
        if expected is not None:
            jump = self._jump(machine, now, last, expected)
        else:
            jump = self._jump_while_closed(machine, now, last) if written else None
        if jump is not None:
            now = datetime.fromisoformat(jump.time)
        now = max(now, last)
        self._anchor = (now - corrected, self._elapsed())
        return Told(time_text(now), shown, jump)

    def moved(self, offset: timedelta, corrected: timedelta = ZERO) -> bool:
        """True when the machine's clock has jumped since the time was last told."""
        expected = self._expected(corrected)
        if expected is None:
            return False
        return abs(datetime.fromisoformat(self.clock()) + offset - expected) > BOUND

    def _expected(self, corrected: timedelta) -> datetime | None:
        """The journal's time by the second clock; None before the time was first told."""
        if self._elapsed is None or self._anchor is None:
            return None
        at, then = self._anchor
        return at + corrected + timedelta(seconds=self._elapsed() - then)

    def _jump(
        self, machine: datetime, now: datetime, last: datetime, expected: datetime
    ) -> Jump | None:
        if abs(now - expected) <= BOUND:
            return None
        # Another process may have been opened meanwhile, and have believed the clock.
        expected = max(expected, last)
        offset = expected - machine
        if abs(offset) <= BOUND:
            # The clock shows the right time again.
            offset, expected = ZERO, max(machine, last)
        return Jump(time_text(machine), time_text(expected), offset, closed=False)

    def _jump_while_closed(self, machine: datetime, now: datetime, last: datetime) -> Jump | None:
        if now >= last - BOUND:
            # Perhaps nobody played for weeks: the clock is believed.
            return None
        if last - BOUND <= machine:
            # It was set right while the journal was closed.
            return Jump(time_text(machine), time_text(max(machine, last)), ZERO, closed=True)
        return Jump(time_text(machine), time_text(last), last - machine, closed=True)
