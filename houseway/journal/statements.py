"""Statements: what a writer says in every transaction, ready for the driver of each database.

Their text never changes, so nothing is put together while somebody waits. PostgreSQL is given all
rows of a transaction in one statement: there a round trip costs more than what it carries.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
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


class Sqlite:
    """The statements for SQLite, where a statement costs next to nothing."""

    def __init__(self) -> None:
        self.read = _read("?", "IN (SELECT value FROM json_each(?))")
        self.inserts = {
            table: _insert(table, f"VALUES ({', '.join('?' for _ in table.columns)})")
            for table in TABLES
        }

    def write(self, cursor: Any, rows: Rows) -> None:
        """Write rows."""
        for table, statement in self.inserts.items():
            if rows[table]:
                cursor.executemany(statement, rows[table])


class Postgresql:
    """The statements for PostgreSQL. Rows travel as JSON, which both sides read fastest."""

    def __init__(self) -> None:
        # The list is read once, before the index is asked for each of its keys.
        self.read = _read("%s", "= ANY (ARRAY(SELECT json_array_elements_text(%s::json)))")
        *others, last = (_insert(table, _from_json(table)) for table in TABLES)
        named = ", ".join(f"part_{n} AS ({text})" for n, text in enumerate(others))
        self.insert = f"WITH {named} {last}"

    def write(self, cursor: Any, rows: Rows) -> None:
        """Write rows."""
        cursor.execute(self.insert, [_json_of(table, rows[table]) for table in TABLES])


STATEMENTS: Mapping[str, type[Sqlite | Postgresql]] = {"sqlite": Sqlite, "postgresql": Postgresql}


class Desk:
    """The database as a writer has it during one transaction."""

    def __init__(self, kind: str, cursor: Any, form: str) -> None:
        self.statements = _statements(kind)
        self.cursor = cursor
        self.form = form

    def read(self, position: int, keys: Sequence[str]) -> list[Event]:
        """In order: the first events of these keys, and all events from a position on.

        There are none of the latter when another program has taken over the journal.
        """
        values = (position, self.form, json.dumps(keys), position)
        return [Event(*row) for row in self.cursor.execute(self.statements.read, values)]

    def write(self, rows: Rows) -> None:
        """Write rows."""
        self.statements.write(self.cursor, rows)


@contextmanager
def desk(connection: Connection, form: str) -> Iterator[Desk]:
    """A desk on a connection that is in a transaction, for a program that keeps that form."""
    # A cursor that somebody's traceback still holds would keep a file open: it is closed by name.
    with by_driver(connection) as driver, closing(driver.cursor()) as cursor:
        yield Desk(connection.dialect.name, cursor, form)


@cache
def _statements(kind: str) -> Sqlite | Postgresql:
    return STATEMENTS[kind]()


def _read(mark: str, among: str) -> str:
    columns = _columns(schema.event)
    return (
        f"SELECT {columns} FROM event WHERE position >= {mark} "
        f"AND EXISTS (SELECT 1 FROM form WHERE digest = {mark}) UNION ALL "
        f"SELECT {columns} FROM event WHERE part = 0 AND key {among} AND position < {mark} "
        "ORDER BY position"
    )


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
