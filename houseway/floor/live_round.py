"""Live round: the round at a table, done again from the commands that its stream keeps."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from houseway.floor.rules import rules_begun
from houseway.floor.table import FloorTable
from houseway.live.round import act
from houseway.live.state import Round, Runbook
from houseway.live.state import open_round as new_round
from houseway.live.text import parse_command
from houseway.rules.ruleset import Ruleset

KEPT = 4096
"""Tables whose rounds are kept at hand."""


class Known(NamedTuple):
    """A round that is at hand, and the same round one command earlier."""

    begun: tuple[Any, ...]
    """All that a round follows from but its commands."""
    commands: tuple[str, ...]
    round: Round
    before: "Known | None"


_newest: dict[str, Known] = {}
"""By the name of a table: its round as it was last seen or done."""


def round_of(table: FloorTable) -> Round | None:
    """The round that is under way at a table, or was last; None before the first."""
    return _known(table, len(table.deal)).round if table.deal_number else None


def round_after(table: FloorTable, steps: int) -> Round:
    """The round of a table as it was after so many of its commands."""
    return _known(table, steps).round


def keep(table: FloorTable, text: str, after: Round) -> None:
    """Have a round at hand that one more command leads to, so that it is not done again."""
    before = _known(table, len(table.deal))
    _keep(table, Known(before.begun, (*table.deal, text), after, before))


def _known(table: FloorTable, steps: int) -> Known:
    """The round after so many commands: at hand, or done again from the last one that is."""
    begun_with = (
        table.game,
        table.options,
        table.paytables,
        table.positions,
        table.deal_number,
        table.deal_start,
    )
    wanted = table.deal[:steps]
    found = _newest.get(table.name)
    if found is not None and found.begun != begun_with:
        found = None
    while found is not None and found.commands != wanted[: len(found.commands)]:
        found = found.before
    if found is not None and len(found.commands) == steps:
        return found
    if found is None:
        rules = rules_begun(table, table.deal_start)
        first = begun(rules, table.deal_number, table.positions, table.deal_start)
        found = Known(begun_with, (), first, None)
    for number in range(len(found.commands), steps):
        after = act(found.round, parse_command(wanted[number]))[0]
        found = Known(begun_with, wanted[: number + 1], after, found)
    _keep(table, found)
    return found


def _keep(table: FloorTable, known: Known) -> None:
    # Tables are read by two threads; what one of them lets go of is done again by the other.
    if len(_newest) >= KEPT and table.name not in _newest:
        _newest.clear()
    _newest[table.name] = known


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
