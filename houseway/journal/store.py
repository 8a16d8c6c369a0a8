"""Store: the database behind a journal, opened the way a journal needs it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from houseway.refusal import Reason, Refused

LOCK = 7_206_341_925
"""The number of the advisory lock that writers of one PostgreSQL floor take in turn."""
BUSY_SECONDS = 10
MIGRATIONS = Path(__file__).parent / "migrations"


def open_store(url: str, *, create: bool = True) -> Engine:
    """The engine of a database; its tables are made or brought up to date unless told not to."""
    engine = make_engine(read_url(url))
    with told(url):
        if create:
            migrate(engine)
        else:
            _check_schema(engine, url)
    return engine


def read_url(text_given: str) -> URL:
    """The address of a database; refused when it is none that a journal is kept in."""
    wrong = Refused(
        Reason.BAD_ARGUMENT,
        f"database {text_given!r} cannot be; write sqlite:///FILE or postgresql://USER@HOST/NAME",
    )
    try:
        url = make_url(text_given)
    except ArgumentError:
        raise wrong from None
    if url.get_backend_name() == "sqlite":
        if not url.database or url.database == ":memory:" or url.host:
            raise wrong
        return url
    if url.drivername in ("postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise wrong


def make_engine(url: URL) -> Engine:
    """An engine that keeps what it was told: every commit is on the disk before it returns."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(
            url,
            poolclass=NullPool,
            connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 5})
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver must not begin transactions of its own accord: the engine says when.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare_postgresql(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute("SET lock_timeout = '10s'")
    connection.commit()


def take_lock(connection: Connection) -> None:
    """Wait until no other writer of the floor is in a transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))


@contextmanager
def told(url: str) -> Iterator[None]:
    """Turn what a database complains of into one sentence."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise unavailable(error, url) from None


def unavailable(error: BaseException, url: str = "") -> Refused:
    """The refusal when a journal cannot be reached, read or written."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    words = " ".join(str(cause).split()).split(" (Background")[0][:160].rstrip(".")
    where = f" {_without_password(url)}" if url else ""
    return Refused(
        Reason.JOURNAL_UNAVAILABLE,
        f"the journal{where} is not available: {words}; nothing was changed, and the same command "
        "with the same key may be tried again",
    )


def _without_password(url: str) -> str:
    try:
        return repr(make_url(url).render_as_string(hide_password=True))
    except ArgumentError:
        return repr(url)


def migrate(engine: Engine) -> None:
    """Bring the tables up to date."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _check_schema(engine: Engine, url: str) -> None:
    found = inspect(engine).has_table("event")
    if not found:
        raise Refused(
            Reason.BAD_ARGUMENT, f"database {_without_password(url)} holds no journal; start one"
        )


def newest_schema() -> str:
    """The revision that the tables are brought up to."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
