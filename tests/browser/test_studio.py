"""The studio in a browser: a pay edited and solved for by keyboard, the joint check, files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.window import LONG_MS, PHONE, WIDE, Window
from tests.server.serving import InThread, in_thread


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor, of which the studio needs nothing."""
    folder = tmp_path_factory.mktemp("studio")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}") as made:
        yield made


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """Draw the same seeds in every test, whichever ran before."""
    floor.draw_anew()


class DesignerWindow(Window):
    """Somebody who designs a game."""

    def begin(self, game: str = "three-card-poker", part: str = "outcomes") -> "DesignerWindow":
        """Open the studio at a game, and wait for all of its figures."""
        self.goto(f"/studio?game={game}&part={part}")
        expect(self.page.locator("tfoot")).to_be_visible(timeout=LONG_MS)
        return self

    def edge(self, bet: str) -> Locator:
        """The edge of a bet."""
        return self.page.locator(f"tr[data-bet={bet}] .edge .number").first

    def write(self, where: Locator, text: str, *, pasted: bool = False) -> None:
        """Write into a field as one does without a mouse."""
        self.tab_to(where)
        self.write_over(text, pasted=pasted)

    def write_over(self, text: str, *, pasted: bool = False) -> None:
        """Write in the place of what the field with the focus has."""
        self.keys("ControlOrMeta+a")
        (self.paste if pasted else self.type)(text)


def test_a_pay_is_edited_and_solved_for_by_keyboard(
    browser: Browser, floor: InThread, tmp_path: Path
) -> None:
    window = DesignerWindow(browser, floor).begin()
    page = window.page
    expect(window.edge("pair-plus")).to_have_text("2.3167%")
    window.write(page.get_by_label("Pay of flush, Pair Plus"), "3")
    expect(window.edge("pair-plus")).to_have_text("7.2760%")
    expect(window.edge("ante")).to_have_text("3.3730%")

    # Nothing is lost while a pay is none.
    for wrong, said in {
        "-3": "cannot be read",
        "": "cannot be read",
        "9999999": "too large",
    }.items():
        # Pasted, because what can be read on the way to it would be priced.
        window.write_over(wrong or "x", pasted=True)
        if not wrong:
            window.keys("Backspace")
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(window.edge("pair-plus")).to_have_text("7.2760%")
        # The focus stays, and nobody has to come back.
        expect(page.get_by_label("Pay of flush, Pair Plus")).to_be_focused()
    window.write_over("3")
    expect(page.get_by_role("alert")).to_have_count(0)
    window.reload()
    expect(window.edge("pair-plus")).to_have_text("7.2760%", timeout=LONG_MS)

    # Fractions on demand.
    page.get_by_label("Exact fractions").check()
    expect(page.locator("tr[data-bet=pair-plus] .edge")).to_have_text("402/5525")
    page.get_by_label("Exact fractions").uncheck()

    # Solved for five per cent, with the straight left free.
    window.tab_to(page.get_by_role("tab", name="Outcomes"))
    for _ in range(6):
        window.keys("ArrowRight")
    expect(page.get_by_role("tab", name="Solve")).to_be_focused()
    panel = page.get_by_role("tabpanel")
    window.tab_to(panel.get_by_label("Bet"))
    window.keys("ArrowDown")
    window.write(panel.get_by_label("Target edge in per cent"), "5")
    free = panel.get_by_role("checkbox", name="straight 6 to 1")
    window.tab_to(free)
    window.keys("Space")
    window.write(panel.get_by_label("straight: from"), "4")
    window.write(panel.get_by_label("straight: to"), "9")
    window.keys("Enter")
    first = panel.get_by_role("button", name="Use it A:straight=7,flush=3")
    expect(first).to_be_visible(timeout=LONG_MS)
    window.look("studio-solve")
    window.tab_to(first)
    window.keys("Enter")
    expect(window.edge("pair-plus")).to_have_text("4.0181%")
    expect(page.get_by_label("Pay of straight, Pair Plus")).to_have_value("7")

    # A target that no paytable reaches is told with what can be reached.
    window.write(panel.get_by_label("Target edge in per cent"), "95")
    window.keys("Enter")
    expect(panel.get_by_role("alert")).to_contain_text("cannot be reached; with these ranges")

    # Saved, named, taken home as a file, and opened again somewhere else.
    window.write(page.get_by_label("Name of this draft"), "Four per cent")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("“Four per cent” is saved")).to_be_visible()
    page.get_by_role("tab", name="Files").click()
    expect(panel).to_contain_text("--paytable pair-plus=A:straight=7,flush=3")
    panel.get_by_role("button", name="This draft as a file").click()
    with page.expect_download() as taken:
        panel.get_by_role("link", name="Take it").click()
    file = tmp_path / taken.value.suggested_filename
    taken.value.save_as(file)
    assert json.loads(file.read_text())["paytables"] == {"pair-plus": "A:straight=7,flush=3"}
    window.close()

    other = DesignerWindow(browser, floor).begin()
    other.page.get_by_label("Open a file …").set_input_files(file)
    expect(other.page.get_by_text("“Four per cent” is open")).to_be_visible()
    expect(other.edge("pair-plus")).to_have_text("4.0181%")
    file.write_text(file.read_text().replace("flush=3", "flash=3"))
    other.page.get_by_label("Open a file …").set_input_files(file)
    expect(other.page.get_by_role("alert")).to_contain_text("hand 'flash' is unknown; known:")
    expect(other.edge("pair-plus")).to_have_text("4.0181%")
    other.close()


