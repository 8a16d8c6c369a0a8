"""A journal that is read by several processes: the same findings as one reader has."""

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from houseway.floor import invariants
from houseway.floor.invariants import verify_floor
from houseway.journal import audit, audit_team
from houseway.journal.audit import Audit, Progress, Reading, verify
from houseway.journal.audit_team import is_long, verify_together
from houseway.journal.journal import Journal
from houseway.journal.store import open_to_read
from tests.journal.bank import Bank, audited, pay
from tests.journal.databases import on_both_kinds


class Here:
    """A team of one, which does its work where it stands: nothing is shown by other processes."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def start(self, task: Callable[..., Any], *given: Any, **_: Any) -> Future[Any]:
        found: Future[Any] = Future()
        found.set_result(task(self.connection, lambda _: None, *given))
        return found

    def wait(self, found: Future[Any]) -> Any:
        return found.result()


@contextmanager
def opened(url: str) -> Iterator[Connection]:
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def by_team(url: str) -> Audit:
    """An audit as of a long journal; one that has no newest event is read alone."""
    with pytest.MonkeyPatch.context() as patch, opened(url) as connection:
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        patch.setattr(audit_team, "LONG", 1)
        newest = is_long(connection)
        if not newest:
            return verify(connection)
        return verify_together(connection, Here(connection), newest)  # type: ignore[arg-type]


def write(url: str, commands: int) -> int:
    with Journal(url, Bank(), seal_every=7) as journal:
        for number in range(commands):
            purse = ("ann", "bob", "cyd")[number % 3]
            journal.do(pay(f"k{number}", 7 + number, purse, "eve"))
    return 2 * commands


CHANGES = (
    "UPDATE event SET body = replace(body, '7', '8') WHERE position = {n}",
    "UPDATE event SET hash = prior WHERE position = {n}",
    "UPDATE event SET prior = hash WHERE position = {n}",
    "UPDATE event SET version = version + 1000 WHERE position = {n}",
    "UPDATE event SET at = '1999' WHERE position = {n}",
    "UPDATE event SET at = NULL WHERE position = {n}",
    "UPDATE event SET part = 7 WHERE position = {n}",
    "UPDATE event SET position = -{n} WHERE position = {n}",
    "UPDATE event SET position = 'word' WHERE position = {n}",
    "UPDATE event SET stream = 'purse:fay' WHERE position = {n}",
    "DELETE FROM event WHERE position = {n}",
    "DELETE FROM event WHERE position >= {n}",
    "DELETE FROM event WHERE position < {n}",
    "DELETE FROM transfer WHERE position >= {n}",
    "UPDATE transfer SET amount = amount + 1 WHERE position >= {n}",
    "UPDATE transfer SET position = position + 1 WHERE position >= {n}",
    "UPDATE transfer SET position = NULL WHERE position >= {n}",
    "INSERT INTO transfer VALUES ({n}, 3, 'a', 'b', 5)",
    "INSERT INTO transfer VALUES (10000, 0, 'a', 'b', 5)",
    "INSERT INTO transfer SELECT * FROM transfer WHERE position >= {n}",
    "UPDATE seal SET heads = hash WHERE position >= {n}",
    "UPDATE seal SET position = position + 1 WHERE position >= {n}",
    "DELETE FROM seal WHERE position = 7 * ({n} / 7)",
    "UPDATE account SET debits = debits + {n}",
    "UPDATE stream SET version = {n}",
)


def test_whatever_is_changed_a_team_finds_what_one_reader_finds(tmp_path: Path) -> None:
    """Around the place where the halves meet, and at both ends."""
    path = tmp_path / "floor.sqlite"
    newest = write(f"sqlite:///{path}", 30)
    bare(path)
    whole = path.read_bytes()
    url, found = f"sqlite:///{path}", set()
    assert by_team(url) == audited(url)
    assert audited(url).holds
    for change in CHANGES:
        for number in (1, 2, newest // 2, newest // 2 + 1, newest // 2 + 2, newest):
            path.write_bytes(whole)
            with sqlite3.connect(path) as plain:
                plain.execute(change.format(n=number))
            plain.close()
            alone = audited(url)
            assert by_team(url) == alone, (change, number)
            found.add(alone.finding)
    assert len(found) > 60


def bare(path: Path) -> None:
    """Take off what the database itself would refuse: whoever owns it can do that."""
    with sqlite3.connect(path, isolation_level=None) as plain:
        plain.execute("PRAGMA journal_mode=DELETE")
        for table in ("event", "seal", "transfer", "account", "stream"):
            plain.execute(f"CREATE TABLE bare AS SELECT * FROM {table}")
            plain.execute(f"DROP TABLE {table}")
            plain.execute(f"ALTER TABLE bare RENAME TO {table}")
    plain.close()


def test_damaged_bytes_are_found_by_a_team_as_by_one_reader(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite"
    write(f"sqlite:///{path}", 40)
    with sqlite3.connect(path, isolation_level=None) as plain:
        plain.execute("PRAGMA journal_mode=DELETE")
    plain.close()
    whole, chance, url = path.read_bytes(), random.Random(3), f"sqlite:///{path}"
    found = 0
    for _ in range(60):
        place = chance.randrange(8192, len(whole))
        path.write_bytes(whole[:place] + chance.randbytes(8) + whole[place + 8 :])
        alone = result(lambda: audited(url))
        together = result(lambda: by_team(url))
        # A page that cannot be read ends one reading sooner than another; both say that it is so.
        assert together == alone or "cannot be read" in together + alone
        found += "holds" not in alone
    assert found > 10


def result(read: Callable[[], Audit]) -> str:
    try:
        audit = read()
    except Exception as error:
        return f"cannot be read {type(error).__name__}"
    return "holds" if audit.finding is None else f"{audit.finding.record} {audit.finding.problem}"


@on_both_kinds
def test_a_long_floor_is_read_by_processes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `houseway audit verify` does it; whoever waits is told how far it is."""
    newest = write(database, 20)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(audit_team, "LONG", newest)
    monkeypatch.setattr(audit_team, "LOOK_SECONDS", 0.01)
    told: list[int] = []
    teams: list[str] = []

    def watched(url: str, progress: Progress | None) -> AbstractContextManager[audit_team.Team]:
        teams.append(url)
        return audit_team.team(url, progress)

    monkeypatch.setattr(invariants, "team", watched)
    with opened(database) as connection:
        together = verify_floor(connection, told.append, url=database)
        assert together == verify_floor(connection)
        assert teams == [database]
        # From a later record on there is less to do, and one reader does it.
        assert verify_floor(connection, first=2, url=database).holds
    assert teams == [database]
    assert (together.holds, together.events) == (True, newest)
    assert all(0 <= one <= newest for one in told)


def test_a_short_floor_is_read_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    write(url, 3)

    def none(*_: object) -> None:
        raise AssertionError("a team for six events")

    monkeypatch.setattr(invariants, "team", none)
    with opened(url) as connection:
        assert verify_floor(connection, url=url).holds


class Watched(Reading):
    """A reading of which it is noted how much it holds."""

    most = 0

    def _event(self, row: Any) -> Any:
        held = len(self.heads) + len(self.sides) + (self.transfers._row is not None)
        Watched.most = max(Watched.most, held)
        return super()._event(row)


def test_an_audit_holds_as_much_of_a_long_journal_as_of_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it holds is counted; rows come in pieces of one size."""
    held = []
    for commands in (20, 200):
        url = f"sqlite:///{tmp_path / f'{commands}.sqlite'}"
        write(url, commands)
        Watched.most = 0
        with monkeypatch.context() as patch, opened(url) as connection:
            patch.setattr(audit, "Reading", Watched)
            assert verify(connection).holds
        held.append(Watched.most)
    assert held[0] == held[1] == 4 + 4 + 1
