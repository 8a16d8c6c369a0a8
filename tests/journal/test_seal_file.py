"""Seal file: a journal that lacks what was told outside of it is found, and not gone on with."""

import errno
import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.floor.model import FloorModel
from houseway.journal import seal_file
from houseway.journal.backup import restore_backup, write_backup
from houseway.journal.custody import Custody
from houseway.journal.journal import Journal
from houseway.journal.seal_file import Place, SealFile, default_seals, read_places
from houseway.refusal import Reason, Refused
from houseway.server.serving import open_floor
from tests.journal.bank import Bank, audited, look, pay
from tests.journal.databases import Server

NEWEST = "SELECT position, hash, at FROM event ORDER BY position DESC LIMIT 1"
SEALED = "SELECT number, hash FROM seal ORDER BY number DESC LIMIT 1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "floor.sqlite"


def served(url: str, **more: Any) -> Journal:
    return Journal(url, Bank(), seal_every=10, custody=Custody(url, **more))


def write(url: str, name: str, count: int, **more: Any) -> None:
    with served(url, **more) as journal:
        for number in range(count):
            journal.do(pay(f"{name}{number}"))


def audit(url: str, *more: str) -> int:
    return main(["audit", "verify", "--database", url, *more])


def test_every_commit_is_told_outside_before_it_is_answered(file: Path) -> None:
    url = f"sqlite:///{file}"
    with served(url) as journal:
        for number in range(30):
            journal.do(pay(f"k{number}"))
            [(position, hash_, at)] = look(url, NEWEST)
            [(seal, seal_hash)] = look(url, SEALED) or [(0, "0" * 64)]
            last = read_places(default_seals(file))[-1]
            assert last == Place(position, hash_, seal, seal_hash, at)
    # The seal that is written when it is closed is told as well.
    assert read_places(default_seals(file))[-1].seal == look(url, SEALED)[0][0]


