"""Card sets: sets of cards with suits and multisets of ranks, as small ints for the kernels.

A suit matters to the six-card hand only, and suits that the up card does not have may be
exchanged: one set of cards stands for up to six.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb

import numpy as np

from houseway.exact.blackjack import KINDS, Kinds
from houseway.exact.bonus import hand_graph
from houseway.exact.kernels.optimum import SUIT_BITS, binomials, find_representatives, list_ranks
from houseway.exact.tabulate import Ints, Ints32, Short, Small, categories_by_suited
from houseway.games import blackjack as rules

SIX = rules.SIX_CARDS
MOST_HELD = SIX - 1
"""Most cards with which there is something to decide."""


@dataclass(frozen=True, slots=True, eq=False)
class RankSets:
    """Multisets of up to six ranks, as small ints."""

    multisets: tuple[tuple[int, ...], ...]
    after: Ints32
    """after[multiset, rank]: the multiset with that rank more."""
    node: Short
    """Which Blackjack hand a multiset is, -1 when it is none or over 21."""
    distinct: tuple[Kinds, ...]
    """Every multiset of kinds of cards that they come to, each once."""
    place: Ints
    """Where the kinds of a multiset of ranks stand among these."""

    def kinds(self, number: int) -> Kinds:
        """The kinds of a multiset of ranks."""
        return self.distinct[self.place[number]]


@cache
def rank_sets() -> RankSets:
    """Every multiset of up to six ranks that a deck holds."""
    graph = hand_graph()
    place = {hand: number for number, hand in enumerate(graph.nodes)}
    multisets = [
        ranks
        for size in range(SIX + 1)
        for ranks in combinations_with_replacement(range(13), size)
        if all(ranks.count(rank) <= 4 for rank in ranks)
    ]
    numbers = {ranks: number for number, ranks in enumerate(multisets)}
    after = np.full((len(multisets), 13), -1, dtype=np.int32)
    distinct: dict[Kinds, int] = {}
    kinds_of: list[int] = []
    node = np.full(len(multisets), -1, dtype=np.int16)
    for ranks, number in numbers.items():
        hand = [0] * KINDS
        for rank in ranks:
            hand[rules.rank_points(rank) - 1] += 1
        kinds_of.append(distinct.setdefault(tuple(hand), len(distinct)))
        node[number] = place.get(tuple(hand), -1)
        for rank in range(13):
            after[number, rank] = numbers.get(tuple(sorted((*ranks, rank))), -1)
    return RankSets(tuple(multisets), after, node, tuple(distinct), np.array(kinds_of))


@dataclass(frozen=True, slots=True, eq=False)
class CardSets:
    """Sets of cards, by how many they are and by number."""

    representative: dict[int, Ints32]
    """Which set stands for a set: the least that a change of suits makes of it."""
    ranks: dict[int, Ints32]
    """Which multiset of ranks a set has."""


@cache
def card_sets() -> CardSets:
    """Every set of two to five cards; sets that a change of suits makes of one share one."""
    representative, listed = {}, {}
    changes = np.array([(0, *order) for order in permutations((1, 2, 3))], dtype=np.int64)
    for count in range(2, MOST_HELD + 1):
        representative[count] = np.zeros(comb(52, count), dtype=np.int32)
        find_representatives(count, changes, binomials(), representative[count])
        listed[count] = np.zeros(comb(52, count), dtype=np.int32)
        list_ranks(count, rank_sets().after, listed[count])
    return CardSets(representative, listed)


def suits_table(wins: frozenset[int]) -> Small:
    """What the suits of six cards say of Poker: 1 that it is won, -1 lost, 0 nothing.

    Where five of a suit are held the ranks do not matter; that they beat what the ranks make by
    themselves is shown by the tests of the classifiers.
    """
    table = np.zeros(1 << 4 * SUIT_BITS, dtype=np.int8)
    for counts in product(range(SIX + 1), repeat=4):
        made = categories_by_suited()[max(counts)]
        if sum(counts) == SIX and made:
            if made - wins and made & wins:
                raise ValueError(f"of {sorted(made)} some win and some lose; only ranks tell")
            place = sum(held << SUIT_BITS * suit for suit, held in enumerate(counts))
            table[place] = 1 if made <= wins else -1
    return table
