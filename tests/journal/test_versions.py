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
from houseway.floor.model import FloorModel
from houseway.floor.reports import report
from houseway.journal import schema
from houseway.journal.backup import restore_backup, write_backup
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.journal import Journal
from houseway.journal.rebuild import differences, events_today, every_event, rebuilt
from houseway.journal.state import Model, State
from houseway.journal.store import _config, make_engine, newest_schema, open_to_read, read_url
from houseway.journal.versions import Upcasts
from houseway.refusal import Reason, Refused
from tests import ROOT
from tests.floor.room import CHECKED, Room
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


@pytest.fixture
def earlier(database: str) -> str:
    """That floor in a database, at the schema that it had."""
    kept: dict[str, Any] = json.loads(gzip.decompress(EARLIER.read_bytes()))
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
        same = before[table].keys() & after[table].keys() - {"envy_paid"}
        for name in same:
            assert as_then(after[table][name], before[table][name]) == before[table][name], name
        assert after[table]["starts"] == {"single": 1}
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


def test_an_earlier_floor_goes_on(earlier: str) -> None:
    """The awards that wait are paid what they were frozen at; new events are of today."""
    room = Room(earlier)
    with pytest.raises(Refused, match="was used for another command"):
        room.do("d1", "start_game", table="T1", key="old-20")
    # Nobody watched the cameras of that floor yet.
    room.do("a1", "issue_card", card="v1", name="Viv", role="surveillance", pin_hash="x")
    room.do("d2", "call_supervisor", table="T2")
    for table, position, cents in (
        ("T2", 4, 1_000_035),
        ("T1", 6, 1_000_550),
        ("T1", 2, 1_000_000),
    ):
        answer = room.do(
            "e1", "confirm_award", table=table, position=position, pin_held=True, checklist=CHECKED
        )
        assert answer["amount_cents"] == cents
        room.on_camera(table, position)
        room.do("c1", "pay_award", table=table, position=position, reference="cheque")
    room.do("d1", "pay_envy", table="T1")
    for table in ("T1", "T2", "T3"):
        room.do("d1", "end_game", table=table)
    room.light("T3", 1)
    room.do("d1", "start_game", table="T3")
    room.do("d1", "choose_spot", table="T3", position=1)
    room.do("d1", "press_hand", table="T3", hand="akq_spades")
    assert [p.table for p in room.state.streams["link:L"].pending] == ["T3"]
    room.journal.close()
    sound(earlier, FloorModel())
    kinds = look(earlier, "SELECT kind, schema, count(*) FROM event GROUP BY kind, schema")
    counted = {(kind, version): count for kind, version, count in kinds}
    assert counted["award_waits", 1] == 8
    assert counted["award_waits", 2] == 1
    assert counted["game_started", 2] == 1
    engine = open_to_read(earlier)
    with engine.connect() as connection:
        pages = [*report("win-pages", events_today(connection, FloorModel()))]
    engine.dispose()
    assert [page["page"] for page in pages] == [1, 2, 3, 4]


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


def test_every_model_says_what_it_is_made_of() -> None:
    models: list[Model] = [Bank(), SecondBank(), ThirdBank(), FloorModel()]
    assert len({model.form for model in models}) == 3
    assert "award_waits" in FloorModel().upcasts
