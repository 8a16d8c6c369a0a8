"""Meter law: what a progressive returns over a given number of wagers, mean and spread.

The model is that of the long run: wagers are judged one by one, each independent of those before,
and a wager's contribution stands on the meter before its hand is judged. Every wager then turns
the state (1, each meter, each reserve, what was returned) into another by one of a few linear
maps, so means and second moments after n wagers are powers of two small matrices.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from houseway.exact.progressive import ProgressiveRow, odds_of
from houseway.games.progressive import envy_cents, share_cents, starts_again
from houseway.house.meters import MICROCENTS, MeterSettings
from houseway.house.money import MeterLevel, MeterShare
from houseway.house.options import Options

Matrix = npt.NDArray[np.float64]
EVEN_CENTS = 10**9
"""A meter of which every share comes out in whole cents, to read a share off the rule."""


@dataclass(frozen=True, slots=True)
class RunLaw:
    """Mean and standard deviation of what all wagers of a run return, in cents."""

    mean: float
    standard_deviation: float


def run_law(
    row: ProgressiveRow,
    settings: Mapping[MeterLevel, MeterSettings],
    *,
    wagers: int,
    wager_cents: int,
    start_cents: Mapping[MeterLevel, float],
    other_hands: int,
    options: Options,
) -> RunLaw:
    """The law of the return of so many wagers; the meters start with so much on them."""
    maps = _maps(row, settings, wager_cents, other_hands, options)
    state = _start(settings, start_cents)
    mean_step = np.array(sum(p * step for p, step in maps))
    mean = float((np.linalg.matrix_power(mean_step, wagers) @ state)[-1])
    # What a wager returns on average is taken off every step, so that no digits are lost.
    usual = mean / wagers
    for _, step in maps:
        step[-1, 0] -= usual
    second_step = np.array(sum(p * np.kron(step, step) for p, step in maps))
    second = np.linalg.matrix_power(second_step, wagers) @ np.kron(state, state)
    return RunLaw(mean, sqrt(max(float(second[-1]), 0.0)))


def _start(
    settings: Mapping[MeterLevel, MeterSettings], start_cents: Mapping[MeterLevel, float]
) -> Matrix:
    state = np.zeros(2 + 2 * len(settings))
    state[0] = 1.0
    for place, level in enumerate(settings):
        state[1 + 2 * place] = start_cents[level]
    return state


def _maps(
    row: ProgressiveRow,
    settings: Mapping[MeterLevel, MeterSettings],
    wager_cents: int,
    other_hands: int,
    options: Options,
) -> list[tuple[float, Matrix]]:
    """Every way a wager may go, with its probability and what it does to the state."""
    levels = list(settings)
    grow = np.eye(2 + 2 * len(levels))
    for place, level in enumerate(levels):
        rates = settings[level]
        grow[1 + 2 * place, 0] = wager_cents * rates.contribution_ppm / MICROCENTS
        grow[2 + 2 * place, 0] = wager_cents * rates.reserve_ppm / MICROCENTS
    found = [(float(1 - row.hit_frequency), grow.copy())]
    for hand, probability in row.probabilities.items():
        odds = odds_of(row.pays, hand)
        then = np.eye(len(grow))
        then[-1, 0] = other_hands * envy_cents(hand, row.pays, wager_cents)
        if isinstance(odds, MeterShare):
            meter = 1 + 2 * levels.index(odds.level)
            share = share_cents(odds, EVEN_CENTS, wager_cents, options) / EVEN_CENTS
            then[-1, meter] = share
            then[meter, meter] = 1 - share
            if starts_again(odds, wager_cents, options):
                then[meter, 0] = settings[odds.level].meter_seed_cents
                then[meter, meter + 1] = 1.0
                then[meter + 1, meter + 1] = 0.0
        else:
            then[-1, 0] += float(odds.net + 1) * wager_cents
        found.append((float(probability), then @ grow))
    return found
