"""Meters: the arithmetic of a progressive meter, pure and exact.

A meter is kept in millionths of a cent, so a rate in parts per million of a wager in cents comes
out whole: there is no rounding, and the part of a cent that is not shown is carried, not lost.
Whoever books these movements finds every unit in the record they return.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from houseway.house.money import MeterLevel, check_amount
from houseway.refusal import Reason, Refused

MICROCENTS = 1_000_000
"""Units of a meter to a cent; also parts in a whole rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSettings:
    """How one level of a meter grows and starts again. Rates are parts per million of a wager."""

    contribution_ppm: int
    reserve_ppm: int = 0
    meter_seed_cents: int = 0
    cap_cents: int | None = None

    def __post_init__(self) -> None:
        for name in ("contribution_ppm", "reserve_ppm"):
            rate = getattr(self, name)
            if isinstance(rate, bool) or not isinstance(rate, int):
                raise ValueError(f"{name} {rate!r} is not a whole number from 0 to {MICROCENTS:,}")
            if not 0 <= rate <= MICROCENTS:
                what = name.removesuffix("_ppm")
                raise ValueError(f"{what} {percent_text(rate)} is not allowed; 0% to 100% is")
        if self.contribution_ppm + self.reserve_ppm > MICROCENTS:
            raise ValueError(
                f"contribution {percent_text(self.contribution_ppm)} and reserve "
                f"{percent_text(self.reserve_ppm)} are more than the whole wager"
            )
        check_amount(self.meter_seed_cents, "meter_seed", zero=True)
        if self.cap_cents is not None:
            check_amount(self.cap_cents, "cap", zero=True)


def percent_text(ppm: int) -> str:
    """A rate in parts per million as a percentage, such as 26.5%."""
    whole, part = divmod(abs(ppm), 10_000)
    decimals = f".{part:04}".rstrip("0").rstrip(".")
    return f"{'-' if ppm < 0 else ''}{whole}{decimals}%"


def settings_json(settings: Mapping[MeterLevel, MeterSettings]) -> dict[str, dict[str, Any]]:
    """Settings as plain data."""
    return {
        name: {
            "contribution_ppm": level.contribution_ppm,
            "reserve_ppm": level.reserve_ppm,
            "meter_seed_cents": level.meter_seed_cents,
            "cap_cents": level.cap_cents,
        }
        for name, level in settings.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """One level: what players see, the reserve behind it, and what overflowed above a cap."""

    amount: int
    reserve: int = 0
    overflow: int = 0

    @property
    def shown_cents(self) -> int:
        """Whole cents that the sign shows."""
        return self.amount // MICROCENTS

    @property
    def carry(self) -> int:
        """The part of a cent that is held but not shown, in millionths."""
        return self.amount % MICROCENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """Where the parts of one wager went, in millionths of a cent; the rest is the house's."""

    to_meter: int
    to_reserve: int
    to_overflow: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What an award took and what the reseed put back."""

    paid_cents: int
    meter_seed_cents: int
    from_reserve: int
    to_overflow: int


def opened(settings: MeterSettings) -> Meter:
    """A new meter, at its meter_seed; what is above a cap starts in the overflow."""
    return added(Meter(amount=0), settings, settings.meter_seed_cents * MICROCENTS)[0]


def contribute(
    meter: Meter, settings: MeterSettings, wager_cents: int
) -> tuple[Meter, Contribution]:
    """The meter after one wager, and where its parts went (PGM-06, PRC-04)."""
    check_amount(wager_cents, "wager")
    contribution = wager_cents * settings.contribution_ppm
    to_reserve = wager_cents * settings.reserve_ppm
    put_by = Meter(amount=meter.amount, reserve=meter.reserve + to_reserve, overflow=meter.overflow)
    grown, to_overflow = added(put_by, settings, contribution)
    return grown, Contribution(
        to_meter=contribution - to_overflow, to_reserve=to_reserve, to_overflow=to_overflow
    )


def take_back(meter: Meter, parts: Contribution) -> Meter:
    """The meter without a contribution that a void round made (A-15)."""
    return Meter(
        amount=meter.amount - parts.to_meter,
        reserve=meter.reserve - parts.to_reserve,
        overflow=meter.overflow - parts.to_overflow,
    )


def award(
    meter: Meter, settings: MeterSettings, paid_cents: int, *, whole: bool
) -> tuple[Meter, Award]:
    """The meter after an award, and what was moved; the amount may have been fixed before (A-16).

    A whole award starts the meter again from meter_seed + reserve (PGM-04, PNX-04, PML-05,
    PRC-05); what the meter holds beyond the award stays in it, the part of a cent that was not
    shown and what came in since. Any other award is only taken off (PGM-08).
    """
    check_amount(paid_cents, "award", zero=True)
    if paid_cents > meter.shown_cents:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"award {paid_cents!r} is more than the {meter.shown_cents} cents on the meter",
        )
    left = replace(meter, amount=meter.amount - paid_cents * MICROCENTS)
    if not whole:
        return left, Award(paid_cents=paid_cents, meter_seed_cents=0, from_reserve=0, to_overflow=0)
    fresh = settings.meter_seed_cents * MICROCENTS + left.reserve
    after, to_overflow = added(replace(left, reserve=0), settings, fresh)
    return after, Award(
        paid_cents=paid_cents,
        meter_seed_cents=settings.meter_seed_cents,
        from_reserve=left.reserve,
        to_overflow=to_overflow,
    )


def check_cap(meter: Meter, settings: MeterSettings) -> None:
    """Refuse a cap below what the meter shows: money on display is never capped away."""
    if settings.cap_cents is not None and settings.cap_cents < meter.shown_cents:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"cap {settings.cap_cents!r} is below the {meter.shown_cents} cents on the meter; "
            "a cap is at least what is shown",
        )


def pay_from_meter(meter: Meter, pay_cents: int) -> tuple[Meter, int]:
    """The meter after a fixed pay, for paytables that pay everything from it (PRC-01, A-49).

    Also returns the cents that the meter could not give: it may run dry, never below nothing.
    """
    check_amount(pay_cents, "pay")
    given = min(pay_cents, meter.shown_cents)
    return replace(meter, amount=meter.amount - given * MICROCENTS), pay_cents - given


def total(meter: Meter) -> int:
    """Everything the meter holds, in millionths of a cent."""
    return meter.amount + meter.reserve + meter.overflow


def added(meter: Meter, settings: MeterSettings, amount: int) -> tuple[Meter, int]:
    """The meter with an amount added up to its cap, and how much of it went to the overflow."""
    room = amount
    if settings.cap_cents is not None:
        room = max(0, min(amount, settings.cap_cents * MICROCENTS - meter.amount))
    above = amount - room
    grown = Meter(
        amount=meter.amount + room, reserve=meter.reserve, overflow=meter.overflow + above
    )
    return grown, above
