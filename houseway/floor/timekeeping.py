"""Timekeeping: the floor's time when the machine's clock jumps, and how people set it right.

A jump does not move the floor's time. It is an alarm, which an administrator acknowledges. Where
the floor's time itself is wrong, as after a start with a wrong clock, an administrator and an
executive correct it together; only then may times go back.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from houseway.floor import request, signature
from houseway.floor.link import Link, link_stream
from houseway.floor.person import administrator
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.reading import TIME_CORRECTED
from houseway.journal.state import State
from houseway.journal.timekeeper import Jump, time_text
from houseway.refusal import Reason, Refused

STREAM = "floor:time"
MOST_ALARMS = 20
"""Jumps that are kept for the administrator; the journal has them all."""
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)
YEARS = range(2000, 2200)
"""Years in which the floor's time may be set; days, weeks and cheques are reckoned from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A jump that nobody has acknowledged."""

    machine: str
    """The machine's clock when it was found."""
    time: str
    """The floor's time then."""
    closed: bool
    """True when it was found at the start of a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTime:
    """How the floor's time differs from the machine's clock."""

    offset_us: int = 0
    """Microseconds to add to the machine's clock."""
    corrected_us: int = 0
    """Microseconds by which people have set the floor's time, in all."""
    alarms: tuple[Alarm, ...] = ()


def find_time(state: State) -> FloorTime:
    """How the floor keeps its time; without a jump it follows the machine's clock."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, FloorTime) else FloorTime()


def time_offset(state: State) -> timedelta:
    """The difference between the floor's time and the machine's clock."""
    return timedelta(microseconds=find_time(state).offset_us)


def time_corrected(state: State) -> timedelta:
    """By how much people have set the floor's time, in all."""
    return timedelta(microseconds=find_time(state).corrected_us)


def jumped(jump: Jump) -> Entry:
    """A jump of the machine's clock, as it is written down."""
    data = {
        "machine": jump.machine,
        "time": jump.time,
        "offset_us": jump.offset // MICROSECOND,
        "closed": jump.closed,
    }
    return Entry(events=[Draft(stream=STREAM, kind="clock_jumped", data=data)], answer={})


def acknowledge_clock(state: State, command: Command) -> Entry:
    """An administrator has seen that the clock jumped; the floor's time stays as it is."""
    administrator(state, command)
    alarms = find_time(state).alarms
    if not alarms:
        raise Refused(Reason.WRONG_PHASE, "no jump of the clock waits to be acknowledged")
    data = {"jumps": len(alarms), "text": request.text(command, "text", longest=400)}
    draft = Draft(stream=STREAM, kind="clock_acknowledged", data=data)
    return Entry(events=[draft], answer={"jumps": len(alarms)})


def correct_time(state: State, command: Command) -> Entry:
    """Set the floor's time: an administrator and an executive, each with card and PIN.

    It is set to the machine's clock, which is put right first, or to a `time` that is given. Times
    of links that lie in what is then the future are moved by the same amount.
    """
    administrator(state, command)
    signature.second(state, command, ("executive",))
    machine = datetime.fromisoformat(state.machine or state.now)
    wanted = _moment(command) if "time" in command.arguments else machine
    before = datetime.fromisoformat(state.now)
    if abs(wanted - before) < SECOND:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the floor's time is {state.now[:19]} already; give another time to set",
        )
    data: dict[str, Any] = {
        "before": state.now,
        "time": time_text(wanted),
        "machine": time_text(machine),
        "offset_us": (wanted - machine) // MICROSECOND,
        "reason": request.text(command, "reason", longest=400),
        "second": request.second(command),
    }
    events = [Draft(stream=STREAM, kind=TIME_CORRECTED, data=data)]
    back_us = (before - wanted) // MICROSECOND
    for stream, found in sorted(state.streams.items()):
        if back_us > 0 and isinstance(found, Link):
            moved = {"upto": data["time"], "back_us": back_us}
            events.append(Draft(stream=link_stream(found.name), kind="times_corrected", data=moved))
            assert stream == link_stream(found.name), stream
    return Entry(events=events, answer={"time": data["time"]}, at=data["time"])


def _moment(command: Command) -> datetime:
    text = request.text(command, "time", longest=40)
    try:
        found = datetime.fromisoformat(text)
        # Times are compared as they are written, so all are written in one zone.
        moment = None if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.year not in YEARS:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"time {request.shown(text)} is not a moment of {YEARS[0]} to {YEARS[-1]}; write it as "
            "2026-01-31T18:30:00+00:00",
        )
    return moment


def evolve(before: FloorTime | None, event: Event) -> FloorTime:
    """The floor's time after an event."""
    found, data = before or FloorTime(), event.data
    match event.kind:
        case "clock_jumped":
            named = {name: data[name] for name in ("machine", "time", "closed")}
            alarms = (*found.alarms, Alarm(**named))[-MOST_ALARMS:]
            return replace(found, offset_us=data["offset_us"], alarms=alarms)
        case "clock_acknowledged":
            return replace(found, alarms=())
        case "time_corrected":
            moved = datetime.fromisoformat(data["time"]) - datetime.fromisoformat(data["before"])
            corrected = found.corrected_us + moved // MICROSECOND
            return FloorTime(offset_us=data["offset_us"], corrected_us=corrected)
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(found: FloorTime) -> dict[str, Any]:
    """The floor's time as plain data."""
    return asdict(found)


def load(data: Mapping[str, Any]) -> FloorTime:
    """The floor's time from plain data."""
    alarms = tuple(Alarm(**alarm) for alarm in data["alarms"])
    return FloorTime(**{**data, "alarms": alarms})


DECIDERS = {"acknowledge_clock": acknowledge_clock, "correct_time": correct_time}
