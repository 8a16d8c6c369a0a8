"""Triple Shot Rummy, clause by clause, as transcripts."""

from itertools import combinations
from typing import Any

import pytest

import houseway.rules.settlement
from houseway import Refused, settle
from houseway.games import three_card_poker, three_card_poker_face_up, triple_shot_rummy
from houseway.games.triple_shot_rummy.rules import RummyOptions
from houseway.names import Bet
from houseway.refusal import Reason
from houseway.rules.lines import in_action_after_fold
from houseway.rules.wagers import choose_paytables
from tests.games.transcript import check, check_all

GAME = "triple-shot-rummy"


@pytest.mark.clause("TSR-02")
def test_all_seven_sets_of_bets_are_accepted() -> None:
    bets = ("ante", "pair-plus", "six-card-bonus")
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(bets, size)]
    assert len(sets) == 7
    for chosen in sets:
        result = settle(GAME, player="5h 5d 9c", dealer="Kh 7c 4d", bets=dict.fromkeys(chosen, 500))
        made = {line.bet for line in result.lines} - {"play"}
        assert made == set(chosen)


@pytest.mark.clause("TSR-03", "TSR-04")
def test_points_and_combinations_decide_the_hand() -> None:
    check_all(
        GAME,
        """
        player: As 2h 3d
        dealer: 7c Kh Qh
        bets:   ante 10
        =>      play win +10, ante win +10

        player: Ks Kd 5h
        dealer: 6s 2d 3h
        bets:   ante 10
        =>      play win +20, ante win +10

        player: 7d Kh Qh
        dealer: 8d 8c 6h
        bets:   ante 10
        =>      play lose -10, ante lose -10
        """,
    )


@pytest.mark.clause("TSR-05")
def test_the_dealer_plays_with_20_and_not_with_21() -> None:
    check_all(
        GAME,
        """
        player: As 2h 4d
        dealer: 9s 7d 4h
        bets:   ante 10
        =>      play win +10, ante win +10

        player: As 2h 4d
        dealer: 9s 7d 5h
        bets:   ante 10
        =>      play push 0, ante win +10
        """,
    )


@pytest.mark.clause("TSR-06")
def test_play_is_the_ante_again_and_nothing_else() -> None:
    with pytest.raises(Refused) as refused:
        settle(GAME, player="As 2h 4d", dealer="9s 7d 4h", bets={"ante": 1000, "play": 2000})
    assert (refused.value.reason, refused.value.clause) == (Reason.NOT_A_BET, "TSR-06")
    lines = settle(GAME, player="As 2h 4d", dealer="9s 7d 4h", bets={"ante": 1005}).lines
    assert {line.bet: line.wager for line in lines} == {"play": 1005, "ante": 1005}


@pytest.mark.clause("TSR-07")
def test_a_fold_loses_the_ante() -> None:
    check(
        GAME,
        """
        player: Ks 9h 8d
        dealer: 9s 7d 4h
        bets:   ante 10
        fold
        =>      ante forfeit -10
        """,
    )


@pytest.mark.clause("TSR-08")
def test_a_dealer_who_does_not_play_pays_the_ante_whatever_the_players_score() -> None:
    check_all(
        GAME,
        """
        player: Ks Qh Jd
        dealer: 9s 7d 5h
        bets:   ante 10
        =>      play push 0, ante win +10

        player: 9c 9h 9d
        dealer: 9s 7d 5h
        bets:   ante 10
        =>      play push 0, ante win +10
        """,
    )


@pytest.mark.clause("TSR-09", "TSR-12")
def test_a_lower_player_is_paid_by_his_own_score() -> None:
    check_all(
        GAME,
        """
        player: 9c 9h 9d
        dealer: Ks Kd Ah
        bets:   ante 10
        =>      play win +40, ante win +10

        player: Ks Kd Ah
        dealer: Qs Qd 6h
        bets:   ante 10
        =>      play win +20, ante win +10

        player: Ks Kd 5h
        dealer: Qs Qd 6h
        bets:   ante 10
        =>      play win +20, ante win +10

        player: Ks Kd 6h
        dealer: Qs Qd 7h
        bets:   ante 10
        =>      play win +10, ante win +10

        player: 9s 6d 4h
        dealer: 8s 7d 5h
        bets:   ante 10
        =>      play win +10, ante win +10
        """,
    )


@pytest.mark.clause("TSR-10", "TSR-11")
def test_a_higher_player_loses_both_and_an_equal_one_pushes_both() -> None:
    check_all(
        GAME,
        """
        player: Ks Kd 7h
        dealer: Qs Qd 6h
        bets:   ante 10
        =>      play lose -10, ante lose -10

        player: Ks Kd 7h
        dealer: Qs Qd 7c
        bets:   ante 10
        =>      play push 0, ante push 0

        player: 9s 7d 4h
        dealer: 8s 7c 5h
        bets:   ante 10
        =>      play push 0, ante push 0
        """,
    )


@pytest.mark.clause("TSR-12")
def test_a_20_can_never_be_paid_on_play() -> None:
    """No dealer hand that plays is higher than 20, so the table ends at 19."""
    check_all(
        GAME,
        """
        player: 8s 7c 5h
        dealer: 9s 7d 4h
        bets:   ante 10
        =>      play push 0, ante push 0

        player: 8s 7c 5h
        dealer: 9s 7d 5d
        bets:   ante 10
        =>      play push 0, ante win +10
        """,
    )


