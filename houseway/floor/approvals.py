"""Approvals: the records that a table needs before it opens for money (CMP-01 to 08, 16, 19).

A table whose rules name no jurisdiction is a practice table and is not asked. The others open only
with approved rules, the papers of their jurisdiction, and equipment of licensed makers.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from houseway.catalog.equipment import ApprovedModel, is_same_maker
from houseway.catalog.register import house_reading
from houseway.dates import term_problem
from houseway.floor import equipment_register, request
from houseway.floor.context import OVER_THE_TABLE
from houseway.floor.equipment_register import (
    KINDS,
    Equipment,
    check_service,
    known_serial,
    model_problems,
    read_equipment,
    read_model,
    read_repair,
    service_problems,
    system_problems,
    with_model,
)
from houseway.floor.house import past_day, today
from houseway.floor.link import find_link
from houseway.floor.person import administrator, require
from houseway.floor.play import is_under_way
from houseway.floor.rules import rules_at_first, rules_now, rules_to_come
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.house.money import dollars_text
from houseway.house.options import notices, out_of_force
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed
from houseway.rules.rulebook import pay_rows
from houseway.rules.ruleset import UNAPPROVED, Ruleset, first_revision

STREAM = "floor:register"
PAPERS = {
    "internal_controls": "the approval of the internal controls by the Commission",
    "tribal_agency": "the approval of the Tribal Gaming Agency",
    "state_concurrence": "the concurrence of the State, sought by the Tribal Gaming Agency",
}
"""Papers that a jurisdiction asks for."""
NEEDED = {
    "wa_commercial": (("internal_controls", "CMP-02"),),
    "wa_2017": (("internal_controls", "CMP-02"),),
    "wa_tribal": (("tribal_agency", "CMP-04"), ("state_concurrence", "CMP-05")),
}
"""The papers of each jurisdiction, with the clause that asks for them."""
STRICT = tuple(NEEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """An approval or a licence: its reference, and from when until when it is in force."""

    reference: str
    day: str
    until: str = ""
    """The last day, where it has one."""

    def problem(self, day: str) -> str:
        """Returns why it is not in force on a day; empty where it is."""
        return term_problem(day, begins=self.day, until=self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """A maker or distributor, with the licences it holds."""

    state: Paper | None = None
    tribe: Paper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """Everything on record."""

    papers: Mapping[str, Paper] = field(default_factory=dict)
    rules: Mapping[str, Paper] = field(default_factory=dict)
    """Approved rules, by digest."""
    makers: Mapping[str, Maker] = field(default_factory=dict)
    equipment: Mapping[str, Equipment] = field(default_factory=dict)
    """By serial number."""
    models: tuple[ApprovedModel, ...] = ()
    """Approved models beside those that the letters print."""


def find_register(state: State) -> Register:
    """The register of a floor; empty before the first record."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, Register) else Register()


def record_paper(state: State, command: Command) -> Entry:
    """An approval of the jurisdiction: its reference and day."""
    administrator(state, command)
    kind = command.arguments.get("paper")
    if kind not in PAPERS:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"paper {request.shown(kind)} is unknown; known: {listed(PAPERS)}",
        )
    return _recorded("paper_recorded", {"paper": kind, **_paper(state, command)})


def approve_rules(state: State, command: Command) -> Entry:
    """The rules of a table are the ones that were approved (CMP-01).

    Settings of its link that wait for an award may be approved before: `waiting` asks for that.
    """
    administrator(state, command)
    table = find_table(state, request.text(command, "table"))
    rules: Ruleset | None = rules_now(state, table)
    if request.flag(command, "waiting"):
        rules = rules_to_come(state, table)
        if rules is None:
            raise Refused(Reason.NOT_DONE_YET, f"no settings wait at the link of {table.name}")
    assert rules is not None
    return _recorded("rules_approved", {"digest": rules.digest, **_paper(state, command)})


def record_maker(state: State, command: Command) -> Entry:
    """A maker with its licences: of the State, and of the Tribe where one plays there."""
    administrator(state, command)
    data: dict[str, Any] = {"maker": request.text(command, "maker")}
    for whose in ("state", "tribe"):
        given = request.mapping(command, whose)
        inner = replace(command, arguments=dict(given))
        data[whose] = _paper(state, inner) if given else None
    return _recorded("maker_recorded", data)


def approve_model(state: State, command: Command) -> Entry:
    """A model that the Commission has approved, beside those that the letters print (CMP-16)."""
    administrator(state, command)
    return _recorded("model_approved", {**read_model(command), **_paper(state, command)})


def record_equipment(state: State, command: Command) -> Entry:
    """A piece of equipment, with its version or the versions of its parts."""
    return _recorded("equipment_recorded", read_equipment(state, command))


