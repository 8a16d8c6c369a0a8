"""Upcasts: events that an earlier program wrote, with the data that they have today."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from houseway.floor.link import Pending, find_link
from houseway.floor.pit import find_pit
from houseway.floor.table import FOR_AN_AWARD, find_table
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.journal.versions import Upcasts
from houseway.names import known_as


def card_issued_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also the person. Two cards were one person's when their names were the same."""
    return {**event.data, "person": known_as(event.data["name"])}


def alert_seen_2(event: Event, state: State) -> Mapping[str, Any]:
    """Also the acknowledgements that it made the floor forget: the oldest over 200."""
    seen = [*find_pit(state).seen]
    return {**event.data, "forgotten": seen[: max(0, len(seen) + 1 - 200)]}


def award_waits_2(event: Event, state: State) -> Mapping[str, Any]:
    """All that waits for the link. Version 1 had the awards of one round, and not their hands."""
    data = event.data
    if "through" in data:
        # For a time this was written under version 1.
        return data
    table = find_table(state, data["table"])
    link = find_link(state, table.link)
    game = table.earlier
    waits = [p for p in link.pending if (p.table, p.round) != (data["table"], data["round"])]
    for one in data["pending"]:
        # Where nothing waits any more, the game may be over.
        assert game is not None, event.position
        award = game.award_at(one["position"])
        assert award is not None, event.position
        wager_cents, _ = game.lights[award.position]
        recorded = award.status == "recorded"
        waits.append(Pending(**one, hand=award.hand, wager_cents=wager_cents, recorded=recorded))
    pending = [
        asdict(one)
        for level in link.pays.levels
        for recorded in (True, False)
        for one in waits
        if (one.level, one.recorded) == (level, recorded)
    ]
    return {"through": table.name, "pending": pending}


def game_started_2(event: Event, state: State) -> Mapping[str, Any]:
    """Also how often each meter had been started again by then."""
    link = find_link(state, state.streams[event.stream].link)
    return {"starts": dict(link.starts), **event.data}


def game_started_3(event: Event, state: State) -> Mapping[str, Any]:
    """Also that the progressive had commands of its own, beside the round."""
    del state
    return {**event.data, "earlier": True}


def supervisor_called_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also the reason. A supervisor could be called for an award only."""
    return {"reason": FOR_AN_AWARD, "text": "", **event.data}


def round_2(event: Event, _: State) -> Mapping[str, Any]:
    """The same. A program between two releases wrote steps of rounds under version 2."""
    return event.data


def equipment_recorded_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also its version and display, and that any text was taken then."""
    return {"version": "", "display": None, "earlier": True, **event.data}


def equipment_recorded_3(event: Event, _: State) -> Mapping[str, Any]:
    """Without the reference of its approval, which the approved list has.

    Equipment that counts as it did before there was a list keeps its own.
    """
    if event.data["earlier"]:
        return event.data
    return {name: value for name, value in event.data.items() if name != "approval"}


def table_made_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also that no layout was asked for."""
    return {"without_layout": True, **event.data}


def table_opened_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also that no layout was asked for."""
    return {"without_layout": True, **event.data}


UPCASTS: Upcasts = {
    "alert_seen": (alert_seen_2,),
    "award_waits": (award_waits_2,),
    "card_issued": (card_issued_2,),
    "equipment_recorded": (equipment_recorded_2, equipment_recorded_3),
    "game_started": (game_started_2, game_started_3),
    "round": (round_2,),
    "supervisor_called": (supervisor_called_2,),
    "table_made": (table_made_2,),
    "table_opened": (table_opened_2,),
}
