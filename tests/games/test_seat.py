"""What one seat is given: everything a caller may plausibly hand over is read or refused."""

from typing import Any

import pytest

from houseway import Options, Refused, settle
from houseway.games.three_card_poker.rules import PokerOptions

GOOD: dict[str, Any] = {"player": "Qs Qd 7h", "dealer": "Kh 9c 4d", "bets": {"ante": 100}}
DECK: dict[str, Any] = {
    "deck": "Kh 6d 5c Ts 6s 9d 2h 3h Jc",
    "bets": {"war": 100, "blackjack": 100, "poker": 100},
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"bets": None}, {"bets": 5}, {"bets": ["ante"]}, {"bets": "ante"}, {"bets": {5: 5}},
        {"bets": {"ante": "5"}}, {"bets": {"ante": None}}, {"bets": {"ante": float("inf")}},
        {"player": 5}, {"player": 1.5}, {"player": [1.0, 2.0, 3.0]}, {"player": b"Qs Qd 7h"},
        {"player": {1, 2, 3}}, {"player": [1, 2, 99]}, {"player": [True, 2, 3]},
        {"player": ["Qs", 5, "7h"]}, {"dealer": {"a": 1}}, {"community": 5},
        {"others": None}, {"others": 5}, {"others": [5]}, {"others": "Ah Kh Qh"},
        {"others": b"x"}, {"own_others": None}, {"folded_others": 7}, {"decision": 5},
        {"decision": ["play"]}, {"deck": "Kh"}, {"meter": "lots"}, {"meter": {"single": "5"}},
        {"meter": 1.5}, {"paytables": 5}, {"paytables": [None]}, {"paytables": b"TCP-05"},
        {"paytables": ("pair-plus", "B", "C")}, {"paytables": {"pair-plus": 5}},
        {"options": 5}, {"options": "tie_rule=win"}, {"options": ["tie_rule=win"]},
        {"options": [("tie_rule", "win")]}, {"options": {"tie_rule": None}},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_read_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        settle("three-card-poker", **(GOOD | wrong))
    assert len(refused.value.message) > 20


@pytest.mark.parametrize("wrong", [{"decisions": 5}, {"decisions": [5]}, {"deck": 5}], ids=str)
def test_what_cannot_be_read_of_triple_shot_bonus_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        settle("triple-shot-bonus", **(DECK | wrong))


@pytest.mark.parametrize(
    "same",
    [
        {"player": ["Qs", "Qd", "7h"]},
        {"player": ("qs", "QD", "7H")},
        {"player": [43, 41, 22]},
        {"player": "QsQd7h"},
        {"paytables": "TCP-01"},
        {"paytables": ["TCP-01"]},
        {"paytables": {"pair-plus": "A"}},
        {"paytables": [("pair-plus", "A")]},
        {"options": {}},
        {"options": Options()},
        {"options": {"tie_rule": "push"}},
        {"decision": "play"},
    ],
    ids=str,
)
def test_the_same_said_in_another_way(same: dict[str, Any]) -> None:
    plain = settle("three-card-poker", **GOOD)
    assert settle("three-card-poker", **(GOOD | same)).lines == plain.lines


def test_decisions_may_be_a_list_or_text() -> None:
    assert (
        settle("triple-shot-bonus", **DECK, decisions=["hit", "stand"]).lines
        == settle("triple-shot-bonus", **DECK, decisions="hit, stand").lines
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"date": "2024-01-01"}, {"settle_order": ["ante"]}, {"settle_order": ("ante", "ante")},
        {"settle_order": ("di ce",)}, {"settle_order": None}, {"table_minimum": 500},
        {"table_minimum": {"ante": 500}}, {"meter_seed": 5}, {"meter_seed": None},
        {"six_card_bonus_default": "x"}, {"smallest_chip": 0}, {"smallest_chip": 1.5},
        {"max_games_per_player": 4}, {"tie_rule": None}, {"tie_rule": ["push"]},
    ],
    ids=str,
)  # fmt: skip
def test_options_of_the_wrong_shape_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        PokerOptions(**wrong)
