"""Showdown table: the rules of a showdown called for every hand, kept in arrays.

Nothing here decides anything: each array is made by calling a function of the game.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK
from houseway.exact.tabulate import Small
from houseway.games.contest import Contest as Rules
from houseway.games.contract import Game
from houseway.games.solvers import Showdown
from houseway.house.options import Chosen


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """What decides Ante and Play: a class for every hand, and the facts of every two classes."""

    values: npt.NDArray[np.int64]
    """For every three-card hand what the game says it is worth."""
    hand_class: npt.NDArray[np.int64]
    """For every three-card hand its class: hands of one class are equal in this contest."""
    facts: Small
    """facts[player class, dealer class]: dealer_plays * 3 + comparison."""
    dealer_plays: Small
    """For every hand 1 when a dealer holding it plays."""


def contest(game: Game, options: Chosen) -> Contest:
    """The contest of a game, by its own rules called on every hand and on arrays."""
    solver = game.solver
    assert isinstance(solver, Showdown), game.code
    looked_at = {name: getattr(options, name) for name in solver.looks_at}
    return _contest(solver.contest, replace(type(options)(), **looked_at))


@cache
def _contest(rules: Rules, options: Chosen) -> Contest:
    values = np.array([rules.value(hand, options) for hand in combinations(DECK, 3)], np.int64)
    distinct, hand_class = np.unique(values, return_inverse=True)
    on_arrays: Any = rules
    plays = on_arrays.dealer_plays(distinct[None, :])
    comparison = on_arrays.compare(distinct[:, None], distinct[None, :])
    return Contest(
        values=values,
        hand_class=hand_class.astype(np.int64),
        facts=(plays * 3 + comparison).astype(np.int8),
        dealer_plays=np.ravel(plays)[hand_class].astype(np.int8),
    )
