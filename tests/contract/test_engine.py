"""The engine plays whatever a script says: our games, and made-up ones that ask for more."""

from dataclasses import replace
from random import Random

import pytest

from houseway.cards import DECK, HIDDEN, TEN, UNKNOWN, make_card, rank_of
from houseway.games.contract import SEATS, Burn, Deal, Draw, Game
from houseway.games.play import play_out
from houseway.lines import Line, seat_lines
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.procedure import answers, next_step
from houseway.live.round import act, legal, refusal
from houseway.live.seen import seen_of
from houseway.live.state import Round, open_round
from houseway.live.text import command_text, parse_command
from houseway.live.view import Viewer, view
from houseway.live.words import prompt
from houseway.options import Options
from houseway.ruleset import Ruleset
from houseway.shuffler import Shuffle
from tests.contract.made_up import BOARD, CLAUSE, GAMES, LET, MANY, WAR

ROUNDS = 150
MADE_UP = pytest.mark.parametrize("game", GAMES, ids=[game.code for game in GAMES])


def opened(game: Game, deck: tuple[int, ...], positions: int) -> Round:
    """A round of a made-up game with every bet on each position, ready to be dealt."""
    rules = Ruleset(game=game, options=Options(), paytables={}, revision="made up")
    table = open_round(rules, "000001", positions)
    bets = tuple(dict.fromkeys(game.wagers, 1000).items())
    for position in range(1, positions + 1):
        table, _ = act(table, c.PlaceBets(position, bets))
    table, _ = act(table, c.LoadShuffle(Shuffle("s", deck, game.packet, "automatic")))
    return act(table, c.NoMoreBets())[0]


def allowed(table: Round, position: int) -> list[str]:
    """The decisions that a position may make now."""
    step = table.asking
    assert step is not None
    names = [action.name for action in step.actions]
    return [name for name in names if refusal(table, c.Decide(position, name)) is None]


def played(table: Round, rng: Random) -> list[tuple[Round, tuple[e.Event, ...]]]:
    """The round after each step to its end, by decisions at random."""
    found = []

    def do(command: c.Command) -> None:
        nonlocal table
        assert parse_command(command_text(command)) == command
        table, happened = act(table, command)
        found.append((table, happened))

    while not table.over:
        step = next_step(table)
        if step is not None:
            do(step)
            continue
        for command in answers(table, lambda live, place: rng.choice(allowed(live, place))):
            do(command)
    return found


def deck_of(rng: Random) -> tuple[int, ...]:
    """A deck in which pairs come often, so that hands tie and are split."""
    ranks = rng.sample(range(13), 3)
    rich = [make_card(rank, suit) for rank in ranks for suit in range(4)]
    rng.shuffle(rich)
    rest = [card for card in DECK if card not in rich]
    rng.shuffle(rest)
    return (*rich, *rest)


@MADE_UP
def test_every_round_ends_and_no_chip_is_lost(game: Game) -> None:
    rng = Random(game.code)
    for _ in range(ROUNDS):
        table = opened(game, deck_of(rng), rng.randint(1, 4))
        for after, _ in played(table, rng):
            assert after.money() == 0
            table = after
        for seat in table.seats:
            assert {line.bet for line in seat.lines} >= set(game.wagers)
            assert seat.felt == 0
            assert seat.purse == sum(line.net for line in seat.lines)


@MADE_UP
def test_a_seat_is_settled_live_as_from_its_deck(game: Game) -> None:
    """One seat by the script of the game, without any live table, comes to the same lines."""
    rng = Random(game.code)
    for _ in range(ROUNDS):
        deck = deck_of(rng)
        table = played(opened(game, deck, 1), rng)[-1][0]
        [seat] = table.seats
        seen = play_out(game, deck, seat.decisions, game.wagers, Options())
        lines = seat_lines(game, seen, seat.wagers, {}, Options())
        key = Line.to_json
        assert sorted(map(str, map(key, lines))) == sorted(map(str, map(key, seat.lines)))
        assert seen.hands == seat.hands


