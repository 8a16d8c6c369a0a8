"""Judgement: how likely statistics are when nothing is wrong, one by one and all together.

Of many p-values some are small by chance. So they are judged together: the smallest against how
small the smallest of so many is, the largest likewise, since too even is as odd as too uneven, and
all of them against being spread evenly from 0 to 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy.stats import chi2, kstest, norm

from houseway.sim.fairness import NORMAL, Statistic

SIZE = 0.01
"""The level at which a single test fails: one in a hundred does so by chance."""
FEWEST_FOR_SPREAD = 5
"""With fewer p-values there is no spread to speak of."""


def chance(statistic: Statistic) -> float:
    """How likely a statistic at least as odd as this is; a normal one may be odd either way."""
    if statistic.freedom == NORMAL:
        return float(2 * norm.sf(abs(statistic.value)))
    return float(chi2.sf(statistic.value, statistic.freedom))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the p-values of one kind of test come to."""

    chances: tuple[float, ...]

    @property
    def below(self) -> int:
        """How many are below one in a hundred."""
        return sum(found < SIZE for found in self.chances)

    @property
    def smallest(self) -> float:
        """The smallest p-value."""
        return min(self.chances)

    @property
    def of_smallest(self) -> float:
        """How likely so small a smallest one is, by Bonferroni: at most this."""
        return min(1.0, self.smallest * len(self.chances))

    @property
    def of_largest(self) -> float:
        """How likely so large a largest one is, by Bonferroni: at most this."""
        return min(1.0, (1 - max(self.chances)) * len(self.chances))

    @property
    def of_spread(self) -> float | None:
        """How likely p-values spread so unevenly are, by Kolmogorov and Smirnov."""
        if len(self.chances) < FEWEST_FOR_SPREAD:
            return None
        return float(kstest(self.chances, "uniform").pvalue)

    @property
    def chances_of_all(self) -> tuple[float, ...]:
        """The two or three p-values that judge all the others."""
        spread = () if self.of_spread is None else (self.of_spread,)
        return (self.of_smallest, self.of_largest, *spread)


def judge(statistics: Iterable[Statistic]) -> Judgement:
    """The judgement of some statistics."""
    return Judgement(tuple(chance(found) for found in statistics))


def holds_together(judgements: Sequence[Judgement], size: float = SIZE) -> bool:
    """True when not even the worst of all that was judged is too unlikely, by Bonferroni."""
    every = [found for judgement in judgements for found in judgement.chances_of_all]
    return min(every) * len(every) >= size
