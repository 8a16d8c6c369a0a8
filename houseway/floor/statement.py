"""Statement: a report for a period, with the totals of the rows that it shows.

What is read from the database is what the report is about: its kinds of events, from the first
moment of the period on. Screen, paper and files are all made from one statement.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from houseway.floor.books import BOOKS, COUNTED, NO_BOX, Book, Clocks, Row, play
from houseway.floor.day import check_day
from houseway.floor.expectation import Expectation, Rules, expectation
from houseway.floor.model import FloorModel
from houseway.floor.reports import COLUMNS, REPORTS, report
from houseway.floor.upcasts import UPCASTS
from houseway.journal.event import Event
from houseway.journal.reading import end_before, first_at, has_older, of_kinds, others
from houseway.journal.rebuild import events_today
from houseway.refusal import Reason, Refused, listed

ROUNDS = ("round", "round_opened", "round_undone", "round_ended", "irregularity")
"""What progressives have nothing to do with, and most of a journal."""
RECORDS = {
    "progressive": "Progressive record",
    "win-pages": "Awards",
    "adjustments": "Adjustments",
    "coin-in": "Coin-in and contribution",
    "reconciliation": "Meter reconciliation",
    "deposits": "Bank deposit worksheet",
}
"""Records of progressives."""
AS_OF = ("reconciliation", "deposits")
"""Records of how things stood at the end of a period, whatever its first day."""
EXPECTED = "expected"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "shift": ("day", "shift"),
    "day": ("day",),
    "month": ("month",),
    "year": ("year",),
    "table": ("table",),
}
"""By what rows are added up where somebody asks for it."""
EXPECTED_COLUMNS = (
    "day shift table rounds wagered_cents won_cents expected_cents low_cents high_cents inside"
)


class Period(NamedTuple):
    """Days from one to another, and what of them is asked for."""

    first: str
    last: str
    table: str = ""
    shift: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A report for a period."""

    name: str
    title: str
    period: Period
    time_zone: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    totals: Row


def titles() -> dict[str, str]:
    """The reports there are, with what each is called."""
    books = {name: book.title for name, book in BOOKS.items()}
    return {**books, EXPECTED: "Win against expected", **RECORDS}


def make_period(first: str, last: str, table: str, shift: str, today: str) -> Period:
    """A period as somebody asks for it; refused when it has not happened."""
    first = check_day(first or today)
    last = check_day(last or first)
    if last < first:
        raise Refused(Reason.BAD_ARGUMENT, f"{last} is before {first}; name the earlier day first")
    if last > today:
        raise Refused(Reason.WRONG_PHASE, f"{last} has not happened yet; the gaming day is {today}")
    return Period(first, last, table, shift)


def statement(
    connection: Connection,
    name: str,
    period: Period,
    *,
    group: str = "",
    expected: Callable[[Rules], Expectation] = expectation,
) -> Statement:
    """The report of a period; refused when it is unknown.

    Who knows what is `expected` may say so, because it takes seconds to count.
    """
    if name not in titles():
        raise Refused(
            Reason.UNKNOWN_VALUE, f"report {name[:40]!r} is unknown; known: {listed(titles())}"
        )
    if group and group not in GROUPS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"group {group[:40]!r} is unknown; known: {listed(GROUPS)}"
        )
    clocks = Clocks(of_kinds(connection, ["clock_set"]))
    book = BOOKS.get(name)
    if book is not None:
        made = book.rows(_events(connection, book, clocks, period), clocks)
        columns, summed = book.columns.split(), book.summed
    elif name == EXPECTED:
        made = _expected(connection, clocks, period, expected)
        columns = EXPECTED_COLUMNS.split()
        summed = ("rounds", "wagered_cents", "won_cents", "expected_cents")
    else:
        made = _record(connection, name, clocks, period)
        columns = ["day", *COLUMNS[name].split()] if name in _DATED else COLUMNS[name].split()
        summed = _SUMMED.get(name, ())
    _check_asked(name, columns, period)
    rows = [row for row in made if _within(row, period)]
    # Of sums alone nobody could tell whether all of them is counted.
    totals = _held({column: sum(row[column] or 0 for row in rows) for column in summed}, rows)
    if group:
        held = ["hold"] if "win_cents" in summed else []
        rows, columns = _grouped(rows, group, summed), [*GROUPS[group], "rows", *summed, *held]
    return Statement(
        name=name,
        title=titles()[name],
        period=period,
        time_zone=clocks.now.time_zone,
        columns=tuple(columns),
        rows=rows,
        totals=totals,
    )


