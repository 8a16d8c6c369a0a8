"""Two seats of Triple Shot Bonus at one table, the long way.

`second_seat` deals a seat and the dealer in the order of the table from what another seat leaves:
two cards, the hole card, the player's draws, the dealer's draws. Nothing is changed round, the hole
card lies there before the player draws. Ways are whole numbers of ordered draws; draws that nobody
needs are filled up with any cards, so that all ways count alike. `kind_pairs` lays the dealer's
cards down first and counts two hands apart by inclusion and exclusion, over kinds;
`inclusion_and_exclusion` does so over cards; `pairs_apart` looks at every two hands. Clauses:
TSB-05, TSB-08..14, TSB-18; readings A-25, A-43, A-52.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb, perm
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .exact_hat_trick import (
    ACE_KIND,
    CATEGORIES,
    ENDS,
    FULL_DECK,
    KIND,
    PLACE_VALUES,
    TEN_KIND,
    Counts,
    Pays,
    Rules,
    _dealer_stops,
    _doubled,
    _end,
    _is_natural,
    _split,
    _stood,
    _total,
    sixes,
)
from .masks import category as category_of_masks
from .three_cards import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLAYER_DRAWS, DEALER_DRAWS = 4, 8
"""The most that a player draws to two cards and a dealer to two; counted in every case."""


def second_seat(
    gone: Counts, up: int, decide: Callable[[Counts, int], str], rules: Rules
) -> tuple[list[int], int]:
    """Half units times ways by the dealer's end, and all ways, when six cards of kinds are gone."""
    left = [count - less for count, less in zip(FULL_DECK, gone, strict=True)]
    left[up] -= 1
    assert min(left) >= 0
    sums = [0] * len(ENDS)
    for hole in range(10):
        if left[hole]:
            under = _without(left, hole)
            stopped = _stopped_hands(under, up, hole, decide, rules)
            hands = list(dict.fromkeys(held for held, _ in stopped))
            found = _dealer_ends(hands, under, (up, hole), rules.dealer_soft_17)
            for (held, pays), ways in stopped.items():
                ends = found[held]
                for end, net in enumerate(pays):
                    assert net is not None
                    sums[end] += left[hole] * ways * net * ends[end]
    return sums, perm(sum(left), 3 + PLAYER_DRAWS + DEALER_DRAWS)


def _without(left: Sequence[int], *kinds: int) -> tuple[int, ...]:
    return tuple(count - kinds.count(kind) for kind, count in enumerate(left))


def _stopped_hands(
    left: tuple[int, ...], up: int, hole: int, decide: Callable[[Counts, int], str], rules: Rules
) -> Counter[tuple[tuple[int, ...], Pays]]:
    """Ordered ways to every hand that takes no more cards, with what it pays by end."""
    stopped: Counter[tuple[tuple[int, ...], Pays]] = Counter()
    reached: Counter[tuple[int, ...]] = Counter()
    for first, second in product(range(10), repeat=2):
        reached[min(first, second), max(first, second)] += (
            left[first] * _without(left, first)[second]
        )
    if rules.dealer_natural == "peek" and {up, hole} == {ACE_KIND, TEN_KIND}:
        # The dealer looks, and nobody plays.
        return Counter({(held, _stood(held)): ways for held, ways in reached.items() if ways})
    while reached:
        drawn: Counter[tuple[int, ...]] = Counter()
        for held, ways in reached.items():
            over = _is_natural(held) or len(held) == 6 or _total(held)[0] > 21
            counts = tuple(held.count(kind) for kind in range(10))
            decision = "stand" if over else decide(counts, up)
            if decision == "stand":
                stopped[held, _stood(held)] += ways
                continue
            rest = _without(left, *held)
            for kind in range(10):
                more, then = tuple(sorted((*held, kind))), ways * rest[kind]
                if decision == "hit":
                    drawn[more] += then
                elif decision == "double":
                    stopped[more, _doubled(more, rules)] += then
                else:
                    for other, count in enumerate(_without(rest, kind)):
                        both = tuple(sorted((*more, other)))
                        stopped[both, _split(kind, other, rules)] += then * count
        reached = Counter({held: ways for held, ways in drawn.items() if ways})
    return Counter({stop: ways for stop, ways in stopped.items() if ways})


