"""House: the floor as a whole: whether it is only a demonstration, and what serves it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from houseway.floor import request
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused

STREAM = "floor:house"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What is true of the whole floor."""

    demo: bool = False
    """True where everybody may be anybody and no money is real; it never changes."""
    version: str = ""
    digest: str = ""
    """Of the program that was last started on it."""


def find_house(state: State) -> House:
    """The house; a floor that nobody has started yet has one without anything."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, House) else House()


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
    }
    draft = Draft(stream=STREAM, kind="server_started", data=data)
    return Entry(events=[draft], answer={"demo": data["demo"], "changed": data["changed"]})


def evolve(before: House | None, event: Event) -> House:
    """The house after an event."""
    data = event.data
    if event.kind == "server_started":
        return replace(
            before or House(), demo=data["demo"], version=data["version"], digest=data["digest"]
        )
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(house: House) -> dict[str, Any]:
    """The house as plain data."""
    return {"demo": house.demo, "version": house.version, "digest": house.digest}


def load(data: Mapping[str, Any]) -> House:
    """The house from plain data."""
    return House(**data)


DECIDERS = {"note_start": note_start}
