"""Law: a distribution of net results, counted in whole numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True, slots=True)
class Law:
    """How often each net result occurs, in units of the first wager; frequencies are counts."""

    counts: Mapping[Fraction, int]

    @property
    def total(self) -> int:
        """All cases."""
        return sum(self.counts.values())

    @property
    def mean(self) -> Fraction:
        """The expected net result; the house edge is its opposite."""
        return Fraction(sum(net * count for net, count in self.counts.items())) / self.total

    @property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        square = Fraction(sum(net * net * count for net, count in self.counts.items()))
        return square / self.total - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """P(net > 0)."""
        return Fraction(sum(n for net, n in self.counts.items() if net > 0), self.total)

    @property
    def push_frequency(self) -> Fraction:
        """P(net = 0)."""
        return Fraction(self.counts.get(Fraction(0), 0), self.total)

    @property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Each net result with its probability, worst first."""
        total = self.total
        return tuple((net, Fraction(self.counts[net], total)) for net in sorted(self.counts))


def law_of(cases: Iterable[tuple[Fraction, int]]) -> Law:
    """The law of net results given with their counts, in any order."""
    counts: dict[Fraction, int] = {}
    for net, count in cases:
        if count:
            counts[net] = counts.get(net, 0) + count
    return Law(counts)
