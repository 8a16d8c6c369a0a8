"""Walks over sets of cards with suits, for play that has the six-card hand in mind too.

Sets of n cards are numbered in colexicographic order: the number of c1 < c2 < ... is the sum of
C(c_i, i). The up card is of suit 0, so the other three suits may be exchanged, and one set stands
for up to six.
"""

import numpy as np
from numba import njit

from houseway.tabulate import Floats, Ints, Ints32, Short, Small

LIMB = 24
"""Sums are kept in two parts, units of 2**LIMB and the rest, so that 64 bits hold them."""
STAND, HIT, DOUBLE, SPLIT = range(4)
FLUSH_CARRY = 0x3333
FLUSH_BITS = 0x8888
"""Four counters of four bits, one a suit: adding 3 to each carries where there are 5 or more."""


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
        suits += 1 << (4 * (cards[place] & 3))
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
    "void(int64, int64, int64, int64, int64, int32[:,:], int8[:], int64[:], boolean, int64[:])",
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
    ways: Ints,
    flush_wins: bool,
    found: Ints,
) -> None:
    """Add the ways over every set of `left` further cards with which six cards win."""
    if left == 0:
        if wins[ranks] or (flush_wins and (suits + FLUSH_CARRY) & FLUSH_BITS):
            found[0] += ways[ranks] >> LIMB
            found[1] += ways[ranks] & ((1 << LIMB) - 1)
        return
    chosen = np.empty(5, dtype=np.int64)
    by_rank = np.empty(5, dtype=np.int64)
    by_suit = np.empty(5, dtype=np.int64)
    by_rank[0], by_suit[0] = ranks, suits
    depth = 0
    chosen[0] = -1
    while depth >= 0:
        card = chosen[depth] + 1
        while card < 52 and (card == up or taken >> card & 1):
            card += 1
        if card >= 52:
            depth -= 1
            continue
        chosen[depth] = card
        then = after[by_rank[depth], card >> 2]
        suited = by_suit[depth] + (1 << (4 * (card & 3)))
        if depth + 1 == left:
            if wins[then] or (flush_wins and (suited + FLUSH_CARRY) & FLUSH_BITS):
                found[0] += ways[then] >> LIMB
                found[1] += ways[then] & ((1 << LIMB) - 1)
        else:
            depth += 1
            chosen[depth] = card
            by_rank[depth], by_suit[depth] = then, suited


