"""A floor written to a file while it is played, and made again from it."""

import gzip
import json
import os
import sqlite3
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

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


# Crafted.


def packed(path: Path, lines: list[bytes], *, cut: int = 0) -> None:
    """A file that is whole by its digest, whatever is in it."""
    content = b"".join(line + b"\n" for line in lines)
    content += json.dumps({"sha256": sha256(content).hexdigest()}).encode() + b"\n"
    data = gzip.compress(content, mtime=0)
    path.write_bytes(data[: len(data) - cut])


def refused(tmp_path: Path, crafted: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a file that is no backup; nothing is left of the try."""
    target = tmp_path / "made" / "floor.sqlite"
    target.parent.mkdir(exist_ok=True)
    assert main(["restore", str(crafted), "--database", f"sqlite:///{target}"]) == 2
    told = capsys.readouterr()
    assert (told.err.count("\n"), told.out) == (1, "")
    assert list(target.parent.iterdir()) == []
    return told.err


HEAD = b'{"houseway_backup":1}'
ROW = ["event", 1, "floor:house", 1, "server_started", 1, "k", 0, "machine", "2026", "{}", "", ""]


def dumped(*changed: tuple[int, object]) -> bytes:
    row: list[object] = list(ROW)
    for place, value in changed:
        row[place] = value
    return json.dumps(row).encode()


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([b"[]"], id="head is a list"),
        pytest.param([b"{}"], id="head is empty"),
        pytest.param([b"null"], id="head is nothing"),
        pytest.param([b"\xff\xfe"], id="head is no text"),
        pytest.param([b'{"houseway_backup":2}'], id="another version"),
        pytest.param([b'{"houseway_backup":[1]}'], id="version is a list"),
        pytest.param([HEAD, b"[]"], id="empty list"),
        pytest.param([HEAD, b"notes"], id="no json"),
        pytest.param([HEAD, b"7"], id="a number"),
        pytest.param([HEAD, b"null"], id="nothing"),
        pytest.param([HEAD, b"\xff\xfe"], id="no text"),
        pytest.param([HEAD, b'[["event"]]'], id="kind is a list"),
        pytest.param([HEAD, b'["event"]'], id="event without fields"),
        pytest.param([HEAD, b'["seal"]'], id="seal without fields"),
        pytest.param([HEAD, b'["gossip", 1]'], id="unknown kind"),
        pytest.param([HEAD, b"[" * 200_000], id="huge nesting"),
        pytest.param([HEAD, b'["event",' + b"9" * 5_000 + b"]"], id="huge number"),
        pytest.param([HEAD, dumped()], id="no content"),
        pytest.param([HEAD, dumped((1, 10**30))], id="position beyond the database"),
        pytest.param([HEAD, dumped((1, "1"))], id="position is a text"),
        pytest.param([HEAD, dumped((5, 99))], id="schema of tomorrow"),
        pytest.param([HEAD, dumped((4, "gossip"))], id="unknown event"),
        pytest.param([HEAD, dumped((2, "nobody:x"))], id="unknown stream"),
        pytest.param([HEAD, dumped((10, "[]"))], id="content is a list"),
        pytest.param([HEAD, dumped((10, "[" * 100_000))], id="content is nested"),
        pytest.param([HEAD, dumped((10, '{"data":{},"transfers":[]}'))], id="content is empty"),
        pytest.param([HEAD, dumped((10, '{"data":{},"transfers":[[1]]}'))], id="no transfer"),
        pytest.param([HEAD, dumped((10, '{"data":"\\ud800","transfers":[]}'))], id="surrogate"),
        pytest.param([HEAD, b'["seal",1,1,"a","b","c","d"]'], id="seal over nothing"),
        pytest.param([HEAD, *[b'["seal",1,1,"a","b","c","d"]'] * 2], id="seal twice"),
    ],
)
def test_a_crafted_backup_is_refused_in_a_sentence(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    crafted = tmp_path / "crafted.journal"
    packed(crafted, lines)
    assert refused(tmp_path, crafted, capsys).startswith("houseway: ")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"notes",
        b"\x1f\x8b",
        b"\x1f\x8b\x08\x00" + bytes(40),
        gzip.compress(b"", mtime=0),
        gzip.compress(b"[]\n", mtime=0),
        gzip.compress(b"[" * 100_000, mtime=0),
        gzip.compress(b'{"sha256":[]}\n', mtime=0),
        gzip.compress(b"\n" * 100_000, mtime=0) + b"more",
    ],
)
def test_what_is_no_backup_at_all_is_torn(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    crafted = tmp_path / "crafted.journal"
    crafted.write_bytes(content)
    assert "is no backup, or it is torn" in refused(tmp_path, crafted, capsys)


def test_what_may_never_end_is_neither_backup_nor_seal_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, url = tmp_path / "pipe", f"sqlite:///{tmp_path}/floor.sqlite"
    os.mkfifo(pipe)
    played(url).journal.close()
    for place in (pipe, Path("/dev/zero")):
        assert "is no backup, or it is torn" in refused(tmp_path, place, capsys)
        assert main(["audit", "verify", "--database", url, "--seal", str(place)]) == 2
        assert "it is no file" in capsys.readouterr().err


def test_a_backup_of_a_damaged_record_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "floor.sqlite"
    played(f"sqlite:///{file}").journal.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE event SET actor = x'ff' WHERE position = 3")
        connection.commit()
    copy = tmp_path / "monday.journal"
    assert main(["backup", str(copy), "--database", f"sqlite:///{file}"]) == 2
    assert "a record that cannot be read" in capsys.readouterr().err
    assert not copy.exists()


def test_a_line_without_end_is_not_read_into_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.journal.backup.LONGEST_LINE", 1000)
    crafted = tmp_path / "crafted.journal"
    packed(crafted, [HEAD, b'["event",' + b'"x",' * 1000 + b"1]"])
    refused(tmp_path, crafted, capsys)


def changed(chance: Random, lines: list[bytes]) -> list[bytes]:
    """The lines of a backup with something wrong in them."""
    made = list(lines)
    number = chance.randrange(len(made))
    line = made[number]
    place = chance.randrange(len(line))
    match chance.randrange(6):
        case 0:
            made[number] = line[:place] + bytes([chance.randrange(256)]) + line[place + 1 :]
        case 1:
            made[number] = line[:place]
        case 2:
            made[number] = line[:place] + chance.choice((b"[]", b"null", b"{", b'"', b"-1")) + line
        case 3:
            del made[number]
        case 4:
            made.insert(chance.randrange(len(made)), line)
        case _:
            row = json.loads(line)
            if isinstance(row, list):
                row[chance.randrange(len(row))] = chance.choice((None, -1, [], {}, "", 2**70, 1.5))
            made[number] = json.dumps(row).encode()
    return made


def fuzzed(tmp_path: Path, tries: int, seed: int) -> int:
    """Restore from changed backups; how many were refused. What is restored is as it was."""
    played(f"sqlite:///{tmp_path / 'floor.sqlite'}").journal.close()
    whole = tmp_path / "whole.journal"
    write_backup(f"sqlite:///{tmp_path / 'floor.sqlite'}", whole)
    *lines, _digest = gzip.decompress(whole.read_bytes()).splitlines()
    chance, refusals = Random(seed), 0
    crafted, target = tmp_path / "crafted.journal", tmp_path / "made" / "floor.sqlite"
    target.parent.mkdir()
    for _ in range(tries):
        packed(crafted, changed(chance, lines))
        try:
            audit = restore_backup(f"sqlite:///{target}", crafted, FloorModel())
        except Refused as told:
            refusals += 1
            assert "\n" not in told.message  # noqa: PT017 - either it is refused or it holds
            assert list(target.parent.iterdir()) == []
        else:
            assert audit.holds
            for made in target.parent.iterdir():
                made.unlink()
    return refusals


def test_no_changed_backup_leads_to_a_fault(tmp_path: Path) -> None:
    assert fuzzed(tmp_path, 25, seed=1) > 15


@pytest.mark.soak
def test_no_backup_that_is_changed_anyhow_leads_to_a_fault(tmp_path: Path) -> None:
    assert fuzzed(tmp_path, 1_500, seed=2) > 1_000
