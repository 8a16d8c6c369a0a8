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


def test_the_cards_of_a_physical_deck_are_entered(browser: Browser, rigged_floor: InThread) -> None:
    """The shuffler of the table has dealt; the dealer says what it gave."""
    administrator = rigged_floor.as_("a1")
    made = {"table": "Felt", "game": "three-card-poker", "deck": "physical"}
    administrator.do("make_table", made, pin=PIN)
    dealer = DealerWindow(browser, rigged_floor).at("Felt")
    dealer.press()
    dealer.bet(1, {"Ante": 10, "Pair Plus": 5})
    dealer.go_on(until="Enter the deck")
    dealer.main.click()
    dialog = dealer.page.get_by_role("dialog")
    for card in ("ace of spades", "king of spades", "queen of spades"):
        dialog.get_by_role("button", name=card, exact=False).click()
    expect(dialog).to_contain_text("Position 1 As Ks Qs")
    go = dialog.get_by_role("button", name="This is the deck")
    expect(go).to_be_disabled()
    dialog.locator("textarea").fill("As Ks Qs 9h 7d 7d")
    expect(dialog.get_by_role("alert")).to_contain_text("comes twice")
    dialog.locator("textarea").fill("As Ks Qs 9h 7d 4c")
    dialog.get_by_role("button", name="Fill up the rest").click()
    dealer.look("console-physical-deck")
    dealer.do(go)
    dealer.go_on()
    # A straight flush on Pair Plus, and a dealer who does not qualify.
    lines = rigged_floor.as_("d1").get("/api/tables/Felt")["round"]["positions"][0]["lines"]
    won = {line["bet"]: line["net"] for line in lines}
    assert won["pair-plus"] == 40 * 500
    dealer.close()
