"""`houseway restore`: a journal made again from its backup, and audited."""

from pathlib import Path

from houseway.cli.arguments import Database, Json, given, given_database
from houseway.cli.output import console, print_json, progress


def restore(
    file: str | None = None,
    *,
    database: Database = None,
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
    """
    path, url = Path(given(file, "file", "monday.journal")), given_database(database)
    with progress("restoring and auditing", extra="floor"):
        from houseway.floor.model import FloorModel
        from houseway.journal.backup import restore_backup

        audit = restore_backup(url, path, FloorModel())
    if json:
        print_json({"file": file, **audit.to_json()})
    else:
        console().print(f"{audit.events:,} events restored; every record holds", markup=False)
