"""Options: one register, typed, with dated limits."""

import dataclasses
from datetime import date
from typing import Any

import pytest

from houseway import Refused, settle
from houseway.catalog.register import clauses, readings
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.games.three_card_poker.rules import PokerOptions
from houseway.house.options import (
    Options,
    allowed_values,
    games_limit,
    notices,
    parse_options,
    paytable_bet,
    register,
    wager_limit,
)
from houseway.refusal import Reason

# Every name of the options register of the requirements.
NAMES = set(
    """
two_adjacent_positions settle_style settle_order ante_mandatory shuffler_mode
shuffler_fault_procedure dealer_soft_17 poker_cards_facing folded_hand_progressive
meter_pay_order award_profile executive_threshold community_source six_card_bonus_default
pair_plus_paytable ante_bonus_paytable scb_paytable progressive_paytable contribution_rate
reserve_rate meter_seed cap tie_rule ace_in_runs combination_choice face_up_unqualified_play
pair_plus_after_fold war_ace dealer_natural split_ace_ten dealer_six_card_hand breakage
envy_own_other_hand envy_when_folded award_amount_fixed void_progressive percent_pay_scaling
announcement_text zero_meter_seed max_games_per_player profile date
""".split()  # noqa: SIM905 - a list of words reads better as words
)


def test_every_option_is_registered_with_a_default_a_text_and_a_source() -> None:
    found = {name for game in GAMES for name in register(game.options)}
    assert {name for name in NAMES if paytable_bet(name) is None} <= found
    assert found - NAMES == {*("all_from_meter", "smallest_chip", "table_minimum", "table_maximum")}
    for game in GAMES:
        for name, entry in register(game.options).items():
            assert entry.metadata["text"]
            assert entry.metadata["source"]
            assert allowed_values(name, game.options)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.code)
def test_the_first_value_is_the_default_and_every_value_is_read_as_it_is_printed(
    game: Game,
) -> None:
    usual = game.options()
    defaults = usual.to_json()
    for name in register(game.options):
        values = allowed_values(name, game.options)
        if any(" " in value for value in values):
            continue
        assert defaults[name] == values[0]
        for value in values:
            day = {"date": "2024-01-01"} if name == "profile" else {}
            assert parse_options({name: value} | day, usual).to_json()[name] == value


