"""Fairness: how far cards and words are from what a perfect generator gives, as statistics.

A statistic comes with the law it follows when nothing is wrong: chi-square with so many degrees
of freedom, or the standard normal. How likely it is then is for whoever has the tails of these
laws at hand; nothing here rounds it to pass or fail.

Rounds are an array of cards by round and place, each round drawn without replacement from 52.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_SIZE

Rounds = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]
NORMAL = 0
"""The degrees of freedom of a statistic that is standard normal instead of chi-square."""
LEAST_EXPECTED = 5
"""A cell that is expected less often than this makes chi-square a poor guide."""
SPREAD = (DECK_SIZE**2 - 1) / 3
"""The variance of twice a card's number."""
PAIRS = DECK_SIZE * (DECK_SIZE - 1)
HANDS = comb(DECK_SIZE, 3)
WORD_BITS = 32


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic with its law."""

    where: str
    value: float
    freedom: int = NORMAL


# Cards.


def places(rounds: Rounds) -> Iterator[Statistic]:
    """For each place whether every card comes there equally often."""
    for place in range(rounds.shape[1]):
        counts = np.bincount(rounds[:, place], minlength=DECK_SIZE)
        yield Statistic(f"place {place + 1}", _chi_square(counts), DECK_SIZE - 1)


def places_together(rounds: Rounds) -> Statistic:
    """All places and cards in one chi-square, which allows for cards never coming twice.

    Deviations d[place, card] of n rounds have the covariance n/51 (I - J/52) x (I - J/52), where
    I is a unit matrix and J is full of ones. The inverse of its first factor is I + J/(52 - w)
    for w places; when all 52 are dealt every card comes n times, and J has nothing to add.
    """
    number, width = rounds.shape
    counts = np.stack([np.bincount(rounds[:, p], minlength=DECK_SIZE) for p in range(width)])
    off = counts - number / DECK_SIZE
    total = float((off**2).sum())
    if width < DECK_SIZE:
        total += float((off.sum(axis=0) ** 2).sum()) / (DECK_SIZE - width)
    free_places = min(width, DECK_SIZE - 1)
    value = total * (DECK_SIZE - 1) / number
    return Statistic("all places", value, free_places * (DECK_SIZE - 1))


def pairs(rounds: Rounds) -> Iterator[Statistic]:
    """For each two places in a row whether all 2,652 ordered pairs come equally often."""
    apart = ~np.eye(DECK_SIZE, dtype=bool).ravel()
    for place in range(rounds.shape[1] - 1):
        both = rounds[:, place].astype(np.int64) * DECK_SIZE + rounds[:, place + 1]
        possible = np.bincount(both, minlength=DECK_SIZE**2)[apart]
        yield Statistic(f"places {place + 1} and {place + 2}", _chi_square(possible), PAIRS - 1)


def hands(rounds: Rounds) -> Iterator[Statistic]:
    """For each three places that make a hand whether all 22,100 hands come equally often."""
    for first in range(0, rounds.shape[1] - 2, 3):
        a, b, c = np.sort(rounds[:, first : first + 3], axis=1).T
        counts = np.bincount(_hand_numbers()[a, b, c], minlength=HANDS)
        yield Statistic(f"places {first + 1} to {first + 3}", _chi_square(counts), HANDS - 1)


def runs(rounds: Rounds) -> Iterator[Statistic]:
    """For each place how often the upper half of the deck follows the lower, or the other way.

    From one round to the next it is a coin's toss, which needs no law for numbers without ties.
    """
    upper = rounds >= DECK_SIZE // 2
    changes = (upper[1:] != upper[:-1]).sum(axis=0)
    tosses = rounds.shape[0] - 1
    for place, found in enumerate(changes.tolist()):
        yield Statistic(f"place {place + 1}", (2 * found - tosses) / sqrt(tosses))


def correlations(rounds: Rounds, lags: Sequence[int]) -> Iterator[Statistic]:
    """For each place and lag how the card goes with the one so many rounds before."""
    off = _twice_off_the_middle(rounds)
    for lag in lags:
        products = (off[lag:] * off[:-lag]).sum(axis=0, dtype=np.int64)
        for place, found in enumerate(products.tolist()):
            value = found / (SPREAD * sqrt(len(off) - lag))
            yield Statistic(f"place {place + 1}, lag {lag}", value)


def correlations_together(rounds: Rounds, lags: Sequence[int]) -> Iterator[Statistic]:
    """For each lag how whole rounds go with those so many before, over all places.

    Two cards of one round have the covariance -1/51 of a card's variance.
    """
    off = _twice_off_the_middle(rounds)
    width = rounds.shape[1]
    variance = SPREAD**2 * (width + width * (width - 1) / (DECK_SIZE - 1) ** 2)
    for lag in lags:
        found = int((off[lag:] * off[:-lag]).sum(dtype=np.int64))
        yield Statistic(f"lag {lag}", found / sqrt(variance * (len(off) - lag)))


def repeats(rounds: Rounds, lags: Sequence[int]) -> Iterator[Statistic]:
    """For each lag how many cards come to the place where they were so many rounds before.

    A card repeats with chance 1/52 at each place; two places repeat together with chance
    1/(52 x 51), which is what two fair rounds have in common.
    """
    width = rounds.shape[1]
    once = 1 / DECK_SIZE
    variance = width * once * (1 - once) + width * (width - 1) * (1 / PAIRS - once**2)
    for lag in lags:
        same = (rounds[lag:] == rounds[:-lag]).sum(axis=1)
        off = float(same.sum()) - len(same) * width * once
        yield Statistic(f"lag {lag}", off / sqrt(variance * len(same)))


def transitions(rounds: Rounds, lags: Sequence[int]) -> Iterator[Statistic]:
    """For each place and lag whether a card depends in any way on the one so many rounds before."""
    for place, lag in product(range(rounds.shape[1]), lags):
        cards = rounds[:, place].astype(np.int64)
        both = cards[:-lag] * DECK_SIZE + cards[lag:]
        table = np.bincount(both, minlength=DECK_SIZE**2).reshape(DECK_SIZE, DECK_SIZE)
        _check_enough(both.size, DECK_SIZE**2)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / both.size
        value = float(((table - expected) ** 2 / expected).sum())
        yield Statistic(f"place {place + 1}, lag {lag}", value, (DECK_SIZE - 1) ** 2)


def order_bits(rounds: Rounds) -> bytes:
    """The rounds as bits that are exactly even when every order of the cards is equally likely.

    The orders of w cards are numbered from 0 to 52!/(52 - w)! - 1. A power of two divides how
    many there are: 2^49 for a whole deck. So that many low bits of the number are even, and as
    many whole bytes of them as there are go out, the low byte first.
    """
    number, width = rounds.shape
    even_bits = 0
    order = np.zeros(number, dtype=np.uint64)
    for place in range(width):
        left = DECK_SIZE - place
        even_bits += (left & -left).bit_length() - 1
        cards = rounds[:, place]
        gone_below = (rounds[:, :place] < cards[:, None]).sum(axis=1, dtype=np.uint8)
        # Only low bits are looked at, so it does no harm that the number outgrows its 64.
        order = order * np.uint64(left) + (cards - gone_below)
    low = order.astype("<u8", copy=False).view(np.uint8).reshape(number, 8)
    return low[:, : even_bits // 8].tobytes()


# Words.


def bits(words: Words) -> Iterator[Statistic]:
    """For each of the 32 bits, and for all together, whether it is set in half of the words."""
    total = 0
    for bit in range(WORD_BITS):
        found = int(np.count_nonzero(words & np.uint32(1 << bit)))
        total += found
        yield Statistic(f"bit {bit}", (2 * found - words.size) / sqrt(words.size))
    every = WORD_BITS * words.size
    yield Statistic("all bits", (2 * total - every) / sqrt(every))


def byte_counts(words: Words) -> Iterator[Statistic]:
    """For each byte of a word, and for all together, whether its 256 values come equally often."""
    columns = words.astype("<u4", copy=False).view(np.uint8).reshape(-1, 4)
    counts = np.stack([np.bincount(columns[:, n], minlength=256) for n in range(4)])
    for place, found in enumerate(counts):
        yield Statistic(f"byte {place + 1}", _chi_square(found), 255)
    yield Statistic("all bytes", _chi_square(counts.sum(axis=0)), 255)


def word_correlations(words: Words, lags: Sequence[int]) -> Iterator[Statistic]:
    """For each lag how a word goes with the one so many before."""
    off = words / 2.0**WORD_BITS - 0.5
    for lag in lags:
        found = float(np.dot(off[lag:], off[:-lag]))
        yield Statistic(f"lag {lag}", 12 * found / sqrt(words.size - lag))


def _twice_off_the_middle(rounds: Rounds) -> npt.NDArray[np.int16]:
    """Twice how far a card's number is above the mean, which is whole."""
    return (2 * rounds.astype(np.int16) - (DECK_SIZE - 1)).astype(np.int16)


def _chi_square(counts: npt.NDArray[np.int64]) -> float:
    """Chi-square of cells that are all expected equally often."""
    _check_enough(int(counts.sum()), counts.size)
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2).sum() / expected)


def _check_enough(found: int, cells: int) -> None:
    if found < LEAST_EXPECTED * cells:
        raise ValueError(f"{found} are too few; {cells} cases need {LEAST_EXPECTED * cells}")


@cache
def _hand_numbers() -> npt.NDArray[np.int64]:
    """By three cards in ascending order the number of their hand."""
    numbers = np.full((DECK_SIZE,) * 3, -1, dtype=np.int64)
    for number, hand in enumerate(combinations(range(DECK_SIZE), 3)):
        numbers[hand] = number
    return numbers
