"""Triple Shot Bonus, its bets together: the joint law of War, Blackjack and six-card Poker.

The three bets share cards, so nothing about two of them is got by multiplying. What makes the sum
small: unseen cards are exchangeable, so the cards that complete the player's six may be thought
of as drawn before the dealer's; Blackjack and War need ranks only; and given the ranks of the six
cards, their suits are independent of everything that Blackjack and War look at.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, perm

import numpy as np
import numpy.typing as npt

from houseway.cards import make_card
from houseway.cards.hands import FiveCard
from houseway.exact.blackjack import (
    ENDS,
    KINDS,
    LONGEST,
    TEN_KIND,
    Blackjack,
    Decide,
    Kinds,
    Pays,
    blackjack,
    dealer_ends,
    hand_of_kinds,
    hands_of,
    rank_of_kind,
    split_hand,
    total,
    with_card,
)
from houseway.exact.kept import kept
from houseway.exact.kernels.bonus import DOUBLE, HIT, SPLIT, STAND, follow_strategy
from houseway.exact.tabulate import Small, category_by_suit, category_of_ranks
from houseway.games import blackjack as rules
from houseway.games.base import TIE
from houseway.games.blackjack import BlackjackDecision, BlackjackOptions
from houseway.games.triple_shot_bonus.rules import BonusOptions, compare_war, war_leg_lost

CODES: dict[BlackjackDecision, int] = {"stand": STAND, "hit": HIT, "double": DOUBLE, "split": SPLIT}
CATEGORIES = len(FiveCard)
SIX = rules.SIX_CARDS
KIND_OF = tuple(rules.rank_points(rank) - 1 for rank in range(13))
"""The kind of every rank."""
LIMB = 14
"""Bits at a time in which products that outgrow 64 bits are added up."""


@dataclass(frozen=True, slots=True)
class JointLaw:
    """counts[war comparison][blackjack net in half units - least][poker category], equal ways."""

    counts: tuple[tuple[tuple[int, ...], ...], ...]
    least: int
    """The least net result of Blackjack, in half units."""
    options: BonusOptions

    @property
    def total(self) -> int:
        """All ways."""
        return sum(n for war in self.counts for result in war for n in result)

    def probability(
        self, *, war: bool = False, blackjack: bool = False, poker: frozenset[int] | None = None
    ) -> Fraction:
        """P(none of the named legs is lost); Poker is named by the categories that win."""
        ways = 0
        for comparison, results in enumerate(self.counts):
            if war and war_leg_lost(comparison):
                continue
            for result, categories in enumerate(results):
                if blackjack and self.least + result < 0:
                    continue
                ways += sum(
                    n for category, n in enumerate(categories) if poker is None or category in poker
                )
        return Fraction(ways, self.total)

    def blackjack_law(self) -> dict[Fraction, Fraction]:
        """The law of the Blackjack net result by itself."""
        law: dict[Fraction, Fraction] = {}
        for results in self.counts:
            for result, categories in enumerate(results):
                if any(categories):
                    net = Fraction(self.least + result, 2)
                    law[net] = law.get(net, Fraction(0)) + Fraction(sum(categories), self.total)
        return law


@dataclass(frozen=True, slots=True, eq=False)
class HandGraph:
    """Blackjack hands as a graph of small ints for the kernel."""

    nodes: tuple[Kinds, ...]
    first_two: npt.NDArray[np.int16]
    after: npt.NDArray[np.int16]
    """after[hand, kind]: the hand with that card, -1 when it is over 21."""


@cache
def hand_graph() -> HandGraph:
    """Every Blackjack hand of two to six cards that is not over 21, and what each leads to."""
    nodes = tuple(hand for cards in range(2, SIX + 1) for hand in hands_of(cards))
    place = {hand: number for number, hand in enumerate(nodes)}
    nothing: Kinds = (0,) * KINDS
    first_two = np.full((KINDS, KINDS), -1, dtype=np.int16)
    after = np.full((len(nodes), KINDS), -1, dtype=np.int16)
    for first in range(KINDS):
        for second in range(KINDS):
            first_two[first, second] = place[with_card(with_card(nothing, first), second)]
    for hand, number in place.items():
        for kind in range(KINDS):
            after[number, kind] = place.get(with_card(hand, kind), -1)
    return HandGraph(nodes, first_two, after)


@dataclass(frozen=True, slots=True, eq=False)
class SixCardSets:
    """Multisets of six ranks, in the order of the kinds that Blackjack sees."""

    kinds: tuple[Kinds, ...]
    by_kinds: npt.NDArray[np.int64]
    """For every multiset of ranks the place of its multiset of kinds."""
    ranks: npt.NDArray[np.int64]
    """ranks[set, rank]: how many cards of each of the 13 ranks."""
    categories: npt.NDArray[np.int64]
    """categories[set, category]: in how many suits the ranks make each category."""


@kept
def six_card_sets() -> SixCardSets:
    """The 18,395 multisets of six ranks that a deck holds, with what their suits make."""
    found: list[tuple[Kinds, list[int], list[int]]] = []
    for chosen in combinations_with_replacement(range(13), SIX):
        counts = [chosen.count(rank) for rank in range(13)]
        if max(counts) > 4:
            continue
        hand = [0] * KINDS
        for rank in chosen:
            hand[KIND_OF[rank]] += 1
        found.append((tuple(hand), counts, _categories(chosen, counts)))
    found.sort()
    kinds, ranks, categories = zip(*found, strict=True)
    places = {hand: place for place, hand in enumerate(dict.fromkeys(kinds))}
    return SixCardSets(
        kinds=tuple(places),
        by_kinds=np.array([places[hand] for hand in kinds], dtype=np.int64),
        ranks=np.array(ranks, dtype=np.int64),
        categories=np.array(categories, dtype=np.int64),
    )


def _categories(chosen: tuple[int, ...], counts: list[int]) -> list[int]:
    """In how many suits six ranks make each category: most no flush, a few a flush."""
    found = [0] * CATEGORIES
    ways = 1
    for count in counts:
        ways *= comb(4, count)
    held = sorted(set(chosen))
    suited = category_by_suit()
    flushes = 0
    if len(held) >= 5:
        for size in (5, 6):
            for ranks in combinations(held, size):
                # Exactly these ranks in one suit: the other cards are of other suits.
                others = 1
                for rank in held:
                    more = counts[rank] - (rank in ranks)
                    others *= comb(3, more)
                if len(ranks) + sum(counts[r] - (r in ranks) for r in held) == SIX and others:
                    category = int(suited[sum(1 << rank for rank in ranks)])
                    found[category] += 4 * others
                    flushes += 4 * others
    found[category_of_ranks(chosen)] += ways - flushes
    return found


def joint_law(options: BonusOptions, decide: Decide | None = None) -> JointLaw:
    """The joint law under a way of playing Blackjack, the blackjack-optimal one unless given."""
    if decide is not None:
        return _joint_law(blackjack(options), options, decide)
    return _optimal_law(
        BonusOptions(
            dealer_soft_17=options.dealer_soft_17,
            dealer_natural=options.dealer_natural,
            split_ace_ten=options.split_ace_ten,
            war_ace=options.war_ace,
        )
    )


@kept
def _optimal_law(options: BonusOptions) -> JointLaw:
    game = blackjack(options)
    return _joint_law(game, options, game.best)


def _joint_law(game: Blackjack, options: BonusOptions, decide: Decide) -> JointLaw:
    sets, followed = six_card_sets(), _Followed(game, decide)
    results = np.zeros((KINDS, len(sets.kinds), KINDS, followed.span), dtype=np.int64)
    for up in range(KINDS):
        orders = followed.by_end(up)
        possible = np.flatnonzero(orders.any(axis=(1, 2, 3))).tolist()
        ends = dealer_ends(tuple(sets.kinds[number] for number in possible), up, options)
        ways = np.array([ends[sets.kinds[number]] for number in possible], dtype=np.int64)
        results[up, possible] = np.einsum("sfer,se->sfr", orders[possible], ways)
    counts = _exact_product(war_and_poker_weights(options.war_ace), results)
    return JointLaw(
        tuple(tuple(tuple(row) for row in war) for war in counts),
        followed.least,
        options,
    )


class _Followed:
    """A way of playing Blackjack, followed through every order of six cards."""

    def __init__(self, game: Blackjack, decide: Decide) -> None:
        self.game = game
        self.decision = decisions(game, decide)
        self.endings = endings(game.pays)
        self.least = self.endings.least
        """The least that a round can come to, in half units."""
        self.span = self.endings.most - self.least + 1

    def by_end(self, up: int) -> npt.NDArray[np.int64]:
        """orders[set of kinds, first kind, dealer's end, result] of the other five cards.

        They are for one card of that kind that comes first; sets that the deck does not hold
        beside the up card have none.
        """
        graph, sets, ends = hand_graph(), six_card_sets(), self.endings
        analysis = self.game.by_up[up]
        at_once = [analysis.found_at_once(end) for end in range(len(ENDS))]
        chosen = np.array(sets.kinds, dtype=np.int64)
        possible = (chosen <= np.array(analysis.left)).all(axis=1)
        found = np.zeros((int(possible.sum()), KINDS, len(ENDS), self.span), dtype=np.int64)
        follow_strategy(
            chosen[possible],
            up,
            np.array(at_once, dtype=np.int8),
            graph.first_two,
            graph.after,
            self.decision,
            ends.stand,
            ends.double,
            ends.over,
            ends.split,
            self.least,
            np.array([factorial(SIX - cards) for cards in range(SIX + 1)], dtype=np.int64),
            found,
        )
        orders = np.zeros((len(sets.kinds), *found.shape[1:]), dtype=np.int64)
        orders[possible] = found
        return orders


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """How the Blackjack of a seat goes, summed over the orders of its other five cards.

    Both are by [up kind, set of kinds, first kind, dealer's end], for one card that comes first.
    """

    halves: npt.NDArray[np.int64]
    """What is won, in half units."""
    kept: npt.NDArray[np.int64]
    """Orders in which the Blackjack leg is not lost."""


def play_of(game: Blackjack, decide: Decide) -> Play:
    """How Blackjack goes under a way of playing."""
    shape = (KINDS, len(six_card_sets().kinds), KINDS, len(ENDS))
    play = Play(np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64))
    followed = _Followed(game, decide)
    results = np.arange(followed.span) + followed.least
    for up in range(KINDS):
        orders = followed.by_end(up)
        play.halves[up] = orders @ results
        play.kept[up] = orders @ (results >= 0)
    return play


@dataclass(frozen=True, slots=True, eq=False)
class Endings:
    """What the rules pay every hand that may end, net in half units, by how the dealer ends."""

    stand: Small
    """stand[hand, end]: the hand goes no further."""
    double: Small
    """double[hand, end]: three cards of which the third came with a double."""
    over: Small
    """over[decision, end]: a hand that this decision took over 21."""
    split: Small
    """split[number, kind, end]: one Ace of a split pair with a card of that kind."""

    @property
    def both(self) -> Small:
        """both[kind, other, end]: split Aces together."""
        first, second = self.split
        together: Small = first[:, None] + second[None, :]
        return together

    @property
    def least(self) -> int:
        """The least that a round can come to."""
        return min(int(table.min()) for table in self._all)

    @property
    def most(self) -> int:
        """The most that a round can come to."""
        return max(int(table.max()) for table in self._all)

    @property
    def _all(self) -> tuple[Small, ...]:
        return self.stand, self.double, self.over, self.both


def endings(pays: Pays) -> Endings:
    """Every ending, by hand: the rules, asked once for each."""
    graph, ends = hand_graph(), range(len(ENDS))
    stand = np.zeros((len(graph.nodes), len(ENDS)), dtype=np.int8)
    double = np.zeros_like(stand)
    for number, hand in enumerate(graph.nodes):
        finished = stood(hand, pays.options)
        stand[number] = [pays.halves(finished, end) for end in ends]
        if finished.cards == 3:
            doubled = rules.Hand(total(hand), 3, doubled=True)
            double[number] = [pays.halves(doubled, end) for end in ends]
    split = np.zeros((2, KINDS, len(ENDS)), dtype=np.int8)
    for kind in range(KINDS):
        held = split_hand(kind)
        for number in (1, 2):
            split[number - 1, kind] = [pays.halves(held, end, number) for end in ends]
    return Endings(stand, double, _over_halves(pays), split)


def stood(hand: Kinds, options: BlackjackOptions) -> rules.Hand:
    """The hand when it goes no further: it stands where it might have gone on."""
    held = hand_of_kinds(hand)
    return rules.stand(held) if rules.status(held, options) is rules.Status.OPEN else held


def decisions(game: Blackjack, decide: Decide) -> Small:
    """decisions[hand, up kind] as codes; a hand that takes no decision stands."""
    graph = hand_graph()
    table = np.zeros((len(graph.nodes), KINDS), dtype=np.int8)
    for number, hand in enumerate(graph.nodes):
        if rules.status(hand_of_kinds(hand), game.options) is rules.Status.OPEN:
            for up in range(KINDS):
                if hand in game.by_up[up].values:
                    table[number, up] = CODES[decide(hand, up)]
    return table


def _over_halves(pays: Pays) -> Small:
    """What each decision comes to with a hand over 21; the same for all of them."""
    found: dict[int, set[int]] = {HIT: set(), DOUBLE: set()}
    for held in {rules.Hand(total(hand), sum(hand)) for hand in hand_graph().nodes}:
        for kind in range(KINDS):
            for code, take in ((HIT, rules.hit), (DOUBLE, rules.double)):
                taken = take(held, rank_of_kind(kind))
                if rules.is_bust(taken.total):
                    found[code].add(pays.decided_halves(taken))
    table = np.zeros((len(CODES), len(ENDS)), dtype=np.int8)
    for code, halves in found.items():
        assert len(halves) == 1, "hands over 21 differ in what they lose"
        table[code] = halves.pop()
    return table


@cache
def war_table(ace: str) -> npt.NDArray[np.int64]:
    """war[player's first rank, dealer's up rank] as the rules compare them."""
    options = BonusOptions(war_ace="low" if ace == "low" else "high")
    return np.array(
        [
            [compare_war(make_card(p, 0), make_card(d, 1), options) for d in range(13)]
            for p in range(13)
        ],
        dtype=np.int64,
    )


def war_stands(ace: str) -> npt.NDArray[np.bool_]:
    """stands[first rank, up rank]: War is not lost. It follows from kinds unless both are tens."""
    tens = [rank for rank in range(13) if KIND_OF[rank] == TEN_KIND]
    stands = np.array([[not war_leg_lost(c) for c in row] for row in war_table(ace).tolist()])
    for kind in range(TEN_KIND):
        ranks = [rank for rank in range(13) if KIND_OF[rank] == kind]
        for cards in (stands[np.ix_(ranks, tens)], stands[np.ix_(tens, ranks)]):
            assert cards.all() or not cards.any()
    return stands


@cache
def war_and_poker_weights(ace: str) -> npt.NDArray[np.int64]:
    """weights[up kind, set of kinds, first kind, war, category]: suits, first cards, up cards."""
    sets, war = six_card_sets(), war_table(ace)
    starts = np.searchsorted(sets.by_kinds, np.arange(len(sets.kinds)))
    weights = np.zeros((KINDS, len(sets.kinds), KINDS, TIE + 2, CATEGORIES), dtype=np.int64)
    for first in range(13):
        for up in range(13):
            # Cards of the first rank in the set, times cards of the up rank outside it.
            cases = sets.ranks[:, first] * (4 - sets.ranks[:, up])
            spread = sets.categories * cases[:, None]
            target = weights[KIND_OF[up], :, KIND_OF[first], war[first, up], :]
            target += np.add.reduceat(spread, starts, axis=0)
    return weights


def _exact_product(
    weights: npt.NDArray[np.int64], results: npt.NDArray[np.int64]
) -> list[list[list[int]]]:
    """counts[war][result][category]: the sum over cases of weight times result, exact."""
    flat_weights = weights.reshape(-1, weights.shape[3] * weights.shape[4])
    flat_results = results.reshape(-1, results.shape[-1])
    used = flat_results.any(axis=1)
    left, right = flat_weights[used].T.astype(np.float64), flat_results[used]
    largest = int(left.max()) * (1 << LIMB) * int(used.sum())
    # Floats multiply matrices many times faster than whole numbers, and exactly up to here.
    assert largest < 1 << 53, "a sum of limbs would not be exact"
    span = results.shape[-1]
    product = [[0] * span for _ in range(left.shape[0])]
    shift = 0
    while right.any():
        part = left @ (right & ((1 << LIMB) - 1)).astype(np.float64)
        for row, values in enumerate(part.astype(np.int64).tolist()):
            for column, value in enumerate(values):
                product[row][column] += value << shift
        right = right >> LIMB
        shift += LIMB
    return [
        [
            [product[war * CATEGORIES + category][result] for category in range(CATEGORIES)]
            for result in range(span)
        ]
        for war in range(weights.shape[3])
    ]


def all_ways() -> int:
    """What the counts of a joint law add to: six cards, which is first, the up card, the rest."""
    return comb(52, SIX) * SIX * 46 * factorial(5) * perm(45, LONGEST)