def record_repair(state: State, command: Command) -> Entry:
    """Equipment that was out of service works again (TSR-32)."""
    known = find_register(state).equipment
    return _recorded("equipment_repaired", read_repair(state, command, known))


def open_table(state: State, command: Command) -> Entry:
    """A table opens, once everything is there; the answer is what is posted at it (CMP-19)."""
    require(state, command.actor, OVER_THE_TABLE)
    request.check_pin(command, "CMP-01")
    table = find_table(state, request.text(command, "table"))
    if table.opened_at:
        raise Refused(Reason.WRONG_PHASE, f"{table.name} is open since {table.opened_at[:16]}")
    serials = [serial_in_service(state, name) for name in _names(command)]
    check_free(state, serials)
    if table.house_options.profile in STRICT:
        for clause, problem in _problems(state, table, serials):
            raise Refused(Reason.NOT_APPROVED, f"{table.name} cannot open: {problem}", clause)
    posted = placard(state, table)
    data = {
        "equipment": serials,
        "without_layout": _may_lack_layout(state, table, serials),
        "placard": _placard_digest(posted),
    }
    draft = Draft(stream=table_stream(table.name), kind="table_opened", data=data)
    return Entry(events=[draft], answer={"table": table.name, "placard": posted})


def check_free(state: State, serials: list[str]) -> None:
    """Refuse what stands at another open table; a progressive system may serve several."""
    known = find_register(state).equipment
    alone = {serial for serial in serials if known[serial].kind != "progressive"}
    for other in state.streams.values():
        if isinstance(other, FloorTable) and other.opened_at and alone & {*other.equipment}:
            raise Refused(
                Reason.GIVEN_TWICE,
                f"{min(alone & {*other.equipment})!r} stands at {other.name}, which is open; "
                "close that first",
                "CMP-03",
            )


def close_table(state: State, command: Command) -> Entry:
    """A table closes; no round is under way."""
    require(state, command.actor, OVER_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    if not table.opened_at:
        raise Refused(Reason.WRONG_PHASE, f"{table.name} is not open")
    if is_under_way(table):
        raise Refused(Reason.WRONG_PHASE, f"a round is under way at {table.name}; end it first")
    draft = Draft(stream=table_stream(table.name), kind="table_closed", data={})
    return Entry(events=[draft], answer={"table": table.name})


def check_open(state: State, table: FloorTable) -> None:
    """Refuse a round at a table of a jurisdiction that is not open, or whose papers have lapsed."""
    profile = table.house_options.profile
    if profile not in STRICT:
        return
    if not table.opened_at:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"{table.name} plays under {profile!r} and is not open; a supervisor opens it",
            "CMP-01",
        )
    for clause, problem in (*_problems(state, table, list(table.equipment)), *_stale(state, table)):
        raise Refused(Reason.NOT_APPROVED, f"{table.name} cannot deal: {problem}", clause)


def _stale(state: State, table: FloorTable) -> Iterator[tuple[str, str]]:
    """Why the placard at an open table no longer says what is played there (CMP-19)."""
    if table.placard and table.placard != _placard_digest(placard(state, table)):
        day = table.opened_at[:10]
        yield "CMP-19", f"its placard of {day} is out of date; close the table and open it again"


def _placard_digest(lines: list[str]) -> str:
    # The first line has the day on which it is posted.
    return hashlib.sha256("\n".join(lines[1:]).encode()).hexdigest()[:16]


def placard(state: State, table: FloorTable) -> list[str]:
    """The lines posted at a table today: its game, its pays and its limits (CMP-14, CMP-19)."""
    rules = rules_now(state, table)
    lines = [f"{rules.game.name}, rules of {rules.revision}, posted on {today(state)}"]
    lines += notices_at(state, table)
    for what, amounts in (
        ("Least", rules.options.table_minimum),
        ("Most", rules.options.table_maximum),
    ):
        lines += [f"{what} wager, {spot}: {dollars_text(cents)}" for spot, cents in amounts]
    for bet, paytable in rules.paytables.items():
        if bet == "progressive" and not table.link:
            # Without a link there is no meter that could be won.
            continue
        lines.append(f"{bet} {paytable.code}")
        lines += [f"  {hand}: {pays}" for hand, pays in pay_rows(paytable.to_json())]
    return lines


def notices_at(state: State, table: FloorTable) -> list[str]:
    """The sentences that must be posted at a table today, beside its pays (CMP-13, CMP-14)."""
    rules = rules_now(state, table)
    reading = house_reading(rules.game.code, "progressive") if table.link else None
    return [*notices(rules.game.code, rules.options), *([reading] if reading else [])]


