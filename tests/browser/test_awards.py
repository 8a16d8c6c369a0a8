"""Awards on the screens of everybody who has a part in them, and what goes wrong at a table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import WALL, DealerWindow, Window
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly
from tests.server.test_rounds import hand_over

ROYAL = "As Ks Qs"
NOTHING = "9c 6d 2h"
DEALER_HAND = "Kh 9h 4d"
BETS = {"Ante": 10, "Progressive": 1}


def dollars(cents: int) -> str:
    """As screens write an amount."""
    return f"${cents / 100:,.2f}"


def shown(sign: Window, level: str = "") -> int:
    """Cents on a meter of a sign."""
    text = sign.page.locator(f".meter{level and '.' + level} dd").first.inner_text()
    return round(float(re.sub(r"[^0-9.]", "", text)) * 100)


class Hall:
    """Windows of those who have a part in an award: dealer, executive, and who else is asked."""

    def __init__(self, browser: Browser, floor: InThread, table: str, *others: str) -> None:
        self.table = table
        self.dealer = DealerWindow(browser, floor).at(table)
        self.executive = Window(browser, floor).sign_in("e1", "/inbox")
        self.others = {card: Window(browser, floor).sign_in(card, "/inbox") for card in others}

    @property
    def surveillance(self) -> Window:
        """The window of surveillance."""
        return self.others["v1"]

    @property
    def cage(self) -> Window:
        """The window of the cage."""
        return self.others["c1"]

    def bets(self, *positions: int) -> None:
        """A round with lit bets, up to where its progressive hands are known."""
        self.dealer.press()
        for position in positions:
            self.dealer.bet(position, BETS)
        self.dealer.go_on()
        expect(self.dealer.page.get_by_text("is not chosen").first).to_be_visible()

    def choose(self, position: int, hand: str) -> None:
        """A winning hand on the display of the table."""
        page = self.dealer.page
        keypad = page.locator("section.keypad")
        spots = keypad.get_by_role("group", name="1. Spot")
        if spots.count():
            self.dealer.do(spots.get_by_role("button", name=f"Position {position}"))
            self.dealer.rest()
            self.dealer.do(keypad.locator("button.hand").filter(has_text=hand))
        elif keypad.get_by_text("Whose hand is it?").count() == 0:
            keypad.locator("button.hand").filter(has_text=hand).first.click()
            whose = keypad.get_by_role("group", name="Whose hand is it?")
            self.dealer.do(whose.get_by_role("button", name=f"Position {position}"))
        self.dealer.rest()

    def call(self) -> None:
        """The supervisor is called."""
        self.dealer.do(self.dealer.page.get_by_role("button", name="Call supervisor"))

    def confirm(self, position: int, *, key: bool = False) -> None:
        """The executive goes through the checklist and swipes, or turns the key."""
        self.open(self.executive, f"Award · {self.table}", f"Position {position}")
        page = self.executive.page
        if key:
            page.get_by_label("Your PIN").fill(PIN)
            self.executive.do(page.get_by_role("button", name="Turn the key to JPH"))
            expect(page.get_by_text("The key is at JPH.")).to_be_visible()
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_label("Your PIN").fill(PIN)
        if not key:
            self.executive.do(page.get_by_role("button", name="Confirm with card and PIN"))
            return
        self.executive.do(page.get_by_role("button", name="J-POT"))
        expect(page.get_by_role("button", name="Turn the key to RUN")).to_be_visible()
        page.get_by_label("Your PIN").fill(PIN)
        self.executive.do(page.get_by_role("button", name="Turn the key to RUN"))

    def hand_over(self, position: int, *, cheque: bool = False) -> None:
        """Surveillance looks, the cage pays."""
        self.open(self.surveillance, f"Camera · {self.table}", f"Position {position}")
        page = self.surveillance.page
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_label("Your PIN").fill(PIN)
        self.surveillance.do(page.get_by_role("button", name="Verified on camera"))
        self.open(self.cage, f"To be paid · {self.table}", f"Position {position}")
        page = self.cage.page
        page.get_by_label("Reference").fill("receipt 7")
        if cheque:
            page.get_by_label("Cheque within 24 hours").check()
        self.cage.do(page.get_by_role("button", name="Handed over"))

    @staticmethod
    def open(window: Window, what: str, where: str) -> None:
        """An item of an inbox."""
        item = window.page.locator("button.item").filter(has_text=what).filter(has_text=where)
        item.first.click()
        window.heading(where)

    def pay_envy_and_end(self) -> None:
        """What is left of the round."""
        self.dealer.go_on()
        expect(self.dealer.phase).to_have_text("Over")

    def close(self) -> None:
        """Everybody goes."""
        for window in (self.dealer, self.executive, *self.others.values()):
            window.close()


@pytest.mark.clause("PGM-12", "PGM-13", "PGM-14", "PNX-12", "PNX-14", "PML-14", "PNX-01", "PNX-02")
@pytest.mark.parametrize(
    ("table", "link", "level", "hand", "deck"),
    [
        ("Poker", "Royal", "", "A-K-Q of spades", f"{ROYAL} {NOTHING} {DEALER_HAND}"),
        ("Keyed", "Royal", "", "A-K-Q of spades", f"{ROYAL} {NOTHING} {DEALER_HAND}"),
        # The next test has awards of this link.
        pytest.param(
            *("Rummy", "Summit", "mega", "Royal flush", f"{ROYAL} {NOTHING} {DEALER_HAND} Js Ts"),
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_whole_meter_from_start_game_to_the_new_sign(
    browser: Browser,
    rigged_floor: InThread,
    decks: Rigged,
    table: str,
    link: str,
    level: str,
    hand: str,
    deck: str,
) -> None:
    decks.decks.append(deck)
    # By key it is handed over as by card: two windows less.
    hall = Hall(browser, rigged_floor, table, *(() if table == "Keyed" else ("v1", "c1")))
    sign = Window(browser, rigged_floor, size=WALL, motion="full")
    sign.goto(f"/sign/{link}")
    before = shown(sign, level)
    hall.bets(1, 2)
    # The wagers have raised the meter, and the sign has rolled up to it and not beyond.
    on_meter = meter(rigged_floor, link, level or "single")
    assert on_meter > before
    expect(sign.page.locator(f".meter{level and '.' + level} dd")).to_have_text(dollars(on_meter))
    hall.choose(1, hand)
    expect(hall.dealer.page.locator("article.award")).to_contain_text(dollars(on_meter))
    expect(hall.dealer.page.locator("article.award")).to_contain_text("needs Executive")
    expect(sign.page.locator("p.pending")).to_contain_text(hand)
    if table == "Poker":
        sign.look("sign-pending")
        hall.dealer.look("console-award", whole=False)
    # Nobody ends the round before.
    expect(hall.dealer.main.locator(".blocks")).to_be_visible()
    hall.call()
    hall.confirm(1, key=table == "Keyed")
    page = rigged_floor.as_("e1").get("/api/inbox")["links"]
    [won] = [one for of in page for one in of["pages"]]
    assert (won["page"], won["amount_cents"]) == (1, on_meter)
    expect(hall.dealer.page.locator("article.award")).to_contain_text("win page 1")
    # The sign is started again at once.
    seed = meter(rigged_floor, link, level or "single")
    assert seed < on_meter
    expect(sign.page.locator(f".meter{level and '.' + level} dd")).to_have_text(dollars(seed))
    expect(sign.page.locator("p.pending")).to_have_count(0)
    if table == "Poker":
        hall.surveillance.look("inbox-camera")
    if table == "Keyed":
        hand_over(rigged_floor, table, 1)
    else:
        hall.hand_over(1)
    hall.pay_envy_and_end()
    if table == "Poker":
        sign.look("sign")
    hall.close()
    sign.close()


def test_two_awards_in_one_round_in_the_right_order(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    """A-17: from the far right on; the second waits until the first is confirmed."""
    decks.decks.append(f"{ROYAL} 9s 8s 7s {DEALER_HAND} Js Ts")
    hall = Hall(browser, rigged_floor, "Rummy", "v1", "c1")
    hall.bets(1, 2)
    hall.choose(2, "Straight flush")
    hall.choose(1, "Royal flush")
    hall.call()
    page = hall.executive.page
    expect(page.locator("button.item")).to_have_count(2)
    hall.open(hall.executive, "Award · Rummy", "Position 1")
    expect(page.get_by_text("position 2 is paid before it")).to_be_visible()
    expect(page.get_by_role("button", name="Confirm with card and PIN")).to_be_disabled()
    hall.executive.check("inbox-award")
    hall.confirm(2)
    expect(page.locator("button.item").filter(has_text="Award")).to_have_count(1)
    hall.confirm(1)
    hand_over(rigged_floor, "Rummy", 2)
    hall.hand_over(1, cheque=True)
    hall.pay_envy_and_end()
    # The cage hands the cheque over.
    hall.open(hall.cage, "Cheque", "Summit")
    hall.cage.page.get_by_label("Reference").fill("no. 17")
    hall.cage.page.get_by_label("Your PIN").fill(PIN)
    hall.cage.do(hall.cage.page.get_by_role("button", name="Cheque handed over"))
    expect(hall.cage.page.get_by_text("Nothing waits")).to_be_visible()
    hall.close()


def test_a_misdeal_is_made_void_and_everything_goes_back(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    """TCP-31, A-15: a supervisor makes it void from the inbox."""
    decks.decks.append(f"{ROYAL} {NOTHING} {DEALER_HAND}")
    before = meter(rigged_floor, "Royal", "single")
    by_http = Dealer(rigged_floor.as_("d1"), "Poker")
    by_http.begin("ante 10, progressive 1")
    by_http.until("decide", boldly)
    dealer = DealerWindow(browser, rigged_floor).at("Poker")
    # A dealer does not make a round void.
    dealer.page.get_by_role("button", name="Irregularity").click()
    dialog = dealer.page.get_by_role("dialog")
    expect(dialog).to_contain_text("A supervisor makes a round void")
    dealer.check("console-irregularity")
    dialog.get_by_role("button", name="Exposed card").click()
    dialog.get_by_label("Whose card").select_option("0")
    dialog.get_by_label("Which card").select_option("1")
    dealer.do(dialog.get_by_role("button", name="Report the card"))
    supervisor = Window(browser, rigged_floor).sign_in("s1", "/inbox")
    Hall.open(supervisor, "Ruling · Poker", "Ruling")
    supervisor.page.get_by_label("Why").fill("a card of the dealer was seen")
    supervisor.do(supervisor.page.get_by_role("button", name="Void the round"))
    expect(dealer.phase).to_have_text("Void")
    expect(dealer.main).to_contain_text("Open a round")
    assert meter(rigged_floor, "Royal", "single") == before
    # One without a report, straight away.
    by_http.begin("ante 5")
    by_http.until("deliver", boldly)
    expect(dealer.main).to_contain_text("Deal")
    supervisor.page.get_by_role("tab", name="Void a round").click()
    supervisor.page.get_by_label("Table").select_option("Poker")
    supervisor.page.get_by_label("Reason").fill("four cards at position 1")
    supervisor.do(supervisor.page.get_by_role("button", name="Void it"))
    expect(dealer.phase).to_have_text("Void")
    supervisor.close()
    dealer.close()


@pytest.mark.clause("ACE-08", "TSR-32")
def test_a_shuffler_that_fails_says_so_and_is_swapped_step_by_step(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    """The console shows what is wrong and what to do; the lobby shows where."""
    decks.decks.append(f"{ROYAL} {NOTHING} {DEALER_HAND}")
    dealer = DealerWindow(browser, rigged_floor).at("Rummy")
    dealer.press()
    dealer.bet(1, {"Ante": 5})
    dealer.page.get_by_role("button", name="Irregularity").click()
    dialog = dealer.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Shuffler fault").click()
    dialog.get_by_label("What is wrong with it").fill("red light")
    dealer.do(dialog.get_by_role("button", name="Report the fault"))
    console = dealer.page
    expect(console.get_by_role("heading", name="The shuffler has failed")).to_be_visible()
    expect(console.get_by_text("red light", exact=False).first).to_be_visible()
    supervisor = Window(browser, rigged_floor).sign_in("s1", "/")
    expect(supervisor.page.get_by_text("the shuffler has failed")).to_be_visible()
    dealer.check("console-shuffler")
    done = console.get_by_role("button", name="is done")
    for _ in range(12):
        if not done.count():
            break
        dealer.do(done.first)
    expect(console.get_by_role("heading", name="The shuffler has failed")).to_have_count(0)
    expect(supervisor.page.get_by_text("the shuffler has failed")).to_have_count(0)
    supervisor.close()
    dealer.close()


def test_a_wrong_pin_three_times_locks_the_card(browser: Browser, rigged_floor: InThread) -> None:
    window = Window(browser, rigged_floor)
    window.goto("/sign-in")
    for number in range(3):
        window.page.get_by_label("Card", exact=False).first.fill("d1")
        window.page.get_by_label("PIN").fill("1111")
        window.page.get_by_role("button", name="Sign in").click()
        expect(window.page.get_by_role("alert")).to_be_visible()
        if number < 2:
            window.page.get_by_label("PIN").fill("")
    window.page.get_by_label("PIN").fill(PIN)
    window.page.get_by_role("button", name="Sign in").click()
    expect(window.page.get_by_role("alert")).to_contain_text("locked")
    # An administrator unlocks it, and the dealer goes to work.
    administrator = Window(browser, rigged_floor).sign_in("a1", "/administration")
    row = administrator.page.get_by_role("row").filter(has_text="Dan")
    expect(row).to_contain_text("locked")
    row.get_by_role("button", name="Unlock").click()
    administrator.page.get_by_label("Your PIN").fill(PIN)
    administrator.do(administrator.page.get_by_role("dialog").locator("button.primary"))
    expect(row).not_to_contain_text("locked")
    window.page.get_by_label("PIN").fill(PIN)
    window.page.get_by_role("button", name="Sign in").click()
    window.heading("Floor")
    administrator.close()
    window.close()


def meter(floor: InThread, link: str, level: str) -> int:
    """Cents that the ledger has for a meter."""
    view: Any = floor.client().get(f"/api/links/{link}/sign")
    return int(next(m["shown_cents"] for m in view["meters"] if m["level"] == level))
