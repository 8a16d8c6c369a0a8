"""Walks over sets of cards with suits, for play that has the six-card hand in mind too.

Sets of n cards are numbered in colexicographic order: the number of c1 < c2 < ... is the sum of
C(c_i, i). The up card is of suit 0, so the other three suits may be exchanged, and one set stands
for up to six.

What a hand is worth, what may be decided on it, which ends of the dealer leave it unlost and which
cards keep the Poker leg are tables that the rules were asked for. A complete hand keeps that leg
when wins[ranks] + suited[suits] > 0: the suits win, lose, or leave it to the ranks.
"""

import numpy as np
from numba import njit

from houseway.cards import DECK_SIZE
from houseway.tabulate import Floats, Ints, Ints32, Short, Small

LIMB = 24
"""Sums are kept in two parts, units of 2**LIMB and the rest, so that 64 bits hold them."""
STAND, HIT, DOUBLE, SPLIT = range(4)
SUIT_BITS = 3
"""Suits are four counters of so many bits each, in one number."""


@njit("void(int64[:], int64)", cache=True, nogil=True)
def _advance(cards: Ints, count: int) -> None:
    """The next set in order: the first card that has room moves and the lower ones start anew."""
    place = 0
    while place + 1 < count and cards[place] + 1 == cards[place + 1]:
        cards[place] = place
        place += 1
    cards[place] += 1


@njit("UniTuple(int64, 3)(int64[:], int64, int32[:,:])", cache=True, nogil=True)
def _read(cards: Ints, count: int, after: Ints32) -> tuple[int, int, int]:
    """A set's multiset of ranks, its four suit counters, and its cards as bits."""
    ranks, suits, taken = 0, 0, 0
    for place in range(count):
        ranks = after[ranks, cards[place] >> 2]
        suits += 1 << (SUIT_BITS * (cards[place] & 3))
        taken |= 1 << cards[place]
    return ranks, suits, taken


@njit("int64(int64[:], int64, int64[:,:])", cache=True, nogil=True)
def _number(cards: Ints, count: int, binomial: Ints) -> int:
    found = 0
    for place in range(count):
        found += binomial[cards[place], place + 1]
    return found


@njit("void(int64, int64[:,:], int64[:,:], int32[:])", cache=True, nogil=True)
def find_representatives(count: int, changes: Ints, binomial: Ints, found: Ints32) -> None:
    """found[set]: the least number among the sets that a change of suits makes of it."""
    cards = np.arange(count)
    changed = np.empty(count, dtype=np.int64)
    for number in range(found.size):
        least = number
        for change in range(changes.shape[0]):
            for place in range(count):
                card = cards[place]
                other = (card >> 2 << 2) | changes[change, card & 3]
                spot = place
                while spot > 0 and changed[spot - 1] > other:
                    changed[spot] = changed[spot - 1]
                    spot -= 1
                changed[spot] = other
            least = min(least, _number(changed, count, binomial))
        found[number] = least
        _advance(cards, count)


@njit(
    "void(int64, int64, int64, int64, int64, int32[:,:], int8[:], int8[:], int64[:], int64[:])",
    cache=True,
    nogil=True,
)
def _complete(
    ranks: int,
    suits: int,
    taken: int,
    up: int,
    left: int,
    after: Ints32,
    wins: Small,
    suited: Small,
    ways: Ints,
    found: Ints,
) -> None:
    """Add the ways over every set of `left` further cards, one or more, that keeps the leg."""
    chosen = np.empty(left, dtype=np.int64)
    by_rank = np.empty(left, dtype=np.int64)
    by_suit = np.empty(left, dtype=np.int64)
    by_rank[0], by_suit[0] = ranks, suits
    depth = 0
    chosen[0] = -1
    while depth >= 0:
        card = chosen[depth] + 1
        while card < DECK_SIZE and (card == up or taken >> card & 1):
            card += 1
        if card >= DECK_SIZE:
            depth -= 1
            continue
        chosen[depth] = card
        then = after[by_rank[depth], card >> 2]
        counted = by_suit[depth] + (1 << (SUIT_BITS * (card & 3)))
        if depth + 1 == left:
            if wins[then] + suited[counted] > 0:
                found[0] += ways[then] >> LIMB
                found[1] += ways[then] & ((1 << LIMB) - 1)
        else:
            depth += 1
            chosen[depth] = card
            by_rank[depth], by_suit[depth] = then, counted


