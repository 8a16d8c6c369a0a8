"""Triple Shot Bonus, clause by clause, as transcripts."""

from collections.abc import Sequence
from itertools import product
from typing import Literal

import pytest

from houseway import Refused, settle
from houseway.cards import ACE, TEN, UNKNOWN, parse_cards
from houseway.games import blackjack, game_of, play
from houseway.games.base import Outcome
from houseway.games.contract import Hand, Seen
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.refusal import Reason
from houseway.rules.ruleset import make_ruleset
from tests.games.transcript import check, check_all

GAME = "triple-shot-bonus"
FIVE = 3
"""The rank."""
BETS = {"war": 1000, "blackjack": 1000, "poker": 1000}


def play_out(deck: Sequence[int], decisions: Sequence[str], options: BonusOptions) -> Seen:
    return play.play_out(game_of(GAME), deck, decisions, BETS, options)


@pytest.mark.clause("TSB-21", "TSB-20")
def test_the_example_of_the_contract() -> None:
    check(
        GAME,
        """
        deck:      Kh 6d 5c Ts 6s 9d 2h 3h Jc
        decisions: hit
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        =>         war win +10, blackjack win +10, poker lose -10, hat-trick lose -5
        """,
    )


@pytest.mark.clause("TSB-02")
def test_war_blackjack_and_poker_are_all_required_and_may_differ() -> None:
    deck = "Kh 6d 5c Ts 6s 9d 2h 3h Jc"
    for missing in BETS:
        bets = {bet: cents for bet, cents in BETS.items() if bet != missing}
        with pytest.raises(Refused) as refused:
            settle(GAME, deck=deck, bets=bets | {"hat-trick": 500})
        assert (refused.value.reason, refused.value.clause) == (Reason.MISSING_BET, "TSB-02")
    check(
        GAME,
        """
        deck:      Kh 6d 5c Ts 6s 9d 2h 3h Jc
        decisions: hit
        bets:      war 5, blackjack 25, poker 1
        =>         war win +5, blackjack win +25, poker lose -1
        """,
    )
    with pytest.raises(Refused) as refused:
        settle(GAME, deck=deck, bets=BETS, options={"table_minimum": "war=15"})
    assert (refused.value.reason, refused.value.clause) == (Reason.BELOW_MINIMUM, "TSB-02")


@pytest.mark.clause("TSB-03")
def test_the_hat_trick_is_optional_and_cannot_be_added_by_a_later_decision() -> None:
    deck = "Kh 6d 5c Ts 6s 9d 2h 3h Jc"
    assert "hat-trick" not in [line.bet for line in settle(GAME, deck=deck, bets=BETS).lines]
    with pytest.raises(Refused) as refused:
        settle(GAME, deck=deck, bets=BETS, decisions=["hit", "hat-trick"])
    assert refused.value.reason is Reason.UNKNOWN_DECISION


@pytest.mark.clause("TSB-06")
def test_war_pays_the_higher_card_and_a_tie_costs_half() -> None:
    check_all(
        GAME,
        """
        deck:      Ah Kd Tc Ts 2s 5d 7h 3h
        bets:      war 5, blackjack 10, poker 10
        =>         war win +5, blackjack win +15, poker lose -10

        deck:      9h Kd Tc Ts 2s 5d 7h 3h
        bets:      war 5, blackjack 10, poker 10
        =>         war lose -5, blackjack lose -10, poker lose -10

        deck:      Kh Kd Tc 9s 2s 5d 7h 3h
        bets:      war 5, blackjack 10, poker 10
        =>         war lose -2.50, blackjack win +10, poker lose -10

        deck:      Kh Kd Tc 9s 2s 5d 7h 3h
        bets:      war 5.01, blackjack 10, poker 10
        =>         war lose -2.50, blackjack win +10, poker lose -10

        deck:      Ah Kd Tc Ts 2s 5d 7h 3h
        bets:      war 5, blackjack 10, poker 10
        option:    war_ace=low
        =>         war lose -5, blackjack win +15, poker lose -10
        """,
    )


