"""Equipment register: machines and layouts on record, and whether they work.

The approved list (`houseway.catalog.equipment`), with the models that an administrator has
recorded, judges which of them may stand at a table. Equipment that an earlier program recorded
counts as it did then, until somebody records it again.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from houseway.catalog.equipment import (
    DISPLAY,
    ApprovedModel,
    Display,
    approval_reference,
    kinds_by_model,
    maker_named,
    model_problem,
    parse_version,
    part_named,
    part_names,
    spelled,
    stack_problems,
    stack_problems_then,
)
from houseway.floor import request
from houseway.floor.house import past_day
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
    approval: str = ""
    """The reference that an earlier program asked for; today the approved list has it."""
    version: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    display: Display | None = None
    """The display of a progressive system, where it is not one of the parts with a version."""
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
        "sold": past_day(state, command, "sold"),
        "parts": _parts(command, kind),
        "display": _display(command, kind),
        "notes": request.text(command, "notes", longest=request.LONGEST_TEXT, empty=True),
        "earlier": False,
    }


def read_model(command: Command) -> dict[str, str]:
    """Returns kind, maker and model of an approved model; refused for a kind without a list."""
    kind, kinds = command.arguments.get("kind"), kinds_by_model()
    if kind not in kinds:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"kind {request.shown(kind)} has no list of models; allowed: {listed(kinds)}",
            "CMP-16",
        )
    maker, model = (" ".join(request.text(command, name).split()) for name in ("maker", "model"))
    return {"kind": str(kind), "maker": maker_named(maker), "model": model}


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


def model_problems(
    serial: str,
    equipment: Equipment,
    *,
    game: str,
    day: str,
    approved: Collection[ApprovedModel],
) -> Iterator[tuple[str, str]]:
    """Why a model may not stand at a game on a day, with clauses; for an empty game, at any.

    A progressive system is judged by its parts (`system_problems`).
    """
    model, maker = equipment.model, equipment.maker
    if equipment.earlier:
        if equipment.kind == "shuffler" and not equipment.approval.strip():
            which = f"shuffler {serial!r}, {model!r} of {maker!r},"
            allowed = "record it again with a model of the approved list"
            yield "CMP-16", f"{which} has no approval on record; {allowed}"
    elif equipment.kind != "progressive":
        found = model_problem(equipment.kind, game, maker, model, day=day, recorded=approved)
        if found:
            clause, problem = found
            yield clause, f"{serial}: {problem}"


def system_problems(serial: str, equipment: Equipment, *, system: str) -> Iterator[tuple[str, str]]:
    """Why the parts of a progressive system keep it from tables with that system, with clauses."""
    if equipment.kind != "progressive":
        return
    if equipment.earlier:
        found = stack_problems_then(system, equipment.parts)
    else:
        found = stack_problems(system, equipment.maker, equipment.parts, equipment.display)
    yield from ((clause, f"{serial}: {problem}") for clause, problem in found)


def approval_of(equipment: Equipment, *, day: str, approved: Collection[ApprovedModel]) -> str:
    """The reference under which equipment is approved on a day; empty where there is none."""
    if equipment.earlier:
        return equipment.approval
    return approval_reference(
        equipment.kind, equipment.maker, equipment.model, day=day, recorded=approved
    )


def with_model(
    before: Collection[ApprovedModel], added: ApprovedModel
) -> tuple[ApprovedModel, ...]:
    """The recorded models with one more, which replaces an earlier record of the same model."""
    return (*(row for row in before if _row_key(row) != _row_key(added)), added)


def _row_key(row: ApprovedModel) -> tuple[str, str, str]:
    return row.kind, spelled(row.maker), spelled(row.model)


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
            f"a {kind} has no parts; only a progressive system has",
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
            f"a {kind} has no display; only a progressive system has one",
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


def read_model_back(data: Mapping[str, Any]) -> ApprovedModel:
    """An approved model from plain data."""
    lists = ("aliases", "games", "source")
    return ApprovedModel(**{**data, **{name: tuple(data[name]) for name in lists}})
