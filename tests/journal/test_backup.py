"""A floor written to a file while it is played, and made again from it."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.floor.model import FloorModel
from houseway.journal.audit import verify
from houseway.journal.backup import restore_backup, write_backup
from houseway.journal.rebuild import differences, every_event
from houseway.journal.store import open_to_read
from houseway.refusal import Reason, Refused
from tests.floor.room import Room


def played(database: str) -> Room:
    """A floor where a jackpot was won, and is to be paid in a round that is under way."""
    room = Room(database, seal_every=10)
    room.set_up()
    room.play("T1", {1: None, 2: "akq_spades"})
    room.press("T1", 2, "akq_spades")
    room.do("d1", "call_supervisor", table="T1")
    room.confirm("T1", 2)
    room.say("T1", "pay envy")
    room.say("T1", "close")
    room.on_camera("T1", 1)
    room.start("T1", 1, 2)
    return room


def test_a_backup_of_a_running_floor_restores_and_goes_on(database: str, tmp_path: Path) -> None:
    room = played(database)
    file = tmp_path / "monday.journal"
    count = write_backup(database, file)
    assert count == room.state.position
    room.do("c1", "pay_award", table="T1", page=1, reference="cheque 9")
    room.journal.close()
    for target in (f"sqlite:///{tmp_path / 'again.sqlite'}",):
        audit = restore_backup(target, file, FloorModel())
        assert (audit.holds, audit.events) == (True, count)
        again = Room(target)
        again.do("c1", "pay_award", table="T1", page=1, reference="cheque 10")
        again.deal("T1", {1: None, 2: None})
        again.say("T1", "close")
        with again.journal.engine.connect() as connection:
            assert verify(connection).holds
            assert list(differences(connection, FloorModel())) == []
        again.journal.close()


def test_a_backup_that_is_torn_or_changed_restores_nothing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    played(database).journal.close()
    file = tmp_path / "whole.journal"
    write_backup(database, file)
    whole = file.read_bytes()
    target = f"sqlite:///{tmp_path / 'new.sqlite'}"
    for size in range(0, len(whole), max(1, len(whole) // 40)):
        (tmp_path / "torn").write_bytes(whole[:size])
        with pytest.raises(Refused, match="torn"):
            restore_backup(target, tmp_path / "torn", FloorModel())
    lines = gzip.decompress(whole).decode().splitlines()
    lines[5] = lines[5].replace("card_issued", "card_ixxued")
    (tmp_path / "changed").write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(Refused, match="torn"):
        restore_backup(target, tmp_path / "changed", FloorModel())
    restore_backup(target, file, FloorModel())
    with pytest.raises(Refused, match=f"database '{target}' holds a journal"):
        restore_backup(target, file, FloorModel())
    with pytest.raises(Refused, match="there already"):
        write_backup(database, file)


def test_a_backup_that_cannot_be_written_is_the_fault_of_its_file(tmp_path: Path) -> None:
    """And not of the journal, which is read meanwhile."""
    database = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    played(database).journal.close()
    file = tmp_path / "nowhere" / "monday.journal"
    with pytest.raises(Refused) as refused:
        write_backup(database, file)
    assert refused.value.reason is Reason.BAD_ARGUMENT
    assert refused.value.message == f"file '{file}' cannot be written: No such file or directory"
    (tmp_path / "notes.sqlite").write_text("no database, but long enough to be taken for one " * 20)
    with pytest.raises(Refused) as refused:
        write_backup(f"sqlite:///{tmp_path / 'notes.sqlite'}", tmp_path / "monday.journal")
    assert refused.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert refused.value.message.endswith(
        "is not available: file is not a database; give a database that can be reached and used"
    )


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_reports_are_exported_for_other_programs(kind: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    played(database).journal.close()
    for report in ("win-pages", "coin-in", "transfers", "events", "adjustments"):
        out = tmp_path / f"{report}.{kind}"
        asked = ["export", report, "--format", kind, "--database", database, "--out", str(out)]
        assert main(asked) == 0
        assert out.exists()
    if kind == "jsonl":
        [page] = map(json.loads, (tmp_path / "win-pages.jsonl").read_text().splitlines())
        assert (page["page"], page["hand"], page["position"]) == (1, "akq_spades", 2)
    if kind == "parquet":
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(tmp_path / "transfers.parquet").to_pylist()
        engine = open_to_read(database)
        with engine.connect() as connection:
            moved = [m.amount for event in every_event(connection) for m in event.transfers]
        engine.dispose()
        assert [row["amount"] for row in rows] == moved


def test_an_export_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    played(database).journal.close()
    out = str(tmp_path / "[dim]pages.csv")
    asked = ["export", "win-pages", "--database", database]
    assert main([*asked, "--out", out, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"report": "win-pages", "format": "csv", "rows": 1, "file": out}
    assert main([*asked, "--out", out]) == 0
    assert "".join(capsys.readouterr().out.split()) == f"1rowwrittento{out}"
    assert main([*asked, "--json"]) == 2
    refused = json.loads(capsys.readouterr().out)
    assert refused["error"]["message"] == "--out is not given; write --out report.csv"


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("backup", "houseway.journal.backup"),
        ("restore", "houseway.journal.backup"),
        ("export", "houseway.floor.reports"),
        ("audit", "houseway.journal.store"),
    ],
)
def test_what_is_not_installed_comes_with_the_extra_of_the_floor(
    command: str, module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    asked = {"export": ["events"], "audit": ["verify"]}.get(command, ["monday.journal"])
    assert main([command, *asked, "--database", "sqlite:///x.sqlite"]) == 2
    assert "install houseway with the extra 'floor'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        ["export"],
        ["export", "gossip", "--database", "sqlite:///x.sqlite"],
        ["export", "events"],
        ["export", "events", "--database", "sqlite:///nowhere/x.sqlite"],
        ["export", "events", "--format", "xls", "--database", "sqlite:///x.sqlite"],
        ["export", "events", "--format", "parquet", "--database", "sqlite:///x.sqlite"],
        ["backup", "--database", "sqlite:///x.sqlite"],
        ["backup", "file"],
        ["restore", "no-such-file", "--database", "sqlite:///x.sqlite"],
        ["restore", "file"],
    ],
)
def test_what_cannot_be_exported_or_restored_is_refused(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(asked) == 2
    assert list(tmp_path.iterdir()) == []
