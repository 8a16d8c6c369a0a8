"""Guard rails: what the sources advise on contribution, reserve and meter_seed (PRC-01 to 09).

A warning is a sentence with its clause. What goes against advice is done only with a reason; some
things are not done at all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from houseway.house.meters import MICROCENTS, Meter, MeterSettings, check_cap, percent_text
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, dollars_text
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused

GROWS_WELL_PPM = 700_000
"""From this rate on a table that pays everything from its meter is built to grow (PRC-02)."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of the sources that settings go against."""

    clause: str
    text: str

    def to_json(self) -> dict[str, str]:
        """The warning as plain data."""
        return {"clause": self.clause, "text": self.text}


def warnings(
    paytable: PayTable,
    settings: Mapping[MeterLevel, MeterSettings],
    *,
    preset: Mapping[MeterLevel, MeterSettings],
    hold: Fraction,
    all_from_meter: bool,
) -> Iterator[Advice]:
    """Every piece of advice that the settings go against.

    `hold` is what the house keeps of a dollar in the long run with these settings.
    """
    rate = sum(level.contribution_ppm for level in settings.values())
    if hold < 0:
        yield Advice(
            "PRC-03",
            f"in the long run the house loses {percent_text(round(-hold * MICROCENTS))} of every "
            "dollar wagered",
        )
    if all_from_meter and rate < GROWS_WELL_PPM:
        yield Advice(
            "PRC-02",
            f"a contribution of {percent_text(rate)} is below 70%: with every pay from the meter "
            "it may run dry",
        )
    least = int(paytable.largest_fixed * CENTS_PER_DOLLAR)
    for name, level in settings.items():
        usual = preset[name]
        if level.contribution_ppm > usual.contribution_ppm and not all_from_meter:
            yield Advice(
                "PRC-03",
                f"a contribution of {percent_text(level.contribution_ppm)} to meter {name} is "
                f"above the pre-configured {percent_text(usual.contribution_ppm)} of the house "
                "and lowers what it keeps",
            )
        if level.meter_seed_cents != usual.meter_seed_cents:
            yield Advice(
                "PRC-07",
                f"meter_seed {dollars_text(level.meter_seed_cents)} of meter {name} is not the "
                f"{dollars_text(usual.meter_seed_cents)} that the house has pre-configured",
            )
        if not level.reserve_ppm:
            yield Advice("PRC-04", f"meter {name} has no reserve; set a small part aside")
        if level.meter_seed_cents == 0 and level.reserve_ppm:
            yield Advice(
                "PRC-06",
                f"meter {name} starts again from the reserve alone: two awards in a row would "
                "restart it very low",
            )
        if level.meter_seed_cents == 0:
            yield Advice("PRC-09", f"a meter_seed of $0.00 on meter {name} is not recommended")
        elif level.meter_seed_cents < least:
            yield Advice(
                "PRC-08",
                f"meter_seed {dollars_text(level.meter_seed_cents)} of meter {name} is below "
                f"{dollars_text(least)}, the largest fixed award of a $1 wager",
            )


def check_settings(
    paytable: PayTable,
    settings: Mapping[MeterLevel, MeterSettings],
    options: Options,
    *,
    override: bool,
) -> None:
    """Refuse settings that cannot be, and a meter_seed of nothing without an override (PRC-09)."""
    check_levels(paytable, settings)
    total = sum(s.contribution_ppm + s.reserve_ppm for s in settings.values())
    if total > MICROCENTS:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"contributions and reserves of {percent_text(total)} are more than the whole wager",
            "PRC-01",
        )
    empty = [name for name, level in settings.items() if level.meter_seed_cents == 0]
    if empty and options.zero_meter_seed == "refuse_without_override" and not override:
        raise Refused(
            Reason.ZERO_AMOUNT,
            f"a meter_seed of $0.00 on meter {empty[0]} is not recommended; an executive may "
            "override it",
            "PRC-09",
        )


def check_levels(paytable: PayTable, settings: Mapping[MeterLevel, MeterSettings]) -> None:
    """Refuse settings for other meters than those of a paytable."""
    if set(settings) != set(paytable.levels):
        raise Refused(
            Reason.MISSING_METER,
            f"meters {', '.join(sorted(settings)) or 'none'} are given; paytable "
            f"{paytable.code!r} pays from {', '.join(paytable.levels)}",
        )


def check_change(
    old: Mapping[MeterLevel, MeterSettings],
    new: Mapping[MeterLevel, MeterSettings],
    meters: Mapping[MeterLevel, Meter],
    *,
    all_from_meter: bool,
    reason: str,
) -> None:
    """Refuse a raise without a reason (PRC-03), and a cap below what is shown."""
    for name, level in new.items():
        raised = level.contribution_ppm > old[name].contribution_ppm
        if raised and not all_from_meter and not reason.strip():
            raise Refused(
                Reason.NOT_APPROVED,
                f"raising the contribution of meter {name} from "
                f"{percent_text(old[name].contribution_ppm)} to "
                f"{percent_text(level.contribution_ppm)} lowers the house advantage; give a reason",
                "PRC-03",
            )
        check_cap(meters[name], level)


def check_mixture(
    old: Mapping[MeterLevel, MeterSettings], new: Mapping[MeterLevel, MeterSettings]
) -> None:
    """Refuse rates that are more than the wager while some levels still have their old ones."""
    total = sum(
        max(level.contribution_ppm + level.reserve_ppm for level in (old[name], new[name]))
        for name in new
    )
    if total > MICROCENTS:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"each meter changes with its own next award, and until all have, rates may come to "
            f"{percent_text(total)} of the wager; lower some first",
            "PRC-01",
        )
