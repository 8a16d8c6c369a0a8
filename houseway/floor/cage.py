"""Cage: chips that go to a table and come back, each time on a slip of the floor's one sequence.

A number is used once and never left out: it is given when a slip is asked for, and a slip that
comes to nothing is void and keeps its number. A fill is sent by the cage and received at the
table; a credit is sent by the table and received by the cage. The tray counts what was received,
and until then its table cannot close.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from houseway.floor import request, signature
from houseway.floor.chips import Count, read_count, total_cents
from houseway.floor.context import AT_THE_TABLE, OVER_THE_TABLE
from houseway.floor.person import holder, require, same_holder
from houseway.floor.table import find_table
from houseway.floor.tray import open_tray, tray_stream
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

STREAM = "floor:cage"
KINDS = ("fill", "credit")
CAGE = ("cage",)
HANDLERS = (*AT_THE_TABLE, "executive", *CAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """Chips that are asked for, or on their way."""

    kind: Literal["fill", "credit"]
    table: str
    count: Count
    requested_by: str
    requested_at: str
    sent_by: str = ""
    """Empty until they are on their way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """Slips that are not over yet, and how many there were."""

    made: int = 0
    slips: Mapping[int, Slip] = field(default_factory=dict)


def find_cage(state: State) -> Cage:
    """The cage of the floor."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, Cage) else Cage()


def request_slip(state: State, command: Command) -> Entry:
    """Chips are asked for: a fill for a table, or a credit from it."""
    signature.one(state, command, OVER_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    open_tray(state, table.name)
    kind = command.arguments.get("kind")
    if kind not in KINDS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"kind {request.shown(kind)} is unknown; known: {listed(KINDS)}"
        )
    count = read_count(command)
    total = total_cents(count)
    if not total:
        raise Refused(Reason.NOT_AN_AMOUNT, f"a {kind} of no chips is none; count what is to go")
    slip = find_cage(state).made + 1
    data = {"slip": slip, "kind": kind, "table": table.name, "count": count, "total_cents": total}
    return Entry(
        events=[
            Draft(stream=STREAM, kind="slip_requested", data=data),
            Draft(stream=tray_stream(table.name), kind="slip_under_way", data={"slip": slip}),
        ],
        answer={"slip": slip, "table": table.name, "total_cents": total},
    )


def send_slip(state: State, command: Command) -> Entry:
    """The chips of a slip leave: a fill the cage, a credit the table."""
    require(state, command.actor, HANDLERS)
    number, slip = _slip(state, command)
    if slip.sent_by:
        raise Refused(Reason.WRONG_PHASE, f"slip {number} is on its way; it is received next")
    data: dict[str, Any] = {"slip": number}
    if slip.kind == "fill":
        _by_the_cage(state, command, number, "sends")
        _check_other(state, command.actor, slip.requested_by, number)
    else:
        _at_the_table(state, command, number, "sends")
        data["second"] = command.arguments["second"]
    return _entry(number, slip, [Draft(stream=STREAM, kind="slip_sent", data=data)])


def receive_slip(state: State, command: Command) -> Entry:
    """The chips of a slip arrive: a fill at the table, a credit at the cage."""
    require(state, command.actor, HANDLERS)
    number, slip = _slip(state, command)
    if not slip.sent_by:
        raise Refused(Reason.WRONG_PHASE, f"slip {number} is not on its way; it is sent first")
    total = total_cents(slip.count)
    data: dict[str, Any] = {"slip": number, "total_cents": total}
    if slip.kind == "fill":
        _at_the_table(state, command, number, "receives")
        data["second"] = command.arguments["second"]
    else:
        _by_the_cage(state, command, number, "receives")
    _check_other(state, command.actor, slip.sent_by, number)
    moved = {"fill_cents": 0, "credit_cents": 0, f"{slip.kind}_cents": total}
    return _entry(
        number,
        slip,
        [
            Draft(stream=STREAM, kind="slip_received", data=data),
            _over(slip, number, moved),
        ],
    )


def void_slip(state: State, command: Command) -> Entry:
    """A slip comes to nothing: its chips are where they were, and its number stays used."""
    signature.one(state, command, OVER_THE_TABLE)
    signature.second(state, command, CAGE)
    number, slip = _slip(state, command)
    why = request.text(command, "reason", longest=request.LONGEST_TEXT)
    second = command.arguments["second"]
    data = {"slip": number, "table": slip.table, "reason": why, "second": second}
    return _entry(
        number,
        slip,
        [
            Draft(stream=STREAM, kind="slip_voided", data=data),
            _over(slip, number, {"fill_cents": 0, "credit_cents": 0}),
        ],
    )


def _slip(state: State, command: Command) -> tuple[int, Slip]:
    cage = find_cage(state)
    number = request.number(command, "slip", cage.made, "slip")
    if number not in cage.slips:
        raise Refused(
            Reason.GIVEN_TWICE, f"slip {number} is over; ask for a new one, its number is used"
        )
    return number, cage.slips[number]


def _by_the_cage(state: State, command: Command, number: int, does: str) -> None:
    if require(state, command.actor, HANDLERS).role not in CAGE:
        raise Refused(Reason.NOT_APPROVED, f"the cage {does} slip {number}", signature.CLAUSE)
    request.check_alone(command)
    request.check_pin(command, signature.CLAUSE)


def _at_the_table(state: State, command: Command, number: int, does: str) -> None:
    if require(state, command.actor, HANDLERS).role in CAGE:
        raise Refused(Reason.NOT_APPROVED, f"the table {does} slip {number}", signature.CLAUSE)
    signature.at_the_table(state, command)


def _check_other(state: State, card: str, before: str, number: int) -> None:
    if same_holder(state, card, before):
        raise Refused(
            Reason.NOT_APPROVED,
            f"{holder(state, card)} has signed slip {number}; another person takes it on",
            signature.CLAUSE,
        )


def _over(slip: Slip, number: int, moved: Mapping[str, int]) -> Draft:
    data = {"slip": number, **moved}
    return Draft(stream=tray_stream(slip.table), kind="slip_over", data=data)


def _entry(number: int, slip: Slip, events: list[Draft]) -> Entry:
    answer = {"slip": number, "table": slip.table, "total_cents": total_cents(slip.count)}
    return Entry(events=events, answer=answer)


def evolve(before: Cage | None, event: Event) -> Cage:
    """The cage after an event."""
    cage, data = before or Cage(), event.data
    number = data["slip"]
    match event.kind:
        case "slip_requested":
            slip = Slip(
                kind=data["kind"],
                table=data["table"],
                count=data["count"],
                requested_by=event.actor,
                requested_at=event.at,
            )
            return Cage(made=number, slips={**cage.slips, number: slip})
        case "slip_sent":
            slip = replace(cage.slips[number], sent_by=event.actor)
            return replace(cage, slips={**cage.slips, number: slip})
        case "slip_received" | "slip_voided":
            return replace(cage, slips={n: s for n, s in cage.slips.items() if n != number})
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(cage: Cage) -> dict[str, Any]:
    """The cage as plain data."""
    return {"made": cage.made, "slips": {str(n): asdict(s) for n, s in cage.slips.items()}}


def load(data: Mapping[str, Any]) -> Cage:
    """The cage from plain data."""
    slips = {int(number): Slip(**slip) for number, slip in data["slips"].items()}
    return Cage(made=data["made"], slips=slips)


DECIDERS = {
    "request_slip": request_slip,
    "send_slip": send_slip,
    "receive_slip": receive_slip,
    "void_slip": void_slip,
}
