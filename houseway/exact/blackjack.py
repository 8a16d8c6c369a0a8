"""Blackjack of Triple Shot Bonus: the optimum by composition for one deck, in whole numbers.

Cards are of ten kinds here, the Ace, 2 to 9 and the ten, by the points that the rules give a
rank. A hand is a multiset of kinds, because neither totals nor what is left of the deck depend on
the order the cards came in. Unseen cards are exchangeable, the dealer's hole card among them: so
values are summed over all hole cards, those that make a natural left out where the dealer looks
for one, and the sums of two decisions compare as their expectations do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import perm

import numpy as np

from houseway.cards import ACE, DEUCE, TEN
from houseway.exact.kept import kept
from houseway.exact.kernels.blackjack import count_dealer_ends, falling_factorials
from houseway.exact.law import Law, law_of
from houseway.games import blackjack as rules
from houseway.games.base import Outcome, Verdict, net_units
from houseway.games.blackjack import BlackjackDecision, BlackjackOptions

KINDS = 10
ACE_KIND, TEN_KIND = 0, 9
DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
LONGEST = 9
"""Most cards a dealer draws, hole card included; the tests show it."""

ENDS = (17, 18, 19, 20, 21, 22, 0)
"""How a dealer's hand ends: a total, 22 for over 21, 0 for a natural."""
BUST_END, NATURAL_END = 5, 6

Kinds = tuple[int, ...]
"""How many cards of each kind."""
Decide = Callable[[Kinds, int], BlackjackDecision]
"""A way of playing: a decision for every open hand and up card."""


def rank_of_kind(kind: int) -> int:
    """A rank of that kind."""
    if kind == ACE_KIND:
        return ACE
    return TEN if kind == TEN_KIND else DEUCE + kind - 1


@cache
def total(hand: Kinds) -> int:
    """The total of a hand, as the rules add it up."""
    return rules.total_of(tuple(rank_of_kind(k) for k in range(KINDS) for _ in range(hand[k])))


@cache
def hand_of_kinds(hand: Kinds) -> rules.Hand:
    """The hand as the rules see it before the next decision."""
    cards = sum(hand)
    return rules.Hand(total(hand), cards, pair_of_aces=hand[ACE_KIND] == cards == 2)


def with_card(hand: Kinds, kind: int) -> Kinds:
    """The hand with one more card."""
    return (*hand[:kind], hand[kind] + 1, *hand[kind + 1 :])


@cache
def hands_of(cards: int) -> tuple[Kinds, ...]:
    """Every hand of that many cards that is not over 21."""
    found = []
    for kinds in combinations_with_replacement(range(KINDS), cards):
        hand = tuple(kinds.count(kind) for kind in range(KINDS))
        held = all(have <= most for have, most in zip(hand, DECK, strict=True))
        if held and not rules.is_bust(total(hand)):
            found.append(hand)
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class DealerHands:
    """Every way a dealer's hand with one up card ends, as multisets of the cards drawn."""

    draws: np.ndarray[tuple[int, int], np.dtype[np.int8]]
    length: np.ndarray[tuple[int], np.dtype[np.int8]]
    end: np.ndarray[tuple[int], np.dtype[np.int8]]
    orders: np.ndarray[tuple[int], np.dtype[np.int64]]


@cache
def dealer_hands(up: int, options: BlackjackOptions) -> DealerHands:
    """How a dealer's hand with this up card ends, by the rules' own `dealer_stops` (TSB-12).

    Whether the dealer stops depends on the cards held and not on their order, so orders are
    counted card by card: a multiset is reached from every one that lacks one of its cards.
    """
    nothing: Kinds = (0,) * KINDS
    open_hands = {nothing: 1}
    ended: list[tuple[Kinds, int, int, int]] = []
    most = [count - (kind == up) for kind, count in enumerate(DECK)]
    for drawn in range(1, LONGEST + 1):
        reached: dict[Kinds, int] = {}
        for hand, orders in open_hands.items():
            for kind in range(KINDS):
                if hand[kind] < most[kind]:
                    after = with_card(hand, kind)
                    reached[after] = reached.get(after, 0) + orders
        open_hands = {}
        for hand, orders in reached.items():
            held = total(with_card(hand, up))
            if rules.dealer_stops(held, options):
                ended.append((hand, drawn, _end(held, drawn + 1), orders))
            else:
                open_hands[hand] = orders
    assert not open_hands, "a dealer's hand is longer than LONGEST"
    return DealerHands(
        draws=np.array([hand for hand, _, _, _ in ended], dtype=np.int8),
        length=np.array([drawn for _, drawn, _, _ in ended], dtype=np.int8),
        end=np.array([end for _, _, end, _ in ended], dtype=np.int8),
        orders=np.array([orders for _, _, _, orders in ended], dtype=np.int64),
    )


