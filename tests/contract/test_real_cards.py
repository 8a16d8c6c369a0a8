"""Real cards: a deck that nobody knows, entered as it is turned over, comes to the same."""

from collections.abc import Callable
from random import Random

import pytest

from houseway.cards import DECK, UNKNOWN, parse_cards
from houseway.games import GAMES as OURS
from houseway.games.contract import Game
from houseway.live import commands as c
from houseway.live import engine
from houseway.live import events as e
from houseway.live.commands import Place
from houseway.live.procedure import Meters, answers, next_step
from houseway.live.round import act, refusal
from houseway.live.state import Round, open_round
from houseway.live.text import command_text, parse_command
from houseway.live.words import prompt
from houseway.options import Options
from houseway.refusal import Reason
from houseway.ruleset import Ruleset, make_ruleset
from houseway.shuffler import UNKNOWN_DECK, Shuffle
from tests.contract.made_up import GAMES as MADE_UP
from tests.contract.test_engine import allowed, deck_of

ROUNDS = 40
GAMES = (*OURS, *MADE_UP)
EVERY = pytest.mark.parametrize("game", GAMES, ids=[game.code for game in GAMES])


def ruleset_of(game: Game, rng: Random) -> Ruleset:
    """The rules of a game; of ours with some progressive and some options."""
    if game in MADE_UP:
        return Ruleset(game=game, options=Options(), paytables={}, revision="made up")
    if "progressive" not in game.wagers:
        facing = {"poker_cards_facing": rng.choice(("up", "down"))}
        return make_ruleset(game.code, {**facing, "dealer_six_card_hand": "deal"})
    return make_ruleset(game.code, None, {"progressive": rng.choice(("1", "2", "ML01"))})


def opened(rules: Ruleset, deck: tuple[int, ...], positions: int) -> Round:
    """A round with every bet on each position, ready to be dealt."""
    table = open_round(rules, "000001", positions)
    bets = tuple(dict.fromkeys(rules.game.wagers, 1000).items())
    for position in range(1, positions + 1):
        table, _ = act(table, c.PlaceBets(position, bets))
    made = Shuffle("s", deck, rules.game.packet, "automatic")
    table, _ = act(table, c.LoadShuffle(made))
    return act(table, c.NoMoreBets())[0]


def meters_of(table: Round) -> Meters:
    """What stands on the meters."""
    paytable = table.ruleset.paytables.get("progressive")
    return tuple((level, 1_000_000) for level in (paytable.levels if paytable else ()))


class Dealt:
    """The real deck, watched as it is dealt: which cards lie where, and which way up."""

    def __init__(self, deck: tuple[int, ...]) -> None:
        self.deck = deck
        self.lying: dict[Place, list[int]] = {}

    def watch(self, before: Round, happened: tuple[e.Event, ...]) -> None:
        """Note where the cards of a step went."""
        taken = before.dealt
        for event in happened:
            match event:
                case e.Dealt(to, cards, _):
                    self.lying.setdefault(to, []).extend(self.deck[taken : taken + len(cards)])
                    taken += len(cards)
                case e.CommunityTaken(cards, source):
                    top = self.deck[: -len(cards) - 1 : -1]
                    next_ones = self.deck[taken : taken + len(cards)]
                    lying = next_ones if source == "next_packet" else top
                    self.lying["community"] = list(lying)
                    taken += len(cards)
                case e.Burned(number):
                    taken += number

    def entered(self, table: Round) -> Round:
        """The round after every card is entered that is turned over now."""
        while (due := engine.awaited(table)) is not None:
            place, number = due
            assert "nter" in prompt(table).do
            assert next_step(table) is None
            held = table.cards_of(place)
            up = self._up(table, place)
            wanted = [n for n, card in enumerate(held) if card == UNKNOWN]
            faces = [n for n in wanted if up[n]] or wanted
            cards = tuple(self.lying[place][n] for n in faces[:number])
            command = c.Expose(place, cards)
            assert parse_command(command_text(command)) == command
            before, (table, happened) = table, act(table, command)
            assert happened[0] == e.Exposed(place, cards)
            self.watch(before, happened)
        return table

    @staticmethod
    def _up(table: Round, place: Place) -> tuple[bool, ...]:
        if isinstance(place, str):
            return table.laid[place].up
        return table.seat(place).up if place else table.dealer_up


def some_answer(rng: Random) -> Callable[[Round, int], str]:
    """A player who decides at random."""
    return lambda live, place: rng.choice(allowed(live, place))


def both_ways(game: Game, rng: Random) -> tuple[Round, Round]:
    """A round from a known deck, and the same from the real cards of that deck."""
    deck, rules, positions = deck_of(rng), ruleset_of(game, rng), rng.randint(1, 3)
    known, real = (opened(rules, cards, positions) for cards in (deck, UNKNOWN_DECK))
    dealt, answer = Dealt(deck), some_answer(rng)
    while not known.over:
        step = next_step(known, meters_of(known))
        for command in [step] if step is not None else list(answers(known, answer)):
            # Hands are settled one by one, as each is turned over.
            steps: list[c.Command] = [command]
            if command == c.Reconcile():
                steps = [c.Reconcile(place) for place in known.to_settle]
            for one in steps:
                known, _ = act(known, one)
                real = dealt.entered(real)
                before, (real, happened) = real, act(real, one)
                dealt.watch(before, happened)
                real = dealt.entered(real)
    return known, real


