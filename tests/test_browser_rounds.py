"""Rounds on the dealer's console, in a browser: every game, by touch and by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import DealerWindow, Window, running_browser
from tests.serving import PIN, InThread, Rigged, in_thread

BETS = {
    "Poker": {"Ante": 10, "Pair Plus": 5, "6 Card Bonus": 1, "Progressive": 1},
    "FaceUp": {"Ante": 30, "Pair Plus": 5},
    "Rummy": {"Ante": 10, "Progressive": 1},
    "Bonus": {"War": 10, "Blackjack": 10, "Poker": 10, "Hat Trick": 5},
}
NO_PRIZE = "9c 6d 2h Ts 8d 4c Kh 9h 3d Jc 5s"
"""Hands that win nothing of a meter."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as started:
        yield started


@pytest.fixture
def decks() -> Rigged:
    """What the shuffler will deal; a test says it first."""
    return Rigged()


@pytest.fixture
def floor(tmp_path: Path, decks: Rigged) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}", randomness=decks) as made:
        yield made


@pytest.mark.parametrize("table", list(BETS))
def test_a_full_round_from_bets_to_close(
    browser: Browser, floor: InThread, decks: Rigged, table: str
) -> None:
    decks.decks.append(NO_PRIZE)
    dealer = DealerWindow(browser, floor).at(table)
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
    view = floor.as_("d1").get(f"/api/tables/{table}")["round"]
    assert (view["over"], len(view["positions"])) == (True, 2)
    for seat in view["positions"]:
        shown = dealer.seat(seat["position"]).locator("button.net")
        expect(shown).to_contain_text(f"{abs(seat['net']) / 100:,.2f}")
        shown.click()
        for line in seat["lines"]:
            expect(dealer.page.get_by_role("dialog")).to_contain_text(
                line["why"][0] if isinstance(line["why"], list) else line["why"]
            )
        dealer.page.keyboard.press("Escape")
    dealer.check(f"console-{table.lower()}-over")
    assert "Open a round" in dealer.press()
    dealer.close()
