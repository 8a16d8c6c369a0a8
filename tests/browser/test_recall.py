"""Recall and the audit explorer in a browser: a dispute is settled, a record is found."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.window import SIZES, Window, windows_by_card
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly, in_thread
from tests.server.test_recall import tampered

DECKS = ("Qs Qd 7h 9c 6d 2h Kh 9h 4d", "As Ks Qs 9c 6d 2h Kh 9h 4d")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor with rounds that are over, one of them void, and one that is played."""
    folder = tmp_path_factory.mktemp("recall")
    with in_thread(f"sqlite:///{folder}/floor.sqlite", randomness=Rigged(*DECKS)) as made:
        yield made


@pytest.fixture(scope="module")
def played(floor: InThread) -> InThread:
    """A round with a decision taken back, a void one, and one that is still played."""
    dealer = Dealer(floor.as_("d1"), "FaceUp")
    dealer.begin(*["ante 10, pair-plus 5"] * 2)
    dealer.until("decide", boldly)
    dealer.say("decide 2: fold")
    dealer.client.do("undo", {"table": "FaceUp"})
    dealer.say("decide 2: play")
    dealer.say("decide 1: fold")
    list(dealer.steps(boldly))
    dealer.begin("ante 10")
    dealer.until("decide", boldly)
    floor.as_("s1").do("round", {"table": "FaceUp", "text": "void ruling: a card fell"}, pin=PIN)
    dealer.begin("ante 25")
    dealer.until("decide", boldly)
    return floor


@pytest.fixture(scope="module")
def windows(browser: Browser, played: InThread) -> Iterator[Callable[[str], Window]]:
    """A window of each card, for all pages that are only looked at."""
    with windows_by_card(browser, played) as made:
        yield made


def step_shown(page: Page) -> str:
    """The step that the page is at."""
    return page.locator("#now").inner_text()


def test_a_dispute_is_settled_by_recall(browser: Browser, played: InThread) -> None:
    """From the console to the settlement of the position, with the reason for each bet."""
    window = Window(browser, played).sign_in("s1", "/tables/FaceUp")
    page = window.page
    page.get_by_role("link", name="Past rounds").click()
    window.heading("Past rounds of FaceUp")
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.get_by_text("still being played")).to_be_visible()
    expect(page.get_by_text("void: ruling")).to_be_visible()
    page.get_by_role("link", name="000001").click()
    window.heading("FaceUp, round 000001")
    assert step_shown(page).endswith("The round is opened")
    while not step_shown(page).split(" ", 4)[-1].startswith("Reconcile 1"):
        page.get_by_role("button", name="Next").click()
    seat = page.locator("li.seat[aria-current=step]")
    expect(seat.get_by_role("heading")).to_have_text("Position 1")
    expect(seat.get_by_text("A pair of Queens", exact=False).first).to_be_visible()
    expect(seat.get_by_role("img", name="Queen of spades")).to_be_visible()
    # Both clocks, and who did it.
    expect(page.locator(".now .who")).to_contain_text("Dan, Dealer, card d1")
    expect(page.locator(".now time small")).to_contain_text("UTC")
    page.get_by_role("button", name="Last").click()
    assert "Close" in step_shown(page)
    expect(page.get_by_text("taken back later").first).to_be_visible()
    # Whoever gets the link sees the same step, also if he has to sign in first.
    shared = page.get_by_label("Link to this step").input_value()
    other = Window(browser, played)
    other.goto(shared)
    other.page.get_by_label("Card", exact=False).first.fill("u1")
    other.page.get_by_label("PIN").fill("2468")
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.locator("#now")).to_have_text(page.locator("#now").inner_text())
    other.close()
    # From one round to the next, as far as they are over.
    page.get_by_role("link", name="Round 2").click()
    window.heading("FaceUp, round 000002")
    expect(page.get_by_role("link", name="Round 3")).to_have_count(0)
    page.get_by_role("link", name="Round 1").click()
    window.heading("FaceUp, round 000001")
    # An earlier step has its cards, though they lay face down then.
    page.get_by_role("button", name="Deliver", exact=False).first.click()
    expect(page.get_by_text("lay face down").first).to_be_attached()
    expect(page.get_by_role("img", name="Card face down")).to_have_count(0)
    window.close()


