"""Training in a browser, by keyboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Window
from tests.serving import InThread, in_thread


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("training")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}") as made:
        yield made


def test_first(browser: Browser, floor: InThread) -> None:
    window = Window(browser, floor)
    page = window.page
    page.goto("/training?rng_seed=5")
    window.heading("Dealer training")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    window.check("training-choose")
    page.get_by_label("Your name").fill("Kim")
    page.keyboard.press("Enter")
    window.heading("Dealer training: Three Card Poker")
    window.look("training-drill")
    page.locator(".field-box input").first.focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    window.check("training-graded")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    window.close()
