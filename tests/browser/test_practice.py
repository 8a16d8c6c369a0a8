"""Practice in a browser: every game by keyboard, tables for several, and everybody's reach."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from houseway.games import codes
from tests.browser.window import LONG_MS, PHONE, WALL, WIDE, Window
from tests.live.table import GAMES
from tests.server.serving import InThread, in_thread

NAMES = {
    "three-card-poker": "Three Card Poker",
    "three-card-poker-face-up": "Three Card Poker Face Up",
    "triple-shot-rummy": "Triple Shot Rummy",
    "triple-shot-bonus": "Triple Shot Bonus",
}
SIZES = {"": WIDE, "-phone": PHONE}
KEYS = (("Play", "p"), ("Stand", "s"), ("No insurance", "n"))


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor, of which practice needs nothing."""
    folder = tmp_path_factory.mktemp("practice")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}") as made:
        yield made


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """Draw the same seeds in every test, whichever ran before."""
    floor.draw_anew()


class LearnerWindow(Window):
    """A learner in front of a browser."""

    def begin(
        self, game: str = "three-card-poker", seed: int | None = 8123, rules: str = ""
    ) -> "LearnerWindow":
        """Sit alone at a new table."""
        given = "" if seed is None else f"&rng_seed={seed}"
        self.goto(f"/practice?game={game}{given}{rules}")
        self.page.get_by_role("button", name="To the table").click()
        expect(self.main).to_be_enabled()
        return self

    def make_shared(self, *, person: bool = False) -> str:
        """Make a table for several; its address."""
        self.goto("/practice")
        self.page.get_by_label("A table for several, by a link").check()
        if person:
            self.page.get_by_label("I deal, others play").check()
        self.page.get_by_role("button", name=re.compile("To the table|Deal at a new")).click()
        link = self.page.get_by_label("Link to this table")
        expect(link).to_be_visible()
        return link.input_value()

    def sit(self, address: str, name: str, position: int) -> "LearnerWindow":
        """Go to a table by its link, and sit down."""
        self.goto(address)
        self.page.get_by_label("Your name").fill(name)
        self.page.locator("select[name=seat]").select_option(str(position))
        self.page.get_by_role("button", name="Sit down").click()
        expect(self.main).to_be_visible()
        return self

    @property
    def main(self) -> Locator:
        """The one button that goes on."""
        return self.page.locator("button.main")

    def hand(self) -> list[str]:
        """The own cards, by their names."""
        cards = self.page.get_by_role("list", name="Your hand").get_by_role("img")
        return [
            str(card.get_attribute("alt") or card.get_attribute("aria-label"))
            for card in cards.all()
        ]


def play_out(window: LearnerWindow, rounds: int) -> None:
    """On to the end of a round with keys alone; it is the last of so many."""
    page = window.page
    over = page.locator("dd").first.and_(page.get_by_text(str(rounds), exact=True))
    for _ in range(20):
        expect(page.locator(".decision").or_(over).first).to_be_visible()
        if over.count():
            return
        before = str(page.locator("div.bar").text_content())
        for name, key in KEYS:
            if page.locator(".decision").filter(has_text=name).count():
                window.keys(key)
                break
        expect(page.locator("div.bar")).not_to_have_text(before)
    raise AssertionError("the round does not end")


@pytest.mark.parametrize(
    "game",
    [
        "triple-shot-bonus",
        # The same keys on other spots.
        *(
            pytest.param(game, marks=pytest.mark.soak)
            for game in ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy")
        ),
    ],
)
def test_a_round_of_every_game_by_keyboard_alone(
    browser: Browser, floor: InThread, game: str
) -> None:
    """From the first page to why each bet was paid; no mouse is touched."""
    window = LearnerWindow(browser, floor)
    page = window.page
    window.goto("/sign-in")
    window.focus(page.get_by_role("link", name="Practise a game"))
    window.keys("Enter")
    window.heading("Practice")
    expect(page.locator("input[name=game]")).to_have_count(len(GAMES))
    window.focus(page.locator("input[name=game]").first)
    for _ in range(codes().index(game)):
        window.keys("ArrowDown")
    expect(page.locator("input[name=game]:checked")).to_have_value(game)
    window.focus(page.get_by_role("button", name="To the table"))
    window.keys("Enter")
    window.heading(NAMES[game])
    expect(window.main).to_be_enabled()
    # A chip of $25 on one spot more, from spot to spot.
    window.keys("u")
    window.keys("3")
    window.focus(page.locator("[data-spot][tabindex='0']"))
    window.keys("ArrowRight")
    spot = page.locator(":focus")
    name = str(spot.get_attribute("aria-label"))
    window.keys("Enter")
    expect(spot).not_to_have_attribute("aria-label", name)
    window.keys("Delete")
    expect(spot).to_have_attribute("aria-label", re.compile("no chip"))
    window.keys("u")
    window.keys("n")
    play_out(window, 1)
    window.keys("w")
    expect(page.locator("details[open] p").first).to_be_visible()
    window.look(f"practice-{game}", whole=False)
    window.keys("n")
    play_out(window, 2)
    expect(page.get_by_text("Bankroll as a table")).to_be_visible()
    window.focus(page.get_by_text("Bankroll as a table"))
    window.keys("Enter")
    expect(page.locator("tbody tr")).to_have_count(2)
    window.close()


