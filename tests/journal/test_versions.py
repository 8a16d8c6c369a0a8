"""Versions: what an earlier program wrote opens, verifies, is worked out again and goes on."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic import command as migrations
from sqlalchemy import insert

from houseway.cli import main
from houseway.floor.approvals import missing
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.person import same_holder
from houseway.floor.pit import find_pit
from houseway.floor.recall import Rounds, recalled_round
from houseway.floor.records import coin_in, progressive_record, reconciliation, win_pages
from houseway.floor.reports import report
from houseway.journal import schema
from houseway.journal.backup import restore_backup, write_backup
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.journal import Journal
from houseway.journal.rebuild import differences, events_today, every_event, rebuilt
from houseway.journal.state import Model, State
from houseway.journal.store import _config, make_engine, newest_schema, open_to_read, read_url
from houseway.journal.versions import Upcasts, present
from houseway.live.view import Viewer
from houseway.refusal import Reason, Refused
from tests import ROOT
from tests.floor.room import CHECKED, ON_CAMERA, SETTINGS, Room
from tests.journal.bank import Bank, audited, look, pay, sound, tamper
from tests.journal.databases import Server

STORED = "SELECT position, schema, body, hash FROM event ORDER BY position"


# Banks of one program after the other.


def dollars(event: Event, _state: State) -> Mapping[str, Any]:
    """Version 2 has the amount as text, with its unit."""
    return {**event.data, "amount": f"{event.data['amount']} cents"}


def balance(event: Event, state: State) -> Mapping[str, Any]:
    """Version 3 has what was paid in all, which can be worked out from what came before."""
    before = (state.streams.get(event.stream) or {"paid": 0})["paid"]
    return {"payee": event.data["payee"], "paid": before + int(event.data["amount"].split()[0])}


TO_SECOND: Upcasts = {"paid": (dollars,)}
TO_THIRD: Upcasts = {"paid": (dollars, balance)}


def test_a_refusal_of_an_earlier_program_is_read_as_it_would_be_kept_today() -> None:
    data = {
        "command": "pay",
        "arguments": {"payer": "ann", "note": "x" * 60_000},
        "key": "one",
        "reason": "not_an_amount",
        "clause": None,
        "message": "amount -3 cannot be paid",
    }
    body = json.dumps({"data": data, "transfers": []})
    stored = Event(1, "refusals", 1, "refused", 1, "refused:1", 0, "d1", "", body, "", "")
    today = present(stored, State(), Bank.upcasts)
    assert today.schema == 2
    assert today.data["excerpt"] == {"payer": "ann", "note": "x" * 37 + "..."}
    assert "arguments" not in today.data
    assert stored.data == data


class SecondBank(Bank):
    """Payments as text."""

    upcasts = TO_SECOND

    def decide(self, state: State, command: Command) -> Entry:
        return self.rewritten(state, super().decide(state, command))

    def rewritten(self, _state: State, entry: Entry) -> Entry:
        paid, received = entry.events
        data = {**paid.data, "amount": f"{paid.data['amount']} cents"}
        return Entry(events=[replaced(paid, data), received], answer=entry.answer)

    def evolve(self, before: Any, event: Event) -> Any:
        state = dict(before or {"paid": 0, "received": 0})
        if event.kind == "paid":
            state["paid"] += int(event.data["amount"].removesuffix(" cents"))
        else:
            state["received"] += event.data["amount"]
        return state


class ThirdBank(SecondBank):
    """Payments as totals; a state of another form."""

    upcasts = TO_THIRD
    form = "purses, with the last payee"

    def rewritten(self, _state: State, entry: Entry) -> Entry:
        paid, received = entry.events
        data = {"payee": paid.data["payee"], "paid": entry.answer["paid"]}
        return Entry(events=[replaced(paid, data), received], answer=entry.answer)

    def evolve(self, before: Any, event: Event) -> Any:
        state = dict(before or {"paid": 0, "received": 0, "last": ""})
        if event.kind == "paid":
            state |= {"paid": event.data["paid"], "last": event.data["payee"]}
        else:
            state["received"] += event.data["amount"]
        return state


def replaced(draft: Draft, data: Mapping[str, Any]) -> Draft:
    return Draft(stream=draft.stream, kind=draft.kind, data=data, transfers=draft.transfers)


def versions(url: str) -> list[int]:
    return [
        v for (v,) in look(url, "SELECT schema FROM event WHERE kind = 'paid' ORDER BY version")
    ]


def test_what_an_earlier_program_wrote_is_read_as_of_today_and_left_as_it_is(database: str) -> None:
    """Three programs, each on what the others left: they agree on every answer and balance."""
    total, written = 0, 0
    for program in (Bank(), SecondBank(), ThirdBank(), ThirdBank()):
        stored = look(database, STORED) if written else []
        with Journal(database, program) as journal:
            for _ in range(2):
                total, written = total + 5, written + 1
                assert journal.do(pay(f"key {written}")) == {"paid": total}
            assert journal.do(pay("key 1")) == {"paid": 5}
            assert journal.state_of("purse:ann")["paid"] == total
        assert look(database, STORED)[: len(stored)] == stored
        sound(database, program)
    assert versions(database) == [1, 1, 2, 2, 3, 3, 3, 3]
    [(document,)] = look(database, "SELECT state FROM stream WHERE name = 'purse:ann'")
    assert json.loads(document) == {"paid": 40, "received": 0, "last": "bob"}
    engine = open_to_read(database)
    with engine.connect() as connection:
        today = [e.data for e in events_today(connection, ThirdBank()) if e.kind == "paid"]
        assert today == [{"payee": "bob", "paid": 5 * n} for n in range(1, 9)]
        assert rebuilt(connection, ThirdBank()).streams["purse:ann"]["paid"] == 40
    engine.dispose()


def test_what_a_newer_program_wrote_is_refused_and_left_as_it_is(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
    with Journal(database, SecondBank()) as journal:
        journal.do(pay("two"))
    before = look(database, STORED), look(database, "SELECT * FROM stream ORDER BY name")
    sentence = "event 3 is 'paid' of version 2, and this program knows it up to version 1; use the"
    with pytest.raises(Refused, match=sentence) as told:
        Journal(database, Bank())
    assert told.value.reason is Reason.BAD_RECORD
    engine = open_to_read(database)
    with engine.connect() as connection:
        for reading in (differences, events_today):
            with pytest.raises(Refused, match=sentence):
                list(reading(connection, Bank()))
    engine.dispose()
    assert (look(database, STORED), look(database, "SELECT * FROM stream ORDER BY name")) == before
    # The audit knows no model, and holds.
    assert audited(database).holds
    sound(database, SecondBank())


def test_two_versions_of_the_program_do_not_write_side_by_side(database: str) -> None:
    """Each would write over the states of the other."""
    with Journal(database, Bank()) as old:
        assert old.do(pay("one")) == {"paid": 5}
        with Journal(database, ThirdBank()) as new:
            for key in ("two", "three", "two"):
                with pytest.raises(Refused, match="another version of this program") as told:
                    old.do(pay(key))
                assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
            batch = [old.submit(pay(f"{number}")) for number in range(5)]
            assert all(isinstance(future.exception(), Refused) for future in batch)
            assert new.do(pay("two")) == {"paid": 10}
        with pytest.raises(Refused, match="another version of this program"):
            old.do(pay("three"))
    sound(database, ThirdBank())


def test_an_earlier_program_may_come_back_as_long_as_it_knows_every_event(database: str) -> None:
    class Slower(Bank):
        """Only its states look different."""

        form = "others"

    for number, program in enumerate((Bank(), Slower(), Bank(), Slower()), start=1):
        with Journal(database, program) as journal:
            assert journal.do(pay(f"{number}")) == {"paid": 5 * number}
        sound(database, program)


def test_a_backup_of_an_earlier_program_is_restored_by_a_newer_one(
    database: str, tmp_path: Path
) -> None:
    first = f"sqlite:///{tmp_path}/first.sqlite"
    with Journal(first, Bank()) as journal:
        journal.do(pay("one"))
    write_backup(first, tmp_path / "first.journal")
    assert restore_backup(database, tmp_path / "first.journal", ThirdBank()).holds
    sound(database, ThirdBank())
    with Journal(database, ThirdBank()) as journal:
        assert journal.do(pay("two")) == {"paid": 10}
    sound(database, ThirdBank())


# The floor.

EARLIER = ROOT / "tests" / "data" / "earlier_floor.json.gz"
"""A floor by an earlier program: its tables as they were, with three awards that wait."""
RELEASED = ROOT / "tests" / "data" / "released_floor.json.gz"
"""A floor by the last program whose progressive had commands of its own beside the round.

