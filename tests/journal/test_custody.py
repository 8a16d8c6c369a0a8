"""Custody: one server on a file, none on files that were taken from it, none on a damaged one."""

import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from houseway.cli import main
from houseway.journal.custody import Custody
from houseway.journal.floor_lock import lock_path
from houseway.journal.journal import Journal
from houseway.journal.probe import DAMAGED, Probe
from houseway.journal.store import open_to_read
from houseway.refusal import Reason, Refused
from tests import ROOT
from tests.journal.bank import Bank, audited, look, pay, sound
from tests.journal.databases import Server
from tests.journal.holder import paid

KEYS = "SELECT key FROM event WHERE part = 0 ORDER BY position"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal in a file, with one payment in it."""
    path = tmp_path / "floor.sqlite"
    with Journal(f"sqlite:///{path}", Bank()) as journal:
        journal.do(pay("one"))
    return path


class Holder:
    """A process that has a journal open."""

    def __init__(self, url: str, *how: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.journal.holder", url, *how],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def pay(self, name: str, count: int) -> tuple[list[str], str]:
        """Have payments made; the keys that were answered, and the last refusal."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"pay {name} {count}\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        return found["done"], found["told"]

    def close(self) -> None:
        """Have it close the journal, and wait."""
        self.process.communicate("close\n")
        assert self.process.returncode == 0

    def kill(self) -> None:
        """End it as the power would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@contextmanager
def holder(url: str, *how: str) -> Iterator[Holder]:
    made = Holder(url, *how)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.kill()


def served(url: str) -> Journal:
    return Journal(url, Bank(), custody=Custody(url))


# One server.


def test_a_second_server_on_one_file_is_refused_at_its_start(file: Path) -> None:
    url = f"sqlite:///{file}"
    link = file.with_name("link.sqlite")
    link.symlink_to(file)
    with served(url) as journal:
        for other in (url, f"sqlite:///{link}"):
            with pytest.raises(Refused, match="is served by another server already") as told:
                Custody(other)
            assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
            assert "PostgreSQL, where several servers may serve it" in told.value.message
        assert journal.do(pay("two")) == {"paid": 10}
        # A tool at the machine writes and reads beside it, and each sees the other.
        with Journal(url, Bank()) as tool:
            assert tool.do(pay("three")) == {"paid": 15}
        assert journal.do(pay("four")) == {"paid": 20}
        sound(url)
    # In good order it leaves no lock behind, and the next server starts.
    assert not lock_path(file).exists()
    served(url).close()
    sound(url)


def test_a_database_with_two_names_is_opened_by_neither(file: Path) -> None:
    """By each name SQLite keeps another log, and one overwrites what the other has answered."""
    url, link = f"sqlite:///{file}", file.with_name("link.sqlite")
    other = f"sqlite:///{link}"
    with served(url) as journal:
        link.hardlink_to(file)
        for opened in (Custody, lambda one: Journal(one, Bank()), open_to_read):
            with pytest.raises(Refused, match="has 2 names"):
                opened(other)
        # The one that was there first goes on, also over new connections, and so do its tools.
        assert journal.do(pay("two")) == {"paid": 10}
        with Journal(url, Bank()) as tool:
            assert tool.do(pay("three")) == {"paid": 15}
    with pytest.raises(Refused, match="delete all but the one that is served"):
        Custody(url)
    link.unlink()
    served(url).close()
    sound(url)


def test_a_link_that_leads_to_itself_is_no_database(tmp_path: Path) -> None:
    link = tmp_path / "round.sqlite"
    link.symlink_to(link)
    for opened in (Custody, lambda one: Journal(one, Bank()), open_to_read):
        with pytest.raises(Refused, match="round"):
            opened(f"sqlite:///{link}")


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_server_whose_lock_was_put_away_writes_no_more(file: Path, how: str) -> None:
    """Another server could start then, and show other meters."""
    url, place = f"sqlite:///{file}", lock_path(file)
    with served(url) as journal:
        if how == "replaced":
            copy = file.with_name("copy")
            shutil.copy(place, copy)
            copy.replace(place)
        else:
            place.unlink()
        told = "the file that keeps other servers out (.lock) is gone or was replaced"
        assert told in journal.problems()[0]
        with pytest.raises(Refused, match="not available") as refused:
            journal.do(pay("two"))
        assert refused.value.reason is Reason.JOURNAL_UNAVAILABLE
        with served(url) as next_one:
            assert next_one.do(pay("three")) == {"paid": 10}
            journal.close()
            # The first takes its own lock away and no other's.
            with pytest.raises(Refused, match="is served by another server"):
                Custody(url)
    sound(url)


def test_the_lock_of_a_killed_server_keeps_nobody_out(file: Path) -> None:
    url = f"sqlite:///{file}"
    with holder(url, "served") as server:
        assert server.pay("a", 3) == (["a-0", "a-1", "a-2"], "")
        with pytest.raises(Refused, match="is served by another server"):
            Custody(url)
        server.kill()
    assert lock_path(file).exists()
    # Neither who looks nor who serves is kept out by what it says.
    assert sound(url).events == 8
    with served(url) as journal:
        assert journal.do(pay("two")) == {"paid": 25}


def test_a_moment_in_which_somebody_looks_refuses_no_server(file: Path) -> None:
    """Who looks whether the lock is held has it for that moment."""
    place = lock_path(file)
    place.touch()
    tried = 0
    flock = fcntl.flock

    def busy_at_first(number: int, kind: int) -> None:
        nonlocal tried
        tried += 1
        if tried <= 3:
            raise BlockingIOError
        flock(number, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fcntl, "flock", busy_at_first)
        Custody(f"sqlite:///{file}").close()
    assert tried >= 4


def test_several_servers_share_a_floor_on_postgresql(server: Server) -> None:
    url = server.new_database()
    with served(url) as one, served(url) as other:
        assert one.do(pay("one")) == {"paid": 5}
        assert other.do(pay("two")) == {"paid": 10}
    sound(url)


# Its files.


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_nobody_opens_a_file_of_which_a_server_has_another_part_open(
    file: Path, ending: str
) -> None:
    """Who opened it would read or write something else than the server, and destroy the log."""
    url, part = f"sqlite:///{file}", file.with_name(f"{file.name}{ending}")
    journal = served(url)
    journal.do(pay("two"))
    # It is deleted for everybody who looks, and kept under another name for us to put back.
    kept = file.with_name("kept")
    kept.hardlink_to(part)
    for replaced in (False, True):
        part.unlink(missing_ok=True)
        if replaced:
            shutil.copy(kept, part)
        for opens in (lambda: open_to_read(url), lambda: Journal(url, Bank())):
            with pytest.raises(Refused) as told:
                opens()
            assert f"{part}'" in told.value.message
            if part.exists() or part != file:
                expected = f"and a server has it open.*stop the server .process {os.getpid()}."
                assert re.search(expected, told.value.message)
        with pytest.raises(Refused, match=r"stop the server.*start the server again") as told:
            journal.do(pay("three"))
        assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    kept.replace(part)
    # With the file at its place again it goes on, and nothing was lost or done.
    assert journal.do(pay("three")) == {"paid": 15}
    journal.close()
    assert [key for (key,) in look(url, KEYS)] == [
        "one",
        "two",
        "three",
    ]
    sound(url)


@pytest.mark.parametrize("end", ["close", "kill"])
def test_a_server_without_the_index_of_its_log_loses_nothing(file: Path, end: str) -> None:
    """Before this was watched, whoever opened the file next destroyed what the server wrote."""
    url = f"sqlite:///{file}"
    with holder(url, "served") as server:
        before, _ = server.pay("a", 30)
        file.with_name(f"{file.name}-shm").unlink()
        for opens in (lambda: open_to_read(url), lambda: Journal(url, Bank())):
            with pytest.raises(Refused, match="-shm' is no longer there, and a server"):
                opens()
        after, told = server.pay("b", 5)
        assert (len(before), after) == (30, [])
        assert "stop the server" in told
        getattr(server, end)()
    found = [key for (key,) in look(url, KEYS)]
    assert found == ["one", *before]
    sound(url)
    with served(url) as journal:
        assert journal.do(pay("two"))["paid"] == 160


@pytest.mark.parametrize("end", ["close", "kill"])
def test_tools_without_the_index_of_their_log_lose_nothing(file: Path, end: str) -> None:
    """No server holds the file: who opens it makes another index, and the first one stops."""
    url = f"sqlite:///{file}"
    with holder(url) as tool:
        kept, _ = tool.pay("a", 30)
        file.with_name(f"{file.name}-shm").unlink()
        with Journal(url, Bank()) as other:
            kept += paid(other, "b", 30)["done"]
            after, told = tool.pay("c", 5)
            assert after == []
            assert "start this program again" in told
            kept += paid(other, "d", 30)["done"]
        getattr(tool, end)()
    found = [key for (key,) in look(url, KEYS)]
    assert (len(kept), found) == (90, ["one", *kept])
    sound(url)


# A damaged file.

PAGE = 4096


def written(path: Path, commands: int) -> None:
    with Journal(f"sqlite:///{path}", Bank(), seal_every=20) as journal:
        for number in range(commands):
            journal.do(pay(f"k{number}", payer=f"payer {number % 7}"))


def damaged(path: Path, page: int, how: str) -> None:
    """Overwrite a page, but for the head of the file."""
    content = bytearray(path.read_bytes())
    begin = page * PAGE + (100 if page == 0 else 0)
    end = min((page + 1) * PAGE, len(content))
    garbage = {"zeros": bytes(PAGE), "noise": Random(page).randbytes(PAGE)}[how]
    content[begin:end] = garbage[: end - begin]
    path.write_bytes(content)


def refusal(url: str) -> Refused | None:
    """Why no server starts; None when one does."""
    try:
        Custody(url).close()
    except Refused as refused:
        return refused
    return None


@pytest.mark.parametrize("how", ["zeros", "noise"])
def test_no_server_starts_on_a_damaged_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """Every page of a journal, overwritten: each time a sentence, and the file stays as it is."""
    whole, path = tmp_path / "whole.sqlite", tmp_path / "floor.sqlite"
    written(whole, 60)
    pages = whole.stat().st_size // PAGE
    starts = []
    for page in range(pages):
        shutil.copy(whole, path)
        damaged(path, page, how)
        before = path.read_bytes()
        told = refusal(f"sqlite:///{path}")
        if told is None:
            starts.append(page)
        else:
            assert told.reason is Reason.JOURNAL_UNAVAILABLE
            assert "\n" not in told.message
            assert path.read_bytes() == before
        for beside in files_beside(path):
            beside.unlink()
    # A page that nothing is kept in may hold anything.
    with sqlite3.connect(whole) as plain:
        [(free,)] = plain.execute("PRAGMA freelist_count").fetchall()
    plain.close()
    assert pages > 24
    assert len(starts) <= free, starts
    # The same from the command line.
    shutil.copy(whole, path)
    damaged(path, pages // 2, how)
    assert main(["serve", "--database", f"sqlite:///{path}", "--port", "1"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("houseway: ")
    assert (shown.err.count("\n"), shown.out) == (1, "")


LOOKED_BACK_BY = ("event_kind", "event_actor", "transfer_debit", "transfer_credit")
"""Indexes that reports and searches go by, and no command."""


@pytest.mark.parametrize("how", ["zeros", "noise"])
def test_every_damaged_page_that_a_command_may_need_is_found_by_reading_on(
    tmp_path: Path, how: str
) -> None:
    whole, path = tmp_path / "whole.sqlite", tmp_path / "floor.sqlite"
    written(whole, 60)
    with sqlite3.connect(whole) as plain:
        for index in LOOKED_BACK_BY:
            plain.execute(f"DROP INDEX {index}")
        plain.commit()
        plain.execute("VACUUM")
    plain.close()
    missed = []
    for page in range(whole.stat().st_size // PAGE):
        shutil.copy(whole, path)
        probe = Probe(f"sqlite:///{path}", at_a_time=50)
        for _ in range(20):
            probe.step()
        assert probe.problems() == []
        damaged(path, page, how)
        for _ in range(20):
            probe.step()
        probe.close()
        if probe.problems() != [DAMAGED]:
            missed.append(page)
        for beside in files_beside(path):
            beside.unlink()
    assert missed == []


def files_beside(path: Path) -> list[Path]:
    return [one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}-")]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE event SET actor = 'nobody' WHERE position = 118", "event 118 does not match"),
        ("DELETE FROM event WHERE position = 117", "event 117 is missing"),
        ("UPDATE stream SET version = 3 WHERE name = 'purse:bob'", "stream purse:bob is 3"),
        ("DELETE FROM transfer WHERE position = 119", "transfer 119 part 0 is missing"),
    ],
)
def test_no_server_starts_on_a_tail_that_does_not_hold(
    tmp_path: Path, statement: str, words: str
) -> None:
    path = tmp_path / "floor.sqlite"
    written(path, 60)
    with sqlite3.connect(path) as plain:
        plain.execute(statement)
    plain.close()
    assert audited(f"sqlite:///{path}").finding is not None
    with pytest.raises(Refused, match=words) as told:
        Custody(f"sqlite:///{path}")
    assert "look at it with `houseway audit verify`" in told.value.message
    assert not lock_path(path).exists()


def test_a_state_that_is_none_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite"
    written(path, 3)
    with sqlite3.connect(path) as plain:
        plain.execute("UPDATE stream SET state = '{' WHERE name = 'purse:bob'")
    plain.close()
    with served(f"sqlite:///{path}") as journal:
        with pytest.raises(Refused, match="the state of purse:bob cannot be read"):
            journal.do(pay("one"))
        with pytest.raises(Refused, match="the state of purse:bob cannot be read"):
            journal.state_of("purse:bob")


def test_how_long_a_check_takes_is_told(file: Path) -> None:
    told: list[str] = []
    Custody(f"sqlite:///{file}", tell=told.append).close()
    assert told == ["checking the database file, 0 MB", "checking the last of 2 events"]
