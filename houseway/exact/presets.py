"""Presets: contribution, reserve and meter_seed for a progressive paytable (PRC-03, PRC-07).

The sources advise a casino to keep the pre-configured values of a paytable, and print none. These
are the house's own, worked out from the exact figures of the paytable, so every paytable has them:

- With every seat of a full table lit, the house keeps at least a quarter of each dollar in the long
  run. The rest, after fixed pays and envy, is the budget of the meters, in equal parts.
- A hundredth of each dollar goes to the reserve of each meter (PRC-04).
- The meter_seed is 1, 2 or 5 times a power of ten in dollars: the most that costs no more than
  three tenths of the budget of its meter, and never less than the largest fixed award (PRC-08).
- The contribution is the rest of the budget, rounded down to whole hundredths of a dollar.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from houseway.exact.long_run import long_run
from houseway.exact.progressive import Meters, ProgressiveRow, dollars, house_edge, odds_of
from houseway.house.meters import MICROCENTS, MeterSettings
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, MeterShare

LEAST_HOLD = Fraction(1, 4)
"""What the house keeps of a dollar in the long run, at least."""
FULL_TABLE = 6
"""Lit hands for which envy is reckoned."""
RESERVE = Fraction(1, 100)
SEED_PART = Fraction(3, 10)
"""The most of a meter's budget that its meter_seed may cost."""
PERCENT = Fraction(1, 100)
STEPS = (1, 2, 5)


def preset(row: ProgressiveRow) -> dict[MeterLevel, MeterSettings]:
    """How every meter of a paytable is set where the house sets nothing else (PRC-07)."""
    envy = (FULL_TABLE - 1) * row.envy_per_other_hand
    budget = max(Fraction(0), 1 - row.fixed_return - envy - LEAST_HOLD)
    part = budget / len(row.pays.levels)
    return {level: _preset(row, level, part) for level in row.pays.levels}


def _preset(row: ProgressiveRow, level: MeterLevel, budget: Fraction) -> MeterSettings:
    starts = sum(
        p
        for hand, p in row.probabilities.items()
        if isinstance(odds := odds_of(row.pays, hand), MeterShare)
        and (odds.level, odds.whole) == (level, True)
    )
    affordable = _round_down(SEED_PART * budget / starts) if starts else 0
    seed = max(affordable, _round_up(row.pays.largest_fixed))
    left = budget - RESERVE - starts * seed
    return MeterSettings(
        contribution_ppm=int(max(0, floor(left / PERCENT)) * PERCENT * MICROCENTS),
        reserve_ppm=int(RESERVE * MICROCENTS) if left >= 0 else 0,
        meter_seed_cents=seed * CENTS_PER_DOLLAR,
    )


def _round_down(amount: Fraction) -> int:
    """The largest of 1, 2 and 5 times a power of ten that is no more; 0 below 1."""
    return max((seed for seed in _seeds(amount) if seed <= amount), default=0)


def _round_up(amount: Fraction) -> int:
    return min(seed for seed in _seeds(amount) if seed >= amount)


def _seeds(amount: Fraction) -> list[int]:
    digits = len(str(ceil(amount)))
    return [step * 10**zeros for zeros in range(digits + 1) for step in STEPS]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFigures:
    """What a link costs its players and keeps for the house, per $1 wagered (PRC-03)."""

    edge_at_seed: Fraction
    """The house edge of one wager when every meter has just started again."""
    edge_at_meter: Fraction
    """The house edge of one wager now."""
    hold: Fraction
    """What the house keeps in the long run, with every seat of a full table lit."""

    def to_json(self) -> dict[str, str]:
        """The figures as text that Fraction reads."""
        return {
            "edge_at_seed": str(self.edge_at_seed),
            "edge_at_meter": str(self.edge_at_meter),
            "hold": str(self.hold),
        }


def link_figures(
    row: ProgressiveRow,
    settings: Mapping[MeterLevel, MeterSettings],
    meters: Meters,
    *,
    all_from_meter: bool = False,
) -> LinkFigures:
    """The figures of a link with these settings, and with these dollars on its meters now.

    A cap does not matter in the long run: players get what comes in above it later. Where all pays
    come off the meter, fixed pays cost the house nothing as long as the meter does not run dry.
    """
    seeds = {level: dollars(one.meter_seed_cents) for level, one in settings.items()}
    uncapped = {level: replace(one, cap_cents=None) for level, one in settings.items()}
    hold = long_run(row, uncapped, FULL_TABLE - 1).hold
    return LinkFigures(
        edge_at_seed=house_edge(row, seeds, CENTS_PER_DOLLAR),
        edge_at_meter=house_edge(row, meters, CENTS_PER_DOLLAR),
        hold=hold + row.fixed_return if all_from_meter else hold,
    )
