"""Live round: the round at a table, done again from the commands that its stream keeps."""

import json
from collections.abc import Mapping
from threading import Lock
from typing import Any, NamedTuple

from houseway.floor.rules import rules_begun
from houseway.floor.table import FloorTable
from houseway.journal.event import canonical
from houseway.live.round import act
from houseway.live.state import Round, Runbook
from houseway.live.state import open_round as new_round
from houseway.live.text import parse_command
from houseway.ruleset import Ruleset

KEPT = 4096
"""Rounds that are kept at hand."""


class Place(NamedTuple):
    """Where a round stands: all that it follows from."""

    rules: Ruleset
    positions: int
    number: int
    start: str
    commands: tuple[str, ...]


_at_hand: dict[Place, Round] = {}
_lock = Lock()
_last_seen: dict[str, tuple[FloorTable, Round | None]] = {}
"""By the name of a table: as it was when it was last asked for, and its round."""


def round_of(table: FloorTable) -> Round | None:
    """The round that is under way at a table, or was last; None before the first."""
    # Pages ask for one table again and again, until something happens at it.
    seen = _last_seen.get(table.name)
    if seen is not None and seen[0] is table:
        return seen[1]
    found = _done_again(_place(table)) if table.deal_number else None
    if len(_last_seen) >= KEPT:
        _last_seen.clear()
    _last_seen[table.name] = (table, found)
    return found


def round_before(table: FloorTable) -> Round:
    """The round as it was before the last command of a table."""
    place = _place(table)
    return _done_again(place._replace(commands=place.commands[:-1]))


def keep(table: FloorTable, text: str, after: Round) -> None:
    """Have a round at hand that one more command leads to, so that it is not done again."""
    place = _place(table)
    _keep(place._replace(commands=(*place.commands, text)), after)


_begun_with: dict[str, tuple[Mapping[str, Any], str]] = {}
"""By the name of a table: what its round began with, and the same as text."""


def _place(table: FloorTable) -> Place:
    # One after the other the steps of a round begin with the very same.
    seen = _begun_with.get(table.name)
    if seen is None or seen[0] is not table.deal_start:
        seen = table.deal_start, canonical(table.deal_start)
        if len(_begun_with) >= KEPT:
            _begun_with.clear()
        _begun_with[table.name] = seen
    return Place(
        rules=rules_begun(table, table.deal_start),
        positions=table.positions,
        number=table.deal_number,
        start=seen[1],
        commands=table.deal,
    )


def _done_again(place: Place) -> Round:
    """The round at a place; the one before the last command is mostly still at hand."""
    found = _at_hand.get(place)
    if found is not None:
        return found
    if place.commands:
        before = _done_again(place._replace(commands=place.commands[:-1]))
        found = act(before, parse_command(place.commands[-1]))[0]
    else:
        found = begun(place.rules, place.number, place.positions, json.loads(place.start))
    _keep(place, found)
    return found


def _keep(place: Place, found: Round) -> None:
    with _lock:
        _at_hand[place] = found
        while len(_at_hand) > KEPT:
            del _at_hand[next(iter(_at_hand))]


def start_of(table: Round, rules: Mapping[str, Any]) -> dict[str, Any]:
    """What a round begins with: its rules as text, and what the one before it left."""
    runbook = table.runbook
    return {
        "previous_shuffle": table.previous_shuffle,
        "carried": {str(seat.position): seat.carried for seat in table.seats if seat.carried},
        "runbook": None if runbook is None else list(runbook),
        "form": table.form,
        **rules,
    }


def begun(rules: Ruleset, number: int, positions: int, start: Mapping[str, Any]) -> Round:
    """A round as it was opened, with what the one before it had left."""
    table = new_round(rules, f"{number:06d}", positions)
    carried = start.get("carried", {})
    runbook = start.get("runbook")
    return table._replace(
        form=start.get("form", 1),
        previous_shuffle=start.get("previous_shuffle", ""),
        seats=tuple(s._replace(carried=carried.get(str(s.position), 0)) for s in table.seats),
        runbook=None if runbook is None else Runbook(*runbook),
    )
