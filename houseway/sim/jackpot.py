"""Jackpot: a progressive followed through a run, its meters growing, paid and started again.

Between two hits nothing happens to a meter but contributions, and these add up: many wagers
contribute what one of their sum would. So the arithmetic of `meters` is asked once for every hit,
and what is on a meter is what a floor would have there, to the millionth of a cent.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from houseway.exact.tabulate import Ints
from houseway.games.base import Outcome, net_cents
from houseway.games.progressive import (
    award,
    envy_cents,
    folded_player_earns_envy,
    payment_order,
    share_cents,
    starts_again,
)
from houseway.house.meters import MICROCENTS, Meter, MeterSettings, contribute, opened
from houseway.house.meters import award as pay_out
from houseway.house.money import LARGEST_AMOUNT_CENTS, MeterLevel, MeterShare, dollars_text
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.sim.tally import Hits

MOST_WAGER_CENTS = 1_000_000
"""More on a progressive at a time, and its meters outgrow what an amount may be."""


def check_meter_wager(cents: int) -> None:
    """Refuse a wager whose meters could not be followed."""
    if cents > MOST_WAGER_CENTS:
        raise Refused(
            Reason.ABOVE_MAXIMUM,
            f"wager of {dollars_text(cents)} on the progressive is too much to follow its meters; "
            f"at most {dollars_text(MOST_WAGER_CENTS)} is simulated",
        )


def meter_settings(paytable: PayTable, options: Options) -> dict[MeterLevel, MeterSettings]:
    """How every meter of a paytable grows, by house options; refused where it is not said."""
    rates, seeds = dict(options.contribution_rate), dict(options.meter_seed)
    reserves, caps = dict(options.reserve_rate), dict(options.cap)
    for level in paytable.levels:
        if level not in rates:
            example = "0.2" if level == "single" else f"{level}=0.1"
            raise Refused(
                Reason.MISSING_METER,
                f"progressive {paytable.code!r} is simulated with its meters, and how meter "
                f"{level!r} grows is not said; give --option contribution_rate={example}",
                "PRC-04",
            )
    return {
        level: MeterSettings(
            contribution_ppm=rates[level],
            reserve_ppm=reserves.get(level, 0),
            meter_seed_cents=seeds.get(level, 0),
            cap_cents=caps.get(level),
        )
        for level in paytable.levels
    }


@dataclass(slots=True)
class LevelCount:
    """One meter in numbers: cents and counts."""

    awards: int = 0
    paid_cents: int = 0
    seeded_cents: int = 0
    """What the house put in to start the meter again."""
    highest_cents: int = 0


class Jackpot:
    """One progressive paytable with its meters, followed hit by hit."""

    def __init__(
        self,
        paytable: PayTable,
        options: Options,
        seats: int,
        wager_cents: int,
        start: Mapping[MeterLevel, int] | None = None,
    ) -> None:
        self.paytable = paytable
        self.options = options
        self.seats = seats
        self.wager = wager_cents
        self.settings = meter_settings(paytable, options)
        self.meters: dict[MeterLevel, Meter] = {
            level: opened(settings) for level, settings in self.settings.items()
        }
        for level, cents in (start or {}).items():
            self.meters[level] = Meter(amount=cents * MICROCENTS)
        self.start = {level: meter.amount for level, meter in self.meters.items()}
        self.round = 0
        """Rounds whose wagers are on the meters."""
        self.levels = {level: LevelCount() for level in self.settings}
        self.envy_cents = 0

    def follow(self, hits: Iterable[Hits], rounds: int) -> None:
        """Go on through these hits to the end of that many rounds."""
        rows = (row for block in hits for row in block.tolist())
        for number, same_round in groupby(rows, key=lambda row: int(row[0])):
            self._contribute(number + 1)
            self._settle({row[1] + 1: row for row in same_round})
        self._contribute(rounds)

    def _contribute(self, rounds: int) -> None:
        wagered = (rounds - self.round) * self.seats * self.wager
        self.round = rounds
        for level, settings in self.settings.items():
            meter, left = self.meters[level], wagered
            while left:
                part = min(left, LARGEST_AMOUNT_CENTS)
                meter, _ = contribute(meter, settings, part)
                left -= part
            self.meters[level] = meter
            counted = self.levels[level]
            counted.highest_cents = max(counted.highest_cents, meter.shown_cents)

    def _settle(self, winners: dict[int, list[int]]) -> None:
        """Awards from the far right on, each from what the one before left; then envy."""
        for position in payment_order(winners, self.options, sorted(winners)):
            _, _, hand, folded, folded_seats = winners[position]
            verdict = award(hand, self.paytable, self.options, folded=bool(folded))
            if isinstance(verdict.odds, MeterShare):
                self._pay(verdict.odds)
            if verdict.outcome is not Outcome.FORFEIT:
                self._envy(hand, self.seats - 1, folded_seats - folded)

    def _pay(self, share: MeterShare) -> None:
        level = share.level
        meter = self.meters[level]
        paid = share_cents(share, meter.shown_cents, self.wager, self.options)
        whole = starts_again(share, self.wager, self.options)
        self.meters[level], moved = pay_out(meter, self.settings[level], paid, whole=whole)
        counted = self.levels[level]
        counted.awards += 1
        counted.paid_cents += moved.paid_cents
        counted.seeded_cents += moved.meter_seed_cents

    def _envy(self, hand: int, others: int, folded_others: int) -> None:
        receivers = others
        if not folded_player_earns_envy(self.options):
            receivers -= folded_others
        self.envy_cents += receivers * envy_cents(hand, self.paytable, self.wager)

    def fixed_cents(self, judged: Ints) -> int:
        """What fixed pays came to, from counts[folded, hand]."""
        return sum(pay * int(judged[folded, hand]) for folded, hand, pay in self._fixed())

    def _fixed(self) -> Iterator[tuple[int, int, int]]:
        for hand in self.paytable.classes:
            for folded in (0, 1):
                verdict = award(hand, self.paytable, self.options, folded=bool(folded))
                if verdict.odds is not None and not isinstance(verdict.odds, MeterShare):
                    yield folded, int(hand), net_cents(verdict, self.wager) + self.wager

    @property
    def awarded_cents(self) -> int:
        """What the meters paid."""
        return sum(level.paid_cents for level in self.levels.values())

    def to_json(self) -> dict[str, Any]:
        """Where the jackpot stands, as plain data."""
        return {
            "paytable": self.paytable.code,
            "round": self.round,
            "envy_cents": self.envy_cents,
            "levels": {
                level: {
                    "amount": self.meters[level].amount,
                    "reserve": self.meters[level].reserve,
                    "overflow": self.meters[level].overflow,
                    "start": self.start[level],
                    "awards": counted.awards,
                    "paid_cents": counted.paid_cents,
                    "seeded_cents": counted.seeded_cents,
                    "highest_cents": counted.highest_cents,
                }
                for level, counted in self.levels.items()
            },
        }

    def go_on_from(self, data: dict[str, Any]) -> None:
        """Stand where a jackpot of the same job stood."""
        self.round = int(data["round"])
        self.envy_cents = int(data["envy_cents"])
        for level in self.levels:
            found = data["levels"][level]
            self.meters[level] = Meter(
                amount=found["amount"], reserve=found["reserve"], overflow=found["overflow"]
            )
            self.start[level] = found["start"]
            self.levels[level] = LevelCount(
                found["awards"],
                found["paid_cents"],
                found["seeded_cents"],
                found["highest_cents"],
            )
