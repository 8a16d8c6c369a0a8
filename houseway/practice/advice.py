"""Advice: what the coach says to a seat, before a decision and after it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from houseway.live.phases import Phase
from houseway.live.state import Round
from houseway.practice.coach import basic, decision_values, left_out
from houseway.practice.seat import Judged, PracticeSeat
from houseway.practice.table import NO_INSURANCE, PracticeTable, waited_for

DIGITS = 4
"""Places after the point of a figure on a screen; what is compared is exact."""


def worth(live: Round, position: int) -> dict[str, Fraction]:
    """What every choice of a position is worth now, in units; empty where none is due.

    Letting insurance pass is a choice too, and worth nothing. Needs the exact analysis.
    """
    if live.offer:
        return {**decision_values(live, position), NO_INSURANCE: Fraction(0)}
    return decision_values(live, position)


def rule_of_thumb(live: Round, position: int) -> str:
    """What the rule that people can remember says."""
    return basic(live, position) or NO_INSURANCE


def is_due(table: PracticeTable, position: int) -> bool:
    """True when a decision of this position is waited for."""
    return table.round.phase is Phase.DECISIONS and position in waited_for(table)


def advice(table: PracticeTable, seat: PracticeSeat, *, counted: bool) -> dict[str, Any]:
    """What the coach says now, as plain data; `counted` says that the exact figures are at hand.

    Before a decision the best choice and, in exact mode, what each is worth; after it what it
    cost and, in exact mode, what each was worth. Values are units of the Ante or the Blackjack
    bet, and cents.
    """
    live = table.round
    said: dict[str, Any] = {
        "when": seat.when,
        "mode": seat.mode,
        "unit": live.ruleset.game.unit,
        "best": None,
        "values": [],
        "left_out": [],
        "judged": [],
    }
    if seat.when == "never":
        return said
    said["judged"] = [_told(one, exact=seat.mode == "exact") for one in seat.judged]
    if seat.when == "before" and is_due(table, seat.position):
        said["left_out"] = list(left_out(live, seat.position))
        if seat.mode == "simple":
            said["best"] = rule_of_thumb(live, seat.position)
        elif counted:
            values = worth(live, seat.position)
            said["best"] = max(values, key=lambda name: values[name])
            said["values"] = _values(values, _unit(live, seat.position))
    return said


def _values(values: Mapping[str, Fraction], unit_cents: int) -> list[dict[str, Any]]:
    return [
        {
            "decision": name,
            "units": round(float(value), DIGITS),
            "cents": cents(value * unit_cents),
        }
        for name, value in values.items()
    ]


def cents(amount: Fraction) -> float:
    """Cents for a screen, to a hundredth."""
    return round(float(amount), 2)


def _unit(live: Round, position: int) -> int:
    return live.seat(position).wagers[live.ruleset.game.unit]


def _told(one: Judged, *, exact: bool) -> dict[str, Any]:
    return {
        "decision": one.decision,
        "best": one.best,
        "cost_cents": cents(one.cost_cents),
        "values": _values(dict(one.worth), one.unit_cents) if exact else [],
    }
