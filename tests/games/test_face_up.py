"""Three Card Poker Face Up, clause by clause, as transcripts."""

import pytest

from houseway import Refused, settle
from houseway.refusal import Reason
from tests.games.transcript import check, check_all

GAME = "three-card-poker-face-up"


@pytest.mark.clause("FUP-01", "FUP-02")
def test_ante_against_the_dealer_and_pair_plus_against_its_table() -> None:
    check_all(
        GAME,
        """
        player: 9h 9d 2c
        dealer: Kh 7c 4d
        bets:   ante 10, pair-plus 5
        =>      play win +10, ante win +10, pair-plus win +5

        player: 9h 9d 2c
        dealer: Kh 7c 4d
        bets:   pair-plus 5
        =>      pair-plus win +5
        """,
    )


@pytest.mark.clause("FUP-04")
def test_a_fold_surrenders_the_ante_and_leaves_pair_plus_in_action() -> None:
    fold = """
        player: 9h 9d 2c
        dealer: Kh 7c 4d
        bets:   ante 10, pair-plus 5
        fold
        """
    check(GAME, fold + "=> ante forfeit -10, pair-plus win +5")
    check(
        GAME,
        fold + "option: pair_plus_after_fold=forfeit\n=> ante forfeit -10, pair-plus forfeit -5",
    )
    with pytest.raises(Refused) as refused:
        settle(GAME, player="9h 9d 2c", dealer="Kh 7c 4d", bets={"ante": 100, "play": 100})
    assert (refused.value.reason, refused.value.clause) == (Reason.NOT_A_BET, "FUP-04")


@pytest.mark.clause("FUP-06")
def test_below_queen_high_the_ante_comes_back_and_play_still_has_action() -> None:
    """The reverse of the base game: there the Ante is paid and Play comes back."""
    check_all(
        GAME,
        """
        player: 9h 7d 2c
        dealer: Jh Tc 8d
        bets:   ante 10, pair-plus 5
        =>      play lose -10, ante push 0, pair-plus lose -5

        player: Kh 7d 2c
        dealer: Jh Tc 8d
        bets:   ante 10, pair-plus 5
        =>      play win +10, ante push 0, pair-plus lose -5

        player: Js Td 8c
        dealer: Jh Tc 8d
        bets:   ante 10
        =>      play push 0, ante push 0
        """,
    )


@pytest.mark.clause("FUP-07", "FUP-08")
def test_with_queen_high_both_bets_are_compared() -> None:
    check_all(
        GAME,
        """
        player: Kh 7d 2c
        dealer: Qh 3c 2d
        bets:   ante 10
        =>      play win +10, ante win +10

        player: Qs Jd 2c
        dealer: Ah 3c 2d
        bets:   ante 10
        =>      play lose -10, ante lose -10

        player: Qs 3d 2c
        dealer: Qh 3c 2d
        bets:   ante 10
        =>      play push 0, ante push 0

        player: Qs 3d 2c
        dealer: Qh 3c 2d
        bets:   ante 10
        option: tie_rule=lose
        =>      play lose -10, ante lose -10
        """,
    )


@pytest.mark.clause("FUP-06")
def test_what_play_does_against_a_dealer_below_queen_is_an_option() -> None:
    worse = """
        player: 9h 7d 2c
        dealer: Jh Tc 8d
        bets:   ante 10
        """
    better = """
        player: Kh 7d 2c
        dealer: Jh Tc 8d
        bets:   ante 10
        """
    option = "option: face_up_unqualified_play="
    check(GAME, worse + option + "compare\n=> play lose -10, ante push 0")
    check(GAME, worse + option + "win_or_push\n=> play push 0, ante push 0")
    check(GAME, worse + option + "win\n=> play win +10, ante push 0")
    for value in ("compare", "win_or_push", "win"):
        check(GAME, better + option + value + "\n=> play win +10, ante push 0")


@pytest.mark.clause("FUP-09")
def test_pair_plus_wins_from_a_pair_up() -> None:
    check_all(
        GAME,
        """
        player: 2h 2d 3c
        dealer: Ah Ac Kd
        bets:   pair-plus 5
        =>      pair-plus win +5

        player: Ah Kd Jc
        dealer: As Ac Kc
        bets:   pair-plus 5
        =>      pair-plus lose -5

        player: 7h 5h 2h
        dealer: As Ac Kc
        bets:   pair-plus 5
        paytable: TCP-04
        =>      pair-plus win +15
        """,
    )


@pytest.mark.clause("FUP-10")
def test_the_four_designators_are_pair_plus_a_to_d() -> None:
    hands = {"straight": "7h 6d 5c", "three": "7h 7d 7c", "flush": "7h 5h 2h"}
    pays = {
        code: tuple(
            settle(
                GAME, player=cards, dealer="As Ac Kc", bets={"pair-plus": 100}, paytables=code
            ).net
            // 100
            for cards in hands.values()
        )
        for code in ("TCP-01", "TCP-02", "TCP-03", "TCP-04")
    }
    assert pays == {
        "TCP-01": (6, 30, 4),
        "TCP-02": (6, 25, 4),
        "TCP-03": (5, 30, 4),
        "TCP-04": (6, 30, 3),
    }


def test_there_is_no_ante_bonus() -> None:
    check(
        GAME,
        """
        player: 7h 7d 7c
        dealer: Ah Ac Kd
        bets:   ante 10
        =>      play win +10, ante win +10
        """,
    )


@pytest.mark.clause("SCB-09")
def test_the_6_card_bonus_opens_on_face_up() -> None:
    check(
        GAME,
        """
        player: 7h 7d 2c
        dealer: 7s Ac Kd
        bets:   ante 10, six-card-bonus 1
        fold
        =>      ante forfeit -10, six-card-bonus win +5
        """,
    )
