"""Money: integer cents, and odds as exact types.

A pay is one of three things, and they are never mixed up: *to 1* (the pay is on top of the
wager), *for 1* (the pay includes the wager) and a share of a progressive meter. What does not
come out in whole cents or chips is rounded by a named policy, the breakage.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Literal

from houseway.refusal import Reason, Refused

CENTS_PER_DOLLAR = 100
LARGEST_AMOUNT_CENTS = 10**14

Breakage = Literal["down_to_cent", "exact", "down_to_chip"]
MeterLevel = Literal["single", "mega", "major", "minor"]

METER_LEVELS: tuple[MeterLevel, ...] = ("single", "mega", "major", "minor")


@dataclass(frozen=True, slots=True)
class ToOne:
    """Odds on top of the wager: '3 to 2' pays 3 for every 2 and the wager stays the player's."""

    numerator: int
    denominator: int = 1

    @property
    def net(self) -> Fraction:
        """What a unit wager gains."""
        return Fraction(self.numerator, self.denominator)

    def __str__(self) -> str:
        return f"{self.numerator:,} to {self.denominator:,}"


@dataclass(frozen=True, slots=True)
class ForOne:
    """Odds that include the wager: '500 for 1' hands over 500 and keeps the 1."""

    numerator: int
    denominator: int = 1

    @property
    def net(self) -> Fraction:
        """What a unit wager gains: the pay less the wager that is not returned."""
        return Fraction(self.numerator, self.denominator) - 1

    def __str__(self) -> str:
        return f"{self.numerator:,} for {self.denominator:,}"


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A share of a progressive meter; the wager is not returned."""

    share: Fraction
    level: MeterLevel = "single"

    def of(self, meter_cents: int) -> int:
        """That share of a meter in whole cents, rounded down."""
        return int(meter_cents * self.share)

    @property
    def whole(self) -> bool:
        """True for 100%, the award after which the meter starts again from its meter_seed."""
        return self.share == 1

    def __str__(self) -> str:
        percent = self.share * 100
        number = str(percent) if percent.denominator == 1 else str(float(percent))
        return f"{number}% of {'the meter' if self.level == 'single' else self.level.title()}"


Odds = ToOne | ForOne | MeterShare

_ODDS = re.compile(r"([0-9][0-9,]*) (to|for) ([0-9][0-9,]*)")
_SHARE = re.compile(r"([0-9]+(?:\.[0-9]+)?)%(?: of (the meter|mega|major|minor))?")
_AMOUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.([0-9]*))?")


def parse_odds(text: str) -> Odds:
    """The odds that the text names: '3 to 2', '500 for 1', '100% of Mega'."""
    spelled = " ".join(text.lower().split())
    if match := _ODDS.fullmatch(spelled):
        pays, per = int(match[1].replace(",", "")), int(match[3].replace(",", ""))
        if pays > 0 and per > 0:
            return ToOne(pays, per) if match[2] == "to" else ForOne(pays, per)
    if match := _SHARE.fullmatch(spelled):
        share = Fraction(match[1]) / 100
        if 0 < share <= 1:
            levels = [level for level in METER_LEVELS if level == match[2]]
            return MeterShare(share, levels[0] if levels else "single")
    raise ValueError(
        f"odds {text!r} cannot be read; write them as '3 to 2', '500 for 1' or '100% of Mega'"
    )


def parse_amount(text: str, what: str = "amount", *, zero: bool = False) -> int:
    """Cents of an amount typed in dollars: '12.50' is 1250. Zero only where `zero` allows it."""
    spelled = text.strip().removeprefix("$")
    if spelled.startswith("-") and _is_amount(spelled[1:]):
        raise Refused(
            Reason.NEGATIVE_AMOUNT, f"{what} {text!r} is negative; it must be {_least(zero)}"
        )
    match = _AMOUNT.fullmatch(spelled)
    if match is None or not _is_amount(spelled):
        raise Refused(
            Reason.NOT_AN_AMOUNT,
            f"{what} {text!r} is not an amount; write dollars and cents, such as 12.50",
        )
    dollars, places = (match[1] or "0").replace(",", ""), match[2] or ""
    if places[2:].strip("0"):
        raise Refused(
            Reason.FRACTION_OF_A_CENT,
            f"{what} {text!r} holds a fraction of a cent; at most two decimals are allowed",
        )
    # The digits are counted first: Python itself refuses to read very many.
    whole = dollars.lstrip("0") or "0"
    cents = -1 if len(whole) > 13 else int(whole) * CENTS_PER_DOLLAR + int((places + "00")[:2])
    if not 0 <= cents <= LARGEST_AMOUNT_CENTS:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"{what} {text!r} is too large; "
            f"at most {dollars_text(LARGEST_AMOUNT_CENTS)} is allowed",
        )
    if cents == 0 and not zero:
        raise Refused(Reason.ZERO_AMOUNT, f"{what} {text!r} is nothing; it must be more than 0")
    return check_amount(cents, what, zero=True)


def check_amount(cents: object, what: str = "amount", *, zero: bool = False) -> int:
    """The amount itself when it is whole cents in range; refused otherwise."""
    if isinstance(cents, bool) or not isinstance(cents, int):
        reason = Reason.FRACTION_OF_A_CENT if _is_fractional(cents) else Reason.NOT_AN_AMOUNT
        raise Refused(reason, f"{what} {cents!r} is not a whole number of cents")
    if cents < 0:
        raise Refused(
            Reason.NEGATIVE_AMOUNT, f"{what} {cents!r} is negative; it must be {_least(zero)}"
        )
    if cents == 0 and not zero:
        raise Refused(Reason.ZERO_AMOUNT, f"{what} {cents!r} is nothing; it must be more than 0")
    if cents > LARGEST_AMOUNT_CENTS:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"{what} {cents!r} is too large; "
            f"at most {dollars_text(LARGEST_AMOUNT_CENTS)} is allowed",
        )
    return cents


def dollars_text(cents: int, *, sign: bool = False) -> str:
    """Cents as people read them: '$1,234.50', with a sign '+$12.00' or '-$2.50'."""
    mark = "-" if cents < 0 else "+" if sign and cents > 0 else ""
    dollars, rest = divmod(abs(cents), CENTS_PER_DOLLAR)
    return f"{mark}${dollars:,}.{rest:02d}"


def break_down(
    exact_cents: Fraction, breakage: Breakage, smallest_chip_cents: int, what: str
) -> int:
    """Whole cents of an exact pay or half loss by the breakage policy (A-23).

    `down_to_cent` and `down_to_chip` round towards zero, so a pay and a half loss both give the
    odd part away to the other side once; `exact` refuses what does not come out.
    """
    if exact_cents.denominator == 1 and breakage != "down_to_chip":
        return int(exact_cents)
    if breakage == "exact":
        raise Refused(
            Reason.BREAKAGE,
            f"{what} comes to {float(exact_cents):g} cents, which is not whole; with breakage "
            "'exact' only wagers that can be settled to the cent are taken",
        )
    if breakage == "down_to_chip":
        return int(exact_cents / smallest_chip_cents) * smallest_chip_cents
    return int(exact_cents)


def _least(zero: bool) -> str:
    return "0 or more" if zero else "more than 0"


def _is_amount(text: str) -> bool:
    return _AMOUNT.fullmatch(text) is not None and any(digit in text for digit in "0123456789")


def _is_fractional(value: object) -> bool:
    return isinstance(value, float | Fraction) and isfinite(value) and value % 1 != 0