def _end(held: int, cards: int) -> int:
    if rules.is_natural(held, cards):
        return NATURAL_END
    return BUST_END if rules.is_bust(held) else ENDS.index(rules.value(held))


def dealer_ends(
    hands: tuple[Kinds, ...], up: int, options: BlackjackOptions
) -> dict[Kinds, tuple[int, ...]]:
    """For each set of cards gone besides the up card, ordered ways by how the dealer ends.

    The ways are of drawing LONGEST cards from the n that are left, so they add to
    n * (n - 1) * ... over LONGEST factors.
    """
    if not hands:
        return {}
    table = dealer_hands(up, dealer_options(options))
    deck = np.array([count - (kind == up) for kind, count in enumerate(DECK)], dtype=np.int64)
    counts = np.zeros((len(hands), len(ENDS)), dtype=np.int64)
    count_dealer_ends(
        table.draws,
        table.length,
        table.end,
        table.orders,
        deck,
        np.array(hands, dtype=np.int8),
        falling_factorials(52, LONGEST),
        LONGEST,
        counts,
    )
    return {hand: tuple(row) for hand, row in zip(hands, counts.tolist(), strict=True)}


def dealer_options(options: BlackjackOptions) -> BlackjackOptions:
    """What of the options a dealer's hand depends on, so that the rest shares its tables."""
    return BlackjackOptions(dealer_soft_17=options.dealer_soft_17)


@dataclass(frozen=True, slots=True)
class Node:
    """Cards a player holds against an up card."""

    hand: Kinds
    cards: int
    dealer: tuple[int, ...]
    """Ordered ways by how the dealer ends, of LONGEST cards from what is left."""


class Pays:
    """Verdicts of the rules by finished hand and dealer's end, each asked for once."""

    def __init__(self, options: BlackjackOptions) -> None:
        self.options = options
        self._verdicts: dict[tuple[rules.Hand, int, int], Verdict] = {}
        self._halves: dict[tuple[rules.Hand, int, int], int] = {}
        self._decided: dict[rules.Hand, int] = {}

    def verdict(self, hand: rules.Hand, end: int, number: int = 1) -> Verdict:
        """The rules' verdict on a hand against a dealer who ends so."""
        key = (hand, end, number)
        if key not in self._verdicts:
            dealer_total, dealer_cards = _EXAMPLES[end]
            self._verdicts[key] = rules.resolve(
                hand, dealer_total, dealer_cards, self.options, number
            )
        return self._verdicts[key]

    def halves(self, hand: rules.Hand, end: int, number: int = 1) -> int:
        """Net in half units of the first wager, which 3 to 2 and half losses keep whole."""
        key = (hand, end, number)
        if key not in self._halves:
            halves = 2 * rules.stakes(hand) * net_units(self.verdict(hand, end, number))
            assert halves.denominator == 1
            self._halves[key] = int(halves)
        return self._halves[key]

    def decided_halves(self, hand: rules.Hand) -> int:
        """Net in half units of a hand that no dealer's end changes: one over 21 (TSB-09)."""
        if hand not in self._decided:
            found = {self.halves(hand, end) for end in range(len(ENDS))}
            assert len(found) == 1, hand
            self._decided[hand] = found.pop()
        return self._decided[hand]


_EXAMPLES = {
    **{ENDS.index(points): (points * 2, 3) for points in (17, 18, 19, 20, 21, 22)},
    NATURAL_END: (rules.total_of((ACE, TEN)), 2),
}
"""A dealer's hand for every end: a hard total of three cards, or Ace and ten."""


