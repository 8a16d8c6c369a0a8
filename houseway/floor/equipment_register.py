"""Equipment register: machines and layouts on record, and whether they work.

Which of them may stand at a table is judged by the approved list (`houseway/equipment.py`). What an
earlier program recorded keeps counting as it did then, until somebody records it again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from houseway.equipment import (
    DISPLAY,
    Display,
    parse_version,
    part_named,
    part_names,
    shuffler_problem,
    stack_problems,
    stack_problems_then,
)
from houseway.floor import request
from houseway.floor.person import administrator
from houseway.journal.event import Command, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

KINDS = ("shuffler", "progressive", "layout")
OUT_OF_SERVICE = "TSR-32"
"""The clause by which a machine that keeps failing makes way for another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """A piece of equipment; `parts` are versions by name."""

    kind: str
    model: str
    maker: str
    sold: str
    approval: str
    """The reference under which the model was approved."""
    version: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    display: Display | None = None
    """The display of a progressive system, where it is no part with a version."""
    notes: str = ""
    fault: str = ""
    """Why it was taken out of service; empty while it works."""
    earlier: bool = False
    """True when an earlier program recorded it, which took any text."""


def read_equipment(state: State, command: Command) -> dict[str, Any]:
    """Returns the record of equipment that an administrator gives; refused when it is none."""
    administrator(state, command)
    kind = command.arguments.get("kind")
    if kind not in KINDS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"kind {request.shown(kind)} is unknown; known: {listed(KINDS)}"
        )
    version = request.text(command, "version", empty=True)
    return {
        "serial": request.text(command, "serial"),
        "kind": kind,
        "model": request.text(command, "model"),
        "maker": request.text(command, "maker"),
        "version": _version(version) if version else "",
        "sold": request.day(request.text(command, "sold")),
        "approval": request.text(command, "approval", empty=True),
        "parts": _parts(command, kind),
        "display": _display(command, kind),
        "notes": request.text(command, "notes", longest=request.LONGEST_TEXT, empty=True),
        "earlier": False,
    }


def read_repair(state: State, command: Command, known: Mapping[str, Equipment]) -> dict[str, Any]:
    """Returns the record that equipment was repaired; refused where it is in service."""
    administrator(state, command)
    serial = known_serial(known, command.arguments.get("serial"))
    if not known[serial].fault:
        broken = listed(serial for serial, one in known.items() if one.fault) or "none"
        raise Refused(
            Reason.WRONG_PHASE, f"equipment {serial!r} is in service; out of service: {broken}"
        )
    return {"serial": serial, "reference": request.text(command, "reference")}


def known_serial(known: Mapping[str, Equipment], serial: object) -> str:
    """The serial number of equipment on record; refused when there is none such."""
    if serial not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"equipment {request.shown(serial)} is not on record; known: {listed(known) or 'none'}",
            "CMP-03",
        )
    return str(serial)


def check_service(known: Mapping[str, Equipment], serial: str) -> None:
    """Refuse equipment that is out of service."""
    for clause, problem in service_problems(serial, known[serial]):
        raise Refused(Reason.NOT_APPROVED, problem, clause)


def service_problems(serial: str, equipment: Equipment) -> Iterator[tuple[str, str]]:
    """Why equipment may stand at no table before it is repaired."""
    if equipment.fault:
        why = f"is out of service ({equipment.fault}); an administrator records its repair first"
        yield OUT_OF_SERVICE, f"equipment {serial!r} {why}"


def approval_problems(serial: str, equipment: Equipment) -> Iterator[tuple[str, str]]:
    """Why a model may stand at no table of a jurisdiction, with clauses."""
    if equipment.kind == "shuffler" and not equipment.approval.strip():
        which = f"shuffler {serial!r}, {equipment.model!r} of {equipment.maker!r},"
        allowed = "a model that the Commission has approved is allowed, with its reference"
        yield "CMP-16", f"{which} has no approval on record; {allowed}"


def list_problems(
    serial: str, equipment: Equipment, *, game: str, system: str
) -> Iterator[tuple[str, str]]:
    """Why the approved list keeps equipment from a game and its progressive system."""
    found: list[tuple[str, str]] = []
    if equipment.kind == "progressive" and equipment.earlier:
        found = stack_problems_then(system, equipment.parts)
    elif equipment.kind == "progressive":
        found = stack_problems(system, equipment.maker, equipment.parts, equipment.display)
    elif equipment.kind == "shuffler" and not equipment.earlier:
        problem = shuffler_problem(game, equipment.maker, equipment.model)
        found = [problem] if problem else []
    yield from ((clause, f"{serial}: {problem}") for clause, problem in found)


def _version(text: str, of: str = "") -> str:
    try:
        parse_version(text)
    except ValueError as told:
        where = f"{of}: " if of else ""
        raise Refused(Reason.BAD_ARGUMENT, f"{where}{told}", "PGM-01") from None
    return text


def _parts(command: Command, kind: str) -> dict[str, str]:
    """Versions by the printed names of parts; refused where one is unknown or named twice."""
    given = request.mapping(command, "parts")
    if given and kind != "progressive":
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"parts {request.shown(given)} of a {kind} are not recorded; a progressive system has "
            "parts",
        )
    found: dict[str, str] = {}
    for name, version in given.items():
        printed = part_named(str(name))
        if printed is None:
            declared = "; a display is declared with network and input" if name == DISPLAY else ""
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"part {request.shown(name)} is unknown; known: {listed(part_names())}{declared}",
                "PNX-02" if name == DISPLAY else "PNX-01",
            )
        if printed in found:
            raise Refused(
                Reason.GIVEN_TWICE, f"part {printed!r} is named twice; each part has one version"
            )
        found[printed] = _version(str(version), printed)
    return found


def _display(command: Command, kind: str) -> dict[str, Any] | None:
    """A display as it is declared; nothing is taken for granted of it (PNX-02)."""
    given = request.mapping(command, "display")
    if not given:
        return None
    if kind != "progressive":
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"display {request.shown(given)} of a {kind} is not recorded; a progressive system has "
            "one",
        )
    inner = replace(command, arguments=dict(given))
    for name in ("network", "input"):
        if name not in given:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"display {request.shown(given)} does not say {name}; true or false is allowed",
                "PNX-02",
            )
    return {
        "name": request.text(inner, "name"),
        "network": request.flag(inner, "network"),
        "input": request.flag(inner, "input"),
    }


def evolve(before: Mapping[str, Equipment], event: Event) -> dict[str, Equipment]:
    """The equipment on record after an event."""
    data, serial = event.data, event.data["serial"]
    match event.kind:
        case "equipment_recorded":
            fault = before[serial].fault if serial in before else ""
            named = {name: value for name, value in data.items() if name != "serial"}
            return {**before, serial: read_back({**named, "fault": fault})}
        case "equipment_failed":
            return {**before, serial: replace(before[serial], fault=data["what"])}
        case "equipment_repaired":
            return {**before, serial: replace(before[serial], fault="")}
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def read_back(data: Mapping[str, Any]) -> Equipment:
    """A piece of equipment from plain data."""
    display = data["display"]
    return Equipment(**{**data, "display": None if display is None else Display(**display)})
