"""Live round: the round at a table, done again from the commands that its stream keeps."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from houseway.floor.table import FloorTable
from houseway.journal.event import canonical
from houseway.live.round import act
from houseway.live.state import Round, Runbook
from houseway.live.state import open_round as new_round
from houseway.live.text import parse_command
from houseway.ruleset import Ruleset, make_ruleset

KEPT = 4096


def round_of(table: FloorTable) -> Round | None:
    """The round that is under way at a table, or was last; None before the first."""
    if not table.deal_number:
        return None
    options = tuple(sorted(table.options.items()))
    start = canonical(table.deal_start)
    return _done_again(table.game, options, table.positions, table.deal_number, start, table.deal)


def rules_of(game: str, options: Mapping[str, str], progressive: str = "") -> Ruleset:
    """The rules of a table; `progressive` is the paytable of the link it plays for."""
    return make_ruleset(game, dict(options), [("progressive", progressive)] if progressive else [])


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
        began = json.loads(start)
        rules = rules_of(game, dict(options), began.get("progressive", ""))
        return _begun(new_round(rules, f"{number:06d}", positions), began)
    before = _done_again(game, options, positions, number, start, commands[:-1])
    return act(before, parse_command(commands[-1]))[0]


def start_of(table: Round, progressive: str) -> dict[str, Any]:
    """What a round begins with: what the one before it left, and the paytable of its link."""
    runbook = table.runbook
    return {
        "previous_shuffle": table.previous_shuffle,
        "carried": {str(seat.position): seat.carried for seat in table.seats if seat.carried},
        "runbook": None if runbook is None else list(runbook),
        "progressive": progressive,
    }


def _begun(table: Round, start: Mapping[str, Any]) -> Round:
    carried = start.get("carried", {})
    runbook = start.get("runbook")
    return table._replace(
        previous_shuffle=start.get("previous_shuffle", ""),
        seats=tuple(s._replace(carried=carried.get(str(s.position), 0)) for s in table.seats),
        runbook=None if runbook is None else Runbook(*runbook),
    )
