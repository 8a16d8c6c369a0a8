"""The best play of Triple Shot Bonus when a Hat Trick is at stake beside the Blackjack bet.

The player knows his cards with their suits, the up card, and whether War is lost. When it is, the
Hat Trick is gone and he plays Blackjack alone. When it is not, stopping with a set of cards is
worth the Blackjack bet plus the Hat Trick times the chance that Blackjack is not lost and the six
cards win together; that chance is counted over every set of cards that may complete the six.

Every value is a pair of whole numbers, what Blackjack comes to and in how many ways the Hat Trick
is won, so no error builds up from card to card. Choices are compared in floating point where they
lie further apart than that can be off, and in whole numbers where they do not. Of equals the first
of stand, hit, double, split is taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, perm

import numpy as np

from houseway.cards import ACE, DECK, RANKS, make_card
from houseway.exact.blackjack import (
    ACE_KIND,
    ENDS,
    KINDS,
    LONGEST,
    Analysis,
    Blackjack,
    Kinds,
    blackjack,
    dealer_ends,
    hand_of_kinds,
    split_hand,
    total,
)
from houseway.exact.bonus import CODES, hand_graph, joint_law
from houseway.exact.card_sets import MOST_HELD, card_sets, rank_sets, suits_table
from houseway.exact.chart import hand_text
from houseway.exact.kept import kept
from houseway.exact.kernels.optimum import (
    DOUBLE,
    HIT,
    LIMB,
    SPLIT,
    STAND,
    advance,
    binomials,
    decide,
    go_forward,
    sum_split,
    sum_stops,
)
from houseway.exact.tabulate import (
    Ints,
    Short,
    Small,
    category_of_ranks,
)
from houseway.games import blackjack as rules
from houseway.games.triple_shot_bonus.rules import BonusOptions, compare_war, war_leg_lost

SIX = rules.SIX_CARDS
ROUND_DRAWS = perm(51, SIX) * perm(45, LONGEST)
"""Ordered ways of the player's six cards and the dealer's, the up card given."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A hand that is played otherwise with a Hat Trick at stake, War not being lost."""

    hand: str
    up_card: str
    blackjack_only: str
    joint: str
    share: Fraction
    """How many of the rounds that come to this hand and up card are played so."""
    frequency: Fraction
    """How often that is, among all rounds."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """What the best joint play gives at one stake ratio."""

    ratio: Fraction
    payoff: Fraction
    blackjack_house_edge: Fraction
    """Expected loss of the Blackjack bet, per unit of it."""
    hat_trick_probability: Fraction
    gain: Fraction
    """What the joint play wins over Blackjack-only play, per unit of the Blackjack bet."""
    narrowest_margin: float
    """The smallest difference between the best decision and the next, in Blackjack units."""
    close_decisions: int
    """How many decisions floating point could not tell; they were made in whole numbers."""
    departures: tuple[Departure, ...]

    @property
    def hat_trick_house_edge(self) -> Fraction:
        """Expected loss of the Hat Trick, per unit of it."""
        return 1 - (self.payoff + 1) * self.hat_trick_probability


class _UpCard:
    """Everything about one up card, of suit 0."""

    def __init__(self, game: Blackjack, up_rank: int, wins: frozenset[int]) -> None:
        self.game, self.up = game, make_card(up_rank, 0)
        self.kind = rules.rank_points(up_rank) - 1
        self.analysis: Analysis = game.by_up[self.kind]
        sets, by_ranks, graph = card_sets(), rank_sets(), hand_graph()
        self.suited = suits_table(wins)
        self.wins: Small = np.array(
            [len(r) == SIX and category_of_ranks(r) in wins for r in by_ranks.multisets],
            dtype=np.int8,
        )
        self._tables(graph.nodes)
        self._ways()
        self.hat: dict[int, Ints] = {}
        for count in range(2, MOST_HELD + 1):
            found = np.zeros((comb(52, count), 2), dtype=np.int64)
            sum_stops(
                count,
                SIX - count,
                self.up,
                sets.representative[count],
                by_ranks.after,
                by_ranks.node,
                self.mask,
                self.wins,
                self.suited,
                self.ways,
                found,
            )
            self.hat[count] = found
        self._split()

    def _tables(self, nodes: tuple[Kinds, ...]) -> None:
        """By hand: Blackjack values, what may be decided, and which ends do not beat it."""
        size, pays, options = len(nodes), self.game.pays, self.game.options
        self.stand: Ints = np.zeros((size, 2), dtype=np.int64)
        self.double: Ints = np.zeros((size, 2), dtype=np.int64)
        self.may: Small = np.zeros((size, len(CODES)), dtype=np.int8)
        self.mask: Short = np.zeros(size, dtype=np.int16)
        self.blackjack_only: Small = np.zeros(size, dtype=np.int8)
        self.rows: dict[tuple[int, ...], int] = {}
        for number, hand in enumerate(nodes):
            held = hand_of_kinds(hand)
            is_open = rules.status(held, options) is rules.Status.OPEN
            finished = rules.stand(held) if is_open else held
            for decision, code in CODES.items():
                self.may[number, code] = rules.may(decision, held, options)
            self.mask[number] = self._row(
                tuple(
                    end
                    for end in range(len(ENDS))
                    if not rules.leg_lost((pays.verdict(finished, end).outcome,))
                )
            )
            if hand not in self.analysis.nodes:
                continue
            node = self.analysis.nodes[hand]
            self.stand[number] = in_parts(self.analysis.settled(node, finished))
            doubled = rules.Hand(total(hand), node.cards, doubled=True)
            self.double[number] = in_parts(self.analysis.settled(node, doubled))
            if is_open and node.cards < SIX:
                self.blackjack_only[number] = CODES[self.analysis.best(hand)]
        self.split_mask: Short = np.zeros((KINDS, KINDS), dtype=np.int16)
        for first in range(KINDS):
            for second in range(KINDS):
                kept = tuple(
                    end
                    for end in range(len(ENDS))
                    if not rules.leg_lost(
                        tuple(
                            pays.verdict(split_hand(kind), end, n).outcome
                            for n, kind in ((1, first), (2, second))
                        )
                    )
                )
                self.split_mask[first, second] = self._row(kept)

    def _row(self, ends: tuple[int, ...]) -> int:
        return self.rows.setdefault(ends, len(self.rows))

    def _ways(self) -> None:
        """ways[row, ranks]: the dealer's ways to the ends of a row when these six are gone.

        And over[choice, ranks]: what a hand over 21 comes to.
        """
        by_ranks, analysis = rank_sets(), self.analysis
        held = [
            (number, kinds)
            for number, kinds in enumerate(by_ranks.distinct)
            if all(have <= left for have, left in zip(kinds, analysis.left, strict=True))
        ]
        six = {kinds: number for number, kinds in held if sum(kinds) == SIX}
        ends = np.zeros((len(by_ranks.distinct), len(ENDS)), dtype=np.int64)
        for kinds, counts in dealer_ends(tuple(six), self.kind, self.game.options).items():
            ends[six[kinds]] = counts
        over = np.zeros((len(CODES), len(by_ranks.distinct), 2), dtype=np.int64)
        for number, kinds in held:
            if rules.is_bust(total(kinds)):
                for how in (HIT, DOUBLE):
                    hand = rules.Hand(total(kinds), sum(kinds), doubled=how == DOUBLE)
                    over[how, number] = in_parts(analysis.bust(hand, kinds))
        rows = [ends[:, list(row)].sum(axis=1) for row in self.rows]
        self.ways: Ints = np.take(np.stack(rows), by_ranks.place, axis=1)
        self.over: Ints = np.take(over, by_ranks.place, axis=1)

    def _split(self) -> None:
        """split[set]: what splitting each pair of Aces is worth, Blackjack and Hat Trick."""
        sets, by_ranks, table = card_sets(), rank_sets(), binomials()
        kind_of = np.array([rules.rank_points(rank) - 1 for rank in range(13)], dtype=np.int16)
        self.split: Ints = np.zeros((comb(52, 2), 4), dtype=np.int64)
        aces = [make_card(ACE, suit) for suit in range(4)]
        for first, second in combinations(aces, 2):
            number = int(table[first, 1] + table[second, 2])
            if self.up in (first, second) or sets.representative[2][number] != number:
                continue
            found = np.zeros(2, dtype=np.int64)
            sum_split(
                first,
                second,
                SIX - 4,
                self.up,
                by_ranks.after,
                self.wins,
                self.suited,
                kind_of,
                self.split_mask,
                self.ways,
                found,
            )
            self.split[number, :2] = in_parts(self.analysis.values[with_aces()]["split"])
            self.split[number, 2:] = found * factorial(SIX - 4)

    def best(self, weight: Fraction) -> "_Best":
        """The best decision for every set of cards when the other legs are worth `weight`.

        Of equal choices the first of stand, hit, double, split is taken.
        """
        found = _Best(weight)
        for count in range(MOST_HELD, 1, -1):
            self._decide(count, found)
        return found

    def _decide(self, count: int, found: "_Best") -> None:
        """Decide all sets of `count` cards; those of one card more are decided."""
        sets, by_ranks, size = card_sets(), rank_sets(), comb(52, count)
        last = count == MOST_HELD
        plain, stake = found.weight.denominator, 2 * found.weight.numerator
        decision = np.zeros(size, dtype=np.int8)
        value = np.zeros((size, 4), dtype=np.int64)
        worth = np.zeros((len(CODES), 4), dtype=np.int64)
        cards, narrowest, number = np.arange(count), np.full(1, np.inf), -1
        while True:
            number = decide(
                number + 1,
                cards,
                count,
                last,
                self.up,
                sets.representative[count],
                np.zeros(1, np.int32) if last else sets.representative[count + 1],
                binomials(),
                by_ranks.after,
                by_ranks.node,
                self.may,
                self.stand,
                self.double,
                self.over,
                factorial(SIX - count),
                factorial(SIX - count - 1),
                plain / (plain + stake),
                stake / (plain + stake),
                self.hat[count],
                self.hat[count if last else count + 1],
                found.values,
                self.split if count == 2 else self.split[:1],
                self.mask,
                self.ways,
                self.wins,
                self.suited,
                decision,
                value,
                narrowest,
                worth,
            )
            if number == size:
                break
            held = by_ranks.node[sets.ranks[count][number]]
            choice, lead = first_best(worth, self.may[held], found.weight)
            decision[number], value[number] = choice, worth[choice]
            narrowest[0] = min(narrowest[0], lead / (plain + stake))
            found.close += 1
            advance(cards, count)
        # From scores to units of the Blackjack bet.
        unit = 2 * perm(51 - count, SIX - count) * perm(45, LONGEST)
        margin = float(narrowest[0]) * float(1 + 2 * found.weight) / unit
        found.narrowest = min(found.narrowest, margin)
        found.decisions[count], found.values = decision, value

    def blackjack_decisions(self) -> dict[int, Small]:
        """The blackjack-only decision for every set of cards."""
        sets, by_ranks = card_sets(), rank_sets()
        found = {}
        for count in range(2, MOST_HELD + 1):
            node = by_ranks.node[sets.ranks[count]]
            found[count] = np.where(node >= 0, self.blackjack_only[node], 0).astype(np.int8)
        return found

    def departures(
        self, decisions: dict[int, Small], reached: dict[int, Ints]
    ) -> Iterator[Departure]:
        """Where a way of playing departs from Blackjack-only play, by hand."""
        sets, by_ranks, nodes = card_sets(), rank_sets(), hand_graph().nodes
        names = {code: word for word, code in CODES.items()}
        for count, plain in self.blackjack_decisions().items():
            node = by_ranks.node[sets.ranks[count]]
            played = (reached[count] > 0) & (node >= 0)
            asked = played & (self.may[node, STAND] == 1)
            for number in np.unique(node[asked & (decisions[count] != plain)]):
                here = asked & (node == number)
                everything = int(reached[count][here].sum())
                for choice in np.unique(decisions[count][here]):
                    ways = int(reached[count][here & (decisions[count] == choice)].sum())
                    if choice != self.blackjack_only[number]:
                        yield Departure(
                            hand=hand_text(nodes[number]),
                            up_card=RANKS[self.up >> 2],
                            blackjack_only=names[int(self.blackjack_only[number])],
                            joint=names[int(choice)],
                            share=Fraction(ways, everything),
                            frequency=Fraction(ways, 13 * perm(51, count)),
                        )

    def first_two(self, options: BonusOptions) -> Ints:
        """In how many orders each set of two cards is dealt so that War is not lost."""
        representative, table = card_sets().representative[2], binomials()
        reached = np.zeros(comb(52, 2), dtype=np.int64)
        for first, second in permutations([card for card in DECK if card != self.up], 2):
            if not war_leg_lost(compare_war(first, self.up, options)):
                low, high = min(first, second), max(first, second)
                number = int(table[low, 1] + table[high, 2])
                reached[representative[number]] += 1
        return reached

    def follow(self, decisions: dict[int, Small], options: BonusOptions) -> "_Followed":
        """What a way of playing comes to in rounds whose War is not lost, in ordered ways."""
        sets, by_ranks, table = card_sets(), rank_sets(), binomials()
        reached = {2: self.first_two(options)}
        for count in range(3, MOST_HELD + 1):
            reached[count] = np.zeros(comb(52, count), dtype=np.int64)
        ended = np.zeros((4, len(by_ranks.multisets)), dtype=np.int64)
        won = np.zeros(2, dtype=np.int64)
        for count in range(2, MOST_HELD + 1):
            over = count < MOST_HELD
            go_forward(
                count,
                not over,
                self.up,
                sets.representative[count],
                sets.representative[count + 1] if over else np.zeros(1, np.int32),
                table,
                by_ranks.after,
                by_ranks.node,
                self.may,
                reached[count],
                factorial(SIX - count),
                factorial(SIX - count - 1),
                self.hat[count],
                self.hat[count + 1] if over else np.zeros((1, 2), dtype=np.int64),
                self.split[:, 2:] if count == 2 else self.split[:1, 2:],
                self.mask,
                self.ways,
                self.wins,
                self.suited,
                decisions[count],
                reached[count + 1] if over else np.zeros(1, dtype=np.int64),
                ended,
                won,
            )
        return _Followed(self._net(ended), (int(won[0]) << LIMB) + int(won[1]), reached)

    def _net(self, ended: Ints) -> int:
        """Blackjack net in half units times ordered ways, naturals that are found left out."""
        by_ranks = rank_sets()
        net = 0
        for how in (STAND, HIT, DOUBLE, SPLIT):
            for number in np.flatnonzero(ended[how]).tolist():
                hand = by_ranks.kinds(number)
                net += int(ended[how, number]) * self._worth(how, hand)
        return net

    def _worth(self, how: int, hand: Kinds) -> int:
        analysis, cards = self.analysis, sum(hand)
        if how == SPLIT:
            return analysis.values[hand]["split"]
        taken = rules.Hand(total(hand), cards, doubled=how == DOUBLE)
        if rules.is_bust(taken.total):
            return analysis.bust(taken, hand)
        node, held = analysis.nodes[hand], hand_of_kinds(hand)
        if how == DOUBLE:
            return analysis.settled(node, taken)
        is_open = rules.status(held, analysis.options) is rules.Status.OPEN
        return analysis.settled(node, rules.stand(held) if is_open else held)


@dataclass(slots=True, eq=False)
class _Best:
    """The best decisions at one weight, and how they were told from the next best."""

    weight: Fraction
    decisions: dict[int, Small] = field(default_factory=dict)
    narrowest: float = float("inf")
    close: int = 0
    values: Ints = field(default_factory=lambda: np.zeros((1, 4), dtype=np.int64))
    """What sets are worth, Blackjack and Hat Trick in two parts each; of two cards in the end."""

    def worth(self, reached: Ints) -> tuple[int, int]:
        """Blackjack net in half units and Hat Tricks won, over so many orders of two cards."""
        net, won = 0, 0
        for number in np.flatnonzero(reached):
            values, orders = self.values[number].tolist(), int(reached[number])
            net += orders * whole(values[:2])
            won += orders * whole(values[2:])
        return net, won


@dataclass(frozen=True, slots=True, eq=False)
class _Followed:
    net: int
    won: int
    reached: dict[int, Ints]


def in_parts(value: int) -> tuple[int, int]:
    """A whole number as the kernels add it up: units of 2**LIMB, and what is left."""
    return value >> LIMB, value & ((1 << LIMB) - 1)


def whole(parts: Sequence[int]) -> int:
    """The whole number that two parts stand for."""
    high, low = parts
    return (high << LIMB) + low


def first_best(worth: Ints, may: Small, weight: Fraction) -> tuple[int, int]:
    """The best of the choices that are allowed, the first of equals, and its lead over the next.

    `worth[choice]` is Blackjack in half units and the ways of the Hat Trick; the lead is in units
    of half a Blackjack bet over the denominator of the weight.
    """
    values = worth.tolist()
    totals = {
        choice: weight.denominator * whole(values[choice][:2])
        + 2 * weight.numerator * whole(values[choice][2:])
        for choice in range(len(values))
        if may[choice]
    }
    best = max(totals, key=lambda choice: totals[choice])
    return best, totals[best] - max(t for choice, t in totals.items() if choice != best)


def with_aces() -> Kinds:
    """A pair of Aces."""
    return tuple(2 if kind == ACE_KIND else 0 for kind in range(KINDS))


@cache
def _up_cards(options: BonusOptions, wins: frozenset[int]) -> tuple[_UpCard, ...]:
    game = blackjack(options)
    return tuple(_UpCard(game, rank, wins) for rank in range(13))


def joint_optimum(
    options: BonusOptions, ratio: Fraction, payoff: Fraction, wins: frozenset[int]
) -> Optimum:
    """The best joint play when the Hat Trick is `ratio` times the Blackjack bet.

    `payoff` is what the Hat Trick pays to 1 and `wins` are the categories with which Poker is not
    lost. Following Blackjack-only play through the same sums gives the chance of the joint law
    again, by another way; that the two agree is checked whenever it is counted.
    """
    chosen = BonusOptions(
        dealer_soft_17=options.dealer_soft_17,
        dealer_natural=options.dealer_natural,
        split_ace_ten=options.split_ace_ten,
        war_ace=options.war_ace,
    )
    return _joint_optimum(chosen, ratio, payoff, wins)


@kept
def _joint_optimum(
    chosen: BonusOptions, ratio: Fraction, payoff: Fraction, wins: frozenset[int]
) -> Optimum:
    weight = ratio * (payoff + 1)
    ways = 13 * ROUND_DRAWS
    net, won, plain_net, plain_won, close, narrowest = 0, 0, 0, 0, 0, float("inf")
    departures: list[Departure] = []
    for up in _up_cards(chosen, wins):
        best = up.best(weight)
        joint = up.follow(best.decisions, chosen)
        plain = up.follow(up.blackjack_decisions(), chosen)
        counted = best.worth(joint.reached[2])
        assert counted == (joint.net, joint.won), "play counted back and forth does not agree"
        net, won = net + joint.net, won + joint.won
        plain_net, plain_won = plain_net + plain.net, plain_won + plain.won
        narrowest, close = min(narrowest, best.narrowest), close + best.close
        departures += up.departures(best.decisions, joint.reached)
    expected = joint_law(chosen).probability(war=True, blackjack=True, poker=wins)
    assert Fraction(plain_won, ways) == expected, "two ways to count the Hat Trick do not agree"
    lost = Fraction(plain_net - net, 2 * ways)
    return Optimum(
        ratio=ratio,
        payoff=payoff,
        blackjack_house_edge=lost - blackjack(chosen).figures().law.mean,
        hat_trick_probability=Fraction(won, ways),
        gain=weight * Fraction(won - plain_won, ways) - lost,
        narrowest_margin=narrowest,
        close_decisions=close,
        departures=tuple(sorted(departures, key=lambda d: d.frequency, reverse=True)),
    )
