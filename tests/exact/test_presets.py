"""What is pre-configured for a progressive, and what settings of a link come to."""

from fractions import Fraction

import pytest

from houseway.exact.presets import FULL_TABLE, LEAST_HOLD, link_figures, preset
from houseway.exact.pricing import par
from houseway.exact.progressive import ProgressiveRow, progressive_row
from houseway.games.library import all_paytables, paytable_of
from houseway.house.meters import MeterSettings
from houseway.house.money import MeterLevel
from houseway.names import PROGRESSIVE_CODES

PAYTABLES = [p for p in all_paytables() if p.game in PROGRESSIVE_CODES]
ROYALS = {"single": 4, "mega": 4, "major": 36, "minor": 624}
"""Hands of 2,598,960 that start a meter of the link again."""


@pytest.fixture(params=PAYTABLES, ids=[p.code for p in PAYTABLES])
def row(request: pytest.FixtureRequest) -> ProgressiveRow:
    return progressive_row(request.param)


def seeds(settings: dict[MeterLevel, MeterSettings]) -> dict[MeterLevel, Fraction]:
    return {level: Fraction(one.meter_seed_cents, 100) for level, one in settings.items()}


@pytest.mark.clause("PRC-03", "PRC-04", "PRC-07", "PRC-08")
def test_every_progressive_has_a_preset_that_keeps_a_quarter(row: ProgressiveRow) -> None:
    found = preset(row)
    assert tuple(found) == row.pays.levels
    kept = link_figures(row, found, seeds(found)).hold
    assert kept >= LEAST_HOLD
    for level, one in found.items():
        assert one.contribution_ppm % 10_000 == 0
        assert one.reserve_ppm == 10_000
        assert one.meter_seed_cents >= row.pays.largest_fixed * 100
        assert one.cap_cents is None
        # The next whole percent is more than the house can give to every meter alike.
        more = MeterSettings(
            contribution_ppm=one.contribution_ppm + 10_000 * len(found),
            reserve_ppm=one.reserve_ppm,
            meter_seed_cents=one.meter_seed_cents,
        )
        assert link_figures(row, {**found, level: more}, seeds(found)).hold < LEAST_HOLD


@pytest.mark.clause("PRC-03")
def test_what_the_house_keeps_is_what_is_not_paid_out() -> None:
    """By hand, from counts of hands that any textbook has."""
    paytable = paytable_of("five-card-link", "progressive", "ML03")
    row = progressive_row(paytable)
    of = 2_598_960
    rates: dict[MeterLevel, tuple[int, int, int]] = {
        "mega": (60_000, 10_000, 7_777),
        "major": (1, 0, 500_000),
        "minor": (0, 333_333, 0),
    }
    settings: dict[MeterLevel, MeterSettings] = {
        level: MeterSettings(contribution_ppm=c, reserve_ppm=r, meter_seed_cents=s)
        for level, (c, r, s) in rates.items()
    }
    fixed = Fraction(50 * 3_744 + 40 * 5_108 + 30 * 10_200 + 9 * 54_912, of)
    envy = (FULL_TABLE - 1) * Fraction(1_000 * 4 + 300 * 36, of)
    meters = sum(
        Fraction(c + r, 1_000_000) + Fraction(ROYALS[level] * s, of * 100)
        for level, (c, r, s) in rates.items()
    )
    found = link_figures(row, settings, {"mega": Fraction(9), "major": 8, "minor": 7})
    assert found.hold == 1 - fixed - envy - meters
    assert found.edge_at_meter == 1 - fixed - Fraction(9 * 4 + 8 * 36 + 7 * 624, of)
    seeded = Fraction(7_777 * 4 + 500_000 * 36, of * 100)
    assert found.edge_at_seed == 1 - fixed - seeded
    off = link_figures(row, settings, seeds(settings), all_from_meter=True)
    assert off.hold == 1 - envy - meters


@pytest.mark.clause("PRC-03")
def test_a_link_at_nine_tenths_loses_money() -> None:
    row = progressive_row(paytable_of("three-card-progressive", "progressive", "1"))
    settings: dict[MeterLevel, MeterSettings] = {
        "single": MeterSettings(contribution_ppm=900_000, meter_seed_cents=100_000)
    }
    assert link_figures(row, settings, seeds(settings)).hold < Fraction(-1, 2)


@pytest.mark.clause("PRC-07")
def test_a_sheet_of_a_progressive_names_its_preset() -> None:
    [document] = par("three-card-progressive", paytables={"progressive": "1"}).to_json()["bets"]
    assert document["preset"] == {
        "single": {
            "contribution_ppm": 110_000,
            "reserve_ppm": 10_000,
            "meter_seed_cents": 100_000,
            "cap_cents": None,
        }
    }