def missing(state: State, table: FloorTable) -> list[tuple[str, str]]:
    """The reasons that keep a table from opening, or that stand against an open one, with clauses.

    A closed table is asked with everything on record that may stand at it.
    """
    if table.house_options.profile not in STRICT:
        return []
    wrong = unfit(state, table)
    fitting = [serial for serial in find_register(state).equipment if serial not in wrong]
    if not table.opened_at:
        return list(_problems(state, table, fitting))
    return [*_problems(state, table, list(table.equipment)), *_stale(state, table)]


def unfit(state: State, table: FloorTable) -> dict[str, list[tuple[str, str]]]:
    """Equipment on record that may not stand at a table: why, with clauses."""
    register = find_register(state)
    if table.house_options.profile not in STRICT:
        return {}
    found = {serial: list(unfit_for(state, table, serial)) for serial in register.equipment}
    return {serial: reasons for serial, reasons in found.items() if reasons}


def unlicensed(state: State, profile: str, serial: str) -> list[tuple[str, str]]:
    """Why a piece of equipment may stand at no table of a jurisdiction, with clauses."""
    return [
        *_licence_problems(find_register(state), profile, serial),
        *_model_problems(state, serial, game=""),
    ]


def rules_played(state: State, table: FloorTable) -> tuple[Ruleset, Paper | None]:
    """The rules of a table as it plays now, and their approval where one is on record."""
    return rules_now(state, table), _approval(state, table)


def rules_expected(state: State, table: FloorTable) -> tuple[Ruleset, Paper | None] | None:
    """The rules once the waiting settings of the link begin, and their approval on record.

    None where no settings wait. Without an approval the table cannot deal once they begin.
    """
    rules = rules_to_come(state, table)
    return None if rules is None else (rules, find_register(state).rules.get(rules.digest))


def _approval(state: State, table: FloorTable) -> Paper | None:
    """The approval of what a table plays now.

    One of the first form knows nothing of the settings of a link; it holds until they are changed.
    Only a table of that time has a day among its options.
    """
    known = find_register(state).rules
    found = known.get(rules_now(state, table).digest)
    link = find_link(state, table.link) if table.link else None
    if found is None and "date" in table.options and (link is None or link.form == 1):
        rules = rules_at_first(table, link.paytable if link else "")
        found = known.get(rules.digest_by(1))
    return found


def _problems(state: State, table: FloorTable, serials: list[str]) -> Iterator[tuple[str, str]]:
    """Every reason why a table of a jurisdiction may not open, with its clause."""
    register, options = find_register(state), table.house_options
    day = today(state)
    for kind, clause in NEEDED[options.profile]:
        paper = register.papers.get(kind)
        if paper is None:
            yield clause, f"{PAPERS[kind]} is not on record"
        elif problem := paper.problem(day):
            yield clause, f"{PAPERS[kind]} ({paper.reference}) {problem}"
    agency, sought = (register.papers.get(k) for k in ("tribal_agency", "state_concurrence"))
    if options.profile == "wa_tribal" and agency and sought and sought.day > agency.day:
        yield "CMP-05", "concurrence was sought only after the game was allowed to operate"
    yield from _rule_problems(state, table)
    kinds = _kinds(state, serials)
    if options.shuffler_mode == "automatic" and "shuffler" not in kinds:
        yield "CMP-16", "no shuffler on record is assigned to it"
    if table.link and "progressive" not in kinds:
        yield "PNX-01", "no progressive system on record is assigned to it"
    if "layout" not in kinds and not _may_lack_layout(state, table, serials):
        clause = "CMP-07" if options.profile == "wa_tribal" else "CMP-03"
        yield clause, "no layout on record is assigned to it; one of a licensed maker is needed"
    for serial in serials:
        yield from unfit_for(state, table, serial)


def _rule_problems(state: State, table: FloorTable) -> Iterator[tuple[str, str]]:
    """Why the rules of a table may not be played today: no approval, or papers out of force."""
    rules, day = rules_now(state, table), today(state)
    approved = _approval(state, table)
    if approved is None:
        yield "CMP-01", "the rules that it plays are not the ones that were approved"
    elif problem := approved.problem(day):
        yield "CMP-01", f"the approval of its rules ({approved.reference}) {problem}"
    if problem := out_of_force(rules.options):
        yield "CMP-13", problem
    if rules.revision == UNAPPROVED:
        first = first_revision(table.game)
        yield "CMP-12", f"no letter on {rules.game.name} is in force on {day}; the first is {first}"


def unfit_for(state: State, table: FloorTable, serial: str) -> Iterator[tuple[str, str]]:
    """Why a piece of equipment may not stand at a table of a jurisdiction, with clauses."""
    register, options = find_register(state), table.house_options
    equipment = register.equipment[serial]
    yield from service_problems(serial, equipment)
    yield from _licence_problems(register, options.profile, serial)
    yield from _model_problems(state, serial, game=table.game)
    system = "game_manager" if options.award_profile == "game_manager" else "nexus"
    yield from system_problems(serial, equipment, system=system)


