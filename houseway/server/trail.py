"""Trail: events for people who may read them, without what nobody may know yet."""

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from houseway.floor.live_round import round_of
from houseway.floor.table import FloorTable
from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.journal.store import told

if TYPE_CHECKING:
    from houseway.server.room import Room

PAGE = 100
HIDDEN = "(not shown)"
SECRET = ("pin_hash",)


def trail(room: "Room", stream: str, before: int) -> dict[str, Any]:
    """A page of events, newest first; of one stream, or of all."""
    table = schema.event
    query = select(table).order_by(table.c.position.desc()).limit(PAGE + 1)
    if stream:
        query = query.where(table.c.stream == stream)
    if before:
        query = query.where(table.c.position < before)
    journal = room.floor.journal
    with told(journal.url), journal.engine.connect() as connection:
        rows = [Event(*row) for row in connection.execute(query)]
    state = room.mirror.state
    more = len(rows) > PAGE
    rows = rows[:PAGE]
    return {
        "events": [trail_event(event, state) for event in rows],
        "before": rows[-1].position if more else None,
        "streams": sorted(state.streams),
    }


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
        "hash": event.hash,
    }


def _is_deck(value: object) -> bool:
    return isinstance(value, str) and value.startswith("shuffle ")


def _is_dealt(event: Event, data: dict[str, Any], state: State) -> bool:
    """True while the round of a deck goes on."""
    table = state.streams.get(event.stream)
    if not isinstance(table, FloorTable) or table.deal_number != data.get("number"):
        return False
    under_way = round_of(table)
    return under_way is not None and not under_way.over