@pytest.mark.clause("TSB-09")
def test_double_is_allowed_on_any_two_cards_and_takes_one_card() -> None:
    check_all(
        GAME,
        """
        deck:      5h 6d 6c Ts Ks 9d 7h 3h 2c
        decisions: double
        bets:      war 10, blackjack 10, poker 10
        =>         war lose -10, blackjack win +20, poker lose -10

        deck:      Ah 6d 6c Ts 4s 9d 7h 3h 2c
        decisions: double
        bets:      war 10, blackjack 10, poker 10
        =>         war win +10, blackjack win +20, poker lose -10

        deck:      Kh 6d 9c Ts Ks 9d 7h 3h 2c
        decisions: double
        bets:      war 10, blackjack 10, poker 10
        =>         war win +10, blackjack lose -20, poker win +15
        """,
    )
    for decisions in (["hit", "double"], ["double", "hit"], ["double", "stand"]):
        with pytest.raises(Refused) as refused:
            settle(GAME, deck="2h 6d 3c Ts 4s 9d 7h 3h 2c", bets=BETS, decisions=decisions)
        assert refused.value.reason is Reason.DECISION_NOT_ALLOWED
        assert refused.value.clause == "TSB-09"


@pytest.mark.clause("TSB-10")
def test_only_aces_are_split_once_with_one_card_each() -> None:
    check(
        GAME,
        """
        deck:      Ah 6d As Ts Ks 5h 9d 2c 7h
        decisions: split
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        => war win +10, blackjack 1 win +10, blackjack 2 win +10, poker win +10, hat-trick win +45
        """,
    )
    for deck, decisions in (
        ("8h 6d 8s Ts Ks 5h 9d 2c 7h", ["split"]),
        ("Ah 6d As Ts Ks 5h 9d 2c 7h", ["split", "hit"]),
        ("Ah 6d As Ts Ac 5h 9d 2c 7h", ["split", "split"]),
        ("Ah 6d As Ts 2c 5h 9d 3c 7h", ["hit", "split"]),
    ):
        with pytest.raises(Refused) as refused:
            settle(GAME, deck=deck, bets=BETS, decisions=decisions)
        assert refused.value.reason is Reason.DECISION_NOT_ALLOWED


@pytest.mark.clause("TSB-11")
def test_six_cards_win_at_once_but_not_against_a_dealer_blackjack() -> None:
    check_all(
        GAME,
        """
        deck:      2h 6d 2c Ts 3s 3d 4h 5h
        decisions: hit, hit, hit, hit
        bets:      war 10, blackjack 10, poker 10
        =>         war lose -10, blackjack win +10, poker win +15

        deck:      2h Td 2c As 3s 3d 4h 5h
        decisions: hit, hit, hit, hit
        bets:      war 10, blackjack 10, poker 10
        option:    dealer_natural=no_peek_all_bets
        =>         war lose -10, blackjack lose -10 TSB-11, poker win +15
        """,
    )
    # The dealer's 16 takes no card: nobody is left to beat.
    played = play_out(parse_cards("2h 6d 2c Ts 3s 3d 4h 5h"), ["hit"] * 4, BonusOptions())
    assert len(played.dealer) == 2


@pytest.mark.clause("TSB-12")
def test_soft_17_is_hit_or_stood_on_by_house_rule() -> None:
    soft_17 = """
        deck:      Kh 6d 8c As 3s 2d 7h 4c 5h
        bets:      war 10, blackjack 10, poker 10
        """
    check(GAME, soft_17 + "=> war win +10, blackjack lose -10, poker lose -10")
    check(
        GAME,
        soft_17 + "option: dealer_soft_17=stand\n=> war win +10, blackjack win +10, poker lose -10",
    )
    for total, soft in product(range(12, 22), (True, False)):
        cards = (12, total - 13) if soft and total < 21 else None
        if cards is None or cards[1] < 0:
            continue
        state = blackjack.total_of(cards)
        assert (blackjack.value(state), blackjack.is_soft(state)) == (total, True)
        stops = {
            rule: blackjack.dealer_stops(state, BonusOptions(dealer_soft_17=rule)) for rule in RULES
        }
        assert stops == {"hit": total > 17, "stand": total > 16}


