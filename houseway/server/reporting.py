"""Reporting: a report as an answer: plain data for a screen, or a file."""

import asyncio
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json
from starlette.responses import Response

from houseway.documents.books import report_paper, transfer_slip, tray_slip
from houseway.documents.print_sheet import pdf_of
from houseway.documents.slips import adjustment_slip, win_page
from houseway.floor.files import file_of
from houseway.floor.statement import AS_OF, Statement
from houseway.refusal import Reason, Refused
from houseway.server.charts import chart, is_drawn
from houseway.server.requests import ChartAsked, ReportAsked

if TYPE_CHECKING:
    from houseway.server.room import Room

MOST_SHOWN = 2_000
"""Rows that a screen is given; files have all."""
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
}


async def make_answer(room: "Room", name: str, asked: ReportAsked) -> Response:
    """A report as it was asked for."""
    return await asyncio.to_thread(_made, room, name, asked)


class Picture(Response):
    """A drawing."""

    media_type = "image/svg+xml"


async def make_picture(room: "Room", name: str, asked: ChartAsked) -> Response:
    """The chart of a report."""

    def made() -> bytes:
        return chart(room.report(name, asked), asked.theme)

    return Picture(await asyncio.to_thread(made))


def _made(room: "Room", name: str, asked: ReportAsked) -> Response:
    found = room.report(name, asked)
    if asked.format == "json":
        return Response(
            to_json(plain(found, room.version, room.now())), media_type="application/json"
        )
    if asked.format == "pdf":
        content = pdf_of(report_paper(found, room.clock, room.now()))
    else:
        content = file_of(found.rows, found.columns, asked.format)
    period = f"{found.period.first}_{found.period.last}"
    headers = {"content-disposition": f'attachment; filename="{name}_{period}.{asked.format}"'}
    return Response(content, media_type=TYPES[asked.format], headers=headers)


class Paper(Response):
    """A document to print."""

    media_type = "application/pdf"


async def slip_paper(room: "Room", number: int) -> Response:
    """The slip of a fill or credit."""

    def made() -> bytes:
        row = next((row for row in room.every("slips") if row["slip"] == number), None)
        if row is None:
            raise Refused(Reason.UNKNOWN_VALUE, f"slip {number} is unknown")
        return pdf_of(transfer_slip(row, room.clock, room.holder))

    return Paper(await asyncio.to_thread(made))


PAPERS = {
    "win-page": ("win-pages", "page", win_page),
    "slip": ("adjustments", "slip", adjustment_slip),
}
"""Papers of a link: the record that has them, what numbers them, and how they are laid out."""


async def link_paper(room: "Room", link: str, what: str, number: int) -> Response:
    """A win page or an adjustment slip of a link, marked where it was printed again."""
    record, numbered, laid_out = PAPERS[what]

    def made() -> bytes:
        for row in room.recorded(record):
            if (row["link"], row[numbered]) == (link, number):
                return pdf_of(laid_out(row))
        raise Refused(Reason.UNKNOWN_VALUE, f"{what} {number} of link {link!r} is unknown")

    return Paper(await asyncio.to_thread(made))


async def tray_paper(room: "Room", table: str, session: int, what: str) -> Response:
    """The count of a tray when it was opened or closed."""

    def made() -> bytes:
        event = room.count_of(table, session, what)
        if event is None:
            raise Refused(Reason.UNKNOWN_VALUE, f"{what} {session} of table {table!r} is unknown")
        data, who = event.data, room.holder
        return pdf_of(tray_slip(table, what, data, event.actor, event.at, room.clock, who))

    return Paper(await asyncio.to_thread(made))


def plain(found: Statement, version: str, now: str) -> dict[str, Any]:
    """A statement as a screen takes it."""
    return {
        "name": found.name,
        "title": found.title,
        "version": version,
        "first": found.period.first,
        "last": found.period.last,
        "table": found.period.table,
        "shift": found.period.shift,
        "made_at": now,
        "as_of": found.name in AS_OF,
        "time_zone": found.time_zone,
        "columns": list(found.columns),
        "rows": [{c: row.get(c) for c in found.columns} for row in found.rows[:MOST_SHOWN]],
        "count": len(found.rows),
        "totals": found.totals,
        "chart": is_drawn(found),
    }
