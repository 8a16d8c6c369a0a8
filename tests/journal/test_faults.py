"""Faults: a clear refusal or a safe second try, nothing lost, and no need to open it again."""

import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, text

from houseway.journal.journal import Journal
from houseway.journal.store import LOCK, make_engine, open_to_read, read_url
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, Gate, look, pay, payment, sound, tamper
from tests.journal.databases import Server, mostly_on_one_kind
from tests.journal.databases import server as new_server
from tests.journal.proxy import Proxy

EVENTS = "SELECT count(*) FROM event"


def unavailable(journal: Journal, key: str, match: str) -> None:
    with pytest.raises(Refused, match=match) as told:
        journal.do(pay(key))
    assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert "try the same command again with the same key" in told.value.message


# The disk.


def test_a_full_disk_is_told_and_when_there_is_room_it_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/floor.sqlite"
    with Journal(url, Bank()) as journal:
        [(pages,)] = look(url, "SELECT page_count FROM pragma_page_count()")
        room = [pages + 10]
        event.listen(
            journal.engine,
            "connect",
            lambda connection, _: connection.execute(f"PRAGMA max_page_count={room[0]}"),
        )
        # Connections that were kept know nothing of it.
        journal.engine.dispose()
        written = fill(journal)
        assert 10 < written < 10_000
        assert look(url, EVENTS) == [(2 * written,)]
        # Whoever asks for what is written already needs no room.
        assert journal.do(pay("key 0")) == {"paid": 5}
        for _ in range(3):
            unavailable(journal, f"key {written}", "database or disk is full")
        room[0] = 100_000
        for number in range(written, written + 200):
            assert journal.do(pay(f"key {number}"))["paid"] == 5 * (number + 1)
    assert look(url, EVENTS) == [(2 * (written + 200),)]
    sound(url)


def fill(journal: Journal) -> int:
    """Pay until it is refused; how many payments were answered."""
    for number in range(10_000):
        try:
            assert journal.do(pay(f"key {number}"))["paid"] == 5 * (number + 1)
        except Refused as refused:
            told = refused
            break
    assert told.reason is Reason.JOURNAL_UNAVAILABLE
    return number


REFUSE = {
    "sqlite": [
        "CREATE TRIGGER fault BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, '{words}'); END"
    ],
    "postgresql": [
        (
            "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '{words}' USING ERRCODE = 'disk_full'; END $$"
        ),
        "CREATE TRIGGER fault BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION fault()",
    ],
}
ALLOW = {
    "sqlite": ["DROP TRIGGER fault"],
    "postgresql": ["DROP TRIGGER fault ON {table}", "DROP FUNCTION fault"],
}


def on_both(url: str, statements: dict[str, list[str]], **words: str) -> None:
    for statement in statements[url.partition(":")[0]]:
        tamper(url, statement.format(**words))


WRITTEN = ("event", "transfer", "account", "stream", "seal")


@pytest.mark.parametrize(
    ("database", "table"),
    [
        *(("sqlite", table) for table in WRITTEN),
        *(("postgresql", table) for table in (WRITTEN[0], WRITTEN[-1])),
        # A transaction of PostgreSQL ends as one, whichever statement of it fails.
        *(pytest.param("postgresql", table, marks=pytest.mark.soak) for table in WRITTEN[1:-1]),
    ],
    indirect=["database"],
)
def test_a_write_that_fails_half_way_leaves_nothing(database: str, table: str) -> None:
    """Whichever of the tables has no room: either all of a batch is there or nothing."""
    words = "no space left on device"
    with Journal(database, Bank(), seal_every=4) as journal:
        journal.do(pay("one"))
        on_both(database, REFUSE, table=table, words=words)
        for key in ("two", "three", "two"):
            unavailable(journal, key, words)
        batch = [journal.submit(pay(f"{number}")) for number in range(20)]
        for future in batch:
            with pytest.raises(Refused, match=words):
                future.result()
        assert look(database, EVENTS) == [(2,)]
        sound(database)
        on_both(database, ALLOW, table=table)
        assert journal.do(pay("two")) == {"paid": 10}
    assert look(database, EVENTS) == [(4,)]
    sound(database)


