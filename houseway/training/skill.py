"""Skill: one kind of question, with the function that makes such a question."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

from houseway.games.solvers import Showdown
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Field, Scene

Track = Literal["dealer", "player"]
TRACKS: tuple[Track, ...] = ("dealer", "player")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a maker makes: everything of a drill but the skill and the seed it came from."""

    question: str
    fields: tuple[Field, ...]
    scene: Scene = Scene()


Maker = Callable[[Random, Ruleset], Question]
"""A question from a generator of its own and the rules of a table, and from nothing else."""


def every_game(ruleset: Ruleset) -> bool:
    """True: the skill is for all games."""
    return bool(ruleset.game.code)


def three_card(ruleset: Ruleset) -> bool:
    """True for the games with an Ante and a Play."""
    return isinstance(ruleset.game.solver, Showdown)


def has_progressive(ruleset: Ruleset) -> bool:
    """True where a progressive is offered."""
    return "progressive" in ruleset.paytables


def has_envy(ruleset: Ruleset) -> bool:
    """True where a progressive pays envy."""
    return has_progressive(ruleset) and bool(ruleset.paytables["progressive"].envy_cents)


def of_games(*codes: str) -> Callable[[Ruleset], bool]:
    """A test that is true for these games."""

    def applies(ruleset: Ruleset) -> bool:
        return ruleset.game.code in codes

    return applies


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A kind of question: its code, its title, who learns it, where it applies, and its maker."""

    code: str
    title: str
    make: Maker
    track: Track = "dealer"
    applies: Callable[[Ruleset], bool] = every_game
