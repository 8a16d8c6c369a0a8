"""Sums over two seats of Triple Shot Bonus: sets of six cards, the dealer's ends beside them.

Sums outgrow 64 bits, so they are kept in limbs. The arrays are plain and in order of memory,
because the loops that multiply them run over some two billion products.
"""

import numpy as np
from numba import njit

from houseway.exact.tabulate import Ints, Ints32, Small

LIMB = 25
LOW = (1 << LIMB) - 1
LIMBS = 4
"""Of a sum over pairs of hands; the last takes what is left."""
SEEN, OTHER, OWN, BOTH = range(4)
"""Rows of pairs: each once; or once for each up card of ten points and each ten of the second
hand that stands to it in War, of the first hand, or each two such tens."""
KEEPS, PAYS = range(2)
"""What six cards are worth: whether they keep the Poker leg, and what Poker pays them."""
TEN = 9


@njit(
    "void(int64, int64, int8[:,::1], int64[::1], int64[::1], int64[:,::1], int32[::1], "
    "int32[:,:,::1], int32[:,::1], int64[:,:,::1])",
    cache=True,
    nogil=True,
)
def sum_second_seat(
    start: int,
    stop: int,
    sets: Small,
    codes: Ints,
    deck: Ints,
    choose: Ints,
    row: Ints32,
    dealer: Ints32,
    worth: Ints32,
    sums: Ints,
) -> None:
    """sums[set, limb, up * ends + end] of what a second seat is worth beside that set of six.

    `worth[set, up * ends + end]` is the second seat's; it is summed over its cards and the
    dealer's ways after both, which stand in `dealer[row, limb, up * ends + end]`.
    """
    kinds, places = deck.size, worth.shape[1]
    left = np.zeros((kinds, choose.shape[1]), dtype=np.int64)
    low, high = np.zeros(places, dtype=np.int64), np.zeros(places, dtype=np.int64)
    for one in range(start, stop):
        for kind in range(kinds):
            left[kind] = choose[deck[kind] - sets[one, kind]]
        low[:], high[:] = 0, 0
        for two in range(sets.shape[0]):
            hands = 1
            for kind in range(kinds):
                hands *= left[kind, sets[two, kind]]
            if hands == 0:
                continue
            few, found = np.int32(hands), row[codes[one] + codes[two]]
            for place in range(places):
                ways = np.int64(np.int32(few * worth[two, place]))
                low[place] += ways * np.int64(dealer[found, 0, place])
                high[place] += ways * np.int64(dealer[found, 1, place])
        sums[one, 0], sums[one, 1] = low, high


@njit(
    "void(int64, int8[:,::1], int64[:,::1], int64[::1], int64[::1], int64[:,:,::1], "
    "int64[:,:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,:,::1], int64[:,::1], "
    "int64[:,::1], int64[::1])",
    cache=True,
    nogil=True,
)
def _pair_by_ranks(
    one: int,
    sets: Small,
    choose: Ints,
    starts: Ints,
    splits: Ints,
    first_later: Ints,
    second_later: Ints,
    by_ranks: Ints,
    by_suits: Ints,
    by_flush: Ints,
    lots: Ints,
    kept: Ints,
    paid: Ints,
    both: Ints,
) -> None:
    """Add the pairs of hands of which at least one is judged by its ranks alone.

    The hand that is judged by its suits is dealt first, and the ranks of the other choose from
    what that leaves. For the tens such choices stand in `first_later` and `second_later`, by row
    and by how the tens of each hand split into ranks; `lots` is room for sums of them.
    """
    rows = kept.shape[0]
    lots[:] = 0
    for hand in range(starts[one], starts[one + 1]):
        own = splits[hand]
        for number in range(rows):
            for split in range(lots.shape[2]):
                later, sooner = first_later[number, own, split], second_later[number, own, split]
                lots[0, number, split] += by_ranks[KEEPS, hand] * later
                lots[1, number, split] += by_flush[KEEPS, hand] * sooner
                if number == SEEN:
                    lots[0, rows, split] += by_ranks[PAYS, hand] * later
                    lots[1, rows, split] += by_flush[PAYS, hand] * sooner
    for two in range(sets.shape[0]):
        later, sooner = 1, 1
        for kind in range(TEN):
            later *= choose[4 - sets[two, kind], sets[one, kind]]
            sooner *= choose[4 - sets[one, kind], sets[two, kind]]
        if later == 0:
            continue
        for hand in range(starts[two], starts[two + 1]):
            split = splits[hand]
            keeps, pays = later * by_suits[KEEPS, hand], later * by_suits[PAYS, hand]
            plain_keeps, plain_pays = sooner * by_ranks[KEEPS, hand], sooner * by_ranks[PAYS, hand]
            for number in range(rows):
                ranked, suited = lots[0, number, split], lots[1, number, split]
                kept[number, two] += ranked * keeps + suited * plain_keeps
                if number in (SEEN, OWN):
                    paid[number, two] += ranked * pays + suited * plain_pays
            both[two] += lots[0, rows, split] * pays + lots[1, rows, split] * plain_pays


