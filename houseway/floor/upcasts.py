"""Upcasts: events that an earlier program wrote, with the data that they have today."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from houseway.floor.link import Pending, find_link
from houseway.floor.table import FOR_AN_AWARD, find_table
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.journal.versions import Upcasts


def award_waits_2(event: Event, state: State) -> Mapping[str, Any]:
    """All that waits for the link. Version 1 had the awards of one round, and not their hands."""
    data = event.data
    if "through" in data:
        # For a time this was written under version 1.
        return data
    table = find_table(state, data["table"])
    link = find_link(state, table.link)
    line = [p for p in link.pending if (p.table, p.round) != (data["table"], data["round"])]
    for waits in data["pending"]:
        award = table.award_at(waits["position"])
        assert award is not None, event.position
        wager_cents = table.lights[award.position].cents
        recorded = award.status == "recorded"
        line.append(Pending(**waits, hand=award.hand, wager_cents=wager_cents, recorded=recorded))
    pending = [
        asdict(waits)
        for level in link.pays.levels
        for recorded in (True, False)
        for waits in line
        if (waits.level, waits.recorded) == (level, recorded)
    ]
    return {"through": table.name, "pending": pending}


def game_started_2(event: Event, state: State) -> Mapping[str, Any]:
    """Also how often each meter had been started again by then."""
    link = find_link(state, state.streams[event.stream].link)
    return {"starts": dict(link.starts), **event.data}


def supervisor_called_2(event: Event, _: State) -> Mapping[str, Any]:
    """Also what for. A supervisor could be called for an award only."""
    return {"reason": FOR_AN_AWARD, "text": "", **event.data}


UPCASTS: Upcasts = {
    "award_waits": (award_waits_2,),
    "game_started": (game_started_2,),
    "supervisor_called": (supervisor_called_2,),
}
