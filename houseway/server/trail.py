"""Trail: events for people who may read them, without what nobody may know yet."""

import asyncio
import csv
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, select

from houseway.floor.cells import cell
from houseway.floor.live_round import round_of
from houseway.floor.person import Person
from houseway.floor.recall import Rounds
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.journal import Journal
from houseway.journal.selection import Selection, newest_first
from houseway.journal.selection import kinds as kinds_of
from houseway.journal.state import REFUSALS, State
from houseway.journal.store import told
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.server.room import Room

PAGE = 100
AT_ONCE = 500
"""Events that are read at a time for a stream that has much to catch up on."""
MOST_EXPORTED = 50_000
"""Events of one file."""
EXPORTS = {"csv": "text/csv", "jsonl": "application/x-ndjson"}
HIDDEN = "(not shown)"
SECRET = ("pin_hash",)
GIVEN = ("arguments", "excerpt")
"""What a refused command was given, as an earlier program kept it and as it is kept today."""
COLUMNS = (
    *("position", "at", "stream", "version", "kind", "actor", "data", "transfers"),
    *("prior", "hash"),
)
"""Of an event in a spreadsheet."""
ROUND_KINDS = ("round_opened", "round")
"""Events that say which round they are of."""


class Filter(NamedTuple):
    """Which events are asked for; what is empty is not asked for."""

    stream: str = ""
    table: str = ""
    kind: str = ""
    person: str = ""
    round: int = 0
    """A round of the table."""


async def trail(room: "Room", asked: Filter, before: int) -> dict[str, Any]:
    """A page of events, newest first, and what may be asked for."""
    before = _upto(room, before)
    rows, kinds = await asyncio.to_thread(_read_page, room, asked, before)
    state = room.mirror.state
    more = len(rows) > PAGE
    rows = rows[:PAGE]
    return {
        "events": [trail_event(event, state) for event in rows],
        "before": rows[-1].position if more else None,
        "streams": sorted(state.streams),
        "kinds": kinds,
        "people": _people(state),
    }


def _upto(room: "Room", before: int) -> int:
    # Only what the room knows of: of what is newer nobody could say yet whether it is to be hidden.
    newest = room.mirror.state.position
    return min(before, newest + 1) if before else newest + 1


def _people(state: State) -> list[dict[str, str]]:
    """Whose acts may be asked for."""
    return [
        {"card": name.partition(":")[2], "name": found.name, "role": found.role}
        for name, found in sorted(state.streams.items())
        if isinstance(found, Person)
    ]


def _read_page(room: "Room", asked: Filter, before: int) -> tuple[list[Event], list[str]]:
    with told(""), room.floor.journal.engine.connect() as connection:
        wanted = _selection(room, connection, asked)
        return newest_first(connection, wanted, PAGE + 1, before=before), kinds_of(connection)


def _selection(room: "Room", connection: Connection, asked: Filter) -> Selection:
    """What is read; refused when a table or a round is asked for that there is not."""
    wanted = Selection(stream=asked.stream, kind=asked.kind, actor=asked.person)
    table = asked.table
    if table:
        stream = table_stream(find_table(room.mirror.state, table).name)
        if asked.stream not in ("", stream):
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"stream {asked.stream!r} is not of table {table!r}; ask for one of them",
            )
        wanted = replace(wanted, stream=stream)
    elif asked.stream.startswith(table_stream("")):
        table = asked.stream.removeprefix(table_stream(""))
    if asked.round:
        if not table:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"round {asked.round} is of no table; name the table as well",
            )
        journal, position = room.floor.journal, room.mirror.state.position
        known = Rounds(connection, journal.model, table, position)
        first, last = known.versions(asked.round)
        wanted = replace(wanted, first=first, last=last)
    return wanted


# What is taken along.


class Export(NamedTuple):
    """A selection as a file, in pieces."""

    name: str
    kind: str
    """What a browser is told that it is."""
    pieces: AsyncIterator[str]


