"""Verdicts: a seat comes to the same however it is described, and is asked what is due."""

from random import Random

import pytest

from houseway import settle
from houseway.cards import DECK
from houseway.games import GAMES, game_of
from houseway.money import MeterShare
from houseway.refusal import Refused
from houseway.ruleset import make_ruleset

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
