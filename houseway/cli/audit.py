"""`houseway audit`: whether a journal holds."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from houseway.cli.arguments import Database, Json, given_database
from houseway.cli.output import console, counting, print_json, progress

if TYPE_CHECKING:
    from houseway.journal.state import Model

HELP = """Whether a journal holds: every event, every seal, and what is kept beside them.

Nothing is written, and a floor may go on meanwhile.

Example: `houseway audit verify --database sqlite:///floor.sqlite`
"""


def __getattr__(name: str) -> App:
    """The command, made anew for whoever loads it: what loads it may describe it otherwise."""
    if name != "audit":
        raise AttributeError(name)
    app = App(name="audit", help=HELP, result_action="return_value")
    app.command(verify)
    app.command(rebuild)
    return app


def model() -> "Model":
    """What the events of a floor mean."""
    from houseway.floor.model import FloorModel

    return FloorModel()


def verify(
    *,
    database: Database = None,
    seal: Annotated[str | None, Parameter(show_default=False)] = None,
    json: Json = False,
) -> int:
    """Go through a journal in order and name the first record that does not hold.

    Hashes, heads and balances are worked out again with code of its own; lines, win pages and
    transfers of awards are compared. Exit code 0: it holds; 1: it does not; 2: there is no journal
    that could be read. The seal file that the server writes shows even that the end was cut off,
    or that everything was made anew. Examples:

    `houseway audit verify --database sqlite:///floor.sqlite`

    `houseway audit verify --database postgresql://houseway@127.0.0.1/floor --seal /mnt/floor.seals`

    Parameters
    ----------
    seal
        The seal file to hold the journal against. Without it FILE.seals beside a SQLite file,
        where that is there.
    """
    url = given_database(database)
    with counting("reading the journal", "events", extra="floor") as count:
        from houseway.floor.invariants import verify_floor
        from houseway.journal.audit import held_against
        from houseway.journal.seal_file import known_places
        from houseway.journal.store import open_to_read, told

        # Read first: the floor may go on meanwhile, and then the journal is ahead of them.
        places = known_places(url, seal)
        engine = open_to_read(url)
        try:
            with told(url), engine.connect() as connection:
                found = verify_floor(connection, count, url=url)
                if places is not None:
                    found = held_against(connection, found, places)
        finally:
            engine.dispose()
    if json:
        print_json(found.to_json())
    elif found.finding is not None:
        console().print(f"{found.finding.record} {found.finding.problem}", markup=False)
    else:
        sealed = "all sealed" if not found.unsealed else f"{found.unsealed:,} not sealed yet"
        console().print(f"{found.events:,} events hold, {sealed}; seals: {found.seals:,}")
        console().print(f"last seal: {found.last_seal or 'none'}")
        if places:
            console().print(f"the seal file agrees, up to event {places[-1].position:,}")
        for one in found.earlier:
            console().print(f"{one.record}, by an earlier version, {one.problem}", markup=False)
    return 0 if found.holds else 1


def rebuild(*, database: Database = None, json: Json = False) -> int:
    """Work out everything from the events again and name what is kept otherwise.

    Exit code 0: nothing differs; 1: something does; 2: there is no journal that could be read.

    Example: `houseway audit rebuild --database sqlite:///floor.sqlite`
    """
    url = given_database(database)
    with progress("working out the journal again", extra="floor"):
        from houseway.journal.blame import blamed
        from houseway.journal.rebuild import differences
        from houseway.journal.store import open_to_read, told

        engine = open_to_read(url)
        try:
            with blamed(url, model()), told(url), engine.connect() as connection:
                found = list(differences(connection, model()))
        finally:
            engine.dispose()
    if json:
        print_json({"holds": not found, "differences": found})
    else:
        for difference in found or ["nothing differs from what the events lead to"]:
            console().print(difference, markup=False)
    return 1 if found else 0
