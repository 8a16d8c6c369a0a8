"""Drop: the boxes under the tables, taken away by two people and counted by two others."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from houseway.floor import request, signature
from houseway.floor.chips import DROPPED, read_count, total_cents
from houseway.floor.context import OVER_THE_TABLE
from houseway.floor.table import find_table
from houseway.floor.tray import find_tray
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused

STREAM = "floor:boxes"
COUNTERS = ("cage", "auditor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What was taken from under a table; it belongs to the session that was last begun there."""

    table: str
    session: int
    dropped_by: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Boxes that wait to be counted, and how many there were."""

    made: int = 0
    waiting: Mapping[int, Box] = field(default_factory=dict)


def find_boxes(state: State) -> Boxes:
    """The boxes of the floor."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, Boxes) else Boxes()


def drop_box(state: State, command: Command) -> Entry:
    """The box of a table is changed, by two people of different departments."""
    first = signature.one(state, command, OVER_THE_TABLE)
    signature.second(state, command, signature.other_departments(first.role))
    table = find_table(state, request.text(command, "table"))
    tray = find_tray(state, table.name)
    if not tray.session:
        raise Refused(
            Reason.WRONG_PHASE, f"nothing was counted at {table.name} yet; count its opener first"
        )
    box = find_boxes(state).made + 1
    data = {
        "box": box,
        "table": table.name,
        "session": tray.session,
        "second": command.arguments["second"],
    }
    draft = Draft(stream=STREAM, kind="box_dropped", data=data)
    return Entry(events=[draft], answer={"box": box, "table": table.name})


def count_drop(state: State, command: Command) -> Entry:
    """A box is opened and counted, once, by the cage and a second person who count."""
    signature.one(state, command, ("cage",))
    signature.second(state, command, COUNTERS)
    boxes = find_boxes(state)
    number = request.number(command, "box", boxes.made, "box")
    if number not in boxes.waiting:
        raise Refused(Reason.GIVEN_TWICE, f"box {number} is counted; a box is counted once")
    box = boxes.waiting[number]
    count = read_count(command, DROPPED)
    total = total_cents(count)
    data = {
        "box": number,
        "table": box.table,
        "session": box.session,
        "count": count,
        "total_cents": total,
        "second": command.arguments["second"],
    }
    draft = Draft(stream=STREAM, kind="drop_counted", data=data)
    return Entry(events=[draft], answer={"box": number, "table": box.table, "total_cents": total})


def evolve(before: Boxes | None, event: Event) -> Boxes:
    """The boxes after an event."""
    boxes, data = before or Boxes(), event.data
    number = data["box"]
    match event.kind:
        case "box_dropped":
            dropped_by = (event.actor, data["second"])
            box = Box(table=data["table"], session=data["session"], dropped_by=dropped_by)
            return Boxes(made=number, waiting={**boxes.waiting, number: box})
        case "drop_counted":
            waiting = {n: box for n, box in boxes.waiting.items() if n != number}
            return replace(boxes, waiting=waiting)
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(boxes: Boxes) -> dict[str, Any]:
    """The boxes as plain data."""
    waiting = {
        str(number): {
            "table": box.table,
            "session": box.session,
            "dropped_by": list(box.dropped_by),
        }
        for number, box in boxes.waiting.items()
    }
    return {"made": boxes.made, "waiting": waiting}


def load(data: Mapping[str, Any]) -> Boxes:
    """The boxes from plain data."""
    waiting = {
        int(number): Box(
            table=box["table"],
            session=box["session"],
            dropped_by=(box["dropped_by"][0], box["dropped_by"][1]),
        )
        for number, box in data["waiting"].items()
    }
    return Boxes(made=data["made"], waiting=waiting)


DECIDERS = {"drop_box": drop_box, "count_drop": count_drop}
