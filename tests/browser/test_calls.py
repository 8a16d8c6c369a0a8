"""A dealer calls a supervisor by the keyboard alone, and the supervisor answers from the inbox."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.window import DealerWindow, Window
from tests.server.serving import InThread, in_thread


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('calls')}/floor.sqlite") as made:
        yield made


def test_a_call_from_the_keyboard_to_its_answer(browser: Browser, floor: InThread) -> None:
    """At a table without a link, before its first round."""
    supervisor = Window(browser, floor).sign_in("s1", "/inbox")
    dealer = DealerWindow(browser, floor).at("Bonus")
    dealer.keys("c")
    dialog = dealer.page.get_by_role("dialog", name="Call a supervisor")
    expect(dialog.get_by_label("Award")).to_be_disabled()
    dealer.tab_to(dialog.get_by_label("Misdeal"))
    dealer.check("console-call")
    # Arrows go through the reasons that may be called for; the first one follows the last.
    dealer.keys("ArrowUp")
    expect(dialog.get_by_label("Something else")).to_be_checked()
    words = dialog.get_by_label("In words")
    expect(words).to_have_attribute("required", "")
    dealer.tab_to(words)
    dealer.type("a lost wallet")
    dealer.keys("Enter")
    expect(dialog).to_have_count(0)
    told = dealer.page.get_by_role("listitem").filter(has_text="Supervisor called")
    expect(told).to_contain_text("something else: a lost wallet · Dan")
    # A dealer answers nobody.
    expect(told.get_by_role("button")).to_have_count(0)
    item = supervisor.page.locator("button.item").filter(has_text="Call · Bonus")
    expect(item).to_contain_text("Something else: a lost wallet")
    item.click()
    supervisor.check("inbox-call")
    supervisor.do(supervisor.page.get_by_role("button", name="Answer the call"))
    expect(supervisor.page.get_by_text("Nothing waits.")).to_be_visible()
    expect(told).to_have_count(0)
    dealer.close()
    supervisor.close()


def test_a_supervisor_answers_at_the_table(browser: Browser, floor: InThread) -> None:
    floor.as_("d1").do("call_supervisor", {"table": "FaceUp", "reason": "fill"})
    supervisor = DealerWindow(browser, floor).at("FaceUp", "s1")
    supervisor.check_narrow("console-called")
    supervisor.do(supervisor.page.get_by_role("button", name="Answer the call fill or credit"))
    expect(supervisor.page.get_by_text("Supervisor called")).to_have_count(0)
    supervisor.close()
