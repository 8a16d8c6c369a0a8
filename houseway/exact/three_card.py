"""The three-card games: the best decision for every hand, and what each bet costs.

Every figure is a sum of counts times the units of a verdict. A hand stands for its class up to a
change of suits, 1,755 of them, each against all 18,424 dealer hands it leaves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK, rank_of
from houseway.exact.kept import kept
from houseway.exact.kernels import three_card as kernels
from houseway.exact.law import Law, law_of
from houseway.exact.showdown_table import Contest, contest
from houseway.exact.tabulate import (
    FIVE_CARD_CATEGORIES,
    category_by_ranks,
    category_by_suit,
    three_card_hands,
)
from houseway.games.base import ALL_FACTS, FACTS_END, net_units
from houseway.games.contest import contest_of
from houseway.games.contract import DEALER, Deal, Game
from houseway.games.solvers import Showdown
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import Bet

DEALER_HANDS = 18_424

Plays = npt.NDArray[np.bool_]
"""Whether a hand is played: by canonical hand, or by canonical hand and up card in Face Up."""


@cache
def seat_counts(found: Contest) -> npt.NDArray[np.int64]:
    """counts[canonical hand, facts, six-card category] over the dealer's 18,424 hands."""
    hands = three_card_hands()
    counts = np.zeros((hands.canonical.size, FACTS_END, FIVE_CARD_CATEGORIES), dtype=np.int64)
    kernels.count_seats(
        hands.canonical,
        hands.masks,
        hands.triple,
        hands.suited,
        found.hand_class,
        found.facts,
        category_by_ranks(),
        category_by_suit(),
        counts,
    )
    return counts


@cache
def up_card_counts(found: Contest) -> npt.NDArray[np.int64]:
    """counts[canonical hand, up card, facts] over hands of the dealer and which card is up."""
    hands = three_card_hands()
    counts = np.zeros((hands.canonical.size, 52, FACTS_END), dtype=np.int64)
    kernels.count_up_cards(
        hands.canonical, hands.cards, hands.masks, found.hand_class, found.facts, counts
    )
    return counts


@kept
def six_card_counts() -> tuple[int, ...]:
    """How many of the 20,358,520 six-card hands are of each category."""
    hands = three_card_hands()
    first_from = np.searchsorted(hands.cards[:, 0], np.arange(53)).astype(np.int64)
    counts = np.zeros(FIVE_CARD_CATEGORIES, dtype=np.int64)
    kernels.count_six_cards(
        hands.cards,
        hands.masks,
        hands.triple,
        hands.suited,
        category_by_ranks(),
        category_by_suit(),
        first_from,
        counts,
    )
    return tuple(int(count) for count in counts)


@dataclass(frozen=True, slots=True, eq=False)
class AnteAnalysis:
    """Ante, Play and Ante Bonus of a game, ready for any way of playing it."""

    game: Game
    counts: npt.NDArray[np.int64]
    """By canonical hand (and up card), and facts."""
    weight: npt.NDArray[np.int64]
    units: npt.NDArray[np.int64]
    """Net of a played hand, by canonical hand and facts, in antes over `per_ante`."""
    per_ante: int

    @property
    def face_up(self) -> bool:
        """True when one of the dealer's cards is seen before the decision."""
        return self.counts.ndim == 3

    def value_of_playing(self) -> npt.NDArray[np.int64]:
        """Net of playing summed over cases, by canonical hand (and up card), over `per_ante`."""
        spread = self.units[:, None, :] if self.face_up else self.units
        return np.asarray((self.counts * spread).sum(axis=-1))

    def optimal(self) -> Plays:
        """Play where that is worth at least the Ante that a fold gives up."""
        return _optimal(self)

    def where(self, wanted: Callable[[int], bool], options: Options) -> Plays:
        """A plain strategy: play every hand whose worth in the contest is wanted."""
        values = contest(self.game, options).values[three_card_hands().canonical]
        chosen = np.array([wanted(value) for value in values.tolist()], dtype=bool)
        if not self.face_up:
            return chosen
        return np.repeat(chosen[:, None], 52, axis=1)

    def law(self, plays: Plays) -> Law:
        """The law of the net result in antes."""
        weights = self.weight[:, None] if self.face_up else self.weight
        folded = (self.counts.sum(axis=-1) * weights * ~plays).sum()
        cases = [(Fraction(-1), int(folded))]
        played = self.counts * (weights * plays)[..., None]
        by_hand = played.sum(axis=1) if self.face_up else played
        for units in np.unique(self.units).tolist():
            count = int(by_hand[self.units == units].sum())
            cases.append((Fraction(units, self.per_ante), count))
        return law_of(cases)

    def play_frequency(self, plays: Plays) -> Fraction:
        """How often the hand is played."""
        weights = self.weight[:, None] if self.face_up else self.weight
        cases = self.counts.sum(axis=-1) * weights
        return Fraction(int((cases * plays).sum()), int(cases.sum()))


@lru_cache(maxsize=64)
def _optimal(analysis: AnteAnalysis) -> Plays:
    best = analysis.value_of_playing() >= -analysis.per_ante * analysis.counts.sum(axis=-1)
    best.flags.writeable = False
    return np.asarray(best)


def ante_analysis(game: Game, tables: Mapping[Bet, PayTable], options: Options) -> AnteAnalysis:
    """What playing each hand is worth under these paytables and options."""
    return _ante_analysis(game, paying(tables), options)