@pytest.mark.clause("TSR-13")
def test_pair_plus_wins_whatever_the_dealer_holds() -> None:
    check_all(
        GAME,
        """
        player: 4h 4d 9c
        dealer: As Ad 2c
        bets:   ante 10, pair-plus 5
        =>      play lose -10, ante lose -10, pair-plus win +5

        player: 4h 4d 9c
        dealer: Ks Qd Jc
        bets:   ante 10, pair-plus 5
        =>      play push 0, ante win +10, pair-plus win +5
        """,
    )


@pytest.mark.clause("TSR-14")
def test_the_6_card_bonus_is_the_best_five_of_the_six() -> None:
    check_all(
        GAME,
        """
        player: Ah 2d 3c
        dealer: 4s 5d Kc
        bets:   six-card-bonus 1
        =>      six-card-bonus win +10

        player: 4h 4d 9c
        dealer: 4s 9d Kc
        bets:   six-card-bonus 1
        =>      six-card-bonus win +25

        player: 4h 4d 9c
        dealer: 3s 9d Kc
        bets:   six-card-bonus 1
        =>      six-card-bonus lose -1
        """,
    )


@pytest.mark.clause("TSR-15", "TSR-16")
def test_a_fold_leaves_both_bonus_bets_alive() -> None:
    """Only the Ante is removed; the cards stay, tucked, for the bonus bets."""
    fold = """
        player: 4h 4d 9c
        dealer: 4s 9d Kc
        bets:   ante 10, pair-plus 5, six-card-bonus 1
        fold
        """
    check(GAME, fold + "=> ante forfeit -10, pair-plus win +5, six-card-bonus win +25")
    check(
        GAME,
        fold
        + "option: pair_plus_after_fold=forfeit\n"
        + "=> ante forfeit -10, pair-plus forfeit -5, six-card-bonus win +25",
    )


@pytest.mark.clause("TSR-16")
def test_a_folded_hand_is_tucked_while_a_bonus_bet_is_in_action() -> None:
    options = RummyOptions()
    every: tuple[Bet, ...] = ("ante", "pair-plus", "six-card-bonus", "progressive")
    for game, kept in (
        (triple_shot_rummy.GAME, ("pair-plus", "six-card-bonus")),
        (three_card_poker.GAME, ("six-card-bonus",)),
        (three_card_poker_face_up.GAME, ("pair-plus", "six-card-bonus")),
    ):
        tables = choose_paytables(game, [])
        assert in_action_after_fold(game, every, tables, options) == kept
        assert in_action_after_fold(game, ("ante",), tables, options) == ()


@pytest.mark.clause("TSR-17")
def test_bets_may_differ_within_the_table_limits() -> None:
    cards: Any = {"player": "4h 4d 9c", "dealer": "4s 9d Kc"}
    bets = {"ante": 2500, "pair-plus": 500, "six-card-bonus": 100}
    assert settle(GAME, **cards, bets=bets).lines
    for options, reason in (
        ({"table_minimum": "5"}, Reason.BELOW_MINIMUM),
        ({"table_minimum": "ante=50"}, Reason.BELOW_MINIMUM),
        ({"table_maximum": "20"}, Reason.ABOVE_MAXIMUM),
        ({"table_maximum": "100,pair-plus=4"}, Reason.ABOVE_MAXIMUM),
    ):
        with pytest.raises(Refused) as refused:
            settle(GAME, **cards, bets=bets, options=options)
        assert (refused.value.reason, refused.value.clause) == (reason, "TSR-17")
    options = {"table_minimum": "5,six-card-bonus=1", "table_maximum": "25"}
    assert settle(GAME, **cards, bets=bets, options=options).lines


@pytest.mark.clause("TSR-18")
def test_every_line_is_between_the_player_and_the_house() -> None:
    """Nothing that is settled names a second player as the other side of a wager."""
    fields = set(houseway.Line.__dataclass_fields__)
    own = {"bet", "hand", "wager", "rides", "free", "outcome", "net", "clause", "why"}
    assert fields == {*own, "commission"}


@pytest.mark.clause("TSR-33")
def test_where_the_ante_is_mandatory_bonus_bets_need_it() -> None:
    for bets in ({"pair-plus": 500}, {"six-card-bonus": 100}):
        with pytest.raises(Refused) as refused:
            settle(
                GAME,
                player="4h 4d 9c",
                dealer="4s 9d Kc",
                bets=bets,
                options={"ante_mandatory": "on"},
            )
        assert (refused.value.reason, refused.value.clause) == (Reason.ANTE_MANDATORY, "TSR-33")


def test_readings_of_runs_and_combinations_are_options() -> None:
    suited_king_ace = """
        player: Kh Ah 5c
        dealer: Qs Qd 7c
        bets:   ante 10
        """
    check(GAME, suited_king_ace + "=> play lose -10, ante lose -10")
    check(GAME, suited_king_ace + "option: ace_in_runs=high_low\n=> play win +20, ante win +10")
    two_ways = """
        player: 5h 5d 6h
        dealer: Qs Qd 6c
        bets:   ante 10
        """
    check(GAME, two_ways + "=> play win +20, ante win +10")
    check(GAME, two_ways + "option: combination_choice=pair_first\n=> play push 0, ante push 0")


def test_a_suited_ace_king_queen_is_a_straight_flush_until_table_4() -> None:
    for code, pays in (("1", 40), ("2", 40), ("3", 40), ("4", 50), ("5", 50), ("6", 50)):
        result = settle(
            GAME,
            player="Ah Kh Qh",
            dealer="4s 9d Kc",
            bets={"pair-plus": 100},
            paytables={"pair-plus": code},
        )
        assert result.net == pays * 100
