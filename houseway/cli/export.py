"""`houseway export`: reports of a journal as files that other programs read."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cli.arguments import Database, Given, Json, given, given_database, one_of
from houseway.cli.journal import read_journal
from houseway.cli.output import console, print_json, progress
from houseway.refusal import Reason, Refused

FORMATS = ("csv", "parquet", "jsonl")


def export(
    report: str | None = None,
    *,
    kind: Annotated[str, Parameter(name="--format", help="csv, parquet or jsonl.")] = "csv",
    database: Database = None,
    out: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """Write a table of a journal for other programs.

    The tables: win-pages and adjustments, a row for each; progressive, every change of every
    meter, explained; reconciliation, what came in and went out of each account by cause and
    table; meters, every meter of each link and level; coin-in, wagers by table and day; deposits,
    what must stand in the bank for each link and what does; envy, who was paid for whose hand;
    transfers, every movement of money; events, every event with its hash. The books, by gaming
    day and shift: master, a row for every session of a table with what it won; slips and drops,
    every number; play and pace, what was wagered, won and dealt; voids; shuffler; system. Amounts
    are whole numbers as they are booked: cents, or millionths of a cent. Lists are JSON in CSV.

    Tables of all kinds are written the same way, such as these examples:

    `houseway export win-pages --database sqlite:///floor.sqlite`

    `houseway export master --format jsonl --database sqlite:///floor.sqlite`

    `houseway export transfers --format parquet --out transfers.parquet --database
    postgresql://houseway@127.0.0.1/floor`

    Parameters
    ----------
    report
        win-pages, adjustments, progressive, reconciliation, meters, coin-in, deposits, transfers,
        events, master, slips, drops, play, pace, voids, envy, shuffler, cards or system.
    out
        A file; standard output unless told, but not for parquet and not with --json, which then
        says what was written.
    """
    with progress("looking at the reports", extra="floor"):
        from houseway.floor.reports import COLUMNS, REPORTS

    wanted, written = one_of(report, "report", REPORTS), one_of(kind, "format", FORMATS)
    url = given_database(database)
    if written == "parquet" or json:
        given(out, "out", f"report.{written}")
    rows = _rows(wanted, url)
    try:
        _write(rows, COLUMNS[wanted].split(), written, out)
    except OSError as error:
        if out is None:
            raise
        raise Refused(
            Reason.BAD_ARGUMENT, f"file {out!r} cannot be written: {error.strerror}"
        ) from None
    if json:
        print_json({"report": wanted, "format": written, "rows": len(rows), "file": out})
    elif out is not None:
        plural = "" if len(rows) == 1 else "s"
        console().print(f"{len(rows):,} row{plural} written to {out}", markup=False)


def _rows(report: str, database: str) -> list[dict[str, Any]]:
    from houseway.floor.reports import AS_STORED
    from houseway.floor.reports import report as rows_of

    with read_journal(database, stored=report in AS_STORED) as events:
        return list(rows_of(report, events))


def _write(rows: list[dict[str, Any]], known: Sequence[str], kind: str, out: str | None) -> None:
    from houseway.floor.files import columns_of, write_parquet, write_text

    columns = columns_of(rows, known)
    if kind == "parquet":
        write_parquet(rows, columns, out)
    elif out is None:
        write_text(rows, columns, kind, sys.stdout)
    else:
        with Path(out).open("w", encoding="utf-8", newline="") as file:
            write_text(rows, columns, kind, file)