class Analysis:
    """One up card: every hand that can be held against it and what each decision is worth.

    A value is a whole number: net in half units, times the ordered ways to go on until as many
    cards are drawn as the longest round takes. All decisions on a hand are in the same unit.
    """

    def __init__(self, up: int, pays: Pays) -> None:
        self.up = up
        self.pays = pays
        self.options = pays.options
        self.left = [count - (kind == up) for kind, count in enumerate(DECK)]
        self.peeks = rules.dealer_peeks(rank_of_kind(up), pays.options)
        self.nodes: dict[Kinds, Node] = {}
        held = [hand for cards in range(2, rules.SIX_CARDS + 1) for hand in hands_of(cards)]
        self._add([*held, *_split_cards()])
        self.values: dict[Kinds, dict[BlackjackDecision, int]] = {}
        for hand in sorted((h for h in held if h in self.nodes), key=sum, reverse=True):
            if sum(hand) < rules.SIX_CARDS:
                self.values[hand] = self._values(self.nodes[hand])

    def _add(self, hands: list[Kinds]) -> None:
        """Nodes for the hands that the deck holds beside the up card."""
        possible = tuple(
            hand
            for hand in dict.fromkeys(hands)
            if all(have <= left for have, left in zip(hand, self.left, strict=True))
        )
        for hand, dealer in dealer_ends(possible, self.up, self.options).items():
            self.nodes[hand] = Node(hand, sum(hand), dealer)

    def best(self, hand: Kinds) -> BlackjackDecision:
        """The decision that is worth most; of equals the first of stand, hit, double, split."""
        values = self.values[hand]
        return max(values, key=lambda decision: values[decision])

    def next_cards(self, hand: Kinds) -> Iterator[tuple[int, int]]:
        """Each kind that may come next, with how many of it are unseen."""
        for kind in range(KINDS):
            unseen = self.left[kind] - hand[kind]
            if unseen > 0:
                yield kind, unseen

    def found_at_once(self, end: int) -> bool:
        """True for a natural that the dealer finds before any decision (A-25)."""
        return end == NATURAL_END and self.peeks

    def ends(self, node: Node) -> Iterator[tuple[int, int]]:
        """How the dealer may end once the player has decided, with the ordered ways."""
        for end, ways in enumerate(node.dealer):
            if ways and not self.found_at_once(end):
                yield end, ways

    def cases(self, hand: Kinds) -> int:
        """Ordered ways of LONGEST draws that are left to a hand, found naturals left out."""
        unseen = sum(self.left) - sum(hand)
        ways = perm(unseen, LONGEST)
        if not self.peeks:
            return ways
        making = TEN_KIND if self.up == ACE_KIND else ACE_KIND
        return ways // unseen * (unseen - (self.left[making] - hand[making]))

    def _values(self, node: Node) -> dict[BlackjackDecision, int]:
        hand, options = node.hand, self.options
        held = hand_of_kinds(hand)
        if rules.status(held, options) is not rules.Status.OPEN:
            return {"stand": self.settled(node, held)}
        values: dict[BlackjackDecision, int] = {"stand": self.settled(node, rules.stand(held))}
        if rules.may("hit", held, options):
            values["hit"] = sum(
                unseen * self._after_hit(with_card(hand, kind))
                for kind, unseen in self.next_cards(hand)
            )
        if rules.may("double", held, options):
            values["double"] = sum(
                unseen * self._after_double(held, hand, kind)
                for kind, unseen in self.next_cards(hand)
            )
        if rules.may("split", held, options):
            values["split"] = self._split_value(hand)
        return values

    def _after_hit(self, hand: Kinds) -> int:
        if rules.is_bust(total(hand)):
            return self.bust(rules.Hand(total(hand), sum(hand)), hand)
        if sum(hand) == rules.SIX_CARDS:
            return self.settled(self.nodes[hand], hand_of_kinds(hand))
        return max(self.values[hand].values())

    def _after_double(self, held: rules.Hand, hand: Kinds, kind: int) -> int:
        after, doubled = with_card(hand, kind), rules.double(held, rank_of_kind(kind))
        if rules.is_bust(doubled.total):
            return self.bust(doubled, after)
        return self.settled(self.nodes[after], doubled)

    def bust(self, hand: rules.Hand, kinds: Kinds) -> int:
        """The value of a hand over 21, which is the same however the dealer ends."""
        return self.pays.decided_halves(hand) * self.cases(kinds) * rest_of_draws(hand.cards)

    def _split_value(self, hand: Kinds) -> int:
        """Both hands of split Aces; the card of the other hand is one more unseen card.

        The second hand differs only where a dealer's natural takes the original bet alone.
        """
        return sum(
            unseen * self.settled(self.nodes[with_card(hand, kind)], split_hand(kind), number)
            for number in (1, 2)
            for kind, unseen in self.next_cards(hand)
        )

    def settled(self, node: Node, hand: rules.Hand, number: int = 1) -> int:
        """The value of a finished hand over every way the dealer may end."""
        halves = self.pays.halves
        value = sum(ways * halves(hand, end, number) for end, ways in self.ends(node))
        return value * rest_of_draws(node.cards)