async def export(room: "Room", asked: Filter, before: int, form: str) -> Export:
    """The selected events as a file, newest first, as many as one file may hold.

    One that does not hold them all is named a part.
    """
    before = _upto(room, before)
    rest = await asyncio.to_thread(_read_piece, room, asked, before, 1, MOST_EXPORTED)
    part = "-part" if rest else ""
    pieces = _pieces(room, asked, before, form)
    return Export(f"houseway-trail{part}.{form}", EXPORTS[form], pieces)


async def _pieces(room: "Room", asked: Filter, before: int, form: str) -> AsyncIterator[str]:
    if form == "csv":
        yield _csv([COLUMNS])
    left = MOST_EXPORTED
    while left > 0:
        rows = await asyncio.to_thread(_read_piece, room, asked, before, min(left, AT_ONCE))
        shown = [trail_event(event, room.mirror.state) for event in rows]
        if form == "csv":
            yield _csv([[cell(event[name]) for name in COLUMNS] for event in shown])
        else:
            yield "".join(f"{json.dumps(event)}\n" for event in shown)
        if len(rows) < AT_ONCE:
            return
        left -= len(rows)
        before = rows[-1].position


def _read_piece(room: "Room", asked: Filter, before: int, most: int, skip: int = 0) -> list[Event]:
    with told(""), room.floor.journal.engine.connect() as connection:
        wanted = _selection(room, connection, asked)
        return newest_first(connection, wanted, most, before=before, skip=skip)


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    made = StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()


def read_events(journal: Journal, after: int, upto: int) -> list[Event]:
    """Events in order after a position and up to another, as many as are read at a time."""
    table = schema.event
    query = select(table).where(table.c.position > after, table.c.position <= upto)
    query = query.order_by(table.c.position).limit(AT_ONCE)
    with told(""), journal.engine.connect() as connection:
        return [Event(*row) for row in connection.execute(query)]


def trail_event(event: Event, state: State) -> dict[str, Any]:
    """An event as it is shown, without hashes of PINs, and decks and cards while they are dealt."""
    data: dict[str, Any] = {
        name: HIDDEN if name in SECRET else value for name, value in event.data.items()
    }
    for given in GIVEN:
        if isinstance(data.get(given), dict):
            if _enters_cards(data[given], state):
                # The sentence names the cards too, and the digest tells a guess of them.
                data |= {name: HIDDEN for name in ("message", "digest") if name in data}
                data[given] = {**data[given], "text": HIDDEN}
            data[given] = {
                name: HIDDEN if name in SECRET or _is_deck(value) else value
                for name, value in data[given].items()
            }
    if event.kind == "round" and _is_dealt(event, data, state):
        # Cards that lie face down are named here, and the deck.
        data["told"] = HIDDEN
        data["text"] = HIDDEN if _is_deck(data["text"]) or _is_entry(data["text"]) else data["text"]
    hidden = under_way(state, event.stream)
    if event.stream == REFUSALS:
        hidden = any(_is_entering(state, stream) for stream in tuple(state.streams))
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
        "prior": HIDDEN if hidden else event.prior,
        "hash": HIDDEN if hidden else event.hash,
        "round": data.get("number") if event.kind in ROUND_KINDS else None,
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


def _is_entry(value: object) -> bool:
    """True for the line that enters real cards, which may lie face down (TSB-08)."""
    return isinstance(value, str) and value.startswith("expose ")


def _enters_cards(given: dict[str, Any], state: State) -> bool:
    """True for refused cards of a table whose round goes on."""
    return _is_entry(given.get("text")) and under_way(state, table_stream(str(given.get("table"))))


def _is_entering(state: State, stream: str) -> bool:
    """True while a round of real cards goes on at the table of a stream."""
    table = state.streams.get(stream)
    return isinstance(table, FloorTable) and table.deck == "physical" and under_way(state, stream)


def _is_dealt(event: Event, data: dict[str, Any], state: State) -> bool:
    """True while the round of a deck goes on."""
    table = state.streams.get(event.stream)
    return (
        under_way(state, event.stream)
        and isinstance(table, FloorTable)
        and table.deal_number == data.get("number")
    )
