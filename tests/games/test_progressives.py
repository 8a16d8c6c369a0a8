"""The three-card progressive and the five-card link: awards and envy, as transcripts."""

from typing import Any

import pytest

from houseway import Options, Refused, settle
from houseway.games.library import paytable_of
from houseway.games.progressive import payment_order
from houseway.house.meters import Meter, MeterSettings, award
from houseway.house.money import MeterShare
from houseway.refusal import Reason
from tests.games.transcript import check, check_all

GAME = "three-card-poker"


@pytest.mark.clause("PGM-02", "PNX-04", "PML-01")
def test_the_progressive_is_optional() -> None:
    for game in (GAME, "three-card-poker-face-up", "triple-shot-rummy"):
        for bets in ({"ante": 500}, {"ante": 500, "progressive": 100}):
            lines = settle(game, player="Kh 9d 4c", dealer="Qs 9c 2d", bets=bets).lines
            assert ("progressive" in [line.bet for line in lines]) == ("progressive" in bets)


@pytest.mark.clause("PGM-05", "PNX-05", "PML-06")
def test_the_progressive_needs_a_regular_wager() -> None:
    for game in (GAME, "three-card-poker-face-up", "triple-shot-rummy"):
        for bets in ({"progressive": 100}, {"progressive": 100, "six-card-bonus": 100}):
            with pytest.raises(Refused) as refused:
                settle(game, player="Kh 9d 4c", dealer="Qs 9c 2d", bets=bets)
            assert refused.value.reason is Reason.BASE_WAGER_REQUIRED


@pytest.mark.clause("PGM-03", "PNX-04")
def test_only_the_players_own_three_cards_count() -> None:
    check_all(
        GAME,
        """
        player: Kh 9d 4c
        dealer: As Ks Qs
        bets:   pair-plus 5, progressive 1
        meter:  5000
        =>      pair-plus lose -5, progressive lose -1

        player: As Ks Qs
        dealer: Kh 9d 4c
        bets:   pair-plus 5, progressive 1
        meter:  5000
        =>      pair-plus win +200, progressive win +4999
        """,
    )


@pytest.mark.clause("PGM-08", "PGM-09", "PGM-19", "PNX-10", "PNX-19")
def test_percentage_pays_come_from_the_meter_and_others_are_fixed() -> None:
    hands = {
        "As Ks Qs": ("+12430.07", "+12430.07"),
        "Ah Kh Qh": ("+499", "+499"),
        "9h 8h 7h": ("+69", "+99"),
        "9h 9d 9c": ("+59", "+89"),
        "9h 8d 7c": ("+5", "-1"),
        "9h 9d 7c": ("-1", "-1"),
    }
    for hand, pays in hands.items():
        for code, pay in zip(("1", "2"), pays, strict=True):
            result = settle(
                GAME,
                player=hand,
                dealer="2s 3d 5c",
                bets={"pair-plus": 100, "progressive": 100},
                meter=1243107,
                paytables={"progressive": code},
            )
            net = int(float(pay) * 100 + (0.5 if pay[0] == "+" else -0.5))
            assert result.lines[1].net == net, (hand, code)


@pytest.mark.clause("PGM-08", "PML-12")
def test_a_percentage_pay_without_a_meter_is_refused() -> None:
    for code, meter, named in (("1", None, "meter"), ("ML01", {"major": 5}, "mega=AMOUNT")):
        with pytest.raises(Refused) as refused:
            settle(
                GAME,
                player="As Ks Qs",
                dealer="2s 3d 5c",
                community=None if code == "1" else "Js Ts",
                bets={"pair-plus": 100, "progressive": 100},
                meter=meter,
                paytables={"progressive": code},
            )
        assert refused.value.reason is Reason.MISSING_METER
        assert named in refused.value.message