_DATED = ("progressive", "win-pages", "adjustments")
_SUMMED = {
    "progressive": ("change_microcents",),
    "win-pages": ("amount_cents", "won_cents"),
    "adjustments": ("cents",),
    "coin-in": ("games", "wagers", "cents", "void", "void_cents"),
    "reconciliation": ("microcents",),
    "deposits": ("liability_cents", "deposited_cents", "to_bring_cents", "short_cents"),
}


def _events(connection: Connection, book: Book, clocks: Clocks, period: Period) -> Iterator[Event]:
    # A clock may have been changed since: what any of them has in the period is read, and rows are
    # looked at.
    first = first_at(connection, clocks.begins(period.first))
    end = None if book.looks_back else end_before(connection, clocks.ends(period.last))
    return of_kinds(connection, book.kinds, first, end)


def _expected(
    connection: Connection,
    clocks: Clocks,
    period: Period,
    expected: Callable[[Rules], Expectation],
) -> Iterator[Row]:
    rules = rules_of_tables(of_kinds(connection, ["table_made"]))
    for row in play(_events(connection, BOOKS["play"], clocks, period), clocks):
        if not _within(row, period):
            continue
        figures = expected(rules[row["table"]])
        band = figures.band(row["wagered"], row["within"], row["across"])
        kept = ("day", "shift", "table", "rounds", "wagered_cents", "won_cents")
        inside = band["low_cents"] <= row["won_cents"] <= band["high_cents"]
        yield {**{name: row[name] for name in kept}, **band, "inside": inside}


def rules_of_tables(events: Iterable[Event]) -> dict[str, Rules]:
    """The rules of every table, by its name."""
    return {
        event.data["name"]: (event.data["game"], tuple(sorted(event.data["options"].items())))
        for event in events
        if event.kind == "table_made"
    }


def _check_asked(name: str, columns: Sequence[str], period: Period) -> None:
    """Refuse to look for a table or a shift where no row has one: there would seem to be none."""
    title = titles()[name]
    if period.table and "table" not in columns:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{title!r} is not told by table; ask for it with all tables"
        )
    if period.shift and name in AS_OF:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{title!r} tells how things stood at the end of a day; ask for it with all shifts",
        )


def _record(connection: Connection, name: str, clocks: Clocks, period: Period) -> Iterator[Row]:
    assert name in REPORTS, name
    ends = clocks.now.bounds(period.last)[1] if name in AS_OF else ""
    for row in recorded(connection, name, ends):
        if name in _DATED:
            yield {**clocks.when(row["at"]), **row}
        elif name == "coin-in":
            yield {**row, "day": row["date"]}
        else:
            yield row


def recorded(connection: Connection, name: str, ends: str = "") -> Iterator[Row]:
    """Every row of a record of progressives, of all days; or of what happened before a time."""
    return report(name, _Recorded(connection, ends))


class _Recorded:
    """All events but those of rounds, as they would be written today, as often as it is asked.

    With a time, only those before it.
    """

    def __init__(self, connection: Connection, ends: str) -> None:
        self._connection = connection
        self._end = end_before(connection, ends) if ends else None
        # To make an event over takes the state before it, which takes all events.
        self._old = has_older(connection, UPCASTS)

    def __iter__(self) -> Iterator[Event]:
        end = self._end
        if not self._old:
            return others(self._connection, ROUNDS, end)
        found = events_today(self._connection, FloorModel())
        return found if end is None else (event for event in found if event.position < end)


def _within(row: Row, period: Period) -> bool:
    day = row.get("day")
    return (
        (day is None or period.first <= day <= period.last)
        and period.table in ("", row.get("table"))
        and period.shift in ("", row.get("shift"))
    )


def _grouped(rows: Sequence[Row], group: str, summed: Sequence[str]) -> list[Row]:
    found: dict[tuple[Any, ...], Row] = {}
    members: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        dated = {**row, "month": str(row.get("day"))[:7], "year": str(row.get("day"))[:4]}
        place = tuple(dated.get(name) for name in GROUPS[group])
        line = found.setdefault(
            place,
            {**dict(zip(GROUPS[group], place, strict=True)), "rows": 0, **dict.fromkeys(summed, 0)},
        )
        members.setdefault(place, []).append(row)
        line["rows"] += 1
        for name in summed:
            line[name] += row[name] or 0
    return [_held(found[place], members[place]) for place in sorted(found, key=str)]


def _held(line: Row, rows: Sequence[Row]) -> Row:
    """Sums, with what they hold, once all of it is counted."""
    counted = all(row.get("state", COUNTED) in (COUNTED, NO_BOX) for row in rows)
    if "win_cents" in line and line["drop_cents"] and counted:
        return {**line, "hold": round(line["win_cents"] / line["drop_cents"], 4)}
    return line
