"""A day of chips in a browser: counted, brought, dropped, closed, and what the books say of it."""

import csv
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from houseway.journal.journal import events
from houseway.journal.store import open_to_read
from tests.browser.window import LONG_MS, PHONE, WIDE, Window
from tests.server.serving import PIN, Dealer, InThread, Rigged, boldly, in_thread

SECOND = re.compile("^Second card")
DECK = "As Ks Qs 9c 6d 2h Kh 9h 4d"
OPENER = {"$100.00": 10, "$25.00": 20, "$5.00": 40, "$1.00": 50}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("books")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}", randomness=Rigged(DECK)) as made:
        yield made


def button(within: Window | Locator, name: str) -> Locator:
    page = within.page if isinstance(within, Window) else within
    return page.get_by_role("button", name=name, exact=True)


def count(window: Window, chips: dict[str, int], said: str) -> None:
    dialog = window.page.get_by_role("dialog")
    for worth, pieces in chips.items():
        dialog.get_by_label(f"{worth} pieces", exact=True).fill(str(pieces))
    dialog.get_by_label("Total on the slip").fill(said)


def sign(window: Window, second: str = "") -> None:
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_label("Your PIN").fill(PIN)
    if second:
        dialog.get_by_role("textbox", name=SECOND).fill(second)
        dialog.get_by_label("PIN of the second card").fill(PIN)
    window.do(dialog.get_by_role("button", name="Sign"))
    expect(dialog).to_have_count(0)


def summed(floor: InThread) -> int:
    """What the house has won at Poker, added up from the raw events by hand."""
    engine = open_to_read(floor.url)
    total = 0
    with engine.connect() as connection:
        for event in events(connection):
            match event.kind:
                case "tray_opened":
                    total -= event.data["total_cents"]
                case "tray_closed" | "drop_counted":
                    total += event.data["total_cents"]
                case "slip_over":
                    total += event.data["credit_cents"] - event.data["fill_cents"]
    engine.dispose()
    return total


def test_a_day_from_opening_to_closing(browser: Browser, floor: InThread) -> None:
    supervisor = Window(browser, floor).sign_in("s1", "/cage")
    cage = Window(browser, floor).sign_in("c1", "/cage")
    button(supervisor, "Count the opener Poker").click()
    # What is no amount is told at once. A total that the count does not come to is refused, and
    # nothing is lost of what was typed.
    dialog = supervisor.page.get_by_role("dialog")
    count(supervisor, OPENER, "many")
    expect(dialog).to_contain_text("Type an amount such as")
    assert dialog.locator("input:invalid").count() >= 1
    count(supervisor, OPENER, "1,800")
    expect(dialog).not_to_contain_text("Type an amount such as")
    dialog.get_by_label("Your PIN").fill(PIN)
    dialog.get_by_role("textbox", name=SECOND).fill("d1")
    dialog.get_by_label("PIN of the second card").fill(PIN)
    refused = supervisor.answer(dialog.get_by_role("button", name="Sign"))
    assert refused.status == 422
    expect(dialog).to_contain_text("The denominations come to $1,750.00")
    supervisor.look("cage-refused")
    dialog.get_by_label("Total on the slip").fill("1,750")
    sign(supervisor, "d1")
    expect(supervisor.page.get_by_role("row", name="Poker")).to_contain_text("$1,750.00")

    # A fill: asked for over the table, sent by the cage, received at the table.
    button(supervisor, "Fill Poker").click()
    count(supervisor, {"$100.00": 3}, "300")
    sign(supervisor)
    button(cage, "Send 1").click()
    sign(cage)
    button(supervisor, "Receive 1").click()
    sign(supervisor, "d1")
    expect(supervisor.page.get_by_text("No chips are on their way.")).to_be_visible()
    # A slip that comes to nothing keeps its number.
    button(supervisor, "Credit Poker").click()
    count(supervisor, {"$100.00": 1}, "100")
    sign(supervisor)
    button(supervisor, "Void 2").click()
    dialog.get_by_label("Reason").fill("asked for by mistake")
    sign(supervisor, "c1")
    button(supervisor, "Credit Poker").click()
    count(supervisor, {"$25.00": 4}, "100")
    sign(supervisor)
    button(supervisor, "Send 3").click()
    sign(supervisor, "d1")
    button(cage, "Receive 3").click()
    sign(cage)

    dealer = Dealer(floor.as_("d1"), "Poker")
    dealer.begin("ante 10, pair-plus 5")
    list(dealer.steps(boldly))

    button(supervisor, "Change the box Poker").click()
    sign(supervisor, "v1")
    button(cage, "Count it 1").click()
    count(cage, {"$20.00": 30, "$0.10": 5}, "600.50")
    sign(cage, "u1")
    button(supervisor, "Count the closer Poker").click()
    count(supervisor, {"$100.00": 12, "$5.00": 8}, "1240")
    sign(supervisor, "d1")
    expect(supervisor.page.get_by_role("row", name="Poker")).to_contain_text("closed")
    cage.close()

    # What the master report says is what the events come to.
    won = summed(floor)
    assert won == 124_000 + 10_000 + 60_050 - 175_000 - 30_000
    supervisor.goto("/reports")
    supervisor.heading("Daily master report")
    foot = supervisor.page.locator("tfoot")
    expect(foot).to_contain_text(f"-${-won / 100:,.2f}")
    supervisor.look("report-master")
    expect(supervisor.page.get_by_text("all tables · 1 row · made ")).to_be_visible()
    # Nothing is cut off where it is printed.
    supervisor.page.emulate_media(media="print")
    supervisor.resize((980, 700))
    box = supervisor.page.get_by_role("region", name="Rows: Daily master report")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    supervisor.page.emulate_media(media="screen")
    supervisor.resize(WIDE)
    with supervisor.page.expect_download() as downloaded:
        supervisor.page.get_by_role("link", name="csv").click()
    rows = list(csv.DictReader(io.StringIO(downloaded.value.path().read_text(encoding="utf-8"))))
    assert sum(int(row["win_cents"]) for row in rows) == won
    supervisor.page.get_by_role("combobox").first.select_option(label="Slips by number")
    button(supervisor, "Show").click()
    supervisor.heading("Slips by number")
    numbers = supervisor.page.locator("tbody tr td:first-child").all_inner_texts()
    assert numbers == ["1", "2", "3"]
    voided = supervisor.page.get_by_role("row", name="asked for by mistake")
    expect(voided).to_contain_text("1 \N{MULTIPLICATION SIGN} $100.00")
    supervisor.close()
    # The paper of a slip is beside its records.
    auditor = Window(browser, floor).sign_in("u1", "/audit?kind=slip_voided")
    slip = auditor.page.get_by_role("link", name="Print slip")
    expect(slip).to_have_attribute("href", "/api/cage/slips/2")
    auditor.close()


