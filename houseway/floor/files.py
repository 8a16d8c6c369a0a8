"""Files: rows as other programs read them: CSV, JSON Lines, Parquet."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from houseway.floor.cells import cell, packed
from houseway.refusal import Reason, Refused

FORMATS = ("csv", "parquet", "jsonl")
Rows = Sequence[Mapping[str, Any]]


def columns_of(rows: Iterable[Mapping[str, Any]], known: Sequence[str]) -> list[str]:
    """Every column that is known or that a row has: events of a later version may say more."""
    return list(dict.fromkeys((*known, *(name for row in rows for name in row))))


def write_text(rows: Rows, columns: Sequence[str], kind: str, file: IO[str]) -> None:
    """Write rows as lines of text, with these columns."""
    if kind == "jsonl":
        for row in rows:
            file.write(json.dumps({name: row.get(name) for name in columns if name in row}) + "\n")
        return
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(row.get(name)) for name in columns] for row in rows)


def write_parquet(rows: Rows, columns: Sequence[str], file: Any) -> None:
    """Write rows as Parquet, with these columns; to a path, or to a file of bytes."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"parquet needs module {error.name!r}; install houseway with the extra 'floor'",
        ) from None
    # A mapping without anything in it has no columns that could be written.
    made = {name: [_told(row.get(name)) for row in rows] for name in columns}
    pyarrow.parquet.write_table(pyarrow.table(made), file)


def file_of(rows: Rows, columns: Sequence[str], kind: str) -> bytes:
    """Rows as the content of a file."""
    if kind == "parquet":
        file = io.BytesIO()
        write_parquet(rows, columns, file)
        return file.getvalue()
    text = io.StringIO(newline="")
    write_text(rows, columns, kind, text)
    return text.getvalue().encode()


def _told(value: Any) -> Any:
    return packed(value) if isinstance(value, dict) else value
