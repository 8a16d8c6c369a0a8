"""Verdicts: a seat comes to the same however it is described, and is asked what is due."""

from random import Random

import pytest

from houseway import settle
from houseway.cards import DECK, UNKNOWN, parse_cards
from houseway.games import GAMES, game_of
from houseway.games.base import loses
from houseway.games.contract import Hand, Seen, SideBet
from houseway.house.money import MeterShare
from houseway.refusal import Reason, Refused
from houseway.rules.lines import is_seen
from houseway.rules.ruleset import make_ruleset

SEATS = 30
CODES = [game.code for game in GAMES]


@pytest.mark.parametrize("code", CODES)
def test_only_a_progressive_is_paid_a_share_of_a_meter(code: str) -> None:
    game, tables = game_of(code), make_ruleset(code).paytables
    from_meter = {side.code for side in game.side_bets if side.from_meter}
    for bet, table in tables.items():
        shares = any(isinstance(odds, MeterShare) for _, odds in table.rows)
        assert not shares or bet in from_meter


@pytest.mark.parametrize("code", CODES)
def test_a_seat_is_settled_alike_from_a_deck_and_from_its_hands(code: str) -> None:
    game, rng = game_of(code), Random(code)
    bets = dict.fromkeys(game.wagers, 1000)
    for _ in range(SEATS):
        deck = rng.sample(DECK, len(DECK))
        meter = None if game.by_deck else 10_000
        dealt = settle(code, bets=bets, deck=deck, meter=meter)
        if game.by_deck:
            with pytest.raises(Refused, match="does not belong to"):
                settle(code, bets=bets, player=dealt.player, dealer=dealt.dealer)
            continue
        by_hands = settle(code, bets=bets, player=dealt.player, dealer=dealt.dealer, meter=10_000)
        assert by_hands == dealt


@pytest.mark.parametrize(
    ("decisions", "bets", "told"),
    [
        ("play,fold", {"ante": 1000}, "the decision to play stands"),
        ("fold", {"pair-plus": 1000}, "without an ante there is nothing to decide"),
        ("hit", {"ante": 1000}, "known: play, fold"),
    ],
)
def test_a_decision_that_is_not_due_is_refused(
    decisions: str, bets: dict[str, int], told: str
) -> None:
    with pytest.raises(Refused, match=told):
        settle("three-card-poker", bets=bets, deck="Qs Qd 7h Kh 9c 4d", decisions=decisions)


THREE = dict.fromkeys(("war", "blackjack", "poker"), 1000)


def test_a_side_bet_may_look_at_the_own_cards_or_at_the_dealers_alone() -> None:
    rules = make_ruleset("three-card-poker")
    paytable = rules.paytables["pair-plus"]
    assert is_seen(rules.game.side("pair-plus"), Seen(parse_cards("2h 3h 4h")), paytable)
    side = SideBet(
        code="up-card",
        dealer=1,
        classify=lambda seen, _: seen.dealer[0],
        rule=lambda *_: loses("TSB-06", "the up card is no Ace"),
        folded=lambda *_: None,
        words=lambda *_: {},
    )
    own, up = parse_cards("2h 3h"), parse_cards("Kd")
    assert is_seen(side, Seen(dealer=up), paytable)
    assert is_seen(side, Seen((*own, UNKNOWN), up), paytable)
    assert not is_seen(side, Seen(own), paytable)


def test_a_decision_is_about_the_first_hand_unless_another_is_in_turn() -> None:
    first, second = Hand(parse_cards("Ah 2c")), Hand(parse_cards("As 9d"))
    seen = Seen(hands=(first, second))
    assert (seen.hand, seen._replace(turn=1).hand) == (first, second)


@pytest.mark.parametrize(
    ("code", "bets", "deck", "told", "clause"),
    [
        (
            "three-card-poker",
            {"ante": 1000},
            "Qs Qd 7h Kh 9c",
            "the round needs more than 5 cards",
            None,
        ),
        (
            "triple-shot-bonus",
            THREE,
            "Kh 6d 5c Ts 6s 9d 2h",
            "the round needs more than 7 cards, and never fewer than 8",
            "TSB-17",
        ),
    ],
)
def test_a_deck_that_runs_out_is_refused_with_the_fewest_cards_that_can_do(
    code: str, bets: dict[str, int], deck: str, told: str, clause: str | None
) -> None:
    with pytest.raises(Refused) as refused:
        settle(code, bets=bets, deck=deck)
    assert refused.value.message == f"the deck '{deck}' runs out: {told}"
    assert (refused.value.reason, refused.value.clause) == (Reason.TOO_FEW_CARDS, clause)


def test_a_deck_of_the_very_cards_that_are_dealt_is_enough() -> None:
    assert settle("three-card-poker", bets={"ante": 1000}, deck="Qs Qd 7h Kh 9c 4d").net == 2000