def split_hand(kind: int) -> rules.Hand:
    """One Ace of a split pair with its card."""
    return rules.Hand(rules.total_of((ACE, rank_of_kind(kind))), 2, split=True)


def _split_cards() -> list[Kinds]:
    """The cards a player holds after splitting Aces: with one new card and with both."""
    aces = with_card(with_card((0,) * KINDS, ACE_KIND), ACE_KIND)
    with_one = [with_card(aces, kind) for kind in range(KINDS)]
    return with_one + [with_card(hand, kind) for hand in with_one for kind in range(KINDS)]


def rest_of_draws(cards: int) -> int:
    """Ways to go on after LONGEST draws until six cards and as many draws are gone in all."""
    return perm(52 - 1 - cards - LONGEST, rules.SIX_CARDS - cards)


@dataclass(frozen=True, slots=True)
class BlackjackFigures:
    """What the analysis of Blackjack gives: the law of the net result and four shares."""

    law: Law
    win: Fraction
    tie: Fraction
    split_not_lose: Fraction
    wagered: Fraction

    @property
    def not_lose(self) -> Fraction:
        """P(the Blackjack leg is not lost), as the Hat Trick counts it."""
        return self.win + self.tie + self.split_not_lose


class Blackjack:
    """The whole game: an analysis for each up card."""

    def __init__(self, options: BlackjackOptions) -> None:
        self.options = options
        self.pays = Pays(options)
        self.by_up = [Analysis(up, self.pays) for up in range(KINDS)]
        self._best_figures: BlackjackFigures | None = None

    def best(self, hand: Kinds, up: int) -> BlackjackDecision:
        """The decision that is worth most."""
        return self.by_up[up].best(hand)

    def figures(self, decide: Decide | None = None) -> BlackjackFigures:
        """The law of the net result under a way of playing, the best one unless given."""
        if decide is None:
            self._best_figures = self._best_figures or self._figures(self.best)
            return self._best_figures
        return self._figures(decide)

    def _figures(self, decide: Decide) -> BlackjackFigures:
        halves: dict[int, int] = {}
        shares = {"win": 0, "tie": 0, "split_not_lose": 0}
        wagered = 0
        for up, analysis in enumerate(self.by_up):
            for net, kind, stake, ways in _outcomes(analysis, decide):
                weight = DECK[up] * ways
                halves[net] = halves.get(net, 0) + weight
                wagered += stake * weight
                if kind in shares:
                    shares[kind] += weight
        law = law_of((Fraction(net, 2), ways) for net, ways in halves.items())
        return BlackjackFigures(
            law=law,
            win=Fraction(shares["win"], law.total),
            tie=Fraction(shares["tie"], law.total),
            split_not_lose=Fraction(shares["split_not_lose"], law.total),
            wagered=Fraction(wagered, law.total),
        )


Ending = tuple[int, str, int, int]
"""Net in half units, how it counts, stake in units, ordered ways."""


def reached_hands(analysis: Analysis, decide: Decide) -> dict[Kinds, int]:
    """Every hand that play against one up card comes to, with the ordered ways to it."""
    reached: dict[Kinds, int] = {}
    for _ in _outcomes(analysis, decide, reached):
        pass
    return reached


