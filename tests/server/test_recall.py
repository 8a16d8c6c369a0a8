"""Past rounds, the trail and the audit over HTTP: who may see what, and no undealt card ever."""

import csv
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest

from houseway.floor import service
from houseway.floor.person import ROLES
from houseway.journal import audit
from houseway.server import guard, trail
from tests.floor.recalled import CARD, ByHand, check_recalled, rounds_by_hand
from tests.server.serving import (
    CHEAP,
    PIN,
    TABLES,
    Client,
    Dealer,
    InThread,
    Rigged,
    boldly,
    in_thread,
    limits,
)
from tests.server.serving import ROLES as CARDS
from tests.server.test_rounds import BETS, confirm_wins, somehow
from tests.waiting import PATIENCE, wait_for

RECALL = ("administrator", "auditor", "executive", "surveillance", "supervisor", "dealer")
EVERYTHING = ("supervisor", "executive", "surveillance", "auditor")
READS = ("administrator", "auditor", "executive", "surveillance")
GAMES = {name: (game, options) for name, game, options, _ in TABLES}
ROUNDS = 2
MANY = 5
"""So many are played in `make soak`."""


def play(floor: InThread, table: str, seed: int) -> None:
    """A round at random; now and then a step is taken back before it is done again.

    In the first round that is the first step that can be.
    """
    rng = Random(f"{table} {seed}")
    dealer = Dealer(floor.as_("d1"), table)
    dealer.begin(*[BETS[table]] * (1 if table == "Bonus" else rng.randint(1, 4)))
    taken_back = seed != 1
    for line in dealer.steps(somehow(seed)):
        view = dealer.view["round"]
        decided = line.startswith("decide") and view["undo"]
        if decided and (not taken_back or rng.random() < 0.4):
            taken_back = True
            dealer.client.do("undo", {"table": table})
        if view["blocked"]:
            confirm_wins(floor, dealer)
    assert dealer.view["round"]["phase"] == "closed"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor on which rounds of every game were played, and one is under way at each table."""
    folder = tmp_path_factory.mktemp("recall")
    with in_thread(f"sqlite:///{folder}/floor.sqlite", randomness=Rigged()) as made:
        for table in BETS:
            for number in range(1, ROUNDS + 1):
                play(made, table, number)
            # Who deals what was exposed, and who rules on it.
            dealer = Dealer(made.as_("d1"), table)
            dealer.begin(BETS[table])
            dealer.until("decide" if table != "Bonus" else "reconcile", boldly)
            if table != "Bonus":
                dealer.say("exposed 1: card 2")
                made.as_("s1").do(
                    "round", {"table": table, "text": "rule play_on: all saw it"}, pin=PIN
                )
            void = {"table": table, "text": "void wrong_card_count: four cards at 1"}
            made.as_("s1").do("round", void, pin=PIN)
            dealer.begin(BETS[table], BETS[table])
            dealer.until("decide" if table != "Bonus" else "reconcile", boldly)
        yield made


def recalled(floor: InThread, role: str, table: str, number: int) -> Any:
    return floor.as_(CARDS[role]).get(f"/api/tables/{table}/rounds/{number}")


@pytest.fixture(scope="module")
def long_floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor on which more was played."""
    folder = tmp_path_factory.mktemp("long-recall")
    with in_thread(f"sqlite:///{folder}/floor.sqlite", randomness=Rigged()) as made:
        for table in BETS:
            for number in range(1, MANY + 1):
                play(made, table, number)
        yield made


@pytest.mark.parametrize("table", list(BETS))
def test_every_round_is_what_its_events_say(floor: InThread, table: str) -> None:
    check_rounds(floor, table, ROUNDS + 1)


@pytest.mark.soak
@pytest.mark.parametrize("table", list(BETS))
def test_every_round_of_many_is_what_its_events_say(long_floor: InThread, table: str) -> None:
    check_rounds(long_floor, table, MANY)
    check_cards(long_floor, table, MANY)


