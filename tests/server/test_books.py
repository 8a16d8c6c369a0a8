"""Cage, pit and reports as the server answers them: who may ask, and what may not be asked."""

import csv
import io
import json
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pyarrow.parquet
import pytest

from houseway.documents.books import report_paper, transfer_slip
from houseway.documents.document import Table
from houseway.floor.books import BOOKS
from houseway.floor.expectation import Expectation
from houseway.floor.statement import titles
from houseway.server.checkup import REPORT as VERIFICATION
from houseway.server.figures import Figures
from houseway.server.pit import _totals as totals_of
from houseway.server.requests import PeriodAsked
from tests.server.serving import PIN, Client, Dealer, InThread, Rigged, boldly, in_thread
from tests.waiting import wait_for

DECKS = ("As Ks Qs 9c 6d 2h Kh 9h 4d", "2c 7d 9h Ks Kd 3s 4c 8d Jh")
NOON = "2099-01-01T12:00:00.000000+00:00"
COUNT = {"count": {"10000": 3, "500": 2}, "total_cents": 31_000}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor on which a day has begun: a tray, a fill, two rounds."""
    folder = tmp_path_factory.mktemp("books")
    url = f"sqlite:///{folder / 'floor.sqlite'}"
    with in_thread(url, randomness=Rigged(*DECKS), now=NOON) as made:
        supervisor, cage = made.as_("s1"), made.as_("c1")
        signed = {"second": "d1"}
        both = {"pin": PIN, "second_pin": PIN}
        supervisor.do("count_opener", {"table": "Poker", **COUNT, **signed}, **both)
        asked = {"table": "Poker", "kind": "fill", "count": {"100": 50}, "total_cents": 5_000}
        slip = {"slip": supervisor.do("request_slip", asked, pin=PIN)["slip"]}
        cage.do("send_slip", slip, pin=PIN)
        supervisor.do("receive_slip", {**slip, **signed}, **both)
        dealer = Dealer(made.as_("d1"), "Poker")
        for _ in DECKS:
            dealer.begin("ante 10, pair-plus 5", "ante 20")
            assert list(dealer.steps(boldly))
        # What is expected is counted meanwhile; where nothing is compiled yet, that takes a while.
        auditor = made.as_("u1")
        wait_for(lambda: report(auditor, "expected").status_code == 200)
        yield made


def report(client: Client, name: str, **asked: str) -> Any:
    return client.http.get(f"/api/reports/{name}", params=asked)


@pytest.mark.parametrize("name", [*titles(), VERIFICATION])
def test_every_report_has_the_same_rows_and_sums_in_every_form(floor: InThread, name: str) -> None:
    auditor = floor.as_("u1")
    shown = report(auditor, name)
    assert shown.status_code == 200, shown.text
    found = shown.json()
    assert found["count"] == len(found["rows"])
    lines = [json.loads(line) for line in report(auditor, name, format="jsonl").text.splitlines()]
    assert lines == found["rows"]
    text = report(auditor, name, format="csv")
    assert text.headers["content-type"] == "text/csv; charset=utf-8"
    cells = list(csv.DictReader(io.StringIO(text.text)))
    packed = report(auditor, name, format="parquet").content
    table = pyarrow.parquet.read_table(io.BytesIO(packed))
    assert (
        [*table.column_names] == found["columns"] == [*(cells[0] if cells else table.column_names)]
    )
    for column, total in found["totals"].items():
        if column == "hold":
            continue
        assert sum(row[column] or 0 for row in found["rows"]) == total
        assert sum(float(row[column] or 0) for row in cells) == pytest.approx(total)
        assert sum(value or 0 for value in table[column].to_pylist()) == pytest.approx(total)


def test_what_was_played_is_what_the_rounds_came_to(floor: InThread) -> None:
    """Added up by hand from the lines that the console has shown."""
    [row] = report(floor.as_("s1"), "play").json()["rows"]
    assert (row["rounds"], row["void"], row["hands"]) == (2, 0, 4)
    assert row["wagered"] == {"ante": 6_000, "pair-plus": 1_000}
    shown = floor.as_("u1").get("/api/trail")
    assert any(event["kind"] == "round_ended" for event in shown["events"])
    won = 0
    for number in ("000001", "000002"):
        # Every line of the second round is on the console still; the first is in the trail.
        ended = [
            event
            for event in shown["events"]
            if event["kind"] == "round_ended" and event["data"]["number"] == int(number)
        ]
        won += sum(ended[0]["data"]["net"].values())
    console = floor.as_("d1").get("/api/tables/Poker")["round"]
    nets = [line["net"] for seat in console["positions"] for line in seat["lines"]]
    last = next(event for event in shown["events"] if event["kind"] == "round_ended")
    assert sum(last["data"]["net"].values()) == -sum(nets)
    assert row["won_cents"] == won


def test_the_pit_knows_the_day_after_a_restart(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    with in_thread(url, randomness=Rigged(DECKS[0]), now=NOON) as made:
        dealer = Dealer(made.as_("d1"), "Poker")
        dealer.begin("ante 10")
        assert list(dealer.steps(boldly))
        made.as_("s1").do("set_checkpoint", {})
        before = made.as_("s1").get("/api/pit")
    with in_thread(url, furnished=False, now=NOON) as again:
        after = again.as_("s1").get("/api/pit")
        assert after["totals"]["rounds"] == 1
        for view in (before, after):
            for tile in view["tables"]:
                tile.pop("band")
        assert after["tables"] == before["tables"]
        assert after["checkpoint_at"] == before["checkpoint_at"]


def test_what_is_expected_is_counted_once_however_many_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever asks at the same moment waits for the same; a second answer would end the thread."""

    class Slow(Future[Expectation]):
        def __init__(self) -> None:
            time.sleep(0.05)
            super().__init__()

    monkeypatch.setattr("houseway.server.figures.Future", Slow)
    monkeypatch.setattr(Figures, "_run", lambda _: None)
    figures = Figures(lambda: None)
    with ThreadPoolExecutor(4) as several:
        found = [*several.map(lambda _: figures._counted(("war", ())), range(4))]
    assert len({id(one) for one in found}) == 1
    assert figures._queue.qsize() == 1


