"""Three Card Poker, clause by clause, as transcripts."""

import pytest

from houseway import Refused, settle
from houseway.refusal import Reason
from tests.games.transcript import check, check_all

GAME = "three-card-poker"


@pytest.mark.clause("TCP-01", "TCP-12")
def test_against_the_dealer_on_ones_own_hand_or_both() -> None:
    check_all(
        GAME,
        """
        player: Qs Qd 7h
        dealer: Kh 9c 4d
        bets:   ante 10
        =>      play win +10, ante win +10

        player: Qs Qd 7h
        dealer: Kh 9c 4d
        bets:   pair-plus 5
        =>      pair-plus win +5

        player: Qs Qd 7h
        dealer: Kh 9c 4d
        bets:   ante 10, pair-plus 2.50
        =>      play win +10, ante win +10, pair-plus win +2.50
        """,
    )


@pytest.mark.clause("TCP-04")
def test_the_dealer_plays_with_queen_three_deuce_and_not_with_jack_ten_eight() -> None:
    check_all(
        GAME,
        """
        player: Kh 5d 2c
        dealer: Qh 3d 2s
        bets:   ante 10
        =>      play win +10, ante win +10

        player: Kh 5d 2c
        dealer: Jh Td 8s
        bets:   ante 10
        =>      play push 0, ante win +10
        """,
    )


@pytest.mark.clause("TCP-05")
def test_a_fold_loses_the_ante_and_makes_no_play() -> None:
    check(
        GAME,
        """
        player: Jh 5d 2c
        dealer: Qh 3d 2s
        bets:   ante 10
        fold
        =>      ante forfeit -10
        """,
    )


@pytest.mark.clause("TCP-06")
def test_a_dealer_who_does_not_play_returns_play_and_pays_the_ante_even_to_a_worse_hand() -> None:
    check(
        GAME,
        """
        player: 5h 3d 2c
        dealer: Jh Td 8s
        bets:   ante 10
        =>      play push 0, ante win +10
        """,
    )


@pytest.mark.clause("TCP-07", "TCP-08")
def test_the_better_hand_takes_both_bets() -> None:
    check_all(
        GAME,
        """
        player: Ah 7d 2c
        dealer: Ks Qd 9c
        bets:   ante 25
        =>      play win +25, ante win +25

        player: Qh Jd 9c
        dealer: Ks Qd 9s
        bets:   ante 25
        =>      play lose -25, ante lose -25

        player: 9h 7h 2h
        dealer: 4s 3d 2c
        bets:   ante 25
        =>      play lose -25, ante lose -25
        """,
    )


@pytest.mark.clause("TCP-09")
def test_a_tie_pushes_unless_the_house_has_it_otherwise() -> None:
    tie = """
        player: Kh 9d 4c
        dealer: Ks 9c 4d
        bets:   ante 10
        """
    check(GAME, tie + "=> play push 0, ante push 0")
    check(GAME, tie + "option: tie_rule=push\n=> play push 0, ante push 0")
    check(GAME, tie + "option: tie_rule=lose\n=> play lose -10, ante lose -10")
    check(GAME, tie + "option: tie_rule=win\n=> play win +10, ante win +10")


@pytest.mark.clause("TCP-10")
def test_the_ante_bonus_is_paid_whatever_the_dealer_holds_but_not_after_a_fold() -> None:
    check_all(
        GAME,
        """
        player: 4h 3d 2c
        dealer: 5s 4s 3c
        bets:   ante 10
        =>      play lose -10, ante-bonus win +10, ante lose -10

        player: 9h 9d 9c
        dealer: Js Td 8s
        bets:   ante 10
        =>      play push 0, ante-bonus win +40, ante win +10

        player: 9h 9d 9c
        dealer: Js Td 8s
        bets:   ante 10
        paytable: ante-bonus=C
        =>      play push 0, ante-bonus win +30, ante win +10

        player: Ah Kh Qh
        dealer: Js Td 8s
        bets:   ante 10
        =>      play push 0, ante-bonus win +50, ante win +10

        player: 9h 7h 2h
        dealer: Js Td 8s
        bets:   ante 10
        =>      play push 0, ante win +10

        player: 4h 3d 2c
        dealer: 5s 4s 3c
        bets:   ante 10
        fold
        =>      ante forfeit -10
        """,
    )


