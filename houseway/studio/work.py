"""Work: what is asked of the studio, as plain data, and what comes of it."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from houseway.exact.solve import read_target, solve
from houseway.house.money import CENTS_PER_DOLLAR
from houseway.refusal import Reason, Refused, listed
from houseway.rules.variant import read_draft
from houseway.studio.board import board
from houseway.studio.comparison import compare
from houseway.studio.export import export
from houseway.studio.figure import exact
from houseway.studio.sections import section
from houseway.studio.simulation import simulate

Told = Callable[[Any], None]
Asked = Mapping[str, Any]


def _board(asked: Asked, told: Told) -> Any:
    return board(read_draft(asked["variant"]), asked["meters"], asked["others"], told)


def _section(asked: Asked, told: Told) -> Any:
    told({"doing": asked["section"]})
    return section(read_draft(asked["variant"]), asked["section"])


def _compare(asked: Asked, told: Told) -> Any:
    told({"doing": "comparing"})
    return compare(read_draft(asked["left"]), read_draft(asked["right"]))


def _solve(asked: Asked, told: Told) -> Any:
    told({"doing": "solving"})
    ruleset = read_draft(asked["variant"]).ruleset()
    bet = asked["bet"]
    if bet not in ruleset.paytables:
        raise Refused(
            Reason.UNKNOWN_BET,
            f"bet {asked['bet']!r} has no paytable; known: {listed(ruleset.paytables)}",
        )
    table = ruleset.paytables[bet]
    solutions = solve(
        ruleset.game.code,
        bet,
        table.code,
        read_target(asked["target"]),
        asked["ranges"],
        options=ruleset.options,
        others=ruleset.paytables,
        meters={
            level: Fraction(cents, CENTS_PER_DOLLAR) for level, cents in asked["meters"].items()
        }
        if bet == "progressive"
        else {},
        other_hands=asked["others"],
    )
    return [
        {
            "paytable": found.code,
            "pays": found.pays,
            "house_edge": exact(found.house_edge),
            "hit_frequency": exact(found.hit_frequency),
            "standard_deviation": found.standard_deviation,
        }
        for found in solutions
    ]


def _simulate(asked: Asked, told: Told) -> Any:
    return simulate(read_draft(asked["variant"]), asked["rounds"], asked["seed"], told)


def _export(asked: Asked, told: Told) -> Any:
    return tuple(export(read_draft(asked["variant"]), asked["kind"], asked["author"], told))


WORK: dict[str, Callable[[Asked, Told], Any]] = {
    "board": _board,
    "section": _section,
    "compare": _compare,
    "solve": _solve,
    "simulate": _simulate,
    "export": _export,
}
