"""Blackjack of Triple Shot Bonus, card by card, with a probability at every step.

A card is its points: 1 for an Ace, 2 to 9, 10 for a ten or a face. The dealer's hole card lies on
the table before the player decides, so the player's belief about it is carried along: after a look
that found no natural, ten under an Ace or Ace under a ten is out of the question; every card that
the player draws comes from what the hole card leaves and changes the belief by Bayes' rule. The
dealer then draws from what is really left. Insurance is left out. Clauses: TSB-09..14; readings
A-25, A-43, A-52.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Cards = tuple[int, ...]
"""A player's cards, lowest first; or how many of each card are left."""
Belief = tuple[tuple[int, Fraction], ...]
"""What the hole card may be, each with its probability."""


class Way(NamedTuple):
    """One way that a round ends."""

    halves: int
    """Net in halves of the first wager."""
    kind: str
    """win, tie or lose; split_not_lose or split_lose after a split."""
    wagered: int
    """In units of the first wager."""


Law = dict[Way, Fraction]


class Ends(NamedTuple):
    """How the dealer ends: the probability of an end is its count over `whole`."""

    counts: tuple[tuple[int, int], ...]
    whole: int


POINTS = range(1, 11)
FULL_DECK = tuple(16 if points == 10 else 4 for points in POINTS)
BUST = 22
NATURAL = 100
"""An end of the dealer's hand of its own: Ace and ten."""


def total(cards: Cards) -> int:
    """What a hand counts: one Ace is 11 while that does not go over 21."""
    hard = sum(cards)
    return hard + 10 if 1 in cards and hard + 10 <= 21 else hard


def is_natural(cards: Cards) -> bool:
    """True for an Ace and a ten, and nothing else."""
    return sorted(cards) == [1, 10]


@dataclass(frozen=True)
class Final:
    """A player's hand that takes no more cards."""

    cards: Cards
    wager: int = 1
    original: int = 1
    """The part of the wager that was bet before the deal."""
    natural: bool = False


