"""Every screen in a browser: within everybody's reach, in both themes, from a phone to a wall."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import SIZES, DealerWindow, Window, windows_by_card
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly, in_thread

SCREENS: dict[str, tuple[str, str, str]] = {
    "sign-in": ("", "/sign-in", "Sign in"),
    "lobby": ("s1", "/", "Floor"),
    "console": ("d1", "/tables/Poker", "Poker"),
    "inbox": ("e1", "/inbox", "Inbox"),
    "administration": ("a1", "/administration", "Administration"),
    "sign": ("", "/sign/Summit", "link"),
    "nothing-here": ("d1", "/tables/Nowhere", "This cannot be shown"),
}
"""Whose each screen is, where it is, and its heading."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor with a round under way and an award that waits."""
    folder = tmp_path_factory.mktemp("screens")
    decks = Rigged("As Ks Qs 9c 6d 2h Kh 9h 4d")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}", randomness=decks) as made:
        yield made


@pytest.fixture(scope="module")
def played(floor: InThread) -> InThread:
    """The same once somebody has won a meter, and the supervisor is called."""
    dealer = Dealer(floor.as_("d1"), "Poker")
    dealer.begin(*["ante 10, pair-plus 5, progressive 1"] * 2)
    dealer.until("pay envy", boldly)
    dealer.client.do("call_supervisor", {"table": "Poker"})
    return floor


@pytest.fixture(scope="module")
def windows(browser: Browser, played: InThread) -> Iterator[Callable[[str], Window]]:
    """A window of each card, for all screens that are only looked at."""
    with windows_by_card(browser, played) as made:
        yield made


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", list(SCREENS))
def test_a_screen_is_within_everybodys_reach(
    windows: Callable[[str], Window], name: str, sizes: dict[str, tuple[int, int]]
) -> None:
    """WCAG 2.2 AA as far as a program can tell, on a phone, a desk and a wall."""
    card, path, heading = SCREENS[name]
    window = windows(card)
    window.goto(path)
    window.heading(heading)
    window.check_sizes(name, sizes)
    if name == "inbox":
        for tab in ("Adjust a meter", "Void a round"):
            window.page.get_by_role("tab", name=tab).click()
            window.check(f"inbox-{tab.split(maxsplit=1)[0].lower()}")
    if name == "administration":
        for one in window.page.get_by_role("tab").all()[1:]:
            one.click()
            window.check(f"administration-{one.inner_text().split()[0].lower()}")
    window.check_nothing_wrong()


def test_dialogs_are_within_everybodys_reach(browser: Browser, played: InThread) -> None:
    window = DealerWindow(browser, played).at("Poker")
    openers: dict[str, Callable[[], None]] = {
        "why": lambda: window.page.locator("button.net").first.click(),
        "irregularity": lambda: window.page.get_by_role("button", name="Irregularity").click(),
        "keys": lambda: window.page.get_by_role("button", name="Keys").click(),
        "display": lambda: window.page.get_by_role("button", name="Display").click(),
    }
    for name, open_ in openers.items():
        open_()
        expect(window.page.get_by_role("dialog")).to_be_visible()
        window.check(f"dialog-{name}")
        # Who closes it is where he was before.
        window.keys("Escape")
        expect(window.page.get_by_role("dialog")).to_have_count(0)
        assert window.page.evaluate("document.activeElement !== document.body")
    window.close()


