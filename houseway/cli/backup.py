"""`houseway backup`: a whole journal in one file, also while it is written to."""

from pathlib import Path

from houseway.cli.arguments import Database, Json, given, given_database
from houseway.cli.output import console, print_json, progress


def backup(
    file: str | None = None,
    *,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write a journal to a file from which either kind of database can be made again.

    The floor may go on meanwhile: the file has everything up to one moment. Example:

    `houseway backup monday.journal --database sqlite:///floor.sqlite`

    Parameters
    ----------
    file
        A file that is not there yet.
    """
    path, url = Path(given(file, "file", "monday.journal")), given_database(database)
    with progress("writing the backup", extra="floor"):
        from houseway.journal.backup import write_backup

        events = write_backup(url, path)
    if json:
        print_json({"file": file, "events": events})
    else:
        console().print(f"{events:,} events written to {file}", markup=False)
