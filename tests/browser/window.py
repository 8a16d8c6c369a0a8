"""People in front of a browser: each has a window, and does what the screens offer."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Response, expect, sync_playwright

from tests import ROOT
from tests.server.serving import PIN, Served

SCREENS = ROOT / "build" / "screens"
AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FIND = """async ({asked, kinds}) => {
    const where = kinds ? {include: KINDS()} : document;
    const found = await axe.run(where, asked);
    return found.violations.flatMap(
        (one) => one.nodes.map((node) => `${one.id}: ${one.help}: ${node.html}`),
    );
}"""
"""Runs axe in the page; only what is told of a violation leaves it."""
KINDS = """() => {
    const grounds = new Map();
    const ground = (one) => {
        if (!one) return "";
        if (!grounds.has(one)) {
            const {backgroundColor, backgroundImage, opacity, position} = getComputedStyle(one);
            const place = position === "static" ? "" : position + one.className;
            const own = [backgroundColor, backgroundImage, opacity, place];
            grounds.set(one, ground(one.parentElement) + own.join());
        }
        return grounds.get(one);
    };
    const kinds = new Map();
    for (const one of document.body.querySelectorAll("*")) {
        const text = [...one.childNodes].map((node) => node.nodeType === 3 ? node.data : "");
        const length = text.join("").trim().length;
        const {width, height} = one.getBoundingClientRect();
        if (!length || !one.checkVisibility() || width < 2 || height < 2) continue;
        const {color, fontSize, fontWeight, textShadow} = getComputedStyle(one);
        const off = one.closest(":disabled, [aria-disabled=true]");
        const its = one.closest("label")?.control?.disabled;
        const style = [color, fontSize, fontWeight, textShadow, length > 1, !off, !its];
        const kind = style.join() + ground(one);
        kinds.set(kind, [kinds.get(kind)?.[0] ?? one, one]);
    }
    return [...new Set([...kinds.values()].flat())];
}"""
"""The first and the last text of each kind: of one colour and size, on the same ground.

