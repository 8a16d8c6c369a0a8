"""House: the floor as a whole: whether it is only a demonstration, what serves it, its clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from houseway.floor import request
from houseway.floor.day import Clock, make_clock
from houseway.floor.person import administrator
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused

STREAM = "floor:house"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Facts that hold for the whole floor."""

    demo: bool = False
    """True where everybody may be anybody and no money is real; it never changes."""
    version: str = ""
    digest: str = ""
    """Of the program that was last started on it."""
    clock: Clock = field(default_factory=Clock)


def find_house(state: State) -> House:
    """The house; a floor that nobody has started yet has one without anything."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, House) else House()


def today(state: State) -> str:
    """The date on the wall of the floor: papers, limits and licences go by it."""
    return find_house(state).clock.local(state.now or state.at).date().isoformat()


def past_day(state: State, command: Command, name: str) -> str:
    """A day argument up to today; refused in any other form, or when it has not come yet."""
    given, now = request.day(command, name), today(state)
    if given > now:
        raise Refused(Reason.UNKNOWN_DATE, f"{name} {given!r} has not come yet; today is {now}")
    return given


def note_start(state: State, command: Command) -> Entry:
    """A server was started; an empty floor may be made a demonstration then."""
    demo = request.flag(command, "demo")
    house = find_house(state)
    if demo and not house.demo and any(name.startswith("person:") for name in state.streams):
        raise Refused(
            Reason.NOT_APPROVED,
            "this floor has people of its own and is no demonstration; use another database",
        )
    data = {
        "demo": demo or house.demo,
        "version": request.text(command, "version"),
        "digest": request.text(command, "digest", longest=64),
        "changed": bool(house.digest) and house.digest != command.arguments.get("digest"),
        "checked": request.flag(command, "checked"),
        "closed_days": _days_between(state.at, state.now) if state.at else 0,
    }
    draft = Draft(stream=STREAM, kind="server_started", data=data)
    return Entry(events=[draft], answer={"demo": data["demo"], "changed": data["changed"]})


def accept_cut(_state: State, command: Command) -> Entry:
    """Whoever started the server knows why the journal does not have all that was sealed."""
    data = {"missing": request.text(command, "missing", longest=1000)}
    return Entry(events=[Draft(stream=STREAM, kind="cut_accepted", data=data)], answer=data)


def _days_between(before: str, now: str) -> int:
    return (datetime.fromisoformat(now) - datetime.fromisoformat(before)).days


def set_clock(state: State, command: Command) -> Entry:
    """Time zone, gaming day and shifts; days that are over keep the clock they were told by."""
    administrator(state, command)
    shifts = command.arguments.get("shifts", [])
    if not isinstance(shifts, list) or not all(isinstance(shift, dict) for shift in shifts):
        raise Refused(
            Reason.BAD_ARGUMENT, f"shifts {request.shown(shifts)} is no list of names and times"
        )
    clock = make_clock(
        request.text(command, "time_zone"), request.text(command, "day_begins"), shifts
    )
    draft = Draft(stream=STREAM, kind="clock_set", data=_clock_data(clock))
    return Entry(events=[draft], answer={"day": clock.day(state.now)})


def _clock_data(clock: Clock) -> dict[str, Any]:
    return {
        "time_zone": clock.time_zone,
        "day_begins": clock.day_begins,
        "shifts": [list(shift) for shift in clock.shifts],
    }


def clock_of(data: Mapping[str, Any]) -> Clock:
    """A clock from plain data."""
    shifts = tuple((name, begins) for name, begins in data["shifts"])
    return Clock(data["time_zone"], data["day_begins"], shifts)


def evolve(before: House | None, event: Event) -> House:
    """The house after an event."""
    data = event.data
    if event.kind == "server_started":
        return replace(
            before or House(), demo=data["demo"], version=data["version"], digest=data["digest"]
        )
    if event.kind == "clock_set":
        return replace(before or House(), clock=clock_of(data))
    if event.kind == "cut_accepted":
        # It is there to be read, and nothing follows from it.
        return before or House()
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(house: House) -> dict[str, Any]:
    """The house as plain data."""
    return {
        "demo": house.demo,
        "version": house.version,
        "digest": house.digest,
        "clock": _clock_data(house.clock),
    }


def load(data: Mapping[str, Any]) -> House:
    """The house from plain data."""
    return House(**{**data, "clock": clock_of(data["clock"])})


DECIDERS = {"accept_cut": accept_cut, "note_start": note_start, "set_clock": set_clock}
