"""Trail: events for people who may read them, without what nobody may know yet."""

import asyncio
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from houseway.floor.live_round import round_of
from houseway.floor.table import FloorTable
from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.journal import Journal
from houseway.journal.state import State
from houseway.journal.store import told

if TYPE_CHECKING:
    from houseway.server.room import Room

PAGE = 100
AT_ONCE = 500
"""Events that are read at a time for a stream that has much to catch up on."""
HIDDEN = "(not shown)"
SECRET = ("pin_hash",)


async def trail(room: "Room", stream: str, before: int) -> dict[str, Any]:
    """A page of events, newest first; of one stream, or of all."""
    # Only what the room knows of: of what is newer nobody could say yet whether it is to be hidden.
    newest = room.mirror.state.position
    before = min(before, newest + 1) if before else newest + 1
    rows = await asyncio.to_thread(_read_back, room.floor.journal, stream, before)
    state = room.mirror.state
    more = len(rows) > PAGE
    rows = rows[:PAGE]
    return {
        "events": [trail_event(event, state) for event in rows],
        "before": rows[-1].position if more else None,
        "streams": sorted(state.streams),
    }


def _read_back(journal: Journal, stream: str, before: int) -> list[Event]:
    table = schema.event
    query = select(table).where(table.c.position < before)
    if stream:
        query = query.where(table.c.stream == stream)
    query = query.order_by(table.c.position.desc()).limit(PAGE + 1)
    with told(""), journal.engine.connect() as connection:
        return [Event(*row) for row in connection.execute(query)]


def read_events(journal: Journal, after: int, upto: int) -> list[Event]:
    """Events in order after a position and up to another, as many as are read at a time."""
    table = schema.event
    query = select(table).where(table.c.position > after, table.c.position <= upto)
    query = query.order_by(table.c.position).limit(AT_ONCE)
    with told(""), journal.engine.connect() as connection:
        return [Event(*row) for row in connection.execute(query)]


def trail_event(event: Event, state: State) -> dict[str, Any]:
    """An event as it is shown; a deck that is still being dealt, and hashes of PINs, are not."""
    data: dict[str, Any] = {
        name: HIDDEN if name in SECRET else value for name, value in event.data.items()
    }
    if isinstance(data.get("arguments"), dict):
        data["arguments"] = {
            name: HIDDEN if name in SECRET or _is_deck(value) else value
            for name, value in data["arguments"].items()
        }
    if event.kind == "round" and _is_dealt(event, data, state):
        # Cards that lie face down are named here, and the deck.
        data["told"] = HIDDEN
        data["text"] = HIDDEN if _is_deck(data["text"]) else data["text"]
    return {
        "position": event.position,
        "stream": event.stream,
        "version": event.version,
        "kind": event.kind,
        "actor": event.actor,
        "at": event.at,
        "data": data,
        "transfers": [list(moved) for moved in event.transfers],
        # Each follows from the one before, so any of them would tell a guess of the cards from
        # another: while a round is dealt none of its table's is shown.
        "hash": HIDDEN if under_way(state, event.stream) else event.hash,
    }


def under_way(state: State, stream: str) -> bool:
    """True while a round is dealt at the table of a stream."""
    table = state.streams.get(stream)
    if not isinstance(table, FloorTable):
        return False
    found = round_of(table)
    return found is not None and not found.over


def _is_deck(value: object) -> bool:
    return isinstance(value, str) and value.startswith("shuffle ")


def _is_dealt(event: Event, data: dict[str, Any], state: State) -> bool:
    """True while the round of a deck goes on."""
    table = state.streams.get(event.stream)
    return (
        under_way(state, event.stream)
        and isinstance(table, FloorTable)
        and table.deal_number == data.get("number")
    )