@pytest.mark.parametrize(
    ("name", "text", "printed"),
    [
        ("meter_seed", "5000", "single=5000.00"),
        ("meter_seed", "mega=50000,major=1000.50", "mega=50000.00,major=1000.50"),
        ("contribution_rate", "0.05", "single=0.050000"),
        ("contribution_rate", "mega=0.123456,minor=1", "mega=0.123456,minor=1.000000"),
        ("settle_order", "ante,play", "ante,play"),
        ("smallest_chip", "2.50", "2.50"),
        ("table_minimum", "5,ante=10", "all=5.00,ante=10.00"),
        ("date", "2024-02-29", "2024-02-29"),
        ("cap", "unset", "unset"),
    ],
)
def test_open_values(name: str, text: str, printed: str) -> None:
    options = parse_options({name: text}, Options())
    assert options.to_json()[name] == printed
    assert parse_options({name: printed}, Options()) == options


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("tie_rules", "push", Reason.UNKNOWN_OPTION),
        ("tie_rule", "Push", Reason.UNKNOWN_VALUE),
        ("tie_rule", "draw", Reason.UNKNOWN_VALUE),
        ("meter_seed", "grand=5", Reason.UNKNOWN_METER),
        ("meter_seed", "=5", Reason.UNKNOWN_METER),
        ("meter_seed", "5,single=5", Reason.GIVEN_TWICE),
        ("meter_seed", "five", Reason.NOT_AN_AMOUNT),
        ("contribution_rate", "1.5", Reason.UNKNOWN_VALUE),
        ("contribution_rate", "5%", Reason.UNKNOWN_VALUE),
        ("contribution_rate", "0.0000001", Reason.UNKNOWN_VALUE),
        ("settle_order", "ante,di ce", Reason.UNKNOWN_VALUE),
        ("settle_order", "ante,ante", Reason.GIVEN_TWICE),
        ("smallest_chip", "0", Reason.ZERO_AMOUNT),
        ("table_minimum", "di ce=5", Reason.UNKNOWN_BET),
        ("table_minimum", "ante=5,ante=6", Reason.GIVEN_TWICE),
        ("date", "2024-02-30", Reason.UNKNOWN_VALUE),
        ("date", "20240101", Reason.UNKNOWN_VALUE),
        ("date", "2024-W01-1", Reason.UNKNOWN_VALUE),
    ],
)
def test_what_is_no_value_is_refused_and_quoted(name: str, text: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        parse_options({name: text}, PokerOptions())
    assert refused.value.reason is reason
    quoted = name if reason is Reason.UNKNOWN_OPTION else text.split(",")[-1].split("=")[0]
    assert quoted in refused.value.message


def test_a_wrong_value_in_the_library_is_refused_too() -> None:
    wrong: dict[str, Any] = {"tie_rule": "draw"}
    with pytest.raises(Refused, match="value 'draw' of option tie_rule is unknown; allowed: push"):
        PokerOptions(**wrong)


@pytest.mark.clause("CMP-13")
@pytest.mark.parametrize(
    ("profile", "day", "limit"),
    [
        ("wa_commercial", "2023-08-18", 30_000),
        ("wa_commercial", "2023-08-19", 40_000),
        ("wa_tribal", "2024-01-01", 40_000),
        ("wa_2017", "2018-01-01", 30_000),
        ("wa_commercial", "2006-01-01", 10_000),
    ],
)
def test_the_limit_in_force_on_the_day_applies_to_every_spot(
    profile: str, day: str, limit: int
) -> None:
    options = {"profile": profile, "date": day}
    cards: Any = {"player": "Kh 9d 4c", "dealer": "Qs 9c 2d"}
    for bet in ("ante", "pair-plus"):
        assert settle("three-card-poker", **cards, bets={bet: limit}, options=options).lines
        with pytest.raises(Refused) as refused:
            settle("three-card-poker", **cards, bets={bet: limit + 1}, options=options)
        assert (refused.value.reason, refused.value.clause) == (Reason.ABOVE_LIMIT, "CMP-13")
        assert day in refused.value.message
    bets = {"war": limit, "blackjack": limit, "poker": limit, "hat-trick": limit + 1}
    with pytest.raises(Refused) as refused:
        settle("triple-shot-bonus", deck="Kh", bets=bets, options=options)
    assert refused.value.reason is Reason.ABOVE_LIMIT


def test_a_profile_needs_a_date_that_is_known() -> None:
    with pytest.raises(Refused) as refused:
        parse_options({"profile": "wa_commercial"}, Options())
    assert refused.value.reason is Reason.MISSING_DATE
    for day in ("1999-01-01", "2009-06-01"):
        with pytest.raises(Refused) as refused:
            parse_options({"profile": "wa_commercial", "date": day}, Options())
        assert refused.value.reason is Reason.UNKNOWN_DATE
    with pytest.raises(Refused) as refused:
        settle(
            "three-card-poker",
            player="Kh 9d 4c",
            dealer="Qs 9c 2d",
            bets={"ante": 100},
            options={"profile": "wa_2017", "date": "2015-01-01"},
        )
    assert (refused.value.reason, refused.value.clause) == (Reason.UNKNOWN_DATE, "CMP-14")
    assert wager_limit(Options()) is None


@pytest.mark.clause("CMP-14")
@pytest.mark.parametrize("profile", ["wa_2017", "wa_commercial", "wa_tribal"])
def test_four_games_a_player_by_the_rummy_letter_of_2017(profile: Any) -> None:
    rules = Options(profile=profile, date=date(2018, 5, 5))
    limit = games_limit("triple-shot-rummy", rules)
    assert limit is not None
    assert limit.most == 4
    assert any("more than 4 games" in line for line in notices("triple-shot-rummy", rules))
    # The letter is about Rummy, and the one of 2023 no longer has the limit.
    assert games_limit("three-card-poker", rules) is None
    assert not any("games" in line for line in notices("three-card-poker", rules))
    later = Options(profile="wa_commercial", date=date(2023, 6, 14))
    assert games_limit("triple-shot-rummy", later) is None
    early = Options(profile="wa_commercial", date=date(2017, 12, 19))
    assert games_limit("triple-shot-rummy", early) is None


def test_play_is_never_the_fifth_game() -> None:
    assert games_limit("three-card-poker", Options(max_games_per_player="4")) is not None
    # Ante with Play counts once, so a full hand is four games and Play is never the fifth.
    lines = settle(
        "triple-shot-rummy",
        player="5h 5d 9c",
        dealer="Kh 7c 4d",
        bets={"ante": 100, "pair-plus": 100, "six-card-bonus": 100, "progressive": 100},
        options={"profile": "wa_2017", "date": "2018-01-01"},
    ).lines
    assert [line.bet for line in lines][:2] == ["play", "ante"]


def test_breakage_refuses_at_the_wager_not_at_the_pay() -> None:
    bets = {"war": 1000, "blackjack": 1000, "poker": 1000, "hat-trick": 501}
    deck = "Kh 6d 5c Ts 6s 9d 2h 3h Jc"
    assert settle("triple-shot-bonus", deck=deck, bets=bets, options={"breakage": "exact"}).lines
    for bet in ("war", "blackjack", "poker"):
        odd = bets | {bet: 1001}
        assert settle("triple-shot-bonus", deck=deck, bets=odd).lines
        with pytest.raises(Refused) as refused:
            settle("triple-shot-bonus", deck=deck, bets=odd, options={"breakage": "exact"})
        assert refused.value.reason is Reason.BREAKAGE
        with pytest.raises(Refused) as refused:
            settle("triple-shot-bonus", deck=deck, bets=odd, options={"breakage": "down_to_chip"})
        assert refused.value.reason is Reason.BREAKAGE
    chips = {"breakage": "down_to_chip", "smallest_chip": "5"}
    whole = dict.fromkeys(("war", "blackjack", "poker"), 1500)
    result = settle("triple-shot-bonus", deck="Ah Ad Kc 8s 3s 2d 7h 4c", bets=whole, options=chips)
    assert [line.net for line in result.lines] == [-500, 2000, -1500]


def test_options_that_choose_a_paytable() -> None:
    result = settle(
        "three-card-poker",
        player="7h 5h 2h",
        dealer="Qs 9c 2d",
        bets={"pair-plus": 100},
        options={"pair_plus_paytable": "D"},
    )
    assert (result.paytables["pair-plus"], result.net) == ("D", 300)
    # Of bets that nobody placed only the Ante Bonus is named, which comes with the Ante.
    assert set(result.paytables) == {"pair-plus", "ante-bonus"}
    with pytest.raises(Refused, match="two paytables are given for pair-plus, 'D' and 'A'"):
        settle(
            "three-card-poker",
            player="7h 5h 2h",
            dealer="Qs 9c 2d",
            bets={"pair-plus": 100},
            options={"pair_plus_paytable": "D"},
            paytables="TCP-01",
        )


def test_clauses_and_readings_name_known_options_only() -> None:
    known = {name for game in GAMES for name in register(game.options)}
    known |= {"pair_plus_paytable", "ante_bonus_paytable", "scb_paytable", "progressive_paytable"}
    for clause in clauses():
        assert set(clause.options) <= known, clause.id
    for reading in readings():
        assert set(reading.options) <= known, reading.id


def test_options_are_values() -> None:
    assert Options() == Options()
    assert hash(Options()) == hash(Options())
    options: Any = PokerOptions()
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.tie_rule = "win"
