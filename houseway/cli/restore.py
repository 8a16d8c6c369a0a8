"""`houseway restore`: a journal made again from its backup, and audited."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json, not_given
from houseway.cli.output import console, print_json, progress

Given = Parameter(show_default=False)


def restore(
    file: str | None = None,
    *,
    database: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """Make a journal again from a backup, in a database that has none, and audit it.

    Balances and states are worked out from the events; nothing is restored when a record does not
    hold. Example:

    `houseway restore monday.journal --database postgresql://houseway@127.0.0.1/floor`

    Parameters
    ----------
    file
        A file that `houseway backup` wrote.
    database
        sqlite:///FILE or postgresql://USER@HOST/NAME.
    """
    if file is None:
        raise not_given("file", "monday.journal")
    if database is None:
        raise not_given("database", "sqlite:///floor.sqlite")
    with progress("restoring and auditing"):
        from houseway.floor.model import FloorModel
        from houseway.journal.backup import restore_backup

        audit = restore_backup(database, Path(file), FloorModel())
    if json:
        print_json({"file": file, **audit.to_json()})
    else:
        console().print(f"{audit.events:,} events restored; every record holds", markup=False)
