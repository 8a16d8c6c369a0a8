"""Table: a game laid out for dealing, and what each outcome of a seat is worth.

The arrays are made by calling the rules for their whole domain. An outcome is a place among all
cases of one seat; it is priced by the same verdicts that pay people.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

import numpy as np

from houseway.exact.kernels.deal import SUITED, TRIPLE, Cards, Outcomes, Packed
from houseway.exact.tabulate import (
    FIVE_CARD_CATEGORIES,
    HANDS3,
    Ints,
    Short,
    Small,
    category_by_ranks,
    three_card_hands,
)
from houseway.games.base import Verdict, net_cents, net_units
from houseway.house.money import break_down
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.sim.stream import Stream

Tables = Mapping[Bet, PayTable]
Part = Verdict | Fraction
"""What becomes of one wager: a verdict, or the units it wins."""
CATEGORIES = FIVE_CARD_CATEGORIES
NO_CARDS: Cards = np.zeros((0, 0), dtype=np.uint8)
NO_HANDS: Small = np.zeros((0, 0), dtype=np.int8)


class Table(ABC):
    """A game laid out for dealing to some seats."""

    size: int
    """How many outcomes a seat may have."""
    bets: tuple[Bet, ...]
    """The bets that an outcome decides."""
    seats: int
    folded: Small
    """By outcome 1 for a hand that was folded."""
    hand_of: Small
    """By outcome the hand that a three-card progressive judges."""
    _kernel: Callable[..., tuple[int, int]]
    _reads: tuple[Any, ...]
    """What the kernel looks up, in its own order."""

    def deal(
        self,
        stream: Stream,
        rounds: int,
        outcomes: Outcomes,
        judged: Small = NO_HANDS,
        cards: Cards = NO_CARDS,
    ) -> int:
        """Deal up to so many rounds from the words of the stream; returns how many were dealt."""
        done, stream.at = self._kernel(
            stream.words,
            stream.at,
            stream.deck,
            rounds,
            self.seats,
            outcomes,
            judged,
            cards,
            *self._reads,
        )
        return int(done)

    @abstractmethod
    def parts(self, bet: Bet, tables: Tables) -> Sequence[Sequence[Part]]:
        """By outcome what becomes of a bet and of the wagers that follow from it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Priced:
    """What a bet is worth by outcome, in whole numbers."""

    units: Ints
    per_unit: int
    """How many of them make a unit."""


def priced(table: Table, bet: Bet, tables: Tables) -> Priced:
    """The net of a unit wager by outcome."""
    units = [
        sum((p if isinstance(p, Fraction) else net_units(p) for p in parts), Fraction(0))
        for parts in table.parts(bet, tables)
    ]
    scale = lcm(*{unit.denominator for unit in units})
    return Priced(units=np.array([int(u * scale) for u in units], np.int64), per_unit=scale)


def nets(table: Table, wagers: Mapping[Bet, int], tables: Tables, options: Options) -> Ints:
    """By outcome what a seat wins in cents with these wagers, pays broken down by the policy."""
    found = np.zeros(table.size, dtype=np.int64)
    made: dict[tuple[Part, int], int] = {}
    for bet, wager in wagers.items():
        for outcome, parts in enumerate(table.parts(bet, tables)):
            for part in parts:
                if (part, wager) not in made:
                    made[part, wager] = _cents(part, wager, options)
                found[outcome] += made[part, wager]
    return found


def _cents(part: Part, wager: int, options: Options) -> int:
    if isinstance(part, Verdict):
        return net_cents(part, wager, options.breakage, options.smallest_chip)
    whole = part.denominator == 1
    amount = abs(part * wager)
    if not whole:
        amount = Fraction(
            break_down(amount, options.breakage, options.smallest_chip, "the pay or half loss")
        )
    return int(amount) if part > 0 else -int(amount)


@cache
def hand_places() -> Short:
    """places[n, card]: what the n-th card from below adds to a hand's number.

    Hands are in lexicographic order, so a number is a sum of three such terms.
    """
    cards = three_card_hands().cards
    number = {tuple(hand): n for n, hand in enumerate(cards.tolist())}
    places = np.zeros((3, 52), dtype=np.int16)
    places[2] = range(52)
    for b in range(1, 51):
        places[1, b] = number[0, b, 51] - 51
    for a in range(50):
        places[0, a] = number[a, 50, 51] - places[1, 50] - 51
    found = sum(places[n].astype(np.int64)[cards[:, n]] for n in range(3))
    assert (found == np.arange(HANDS3)).all(), "a hand's number is not a sum of three terms"
    return places


@cache
def flat_categories() -> Small:
    """`category_by_ranks` with one row after the other."""
    return np.ascontiguousarray(category_by_ranks()).ravel()


@cache
def packed_ranks() -> Packed:
    """By three-card hand its ranks, and whether it is of one suit, in the kernel's places."""
    hands = three_card_hands()
    found = hands.triple << TRIPLE | hands.suited.astype(np.int64) << SUITED
    return found.astype(np.uint32)
