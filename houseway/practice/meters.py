"""Meters: what the progressive of a practice table is played for.

They grow with every wager and start again after a whole award, as in a room; the money is play
money, and nobody else plays for them.
"""

from collections.abc import Iterable, Mapping

from houseway.house.meters import MICROCENTS
from houseway.house.money import MeterLevel
from houseway.live.progressive import NOBODY, meters_before
from houseway.live.state import Round
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.rules.seat import Pairs

SEEDS: dict[MeterLevel, int] = {
    "single": 1_000_000,
    "mega": 5_000_000,
    "major": 500_000,
    "minor": 50_000,
}
"""What stands on a meter at first, and after a whole award, in cents."""
CONTRIBUTIONS_PPM: dict[MeterLevel, int] = {
    "single": 200_000,
    "mega": 80_000,
    "major": 100_000,
    "minor": 50_000,
}
"""What of a wager goes to a meter, in parts per million."""
Amounts = tuple[tuple[MeterLevel, int], ...]
"""What stands on each meter, in millionths of a cent."""


def rules_with_meters(
    game: str,
    options: Mapping[str, str] | None,
    paytables: Mapping[str, str] | Pairs | None,
) -> Ruleset:
    """The rules of a practice table, whose meters start again from what is usual here."""
    rules = make_ruleset(game, options, paytables)
    if "progressive" not in rules.paytables:
        return rules
    levels = rules.paytables["progressive"].levels
    seeds = ",".join(f"{level}={SEEDS[level] // 100}" for level in levels)
    return make_ruleset(game, {**(options or {}), "meter_seed": seeds}, paytables)


def first_meters(rules: Ruleset) -> Amounts:
    """The meters of a new table."""
    if "progressive" not in rules.paytables:
        return ()
    levels = rules.paytables["progressive"].levels
    return tuple((level, SEEDS[level] * MICROCENTS) for level in levels)


def shown(meters: Amounts) -> tuple[tuple[MeterLevel, int], ...]:
    """What a sign would show, in whole cents."""
    return tuple((level, amount // MICROCENTS) for level, amount in meters)


def grown(meters: Amounts, wagers: Iterable[int]) -> Amounts:
    """The meters after these wagers, in cents."""
    total = sum(wagers)
    return tuple((level, amount + total * CONTRIBUTIONS_PPM[level]) for level, amount in meters)


def left(meters: Amounts, live: Round) -> Amounts:
    """The meters after the awards of a round, all of them paid."""
    began, after = dict(live.meters), meters_before(live, NOBODY)
    return tuple(
        (level, amount + (after[level] - began[level]) * MICROCENTS) for level, amount in meters
    )
