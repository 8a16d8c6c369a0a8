"""Day: when a gaming day begins, and what time it is where the tables are.

A day begins at a time of the wall clock and is named by the date on which it began. Shifts divide
it. All arithmetic of days is here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from houseway.dates import parse_day
from houseway.refusal import Reason, Refused

MOST_SHIFTS = 6
CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
MINUTE, ONE_DAY = timedelta(minutes=1), timedelta(days=1)
EARLIEST = "1970-01-02"
MACHINES_OWN = frozenset({"localtime", "posixrules", "Factory"})
"""Names of zones that mean what a machine was set to."""
WHOLE_DAY = "day"
"""The one shift of a day that has no others."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Where the floor is, and how it divides its time."""

    time_zone: str = "UTC"
    day_begins: str = "00:00"
    shifts: tuple[tuple[str, str], ...] = ()
    """Names, each with the time of the wall clock at which it begins; the first with the day."""

    def local(self, at: str) -> datetime:
        """A time of the journal as a clock on the wall shows it."""
        return datetime.fromisoformat(at).astimezone(_zone(self.time_zone))

    def day(self, at: str) -> str:
        """The gaming day of a time of the journal."""
        return _day(self, at[:19])

    def shift(self, at: str) -> str:
        """The shift of a time of the journal."""
        if not self.shifts:
            return WHOLE_DAY
        starts = _starts(self, self.day(at))
        return [name for name, start in starts if start <= at[:19]][-1]

    def bounds(self, day: str) -> tuple[str, str]:
        """When a gaming day begins and ends, as times of the journal."""
        first = date.fromisoformat(day)
        begins = (_at(self, one, self.day_begins) for one in (first, first + ONE_DAY))
        one, other = (f"{second}.000000+00:00" for second in begins)
        return one, other


# A day is asked for with every event of a report, and most events share their second's answer.
@lru_cache(maxsize=65_536)
def _day(clock: Clock, at: str) -> str:
    # A clock that is set back may show the day before once more.
    day = clock.local(f"{at}+00:00").date() + ONE_DAY
    while at < _at(clock, day, clock.day_begins):
        day -= ONE_DAY
    return day.isoformat()


@lru_cache(maxsize=4096)
def _starts(clock: Clock, day: str) -> tuple[tuple[str, str], ...]:
    """When each shift of a gaming day begins, as the first signs of a time of the journal."""
    first = date.fromisoformat(day)
    return tuple(
        (name, _at(clock, first + ONE_DAY * (_time(start) < _time(clock.day_begins)), start))
        for name, start in clock.shifts
    )


@lru_cache(maxsize=4096)
def _at(clock: Clock, day: date, text: str) -> str:
    """When the clock on the wall first shows a time, as the first signs of one of the journal.

    In autumn it shows an hour twice; one that it skips in spring has come when it has skipped it.
    """
    zone, wall = _zone(clock.time_zone), datetime.combine(day, _time(text))
    found = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(found, zone) != wall:
        while _shown(found - MINUTE, zone) > wall:
            found -= MINUTE
    return found.isoformat(timespec="seconds")[:19]


def _shown(at: datetime, zone: ZoneInfo) -> datetime:
    """The time that a clock on the wall shows then."""
    return at.astimezone(zone).replace(tzinfo=None)


def _since(begins: str, now: time) -> int:
    """Minutes of the wall clock since the day began."""
    start = _time(begins)
    return ((now.hour - start.hour) * 60 + now.minute - start.minute) % (24 * 60)


@lru_cache(maxsize=64)
def _time(text: str) -> time:
    return time.fromisoformat(text)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def seconds_between(first: str, last: str) -> float:
    """Seconds from one time of the journal to another."""
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()


def check_day(text: object) -> str:
    """A day such as 2024-01-31; refused when it is none."""
    try:
        day = parse_day(str(text)).isoformat()
    except ValueError as told:
        raise Refused(Reason.BAD_ARGUMENT, str(told)) from None
    # Long before there were computers a time zone reaches back beyond the first year.
    if day < EARLIEST:
        raise Refused(Reason.BAD_ARGUMENT, f"day {day!r} is too early; the first is {EARLIEST}")
    return day


def make_clock(time_zone: str, day_begins: str, shifts: Sequence[Mapping[str, Any]]) -> Clock:
    """A clock as somebody asks for it; refused when there can be none such."""
    # Not all that can be opened: `localtime` is another zone on another machine, and zones with
    # leap seconds are not those of the clock on the wall.
    if time_zone not in _zones() - MACHINES_OWN:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"time zone {time_zone[:60]!r} is unknown; use a name such as America/Los_Angeles",
        )
    _check_clock(day_begins)
    if len(shifts) > MOST_SHIFTS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{len(shifts)} shifts are too many; {MOST_SHIFTS} may be"
        )
    named = tuple(
        (str(shift.get("name", "")).strip(), str(shift.get("begins"))) for shift in shifts
    )
    for name, begins in named:
        _check_clock(begins)
        if not name or len(name) > 20 or not name.isprintable():
            raise Refused(
                Reason.BAD_ARGUMENT, f"shift {name[:30]!r} is no name; use 1 to 20 letters"
            )
    starts = [_since(day_begins, _time(begins)) for _, begins in named]
    if named and (starts[0] != 0 or starts != sorted({*starts})):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"shifts begin with the day at {day_begins} and follow each other; these begin at "
            + ", ".join(begins for _, begins in named),
        )
    if len({name for name, _ in named}) < len(named):
        raise Refused(Reason.GIVEN_TWICE, "two shifts have one name; give each its own")
    return Clock(time_zone, day_begins, named)


def _check_clock(text: str) -> None:
    if not CLOCK.fullmatch(text):
        raise Refused(Reason.BAD_ARGUMENT, f"{text[:20]!r} is no time; write it as 06:00")
