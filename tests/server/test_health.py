"""Health: 503 and a sentence whenever the floor cannot be relied on, and ok again after that."""

import shutil
import sqlite3
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from houseway.journal import probe, seal_file
from houseway.journal.custody import LEAST_FREE, REPLACED, THEN
from houseway.journal.journal import DAMAGED, FAILING
from houseway.journal.seal_file import default_seals
from houseway.server import room
from tests.journal.bank import tamper
from tests.journal.test_seal_file import FullDisk
from tests.server.serving import InThread, furnish_quickly, in_thread
from tests.waiting import wait_for

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "floor.sqlite"


def health(floor: InThread) -> tuple[int, list[str]]:
    answer = floor.probe.http.get("/healthz")
    body: dict[str, Any] = answer.json()
    assert (body["status"] == "ok") == (body["problems"] == []) == (answer.status_code == 200)
    return answer.status_code, body["problems"]


def test_a_disk_with_too_little_room_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with in_thread(f"sqlite:///{file}") as floor:
        assert health(floor) == (200, [])
        for free, expected in (
            (LEAST_FREE, []),
            (
                LEAST_FREE - 1,
                [
                    "the disk of the journal has 99 MB free; it needs 100 MB",
                    "the disk of the seal file has 99 MB free; it needs 100 MB",
                ],
            ),
        ):
            usage = Usage(10**12, 10**12 - free, free)
            monkeypatch.setattr(shutil, "disk_usage", lambda _, usage=usage: usage)
            assert health(floor) == (503 if expected else 200, expected)
        monkeypatch.undo()
        assert health(floor) == (200, [])


@pytest.mark.parametrize(
    ("ending", "what"),
    [
        ("", "the database file"),
        ("-wal", "its log (-wal)"),
        ("-shm", "the index of its log (-shm)"),
    ],
)
def test_a_file_that_is_gone_is_told_before_anybody_writes(
    file: Path, ending: str, what: str
) -> None:
    with in_thread(f"sqlite:///{file}") as floor:
        part, kept = file.with_name(f"{file.name}{ending}"), file.with_name("kept")
        part.rename(kept)
        sentence = f"{what} is gone or was replaced; stop the server and start it again"
        assert health(floor) == (503, [sentence])
        assert str(file.parent) not in floor.probe.http.get("/healthz").text
        kept.rename(part)
        assert health(floor) == (200, [])


FAULT = "CREATE TRIGGER fault_{0} BEFORE INSERT ON {0} BEGIN SELECT RAISE(FAIL, 'no room'); END"


def test_a_write_that_failed_is_told_until_one_succeeds(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "WATCH_SECONDS", 0)
    url = f"sqlite:///{file}"
    with in_thread(url) as floor:
        dan = floor.as_("d1")
        for table in ("event", "form"):
            tamper(url, FAULT.format(table))
        dan.refused("open_round", {"table": "Poker"})
        for _ in range(3):
            assert health(floor) == (503, [FAILING])
        # Nobody has to give a command for it to be found that there is room again.
        for table in ("event", "form"):
            tamper(url, f"DROP TRIGGER fault_{table}")
        wait_for(lambda: health(floor) == (200, []))
        dan.do("open_round", {"table": "Poker"})


def test_an_answer_that_was_known_is_no_sign_that_it_can_be_written(file: Path) -> None:
    """A command that comes again with its key is answered, and nothing is written for it."""
    url = f"sqlite:///{file}"
    with in_thread(url) as floor:
        dan = floor.as_("d1")
        dan.do("open_round", {"table": "Poker"}, key="once-and-again")
        for table in ("event", "form"):
            tamper(url, FAULT.format(table))
        dan.refused("round", {"table": "Poker", "text": "bets 1: ante 10"})
        dan.do("open_round", {"table": "Poker"}, key="once-and-again")
        assert health(floor) == (503, [FAILING])
        for table in ("event", "form"):
            tamper(url, f"DROP TRIGGER fault_{table}")
        dan.do("round", {"table": "Poker", "text": "bets 1: ante 10"})
        assert health(floor) == (200, [])


