"""Store: the database behind a journal, opened the way a journal needs it."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from houseway.journal.file_connection import FileConnection, FileMovedError, SqliteFile
from houseway.journal.floor_lock import check_held
from houseway.refusal import Reason, Refused, listed

LOCK = 7_206_341_925
"""The number of the advisory lock that writers of one PostgreSQL floor take in turn."""
BUSY_SECONDS = 10.0
"""How long whoever finds the floor locked waits for it."""
ANSWER_SECONDS = 5.0
"""What a statement may take beyond that. The disk of a server in trouble takes longer."""
IDLE_SECONDS = 120.0
"""How long a transaction may stand still before the server ends it, lock and all. It is longer than
any decision takes; who stops for longer has died without the network noticing, or has been halted.
"""
POSTGRESQL = {
    "client_encoding": "utf8",
    "connect_timeout": 5,
    # A machine that is gone answers nothing at all: that is seen in about ten seconds.
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
SESSION = {
    "synchronous_commit": "on",
    # The few statements of a writer are planned once, perhaps while the tables are still small:
    # they must use the indexes then as well. None is so long that it is worth compiling.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "jit": "off",
    # The server as well must notice that whoever holds the lock is gone.
    "tcp_keepalives_idle": "4",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
ALEMBIC = Lock()
MIGRATIONS = Path(__file__).parent / "migrations"


def open_store(
    url: str,
    *,
    busy_seconds: float = BUSY_SECONDS,
    files: type[FileConnection] = FileConnection,
) -> Engine:
    """The engine of a database to write to; its tables are made or brought up to date."""
    engine = make_engine(read_url(url), busy_seconds=busy_seconds, files=files)
    try:
        with told(url):
            migrate(engine, url)
    except BaseException:
        engine.dispose()
        raise
    return engine


def open_to_read(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """The engine of a database that holds a journal; nothing is made, nothing can be written.

    Events and seals have always been the same, so a journal of an earlier schema is read as it is.
    All that one of its transactions reads is as it was at one moment, also while others write.
    """
    engine = open_if_begun(url, busy_seconds=busy_seconds)
    if engine is None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"database {without_password(url)} holds no journal; open it for writing once",
        )
    return engine


def open_if_begun(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Engine | None:
    """The same; None where the database holds no journal yet."""
    address = read_url(url)
    if _is_sqlite(address):
        engine = _reading_sqlite(address, busy_seconds)
    else:
        engine = _reading_postgresql(address)
    try:
        with told(url), engine.connect() as connection:
            if _schema_of(connection, url) is not None:
                return engine
    except BaseException:
        engine.dispose()
        raise
    engine.dispose()
    return None


def read_url(text_given: str) -> URL:
    """The address of a database; refused when it is none that a journal is kept in."""
    wrong = Refused(
        Reason.BAD_ARGUMENT,
        f"database {without_password(text_given)} is not allowed; write sqlite:///FILE or "
        "postgresql://USER@HOST/NAME",
    )
    try:
        url = make_url(text_given)
    except (ArgumentError, ValueError):
        raise wrong from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        # In memory, or named by a URI of its own, it would not be the file that it says.
        named = url.database or ":memory:"
        if named.startswith((":memory:", "file:")) or url.host or url.query:
            raise wrong
        return url.set(drivername="sqlite")
    if url.drivername in ("postgresql", "postgresql+psycopg") and url.database:
        return url.set(drivername="postgresql+psycopg")
    raise wrong


CHANNEL = "houseway_events"
"""Where PostgreSQL tells of new events."""


def driver_url(text_given: str) -> str | None:
    """An address as PostgreSQL's own driver takes it; None for SQLite, which tells nobody."""
    url = read_url(text_given)
    if _is_sqlite(url):
        return None
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def sqlite_path(text_given: str) -> Path | None:
    """The file of a database; None where a server keeps it."""
    url = read_url(text_given)
    return Path(url.database or "").absolute() if _is_sqlite(url) else None


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def make_engine(
    url: URL,
    *,
    busy_seconds: float = BUSY_SECONDS,
    files: type[FileConnection] = FileConnection,
) -> Engine:
    """An engine that keeps what it was told: every commit is on the disk before it returns.

    Whoever finds the floor locked waits for `busy_seconds` and is then told so. Nobody waits for
    ever for a server that has fallen silent.
    """
    if _is_sqlite(url):
        file = SqliteFile(Path(url.database or ""), busy_seconds, files)
        engine = create_engine(url, creator=file.connect, poolclass=QueuePool)
        event.listen(engine, "checkout", _check_kept)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    from houseway.journal.server_connection import ServerConnection

    engine = create_engine(url, pool_pre_ping=True, connect_args=POSTGRESQL)
    settings = {
        **SESSION,
        "lock_timeout": _milliseconds(busy_seconds),
        "statement_timeout": _milliseconds(busy_seconds + ANSWER_SECONDS),
        "idle_in_transaction_session_timeout": _milliseconds(IDLE_SECONDS),
    }
    prepared = "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())
    # Where there is one, the server should be the first to say that something takes too long.
    patience = busy_seconds + 2 * ANSWER_SECONDS

    def connect(_dialect: object, _record: object, given: Any, named: Any) -> ServerConnection:
        return ServerConnection.connect(*given, **named)

    def prepare(connection: ServerConnection, _record: object) -> None:
        # The driver must not begin transactions of its own accord: the engine says when.
        connection.autocommit = True
        connection.patience = patience
        connection.execute(prepared.encode())

    event.listen(engine, "do_connect", connect)
    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _milliseconds(seconds: float) -> str:
    return f"{max(1, round(seconds * 1000))}ms"