def test_the_same_seed_deals_the_same_cards_and_a_reload_changes_nothing(
    browser: Browser, floor: InThread
) -> None:
    """By the same rules too, which the lessons of the table are told by."""
    rules = {"pair-plus": "A:flush=3", "progressive": "2"}
    query = "".join(f"&paytable={bet}={code}" for bet, code in rules.items())
    window = LearnerWindow(browser, floor).begin(seed=77, rules=f"{query}&option=tie_rule=win")
    window.keys("n")
    expect(window.page.locator(".decision").first).to_be_visible()
    dealt = window.hand()
    assert len(set(dealt)) == 3
    lessons = window.page.get_by_role("link", name="Rules and pays").get_attribute("href")
    with window.page.context.expect_page() as opened:
        window.page.get_by_role("link", name="Rules and pays").click()
    told = opened.value.get_by_text("Told by the rules of your table")
    expect(told).to_contain_text("win, Pair Plus A:flush=3, Progressive 2")
    opened.value.close()
    window.reload()
    expect(window.page.locator(".decision").first).to_be_visible()
    assert window.hand() == dealt
    window.keys("p")
    expect(window.page.locator(".banner")).to_be_visible()
    window.page.get_by_role("link", name="Same cards from the start").click()
    window.page.get_by_role("button", name="To the table").click()
    expect(window.main).to_be_enabled()
    window.keys("n")
    expect(window.page.locator(".decision").first).to_be_visible()
    assert window.hand() == dealt
    same = window.page.get_by_role("link", name="Rules and pays").get_attribute("href")
    assert same == lessons
    window.close()


def test_two_browsers_at_one_table_see_their_own_cards(browser: Browser, floor: InThread) -> None:
    """An automatic dealer waits for both; one vanishes in mid-round and sits there again."""
    one = LearnerWindow(browser, floor)
    address = one.make_shared()
    two = LearnerWindow(browser, floor).sit(address, "Kim", 3)
    expect(one.page.get_by_text("Kim")).to_be_visible()
    one.main.click()
    expect(one.main).to_have_text(re.compile("Waiting for Kim"))
    two.main.click()
    for window in (one, two):
        expect(window.page.locator(".decision").first).to_be_visible()
    mine, theirs = one.hand(), two.hand()
    assert len(set(mine + theirs)) == 6
    assert "Card face down" not in mine + theirs
    for window, hidden in ((one, theirs), (two, mine)):
        shown = window.page.content()
        assert not any(card in shown for card in hidden)
    one.look("practice-shared", whole=False)
    # The browser goes, and another page of the same one comes.
    two.page.close()
    one.keys("p")
    expect(one.page.locator(".waiting")).to_have_text(re.compile("Waiting for Kim"))
    two.page = two.another(floor.address)
    two.goto(address)
    expect(two.page.locator(".decision").first).to_be_visible()
    assert two.hand() == theirs
    two.keys("f")
    for window in (one, two):
        expect(window.page.locator(".banner")).to_be_visible()
    one.close()
    two.close()


def test_a_person_deals(browser: Browser, floor: InThread) -> None:
    dealer = LearnerWindow(browser, floor)
    address = dealer.make_shared(person=True)
    expect(dealer.page.get_by_text("Nobody sits here yet")).to_be_visible()
    player = LearnerWindow(browser, floor).sit(address, "Robin", 2)
    player.main.click()
    expect(player.main).to_have_text(re.compile("Waiting for the dealer"))
    for step in ("No more bets", "Shuffle", "Deal to position 2", "Deal to the dealer"):
        expect(dealer.main).to_have_text(re.compile(step))
        dealer.keys("n")
    expect(dealer.main).to_have_text(re.compile("Waiting for the players"))
    expect(dealer.page.get_by_text("“Play or fold?”")).to_be_visible()
    dealer.check("practice-dealer")
    hidden = player.hand()
    assert not any(card in dealer.page.content() for card in hidden)
    player.keys("p")
    for step in ("Turn the dealer", "Settle position 2", "End the round"):
        expect(dealer.main).to_have_text(re.compile(step))
        dealer.keys("n")
    expect(player.page.locator(".banner")).to_be_visible()
    expect(player.main).to_have_text(re.compile("Waiting for the dealer"))
    dealer.keys("n")
    expect(player.main).to_have_text(re.compile("Place bets"))
    # Another browser does not deal here.
    player.goto(f"{address}/dealer")
    expect(player.page.get_by_text("dealt from another browser")).to_be_visible()
    player.close()
    dealer.close()