RULES: tuple[Literal["hit", "stand"], ...] = ("hit", "stand")


@pytest.mark.clause("TSB-14")
def test_blackjack_pays_3_to_2_and_insurance_2_to_1() -> None:
    check_all(
        GAME,
        """
        deck:      Ah 6d Kc Ts 3s 2d 7h 4c
        bets:      war 10, blackjack 10, poker 10
        =>         war win +10, blackjack win +15, poker lose -10

        deck:      Ah 6d Kc Ts 3s 2d 7h 4c
        bets:      war 10, blackjack 5.05, poker 10
        =>         war win +10, blackjack win +7.57, poker lose -10

        deck:      Kh Ad 9c Ts 3s 2d 7h 4c
        decisions: insurance
        bets:      war 10, blackjack 10, poker 10
        =>         war lose -10, insurance win +10, blackjack lose -10, poker lose -10

        deck:      Kh Ad 9c 8s 3s 2d 7h 4c
        decisions: insurance, stand
        bets:      war 10, blackjack 10, poker 10
        =>         war lose -10, insurance lose -5, blackjack push 0, poker lose -10

        deck:      Ah Ad Kc Ts 3s 2d 7h 4c
        decisions: insurance
        bets:      war 10, blackjack 10, poker 10
        =>         war lose -5, insurance win +10, blackjack push 0, poker lose -10
        """,
    )
    for deck, decisions in (
        ("Kh Td 9c As 3s 2d 7h 4c", ["insurance"]),
        ("Kh Ad 3c 8s 3s 2d 7h 4c 5c", ["hit", "insurance"]),
        ("Kh Ad 3c Ts 3s 2d 7h 4c 5c", ["insurance", "hit"]),
    ):
        with pytest.raises(Refused) as refused:
            settle(GAME, deck=deck, bets=BETS, decisions=decisions)
        assert refused.value.reason is Reason.DECISION_NOT_ALLOWED


@pytest.mark.clause("TSB-15", "TSB-20")
def test_a_losing_leg_takes_the_hat_trick_and_is_named() -> None:
    for deck, leg, clause in (
        ("9h Kd Tc 5s 2s 9d 2h 3h 4c", "War", "TSB-07"),
        ("Kh 9d Qc Ts Js 2d Jh 3h", "Blackjack", "TSB-15"),
        ("Kh 9d Qc 8s 5s 2d 3h 4c", "Poker", "TSB-20"),
    ):
        decisions = ["hit"] if leg == "Blackjack" else []
        result = settle(GAME, deck=deck, decisions=decisions, bets=BETS | {"hat-trick": 500})
        line = result.lines[-1]
        assert (line.bet, line.outcome, line.net) == ("hat-trick", Outcome.LOSE, -500)
        assert leg in line.why
        assert line.clause == clause


@pytest.mark.clause("TSB-16")
def test_a_lost_insurance_bet_leaves_the_hat_trick_up() -> None:
    check(
        GAME,
        """
        deck:      Ah Ad Tc 8s Js Jd 7h 4c
        decisions: insurance
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        => war lose -5, insurance lose -5, blackjack win +15, poker win +10, hat-trick win +45
        """,
    )


@pytest.mark.clause("TSB-17")
def test_poker_keeps_every_card_of_the_blackjack_hand() -> None:
    # A busted hand of three cards is completed to six.
    bust = play_out(parse_cards("Kh 6d Qc Ts Js 2d 3h 4c"), ["hit"], BonusOptions())
    assert bust.own == parse_cards("Kh Qc Js 2d 3h 4c")
    assert bust.dealer == parse_cards("6d Ts")
    # Split Aces: four cards and two more make one hand.
    split = play_out(parse_cards("Ah 6d As Ts Ks 5h 9d 2c 7h"), ["split"], BonusOptions())
    assert split.own == parse_cards("Ah As Ks 5h 2c 7h")
    assert split.dealer == parse_cards("6d Ts 9d")


