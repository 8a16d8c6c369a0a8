"""Meter lab: how a progressive grows, when it hits, and whether it can run dry.

What has a formula is given by it; paths of a meter are played out beside it, hit by hit, with the
arithmetic of the floor: between two paid hands only contributions happen, and these add up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log, log1p
from typing import Any

import numpy as np

from houseway.exact.long_run import LongRun, long_run
from houseway.exact.progressive import ProgressiveRow, odds_of, progressive_row
from houseway.games.progressive import share_cents, starts_again
from houseway.house.meters import (
    MICROCENTS,
    Meter,
    MeterSettings,
    contribute,
    opened,
    pay_from_meter,
)
from houseway.house.meters import award as taken_off
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, MeterShare
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.sim.jackpot import check_meter_wager, meter_settings

QUANTILES = (0.1, 0.5, 0.9, 0.99)
POINTS = 400
"""Points of a path that is drawn, beside those of its hits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A progressive on the bench: $1 wagers unless told, so many a round."""

    paytable: PayTable
    options: Options
    settings: Mapping[MeterLevel, MeterSettings]
    row: ProgressiveRow
    seats: int
    wager_cents: int
    all_from_meter: bool

    def whole_probability(self, level: MeterLevel) -> Fraction:
        """P(one wager takes the whole of a meter)."""
        return sum(
            (
                p
                for hand, p in self.row.probabilities.items()
                if isinstance(odds := odds_of(self.paytable, hand), MeterShare)
                and odds.level == level
                and starts_again(odds, self.wager_cents, self.options)
            ),
            Fraction(0),
        )

    def growth_cents(self, level: MeterLevel) -> Fraction:
        """What a round adds to a meter."""
        rate = Fraction(self.settings[level].contribution_ppm, MICROCENTS)
        return rate * self.wager_cents * self.seats

    def wagers_to_hit(self, level: MeterLevel, share: float) -> int:
        """Wagers within which the meter is hit with this probability."""
        p = float(self.whole_probability(level))
        return max(1, round(log(1 - share) / log1p(-p)))

    def hit_within(self, level: MeterLevel, rounds: int) -> float:
        """P(the meter is hit within so many rounds), wagers judged one by one."""
        p = float(self.whole_probability(level))
        return float(-np.expm1(rounds * self.seats * np.log1p(-p)))

    def long_run(self) -> LongRun | None:
        """The long run by formula; for $1 wagers and meters that pay shares only."""
        capped = any(level.cap_cents is not None for level in self.settings.values())
        if self.all_from_meter or capped or self.wager_cents != CENTS_PER_DOLLAR:
            return None
        return long_run(self.row, self.settings, self.seats - 1)

    def start_after_hit(self, level: MeterLevel, rounds: int) -> int:
        """Cents on the meter when a second hit comes so many rounds after the first.

        meter_seed, what the reserve had from those rounds, and what they contributed.
        """
        settings = self.settings[level]
        meter = opened(settings)
        if rounds:
            meter, _ = contribute(meter, settings, rounds * self.seats * self.wager_cents)
        return meter.shown_cents


def make_lab(
    paytable: PayTable,
    options: Options,
    *,
    seats: int = 1,
    wager_cents: int = 100,
) -> Lab:
    """A lab for a paytable; how its meters grow is set by options."""
    all_from_meter = options.all_from_meter == "on"
    if all_from_meter and paytable.levels != ("single",):
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"progressive {paytable.code!r} has several meters; all pays come off one meter only",
            "PRC-01",
        )
    check_meter_wager(wager_cents)
    return Lab(
        paytable=paytable,
        options=options,
        settings=meter_settings(paytable, options),
        row=progressive_row(paytable),
        seats=seats,
        wager_cents=wager_cents,
        all_from_meter=all_from_meter,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One way a progressive went: what stood there, what was paid, whether it ran dry."""

    points: Mapping[MeterLevel, list[tuple[int, int]]]
    """(round, cents) along the way, by level."""
    awards: Mapping[MeterLevel, list[int]]
    """Cents of every whole award, by level."""
    short_cents: int
    """What the house had to lay out because the meter was dry."""
    dry_at: int | None
    """The round in which the meter first could not pay."""


def play_path(lab: Lab, rounds: int, rng: np.random.Generator) -> Path:
    """Play a progressive for so many rounds from a fresh start."""
    walk = _Walk(lab, rounds)
    for wager, hand in _paid_hands(lab, rounds * lab.seats, rng):
        walk.go_to(wager)
        walk.pay(hand)
    walk.go_to(rounds * lab.seats)
    walk.mark()
    return Path(points=walk.points, awards=walk.awards, short_cents=walk.short, dry_at=walk.dry_at)