def check_rounds(floor: InThread, table: str, last: int) -> None:
    """Against a reading by hand, and every seat settled alone; for all who may look."""
    events = rounds_by_hand(floor.events(), table)
    undone = 0
    for number in range(1, last + 1):
        for role in RECALL:
            seen = recalled(floor, role, table, number)
            assert seen["every_card"] is (role in EVERYTHING)
            assert (seen["differing"], seen["table"], seen["number"]) == ([], table, number)
            assert seen["rules"]["digest"] == seen["rules"]["recorded"]
            check_recalled(seen, events[number], *GAMES[table])
        undone += sum(step["undone"] for step in seen["steps"])
        assert sum(step["undone"] for step in seen["steps"]) == sum(
            step["kind"] == "undo" for step in seen["steps"]
        )
    if table != "Bonus":
        assert undone


@pytest.mark.parametrize("table", list(BETS))
def test_no_card_leaves_that_was_not_dealt(floor: InThread, table: str) -> None:
    check_cards(floor, table, ROUNDS + 1)


def check_cards(floor: InThread, table: str, last: int) -> None:
    """Of every step by every viewer only what was dealt by then; a dealer sees what lay up."""
    events = rounds_by_hand(floor.events(), table)
    found = 0
    for number in range(1, last + 1):
        for role in RECALL:
            seen = recalled(floor, role, table, number)
            for place, step in enumerate(seen["steps"]):
                by_hand = ByHand(events[number][: place + 1])
                named = {*CARD.findall(json.dumps(step))}
                assert named <= (by_hand.dealt if role in EVERYTHING else by_hand.seen)
                found += len(named)
            whole = {*CARD.findall(json.dumps(seen))}
            assert whole <= ByHand(events[number]).dealt
            # The deck has more cards than were dealt, and its line is there without them.
            shuffle = next(s["text"] for s in seen["steps"] if s["text"].startswith("shuffle"))
            assert re.fullmatch(r"shuffle \w+ by automatic, packets of \d", shuffle)
    assert found > 100


@pytest.mark.parametrize("table", list(BETS))
def test_an_open_round_is_recalled_by_nobody(floor: InThread, table: str) -> None:
    number = ROUNDS + 2
    for role in RECALL:
        answer = floor.as_(CARDS[role]).http.get(f"/api/tables/{table}/rounds/{number}")
        assert answer.status_code == 409
        assert "is still being played" in answer.json()["error"]["message"]
        listed = floor.as_(CARDS[role]).get(f"/api/tables/{table}/rounds")
        assert not CARD.findall(json.dumps(listed))
        first = listed["rounds"][0]
        assert (first["number"], first["over"]) == (number, False)
        assert (first["house_cents"], first["closed_at"]) == (None, None)
        assert all(seat["net"] is None for seat in first["positions"])