def _dealer_ends(
    hands: list[tuple[int, ...]], left: tuple[int, ...], two: tuple[int, int], soft_17: str
) -> dict[tuple[int, ...], list[int]]:
    """Ways of the dealer's draws and of all spare ones by end, for hands that a player holds.

    Every order of the dealer's draws is followed card by card, for all hands side by side.
    """
    rest = np.array([_without(left, *held) for held in hands], dtype=np.int64).T
    ways = np.zeros((DEALER_DRAWS + 1, len(ENDS), len(hands)), dtype=np.int64)

    def draw(held: tuple[int, ...], so_far: npt.NDArray[np.int64]) -> None:
        drawn = len(held) - 2
        if _dealer_stops(held, soft_17):
            ways[drawn, _end(held)] += so_far
            return
        for kind in range(10):
            still = so_far * rest[kind]
            if still.any():
                # Where none was left, `still` is nothing already and stays so.
                rest[kind] -= 1
                draw((*held, kind), still)
                rest[kind] += 1

    draw(two, np.ones(len(hands), dtype=np.int64))
    found = {}
    for held, counts in zip(hands, ways.transpose(2, 1, 0).tolist(), strict=True):
        cards, spare = sum(left) - len(held), PLAYER_DRAWS + 2 - len(held) + DEALER_DRAWS
        found[held] = [
            sum(n * perm(cards - drawn, spare - drawn) for drawn, n in enumerate(row) if n)
            for row in counts
        ]
    return found


Hands = npt.NDArray[np.uint64]


def hands_of_kinds(kinds: Counts) -> tuple[list[tuple[str, ...]], Hands]:
    """Every hand of cards with these kinds, and each as bits."""
    by_kind = [
        [rank + suit for rank in RANKS if KIND[RANKS.index(rank)] == kind for suit in SUITS]
        for kind in range(10)
    ]
    chosen = [combinations(by_kind[kind], count) for kind, count in enumerate(kinds)]
    hands = [tuple(card for part in parts for card in part) for parts in product(*chosen)]
    place = {rank + suit: 4 * n + m for n, rank in enumerate(RANKS) for m, suit in enumerate(SUITS)}
    bits = np.array([sum(1 << place[card] for card in hand) for hand in hands], dtype=np.uint64)
    return hands, bits


def rank(card: str) -> int:
    """The place of a card's rank in `RANKS`."""
    return RANKS.index(card[0])


def categories(hands: Sequence[tuple[str, ...]]) -> list[str]:
    """The category of each hand of six cards."""
    found = []
    for hand in hands:
        masks = dict.fromkeys(SUITS, 0)
        for card in hand:
            masks[card[1]] |= 1 << rank(card)
        clubs, diamonds, hearts, spades = masks.values()
        found.append(category_of_masks((clubs, diamonds, hearts, spades)))
    return found


