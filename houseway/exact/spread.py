"""Spread: how far the average of many rounds strays from its mean, by the normal law."""

from fractions import Fraction
from math import isfinite, sqrt
from statistics import NormalDist
from typing import NamedTuple

from houseway.refusal import Reason, Refused


class Band(NamedTuple):
    """Two bounds of an average per round."""

    low: float
    high: float


def confidence_band(
    mean: Fraction | float, standard_deviation: float, rounds: int, level: float
) -> Band:
    """The bounds between which the average of so many rounds lies with that probability.

    It is the band of the normal law, centred on the mean: good for 1e4 rounds and more, rough
    for 1e3 of a bet that pays rarely. Mean and standard deviation are of one round.
    """
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"rounds {rounds!r} is not allowed; a whole number from 1 is needed",
        )
    half = volatility_index(standard_deviation, level) / sqrt(rounds)
    return Band(float(mean) - half, float(mean) + half)


def volatility_index(standard_deviation: float, level: float = 0.90) -> float:
    """The half width of the band of one round: a two-sided quantile times the deviation.

    Over the square root of a number of rounds it is the half width of the band of their average.
    """
    if not 0 < level < 1:
        raise Refused(
            Reason.BAD_ARGUMENT, f"level {level!r} is not allowed; it lies between 0 and 1"
        )
    if not (isfinite(standard_deviation) and standard_deviation >= 0):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"standard deviation {standard_deviation!r} is not allowed; it is a number from 0",
        )
    return NormalDist().inv_cdf((1 + level) / 2) * standard_deviation