def test_a_log_that_was_cut_off_is_found_though_the_audit_of_the_file_holds(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """28 commands were answered and are gone, and no seal covers them."""
    url, earlier = f"sqlite:///{file}", file.with_name("earlier.sqlite")
    write(url, "a", 30)
    shutil.copy(file, earlier)
    with served(url) as journal:
        for number in range(4):
            journal.do(pay(f"b{number}"))
        seals = default_seals(file).read_bytes()
    shutil.copy(earlier, file)
    default_seals(file).write_bytes(seals)
    assert audited(url).holds
    assert audit(url) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "event 62 was written at" in shown
    assert "is missing: the journal ends at event 60, by the seal file" in shown
    with pytest.raises(Refused, match="does not agree with seal file") as told:
        Custody(url)
    assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert "--accept-cut" in told.value.message


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_journal_that_was_made_anew_is_found(
    file: Path, tmp_path: Path, server: Server, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{file}" if kind == "sqlite" else server.new_database()
    other = f"sqlite:///{tmp_path}/other.sqlite" if kind == "sqlite" else server.new_database()
    seals = tmp_path / "elsewhere" / "floor.seals"
    seals.parent.mkdir()
    write(url, "a", 12, seal=str(seals))
    # As long and as sound as the other, and with other payments.
    write(other, "forged", 12, seal=str(tmp_path / "other.seals"))
    assert audit(url, "--seal", str(seals)) == 0
    assert "the seal file agrees, up to event 24" in capsys.readouterr().out
    assert audit(other) == 0
    assert audit(other, "--seal", str(seals)) == 1
    assert "is not the one that was written then, by the seal file" in " ".join(
        capsys.readouterr().out.split()
    )
    with pytest.raises(Refused, match="does not agree with seal file"):
        Custody(other, seal=str(seals))
    # An empty database is one that was made anew as well.
    empty = f"sqlite:///{tmp_path}/empty.sqlite" if kind == "sqlite" else server.new_database()
    with pytest.raises(Refused, match="event 24 is missing: the journal is empty"):
        Custody(empty, seal=str(seals))


def test_the_end_of_each_commit_since_the_last_seal_is_compared(file: Path) -> None:
    """Not only the newest: somebody may have made an earlier one anew."""
    url = f"sqlite:///{file}"
    with served(url) as journal:
        for number, payer in enumerate(("ann", "cyd", "dee")):
            journal.do(pay(f"k{number}", payer=payer, payee=f"to {payer}"))
        places = read_places(default_seals(file))
        assert [place.position for place in places] == [2, 4, 6]
        with sqlite3.connect(file) as plain:
            plain.execute("UPDATE event SET hash = ? WHERE position = 4", ["f" * 64])
        plain.close()
    assert audit(url) == 1


def test_a_cut_is_accepted_once_and_written_down(tmp_path: Path) -> None:
    file = tmp_path / "floor.sqlite"
    url = f"sqlite:///{file}"
    open_floor(url, demo=True).floor.close()
    write_backup(url, tmp_path / "monday.journal")
    open_floor(url).floor.close()
    # An older copy is put back, by whoever had to.
    file.unlink()
    restore_backup(url, tmp_path / "monday.journal", FloorModel())
    with pytest.raises(Refused, match="start with --accept-cut"):
        open_floor(url)
    open_floor(url, accept_cut=True).floor.close()
    [(actor, body)] = look(url, "SELECT actor, body FROM event WHERE kind = 'cut_accepted'")
    said = json.loads(body)["data"]["missing"]
    assert actor == "machine"
    assert "is missing: the journal ends at event" in said
    assert "the earlier seal file is kept as floor.sqlite.seals.1" in said
    assert read_places(tmp_path / "floor.sqlite.seals.1")
    # From then on all is as before, and there is nothing more to accept.
    open_floor(url).floor.close()
    assert audit(url) == 0
    with pytest.raises(Refused, match="--accept-cut is given and nothing is cut off"):
        open_floor(url, accept_cut=True)


def test_a_restored_copy_that_has_everything_is_served_at_once(tmp_path: Path) -> None:
    file = tmp_path / "floor.sqlite"
    url = f"sqlite:///{file}"
    open_floor(url, demo=True).floor.close()
    write_backup(url, tmp_path / "monday.journal")
    file.unlink()
    restore_backup(url, tmp_path / "monday.journal", FloorModel())
    open_floor(url).floor.close()
    assert look(url, "SELECT kind FROM event WHERE kind = 'cut_accepted'") == []


def test_no_backup_is_restored_under_a_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    room = open_floor(url, demo=True)
    write_backup(url, tmp_path / "monday.journal")
    with pytest.raises(Refused, match="is served by another server"):
        restore_backup(url, tmp_path / "monday.journal", FloorModel())
    room.floor.close()


def test_what_others_wrote_is_told_with_the_next_look(file: Path) -> None:
    url = f"sqlite:///{file}"
    with served(url) as journal:
        journal.do(pay("one"))
        with Journal(url, Bank()) as tool:
            tool.do(pay("two"))
        journal.do(pay("one"))
        assert read_places(default_seals(file))[-1].position == 4


class FullDisk:
    """The operating system, of whose files none takes anything more."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, *_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    fsync = write


def test_a_seal_file_that_cannot_be_written_stops_no_command_and_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{file}"
    with Journal(url, Bank(), custody=Custody(url)) as journal:
        journal.do(pay("one"))
        assert journal.problems() == []

        monkeypatch.setattr(seal_file, "os", FullDisk())
        for number in range(3):
            assert journal.do(pay(f"k{number}"))["paid"] == 10 + 5 * number
            assert journal.problems() == [
                "the seal file cannot be written: No space left on device"
            ]
        monkeypatch.undo()
        # With room again, the next commit tells all that was not told.
        journal.do(pay("two"))
        assert journal.problems() == []
        assert [place.position for place in read_places(default_seals(file))] == [2, 4, 6, 8, 10]
    assert audit(url) == 0


def test_a_seal_file_that_was_deleted_or_replaced_is_made_again(file: Path) -> None:
    url, seals = f"sqlite:///{file}", default_seals(file)
    with served(url) as journal:
        journal.do(pay("one"))
        for number in range(2):
            seals.unlink()
            if number:
                seals.touch()
            journal.do(pay(f"k{number}"))
            assert read_places(seals)[-1].position == 4 + 2 * number


def test_a_seal_file_stays_small_and_knows_what_is_needed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal_file, "LARGEST", 5_000)
    url = f"sqlite:///{file}"
    with served(url) as journal:
        for number in range(200):
            journal.do(pay(f"k{number}"))
            assert default_seals(file).stat().st_size <= 5_000
        assert len(journal._custody._seals.places) <= 7  # type: ignore[union-attr]
    assert audit(url) == 0
    assert [one.name for one in file.parent.iterdir() if "seals" in one.name] == [
        default_seals(file).name
    ]


@pytest.mark.parametrize("left", [1, 40, 200])
def test_a_line_that_was_half_written_is_passed_over(file: Path, left: int) -> None:
    url, seals = f"sqlite:///{file}", default_seals(file)
    write(url, "a", 3)
    content = seals.read_bytes()
    last = content.splitlines(keepends=True)[-1]
    seals.write_bytes(content + last[: min(left, len(last) - 1)])
    write(url, "b", 1)
    assert read_places(seals)[-1].position == 8


@pytest.mark.parametrize(
    "content",
    [
        b"notes\n",
        b"[]\n",
        b"7\n",
        b'{"position":1}\n',
        b'{"position":"1","hash":"","seal":0,"seal_hash":"","at":""}\n',
        b'{"position":1,"hash":"","seal":0,"seal_hash":"","at":"","more":1}\n',
        b"[" * 100_000 + b"\n",
        b"\xff\xfe\n",
    ],
)
def test_what_is_no_seal_file_is_told_in_a_sentence(
    file: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{file}"
    write(url, "a", 1)
    default_seals(file).write_bytes(content)
    with pytest.raises(Refused, match="is no seal file"):
        Custody(url)
    assert audit(url) == 2
    told = capsys.readouterr()
    assert (told.err.count("\n"), told.out) == (1, "")
    assert default_seals(file).read_bytes() == content


def test_a_seal_file_where_none_can_be_is_refused(file: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "floor.seals", tmp_path):
        with pytest.raises(Refused, match="cannot be written; name a file in a folder"):
            Custody(f"sqlite:///{file}", seal=str(path))
    assert audit(f"sqlite:///{file}", "--seal", str(tmp_path / "nowhere")) == 2


def test_the_line_of_a_place_is_read_as_it_was_written(tmp_path: Path) -> None:
    place = Place(3, "a" * 64, 1, "b" * 64, "2026-01-01T00:00:00.000000+00:00")
    made = SealFile(tmp_path / "floor.seals")
    made.write(place)
    made.write(place)
    made.close()
    assert read_places(tmp_path / "floor.seals") == [place]
    assert (tmp_path / "floor.seals").stat().st_size < 300