def test_steps_by_the_keyboard(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("v1", "/recall/FaceUp/1")
    page = window.page
    window.heading("FaceUp, round 000001")
    count = int(step_shown(page).split()[3])
    for key, step in (
        *(("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count)),
        *(("ArrowRight", count), ("Home", 1), ("ArrowLeft", 1), ("ArrowDown", 2), ("ArrowUp", 1)),
    ):
        window.keys(key)
        expect(page.locator("#now")).to_contain_text(f"Step {step} of {count}")
        assert page.url.endswith(f"?step={step}")
    window.reload()
    expect(page.locator("#now")).to_contain_text(f"Step 1 of {count}")
    # Who writes is not taken to another step.
    window.focus(page.get_by_label("Link to this step"))
    window.keys("ArrowRight")
    expect(page.locator("#now")).to_contain_text(f"Step 1 of {count}")
    window.close()


def test_a_dealer_sees_what_lay_face_up_and_nobody_an_open_round(
    browser: Browser, played: InThread
) -> None:
    window = Window(browser, played).sign_in("d1", "/recall/FaceUp/1?step=6")
    window.heading("FaceUp, round 000001")
    expect(window.page.get_by_text("You see what lay face up.")).to_be_visible()
    expect(window.page.get_by_role("img", name="Card face down").first).to_be_visible()
    window.goto("/recall/FaceUp/3")
    expect(window.page.get_by_role("alert")).to_contain_text("still being played")
    window.goto("/recall/FaceUp/99")
    expect(window.page.get_by_role("alert")).to_contain_text("unknown")
    window.goto("/recall/FaceUp/0")
    window.heading("This cannot be shown")
    # The trail is not for a dealer.
    window.goto("/audit")
    expect(window.page.get_by_text("not allowed with your card")).to_be_visible()
    window.close()


def test_a_round_is_printed_whole(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("s1", "/recall/FaceUp/1?step=99")
    window.heading("FaceUp, round 000001")
    window.page.emulate_media(media="print")
    expect(window.page.locator(".printed > li").first).to_be_visible()
    expect(window.page.locator(".controls")).to_be_hidden()
    window.look("recall-print")
    window.close()


def test_the_explorer_filters_opens_replays_and_exports(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("u1", "/")
    page = window.page
    page.get_by_role("link", name="Audit").click()
    window.heading("Audit")
    rows = page.locator("tbody tr")
    page.get_by_label("Where").select_option("table:FaceUp")
    page.get_by_label("Round", exact=True).fill("1")
    page.get_by_label("Round", exact=True).press("Enter")
    page.get_by_role("combobox", name="What").select_option("round_undone")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Dan (d1)")
    page.get_by_role("button", name="Details").click()
    expect(page.locator("pre")).to_contain_text("decide 2: fold")
    page.get_by_role("combobox", name="What").select_option("round_opened")
    expect(page.get_by_role("link", name="Replay round 1")).to_be_visible()
    with page.expect_download() as got:
        page.get_by_role("link", name="JSON Lines").click()
    kept = Path(str(got.value.path())).read_text(encoding="utf-8").splitlines()
    [event] = map(json.loads, kept)
    assert (event["kind"], event["round"], event["actor"]) == ("round_opened", 1, "d1")
    with page.expect_download() as got:
        page.get_by_role("link", name="CSV").click()
    assert got.value.suggested_filename == "houseway-trail.csv"
    # The address is the selection.
    window.reload()
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Replay round 1").click()
    window.heading("FaceUp, round 000001")
    window.close()


def test_the_chain_is_verified(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("u1", "/audit")
    window.page.get_by_role("button", name="Verify now").click()
    expect(window.page.get_by_role("heading", name="The chain holds")).to_be_visible()
    expect(window.page.locator(".chain")).to_contain_text("up to record")
    window.page.get_by_role("button", name="Details 20", exact=True).click()
    window.page.get_by_role("button", name="Verify from here 20").click()
    expect(window.page.get_by_role("heading", name="holds from record 20 on")).to_be_visible()
    expect(window.page.locator(".chain")).to_contain_text("from record 20 up to record")
    window.close()


def test_a_spoilt_journal_is_told_in_plain_words(
    browser: Browser, played: InThread, tmp_path: Path
) -> None:
    def spoil(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE event SET actor = 'd9' WHERE position = 30")

    with tampered(played, tmp_path, spoil) as floor:
        # Few records beside it are checked as well as many.
        window = Window(browser, floor).sign_in("u1", "/audit?kind=round_opened")
        window.page.get_by_role("button", name="Verify now").click()
        told: Any = window.page.get_by_role("alert")
        expect(told).to_contain_text("Event 30 does not match its hash.")
        expect(window.page.get_by_role("heading", name="does not hold")).to_be_visible()
        window.check("audit-broken")
        window.page.get_by_role("button", name="Show the record").click()
        expect(window.page.locator("tbody tr").first).to_contain_text("d9")
        window.close()


PAGES = {
    "recall-list": ("s1", "/recall/FaceUp", "Past rounds of FaceUp"),
    "recall-round": ("s1", "/recall/FaceUp/1?step=13", "FaceUp, round 000001"),
    "recall-dealer": ("d1", "/recall/FaceUp/1?step=7", "FaceUp, round 000001"),
    "recall-void": ("v1", "/recall/FaceUp/2?step=99", "FaceUp, round 000002"),
    "recall-none": ("s1", "/recall/Bonus", "Past rounds of Bonus"),
    "audit": ("u1", "/audit?kind=round_opened", "Audit"),
}


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", list(PAGES))
def test_a_screen_is_within_everybodys_reach(
    windows: Callable[[str], Window], name: str, sizes: dict[str, tuple[int, int]]
) -> None:
    card, path, heading = PAGES[name]
    window = windows(card)
    window.goto(path)
    window.heading(heading)
    expect(window.page.get_by_text("One moment")).to_have_count(0)
    if name == "audit":
        window.page.get_by_role("button", name="Details").nth(1).click()
    window.check_sizes(name, sizes)
    window.check_nothing_wrong()