@pytest.mark.clause("ACE-05")
def test_a_supervisor_records_new_cards(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("s1", "/administration")
    window.page.get_by_role("button", name="Change cards FaceUp").click()
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_label("Material").select_option("Plastic")
    dialog.get_by_label("Size").select_option("Bridge")
    dialog.get_by_label("Why they are changed").fill("a corner is bent")
    dialog.get_by_label("Your PIN").fill(PIN)
    window.check("dialog-cards")
    window.do(dialog.locator("button.primary"))
    entry = window.page.get_by_role("listitem").filter(has_text="FaceUp")
    expect(entry).to_contain_text("Cards: plastic, bridge size")
    window.close()


def test_an_administrator_says_whose_another_card_is(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("a1", "/administration")
    window.page.get_by_role("button", name="Issue a card").click()
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_label("Card", exact=True).fill("c7")
    whose = dialog.get_by_role("group", name="This name is known. The card is for")
    dialog.get_by_label("Name").fill("Susan")
    expect(whose).to_have_count(0)
    dialog.get_by_label("Name").fill(" SUE")
    expect(whose.get_by_role("radio")).to_have_count(2)
    window.check("dialog-whose")
    whose.get_by_label("the same person: Sue, card s1").check()
    dialog.get_by_label("PIN of the card").fill("1357")
    dialog.get_by_label("Your PIN").fill(PIN)
    window.do(dialog.locator("button.primary"))
    expect(window.page.get_by_role("row", name="c7")).to_contain_text("SUE")
    people = played.as_("a1").get("/api/administration")["people"]
    assert len({one["person"] for one in people if one["card"] in ("c7", "s1")}) == 1
    window.close()


@pytest.mark.clause("PRC-03", "PRC-07")
def test_an_administrator_sees_edges_before_anything_is_made(
    browser: Browser, played: InThread
) -> None:
    window = Window(browser, played).sign_in("a1", "/administration")
    window.page.get_by_role("tab", name="Links").click()
    window.page.get_by_role("button", name="Make a link").click()
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_label("Progressive").select_option("three-card-progressive")
    dialog.get_by_label("Paytable").select_option("1")
    contribution = dialog.get_by_label("Contribution (%)")
    expect(contribution).to_have_value("11%")
    kept = dialog.get_by_role("row", name="House keeps in the long run")
    expect(kept).to_contain_text("25.1267%")
    contribution.fill("90")
    expect(kept).to_contain_text("-53.8733%")
    expect(dialog).to_contain_text("in the long run the house loses 53.8733%")
    window.check("dialog-link")
    window.keys("Escape")
    window.page.get_by_role("tab", name="Tables").click()
    window.page.get_by_role("button", name="Make a table").click()
    expect(dialog).to_contain_text("House edge 3.3730%, exactly 686689/20358520")
    window.close()


@pytest.mark.clause("TSB-24", "CMP-01")
def test_an_administrator_chooses_a_designator_and_the_last_day_of_an_approval(
    browser: Browser, played: InThread
) -> None:
    played.as_("a1").do("make_table", {"table": "Plain", "game": "three-card-poker"}, pin=PIN)
    window = Window(browser, played).sign_in("a1", "/administration")
    window.page.get_by_role("tab", name="Tables").click()
    window.page.get_by_role("button", name="Change Plain").click()
    dialog = window.page.get_by_role("dialog")
    chosen = dialog.get_by_label("All paytables at once")
    expect(chosen).to_have_value("TCP-01")
    chosen.select_option("TCP-04")
    expect(dialog.get_by_label("Pair Plus as usual")).to_have_value("B")
    dialog.get_by_label("Pair Plus as usual").select_option("C")
    expect(chosen).not_to_have_value("TCP-04")
    chosen.select_option("TCP-04")
    dialog.get_by_label("Your PIN").fill(PIN)
    window.check("dialog-designator")
    window.do(dialog.locator("button.primary"))
    row = window.page.get_by_role("row").filter(has_text="Plain")
    expect(row).to_contain_text("ante-bonus = B, pair-plus = B")
    # A game whose rules name no progressive says so before it joins a link.
    window.page.get_by_role("button", name="Join a link FaceUp").click()
    expect(dialog).to_contain_text("by a reading of the house")
    window.keys("Escape")
    window.page.get_by_role("tab", name="Register").click()
    name = "Record Approval of the rules of Plain"
    window.page.get_by_role("button", name=name).click()
    dialog.get_by_label("Reference").fill("2023-3119")
    dialog.get_by_label("Day", exact=True).fill("2023-06-14")
    dialog.get_by_label("Last day").fill("2024-01-31")
    dialog.get_by_label("Your PIN").fill(PIN)
    window.check("dialog-approval")
    window.do(dialog.locator("button.primary"))
    expect(window.page.get_by_role("row", name="Plain")).to_contain_text("ended on 2024-01-31")
    window.close()


def test_a_theme_and_a_colour_for_each_suit_are_kept(browser: Browser, played: InThread) -> None:
    window = Window(browser, played).sign_in("d1")
    window.page.get_by_role("button", name="Display").click()
    window.page.get_by_label("Dark").check()
    window.page.get_by_label("A colour for each suit").check()
    window.keys("Escape")
    window.reload()
    window.heading("Floor")
    assert window.page.evaluate("document.documentElement.dataset.theme") == "dark"
    window.close()


def test_the_first_page_is_small(browser: Browser, played: InThread) -> None:
    """Without pictures of cards, as it comes over the wire."""
    window = Window(browser, played)
    sizes: dict[str, int] = {}
    session = window.context.new_cdp_session(window.page)
    session.send("Network.enable")
    names: dict[str, str] = {}
    session.on(
        "Network.responseReceived",
        lambda got: names.update({got["requestId"]: got["response"]["url"]}),
    )
    session.on(
        "Network.loadingFinished",
        lambda got: sizes.update({names[got["requestId"]]: int(got["encodedDataLength"])}),
    )
    window.sign_in_by_hand("s1")
    window.heading("Floor")
    window.page.wait_for_load_state("load")
    counted = {url: size for url, size in sizes.items() if "/cards/" not in url}
    assert 3 < len(counted) < 30, counted
    assert sum(counted.values()) < 150_000, counted
    window.close()


def test_the_sign_needs_nobody_and_sends_nothing(browser: Browser, played: InThread) -> None:
    """PNX-02: whatever is pressed there, no input reaches the server."""
    window = Window(browser, played)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    window.goto("/sign/Royal")
    window.heading("progressive")
    before = len(asked)
    for key in ("n", "Enter", "p", "Tab", "Enter", " ", "F"):
        window.keys(key)
    window.page.mouse.click(300, 300)
    window.settle()
    assert asked[before:] == []
    assert all(line.startswith("GET ") for line in asked)
    assert window.page.locator("button, input, select, textarea, form, a").count() == 0
    window.close()


def test_a_name_with_markup_in_it_is_only_a_name(browser: Browser, played: InThread) -> None:
    """Nothing that somebody types is ever run."""
    name = "<img src=x onerror=alert(1)>"
    told = played.as_("d1")
    told.do("open_round", {"table": "Bonus"})
    bets = f"bets 1 by {name}: war 5, blackjack 5, poker 5"
    told.do("round", {"table": "Bonus", "text": bets})
    window = DealerWindow(browser, played).at("Bonus")
    window.page.on("dialog", lambda shown: window.wrong.append(shown.message))
    expect(window.seat(1).get_by_role("button", name=name)).to_be_visible()
    assert window.page.locator("img[src=x]").count() == 0
    window.close()