@EVERY
def test_a_round_of_real_cards_is_settled_as_from_the_known_deck(game: Game) -> None:
    rng = Random(game.code)
    for _ in range(ROUNDS):
        known, real = both_ways(game, rng)
        assert real.over
        assert real.said == known.said
        for one, other in zip(real.seats, known.seats, strict=True):
            assert one.lines == other.lines
            assert one.decisions == other.decisions


def at_the_reveal(pay_order: tuple[int, ...] = (), code: str = "1") -> Round:
    """Two players of Three Card Poker have decided; nobody knows a card."""
    options = {"meter_pay_order": "internal_controls"} if pay_order else None
    rules = make_ruleset("three-card-poker", options, {"progressive": code})
    table = opened(rules, UNKNOWN_DECK, 2)
    table, _ = act(table, c.StartGame(meters_of(table), pay_order))
    table, _ = act(table, c.Deliver())
    for position in (1, 2):
        table, _ = act(table, c.Decide(position, "play"))
    return table


def cards(text: str) -> tuple[int, ...]:
    """Cards of a text."""
    return parse_cards(text)


def why(table: Round, command: c.Command) -> str:
    """Why a command may not be done."""
    refused = refusal(table, command)
    assert refused is not None, command
    return refused.message


def test_nobody_knows_a_hand_before_it_is_turned_over() -> None:
    table = at_the_reveal()
    assert all(card == UNKNOWN for seat in table.seats for card in seat.cards)
    assert why(table, c.Reveal()) == (
        "the cards of the dealer are not known; enter them as they are turned over"
    )
    assert "not turned over now" in why(table, c.Expose(1, cards("As Ks Qs")))
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, happened = act(table, c.Reveal())
    assert happened[0] == e.DealerShown(cards("Kh 9c 4d"))
    assert happened[1] == e.Announced("Dealer plays with a King.")
    assert why(table, c.Reconcile(2)) == (
        "the cards of position 2 are not known; enter them as they are turned over"
    )
    assert "lies on the table already" in why(table, c.Expose(2, cards("Kh Ks Qs")))
    table, _ = act(table, c.Expose(2, cards("Ah 2s 2d")))
    table, _ = act(table, c.Reconcile(2))
    assert [line.bet for line in table.seat(2).lines]


@pytest.mark.clause("PGM-10")
def test_a_hand_is_not_paid_from_a_meter_before_one_that_is_paid_first_is_known() -> None:
    """The internal controls pay position 1 first; the dealer settles position 2 first."""
    table = at_the_reveal(pay_order=(1, 2))
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, _ = act(table, c.Reveal())
    table, _ = act(table, c.Expose(2, cards("As Ks Qs")))
    assert why(table, c.Reconcile(2)) == (
        "position 1 may be paid before position 2, and its cards are not known"
    )
    # From the right nobody is before position 2.
    table = at_the_reveal()
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, _ = act(table, c.Reveal())
    table, _ = act(table, c.Expose(2, cards("As Ks Qs")))
    table, _ = act(table, c.Reconcile(2))
    assert table.seat(2).settled("progressive")


@pytest.mark.clause("PML-09")
def test_the_dealers_cards_are_revealed_before_the_community_cards() -> None:
    table = at_the_reveal(code="ML01")
    assert why(table, c.Reveal("community")) == (
        "the dealer's cards are revealed before the community cards"
    )


@pytest.mark.clause("TSR-31", "TCP-23")
@pytest.mark.parametrize(("held", "number"), [("As 2d", 2), ("As 2d 3c 4c", 4)])
def test_a_hand_with_a_wrong_number_of_cards_is_found(held: str, number: int) -> None:
    table = at_the_reveal()
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, _ = act(table, c.Reveal())
    table, happened = act(table, c.Expose(2, cards(held)))
    assert happened == (e.MiscountFound(2, number, 3),)
    assert table.reported == f"position 2 has {number} cards and was dealt 3"
    assert "supervisor" in why(table, c.Reconcile(2))
    # A slip of the finger is entered again; a misdeal makes all hands void.
    again, _ = act(table, c.Rule("play_on", "typed wrong"))
    again, _ = act(again, c.Expose(2, cards("As 2d 3c")))
    assert again.seat(2).cards == cards("As 2d 3c")
    void, _ = act(table, c.VoidRound("wrong_card_count"))
    assert void.money() == 0


def test_a_card_that_lies_face_up_is_entered_before_anything_else() -> None:
    table = opened(make_ruleset("triple-shot-bonus"), UNKNOWN_DECK, 1)
    table, _ = act(table, c.Deliver(1))
    assert prompt(table).do == "Enter the card that position 1 has face up."
    assert "lies face up and is not known" in why(table, c.Deliver(0))
    table, _ = act(table, c.Expose(1, cards("9c")))
    table, _ = act(table, c.Deliver(0))
    table, happened = act(table, c.Expose(0, cards("9d")))
    assert isinstance(happened[-1], e.PhaseBegan)
    assert table.to_settle == (1,)


def test_nothing_is_entered_where_the_deck_is_known() -> None:
    table = opened(make_ruleset("triple-shot-bonus"), DECK, 1)
    refused = refusal(table, c.Expose(1, cards("9c")))
    assert refused is not None
    assert refused.reason is Reason.OUT_OF_ORDER
    assert refused.message == "the cards of this deck are known, so none are entered"
    real = opened(make_ruleset("triple-shot-bonus"), UNKNOWN_DECK, 1)
    real, _ = act(real, c.Deliver(1))
    assert "given twice" in why(real, c.Expose(1, cards("9c 9c")))
    assert "enter at least one" in why(real, c.Expose(1, ()))
