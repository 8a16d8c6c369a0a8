"""The tables of a journal: made once, alike on both databases, never by one who only reads."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from alembic import command
from sqlalchemy import inspect, text

from houseway.journal import schema
from houseway.journal.file_connection import SqliteFile
from houseway.journal.journal import Journal
from houseway.journal.store import (
    _config,
    make_engine,
    migrate,
    newest_schema,
    open_store,
    open_to_read,
    read_url,
)
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, pay
from tests.journal.databases import KINDS, Server


def test_the_migrations_make_the_tables_that_the_program_uses(database: str) -> None:
    engine = open_store(database)
    with engine.connect() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.check(config)
    engine.dispose()


def test_an_empty_database_gets_its_tables_and_an_up_to_date_one_is_left(database: str) -> None:
    for _ in range(2):
        engine = open_store(database)
        assert {*schema.metadata.tables} < {*inspect(engine).get_table_names()}
        with engine.connect() as connection:
            found = connection.execute(text("SELECT version_num FROM alembic_version")).all()
            assert found == [(newest_schema(),)]
        engine.dispose()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
    engine = make_engine(read_url(database))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for opening in (open_store, open_to_read, lambda url: Journal(url, Bank())):
        with pytest.raises(Refused, match=r"schema '9999', which is newer .* known: 0001") as told:
            opening(database)
        assert told.value.reason is Reason.BAD_ARGUMENT
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM event")).scalar() == 2
    engine.dispose()


def test_a_database_without_a_journal_is_not_read_as_one(database: str) -> None:
    engine = make_engine(read_url(database))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (name TEXT)"))
    with pytest.raises(Refused, match="holds no journal"):
        open_to_read(database)
    assert inspect(engine).get_table_names() == ["other"]
    engine.dispose()


def test_the_tables_of_somebody_else_stay_as_they_are(database: str) -> None:
    engine = make_engine(read_url(database))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE event (name TEXT)"))
    with pytest.raises(Refused, match="already exists") as told:
        open_store(database)
    assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert inspect(engine).get_table_names() == ["event"]
    engine.dispose()


def test_many_may_open_an_empty_database_at_once(database: str) -> None:
    together = Barrier(6)

    def begin(name: int) -> int:
        together.wait()
        with Journal(database, Bank()) as journal:
            return int(journal.do(pay(f"key {name}"))["paid"])

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(begin, range(6))) == [5, 10, 15, 20, 25, 30]


def test_a_new_file_is_set_up_by_one_while_the_others_wait(tmp_path: Path) -> None:
    """SQLite does not wait by itself there; without our waiting some are refused."""

    def begin(path: Path) -> bool:
        together.wait()
        connection = SqliteFile(path, 10.0).connect()
        # One who had not opened the log yet would take it for another when it is there.
        knows_its_log = None not in connection.files.values()
        connection.close()
        return knows_its_log

    for number in range(60):
        together = Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(begin, [tmp_path / f"{number}.sqlite"] * 8))


def test_different_databases_may_be_opened_at_once(tmp_path: Path, server: Server) -> None:
    together = Barrier(8)
    urls = [f"sqlite:///{tmp_path}/{name}.sqlite" for name in range(4)]
    urls += [server.new_database() for _ in range(4)]

    def begin(url: str) -> int:
        together.wait()
        with Journal(url, Bank()) as journal:
            return int(journal.do(pay("key"))["paid"])

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(begin, urls)] == [5] * 8


def test_who_reads_can_write_nothing(database: str) -> None:
    Journal(database, Bank()).close()
    engine = open_to_read(database)
    with engine.connect() as connection, pytest.raises(Exception, match=r"read-?only"):
        connection.execute(text("DELETE FROM event"))
    engine.dispose()


def test_a_file_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"floor\.sqlite' is not there"):
        open_to_read(f"sqlite:///{tmp_path}/floor.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, and long enough to look like the start of something." * 20)
    before = path.read_bytes()
    for opening in (open_to_read, open_store):
        with pytest.raises(Refused, match="file is not a database") as told:
            opening(f"sqlite:///{path}")
        assert told.value.reason is Reason.JOURNAL_UNAVAILABLE
    assert path.read_bytes() == before


def test_a_server_that_does_not_know_the_database_is_told(server: Server) -> None:
    for opening in (open_to_read, open_store):
        with pytest.raises(Refused, match='database "nowhere" does not exist') as told:
            opening(server.url("nowhere"))
        assert told.value.reason is Reason.JOURNAL_UNAVAILABLE


@pytest.mark.parametrize(
    "url",
    [
        "floor.sqlite",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:floor?mode=memory",
        "sqlite:///floor.sqlite?uri=true",
        "sqlite://host/floor.sqlite",
        "sqlite+aiosqlite:///floor.sqlite",
        "mysql://ann:secret@host/floor",
        "postgresql://ann:secret@host:port/floor",
        "postgresql://ann:secret@host",
        "",
    ],
)
def test_an_address_that_no_journal_is_kept_at_is_refused(url: str) -> None:
    with pytest.raises(Refused, match="write sqlite:///FILE or postgresql://") as told:
        open_store(url)
    assert told.value.reason is Reason.BAD_ARGUMENT
    assert "secret" not in told.value.message


def test_commits_of_sqlite_wait_for_the_disk(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path}/floor.sqlite")
    with engine.connect() as connection:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    engine.dispose()
    with sqlite3.connect(tmp_path / "floor.sqlite") as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    plain.close()


def test_commits_of_postgresql_wait_for_the_disk_whatever_the_server_says(server: Server) -> None:
    url = server.new_database()
    engine = make_engine(read_url(url), busy_seconds=2.5)
    with engine.begin() as connection:
        name = connection.exec_driver_sql("SELECT current_database()").scalar()
        for setting in (
            "synchronous_commit = off",
            "default_transaction_isolation = 'repeatable read'",
        ):
            connection.exec_driver_sql(f"ALTER DATABASE {name} SET {setting}")
    engine.dispose()
    with engine.connect() as connection:
        for setting, value in (
            ("synchronous_commit", "on"),
            ("transaction_isolation", "read committed"),
            ("lock_timeout", "2500ms"),
            ("fsync", "on"),
        ):
            assert connection.exec_driver_sql(f"SHOW {setting}").scalar() == value
        migrate(engine)
    engine.dispose()


def test_tests_run_on_both_databases() -> None:
    assert KINDS == ("sqlite", "postgresql")