@MADE_UP
def test_what_is_offered_is_accepted_and_what_is_said_has_words(game: Game) -> None:
    rng = Random(game.code)
    for _ in range(ROUNDS // 5):
        table = opened(game, deck_of(rng), 2)
        for after, _ in [(table, ()), *played(table, rng)]:
            for command in legal(after):
                act(after, command)
            assert after.over or prompt(after).do
            for kind in ("dealer", "public"):
                shown = view(after, Viewer(kind))
                held = [card for seat in shown["positions"] for card in seat["cards"]]
                up = [facing for seat in after.seats for facing in seat.up]
                assert [card == HIDDEN for card in held] == [not facing for facing in up]


@MADE_UP
def test_the_rules_never_see_a_card_that_lies_face_down(game: Game) -> None:
    rng = Random(game.code)
    for _ in range(ROUNDS // 5):
        for table, _ in played(opened(game, deck_of(rng), 2), rng):
            seen = seen_of(table, table.seats[0])
            down = [not up for up in table.dealer_up]
            assert [card == UNKNOWN for card in seen.dealer] == down
            for place, laid in table.laid.items():
                assert [card == UNKNOWN for card in seen.table[place]] == [not up for up in laid.up]


def test_a_raise_has_its_size_and_ends_the_questions() -> None:
    table = opened(BOARD, DECK, 2)
    table, _ = act(table, c.Deliver())
    table, happened = act(table, c.Decide(1, "raise-4"))
    assert happened[0] == e.Decided(1, "raise-4", 4000)
    table, _ = act(table, c.Decide(2, "check"))
    assert table.waiting == ("board",)
    assert command_text(c.Deliver("board")) == "deliver board"
    table, happened = act(table, c.Deliver("board"))
    assert happened[0] == e.Dealt("board", DECK[6:9], (True, True, True))
    assert allowed(table, 1) == []
    assert allowed(table, 2) == ["raise-1", "fold"]
    refused = refusal(table, c.Decide(2, "raise-4"))
    assert refused is not None
    assert refused.message == "decision 'raise-4' is not asked for now; allowed: raise-1, fold"


def test_cards_depend_on_decisions_where_an_action_takes_some_or_the_dealer_draws() -> None:
    draw = Draw(until=lambda *_: True, when=lambda *_: True, clause=CLAUSE)
    dealer_draws = replace(BOARD, script=(*BOARD.script[:-1], draw, BOARD.script[-1]))
    steps = tuple(step for step in MANY.script if not isinstance(step, Draw))
    assert not BOARD.draws
    assert dealer_draws.draws
    assert replace(MANY, script=steps).draws


def test_a_burned_card_is_dealt_to_nobody() -> None:
    before, board = BOARD.script[:3], BOARD.script[3:]
    game = replace(BOARD, script=(*before, Burn(clause=CLAUSE), *board))
    table, _ = act(opened(game, DECK, 1), c.Deliver())
    table, happened = act(table, c.Decide(1, "check"))
    assert e.Burned(1) in happened
    table, _ = act(table, c.Deliver("board"))
    assert table.laid["board"].cards == DECK[5:8]
    seen = play_out(game, DECK, ["check", "fold"], game.wagers, Options())
    assert seen.table["board"] == DECK[5:8]


def test_a_hand_that_was_given_up_takes_no_more_cards() -> None:
    last = Deal(to=SEATS, down=1, clause=CLAUSE)
    game = replace(BOARD, script=(*BOARD.script[:5], last, *BOARD.script[5:]))
    table, _ = act(opened(game, DECK, 2), c.Deliver())
    table, _ = act(table, c.Decide(1, "check"))
    table, _ = act(table, c.Decide(2, "check"))
    table, _ = act(table, c.Deliver("board"))
    table, _ = act(table, c.Decide(1, "fold"))
    table, _ = act(table, c.Decide(2, "raise-1"))
    assert table.waiting == (2,)


def test_a_bet_that_is_taken_back_is_returned_at_once() -> None:
    table = opened(LET, DECK, 1)
    table, _ = act(table, c.Deliver())
    table, happened = act(table, c.Decide(1, "pull-first"))
    assert isinstance(happened[1], e.Settled)
    assert (happened[1].line.bet, happened[1].line.net) == ("first", 0)
    assert table.seat(1).felt == 2000
    table, happened = act(table, c.Reveal("board"))
    assert happened[0] == e.CardsShown("board", DECK[3:4])
    assert table.laid["board"].up == (True, False)


def test_only_seats_at_war_are_dealt_to_again() -> None:
    # The second seat ties with the dealer.
    front = (make_card(3, 0), make_card(TEN, 0), make_card(TEN, 1))
    deck = (*front, *(card for card in DECK if card not in front))
    table = opened(WAR, deck, 2)
    table, _ = act(table, c.Deliver())
    table, _ = act(table, c.Reconcile())
    assert [line.bet for line in table.seat(1).lines] == ["main", "tie"]
    assert [line.bet for line in table.seat(2).lines] == ["tie"]
    table, happened = act(table, c.Decide(2, "war"))
    assert happened[1] == e.Burned(3)
    assert table.waiting == (2, 0)
    table, happened = act(table, c.Deliver())
    assert happened[0] == e.Dealt(2, deck[6:7], (True,))


def test_pairs_are_split_again_and_each_hand_is_played_in_turn() -> None:
    front = tuple(make_card(6, suit) for suit in range(2))
    dealer = (make_card(5, 0), make_card(4, 0))
    more = (make_card(6, 2), make_card(9, 0), make_card(9, 1), make_card(9, 2))
    first = (*front, *dealer, *more)
    table = opened(MANY, (*first, *(card for card in DECK if card not in first)), 1)
    table, _ = act(table, c.Deliver())
    table, _ = act(table, c.Decide(1, "split"))
    seat = table.seat(1)
    assert [[rank_of(card) for card in hand.cards] for hand in seat.hands] == [[6, 6], [6, 9]]
    table, _ = act(table, c.Decide(1, "free-split"))
    assert [hand.free for hand in table.seat(1).hands] == [False, True, False]
    for _ in range(3):
        table, _ = act(table, c.Decide(1, "stand"))
    assert table.seat(1).felt == 2000
    assert table.to_settle == ()
    table = played(table, Random(1))[-1][0]
    lines = table.seat(1).lines
    assert [(line.hand, line.wager, line.free) for line in lines] == [
        *((1, 1000, 0), (2, 0, 1000), (3, 1000, 0)),
    ]


def test_chips_of_the_house_win_and_cost_nothing() -> None:
    rng = Random(7)
    nets = set()
    for _ in range(200):
        table = played(opened(MANY, deck_of(rng), 1), rng)[-1][0]
        for line in table.seat(1).lines:
            if line.free:
                nets.add((line.wager, line.free, line.net))
    assert nets == {
        *((1000, 1000, 2000), (1000, 1000, 0), (1000, 1000, -1000)),
        *((0, 1000, 1000), (0, 1000, 0)),
        *((0, 2000, 2000), (0, 2000, 0)),
    }