def _outcomes(
    analysis: Analysis, decide: Decide, reached: dict[Kinds, int] | None = None
) -> Iterator[Ending]:
    """Every way a round against one up card ends, with ordered ways that all mean the same."""
    reached = {} if reached is None else reached
    for hand in hands_of(2):
        if hand in analysis.nodes:
            first, second = [kind for kind in range(KINDS) for _ in range(hand[kind])]
            same = first == second
            ways = analysis.left[first] * (analysis.left[second] - same)
            reached[hand] = ways if same else 2 * ways
    for cards in range(2, rules.SIX_CARDS + 1):
        for hand in [hand for hand in reached if sum(hand) == cards]:
            yield from _from_hand(analysis, decide, hand, reached)


def _from_hand(
    analysis: Analysis, decide: Decide, hand: Kinds, reached: dict[Kinds, int]
) -> Iterator[Ending]:
    """The ends of a hand that was reached; hands that it may lead on to are added to `reached`."""
    ways, node, held = reached[hand], analysis.nodes[hand], hand_of_kinds(hand)
    pays, rest = analysis.pays, rest_of_draws(node.cards)
    if node.cards == 2 and analysis.found_at_once(NATURAL_END):
        # A natural that the dealer finds at once ends the hand before any decision.
        found = ways * node.dealer[NATURAL_END] * rest
        yield from _ended(pays, rules.stand(held), NATURAL_END, found)
    if rules.status(held, analysis.options) is not rules.Status.OPEN:
        decision: BlackjackDecision = "stand"
    else:
        decision = decide(hand, analysis.up)
        held = rules.stand(held) if decision == "stand" else held
    if decision == "stand":
        for end, drawn in analysis.ends(node):
            yield from _ended(pays, held, end, ways * drawn * rest)
    elif decision == "split":
        yield from _split_ends(analysis, hand, ways)
    else:
        for kind, unseen in analysis.next_cards(hand):
            after = with_card(hand, kind)
            take = rules.double if decision == "double" else rules.hit
            taken = take(held, rank_of_kind(kind))
            if rules.is_bust(taken.total):
                gone = ways * unseen * analysis.cases(after) * rest_of_draws(node.cards + 1)
                yield from _ended(pays, taken, BUST_END, gone)
            elif decision == "double":
                for end, drawn in analysis.ends(analysis.nodes[after]):
                    rest_after = rest_of_draws(node.cards + 1)
                    yield from _ended(pays, taken, end, ways * unseen * drawn * rest_after)
            else:
                reached[after] = reached.get(after, 0) + ways * unseen


def _ended(pays: Pays, hand: rules.Hand, end: int, ways: int) -> Iterator[Ending]:
    outcome = pays.verdict(hand, end).outcome
    kind = {Outcome.WIN: "win", Outcome.PUSH: "tie"}.get(outcome, "lose")
    yield pays.halves(hand, end), kind, rules.stakes(hand), ways


def _split_ends(analysis: Analysis, hand: Kinds, ways: int) -> Iterator[Ending]:
    """The ends of split Aces: the card of each hand, then the dealer's."""
    pays = analysis.pays
    for first, unseen in analysis.next_cards(hand):
        after = with_card(hand, first)
        for second, unseen_then in analysis.next_cards(after):
            node = analysis.nodes[with_card(after, second)]
            hands = (split_hand(first), split_hand(second))
            for end, drawn in analysis.ends(node):
                outcomes = tuple(
                    pays.verdict(held, end, number).outcome
                    for number, held in enumerate(hands, start=1)
                )
                net = sum(
                    pays.halves(held, end, number) for number, held in enumerate(hands, start=1)
                )
                kind = "split_lose" if rules.leg_lost(outcomes) else "split_not_lose"
                stake = sum(rules.stakes(held) for held in hands)
                drawings = unseen * unseen_then * drawn * rest_of_draws(node.cards)
                yield net, kind, stake, ways * drawings


def blackjack(options: BlackjackOptions) -> Blackjack:
    """The analysis of Blackjack under these options, made once for all that it depends on."""
    return _blackjack(
        BlackjackOptions(
            dealer_soft_17=options.dealer_soft_17,
            dealer_natural=options.dealer_natural,
            split_ace_ten=options.split_ace_ten,
        )
    )


@kept
def _blackjack(options: BlackjackOptions) -> Blackjack:
    game = Blackjack(options)
    # Nearly everybody asks for these, so they are kept with the rest.
    game.figures()
    return game
