"""Showdown: exact figures of games in which a hand is held against the dealer's.

The Ante stands for Ante, Play and Ante Bonus; beside it lie the side bets of three cards and six.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from houseway.cards.hands import ThreeCard
from houseway.exact import play_lines, three_card, three_card_seats
from houseway.exact.law import Law
from houseway.exact.liability import Liability, maximum_liability
from houseway.exact.sheet import Figure, ParRow
from houseway.exact.showdown_table import contest
from houseway.exact.six_cards import six_card_frequencies
from houseway.exact.solver import Choices, Solver, Strategy
from houseway.exact.table import Tables, Wagers, WholeTable
from houseway.exact.tabulate import three_card_hands
from houseway.games.base import ALL_FACTS, PLAYER_WINS
from houseway.games.contract import Game
from houseway.games.solvers import Showdown
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet

if TYPE_CHECKING:
    from houseway.exact.showdown_guide import ShowdownGuide

DECIDED: tuple[Bet, ...] = ("ante-bonus", "play")
"""Bets whose pays change which hands are played."""


@dataclass(frozen=True)
class ShowdownSolver(Solver):
    """Exact figures of a game that is a showdown."""

    game: Game
    value: Showdown

    @property
    def solved(self) -> tuple[Bet, ...]:
        """What a hand is paid for, alone or against the dealer's."""
        return (*DECIDED, "pair-plus", "six-card-bonus")

    def rows(self, tables: Tables, options: Chosen, choices: Choices) -> Iterator[ParRow]:
        """The Ante with each of its bonuses, and the side bets with each of their paytables."""
        game = self.game
        if "ante-bonus" in tables:
            for bonus in choices("ante-bonus"):
                given = {**tables, "ante-bonus": bonus}
                yield ante_row(game, self.value, given, options, bonus.code)
        else:
            yield ante_row(game, self.value, tables, options, None)
        plays = three_card.ante_analysis(game, tables, options).optimal()
        for paytable in choices("pair-plus"):
            law = three_card.pair_plus_law(game, paytable, options, plays)
            yield ParRow(bet="pair-plus", paytable=paytable.code, law=law)
        for paytable in choices("six-card-bonus"):
            law = three_card.six_card_bonus_law(game, paytable)
            yield ParRow(bet="six-card-bonus", paytable=paytable.code, law=law)

    def seat_rows(self, tables: Tables, options: Chosen) -> Iterator[ParRow]:
        """The side bet that needs no decision first, then the Ante, then what a fold may cost."""
        game, six = self.game, tables["six-card-bonus"]
        bonus = three_card.six_card_bonus_law(game, six)
        yield ParRow(bet="six-card-bonus", paytable=six.code, law=bonus)
        yield _ante_alone(game, three_card.paying(tables), options)
        best = self.played(tables, options).optimal()
        pairs = three_card.pair_plus_law(game, tables["pair-plus"], options, best)
        yield ParRow(bet="pair-plus", paytable=tables["pair-plus"].code, law=pairs)

    def law(self, bet: Bet, tables: Tables, options: Chosen) -> Law:
        """The law of the Ante, or of a side bet."""
        if bet == "six-card-bonus":
            return three_card.six_card_bonus_law(self.game, tables[bet])
        analysis = self.played(tables, options)
        if bet == "pair-plus":
            return three_card.pair_plus_law(self.game, tables[bet], options, analysis.optimal())
        assert bet in DECIDED, bet
        return analysis.law(analysis.optimal())

    def decided_edges(
        self,
        bet: Bet,
        first: Tables,
        steps: Sequence[Tables],
        pays: npt.NDArray[np.object_],
        options: Chosen,
    ) -> tuple[npt.NDArray[np.object_], int] | None:
        """Edges where every hand is played only if that is worth more than the fold."""
        if bet not in DECIDED:
            return None
        analyses = [
            three_card.ante_analysis(self.game, tables, options) for tables in (first, *steps)
        ]
        per_ante = lcm(*(analysis.per_ante for analysis in analyses))

        def worth(analysis: three_card.AnteAnalysis) -> npt.NDArray[np.int64]:
            value = analysis.value_of_playing() * (per_ante // analysis.per_ante)
            return np.asarray(value.reshape(value.shape[0], -1))

        start = worth(analyses[0])
        cases = analyses[0].counts.sum(axis=-1).reshape(start.shape)
        slopes = [worth(analysis) - start for analysis in analyses[1:]]
        weight = analyses[0].weight
        folded = -per_ante * cases
        edges = np.empty(len(pays), dtype=object)
        for place, choice in enumerate(pays):
            value = start + sum(int(pay) * slope for pay, slope in zip(choice, slopes, strict=True))
            edges[place] = -int((np.maximum(value, folded).sum(axis=1) * weight).sum())
        return edges, per_ante * int((cases.sum(axis=1) * weight).sum())

    def whole_table(self, tables: Tables, options: Chosen) -> WholeTable:
        """How the bets of one seat, and of two seats, go together."""
        return three_card_seats.whole_table(self.game, tables, options)

    def liability(self, tables: Tables, options: Chosen, seats: int, wagers: Wagers) -> Liability:
        """The most that one deal can cost the house."""
        return maximum_liability(self.game, tables, options, seats, wagers)

    def strategy(self, tables: Tables, options: Chosen) -> Strategy:
        """Which hands are played, and the line that says it."""
        analysis = self.played(tables, options)
        plays = analysis.optimal()
        return Strategy(
            play_lines.summary(analysis, plays, options), play_lines.decisions(analysis, plays)
        )

    def guide(self, tables: Tables, options: Chosen) -> "ShowdownGuide":
        """What playing every hand is worth."""
        from houseway.exact.showdown_guide import make_guide

        return make_guide(self.game, self.value, tables, options)

    def frequencies(
        self, paytable: PayTable, tables: Tables, options: Chosen
    ) -> dict[str, Fraction]:
        """How often a hand is paid by a row; Pair Plus that a fold gives up only where it stays."""
        if paytable.by_score:
            return _scores(self.game, paytable, tables, options)
        if paytable.classes is ThreeCard:
            return _hands(self.game, paytable, tables, options)
        return six_card_frequencies(paytable)

    def played(self, tables: Tables, options: Chosen) -> three_card.AnteAnalysis:
        """What playing each hand is worth, and which are played."""
        return three_card.ante_analysis(self.game, tables, options)


def ante_row(
    game: Game, solver: Showdown, tables: Tables, options: Chosen, paytable: str | None
) -> ParRow:
    """Ante with Play and Ante Bonus, played as well as can be, beside some plain strategies."""
    analysis = three_card.ante_analysis(game, tables, options)
    best = analysis.optimal()
    law = analysis.law(best)
    played = analysis.play_frequency(best)
    extra: dict[str, Figure] = {
        "play_frequency": played,
        "fold_frequency": 1 - played,
        "dealer_plays_frequency": three_card.dealer_plays_frequency(game, options),
        "exposed_card": _exposed_card(analysis, tables, options),
        "simple_strategies": {
            name: {"house_edge": -plain.mean, "cost": law.mean - plain.mean}
            for name, plain in _simple_strategies(analysis, solver, options)
        },
    }
    return ParRow(bet="ante", paytable=paytable, law=law, wagered=1 + played, extra=extra)


def _exposed_card(
    analysis: three_card.AnteAnalysis, tables: Tables, options: Chosen
) -> dict[str, Figure]:
    """What one of the dealer's cards, seen by mistake, is worth to the player (TSR-25, TCP-18)."""
    if analysis.face_up:
        return {}
    plain, seen = three_card.exposed_card(analysis.game, tables, options)
    return {"house_edge": -seen.mean, "gain": seen.mean - plain.mean}


def _simple_strategies(
    analysis: three_card.AnteAnalysis, solver: Showdown, options: Chosen
) -> Iterator[tuple[str, Law]]:
    wanted: dict[str, Callable[[int], bool]] = {
        "always_play": lambda value: True,  # noqa: ARG005
        "mimic_dealer": lambda value: bool(solver.contest.dealer_plays(value)),
        **solver.plain,
    }
    for name, wants in wanted.items():
        yield name, analysis.law(analysis.where(wants, options))


@lru_cache(maxsize=64)
def _ante_alone(game: Game, tables: tuple[tuple[Bet, PayTable], ...], options: Chosen) -> ParRow:
    """The Ante with Play and Ante Bonus, by the paytables that pay it, without anything beside."""
    analysis = three_card.ante_analysis(game, dict(tables), options)
    best = analysis.optimal()
    return ParRow(
        bet="ante",
        paytable=bonus_code(dict(tables)),
        law=analysis.law(best),
        wagered=1 + analysis.play_frequency(best),
    )


def bonus_code(tables: Tables) -> str | None:
    """The paytable that labels the row of the Ante."""
    return tables["ante-bonus"].code if "ante-bonus" in tables else None


def _hands(game: Game, table: PayTable, tables: Tables, options: Chosen) -> dict[str, Fraction]:
    """How often each hand of three cards comes."""
    hands = three_card_hands()
    categories = hands.category[hands.canonical]
    plays = None
    if table.bet == "pair-plus":
        plays = three_card.ante_analysis(game, tables, options).optimal()
    kept, folded = three_card.pair_plus_kept(game, tables["pair-plus"], options, plays)
    counts = [int(kept[categories == member].sum()) for member in ThreeCard]
    total = int(kept.sum() + folded.sum())
    named = {hand for hand, _ in table.rows}
    found: dict[str, int] = dict.fromkeys(named, 0)
    for member, count in zip(ThreeCard, counts, strict=True):
        name = member.name.lower()
        if name not in named and member == ThreeCard.MINI_ROYAL:
            # A suited A-K-Q that is not named is the straight flush that it is.
            name = ThreeCard.STRAIGHT_FLUSH.name.lower()
        if name in named:
            found[name] += count
    return {name: Fraction(count, total) for name, count in found.items()}


def _scores(game: Game, table: PayTable, tables: Tables, options: Chosen) -> dict[str, Fraction]:
    """How often a hand of each score beats a dealer who plays."""
    analysis = three_card.ante_analysis(game, tables, options)
    plays = analysis.optimal()
    values = contest(game, options).values[three_card_hands().canonical]
    won = [
        place
        for place, facts in enumerate(ALL_FACTS)
        if facts.dealer_plays and facts.comparison == PLAYER_WINS
    ]
    cases = analysis.counts.sum(axis=-1) * analysis.weight
    wins = analysis.counts[:, won].sum(axis=-1) * analysis.weight * plays
    total = int(cases.sum())
    found: dict[str, Fraction] = {}
    for hand, _ in table.rows:
        first, _, last = hand.partition("-")
        inside = (values >= int(first)) & (values <= int(last or first))
        found[hand] = Fraction(int(wins[inside].sum()), total)
    return found