def test_what_is_under_way_is_found_again(browser: Browser, floor: InThread) -> None:
    """A deal that was begun, and a draft that another has taken the place of."""
    window = DesignerWindow(browser, floor).begin("three-card-poker", "simulate")
    page, panel = window.page, window.page.get_by_role("tabpanel")
    panel.get_by_label("Rounds").select_option("1000000")
    panel.get_by_role("button", name="Deal").click()
    page.get_by_role("tab", name="Outcomes").click()
    page.get_by_role("tab", name="Simulate").click()
    expect(panel).to_contain_text("the exact value lies", timeout=LONG_MS)
    window.check("studio-simulate")
    page.get_by_label("Pay of flush, Pair Plus").fill("3")
    expect(panel).to_contain_text("it was changed since")
    # A game without the part that is looked at is shown by its outcomes.
    page.get_by_role("tab", name="Progressive").click()
    page.get_by_label("Game").first.select_option("triple-shot-bonus")
    expect(page.get_by_role("tab", name="Outcomes")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Back to “My draft”").click()
    page.get_by_label("Game").first.select_option("triple-shot-rummy")
    expect(window.edge("ante")).to_have_text("3.2337%", timeout=LONG_MS)
    page.get_by_role("button", name="Back to “My draft”").click()
    expect(window.edge("pair-plus")).to_have_text("7.2760%", timeout=LONG_MS)
    # Dealers are trained by it as it stands.
    page.get_by_role("link", name="Train dealers by it").click()
    expect(page.get_by_label("Paytable of Pair Plus")).to_have_value("A:flush=3")
    window.close()


@pytest.mark.clause("TSB-26")
def test_the_hat_trick_is_joined_and_never_multiplied(browser: Browser, floor: InThread) -> None:
    window = DesignerWindow(browser, floor).begin("triple-shot-bonus", "joint")
    panel = window.page.get_by_role("tabpanel")
    expect(panel).to_contain_text("Never multiply.")
    expect(panel).to_contain_text("12.5146%")
    expect(panel).to_contain_text("9.4556%")
    expect(window.edge("hat-trick")).to_have_text("-25.1462%")
    window.write(window.page.get_by_label("Pay of no leg lost, Hat Trick"), "6")
    expect(window.edge("hat-trick")).to_have_text("12.3976%")
    expect(panel).to_contain_text("an edge of 12.3976%, and multiplying would have said")
    window.check("studio-joint")
    window.close()


@pytest.mark.clause("PGM-19", "TSB-27")
def test_the_studio_is_within_everybodys_reach(browser: Browser, floor: InThread) -> None:
    """The meter slid to where it is fair, a strategy, a comparison; axe on each of them."""
    window = DesignerWindow(browser, floor).begin()
    page, panel = window.page, window.page.get_by_role("tabpanel")
    window.check("studio")
    page.get_by_label("Meter, $").fill("10080")
    page.get_by_label("Meter, $").press("Enter")
    expect(window.edge("progressive")).to_have_text("0.0000%")
    slider = page.get_by_role("slider", name="Meter")
    window.focus(slider)
    slider.press("End")
    expect(window.edge("progressive")).to_contain_text("-")
    page.get_by_label("Pay of flush, Pair Plus").fill("3")
    expect(window.edge("pair-plus")).to_have_text("7.2760%")
    page.get_by_role("tab", name="Strategy").click()
    expect(panel).to_contain_text("Queen-Six-Four", timeout=LONG_MS)
    window.check("studio-strategy")
    page.get_by_role("tab", name="Compare").click()
    panel.get_by_role("button", name="Compare").click()
    expect(panel).to_contain_text("pair-plus pays flush 3 to 1, instead of 4 to 1", timeout=LONG_MS)
    window.check("studio-compare")
    page.get_by_role("tab", name="Confidence").click()
    window.resize(PHONE)
    window.check("studio-phone")
    window.resize(WIDE)
    window.close()