@njit(
    "void(int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[:,::1], int64[:,:,::1], "
    "int64[:,::1], int64[:,::1], int64[::1])",
    cache=True,
    nogil=True,
)
def _pair_by_flushes(
    one: int,
    starts: Ints,
    suited: Ints,
    apart: Ints,
    splits: Ints,
    extra: Ints,
    tens: Ints,
    kept: Ints,
    paid: Ints,
    both: Ints,
) -> None:
    """Add the pairs of hands that are both judged by a flush.

    A hand has the ranks `suited` in one suit and may have a card of another, of rank `apart`;
    both are bits. What a flush makes the hand worth more is `extra`; `tens` are the rows by how
    the tens of each hand split into ranks.
    """
    for first in range(starts[one], starts[one + 1]):
        ranks, single = suited[first], apart[first]
        free = 3 if single else 1
        own, keeps, pays = splits[first], extra[KEEPS, first], extra[PAYS, first]
        for two in range(starts.size - 1):
            seen, with_other, with_own, with_both, seen_pays, own_pays = 0, 0, 0, 0, 0, 0
            for second in range(starts[two], starts[two + 1]):
                other = apart[second]
                other_free = 3 if other else 1
                same = 1 if single & other else 0
                # In two suits: a card apart is of no suit in which the other hand has its rank.
                taken = 1 if single & suited[second] else 0
                other_taken = 1 if other & ranks else 0
                suits = 12 * ((free - taken) * (other_free - other_taken) - 2 * same)
                if ranks & suited[second] == 0:
                    suits += 4 * (free * other_free - 3 * same)
                split = splits[second]
                kept_two, paid_two = suits * extra[KEEPS, second], suits * extra[PAYS, second]
                seen += kept_two
                with_other += kept_two * tens[own, split, OTHER]
                with_own += kept_two * tens[own, split, OWN]
                with_both += kept_two * tens[own, split, BOTH]
                seen_pays += paid_two
                own_pays += paid_two * tens[own, split, OWN]
            kept[SEEN, two] += keeps * seen
            kept[OTHER, two] += keeps * with_other
            kept[OWN, two] += keeps * with_own
            kept[BOTH, two] += keeps * with_both
            paid[SEEN, two] += keeps * seen_pays
            paid[OWN, two] += keeps * own_pays
            both[two] += pays * seen_pays


@njit("void(int64, int64, int64, int64[:,:,::1], int64, int64)", cache=True, nogil=True)
def _add(pairs: int, low: int, high: int, totals: Ints, one: int, which: int) -> None:
    """Add pairs * (low + high * 2**LIMB) to the limbs of a total."""
    second = high + (low >> LIMB)
    third = second >> LIMB
    first, second = low & LOW, second & LOW
    few, many = pairs & LOW, pairs >> LIMB
    totals[one, which, 0] += few * first
    totals[one, which, 1] += few * second + many * first
    totals[one, which, 2] += few * third + many * second
    totals[one, which, 3] += many * third
    for limb in range(LIMBS - 1):
        totals[one, which, limb + 1] += totals[one, which, limb] >> LIMB
        totals[one, which, limb] &= LOW


