"""Money: amounts, odds and breakage."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.games.base import HALF, loses, net_cents, net_units, pushes, wins
from houseway.house.money import (
    ForOne,
    MeterShare,
    ToOne,
    break_down,
    check_amount,
    dollars_text,
    parse_amount,
    parse_odds,
)
from houseway.refusal import Reason, Refused


@pytest.mark.parametrize(
    ("text", "cents"),
    [("12.50", 1250), ("5", 500), (".5", 50), ("5.", 500), ("$1,000", 100000), ("0.01", 1),
     ("7.500", 750), ("007", 700)],
)  # fmt: skip
def test_amounts_are_typed_in_dollars(text: str, cents: int) -> None:
    assert parse_amount(text) == cents


@given(st.integers(min_value=1, max_value=10**13))
def test_an_amount_is_read_as_it_is_printed(cents: int) -> None:
    assert parse_amount(dollars_text(cents)) == cents


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-5", Reason.NEGATIVE_AMOUNT),
        ("-0.01", Reason.NEGATIVE_AMOUNT),
        ("0", Reason.ZERO_AMOUNT),
        ("0.00", Reason.ZERO_AMOUNT),
        ("1.005", Reason.FRACTION_OF_A_CENT),
        ("0.001", Reason.FRACTION_OF_A_CENT),
        ("ten", Reason.NOT_AN_AMOUNT),
        ("", Reason.NOT_AN_AMOUNT),
        (".", Reason.NOT_AN_AMOUNT),
        ("1e3", Reason.NOT_AN_AMOUNT),
        ("nan", Reason.NOT_AN_AMOUNT),
        ("inf", Reason.NOT_AN_AMOUNT),
        ("1,00", Reason.NOT_AN_AMOUNT),
        ("٣", Reason.NOT_AN_AMOUNT),
        ("1_000", Reason.NOT_AN_AMOUNT),
        ("+5", Reason.NOT_AN_AMOUNT),
        ("9" * 5000, Reason.AMOUNT_TOO_LARGE),
    ],
)
def test_what_is_no_amount_is_refused(text: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        parse_amount(text)
    assert refused.value.reason is reason
    assert repr(text) in refused.value.message


@pytest.mark.parametrize(
    ("cents", "reason"),
    [
        (-1, Reason.NEGATIVE_AMOUNT),
        (0, Reason.ZERO_AMOUNT),
        (1.5, Reason.FRACTION_OF_A_CENT),
        (Fraction(1, 3), Reason.FRACTION_OF_A_CENT),
        (2.0, Reason.NOT_AN_AMOUNT),
        ("5", Reason.NOT_AN_AMOUNT),
        (True, Reason.NOT_AN_AMOUNT),
        (float("nan"), Reason.NOT_AN_AMOUNT),
        (10**15, Reason.AMOUNT_TOO_LARGE),
    ],
)
def test_the_library_takes_whole_cents_only(cents: object, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        check_amount(cents)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("text", "odds"),
    [
        ("3 to 2", ToOne(3, 2)),
        ("1,000 to 1", ToOne(1000)),
        ("500 for 1", ForOne(500)),
        ("300 For 1", ForOne(300)),
        ("100%", MeterShare(Fraction(1))),
        ("10%", MeterShare(Fraction(1, 10))),
        ("12.5% of Major", MeterShare(Fraction(1, 8), "major")),
        ("100% of Mega", MeterShare(Fraction(1), "mega")),
    ],
)
def test_odds_are_types_and_print_as_they_are_read(text: str, odds: object) -> None:
    parsed = parse_odds(text)
    assert parsed == odds
    assert parse_odds(str(parsed)) == odds


@pytest.mark.parametrize(
    "text", ["3", "3 : 2", "0 to 1", "3 to 0", "to 1", "110%", "0%", "100% of Mini", "-1 to 1", ""]
)
def test_odds_that_cannot_be_read_are_quoted(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be read") as error:
        parse_odds(text)
    assert repr(text) in str(error.value)


def test_to_one_is_on_top_and_for_one_includes_the_wager() -> None:
    assert ToOne(6).net == 6
    assert ForOne(6).net == 5
    assert net_cents(wins(ToOne(6), "", ""), 100) == 600
    assert net_cents(wins(ForOne(6), "", ""), 100) == 500


@pytest.mark.clause("TSB-06", "TSB-14")
def test_breakage_has_three_named_policies() -> None:
    blackjack, tie = wins(ToOne(3, 2), "", ""), loses("", "", HALF)
    # $5.01: a blackjack is worth 751.5 cents and a War tie costs 250.5.
    assert net_cents(blackjack, 501) == 751
    assert net_cents(tie, 501) == -250
    for verdict in (blackjack, tie):
        with pytest.raises(Refused) as refused:
            net_cents(verdict, 501, "exact")
        assert refused.value.reason is Reason.BREAKAGE
    # $5 with no chip below $1: $7.50 is paid as $7 and a tie takes $2 of the $2.50.
    assert net_cents(blackjack, 500, "down_to_chip", 100) == 700
    assert net_cents(tie, 500, "down_to_chip", 100) == -200
    # Chips of $1 are the smallest where nothing else is said.
    assert net_cents(blackjack, 500, "down_to_chip") == 700
    # A whole loss is the wager, with its odd cents.
    assert net_cents(loses("", ""), 550, "down_to_chip", 100) == -550
    # Whole results are the same under every policy.
    for policy in ("down_to_cent", "exact"):
        assert net_cents(blackjack, 1000, policy) == 1500
        assert net_cents(tie, 500, policy) == -250


@given(
    st.integers(min_value=1, max_value=10**9), st.sampled_from([ToOne(3, 2), ToOne(7), ForOne(9)])
)
def test_breakage_takes_less_than_a_cent(wager: int, odds: ToOne | ForOne) -> None:
    verdict = wins(odds, "", "")
    exact = net_units(verdict) * wager
    assert 0 <= exact - net_cents(verdict, wager) < 1


def test_a_wager_of_a_cent_wins_a_cent() -> None:
    assert net_cents(wins(ToOne(1), "", ""), 1) == 1


def test_a_push_moves_nothing_and_a_share_has_no_worth_per_unit() -> None:
    assert net_cents(pushes("", ""), 777) == 0
    assert net_units(pushes("", "")) == 0
    with pytest.raises(ValueError, match="no worth per unit"):
        net_units(wins(MeterShare(Fraction(1)), "", ""))
    assert break_down(Fraction(5, 2), "down_to_cent", 100, "x") == 2