Link L has four games that are over at T1 and T2, of which one award was backed out and confirmed
again, and live rounds at T2 and T4. Left under way: at T1 a hand that is chosen, at T2 an award
that is confirmed in a live round, at T5 of link G one that J-POT has recorded, and at T6 a live
round whose wagers were taken. At T3 the progressive is over and its round is not. T4 and T6 carry
the wagers of void rounds over; at T4 one waits for the next game.
"""

APPROVED = ROOT / "tests" / "data" / "approved_floor.json.gz"
"""A floor of a program whose digests were of the first form, with everything approved.

Tables S and U play three-card-poker under wa_commercial for link L, by rules that were approved.
S is open with a shuffler and a progressive system; U has options of a meter, which nothing minded.
"""


@pytest.fixture
def approved(database: str) -> str:
    """The third of them in a database."""
    return put(database, APPROVED)


EQUIPPED = ROOT / "tests" / "data" / "equipped_floor.json.gz"
"""A floor by the last program that took any text for equipment and asked for no layout.

Tables S and G of a card room were opened with a baccarat shoe of a rival for a shuffler; S is
closed again and G is open. The parts of S have a version 'latest 3' and a smart TV for a display,
those of G a Game Manager '7 beta 1'. N was never opened.
"""


DATED = ROOT / "tests" / "data" / "dated_floor.json.gz"
"""A floor whose tables had days of their own, by a program between two releases.

