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
from houseway.exact.tabulate import Floats, Ints, Ints32, Short, Small

LIMB = 24
"""Sums are kept in two parts, units of 2**LIMB and the rest, so that 64 bits hold them."""
STAND, HIT, DOUBLE, SPLIT = range(4)
CLOSE = 2.0**-50
"""Scores that differ by more than this share of their sizes are in the right order.

A value comes to floating point by one rounding, since both its parts fit; then it is multiplied
by a rounded factor, and two such terms are added. So a score is off by at most 4 roundings of its
size, 2**-53 each, and a difference of two scores by 5 of both sizes: less than 8.
"""
SUIT_BITS = 3
"""Suits are four counters of so many bits each, in one number."""


@njit("void(int64[:], int64)", cache=True, nogil=True)
def advance(cards: Ints, count: int) -> None:
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
        advance(cards, count)


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
        advance(cards, count)


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


@njit("void(int64[:], int64, int64, int64, int64)", cache=True, nogil=True)
def _put(worth: Ints, high: int, low: int, hat_high: int, hat_low: int) -> None:
    """Write two numbers in two parts each, the low part below a unit of the high one."""
    worth[0], worth[1] = high + (low >> LIMB), low & ((1 << LIMB) - 1)
    worth[2], worth[3] = hat_high + (hat_low >> LIMB), hat_low & ((1 << LIMB) - 1)


@njit("float64(int64[:], float64, float64)", cache=True, nogil=True)
def _score(worth: Ints, plain: float, stake: float) -> float:
    """What a choice is worth, in floating point; see `CLOSE` for how far it may be off."""
    blackjack: float = worth[0] * float(1 << LIMB) + worth[1]
    hat: float = worth[2] * float(1 << LIMB) + worth[3]
    return plain * blackjack + stake * hat


@njit("float64(int64[:], float64, float64)", cache=True, nogil=True)
def _size(worth: Ints, plain: float, stake: float) -> float:
    """The sum of the sizes of both terms of a score."""
    blackjack: float = worth[0] * float(1 << LIMB) + worth[1]
    hat: float = worth[2] * float(1 << LIMB) + worth[3]
    return plain * abs(blackjack) + stake * abs(hat)


@njit(
    "void(int64[:], int64, int64, boolean, int64, int32[:], int64[:,:], int32[:,:], int16[:], "
    "int8[:,:], int64[:,:], int64[:,:], int64[:,:,:], int64, int64, int64[:,:], int64[:,:], "
    "int64[:,:], int64[:,:], int16[:], int64[:,:], int8[:], int8[:], int64[:,:])",
    cache=True,
    nogil=True,
)
def _weigh(
    cards: Ints,
    count: int,
    number: int,
    is_last: bool,
    up: int,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    may: Small,
    stand: Ints,
    double: Ints,
    over: Ints,
    orders: int,
    orders_above: int,
    hat: Ints,
    hat_above: Ints,
    value_above: Ints,
    split: Ints,
    mask: Short,
    ways: Ints,
    wins: Small,
    suited: Small,
    worth: Ints,
) -> None:
    """Fill worth[choice] for a set: Blackjack and Hat Trick, each in two parts."""
    ranks, suits, taken = _read(cards, count, after)
    held = node[ranks]
    stop = hat[number]
    _put(worth[STAND], stand[held, 0], stand[held, 1], orders * stop[0], orders * stop[1])
    if not may[held, STAND]:
        return
    if may[held, SPLIT]:
        pair = split[number]
        _put(worth[SPLIT], pair[0], pair[1], pair[2], pair[3])
    high, low, hat_high, hat_low = 0, 0, 0, 0
    twice_high, twice_low, twice_hat_high, twice_hat_low = 0, 0, 0, 0
    for card in range(DECK_SIZE):
        if card == up or taken >> card & 1:
            continue
        then = after[ranks, card >> 2]
        now = node[then]
        if now < 0:
            high += over[HIT, then, 0]
            low += over[HIT, then, 1]
            twice_high += over[DOUBLE, then, 0]
            twice_low += over[DOUBLE, then, 1]
            continue
        more_high, more_low, spot = 0, 0, 0
        if is_last:
            high += stand[now, 0]
            low += stand[now, 1]
            if wins[then] + suited[suits + (1 << (SUIT_BITS * (card & 3)))] > 0:
                more_high = ways[mask[now], then] >> LIMB
                more_low = ways[mask[now], then] & ((1 << LIMB) - 1)
            hat_high += more_high
            hat_low += more_low
        else:
            spot = above[_number_with(cards, count, card, binomial)]
            high += value_above[spot, 0]
            low += value_above[spot, 1]
            hat_high += value_above[spot, 2]
            hat_low += value_above[spot, 3]
        if may[held, DOUBLE]:
            if not is_last:
                more_high = orders_above * hat_above[spot, 0]
                more_low = orders_above * hat_above[spot, 1]
            twice_high += double[now, 0]
            twice_low += double[now, 1]
            twice_hat_high += more_high
            twice_hat_low += more_low
    _put(worth[HIT], high, low, hat_high, hat_low)
    _put(worth[DOUBLE], twice_high, twice_low, twice_hat_high, twice_hat_low)


