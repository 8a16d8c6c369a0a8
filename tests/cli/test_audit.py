"""`houseway audit` on both databases: what holds, what does not, and what cannot be read."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.journal.journal import Journal
from tests.floor.room import Room
from tests.journal.bank import Bank, look, pay, tamper
from tests.journal.databases import Server


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["audit", "verify", *arguments, "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, document


def write(url: str) -> None:
    with Journal(url, Bank()) as journal:
        for number in range(3):
            journal.do(pay(f"{number}", payee="[bold]eve"))


def test_a_journal_that_holds(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(database)
    [(seal,)] = look(database, "SELECT hash FROM seal")
    assert run(capsys, "--database", database) == (
        0,
        {
            "holds": True,
            "events": 6,
            "seals": 1,
            "unsealed": 0,
            "last_seal": seal,
            "record": None,
            "problem": None,
            "earlier": [],
        },
    )
    assert main(["audit", "verify", "--database", database]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown == f"6 events hold, all sealed; seals: 1 last seal: {seal}"


def test_a_floor_in_use_is_audited_as_far_as_it_is_written(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        assert main(["audit", "verify", "--database", database]) == 0
    assert "2 events hold, 2 not sealed yet; seals: 0" in capsys.readouterr().out


def test_the_first_record_that_does_not_hold_is_named(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(database)
    tamper(database, "UPDATE account SET debits = 4 WHERE name LIKE '%eve'")
    assert main(["audit", "verify", "--database", database]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert shown == "account purse:[bold]eve is 4, 0 and by the events 15, 0"
    tamper(database, "UPDATE event SET actor = 'nobody' WHERE position = 4")
    code, document = run(capsys, "--database", database)
    assert (code, document["holds"]) == (1, False)
    assert (document["record"], document["problem"]) == ("event 4", "does not match its hash")


def test_what_cannot_be_read_is_refused(
    tmp_path: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("notes " * 1000)
    (tmp_path / "empty.sqlite").touch()
    for url, reason, words in (
        (f"sqlite:///{tmp_path}/floor.sqlite", "bad_argument", "is not there"),
        (f"sqlite:///{tmp_path}", "bad_argument", "is not there"),
        (f"sqlite:///{tmp_path}/empty.sqlite", "bad_argument", "holds no journal"),
        (f"sqlite:///{tmp_path}/notes.txt", "journal_unavailable", "file is not a database"),
        (server.url("nowhere"), "journal_unavailable", "does not exist"),
        (server.new_database(), "bad_argument", "holds no journal"),
        ("postgresql://ann:secret@127.0.0.1:1/floor", "journal_unavailable", "not available"),
        ("floor.sqlite", "bad_argument", "write sqlite:///FILE"),
    ):
        code, document = run(capsys, "--database", url)
        assert (code, document["error"]["reason"]) == (2, reason)
        assert words in document["error"]["message"]
        assert "secret" not in document["error"]["message"]
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "empty.sqlite"}
    assert (tmp_path / "empty.sqlite").read_bytes() == b""
    assert main(["audit", "verify"]) == 2
    assert "--database" in capsys.readouterr().err


def test_help_shows_how_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "verify", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "houseway audit verify --database sqlite:///floor.sqlite" in shown
    assert main(["audit"]) == 0
    assert "verify" in capsys.readouterr().out


def test_a_rebuild_names_what_its_events_do_not_lead_to(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(database)
    room.set_up()
    room.journal.close()
    assert main(["audit", "rebuild", "--database", database]) == 0
    assert capsys.readouterr().out == "nothing differs from what the events lead to\n"
    tamper(database, "UPDATE stream SET state = replace(state, '200000', '300000')")
    assert main(["audit", "rebuild", "--database", database]) == 1
    assert capsys.readouterr().out == "stream link:L is not what its events lead to\n"
    assert main(["audit", "rebuild", "--database", database, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["holds"] is False
    assert document["differences"] == ["stream link:L is not what its events lead to"]


COLUMNS = [
    *("event.stream", "event.version", "event.kind", "event.schema", "event.key"),
    *("event.part", "event.actor", "event.at", "event.body", "event.prior", "event.hash"),
    *("transfer.part", "transfer.debit", "transfer.amount", "account.name", "account.debits"),
    *("stream.name", "stream.version", "stream.hash", "stream.state", "form.digest"),
]


@pytest.mark.parametrize("value", ["2.5", "x'ff00'", "'x'", "'{}'"])
def test_values_of_another_type_are_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    """Whatever column they stand in, and whichever command comes upon them."""
    whole, path = tmp_path / "whole.sqlite", tmp_path / "floor.sqlite"
    room = Room(f"sqlite:///{whole}")
    room.set_up()
    room.quiet_round("T1", 1)
    room.journal.close()
    url = f"sqlite:///{path}"
    told = set()
    for column in COLUMNS:
        table, _, name = column.partition(".")
        shutil.copy(whole, path)
        with sqlite3.connect(path) as plain:
            last = f"(SELECT max(rowid) FROM {table})"
            plain.execute(f"UPDATE OR REPLACE {table} SET {name} = {value} WHERE rowid = {last}")
        plain.close()
        for command in (
            ["audit", "rebuild"],
            ["record", "coin-in"],
            ["record", "win-page", "--link", "L", "--page", "1"],
            ["recover", "d1"],
        ):
            code = main([*command, "--database", url])
            err = capsys.readouterr().err
            assert code in (0, 1, 2), (column, command)
            assert "Traceback" not in err, (column, command)
            if code == 2:
                assert (err.count("\n"), err.startswith("houseway: ")) == (1, True), err
                told.add(column)
    assert len(told) > 5