def test_the_pit_sees_what_was_played(browser: Browser, floor: InThread) -> None:
    dealer = Dealer(floor.as_("d1"), "Rummy")
    dealer.begin("ante 10, pair-plus 5")
    list(dealer.steps(boldly))
    window = Window(browser, floor).sign_in("s1", "/pit")
    window.heading("Pit")
    tile = window.page.locator(".tile").filter(has=window.page.get_by_role("link", name="Rummy"))
    expect(tile.first).to_contain_text("Triple Shot Rummy · 1 of 7 seats · Dealer Dan")
    window.do(button(window, "Set a checkpoint"))
    for number in ("Won", "Since the checkpoint", "Pace", "Rounds", "Drop", "Hold", "Expected"):
        hint = tile.first.get_by_role("button", name=re.compile(f"{number}, Rummy"))
        hint.click()
        expect(tile.first.locator(".explained:popover-open")).to_contain_text(f"{number}, Rummy.")
        window.keys("Escape")
    # What should have been won is counted meanwhile, and then shown.
    chart = window.page.get_by_role("heading", name="Won against expected")
    expect(chart).to_be_visible(timeout=LONG_MS)
    window.check("pit-counted")
    tile.first.get_by_role("link", name="Rows Rummy").click()
    window.heading("Play by table and shift")
    # Every number leads to the rows that it comes from.
    for number, report in (
        ("Won", "Play by table and shift"),
        ("Pace", "Pace and utilisation"),
        ("Drop", "Daily master report"),
        ("Expected", "Win against expected"),
    ):
        window.page.go_back()
        window.settle()
        tile.first.get_by_role("link", name=re.compile(f"^{number}, Rummy: ")).click()
        window.heading(report)
    window.close()


def test_the_pace_that_is_looked_for_is_set_in_the_pit(browser: Browser, floor: InThread) -> None:
    window = Window(browser, floor).sign_in("s1", "/pit")
    window.page.get_by_text("Pace that is looked for").click()
    form = window.page.get_by_role("form", name="Pace of Three Card Poker", exact=True)
    form.get_by_label("At least").fill("300")
    form.get_by_label("At most").fill("200")
    assert window.answer(form.get_by_role("button")).status == 422
    expect(window.page.get_by_text("Low 300 is more than high 200")).to_be_visible()
    form.get_by_label("At least").fill("20")
    window.do(form.get_by_role("button"))
    tiles = floor.as_("s1").get("/api/pit")["tables"]
    assert {"pace_low": 20, "pace_high": 200}.items() <= tiles[3].items()
    window.close()


@pytest.mark.parametrize("path", ["/cage", "/pit", "/reports"])
def test_books_are_within_everybodys_reach(browser: Browser, floor: InThread, path: str) -> None:
    window = Window(browser, floor).sign_in("s1", path)
    window.heading({"/cage": "Trays", "/pit": "Tables", "/reports": "Daily master"}[path])
    window.check_sizes(path[1:], {"": WIDE, "-phone": PHONE})
    if path == "/cage":
        button(window, "Count the opener Bonus").click()
        expect(window.page.get_by_role("dialog")).to_be_visible()
        window.check("cage-count")
    window.close()


def test_a_day_that_has_not_happened_has_no_report(browser: Browser, floor: InThread) -> None:
    window = Window(browser, floor).sign_in("u1", "/reports?first=2999-01-01&last=2999-01-01")
    expect(window.page.get_by_text("2999-01-01 has not happened yet")).to_be_visible()
    window.close()
