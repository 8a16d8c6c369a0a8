"""Meters: exact to the millionth of a cent, and nothing appears or is lost."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.house.meters import (
    MICROCENTS,
    Award,
    Contribution,
    Meter,
    MeterSettings,
    award,
    check_cap,
    contribute,
    opened,
    pay_from_meter,
    percent_text,
    take_back,
    total,
)
from houseway.house.money import MeterShare
from houseway.refusal import Refused

WHOLE, TENTH = MeterShare(Fraction(1)), MeterShare(Fraction(1, 10))


def test_a_million_odd_wagers_lose_nothing() -> None:
    """A third of a cent in ppm, a million times, is what it is multiplied by a million."""
    settings = MeterSettings(contribution_ppm=333_333, reserve_ppm=12_345, meter_seed_cents=500)
    meter = opened(settings)
    for _ in range(100_000):
        meter, _ = contribute(meter, settings, 1)
    assert meter.amount == 500 * MICROCENTS + 100_000 * 333_333
    assert meter.reserve == 100_000 * 12_345
    assert (meter.shown_cents, meter.carry) == (33_833, 300_000)


@pytest.mark.clause("PGM-04", "PNX-04", "PML-05", "PRC-05")
def test_a_whole_award_reseeds_from_meter_seed_plus_reserve() -> None:
    settings = MeterSettings(contribution_ppm=50_000, reserve_ppm=10_000, meter_seed_cents=100_000)
    meter = Meter(amount=1_243_107_250_000, reserve=4_000_500_000)
    after, moved = award(meter, settings, meter.shown_cents, whole=True)
    assert moved.paid_cents == 1_243_107
    assert moved.meter_seed_cents == 100_000
    assert moved.from_reserve == 4_000_500_000
    # The quarter of a cent that was not shown is still there.
    assert after.amount == 100_000 * MICROCENTS + 4_000_500_000 + 250_000
    assert after.reserve == 0


@pytest.mark.clause("PGM-08")
def test_a_part_award_is_taken_off_and_nothing_else_moves() -> None:
    settings = MeterSettings(contribution_ppm=50_000, meter_seed_cents=100_000)
    meter = Meter(amount=1_000_059_700_000, reserve=7)
    after, moved = award(meter, settings, TENTH.of(meter.shown_cents), whole=False)
    assert moved == Award(paid_cents=100_005, meter_seed_cents=0, from_reserve=0, to_overflow=0)
    assert after == Meter(amount=1_000_059_700_000 - 100_005 * MICROCENTS, reserve=7)


def test_a_cap_sends_the_rest_to_the_overflow() -> None:
    settings = MeterSettings(contribution_ppm=500_000, meter_seed_cents=100, cap_cents=150)
    meter = opened(settings)
    meter, first = contribute(meter, settings, 80)
    meter, second = contribute(meter, settings, 80)
    assert (meter.shown_cents, meter.overflow) == (150, 30 * MICROCENTS)
    assert first == Contribution(to_meter=40 * MICROCENTS, to_reserve=0, to_overflow=0)
    assert second == Contribution(
        to_meter=10 * MICROCENTS, to_reserve=0, to_overflow=30 * MICROCENTS
    )
    # A reseed above the cap overflows as well.
    low = MeterSettings(contribution_ppm=1, meter_seed_cents=100, cap_cents=100)
    after, moved = award(Meter(amount=100 * MICROCENTS, reserve=5), low, 100, whole=True)
    assert (after.amount, after.overflow, moved.to_overflow) == (100 * MICROCENTS, 5, 5)


def test_where_every_pay_comes_off_the_meter_it_may_run_dry_but_not_below() -> None:
    meter = Meter(amount=500 * MICROCENTS + 7)
    meter, short = pay_from_meter(meter, 300)
    assert (meter.shown_cents, short) == (200, 0)
    meter, short = pay_from_meter(meter, 300)
    assert (meter.amount, short) == (7, 100)


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("wager"), st.integers(min_value=1, max_value=50_000)),
        st.tuples(st.just("whole"), st.just(0)),
        st.tuples(st.just("tenth"), st.just(0)),
    ),
    max_size=60,
)
SETTINGS = st.builds(
    MeterSettings,
    contribution_ppm=st.integers(min_value=0, max_value=900_000),
    reserve_ppm=st.integers(min_value=0, max_value=100_000),
    meter_seed_cents=st.integers(min_value=0, max_value=10**7),
    cap_cents=st.one_of(st.none(), st.integers(min_value=0, max_value=10**7)),
)


@given(SETTINGS, ACTIONS)
def test_money_is_conserved(settings: MeterSettings, actions: list[tuple[str, int]]) -> None:
    """Meter, reserve and overflow always equal seeds and contributions less what was paid."""
    meter = opened(settings)
    put_in = settings.meter_seed_cents * MICROCENTS
    paid_out = 0
    for action, wager in actions:
        if action == "wager":
            meter, parts = contribute(meter, settings, wager)
            put_in += parts.to_meter + parts.to_reserve + parts.to_overflow
            exact = wager * (settings.contribution_ppm + settings.reserve_ppm)
            assert parts.to_meter + parts.to_reserve + parts.to_overflow == exact
        else:
            share = WHOLE if action == "whole" else TENTH
            paid = share.of(meter.shown_cents)
            meter, moved = award(meter, settings, paid, whole=share.whole)
            put_in += moved.meter_seed_cents * MICROCENTS
            paid_out += moved.paid_cents * MICROCENTS
        assert total(meter) == put_in - paid_out
        assert min(meter.amount, meter.reserve, meter.overflow) >= 0
        if settings.cap_cents is not None:
            assert meter.amount <= settings.cap_cents * MICROCENTS


def test_money_on_display_is_never_capped_away() -> None:
    meter = Meter(amount=200 * MICROCENTS)
    low = MeterSettings(contribution_ppm=500_000, cap_cents=150)
    after, parts = contribute(meter, low, 80)
    assert parts == Contribution(to_meter=0, to_reserve=0, to_overflow=40 * MICROCENTS)
    assert after.amount == meter.amount
    with pytest.raises(Refused, match="a cap is at least what is shown"):
        check_cap(meter, low)
    check_cap(meter, MeterSettings(contribution_ppm=1, cap_cents=200))


def test_an_award_that_was_fixed_before_leaves_what_came_in_since() -> None:
    settings = MeterSettings(contribution_ppm=50_000, meter_seed_cents=1000)
    meter = Meter(amount=5_000 * MICROCENTS)
    frozen = meter.shown_cents
    meter, _ = contribute(meter, settings, 2000)
    after, moved = award(meter, settings, frozen, whole=True)
    assert (moved.paid_cents, after.shown_cents) == (5000, 1100)
    with pytest.raises(Refused, match="more than the 1100 cents"):
        award(after, settings, 1101, whole=True)


@given(SETTINGS, st.lists(st.integers(min_value=1, max_value=50_000), min_size=1, max_size=9))
def test_a_contribution_is_taken_back_to_the_last_unit(
    settings: MeterSettings, wagers: list[int]
) -> None:
    start = meter = opened(settings)
    made = []
    for wager in wagers:
        meter, parts = contribute(meter, settings, wager)
        made.append(parts)
    for parts in made:
        meter = take_back(meter, parts)
    assert meter == start


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"contribution_ppm": -1}, "contribution -0.0001% is not allowed; 0% to 100% is"),
        ({"contribution_ppm": 1_000_001}, "contribution 100.0001% is not allowed"),
        ({"contribution_ppm": 0.5}, "contribution_ppm 0.5"),
        ({"contribution_ppm": 900_000, "reserve_ppm": 200_000}, "more than the whole wager"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MeterSettings(**settings)


def test_a_whole_wager_may_go_to_the_meter_and_its_reserve() -> None:
    settings = MeterSettings(contribution_ppm=900_000, reserve_ppm=100_000)
    _, parts = contribute(opened(settings), settings, 7)
    assert (parts.to_meter, parts.to_reserve) == (6_300_000, 700_000)


def test_a_meter_without_a_seed_starts_from_nothing_and_may_be_won_at_nothing() -> None:
    settings = MeterSettings(contribution_ppm=10)
    empty = opened(settings)
    assert empty == Meter(amount=0, reserve=0, overflow=0)
    after, moved = award(empty, settings, 0, whole=True)
    assert after == empty
    assert moved == Award(paid_cents=0, meter_seed_cents=0, from_reserve=0, to_overflow=0)


def test_amounts_are_checked() -> None:
    settings = MeterSettings(contribution_ppm=10)
    with pytest.raises(Refused):
        contribute(opened(settings), settings, 0)
    with pytest.raises(Refused):
        MeterSettings(contribution_ppm=10, meter_seed_cents=-1)
    with pytest.raises(Refused):
        MeterSettings(contribution_ppm=10, cap_cents=-1)


@pytest.mark.parametrize(
    ("ppm", "text"),
    [(0, "0%"), (1, "0.0001%"), (-1, "-0.0001%"), (265_000, "26.5%"), (-1_000_000, "-100%")],
)
def test_a_rate_is_told_as_a_percentage_with_its_sign(ppm: int, text: str) -> None:
    assert percent_text(ppm) == text
