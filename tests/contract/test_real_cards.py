"""Real cards: nobody knows a card before it is turned over, and a misdeal is found."""

import pytest

from houseway.cards import DECK, UNKNOWN, parse_cards
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.procedure import next_step
from houseway.live.round import act, refusal
from houseway.live.shuffler import UNKNOWN_DECK, Shuffle
from houseway.live.state import Round, open_round
from houseway.live.words import prompt
from houseway.refusal import Reason
from houseway.rules.ruleset import Ruleset, make_ruleset


def opened(rules: Ruleset, deck: tuple[int, ...], positions: int) -> Round:
    """A round with every bet on each position, ready to be dealt."""
    table = open_round(rules, "000001", positions)
    bets = tuple(dict.fromkeys(rules.game.wagers, 1000).items())
    for position in range(1, positions + 1):
        table, _ = act(table, c.PlaceBets(position, bets))
    made = Shuffle("s", deck, rules.game.packet, "automatic")
    table, _ = act(table, c.LoadShuffle(made))
    return act(table, c.NoMoreBets())[0]


def at_the_reveal(pay_order: tuple[int, ...] = (), code: str = "1") -> Round:
    """Two players of Three Card Poker have decided; nobody knows a card."""
    options = {"meter_pay_order": "internal_controls"} if pay_order else None
    rules = make_ruleset("three-card-poker", options, {"progressive": code})
    table = opened(rules, UNKNOWN_DECK, 2)
    table, _ = act(
        table,
        c.StartGame(
            tuple((level, 1_000_000) for level in rules.paytables["progressive"].levels), pay_order
        ),
    )
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


def with_an_ace_up(hole: str) -> Round:
    """The dealer of Triple Shot Bonus has an Ace up, and has entered the card under it."""
    table = opened(make_ruleset("triple-shot-bonus"), UNKNOWN_DECK, 1)
    for place, up in ((1, "9c"), (0, "Ad")):
        table, _ = act(table, c.Deliver(place))
        table, _ = act(table, c.Expose(place, cards(up)))
    table, _ = act(table, c.Reconcile())
    table, _ = act(table, c.Deliver(1))
    table, _ = act(table, c.Expose(1, cards("8c")))
    table, _ = act(table, c.Deliver(0))
    table, _ = act(table, c.CloseOffer("insurance"))
    assert prompt(table).do == (
        "Look at the card that the dealer has face down, and enter it covered."
    )
    assert next_step(table) is None
    assert "looks at a card that is not known" in why(table, c.Deliver())
    assert "decisions are made" in why(table, c.Decide(1, "stand"))
    return act(table, c.Expose(0, cards(hole)))[0]


def test_the_dealer_enters_the_card_that_is_looked_at() -> None:
    table = with_an_ace_up("Kd")
    assert table.peeked == 1
    assert next_step(table) == c.Reveal()
    table = with_an_ace_up("5d")
    assert table.peeked == 0
    assert table.dealer_up == (True, False)
    assert table.asking is not None
    # The card lies there covered, and is not entered again when it is turned over.
    table, _ = act(table, c.Decide(1, "stand"))
    table, happened = act(table, c.Reveal())
    assert happened[0] == e.DealerShown(cards("Ad 5d"))


def test_hands_that_are_paid_first_are_turned_over_first() -> None:
    """From the meters the left seat is paid first, though the right one is settled first."""
    rules = make_ruleset("three-card-poker", {"meter_pay_order": "internal_controls"})
    table = opened(rules, UNKNOWN_DECK, 2)
    table, _ = act(table, c.StartGame((("single", 1_000_000),), (1, 2)))
    table, _ = act(table, c.Deliver())
    for position in (1, 2):
        table, _ = act(table, c.Decide(position, "play"))
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, _ = act(table, c.Reveal())
    table, _ = act(table, c.Expose(2, cards("Ah 2s 2d")))
    assert "the cards of position 1 are not known" in why(table, c.Reconcile(2))
    assert prompt(table).do == "Turn over the three cards of position 1 and enter them."
    table, _ = act(table, c.Expose(1, cards("As Ks Qs")))
    table, _ = act(table, c.Reconcile(2))
    table, _ = act(table, c.Reconcile(1))
    [won] = [line for line in table.seat(1).lines if line.bet == "progressive"]
    assert won.net == 1_000_000 - 1000


@pytest.mark.clause("PGM-10")
def test_a_hand_is_not_paid_from_a_meter_before_one_that_is_paid_first_is_known() -> None:
    """The internal controls pay position 1 first; the dealer settles position 2 first."""
    table = at_the_reveal(pay_order=(1, 2))
    table, _ = act(table, c.Expose(0, cards("4d Kh 9c")))
    table, _ = act(table, c.Reveal())
    table, _ = act(table, c.Expose(2, cards("As Ks Qs")))
    assert why(table, c.Reconcile(2)) == (
        "the cards of position 1 are not known; enter them as they are turned over"
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