def test_a_seal_that_cannot_be_written_at_the_end_is_made_up_for(database: str) -> None:
    journal = Journal(database, Bank())
    journal.do(pay("one"))
    on_both(database, REFUSE, table="seal", words="no space left on device")
    journal.close()
    assert sound(database).unsealed == 2
    on_both(database, ALLOW, table="seal")
    Journal(database, Bank()).close()
    assert sound(database).unsealed == 0


@contextmanager
def powerless() -> Iterator[Path]:
    """A folder of somebody else's, looked at by somebody who is not root."""
    folder = Path(tempfile.mkdtemp(prefix="houseway-"))
    root = os.geteuid() == 0
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def give_up_power() -> None:
    if os.geteuid() == 0:
        os.seteuid(65534)


def test_a_folder_without_permission_is_told(tmp_path: Path) -> None:
    with powerless() as folder:
        folder.chmod(0o555)
        give_up_power()
        with pytest.raises(Refused, match="unable to open database file") as told:
            Journal(f"sqlite:///{folder}/floor.sqlite", Bank())
        assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
        assert list(folder.iterdir()) == []
    with pytest.raises(Refused, match="unable to open database file"):
        Journal(f"sqlite:///{tmp_path}/nowhere/floor.sqlite", Bank())
    with pytest.raises(Refused, match="unable to open database file"):
        Journal(f"sqlite:///{tmp_path}", Bank())


def test_a_file_that_may_only_be_read_is_told_and_can_be_audited() -> None:
    with powerless() as folder:
        url = f"sqlite:///{folder}/floor.sqlite"
        with Journal(url, Bank()) as journal:
            journal.do(pay("one"))
        (folder / "floor.sqlite").chmod(0o444)
        before = (folder / "floor.sqlite").read_bytes()
        folder.chmod(0o555)
        give_up_power()
        with pytest.raises(Refused, match="attempt to write a readonly database") as told:
            Journal(url, Bank())
        assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
        assert sound(url).events == 2
        assert (folder / "floor.sqlite").read_bytes() == before
        assert len(list(folder.iterdir())) == 1