@pytest.mark.clause("PGM-07", "PNX-09", "PML-10")
def test_whether_a_folded_hand_qualifies_is_an_option() -> None:
    fold = """
        player: 9h 8d 7c
        dealer: Kh Kd 4c
        bets:   ante 5, progressive 1
        fold
        """
    check(GAME, fold + "=> ante forfeit -5, progressive forfeit -1")
    check(
        GAME,
        fold + "option: folded_hand_progressive=eligible\n=> ante forfeit -5, progressive win +5",
    )
    link = fold + "paytable: progressive=01\ncommunity: 6s 5s\n"
    check(GAME, link + "=> ante forfeit -5, progressive forfeit -1")
    check(
        GAME,
        link + "option: folded_hand_progressive=eligible\n=> ante forfeit -5, progressive win +29",
    )


@pytest.mark.clause("PGM-07")
def test_a_hand_without_an_ante_was_never_folded() -> None:
    check(
        GAME,
        """
        player: 9h 8d 7c
        dealer: Kh Kd 4c
        bets:   pair-plus 5, progressive 1
        =>      pair-plus win +30, progressive win +5
        """,
    )


@pytest.mark.clause("PML-02", "PML-04")
def test_the_link_sees_three_cards_and_two_community_cards_and_nothing_else_does() -> None:
    check(
        GAME,
        """
        player:    9h 9d 4c
        dealer:    9s 8c 2d
        community: 9c 4s
        bets:      ante 5, pair-plus 5, six-card-bonus 1, progressive 1
        paytable:  progressive=01
        => play push 0, ante win +5, pair-plus win +5, six-card-bonus win +5, progressive win +49
        """,
    )
    with pytest.raises(Refused) as refused:
        settle(
            GAME,
            player="9h 9d 4c",
            dealer="9s 8c 2d",
            bets={"ante": 500, "progressive": 100},
            paytables={"progressive": "ML03"},
        )
    assert (refused.value.reason, refused.value.clause) == (Reason.TOO_FEW_CARDS, "PML-02")


@pytest.mark.clause("PML-12")
def test_the_three_link_tables() -> None:
    hands = {
        "royal": ("As Ks Qs", "Js Ts"),
        "straight flush": ("9s 8s 7s", "6s 5s"),
        "four": ("9s 9d 9c", "9h 5s"),
        "full house": ("9s 9d 9c", "5h 5s"),
        "flush": ("9s 8s 2s", "6s 5s"),
        "straight": ("9s 8d 7s", "6s 5s"),
        "three": ("9s 9d 9c", "6s 5s"),
        "two pair": ("9s 9d 6c", "6s 5s"),
    }
    meters: dict[str, Any] = {"01": 1_000_000, "ML01": {"mega": 5_000_000, "major": 200_000}}
    meters["ML03"] = {"mega": 5_000_000, "major": 200_000, "minor": 50_000}
    nets = {
        code: [
            settle(
                GAME,
                player=player,
                community=community,
                dealer="2h 3d Jh",
                bets={"pair-plus": 100, "progressive": 100},
                paytables={"progressive": code},
                meter=meter,
            )
            .lines[1]
            .net
            for player, community in hands.values()
        ]
        for code, meter in meters.items()
    }
    fixed = [4900, 3900, 2900, 800, -100]
    assert nets["01"] == [999_900, 99_900, 29_900, *fixed]
    assert nets["ML01"] == [4_999_900, 199_900, 29_900, *fixed]
    assert nets["ML03"] == [4_999_900, 199_900, 49_900, *fixed]


