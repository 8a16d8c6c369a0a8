"""`houseway export`: reports of a journal as files that other programs read."""

import csv
import json as json_text
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cli.arguments import not_given
from houseway.cli.output import progress
from houseway.refusal import Reason, Refused, listed

Given = Parameter(show_default=False)
FORMATS = ("csv", "parquet", "jsonl")


def export(
    report: str | None = None,
    *,
    format: Annotated[str, Parameter(help="csv, parquet or jsonl.")] = "csv",  # noqa: A002
    database: Annotated[str | None, Given] = None,
    out: Annotated[str | None, Given] = None,
) -> None:
    """Write a report of a journal: win-pages, adjustments, coin-in, transfers or events.

    Amounts are whole numbers as they are booked. Examples:

    `houseway export win-pages --database sqlite:///floor.sqlite`

    `houseway export transfers --format parquet --out transfers.parquet --database
    postgresql://houseway@127.0.0.1/floor`

    Parameters
    ----------
    report
        win-pages, adjustments, coin-in, transfers or events.
    database
        sqlite:///FILE or postgresql://USER@HOST/NAME.
    out
        A file; standard output unless told, but not for parquet.
    """
    from houseway.floor.records import REPORTS

    if report not in REPORTS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"report {report!r} is unknown; known: {listed(REPORTS)}"
        )
    if format not in FORMATS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"format {format!r} is unknown; known: {listed(FORMATS)}"
        )
    if database is None:
        raise not_given("database", "sqlite:///floor.sqlite")
    if format == "parquet" and out is None:
        raise not_given("out", "report.parquet")
    with progress("reading the journal"):
        rows = _rows(report, database)
    try:
        _write(rows, format, out)
    except OSError as error:
        if out is None:
            raise
        raise Refused(
            Reason.BAD_ARGUMENT, f"file {out!r} cannot be written: {error.strerror}"
        ) from None


def _rows(report: str, database: str) -> list[dict[str, Any]]:
    from houseway.floor.model import FloorModel
    from houseway.floor.records import AS_STORED
    from houseway.floor.records import report as rows_of
    from houseway.journal.rebuild import events_today, every_event
    from houseway.journal.store import open_to_read, told

    engine = open_to_read(database)
    try:
        with told(database), engine.connect() as connection:
            stored = report in AS_STORED
            events = every_event(connection) if stored else events_today(connection, FloorModel())
            return list(rows_of(report, events))
    finally:
        engine.dispose()


def _write(rows: list[dict[str, Any]], kind: str, out: str | None) -> None:
    if kind == "parquet":
        assert out is not None
        _write_parquet(rows, out)
        return
    if out is None:
        _write_text(rows, kind, sys.stdout)
        return
    with Path(out).open("w", encoding="utf-8", newline="") as file:
        _write_text(rows, kind, file)


def _write_text(rows: Iterable[dict[str, Any]], kind: str, file: Any) -> None:
    if kind == "jsonl":
        for row in rows:
            file.write(json_text.dumps(row) + "\n")
        return
    rows = list(rows)
    writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    if rows:
        writer.writeheader()
    writer.writerows(rows)


def _write_parquet(rows: list[dict[str, Any]], out: str) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"parquet needs module {error.name!r}; install houseway with the extra 'floor'",
        ) from None
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