@pytest.mark.clause("TSB-18")
def test_poker_wins_from_a_pair_of_jacks_on_two_paytables() -> None:
    pays: dict[str, list[float]] = {}
    for hand, cards in {
        "royal flush": "Ah Kh Qh Jh Th 2c",
        "straight flush": "9h Kh Qh Jh Th 2c",
        "four of a kind": "9h 9d 9c 9s Th 2c",
        "full house": "9h 9d 9c Ts Th 2c",
        "flush": "9h 2h 3h Jh Th 2c",
        "straight": "9h Kd Qh Jh Th 2c",
        "three of a kind": "9h 9d 9c Ks Th 2c",
        "two pair": "9h 9d Tc Ks Th 2c",
        "jacks": "Jh Jd Tc Ks 3h 2c",
        "tens": "Th Td Jc Ks 3h 2c",
    }.items():
        # The worst cards come first, so that the hand is no blackjack. The dealer holds 11 and
        # draws a King for 21; the rest completes the player's six.
        first, second, *rest = reversed(cards.split())
        deck = " ".join([first, "5s", second, "6s", "Kc", *rest])
        for code in ("TSB-01", "TSB-02"):
            result = settle(
                GAME, deck=deck, bets=BETS, paytables={"poker": code}, decisions=["stand"]
            )
            line = next(line for line in result.lines if line.bet == "poker")
            pays.setdefault(hand, []).append(line.net / 1000)
    assert pays == {
        "royal flush": [500, 200],
        "straight flush": [50, 60],
        "four of a kind": [20, 20],
        "full house": [6, 6],
        "flush": [5, 5],
        "straight": [4, 4],
        "three of a kind": [2, 2],
        "two pair": [1.5, 1.5],
        "jacks": [1, 1],
        "tens": [-1, -1],
    }


@pytest.mark.clause("TSB-19")
def test_a_dealers_six_card_hand_touches_no_bet() -> None:
    deck = parse_cards("Kh 6d 5c Ts 6s 9d 2h 3h Jc 4s 7s 8s")
    omitted = play_out(deck, ["hit"], BonusOptions())
    dealt = play_out(deck, ["hit"], BonusOptions(dealer_six_card_hand="deal"))
    assert dealt.dealer == (*omitted.dealer, *parse_cards("4s 7s 8s"))
    assert dealt.own == omitted.own
    settled = [
        settle(
            GAME, deck=deck, decisions=["hit"], bets=BETS, options={"dealer_six_card_hand": value}
        )
        for value in ("omit", "deal")
    ]
    assert settled[0].lines == settled[1].lines


@pytest.mark.clause("TSB-21")
def test_the_hat_trick_pays_9_or_6_when_no_leg_lost_and_a_war_tie_counts_as_won() -> None:
    tie = """
        deck:      Kh Kd Qc 7s Ks Jc 2d 3h 4c
        decisions: stand
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        """
    won = "=> war lose -5, blackjack win +10, poker win +10, hat-trick win "
    check(GAME, tie + won + "+45")
    check(GAME, tie + "paytable: hat-trick=6\n" + won + "+30")


@pytest.mark.clause("TSB-22", "TSB-23")
def test_all_nine_results_of_split_aces() -> None:
    lose, tie, win = Outcome.LOSE, Outcome.PUSH, Outcome.WIN
    kept = {pair for pair in product((lose, tie, win), repeat=2) if not blackjack.leg_lost(pair)}
    assert kept == {(lose, win), (win, lose), (tie, tie), (tie, win), (win, tie), (win, win)}
    for first, second in product((lose, tie, win), repeat=2):
        worth = {lose: -1, tie: 0, win: 1}
        assert blackjack.leg_lost((first, second)) == (worth[first] + worth[second] < 0)