Texts of one kind have one contrast, and axe takes long over each text.
"""
WITHIN = "found => found.isConnected ? found.contains(document.activeElement) : null"
"""Whether the focus is in something; null where that is on the page no more."""
STANDS = """() => {
    const main = document.querySelector("button.main");
    return {
        over: /^(over|void)/i.test(document.querySelector(".tag.phase")?.innerText ?? ""),
        blocked: main.querySelector(".blocks") !== null,
        decide: document.querySelector(".decide button") !== null,
        pad: document.querySelector(".pad h2")?.innerText ?? "",
        waits: main.disabled,
        main: main.innerText,
    };
}"""
"""How a round stands on the console, at one glance."""
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-site-isolation-trials", "--renderer-process-limit=1"]
"""A window starts no process that another one could do the work of."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NARROW_RULES = [
    *("target-size", "scrollable-region-focusable", "aria-hidden-focus"),
    *("button-name", "link-name", "label", "select-name", "image-alt", "summary-name"),
    *("heading-order", "page-has-heading-one", "landmark-one-main", "empty-table-header"),
]
"""Rules whose outcome a narrow window can change: it moves things, and hides some of them."""
WIDE, PHONE, WALL = (1366, 900), (360, 740), (1920, 1080)
SIZES = [
    pytest.param({"": WIDE, "-phone": PHONE}, id="desk and phone"),
    # Much as on a desk, with more room.
    pytest.param({"-wall": WALL}, id="wall", marks=pytest.mark.soak),
]
"""Sizes that every screen is looked at in, by what is added to the name of its picture."""
MOST_TABS = 120
PATIENCE_MS = 20_000
LONG_MS = 120_000
"""A process is started, and a cold game counted."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Pictures:
    """Whether tests leave pictures of what they see."""

    asked: bool = False


PICTURES = Pictures()


def program() -> str:
    """The browser of this machine; tests fail loudly where there is none."""
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise AssertionError(f"no browser is installed; install one of {', '.join(PROGRAMS)}")


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser that nobody sees."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        try:
            yield started
        finally:
            started.close()


class Window:
    """A window of a browser in which somebody works, and all that went wrong in it."""

    def __init__(
        self,
        browser: Browser,
        floor: Served,
        *,
        size: tuple[int, int] = WIDE,
        motion: str = "reduce",
    ) -> None:
        width, height = size
        self.context = browser.new_context(
            base_url=floor.address,
            viewport={"width": width, "height": height},
            color_scheme="light",
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
        )
        self.address = floor.address
        self.theme = "light"
        self.wrong: list[str] = []
        self.foreign: list[str] = []
        self.page = self.another(floor.address)

    def another(self, address: str) -> Page:
        """One more page of the same person."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._said)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((address, "data:", "blob:"))
                else self.foreign.append(request.url)
            ),
        )
        return page

    def _said(self, message: Any) -> None:
        # A refusal is an answer like any other, and a server that is away is told on the page.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.wrong.append(message.text)

    def close(self) -> None:
        """Go away; nothing may have gone wrong."""
        self.context.close()
        self.check_nothing_wrong()

    def check_nothing_wrong(self) -> None:
        """Nothing went wrong up to now, and nobody else was asked for anything."""
        assert self.wrong == []
        assert self.foreign == []

    def settle(self) -> None:
        """Wait until the page has done all that it began, and its focus rests."""
        # Mostly it has, which a glance tells; a page that is just left cannot be asked.
        with suppress(Error):
            if not self.page.evaluate("document.documentElement.hasAttribute('data-busy')"):
                return
        self.page.locator("html:not([data-busy])").wait_for(state="attached", timeout=LONG_MS)

    def paint(self) -> None:
        """Wait for the next frame: another size, theme or place is laid out only then."""
        self.page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        self.settle()

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size, and wait until the page is laid out for it."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        self.paint()

    def goto(self, path: str) -> None:
        """Go to a page, and wait until it is all there."""
        self.page.goto(path)
        self.settle()

    def reload(self) -> None:
        """Load the page again, and wait until it is all there."""
        self.page.reload()
        self.settle()

    def focus(self, locator: Locator) -> None:
        """Put the focus somewhere, once the page moves it no more."""
        self.settle()
        locator.focus()

    def keys(self, *keys: str) -> None:
        """Press one key after the other, each once the page is done with the one before."""
        for key in keys:
            self.settle()
            self.page.keyboard.press(key)
        self.settle()

    def tab_to(self, locator: Locator) -> None:
        """Go to something, or into it, by the Tab key alone."""
        self.settle()
        found = locator.element_handle()
        for _ in range(MOST_TABS):
            within = found.evaluate(WITHIN)
            if within is None:  # It was drawn anew.
                found = locator.element_handle()
                within = found.evaluate(WITHIN)
            if within:
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {locator}")

    def type(self, text: str) -> None:
        """Write text where the focus is."""
        self.settle()
        self.page.keyboard.type(text)

    def paste(self, text: str) -> None:
        """Put text where the focus is, all at once."""
        self.settle()
        self.page.keyboard.insert_text(text)

    def sign_in(self, card: str, path: str = "/") -> "Window":
        """Come with a session of that card, and go to a page."""
        self.come_as(card)
        self.goto(path)
        return self

    def come_as(self, card: str) -> None:
        """Come with a session of that card."""
        given = {"card": card, "pin": PIN, "code": ""}
        answer = self.context.request.post("/api/sign-in", data=given)
        assert answer.status == 200, answer.text()

    def sign_in_by_hand(self, card: str, path: str = "/") -> "Window":
        """Sign in as the screen asks for it, which then goes to a page."""
        self.goto(f"/sign-in?then={path}")
        self.page.get_by_label("Card", exact=False).first.fill(card)
        self.page.get_by_label("PIN").fill(PIN)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)
        self.settle()
        return self

    def heading(self, text: str) -> Locator:
        """A heading that is there."""
        found = self.page.get_by_role("heading", name=text)
        expect(found.first).to_be_visible()
        return found

    def answer(self, locator: Locator) -> Response:
        """Press something that sends a command, and wait for what comes of it."""
        with self.page.expect_response(lambda got: got.url.endswith("/api/commands")) as found:
            locator.click()
        return found.value

    def do(self, locator: Locator) -> None:
        """Press something that is done."""
        response = self.answer(locator)
        assert response.status == 200, response.text()

    def look(self, name: str, *, whole: bool = True) -> None:
        """Leave a picture for people to look at, of the whole page or of what the window shows.

        Only where pictures are asked for (`pytest --pictures`): they take their time.
        """
        if PICTURES.asked:
            SCREENS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=SCREENS / f"{name}-{self.theme}.png", full_page=whole)

    def check(self, name: str) -> None:
        """Nothing on the page is out of reach for anybody, in either theme; leaves pictures."""
        self._check(name, violations)
        # Another theme changes colours and nothing else.
        self.use_theme("dark")
        found = low_contrast(self.page)
        assert found == [], f"{name}, dark: {found}"
        self.look(name)
        self.use_theme("light")

    def check_narrow(self, name: str) -> None:
        """Nothing gets out of reach in a narrow window of what was checked in a wide one."""
        self.resize(PHONE)
        self._check(name, narrow_violations)
        if PICTURES.asked:
            self.use_theme("dark")
            self.look(name)
            self.use_theme("light")

    def check_sizes(self, name: str, sizes: Mapping[str, tuple[int, int]]) -> None:
        """Check the page in several sizes, by what is added to the name of its picture."""
        for shown, size in sizes.items():
            if size == PHONE:
                self.check_narrow(f"{name}{shown}")
            else:
                self.resize(size)
                self.check(f"{name}{shown}")

    def _check(self, name: str, find: Callable[[Page], list[str]]) -> None:
        self.settle()
        # What stays at the bottom covers nothing that could not be scrolled from under it.
        self.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        self.paint()
        found = find(self.page)
        assert found == [], f"{name}: {found}"
        assert self.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), f"{name} is wider than its window"
        self.look(name)

    def use_theme(self, theme: Literal["light", "dark"]) -> None:
        """Show the page as on a machine with that theme."""
        self.page.emulate_media(color_scheme=theme)
        self.theme = theme
        self.paint()


