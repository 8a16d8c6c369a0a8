"""Every way over HTTP to go round the round is refused, and no meter moves."""

from typing import Any

import pytest

from houseway.cards import DECK, cards_text, parse_cards
from houseway.floor.person import ROLES
from tests.floor.room import CHECKED, ON_CAMERA
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly
from tests.server.serving import ROLES as CARDS
from tests.server.test_rounds import confirm, meter

POKER = {"table": "Poker"}
SPOT = {"table": "Poker", "position": 1}
LINE = "ante 10, progressive 1"
DEALT = "As Ks Qs 9c 6d 2h Kh 9h 4d"
GONE: dict[str, dict[str, Any]] = {
    "light": {**SPOT, "cents": 100, "player": "p", "base_wager": True},
    "unlight": SPOT,
    "start_game": POKER,
    "fold": SPOT,
    "choose_spot": SPOT,
    "press_hand": {**POKER, "hand": "akq_spades"},
    "pay_envy": POKER,
    "end_game": POKER,
    "void_game": {**POKER, "reason": "a fire"},
}
"""The commands that the progressive had beside the round, as screens sent them."""
SHOWN_CENTS = 1_000_040
"""What the meter shows with two wagers of $1.00 in it: meter_seed and 20% of each."""


@pytest.fixture
def dealer(rigged_floor: InThread, decks: Rigged) -> Dealer:
    """A round whose first position holds the whole meter; only its wagers are laid."""
    decks.decks.append(DEALT)
    made = Dealer(rigged_floor.as_("d1"), "Poker")
    made.begin(LINE, LINE)
    return made


def told(answer: Any) -> str:
    """The sentence of a refusal, which is none that the asker can do nothing about."""
    assert 400 <= answer.status_code < 500, answer.text
    message = answer.json()["error"]["message"]
    assert isinstance(message, str)
    assert " " in message
    return message


def line(floor: InThread, card: str, text: str, table: str = "Poker") -> Any:
    """A line of the round as somebody types it."""
    return floor.as_(card).ask("round", {"table": table, "text": text}, pin=PIN)


def books(floor: InThread) -> list[Any]:
    """Every event of tables, links and the floor: neither refusals nor who signed in."""
    apart = ("refusals", "person:")
    return [event for event in floor.events() if not event.stream.startswith(apart)]


def test_a_gone_command_does_nothing_at_any_time(rigged_floor: InThread, dealer: Dealer) -> None:
    for stage in ("no more bets", "deliver", "press", "pay envy"):
        dealer.until(stage, boldly)
        before = books(rigged_floor)
        for card in ("d1", "s1", "e1"):
            for name, asked in GONE.items():
                answer = rigged_floor.as_(card).ask(name, asked, pin=PIN)
                assert (answer.status_code, bool(told(answer))) == (422, True)
        assert books(rigged_floor) == before


def test_nobody_types_that_an_award_is_confirmed(rigged_floor: InThread, dealer: Dealer) -> None:
    dealer.until("pay envy", boldly)
    before = books(rigged_floor)
    for role in ROLES:
        for text in ("award 1: 5000", "award 3: 5000", "award 1: 10000.40", "award 1: 0"):
            answer = line(rigged_floor, CARDS[role], text)
            assert (answer.status_code, "by card or key" in told(answer)) == (403, True)
    assert books(rigged_floor) == before
    [award] = dealer.view["progressive"]["awards"]
    assert (award["status"], award["amount_cents"]) == ("chosen", SHOWN_CENTS)
    assert meter(rigged_floor, "Royal") == SHOWN_CENTS


def test_nobody_types_that_an_award_is_backed_out(rigged_floor: InThread, dealer: Dealer) -> None:
    dealer.until("pay envy", boldly)
    dealer.client.do("call_supervisor", POKER)
    confirm(rigged_floor, "Poker", 1)
    before, left = books(rigged_floor), meter(rigged_floor, "Royal")
    for role in ROLES:
        for text in ("back out 1", "back out 3"):
            answer = line(rigged_floor, CARDS[role], text)
            assert (answer.status_code, "by adjustment" in told(answer)) == (403, True)
    assert (books(rigged_floor), meter(rigged_floor, "Royal")) == (before, left)
    [award] = dealer.view["progressive"]["awards"]
    assert (award["status"], award["page"]) == ("confirmed", 1)