class _Walk:
    def __init__(self, lab: Lab, rounds: int) -> None:
        self.lab = lab
        self.meters: dict[MeterLevel, Meter] = {
            level: opened(settings) for level, settings in lab.settings.items()
        }
        self.wagers = 0
        self.every = max(1, rounds // POINTS) * lab.seats
        """Wagers from one point that is drawn to the next."""
        self.points: dict[MeterLevel, list[tuple[int, int]]] = {
            level: [(0, meter.shown_cents)] for level, meter in self.meters.items()
        }
        self.awards: dict[MeterLevel, list[int]] = {level: [] for level in lab.settings}
        self.short = 0
        self.dry_at: int | None = None

    @property
    def round(self) -> int:
        return self.wagers // self.lab.seats

    def go_to(self, wagers: int) -> None:
        """Take contributions up to and with a wager, and mark the points on the way."""
        while self.wagers < wagers:
            left = self.every - self.wagers % self.every
            taken = min(left, wagers - self.wagers)
            self.wagers += taken
            for level, settings in self.lab.settings.items():
                added = taken * self.lab.wager_cents
                self.meters[level], _ = contribute(self.meters[level], settings, added)
            if taken == left:
                self.mark()

    def mark(self, *levels: MeterLevel) -> None:
        """Note what stands on these meters, or on all."""
        for level in levels or self.meters:
            self.points[level].append((self.round, self.meters[level].shown_cents))

    def pay(self, hand: int) -> None:
        """Pay a hand from its meter, or a fixed pay where these come off the meter too."""
        lab = self.lab
        odds = odds_of(lab.paytable, hand)
        if isinstance(odds, MeterShare):
            level = odds.level
            meter = self.meters[level]
            cents = share_cents(odds, meter.shown_cents, lab.wager_cents, lab.options)
            whole = starts_again(odds, lab.wager_cents, lab.options)
            if whole:
                self.mark(level)
            self.meters[level], _ = taken_off(meter, lab.settings[level], cents, whole=whole)
            if whole:
                self.awards[level].append(cents)
                self.mark(level)
        elif lab.all_from_meter:
            due = int((odds.net + 1) * lab.wager_cents)
            level = lab.paytable.levels[0]
            self.meters[level], short = pay_from_meter(self.meters[level], due)
            if short:
                self.short += short
                self.dry_at = self.round if self.dry_at is None else self.dry_at


def _paid_hands(lab: Lab, wagers: int, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Wagers that win, in order, each with its hand; those that change no meter are left out."""
    hands = [
        hand
        for hand in lab.row.probabilities
        if lab.all_from_meter or isinstance(odds_of(lab.paytable, hand), MeterShare)
    ]
    chances = np.array([float(lab.row.probabilities[hand]) for hand in hands])
    total = float(chances.sum())
    at = 0
    while True:
        gaps = rng.geometric(total, size=4096)
        chosen = rng.choice(len(hands), size=4096, p=chances / total)
        for gap, place in zip(gaps.tolist(), chosen.tolist(), strict=True):
            at += gap
            if at > wagers:
                return
            yield at, hands[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabReport:
    """What the bench shows."""

    lab: Lab
    rounds: int
    paths: tuple[Path, ...]

    @property
    def dry_share(self) -> float:
        """The share of paths in which the meter ran dry."""
        return sum(path.dry_at is not None for path in self.paths) / len(self.paths)

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway meter-lab --json`."""
        lab = self.lab
        run = lab.long_run()
        return {
            "progressive": lab.paytable.game,
            "paytable": lab.paytable.code,
            "seats": lab.seats,
            "wager": lab.wager_cents,
            "all_from_meter": lab.all_from_meter,
            "rounds": self.rounds,
            "paths": len(self.paths),
            "levels": {level: self._level(level) for level in lab.settings},
            "dry_probability": self.dry_share,
            "mean_short": sum(path.short_cents for path in self.paths) / len(self.paths),
            "long_run": None if run is None else run.to_json(),
        }

    def _level(self, level: MeterLevel) -> dict[str, Any]:
        lab = self.lab
        p = lab.whole_probability(level)
        won = [cents for path in self.paths for cents in path.awards[level]]
        per_day = {"growth_per_round": str(lab.growth_cents(level))}
        return {
            **per_day,
            "hit_probability": str(p),
            "mean_wagers_between_hits": str(1 / p) if p else None,
            "wagers_to_hit": {
                f"{share:.0%}": lab.wagers_to_hit(level, share) for share in QUANTILES
            }
            if p
            else {},
            "hits": len(won),
            "mean_award": sum(won) / len(won) if won else None,
            "award_quantiles": {
                f"{share:.0%}": float(np.quantile(won, share)) for share in QUANTILES
            }
            if won
            else {},
            "second_hit": {
                str(rounds): {
                    "probability": lab.hit_within(level, rounds),
                    "meter": lab.start_after_hit(level, rounds),
                }
                for rounds in (1, 100, 1_000, 10_000)
            },
        }


def run_lab(lab: Lab, rounds: int, paths: int, seed: int) -> LabReport:
    """Play so many paths of so many rounds."""
    found = [
        play_path(lab, rounds, np.random.Generator(np.random.Philox(key=[seed, number])))
        for number in range(paths)
    ]
    return LabReport(lab=lab, rounds=rounds, paths=tuple(found))
