"""Places: a file that is put away and a server that falls silent are noticed before any answer."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from houseway.journal import store
from houseway.journal.event import Command, Entry
from houseway.journal.file_connection import SqliteFile
from houseway.journal.journal import Journal
from houseway.journal.state import State
from houseway.journal.store import open_to_read
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, Gate, look, pay, sound
from tests.journal.databases import Server
from tests.journal.proxy import Proxy

KEYS = "SELECT key FROM event WHERE part = 0 ORDER BY position"


def unavailable(journal: Journal, key: str, match: str) -> None:
    with pytest.raises(Refused, match=match) as told:
        journal.do(pay(key))
    assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert "try the same command again with the same key" in told.value.message


def keys(path: Path) -> list[str]:
    return [key for (key,) in look(f"sqlite:///{path}", KEYS)]


# Files.


def test_a_closed_connection_holds_no_lock_though_a_cursor_of_it_is_still_there(
    tmp_path: Path,
) -> None:
    """SQLite closes a connection only with its last statement; a traceback may still have one."""
    path = tmp_path / "floor.sqlite"
    Journal(f"sqlite:///{path}", Bank()).close()
    writes = SqliteFile(path, 0).connect()
    writes.execute("BEGIN IMMEDIATE")
    cursor = writes.cursor()
    cursor.executemany("INSERT INTO form VALUES (?)", [("a",), ("b",)])
    writes.close()
    other = SqliteFile(path, 0).connect()
    other.execute("BEGIN IMMEDIATE")
    assert other.execute("SELECT digest FROM form WHERE digest = 'a'").fetchall() == []
    other.close()
    del cursor


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal in a file, with one payment in it."""
    path = tmp_path / "floor.sqlite"
    with Journal(f"sqlite:///{path}", Bank()) as journal:
        journal.do(pay("one"))
    return path


def test_a_file_that_is_deleted_is_missed_and_not_made_anew(file: Path) -> None:
    url, away = f"sqlite:///{file}", file.with_name("away.sqlite")
    with Journal(url, Bank()) as journal:
        journal.do(pay("two"))
        # It is deleted for everybody who looks, and kept under another name for us to see.
        away.hardlink_to(file)
        file.unlink()
        unavailable(journal, "three", r"floor\.sqlite' is no longer there")
        for _ in range(2):
            unavailable(journal, "three", "unable to open database file")
        with pytest.raises(Refused, match="unable to open database file"):
            journal.state_of("purse:ann")
        assert not file.exists()
        away.rename(file)
        assert journal.do(pay("three")) == {"paid": 15}
    assert keys(file) == ["one", "two", "three"]
    sound(url)


def test_a_file_that_is_replaced_is_noticed_before_the_next_answer(file: Path) -> None:
    """Its log stays behind with pages of the old file, and must not be read with the new one."""
    url, other = f"sqlite:///{file}", file.with_name("other.sqlite")
    shutil.copy(file, other)
    with Journal(f"sqlite:///{other}", Bank()) as journal:
        for number in range(5):
            journal.do(pay(f"other {number}", payer="cyd"))
    away = file.with_name("away.sqlite")
    with Journal(url, Bank()) as journal:
        for number in range(20):
            journal.do(pay(f"{number}", payer=f"payer {number}"))
        file.rename(away)
        other.rename(file)
        unavailable(journal, "two", r"floor\.sqlite' is another file than before")
        # From here on it is the other journal, as when a copy was put back.
        assert journal.do(pay("two")) == {"paid": 10}
        assert journal.do(pay("two")) == {"paid": 10}
    assert keys(file) == ["one", *(f"other {number}" for number in range(5)), "two"]
    sound(url)
    # Nothing that was answered before is missing where the old file is now.
    assert keys(away) == ["one", *(f"{number}" for number in range(20))]
    sound(f"sqlite:///{away}")


class Mover(Gate):
    """A bank in which the command 'move' puts a copy in the place of the file."""

    def __init__(self, copy: Path, file: Path) -> None:
        super().__init__()
        self.copy, self.file = copy, file

    def decide(self, state: State, command: Command) -> Entry:
        if command.key == "move" and self.copy.exists():
            self.copy.rename(self.file)
        return super().decide(state, command)


