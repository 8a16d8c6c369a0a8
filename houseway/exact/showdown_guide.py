"""Showdown guide: what playing every hand is worth, ready to be asked at a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from houseway.cards import DECK_SIZE, UNKNOWN, rank_of, suit_of
from houseway.cards.hands import category3
from houseway.exact.table import Tables
from houseway.exact.tabulate import three_card_hands
from houseway.exact.three_card import ante_analysis
from houseway.games.base import net_units
from houseway.games.contest import CARDS, FOLD, PLAY, three
from houseway.games.contract import Game, Seen, known
from houseway.games.solvers import Showdown
from houseway.house.options import Chosen
from houseway.names import Bet

Place = tuple[int, tuple[int, ...]]
"""The class of a hand up to a change of suits, and the change that leads to the class's hand."""


@dataclass(frozen=True, slots=True)
class ShowdownGuide:
    """What playing every hand is worth, in Face Up against every up card.

    Values are in units of the Ante: what the decision changes, which is Ante, Play and Ante Bonus,
    and Pair Plus where a fold gives it up, at what it is wagered beside the Ante. Bets that neither
    decision touches are left out, and so is a progressive, whose worth is the meter's.
    """

    game: Game
    tables: Tables
    options: Chosen
    fold: Fraction
    places: dict[tuple[int, ...], Place]
    """By the cards in ascending order."""
    columns: int
    """52 up cards in Face Up, else 1; what follows has so many entries for each class."""
    plays: bytes
    sums: list[int]
    """Net of playing summed over the cases, in Antes over `per_ante`."""
    cases: list[int]
    per_ante: int

    def values(
        self,
        seen: Seen,
        wagers: Mapping[Bet, int],
        asked: Sequence[str],
    ) -> Mapping[str, Fraction]:
        """The expected net of playing and of folding."""
        place = self._place(seen)
        play = Fraction(self.sums[place], self.cases[place] * self.per_ante)
        fold = self.fold
        bet, paytable = self.game.side("pair-plus"), self.tables["pair-plus"]
        lost = bet.folded(paytable, self.options)
        if "pair-plus" in wagers and lost is not None:
            share = Fraction(wagers["pair-plus"], wagers["ante"])
            category = category3(*three(seen.own))
            play += share * net_units(bet.rule(category, paytable, self.options))
            fold += share * net_units(lost)
        return {PLAY: play, FOLD: fold}

    def best(self, seen: Seen) -> str | None:
        """Play where that is worth at least the fold.

        Pair Plus that a fold gives up changes nothing: a hand that is folded would lose it anyhow.
        """
        if not known(seen.own, CARDS):
            return None
        return PLAY if self.plays[self._place(seen)] else FOLD

    def _place(self, seen: Seen) -> int:
        """Where a hand stands in the lists; the up card counts in Face Up only."""
        number, suits = self.places[tuple(sorted(seen.own))]
        if self.columns == 1:
            return number
        up = next(card for card in seen.dealer if card != UNKNOWN)
        return number * DECK_SIZE + (up & ~3) + suits[up & 3]


def make_guide(game: Game, value: Showdown, tables: Tables, options: Chosen) -> ShowdownGuide:
    """The guide of a game under these paytables and options."""
    analysis = ante_analysis(game, tables, options)
    return ShowdownGuide(
        game=game,
        tables=tables,
        options=options,
        fold=net_units(value.contest.folded()),
        places=_places(),
        columns=DECK_SIZE if analysis.face_up else 1,
        plays=analysis.optimal().astype("uint8").tobytes(),
        sums=analysis.value_of_playing().ravel().tolist(),
        cases=analysis.counts.sum(axis=-1).ravel().tolist(),
        per_ante=analysis.per_ante,
    )


@cache
def _places() -> dict[tuple[int, ...], Place]:
    hands = three_card_hands()
    every = [tuple(cards) for cards in hands.cards.tolist()]
    standing = [_suit_order(every[number]) for number in hands.canonical.tolist()]
    found: dict[tuple[int, ...], Place] = {}
    for cards, number in zip(every, hands.class_of.tolist(), strict=True):
        change = dict(zip(_suit_order(cards), standing[number], strict=True))
        found[cards] = number, tuple(change[suit] for suit in range(4))
    return found


def _suit_order(cards: tuple[int, ...]) -> list[int]:
    """The suits by the ranks held of each, alike for all hands of a class."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return sorted(range(4), key=lambda suit: masks[suit])