def test_a_database_that_turns_read_only_and_back(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        switch = read_only(database, journal)
        switch(True)
        for _ in range(2):
            unavailable(journal, "two", r"readonly|read-only")
        switch(False)
        assert journal.do(pay("two")) == {"paid": 10}
        assert journal.do(pay("three")) == {"paid": 15}
    sound(database)


def read_only(url: str, journal: Journal) -> Callable[[bool], None]:
    """A switch that makes a database read-only for who connects from now on, and drops the rest."""
    if url.startswith("sqlite"):
        now = [False]
        event.listen(
            journal.engine,
            "connect",
            lambda connection, _: connection.execute(f"PRAGMA query_only={now[0]:d}"),
        )

        def turn(on: bool) -> None:
            now[0] = on
            journal._forget()

        return turn

    def change(on: bool) -> None:
        statement = (
            f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only = {on}"
        )
        allowed = "-c default_transaction_read_only=off"
        with psycopg.connect(url, autocommit=True, options=allowed) as connection:
            connection.execute(statement)
        if on:
            drop_connections(url)

    return change


# Locks.


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Somebody else holds the floor."""
    engine = make_engine(read_url(url))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if url.startswith("postgresql"):
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        yield
    engine.dispose()


def test_a_floor_that_is_locked_for_too_long_is_told(database: str) -> None:
    with Journal(database, Bank(), busy_seconds=0.05) as journal:
        journal.do(pay("one"))
        with locked(database):
            for key in ("two", "two", "three"):
                unavailable(journal, key, "database is locked|lock timeout")
            # One who only reads is not held up, and neither is one who opens it.
            sound(database)
            Journal(database, Bank(), busy_seconds=0.05).close()
        assert journal.do(pay("two")) == {"paid": 10}
    sound(database)


def test_a_floor_that_is_locked_for_a_moment_is_waited_for(database: str) -> None:
    with Journal(database, Bank(), busy_seconds=60) as journal:
        journal.do(pay("one"))
        with locked(database):
            futures = [journal.submit(pay(f"{number}")) for number in range(100)]
            assert not any(future.done() for future in futures)
        assert [future.result()["paid"] for future in futures] == [*range(10, 510, 5)]
    sound(database)


# Connections.


def drop_connections(url: str) -> int:
    """End every session of a database but our own, as an administrator would."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return len(found.fetchall())


def test_a_connection_that_was_dropped_is_made_again(server: Server) -> None:
    url = server.new_database()
    with Journal(url, Bank()) as journal:
        for number in range(5):
            assert journal.do(pay(f"{number}"))["paid"] == 5 * (number + 1)
            assert drop_connections(url) >= 1
    sound(url)


def test_a_socket_that_closes_unnoticed_by_the_driver_is_a_lost_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver may find the socket closed and still call the connection a good one."""
    url = server.new_database()
    with Journal(url, Bank()) as journal:
        assert journal.do(pay("one")) == {"paid": 5}
        wait, closed = psycopg.Connection.wait, list[str]()

        def close_once(connection: Any, answer: Any, *rest: Any) -> Any:
            if not closed:
                closed.append("socket")
                raise psycopg.OperationalError("connection socket closed")
            return wait(connection, answer, *rest)

        monkeypatch.setattr(psycopg.Connection, "wait", close_once)
        assert journal.do(pay("two")) == {"paid": 10}
        assert closed
    sound(url)


def test_a_connection_that_is_dropped_while_it_decides_is_made_again(server: Server) -> None:
    url, gate = server.new_database(), Gate()
    with Journal(url, gate) as journal:
        first = journal.submit(pay("gate"))
        gate.reached.wait()
        others = [journal.submit(pay(f"{number}")) for number in range(10)]
        assert drop_connections(url) >= 1
        gate.opened.set()
        assert first.result() == {"paid": 5}
        assert [future.result()["paid"] for future in others] == [*range(10, 60, 5)]
    assert look(url, EVENTS) == [(22,)]
    sound(url)


def test_connections_that_are_dropped_time_and_again_lose_nothing(server: Server) -> None:
    url = server.new_database()
    done = Event()

    def drop() -> None:
        chance = random.Random(3)
        # Not without end: where a commit takes longer than the pause, none would ever be done.
        for _ in range(40):
            if done.wait(chance.random() * 0.05):
                break
            drop_connections(url)

    def client(number: int) -> list[str]:
        keys = [f"{number}-{command}" for command in range(15)]
        for key in keys:
            while True:
                with suppress(Refused):
                    journal.do(payment(key))
                    break
        return keys

    with Journal(url, Bank(), seal_every=20) as journal:
        dropping = Thread(target=drop)
        dropping.start()
        with ThreadPoolExecutor(4) as pool:
            keys = [key for told in pool.map(client, range(4)) for key in told]
        done.set()
        dropping.join()
    kept = look(url, "SELECT key FROM event WHERE part = 0 ORDER BY key")
    assert kept == sorted((key,) for key in keys)
    sound(url)


def test_a_server_that_is_away_is_told_and_found_again() -> None:
    # One of its own: that of all others has much to write before it stops.
    with new_server() as server:
        stop_and_start(server)


def stop_and_start(server: Server) -> None:
    url = server.new_database()
    with Journal(url, Bank()) as journal:
        journal.do(pay("one"))
        server.stop()
        try:
            for key in ("two", "three", "two"):
                unavailable(journal, key, "Connection refused|connection failed|terminating")
            with pytest.raises(Refused, match="is not available"):
                Journal(url, Bank())
            with pytest.raises(Refused, match="is not available"):
                open_to_read(url)
        finally:
            server.start()
        assert journal.do(pay("two")) == {"paid": 10}
        # While nobody asked anything, it went away and came back: nobody notices.
        server.stop()
        server.start()
        assert journal.do(pay("three")) == {"paid": 15}
    sound(url)


@pytest.mark.parametrize("times", [1, 2], ids=["once", "and again"])
def test_a_commit_whose_answer_is_lost_is_done_once(server: Server, times: int) -> None:
    """Lost once, the journal asks again; lost again, the client does. The key finds it."""
    url = server.new_database()
    proxy = Proxy(server.port)
    through = url.replace(str(server.port), str(proxy.port))
    with Journal(through, Bank()) as journal:
        assert journal.do(pay("one")) == {"paid": 5}
        proxy.lose = times
        if times == 1:
            assert journal.do(pay("two")) == {"paid": 10}
        else:
            unavailable(journal, "two", "closed")
            assert look(url, EVENTS) == [(4,)]
            assert journal.do(pay("two")) == {"paid": 10}
        assert proxy.lost == times
        assert journal.do(pay("three")) == {"paid": 15}
    proxy.close()
    assert look(url, EVENTS) == [(6,)]
    sound(url)


def test_a_commit_that_fails_after_it_was_done_is_found_again(database: str) -> None:
    """What nobody knows is not said: the refusal holds whether or not it was written."""
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        commit = journal.engine.dialect.do_commit

        def fail_after(connection: Any) -> None:
            commit(connection)
            error = sqlite3.OperationalError if "sqlite" in database else psycopg.OperationalError
            raise error("disk I/O error")

        def fail_before(connection: Any) -> None:
            connection.rollback()
            fail_after(connection)

        for key, failing, paid in (("two", fail_after, 10), ("three", fail_before, 15)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(journal.engine.dialect, "do_commit", failing)
                unavailable(journal, key, "disk I/O error")
                with pytest.raises(Refused) as told:
                    journal.do(pay(key))
                assert "nothing was changed" not in told.value.message
            assert journal.do(pay(key)) == {"paid": paid}
    assert look(database, EVENTS) == [(6,)]
    sound(database)


# Callers and clocks.


def test_commands_that_come_twice_and_in_any_order_are_each_done_once(database: str) -> None:
    chance = random.Random(6)
    keys = [f"key {number}" for number in range(150)]
    sent = [key for key in keys for _ in range(chance.randrange(1, 5))]
    chance.shuffle(sent)
    answers: dict[str, set[int]] = {key: set() for key in keys}
    for start in range(0, len(sent), 100):
        with Journal(database, Bank(), most_at_once=7) as journal:
            futures = [(key, journal.submit(payment(key))) for key in sent[start : start + 100]]
            for key, future in futures:
                answers[key].add(future.result()["paid"])
    assert all(len(told) == 1 for told in answers.values())
    assert look(database, EVENTS) == [(300,)]
    owed = sum(int(payment(key).arguments["amount"]) for key in keys)
    assert look(database, "SELECT sum(debits), sum(credits) FROM account") == [(owed, owed)]
    sound(database)


@mostly_on_one_kind
def test_a_clock_that_jumps_back_does_not_take_the_journal_with_it(database: str) -> None:
    times = [f"2026-11-{day:02d}T12:00:00.000000+00:00" for day in (5, 7, 3, 1, 6, 8, 2)]
    clock = iter([*times, *times])
    for number in range(2):
        with Journal(database, Bank(), clock=lambda: next(clock)) as journal:
            for command in range(6):
                journal.do(pay(f"{number}-{command}"))
    dated = look(database, "SELECT at FROM event WHERE part = 0 ORDER BY position")
    days = [int(at[8:10]) for (at,) in dated]
    assert days == [5, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8]
    sound(database)


@mostly_on_one_kind
def test_a_clock_that_fails_fails_the_command_and_not_the_journal(database: str) -> None:
    working = [True]

    def clock() -> str:
        if not working[0]:
            raise OSError("no clock")
        return "2026-11-05T12:00:00.000000+00:00"

    with Journal(database, Bank(), clock=clock) as journal:
        journal.do(pay("one"))
        working[0] = False
        for future in [journal.submit(pay(key)) for key in ("two", "three", "four")]:
            with pytest.raises(OSError, match="no clock"):
                future.result()
        working[0] = True
        assert journal.do(pay("two")) == {"paid": 10}
    sound(database)


TABLES = ("event", "seal", "transfer", "account", "stream")


def test_a_database_that_is_put_back_is_read_again(database: str) -> None:
    """Somebody restores a copy under a running journal: it goes on from what is there."""
    with Journal(database, Bank()) as journal:
        for key in ("one", "two"):
            journal.do(pay(key))
        for table in TABLES:
            tamper(database, f"CREATE TABLE kept_{table} AS SELECT * FROM {table}")
        for rounds in range(1, 4):
            # What memory holds is ahead, then as far on another way, then behind.
            for number in range(rounds):
                journal.do(pay(f"{rounds}-{number}"))
            for table in TABLES:
                tamper(database, f"DELETE FROM {table}")
                tamper(database, f"INSERT INTO {table} SELECT * FROM kept_{table}")
            with Journal(database, Bank()) as other:
                for number in range(rounds):
                    assert other.do(pay(f"other {rounds}-{number}", 7))["paid"] == 17 + 7 * number
            assert journal.do(pay("after"))["paid"] == 15 + 7 * rounds
            sound(database)
