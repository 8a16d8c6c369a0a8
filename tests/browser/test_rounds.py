"""Rounds on the dealer's console, in a browser: every game, by touch and by keyboard."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import DealerWindow
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly

BETS = {
    "Poker": {"Ante": 10, "Pair Plus": 5, "6 Card Bonus": 1, "Progressive": 1},
    "FaceUp": {"Ante": 30, "Pair Plus": 5},
    "Rummy": {"Ante": 10, "Progressive": 1},
    "Bonus": {"War": 10, "Blackjack": 10, "Poker": 10, "Hat Trick": 5},
}
NO_PRIZE = "9c 6d 2h Ts 8d 4c Kh 9h 3d Jc 5s"
"""Hands that win nothing of a meter."""


def tables(*always: str) -> list[Any]:
    """Tables of all games; those of a family that another stands for only in the long tests."""
    return [
        table if table in always else pytest.param(table, marks=pytest.mark.soak) for table in BETS
    ]


# Three Card Poker is dealt to its end by keyboard, below.
@pytest.mark.parametrize("table", tables("Bonus"))
def test_a_full_round_from_bets_to_close(
    browser: Browser, rigged_floor: InThread, decks: Rigged, table: str
) -> None:
    decks.decks.append(NO_PRIZE)
    dealer = DealerWindow(browser, rigged_floor).at(table)
    assert "Open a round" in dealer.press()
    expect(dealer.phase).to_have_text("Betting")
    for position in (1, 2):
        dealer.bet(position, BETS[table])
    if table == "Poker":
        dealer.look("console-betting")
    pressed = dealer.go_on(until="Settle position")
    if table != "Bonus":
        assert "No more bets" in " ".join(pressed)
    dealer.look(f"console-{table.lower()}-settling")
    dealer.go_on()
    expect(dealer.phase).to_contain_text("Over")
    # What each has gained is there, with why; and it is what the journal has.
    view = rigged_floor.as_("d1").get(f"/api/tables/{table}")["round"]
    assert (view["over"], len(view["positions"])) == (True, 2)
    for seat in view["positions"]:
        shown = dealer.seat(seat["position"]).locator("button.net")
        expect(shown).to_contain_text(f"{abs(seat['net']) / 100:,.2f}")
        shown.click()
        for line in seat["lines"]:
            expect(dealer.page.get_by_role("dialog")).to_contain_text(line["why"])
        dealer.keys("Escape")
    dealer.check(f"console-{table.lower()}-over")
    assert "Open a round" in dealer.press()
    dealer.close()


def test_the_panel_is_of_this_stage_and_taken_bets_leave_the_felt(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    """War, then Blackjack, then Poker: each tells its own chips, and the announcement stands."""
    decks.decks.append("Kh 4c 7s Ts 9c 9h 2s Ah 6c Jc Qd 3s 3h 5c 8c")
    by_http = Dealer(rigged_floor.as_("d1"), "Bonus")
    by_http.begin(*["war 10, blackjack 10, poker 5, hat-trick 5"] * 2)
    by_http.until("reconcile", boldly)
    dealer = DealerWindow(browser, rigged_floor).at("Bonus")
    panel = dealer.page.locator(".settle")
    prompts = dealer.page.locator(".strips")
    dealer.press()
    # War takes the Hat Trick of position 2 with it.
    expect(panel).to_contain_text("Now: position 2 · War")
    expect(panel.locator(".total")).to_contain_text("Take in $15.00")
    expect(dealer.seat(2).locator(".spots")).to_have_text(re.compile(r"^\W*Blackjack.*Poker[^H]*$"))
    expect(prompts).to_contain_text("Position 2: take in $15.00. Then settle War of position 1")
    expect(dealer.main).to_contain_text("Position 2 is done. Settle position 1")
    dealer.look("console-bonus-war")
    dealer.press()
    # The next stage is dealt only when the last position of this one is paid.
    expect(panel).to_contain_text("Now: position 1 · War")
    expect(panel.locator(".total")).to_contain_text("Hand over $10.00")
    dealer.go_on(until="Settle position 1")
    expect(prompts).to_contain_text("Dealer has 18.")
    dealer.press()
    expect(panel).to_contain_text("Now: position 1 · Blackjack")
    expect(panel.locator(".total")).to_contain_text("Hand over $10.00")
    expect(panel.locator(".settled")).to_contain_text("War, settled")
    expect(prompts).to_contain_text("Dealer has 18.")
    dealer.look("console-bonus-blackjack")
    dealer.go_on(until="Settle position 1")
    dealer.press()
    expect(panel.locator(".total")).to_contain_text("Hand over $65.00")
    expect(panel.locator(".settled")).to_have_count(2)
    dealer.look("console-bonus-poker")
    dealer.go_on()
    expect(panel).to_have_count(0)
    dealer.close()


def bet_and_deal(dealer: DealerWindow, *positions: int) -> None:
    """Antes of $10, and everybody has cards."""
    for position in positions:
        dealer.bet(position, {"Ante": 10})
    dealer.go_on(until="Deal")
    dealer.press()


def test_a_round_by_keyboard_alone(browser: Browser, rigged_floor: InThread, decks: Rigged) -> None:
    """Nothing is touched: keys, arrows, tabulator and enter."""
    decks.decks.append(NO_PRIZE)
    dealer = DealerWindow(browser, rigged_floor)

    dealer.goto("/sign-in?then=/tables/Poker")
    expect(dealer.page.get_by_label("Card", exact=False).first).to_be_focused()
    dealer.type("d1")
    dealer.keys("Tab")
    dealer.type("2468")
    dealer.keys("Enter")
    expect(dealer.main).to_contain_text("Open a round")
    dealer.keys("n")
    expect(dealer.phase).to_have_text("Betting")
    # The first spot that the tabulator comes to is of position 1.
    for _ in range(40):
        dealer.keys("Tab")
        if dealer.page.evaluate("document.activeElement.dataset.spot") == "1:0":
            break
    dealer.keys("3")
    dealer.keys("Enter")
    dealer.keys("ArrowDown")
    dealer.keys("2")
    dealer.keys("Enter")
    dealer.keys("l")
    expect(dealer.seat(1)).to_contain_text("25")
    dealer.keys("ArrowLeft")
    dealer.keys("1")
    dealer.keys("Enter")
    dealer.keys("Delete")
    dealer.rest()
    placed = rigged_floor.as_("d1").get("/api/tables/Poker")["round"]["positions"]
    assert [(one["position"], one["wagers"]) for one in placed] == [
        (1, {"ante": 2500, "pair-plus": 500, "progressive": 100})
    ]
    for _ in range(40):
        dealer.rest()
        if dealer.phase.inner_text() == "Over":
            break
        asked = dealer.page.locator(".decide").count() > 0
        with dealer.page.expect_response(lambda got: got.url.endswith("/api/commands")):
            dealer.keys("p" if asked else "n")
    expect(dealer.phase).to_have_text("Over")
    dealer.keys("?")
    expect(dealer.page.get_by_role("dialog")).to_be_visible()
    dealer.keys("Escape")
    dealer.close()


def test_a_step_is_taken_back_and_a_wager_that_cannot_be_is_not_taken(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    decks.decks.append(NO_PRIZE)
    dealer = DealerWindow(browser, rigged_floor).at("Poker")
    dealer.press()
    # A progressive needs the wager of the game.
    dealer.bet(2, {"Progressive": 1})
    expect(dealer.seat(2).get_by_role("alert")).to_contain_text("Not taken")
    dealer.seat(2).get_by_role("button", name="Progressive").click()
    bet_and_deal(dealer, 1, 3)
    play = dealer.seat(1).get_by_role("button", name="Play")
    dealer.do(play)
    expect(play).to_have_count(0)
    dealer.do(dealer.page.get_by_role("button", name="Undo"))
    expect(play).to_be_visible()
    dealer.do(dealer.seat(1).get_by_role("button", name="Fold"))
    dealer.go_on()
    expect(dealer.seat(1).locator("button.net")).to_contain_text("$10.00")
    view = rigged_floor.as_("d1").get("/api/tables/Poker")["round"]
    assert view["positions"][0]["net"] == -1000
    dealer.close()


def test_no_touch_is_lost_when_players_decide_at_once(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    decks.decks.append(NO_PRIZE)
    by_http = Dealer(rigged_floor.as_("d1"), "Poker")
    by_http.begin(*["ante 10"] * 7)
    by_http.until("decide", boldly)
    dealer = DealerWindow(browser, rigged_floor).at("Poker")
    expect(dealer.page.locator(".decide")).to_have_count(7)
    dealer.page.evaluate(
        "document.querySelectorAll('.decide button:first-child').forEach((one) => one.click())"
    )
    expect(dealer.main).to_contain_text("Turn the dealer")
    view = rigged_floor.as_("d1").get("/api/tables/Poker")["round"]
    assert [one["decisions"] for one in view["positions"]] == [["play"]] * 7
    dealer.close()


class RealCards:
    """What lies before each place of a table with real cards, until it is turned over."""

    def __init__(self, dealer: DealerWindow, hands: dict[str, str]) -> None:
        self.dealer = dealer
        self.lying = {place: text.split() for place, text in hands.items()}
        self.pad = dealer.page.locator(".pad")

    def awaited(self) -> list[str]:
        """The cards that the pad asks for."""
        asked = re.match(
            r"Cards of (?:the )?(.+?) (\d+) dealt", self.pad.locator("h2").inner_text()
        )
        assert asked is not None
        place, number = asked[1], int(asked[2])
        found, self.lying[place] = self.lying[place][:number], self.lying[place][number:]
        assert len(found) == number, (place, found)
        return found

    def typed(self) -> None:
        """Type the cards, as a card reader sends them."""
        self.dealer.type("".join(self.awaited()))
        with self.dealer.page.expect_response(lambda got: got.url.endswith("/api/commands")):
            self.dealer.keys("Enter")
        self.dealer.rest()

    def touched(self) -> None:
        """Touch rank and suit of each card."""
        for card in self.awaited():
            ranks = self.pad.get_by_role("group", name="Ranks")
            ranks.get_by_role("button", name=card[0], exact=True).click()
            name = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}[card[1]]
            suits = self.pad.get_by_role("group", name="Suits")
            suits.get_by_role("button", name=name, exact=False).click()
        self.dealer.do(self.pad.get_by_role("button", name=re.compile("^Enter")))
        self.dealer.rest()


def at_a_real_table(browser: Browser, floor: InThread, game: str) -> DealerWindow:
    """A dealer at a new table, whose cards nobody knows before they are turned over."""
    made = {"table": "Felt", "game": game, "deck": "physical"}
    floor.as_("a1").do("make_table", made, pin=PIN)
    dealer = DealerWindow(browser, floor).at("Felt")
    dealer.press()
    return dealer


def nets(floor: InThread, position: int) -> dict[str, int]:
    """What each bet of a position has gained, as the server has it."""
    seats = floor.as_("d1").get("/api/tables/Felt")["round"]["positions"]
    found = next(seat for seat in seats if seat["position"] == position)
    return {line["bet"]: line["net"] for line in found["lines"]}


def test_hands_of_real_cards_are_typed_as_they_are_turned_over(
    browser: Browser, rigged_floor: InThread
) -> None:
    """Nobody knows a card before the dealer turns a hand over; keys and a reader enter it."""
    dealer = at_a_real_table(browser, rigged_floor, "three-card-poker")
    for position in (1, 2):
        dealer.bet(position, {"Ante": 10, "Pair Plus": 5})
    pressed = dealer.go_on()
    assert "The deck is shuffled" in " ".join(pressed)
    cards = RealCards(
        dealer, {"dealer": "4c 9h 7d", "position 1": "As Ks Qs", "position 2": "2c 2d 9s"}
    )
    expect(dealer.page.locator(".next .text")).to_contain_text("Turn over the three cards")
    expect(cards.pad.get_by_role("textbox")).to_be_focused()
    dealer.look("console-real-cards", whole=False)
    dealer.check("console-real-cards")
    dealer.check_narrow("console-real-cards-phone")
    dealer.resize((1024, 768))
    dealer.look("console-real-cards-small", whole=False)
    cards.typed()
    # A card that lies there already is refused in a sentence, and the pad stays.
    assert "Turn the dealer" in dealer.press()
    dealer.type("9h2d2c")
    dealer.keys("Enter")
    expect(cards.pad.get_by_role("alert")).to_contain_text("'9h' lies on the table already")
    dealer.keys("Control+a", "Delete")
    cards.typed()
    dealer.go_on()
    cards.typed()
    dealer.go_on()
    expect(dealer.phase).to_contain_text("Over")
    # A straight flush and a pair on Pair Plus, and a dealer who does not play.
    assert nets(rigged_floor, 1)["pair-plus"] == 40 * 500
    assert nets(rigged_floor, 2)["pair-plus"] == 500
    dealer.close()


def test_a_wrong_number_of_real_cards_is_told_as_a_misdeal(
    browser: Browser, rigged_floor: InThread
) -> None:
    dealer = at_a_real_table(browser, rigged_floor, "three-card-poker")
    dealer.bet(1, {"Ante": 10})
    dealer.go_on()
    cards = RealCards(dealer, {"dealer": "4c 9h 7d"})
    dealer.type("4c 9h")
    dealer.keys("Enter")
    expect(cards.pad.get_by_role("alert")).to_contain_text("2 entered, 3 dealt")
    with dealer.page.expect_response(lambda got: got.url.endswith("/api/commands")):
        dealer.keys("Enter")
    expect(dealer.page.locator(".next .text")).to_contain_text("the dealer has 2 cards")
    expect(cards.pad).to_have_count(0)
    dealer.close()


def test_real_cards_face_up_are_touched_as_they_are_dealt(
    browser: Browser, rigged_floor: InThread
) -> None:
    dealer = at_a_real_table(browser, rigged_floor, "triple-shot-bonus")
    dealer.bet(1, {"War": 10, "Blackjack": 10, "Poker": 10, "Hat Trick": 5})
    cards = RealCards(dealer, {"position 1": "9c 7d 3c Ah Kh Qh 2s", "dealer": "8s Td 4h 5d 6c Jc"})
    for _ in range(20):
        dealer.go_on("Stand")
        if not cards.pad.count():
            break
        cards.touched()
    expect(dealer.phase).to_contain_text("Over")
    won = nets(rigged_floor, 1)
    # A nine beats an eight; sixteen loses to eighteen.
    assert (won["war"], won["blackjack"]) == (1000, -1000)
    assert "poker" in won
    dealer.close()
