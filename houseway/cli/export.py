"""`houseway export`: reports of a journal as files that other programs read."""

import csv
import json as json_text
import sys
from collections.abc import Iterable, Sequence
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
    table; meters, every meter of each link and level; coin-in, wagers by table and day;
    transfers, every movement of money; events, every event with its hash. Amounts are whole
    numbers as they are booked: cents, or millionths of a cent. Lists are JSON in CSV. Examples:

    `houseway export win-pages --database sqlite:///floor.sqlite`

    `houseway export progressive --format jsonl --database sqlite:///floor.sqlite`

    `houseway export transfers --format parquet --out transfers.parquet --database
    postgresql://houseway@127.0.0.1/floor`

    Parameters
    ----------
    report
        win-pages, adjustments, progressive, reconciliation, meters, coin-in, transfers or events.
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
    if kind == "parquet":
        assert out is not None
        _write_parquet(rows, known, out)
        return
    if out is None:
        _write_text(rows, known, kind, sys.stdout)
        return
    with Path(out).open("w", encoding="utf-8", newline="") as file:
        _write_text(rows, known, kind, file)


def _write_text(rows: Iterable[dict[str, Any]], known: Sequence[str], kind: str, file: Any) -> None:
    if kind == "jsonl":
        for row in rows:
            file.write(json_text.dumps(row) + "\n")
        return
    from houseway.floor.cells import cell

    plain = [{name: cell(value) for name, value in row.items()} for row in rows]
    writer = csv.DictWriter(file, fieldnames=_columns(plain, known), lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain)


def _columns(rows: Iterable[dict[str, Any]], known: Sequence[str]) -> list[str]:
    """Every column that is known or that a row has: events of a later version may say more."""
    return list(dict.fromkeys((*known, *(name for row in rows for name in row))))


def _write_parquet(rows: list[dict[str, Any]], known: Sequence[str], out: str) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"parquet needs module {error.name!r}; install houseway with the extra 'floor'",
        ) from None
    columns = {name: [row.get(name) for row in rows] for name in _columns(rows, known)}
    pyarrow.parquet.write_table(pyarrow.table(columns), out)