def violations(page: Page) -> list[str]:
    """List what axe finds on a page: each with its rule and its element."""
    but_contrast = {"color-contrast": {"enabled": False}}
    return [*run_axe(page, "tag", RULES, rules=but_contrast), *low_contrast(page)]


def narrow_violations(page: Page) -> list[str]:
    """List what axe finds by the rules for a narrow window."""
    return run_axe(page, "rule", NARROW_RULES)


def low_contrast(page: Page) -> list[str]:
    """List texts that are hard to read on their ground."""
    return run_axe(page, "rule", ["color-contrast"], kinds=True)


def run_axe(
    page: Page, kind: str, values: list[str], *, kinds: bool = False, **more: Any
) -> list[str]:
    """List what axe finds by these rules, on the whole page or in a text of each kind."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    asked = {
        "resultTypes": ["violations"],
        "selectors": False,
        "runOnly": {"type": kind, "values": values},
        **more,
    }
    script = FIND.replace("KINDS", f"({KINDS})")
    found: list[str] = page.evaluate(script, {"asked": asked, "kinds": kinds})
    return found


@contextmanager
def windows_by_card(browser: Browser, floor: Served) -> Iterator[Callable[[str], Window]]:
    """A window of each card, opened when it is first asked for; nobody signs in without one."""
    made: dict[str, Window] = {}

    def of(card: str) -> Window:
        if card not in made:
            made[card] = Window(browser, floor)
            if card:
                made[card].come_as(card)
        made[card].use_theme("light")
        made[card].resize(WIDE)
        return made[card]

    yield of
    for window in made.values():
        window.close()


class DealerWindow(Window):
    """A dealer at the console, who touches what is there and knows nothing else."""

    def at(self, table: str, card: str = "d1") -> "DealerWindow":
        """Sign in and stand at a table."""
        self.sign_in(card, f"/tables/{table}")
        expect(self.main).to_be_visible()
        return self

    @property
    def main(self) -> Locator:
        """The one button that goes on."""
        return self.page.locator("button.main")

    @property
    def phase(self) -> Locator:
        """The phase of the round."""
        return self.page.locator(".tag.phase")

    def seat(self, position: int) -> Locator:
        """A position."""
        return self.page.locator("li.seat").filter(
            has=self.page.get_by_role("heading", name=f"Position {position}", exact=False)
        )

    def press(self) -> str:
        """The main button, once what came before it is done; what it said."""
        self.rest("[aria-disabled=false]")
        said = self.main.inner_text()
        self.do(self.main)
        self.rest()
        return said

    def rest(self, main: str = ":is(:not([aria-disabled=true]), :has(.blocks))") -> None:
        """Wait until nothing is under way, no bet is still to be sent, and the button is so."""
        resting = "html:not([data-busy]):not(:has(li.seat p.muted[role=status]))"
        self.page.locator(f"{resting} button.main{main}").wait_for(state="attached")

    def bet(self, position: int, bets: dict[str, int]) -> None:
        """Chips on the spots of a position, in dollars; a lit progressive is one touch."""
        for name, dollars in bets.items():
            spot = self.seat(position).get_by_role("button", name=name).first
            if name == "Progressive":
                spot.click()
                continue
            for chip in (100, 25, 5, 1):
                if dollars >= chip:
                    self.page.get_by_role("button", name=f"Chip of ${chip}", exact=True).click()
                while dollars >= chip:
                    spot.click()
                    dollars -= chip

    def decide(self, *wishes: str) -> None:
        """The next decision that is asked for: the first wish that is offered."""
        asked = self.page.locator(".decide")
        for wish in wishes:
            found = asked.get_by_role("button", name=wish).first
            if found.is_visible():
                self.do(found)
                self.rest()
                return
        raise AssertionError(f"{asked.all_inner_texts()} offers none of {wishes}")

    def go_on(self, *wishes: str, until: str = "") -> list[str]:
        """What the screen says next, up to a step, the end, real cards or what blocks it.

        Returns what was pressed.
        """
        pressed: list[str] = []
        for _ in range(120):
            self.rest()
            at = self.page.evaluate(STANDS)
            if at["over"] or at["blocked"]:
                return pressed
            if at["pad"]:
                return pressed
            if at["decide"]:
                self.decide(*(wishes or ("Play", "Stand")))
                pressed.append("decide")
            elif at["waits"]:
                self.do(self.page.get_by_role("button", name="No more insurance"))
                pressed.append("close insurance")
            elif until and until in at["main"]:
                return pressed
            else:
                self.do(self.main)
                pressed.append(at["main"])
        raise AssertionError(f"the round does not end: {pressed}")