@pytest.mark.clause("TSB-22", "TSB-23")
def test_split_aces_at_the_table() -> None:
    """The dealer makes 18; the second cards of the Aces decide what the Hat Trick sees."""
    cards = {"lose": "6", "tie": "7", "win": "9"}
    suits = {"6": "hc", "7": "hc", "9": "hc"}
    for first, second in product(cards, repeat=2):
        one, two = cards[first] + suits[cards[first]][0], cards[second] + suits[cards[second]][1]
        deck = f"Ah Kd As 8s {one} {two} Jc Js"
        result = settle(GAME, deck=deck, decisions=["split"], bets=BETS | {"hat-trick": 500})
        outcomes = [line.outcome for line in result.lines if line.bet == "blackjack"]
        assert outcomes == [
            {"lose": "lose", "tie": "push", "win": "win"}[name] for name in (first, second)
        ]
        lost = {"lose", "tie"} >= {first, second} and "lose" in {first, second}
        assert result.lines[-1].outcome == ("lose" if lost else "win"), (first, second)


def test_21_does_not_end_a_hand() -> None:
    check(
        GAME,
        """
        deck:      Ah 6d 5c Ts 5s Kh 9d 7h 2c
        decisions: hit, hit
        bets:      war 10, blackjack 10, poker 10
        =>         war win +10, blackjack win +10, poker lose -10
        """,
    )


def test_conventions_for_a_dealers_natural() -> None:
    doubled = """
        deck:      5h Td 6c As 7s 2d 3h 4c
        decisions: double
        bets:      war 10, blackjack 10, poker 10
        """
    check(
        GAME,
        doubled
        + "option: dealer_natural=no_peek_original_bets\n"
        + "=> war lose -10, blackjack lose -10, poker win +40",
    )
    check(
        GAME,
        doubled
        + "option: dealer_natural=no_peek_all_bets\n"
        + "=> war lose -10, blackjack lose -20 TSB-09, poker win +40",
    )
    with pytest.raises(Refused, match="dealer has blackjack, so no decision is left") as refused:
        check(GAME, doubled + "=> war lose -10")
    assert refused.value.reason is Reason.DECISION_NOT_ALLOWED
    split = """
        deck:      Ah Td Ac As 7s 2d 3h 4c
        decisions: split
        bets:      war 10, blackjack 10, poker 10
        """
    check(
        GAME,
        split
        + "option: dealer_natural=no_peek_original_bets\n"
        + "=> war win +10, blackjack 1 lose -10, blackjack 2 push 0, poker win +10",
    )


def test_an_ace_and_a_ten_after_a_split() -> None:
    split = """
        deck:      Ah 6d Ac Ts Ks 2d 9h 4c 7d
        decisions: split
        bets:      war 10, blackjack 10, poker 10
        """
    check(GAME, split + "=> war win +10, blackjack 1 win +10, blackjack 2 win +10, poker win +10")
    check(
        GAME,
        split
        + "option: split_ace_ten=blackjack\n"
        + "=> war win +10, blackjack 1 win +15, blackjack 2 win +10, poker win +10",
    )


@pytest.mark.clause("TSB-09", "TSB-10")
def test_a_hand_knows_what_was_done_with_it() -> None:
    options = BonusOptions()
    aces = blackjack.first_hand(ACE, ACE)
    assert (aces.cards, blackjack.value(aces.total), blackjack.stakes(aces)) == (2, 12, 1)
    assert blackjack.why_not("split", aces, options) is None
    hit = blackjack.hit(aces, FIVE)
    assert (hit.cards, blackjack.value(hit.total)) == (3, 17)
    assert blackjack.why_not("split", hit, options) == "only a pair of Aces may be split"
    assert blackjack.why_not("hit", hit, options) is None
    for closed, stakes in ((blackjack.stand(aces), 1), (blackjack.double(aces, FIVE), 2)):
        assert blackjack.status(closed, options) is blackjack.Status.STANDS
        assert blackjack.stakes(closed) == stakes
        assert not blackjack.may("hit", closed, options)
    first, second = blackjack.split_hands(FIVE, TEN)
    assert [blackjack.value(hand.total) for hand in (first, second)] == [16, 21]
    for hand in (first, second):
        assert (hand.cards, blackjack.stakes(hand)) == (2, 1)
        assert blackjack.status(hand, options) is blackjack.Status.STANDS
    paid = BonusOptions(split_ace_ten="blackjack")
    assert blackjack.status(second, paid) is blackjack.Status.NATURAL