def test_a_file_that_is_replaced_while_a_batch_is_decided(file: Path) -> None:
    """Nobody of the batch is told that it was done: it is not in the file that is there now."""
    url, copy = f"sqlite:///{file}", file.with_name("copy.sqlite")
    shutil.copy(file, copy)
    mover = Mover(copy, file)
    with Journal(url, mover) as journal:
        futures = mover.one_batch(journal, [pay("a"), pay("move"), pay("b")])
        for future in futures:
            with pytest.raises(Refused, match="is another file than before"):
                future.result()
        assert keys(file) == ["one"]
        for number, key in enumerate(("a", "move", "b")):
            assert journal.do(pay(key)) == {"paid": 10 + 5 * number}
    assert keys(file) == ["one", "a", "move", "b"]
    sound(url)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_file_that_is_moved_around_the_commit_is_noticed(file: Path, when: str) -> None:
    url, away = f"sqlite:///{file}", file.with_name("away.sqlite")
    with Journal(url, Bank()) as journal:
        journal.do(pay("two"))
        commit = journal.engine.dialect.do_commit

        def moving(connection: object) -> None:
            if when == "before":
                file.rename(away)
            commit(connection)  # type: ignore[arg-type]
            if when == "after":
                file.rename(away)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal.engine.dialect, "do_commit", moving)
            unavailable(journal, "three", "is no longer there")
        away.rename(file)
        # It was committed to that file, so it is found there, and done once.
        assert journal.do(pay("three")) == {"paid": 15}
    assert keys(file) == ["one", "two", "three"]
    sound(url)


def test_a_log_that_is_deleted_is_missed_and_what_was_in_it_is_kept(file: Path) -> None:
    url, log = f"sqlite:///{file}", file.with_name("floor.sqlite-wal")
    with Journal(url, Bank()) as journal:
        journal.do(pay("two"))
        log.unlink()
        unavailable(journal, "three", r"floor\.sqlite-wal' is no longer there")
        assert keys(file) == ["one", "two"]
        assert journal.do(pay("three")) == {"paid": 15}
    assert keys(file) == ["one", "two", "three"]
    sound(url)


def test_a_folder_or_link_that_leads_elsewhere_is_noticed(file: Path) -> None:
    folder = file.parent / "folder"
    folder.mkdir()
    file.rename(folder / "floor.sqlite")
    link = file.parent / "link.sqlite"
    link.symlink_to(folder / "floor.sqlite")
    copy = file.parent / "copy.sqlite"
    shutil.copy(folder / "floor.sqlite", copy)
    with Journal(f"sqlite:///{link}", Bank()) as journal:
        journal.do(pay("two"))
        link.unlink()
        link.symlink_to(copy)
        unavailable(journal, "three", r"link\.sqlite' is another file")
        assert journal.do(pay("three")) == {"paid": 10}
    with Journal(f"sqlite:///{folder}/floor.sqlite", Bank()) as journal:
        assert journal.do(pay("two")) == {"paid": 10}
        folder.rename(file.parent / "elsewhere")
        unavailable(journal, "three", r"floor\.sqlite' is no longer there")
    sound(f"sqlite:///{file.parent}/elsewhere/floor.sqlite")


def test_a_file_that_stays_is_never_missed(file: Path) -> None:
    """Others who open, read, check and close it leave it where it is."""
    url = f"sqlite:///{file}"
    with Journal(url, Bank()) as journal:
        for number in range(30):
            assert journal.do(pay(f"{number}"))["paid"] == 10 + 5 * number
            if number % 3 == 0:
                Journal(url, Bank()).close()
            os.utime(file)
            sound(url)


# Servers.


def session_of(journal: Journal) -> Any:
    """The driver's connection with which a journal writes; nobody else may be using it."""
    assert journal._connection is not None
    return journal._connection.connection.dbapi_connection


def connect_soon(_dialect: object, _record: object, _given: object, named: dict[str, Any]) -> None:
    # The driver takes no less.
    named["connect_timeout"] = 2