@pytest.mark.parametrize(
    "asked",
    [
        "start game: single 1",
        "start game: single 999999",
        "start game: single 1, then single 999999",
        "start game: mega 1",
        "start game: single 1, priced by the floor",
    ],
)
def test_start_game_does_not_set_the_meter(
    rigged_floor: InThread, dealer: Dealer, asked: str
) -> None:
    """Whatever is typed, the ledger says what is on the meter and what it starts again with."""
    dealer.until("start game", boldly)
    assert line(rigged_floor, "d1", asked).status_code == 200
    assert meter(rigged_floor, "Royal") == SHOWN_CENTS
    [written] = [
        event.data["text"]
        for event in books(rigged_floor)
        if str(event.data.get("text", "")).startswith("start game")
    ]
    assert written == "start game: single 10000.40, priced by the floor"
    dealer.until("pay envy", boldly)
    dealer.client.do("call_supervisor", POKER)
    assert confirm(rigged_floor, "Poker", 1)["amount_cents"] == SHOWN_CENTS
    # meter_seed, and the reserve: 5% of each wager.
    assert meter(rigged_floor, "Royal") == 1_000_010


def test_start_game_takes_no_order_that_is_none(rigged_floor: InThread, dealer: Dealer) -> None:
    dealer.until("start game", boldly)
    before = books(rigged_floor)
    for order in ("pay 2 1", "pay 1 1", "pay x", "pay 1,2", "pay ²", "pay 0"):
        assert told(line(rigged_floor, "d1", f"start game: {order}"))
    for meters in ("single -1", "single x", "single", "nothing 1", "priced by the table"):
        assert told(line(rigged_floor, "d1", f"start game: {meters}"))
    assert books(rigged_floor) == before


def test_a_round_is_started_once(rigged_floor: InThread, dealer: Dealer) -> None:
    """Nor is its start taken back, or a wager laid after it."""
    dealer.until("shuffle", boldly)
    before = books(rigged_floor)
    assert "already" in told(line(rigged_floor, "d1", "start game"))
    assert told(dealer.client.ask("undo", POKER))
    for text in ("bets 1: ante 10", "bets 3: ante 10, progressive 1"):
        assert told(line(rigged_floor, "d1", text))
    assert books(rigged_floor) == before


def test_a_table_without_a_link_takes_no_progressive_bet(rigged_floor: InThread) -> None:
    table = "FaceUp"
    dealer = Dealer(rigged_floor.as_("d1"), table)
    dealer.begin("ante 10")
    before = books(rigged_floor)
    for card in ("d1", "s1"):
        for text in ("bets 1: ante 10, progressive 1", "bets 2: ante 10, progressive 0.01"):
            answer = line(rigged_floor, card, text, table)
            assert "takes no progressive wagers" in told(answer)
    assert "progressive" not in [bet["code"] for bet in dealer.view["bets"]]
    dealer.say("no more bets")
    for text in ("start game", "start game: single 1", "start game: mega 1, major 1"):
        assert told(line(rigged_floor, "d1", text, table))
    assert [event.kind for event in books(rigged_floor)[len(before) :]] == ["round"]


def test_a_progressive_bet_above_the_posted_limit_is_refused(rigged_floor: InThread) -> None:
    ada = rigged_floor.as_("a1")
    options = {"table_maximum": "progressive=5"}
    made = {"table": "Posted", "game": "three-card-poker", "options": options}
    ada.do("make_table", made, pin=PIN)
    ada.do("join_link", {"table": "Posted", "link": "Royal"}, pin=PIN)
    dealer = Dealer(rigged_floor.as_("d1"), "Posted")
    dealer.begin("ante 10, progressive 5")
    before = books(rigged_floor)
    above, absurd = "above the table maximum of $5.00", "is a fault of the sensor"
    for amount, why in (("5.01", above), ("6", above), ("1000.01", absurd), ("1000000", absurd)):
        for position in (1, 2):
            text = f"bets {position}: ante 10, progressive {amount}"
            assert why in told(line(rigged_floor, "d1", text, "Posted"))
    assert books(rigged_floor) == before
    dealer.until("shuffle", boldly)
    # 20% of the one wager that was taken.
    assert meter(rigged_floor, "Royal") == 1_000_100