Tables P2024, P2018, R2018, R2012, B2023 and R2017 were approved, opened, dealt at and closed.
"""


@pytest.fixture
def earlier(database: str) -> str:
    """The first of them in a database."""
    return put(database, EARLIER)


@pytest.fixture
def released(database: str) -> str:
    """The second of them in a database."""
    return put(database, RELEASED)


def put(database: str, stored: Path) -> str:
    """A stored floor in a database, at the schema that it had."""
    kept: dict[str, Any] = json.loads(gzip.decompress(stored.read_bytes()))
    engine = make_engine(read_url(database))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config = _config()
        config.attributes["connection"] = connection
        migrations.upgrade(config, kept.pop("schema"))
        for name, rows in kept.items():
            table = schema.metadata.tables[name]
            names = [column.name for column in table.columns]
            connection.execute(insert(table), [dict(zip(names, r, strict=True)) for r in rows])
    engine.dispose()
    return database


def kept_states(url: str) -> dict[str, Any]:
    return {n: json.loads(s) for n, s in look(url, "SELECT name, state FROM stream")}


def test_an_earlier_floor_is_read_without_changing_anything(
    earlier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert look(earlier, "SELECT version_num FROM alembic_version") == [("0001",)]
    for arguments in (["verify"], ["rebuild"]):
        assert main(["audit", *arguments, "--database", earlier]) == 0
    capsys.readouterr()
    assert main(["export", "win-pages", "--format", "jsonl", "--database", earlier]) == 0
    assert json.loads(capsys.readouterr().out)["amount_cents"] == 1_000_040
    assert main(["export", "events", "--format", "jsonl", "--database", earlier]) == 0
    exported = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {event["schema"] for event in exported} == {1}
    assert look(earlier, "SELECT version_num FROM alembic_version") == [("0001",)]


def test_an_earlier_floor_opens_and_every_award_waits_as_it_did(earlier: str) -> None:
    stored, before = look(earlier, STORED), kept_states(earlier)
    last_seal = audited(earlier).last_seal
    Journal(earlier, FloorModel()).close()
    assert look(earlier, "SELECT version_num FROM alembic_version") == [(newest_schema(),)]
    assert look(earlier, STORED) == stored
    found = sound(earlier, FloorModel())
    assert (found.last_seal, found.unsealed) == (last_seal, 0)
    after = kept_states(earlier)
    assert after.keys() == before.keys()
    # What the earlier program kept is all still there, and what it left out is found.
    waited, waits = before["link:L"]["pending"], after["link:L"]["pending"]
    assert [{name: p[name] for name in waited[0]} for p in waits] == waited
    assert [(p["hand"], p["wager_cents"], p["recorded"]) for p in waits] == [
        ("akq_spades", 100, False)
    ] * 3
    for table in ("table:T1", "table:T2", "table:T3"):
        was, now = before[table], after[table]
        game = now["earlier"]
        for name in was.keys() & now.keys() - {"awards"}:
            assert as_then(now[name], was[name]) == was[name], name
        assert (game["round"], now["awards"]) == (was["round"], [])
        assert game["lights"] == {
            place: [light["cents"], light["player"]] for place, light in was["lights"].items()
        }
        assert as_then(game["awards"], was["awards"]) == was["awards"]
        assert now["starts"] == {"single": 1}
    # A supervisor could be called for an award only.
    at = "2026-03-01T12:00:51.000000+00:00"
    [call] = after["table:T1"]["calls"]
    assert call == {"reason": "award", "text": "", "by": "d1", "at": at}
    for table in ("table:T1", "table:T2", "table:T3"):
        assert bool(after[table]["calls"]) == before[table]["called"]


def as_then(value: Any, was: Any) -> Any:
    """A value without what it says today beyond what it said then."""
    if isinstance(was, dict) and isinstance(value, dict):
        return {name: as_then(value[name], was[name]) for name in was if name in value}
    if isinstance(was, list) and isinstance(value, list) and len(was) == len(value):
        return [as_then(now, then) for now, then in zip(value, was, strict=True)]
    return value


GONE = (
    *("light", "unlight", "start_game", "fold", "choose_spot", "press_hand", "pay_envy"),
    *("end_game", "void_game"),
)


def test_an_earlier_floor_goes_on(earlier: str) -> None:
    """What was under way is ended with its wagers given back; then it is dealt as today."""
    room = Room(earlier)
    with pytest.raises(Refused, match="was used for another command"):
        room.do("d1", "open_round", table="T1", key="old-20")
    for name in GONE:
        with pytest.raises(Refused, match=f"command '{name}' is unknown"):
            room.do("d1", name, table="T1")
    # Nobody watched the cameras of that floor yet.
    room.do("a1", "issue_card", card="v1", name="Viv", role="surveillance", pin_hash="x")
    for table in ("T1", "T2", "T3"):
        with pytest.raises(Refused, match="a supervisor ends it with end_earlier_game"):
            room.do("d1", "open_round", table=table)
        room.do("s1", "end_earlier_game", table=table, reason="the program is new")
    assert room.state.streams["link:L"].pending == ()
    # Of four wagers 80 cents were on the meter and 20 in the reserve.
    assert (room.meter("L"), room.state.owed("reserve:L:single")) == (1_000_510, 0)
    room.play("T3", {1: "akq_spades"})
    assert room.press("T3", 1, "akq_spades") == 1_000_530
    assert [p.table for p in room.state.streams["link:L"].pending] == ["T3"]
    room.do("d1", "call_supervisor", table="T3")
    assert room.confirm("T3", 1)["page"] == 2
    room.say("T3", "close")
    room.on_camera("T3", 2)
    room.do("c1", "pay_award", table="T3", page=2, reference="cheque")
    assert room.state.owed("payable:L") == 0
    room.journal.close()
    sound(earlier, FloorModel())
    kinds = look(earlier, "SELECT kind, schema, count(*) FROM event GROUP BY kind, schema")
    counted = {(kind, version): count for kind, version, count in kinds}
    assert counted["award_waits", 1] == 8
    # Two games had awards that waited, and the last of today did.
    assert counted["award_waits", 2] == 3
    assert counted["game_started", 3] == 1
    assert counted["earlier_game_ended", 1] == 3
    engine = open_to_read(earlier)
    with engine.connect() as connection:
        pages = [*report("win-pages", events_today(connection, FloorModel()))]
    engine.dispose()
    assert [page["page"] for page in pages] == [1, 2]


def test_an_earlier_floor_is_backed_up_and_restored(
    earlier: str, tmp_path: Path, server: Server
) -> None:
    assert write_backup(earlier, tmp_path / "floor.journal") == 66
    other = f"sqlite:///{tmp_path}/other.sqlite"
    if earlier.startswith("sqlite"):
        other = server.new_database()
    assert restore_backup(other, tmp_path / "floor.journal", FloorModel()).holds
    sound(other, FloorModel())


def test_awards_that_waited_in_the_form_of_today_under_the_first_version(earlier: str) -> None:
    """For a time the data was of today and the version not yet: it says so itself."""
    Journal(earlier, FloorModel()).close()
    engine = open_to_read(earlier)
    with engine.connect() as connection:
        wanted = [e.data for e in events_today(connection, FloorModel()) if e.kind == "award_waits"]
        [*_, last] = [e for e in every_event(connection) if e.kind == "award_waits"]
        state = rebuilt(connection, FloorModel())
    engine.dispose()
    body = json.dumps({"data": wanted[-1], "transfers": []})
    early = last._replace(body=body, position=state.position + 1)
    state.take(early, FloorModel())
    assert [p.position for p in state.streams["link:L"].pending] == [4, 6, 2]


def test_a_floor_of_a_newer_program_is_refused_at_the_command_line(
    earlier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(earlier, "UPDATE event SET schema = 3 WHERE kind = 'award_waits'")
    for arguments in (["audit", "rebuild"], ["export", "win-pages"]):
        assert main([*arguments, "--database", earlier]) == 2
        told = " ".join(capsys.readouterr().err.split())
        assert "is 'award_waits' of version 3, and this program knows it up to version 2" in told
    # Whoever changes a version changes what was hashed.
    assert main(["audit", "verify", "--database", earlier]) == 1


# The floor of the released program.

UNDER_WAY = ("T1", "T2", "T5", "T6")
CENT = 1_000_000


def today(url: str) -> list[Event]:
    """All events, as they would be written today."""
    engine = open_to_read(url)
    with engine.connect() as connection:
        found = [*events_today(connection, FloorModel())]
    engine.dispose()
    return found


def books(room: Room) -> dict[str, int]:
    """What is owed on every account."""
    return {name: room.state.owed(name) for name in room.state.accounts}


def moved(room: Room, before: Mapping[str, int]) -> dict[str, int]:
    """By how many cents accounts went up or down since."""
    changed = {name: owed - before[name] for name, owed in books(room).items()}
    return {name: change // CENT for name, change in changed.items() if change}


def holds(url: str) -> None:
    """Chain, balances and states hold, and so does what the records of a floor say together."""
    sound(url, FloorModel())
    assert main(["audit", "verify", "--database", url]) == 0


def end(room: Room, table: str) -> Any:
    return room.do("s1", "end_earlier_game", table=table, reason="the program is new")


def refused(room: Room, *asked: Any, **arguments: Any) -> Refused:
    with pytest.raises(Refused) as raised:
        room.do(*asked, **arguments)
    return raised.value


ADJUST = {
    "link": "L",
    "level": "single",
    "text": "as written in the log",
    "second": "c1",
    "pin_held": True,
    "second_pin_held": True,
}


def test_a_released_floor_opens_with_every_balance_as_it_was(released: str) -> None:
    accounts = "SELECT * FROM account ORDER BY name"
    transfers = "SELECT * FROM transfer ORDER BY position, part"
    stored = [look(released, statement) for statement in (STORED, accounts, transfers)]
    last_seal = audited(released).last_seal
    Journal(released, FloorModel()).close()
    assert [look(released, statement) for statement in (STORED, accounts, transfers)] == stored
    found = sound(released, FloorModel())
    assert (found.last_seal, found.unsealed) == (last_seal, 0)
    holds(released)
    happened = today(released)
    pages = [(p["serial"], p["amount_cents"], p["paid_at"] is None) for p in win_pages(happened)]
    assert sorted(pages) == [
        ("G-000001", 5_020, False),
        ("L-000001", 1_000_040, False),
        ("L-000002", 1_000_050, True),
        ("L-000003", 1_000_050, False),
        ("L-000004", 999_750, False),
        ("L-000005", 1_000_180, True),
    ]
    for link in ("L", "G"):
        assert reconciliation(happened, link)["records_that_differ"] == []


def test_rounds_of_a_released_floor_are_recalled(released: str) -> None:
    """Every step is done again, and comes to what was written down then."""
    Journal(released, FloorModel()).close()
    happened = today(released)
    engine = open_to_read(released)
    with engine.connect() as connection:
        known = {
            table: Rounds(connection, FloorModel(), table, len(happened))
            for table in ("T2", "T3", "T4", "T6")
        }
        found = {
            (table, number): rounds.recall(number)
            for table, rounds in known.items()
            for number in range(1, 1 + len(rounds.newest()))
        }
    engine.dispose()
    assert {place: one.last.phase.value for place, one in found.items()} == {
        ("T2", 1): "closed",
        ("T2", 2): "reconcile",
        ("T3", 1): "reconcile",
        ("T4", 1): "void",
        ("T4", 2): "closed",
        ("T6", 1): "no more bets",
    }
    for place, one in found.items():
        assert one.differing == (), place
        assert one.rules_digest == one.recorded_rules
    # The rounds of that program priced their own meter awards.
    texts = [step.event.data["text"] for step in found["T2", 1].steps[1:]]
    assert [text for text in texts if text.startswith("start game")] == [
        "start game: single 9997.50"
    ]
    viewer = Viewer("surveillance")
    for table, number in (("T2", 1), ("T4", 1), ("T4", 2)):
        assert recalled_round(found[table, number], viewer, str)["differing"] == []


def test_games_under_way_on_a_released_floor_can_only_be_ended(released: str) -> None:
    room = Room(released)
    ending = "a supervisor ends it with end_earlier_game"
    at = {"table": "T2", "page": 5}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        *(("d1", "open_round", {"table": table}) for table in UNDER_WAY),
        *(("d1", "round", {"table": table, "text": "close"}) for table in UNDER_WAY),
        ("e1", "confirm_award", {"table": "T1", "position": 2, "checklist": CHECKED}),
        ("s1", "turn_key", {"table": "T5", "to": "run"}),
        ("s1", "press_jackpot", {"table": "T5", "position": 3, "checklist": CHECKED}),
        ("v1", "check_on_camera", {**at, "pin_held": True, "seen": ON_CAMERA}),
        ("c1", "pay_award", {**at, "reference": "cage 2"}),
        ("s1", "adjust", {**ADJUST, "cents": 1_000_180, "reason": "award_backed_out", "page": 5}),
    ]
    for actor, name, arguments in asked:
        assert ending in refused(room, actor, name, **arguments).message, (name, arguments)
    # The prize of another page has nothing to do with the game at T2.
    asked_for = {**ADJUST, "cents": 5, "reason": "award_backed_out", "page": 1}
    assert "was handed over" in refused(room, "s1", "adjust", **asked_for).message
    for card in ("d1", "c1", "a1"):
        wrong = refused(room, card, "end_earlier_game", table="T1", reason="the program is new")
        assert wrong.reason is Reason.NOT_APPROVED
    assert refused(room, "s1", "end_earlier_game", table="T1", reason="").reason is (
        Reason.BAD_ARGUMENT
    )
    for table in ("T3", "T4"):
        none = refused(room, "s1", "end_earlier_game", table=table, reason="the program is new")
        assert "no game of an earlier version is under way" in none.message
    room.journal.close()
    holds(released)


def ended(room: Room) -> dict[str, dict[str, int]]:
    """The games that were under way, ended; by how many cents each end moved accounts."""
    found = {}
    refused(room, "d1", "open_round", table="T1")
    for table in UNDER_WAY:
        before = books(room)
        end(room, table)
        found[table] = moved(room, before)
        again = refused(room, "s1", "end_earlier_game", table=table, reason="the program is new")
        assert again.reason is Reason.WRONG_PHASE
    return found


def test_what_was_under_way_on_a_released_floor_is_given_back_carried_or_owed(
    released: str,
) -> None:
    room = Room(released)
    assert ended(room) == {
        # Two wagers come back: a fifth from the meter, a twentieth from the reserve.
        "T1": {"house": -150, "meter:L:single": -40, "reserve:L:single": -10, "tray:T1": 200},
        # An award was confirmed, so the wagers stay where they are.
        "T2": {},
        "T5": {"house": -89, "meter:G:single": -10, "reserve:G:single": -1, "tray:T5": 100},
        # Carried over, as the table does with void rounds.
        "T6": {},
    }
    for link in ("link:L", "link:G"):
        assert room.state.streams[link].pending == ()
    for table in UNDER_WAY:
        kept = room.state.streams[f"table:{table}"]
        assert (kept.started, kept.key, kept.called_at) == (False, "run", "")
    for table in ("T2", "T6"):
        over = round_of(room.state.streams[f"table:{table}"])
        assert over is not None
        assert over.voided == "ruling"
    # The award is owed as before: $10,001.80 of page 5, and $5.00 of a slip.
    [award] = room.state.streams["table:T2"].awards
    assert (award.page, award.position, award.player, award.amount_cents, award.status) == (
        *(5, 1, "Ann", 1_000_180, "confirmed"),
    )
    assert room.state.owed("payable:L") == (1_000_180 + 500) * CENT
    leaving = refused(room, "a1", "leave_link", table="T2")
    assert "win page 5" in leaving.message
    # It is paid by its page, once surveillance has verified it.
    paying = {"table": "T2", "page": 5, "reference": "cage 2"}
    assert refused(room, "c1", "pay_award", **paying).clause == "WAC 230-15-320"
    room.on_camera("T2", 5)
    assert room.do("c1", "pay_award", **paying)["amount_cents"] == 1_000_180
    assert room.state.owed("payable:L") == 500 * CENT
    room.do("a1", "leave_link", table="T2")
    left = {link: room.state.owed(f"meter:{link}:single") for link in ("L", "G")}
    room.journal.close()
    holds(released)
    happened = today(released)
    for link, number in (("L", 3), ("G", 2)):
        assert reconciliation(happened, link)["records_that_differ"] == []
        *_, last = progressive_record(happened, link, "single")
        assert last["amount_microcents"] == left[link]
        words = f"contributions of void round {number} taken back: the program is new"
        assert last["why"] == words
    paid = win_pages(happened)[-1]
    assert (paid["serial"], paid["paid_by"], paid["seen_by"]) == ("L-000005", "c1", "v1")
    by_table = {line["table"]: (line["void"], line["void_cents"]) for line in coin_in(happened)}
    # At T3 and T4 games were void before; T2 was played, and T6 carries its wager over.
    assert by_table == {
        "T1": (1, 200),
        "T2": (0, 0),
        "T3": (1, 100),
        "T4": (3, 0),
        "T5": (1, 100),
        "T6": (1, 0),
    }
    voids = [row for row in report("voids", happened) if "earlier" in row["what"]]
    assert [(row["table"], row["text"]) for row in voids] == [
        (table, "the program is new") for table in UNDER_WAY
    ]


def test_an_award_of_a_released_floor_is_backed_out_beside_a_round_of_the_same_number(
    released: str,
) -> None:
    room = Room(released)
    ended(room)
    room.start("T2", 1)
    # The earlier game was the third at this table, and so is the round of today.
    assert room.state.streams["table:T2"].deal_number == 3
    before = room.meter("L")
    room.do("s1", "adjust", **ADJUST, cents=1_000_180, reason="award_backed_out", page=5)
    assert room.state.streams["table:T2"].awards == ()
    # meter_seed and $0.30 of the reserve had gone on the meter after it.
    assert room.meter("L") == before + 1_000_180 - 1_000_000 - 30
    room.deal("T2", {1: None})
    room.say("T2", "close")
    room.journal.close()
    holds(released)


def test_a_round_takes_the_lights_of_a_released_floor_over_when_it_is_opened(released: str) -> None:
    room = Room(released)
    ended(room)
    assert room.state.streams["table:T4"].earlier is not None
    room.do("d1", "open_round", table="T4")
    kept = room.state.streams["table:T4"]
    under_way = round_of(kept)
    assert under_way is not None
    assert (kept.earlier, under_way.seat(5).carried) == (None, 300)
    room.journal.close()
    holds(released)


def test_a_released_floor_deals_on_at_every_table(released: str) -> None:
    room = Room(released)
    ended(room)
    # The fixed pay at T3 was booked when its progressive ended, and is not booked again.
    before = books(room)
    room.say("T3", "close")
    assert moved(room, before) == {}
    # What void games carried over is not paid again: 5 of T4 by its lights, 4 of T6 by its round.
    for table, position, cents in (("T4", 5, 300), ("T6", 4, 200)):
        for wagered in (0, cents):
            before = books(room)
            room.play(table, {position: None}, cents=cents)
            room.say(table, "close")
            # The round has taken over what was left for it, and nobody else had anything.
            kept = room.state.streams[f"table:{table}"]
            over = round_of(kept)
            assert over is not None
            carried = {seat.position: seat.carried for seat in over.seats if seat.carried}
            assert (kept.earlier, carried) == (None, {} if wagered else {position: cents})
            assert moved(room, before) == (
                {
                    "house": wagered * 75 // 100,
                    "meter:L:single": wagered // 5,
                    "reserve:L:single": wagered // 20,
                    f"tray:{table}": -wagered,
                }
                if wagered
                else {}
            )
    for number, table in enumerate(("T1", "T2", "T3", "T4", "T6"), start=6):
        room.play(table, {3: "akq_spades", 1: None})
        claim = room.press(table, 3, "akq_spades")
        assert claim == room.meter("L")
        room.do("d1", "call_supervisor", table=table)
        assert room.confirm(table, 3) == {"position": 3, "amount_cents": claim, "page": number}
        room.say(table, "pay envy")
        room.say(table, "close")
        room.on_camera(table, number)
        room.do("c1", "pay_award", table=table, page=number, reference=f"cage {number}")
    room.play("T5", {3: "akq_spades"})
    claim = room.press("T5", 3, "akq_spades")
    room.do("d1", "call_supervisor", table="T5")
    at: dict[str, Any] = {"table": "T5", "pin_held": True}
    room.do("s1", "turn_key", **at, to="jph")
    assert room.do("s1", "press_jackpot", **at, position=3, checklist=CHECKED)["page"] == 2
    room.do("s1", "turn_key", **at, to="run")
    room.do("c1", "pay_award", table="T5", page=2, reference="cage 1")
    room.say("T5", "close")
    # Of the earlier program only page 5 and a slip are still owed.
    assert room.state.owed("payable:L") == (1_000_180 + 500) * CENT
    assert room.state.owed("payable:G") == 0
    room.journal.close()
    holds(released)
    happened = today(released)
    for link in ("L", "G"):
        assert reconciliation(happened, link)["records_that_differ"] == []


def test_a_released_floor_is_backed_up_and_restored(released: str, tmp_path: Path) -> None:
    write_backup(released, tmp_path / "floor.journal")
    other = f"sqlite:///{tmp_path}/other.sqlite"
    assert restore_backup(other, tmp_path / "floor.journal", FloorModel()).holds
    sound(other, FloorModel())


# Approvals.


VOID = "void ruling: set down"


def table_deals(room: Room, table: str, *serials: str) -> None:
    """Open a table, and a round at it; set down the round and close."""
    equipment = list(serials or ("SH1", "PG1"))
    room.do("s1", "open_table", table=table, equipment=equipment, pin_held=True)
    room.do("d1", "open_round", table=table)
    set_down(room, table)


def set_down(room: Room, table: str) -> None:
    room.say(table, VOID, "s1")
    room.do("s1", "close_table", table=table)


@pytest.mark.clause("CMP-01")
def test_a_floor_with_approvals_opens_its_tables_as_before(approved: str) -> None:
    room = Room(approved)
    with pytest.raises(Refused, match="S is open since"):
        room.do("s1", "open_table", table="S", pin_held=True)
    set_down(room, "S")
    for table in ("S", "U"):
        table_deals(room, table)
    holds(approved)


@pytest.mark.clause("CMP-01", "PRC-09")
def test_settings_changed_on_a_floor_with_approvals_are_approved_anew(approved: str) -> None:
    room = Room(approved)
    set_down(room, "S")
    meters = {"single": {**SETTINGS, "contribution_ppm": 100_000}}
    room.do("a1", "change_settings", link="L", meters=meters)
    # The old approval said nothing of the link: its settings, old and new, need one.
    with pytest.raises(Refused, match="not the ones that were approved") as refusal:
        table_deals(room, "S")
    assert refusal.value.clause == "CMP-01"
    for waiting in (True, False):
        paper = {"reference": "2026-1", "day": "2026-01-05", "waiting": waiting}
        room.do("a1", "approve_rules", table="S", **paper)
    # Table U plays by the same rules.
    for table in ("S", "U"):
        table_deals(room, table)
    holds(approved)


@pytest.mark.clause("CMP-01", "CMP-12")
def test_tables_that_had_days_of_their_own_open_as_approved(database: str) -> None:
    room = Room(put(database, DATED))
    for table in ("P2024", "P2018", "R2018", "R2012", "B2023"):
        table_deals(room, table, "SH1")
    # The letter of 2017 is no longer in force.
    with pytest.raises(Refused, match="wa_2017") as told:
        room.do("s1", "open_table", table="R2017", pin_held=True, equipment=["SH1"])
    assert told.value.clause == "CMP-13"
    holds(database)


def test_no_event_has_gone_back_to_a_version_before() -> None:
    """A journal may hold what any program wrote; later programs add to this list."""
    known = {kind: len(steps) + 1 for kind, steps in FloorModel().upcasts.items()}
    assert {kind: known.get(kind, 1) for kind in VERSIONS} == VERSIONS


VERSIONS = {
    "alert_seen": 2,
    "award_waits": 2,
    "card_issued": 2,
    "equipment_recorded": 3,
    "game_started": 3,
    "round": 2,
    "supervisor_called": 2,
    "table_made": 2,
    "table_opened": 2,
}


def test_every_model_says_what_it_is_made_of() -> None:
    models: list[Model] = [Bank(), SecondBank(), ThirdBank(), FloorModel()]
    assert len({model.form for model in models}) == 3
    assert "award_waits" in FloorModel().upcasts


# People and alerts.


def written(stream: str, kind: str, data: Mapping[str, Any], actor: str = "a1") -> Event:
    """An event as the first program wrote it."""
    body = json.dumps({"data": data, "transfers": []})
    return Event(1, stream, 1, kind, 1, "key", 0, actor, "2024-01-01", body, "", "")


def test_cards_of_an_earlier_program_are_of_one_person_by_name() -> None:
    model, state = FloorModel(), State()
    for card, name in (("d1", "Dan"), ("s1", " DAN"), ("e1", "\uff24an"), ("d2", "Dan B")):
        data = {"name": name, "role": "dealer", "pin_hash": "x"}
        state.take(written(f"person:{card}", "card_issued", data), model)
    assert {card: same_holder(state, "d1", card) for card in ("s1", "e1", "d2")} == {
        "s1": True,
        "e1": True,
        "d2": False,
    }


def test_acknowledgements_of_an_earlier_program_are_forgotten_as_they_were() -> None:
    model, state = FloorModel(), State()
    for number in range(205):
        data = {"alert": f"slow T{number}", "note": ""}
        state.take(written("floor:pit", "alert_seen", data, "s1"), model)
    assert [*find_pit(state).seen] == [f"slow T{number}" for number in range(5, 205)]


# Equipment.


@pytest.mark.clause("CMP-03", "CMP-16", "PNX-01", "PNX-02")
def test_an_earlier_floor_opens_its_tables_as_before(database: str) -> None:
    room = Room(put(database, EQUIPPED))
    room.do("d1", "open_round", table="G")
    for table in ("S", "G"):
        assert missing(room.state, room.state.streams[f"table:{table}"]) == []
    asked = {"pin_held": True, "equipment": ["SH1", "PG1"]}
    for _ in range(2):
        room.do("s1", "open_table", table="S", **asked)
        room.do("s1", "close_table", table="S")
    room.do("a1", "approve_rules", table="N", reference="2023-3119", day="2023-06-14")
    room.do("s1", "open_table", table="N", **asked)
    room.do("s1", "close_table", table="N")
    # A table that is made today is asked for a layout.
    options = room.state.streams["table:N"].options
    own = {name: text for name, text in options.items() if name != "date"}
    room.do("a1", "make_table", table="New", game="three-card-poker", options=own)
    room.do("a1", "approve_rules", table="New", reference="2023-3119", day="2023-06-14")
    with pytest.raises(Refused, match="no layout on record") as told:
        room.do("s1", "open_table", table="New", **asked)
    assert told.value.clause == "CMP-03"
    # Once a table has had a layout it is not without one again.
    sold = {"maker": "Rival", "sold": "2024-02-01"}
    room.do("a1", "record_equipment", serial="LA1", kind="layout", model="Felt", **sold)
    room.do("s1", "open_table", table="S", pin_held=True, equipment=["SH1", "PG1", "LA1"])
    room.do("s1", "close_table", table="S")
    with pytest.raises(Refused, match="no layout on record"):
        room.do("s1", "open_table", table="S", **asked)
    # Equipment that is recorded again is judged as of today.
    shoe = {"kind": "shuffler", "model": "baccarat shoe", "approval": "A-7", **sold}
    room.do("a1", "record_equipment", serial="SH1", **shoe)
    with pytest.raises(Refused, match="'baccarat shoe' of 'Rival'"):
        room.do("s1", "open_table", table="S", pin_held=True, equipment=["SH1", "PG1", "LA1"])
    room.journal.close()
    sound(database, FloorModel())
    kinds = look(database, "SELECT kind, schema, count(*) FROM event GROUP BY kind, schema")
    counted = {(kind, version): count for kind, version, count in kinds}
    assert (counted["equipment_recorded", 1], counted["equipment_recorded", 3]) == (4, 2)
    assert (counted["table_opened", 1], counted["table_opened", 2]) == (2, 4)


@pytest.mark.clause("CMP-16")
@pytest.mark.parametrize(("version", "earlier", "approval"), [(1, True, "A-1"), (2, False, "")])
def test_a_reference_approves_only_equipment_that_was_recorded_before_the_list(
    version: int, earlier: bool, approval: str
) -> None:
    data: dict[str, Any] = {
        "serial": "SH9",
        "kind": "shuffler",
        "model": "Toaster 3000",
        "maker": "Rival",
        "sold": "2024-02-01",
        "approval": "A-1",
        "parts": {},
        "notes": "",
        **({} if version == 1 else {"version": "", "display": None, "earlier": False}),
    }
    body, kind = json.dumps({"data": data, "transfers": []}), "equipment_recorded"
    event = Event(1, "floor:register", 1, kind, version, "key", 0, "a1", "", body, "", "")
    model = FloorModel()
    found = model.evolve(None, present(event, State(), model.upcasts)).equipment["SH9"]
    assert (found.earlier, found.approval) == (earlier, approval)