@njit(
    "void(int64, int64, int32[:], int32[:,:], int16[:], int16[:], int8[:], int64[:,:], boolean, "
    "int64[:,:])",
    cache=True,
    nogil=True,
)
def sum_stops(
    count: int,
    up: int,
    representative: Ints32,
    after: Ints32,
    node: Short,
    mask: Short,
    wins: Small,
    ways: Ints,
    flush_wins: bool,
    found: Ints,
) -> None:
    """found[set] = ways that six cards win and Blackjack is not lost when it stops with this set.

    `node[ranks]` is the Blackjack hand of a multiset of ranks, -1 when it is over 21; `mask[node]`
    says which row of `ways` counts the dealer's ends that do not beat it.
    """
    cards = np.arange(count)
    for number in range(representative.size):
        if representative[number] == number:
            ranks, suits, taken = _read(cards, count, after)
            held = node[ranks]
            if held >= 0 and not taken >> up & 1:
                row = ways[mask[held]]
                _complete(
                    ranks,
                    suits,
                    taken,
                    up,
                    6 - count,
                    after,
                    wins,
                    row,
                    flush_wins,
                    found[number],
                )
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
    "float64(int64, int64, int32[:], int32[:], int64[:,:], int32[:,:], int16[:], int8[:], "
    "float64[:], float64[:], float64[:], float64, float64[:], float64[:], float64[:], "
    "float64[:], int8[:], float64, boolean, int8[:], float64[:])",
    cache=True,
    nogil=True,
)
def decide(
    count: int,
    up: int,
    representative: Ints32,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    is_open: Small,
    stand: Floats,
    double: Floats,
    hole_fine: Floats,
    weight: float,
    hat: Floats,
    hat_above: Floats,
    value_above: Floats,
    split: Floats,
    wins: Small,
    six_scale: float,
    flush_wins: bool,
    decision: Small,
    value: Floats,
) -> float:
    """Fill decision[set] and value[set] with the best choice; return the narrowest margin.

    `stand` and `double` are Blackjack values by hand, `hat` the chance of the other legs by set
    and `weight` what they are worth; `value_above` and `hat_above` belong to sets of one card
    more. With five cards `hat_above` is by ranks: what a sixth card is worth when it wins.
    """
    cards = np.arange(count)
    narrowest = 1e9
    unseen = 51 - count
    for number in range(representative.size):
        if representative[number] == number:
            ranks, suits, taken = _read(cards, count, after)
            held = node[ranks]
            if held >= 0 and not taken >> up & 1:
                best, second, choice = stand[held] + weight * hat[number], -1e9, STAND
                if is_open[held]:
                    hit, twice = 0.0, 0.0
                    for card in range(52):
                        if card == up or taken >> card & 1:
                            continue
                        then = after[ranks, card >> 2]
                        if node[then] < 0:
                            hit -= hole_fine[then]
                            twice -= 2 * hole_fine[then]
                        elif count == 5:
                            suited = suits + (1 << (4 * (card & 3)))
                            hit += hole_fine[then]
                            if wins[then] or (flush_wins and (suited + FLUSH_CARRY) & FLUSH_BITS):
                                hit += weight * hat_above[then] * six_scale
                        else:
                            spot = above[_number_with(cards, count, card, binomial)]
                            hit += value_above[spot]
                            if count == 2:
                                twice += double[node[then]] + weight * hat_above[spot]
                    for option in range(HIT, SPLIT + 1):
                        if option == HIT:
                            worth = hit / unseen
                        elif count != 2:
                            continue
                        elif option == DOUBLE:
                            worth = twice / unseen
                        else:
                            worth = split[number]
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
    "void(int64, int64, int32[:], int32[:], int64[:,:], int32[:,:], int16[:], int8[:], int64[:], "
    "int64, int64[:,:], int64[:,:], int64[:,:], int8[:], int64[:], boolean, int8[:], int64[:], "
    "int64[:,:], int64[:])",
    cache=True,
    nogil=True,
)
def go_forward(
    count: int,
    up: int,
    representative: Ints32,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    is_open: Small,
    reached: Ints,
    orders: int,
    hat: Ints,
    hat_above: Ints,
    split: Ints,
    wins: Small,
    six_ways: Ints,
    flush_wins: bool,
    decision: Small,
    reached_above: Ints,
    ended: Ints,
    won: Ints,
) -> None:
    """Follow a way of playing from sets of `count` cards, with the ordered ways to each.

    `ended[how, ranks]` gathers ways by how Blackjack ended: stood, over 21 or at six cards after
    a hit, doubled, split. `won` gathers, in two parts, the ways that the Hat Trick is won.
    """
    cards = np.arange(count)
    for number in range(representative.size):
        ways = reached[number]
        if ways:
            ranks, suits, taken = _read(cards, count, after)
            choice = decision[number] if is_open[node[ranks]] else STAND
            if choice == STAND:
                ended[STAND, ranks] += ways
                won[0] += ways * orders * hat[number, 0]
                won[1] += ways * orders * hat[number, 1]
            elif choice == SPLIT:
                ended[SPLIT, ranks] += ways
                won[0] += ways * split[number, 0]
                won[1] += ways * split[number, 1]
            else:
                for card in range(52):
                    if card == up or taken >> card & 1:
                        continue
                    then = after[ranks, card >> 2]
                    spot = 0
                    if count < 5:
                        spot = above[_number_with(cards, count, card, binomial)]
                    if choice == DOUBLE:
                        ended[DOUBLE, then] += ways
                        if node[then] >= 0:
                            won[0] += ways * (orders // 4) * hat_above[spot, 0]
                            won[1] += ways * (orders // 4) * hat_above[spot, 1]
                    elif node[then] < 0 or count == 5:
                        ended[HIT, then] += ways
                        suited = suits + (1 << (4 * (card & 3)))
                        flush = flush_wins and (suited + FLUSH_CARRY) & FLUSH_BITS
                        if node[then] >= 0 and (wins[then] or flush):
                            won[0] += ways * (six_ways[then] >> LIMB)
                            won[1] += ways * (six_ways[then] & ((1 << LIMB) - 1))
                    else:
                        reached_above[spot] += ways
        _advance(cards, count)


@njit(
    "void(int64, int64, int64, int32[:,:], int8[:], int16[:], int16[:,:], int64[:,:], boolean, "
    "int64[:])",
    cache=True,
    nogil=True,
)
def sum_split(
    first: int,
    second: int,
    up: int,
    after: Ints32,
    wins: Small,
    kind_of: Short,
    mask: Short,
    ways: Ints,
    flush_wins: bool,
    found: Ints,
) -> None:
    """Ordered ways that split Aces are not lost and the six cards win, in two parts."""
    four = np.empty(4, dtype=np.int64)
    start = after[after[0, first >> 2], second >> 2]
    base = (1 << (4 * (first & 3))) + (1 << (4 * (second & 3)))
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    four[0], four[1], four[2], four[3] = a, b, c, d
                    clash = False
                    ranks, suits = start, base
                    for place in range(4):
                        card = four[place]
                        if card in (first, second, up):
                            clash = True
                        ranks = after[ranks, card >> 2]
                        suits += 1 << (4 * (card & 3))
                    if clash or not (
                        wins[ranks] or (flush_wins and (suits + FLUSH_CARRY) & FLUSH_BITS)
                    ):
                        continue
                    for i in range(4):
                        for j in range(4):
                            if i != j:
                                row = mask[kind_of[four[i] >> 2], kind_of[four[j] >> 2]]
                                # The two cards left over come in either order.
                                found[0] += 2 * (ways[row, ranks] >> LIMB)
                                found[1] += 2 * (ways[row, ranks] & ((1 << LIMB) - 1))


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