def test_nobody_types_a_deck_or_says_that_it_came_from_the_shuffler(
    rigged_floor: InThread, dealer: Dealer
) -> None:
    dealer.until("shuffle", boldly)
    first = parse_cards(DEALT)
    deck = cards_text((*first, *(card for card in DECK if card not in first)))
    asked = {**POKER, "text": f"shuffle A1 by automatic, packets of 3: {deck}"}
    before = books(rigged_floor)
    for card in ("d1", "s1"):
        client = rigged_floor.as_(card)
        assert "from the shuffler" in told(client.ask("round", asked))
        for said in ({"from_shuffler": True}, {"pin_held": True}, {"actor": "e1"}):
            answer = client.ask("round", {**asked, **said})
            assert (answer.status_code, bool(told(answer))) == (422, True)
    assert books(rigged_floor) == before


def test_no_hand_is_pressed_or_confirmed_before_it_is_settled(
    rigged_floor: InThread, dealer: Dealer
) -> None:
    for stage in ("start game", "deliver", "reveal dealer", "reconcile"):
        dealer.until(stage, boldly)
        before = books(rigged_floor)
        for text in ("press 1: akq_spades", "pay envy", "close"):
            assert told(line(rigged_floor, "d1", text))
        assert told(dealer.client.ask("call_supervisor", POKER))
        for name in ("confirm_award", "press_jackpot"):
            asked = {**SPOT, "checklist": CHECKED}
            assert told(rigged_floor.as_("e1").ask(name, asked, pin=PIN))
        assert books(rigged_floor) == before


def test_only_the_hand_that_the_cards_make_is_pressed(
    rigged_floor: InThread, dealer: Dealer
) -> None:
    dealer.until("press", boldly)
    before = books(rigged_floor)
    for text in ("press 1: straight_flush", "press 1: royal_flush", "press 1: nonsense"):
        assert "are akq_spades, not" in told(line(rigged_floor, "d1", text))
    assert "wins no progressive" in told(line(rigged_floor, "d1", "press 2: akq_spades"))
    assert "no progressive wager" in told(line(rigged_floor, "d1", "press 3: akq_spades"))
    assert books(rigged_floor) == before


def test_a_hand_that_was_not_pressed_or_not_confirmed_holds_the_round(
    rigged_floor: InThread, dealer: Dealer
) -> None:
    dealer.until("press", boldly)
    eve = rigged_floor.as_("e1")
    asked = {**SPOT, "checklist": CHECKED}
    assert "is not chosen" in told(eve.ask("confirm_award", asked, pin=PIN))
    for why in ("is not chosen yet: akq_spades at 1", "the award at position 1 is not confirmed"):
        for text in ("pay envy", "close"):
            for card in ("d1", "s1"):
                assert why in told(line(rigged_floor, card, text))
        assert told(dealer.client.ask("open_round", POKER))
        assert told(rigged_floor.as_("a1").ask("leave_link", POKER, pin=PIN))
        if "chosen" in why:
            dealer.say("press 1: akq_spades")
    # Nothing has a page yet that could be looked at or paid.
    page = {**POKER, "page": 1}
    camera = rigged_floor.as_("v1").ask("check_on_camera", {**page, "seen": ON_CAMERA}, pin=PIN)
    assert told(camera)
    assert told(rigged_floor.as_("c1").ask("pay_award", {**page, "reference": "w-1"}, pin=PIN))
    assert meter(rigged_floor, "Royal") == SHOWN_CENTS


def test_a_confirmed_award_is_neither_pressed_off_nor_void(
    rigged_floor: InThread, dealer: Dealer
) -> None:
    dealer.until("pay envy", boldly)
    dealer.client.do("call_supervisor", POKER)
    confirm(rigged_floor, "Poker", 1)
    before, left = books(rigged_floor), meter(rigged_floor, "Royal")
    assert "only an adjustment" in told(line(rigged_floor, "d1", "press 1: akq_spades"))
    for card in ("s1", "e1"):
        assert "back it out" in told(line(rigged_floor, card, "void ruling: a fire"))
    again = rigged_floor.as_("e1").ask("confirm_award", {**SPOT, "checklist": CHECKED}, pin=PIN)
    assert "already" in told(again)
    ended = {**POKER, "reason": "a fire"}
    assert told(rigged_floor.as_("s1").ask("end_earlier_game", ended, pin=PIN))
    assert (books(rigged_floor), meter(rigged_floor, "Royal")) == (before, left)