@contextmanager
def impatient(journal: Journal) -> Iterator[None]:
    """A silent server is given up soon; one that speaks may take its time, before and after."""
    session_of(journal).patience = 1
    event.listen(journal.engine, "do_connect", connect_soon, insert=True)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(store.POSTGRESQL, "connect_timeout", 2)
            yield
    finally:
        event.remove(journal.engine, "do_connect", connect_soon)


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    made = Proxy(server.port)
    yield made
    made.close()


@pytest.mark.parametrize(
    "deaf",
    [
        pytest.param(True, id="deaf and silent", marks=pytest.mark.soak),
        pytest.param(False, id="silent"),
    ],
)
def test_a_server_that_falls_silent_is_given_up(server: Server, proxy: Proxy, deaf: bool) -> None:
    """Whether or not the server heard what was asked: it is told, and done once."""
    url = server.new_database()
    through = url.replace(str(server.port), str(proxy.port))
    with Journal(through, Bank()) as journal:
        assert journal.do(pay("one")) == {"paid": 5}
        with impatient(journal):
            proxy.fall_silent(deaf=deaf)
            unavailable(journal, "two", "has been silent for 1 seconds|timeout expired")
            waiting = [journal.submit(pay(f"{number}")) for number in range(5)]
            assert all(isinstance(future.exception(), Refused) for future in waiting)
            with pytest.raises(Refused, match="is not available"):
                journal.state_of("purse:ann")
            with pytest.raises(Refused, match="is not available"):
                Journal(through, Bank())
            with pytest.raises(Refused, match="is not available"):
                open_to_read(through)
            proxy.speak()
        assert journal.do(pay("two")) == {"paid": 10}
        assert journal.do(pay("two")) == {"paid": 10}
    sound(url)


def test_a_commit_that_a_silent_server_has_done_is_found_again(
    server: Server, proxy: Proxy
) -> None:
    url = server.new_database()
    through = url.replace(str(server.port), str(proxy.port))
    with Journal(through, Bank()) as journal:
        journal.do(pay("one"))
        commit = journal.engine.dialect.do_commit

        def silent(connection: object) -> None:
            proxy.fall_silent(deaf=False)
            commit(connection)  # type: ignore[arg-type]

        with impatient(journal), pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal.engine.dialect, "do_commit", silent)
            unavailable(journal, "two", "silent|timeout")
        assert look(url, "SELECT count(*) FROM event") == [(4,)]
        proxy.speak()
        assert journal.do(pay("two")) == {"paid": 10}
    assert look(url, "SELECT count(*) FROM event") == [(4,)]
    sound(url)


def test_a_writer_that_stands_still_does_not_hold_the_floor_for_ever(server: Server) -> None:
    """Halted in the middle of a decision, it loses the lock; woken up again, it decides anew."""
    url, gate = server.new_database(), Gate()
    with Journal(url, gate) as halted, Journal(url, Bank(), busy_seconds=60) as other:
        halted.do(pay("before", payer="eve"))
        [(limit,)] = session_of(halted).execute("SHOW idle_in_transaction_session_timeout")
        assert limit == f"{store.IDLE_SECONDS / 60:g}min"
        # Only while it is halted: a busy machine may stand still for as long.
        session_of(halted).execute("SET idle_in_transaction_session_timeout = '500ms'")
        first = halted.submit(pay("gate", payer="ann"))
        gate.reached.wait()
        assert other.do(pay("one")) == {"paid": 5}
        gate.opened.set()
        assert first.result() == {"paid": 10}
    sound(url)


def test_a_statement_that_takes_too_long_is_ended_by_the_server(server: Server) -> None:
    """Somebody has locked a table: that is no lock of the floor, and is told as well."""
    url = server.new_database()
    with Journal(url, Bank(), busy_seconds=0.25) as journal:
        journal.do(pay("one"))
        engine = store.make_engine(store.read_url(url))
        with engine.connect() as connection, connection.begin():
            connection.exec_driver_sql("LOCK TABLE event")
            unavailable(journal, "two", "lock timeout|statement timeout")
        engine.dispose()
        assert journal.do(pay("two")) == {"paid": 10}
    sound(url)
