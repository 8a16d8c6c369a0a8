"""Exact figures of the three-card games, counted by inclusion and exclusion.

Every hand has a class: its strength in poker, its points in Rummy. How many dealer hands of a
class miss the player's cards a, b, c follows from how many there are in all, how many hold a given
card, how many a given pair of cards, and which single one holds all three. So no pair of hands is
ever laid side by side, and no change of suits is used: all 22,100 hands are counted one by one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .settle import ANTE_BONUS, PAIR_PLUS_POKER, PAIR_PLUS_RUMMY
from .three_cards import RANKS, SUITS, category, dealer_qualifies, rummy_points, strength

if TYPE_CHECKING:
    from collections.abc import Callable

Ints = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Options = tuple[tuple[str, str], ...]

CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
HANDS = tuple(combinations(range(52), 3))
DEALER_HANDS = 49 * 48 * 47 // 6
UNDER_AN_UP_CARD = 48 * 47 // 2
POKER_GAMES = ("three-card-poker", "three-card-poker-face-up")


@cache
def hand_number() -> dict[frozenset[str], int]:
    """The place of a hand, given as card texts, among all hands."""
    return {frozenset(CARDS[c] for c in hand): number for number, hand in enumerate(HANDS)}


# ------------------------------------------------------------------------------- classes of hands


@dataclass(frozen=True, eq=False)
class Classes:
    """All hands by class; the class numbers run from the worst hand to the best."""

    of_hand: Ints
    """The class of each hand."""
    qualifies: Bools
    """By class: the dealer plays."""
    label: tuple[str, ...]
    """By class: the category of a poker hand, the points of a Rummy hand."""


@cache
def poker_classes() -> Classes:
    """Hands by strength (TCP-02..04)."""
    hands = [[CARDS[c] for c in hand] for hand in HANDS]
    strengths = [strength(hand) for hand in hands]
    place = {worth: number for number, worth in enumerate(sorted(set(strengths)))}
    qualifies = np.zeros(len(place), dtype=np.bool_)
    label = [""] * len(place)
    for hand, worth in zip(hands, strengths, strict=True):
        qualifies[place[worth]] = dealer_qualifies(hand)
        name = category(hand)
        label[place[worth]] = "straight_flush" if name == "mini_royal" else name
    return Classes(np.array([place[worth] for worth in strengths]), qualifies, tuple(label))


@cache
def rummy_classes(ace_in_runs: str, combination_choice: str) -> Classes:
    """Hands by points, 30 first because it is the worst (TSR-03..05)."""
    points = [
        rummy_points([CARDS[c] for c in hand], ace_in_runs, combination_choice) for hand in HANDS
    ]
    by_class = range(30, -1, -1)
    return Classes(
        np.array([30 - score for score in points]),
        np.array([score <= 20 for score in by_class]),
        tuple(str(score) for score in by_class),
    )


def classes_of(game: str, options: Options) -> Classes:
    """The classes of a game under some options."""
    chosen = dict(options)
    if game in POKER_GAMES:
        return poker_classes()
    return rummy_classes(
        chosen.get("ace_in_runs", "low"), chosen.get("combination_choice", "lowest")
    )


# --------------------------------------------------------------- the net of a played hand, in antes


def played_nets(game: str, options: Options) -> Ints:
    """Play and Ante of a played hand, by the class of the player's and of the dealer's hand."""
    found = classes_of(game, options)
    chosen = dict(options)
    number = np.arange(len(found.qualifies))
    mine, theirs = number[:, None], number[None, :]
    dealer_plays = np.broadcast_to(found.qualifies, (len(number), len(number)))
    if game == "triple-shot-rummy":
        pays = np.array([1 + _rummy_odds(int(score)) for score in found.label])
        duel = np.where(mine > theirs, pays[:, None], np.where(mine == theirs, 0, -2))
        return np.where(dealer_plays, duel, 1)
    tie = {"push": 0, "lose": -1, "win": 1}[chosen.get("tie_rule", "push")]
    duel = np.where(mine > theirs, 1, np.where(mine == theirs, tie, -1))
    reading = chosen.get("face_up_unqualified_play", "compare")
    if game == "three-card-poker" or reading == "win":
        # The Ante wins and Play is returned; or, in Face Up, the other way round.
        return np.where(dealer_plays, 2 * duel, 1)
    if reading == "win_or_push":
        return np.where(dealer_plays, 2 * duel, np.where(mine > theirs, 1, 0))
    return np.where(dealer_plays, 2 * duel, duel)


def _rummy_odds(score: int) -> int:
    """What Play pays to 1 on a score that wins (TSR-12)."""
    return 4 if score == 0 else 2 if score <= 5 else 1


def ante_bonus(game: str, code: str | None, label: str) -> int:
    """The Ante Bonus of a played hand in antes; only Three Card Poker has one."""
    if game != "three-card-poker":
        return 0
    return ANTE_BONUS[code or "A"].get(label, 0)


# -------------------------------------------------------------------------------------- counting


def spread(found: Classes, amount: Ints, *, face_up: bool) -> Ints:
    """Sum of amount[player class, dealer class] over the dealer hands that a player's hand leaves.

    By hand; in Face Up by hand and up card, over the two cards below it, and 0 where the up card
    is one of the player's.
    """
    classes = len(found.qualifies)
    holding_one, holding_two = holdings(found)
    # Whole numbers far below 2**53: sums of doubles are exact, and much faster than of integers.
    weight = amount.astype(np.float64)
    any_hand = np.rint(weight @ np.bincount(found.of_hand, minlength=classes)).astype(np.int64)
    with_one = np.rint(weight @ holding_one.T).astype(np.int64)
    with_two = np.rint(weight @ holding_two.reshape(52 * 52, classes).T).astype(np.int64)
    with_two = with_two.reshape(classes, 52, 52)
    own = found.of_hand
    a, b, c = np.array(HANDS).T
    if not face_up:
        ones = with_one[own, a] + with_one[own, b] + with_one[own, c]
        twos = with_two[own, a, b] + with_two[own, a, c] + with_two[own, b, c]
        return np.asarray(any_hand[own] - ones + twos - amount[own, own])
    holding_three = class_of_three(found)
    sums = np.zeros((len(HANDS), 52), dtype=np.int64)
    for up in range(52):
        free = (a != up) & (b != up) & (c != up)
        mine, x, y, z = own[free], a[free], b[free], c[free]
        twos = with_two[mine, up, x] + with_two[mine, up, y] + with_two[mine, up, z]
        threes = (
            amount[mine, holding_three[up, x, y]]
            + amount[mine, holding_three[up, x, z]]
            + amount[mine, holding_three[up, y, z]]
        )
        sums[free, up] = with_one[mine, up] - twos + threes
    return sums


@lru_cache(maxsize=1)
def holdings(found: Classes) -> tuple[Doubles, Doubles]:
    """How many hands of each class hold a card, and two cards."""
    one = np.zeros((52, len(found.qualifies)))
    two = np.zeros((52, 52, len(found.qualifies)))
    for (a, b, c), number in zip(HANDS, found.of_hand.tolist(), strict=True):
        for card in (a, b, c):
            one[card, number] += 1
        for left, right in ((a, b), (a, c), (b, c)):
            two[left, right, number] += 1
            two[right, left, number] += 1
    return one, two


@lru_cache(maxsize=1)
def class_of_three(found: Classes) -> Ints:
    """The class of the hand of three cards, in whatever order they are named."""
    cube = np.full((52, 52, 52), -1, dtype=np.int64)
    for (a, b, c), number in zip(HANDS, found.of_hand.tolist(), strict=True):
        for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
            cube[x, y, z] = number
    return cube


# --------------------------------------------------------------------------------------- figures


@dataclass(frozen=True, eq=False)
class Ante:
    """Ante, Play and Ante Bonus of one game."""

    nets: tuple[int, ...]
    """The nets of Play and Ante together that can occur."""
    counts: Ints
    """By net, and hand (and up card): dealer hands."""
    bonus: Ints
    """By hand."""
    exists: Bools
    """By hand (and up card): can be dealt."""
    label: tuple[str, ...]
    """By hand: category or points."""

    @property
    def face_up(self) -> bool:
        """True when the dealer shows a card."""
        return self.counts.ndim == 3

    @property
    def cases(self) -> int:
        """Dealer hands for each decision."""
        return UNDER_AN_UP_CARD if self.face_up else DEALER_HANDS

    def value(self) -> Ints:
        """Sum of the net of playing over the dealer's hands."""
        base = sum(net * self.counts[number] for number, net in enumerate(self.nets))
        bonus = self.bonus[:, None] if self.face_up else self.bonus
        return np.where(self.exists, base + bonus * self.cases, 0).astype(np.int64)

    def best(self) -> Bools:
        """Play where that does not cost more than the Ante."""
        return np.asarray(self.exists & (self.value() >= -self.cases))

    def ties(self) -> int:
        """Decisions that are worth the same either way."""
        return int((self.exists & (self.value() == -self.cases)).sum())

    def played(self, wanted: Callable[[int], bool]) -> Bools:
        """A plain strategy that looks at the player's hand, by its number, alone."""
        chosen = np.array([wanted(number) for number in range(len(HANDS))])
        return np.asarray(self.exists & (chosen[:, None] if self.face_up else chosen))

    def edge(self, plays: Bools | None = None) -> Fraction:
        """The house edge per ante, of the best play unless another is given."""
        chosen = self.best() if plays is None else plays
        won = np.where(chosen, self.value(), -self.cases * self.exists).sum()
        return Fraction(-int(won), self.cases * int(self.exists.sum()))

    def play_frequency(self, plays: Bools | None = None) -> Fraction:
        """How often the hand is played."""
        chosen = self.best() if plays is None else plays
        return Fraction(int(chosen.sum()), int(self.exists.sum()))

    def law(self, plays: Bools | None = None) -> dict[Fraction, Fraction]:
        """The probability of each net result."""
        chosen = self.best() if plays is None else plays
        found: Counter[int] = Counter()
        found[-1] += self.cases * int((self.exists & ~chosen).sum())
        for number, net in enumerate(self.nets):
            played = np.where(chosen, self.counts[number], 0)
            by_hand = played.sum(axis=1) if self.face_up else played
            for extra in set(self.bonus.tolist()):
                found[net + extra] += int(by_hand[self.bonus == extra].sum())
        total = self.cases * int(self.exists.sum())
        assert sum(found.values()) == total
        return {Fraction(net): Fraction(n, total) for net, n in sorted(found.items()) if n}