def test_an_alert_is_acknowledged_once(floor: InThread) -> None:
    executive = floor.as_("e1")
    for _ in range(3):
        floor.client().sign_in("t1", "0000")
    [alert] = [one["alert"] for one in executive.get("/api/pit")["alerts"] if "t1" in one["alert"]]
    executive.do("acknowledge", {"alert": alert, "note": "her first day"})
    told = executive.ask("acknowledge", {"alert": alert})
    assert told.status_code == 409
    assert "acknowledged already" in told.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "cards"),
    [
        ("/api/cage", "cseuv"),
        ("/api/pit", "seuv"),
        ("/api/reports", "csaeuv"),
        ("/api/reports/master", "csaeuv"),
    ],
)
def test_pages_are_for_those_who_need_them(floor: InThread, path: str, cards: str) -> None:
    for card in "adsecuv":
        status = floor.as_(f"{card}1").http.get(path).status_code
        assert status == (200 if card in cards else 403), (card, path)
    assert floor.client().http.get(path).status_code == 401


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"first": "2999-01-01"}, "has not happened yet"),
        ({"first": "2026-02-30"}, "is not a day"),
        ({"first": "2026-W01-1"}, "is not a day"),
        ({"first": "0001-01-01"}, "is too early"),
        ({"first": "yesterday"}, "is not a day"),
        ({"first": "2026-01-02", "last": "2026-01-01"}, "is before"),
        ({"group": "colour"}, "group 'colour' is unknown"),
        ({"format": "exe"}, "format"),
        ({"day": "today"}, "day"),
        ({"table": "x" * 100}, "table"),
    ],
)
def test_what_may_not_be_asked_of_a_report(
    floor: InThread, asked: dict[str, str], words: str
) -> None:
    told = report(floor.as_("u1"), "master", **asked)
    assert told.status_code in (409, 422)
    assert words in told.json()["error"]["message"]


def test_a_report_that_there_is_not(floor: InThread) -> None:
    told = report(floor.as_("u1"), "profits")
    assert told.status_code == 409
    assert "report 'profits' is unknown" in told.json()["error"]["message"]
    assert set(BOOKS) < set(titles())
    known = {one["name"] for one in floor.as_("u1").get("/api/reports")["reports"]}
    assert known == {*titles(), VERIFICATION}


def test_the_verification_is_a_report_of_the_journal_as_it_stands(floor: InThread) -> None:
    auditor = floor.as_("u1")
    found = report(auditor, VERIFICATION).json()
    [row] = found["rows"]
    assert (row["holds"], row["first_bad_record"], row["from_record"]) == (True, None, 1)
    assert 0 < row["upto_record"] <= row["records_now"]
    for asked in ({"first": "2026-01-01"}, {"table": "Poker"}):
        told = report(auditor, VERIFICATION, **asked)
        assert told.status_code == 422
        assert "verified as a whole, as it stands now" in told.json()["error"]["message"]


def test_no_secret_of_anybody_is_in_a_report(floor: InThread) -> None:
    text = report(floor.as_("u1"), "system").text
    assert "card_issued" not in text
    assert "card issued" in text
    assert "argon2" not in text


