"""Invariants: what every record of a floor must say together, read from the events alone.

The amount of an award is one number: on the round's line, on the win page and in the transfer. No
round closes over a meter hand that was not confirmed. Nothing moves a meter but the wagers, awards,
fixed pays and voids of a round, and adjustments.

They hold from the version on in which the round became the authority; what an earlier program
wrote otherwise is listed apart. Nothing here is shared with the deciders.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from houseway.journal.audit import Audit, Finding, Progress, rows_of, verify
from houseway.journal.audit_team import is_long, team, verify_together

TODAY = 3
"""The version of `game_started` since which the round is the authority."""
MICROCENTS = 1_000_000
HELD = ("meter:", "reserve:", "overflow:")
IN_ROUND = ("game_started", "award_confirmed", "game_ended", "game_voided")
ANY_TIME = ("link_made", "adjusted", "earlier_game_ended")
RECORDS = (
    "SELECT position, stream, kind, schema, body FROM event WHERE position <= :last "
    "ORDER BY position"
)
DECIDES = ("close", "award", "back out", "the floor fixes it")
"""Words of which a step of a round has one in its body, where it says anything about an award."""
SPELLED = "\\u00"
"""How JSON may write any of these letters as a number."""
AWARD = re.compile(r"award (\d+): ([0-9.]+)")
BACK_OUT = re.compile(r"back out (\d+)")
FOUND = re.compile(r"position (\d+) wins .*; the floor fixes it")


class Record(NamedTuple):
    """As much of an event as is asked for here."""

    position: int
    stream: str
    kind: str
    schema: int
    body: str

    @property
    def data(self) -> dict[str, Any]:
        """What the event says."""
        found: dict[str, Any] = _content(self.body)["data"]
        return found

    @property
    def transfers(self) -> list[tuple[str, str, int]]:
        """The money it moves: debit, credit and amount."""
        found: list[tuple[str, str, int]] = _content(self.body)["transfers"]
        return found


@lru_cache(maxsize=16)
def _content(body: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        # Python reads a little more, such as halves of a character.
        found = json.loads(body)
    return found


class Broken(NamedTuple):
    """A record that does not fit the others."""

    record: int
    problem: str
    earlier: bool
    """True when a program before these invariants wrote it."""


@dataclass
class _Table:
    """A table as its records tell."""

    in_round: bool = False
    today: bool = True
    """False when the last game was begun before these invariants."""
    hands: set[int] = field(default_factory=set)
    """Positions whose cards won a share of a meter."""
    lines: dict[int, int] = field(default_factory=dict)
    """Cents on the lines of confirmed awards, by position."""
    taken: dict[int, int] = field(default_factory=dict)
    """Cents that left a meter, by win page."""


def broken(events: Iterable[Record]) -> Iterator[Broken]:
    """Returns every record that does not fit, in order."""
    tables: dict[str, _Table] = {}
    for event in events:
        kind, _, name = event.stream.partition(":")
        if kind == "table":
            table = tables.get(name) or tables.setdefault(name, _Table())
            for problem in _at_table(table, event):
                yield Broken(event.position, problem, not table.today)
        elif event.kind == "meter_awarded":
            table = tables[event.data["table"]]
            if table.taken.pop(event.data["page"], None) != event.data["amount_cents"]:
                yield Broken(event.position, _differs(event.data), not table.today)
        if has_any(HELD, event.body):
            yield from _moved(event, tables.get(name) if kind == "table" else None)


def _at_table(table: _Table, event: Record) -> Iterator[str]:
    match event.kind:
        case "round_opened":
            table.in_round, table.today = True, True
            table.hands, table.lines = set(), {}
        case "round" if has_any(DECIDES, event.body):
            yield from _step(table, event.data)
        case "round_ended":
            table.in_round = False
        case "game_started":
            table.today = event.schema >= TODAY
        case "award_confirmed":
            data = event.data
            left = sum(amount for _, credit, amount in event.transfers if "payable" in credit)
            cents = data["amount_cents"]
            if left != cents * MICROCENTS or table.lines.get(data["position"]) != cents:
                yield _differs(data)
            table.taken[data["page"]] = cents


def telling(rows: Iterable[tuple[Any, ...]]) -> Iterator[Record]:
    """The events that may say anything of an award or a meter; most steps of a round do not."""
    for row in rows:
        _, _, kind, _, body = row
        if kind != "round" or has_any(DECIDES, body) or has_any(HELD, body):
            yield Record(*row)


def has_any(words: Sequence[str], body: str) -> bool:
    """True when a body may say one of these words; it is asked of every event, and read after."""
    for word in words:
        if word in body:
            return True
    return SPELLED in body


def _step(table: _Table, data: dict[str, Any]) -> Iterator[str]:
    text = data["text"]
    if award := AWARD.fullmatch(text):
        table.lines[int(award[1])] = int(Decimal(award[2]) * 100)
    elif back := BACK_OUT.fullmatch(text):
        table.lines.pop(int(back[1]), None)
    for told in data["told"]:
        if found := FOUND.search(told):
            table.hands.add(int(found[1]))
    if text == "close":
        for position in sorted(table.hands - table.lines.keys()):
            yield (
                f"closes round {data['number']} over the meter hand at position {position}, which "
                "was not confirmed"
            )


def _differs(data: dict[str, Any]) -> str:
    return (
        f"has an award of {data['amount_cents']} cents on win page {data['page']}; the line, the "
        "page and the transfer do not say the same"
    )


def _moved(event: Record, table: _Table | None) -> Iterator[Broken]:
    """A meter that was moved by anything but a round or an adjustment."""
    moved = [
        account
        for debit, credit, _ in event.transfers
        for account in (debit, credit)
        if account.startswith(HELD)
    ]
    in_round = table is not None and table.in_round and event.kind in IN_ROUND
    if moved and not in_round and event.kind not in ANY_TIME:
        earlier = table is not None and not table.today
        yield Broken(event.position, f"moves {moved[0]} outside a round", earlier)


def verify_floor(
    connection: Connection, progress: Progress | None = None, first: int = 1, *, url: str = ""
) -> Audit:
    """Verify a journal, and then what the records of its floor must say together.

    From a later record on only the journal is verified: what came before is not known. With an
    address, a long journal is read by several processes.
    """
    newest = is_long(connection) if url and first == 1 else 0
    if newest:
        with team(url, progress) as helpers:
            beside = helpers.start(together, newest)
            audit = verify_together(connection, helpers, newest)
            return _with(audit, helpers.wait(beside)) if audit.holds else audit
    audit = verify(connection, progress, first)
    if not audit.holds or first > 1:
        return audit
    newest = audit.events
    return _with(audit, together(connection, lambda _: None, newest))


def together(
    connection: Connection, progress: Progress, last: int
) -> tuple[list[Finding], list[Finding]]:
    """What does not fit, up to an event: the first of today's, and all that are older."""
    wrong: list[Finding] = []
    older: list[Finding] = []
    for one in broken(telling(rows_of(connection, RECORDS, last=last))):
        if one.earlier:
            older.append(_finding(one))
        elif not wrong:
            wrong.append(_finding(one))
    progress(last)
    return wrong, older


def _with(audit: Audit, found: tuple[list[Finding], list[Finding]]) -> Audit:
    wrong, older = found
    return replace(audit, finding=wrong[0] if wrong else None, earlier=tuple(older))


def _finding(one: Broken) -> Finding:
    return Finding(record=f"event {one.record}", problem=one.problem)