def ante(game: str, options: Options = (), code: str | None = None) -> Ante:
    """What playing each hand is worth."""
    plain = _without_bonus(game, options)
    return replace(plain, bonus=np.array([ante_bonus(game, code, name) for name in plain.label]))


@lru_cache(maxsize=6)
def _without_bonus(game: str, options: Options) -> Ante:
    found = classes_of(game, options)
    net = played_nets(game, options)
    face_up = game == "three-card-poker-face-up"
    nets = tuple(np.unique(net).tolist())
    counts = np.array([spread(found, (net == n).astype(np.int64), face_up=face_up) for n in nets])
    label = tuple(found.label[number] for number in found.of_hand.tolist())
    return Ante(
        nets=nets,
        counts=counts,
        bonus=np.zeros(len(HANDS), dtype=np.int64),
        exists=counts.sum(axis=0) > 0,
        label=label,
    )


def ante_edge(game: str, options: Options = (), code: str | None = None) -> Fraction:
    """The house edge per ante under the best decisions."""
    return ante(game, options, code).edge()


def dealer_plays_frequency(game: str, options: Options = ()) -> Fraction:
    """How often the dealer qualifies."""
    found = classes_of(game, options)
    return Fraction(int(found.qualifies[found.of_hand].sum()), len(HANDS))


def pair_plus_edge(game: str, code: str, kept: Bools | None = None) -> Fraction:
    """The house edge of Pair Plus (TSR-34, TCP-25, A-37).

    With decisions on the hands (and up cards), of a Pair Plus that is given up with the hand.
    """
    table = PAIR_PLUS_RUMMY[code] if game == "triple-shot-rummy" else PAIR_PLUS_POKER[code]
    share = np.ones(len(HANDS), dtype=np.int64) if kept is None else kept.reshape(22_100, -1).sum(1)
    whole = int(share.max())
    lost = 0
    for name, times in zip(_categories(), share.tolist(), strict=True):
        row = "straight_flush" if name == "mini_royal" and name not in table else name
        lost += (whole - times) - table.get(row, -1) * times
    return Fraction(lost, len(HANDS) * whole)


@cache
def _categories() -> tuple[str, ...]:
    return tuple(category([CARDS[c] for c in hand]) for hand in HANDS)