def _may_lack_layout(state: State, table: FloorTable, serials: list[str]) -> bool:
    """True for a table that an earlier program made, until a layout is assigned to it."""
    return table.without_layout and "layout" not in _kinds(state, serials)


def _kinds(state: State, serials: list[str]) -> list[str]:
    return [find_register(state).equipment[serial].kind for serial in serials]


def _licence_problems(register: Register, profile: str, serial: str) -> Iterator[tuple[str, str]]:
    """Which licences the maker lacked when it sold the equipment, by any name that it has."""
    equipment = register.equipment[serial]
    makers = [
        maker for name, maker in register.makers.items() if is_same_maker(name, equipment.maker)
    ]
    licences = [([maker.state for maker in makers], "State", "CMP-03")]
    if profile == "wa_tribal":
        licences = [
            ([maker.state for maker in makers], "State", "CMP-07"),
            ([maker.tribe for maker in makers], "Tribe", "CMP-07"),
        ]
    for papers, whose, clause in licences:
        if all(paper is None or paper.problem(equipment.sold) for paper in papers):
            yield clause, f"the maker of {serial} had no licence of the {whose} when it was sold"


def _model_problems(state: State, serial: str, *, game: str) -> Iterator[tuple[str, str]]:
    register = find_register(state)
    return model_problems(
        serial,
        register.equipment[serial],
        game=game,
        day=today(state),
        approved=register.models,
    )


def _names(command: Command) -> list[object]:
    given = command.arguments.get("equipment", [])
    if not isinstance(given, list) or len(given) > len(KINDS) * 2:
        raise Refused(Reason.BAD_ARGUMENT, f"equipment {request.shown(given)} is no short list")
    return given


def serial_in_service(state: State, name: object) -> str:
    """The serial number of equipment that works; refused for any other."""
    known = find_register(state).equipment
    serial = known_serial(known, name)
    check_service(known, serial)
    return serial


def _paper(state: State, command: Command) -> dict[str, str]:
    """The reference and days of a paper; refused when it begins later or ends before it begins."""
    day = past_day(state, command, "day")
    until = request.day(command, "until", empty=True)
    if until and until < day:
        raise Refused(Reason.UNKNOWN_DATE, f"until {until!r} is before {day}, when it begins")
    return {"reference": request.text(command, "reference"), "day": day, "until": until}


def _recorded(kind: str, data: dict[str, Any]) -> Entry:
    return Entry(events=[Draft(stream=STREAM, kind=kind, data=data)], answer=data)


def evolve(before: Register | None, event: Event) -> Register:
    """The register after an event."""
    register, data = before or Register(), event.data
    match event.kind:
        case "paper_recorded":
            paper = _read_paper(data)
            return replace(register, papers={**register.papers, data["paper"]: paper})
        case "rules_approved":
            paper = _read_paper(data)
            return replace(register, rules={**register.rules, data["digest"]: paper})
        case "maker_recorded":
            return replace(register, makers={**register.makers, data["maker"]: _maker(data)})
        case "equipment_recorded" | "equipment_failed" | "equipment_repaired":
            equipment = equipment_register.evolve(register.equipment, event)
            return replace(register, equipment=equipment)
        case "model_approved":
            models = with_model(register.models, ApprovedModel(**data))
            return replace(register, models=models)
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def _read_paper(data: Mapping[str, Any]) -> Paper:
    return Paper(reference=data["reference"], day=data["day"], until=data.get("until", ""))


def _maker(data: Mapping[str, Any]) -> Maker:
    papers = {whose: Paper(**data[whose]) if data[whose] else None for whose in ("state", "tribe")}
    return Maker(**papers)


def dump(register: Register) -> dict[str, Any]:
    """The register as plain data."""
    return asdict(register)


def load(data: Mapping[str, Any]) -> Register:
    """The register from plain data."""
    return Register(
        papers={name: Paper(**paper) for name, paper in data["papers"].items()},
        rules={name: Paper(**paper) for name, paper in data["rules"].items()},
        makers={name: _maker(maker) for name, maker in data["makers"].items()},
        equipment={
            serial: equipment_register.read_back(found)
            for serial, found in data["equipment"].items()
        },
        models=tuple(equipment_register.read_model_back(found) for found in data["models"]),
    )


DECIDERS = {
    "record_paper": record_paper,
    "approve_rules": approve_rules,
    "record_maker": record_maker,
    "approve_model": approve_model,
    "record_equipment": record_equipment,
    "record_repair": record_repair,
    "open_table": open_table,
    "close_table": close_table,
}