@njit(
    "void(int64, int64, int64, int32[:], int32[:,:], int16[:], int16[:], int8[:], int8[:], "
    "int64[:,:], int64[:,:])",
    cache=True,
    nogil=True,
)
def sum_stops(
    count: int,
    left: int,
    up: int,
    representative: Ints32,
    after: Ints32,
    node: Short,
    mask: Short,
    wins: Small,
    suited: Small,
    ways: Ints,
    found: Ints,
) -> None:
    """found[set] = ways that both legs are kept when Blackjack stops with this set.

    `left` cards complete the hand. `node[ranks]` is the Blackjack hand of a multiset of ranks, -1
    when it is over 21; `mask[node]` says which row of `ways` counts the dealer's ends that do not
    beat it.
    """
    cards = np.arange(count)
    for number in range(representative.size):
        if representative[number] == number:
            ranks, suits, taken = _read(cards, count, after)
            held = node[ranks]
            if held >= 0 and not taken >> up & 1:
                row = ways[mask[held]]
                _complete(ranks, suits, taken, up, left, after, wins, suited, row, found[number])
        _advance(cards, count)


@njit("int64(int64[:], int64, int64, int64[:,:])", cache=True, nogil=True)
def _number_with(cards: Ints, count: int, card: int, binomial: Ints) -> int:
    """The number of a sorted set with one more card."""
    found, place = 0, 0
    while place < count and cards[place] < card:
        found += binomial[cards[place], place + 1]
        place += 1
    found += binomial[card, place + 1]
    while place < count:
        found += binomial[cards[place], place + 2]
        place += 1
    return int(found)


@njit(
    "float64(int64, boolean, int64, int32[:], int32[:], int64[:,:], int32[:,:], int16[:], "
    "int8[:,:], float64[:], float64[:], float64[:,:], float64, float64[:], float64[:], "
    "float64[:], float64[:], int16[:], float64[:,:], int8[:], int8[:], int8[:], float64[:])",
    cache=True,
    nogil=True,
)
def decide(
    count: int,
    is_last: bool,
    up: int,
    representative: Ints32,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    may: Small,
    stand: Floats,
    double: Floats,
    over: Floats,
    weight: float,
    hat: Floats,
    hat_above: Floats,
    value_above: Floats,
    split: Floats,
    mask: Short,
    complete: Floats,
    wins: Small,
    suited: Small,
    decision: Small,
    value: Floats,
) -> float:
    """Fill decision[set] and value[set] with the best choice; return the narrowest margin.

    `may[hand, choice]` is 1 for what is allowed. `stand` and `double` are Blackjack values by
    hand, `over[choice]` those of hands over 21 by ranks; `hat` is the chance of the other legs by
    set and `weight` what they are worth. `value_above` and `hat_above` belong to sets of one card
    more; when that card is the last, complete[row, ranks] is the chance instead.
    """
    cards = np.arange(count)
    narrowest = 1e9
    unseen = DECK_SIZE - 1 - count
    for number in range(representative.size):
        if representative[number] == number:
            ranks, suits, taken = _read(cards, count, after)
            held = node[ranks]
            if held >= 0 and not taken >> up & 1:
                best, second, choice = stand[held] + weight * hat[number], -1e9, STAND
                if may[held, STAND]:
                    hit, twice = 0.0, 0.0
                    for card in range(DECK_SIZE):
                        if card == up or taken >> card & 1:
                            continue
                        then = after[ranks, card >> 2]
                        if node[then] < 0:
                            hit += over[HIT, then]
                            twice += over[DOUBLE, then]
                        elif is_last:
                            leg = 0.0
                            counted = suits + (1 << (SUIT_BITS * (card & 3)))
                            if wins[then] + suited[counted] > 0:
                                leg = weight * complete[mask[node[then]], then]
                            hit += stand[node[then]] + leg
                            twice += double[node[then]] + leg
                        else:
                            spot = above[_number_with(cards, count, card, binomial)]
                            hit += value_above[spot]
                            if may[held, DOUBLE]:
                                twice += double[node[then]] + weight * hat_above[spot]
                    for option in range(HIT, SPLIT + 1):
                        if not may[held, option]:
                            continue
                        if option == SPLIT:
                            worth = split[number]
                        else:
                            worth = (hit if option == HIT else twice) / unseen
                        if worth > best:
                            best, second, choice = worth, best, option
                        elif worth > second:
                            second = worth
                    narrowest = min(narrowest, best - second)
                value[number] = best
                decision[number] = choice
        _advance(cards, count)
    return narrowest