class Oracle:
    """The game against one up card."""

    def __init__(
        self,
        up: int,
        *,
        dealer_soft_17: str = "hit",
        dealer_natural: str = "peek",
        split_ace_ten: str = "twenty_one",
    ) -> None:
        self.up = up
        self.hits_soft_17 = dealer_soft_17 == "hit"
        self.dealer_natural = dealer_natural
        self.split_is_natural = split_ace_ten == "blackjack"
        self._ends: dict[tuple[bytes, int, bool], Ends] = {}
        self._end_with: dict[tuple[int, bool], list[tuple[int, int]]] = {}
        self.known: dict[tuple[Cards, Belief], dict[str, Law]] = {}
        """How a round ends after each decision, for every hand met so far."""

    # ------------------------------------------------------------------------------ what is left

    def left(self, cards: Cards) -> Cards:
        """How many of each card the player has not seen: the hole card is among them."""
        counts = list(FULL_DECK)
        for card in (self.up, *cards):
            counts[card - 1] -= 1
            assert counts[card - 1] >= 0, (self.up, cards)
        return tuple(counts)

    def hole_card(self, cards: Cards) -> Belief:
        """The hole card as far as two cards and the up card tell."""
        left = self.left(cards)
        whole = sum(left)
        return tuple((card, Fraction(left[card - 1], whole)) for card in POINTS if left[card - 1])

    def found_at_once(self, under: int) -> bool:
        """True when the dealer looks and finds a natural, which ends the round (A-25)."""
        return self.dealer_natural == "peek" and is_natural((self.up, under))

    def belief(self, cards: Cards) -> Belief:
        """The hole card once the player has two cards and the dealer has looked."""
        hole = [(under, p) for under, p in self.hole_card(cards) if not self.found_at_once(under)]
        whole = sum(p for _, p in hole)
        return tuple((under, p / whole) for under, p in hole)

    def next_cards(self, cards: Cards, hole: Belief) -> Iterator[tuple[int, Fraction, Belief]]:
        """Each card that may come next, its probability, and what it tells of the hole card."""
        left = self.left(cards)
        behind = sum(left) - 1
        for card in POINTS:
            joint = [(u, p * Fraction(left[card - 1] - (u == card), behind)) for u, p in hole]
            chance = sum((p for _, p in joint), Fraction(0))
            if chance:
                yield card, chance, tuple((u, p / chance) for u, p in joint if p)

    # ------------------------------------------------------------------------------ the dealer

    def dealer(self, cards: Cards, under: int) -> Ends:
        """How the dealer ends with this hole card when the player holds these cards (TSB-12)."""
        if is_natural((self.up, under)):
            return Ends(((NATURAL, 1),), 1)
        left = list(self.left(cards))
        left[under - 1] -= 1
        hard, ace = self.up + under, 1 in (self.up, under)
        end = self.end(hard, ace)
        if end:
            return Ends(((end, 1),), 1)
        return self._draw(left, sum(left), hard, ace)

    def end(self, hard: int, ace: bool) -> int:
        """Where a dealer's hand stops: its points, BUST, or 0 when it takes another card."""
        soft = ace and hard + 10 <= 21
        points = hard + 10 if soft else hard
        if points > 21:
            return BUST
        stops = points > 17 or (points == 17 and not (soft and self.hits_soft_17))
        return points if stops else 0

    def _draw(self, left: list[int], whole: int, hard: int, ace: bool) -> Ends:
        """How a dealer's hand that takes another card ends; `left` is whole again afterwards."""
        key = (bytes(left), hard, ace)
        if key in self._ends:
            return self._ends[key]
        if (hard, ace) not in self._end_with:
            self._end_with[hard, ace] = [
                (card, self.end(hard + card, ace or card == 1)) for card in POINTS
            ]
        stopped: list[tuple[int, int]] = []
        drawn: list[tuple[int, Ends]] = []
        for card, end in self._end_with[hard, ace]:
            times = left[card - 1]
            if times:
                if end:
                    stopped.append((end, times))
                else:
                    left[card - 1] -= 1
                    after = self._draw(left, whole - 1, hard + card, ace or card == 1)
                    left[card - 1] += 1
                    drawn.append((times, after))
        common = lcm(*(then.whole for _, then in drawn))
        found: dict[int, int] = {}
        for end, times in stopped:
            found[end] = found.get(end, 0) + times * common
        for times, then in drawn:
            each = times * (common // then.whole)
            for end, count in then.counts:
                found[end] = found.get(end, 0) + each * count
        self._ends[key] = Ends(tuple(found.items()), common * whole)
        return self._ends[key]

    # ------------------------------------------------------------------------------ the player

    def halves(self, hand: Final, end: int) -> int:
        """What a finished hand wins, in halves (TSB-11, TSB-14, A-25, A-43)."""
        points = total(hand.cards)
        if points > 21:
            return -2 * hand.wager
        if end == NATURAL:
            if hand.natural:
                return 0
            keeps_rest = self.dealer_natural == "no_peek_original_bets"
            return -2 * (hand.original if keeps_rest else hand.wager)
        if hand.natural:
            return 3 * hand.wager
        if len(hand.cards) == 6 or end == BUST or points > end:
            return 2 * hand.wager
        return 0 if points == end else -2 * hand.wager

    def finished(self, hands: tuple[Final, ...], hole: Belief) -> Law:
        """Every way that the dealer may end against hands that take no more cards."""
        held = tuple(sorted(card for hand in hands for card in hand.cards))
        wagered = sum(hand.wager for hand in hands)
        ends = [(chance, self.dealer(held, under)) for under, chance in hole]
        whole = lcm(*(chance.denominator * dealer.whole for chance, dealer in ends))
        counts: dict[int, int] = {}
        for chance, dealer in ends:
            each = chance.numerator * (whole // (chance.denominator * dealer.whole))
            for end, count in dealer.counts:
                counts[end] = counts.get(end, 0) + each * count
        law: Law = {}
        for end, count in counts.items():
            nets = [self.halves(hand, end) for hand in hands]
            way = Way(sum(nets), kind(nets), wagered)
            law[way] = law.get(way, Fraction(0)) + Fraction(count, whole)
        return law

    def decisions(self, cards: Cards) -> tuple[str, ...]:
        """What a player may do with these cards (TSB-09, TSB-10, A-52)."""
        if is_natural(cards):
            return ("stand",)
        if len(cards) > 2:
            return ("stand", "hit")
        if cards == (1, 1):
            return ("stand", "hit", "double", "split")
        return ("stand", "hit", "double")

    def law(self, cards: Cards, hole: Belief, decision: str) -> Law:
        """How a round ends after this decision and the best ones that follow."""
        if decision == "stand":
            return self.finished((Final(cards, natural=is_natural(cards)),), hole)
        if decision == "split":
            return self._split_law(cards, hole)
        parts: list[tuple[Fraction, Law]] = []
        for card, chance, after in self.next_cards(cards, hole):
            more = tuple(sorted((*cards, card)))
            if decision == "double":
                parts.append((chance, self.finished((Final(more, wager=2),), after)))
            elif total(more) > 21:
                parts.append((chance, {Way(-2, "lose", 1): Fraction(1)}))
            elif len(more) == 6:
                parts.append((chance, self.finished((Final(more),), after)))
            else:
                parts.append((chance, self.best(more, after)))
        return mixture(parts)

    def _split_law(self, cards: Cards, hole: Belief) -> Law:
        """Split Aces: one card to each, both hands against the same dealer (TSB-10)."""
        assert cards == (1, 1)
        parts: list[tuple[Fraction, Law]] = []
        for first, chance, after in self.next_cards(cards, hole):
            for second, then, last in self.next_cards((*cards, first), after):
                hands = tuple(
                    Final((1, card), original=bet, natural=card == 10 and self.split_is_natural)
                    for card, bet in ((first, 1), (second, 0))
                )
                parts.append((chance * then, self.finished(hands, last)))
        return mixture(parts)

    def laws(self, cards: Cards, hole: Belief) -> dict[str, Law]:
        """How a round ends after each decision.

        Kept by the cards and the belief: that the order of the cards tells nothing of the hole
        card is found here and not taken for granted.
        """
        key = (cards, hole)
        if key not in self.known:
            self.known[key] = {d: self.law(cards, hole, d) for d in self.decisions(cards)}
        return self.known[key]

    def best(self, cards: Cards, hole: Belief) -> Law:
        """How a round ends when played as well as can be; of equals the first decision is taken."""
        return max(self.laws(cards, hole).values(), key=mean)

    # ------------------------------------------------------------------------------ whole rounds

    def deals(self) -> Iterator[tuple[Cards, Fraction]]:
        """The player's first two cards, each with its probability beside this up card."""
        left = self.left(())
        whole = sum(left)
        for first, second in combinations_with_replacement(POINTS, 2):
            then = left[second - 1] - (first == second)
            orders = 1 if first == second else 2
            chance = Fraction(orders * left[first - 1] * then, whole * (whole - 1))
            if chance:
                yield (first, second), chance

    def round(self) -> Law:
        """How a whole round against this up card ends, played as well as can be."""
        parts: list[tuple[Fraction, Law]] = []
        for cards, chance in self.deals():
            found = sum((p for u, p in self.hole_card(cards) if self.found_at_once(u)), Fraction(0))
            at_once = Way(0, "tie", 1) if is_natural(cards) else Way(-2, "lose", 1)
            parts.append((chance * found, {at_once: Fraction(1)}))
            parts.append((chance * (1 - found), self.best(cards, self.belief(cards))))
        return mixture(parts)


def mixture(parts: Iterable[tuple[Fraction, Law]]) -> Law:
    """The law of what follows when each part comes with its probability."""
    found: Law = {}
    for chance, law in parts:
        for way, then in law.items():
            found[way] = found.get(way, Fraction(0)) + chance * then
    return {way: chance for way, chance in found.items() if chance}


def mean(law: Law) -> Fraction:
    """The expected net in units of the first wager."""
    return sum((way.halves * chance for way, chance in law.items()), Fraction(0)) / 2


def kind(nets: list[int]) -> str:
    """How the bet counts: one hand wins, ties or loses; two count together (TSB-22)."""
    if len(nets) == 1:
        return "win" if nets[0] > 0 else "tie" if nets[0] == 0 else "lose"
    lost = any(net < 0 for net in nets) and not any(net > 0 for net in nets)
    return "split_lose" if lost else "split_not_lose"