def test_rounds_are_listed_by_pages(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = floor.as_("s1").get("/api/tables/Poker/rounds")
    assert [one["number"] for one in whole["rounds"]] == [*range(ROUNDS + 2, 0, -1)]
    assert (whole["before"], whole["problems"]) == (None, [])
    void = whole["rounds"][1]
    assert (void["void"], void["house_cents"]) == ("wrong_card_count", 0)
    assert [one["name"] for one in void["dealers"]] == ["Dan"]
    for one in whole["rounds"][1:]:
        seen = recalled(floor, "dealer", "Poker", one["number"])
        assert {name: seen[name] for name in one} == one
    monkeypatch.setattr("houseway.server.recall.PAGE", 2)
    numbers: list[int] = []
    before: int | None = 0
    while before is not None:
        page = floor.as_("s1").get(f"/api/tables/Poker/rounds?before={before}")
        numbers += [one["number"] for one in page["rounds"]]
        before = page["before"]
    assert numbers == [one["number"] for one in whole["rounds"]]
    far = floor.as_("s1").get(f"/api/tables/Poker/rounds?before={2**62}")["rounds"]
    assert far[0]["number"] == ROUNDS + 2


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/tables/Poker/rounds/0", 422),
        ("/api/tables/Poker/rounds/-1", 422),
        (f"/api/tables/Poker/rounds/{'9' * 60_000}", 422),
        (f"/api/tables/Poker/rounds/{2**63}", 422),
        ("/api/tables/Poker/rounds/1.5", 422),
        ("/api/tables/Poker/rounds/one", 422),
        ("/api/tables/Poker/rounds/99", 404),
        (f"/api/tables/Poker/rounds/{2**62}", 404),
        ("/api/tables/Nowhere/rounds/1", 404),
        ("/api/tables/Nowhere/rounds", 404),
        ("/api/tables/Poker/rounds?before=-1", 422),
        ("/api/tables/Poker/rounds?before=x", 422),
        ("/api/trail?round=1", 422),
        ("/api/trail?table=Nowhere", 404),
        ("/api/trail?table=Poker&round=99", 404),
        ("/api/trail?stream=table:Nowhere&round=1", 404),
        ("/api/trail?stream=link:Royal&round=1", 422),
        ("/api/trail?stream=link:Royal&table=Poker", 422),
        ("/api/trail?stream=table:Poker&table=Poker", 200),
        ("/api/trail?kind=nothing", 200),
        ("/api/trail?person=" + "x" * 81, 422),
        ("/api/trail?round=-1", 422),
        ("/api/trail/export?format=xlsx", 422),
        ("/api/trail/export?round=1", 422),
    ],
)
def test_what_cannot_be_is_told_so(floor: InThread, path: str, status: int) -> None:
    answer = floor.as_("e1").http.get(path)
    assert answer.status_code == status
    if status != 200:
        assert len(answer.json()["error"]["message"]) < 700


@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("/api/tables/Poker/rounds", RECALL),
        ("/api/tables/Poker/rounds/1", RECALL),
        ("/api/trail?kind=round", READS),
        ("/api/trail/export", READS),
        ("/api/audit", READS),
    ],
)
def test_pages_are_for_those_who_work_with_them(
    floor: InThread, path: str, roles: tuple[str, ...]
) -> None:
    for role in ROLES:
        answer = floor.as_(CARDS[role]).http.get(path)
        assert answer.status_code == (200 if role in roles else 403), role
    assert floor.client().http.get(path).status_code == 401


def test_who_may_not_starts_no_audit(floor: InThread) -> None:
    for role in ROLES:
        if role not in READS:
            assert floor.as_(CARDS[role]).post("/api/audit", {}).status_code == 403
    uma = floor.as_("u1")
    assert uma.http.post("/api/audit", json={}).status_code == 403
    assert floor.client().post("/api/audit", {}).status_code == 401
    assert uma.get("/api/audit")["running"] is None


# The trail.


