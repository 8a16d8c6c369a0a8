"""Every game passes every check, and every check finds the faults that it is there for."""

import re
from typing import Any, get_args

import pytest

from houseway.cards import card_text
from houseway.conformance import CHECKS, bad_input, findings, views
from houseway.conformance.rounds import deal
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.live import engine, state
from houseway.live import events as e
from houseway.live.commands import Place
from houseway.live.state import Happening, Round
from houseway.live.view import Viewer, view
from houseway.rules import settlement
from tests.contract.faulty import FAULTS
from tests.contract.made_up import BOARD
from tests.contract.made_up import GAMES as MADE_UP

ROUNDS = range(100)
EVERY = (*GAMES, *MADE_UP)


@pytest.mark.parametrize("game", EVERY, ids=[game.code for game in EVERY])
def test_a_game_passes_every_check(game: Game) -> None:
    assert [str(found) for found in findings(game, ROUNDS)] == []


@pytest.mark.parametrize("game", EVERY, ids=[game.code for game in EVERY])
def test_the_rounds_take_every_action_and_settle_every_bet(game: Game) -> None:
    taken: set[str] = set()
    settled: set[str] = set()
    hands = 0
    for seed in ROUNDS:
        for seat in deal(game, seed).final.seats:
            taken |= set(seat.decisions)
            settled |= {line.bet for line in seat.lines}
            hands = max(hands, len(seat.hands))
    assert taken == {action.name for action in game.actions}
    assert settled == set(game.order)
    assert hands > 1 or not any(action.splits for action in game.actions)


def test_the_rounds_make_everything_happen_but_what_goes_wrong() -> None:
    """What a supervisor or the floor does has tests of its own."""
    happened = {
        type(event)
        for game in EVERY
        for seed in ROUNDS
        for step in deal(game, seed).steps
        for event in step.happened
    }
    others = {
        *(e.Exposed, e.MiscountFound, e.CardExposed, e.LateWagerFound, e.Ruled, e.RoundVoided),
        *(e.PayoutFoundWrong, e.PayoutCorrected, e.ShufflerFailed, e.StepDone),
        *(e.MeterHandFound, e.HandPressed, e.HandReleased, e.AwardConfirmed, e.AwardBackedOut),
    }
    assert happened == set(get_args(e.Event)) - others


@pytest.mark.parametrize(
    ("check", "game", "told"),
    [(check, game, told) for check, _, game, told in FAULTS],
    ids=[f"{check}: {fault}" for check, fault, _, _ in FAULTS],
)
def test_a_planted_fault_is_found_by_its_check(check: str, game: Game, told: str) -> None:
    [found] = findings(game, ROUNDS, {check: CHECKS[check]})
    assert re.search(told, found.sentence), found
    assert str(found).startswith(f"{game.code}, {check}, round ")


def test_every_check_has_a_fault_to_find() -> None:
    assert {check for check, _, _, _ in FAULTS} == set(CHECKS)


# The checks hold the engine to account as well: here are tables that do wrong by every game.


def found_by(check: str) -> str:
    """What a check says of a game without a fault of its own."""
    [found] = findings(BOARD, ROUNDS, {check: CHECKS[check]})
    return found.sentence


def test_a_view_that_leaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(table: Round, viewer: Viewer) -> dict[str, Any]:
        shown = view(table, viewer)
        return shown | {"dealer": [card_text(card) for card in table.dealer]}

    monkeypatch.setattr(views, "view", leaky)
    told = found_by("views")
    cards = r"[2-9TJQKA][cdhs] [2-9TJQKA][cdhs]"
    said = rf"dealer is shown {cards} at the dealer in phase 'decisions', and may see \?\? \?\?"
    assert re.fullmatch(said, told)


def test_words_that_were_made_of_hidden_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a round that is dealt again tells that something said earlier depends on them."""
    monkeypatch.setitem(state._EVOLVE, e.Decided, gossiping)
    assert "dealing again with cards" in found_by("views")


def gossiping(table: Round, event: e.Decided) -> Round:
    """A dealer who says with each decision what lies face down."""
    said = f"I have the {card_text(table.dealer[0])}."
    return decided(table, event)._replace(said=said)


def test_a_cent_that_is_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def dropping(table: Round, event: e.Settled) -> Round:
        after = settled(table, event)
        return after._replace(tray=after.tray - 1)

    monkeypatch.setitem(state._EVOLVE, e.Settled, dropping)
    assert found_by("money") == "after Settled the money of the round sums to -1 cents, not to 0"


def test_a_miscount_that_passes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(table: Round, place: Place, cards: tuple[int, ...]) -> Happening:
        due = engine.awaited(table)
        assert due is not None
        return expose(table, place, (*cards, *cards)[: due[1]])

    expose = engine.expose
    monkeypatch.setattr(engine, "expose", careless)
    assert found_by("real cards") == "4 cards for 3 at place 'board' pass for the right number"


def test_an_error_in_place_of_a_refusal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def trusting(game: Game, *, bets: Any, **given: Any) -> object:
        return settlement.settle(
            game, bets={bet: int(cents) for bet, cents in bets.items()}, **given
        )

    monkeypatch.setattr(bad_input, "settle", trusting)
    told = found_by("bad input")
    assert "not a refusal" in told or "is accepted" in told


decided, settled = state._EVOLVE[e.Decided], state._EVOLVE[e.Settled]