@pytest.mark.clause("TCP-11")
def test_pair_plus_is_paid_whether_the_dealer_wins_or_does_not_play() -> None:
    check_all(
        GAME,
        """
        player: 4h 4d 2c
        dealer: 5s 5d 3c
        bets:   ante 10, pair-plus 5
        =>      play lose -10, ante lose -10, pair-plus win +5

        player: 9h 7h 2h
        dealer: Js Td 8s
        bets:   ante 10, pair-plus 5
        =>      play push 0, ante win +10, pair-plus win +20

        player: Kh 7d 2h
        dealer: Js Td 8s
        bets:   ante 10, pair-plus 5
        =>      play push 0, ante win +10, pair-plus lose -5
        """,
    )


@pytest.mark.clause("TCP-12")
def test_play_equals_the_ante_and_is_never_a_bet_of_its_own() -> None:
    for bets in ({"play": 1000}, {"ante": 1000, "play": 500}):
        with pytest.raises(Refused) as refused:
            settle(GAME, player="Kh 7d 2h", dealer="Js Td 8s", bets=bets)
        assert (refused.value.reason, refused.value.clause) == (Reason.NOT_A_BET, "TCP-12")
    result = settle(GAME, player="Kh 7d 2h", dealer="Js Td 8s", bets={"ante": 735})
    assert [line.wager for line in result.lines] == [735, 735]


@pytest.mark.clause("TCP-13", "SCB-03")
def test_a_fold_gives_up_pair_plus_but_not_the_6_card_bonus() -> None:
    fold = """
        player: 4h 4d 2c
        dealer: 4s Qd 3c
        bets:   ante 10, pair-plus 5, six-card-bonus 1
        fold
        """
    check(GAME, fold + "=> ante forfeit -10, pair-plus forfeit -5, six-card-bonus win +5")
    check(
        GAME,
        fold
        + "option: pair_plus_after_fold=stays\n"
        + "=> ante forfeit -10, pair-plus win +5, six-card-bonus win +5",
    )


@pytest.mark.clause("TCP-22")
def test_lines_come_in_the_order_of_reconciliation_or_in_the_casinos_own() -> None:
    every = """
        player: 4h 3d 2c
        dealer: 5s 4s 3c
        bets:   progressive 1, six-card-bonus 1, pair-plus 1, ante 1
        """
    check(
        GAME,
        every
        + "=> play lose -1, ante-bonus win +1, ante lose -1, pair-plus win +6, "
        + "six-card-bonus lose -1, progressive win +5",
    )
    check(
        GAME,
        every
        + "option: settle_order=ante,pair-plus\n"
        + "=> ante lose -1, pair-plus win +6, play lose -1, ante-bonus win +1, "
        + "six-card-bonus lose -1, progressive win +5",
    )


@pytest.mark.clause("SCB-01", "SCB-02")
def test_the_6_card_bonus_uses_both_hands() -> None:
    check_all(
        GAME,
        """
        player: Kh 7d 2h
        dealer: Ks Kd 8s
        bets:   ante 10, six-card-bonus 1
        =>      play lose -10, ante lose -10, six-card-bonus win +5

        player: Ah Kh Qh
        dealer: Jh Th 8s
        bets:   pair-plus 5, six-card-bonus 1
        =>      pair-plus win +200, six-card-bonus win +1000

        player: Kh 7d 2h
        dealer: Ks 7s 8s
        bets:   pair-plus 5, six-card-bonus 1
        =>      pair-plus lose -5, six-card-bonus lose -1
        """,
    )


@pytest.mark.clause("SCB-06")
def test_the_6_card_bonus_needs_a_standard_wager() -> None:
    with pytest.raises(Refused) as refused:
        settle(GAME, player="Kh 7d 2h", dealer="Ks Kd 8s", bets={"six-card-bonus": 100})
    assert refused.value.reason is Reason.BASE_WAGER_REQUIRED
    assert refused.value.clause == "SCB-06"
    for standard in ("ante", "pair-plus"):
        bets = {standard: 500, "six-card-bonus": 100}
        assert settle(GAME, player="Kh 7d 2h", dealer="Ks Kd 8s", bets=bets).lines


@pytest.mark.clause("TCP-24")
def test_where_the_ante_is_mandatory_pair_plus_alone_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        settle(
            GAME,
            player="Kh 7d 2h",
            dealer="Ks Kd 8s",
            bets={"pair-plus": 500},
            options={"ante_mandatory": "on"},
        )
    assert (refused.value.reason, refused.value.clause) == (Reason.ANTE_MANDATORY, "TCP-24")