@njit(
    "int64(int64, int64[:], int64, boolean, int64, int32[:], int32[:], int64[:,:], int32[:,:], "
    "int16[:], int8[:,:], int64[:,:], int64[:,:], int64[:,:,:], int64, int64, float64, float64, "
    "int64[:,:], int64[:,:], int64[:,:], int64[:,:], int16[:], int64[:,:], int8[:], int8[:], "
    "int8[:], int64[:,:], float64[:], int64[:,:])",
    cache=True,
    nogil=True,
)
def decide(
    start: int,
    cards: Ints,
    count: int,
    is_last: bool,
    up: int,
    representative: Ints32,
    above: Ints32,
    binomial: Ints,
    after: Ints32,
    node: Short,
    may: Small,
    stand: Ints,
    double: Ints,
    over: Ints,
    orders: int,
    orders_above: int,
    plain: float,
    stake: float,
    hat: Ints,
    hat_above: Ints,
    value_above: Ints,
    split: Ints,
    mask: Short,
    ways: Ints,
    wins: Small,
    suited: Small,
    decision: Small,
    value: Ints,
    narrowest: Floats,
    worth: Ints,
) -> int:
    """Fill decision[set] and value[set] with the best choice, from set `start` on.

    Stops at the first set whose choices floating point cannot tell apart, leaves what they are
    worth in `worth` and returns its number; the caller decides it and goes on with the set behind
    it. Returns how many sets there are when it comes to the end. `cards` are those of `start`.

    `may[hand, choice]` is 1 for what is allowed. All values are whole numbers in parts: `stand`
    and `double` of Blackjack by hand, `over[choice]` of hands over 21 by ranks, `hat` the ways of
    the other legs by set, `split` both. `value_above` and `hat_above` belong to sets of one card
    more; when that card is the last, ways[row, ranks] are there instead. A choice is worth
    `plain` times its Blackjack value plus `stake` times its ways of the Hat Trick.
    """
    for number in range(start, representative.size):
        if representative[number] == number:
            ranks, _, taken = _read(cards, count, after)
            held = node[ranks]
            if held >= 0 and not taken >> up & 1:
                _weigh(
                    cards,
                    count,
                    number,
                    is_last,
                    up,
                    above,
                    binomial,
                    after,
                    node,
                    may,
                    stand,
                    double,
                    over,
                    orders,
                    orders_above,
                    hat,
                    hat_above,
                    value_above,
                    split,
                    mask,
                    ways,
                    wins,
                    suited,
                    worth,
                )
                choice, best = STAND, _score(worth[STAND], plain, stake)
                for option in range(HIT, SPLIT + 1):
                    if may[held, option] and _score(worth[option], plain, stake) > best:
                        choice, best = option, _score(worth[option], plain, stake)
                size = _size(worth[choice], plain, stake)
                for option in range(SPLIT + 1):
                    if option != choice and may[held, option]:
                        margin = best - _score(worth[option], plain, stake)
                        if not margin > CLOSE * (size + _size(worth[option], plain, stake)):
                            return number
                        narrowest[0] = min(narrowest[0], margin)
                decision[number] = choice
                for part in range(value.shape[1]):
                    value[number, part] = worth[choice, part]
        advance(cards, count)
    return int(representative.size)


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
        advance(cards, count)


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
        advance(cards, count)


def binomials() -> Ints:
    """table[n, k] = n over k."""
    table = np.zeros((53, 8), dtype=np.int64)
    table[:, 0] = 1
    for n in range(1, 53):
        for k in range(1, 8):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table
