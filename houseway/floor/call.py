"""Call: a dealer calls a supervisor."""

from houseway.floor import request
from houseway.floor.context import AT_THE_TABLE
from houseway.floor.person import require
from houseway.floor.table import find_table, table_stream
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State


def call_supervisor(state: State, command: Command) -> Entry:
    """The dealer calls a supervisor, at any time (PGM-12, PNX-13)."""
    require(state, command.actor, AT_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    called = Draft(stream=table_stream(table.name), kind="supervisor_called", data={})
    return Entry(events=[called], answer={"called": True})


DECIDERS = {"call_supervisor": call_supervisor}