def decided(seen: Seen, **options: str) -> list[tuple[str, int]]:
    """The bets and hands of a seat that have a verdict by now."""
    ruleset = make_ruleset(GAME, options)
    game, tables = ruleset.game, dict(ruleset.paytables)
    facts = game.facts(seen, ruleset.options)
    found = game.verdicts(facts, seen.actions, tables, ruleset.options)
    return [(ruling.bet, ruling.hand) for ruling in found]


@pytest.mark.clause("TSB-21", "TSB-23")
def test_the_hat_trick_waits_for_both_hands_of_a_split() -> None:
    """An Ace and a ten are paid at once where that is a blackjack; the other hand is open yet."""
    split = tuple(Hand(parse_cards(cards), ("split",)) for cards in ("Ah Ks", "Ac 5d"))
    own = parse_cards("Ah Ac Ks 5d 2h 3h")
    seen = Seen(own, (*parse_cards("6d"), UNKNOWN), hands=split, actions=("split",))
    assert decided(seen, split_ace_ten="blackjack") == [("war", 1), ("blackjack", 1), ("poker", 1)]
    shown = seen._replace(dealer=parse_cards("6d Ts 2c"))
    assert ("hat-trick", 1) in decided(shown, split_ace_ten="blackjack")


@pytest.mark.clause("TSB-13")
def test_an_open_hand_is_not_settled_though_the_dealers_cards_are_seen() -> None:
    own = parse_cards("5h 6c")
    seen = Seen(own, parse_cards("4d Ts 5c"), hands=(Hand(own),), peeked=0)
    assert decided(seen) == [("war", 1)]
    stood = seen._replace(hands=(Hand(own, ("stand",)),), actions=("stand",))
    assert ("blackjack", 1) in decided(stood)


@pytest.mark.parametrize(
    ("cards", "stage", "held"),
    [
        ("5h 6c", "blackjack", "11"),
        ("Ah 6c", "blackjack", "soft 17"),
        ("5h 6c", "poker", "11"),
        ("2h 2c 3s 3d 4h 5h", "blackjack", "19"),
        ("2h 2c 3s 3d 4h 5h", "poker", "Two pair, Threes and Deuces"),
        ("5h", "war", ""),
        ("", "war", ""),
    ],
)
def test_a_seat_holds_points_until_its_six_cards_lie_there_for_poker(
    cards: str, stage: str, held: str
) -> None:
    own = parse_cards(cards) if cards else ()
    hands = (Hand(own),) if own else ()
    assert game_of(GAME).holds(Seen(own, hands=hands), stage, BonusOptions()) == held


@pytest.mark.parametrize(
    ("cards", "held"), [("Kd 7s", "17"), ("Ad 2s 3h 4c 7s", "17"), ("2d 2s 3h 4c 5s 7h", "")]
)
def test_the_dealer_holds_points_while_no_cards_complete_six(cards: str, held: str) -> None:
    assert game_of(GAME).dealer_holds(Seen(dealer=parse_cards(cards)), BonusOptions()) == held


@pytest.mark.clause("TSB-09", "TSB-10")
def test_a_hand_is_the_original_one_and_no_pair_of_aces_unless_it_is_said() -> None:
    options = BonusOptions(dealer_natural="no_peek_original_bets")
    eights = blackjack.Hand(2 * 16, 2)
    assert blackjack.why_not("split", eights, options) == "only a pair of Aces may be split"
    # A dealer's blackjack, Ace and ten, takes the original bet.
    natural = 2 * 11 + 1
    lost = blackjack.resolve(blackjack.stand(eights), natural, 2, options)
    assert lost.outcome is Outcome.LOSE
    assert lost.lost == 1
