"""Awards on the screens of everybody who has a part in them, and what goes wrong at a table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import WALL, DealerWindow, Window
from tests.floor.room import ON_CAMERA
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly

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
    """Windows of those who have a part in an award: the dealer, who confirms it, and others."""

    def __init__(
        self, browser: Browser, floor: InThread, table: str, *others: str, confirms: str = "e1"
    ) -> None:
        self.table = table
        self.dealer = DealerWindow(browser, floor).at(table)
        self.over = Window(browser, floor).sign_in(confirms, "/inbox")
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
        self.dealer.go_on(until=": press")
        expect(self.dealer.page.get_by_text("is not chosen").first).to_be_visible()

    def choose(self, position: int, hand: str) -> None:
        """A winning hand on the display of the table, with a spot before it."""
        keypad = self.dealer.page.locator("section.keypad")
        spots = keypad.get_by_role("group", name="1. Spot")
        spots.get_by_role("button", name=f"Position {position}").click()
        self.dealer.do(keypad.locator("button.hand").filter(has_text=hand))
        self.dealer.rest()

    def press(self, position: int, hand: str) -> None:
        """The hand that the main button asks for."""
        assert self.dealer.press().startswith(f"Position {position}: press {hand}")

    def call(self) -> None:
        """The supervisor is called."""
        self.dealer.do(self.dealer.page.get_by_role("button", name="Call supervisor"))

    def confirm(self, position: int) -> None:
        """The executive goes through the checklist and swipes."""
        self.open(self.over, f"Award · {self.table}", f"Position {position}")
        self._checked("Confirm with card and PIN")

    def press_jackpot(self, position: int) -> None:
        """The supervisor turns the key, goes through the checklist and presses J-POT."""
        self.open(self.over, f"Award · {self.table}", f"Position {position}")
        page = self.over.page
        page.get_by_label("Your PIN").fill(PIN)
        self.over.do(page.get_by_role("button", name="Turn the key to JPH"))
        expect(page.get_by_text("The key is at JPH.")).to_be_visible()
        self._checked("J-POT")
        expect(page.get_by_role("button", name="Turn the key to RUN")).to_be_visible()

    def turn_to_run(self) -> None:
        """The supervisor turns the key back."""
        self.over.page.get_by_label("Your PIN").fill(PIN)
        self.over.do(self.over.page.get_by_role("button", name="Turn the key to RUN"))

    def _checked(self, button: str) -> None:
        page = self.over.page
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_label("Your PIN").fill(PIN)
        self.over.do(page.get_by_role("button", name=button))

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
        page.get_by_label("Your PIN").fill(PIN)
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
        for window in (self.dealer, self.over, *self.others.values()):
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
    # By key it is handed over as by card: two windows less. It asks for no executive.
    by_key = table == "Keyed"
    others, confirms = ((), "s1") if by_key else (("v1", "c1"), "e1")
    hall = Hall(browser, rigged_floor, table, *others, confirms=confirms)
    sign = Window(browser, rigged_floor, size=WALL, motion="full")
    sign.goto(f"/sign/{link}")
    before = shown(sign, level)
    hall.bets(1, 2)
    # The wagers have raised the meter, and the sign has rolled up to it and not beyond.
    on_meter = meter(rigged_floor, link, level or "single")
    assert on_meter > before
    expect(sign.page.locator(f".meter{level and '.' + level} dd")).to_have_text(dollars(on_meter))
    if table == "Poker":
        hall.dealer.look("console-press", whole=False)
    hall.press(1, hand)
    award = hall.dealer.page.locator("article.award")
    expect(award).to_contain_text(dollars(on_meter))
    expect(award).to_contain_text(f"needs {'Supervisor' if by_key else 'Executive'}")
    expect(sign.page.locator("p.pending")).to_contain_text(hand)
    if table == "Poker":
        sign.look("sign-pending")
        hall.dealer.look("console-award", whole=False)
    # Nobody ends the round before.
    expect(hall.dealer.main.locator(".blocks")).to_be_visible()
    hall.call()
    if by_key:
        # J-POT gives the page; the meter stands until the key is back.
        hall.press_jackpot(1)
        expect(award).to_contain_text("recorded by J-POT")
        expect(award).to_contain_text("win page 1")
        assert meter(rigged_floor, link, "single") == on_meter
        expect(sign.page.locator("p.pending")).to_contain_text(hand)
        tables = rigged_floor.as_("s1").get("/api/lobby")["tables"]
        needed = {one["table"]: one["attention"] for one in tables if one["attention"]}
        assert needed == {"Keyed": ["an award waits at position 1"]}
        hall.dealer.look("console-recorded", whole=False)
        hall.turn_to_run()
    else:
        hall.confirm(1)
    page = rigged_floor.as_("e1").get("/api/inbox")["links"]
    [won] = [one for of in page for one in of["pages"]]
    assert (won["page"], won["amount_cents"]) == (1, on_meter)
    expect(award).to_contain_text("confirmed, to be paid")
    expect(award).to_contain_text("win page 1")
    # The sign is started again at once.
    seed = meter(rigged_floor, link, level or "single")
    assert seed < on_meter
    expect(sign.page.locator(f".meter{level and '.' + level} dd")).to_have_text(dollars(seed))
    expect(sign.page.locator("p.pending")).to_have_count(0)
    # The round ends without the prize, which is handed over later.
    hall.pay_envy_and_end()
    if table == "Poker":
        hall.surveillance.look("inbox-camera")
        sign.look("sign")
    if by_key:
        hand_over(rigged_floor, table, 1)
    else:
        hall.hand_over(1)
    assert rigged_floor.as_("c1").get("/api/inbox")["items"] == []
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
    hall.press(1, "Royal flush")
    hall.call()
    page = hall.over.page
    expect(page.locator("button.item")).to_have_count(2)
    hall.open(hall.over, "Award · Rummy", "Position 1")
    expect(page.get_by_text("position 2 is paid before position 1")).to_be_visible()
    expect(page.get_by_role("button", name="Confirm with card and PIN")).to_be_disabled()
    hall.over.check("inbox-award")
    hall.confirm(2)
    expect(page.locator("button.item").filter(has_text="Award")).to_have_count(1)
    hall.confirm(1)
    # One is handed over before the round ends, one after it. Pages are in the order of payment.
    hand_over(rigged_floor, "Rummy", 1)
    hall.pay_envy_and_end()
    hall.hand_over(1, cheque=True)
    # The cage hands the cheque over.
    hall.open(hall.cage, "Cheque", "Summit")
    hall.cage.page.get_by_label("Reference").fill("no. 17")
    hall.cage.page.get_by_label("Your PIN").fill(PIN)
    hall.cage.do(hall.cage.page.get_by_role("button", name="Cheque handed over"))
    expect(hall.cage.page.get_by_text("Nothing waits")).to_be_visible()
    hall.close()


@pytest.mark.clause("PGM-11", "PNX-12")
@pytest.mark.parametrize("table", ["Poker", "Keyed"])
def test_a_hand_is_pressed_and_taken_back_on_the_keypad_by_keyboard(
    browser: Browser, rigged_floor: InThread, decks: Rigged, table: str
) -> None:
    """Spot, then hand, or hand, then whose it is; pressed again it is taken back."""
    decks.decks.append(f"{ROYAL} {NOTHING} {DEALER_HAND}")
    by_http = Dealer(rigged_floor.as_("d1"), table)
    by_http.begin(*["ante 10, progressive 1"] * 2)
    by_http.until("press", boldly)
    dealer = DealerWindow(browser, rigged_floor).at(table)
    page, award = dealer.page, dealer.page.locator("article.award")

    def press(hand: str, position: int = 1) -> None:
        spots = page.get_by_role("group", name="1. Spot")
        button = page.locator("button.hand").filter(has_text=hand)
        if table == "Keyed":
            dealer.tab_to(button)
            dealer.keys("Enter")
            spots = page.get_by_role("group", name="Whose hand is it?")
            button = spots.get_by_role("button", name=f"Position {position}")
        else:
            spot = spots.get_by_role("button", name=f"Position {position}")
            dealer.tab_to(spot)
            dealer.keys("Enter")
            expect(spot).to_have_attribute("aria-pressed", "true")
        dealer.tab_to(button)
        dealer.keys("Enter")

    if table == "Poker":
        expect(page.locator("button.hand").first).to_be_disabled()
    # What the cards do not show is refused, and nothing is chosen.
    press("Three of a kind")
    expect(page.get_by_role("alert")).to_contain_text("not 'three_of_a_kind'")
    press("A-K-Q of spades", 2)
    expect(page.get_by_role("alert")).to_contain_text("Position 2 wins no progressive")
    expect(award).to_have_count(0)
    press("A-K-Q of spades")
    expect(award).to_contain_text("waits to be confirmed")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(dealer.main.locator(".blocks")).to_be_visible()
    press("A-K-Q of spades")
    expect(award).to_have_count(0)
    expect(dealer.main).to_contain_text("Position 1: press A-K-Q of spades")
    dealer.keys("n")
    expect(award).to_contain_text("waits to be confirmed")
    back = award.get_by_role("button", name="Take back")
    dealer.tab_to(back)
    dealer.keys("Enter")
    expect(award).to_have_count(0)
    dealer.keys("n", "c")
    dialog = page.get_by_role("dialog", name="Call a supervisor")
    expect(dialog.get_by_label("Award")).to_be_checked()
    dealer.tab_to(dialog.get_by_role("button", name="Call", exact=True))
    dealer.keys("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="Supervisor called")).to_be_visible()
    expect(page.locator(".strips")).to_contain_text("the award at position 1 is not confirmed")
    dealer.check(f"console-award-{table.lower()}")
    dealer.close()


@pytest.mark.clause("PML-11")
def test_internal_controls_ask_for_the_order_of_payment(
    browser: Browser, rigged_floor: InThread, decks: Rigged
) -> None:
    """The dealer touches positions in that order and starts; awards are paid so."""
    decks.decks.append(f"{ROYAL} 9s 8s 7s {DEALER_HAND} Js Ts")
    options = {"meter_pay_order": "internal_controls", "folded_hand_progressive": "eligible"}
    made = {"table": "Ordered", "game": "triple-shot-rummy", "options": options}
    rigged_floor.as_("a1").do("make_table", made, pin=PIN)
    joined = {"table": "Ordered", "link": "Summit"}
    rigged_floor.as_("a1").do("join_link", joined, pin=PIN)
    by_http = Dealer(rigged_floor.as_("d1"), "Ordered")
    by_http.begin(*["ante 10, progressive 1"] * 2)
    dealer = DealerWindow(browser, rigged_floor).at("Ordered")
    dealer.press()
    # Nothing starts by itself.
    expect(dealer.main).to_be_disabled()
    expect(dealer.page.locator(".strips")).to_contain_text("Give the order in which awards are")
    order = dealer.page.get_by_role("group", name="Order of payment")
    start = order.get_by_role("button", name="START GAME")
    first, second = (order.get_by_role("button", name=f"Position {p}") for p in (1, 2))
    second.click()
    expect(start).to_be_disabled()
    order.get_by_role("button", name="Begin again").click()
    dealer.tab_to(first)
    dealer.keys("Enter")
    expect(first).to_be_disabled()
    dealer.tab_to(second)
    dealer.keys("Enter")
    expect(order.get_by_role("status")).to_have_text("First 1, then 2.")
    dealer.check("console-order")
    dealer.do(start)
    expect(order).to_have_count(0)
    dealer.go_on()
    expect(dealer.page.locator("article.award").first).to_contain_text("Position 1: Royal flush")
    by_http.client.do("call_supervisor", {"table": "Ordered"})
    waits = rigged_floor.as_("e1").get("/api/inbox")["items"]
    assert {item["position"]: item["why_not"] for item in waits} == {
        1: "",
        2: "position 1 is paid before position 2",
    }
    dealer.close()


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
    supervisor.page.get_by_label("Your PIN").fill(PIN)
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
    supervisor.page.get_by_label("Your PIN").fill(PIN)
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
    dialog = administrator.page.get_by_role("dialog")
    dialog.get_by_label("PIN of the card").fill("1357")
    dialog.get_by_label("Your PIN").fill(PIN)
    administrator.check("dialog-unlock")
    administrator.do(dialog.locator("button.primary"))
    expect(row).not_to_contain_text("locked")
    window.page.get_by_label("PIN").fill("1357")
    window.page.get_by_role("button", name="Sign in").click()
    window.heading("Floor")
    administrator.close()
    window.close()


def hand_over(floor: InThread, table: str, page: int) -> None:
    """An award seen on camera and paid by the cage."""
    prize = {"table": table, "page": page}
    paid = {**prize, "reference": "w-1", "method": "chips"}
    assert "surveillance has not verified" in floor.as_("c1").refused("pay_award", paid, pin=PIN)[1]
    floor.as_("v1").do("check_on_camera", {**prize, "seen": ON_CAMERA}, pin=PIN)
    floor.as_("c1").do("pay_award", paid, pin=PIN)


def meter(floor: InThread, link: str, level: str) -> int:
    """Cents that the ledger has for a meter."""
    view: Any = floor.client().get(f"/api/links/{link}/sign")
    return int(next(m["shown_cents"] for m in view["meters"] if m["level"] == level))
