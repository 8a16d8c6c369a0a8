"""Screens of a floor whose server dies and comes back, and of two servers."""

import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import LONG_MS, DealerWindow, Window
from tests.journal.databases import Server
from tests.server.serving import (
    Dealer,
    boldly,
    check_journal,
    free_port,
    furnish_quickly,
    process,
)

BETS = {"Ante": 10, "Progressive": 1}
START = datetime(2026, 1, 1, tzinfo=UTC)
"""The time at which a page starts whose clock is held."""


def test_killed_in_mid_round_all_screens_carry_on(browser: Browser, tmp_path: Path) -> None:
    """kill -9 with a dealer, a supervisor and a sign before it: nothing is lost."""
    url, port = f"sqlite:///{tmp_path / 'floor.sqlite'}", free_port()
    furnish_quickly(url)
    with process(url, port=port) as floor:
        by_http = Dealer(floor.as_("d1"), "Poker")
        by_http.begin(*["ante 10, progressive 1"] * 2)
        by_http.until("decide", boldly)
        dealer = DealerWindow(browser, floor)
        dealer.page.clock.install(time=START)
        dealer.at("Poker")
        supervisor = Window(browser, floor).sign_in("s1", "/inbox")
        sign = Window(browser, floor)
        sign.goto("/sign/Royal")
        dealer.decide("Play")
        [meter] = floor.client().get("/api/links/Royal/sign")["meters"]
        shown = f"${meter['shown_cents'] / 100:,.2f}"
        expect(sign.page.locator(".meter dd")).to_have_text(shown)
        before = floor.as_("d1").get("/api/tables/Poker")
        floor.stop(signal.SIGKILL)
    # Every screen says that it hears nothing, and a touch waits for the server.
    for window in (dealer, supervisor, sign):
        expect(window.page.get_by_text("lost", exact=False).first).to_be_visible()
    # The clock of the page stands still until then, so that it does not give up meanwhile.
    dealer.page.clock.pause_at(START + timedelta(days=1))
    dealer.page.locator(".decide button").filter(has_text="Play").first.click()
    with process(url, port=port) as floor:
        dealer.page.clock.resume()
        expect(dealer.main).to_contain_text("Turn the dealer", timeout=LONG_MS)
        for window in (dealer, supervisor, sign):
            expect(window.page.get_by_text("Connection lost", exact=False)).to_have_count(
                0, timeout=LONG_MS
            )
        expect(sign.page.locator(".meter dd")).to_have_text(shown)
        after = floor.as_("d1").get("/api/tables/Poker")
        # The touch that waited was done once; all else is as it was.
        assert after["version"] == before["version"] + 1
        assert after["round"]["positions"][0]["cards"] == before["round"]["positions"][0]["cards"]
        dealer.go_on()
        if dealer.main.locator(".blocks").count() == 0:
            expect(dealer.phase).to_have_text("Over")
        for window in (dealer, supervisor, sign):
            window.close()
        floor.stop()
    check_journal(url)


@pytest.mark.soak
def test_two_servers_of_one_floor_and_a_console_at_each(browser: Browser, server: Server) -> None:
    url = server.new_database()
    furnish_quickly(url)
    with process(url) as one, process(url) as other:
        here = DealerWindow(browser, one).at("Poker")
        there = DealerWindow(browser, other).at("Poker", "s1")
        sign = Window(browser, other)
        sign.goto("/sign/Royal")
        expect(sign.page.locator(".meter dd")).to_have_text("$10,000.00")
        here.press()
        # What is done at the one is seen at the other, and the other way round.
        expect(there.phase).to_have_text("Betting")
        there.bet(1, BETS)
        expect(here.seat(1)).to_contain_text("10")
        here.go_on(until="Shuffle")
        expect(sign.page.locator(".meter dd")).to_have_text("$10,000.20")
        there.go_on(until="Turn the dealer")
        expect(here.main).to_contain_text("Turn the dealer")
        for window in (here, there, sign):
            window.close()
        one.stop()
        other.stop()
    check_journal(url)
