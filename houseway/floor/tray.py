"""Tray: the chips of a table, from the opener to the closer that is the next opener.

A session is the time between two counts. What the house has won in it is
`closer + credits + drop - opener - fills`; the drop is known once its boxes are counted.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from houseway.floor import request, signature
from houseway.floor.chips import Count, read_count, total_cents
from houseway.floor.house import find_house
from houseway.floor.play import is_under_way
from houseway.floor.table import FloorTable, find_table
from houseway.house.money import dollars_text
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """The chips of a table in its present session, or in its last."""

    session: int = 0
    """From 1; 0 before the first count."""
    opened_at: str = ""
    """Empty while the tray is closed."""
    opener: Count = field(default_factory=dict)
    closer: Count = field(default_factory=dict)
    """What was counted when it was last closed: the next opener."""
    fills_cents: int = 0
    credits_cents: int = 0
    waiting: tuple[int, ...] = ()
    """Slips whose chips are not where they go."""

    @property
    def should_cents(self) -> int:
        """What would lie in it if nobody had played."""
        return total_cents(self.opener) + self.fills_cents - self.credits_cents


def tray_stream(table: str) -> str:
    """The stream of a table's chips."""
    return f"tray:{table}"


def find_tray(state: State, table: str) -> Tray:
    """The tray of a table."""
    found = state.streams.get(tray_stream(table))
    return found if isinstance(found, Tray) else Tray()


def open_tray(state: State, table: str) -> Tray:
    """The tray of a table; refused where it is closed."""
    found = find_tray(state, table)
    if not found.opened_at:
        raise Refused(Reason.WRONG_PHASE, f"the tray of {table} is closed; count its opener first")
    return found


def check_tray(state: State, table: str) -> None:
    """Refuse to deal while the tray is closed, at a table whose chips are counted at all."""
    if find_tray(state, table).session:
        open_tray(state, table)


def count_opener(state: State, command: Command) -> Entry:
    """A tray opens with what was left in it; a difference takes a reason."""
    signature.at_the_table(state, command)
    table = find_table(state, request.text(command, "table"))
    _check_between_rounds(table)
    tray = find_tray(state, table.name)
    if tray.opened_at:
        since = f"{find_house(state).clock.local(tray.opened_at):%Y-%m-%d %H:%M}"
        raise Refused(
            Reason.WRONG_PHASE,
            f"the tray of {table.name} is open since {since}; count its closer first",
        )
    count = read_count(command)
    found, left = total_cents(count), total_cents(tray.closer)
    difference = found - left if tray.session else 0
    why = request.text(command, "reason", longest=request.LONGEST_TEXT, empty=True)
    if difference and not why.strip():
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the opener of {table.name} is {dollars_text(found)} and its last closer was "
            f"{dollars_text(left)}; count again, or say why",
        )
    session = tray.session + 1
    data = {"session": session, "difference_cents": difference, "reason": why}
    return _counted(command, table.name, "tray_opened", count, data)


def count_closer(state: State, command: Command) -> Entry:
    """A tray closes; what lies in it is the next opener."""
    signature.at_the_table(state, command)
    table = find_table(state, request.text(command, "table"))
    tray = open_tray(state, table.name)
    _check_between_rounds(table)
    if tray.waiting:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"slips of {table.name} are under way: {listed(tray.waiting)}; finish or void them",
        )
    count = read_count(command)
    return _counted(command, table.name, "tray_closed", count, {"session": tray.session})


def _check_between_rounds(table: FloorTable) -> None:
    """Refuse a count while a round is under way: its wagers have not reached the tray yet."""
    if is_under_way(table):
        raise Refused(
            Reason.WRONG_PHASE,
            f"a round is under way at {table.name}; end it before its tray is counted",
        )


def _counted(command: Command, table: str, kind: str, count: Count, data: dict[str, Any]) -> Entry:
    """A slip of a count, signed twice."""
    total = total_cents(count)
    signed = {"count": count, "total_cents": total, "second": command.arguments["second"]}
    draft = Draft(stream=tray_stream(table), kind=kind, data={**data, **signed})
    answer = {"table": table, "session": data["session"], "total_cents": total}
    return Entry(events=[draft], answer=answer)


def evolve(before: Tray | None, event: Event) -> Tray:
    """The tray after an event."""
    tray, data = before or Tray(), event.data
    match event.kind:
        case "tray_opened":
            return Tray(
                session=data["session"],
                opened_at=event.at,
                opener=data["count"],
                closer=tray.closer,
            )
        case "tray_closed":
            return replace(tray, opened_at="", closer=data["count"])
        case "slip_under_way":
            return replace(tray, waiting=(*tray.waiting, data["slip"]))
        case "slip_over":
            waiting = tuple(number for number in tray.waiting if number != data["slip"])
            return replace(
                tray,
                waiting=waiting,
                fills_cents=tray.fills_cents + data["fill_cents"],
                credits_cents=tray.credits_cents + data["credit_cents"],
            )
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(tray: Tray) -> dict[str, Any]:
    """The tray as plain data."""
    return {**asdict(tray), "waiting": list(tray.waiting)}


def load(data: Mapping[str, Any]) -> Tray:
    """The tray from plain data."""
    return Tray(**{**data, "waiting": tuple(data["waiting"])})


DECIDERS = {"count_opener": count_opener, "count_closer": count_closer}