@njit(
    "UniTuple(int64, 4)(int64, int64, int64, int32[:,::1], int32[:,:,::1])", cache=True, nogil=True
)
def _sum_orders(
    one: int, two: int, found: int, legs: Ints32, dealer: Ints32
) -> tuple[int, int, int, int]:
    """The dealer's ways in limbs, times the orders of both hands and times those of the first."""
    low, high, own_low, own_high = 0, 0, 0, 0
    for place in range(legs.shape[1]):
        own = np.int64(legs[one, place])
        # As 32 bits these multiply several at a time.
        orders = np.int64(np.int32(own * legs[two, place]))
        low += orders * dealer[found, 0, place]
        high += orders * dealer[found, 1, place]
        own_low += own * dealer[found, 0, place]
        own_high += own * dealer[found, 1, place]
    return low, high, own_low, own_high


@njit(
    "void(int64, int64, int8[:,::1], int64[::1], int64[::1], int64[:,::1], int32[::1], "
    "int32[:,:,::1], int64[::1], int64[::1], int64[:,:,::1], int64[:,:,::1], int64[:,::1], "
    "int64[:,::1], int64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[:,::1], "
    "int64[:,:,::1], int32[:,::1], int32[:,:,::1], int32[:,:,::1], int64[:,:,::1])",
    cache=True,
    nogil=True,
)
def sum_kept_pairs(
    start: int,
    stop: int,
    sets: Small,
    codes: Ints,
    deck: Ints,
    choose: Ints,
    row: Ints32,
    dealer: Ints32,
    starts: Ints,
    splits: Ints,
    first_later: Ints,
    second_later: Ints,
    by_ranks: Ints,
    by_suits: Ints,
    by_flush: Ints,
    flush_starts: Ints,
    suited: Ints,
    apart: Ints,
    flush_splits: Ints,
    extra: Ints,
    tens: Ints,
    legs: Ints32,
    ten_legs: Ints32,
    ten_dealer: Ints32,
    totals: Ints,
) -> None:
    """totals[set, n, limb] of pairs of hands of which the first has that set of six kinds.

    The three are: both keep the Poker leg, times the orders of both in which the other legs are
    kept, times the dealer's ways; the first keeps it, times its orders and the dealer's ways and
    what Poker pays the second; and what Poker pays the one times what it pays the other.
    """
    size, kinds = sets.shape[0], deck.size
    rows, ends = tens.shape[2], ten_dealer.shape[2]
    by_split = np.zeros((2, rows + 1, tens.shape[1]), dtype=np.int64)
    kept, paid = np.zeros((rows, size), dtype=np.int64), np.zeros((rows, size), dtype=np.int64)
    both = np.zeros(size, dtype=np.int64)
    for one in range(start, stop):
        kept[:], paid[:], both[:] = 0, 0, 0
        _pair_by_ranks(
            one, sets, choose, starts, splits, first_later, second_later, by_ranks, by_suits,
            by_flush, by_split, kept, paid, both,
        )  # fmt: skip
        _pair_by_flushes(
            one, flush_starts, suited, apart, flush_splits, extra, tens, kept, paid, both
        )
        for two in range(size):
            fits = True
            for kind in range(kinds):
                fits = fits and sets[one, kind] + sets[two, kind] <= deck[kind]
            if not fits:
                continue
            found = row[codes[one] + codes[two]]
            low, high, own_low, own_high = _sum_orders(one, two, found, legs, dealer)
            _add(kept[SEEN, two], low, high, totals, one, 0)
            _add(paid[SEEN, two], own_low, own_high, totals, one, 1)
            _add(both[two], 1, 0, totals, one, 2)
            for number in range(1, rows):
                if kept[number, two] == 0 and paid[number, two] == 0:
                    continue
                low, high, own_low, own_high = 0, 0, 0, 0
                mine, theirs = 1 if number != OTHER else 0, 1 if number != OWN else 0
                for end in range(ends):
                    own = np.int64(ten_legs[one, mine, end])
                    orders = own * ten_legs[two, theirs, end]
                    low += orders * ten_dealer[found, 0, end]
                    high += orders * ten_dealer[found, 1, end]
                    own_low += own * ten_dealer[found, 0, end]
                    own_high += own * ten_dealer[found, 1, end]
                _add(kept[number, two], low, high, totals, one, 0)
                if number == OWN:
                    _add(paid[OWN, two], own_low, own_high, totals, one, 1)
