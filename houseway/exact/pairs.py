"""Pairs: sums over two seats of Triple Shot Bonus, each with a set of six kinds, and a dealer.

How often the dealer ends in a way depends on the kinds that the twelve cards have. What is finer
than kinds is counted for each pair of sets: how the tens split into ranks, which War against a
ten and Poker look at, and the suits of flushes.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from houseway.exact.blackjack import DECK, ENDS, KINDS, TEN_KIND, dealer_options
from houseway.exact.bonus import KIND_OF, SIX, Play, war_stands
from houseway.exact.dealer import ends_table
from houseway.exact.kernels import bonus_seats as kernels
from houseway.exact.sixes import TENS, Worth, flushes, sixes
from houseway.exact.tabulate import Ints, Ints32, Small
from houseway.games.blackjack import BlackjackOptions

MOST_HANDS = max(comb(16, tens) * 4 ** (SIX - tens) for tens in range(SIX + 1))
"""Hands of the largest set of kinds, which is of some tens and single cards."""
MOST_WORTH = 1 << 15
"""What six cards may be worth, so that the sum over all hands of two sets fits in 64 bits."""
PART = 128
"""Sets that are summed at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class DealerWays:
    """The dealer's ways after twelve cards, in two limbs."""

    row: Ints32
    """The row of twelve cards by the code of their kinds."""
    counted: Ints32
    """counted[row, limb, up * ends + end], times the up cards of that kind that are left."""
    against_ten: Ints32
    """against_ten[row, limb, end] for one up card of ten points."""


def dealer_ways(options: BlackjackOptions) -> DealerWays:
    """The ways of every dealer's end after any twelve cards; the last that were asked are kept."""
    return _dealer_ways(dealer_options(options))


@lru_cache(maxsize=1)
def _dealer_ways(options: BlackjackOptions) -> DealerWays:
    table, ends = ends_table(2 * SIX, options), len(ENDS)
    counted = np.zeros((len(table.sets), 2, KINDS * ends), dtype=np.int32)
    for up in range(KINDS):
        left = DECK[up] - table.sets[:, up]
        counted[:, :, up * ends : (up + 1) * ends] = _limbs(table.ways[up] * left[:, None])
    return DealerWays(table.row, counted, _limbs(table.ways[TEN_KIND]))


def _limbs(ways: Ints) -> Ints32:
    """limbs[row, limb, end] of the dealer's ways."""
    return np.stack([ways & kernels.LOW, ways >> kernels.LIMB], axis=1).astype(np.int32)