def test_chips_that_are_not_placed_yet_outlive_a_reload(browser: Browser, floor: InThread) -> None:
    window = LearnerWindow(browser, floor).begin()
    page = window.page
    for spot, key in (("Pair Plus", "3"), ("6 Card Bonus", "1")):
        window.keys(key)
        page.get_by_role("button", name=spot).click()
    window.reload()
    expect(window.main).to_contain_text("$36.00")
    # What is placed is the table's, and then nothing is kept for a reload.
    window.keys("n")
    expect(page.locator(".decision").first).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    window.keys("p")
    expect(page.locator(".banner")).to_be_visible()
    window.keys("c")
    window.keys("x")
    window.reload()
    expect(window.main).to_be_disabled()
    window.close()


def test_chips_by_mouse_and_what_is_refused_in_words(browser: Browser, floor: InThread) -> None:
    window = LearnerWindow(browser, floor).begin()
    page = window.page
    page.get_by_role("button", name="Clear all").click()
    expect(window.main).to_be_disabled()
    page.get_by_role("button", name="6 Card Bonus").click()
    window.main.click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("needs an ante"))
    page.get_by_role("button", name="Chip of $100").click()
    page.get_by_role("button", name="Ante: ").click(click_count=3)
    window.main.click()
    expect(page.locator(".decision").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^(P )?Play")).click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("take more chips"))
    page.get_by_role("button", name="Take $500 more").click()
    page.get_by_role("button", name=re.compile("^(P )?Play")).click()
    expect(page.locator(".banner")).to_be_visible()
    window.close()


def test_the_coach_speaks_before_after_and_never(browser: Browser, floor: InThread) -> None:
    window = LearnerWindow(browser, floor).begin()
    page = window.page
    page.locator("select[name=mode]").select_option("simple")
    window.keys("n")
    expect(page.locator("p.best")).to_have_text(re.compile("Play|Fold"))
    page.locator("select[name=when]").select_option("never")
    expect(page.get_by_text("The coach says nothing.")).to_be_visible()
    page.locator("select[name=when]").select_option("before")
    page.locator("select[name=mode]").select_option("exact")
    # Counted in the background the first time.
    expect(page.get_by_role("list", name="What each decision is worth")).to_be_visible(
        timeout=LONG_MS
    )
    expect(page.locator(".costs").first).to_contain_text("Ante $0.34")
    window.look("practice-coach", whole=False)
    page.get_by_role("button", name="Fold").click()
    expect(page.locator(".judged")).to_be_visible()
    window.close()


def test_practice_is_within_everybodys_reach(browser: Browser, floor: InThread) -> None:
    """WCAG 2.2 AA as far as a program can tell, on a phone and a desk."""
    window = LearnerWindow(browser, floor)
    window.goto("/practice")
    window.page.get_by_label("A table for several, by a link").check()
    window.page.get_by_text("Paytables and options").click()

    window.check_sizes("practice", SIZES)
    window.resize(WIDE)
    window.begin()
    window.resize(PHONE)
    window.check("practice-bets-phone")
    window.resize(WIDE)
    window.keys("u")
    window.keys("n")
    expect(window.page.locator(".decision").first).to_be_visible()
    window.check("practice-decide")
    end_round(window)
    window.check_sizes("practice-over", SIZES)
    window.resize(WIDE)
    window.keys("?")
    expect(window.page.get_by_role("dialog")).to_be_visible()
    window.check("practice-keys")
    window.keys("Escape")
    host = LearnerWindow(browser, floor)
    window.goto(host.make_shared())
    window.heading("Three Card Poker")
    window.check("practice-join")
    window.close()
    host.close()


@pytest.mark.soak
def test_the_end_of_a_round_is_within_reach_on_a_wall(browser: Browser, floor: InThread) -> None:
    """Much as on a desk, with more room."""
    window = LearnerWindow(browser, floor, size=WALL).begin()
    window.keys("u")
    window.keys("n")
    expect(window.page.locator(".decision").first).to_be_visible()
    end_round(window)
    window.check("practice-over-wall")
    window.close()


def end_round(window: LearnerWindow) -> None:
    """Play, and see what came of it."""
    window.keys("p")
    expect(window.page.locator(".banner")).to_be_visible()
    expect(window.page.locator(".chart canvas")).to_be_visible()
