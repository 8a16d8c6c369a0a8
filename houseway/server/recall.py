"""Recall: past rounds of a table as a screen shows them, for whoever may look."""

import asyncio
from typing import TYPE_CHECKING, Any

from houseway.floor.live_round import round_of
from houseway.floor.person import Person, person_stream
from houseway.floor.recall import PAGE, Rounds, listed_round, recalled_round
from houseway.floor.table import find_table
from houseway.journal.state import State
from houseway.journal.store import told
from houseway.live.view import Viewer, ViewerKind
from houseway.refusal import Refused
from houseway.server.door import READERS
from houseway.server.names import game_name

if TYPE_CHECKING:
    from houseway.server.room import Room

RECALLERS = (*READERS, "supervisor", "dealer")
VIEWERS: dict[str, ViewerKind] = {
    "supervisor": "supervisor",
    "executive": "supervisor",
    "auditor": "supervisor",
    "surveillance": "surveillance",
}
"""Who may look at every card that was dealt; all others see what lay face up."""


async def rounds(room: "Room", table: str, before: int) -> dict[str, Any]:
    """Rounds of a table, newest first."""
    found = find_table(room.mirror.state, table)
    position = room.mirror.state.position

    def read() -> dict[str, Any]:
        with told(""), room.floor.journal.engine.connect() as connection:
            known = Rounds(connection, room.floor.journal.model, table, position)
            # One more than is shown tells whether there are any before.
            return _listed(room.mirror.state, known.newest(before or None, PAGE + 1))

    return {"table": table, "name": game_name(found.game), **await asyncio.to_thread(read)}


def _listed(state: State, found: list[Any]) -> dict[str, Any]:
    page = found[:PAGE]
    shown = [listed_round(one, Holders(state)) for one in page if not isinstance(one, Refused)]
    return {
        "rounds": shown,
        "problems": [one.message for one in page if isinstance(one, Refused)],
        "before": shown[-1]["number"] if shown and len(found) > PAGE else None,
    }


async def recall(room: "Room", table: str, number: int, role: str) -> dict[str, Any]:
    """One round, step by step, as somebody of a role may see it."""
    state = room.mirror.state
    found = find_table(state, table)
    under_way = round_of(found)
    newest = found.deal_number if under_way is None or under_way.over else found.deal_number - 1
    position = state.position

    def read() -> dict[str, Any]:
        with told(""), room.floor.journal.engine.connect() as connection:
            known = Rounds(connection, room.floor.journal.model, table, position)
            recalled = known.recall(number)
        viewer = Viewer(VIEWERS.get(role, "dealer"))
        return recalled_round(recalled, viewer, Holders(room.mirror.state))

    seen = await asyncio.to_thread(read)
    return {"table": table, "name": game_name(seen["game"]), "newest": newest, **seen}


class Holders:
    """Tells of a card who holds it."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __call__(self, card: str) -> dict[str, str]:
        """Card, name and role; a card that nobody holds is its own name."""
        found = self.state.streams.get(person_stream(card))
        if not isinstance(found, Person):
            return {"card": card, "name": card, "role": ""}
        return {"card": card, "name": found.name, "role": found.role}