@lru_cache(maxsize=1)
def blackjack_beside(play: Play, dealer: DealerWays) -> npt.NDArray[np.object_]:
    """What a second seat's Blackjack is worth by [set of kinds of the first, up kind, end].

    It is in half units, summed over the second seat's cards in order and the dealer's draws; the
    first seat's cards and the up card are given.
    """
    six = sixes()
    size, held = len(six.sets), six.sets.astype(np.int64)
    worth = np.einsum("sf,usfe->sue", held, play.halves).reshape(size, -1)
    largest = int(np.abs(worth).max())
    assert MOST_HANDS * largest < 1 << 31, "ways of one set would not fit"
    assert comb(52 - SIX, SIX) * largest << kernels.LIMB + 1 < 1 << 63, "a sum would not fit"
    sums = np.zeros((size, 2, KINDS * len(ENDS)), dtype=np.int64)
    lookups = (*_sets(dealer), worth.astype(np.int32))
    _in_threads(
        lambda start, stop: kernels.sum_second_seat(start, stop, *lookups, sums), range(size)
    )
    # The up card was counted with the second seat's cards; here it is given.
    ups = np.maximum(np.array(DECK) - held, 1)
    return np.asarray(_whole(sums).reshape(size, KINDS, len(ENDS)) // ups[:, :, None])


def pair_sums(
    worth: Worth, play: Play, dealer: DealerWays, ace: str, places: range | None = None
) -> npt.NDArray[np.object_]:
    """sums[n, set] over two hands of six cards, the first of which has that set of kinds.

    `worth` has two ways: whether the Poker leg of the Hat Trick is kept, and what Poker pays. The
    sums are of Hat Tricks that both win, of one that the first wins times what Poker pays the
    second, and of what Poker pays both. The first counts the orders of both hands and the dealer's
    ways, the second those of the first hand and the dealer's, the third hands alone. Only the sets
    at `places` are filled; all unless given.
    """
    six, flush = sixes(), flushes()
    first_later, second_later, tens = _tens(ace)
    lookups = (
        *_sets(dealer),
        six.starts,
        six.splits,
        first_later,
        second_later,
        worth.by_ranks,
        worth.by_suits,
        worth.by_flush,
        flush.starts,
        flush.suited,
        flush.apart,
        flush.splits,
        worth.extra,
        tens,
        *_legs(play, ace),
        dealer.against_ten,
    )
    totals = np.zeros((len(six.sets), 3, kernels.LIMBS), dtype=np.int64)
    _in_threads(
        lambda start, stop: kernels.sum_kept_pairs(start, stop, *lookups, totals),
        range(len(six.sets)) if places is None else places,
    )
    return _whole(totals.swapaxes(1, 2)).T


def _legs(play: Play, ace: str) -> tuple[Ints32, Ints32]:
    """legs[set, up * ends + end]: orders in which neither War nor Blackjack is lost.

    Where up card and first card are tens, War depends on which tens they are. Those orders are
    left out, and stand in ten_legs[set, 1, end] for one ten that comes first and stands to the up
    card, beside the other orders against a ten in ten_legs[set, 0, end].
    """
    six, stands = sixes(), war_stands(ace)
    legs = np.zeros((len(six.sets), KINDS, len(ENDS)), dtype=np.int32)
    for up in range(KINDS):
        for first in range(KINDS):
            both_tens = first == up == TEN_KIND
            if not both_tens and stands[KIND_OF.index(first), KIND_OF.index(up)]:
                legs[:, up] += (six.sets[:, first, None] * play.kept[up, :, first]).astype(np.int32)
    tens = play.kept[TEN_KIND, :, TEN_KIND].astype(np.int32)
    return legs.reshape(len(legs), -1), np.stack([legs[:, TEN_KIND], tens], axis=1)


def _tens(ace: str) -> tuple[Ints, Ints, Ints]:
    """Ways of the tens of two hands, by row of the kernels and their two splits.

    The first hand's tens chosen after the second's; the other way round; and the ten-valued up
    cards alone, by split, split and row, with the tens of the hands that stand to them in War.
    """
    held, stands = sixes().tens, war_stands(ace)[np.ix_(TENS, TENS)]
    standing = held @ stands
    size = len(held)
    rows = np.ones((4, size, size), dtype=np.int64)
    for row in (kernels.OTHER, kernels.OWN, kernels.BOTH):
        up_cards = 4 - held[:, None, :] - held[None, :, :]
        if row != kernels.OTHER:
            up_cards = up_cards * standing[:, None, :]
        if row != kernels.OWN:
            up_cards = up_cards * standing[None, :, :]
        rows[row] = up_cards.sum(axis=2)
    choose = _binomials()
    later = choose[4 - held[None, :, :], held[:, None, :]].prod(axis=2)
    return rows * later, rows * later.T, np.ascontiguousarray(rows.transpose(1, 2, 0))


def _sets(dealer: DealerWays) -> tuple[Small, Ints, Ints, Ints, Ints32, Ints32]:
    """What every sum over pairs of sets looks up."""
    deck = np.array(DECK, dtype=np.int64)
    return sixes().sets, sixes().codes, deck, _binomials(), dealer.row, dealer.counted


@cache
def _binomials() -> Ints:
    """table[n, k] for the cards of a kind and at most six of them."""
    rows = [[comb(n, k) for k in range(SIX + 1)] for n in range(max(DECK) + 1)]
    return np.array(rows, dtype=np.int64)


def _whole(limbs: Ints) -> npt.NDArray[np.object_]:
    """The sums that were kept in limbs, [set, limb, place], as whole numbers of any size."""
    parts = [limbs[:, n].astype(object) << kernels.LIMB * n for n in range(limbs.shape[1])]
    return np.asarray(sum(parts))


def _in_threads(work: Callable[[int, int], None], places: range) -> None:
    """Do work(start, stop) for parts of a range; compiled loops run side by side."""
    with ThreadPoolExecutor() as pool:
        parts = [places[start : start + PART] for start in range(0, len(places), PART)]
        for done in [pool.submit(work, part.start, part.stop) for part in parts]:
            done.result()
