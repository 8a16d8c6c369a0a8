"""Link price: what a link costs and keeps, and which advice its settings go against (PRC-03).

Whoever makes or changes a link sees both before it is done, and the journal keeps both with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.floor import accounts
from houseway.floor.guard_rails import Advice, warnings
from houseway.floor.link import Link
from houseway.games import library
from houseway.house.meters import MeterSettings
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel
from houseway.house.paytables import PayTable
from houseway.journal.state import State
from houseway.names import PROGRESSIVE_CODES
from houseway.refusal import Reason, Refused, listed

Settings = Mapping[MeterLevel, MeterSettings]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPrice:
    """A change of a link, priced. Figures are fractions of a $1 wager as text."""

    before: Mapping[str, str] | None
    """None for a link that is being made."""
    after: Mapping[str, str]
    advice: tuple[Advice, ...]

    def to_json(self) -> dict[str, Any]:
        """The price as plain data."""
        return {
            "before": self.before,
            "after": self.after,
            "advice": [one.to_json() for one in self.advice],
        }


def paytable_of(progressive: str, code: str) -> PayTable:
    """The paytable of a progressive; refused when the progressive has no such paytable."""
    if progressive not in PROGRESSIVE_CODES:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"progressive {progressive!r} is unknown; known: {listed(PROGRESSIVE_CODES)}",
        )
    return library.paytable_of(progressive, "progressive", code)


def preset_of(paytable: PayTable) -> dict[MeterLevel, MeterSettings]:
    """The pre-configured settings of a paytable, which are the house's (PRC-07)."""
    # Not at the top: most commands of a floor price no link.
    from houseway.exact.presets import preset
    from houseway.exact.progressive import progressive_row

    return preset(progressive_row(paytable))


def price_new(paytable: PayTable, settings: Settings, *, all_from_meter: bool) -> LinkPrice:
    """A link that is being made: its meters stand at their meter_seed."""
    seeds = {level: one.meter_seed_cents for level, one in settings.items()}
    return _price(paytable, None, settings, seeds, all_from_meter)


def price_change(state: State, link: Link, new: Settings) -> LinkPrice:
    """A change of settings, at what stands on the meters now."""
    shown = {level: accounts.meter_of(state, link.name, level).shown_cents for level in new}
    return _price(link.pays, link.settings, new, shown, link.all_from_meter)


def _price(
    paytable: PayTable,
    old: Settings | None,
    new: Settings,
    cents: Mapping[MeterLevel, int],
    all_from_meter: bool,
) -> LinkPrice:
    from houseway.exact.presets import link_figures, preset
    from houseway.exact.progressive import progressive_row

    row = progressive_row(paytable)
    meters = {level: Fraction(amount, CENTS_PER_DOLLAR) for level, amount in cents.items()}
    after = link_figures(row, new, meters, all_from_meter=all_from_meter)
    before = old and link_figures(row, old, meters, all_from_meter=all_from_meter)
    advice = warnings(
        paytable, new, preset=preset(row), hold=after.hold, all_from_meter=all_from_meter
    )
    return LinkPrice(
        before=before.to_json() if before else None, after=after.to_json(), advice=tuple(advice)
    )
