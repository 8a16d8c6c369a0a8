"""Comparison: two variants of a game side by side, cell by cell, with what differs in words."""

from typing import Any

from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import Ruleset, differences
from houseway.rules.variant import Variant
from houseway.studio.board import board

FIGURES = (
    "house_edge",
    "element_of_risk",
    "hit_frequency",
    "push_frequency",
    "standard_deviation",
)
PROGRESSIVE = ("fixed_return", "hit_frequency", "envy")


def compare(left: Variant, right: Variant) -> dict[str, Any]:
    """Both variants with every figure and pay beside the other's; refused for two games."""
    if left.game != right.game:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{left.game} and {right.game} are two games; variants of one game are compared",
        )
    rules = (left.ruleset(), right.ruleset())
    boards = (board(left), board(right))
    return {
        "names": [left.name, right.name],
        "revisions": [ruleset.revision for ruleset in rules],
        "digests": [ruleset.digest for ruleset in rules],
        "differences": list(differences(rules[1], rules[0], instead="instead of")),
        "figures": [
            cell
            for here, there in zip(boards[0]["bets"], boards[1]["bets"], strict=True)
            for cell in _figures(here, there, FIGURES)
        ]
        + _progressive(*(found["progressive"] for found in boards)),
        "pays": _pays(*rules),
        "options": _options(*rules),
    }


def _progressive(here: dict[str, Any] | None, there: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What a progressive comes to whatever stands on its meters."""
    if here is None or there is None:
        return []
    bet = {"bet": "progressive"}
    return _figures(here | bet, there | bet, PROGRESSIVE)


def _figures(
    here: dict[str, Any], there: dict[str, Any], figures: tuple[str, ...]
) -> list[dict[str, Any]]:
    return [
        {
            "bet": here["bet"],
            "name": bet_name(here["bet"]),
            "figure": figure,
            "left": here[figure],
            "right": there[figure],
            "changed": here[figure] != there[figure],
        }
        for figure in figures
    ]


def _pays(left: Ruleset, right: Ruleset) -> list[dict[str, Any]]:
    found = []
    for bet in left.paytables:
        here, there = (
            {hand: str(odds) for hand, odds in ruleset.paytables[bet].rows}
            for ruleset in (left, right)
        )
        found += [
            {
                "bet": bet,
                "name": bet_name(bet),
                "hand": hand,
                "label": spaced(hand),
                "left": here.get(hand),
                "right": there.get(hand),
                "changed": here.get(hand) != there.get(hand),
            }
            for hand in {**here, **there}
        ]
    return found


def _options(left: Ruleset, right: Ruleset) -> list[dict[str, Any]]:
    here, there = (ruleset.game.shown_options(ruleset.options) for ruleset in (left, right))
    return [
        {
            "option": name,
            "left": here.get(name),
            "right": there.get(name),
            "changed": here.get(name) != there.get(name),
        }
        for name in {**here, **there}
    ]
