"""Learners: who learns here, kept in the database, and what exams came to.

Apart from the journal, as sessions are: a row for each game that somebody learns, changed with
every answer. A change names the version it was made from, so two clicks or two servers never
write over each other.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from houseway.journal import schema
from houseway.journal.store import told, unavailable
from houseway.refusal import Reason, Refused

MOST = 20_000
"""Rows of people who have no card; those of the house are always let in."""
MOST_OF_OWNER = 40
FORGET_DAYS = 180
"""After so long without an answer the record of a browser may make room for another."""
LONGEST = 400_000
"""Characters of one record."""
ID_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 12
LEARNER, RESULT = schema.learner, schema.exam_result


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerRow:
    """Somebody who learns a game by its rules."""

    id: str
    owner: str
    course: str
    """Which rules and which track, as a digest: the same once more is the same record."""
    name: str
    person: str | None
    """The card of who learns, where somebody is signed in."""
    state: Mapping[str, Any]
    version: int = 0
    begun_at: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """An exam that was taken to its end."""

    digest: str
    learner: str
    name: str
    person: str | None
    game: str
    passed: bool
    state: Mapping[str, Any] = field(repr=False)
    at: str = ""


class Learners:
    """All who learn on a floor."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with told(""), self._engine.begin() as connection:
            yield connection

    def find(self, who: str) -> LearnerRow | None:
        """The record of an id."""
        with self._connected() as connection:
            row = connection.execute(select(LEARNER).where(LEARNER.c.id == who)).first()
        return None if row is None else _learner(row)

    def of_course(self, owner: str, course: str) -> LearnerRow | None:
        """What somebody has of a course."""
        query = select(LEARNER).where(LEARNER.c.owner == owner, LEARNER.c.course == course)
        with self._connected() as connection:
            row = connection.execute(query).first()
        return None if row is None else _learner(row)

    def of_owner(self, owner: str) -> list[LearnerRow]:
        """All that somebody learns, what was last done first."""
        query = select(LEARNER).where(LEARNER.c.owner == owner)
        with self._connected() as connection:
            rows = connection.execute(query.order_by(LEARNER.c.updated_at.desc())).all()
        return [_learner(row) for row in rows]

    def newest(self, most: int) -> list[LearnerRow]:
        """Those who were last here, of everybody."""
        query = select(LEARNER).order_by(LEARNER.c.updated_at.desc()).limit(most)
        with self._connected() as connection:
            return [_learner(row) for row in connection.execute(query)]

    def add(self, row: LearnerRow) -> LearnerRow:
        """Keep somebody new; who was a moment earlier with the same course is found instead."""
        self._make_room(row)
        made = replace(row, id=_new_id(), begun_at=_now(), updated_at=_now())
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(LEARNER), [_values(made)])
        except IntegrityError:
            found = self.of_course(row.owner, row.course)
            assert found is not None
            return found
        except SQLAlchemyError as error:
            raise unavailable(error) from None
        return made

    def keep(
        self,
        row: LearnerRow,
        state: Mapping[str, Any],
        name: str,
        result: ResultRow | None = None,
        *,
        here: bool = True,
    ) -> LearnerRow | None:
        """The row as it is written; None where somebody else has changed it meanwhile.

        What an exam came to is kept with it or not at all: of two last answers only one counts.
        When somebody was last here is left as it was where another person writes.
        """
        text = _text(state)
        changed = replace(
            row,
            state=json.loads(text),
            name=name,
            version=row.version + 1,
            updated_at=_now() if here else row.updated_at,
        )
        own = (LEARNER.c.id == row.id, LEARNER.c.version == row.version)
        with self._connected() as connection:
            done = connection.execute(update(LEARNER).where(*own).values(**_values(changed)))
            if done.rowcount != 1:
                return None
            if result is not None:
                connection.execute(insert(RESULT), [_result_values(result)])
        return changed

    def _make_room(self, row: LearnerRow) -> None:
        long_ago = (datetime.now(UTC) - timedelta(days=FORGET_DAYS)).isoformat(timespec="seconds")
        strangers = LEARNER.c.person.is_(None)
        with self._connected() as connection:
            own = _count(connection, LEARNER.c.owner == row.owner)
            if own >= MOST_OF_OWNER:
                raise Refused(
                    Reason.ABOVE_LIMIT,
                    f"{own} courses are begun already; at most {MOST_OF_OWNER} are kept, so go on "
                    "with one of them",
                )
            if row.person is not None or _count(connection, strangers) < MOST:
                return
            connection.execute(delete(LEARNER).where(strangers, LEARNER.c.updated_at < long_ago))
            if _count(connection, strangers) >= MOST:
                raise Refused(
                    Reason.ABOVE_LIMIT,
                    f"{MOST} people learn here already; sign in with a card, or come back later",
                )

    # Exams.

    def result(self, digest: str) -> ResultRow | None:
        """The exam of a certificate."""
        with self._connected() as connection:
            row = connection.execute(select(RESULT).where(RESULT.c.digest == digest)).first()
        return None if row is None else _result(row)

    def results(self, learners: list[str]) -> list[ResultRow]:
        """The exams of these, the newest first."""
        query = select(RESULT).where(RESULT.c.learner.in_(learners)).order_by(RESULT.c.at.desc())
        with self._connected() as connection:
            return [_result(row) for row in connection.execute(query)]


def _count(connection: Connection, which: Any) -> int:
    return connection.execute(select(func.count()).select_from(LEARNER).where(which)).scalar_one()


def _learner(row: Row[Any]) -> LearnerRow:
    return LearnerRow(
        id=row.id,
        owner=row.owner,
        course=row.course,
        name=row.name,
        person=row.person,
        state=json.loads(row.state),
        version=row.version,
        begun_at=row.begun_at,
        updated_at=row.updated_at,
    )


def _values(row: LearnerRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "owner": row.owner,
        "course": row.course,
        "name": row.name,
        "person": row.person,
        "version": row.version,
        "state": _text(row.state),
        "begun_at": row.begun_at,
        "updated_at": row.updated_at,
    }


def _result_values(row: ResultRow) -> dict[str, Any]:
    return {
        "digest": row.digest,
        "learner": row.learner,
        "name": row.name,
        "person": row.person,
        "game": row.game,
        "passed": int(row.passed),
        "state": _text(row.state),
        "at": row.at or _now(),
    }


def _result(row: Row[Any]) -> ResultRow:
    return ResultRow(
        digest=row.digest,
        learner=row.learner,
        name=row.name,
        person=row.person,
        game=row.game,
        passed=bool(row.passed),
        state=json.loads(row.state),
        at=row.at,
    )


def _text(state: Mapping[str, Any]) -> str:
    text = json.dumps(state, separators=(",", ":"))
    assert len(text) <= LONGEST, len(text)
    return text


def _new_id() -> str:
    return "".join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