def paying(tables: Mapping[Bet, PayTable]) -> tuple[tuple[Bet, PayTable], ...]:
    """The paytables that pay Ante and Play alone: a changed side bet finds them counted."""
    bets: tuple[Bet, ...] = ("play", "ante-bonus")
    return tuple((bet, tables[bet]) for bet in bets if bet in tables)


@lru_cache(maxsize=64)
def _ante_analysis(
    game: Game, chosen: tuple[tuple[Bet, PayTable], ...], options: Options
) -> AnteAnalysis:
    hands, tables = three_card_hands(), dict(chosen)
    found = contest(game, options)
    made: dict[tuple[int, int], list[Fraction]] = {}
    summed: dict[frozenset[tuple[Any, ...]], Fraction] = {}
    values = found.values[hands.canonical].tolist()
    keys = list(zip(values, hands.category[hands.canonical].tolist(), strict=True))
    for value, category in dict.fromkeys(keys):
        units = _played_units(game, value, category, tables, options, summed)
        made[value, category] = units
    per_ante = lcm(*(unit.denominator for unit in summed.values()))
    whole = {key: [int(unit * per_ante) for unit in units] for key, units in made.items()}
    return AnteAnalysis(
        game=game,
        counts=up_card_counts(found) if is_face_up(game) else seat_counts(found).sum(axis=2),
        weight=hands.weight,
        units=np.array([whole[key] for key in keys], dtype=np.int64),
        per_ante=per_ante,
    )


def _played_units(
    game: Game,
    value: int,
    category: int,
    tables: Mapping[Bet, PayTable],
    options: Options,
    summed: dict[frozenset[tuple[Any, ...]], Fraction],
) -> list[Fraction]:
    """Net of a played hand in antes, by facts; 0 where the facts cannot be.

    Few sums are different ones, and adding fractions takes longest: `summed` keeps each.
    """
    found: list[Fraction] = []
    for facts in ALL_FACTS:
        try:
            verdicts = contest_of(game).played(facts, value, category, tables, options)
        except ValueError:
            # No dealer that plays is above a score of 20, so such a win is never paid (TSR-12).
            found.append(Fraction(0))
            continue
        key = frozenset((bet, v.outcome, v.odds, v.lost) for bet, v in verdicts)
        if key not in summed:
            summed[key] = sum((net_units(verdict) for _, verdict in verdicts), Fraction(0))
        found.append(summed[key])
    return found


def is_face_up(game: Game) -> bool:
    """True when one of the dealer's cards is seen before the decision."""
    return any(isinstance(step, Deal) and step.to == DEALER and step.up for step in game.script)


def exposed_card(game: Game, tables: Mapping[Bet, PayTable], options: Options) -> tuple[Law, Law]:
    """The law of the Ante as it should be played, and with one of the dealer's cards seen.

    What a careless deal gives away (TSR-25, TCP-18): the same rules, decided card by card.
    """
    plain = ante_analysis(game, tables, options)
    seen = replace(plain, counts=up_card_counts(contest(game, options)))
    return plain.law(plain.optimal()), seen.law(seen.optimal())


def by_thumb(game: Game, options: Options) -> Plays:
    """The rule of thumb of a game for every hand."""
    assert isinstance(game.solver, Showdown), game.code
    thumb = game.solver.thumb
    values = contest(game, options).values[three_card_hands().canonical].tolist()
    if not is_face_up(game):
        return np.array([thumb(value, 0) for value in values])
    ups = [rank_of(card) for card in DECK]
    return np.array([[thumb(value, up) for up in ups] for value in values])


def dealer_plays_frequency(game: Game, options: Options) -> Fraction:
    """How often the dealer qualifies."""
    plays = contest(game, options).dealer_plays
    return Fraction(int(plays.sum()), int(plays.size))


def pair_plus_kept(
    game: Game, paytable: PayTable, options: Options, plays: Plays | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How often Pair Plus is judged by canonical hand, and how often a fold has given it up."""
    hands = three_card_hands()
    if plays is None or game.side("pair-plus").folded(paytable, options) is None:
        return hands.weight, np.zeros_like(hands.weight)
    if plays.ndim == 1:
        return np.where(plays, hands.weight, 0), np.where(plays, 0, hands.weight)
    # Each of the 49 other cards is as often the up card as any.
    held = hands.cards[hands.canonical]
    dealt = ~(held[:, :, None] == np.arange(52)).any(axis=1)
    kept, folded = (plays & dealt).sum(axis=1), (~plays & dealt).sum(axis=1)
    return hands.weight * kept, hands.weight * folded


def pair_plus_law(
    game: Game, paytable: PayTable, options: Options, plays: Plays | None = None
) -> Law:
    """The law of Pair Plus; with a way of playing, of one that a fold may give up (TCP-13)."""
    hands = three_card_hands()
    categories = hands.category[hands.canonical].astype(np.int64)
    kept, folded = pair_plus_kept(game, paytable, options, plays)
    bet = game.side("pair-plus")
    lost = bet.folded(paytable, options)
    cases = [] if lost is None else [(net_units(lost), int(folded.sum()))]
    for category in range(int(categories.max()) + 1):
        verdict = bet.rule(category, paytable, options)
        cases.append((net_units(verdict), int(kept[categories == category].sum())))
    return law_of(cases)


def six_card_bonus_law(game: Game, paytable: PayTable) -> Law:
    """The law of the 6 Card Bonus."""
    bet, options = game.side("six-card-bonus"), Options()
    return law_of(
        (net_units(bet.rule(category, paytable, options)), count)
        for category, count in enumerate(six_card_counts())
    )
