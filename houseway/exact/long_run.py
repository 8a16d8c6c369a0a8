"""Long run: what a progressive keeps and pays when its meters grow and start again for ever."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.exact.progressive import (
    ProgressiveRow,
    check_other_hands,
    dollars,
    missing_meter,
    odds_of,
)
from houseway.exact.sheet import plain
from houseway.house.meters import MICROCENTS, MeterSettings
from houseway.house.money import MeterLevel, MeterShare
from houseway.refusal import Reason, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """One meter in the long run, in dollars and $1 wagers."""

    mean_meter: Fraction
    """What stands on the meter on average when a hand is judged, and so the mean 100% award."""
    mean_awards: Mapping[str, Fraction]
    """The mean award by hand."""
    wagers_between_hits: Mapping[str, Fraction]
    """Mean number of wagers from one award to the next, by hand; divide by the hands that are lit
    in a round for rounds."""
    contribution_rate: Fraction
    reserve_rate: Fraction
    reseed_cost: Fraction
    """What the house puts in as meter_seed, per dollar wagered (PGM-04)."""

    @property
    def cost(self) -> Fraction:
        """What the meter takes out of every dollar wagered; all of it is paid out in the end."""
        return self.contribution_rate + self.reserve_rate + self.reseed_cost


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRun:
    """What a progressive keeps and pays when it runs for ever. Figures are per $1 wagered."""

    fixed_return: Fraction
    envy: Fraction
    levels: Mapping[MeterLevel, LevelRun]

    @property
    def hold(self) -> Fraction:
        """What the house keeps of a dollar once every contribution is seen as the players'."""
        costs = sum((level.cost for level in self.levels.values()), Fraction(0))
        return 1 - self.fixed_return - self.envy - costs

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data; exact values are text that Fraction reads."""
        return {
            "hold": str(self.hold),
            "fixed_return": str(self.fixed_return),
            "envy": str(self.envy),
            "levels": {
                name: plain(
                    {
                        "mean_meter": level.mean_meter,
                        "mean_awards": level.mean_awards,
                        "wagers_between_hits": level.wagers_between_hits,
                        "contribution_rate": level.contribution_rate,
                        "reserve_rate": level.reserve_rate,
                        "reseed_cost": level.reseed_cost,
                    }
                )
                for name, level in self.levels.items()
            },
        }


def long_run(
    row: ProgressiveRow, settings: Mapping[MeterLevel, MeterSettings], other_hands: int = 0
) -> LongRun:
    """The long run of a progressive whose meters grow and start again like this (PGM-04, PRC-05).

    The model: every wager is $1; wagers are judged one by one, each independent of those before;
    a wager's contribution c stands on the meter before its hand is judged, and r goes to the
    reserve. A hand with probability p takes the whole meter, which starts again from meter_seed S
    and the reserve; one with probability q takes a share a of it. For the expected award A(M) at
    the next 100% hit of a meter that stands at M,

        A(M) = p (M + c) + q A((1 - a)(M + c)) + (1 - p - q) A(M + c),

    whose solution is A(M) = (p M + c) / (p + q a). A meter starts at S + r / p on average, so the
    mean 100% award is (p S + r + c) / (p + q a). As hits do not depend on the meter, that is also
    the mean of the meter at any wager, and a share a is a times it. Without shares it is S plus
    r + c for each of the 1 / p wagers from hit to hit. What flows in, c + r + p S a wager, flows
    out as awards: it is what the meter costs the house.
    """
    coefficients = row.meter_coefficients
    levels: dict[MeterLevel, LevelRun] = {}
    for level, coefficient in coefficients.items():
        if level not in settings:
            raise missing_meter(row.pays, level, "settings")
        levels[level] = _level_run(row, level, coefficient, settings[level])
    return LongRun(
        fixed_return=row.fixed_return,
        envy=check_other_hands(other_hands) * row.envy_per_other_hand,
        levels=levels,
    )


def _level_run(
    row: ProgressiveRow, level: MeterLevel, coefficient: Fraction, settings: MeterSettings
) -> LevelRun:
    if settings.cap_cents is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"cap {settings.cap_cents!r} of meter {level!r} is not in the long-run model; "
            "give settings without a cap",
        )
    shares = {
        hand: (p, odds)
        for hand, p in row.probabilities.items()
        if isinstance(odds := odds_of(row.pays, hand), MeterShare) and odds.level == level
    }
    contribution = Fraction(settings.contribution_ppm, MICROCENTS)
    reserve = Fraction(settings.reserve_ppm, MICROCENTS)
    whole = sum((p for p, odds in shares.values() if odds.whole), Fraction(0))
    reseed = whole * dollars(settings.meter_seed_cents)
    mean = (reseed + reserve + contribution) / coefficient
    return LevelRun(
        mean_meter=mean,
        mean_awards=row.named({hand: odds.share * mean for hand, (_, odds) in shares.items()}),
        wagers_between_hits=row.named({hand: 1 / p for hand, (p, _) in shares.items()}),
        contribution_rate=contribution,
        reserve_rate=reserve,
        reseed_cost=reseed,
    )
