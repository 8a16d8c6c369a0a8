"""Solver: the one place that rooms ask for exact figures of a game.

Which one counts follows from the value that the game declares (`houseway.games.solvers`), and from
nothing else. Rooms never ask what kind of game it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from houseway.exact.law import Law
from houseway.exact.legs import Legs
from houseway.exact.liability import Liability
from houseway.exact.sheet import Figure, ParRow
from houseway.exact.table import Tables, Wagers, WholeTable
from houseway.exact.three_card import AnteAnalysis
from houseway.games.contract import Game, Seen
from houseway.games.solvers import Showdown, Succession
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused

Choices = Callable[[Bet], Sequence[PayTable]]
"""The paytables of a bet that are priced."""


class Guide(Protocol):
    """The value of every decision, from what a seat sees."""

    def values(
        self, seen: Seen, wagers: Mapping[Bet, int], asked: Sequence[str]
    ) -> Mapping[str, Fraction]:
        """The expected net of each decision that is asked about, in units of the game's unit."""
        ...

    def best(self, seen: Seen) -> str | None:
        """The decision that is worth most; None for a hand that takes none."""
        ...


class Strategy(NamedTuple):
    """The best way to play: as words that people read, and as data that a simulator reads."""

    summary: list[str]
    hands: Mapping[str, object]


class Solver(Protocol):
    """Exact figures of one game. Tables hold the paytable in force for every bet.

    Calls with a body here answer for games in which no bet depends on several others.
    """

    @property
    def strategies(self) -> tuple[str, ...]:
        """The ways of playing that a sheet can be priced for; the first is the usual one."""
        return ("optimal",)

    @property
    def weighs(self) -> tuple[Bet, ...]:
        """The bets whose wagers the other strategies weigh against each other."""
        return ()

    @property
    def solved(self) -> tuple[Bet, ...]:
        """The bets whose pays may be solved for."""
        ...

    def rows(self, tables: Tables, options: Chosen, choices: Choices) -> Iterator[ParRow]:
        """A row for every bet and each of its paytables, with all its figures."""
        ...

    def seat_rows(self, tables: Tables, options: Chosen) -> Iterator[ParRow]:
        """A row for every bet of a seat under the paytables in force, quickest first.

        Without what is counted beside the edge, so a changed pay is priced again in a moment.
        """
        ...

    def law(self, bet: Bet, tables: Tables, options: Chosen) -> Law:
        """The law of a bet whose pays may be solved for."""
        ...

    def decided_edges(
        self,
        bet: Bet,
        first: Tables,
        steps: Sequence[Tables],
        pays: npt.NDArray[np.object_],
        options: Chosen,
    ) -> tuple[npt.NDArray[np.object_], int] | None:
        """The edges of many choices of pays where play changes with them; None where it does not.

        `steps` are the tables with one more for each pay that varies, `pays` how much more each
        choice has. Edges are whole numbers over one number.
        """
        return None

    def joint(self, tables: Tables, options: Chosen) -> dict[str, Figure]:
        """Figures of bets that hang together, for a par sheet; empty where none do."""
        return {}

    def legs(self, tables: Tables, options: Chosen) -> Legs | None:
        """The bet that needs several others, joined and multiplied; None where there is none."""
        return None

    def best_joint_play(
        self, tables: Tables, options: Chosen, wagers: Mapping[Bet, int]
    ) -> dict[str, Figure]:
        """What the strategy gives that weighs several bets at these wagers."""
        raise AssertionError("only the usual strategy is known")

    def whole_table(self, tables: Tables, options: Chosen) -> WholeTable:
        """How the bets of one seat, and of two seats, go together."""
        ...

    def liability(self, tables: Tables, options: Chosen, seats: int, wagers: Wagers) -> Liability:
        """The most that one deal can cost the house."""
        ...

    def strategy(self, tables: Tables, options: Chosen) -> Strategy:
        """The best way to play."""
        ...

    def guide(self, tables: Tables, options: Chosen) -> Guide:
        """Returns the value of every decision, ready to be asked at a table."""
        ...

    def frequencies(
        self, paytable: PayTable, tables: Tables, options: Chosen
    ) -> dict[str, Fraction]:
        """How often each row of the paytable of a bet comes, as shares of all deals."""
        ...

    def played(self, tables: Tables, options: Chosen) -> AnteAnalysis:
        """Which hands are played, which a progressive needs where a fold gives it up."""
        raise AssertionError("no fold gives a progressive up")


@cache
def solver_of(game: Game) -> Solver:
    """The solver of a game; refused where it has none."""
    # Loaded here, for each of them is large and few are needed at once.
    match game.solver:
        case Showdown():
            from houseway.exact.showdown import ShowdownSolver

            return ShowdownSolver(game, game.solver)
        case Succession():
            from houseway.exact.succession import SuccessionSolver

            return SuccessionSolver(game, game.solver)
        case None:
            raise Refused(
                Reason.UNKNOWN_GAME, f"game {game.code!r} has no solver, so nothing is exact of it"
            )
