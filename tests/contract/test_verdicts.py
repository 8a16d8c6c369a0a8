"""Verdicts: every bet is decided in the end, and no verdict is ever taken back."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from houseway import settle
from houseway.cards import DECK, UNKNOWN, parse_cards
from houseway.games import GAMES
from houseway.games.base import Verdict, loses
from houseway.games.contract import DEALER, Ask, Deal, Game, Hand, Peek, Seen, SideBet
from houseway.games.play import stages
from houseway.lines import is_seen, rulings, seat_lines
from houseway.money import MeterLevel, MeterShare
from houseway.options import Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.ruleset import make_ruleset

SEATS = 300
CODES = [game.code for game in GAMES]


def every_stage(game: Game, rng: Random) -> list[Seen]:
    """A seat step by step, from a deck and decisions by a seed, with every bet made."""
    deck = rng.sample(DECK, len(DECK))
    while True:
        decisions = [a.name for a in rng.choices(game.actions, k=rng.randrange(4))]
        try:
            return list(stages(game, deck, decisions, game.wagers, Options()))
        except Refused:
            # Not every row of decisions fits the cards.
            continue


def as_seen(game: Game, found: list[Seen]) -> Iterator[Seen]:
    """The same, with the dealer's cards face down until every decision is made."""
    down: list[bool] = []
    last = max(place for place, step in enumerate(game.script) if isinstance(step, Ask | Peek))
    for place, (step, seen) in enumerate(zip(game.script, found, strict=True)):
        if isinstance(step, Deal) and step.to == DEALER:
            down += [True] * step.down + [False] * step.up
        hidden = place <= last
        cards = tuple(
            UNKNOWN if hidden and number < len(down) and down[number] else card
            for number, card in enumerate(seen.dealer)
        )
        yield seen._replace(dealer=cards)


def decided(game: Game, seen: Seen, tables: dict[str, PayTable]) -> dict[tuple[str, int], Verdict]:
    wagers = dict.fromkeys(game.wagers, 1000)
    found = rulings(game, seen, wagers, tables, Options())
    return {(ruling.bet, ruling.hand): ruling.verdict for ruling in found}


def of_game(code: str) -> tuple[Game, dict[str, PayTable], Random]:
    ruleset = make_ruleset(code)
    return ruleset.game, dict(ruleset.paytables), Random(code)


@pytest.mark.parametrize("code", CODES)
def test_every_bet_is_decided_in_the_end(code: str) -> None:
    game, tables, rng = of_game(code)
    for _ in range(SEATS):
        seen = every_stage(game, rng)[-1]
        bets = {bet for bet, _ in decided(game, seen, tables)}
        assert bets >= set(game.wagers), seen


@pytest.mark.parametrize("code", CODES)
def test_a_verdict_once_given_never_changes(code: str) -> None:
    game, tables, rng = of_game(code)
    for _ in range(SEATS):
        found = [decided(game, seen, tables) for seen in as_seen(game, every_stage(game, rng))]
        for before, after in pairwise(found):
            kept = {key: after.get(key) for key in before}
            assert kept == before


@pytest.mark.parametrize("code", CODES)
def test_every_line_has_its_words(code: str) -> None:
    """No place of a sentence stays empty, whatever is paid."""
    game, tables, rng = of_game(code)
    meters: dict[MeterLevel, int] = {"single": 10_000}
    for _ in range(SEATS):
        seen = every_stage(game, rng)[-1]
        wagers = dict.fromkeys(game.wagers, 1000)
        for line in seat_lines(game, seen, wagers, tables, Options(), meters=meters):
            assert "{" not in line.why
            assert line.why.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_an_action_that_puts_chips_up_names_a_bet_of_the_game(code: str) -> None:
    game, _, _ = of_game(code)
    for put in (action.puts for action in game.actions if action.puts is not None):
        assert put.bet in game.order
        assert put.of in game.wagers


@pytest.mark.parametrize("code", CODES)
def test_only_a_progressive_is_paid_a_share_of_a_meter(code: str) -> None:
    game, tables, _ = of_game(code)
    from_meter = {side.code for side in game.side_bets if side.from_meter}
    for bet, table in tables.items():
        shares = any(isinstance(odds, MeterShare) for _, odds in table.rows)
        assert not shares or bet in from_meter


@pytest.mark.parametrize("code", CODES)
def test_a_seat_is_settled_alike_from_a_deck_and_from_its_hands(code: str) -> None:
    game, _, rng = of_game(code)
    bets = dict.fromkeys(game.wagers, 1000)
    for _ in range(SEATS // 10):
        deck = rng.sample(DECK, len(DECK))
        meter = None if game.draws else 10_000
        dealt = settle(code, bets=bets, deck=deck, meter=meter)
        if game.draws:
            with pytest.raises(Refused, match="does not belong to"):
                settle(code, bets=bets, player=dealt.player, dealer=dealt.dealer)
            continue
        by_hands = settle(code, bets=bets, player=dealt.player, dealer=dealt.dealer, meter=10_000)
        assert by_hands == dealt


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