def test_a_damaged_page_that_is_only_read_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads the first events any more, and every write succeeds."""
    monkeypatch.setattr(room, "WATCH_SECONDS", 0)
    with in_thread(f"sqlite:///{file}") as floor:
        floor.as_("d1").do("open_round", {"table": "Poker"})
        assert health(floor) == (200, [])
        with sqlite3.connect(file) as plain:
            [(page,)] = plain.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'event'"
            ).fetchall()
        plain.close()
        before = file.read_bytes()
        begin, end = (page - 1) * 4096, page * 4096
        file.write_bytes(before[:begin] + bytes(range(256)) * 16 + before[end:])
        wait_for(lambda: health(floor) == (503, [probe.DAMAGED]))
        file.write_bytes(before)


def test_a_state_that_cannot_be_read_is_told_as_soon_as_somebody_needs_it(file: Path) -> None:
    url = f"sqlite:///{file}"
    with in_thread(url) as floor:
        tamper(url, "CREATE TABLE kept AS SELECT * FROM stream WHERE name = 'person:s1'")
        tamper(url, "UPDATE stream SET state = '{' WHERE name = 'person:s1'")
        assert health(floor) == (200, [])
        assert floor.client().sign_in("s1").status_code == 503
        assert health(floor) == (503, [DAMAGED])
        # That others can write makes it no better.
        floor.as_("d1").do("open_round", {"table": "Poker"})
        assert health(floor) == (503, [DAMAGED])
        tamper(url, "UPDATE stream SET state = (SELECT state FROM kept) WHERE name = 'person:s1'")


@pytest.mark.parametrize("how", ["another floor", "an older copy", "cut"])
def test_what_is_written_over_the_open_file_is_told_and_nobody_writes_on(
    file: Path, tmp_path: Path, how: str
) -> None:
    other = tmp_path / "other.sqlite"
    furnish_quickly(f"sqlite:///{other}")
    more = "CREATE TABLE more AS SELECT * FROM event"
    with sqlite3.connect(other) as plain:
        # It is larger, and has seen more changes, than what it is written over.
        plain.execute("PRAGMA user_version = 7")
        for number in range(9):
            plain.execute(f"{more}".replace("more", f"more_{number}", 1))
            plain.commit()
    plain.close()
    checkpoint(other)
    with in_thread(f"sqlite:///{file}") as floor:
        checkpoint(file)
        older = file.read_bytes()
        tamper(f"sqlite:///{file}", more)
        dan = floor.as_("d1")
        dan.do("open_round", {"table": "Poker"})
        checkpoint(file)
        assert health(floor) == (200, [])
        before, inode = file.read_bytes(), file.stat().st_ino
        content = {
            "another floor": other.read_bytes(),
            "an older copy": older + bytes(len(before) - len(older)),
            "cut": before[: -3 * 4096],
        }[how]
        file.write_bytes(content)
        assert file.stat().st_ino == inode
        assert health(floor) == (503, [f"{REPLACED}; {THEN}"])
        status, _ = dan.refused("round", {"table": "Poker", "text": "bets 1: ante 10"})
        assert status == 503
        file.write_bytes(before)


def checkpoint(file: Path) -> None:
    """Bring home what is in the log."""
    with sqlite3.connect(file) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    plain.close()


def test_a_seal_file_that_cannot_be_written_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_thread(f"sqlite:///{file}") as floor:
        monkeypatch.setattr(seal_file, "os", FullDisk())
        floor.as_("d1").do("open_round", {"table": "Poker"})
        told = "the seal file cannot be written: No space left on device"
        assert health(floor) == (503, [told])
        monkeypatch.undo()
        floor.as_("d1").do("round", {"table": "Poker", "text": "bets 1: ante 10"})
        assert health(floor) == (200, [])
    assert default_seals(file).exists()
