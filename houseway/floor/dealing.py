"""Dealing: the live round of a table, kept in the journal command by command.

A table's stream holds the text of every command and what came of it; the round itself is done
again from these whenever it is needed, and kept in memory between two commands.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from houseway.floor import request
from houseway.floor.person import require
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.journal.event import Command, Draft, Entry, canonical
from houseway.journal.state import State
from houseway.live.record import told
from houseway.live.round import act
from houseway.live.state import Round, Runbook
from houseway.live.state import open_round as new_round
from houseway.live.text import parse_command
from houseway.refusal import Reason, Refused
from houseway.ruleset import make_ruleset

LONGEST_COMMAND = 1000
KEPT = 4096


def round_of(table: FloorTable) -> Round | None:
    """The round that is under way at a table, or was last; None before the first."""
    if not table.deal_number:
        return None
    options = tuple(sorted(table.options.items()))
    start = canonical(table.deal_start)
    return _done_again(table.game, options, table.positions, table.deal_number, start, table.deal)


@lru_cache(maxsize=KEPT)
def _done_again(
    game: str,
    options: tuple[tuple[str, str], ...],
    positions: int,
    number: int,
    start: str,
    commands: tuple[str, ...],
) -> Round:
    """The round after these commands; the one before the last is mostly still at hand."""
    if not commands:
        fresh = new_round(make_ruleset(game, dict(options)), f"{number:06d}", positions)
        return _begun(fresh, json.loads(start))
    before = _done_again(game, options, positions, number, start, commands[:-1])
    return act(before, parse_command(commands[-1]))[0]


def _start(table: Round) -> dict[str, Any]:
    """What a round begins with from the one before it."""
    runbook = table.runbook
    return {
        "previous_shuffle": table.previous_shuffle,
        "carried": {str(seat.position): seat.carried for seat in table.seats if seat.carried},
        "runbook": None if runbook is None else list(runbook),
    }


def _begun(table: Round, start: Mapping[str, Any]) -> Round:
    carried = start.get("carried", {})
    runbook = start.get("runbook")
    return table._replace(
        previous_shuffle=start.get("previous_shuffle", ""),
        seats=tuple(s._replace(carried=carried.get(str(s.position), 0)) for s in table.seats),
        runbook=None if runbook is None else Runbook(*runbook),
    )


def open_round(state: State, command: Command) -> Entry:
    """A new round at a table; refused while one is under way."""
    require(state, command.actor, ("dealer", "supervisor"))
    table = find_table(state, request.text(command, "table"))
    under_way = round_of(table)
    if under_way is not None and not under_way.over:
        raise Refused(
            Reason.WRONG_PHASE,
            f"round {under_way.number} is under way at {table.name}; close or void it first",
        )
    number = table.deal_number + 1
    ruleset = make_ruleset(table.game, dict(table.options))
    fresh = new_round(ruleset, f"{number:06d}", table.positions, after=under_way)
    data = {"number": number, "ruleset": ruleset.digest, "start": _start(fresh)}
    draft = Draft(stream=table_stream(table.name), kind="round_opened", data=data)
    return Entry(events=[draft], answer={"round": f"{number:06d}"})


def act_on_round(state: State, command: Command) -> Entry:
    """One command of the live table, as a round file writes it."""
    require(state, command.actor, ("dealer", "supervisor"))
    table = find_table(state, request.text(command, "table"))
    under_way = round_of(table)
    if under_way is None or under_way.over:
        raise Refused(Reason.WRONG_PHASE, f"no round is under way at {table.name}; open one")
    text = request.text(command, "text", longest=LONGEST_COMMAND)
    after, happened = act(under_way, parse_command(text))
    lines = told(happened)
    data = {"number": table.deal_number, "text": text, "told": lines}
    draft = Draft(stream=table_stream(table.name), kind="round", data=data)
    return Entry(
        events=[draft],
        answer={"round": after.number, "phase": after.phase.value, "told": lines},
    )


DECIDERS = {"open_round": open_round, "round": act_on_round}
