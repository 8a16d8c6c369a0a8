"""The hold that a model expects, as a call and as a command, and the bands of a par sheet."""

import json
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

import pytest

from houseway.catalog.claims import printed_hold
from houseway.catalog.register import clauses
from houseway.cli import main
from houseway.exact import par
from houseway.exact.hold import ASSUMPTIONS, hold
from houseway.refusal import Refused
from tests import ROOT

BONUS = ["--bet", "war=5", "--bet", "blackjack=5", "--bet", "poker=5"]
VISIT = ["--rounds-per-hour", "40", "--hours", "2", "--buy-in", "200"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["hold", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.clause("TSB-24")
def test_the_range_of_the_paytables_lies_in_the_printed_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, document = run(capsys, "triple-shot-bonus", *BONUS, *VISIT)
    assert code == 0
    edges = {(row["bet"], row["paytable"]): Fraction(row["house_edge"]) for row in document["bets"]}
    assert set(edges) == {
        ("war", None), ("blackjack", None), ("poker", "TSB-01"), ("poker", "TSB-02"),
    }  # fmt: skip
    for end, paytable in (("lowest", "TSB-01"), ("highest", "TSB-02")):
        # 80 rounds at $5 on each bet, over a buy-in of $200.
        lost = edges["war", None] + edges["blackjack", None] + edges["poker", paytable]
        assert Fraction(document[end]["house_edge"]) == lost / 3
        assert Fraction(document[end]["expected_win"]) == lost * 500 * 80
        assert Fraction(document[end]["expected_hold"]) == lost * 500 * 80 / 20_000
    printed = document["printed"]
    assert (printed["low"], printed["high"], printed["within"]) == ("3/20", "1/4", True)
    assert document["is_a_count"] is False
    assert document["assumptions"] == list(ASSUMPTIONS)


@pytest.mark.clause("TSB-24")
def test_the_printed_hold_is_the_one_of_the_clause() -> None:
    found = printed_hold("triple-shot-bonus")
    assert found is not None
    clause = next(clause for clause in clauses() if clause.id == found.clause)
    assert f"{float(found.low):.0%} to {float(found.high):.0%}" in clause.text
    assert found.source in clause.source
    assert printed_hold("triple-shot-rummy") is None


def test_a_chosen_paytable_gives_one_figure(capsys: pytest.CaptureFixture[str]) -> None:
    bets = ["--bet", "ante=10", "--bet", "pair-plus=5", "--paytable", "TCP-03"]
    code, document = run(capsys, "three-card-poker", *bets, *VISIT)
    assert code == 0
    assert document["lowest"] == document["highest"]
    assert "printed" not in document
    sheet = par("three-card-poker", None, "TCP-03")
    lost = sheet.row("ante").house_edge * 1000 + sheet.row("pair-plus").house_edge * 500
    assert Fraction(document["lowest"]["expected_win"]) == lost * 80


def test_a_visit_cannot_hold_more_than_its_buy_in() -> None:
    bets = {"ante": 10_000}
    one, many = (
        hold(
            "triple-shot-rummy",
            bets=bets,
            rounds_per_hour=Fraction(60),
            hours=Fraction(hours),
            buy_in_cents=10_000,
        )
        for hours in (Fraction(1, 4), Fraction(10))
    )
    edge = par("triple-shot-rummy").row("ante").house_edge
    assert one.lowest == one.highest == edge * 15
    assert many.lowest == many.highest == 1
    assert many.win_cents(many.lowest_edge) > many.buy_in_cents


def test_a_bet_that_costs_the_house_has_a_hold_below_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, document = run(capsys, "triple-shot-bonus", *BONUS, "--bet", "hat-trick=5", *VISIT)
    assert code == 0
    assert Fraction(document["lowest"]["expected_hold"]) < 0
    assert Fraction(document["highest"]["expected_hold"]) > 0
    assert document["printed"]["within"] is False


def test_people_read_that_it_is_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hold", "triple-shot-bonus", *BONUS, *VISIT]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "a model, not a count" in shown
    assert "expected hold: 17.60% to 17.99%" in shown
    assert "printed hold: 15% to 25%" in shown
    assert "[TSB-24, 003:L132]" in shown
    for assumption in ASSUMPTIONS:
        assert assumption in shown
    page = " ".join((ROOT / "docs" / "findings.md").read_text(encoding="utf-8").split())
    assert "hold 17.60% with Poker table TSB-01 and 17.99% with TSB-02" in page


ANTE = ["three-card-poker", "--bet", "ante=5"]
SECONDS = ["--play-seconds", "60", "--cycle-seconds", "20"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "unknown_game"),
        (["chess", *VISIT], "unknown_game"),
        (["five-card-link", "--bet", "progressive=1", *VISIT], "unknown_game"),
        (["three-card-poker", *VISIT], "missing_bet"),
        (["three-card-poker", "--bet", "play=5", *VISIT], "not_a_bet"),
        (["three-card-poker", "--bet", "war=5", *VISIT], "unknown_bet"),
        (["three-card-poker", "--bet", "six-card-bonus=5", *VISIT], "base_wager_required"),
        (["three-card-poker", "--bet", "ante=-5", *VISIT], "negative_amount"),
        ([*ANTE, "--bet", "progressive=1", *VISIT], "unknown_bet"),
        ([*ANTE, "--paytable", "Z", *VISIT], "unknown_paytable"),
        ([*ANTE, "--option", "tie_rule=draw", *VISIT], "unknown_value"),
        ([*ANTE, "--hours", "2", "--buy-in", "200"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "40", "--buy-in", "200"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "40", "--hours", "2"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "fast", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "0", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "nan", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "1e9", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "40", "--hours=-2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "40", "--hours", "1/2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, *VISIT, *SECONDS], "bad_argument"),
        ([*ANTE, *VISIT, "--decks", "2"], "bad_argument"),
        ([*ANTE, "--play-seconds", "60", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--cycle-seconds", "20", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, *SECONDS, "--decks", "3", "--hours", "2", "--buy-in", "9"], "bad_argument"),
        ([*ANTE, "--rounds-per-hour", "40", "--hours", "2", "--buy-in", "0"], "zero_amount"),
        ([*ANTE, "--rounds-per-hour", "40", "--hours", "2", "--buy-in", "much"], "not_an_amount"),
    ],
)
def test_a_visit_that_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    code, document = run(capsys, *arguments)
    assert (code, document["error"]["reason"]) == (2, reason)
    assert "\n" not in document["error"]["message"]


def test_as_a_call_the_buy_in_is_checked_too() -> None:
    with pytest.raises(Refused):
        hold(
            "three-card-poker",
            bets={"ante": 500},
            rounds_per_hour=Fraction(40),
            hours=Fraction(2),
            buy_in_cents=0,
        )


# ---------------------------------------------------------------------------------------- pace


@pytest.mark.clause("ACE-04")
@pytest.mark.parametrize(
    ("cycle", "decks", "rounds"),
    [
        # Play waits 60 seconds and the cycle: 3600 / 80, then 3600 / 75 with a quicker machine.
        ("20", 1, 45),
        ("15", 1, 48),
        # With two decks in turn only the longer of the two is waited for.
        ("20", 2, 60),
        ("15", 2, 60),
        ("90", 2, 40),
    ],
)
def test_the_cycle_of_the_shuffler_is_in_the_pace(
    capsys: pytest.CaptureFixture[str], cycle: str, decks: int, rounds: int
) -> None:
    seconds = ["--play-seconds", "60", "--cycle-seconds", cycle, "--decks", str(decks)]
    ante = ["triple-shot-rummy", "--bet", "ante=10", "--hours", "2", "--buy-in", "300"]
    code, document = run(capsys, *ante, *seconds)
    assert (code, document["rounds_per_hour"]) == (0, str(rounds))
    code, plain = run(capsys, *ante, "--rounds-per-hour", str(rounds))
    assert document == plain


# --------------------------------------------------------------------------------------- bands


def test_every_bet_has_its_bands_without_a_table_of_seats() -> None:
    sheet = par("triple-shot-rummy")
    for row in sheet.rows:
        document = row.to_json()
        deviation = sqrt(Fraction(document["variance"]))
        for level, index in document["volatility_index"].items():
            # The share of a normal law that lies so near to its mean is the level.
            near = 2 * NormalDist(0, deviation).cdf(index) - 1
            assert near == pytest.approx(float(level))
        assert list(document["confidence_bands"]) == ["1000", "10000", "100000", "1000000",
                                                      "10000000"]  # fmt: skip
        for rounds, band in document["confidence_bands"].items():
            half = document["volatility_index"]["0.99"] / sqrt(int(rounds))
            edge = float(row.house_edge)
            assert (band["low"], band["high"]) == pytest.approx((edge - half, edge + half))
        assert document["confidence_level"] == 0.99


def test_bands_are_shown_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["par", "triple-shot-rummy"]) == 0
    plain = capsys.readouterr().out
    assert main(["par", "triple-shot-rummy", "--bands"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(plain)
    added = shown.removeprefix(plain)
    assert max(len(line.rstrip()) for line in added.splitlines()) <= 100
    row = par("triple-shot-rummy").row("pair-plus", "1").to_json()
    half = row["volatility_index"]["0.99"] / sqrt(1000)
    assert f"{row['volatility_index']['0.90']:.4f}" in added
    assert f"{half:.4%}" in added
    assert main(["par", "three-card-progressive", "--bands"]) == 0
    assert "the bets of this sheet are not" in capsys.readouterr().out