def test_a_formula_in_a_reason_stays_text(floor: InThread) -> None:
    asked = {"table": "Poker", "kind": "credit", "count": {"100": 1}, "total_cents": 100}
    slip = floor.as_("s1").do("request_slip", asked, pin=PIN)["slip"]
    void = {"slip": slip, "second": "c1", "reason": "=1+1"}
    floor.as_("s1").do("void_slip", void, pin=PIN, second_pin=PIN)
    text = report(floor.as_("u1"), "slips", format="csv").text
    assert list(csv.DictReader(io.StringIO(text)))[-1]["reason"] == "'=1+1"


def test_the_cage_follows(floor: InThread) -> None:
    with floor.as_("c1").listen("cage") as stream:
        stream.next()
        asked = {"table": "Poker", "kind": "credit", "count": {"100": 1}, "total_cents": 100}
        slip = floor.as_("s1").do("request_slip", asked, pin=PIN)["slip"]
        stream.until(lambda _, view: any(one["slip"] == slip for one in view["slips"]))
    void = {"slip": slip, "second": "c1", "reason": "a test"}
    floor.as_("s1").do("void_slip", void, pin=PIN, second_pin=PIN)
    wait_for(lambda: not floor.as_("c1").get("/api/cage")["slips"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_is_drawn_from_the_rows(floor: InThread, theme: str) -> None:
    auditor = floor.as_("u1")
    for name in ("progressive", "expected", "master"):
        answer = auditor.http.get(f"/api/reports/{name}/chart", params={"theme": theme})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")
        assert "Royal" in answer.text or name != "progressive"
        grouped = auditor.http.get(f"/api/reports/{name}/chart", params={"group": "day"})
        assert (grouped.status_code, "added up" in grouped.text) == (422, True)
    told = auditor.http.get("/api/reports/slips/chart")
    assert (told.status_code, "has no chart" in told.text) == (409, True)
    assert floor.as_("d1").http.get("/api/reports/master/chart").status_code == 403


def test_papers_are_printed(floor: InThread) -> None:
    cage = floor.as_("c1")
    for path in (
        "/api/reports/master?format=pdf",
        "/api/reports/slips?format=pdf",
        "/api/reports/pace?format=pdf",
        "/api/reports/drops?format=pdf",
        "/api/cage/slips/1",
        "/api/cage/trays/Poker/1/opener",
    ):
        answer = cage.http.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")
    # The same slip is the same paper, whenever it is printed.
    assert cage.http.get("/api/cage/slips/1").content == cage.http.get("/api/cage/slips/1").content
    for path, status in (
        ("/api/cage/slips/999", 404),
        ("/api/cage/slips/0", 422),
        ("/api/cage/slips/one", 422),
        ("/api/cage/trays/Poker/1/closer", 404),
        ("/api/cage/trays/Nowhere/1/opener", 404),
        ("/api/cage/trays/Poker/1/middle", 422),
    ):
        assert cage.http.get(path).status_code == status, path
    assert floor.as_("d1").http.get("/api/cage/slips/1").status_code == 403


def test_what_a_slip_says_on_paper(floor: InThread) -> None:
    [row] = [row for row in floor.room.every("slips") if row["slip"] == 1]
    texts = list(transfer_slip(row, floor.room.clock).texts())
    assert texts[0] == "Fill slip 1"
    assert {"Poker", "$50.00", "c1", "$1.00", "50"} <= {text.split(",")[0] for text in texts}
    assert "d1" in next(text for text in texts if text.startswith("s1 with"))
    named = list(transfer_slip(row, floor.room.clock, floor.room.holder).texts())
    assert any(text.startswith("Sue (s1) with Dan (d1)") for text in named)


def test_a_report_on_paper_has_no_more_columns_than_fit(floor: InThread) -> None:
    """Every row of these has a paper of its own, and the files have every column."""
    found = floor.room.report("win-pages", PeriodAsked())
    assert len(found.columns) > 40
    [_, table] = report_paper(
        replace(found, rows=[dict.fromkeys(found.columns)]), floor.room.clock, found.period.first
    ).blocks
    assert isinstance(table, Table)
    assert len(table.columns) < 20


def test_nothing_is_drawn_of_tables_that_are_not_counted(floor: InThread) -> None:
    found = report(floor.as_("u1"), "master").json()
    assert (found["count"], found["chart"]) == (1, False)


def test_the_hold_of_the_floor_is_of_tables_whose_boxes_are_counted() -> None:
    nothing = {"rounds": 1, "wagered_cents": 0, "since_cents": 0, "band": None, "open": True}
    counted = {**nothing, "won_cents": -1_000, "drop_cents": 10_000}
    uncounted = {**nothing, "won_cents": 90_000, "drop_cents": 0}
    found = totals_of([counted, uncounted])
    assert (found["won_cents"], found["drop_cents"], found["hold"]) == (89_000, 10_000, -0.1)
    assert totals_of([uncounted])["hold"] is None
