"""The engine plays whatever a script says: what made-up games ask for, step by step."""

from dataclasses import replace
from random import Random

from houseway import settle
from houseway.cards import DECK, TEN, UNKNOWN, make_card, parse_cards, rank_of
from houseway.conformance.rounds import allowed, deal, some_answers
from houseway.games.contract import SEATS, Burn, Deal, Game
from houseway.games.play import play_out
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.procedure import next_step
from houseway.live.round import act, refusal
from houseway.live.seen import seen_of
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, open_round
from houseway.live.text import command_text, event_text, parse_command
from houseway.live.view import Viewer, view
from houseway.rules.ruleset import make_ruleset
from tests.contract.made_up import BOARD, CLAUSE, GAMES, LET, MANY, SHOE, WAR


def opened(game: Game, deck: tuple[int, ...], positions: int) -> Round:
    """A round of a made-up game with every bet on each position, ready to be dealt."""
    table = open_round(make_ruleset(game), "000001", positions)
    bets = tuple(dict.fromkeys(game.wagers, 1000).items())
    for position in range(1, positions + 1):
        table, _ = act(table, c.PlaceBets(position, bets))
    table, _ = act(table, c.LoadShuffle(Shuffle("s", deck, game.packet, "automatic")))
    return act(table, c.NoMoreBets())[0]


def ended(table: Round, rng: Random) -> Round:
    """The round at its end, by decisions at random."""
    while not table.over:
        step = next_step(table)
        for command in some_answers(table, rng) if step is None else (step,):
            table, _ = act(table, command)
    return table


def why(table: Round, command: c.Command) -> str:
    """Why a command may not be done."""
    refused = refusal(table, command)
    assert refused is not None, command
    return refused.message


def test_the_rules_never_see_a_card_that_lies_face_down() -> None:
    for game in GAMES:
        for seed in range(30):
            for step in deal(game, seed).steps:
                table = step.after
                seen = seen_of(table, table.seats[0])
                down = [not up for up in table.dealer_up]
                assert [card == UNKNOWN for card in seen.dealer] == down
                for place, laid in table.laid.items():
                    hidden = [card == UNKNOWN for card in seen.table[place]]
                    assert hidden == [not up for up in laid.up]


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
    deck = shoe(front)
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
    table = ended(table, Random(1))
    lines = table.seat(1).lines
    assert [(line.hand, line.wager, line.free) for line in lines] == [
        *((1, 1000, 0), (2, 0, 1000), (3, 1000, 0)),
    ]


def test_chips_of_the_house_win_and_cost_nothing() -> None:
    """Of the house's chips nothing is lost, and what they win is paid."""
    found = set()
    for seed in range(250):
        for seat in deal(MANY, seed).final.seats:
            for line in seat.lines:
                if line.free:
                    lost = line.net == -line.wager
                    won = line.net == line.wager + line.free
                    found.add((line.outcome.value, bool(line.wager), lost, won))
    pairs = {(outcome, lost, won) for outcome, _, lost, won in found}
    assert pairs == {
        *(("win", False, True), ("lose", True, False)),
        # A push of the house's chips alone returns nothing, as a loss does.
        *(("push", False, False), ("push", True, False)),
    }
    assert {own for _, own, _, _ in found} == {True, False}


def test_a_hand_that_the_player_opens_from_a_free_one_is_the_players() -> None:
    front = tuple(make_card(6, suit) for suit in range(2))
    dealer = (make_card(5, 0), make_card(4, 0))
    # The house splits the pair; the second hand is a pair again, and the player splits that.
    more = (make_card(9, 0), make_card(6, 2), make_card(9, 1), make_card(9, 2))
    first = (*front, *dealer, *more)
    table = opened(MANY, (*first, *(card for card in DECK if card not in first)), 1)
    table, _ = act(table, c.Deliver())
    for decision in ("free-split", "stand", "split"):
        table, _ = act(table, c.Decide(1, decision))
    assert [hand.free for hand in table.seat(1).hands] == [False, True, False]
    assert table.seat(1).felt == 2000
    table = ended(table, Random(1))
    assert sum(line.wager for line in table.seat(1).lines) >= 2000


# Hands of the table, several packs, commission.

NATURAL = parse_cards("9c 9c 2d 3d 4h 8s")
"""The player has 8 with the same card twice, the banker 5 and draws."""


def shoe(front: tuple[int, ...]) -> tuple[int, ...]:
    """Two packs with these cards at the top."""
    left = list(DECK * 2)
    for card in front:
        left.remove(card)
    return (*front, *left)