def _check_kept(driver: Any, _record: object, _proxy: object) -> None:
    """Give up a connection that was kept for the next, when its file is no longer there."""
    try:
        driver.check()
    except FileMovedError as error:
        raise DisconnectionError(str(error)) from None


def check_place(connection: Connection) -> None:
    """Complain when what was written did not go to the file at the address."""
    driver: Any = connection.connection.dbapi_connection
    if isinstance(driver, FileConnection):
        driver.check()


def _reading_sqlite(url: URL, busy_seconds: float) -> Engine:
    path = Path(url.database or "")
    if not path.is_file():
        raise Refused(
            Reason.BAD_ARGUMENT, f"database {str(path)!r} is not there; name a file that is"
        )
    # The driver would make an empty database of a file that went away since; this way it cannot.
    address = f"{path.absolute().as_uri()}?mode=ro"
    closed = not Path(f"{path}-wal").exists()
    if closed and not os.access(path.parent, os.W_OK, effective_ids=True):
        # Who may only read cannot make the files that readers and writers share; and as it is
        # closed, there is nobody to share them with.
        address += "&immutable=1"

    def connect() -> sqlite3.Connection:
        check_held(path)
        return sqlite3.connect(address, uri=True, timeout=busy_seconds, check_same_thread=False)

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "connect", _prepare_sqlite_to_read)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _reading_postgresql(url: URL) -> Engine:
    return create_engine(
        url,
        isolation_level="REPEATABLE READ",
        connect_args={**POSTGRESQL, "options": "-c default_transaction_read_only=on"},
    )


def _prepare_sqlite_to_read(connection: Any, _record: object) -> None:
    # The driver must not begin transactions of its own accord: the engine says when.
    connection.isolation_level = None


# Who begins to write waits until no other writer of the floor is in a transaction.


def _begin_sqlite(connection: Connection) -> None:
    with by_driver(connection) as driver:
        driver.execute("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    # Each statement must see what was committed before it, whatever the server's default is: the
    # writer first waits for the lock and then reads what others wrote in the meantime.
    begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
    if _writes(connection):
        begin += f"; SELECT pg_advisory_xact_lock({LOCK})"
    with by_driver(connection) as driver:
        driver.execute(begin)


def _writes(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get("writes", False))


@contextmanager
def by_driver(connection: Connection) -> Iterator[Any]:
    """The driver's own connection; what it complains of is told as the engine would tell it."""
    dialect, driver = connection.dialect, connection.connection.dbapi_connection
    errors = dialect.loaded_dbapi.Error
    try:
        yield driver
    except errors as error:
        lost = dialect.is_disconnect(error, driver, None)
        if lost:
            connection.invalidate(error)
        raise DBAPIError.instance(
            None, None, error, errors, connection_invalidated=lost, dialect=dialect
        ) from error


@contextmanager
def told(url: str) -> Iterator[None]:
    """Turn what a database complains of into one sentence."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError) as error:
        raise unavailable(error, url) from None


def unavailable(error: BaseException, url: str = "") -> Refused:
    """The refusal when a journal cannot be reached, read or written.

    Without an address it is for a command that was under way. It does not say that nothing was
    written: when the connection goes during a commit, nobody on this side knows. It says what is
    right in both cases.
    """
    words = cause_of(error)
    if url:
        where, advice = f" {without_password(url)}", "give a database that can be reached and used"
    else:
        where, advice = "", "try the same command again with the same key, and it is done once"
    return Refused(
        Reason.JOURNAL_UNAVAILABLE, f"the journal{where} is not available: {words}; {advice}"
    )


def is_damage(error: object) -> bool:
    """True when a database cannot make sense of its own file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return bool(code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


def cause_of(error: BaseException) -> str:
    """Says in a few words what a database complained of."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    first = str(cause).strip().partition("\n")[0].split(" (Background")[0]
    return " ".join(first.split())[:160].rstrip(".")


def without_password(url: str) -> str:
    """An address as it may be shown, in quotes."""
    try:
        return repr(make_url(url).render_as_string(hide_password=True))
    except (ArgumentError, ValueError):
        # What cannot be read may still have a password in it.
        return repr(re.sub(r"://[^/@]*@", "://***@", url))


def migrate(engine: Engine, url: str = "") -> None:
    """Bring the tables up to date."""
    with engine.connect() as connection:
        if _schema_of(connection, url) == newest_schema():
            return
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        # Two who open an empty database at once must not both make its tables: the second one
        # waits here, and then finds them.
        config = _config()
        config.attributes["connection"] = connection
        # Alembic keeps what it is working on in one place for the whole process.
        with ALEMBIC:
            command.upgrade(config, "head")


def _schema_of(connection: Connection, url: str) -> str | None:
    """The revision of the tables that are there; refused when it is none that we know."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = known_schemas()
    if found is not None and found not in known:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"database {without_password(url)} is at schema {found!r}, which is newer than this "
            f"program; known: {listed(known)}",
        )
    return found


@cache
def known_schemas() -> tuple[str, ...]:
    """The revisions of the tables, oldest first."""
    found = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(made.revision for made in found)[::-1]


def newest_schema() -> str:
    """The revision that the tables are brought up to."""
    return known_schemas()[-1]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