@njit(
    "void(int64, boolean, int64, int32[:], int32[:], int64[:,:], int32[:,:], int16[:], int8[:,:], "
    "int64[:], int64, int64, int64[:,:], int64[:,:], int64[:,:], int16[:], int64[:,:], int8[:], "
    "int8[:], int8[:], int64[:], int64[:,:], int64[:])",
    cache=True,
    nogil=True,
)
def go_forward(
    count: int,
    is_last: bool,
    up: int,
    representative: Ints32,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    may: Small,
    reached: Ints,
    orders: int,
    orders_above: int,
    hat: Ints,
    hat_above: Ints,
    split: Ints,
    mask: Short,
    ways: Ints,
    wins: Small,
    suited: Small,
    decision: Small,
    reached_above: Ints,
    ended: Ints,
    won: Ints,
) -> None:
    """Follow a way of playing from sets of `count` cards, with the ordered ways to each.

    `orders` counts the orders of the cards that complete a set, `orders_above` those of one that
    has a card more. `ended[how, ranks]` gathers ways by the decision that Blackjack ended with;
    `won` gathers, in two parts, the ways that the Hat Trick is won.
    """
    cards = np.arange(count)
    for number in range(representative.size):
        times = reached[number]
        if times:
            ranks, suits, taken = _read(cards, count, after)
            choice = decision[number] if may[node[ranks], STAND] else STAND
            if choice == STAND:
                ended[STAND, ranks] += times
                won[0] += times * orders * hat[number, 0]
                won[1] += times * orders * hat[number, 1]
            elif choice == SPLIT:
                ended[SPLIT, ranks] += times
                won[0] += times * split[number, 0]
                won[1] += times * split[number, 1]
            else:
                for card in range(DECK_SIZE):
                    if card == up or taken >> card & 1:
                        continue
                    then = after[ranks, card >> 2]
                    held = node[then]
                    spot = 0
                    if not is_last:
                        spot = above[_number_with(cards, count, card, binomial)]
                    if choice == HIT and held >= 0 and may[held, STAND]:
                        reached_above[spot] += times
                        continue
                    ended[choice, then] += times
                    if held < 0:
                        continue
                    if not is_last:
                        won[0] += times * orders_above * hat_above[spot, 0]
                        won[1] += times * orders_above * hat_above[spot, 1]
                    elif wins[then] + suited[suits + (1 << (SUIT_BITS * (card & 3)))] > 0:
                        won[0] += times * (ways[mask[held], then] >> LIMB)
                        won[1] += times * (ways[mask[held], then] & ((1 << LIMB) - 1))
        _advance(cards, count)


@njit(
    "void(int64, int64, int64, int64, int32[:,:], int8[:], int8[:], int16[:], int16[:,:], "
    "int64[:,:], int64[:])",
    cache=True,
    nogil=True,
)
def sum_split(
    first: int,
    second: int,
    left: int,
    up: int,
    after: Ints32,
    wins: Small,
    suited: Small,
    kind_of: Short,
    mask: Short,
    ways: Ints,
    found: Ints,
) -> None:
    """Ways that both legs are kept when a pair is split, in two parts.

    Each hand gets a card, in order; `left` more complete the set, in any. The row of `ways` is
    mask[kind of the one, kind of the other].
    """
    start = after[after[0, first >> 2], second >> 2]
    pair = (1 << (SUIT_BITS * (first & 3))) + (1 << (SUIT_BITS * (second & 3)))
    for one in range(DECK_SIZE):
        for other in range(DECK_SIZE):
            if one == other or one in (first, second, up) or other in (first, second, up):
                continue
            ranks = after[after[start, one >> 2], other >> 2]
            suits = pair + (1 << (SUIT_BITS * (one & 3))) + (1 << (SUIT_BITS * (other & 3)))
            taken = 1 << first | 1 << second | 1 << one | 1 << other
            row = ways[mask[kind_of[one >> 2], kind_of[other >> 2]]]
            _complete(ranks, suits, taken, up, left, after, wins, suited, row, found)


@njit("void(int64, int32[:,:], int32[:])", cache=True, nogil=True)
def list_ranks(count: int, after: Ints32, found: Ints32) -> None:
    """found[set]: the multiset of ranks of every set of cards, in order."""
    cards = np.arange(count)
    for number in range(found.size):
        ranks = 0
        for place in range(count):
            ranks = after[ranks, cards[place] >> 2]
        found[number] = ranks
        _advance(cards, count)


def binomials() -> Ints:
    """table[n, k] = n over k."""
    table = np.zeros((53, 8), dtype=np.int64)
    table[:, 0] = 1
    for n in range(1, 53):
        for k in range(1, 8):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table