def walk(client: Client, query: str) -> list[Any]:
    """All pages of a selection."""
    found: list[Any] = []
    before: int | None = 0
    while before is not None:
        page = client.get(f"/api/trail?{query}&before={before}")
        found += page["events"]
        before = page["before"]
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"table": "Rummy"},
        {"stream": "table:Rummy"},
        {"stream": "link:Royal"},
        {"kind": "round"},
        {"kind": "round_undone", "person": "d1"},
        {"person": "s1"},
        {"person": "s1", "table": "Poker"},
        {"table": "Poker", "round": "2"},
        {"stream": "table:Keyed", "round": "3", "kind": "round"},
        {"table": "Bonus", "round": str(ROUNDS + 2)},
        {"kind": "nothing"},
        {"person": "nobody"},
    ],
    ids=lambda asked: "-".join(asked.values()) or "all",
)
def test_filters_find_what_there_is(
    floor: InThread, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each against a look at every event, by pages, on the same selection as a file has."""
    monkeypatch.setattr(trail, "PAGE", 7)
    monkeypatch.setattr(trail, "AT_ONCE", 11)
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    uma = floor.as_("u1")
    events = floor.events()
    stream = asked.get("stream") or (f"table:{asked['table']}" if "table" in asked else "")
    wanted, number = [], 0
    for event in events:
        if stream and event.stream != stream:
            continue
        if event.kind == "round_opened" and stream:
            number = event.data["number"]
        if (
            asked.get("kind", event.kind) == event.kind
            and asked.get("person", event.actor) == event.actor
            and int(asked.get("round", number)) == number
        ):
            wanted.append(event)
    found = walk(uma, query)
    assert [event["position"] for event in found] == [e.position for e in reversed(wanted)]
    chain = {event.position: (event.prior, event.hash) for event in events}
    open_tables = {f"table:{name}" for name in BETS}
    for event in found:
        hidden = event["stream"] in open_tables
        shown = (trail.HIDDEN,) * 2 if hidden else chain[event["position"]]
        assert (event["prior"], event["hash"]) == shown
    kept = uma.http.get(f"/api/trail/export?{query}&format=jsonl")
    assert [json.loads(line) for line in kept.text.splitlines()] == found
    sheet = uma.http.get(f"/api/trail/export?{query}")
    assert sheet.headers["content-type"].startswith("text/csv")
    assert 'filename="houseway-trail.csv"' in sheet.headers["content-disposition"]
    rows = list(csv.DictReader(StringIO(sheet.text)))
    assert [int(row["position"]) for row in rows] == [event["position"] for event in found]
    assert [json.loads(row["data"]) for row in rows] == [event["data"] for event in found]


def test_choices_are_all_there_is(floor: InThread) -> None:
    page = floor.as_("u1").get("/api/trail")
    events = floor.events()
    assert page["kinds"] == sorted({event.kind for event in events})
    assert page["streams"] == sorted({event.stream for event in events})
    assert {one["card"] for one in page["people"]} >= {*CARDS.values()}


def test_an_export_hides_what_the_trail_hides(floor: InThread) -> None:
    """The round under way: neither its deck nor what lies face down."""
    for table in BETS:
        query = f"table={table}&round={ROUNDS + 2}&kind=round"
        for form in ("csv", "jsonl"):
            text = floor.as_("u1").http.get(f"/api/trail/export?{query}&format={form}").text
            assert trail.HIDDEN in text
            assert not CARD.findall(text)


def test_a_file_is_bounded_and_says_so(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trail, "MOST_EXPORTED", 30)
    monkeypatch.setattr(trail, "AT_ONCE", 11)
    uma = floor.as_("u1")
    part = uma.http.get("/api/trail/export?kind=round&format=jsonl")
    assert 'filename="houseway-trail-part.jsonl"' in part.headers["content-disposition"]
    first = [json.loads(line)["position"] for line in part.text.splitlines()]
    assert len(first) == 30
    more = uma.http.get(f"/api/trail/export?kind=round&format=jsonl&before={first[-1]}")
    second = [json.loads(line)["position"] for line in more.text.splitlines()]
    assert first + second == [e["position"] for e in walk(uma, "kind=round")][:60]


def test_nobody_exports_without_end(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    uma = floor.as_("u1")
    most, _ = guard.RATES["export"]
    monkeypatch.setattr(floor.room, "limits", limits({"export": most}))
    found = [uma.http.get("/api/trail/export?kind=nothing").status_code for _ in range(most + 2)]
    assert found == [200] * most + [429] * 2


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1"])
def test_a_name_is_no_formula_in_a_sheet(tmp_path: Path, name: str) -> None:
    """Cards are named by people, and a spreadsheet works out what begins like a formula."""
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as floor:
        issued = {"card": name, "name": "X", "role": "dealer", "new_pin": PIN}
        floor.as_("a1").do("issue_card", issued, pin=PIN)
        floor.client().sign_in(name)
        text = floor.as_("u1").http.get("/api/trail/export", params={"person": name}).text
        rows = list(csv.DictReader(StringIO(text)))
        assert rows
        for row in rows:
            assert row["actor"].removeprefix("'") == name.removeprefix("'")
            for cell in row.values():
                assert not cell.lstrip(" ").startswith(("=", "+", "-", "@"))


# Whether the chain holds.


@contextmanager
def tampered(
    floor: InThread, folder: Path, spoil: Callable[[sqlite3.Connection], object]
) -> Iterator[InThread]:
    """A copy of a floor that somebody has changed from behind, served."""
    path = folder / "spoilt.sqlite"
    source = sqlite3.connect(floor.url.removeprefix("sqlite:///"))
    copy = sqlite3.connect(path)
    source.backup(copy)
    source.close()
    copy.close()
    with patch.object(service, "_HASHER", CHEAP):
        made = InThread(f"sqlite:///{path}")
        try:
            # While it is served: a server would not start on it.
            behind = sqlite3.connect(path)
            spoil(behind)
            behind.commit()
            behind.close()
            yield made
        finally:
            made.stop()


def verified(client: Client, first: int = 1) -> Any:
    """What an audit from a record on finds, waited for."""
    answer = client.post(f"/api/audit?first={first}", {})
    assert answer.status_code == 200
    wait_for(lambda: client.get("/api/audit")["running"] is None)
    return client.get("/api/audit")


def test_a_journal_that_holds_is_told_so(floor: InThread) -> None:
    uma = floor.as_("u1")
    before = floor.position
    found = verified(uma)
    checked = found["checked"]
    assert (checked["holds"], checked["sentence"], checked["problem"]) == (True, None, None)
    assert (checked["by"], checked["record"]) == ("u1", None)
    assert before <= checked["events"] <= found["records"]
    seal = found["last_seal"]
    assert found["unsealed"] == found["records"] - seal["position"]
    with floor.room.floor.journal.engine.connect() as connection:
        newest = connection.exec_driver_sql("SELECT number, hash FROM seal ORDER BY number").all()
    assert (seal["number"], seal["hash"]) == tuple(newest[-1])


SPOILT: dict[str, tuple[str, str, int | None]] = {
    "actor": (
        "UPDATE event SET actor = 'd9' WHERE position = 30",
        "event 30 does not match its hash",
        30,
    ),
    "missing": (
        "DELETE FROM event WHERE position = 41",
        "event 41 is missing: event 42 comes next",
        41,
    ),
    "body": (
        "UPDATE event SET body = replace(body, 'ante 10', 'ante 90') WHERE stream = 'table:Poker'",
        "does not match its hash",
        -1,
    ),
    "seal": ("UPDATE seal SET hash = 'x' WHERE number = 1", "seal 1 does not match its hash", None),
    "account": (
        "UPDATE account SET debits = debits + 1 WHERE name LIKE 'tray:%'",
        "by the events",
        None,
    ),
}


@pytest.mark.parametrize("what", list(SPOILT))
def test_a_spoilt_journal_is_told_with_its_first_bad_record(
    floor: InThread, tmp_path: Path, what: str
) -> None:
    statement, sentence, record = SPOILT[what]
    with tampered(floor, tmp_path, lambda connection: connection.execute(statement)) as spoilt:
        checked = verified(spoilt.as_("u1"))["checked"]
        assert checked["holds"] is False
        assert sentence in checked["sentence"]
        if record is None:
            assert checked["record"] is None
        else:
            assert checked["record"] == (record if record > 0 else checked["record"])
            assert checked["sentence"].startswith(f"event {checked['record']} ")


def test_the_journal_is_verified_from_a_record_on(floor: InThread, tmp_path: Path) -> None:
    spoil = "UPDATE event SET actor = 'd9' WHERE position = 30"
    with tampered(floor, tmp_path, lambda connection: connection.execute(spoil)) as spoilt:
        uma = spoilt.as_("u1")
        for first, holds in ((1, False), (30, False), (31, True)):
            checked = verified(uma, first)["checked"]
            assert (checked["first"], checked["holds"]) == (first, holds)
        beyond = uma.post(f"/api/audit?first={spoilt.position + 1_000}", {})
        assert (beyond.status_code, "is unknown; there are" in beyond.text) == (409, True)
        assert uma.post("/api/audit?first=0", {}).status_code == 422


def test_rounds_of_a_spoilt_journal_are_told_too(floor: InThread, tmp_path: Path) -> None:
    """A wager that was changed afterwards shows; what cannot be read is a sentence, no fault."""

    def spoil(connection: sqlite3.Connection) -> None:
        of_round = "stream = 'table:FaceUp' AND kind = 'round' AND body LIKE '%\"number\":{}%'"
        connection.execute(
            "UPDATE event SET body = replace(body, 'bets 1: ante 10', 'bets 1: ante 90') "
            f"WHERE {of_round.format(1)}"
        )
        connection.execute(
            "UPDATE event SET body = replace(body, '\"text\":', '\"txet\":') "
            f"WHERE {of_round.format(2)}"
        )
        connection.execute(
            f"UPDATE event SET body = replace(body, 'deliver', 'close') WHERE {of_round.format(3)}"
        )

    with tampered(floor, tmp_path, spoil) as spoilt:
        sue = spoilt.as_("s1")
        seen = sue.get("/api/tables/FaceUp/rounds/1")
        assert seen["differing"] != []
        second = sue.http.get("/api/tables/FaceUp/rounds/2")
        assert second.status_code == 422
        assert "verify the journal" in second.json()["error"]["message"]
        third = sue.http.get("/api/tables/FaceUp/rounds/3")
        assert third.status_code == 422
        assert "cannot be done again" in third.json()["error"]["message"]
        listed = sue.get("/api/tables/FaceUp/rounds")
        assert [one["number"] for one in listed["rounds"]] == [*range(ROUNDS + 2, 3, -1), 1]
        assert len(listed["problems"]) == 2


def test_one_audit_at_a_time_with_its_progress(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one reads, a second is not begun; everything else goes on."""
    reached, gate = Event(), Event()

    def rest() -> None:
        reached.set()
        assert gate.wait(PATIENCE)

    monkeypatch.setattr(floor.room.checkup, "rest", rest)
    monkeypatch.setattr(audit, "TELL_EVERY", 40)
    uma, viv = floor.as_("u1"), floor.as_("v1")
    running = uma.post("/api/audit", {}).json()["running"]
    assert (running["by"], running["events"] <= running["of"]) == ("u1", True)
    again = viv.post("/api/audit", {}).json()["running"]
    assert (again["by"], again["since"]) == ("u1", running["since"])
    assert reached.wait(PATIENCE)
    assert uma.get("/api/audit")["running"]["events"] == 40
    assert floor.as_("d1").get("/api/tables/Poker")["round"]["over"] is False
    gate.set()
    wait_for(lambda: uma.get("/api/audit")["running"] is None)
    assert uma.get("/api/audit")["checked"]["holds"] is True


def test_a_server_that_stops_leaves_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "TELL_EVERY", 1)
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as floor:
        # It stands back for as long as the server runs.
        floor.room.checkup.rest = floor.room.checkup._stop.wait
        floor.as_("u1").post("/api/audit", {})
        assert floor.as_("u1").get("/api/audit")["running"] is not None
    assert floor.room.checkup.status() == {"running": None, "checked": None}


def test_a_journal_that_cannot_be_read_is_not_called_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as floor:
        uma = floor.as_("u1")
        monkeypatch.setattr(floor.room.floor.journal, "url", f"sqlite:///{tmp_path}/gone.sqlite")
        checked = verified(uma)["checked"]
        assert checked["holds"] is None
        assert "gone.sqlite' is not there" in checked["problem"]
        monkeypatch.undo()
    shutil.rmtree(tmp_path)