@pytest.mark.clause("PML-13")
def test_for_1_pays_scale_with_the_wager_and_shares_do_not() -> None:
    check_all(
        GAME,
        """
        player:    9s 9d 9c
        dealer:    2h 3d Jh
        community: 5h 5s
        bets:      pair-plus 1, progressive 5
        paytable:  progressive=01
        =>         pair-plus win +30, progressive win +245

        player:    9s 8s 7s
        dealer:    2h 3d Jh
        community: 6s 5s
        bets:      pair-plus 1, progressive 5
        paytable:  progressive=01
        meter:     10000
        =>         pair-plus win +40, progressive win +995

        player:    9s 8s 7s
        dealer:    2h 3d Jh
        community: 6s 5s
        bets:      pair-plus 1, progressive 5
        paytable:  progressive=01
        option:    percent_pay_scaling=per_wager_unit
        meter:     10000
        =>         pair-plus win +40, progressive win +4995

        player:    9s 8s 7s
        dealer:    2h 3d Jh
        community: 6s 5s
        bets:      pair-plus 1, progressive 25
        paytable:  progressive=01
        option:    percent_pay_scaling=per_wager_unit
        meter:     10000
        =>         pair-plus win +40, progressive win +9975
        """,
    )


@pytest.mark.clause("PGM-17", "PGM-18", "PNX-17", "PNX-18")
def test_envy_is_flat_and_one_line_for_each_trigger() -> None:
    check_all(
        GAME,
        """
        player: 9h 5d 2c
        dealer: Kh Jd 4c
        bets:   pair-plus 1, progressive 1
        other:  As Ks Qs
        =>      pair-plus lose -1, progressive lose -1, envy win +100

        player: 9h 5d 2c
        dealer: Kh Jd 4c
        bets:   pair-plus 1, progressive 5
        other:  As Ks Qs
        other:  Ad Kd Qd
        other:  7h 6h 5h
        =>      pair-plus lose -1, progressive lose -5, envy win +100, envy win +25

        player: Ac Kc Qc
        dealer: Kh Jd 4c
        bets:   pair-plus 1, progressive 1
        other:  Ad Kd Qd
        =>      pair-plus win +40, progressive win +499, envy win +25
        """,
    )


@pytest.mark.clause("PGM-17", "PNX-17", "PML-17")
def test_nobody_wins_envy_from_the_dealer_from_himself_or_without_the_wager() -> None:
    check_all(
        GAME,
        """
        player: 9h 5d 2c
        dealer: As Ks Qs
        bets:   pair-plus 1, progressive 1
        =>      pair-plus lose -1, progressive lose -1

        player: As Ks Qs
        dealer: Kh Jd 4c
        bets:   pair-plus 1, progressive 1
        meter:  100
        =>      pair-plus win +40, progressive win +99

        player: 9h 5d 2c
        dealer: Kh Jd 4c
        bets:   pair-plus 1
        other:  As Ks Qs
        =>      pair-plus lose -1
        """,
    )


@pytest.mark.clause("PGM-17", "PNX-17")
def test_a_players_own_other_hand_earns_envy_on_the_game_manager_only() -> None:
    own = """
        player:    9h 5d 2c
        dealer:    Kh Jd 4c
        bets:      pair-plus 1, progressive 1
        own other: As Ks Qs
        """
    none = "=> pair-plus lose -1, progressive lose -1"
    paid = none + ", envy win +100"
    check(GAME, own + none)
    check(GAME, own + "option: award_profile=nexus\n" + none)
    check(GAME, own + "option: award_profile=multi_link\n" + none)
    check(GAME, own + "option: award_profile=game_manager\n" + paid)
    check(GAME, own + "option: envy_own_other_hand=yes\n" + paid)
    check(
        GAME,
        own + "option: award_profile=game_manager\noption: envy_own_other_hand=no\n" + none,
    )


@pytest.mark.clause("PML-13", "PML-16", "PML-17")
def test_link_envy_is_multiplied_by_the_receivers_wager() -> None:
    check_all(
        GAME,
        """
        player:    9h 5d 2c
        dealer:    Kh Jd 4c
        community: Js Ts
        bets:      pair-plus 1, progressive 5
        other:     As Ks Qs
        other:     9s 8s 7s
        paytable:  progressive=ML01
        =>         pair-plus lose -1, progressive lose -5, envy win +5000, envy win +1500

        player:    9s 8s 7s
        dealer:    Kh Jd 4c
        community: Js Ts
        bets:      pair-plus 1, progressive 1
        other:     As Ks Qs
        paytable:  progressive=01
        meter:     10000
        =>         pair-plus win +40, progressive win +999, envy win +1000
        """,
    )


