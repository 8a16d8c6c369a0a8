"""The records of a floor: every field, every change explained, sums that are counted beside."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import StringIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet
import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from houseway.cli import main
from houseway.cli.export import _write
from houseway.cli.record import _print_again
from houseway.floor.bank import deposit_due, liability_cents
from houseway.floor.books import BOOKS
from houseway.floor.camera import CAMERA_ABOVE_CENTS
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.paper import LINES, WIDTH, exact_text, printed, tax_words
from houseway.floor.records import (
    COUNTED,
    adjustment_slips,
    coin_in,
    coin_in_total,
    deposit_worksheet,
    meters_snapshot,
    progressive_record,
    reconciliation,
    tax_flag,
    win_pages,
)
from houseway.floor.reports import COLUMNS, REPORTS, report
from houseway.house.meters import MICROCENTS
from houseway.journal.audit import verify
from houseway.journal.event import Event
from houseway.journal.rebuild import differences
from houseway.live.state import Round
from tests.floor.decks import stacked
from tests.floor.room import CHECKED, ON_CAMERA, SETTINGS, Room
from tests.floor.room import Clock as Calendar
from tests.floor.test_floor import OTHER_SUIT, SPADES, all_events, levels
from tests.floor.workload import UNITS, Day, do_one, set_up

PIN = "4711"
PIN_HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
ODD = {"contribution_ppm": 142_857, "reserve_ppm": 50_000, "meter_seed_cents": 250_000}
TWO = ("three-card-poker", "three-card-poker")
NEVER_DOWN = (
    *("hits", "won_cents", "starts", "contributed_microcents", "reserve_contributed_microcents"),
    *("overflow_in_microcents", "meter_seed_microcents"),
)


class Clock:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.day, self.time = "2026-01-15", "20:13:00"

    def __call__(self) -> str:
        return f"{self.day}T{self.time}.000000+00:00"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(database: str, clock: Clock) -> Iterator[Room]:
    """A floor with nobody on it yet; whatever happened there must hold in the end."""
    made = Room(database, clock=clock)
    yield made
    with made.journal.engine.connect() as connection:
        assert verify(connection).holds
        assert list(differences(connection, FloorModel())) == []
    made.journal.close()


@pytest.fixture
def ask(
    room: Room, clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """`houseway record` on that floor: what it prints; refused, what it says then."""
    monkeypatch.setattr("houseway.journal.timekeeper.utc_now", clock)

    def asked(*arguments: str) -> str:
        code = main(["record", *arguments, "--database", room.journal.url])
        said = capsys.readouterr()
        assert (code, said.out if code else said.err) in ((0, ""), (2, ""))
        return said.err if code else said.out

    return asked


def play(room: Room, *seats: int, table: str = "T1", cents: int = 100) -> None:
    """A round whose progressive wagers are taken, and which has no cards yet."""
    room.start(table, *seats, cents=cents)


def wager(room: Room, cents: Mapping[int, int], table: str = "T1") -> None:
    """The same with a wager of its own for every seat."""
    room.do("d1", "open_round", table=table)
    for seat, wagered in cents.items():
        bets = f"ante 5, progressive {wagered / 100:.2f}"
        room.say(table, f"bets {seat} by player {seat}: {bets}")
    room.say(table, "no more bets")
    room.say(table, "start game")


def under_way(room: Room, table: str) -> Round:
    """The round at a table."""
    found = round_of(room.state.streams[f"table:{table}"])
    assert found is not None
    return found


def chosen(room: Room, seat: int, hand: str = SPADES, table: str = "T1") -> int:
    """The cards of a round, and the button of the only hand that wins; what it waits for."""
    found = under_way(room, table)
    if found.shuffle is None:
        room.deal(table, {**dict.fromkeys(found.lit()), seat: hand})
    return room.press(table, seat, hand)


def played(room: Room, table: str = "T1") -> None:
    """The rest of a round that was started: nobody wins."""
    room.deal(table, dict.fromkeys(under_way(room, table).lit()))
    room.say(table, "close")


def void(room: Room, table: str = "T1") -> None:
    """A supervisor makes the round void."""
    room.do("s1", "round", table=table, text="void ruling: a card face up")


def win(room: Room, seat: int, hand: str = SPADES, table: str = "T1", card: str = "e1") -> Any:
    """An award from the cards to the end of its round."""
    confirmed = awarded(room, seat, hand, table, card)
    end_paid(room, confirmed, table)
    return confirmed


def awarded(room: Room, seat: int, hand: str = SPADES, table: str = "T1", card: str = "e1") -> Any:
    """An award that is confirmed and not yet paid."""
    chosen(room, seat, hand, table)
    if not room.state.streams[f"table:{table}"].called_at:
        room.do("d1", "call_supervisor", table=table)
    return room.confirm(table, seat, card)


def end_paid(room: Room, confirmed: Mapping[str, Any], table: str) -> None:
    """The award of a page and the envy are paid, and the round ends."""
    page = confirmed["page"]
    if confirmed["amount_cents"] > 300_000:
        room.on_camera(table, page)
    if len(under_way(room, table).lit()) > 1:
        room.say(table, "pay envy")
    room.do("c1", "pay_award", table=table, page=page, reference="cheque 1")
    room.say(table, "close")


def by_cheque(room: Room, page: int = 1, table: str = "T1") -> None:
    """The winner asks for a cheque, and the round ends without it."""
    room.on_camera(table, page)
    asked = {"table": table, "page": page, "reference": "slip 1", "method": "cheque"}
    room.do("s1", "pay_award", **asked)
    room.say(table, "close")


def hand_cheque(room: Room, page: int = 1) -> Any:
    asked = {"link": "L", "page": page, "reference": "cheque 1001", "pin_held": True}
    return room.do("c1", "hand_cheque", **asked)


def adjust(room: Room, cents: int, reason: str, level: str = "single", **more: Any) -> Any:
    return room.do(
        "s1",
        "adjust",
        link="L",
        level=level,
        cents=cents,
        reason=reason,
        text="the sensor of spot 3 counted twice",
        second="c1",
        pin_held=True,
        second_pin_held=True,
        **more,
    )


def fields(text: str) -> dict[str, str]:
    """The fields of a printed record; what is wrapped is put together again."""
    found: dict[str, str] = {}
    last = ""
    for line in text.splitlines()[4:]:
        label, value = line[:16].rstrip(), line[16:]
        last = label or last
        found[last] = f"{found[last]} {value}" if not label and last in found else value
    return found


# Win pages.


@pytest.mark.clause("PGM-13", "PNX-14", "PGM-16", "PNX-16")
def test_a_win_page_has_every_field_and_json_says_the_same(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD}, threshold=100_000)
    play(room, 1, 3)
    win(room, 3)
    text = ask("win-page", "--link", "L", "--page", "1")
    assert max(map(len, text.splitlines())) <= WIDTH
    [record] = [e for e in all_events(room) if e.kind == "meter_awarded"]
    # 14.2857% of $2.00 came in, and 5% of it is what it starts again with besides $2,500.00.
    assert fields(text) == {
        "Serial number": "L-000001",
        "Date": "2026-01-15",
        "Time": "20:13:00 UTC",
        "Table": "T1, round 1",
        "Seat": "3, player 3",
        "Game": "three-card-poker",
        "Paytable": "three-card-progressive 1",
        "Hand": "akq spades, 100% of the meter",
        "Wager": "$1.00",
        "Amount": "$2,500.28",
        "Meter": "single of link L",
        "Before": "$2,500.28",
        "After": "$2,500.10, started again",
        "Dealer": "Dan, dealer, card d1",
        "Confirmed by": "Eve, executive, card e1",
        "On camera": "not looked at",
        "Paid": "chips, reference cheque 1; 2026-01-15 20:13:00 UTC by Cal, cage, card c1",
        "Cheque": "none",
        "Adjustments": "none",
        "Won in all": "$2,500.28",
        "Tax form": "yes: 300 times the wager or more, and $2,000.00 or more",
        "Reprints": "none",
        "Record": str(record.position),
        "Hash": record.hash,
    }
    page = json.loads(ask("win-page", "--link", "L", "--page", "1", "--json"))
    assert (page["serial"], page["amount_cents"], page["wager_cents"]) == ("L-000001", 250_028, 100)
    assert (page["confirmed_by"], page["confirmed_by_name"]) == ("e1", "Eve")
    assert (page["before_cents"], page["after_cents"]) == (250_028, 250_010)
    assert (page["tax_flag"], page["hash"], page["reprints"]) == (True, record.hash, [])
    assert page["version"] in text
    # A slip that names the page is found from it.
    adjust(room, -500, "won", page=1)
    assert fields(ask("win-page", "--link", "L", "--page", "1"))["Adjustments"] == "slip 1"


@pytest.mark.clause("PGM-13", "PNX-14", "PML-14")
def test_serial_numbers_have_no_gaps_whatever_was_refused_or_void(room: Room) -> None:
    meters = levels(mega=5_000_000, major=500_000)
    eligible = {"folded_hand_progressive": "eligible"}
    room.set_up(
        paytable="ML01", progressive="five-card-link", meters=meters, options=eligible, games=TWO
    )
    for number, hand in enumerate(("straight_flush", "royal_flush", "straight_flush"), start=1):
        play(room, 2)
        void(room)
        play(room, 5, table="T2", cents=500)
        assert win(room, 5, hand, "T2")["page"] == number
    pages = win_pages(all_events(room))
    assert [page["serial"] for page in pages] == ["L-000001", "L-000002", "L-000003"]
    assert [page["pays"] for page in pages] == [
        "100% of Major",
        "100% of Mega",
        "100% of Major",
    ]


@pytest.mark.parametrize(
    ("cents", "wager", "year", "flagged", "words"),
    [
        (250_000, 500, 2026, True, "yes: 300 times the wager or more, and $2,000.00 or more"),
        (50_000, 100, 2026, False, "no: less than $2,000.00"),
        (199_999, 1, 2026, False, "no: less than $2,000.00"),
        (200_000, 100, 2027, True, "yes: 300 times the wager or more, and $2,000.00 or more"),
        (200_000, 667, 2026, False, "no: less than 300 times the wager"),
        (60_000, 200, 2025, True, "yes: 300 times the wager or more, and $600.00 or more"),
        (59_999, 100, 2024, False, "no: less than $600.00"),
    ],
)
def test_the_tax_flag_follows_the_year_and_the_wager(
    cents: int, wager: int, year: int, flagged: bool, words: str
) -> None:
    assert tax_flag(cents, wager, year) is flagged
    assert tax_words(cents, wager, year) == words


UMA = {"same_person_as": "u1", "pin_hash": PIN_HASH}


@pytest.mark.clause("PGM-13", "PNX-14")
def test_reading_writes_nothing_and_a_reprint_is_kept_numbered_and_marked(
    room: Room, ask: Callable[..., str], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.set_up(meters={"single": ODD})
    for card, role in (("u9", "auditor"), ("d9", "dealer")):
        room.do("a1", "issue_card", card=card, name="Uma", role=role, **UMA)
    play(room, 3)
    win(room, 3)
    page = ("win-page", "--link", "L", "--page", "1")

    def again(card: str, pin: str) -> str:
        monkeypatch.setattr("sys.stdin", StringIO(f"{pin}\n"))
        return ask(*page, "--reprint", card)

    written = len(all_events(room))
    first = ask(*page)
    assert first == ask(*page)
    assert "REPRINT" not in first
    assert len(all_events(room)) == written
    # A page that there is not is not asked of the journal, and nobody types a PIN for it.
    assert "from 1 to 1" in ask("win-page", "--link", "L", "--page", "2", "--reprint", "u9")
    assert len(all_events(room)) == written
    assert "PIN of card 'u9' is wrong; 2 tries are left" in again("u9", "0000")
    assert "no PIN of card 'u9' is given" in again("u9", "")
    monkeypatch.setattr("sys.stdin", None)
    assert "no PIN of card 'u9' is given" in ask(*page, "--reprint", "u9")
    assert "1 tries are left" in again("u9", "0000")
    assert "this takes supervisor, executive, cage, auditor" in again("d9", PIN)
    assert "unknown" in again("zz", PIN)
    assert ask(*page) == first
    clock.day = "2026-01-16"
    second = again("u9", PIN)
    assert second.splitlines()[4].strip() == "REPRINT 1"
    told = "1 by Uma, auditor, card u9, 2026-01-16 20:13:00 UTC"
    assert fields("\n".join(second.splitlines()[2:]))["Reprints"] == told
    third = again("u9", PIN)
    assert third.splitlines()[4].strip() == "REPRINT 2"
    assert told in " ".join(third.split())
    # Whoever reads it later sees what was the last copy; all else is as it was.
    assert ask(*page) == third
    once, now = fields(first), fields("\n".join(third.splitlines()[2:]))
    assert once.pop("Reprints") == "none"
    assert now.pop("Reprints").startswith(told)
    assert now == once
    kept = [e for e in all_events(room) if e.kind == "reprinted"]
    assert [(e.actor, e.data["page"]) for e in kept] == [("u9", 1), ("u9", 1)]
    numbers = json.loads(ask(*page, "--json"))["reprints"]
    assert [one["number"] for one in numbers] == [1, 2]


def test_of_two_reprints_at_once_each_copy_has_its_own_number(
    room: Room, ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room.set_up(meters={"single": ODD})
    room.do("a1", "issue_card", card="u9", name="Uma", role="auditor", **UMA)
    play(room, 3)
    win(room, 3)

    def and_another(*asked: Any) -> str:
        key = _print_again(*asked)
        room.do("s1", "reprint_page", link="L", page=1)
        return key

    monkeypatch.setattr("sys.stdin", StringIO(f"{PIN}\n"))
    monkeypatch.setattr("houseway.cli.record._print_again", and_another)
    page = ("win-page", "--link", "L", "--page", "1")
    mine = ask(*page, "--reprint", "u9")
    assert "REPRINT 1\n" in mine
    assert "Sue" not in mine
    assert "REPRINT 2\n" in ask(*page)


def test_a_pin_is_not_shown_where_somebody_types_it(
    room: Room, ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room.set_up(meters={"single": ODD})
    room.do("a1", "issue_card", card="u9", name="Uma", role="auditor", **UMA)
    play(room, 3)
    win(room, 3)
    asked = []

    def typed(question: str) -> str:
        asked.append(question)
        return PIN

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("houseway.cli.record.getpass", typed)
    assert "REPRINT 1" in ask("win-page", "--link", "L", "--page", "1", "--reprint", "u9")
    assert asked == ["PIN of card u9: "]


PAGE = ("win-page", "--link", "L", "--page", "1")


@pytest.mark.clause("PGM-13", "PNX-14", "PNX-16")
def test_a_page_whose_award_was_backed_out_is_marked_with_the_slip(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up()
    play(room, 1, 2)
    awarded(room, 2)
    room.on_camera("T1", 1)
    assert fields(ask(*PAGE))["Paid"] == "not yet"
    adjust(room, -7, "display_error")
    adjust(room, 1_000_040, "award_backed_out", page=1)
    marked = ask(*PAGE).splitlines()
    assert marked[4].strip() == "BACKED OUT BY SLIP 2"
    shown = fields("\n".join(marked[2:]))
    assert (shown["Paid"], shown["Adjustments"]) == ("no: backed out by slip 2", "slip 2")
    # What was won stands there still, and nothing of it is reported.
    assert (shown["Amount"], shown["Won in all"]) == ("$10,000.40", "$0.00")
    assert shown["Tax form"] == "no: less than $2,000.00"
    # The hand is chosen again: its page is another, and it is looked at again.
    assert awarded(room, 2)["page"] == 2
    first, second = win_pages(all_events(room))
    said = ("backed_out_by_slip", "won_cents", "tax_flag", "seen_by_name", "paid_at", "slips")
    assert [first[name] for name in said] == [2, 0, False, "Viv", None, [2]]
    assert [second[name] for name in said] == [None, second["amount_cents"], True, None, None, []]
    room.on_camera("T1", 2)
    room.say("T1", "pay envy")
    room.do("c1", "pay_award", table="T1", page=2, reference="slip 1")
    room.say("T1", "close")
    again, second = win_pages(all_events(room))
    assert again == first
    assert (second["seen_by_name"], second["paid_by_name"], second["method"]) == (
        "Viv",
        "Cal",
        "chips",
    )
    assert "BACKED OUT" not in ask(*PAGE[:-1], "2")
    # A copy has both marks.
    room.do("s1", "reprint_page", link="L", page=1)
    lines = ask(*PAGE).splitlines()
    assert (lines[4].strip(), lines[6].strip()) == ("REPRINT 1", "BACKED OUT BY SLIP 2")


@pytest.mark.clause("PGM-13", "PNX-14", "PGM-20")
@pytest.mark.parametrize(("time", "late"), [("20:13:00", False), ("20:13:01", True)])
def test_a_page_says_how_it_was_paid_and_what_became_of_the_cheque(
    room: Room, clock: Clock, ask: Callable[..., str], time: str, late: bool
) -> None:
    """WAC 230-15-050: due within a day, and a late one is marked."""
    room.set_up()
    play(room, 1)
    awarded(room, 1)
    by_cheque(room)
    shown = fields(ask(*PAGE))
    then = "2026-01-15 20:13:00 UTC"
    assert shown["Paid"] == f"cheque, reference slip 1; {then} by Sue, supervisor, card s1"
    assert shown["Cheque"] == "due 2026-01-16 20:13:00 UTC; not handed over yet"
    [cheque] = meters_snapshot(all_events(room))["links"][0]["cheques"]
    due = "2026-01-16T20:13:00.000000+00:00"
    assert cheque == {"page": 1, "amount_cents": 1_000_020, "due": due}
    assert "Cheque          $10,000.20 of win page 1, due 2026-01-16 20:13:00 UTC" in ask("meters")
    clock.day, clock.time = "2026-01-16", time
    play(room, 1)
    mark = "; LATE" if late else ""
    waits = "due 2026-01-16 20:13:00 UTC; not handed over yet"
    assert fields(ask(*PAGE))["Cheque"] == f"{waits}{mark}"
    hand_cheque(room)
    clock.day = "2026-01-18"
    played(room)
    handed = f"handed over, reference cheque 1001; 2026-01-16 {time} UTC by Cal, cage, card c1"
    assert fields(ask(*PAGE))["Cheque"] == f"due 2026-01-16 20:13:00 UTC; {handed}{mark}"
    page = json.loads(ask(*PAGE, "--json"))
    said = ("method", "reference", "cheque_due", "cheque_late", "cheque_reference", "cheque_by")
    assert [page[name] for name in said] == [
        *("cheque", "slip 1", due, late, "cheque 1001", "c1"),
    ]
    assert page["cheque_at"] == f"2026-01-16T{time}.000000+00:00"
    assert meters_snapshot(all_events(room))["links"][0]["cheques"] == []


def test_a_page_says_who_looked_at_its_award_on_camera(room: Room, ask: Callable[..., str]) -> None:
    """WAC 230-15-320: this hand and this amount, once it was confirmed."""
    room.set_up(meters={"single": {**SETTINGS, "meter_seed_cents": 400_000}}, games=TWO)
    play(room, 1)
    play(room, 1, table="T2")
    awarded(room, 1)
    assert fields(ask(*PAGE))["On camera"] == "not looked at"
    room.on_camera("T1", 1)
    seen = "2026-01-15 20:13:00 UTC by Viv, surveillance, card v1"
    assert fields(ask(*PAGE))["On camera"] == seen
    # Looked at, backed out and confirmed again: that was another award.
    amount = awarded(room, 1, table="T2")["amount_cents"]
    room.on_camera("T2", 2)
    adjust(room, amount, "award_backed_out", page=2)
    awarded(room, 1, table="T2")
    assert [page["seen_by"] for page in win_pages(all_events(room))] == ["v1", "v1", None]
    room.on_camera("T2", 3)
    assert [page["seen_by"] for page in win_pages(all_events(room))] == ["v1", "v1", "v1"]


@pytest.mark.clause("PML-13")
def test_envy_that_was_looked_at_is_not_the_award(room: Room) -> None:
    small = {**SETTINGS, "meter_seed_cents": 5_000}
    room.set_up(paytable="01", progressive="five-card-link", meters={"single": small})
    wager(room, {1: 100, 2: 500})
    awarded(room, 1, "royal_flush")
    room.pay_seen("T1", 2, of=1)
    [page] = win_pages(all_events(room))
    assert page["seen_at"] is None


@pytest.mark.clause("PGM-13", "PGM-14", "PGM-16")
def test_a_page_of_j_pot_is_printed_before_the_meter_moves_and_after(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD}, options={"award_profile": "game_manager"})
    play(room, 1)
    chosen(room, 1)
    room.do("d1", "call_supervisor", table="T1")
    at: dict[str, Any] = {"table": "T1", "pin_held": True}
    slip = ("slip", "--link", "L", "--slip", "1")
    for page in ("1", "2"):
        room.do("s1", "turn_key", **at, to="jph")
        room.do("s1", "press_jackpot", **at, position=1, checklist=CHECKED)
        shown = fields(ask(*PAGE[:-1], page))
        assert (shown["Amount"], shown["Before"]) == ("$2,500.14", "$2,500.14")
        assert (shown["After"], shown["Paid"]) == ("not taken off the meter yet", "not yet")
        assert meters_snapshot(all_events(room))["links"][0]["levels"][0]["hits"] == 0
        if page == "1":
            adjust(room, 250_014, "award_backed_out", page=1)
            room.do("s1", "turn_key", **at, to="run")
            room.press("T1", 1, SPADES)
    first, written = ask(*PAGE), fields(ask(*slip))
    assert first.splitlines()[4].strip() == "BACKED OUT BY SLIP 1"
    shown = fields("\n".join(first.splitlines()[2:]))
    assert (shown["After"], shown["Won in all"]) == ("not taken off the meter", "$0.00")
    # The slip names the award and booked nothing, for nothing had left the meter.
    assert written["Award"] == "win page L-000001, $2,500.14 at T1, seat 1"
    assert (written["Before"], written["After"]) == ("$2,500.14", "$2,500.14")
    assert written["Booked"] == "nothing"
    room.do("s1", "turn_key", **at, to="run")
    moved = fields(ask(*PAGE[:-1], "2"))
    assert moved["After"] == "$2,500.05, started again"
    [record] = [event for event in all_events(room) if event.kind == "meter_awarded"]
    assert (moved["Record"], moved["Hash"]) == (str(record.position), record.hash)
    [level] = meters_snapshot(all_events(room))["links"][0]["levels"]
    assert (level["hits"], level["backed_out"], level["won_cents"]) == (1, 0, 250_014)
    assert held_on(level) == came_to(level)
    assert reconciliation(all_events(room), "L")["records_that_differ"] == []


def test_what_a_slip_finds_for_a_winner_counts_for_his_tax(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": {**ODD, "meter_seed_cents": 199_000}})
    play(room, 3)
    assert win(room, 3)["amount_cents"] == 199_014
    assert fields(ask(*PAGE))["Tax form"] == "no: less than $2,000.00"
    adjust(room, -985, "won", page=1)
    assert not win_pages(all_events(room))[0]["tax_flag"]
    adjust(room, -1, "won", page=1)
    shown = fields(ask(*PAGE))
    assert (shown["Amount"], shown["Won in all"]) == ("$1,990.14", "$2,000.00")
    assert shown["Adjustments"] == "slip 1, slip 2"
    assert shown["Tax form"].startswith("yes")
    assert win_pages(all_events(room))[0]["tax_flag"]


# Slips.


@pytest.mark.clause("PGM-16", "PNX-16", "PML-15")
def test_a_slip_names_both_people_the_reason_and_its_award(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD})
    play(room, 3)
    awarded(room, 3)
    adjust(room, -1_234, "display_error")
    adjust(room, 250_014, "award_backed_out", page=1)
    adjust(room, 1, "house_adds", page=7)
    adjust(room, 1, "house_adds", page=["1"])
    events = all_events(room)
    first, second, third, fourth = [
        fields(ask("slip", "--link", "L", "--slip", str(number))) for number in (1, 2, 3, 4)
    ]
    [record] = [e for e in events if e.kind == "adjusted"][:1]
    assert first == {
        "Link": "L",
        "Number": "1",
        "Date": "2026-01-15",
        "Time": "20:13:00 UTC",
        "Meter": "single",
        "Change": "-$12.34",
        "Before": "$2,500.05",
        "After": "$2,487.71",
        "Reason": "display error: a display that a malfunction had raised",
        "Text": "the sensor of spot 3 counted twice",
        "First person": "Sue, supervisor, card s1",
        "Second person": "Cal, cage, card c1",
        "Award": "none",
        "Paid": "nothing is owed on it",
        "Booked": "$12.34 from meter:L:single to house",
        "Record": str(record.position),
        "Hash": record.hash,
    }
    assert second["Award"] == "win page L-000001, $2,500.14 at T1, seat 3"
    assert second["Change"] == "+$2,500.14"
    # Of $1.00 there were 5 cents in the reserve, which the meter had started again with.
    assert second["Booked"] == (
        "$2,500.14 from payable:L to meter:L:single; $2,500.00 from meter:L:single to seed_fund; "
        "$0.05 from meter:L:single to reserve:L:single"
    )
    # What is for no award names none, whatever was asked.
    assert third["Award"] == fourth["Award"] == "none"
    slips = adjustment_slips(events)
    assert [slip["slip"] for slip in slips] == [1, 2, 3, 4]
    document = json.loads(ask("slip", "--link", "L", "--slip", "2", "--json"))
    assert (document["award_cents"], document["second_name"]) == (250_014, "Cal")


@pytest.mark.clause("PGM-16", "PGM-20")
def test_a_slip_says_whether_the_winner_was_paid(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD}, games=TWO)
    play(room, 3)
    win(room, 3)
    for cents in (-500, -20):
        adjust(room, cents, "won", page=1)
    slip = ("slip", "--link", "L", "--slip")
    assert fields(ask(*slip, "1"))["Paid"] == "not yet: $5.00 is owed"
    [link] = meters_snapshot(all_events(room))["links"]
    assert [(one["slip"], one["amount_cents"]) for one in link["owed"]] == [(1, 500), (2, 20)]
    assert "Slip owed       $5.00 of slip 1" in ask("meters")
    clock.day = "2026-01-16"
    room.do("c1", "pay_adjustment", table="T2", slip=1, reference="cage 9")
    paid, owed = fields(ask(*slip, "1")), fields(ask(*slip, "2"))
    told = "chips at T2, reference cage 9; 2026-01-16 20:13:00 UTC by Cal, cage, card c1"
    assert (paid["Paid"], owed["Paid"]) == (told, "not yet: $0.20 is owed")
    assert paid["Award"] == "win page L-000001, $2,500.14 at T1, seat 3"
    document = json.loads(ask(*slip, "1", "--json"))
    said = ("owed_cents", "paid_at", "paid_by_name", "paid_table", "paid_reference")
    assert [document[name] for name in said] == [
        *(500, "2026-01-16T20:13:00.000000+00:00", "Cal", "T2", "cage 9"),
    ]
    assert column(ask("reconciliation", "--link", "L"), "payable") == {
        "awards": "+$2,500.14 0",
        "handed over at T1": "-$2,500.14 0",
        "adjustments": "+$5.20 0",
        "slips paid at T2": "-$5.00 0",
        "closing": "$0.20 0",
    }
    [link] = meters_snapshot(all_events(room))["links"]
    assert [one["slip"] for one in link["owed"]] == [2]


# What stood on a meter on a day.


@pytest.mark.clause("PGM-06", "PNX-06", "PNX-04", "PRC-05")
def test_the_amount_on_any_day_is_what_was_counted_on_it(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD}, deposits="not_asked")
    stood, counted, reserve = Fraction(2500), {}, Fraction(0)
    for number in range(1, 7):
        clock.day = f"2026-01-{15 + 2 * number}"
        play(room, 1, 2, cents=100 * number + 1)
        came = Fraction(2 * (100 * number + 1), 100)
        stood += came * 142_857 / 10**6
        reserve += came * 50_000 / 10**6
        if number in (3, 4):
            paid = Fraction(win(room, 2)["amount_cents"], 100)
            assert paid == int(stood * 100) / Fraction(100)
            stood, reserve = stood - paid + 2500 + reserve, Fraction(0)
        else:
            played(room)
        counted[clock.day] = counted[f"2026-01-{16 + 2 * number}"] = stood
    clock.day = "2026-02-10"
    counted["2026-01-15"] = counted["2026-01-16"] = Fraction(2500)
    for day, amount in {**counted, "2026-02-10": stood}.items():
        document = json.loads(ask("progressive", "--link", "L", "--date", day, "--json"))
        [level] = document["levels"]
        assert (document["date"], level["opening_cents"]) == (day, 250_000)
        found = level["amount_cents"] * MICROCENTS + level["carry_microcents"]
        assert Fraction(found, UNITS) == amount
        # Every line follows from the one before it, and says why.
        for before, line in pairwise(level["lines"]):
            change = line["amount_microcents"] - before["amount_microcents"]
            assert change == line["change_microcents"] != 0
            assert " " in line["why"]
    text = ask("progressive", "--link", "L")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert f"Amount on 2026-02-10: {exact_text(int(stood * 100) * MICROCENTS)}" in text
    shown = " ".join(text.split())
    assert "opening amount: meter_seed +$2,500.00 $2,500.00" in shown
    assert shown.count("award, win page") == shown.count("meter_seed after win page") == 2


def test_a_clock_that_was_put_back_does_not_end_a_record(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD})
    clock.day = "2026-01-10"
    assert "Amount on 2026-01-15: $2,500.00" in ask("progressive", "--link", "L")


def test_a_meter_that_opens_at_nothing_has_an_opening_line(room: Room) -> None:
    empty = {**SETTINGS, "meter_seed_cents": 0}
    room.set_up(meters={"single": empty}, second="e1", second_pin_held=True)
    [opening] = progressive_record(all_events(room), "L", "single")
    assert (opening["why"], opening["amount_cents"]) == ("opening amount: meter_seed", 0)


@pytest.mark.clause("PGM-09", "PRC-01")
def test_every_way_a_meter_moves_is_told_in_words(room: Room) -> None:
    small = {"contribution_ppm": 900_000, "reserve_ppm": 100_000, "meter_seed_cents": 5_000}
    capped = {"single": {**small, "cap_cents": 5_100}}
    room.set_up(meters=capped, all_from_meter=True, notice_posted=True)
    play(room, 1)
    void(room)
    play(room, 1, cents=1_000)
    chosen(room, 1, "straight")
    room.say("T1", "close")
    play(room, 1, cents=2_000)
    win(room, 1)
    # At the cap, so nothing of it is shown.
    adjust(room, 50, "house_adds")
    adjust(room, -600, "seed_recovered")
    lines = progressive_record(all_events(room), "L", "single")
    assert [
        (line["why"], line["change_microcents"] / MICROCENTS, line["amount_cents"])
        for line in lines
    ] == [
        ("opening amount: meter_seed", 5_000, 5_000),
        ("contributions of round 1 at T1", 90, 5_090),
        ("contributions of void round 1 taken back: a card face up", -90, 5_000),
        ("contributions of round 2 at T1", 100, 5_100),
        ("fixed pay of round 2 at T1", -5_100, 0),
        ("contributions of round 3 at T1", 1_800, 1_800),
        ("award, win page 1", -1_800, 0),
        ("meter_seed after win page 1", 5_000, 5_000),
        ("reserve after win page 1", 300, 5_300),
        ("above the cap after win page 1", -200, 5_100),
        ("adjustment slip 2: seed_recovered, the sensor of spot 3 counted twice", -600, 4_500),
    ]
    # What does not fit below the cap goes to the overflow: $8.00, $2.00 and $0.50.
    [link] = meters_snapshot(all_events(room))["links"]
    [level] = link["levels"]
    assert level["overflow_in_microcents"] == level["overflow_microcents"] == 1_050 * MICROCENTS
    assert level["fixed_pays_microcents"] == 5_100 * MICROCENTS
    assert level["taken_back_microcents"] == 100 * MICROCENTS


@pytest.mark.clause("PNX-16", "PGM-16")
def test_everything_that_an_award_moved_is_told_when_it_is_backed_out(
    room: Room, ask: Callable[..., str]
) -> None:
    small = {"contribution_ppm": 900_000, "reserve_ppm": 100_000, "meter_seed_cents": 5_000}
    room.set_up(meters={"single": {**small, "cap_cents": 5_100}}, notice_posted=True)
    play(room, 1, cents=2_000)
    before = [room.state.owed(f"{kind}:L:single") for kind in ("meter", "reserve", "overflow")]
    awarded(room, 1)
    adjust(room, 5_100, "award_backed_out", page=1)
    assert before == [
        room.state.owed(f"{kind}:L:single") for kind in ("meter", "reserve", "overflow")
    ]
    lines = progressive_record(all_events(room), "L", "single")
    by = "backed out by slip 1: the sensor of spot 3 counted twice"
    assert [
        (line["why"], line["change_microcents"] / MICROCENTS, line["amount_cents"])
        for line in lines
    ] == [
        ("opening amount: meter_seed", 5_000, 5_000),
        ("contributions of round 1 at T1", 100, 5_100),
        ("award, win page 1", -5_100, 0),
        ("meter_seed after win page 1", 5_000, 5_000),
        ("reserve after win page 1", 200, 5_200),
        ("above the cap after win page 1", -100, 5_100),
        (f"award, win page 1, {by}", 5_100, 10_200),
        (f"above the cap after win page 1, {by}", 100, 10_300),
        (f"meter_seed after win page 1, {by}", -5_000, 5_300),
        (f"reserve after win page 1, {by}", -200, 5_100),
    ]
    text = ask("reconciliation", "--link", "L")
    assert column(text, "meter single") == {
        "opening: meter_seed": "+$50.00 0",
        "contributions at T1": "+$1.00 0",
        "awards": "-$51.00 0",
        "meter_seed of new starts": "+$50.00 0",
        "reserve put on the meter": "+$2.00 0",
        "above the cap": "-$1.00 0",
        "awards backed out": "+$51.00 0",
        "meter_seed of awards backed out": "-$50.00 0",
        "reserve of awards backed out": "-$2.00 0",
        "above the cap, of awards backed out": "+$1.00 0",
        "closing": "$51.00 0",
    }
    assert column(text, "payable") == {
        "awards": "+$51.00 0",
        "awards backed out": "-$51.00 0",
        "closing": "$0.00 0",
    }
    assert "must agree: 5; every one does" in text
    [link] = meters_snapshot(all_events(room))["links"]
    [level] = link["levels"]
    # Counted as it came; what was backed out stands beside it.
    assert (level["hits"], level["won_cents"], level["starts"]) == (1, 5_100, 1)
    assert (level["backed_out"], level["backed_out_cents"]) == (1, 5_100)
    assert level["meter_seed_microcents"] == 10_000 * MICROCENTS
    assert level["meter_seed_back_microcents"] == 5_000 * MICROCENTS
    assert level["adjusted_microcents"] == 0
    assert held_on(level) == came_to(level)
    shown = " ".join(ask("meters").split())
    assert "hits backed out 1 won and backed out $51.00" in shown


def held_on(level: dict[str, Any]) -> int:
    """What a snapshot says is held for a level."""
    held: int = level["shown_cents"] * MICROCENTS + level["carry_microcents"]
    held += level["reserve_microcents"] + level["overflow_microcents"]
    return held


def came_to(level: dict[str, Any]) -> int:
    """What its meters that count say must be there."""
    came: int = level["adjusted_microcents"]
    for name in ("contributed", "reserve_contributed", "overflow_contributed", "meter_seed"):
        came += level[f"{name}_microcents"]
    for name in ("taken_back", "fixed_pays", "meter_seed_back"):
        came -= level[f"{name}_microcents"]
    came -= (level["won_cents"] - level["backed_out_cents"]) * MICROCENTS
    return came


# Reconciliation.


def column(text: str, heading: str) -> dict[str, str]:
    """Lines of one account of the printed reconciliation."""
    _, _, rest = text.partition(f"\n{heading}\n")
    lines = rest.partition("\n\n")[0].splitlines()
    return {" ".join(line.split()[:-2]): " ".join(line.split()[-2:]) for line in lines}


@pytest.mark.clause("PGM-06", "PNX-06", "PRC-05", "PGM-16")
def test_a_reconciliation_adds_up_to_the_cent_and_shows_the_carry(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD}, games=TWO)
    for table, cents in (("T1", 101), ("T2", 333), ("T1", 7)):
        play(room, 4, table=table, cents=cents)
        played(room, table)
    play(room, 4, cents=250)
    win(room, 4)
    adjust(room, -10, "display_error")
    text = ask("reconciliation", "--link", "L")
    assert column(text, "meter single") == {
        "opening: meter_seed": "+$2,500.00 0",
        # 358 cents at T1 and 333 at T2, at 14.2857%.
        "contributions at T1": "+$0.51 +142,806",
        "contributions at T2": "+$0.47 +571,381",
        "awards": "-$2,500.98 0",
        "meter_seed of new starts": "+$2,500.00 0",
        "reserve put on the meter": "+$0.34 +550,000",
        "adjustments": "-$0.10 0",
        "closing": "$2,500.25 264,187",
    }
    assert column(text, "payable")["closing"] == "$0.00 0"
    # Four signs, the award before and after, the slip before and after.
    assert "must agree: 8; every one does" in text
    document = json.loads(ask("reconciliation", "--link", "L", "--json"))
    for account, book in document["accounts"].items():
        assert sum(line["microcents"] for line in book["lines"]) == book["closing"]
        assert book["closing"] == room.state.owed(account)
    assert document["held_cents"] == 250_025


def told_wrong(event: Event, name: str) -> Event:
    """The same event with an amount that is a cent too high."""
    body = json.loads(event.body)
    data = body["data"]
    if name == "meters":
        data["meters"] = {level: cents + 1 for level, cents in data["meters"].items()}
    else:
        data[name] += 1
    return event._replace(body=json.dumps(body))


def test_an_amount_that_was_told_wrong_is_named(room: Room) -> None:
    room.set_up(meters={"single": ODD})
    play(room, 4)
    win(room, 4)
    adjust(room, -10, "display_error")
    happened = all_events(room)
    assert reconciliation(happened, "L")["records_that_differ"] == []
    for kind, name in (
        ("game_started", "meters"),
        ("award_confirmed", "before_cents"),
        ("award_confirmed", "after_cents"),
        ("adjusted", "before_cents"),
        ("adjusted", "after_cents"),
    ):
        wrong = [told_wrong(e, name) if e.kind == kind else e for e in happened]
        [record] = [e.position for e in happened if e.kind == kind]
        found = reconciliation(wrong, "L")
        assert found["records_that_differ"] == [record]
        text = printed("reconciliation", found, version="1", made_at="2026-01-15T00:00:00")
        assert f"5; records that do not: {record}" in " ".join(text.split())


# Deposits and wagers.


def deposit(room: Room, cents: int, reference: str = "bank slip 7") -> Any:
    asked = {"link": "L", "balance_cents": cents, "reference": reference, "pin_held": True}
    return room.do("c1", "record_deposit", **asked)


def test_a_deposit_is_due_a_week_after_the_last_and_must_cover_everything(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD})
    sheet = deposit_worksheet(all_events(room), "L")
    assert (sheet["liability_cents"], sheet["to_bring_cents"]) == (250_000, 250_000)
    assert (sheet["last_deposit"], sheet["due"]) == (None, "2026-01-22T20:13:00.000000+00:00")
    assert "accrued since the opening" in ask("deposit", "--link", "L")
    clock.day = "2026-01-28"
    deposit(room, 250_000)
    play(room, 4)
    # Of a dollar 14.2857 cents are on the meter and 5 in the reserve: a part of a cent takes one.
    sheet = deposit_worksheet(all_events(room), "L")
    assert (sheet["liability_cents"], sheet["accrued_cents"]) == (250_020, 20)
    assert (sheet["to_bring_cents"], sheet["due"], sheet["reference"]) == (
        20,
        "2026-02-04T20:13:00.000000+00:00",
        "bank slip 7",
    )
    # Confirmed, the award is payable, and the meter has started again with the reserve.
    awarded(room, 4)
    sheet = deposit_worksheet(all_events(room), "L")
    assert sheet["funds"]["payable:L"] == 250_014 * MICROCENTS
    assert sheet["liability_cents"] == 250_014 + room.meter("L") + 1
    # Backed out, nothing is payable, and what is on the sign must be covered again.
    adjust(room, 250_014, "award_backed_out", page=1)
    sheet = json.loads(ask("deposit", "--link", "L", "--json"))
    assert sheet["liability_cents"] == room.meter("L") + 5 + 1 == 250_020
    assert sheet["funds"]["payable:L"] == 0
    win(room, 4)
    sheet = json.loads(ask("deposit", "--link", "L", "--json"))
    assert sheet["liability_cents"] == room.meter("L") + 1
    assert sheet["funds"]["payable:L"] == 0
    text = ask("deposit", "--link", "L")
    assert "to be brought now" in text
    assert "2026-02-04 20:13:00 UTC" in text


def worksheet(room: Room) -> dict[str, Any]:
    """The worksheet of a link, which is in everything as the floor has it."""
    sheet = deposit_worksheet(all_events(room), "L")
    link = room.state.streams["link:L"]
    assert sheet["liability_cents"] == liability_cents(room.state, link)
    assert sheet["short_cents"] == link.short_cents
    assert sheet["due"] == (deposit_due(link) or None)
    assert sheet["funds"] == {name: room.state.owed(name) for name in sheet["funds"]}
    assert sum(sheet["funds"].values()) <= sheet["liability_cents"] * MICROCENTS
    return sheet


def test_the_worksheet_has_shorts_cheques_and_seizures_as_the_floor_has_them(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    """WAC 230-15-455 and 715."""

    def line(label: str) -> str:
        text = ask("deposit", "--link", "L")
        assert max(map(len, text.splitlines())) <= WIDTH
        [found] = [line for line in text.splitlines() if line.startswith(label)]
        return found.removeprefix(label).strip()

    room.set_up()
    assert deposit(room, 999_999)["short_cents"] == 1
    sheet = worksheet(room)
    assert (sheet["short_cents"], sheet["to_bring_cents"]) == (1, 1)
    assert line("the last deposit was short by") == "$0.01"
    clock.day = "2026-01-17"
    deposit(room, 2_500_000, "bank slip 8")
    assert worksheet(room)["short_cents"] == 0
    assert line("next deposit due") == "2026-01-24 20:13:00 UTC"
    play(room, 1)
    awarded(room, 1)
    by_cheque(room)
    # It is owed until it is handed over, and then gone from the bank.
    assert worksheet(room)["liability_cents"] == 1_000_020 + 1_000_005
    hand_cheque(room)
    sheet = worksheet(room)
    assert (sheet["liability_cents"], sheet["drawn_cents"]) == (1_000_005, 1_000_020)
    assert (sheet["deposited_cents"], sheet["to_bring_cents"]) == (2_500_000, 0)
    assert line("cheques handed over since") == "-$10,000.20"
    adjust(room, 600_000, "house_adds")
    sheet = worksheet(room)
    assert sheet["to_bring_cents"] == 1_600_005 - (2_500_000 - 1_000_020) == 100_025
    # What stood in the bank is taken.
    room.do("s1", "close_link", link="L", cause="seized", why="the account was taken")
    assert worksheet(room)["to_bring_cents"] == 1_600_005
    assert line("stood in the bank after the seizure on 2026-01-17") == "$0.00"
    deposit(room, 1_600_004)
    assert worksheet(room)["to_bring_cents"] == 1
    deposit(room, 1_600_005)
    room.do("a1", "open_link", link="L")
    sheet = worksheet(room)
    assert (sheet["to_bring_cents"], sheet["seized_at"]) == (0, None)
    assert line("stood in the bank at the last deposit") == "$16,000.05"
    # Another fault takes nothing.
    room.do("s1", "close_link", link="L", cause="fault", why="the sign is dark")
    assert worksheet(room)["deposited_cents"] == 1_600_005


def test_where_no_deposits_are_asked_for_none_is_due(room: Room, ask: Callable[..., str]) -> None:
    room.set_up(deposits="not_asked")
    assert worksheet(room)["due"] is None
    assert "not asked for" in ask("deposit", "--link", "L")


@pytest.mark.parametrize("carry", [False, True])
def test_coin_in_counts_wagers_by_table_and_day(
    room: Room, clock: Clock, carry: bool, ask: Callable[..., str]
) -> None:
    option = "carry_to_next_round" if carry else "refund"
    room.set_up(meters={"single": SETTINGS}, games=TWO, options={"void_progressive": option})
    play(room, 1, 2, cents=300)
    void(room)
    # What was carried over is wagered already; what was given back is wagered anew.
    play(room, 1, 2, cents=300)
    played(room)
    clock.day = "2026-01-16"
    play(room, 5, table="T2", cents=50)
    played(room, "T2")
    first, second = coin_in(all_events(room))
    # A fifth goes to the meter and a twentieth to the reserve.
    quarter = 600 * MICROCENTS // 4
    assert first == {
        "table": "T1",
        "date": "2026-01-15",
        "games": 2,
        "wagers": 4,
        "cents": 600 if carry else 1_200,
        "void": 1,
        "void_cents": 0 if carry else 600,
        "put_by_microcents": quarter,
    }
    assert (second["table"], second["date"], second["cents"]) == ("T2", "2026-01-16", 50)
    total = coin_in_total([first, second])
    assert (total["cents"], total["games"], total["void"]) == (first["cents"] + 50, 3, 1)
    last = ask("coin-in").splitlines()[-1].split()
    assert last[:2] == ["total", "3"]
    assert json.loads(ask("coin-in", "--json"))["total"] == total


# All meters at once.


def test_a_snapshot_has_every_required_meter(room: Room, ask: Callable[..., str]) -> None:
    room.set_up(
        paytable="ML01",
        progressive="five-card-link",
        meters=levels(mega=5_000_000, major=500_000),
        options={"folded_hand_progressive": "eligible"},
        games=TWO,
    )
    play(room, 2, 6)
    win(room, 6, "straight_flush", card="s1")
    play(room, 2, 6)
    chosen(room, 6, "royal_flush")
    raised = levels(mega=6_000_000, major=500_000)
    # A wager that lies there and was not taken yet counts nowhere.
    room.bet("T2", 1)
    room.do("s1", "close_link", link="L", why="the sign is dark")
    found = json.loads(ask("meters", "--json"))
    [link] = found["links"]
    assert (link["tables"], link["closed"], link["win_pages"]) == (
        ["T1", "T2"],
        "the sign is dark",
        1,
    )
    assert link["wagered_cents"] == 400
    mega, major = link["levels"]
    assert (mega["level"], mega["shown_cents"], mega["hits"]) == ("mega", 5_000_040, 0)
    assert (major["shown_cents"], major["hits"], major["won_cents"]) == (500_022, 1, 500_020)
    assert major["meter_seed_microcents"] == 2 * 500_000 * MICROCENTS
    assert mega["settings"] == {**raised["mega"], "meter_seed_cents": 5_000_000, "cap_cents": None}
    [waits] = mega["pending"]
    assert (waits["table"], waits["position"], waits["amount_cents"]) == ("T1", 6, 5_000_040)
    assert major["pending"] == []
    text = ask("meters", "--link", "L")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "Wagers          closed: the sign is dark" in text
    assert "Waits           $50,000.40 from mega: royal flush at T1, seat 6" in text
    assert "shown on the sign" in text
    void(room)
    room.do("a1", "change_settings", link="L", meters=raised, reason="a busy month")
    [link] = meters_snapshot(all_events(room))["links"]
    assert link["levels"][0]["waiting"]["meter_seed_cents"] == 6_000_000
    assert link["levels"][0]["settings"]["meter_seed_cents"] == 5_000_000
    assert link["levels"][0]["pending"] == []


def test_what_came_into_an_overflow_stays_counted(room: Room) -> None:
    """Opened $1.00 above the cap, so all that comes in goes above it too."""
    capped = {**SETTINGS, "meter_seed_cents": 5_000, "cap_cents": 4_900}
    room.set_up(meters={"single": capped}, notice_posted=True)
    counted = []
    for step in ("open", "play", "void", "book", "win"):
        if step in ("play", "win"):
            play(room, 1, cents=1_000)
        if step == "void":
            void(room)
        if step == "book":
            adjust(room, -100, "booked_receipts")
        if step == "win":
            win(room, 1)
        [link] = meters_snapshot(all_events(room))["links"]
        [level] = link["levels"]
        counted.append(
            (
                level["overflow_in_microcents"] // MICROCENTS,
                level["overflow_microcents"] // MICROCENTS,
                level["meter_seed_microcents"] // MICROCENTS,
            )
        )
    # At the end $2.00 of the wager, and of $50.00 and $0.50 anew what is above $49.00.
    assert counted == [
        (100, 100, 5_000),
        (300, 300, 5_000),
        (300, 100, 5_000),
        (300, 0, 5_000),
        (300 + 200 + 150, 200 + 150, 10_000),
    ]


@pytest.mark.clause("PGM-08")
def test_a_share_of_a_meter_is_a_hit_and_no_new_start(room: Room, ask: Callable[..., str]) -> None:
    room.set_up(paytable="01", progressive="five-card-link")
    play(room, 5, 2)
    assert win(room, 5, "straight_flush", card="s1")["amount_cents"] == 100_004
    [link] = meters_snapshot(all_events(room))["links"]
    [level] = link["levels"]
    assert (level["hits"], level["won_cents"], level["starts"]) == (1, 100_004, 0)
    assert level["shown_cents"] == 1_000_040 - 100_004
    page = fields(ask("win-page", "--link", "L", "--page", "1"))
    assert page["Hand"] == "straight flush, 10% of the meter"
    assert page["After"] == "$9,000.36"


ROUNDS = st.tuples(
    st.sampled_from(["1", "2"]),
    st.dictionaries(st.integers(1, 7), st.integers(1, 5_000), min_size=1, max_size=3),
    st.sampled_from(
        [
            *("end", "end", "void", "award", "award", "back", "undone", "fixed"),
            *("up", "down", "book", "more"),
        ]
    ),
)


@pytest.mark.clause("PGM-06", "PNX-06", "PGM-14", "PNX-14", "PRC-05")
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rates=st.tuples(st.integers(0, 500_000), st.integers(0, 500_000)),
    seed=st.integers(1, 10_000),
    room_above=st.sampled_from([None, 0, 0, 300]),
    rounds=st.lists(ROUNDS, min_size=1, max_size=8),
)
def test_a_snapshot_is_what_the_answers_add_up_to(
    room: Room,
    rates: tuple[int, int],
    seed: int,
    room_above: int | None,
    rounds: list[tuple[str, dict[int, int], str]],
) -> None:
    """Wagers that were lit, awards that were answered and slips, and nothing else is looked at."""
    told = Told(room, rates, seed, None if room_above is None else seed + room_above)
    seen: dict[str, int] = dict.fromkeys(NEVER_DOWN, 0)
    for number, lit, outcome in rounds:
        told.play(f"{told.link}x{number}", lit, outcome)
        link = told.snapshot()
        [level] = link["levels"]
        assert all(level[name] >= seen[name] for name in NEVER_DOWN)
        seen = {name: level[name] for name in NEVER_DOWN}
        count = told.count
        assert level["shown_cents"] == told.shown
        assert (level["hits"], level["won_cents"]) == (count["hits"], count["won"])
        assert (link["win_pages"], link["slips"]) == (count["hits"], count["slips"])
        assert link["wagered_cents"] == count["wagered"]
        assert level["starts"] == count["hits"]
        assert level["meter_seed_microcents"] == (1 + count["hits"]) * seed * MICROCENTS
        assert level["meter_seed_back_microcents"] == count["back"] * seed * MICROCENTS
        assert (level["backed_out"], level["backed_out_cents"]) == (
            count["back"],
            count["put back"],
        )
        assert level["reserve_contributed_microcents"] == count["wagered"] * rates[1]
        assert level["taken_back_microcents"] == count["void"] * sum(rates)
        came = (count["wagered"] - count["void"]) * sum(rates)
        seeds, won = 1 + count["hits"] - count["back"], count["won"] - count["put back"]
        came += (seeds * seed - won + count["adjusted"]) * MICROCENTS
        assert held_on(level) == came_to(level) == came
        assert link["payable_microcents"] == 0
        if room_above is None:
            assert level["contributed_microcents"] == count["wagered"] * rates[0]
            assert level["overflow_in_microcents"] == 0


def under_way_texts(room: Room, table: str) -> tuple[str, ...]:
    """The steps of the round at a table, as a round file writes them."""
    found: tuple[str, ...] = room.state.streams[f"table:{table}"].deal
    return found


class Told:
    """A link with two tables, and a plain count of what was asked and answered there."""

    def __init__(self, room: Room, rates: tuple[int, int], seed: int, cap: int | None) -> None:
        self.room, self.count = room, Counter[str]()
        if room.journal.state_of("link:L") is None:
            room.set_up()
        self.link = f"L{room.state.position}"
        meter = {"contribution_ppm": rates[0], "reserve_ppm": rates[1], "meter_seed_cents": seed}
        game = {"progressive": "three-card-progressive", "paytable": "1"}
        meters = {"single": {**meter, "cap_cents": cap}}
        room.do("a1", "make_link", link=self.link, meters=meters, notice_posted=True, **game)
        room.do("a1", "set_thresholds", link=self.link, thresholds={"single": 10**9})
        for number in (1, 2):
            table = f"{self.link}x{number}"
            room.do("a1", "make_table", table=table, game="three-card-poker")
            room.do("a1", "join_link", table=table, link=self.link)
        self.shown, self.standing = seed, False

    def play(self, table: str, lit: dict[int, int], outcome: str) -> None:
        """A round; afterwards one for a cent, whose start tells what the sign shows."""
        if outcome in ("up", "down", "book", "more"):
            self.adjust(outcome, sum(lit.values()), table)
        else:
            self.wager(table, lit)
            self.finish(table, lit, outcome)
        self.shown = self.wager(table, {1: 1})
        played(self.room, table)

    def wager(self, table: str, lit: dict[int, int]) -> int:
        """A round up to its start, and the cents that it says are on the meter."""
        wager(self.room, lit, table)
        self.count["wagered"] += sum(lit.values())
        [started] = [text for text in under_way_texts(self.room, table) if "single" in text]
        [(dollars, cents)] = re.findall(r"^start game: single ([0-9]+)(?:\.([0-9]{2}))?,", started)
        return int(dollars) * 100 + int(cents or 0)

    def finish(self, table: str, lit: dict[int, int], outcome: str) -> None:
        seat = max(lit)
        if outcome == "void":
            void(self.room, table)
            self.count["void"] += sum(lit.values())
        elif outcome == "award":
            self.count["won"] += win(self.room, seat, table=table)["amount_cents"]
            self.count["hits"] += 1
            self.standing = True
        elif outcome in ("back", "undone"):
            amount = awarded(self.room, seat, table=table)["amount_cents"]
            # From a meter at nothing there is nothing to put back.
            assume(amount)
            self.count.update(hits=1, back=1, won=amount)
            self.count["put back"] += amount
            self.slip(amount, "award_backed_out", page=self.count["hits"])
            self.standing = outcome == "back"
            if outcome == "undone":
                void(self.room, table)
                self.count["void"] += sum(lit.values())
                return
            self.count["won"] += win(self.room, seat, table=table)["amount_cents"]
            self.count["hits"] += 1
        elif outcome == "fixed":
            chosen(self.room, seat, OTHER_SUIT, table)
            if lit[seat] * 500 > 300_000:
                self.room.pay_seen(table, seat)
            if len(lit) > 1:
                self.room.say(table, "pay envy")
            self.room.say(table, "close")
        else:
            played(self.room, table)

    def adjust(self, way: str, cents: int, table: str) -> None:
        """A slip up, down, one that books what came in above the cap, or more for a winner."""
        reason = {
            "up": "house_adds",
            "down": "display_error",
            "book": "booked_receipts",
            "more": "won",
        }[way]
        above = self.room.state.owed(f"overflow:{self.link}:single") // MICROCENTS
        last = self.count["hits"]
        more = self.shown if last and self.standing else 0
        most = {"up": cents, "down": self.shown, "book": above, "more": more}[way]
        if change := min(cents, most):
            signed = change if way == "up" else -change
            number = self.slip(signed, reason, **({"page": last} if way == "more" else {}))
            self.count["adjusted"] += signed
            if way == "more":
                paid = {"table": table, "slip": number, "reference": "cage 1"}
                looks = {"second": "v1", "second_pin_held": True, "seen": ON_CAMERA}
                looks = looks if change > CAMERA_ABOVE_CENTS else {}
                self.room.do("c1", "pay_adjustment", **paid, **looks)

    def slip(self, cents: int, reason: str, **page: int) -> Any:
        asked = {"link": self.link, "level": "single", "cents": cents, "reason": reason}
        signed_by = {"second": "c1", "pin_held": True, "second_pin_held": True}
        self.count["slips"] += 1
        return self.room.do("s1", "adjust", **asked, **signed_by, text="as counted", **page)["slip"]

    def snapshot(self) -> dict[str, Any]:
        links = meters_snapshot(all_events(self.room))["links"]
        found: dict[str, Any] = next(link for link in links if link["link"] == self.link)
        return found


@pytest.mark.clause("PGM-06", "PNX-06", "PML-07", "PGM-14", "PNX-14", "PML-14")
def test_the_snapshot_of_a_day_is_what_the_second_model_has(database: str) -> None:
    clock = Calendar()
    day = Day(room=Room(database, clock=clock), rng=Random(8), clock=clock)
    set_up(day)
    while day.number < 700:
        do_one(day)
    day.compare()
    happened = all_events(day.room)
    found = {link["link"]: link for link in meters_snapshot(happened)["links"]}
    assert set(found) == set(day.model.links)
    won: Counter[tuple[str, str]] = Counter()
    standing: Counter[str] = Counter()
    for page in win_pages(happened):
        # Between J-POT and RUN a page is written and its meter still stands.
        moved = page["after_cents"] is not None
        won[page["link"], page["level"]] += page["amount_cents"] if moved else 0
        standing[page["link"]] += not moved
    for name, known in day.model.links.items():
        assert (found[name]["win_pages"], found[name]["slips"]) == (known["pages"], known["slips"])
        hits = sum(level["hits"] for level in found[name]["levels"])
        assert hits + standing[name] == known["pages"]
        for level in found[name]["levels"]:
            held = level["shown_cents"] * MICROCENTS + level["carry_microcents"]
            books = {"meter": held} | {
                kind: level[f"{kind}_microcents"] for kind in ("reserve", "overflow")
            }
            for kind, amount in books.items():
                account = f"{kind}:{name}:{level['level']}"
                assert Fraction(amount, UNITS) == day.model.books.get(account, 0)
            assert [(one["table"], one["position"]) for one in level["pending"]] == [
                (one["table"], one["seat"]) for one in known["queue"][level["level"]]
            ]
            assert level["won_cents"] == won[name, level["level"]]
            assert held_on(level) == came_to(level)
        assert reconciliation(happened, name)["records_that_differ"] == []
    # As far as the journal had come at any time, nothing that is counted went down.
    seen: Counter[tuple[str, str, str]] = Counter()
    for length in range(0, len(happened), 25):
        for link in meters_snapshot(happened[:length])["links"]:
            for level in link["levels"]:
                for meter in NEVER_DOWN:
                    place = link["link"], level["level"], meter
                    assert level[meter] >= seen[place]
                    seen[place] = level[meter]
    assert sum(1 for (_, _, meter), count in seen.items() if meter == "hits" and count) > 1
    day.room.journal.close()


# Everything at once.


HAPPENS = {
    *("server_started", "signed_in", "pin_failed", "pin_held", "card_recovered", "card_withdrawn"),
    *("round_undone", "game_voided", "irregularity", "envy_paid"),
    *("camera_checked", "award_backed_out", "award_paid", "cheque_promised", "cheque_handed"),
    *("adjusted", "adjustment_paid", "deposited", "link_closed", "link_opened", "change_waits"),
}


def days_of_custody(room: Room, clock: Clock) -> None:
    """All that can happen to players' money, and to people and rounds beside it.

    At the end one award is confirmed, one cheque promised and one slip owed.
    """
    room.do("machine", "note_start", version="1", digest="d", demo=False, checked=True)
    capped = {"single": {**SETTINGS, "cap_cents": 1_000_100}}
    room.set_up(meters=capped, games=TWO, notice_posted=True)
    room.do("d2", "note_session", what="signed_in")
    for held in (False, True):
        room.do("d2", "note_pin", card="d2", held=held)
    room.do("machine", "recover_card", card="s2", pin_hash="y")
    room.do("a1", "withdraw_card", card="d2")
    # More comes in than the cap lets up, and the reserve is more than fits at a new start.
    play(room, 1, 2, cents=2_000)
    amount = awarded(room, 2)["amount_cents"]
    room.on_camera("T1", 1)
    room.say("T1", "pay envy")
    adjust(room, amount, "award_backed_out", page=1)
    awarded(room, 2)
    by_cheque(room, 2)
    # At the other table a fold is taken back, a card is seen, and the round is void.
    play(room, 1, 2, table="T2")
    deck = stacked({1: None, 2: SPADES}, room.state.streams["link:L"].pays)
    room.say("T2", f"shuffle 0123456789ab by automatic, packets of 3: {deck}")
    room.say("T2", "deliver")
    room.say("T2", "decide 1: fold")
    room.do("d1", "undo", table="T2")
    room.say("T2", "exposed 1: card 1")
    room.do("s1", "round", table="T2", text="void wrong_card_count: four cards")
    clock.day = "2026-01-17"
    hand_cheque(room, 2)
    deposit(room, 1)
    room.do("s1", "close_link", link="L", cause="seized", why="the account was taken")
    deposit(room, 5_000_000)
    room.do("a1", "open_link", link="L")
    play(room, 4)
    win(room, 4)
    raised = {"single": {**SETTINGS, "meter_seed_cents": 900_000}}
    room.do("a1", "change_settings", link="L", meters=raised)
    for cents in (-500, -70):
        adjust(room, cents, "won", page=3)
    room.do("c1", "pay_adjustment", table="T2", slip=2, reference="cage 9")
    adjust(room, -100, "above_cap")
    adjust(room, -100, "booked_receipts")
    adjust(room, -1_000, "seed_recovered")
    adjust(room, 30, "house_adds")
    play(room, 5, cents=101)
    awarded(room, 5)
    by_cheque(room, 4)
    play(room, 6, cents=333, table="T2")
    awarded(room, 6, table="T2")


@pytest.mark.clause("PGM-06", "PNX-06", "PGM-16", "PNX-16", "PGM-20")
def test_records_balance_whatever_happens_to_the_money(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    days_of_custody(room, clock)
    happened = all_events(room)
    assert {event.kind for event in happened} >= HAPPENS
    pages = win_pages(happened)
    assert [(page["page"], page["method"], page["cheque_late"]) for page in pages] == [
        (1, None, None),
        (2, "cheque", True),
        (3, "chips", None),
        (4, "cheque", False),
        (5, None, None),
    ]
    assert [page["backed_out_by_slip"] for page in pages] == [1, None, None, None, None]
    slips = adjustment_slips(happened)
    owed = [(slip["slip"], slip["owed_cents"], slip["paid_table"]) for slip in slips]
    assert [one for one in owed if one[1]] == [(2, 500, "T2"), (3, 70, None)]
    # Every account closes as the floor has it, and every amount that was told agrees.
    found = reconciliation(happened, "L")
    assert found["records_that_differ"] == []
    for account, book in {**found["accounts"], "payable:L": found["payable"]}.items():
        assert book["closing"] == room.state.owed(account)
        assert book["closing"] == sum(line["microcents"] for line in book["lines"])
    # What is payable: the last award, the second cheque and the slip that is owed.
    unpaid = pages[3]["amount_cents"] + pages[4]["amount_cents"] + 70
    assert found["payable"]["closing"] == unpaid * MICROCENTS
    # The snapshot says the same, and balances by itself.
    [link] = meters_snapshot(happened)["links"]
    assert link["payable_microcents"] == found["payable"]["closing"]
    assert [(one["page"], one["amount_cents"]) for one in link["cheques"]] == [
        (4, pages[3]["amount_cents"])
    ]
    assert [(one["slip"], one["amount_cents"]) for one in link["owed"]] == [(3, 70)]
    [level] = link["levels"]
    assert held_on(level) == came_to(level)
    assert held_on(level) // MICROCENTS == found["held_cents"]
    assert (level["hits"], level["backed_out"]) == (5, 1)
    assert level["won_cents"] == sum(page["amount_cents"] for page in pages)
    assert level["backed_out_cents"] == pages[0]["amount_cents"]
    lines = progressive_record(happened, "L", "single")
    assert lines[-1]["amount_microcents"] == room.state.owed("meter:L:single")
    assert all(" " in line["why"] for line in lines)
    assert worksheet(room)["liability_cents"] == -(-(held_on(level) + unpaid * MICROCENTS) // 10**6)
    # Whoever asks for any of it has an answer.
    for asked in (
        *(("win-page", "--link", "L", "--page", str(number)) for number in range(1, 6)),
        *(("slip", "--link", "L", "--slip", str(slip["slip"])) for slip in slips),
        *((name, "--link", "L") for name in ("progressive", "reconciliation", "deposit")),
        ("coin-in",),
        ("meters",),
    ):
        text = ask(*asked)
        assert not text.startswith("houseway: ")
        assert max(map(len, text.splitlines())) <= WIDTH
        assert json.loads(ask(*asked, "--json"))["title"] == asked[0]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_what_came_of_awards_is_exported_with_them(
    room: Room, clock: Clock, kind: str, tmp_path: Path
) -> None:
    days_of_custody(room, clock)
    rows = {name: exported(room, name, kind, tmp_path) for name in REPORTS}
    happened = all_events(room)
    pages, slips = win_pages(happened), adjustment_slips(happened)
    for told, kept in ((rows["win-pages"], pages), (rows["adjustments"], slips)):
        assert len(told) == len(kept)
        for row, known in zip(told, kept, strict=True):
            # A table of text has nothing where the record has None.
            shown = {name: "" if value is None else str(value) for name, value in known.items()}
            for name in ("method", "cheque_due", "cheque_late", "backed_out_by_slip", "paid_by"):
                if name in known:
                    assert str("" if row[name] is None else row[name]) == shown[name]
    [meter] = rows["meters"]
    assert (int(meter["hits"]), int(meter["backed_out"])) == (5, 1)
    closing: Counter[str] = Counter()
    for row in rows["reconciliation"]:
        account = ":".join(filter(None, (row["account"], row["link"], row["level"])))
        closing[account] += int(row["microcents"])
    assert +closing == +Counter({name: room.state.owed(name) for name in closing})
    assert closing["payable:L"] > 0
    assert len(rows["events"]) == len(happened)


# What is refused.


NOT_THERE: list[tuple[tuple[str, ...], str]] = [
    (("win-page", "--link", "M", "--page", "1"), "link 'M' is unknown; known: L"),
    (("win-page", "--link", "L", "--page", "3"), "win page '3' is not allowed; .* from 1 to 2"),
    (("win-page", "--link", "L", "--page", "0"), "win page '0' is not allowed; .* from 1 to 2"),
    (("win-page", "--link", "L", "--page", "one"), "win page 'one' is not allowed"),
    (("win-page", "--link", "L"), "--page requires an argument"),
    (("slip", "--link", "L", "--slip", "1"), "slip '1' is unknown; link L has none yet"),
    (("progressive", "--link", "L", "--level", "mega"), "level 'mega' .* known: single"),
    (
        ("progressive", "--link", "L", "--date", "2026-01-14"),
        "date '2026-01-14' is not in .* from 2026-01-15 to 2026-01-20",
    ),
    (("progressive", "--link", "L", "--date", "2026-01-21"), "to 2026-01-20"),
    (("progressive", "--link", "L", "--date", "2026-02-30"), "'2026-02-30' is no date"),
    (("progressive", "--link", "L", "--date", "today"), "write YYYY-MM-DD"),
    (("reconciliation", "--link", "l"), "link 'l' is unknown; known: L"),
    (("deposit", "--link", ""), "link '' is unknown"),
    (("meters", "--link", "T1"), "link 'T1' is unknown"),
    (("gossip",), "gossip.* win-page, slip"),
]


def test_what_is_not_there_is_refused_in_one_sentence(
    room: Room, clock: Clock, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD})
    for _ in range(2):
        play(room, 3)
        win(room, 3)
    clock.day = "2026-01-20"
    for asked, words in NOT_THERE:
        said = ask(*asked)
        assert said.startswith("houseway: ")
        assert said.count("\n") == 1
        assert re.search(words, said), said


def test_without_a_journal_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{PIN}\n"))
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    for asked in (
        ["meters"],
        ["coin-in"],
        ["win-page", "--link", "L", "--page", "1", "--reprint", "s1"],
    ):
        assert main(["record", *asked, "--database", url, "--json"]) == 2
        error = json.loads(capsys.readouterr().out)["error"]
        assert (error["reason"], "is not there" in error["message"]) == ("bad_argument", True)
    assert list(tmp_path.iterdir()) == []


def test_a_floor_on_which_nothing_happened_has_empty_records(ask: Callable[..., str]) -> None:
    assert "nothing has happened yet" in ask("meters")
    assert ask("coin-in").splitlines()[-1].split()[0] == "total"
    assert "known: none yet" in ask("deposit", "--link", "L")


# Paper.


def test_the_longest_names_stay_within_the_page(room: Room, ask: Callable[..., str]) -> None:
    room.set_up()
    name, link, table = "N" * 60, "K" * 30, "T" * 30
    roles = {"c": "dealer", "e": "executive", "f": "cage", "g": "surveillance"}
    for card, role in ((letter * 60, role) for letter, role in roles.items()):
        given_name = f"{card[0]} {name[2:]}"
        room.do("a1", "issue_card", card=card, name=given_name, role=role, pin_hash="x")
    game = {"progressive": "five-card-link", "paytable": "ML03"}
    rich = {"contribution_ppm": 333_331, "reserve_ppm": 1, "meter_seed_cents": 10**12}
    meters = dict.fromkeys(("mega", "major", "minor"), rich)
    room.do("a1", "make_link", link=link, meters=meters, **game)
    thresholds = dict.fromkeys(meters, 100)
    room.do("a1", "set_thresholds", link=link, thresholds=thresholds)
    room.do("a1", "make_table", table=table, game="three-card-poker")
    room.do("a1", "join_link", table=table, link=link)
    dealer, executive = "c" * 60, "e" * 60
    room.start(table, 1, cents=99_999, players={1: "P" * 60}, dealer=dealer)
    room.deal(table, {1: "royal_flush"}, dealer=dealer)
    room.press(table, 1, "royal_flush", dealer)
    room.do(dealer, "call_supervisor", table=table)
    room.confirm(table, 1, executive)
    cage, pinned, reference = "f" * 60, {"pin_held": True}, "R" * 60
    looked = {"table": table, "page": 1, "seen": ON_CAMERA}
    room.do("g" * 60, "check_on_camera", **looked, **pinned)
    paid = {"table": table, "page": 1, "reference": reference, "method": "cheque"}
    room.do(cage, "pay_award", **paid)
    signed = {"second": cage, **pinned, "second_pin_held": True, "page": 1}
    text = {"text": "x" * 150 + " y" * 125}
    for reason in ("display_error", "won"):
        asked = {"link": link, "level": "mega", "cents": -(10**11), "reason": reason}
        room.do(executive, "adjust", **asked, **text, **signed)
    room.do(cage, "record_deposit", link=link, balance_cents=10**12, reference=reference, **pinned)
    unpaid = ask("meters")
    beside = {"second": "g" * 60, "second_pin_held": True, "seen": ON_CAMERA, "method": "cheque"}
    room.do(cage, "pay_adjustment", table=table, slip=2, reference=reference, **beside)
    room.do(cage, "hand_cheque", link=link, slip=2, reference=reference, **pinned)
    room.do(cage, "hand_cheque", link=link, page=1, reference=reference, **pinned)
    assert "Cheque" in unpaid
    assert "Slip owed" in unpaid
    assert max(map(len, unpaid.splitlines())) <= WIDTH
    for record in (
        ("win-page", "--link", link, "--page", "1"),
        ("slip", "--link", link, "--slip", "1"),
        ("slip", "--link", link, "--slip", "2"),
        *((name, "--link", link) for name in ("progressive", "reconciliation", "deposit")),
        ("coin-in",),
        ("meters",),
    ):
        printed_lines = ask(*record).replace("\f", "").splitlines()
        assert max(map(len, printed_lines)) <= WIDTH, record
    everything = " ".join(ask("meters").split())
    assert "$10,000,000,333.32" in everything


def test_words_stand_above_numbers_that_leave_no_room_for_them() -> None:
    line = {"table": "T" * 30, "date": "2026-01-15", **dict.fromkeys(COUNTED, 10**5)}
    line |= {"cents": 10**9, "put_by_microcents": 10**14 + 1}
    total = coin_in_total([line] * 9)
    data = {"lines": [line] * 9, "total": total}
    lines = printed("coin-in", data, version="1", made_at="2026-01-15T00:00:00").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[-2].split() == ["total"]
    assert lines[-1].split()[-1] == "$9,000,000.00000009"


def test_a_long_record_is_several_pages_each_with_its_heading(
    room: Room, ask: Callable[..., str]
) -> None:
    room.set_up(meters={"single": ODD})
    for _ in range(120):
        room.quiet_round("T1", 1)
    pages = ask("progressive", "--link", "L").split("\f")
    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        lines = page.splitlines()
        assert len(lines) <= LINES
        assert lines[0].startswith("PROGRESSIVE RECORD OF LINK L ")
        assert lines[0].endswith(f"page {number} of 3")
        assert lines[1].startswith("made by houseway ")
    assert sum(page.count("contributions of round") for page in pages) == 120


@pytest.mark.parametrize(
    ("microcents", "signed", "text"),
    [
        (0, True, "$0.00"),
        (1, False, "$0.00000001"),
        (-1, False, "-$0.00000001"),
        (40_500_000, True, "+$0.405"),
        (-123_456_780_000, True, "-$1,234.5678"),
    ],
)
def test_parts_of_a_cent_are_decimals_with_the_sign_at_the_money(
    microcents: int, signed: bool, text: str
) -> None:
    assert exact_text(microcents, sign=signed) == text


# Tables for other programs.


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_every_table_is_exported_and_agrees_with_its_record(
    room: Room, kind: str, tmp_path: Path
) -> None:
    room.set_up(meters={"single": ODD}, games=TWO)
    play(room, 1, 3)
    win(room, 3)
    play(room, 2, table="T2")
    chosen(room, 2, table="T2")
    adjust(room, 500, "house_adds")
    adjust(room, -500, "won", page=1)
    rows = {name: exported(room, name, kind, tmp_path) for name in REPORTS}
    happened = all_events(room)
    [page] = rows["win-pages"]
    assert (page["serial"], int(page["amount_cents"])) == ("L-000001", 250_028)
    assert [row["second_name"] for row in rows["adjustments"]] == ["Cal", "Cal"]
    lines = progressive_record(happened, "L", "single")
    assert [row["why"] for row in rows["progressive"]] == [line["why"] for line in lines]
    [meter] = rows["meters"]
    assert (meter["link"], int(meter["hits"]), int(meter["pending"])) == ("L", 1, 1)
    assert int(meter["contribution_ppm"]) == 142_857
    closing: Counter[str] = Counter()
    for row in rows["reconciliation"]:
        account = ":".join(filter(None, (row["account"], row["link"], row["level"])))
        closing[account] += int(row["microcents"])
    assert +closing == +Counter({name: room.state.owed(name) for name in closing})
    assert closing["meter:L:single"] == lines[-1]["amount_microcents"]
    assert len(rows["events"]) == len(happened)


def exported(room: Room, name: str, kind: str, folder: Path) -> list[dict[str, Any]]:
    out = folder / f"{name}.{kind}"
    asked = ["export", name, "--format", kind, "--database", room.journal.url, "--out", str(out)]
    assert main(asked) == 0
    if kind == "csv":
        with out.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    if kind == "jsonl":
        return [json.loads(line) for line in out.read_text().splitlines()]
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(out).to_pylist()
    return found


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_table_without_rows_has_its_columns(room: Room, kind: str, tmp_path: Path) -> None:
    room.set_up(meters={"single": ODD})
    for name in ("win-pages", "adjustments", "coin-in"):
        assert exported(room, name, kind, tmp_path) == []
        columns = COLUMNS[name].split()
        written = tmp_path / f"{name}.{kind}"
        if kind == "csv":
            assert written.read_text() == ",".join(columns) + "\n"
        elif kind == "parquet":
            assert pyarrow.parquet.read_table(written).column_names == columns


def test_the_columns_of_tables_are_those_of_their_rows(room: Room) -> None:
    room.set_up(meters={"single": ODD})
    play(room, 1)
    win(room, 1)
    adjust(room, -500, "won", page=1)
    happened = all_events(room)
    for name in set(REPORTS) - set(BOOKS):
        rows = list(report(name, happened))
        assert rows
        assert {tuple(row) for row in rows} == {tuple(COLUMNS[name].split())}


def test_the_help_of_export_names_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert [name for name in REPORTS if name not in shown] == []


def test_rows_that_say_more_than_the_first_keep_what_they_say(tmp_path: Path) -> None:
    """Events of a later version may have more in them."""
    rows: list[dict[str, Any]] = [{"a": 1}, {"a": 2, "b": [1, 2]}]
    for kind in ("csv", "parquet"):
        _write(rows, ["a"], kind, str(tmp_path / kind))
    assert (tmp_path / "csv").read_text() == 'a,b\n1,\n2,"[1, 2]"\n'
    read = pyarrow.parquet.read_table(tmp_path / "parquet").to_pylist()
    assert read == [{"a": 1, "b": None}, {"a": 2, "b": [1, 2]}]


@pytest.mark.clause("PGM-13", "PGM-16")
def test_pages_and_slips_as_documents(
    room: Room, ask: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room.set_up(meters={"single": ODD})
    play(room, 1)
    win(room, 1)
    adjust(room, -500, "won", page=1)
    for what, title in (("win-page", "Win page"), ("slip", "Adjustment slip 1")):
        number = ("--page", "1") if what == "win-page" else ("--slip", "1")
        pdf, html = tmp_path / f"{what}.pdf", tmp_path / f"{what}.html"
        shown = ask(what, "--link", "L", *number, "--pdf", str(pdf), "--html", str(html))
        assert pdf.read_bytes().startswith(b"%PDF-")
        page = html.read_text(encoding="utf-8")
        assert title in page
        # What the printer gets is in the document, amount by amount.
        for amount in re.findall(r"-?\$[0-9,]+\.[0-9]{2}", shown):
            assert amount in page, amount
    asked = ["record", "win-page", "--link", "L", "--page", "1", "--database", room.journal.url]
    assert main([*asked, "--pdf", str(tmp_path)]) == 2
    assert "it is a folder" in capsys.readouterr().err
