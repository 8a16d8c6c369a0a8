"""Paytables: every designator of the sources, and a loader that refuses what it cannot trust."""

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from houseway.cards.hands import FiveCard, ThreeCard
from houseway.games import game_of
from houseway.games.library import all_paytables, designator, designators, paytable_of
from houseway.games.shelf import FILE, read_shelf
from houseway.house.money import MeterShare, ToOne
from houseway.house.paytables import PayTable
from houseway.refusal import Refused
from tests.oracles.settle import (
    ANTE_BONUS,
    HAT_TRICK,
    PAIR_PLUS_POKER,
    PAIR_PLUS_RUMMY,
    PROGRESSIVE_FOR_1,
    PROGRESSIVE_SHARE,
    SIX_CARD_POKER,
    SIX_CARD_RUMMY,
    SIX_CARD_STUD,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def pays(game: str, bet: str, code: str) -> list[str]:
    return [str(odds) for _, odds in paytable_of(game, bet, code).rows]


@pytest.mark.clause("TCP-25")
def test_three_card_poker_has_twelve_combinations() -> None:
    assert {
        found.code: "/".join(found.paytables.values()) for found in designators("three-card-poker")
    } == {
        "TCP-01": "A/A", "TCP-02": "A/B", "TCP-03": "B/A", "TCP-04": "B/B",
        "TCP-05": "C/A", "TCP-06": "C/B", "TCP-07": "A/C", "TCP-08": "B/C",
        "TCP-09": "C/C", "TCP-10": "A/D", "TCP-11": "B/D", "TCP-12": "C/D",
    }  # fmt: skip
    assert pays("three-card-poker", "ante-bonus", "B") == ["5 to 1", "3 to 1", "1 to 1"]
    assert pays("three-card-poker", "pair-plus", "B")[1] == "25 to 1"


@pytest.mark.clause("TCP-26")
def test_what_the_layout_drawings_show_is_not_loaded() -> None:
    """The drawings print Pair Plus, Ante and Play tables that are in no summary."""
    drawn = [["50", "30", "5", "4", "1"], ["40", "30", "6", "3"], ["40", "6", "4", "3", "1"]]
    for paytable in all_paytables():
        if paytable.game.startswith("three-card-poker"):
            assert paytable.bet != "play"
            assert [str(odds).split()[0] for _, odds in paytable.rows] not in drawn
    # The drawn Ante table is Ante Bonus B; that the drawings give it to Play as well is noise.
    bonus = {code: pays("three-card-poker", "ante-bonus", code) for code in "ABC"}
    assert [code for code in bonus if bonus[code] == ["5 to 1", "3 to 1", "1 to 1"]] == ["B"]


@pytest.mark.clause("TSR-34", "TSR-36")
def test_rummy_pair_plus_1_to_6() -> None:
    top = ["40 to 1", "30 to 1"]
    ends = {"1": ["6", "4", "1"], "2": ["5", "4", "1"], "3": ["6", "3", "1"]}
    for code, end in ends.items():
        tail = [f"{pay} to 1" for pay in end]
        assert pays("triple-shot-rummy", "pair-plus", code) == top + tail
        with_royal = str(int(code) + 3)
        assert pays("triple-shot-rummy", "pair-plus", with_royal) == ["50 to 1", *top, *tail]


@pytest.mark.clause("TSR-35", "SCB-04")
def test_6_card_bonus_tables_of_both_games_are_equal() -> None:
    for number in "1234":
        assert pays("triple-shot-rummy", "six-card-bonus", number) == pays(
            "three-card-poker", "six-card-bonus", f"TCP-6B{number}"
        )
    assert pays("triple-shot-rummy", "six-card-bonus", "3") == [
        "1,000 to 1", "200 to 1", "100 to 1", "20 to 1", "15 to 1", "9 to 1", "8 to 1",
    ]  # fmt: skip


@pytest.mark.clause("TSB-25", "TSB-24")
def test_triple_shot_bonus_sheets() -> None:
    assert pays("triple-shot-bonus", "poker", "TSB-01")[:2] == ["500 to 1", "50 to 1"]
    assert pays("triple-shot-bonus", "poker", "TSB-02")[:2] == ["200 to 1", "60 to 1"]
    assert pays("triple-shot-bonus", "poker", "TSB-01")[2:] == [
        "20 to 1", "6 to 1", "5 to 1", "4 to 1", "2 to 1", "3 to 2", "1 to 1",
    ]  # fmt: skip
    assert pays("triple-shot-bonus", "hat-trick", "9") == ["9 to 1"]
    assert pays("triple-shot-bonus", "hat-trick", "6") == ["6 to 1"]


@pytest.mark.clause("PGM-19", "PNX-19", "PML-12")
def test_progressive_tables_and_their_envy() -> None:
    one, link = (paytable_of("three-card-poker", "progressive", code) for code in ("1", "ML03"))
    assert sorted(one.envy_cents.values()) == [2500, 10000]
    assert not one.envy_per_dollar
    assert sorted(link.envy_cents.values()) == [30000, 100000]
    assert link.envy_per_dollar
    assert link.levels == ("mega", "major", "minor")
    assert link.odds(FiveCard.FOUR_OF_A_KIND) == MeterShare(Fraction(1), "minor")
    assert paytable_of("three-card-poker", "progressive", "01").levels == ("single",)
    # '1' is not '01': designators are text.
    assert paytable_of("three-card-poker", "progressive", "1") != paytable_of(
        "three-card-poker", "progressive", "01"
    )


def second_copy(paytable: PayTable) -> dict[str, str]:
    """The rows of a table as the oracle has them, typed from the sources a second time."""
    code = paytable.code
    match paytable.game, paytable.bet:
        case _, "progressive":
            renamed = {"akq_other": "akq_other_suit"}
            fixed = {renamed.get(k, k): f"{v} for 1" for k, v in PROGRESSIVE_FOR_1[code].items()}
            words = {"single": "the meter"}
            shares = {
                hand: f"{percent}% of {words.get(level, level.title())}"
                for hand, (level, percent) in PROGRESSIVE_SHARE[code].items()
            }
            return shares | fixed
        case _, "ante-bonus":
            to_one: Mapping[str, int | Fraction] = ANTE_BONUS[code]
        case "triple-shot-rummy", "pair-plus":
            to_one = PAIR_PLUS_RUMMY[code]
        case _, "pair-plus":
            to_one = PAIR_PLUS_POKER[code]
        case "triple-shot-rummy", "six-card-bonus":
            to_one = SIX_CARD_RUMMY[code]
        case _, "six-card-bonus":
            to_one = SIX_CARD_POKER[code]
        case _, "poker":
            to_one = SIX_CARD_STUD[code]
        case _, "hat-trick":
            to_one = {"no_leg_lost": HAT_TRICK[code]}
        case _:
            to_one = {"0": 4, "1-5": 2, "6-19": 1}
    return {
        hand: f"{Fraction(pay).numerator:,} to {Fraction(pay).denominator}"
        for hand, pay in to_one.items()
    }


def test_every_pay_equals_the_second_copy_of_the_oracle() -> None:
    for paytable in all_paytables():
        rows = {hand: str(odds) for hand, odds in paytable.rows}
        assert rows == second_copy(paytable), (paytable.game, paytable.bet, paytable.code)
    assert len(all_paytables()) == 39


def test_every_paytable_names_its_source() -> None:
    for paytable in all_paytables():
        assert paytable.source
        for source in paytable.source:
            assert source[:4] in ("000:", "001:", "002:", "003:", "004:")


GOOD = """
[[paytable]]
game = "three-card-poker"
bet = "pair-plus"
code = "X"
source = ["004:L1"]
pays = [["straight_flush", "40 to 1"], ["three_of_a_kind", "30 to 1"], ["straight", "6 to 1"],
        ["flush", "4 to 1"], ["pair", "1 to 1"]]
"""
PLAY = """
[[paytable]]
game = "triple-shot-rummy"
bet = "play"
code = "X"
source = ["000:L1"]
pays = [["0", "4 to 1"], ["1-5", "2 to 1"], ["6-19", "1 to 1"]]
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace('["flush", "4 to 1"],', ""), "hand 'flush' is missing though 'pair'"),
        (GOOD.replace('"flush"', '"pair"'), "hand 'pair' stands twice"),
        (GOOD.replace('"flush"', '"flsh"'), "hand 'flsh' is unknown; known: mini_royal, straight"),
        (GOOD.replace('"flush"', '"Flush"'), "hand 'Flush' is unknown"),
        (GOOD.replace('"flush"', '"high_card"'), "hand 'high_card' is unknown"),
        (GOOD.replace("4 to 1", "4:1", 1), "odds '4:1' cannot be read"),
        (GOOD.replace('"pair-plus"', '"pair"'), "bet 'pair', which pays by no table; bets that do"),
        (GOOD.replace('code = "X"', ""), "has no 'code'"),
        (GOOD + GOOD, "paytable 'X' of pair-plus in three-card-poker stands twice"),
        (GOOD.split("pays")[0] + "pays = []", "no hand is paid"),
        (GOOD.replace("game", "game =", 1), "cannot be read"),
        (PLAY.replace("6-19", "7-19"), "6 is missing"),
        (PLAY.replace("6-19", "5-19"), "score 5 stands twice"),
        (PLAY.replace("6-19", "6-20"), "score 20 can never win"),
        (PLAY.replace("1-5", "one"), "score 'one' is unknown"),
        (
            GOOD
            + '[[designator]]\ngame = "three-card-poker"\ncode = "Y"\nsource = "x"\n'
            + 'paytables = { pair-plus = "Z" }',
            "designator 'Y': paytable 'Z' of pair-plus is unknown; known: X",
        ),
    ],
    ids=lambda value: value if len(value) < 60 else "",
)
def test_the_loader_refuses_what_it_cannot_trust(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_shelf(game_of("triple-shot-rummy"), tmp_path)


def test_a_good_table_loads_and_an_unknown_code_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(GOOD + PLAY, encoding="utf-8")
    first, _ = read_shelf(game_of("triple-shot-rummy"), tmp_path).paytables
    assert first.odds(ThreeCard.MINI_ROYAL) == ToOne(40)
    with pytest.raises(Refused, match="paytable 'Z' of pair-plus is unknown; known: A, B, C, D"):
        paytable_of("three-card-poker", "pair-plus", "Z")
    with pytest.raises(Refused, match="paytable 'TCP-13' is unknown; known: TCP-01 … TCP-12"):
        designator("three-card-poker", "TCP-13")


@pytest.mark.clause("PGM-19", "PML-12")
@pytest.mark.parametrize(
    ("progressive", "code", "known"),
    [("three-card-progressive", "ML01", "1, 2"), ("five-card-link", "1", "01, ML01, ML03")],
)
def test_a_progressive_has_no_paytable_of_another(progressive: str, code: str, known: str) -> None:
    with pytest.raises(Refused) as told:
        paytable_of(progressive, "progressive", code)
    assert told.value.message == f"paytable {code!r} of {progressive} is unknown; known: {known}"
    # A game may play for either.
    assert paytable_of("three-card-poker", "progressive", code).code == code