def pairs_apart(
    ones: Hands,
    twos: Hands,
    by_one: npt.NDArray[np.float64],
    by_two: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """sums[a, b] of by_one[hand, a] * by_two[other, b] over all two hands without a common card."""
    sums = np.zeros((by_one.shape[1], by_two.shape[1]))
    worth = by_one.any(axis=1)
    ones, by_one = ones[worth], by_one[worth]
    for start in range(0, ones.size, 200):
        part = slice(start, start + 200)
        apart = (ones[part, None] & twos[None, :]) == 0
        sums += by_one[part].T @ (apart.astype(np.float64) @ by_two)
    assert np.abs(sums).max(initial=0) < 2**53
    return sums


def dealer_draws(up: int, soft_17: str) -> dict[int, Counter[Counts]]:
    """By end, every set of kinds that a dealer draws to an up card and its number of orders."""
    found: dict[int, Counter[Counts]] = {end: Counter() for end in range(len(ENDS))}

    def draw(held: tuple[int, ...], left: tuple[int, ...]) -> None:
        if len(held) > 1 and _dealer_stops(held, soft_17):
            found[_end(held)][tuple(held[1:].count(kind) for kind in range(10))] += 1
            return
        for kind in range(10):
            if left[kind]:
                draw((*held, kind), _without(left, kind))

    draw((up,), _without(FULL_DECK, up))
    return found


def kind_pairs(worth: dict[Counts, list[int]], up: int, soft_17: str, prime: int) -> int:
    """The sum over two seats of what both are worth, times the dealer's ways, less multiples.

    `worth[kinds][end]` is the same for both. The dealer's cards are laid down first; then of all
    pairs of hands those that share a card are taken away, those that share two put back and so
    on, which needs sums over single hands only. The result is a remainder by a prime.
    """
    places = {
        kinds: place
        for place, kinds in enumerate(
            tuple(chosen.count(kind) for kind in range(10))
            for cards in range(7)
            for chosen in combinations_with_replacement(range(10), cards)
        )
    }
    counts = np.array(list(places), dtype=np.int64)
    above = {
        (kind, more): np.array(
            [
                places.get((*held[:kind], held[kind] + more, *held[kind + 1 :]), len(places))
                for held in places
            ]
        )
        for kind in range(10)
        for more in range(1, 7)
    }
    choose = np.array([[comb(n, k) for k in range(7)] for n in range(17)], dtype=np.int64)
    sign = np.where(counts.sum(axis=1) % 2, -1, 1)
    total = 0
    for end, drawn in dealer_draws(up, soft_17).items():
        start = np.zeros(len(places) + 1, dtype=np.int64)
        for kinds, by_end in worth.items():
            start[places[kinds]] = by_end[end]
        for draws, orders in drawn.items():
            left = [
                n - (kind == up) - d
                for kind, (n, d) in enumerate(zip(FULL_DECK, draws, strict=True))
            ]
            unused = perm(39 - sum(draws), 9 - sum(draws))
            ways = orders * unused
            for n, d in zip(_without(FULL_DECK, up), draws, strict=True):
                ways *= perm(n, d)
            sums = start.copy()
            shared = np.ones(len(places), dtype=np.int64)
            for kind in range(10):
                held = counts[:, kind]
                after = sums[:-1].copy()
                for more in range(1, min(left[kind], 6) + 1):
                    free = np.maximum(left[kind] - held, 0)
                    after += choose[free, more] * sums[above[kind, more]]
                sums[:-1] = after
                shared *= choose[left[kind], held]
            rest = sums[:-1] % prime
            total += ways * int((sign * (rest * rest % prime) * (shared % prime) % prime).sum())
    return total % prime


def inclusion_and_exclusion(nets: npt.NDArray[np.int64]) -> int:
    """The sum of what two hands of six cards apart are worth, from nets by category.

    For every set of cards the sum over the hands that hold it is squared; sets of an odd number
    are taken away. Sums over six cards give those over five, and so on down to none.
    """
    choose = [np.array([comb(card, k) for card in range(52)], dtype=np.int64) for k in range(7)]
    total, sums = 0, _worth_of_all(nets)
    for size in range(6, -1, -1):
        total += (-1) ** size * _sum_of_squares(sums)
        if size == 0:
            break
        cards = _all_sets(size)
        less = np.zeros(comb(52, size - 1), dtype=np.int64)
        for gone in range(size):
            number = np.zeros(len(sums), dtype=np.int64)
            for place in range(size):
                if place != gone:
                    number += choose[place + 1 - (place > gone)].take(cards[place])
            less += np.bincount(number, weights=sums, minlength=len(less)).astype(np.int64)
        # A hand with these cards has been met once for each of its other cards.
        assert not (less % (7 - size)).any()
        sums = less // (7 - size)
    return total


def _sum_of_squares(sums: npt.NDArray[np.int64]) -> int:
    low = sums & 0xFFFF
    high = sums >> 16
    parts = [int((high * high).sum()), int((high * low).sum()), int((low * low).sum())]
    return (parts[0] << 32) + (parts[1] << 17) + parts[2]


def _all_sets(size: int) -> list[npt.NDArray[np.int8]]:
    """The cards of every set, lowest first, in the order in which sets are numbered."""
    columns = [np.arange(52, dtype=np.int8)]
    for more in range(1, size):
        # Behind every highest card come all sets of lower ones.
        behind = [comb(card, more) for card in range(52)]
        highest = np.repeat(np.arange(52, dtype=np.int8), behind)
        lower = np.concatenate([np.arange(n) for n in behind])
        columns = [*(column[lower] for column in columns), highest]
    return columns


def _worth_of_all(nets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What every hand of six cards is worth, by its ranks and, where it has one, by its flush."""
    cards, known = _all_sets(6), sixes()
    code = np.zeros(len(cards[0]), dtype=np.int64)
    for card in cards:
        code += PLACE_VALUES[card >> 2]
    plain = np.array([_plain_category(code) for code in known.codes.tolist()])
    category = plain[np.searchsorted(known.codes, code)]
    for suit in range(4):
        held = np.zeros(len(code), dtype=np.int8)
        for card in cards:
            held += (card & 3) == suit
        flush = np.flatnonzero(held >= 5)
        masks = np.zeros(len(flush), dtype=np.int64)
        for card in cards:
            ranks = card[flush].astype(np.int64)
            masks |= np.where(ranks & 3 == suit, 1 << (ranks >> 2), 0)
        made = [CATEGORIES.index(category_of_masks((mask, 0, 0, 0))) for mask in masks.tolist()]
        category[flush] = np.maximum(category[flush], np.array(made))
    return np.asarray(nets[category], dtype=np.int64)


def _plain_category(code: int) -> int:
    """The category of six ranks without a flush: suits in turn."""
    ranks = [rank for rank in range(13) for _ in range(code // 5**rank % 5)]
    masks = [0, 0, 0, 0]
    for number, rank_number in enumerate(ranks):
        masks[number % 4] |= 1 << rank_number
    return CATEGORIES.index(category_of_masks((masks[0], masks[1], masks[2], masks[3])))
