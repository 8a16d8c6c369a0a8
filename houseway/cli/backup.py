"""`houseway backup`: a whole journal in one file, also while it is written to."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json, not_given
from houseway.cli.output import console, print_json, progress

Given = Parameter(show_default=False)


def backup(
    file: str | None = None,
    *,
    database: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """Write a journal to a file from which either kind of database can be made again.

    The floor may go on meanwhile: the file has everything up to one moment. Example:

    `houseway backup monday.journal --database sqlite:///floor.sqlite`

    Parameters
    ----------
    file
        A file that is not there yet.
    database
        sqlite:///FILE or postgresql://USER@HOST/NAME.
    """
    if file is None:
        raise not_given("file", "monday.journal")
    if database is None:
        raise not_given("database", "sqlite:///floor.sqlite")
    with progress("writing the backup"):
        from houseway.journal.backup import write_backup

        events = write_backup(database, Path(file))
    if json:
        print_json({"file": file, "events": events})
    else:
        console().print(f"{events:,} events written to {file}", markup=False)