@pytest.mark.clause("PGM-17")
def test_envy_to_a_player_who_folded_is_an_option() -> None:
    fold = """
        player: 9h 5d 2c
        dealer: Kh Jd 4c
        bets:   ante 1, progressive 1
        other:  As Ks Qs
        fold
        """
    lost = "=> ante forfeit -1, progressive forfeit -1"
    check(GAME, fold + lost + ", envy win +100")
    check(GAME, fold + "option: envy_when_folded=not_paid\n" + lost)


@pytest.mark.clause("PGM-10", "PNX-11")
def test_meter_awards_are_paid_from_the_right_unless_internal_controls_say_otherwise() -> None:
    assert payment_order([2, 7, 3], Options()) == (7, 3, 2)
    controls = Options(meter_pay_order="internal_controls")
    assert payment_order([2, 7, 3], controls, [3, 2, 7]) == (3, 2, 7)
    for order in ((), [3, 2], [3, 2, 7, 7], [1, 2, 3]):
        with pytest.raises(Refused, match="winning positions"):
            payment_order([2, 7, 3], controls, order)


@pytest.mark.clause("PGM-10", "PNX-11")
def test_two_whole_awards_in_one_round_are_paid_one_after_the_other() -> None:
    """ML01, community 6s 7s, seats 3s 4s 5s and 8s 9s 10s: the second finds the reseeded meter."""
    table = paytable_of(GAME, "progressive", "ML01")
    settings = MeterSettings(contribution_ppm=50_000, meter_seed_cents=100_000)
    meter = Meter(amount=431_020 * 10**6, reserve=5_000 * 10**6)
    paid = []
    for player in ("8s 9s Ts", "3s 4s 5s"):
        result = settle(
            GAME,
            player=player,
            community="6s 7s",
            dealer="2h 3d Jh",
            bets={"pair-plus": 100, "progressive": 100},
            paytables={"progressive": "ML01"},
            meter={"major": meter.shown_cents},
        )
        share = next(odds for hand, odds in table.rows if hand == "straight_flush")
        assert isinstance(share, MeterShare)
        paid_cents = share.of(meter.shown_cents)
        meter, moved = award(meter, settings, paid_cents, whole=share.whole)
        assert result.lines[1].net == moved.paid_cents - 100
        paid.append(moved.paid_cents)
    assert paid == [431_020, 105_000]


@pytest.mark.clause("PML-02")
def test_community_cards_mean_the_link_unless_another_table_was_chosen() -> None:
    bets = {"pair-plus": 100, "progressive": 100}
    cards: Any = {"player": "8s 9s Ts", "community": "6s 7s", "dealer": "2h 3d Jh"}
    result = settle(GAME, **cards, bets=bets, meter=100_000)
    assert (result.paytables["progressive"], result.lines[1].net) == ("01", 9_900)
    with pytest.raises(Refused, match="judged on three cards") as refused:
        settle(GAME, **cards, bets=bets, paytables={"progressive": "1"})
    assert refused.value.reason is Reason.TOO_MANY_CARDS


@pytest.mark.clause("PGM-17")
def test_whether_a_folded_hand_triggers_envy_follows_the_folded_hand_option() -> None:
    folded = """
        player: 9h 5d 2c
        dealer: Kh Jd 4c
        bets:   pair-plus 1, progressive 1
        folded other: As Ks Qs
        """
    check(GAME, folded + "=> pair-plus lose -1, progressive lose -1")
    check(
        GAME,
        folded
        + "option: folded_hand_progressive=eligible\n"
        + "=> pair-plus lose -1, progressive lose -1, envy win +100",
    )