def test_hands_of_the_table_are_drawn_by_a_rule_and_seats_have_no_cards() -> None:
    table = opened(SHOE, shoe(NATURAL), 2)
    assert why(table, c.Deliver(1)) == "position 1 is not next; next is place 'player'"
    table, happened = act(table, c.Deliver())
    assert happened[-2] == e.Dealt("banker", NATURAL[4:5], (True,))
    assert view(table, Viewer("public"))["places"] == {
        "player": ["9c", "9c"],
        "banker": ["2d", "3d", "4h"],
    }
    assert "decisions are made" in why(table, c.Decide(1, "hit"))
    table = ended(table, Random(1))
    for seat in table.seats:
        assert seat.cards == ()
        lines = {line.bet: (line.net, line.commission) for line in seat.lines}
        assert lines == {"banker": (950, 50), "player": (-1000, 0), "tie": (-1000, 0)}


def test_a_commission_stands_in_the_line_and_in_the_file() -> None:
    result = settle(SHOE, bets={"banker": 1010}, deck=NATURAL)
    [line] = result.lines
    # 5% of $10.10 is 50.5 cents; the pay is broken down to the cent.
    assert (line.net, line.commission) == (959, 51)
    assert result.to_json()["lines"][0]["commission"] == 51
    told = event_text(e.Settled(1, line))
    assert told == (
        "position 1 banker 10.10 win +9.59 less 0.51 commission TSB-09: The banker pays 1 to 1 "
        "less a commission of 0.05 of the win."
    )


def test_a_deck_of_several_packs_is_whole() -> None:
    table = open_round(make_ruleset(SHOE), "000001", 1)
    deck = shoe(NATURAL)
    load = c.LoadShuffle(Shuffle("s", deck, 1))
    assert refusal(table, load) is None
    assert parse_command(command_text(load)) == load
    unknown = c.LoadShuffle(Shuffle("s", (UNKNOWN,) * 104, 1))
    assert command_text(unknown) == "shuffle s by automatic, packets of 1: 2 packs unknown"
    assert parse_command(command_text(unknown)) == unknown
    assert refusal(table, unknown) is None
    assert why(table, c.LoadShuffle(Shuffle("s", (deck[0], *deck[:103]), 1))) == (
        "the deck has 104 cards and cannot be dealt; 52 different cards in each of 2 packs are "
        "needed; missing: As; too often: 9c"
    )
    assert "52 different cards in each" in why(table, c.LoadShuffle(Shuffle("s", DECK, 1)))
    assert "52 different cards in each" in why(
        table, c.LoadShuffle(Shuffle("s", (UNKNOWN,) * 52, 1))
    )


def test_a_card_is_entered_as_often_as_the_packs_have_it() -> None:
    table = opened(SHOE, (UNKNOWN,) * 104, 1)
    table, _ = act(table, c.Deliver("player"))
    assert "given 3 times; a deck holds each card twice" in why(
        table, c.Expose("player", parse_cards("9c 9c 9c"))
    )
    table, _ = act(table, c.Expose("player", parse_cards("9c 9c")))
    table, _ = act(table, c.Deliver("banker"))
    assert why(table, c.Expose("banker", parse_cards("9c 3d"))) == (
        "card '9c' lies on the table twice already; a deck holds each card twice"
    )
    table, happened = act(table, c.Expose("banker", parse_cards("2d 3d")))
    # The rule draws a third card, and the round waits for it.
    assert happened[-1] == e.Dealt("banker", (UNKNOWN,), (True,))
    assert "is not known" in why(table, c.Reconcile())
    table, _ = act(table, c.Expose("banker", parse_cards("4h")))
    assert table.to_settle == (1,)


def test_a_place_may_have_a_number_in_its_name() -> None:
    for command in (c.Deliver("board-2"), c.Reveal("board-2"), c.CloseOffer("raise-4")):
        assert parse_command(command_text(command)) == command


def test_a_burned_card_is_dealt_to_nobody() -> None:
    before, board = BOARD.script[:3], BOARD.script[3:]
    game = replace(BOARD, script=(*before, Burn(clause=CLAUSE), *board))
    table, _ = act(opened(game, DECK, 1), c.Deliver())
    table, happened = act(table, c.Decide(1, "check"))
    assert e.Burned(1) in happened
    table, _ = act(table, c.Deliver("board"))
    assert table.laid["board"].cards == DECK[5:8]
    seen = play_out(game, DECK, ["check", "fold"], game.wagers, game.options())
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
