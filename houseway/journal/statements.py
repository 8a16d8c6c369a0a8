"""Statements: what a writer says in every transaction, ready for the driver of each database.

Their text never changes, so nothing is put together while somebody waits. PostgreSQL is given all
rows of a transaction in one statement: there a round trip costs more than what it carries.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql

from houseway.journal import schema
from houseway.journal.event import Event
from houseway.journal.store import by_driver

TABLES = (schema.event, schema.transfer, schema.account, schema.stream)
"""What a transaction writes to."""
RENEWED = (schema.account, schema.stream)
"""Of these a name has one row, which is written over."""

Rows = Mapping[Table, Sequence[Sequence[Any]]]
"""Rows by table, their values in the order of its columns."""

NEWS = "SELECT {columns} FROM event WHERE position >= {mark} ORDER BY position"
KNOWN = "SELECT key, body FROM event WHERE part = 0 AND key {among}"


class Sqlite:
    """The statements for SQLite, where a statement costs next to nothing."""

    def __init__(self) -> None:
        self.news = NEWS.format(columns=_columns(schema.event), mark="?")
        self.known = KNOWN.format(among="IN (SELECT value FROM json_each(?))")
        self.inserts = {
            table: _insert(table, f"VALUES ({', '.join('?' for _ in table.columns)})")
            for table in TABLES
        }

    def write(self, cursor: Any, rows: Rows) -> None:
        """Write rows."""
        for table, statement in self.inserts.items():
            cursor.executemany(statement, rows[table])


class Postgresql:
    """The statements for PostgreSQL. Rows travel as JSON, which both sides read fastest."""

    def __init__(self) -> None:
        self.news = NEWS.format(columns=_columns(schema.event), mark="%s")
        # The list is read once, before the index is asked for each of its keys.
        self.known = KNOWN.format(among="= ANY (ARRAY(SELECT json_array_elements_text(%s::json)))")
        *others, last = (_insert(table, _from_json(table)) for table in TABLES)
        named = ", ".join(f"part_{n} AS ({text})" for n, text in enumerate(others))
        self.insert = f"WITH {named} {last}"

    def write(self, cursor: Any, rows: Rows) -> None:
        """Write rows."""
        cursor.execute(self.insert, [_json_of(table, rows[table]) for table in TABLES])


def _columns(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


def _insert(table: Table, source: str) -> str:
    text = f"INSERT INTO {table.name} ({_columns(table)}) {source}"
    if table not in RENEWED:
        return text
    [key] = table.primary_key
    renewed = [f"{c.name} = excluded.{c.name}" for c in table.columns if c is not key]
    return f"{text} ON CONFLICT ({key.name}) DO UPDATE SET {', '.join(renewed)}"


def _from_json(table: Table) -> str:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    typed = ", ".join(f"{c.name} {c.type.compile(dialect)}" for c in table.columns)
    return f"SELECT {_columns(table)} FROM json_to_recordset(%s::json) AS given ({typed})"


def _json_of(table: Table, rows: Sequence[Sequence[Any]]) -> str:
    names = [column.name for column in table.columns]
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows])


STATEMENTS: Mapping[str, Sqlite | Postgresql] = {"sqlite": Sqlite(), "postgresql": Postgresql()}


class Desk:
    """The database as a writer has it during one transaction."""

    def __init__(self, kind: str, cursor: Any) -> None:
        self.statements = STATEMENTS[kind]
        self.cursor = cursor

    def events_from(self, position: int) -> list[Event]:
        """Events from a position on, in order."""
        return [Event(*row) for row in self.cursor.execute(self.statements.news, (position,))]

    def bodies(self, keys: Sequence[str]) -> list[tuple[str, str]]:
        """Of these keys those that are in the journal, with the body of their first event."""
        found: list[tuple[str, str]] = self.cursor.execute(
            self.statements.known, (json.dumps(keys),)
        ).fetchall()
        return found

    def write(self, rows: Rows) -> None:
        """Write rows."""
        self.statements.write(self.cursor, rows)


@contextmanager
def desk(connection: Connection) -> Iterator[Desk]:
    """A desk on a connection that is in a transaction."""
    with by_driver(connection) as driver:
        yield Desk(connection.dialect.name, driver.cursor())
