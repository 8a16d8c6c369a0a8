"""Audit: whether a journal holds, read with code of its own.

Nothing here is shared with the writer but the names of the tables: rows are read as they are, and
hashes, sums and heads are worked out again from the description in `docs/ledger.md`.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, CursorResult, text
from sqlalchemy.exc import DatabaseError, OperationalError

FIRST = "0" * 64
EVENT = (
    "SELECT position, stream, version, kind, schema, key, part, actor, at, body, prior, hash "
    "FROM event WHERE position >= :first ORDER BY position"
)
HEADS = (
    "SELECT event.stream, event.version, event.hash FROM event JOIN "
    "(SELECT stream, MAX(version) AS version FROM event WHERE position < :first GROUP BY stream) "
    "AS last ON event.stream = last.stream AND event.version = last.version "
    "WHERE event.position < :first"
)
LOWEST = -(2**63)
BEFORE = "SELECT key, part, at FROM event WHERE position = :first - 1"
EVENT_KINDS = [int, str, int, str, int, str, int, str, str, str, str, str]
SEAL = "SELECT number, position, at, heads, prior, hash FROM seal ORDER BY number"
SEAL_KINDS = [int, int, str, str, str, str]
TELL_EVERY = 100
"""Events after which whoever waits is told how far it is."""
CORRECTION = "time_corrected"
"""The kind of event with which the time may go back: two people have set it right."""
Progress = Callable[[int], None]
"""Is told how many events were read; what it raises ends the audit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The first record that does not hold, and what is wrong with it."""

    record: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit found."""

    events: int
    seals: int
    unsealed: int
    """Events after the last seal: a cut among them would show only in the projections."""
    last_seal: str | None
    """Its hash. Who keeps it elsewhere sees also that everything was forged, seals included."""
    finding: Finding | None
    first: int = 1
    """The first event that was read. Those before it were taken as they stand."""
    earlier: tuple[Finding, ...] = ()
    """Records of an earlier program that today's would not write; they break nothing."""

    @property
    def holds(self) -> bool:
        """True when every record holds."""
        return self.finding is None

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway audit verify --json`."""
        found = self.finding
        return {
            "holds": self.holds,
            "events": self.events,
            "seals": self.seals,
            "unsealed": self.unsealed,
            "last_seal": self.last_seal,
            "record": None if found is None else found.record,
            "problem": None if found is None else found.problem,
            "earlier": [asdict(one) for one in self.earlier],
        }


def verify(connection: Connection, progress: Progress | None = None, first: int = 1) -> Audit:
    """Go through the journal in order and stop at the first record that does not hold.

    From a later event on, what stands before it is believed: whether events follow it, match their
    hashes and moved what the transfers say is seen, and balances of accounts are not added up.
    """
    reading = _Reading(connection, progress, first)
    problems = reading.problems()
    with _any_text(connection):
        try:
            finding = next(problems, None)
        except OperationalError:
            raise
        except DatabaseError as error:
            # A page of the file is damaged: what it holds cannot be read, so it does not hold.
            finding = Finding(
                record=f"what follows event {reading.events}",
                problem=f"cannot be read: {error.orig}",
            )
        finally:
            problems.close()
    return Audit(
        events=reading.events,
        seals=reading.seals,
        unsealed=max(0, reading.events - reading.sealed),
        last_seal=reading.last_seal,
        finding=finding,
        first=first,
    )


@contextmanager
def _any_text(connection: Connection) -> Iterator[None]:
    """Read text as it is: SQLite keeps any bytes, and bad ones are to be found, not to stop us."""
    driver: Any = connection.connection.dbapi_connection
    if connection.dialect.name != "sqlite":
        yield
        return
    before = driver.text_factory
    driver.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = before


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _sha(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


class _Reading:
    """One pass over a journal."""

    def __init__(
        self, connection: Connection, progress: Progress | None = None, first: int = 1
    ) -> None:
        self.connection = connection
        self.progress = progress
        self.first = first
        self.events = first - 1
        self.seals = self.sealed = 0
        self.last_seal: str | None = None
        self.heads: dict[str, tuple[int, str]] = {}
        self.sides: dict[str, list[int]] = {}
        self.moved: dict[tuple[int, int], tuple[str, str, int]] = {}
        self.last_at = ""
        self.last_part = ("", 0)

    def problems(self) -> Generator[Finding, None, None]:
        """Everything that does not hold, in the order of the journal."""
        with self._read(SEAL) as rows:
            seals = [tuple(row) for row in rows]
        yield from self._seal_chain(seals)
        if self.first > 1:
            self._believe()
        waiting = {row[1]: row for row in seals if row[1] >= self.first}
        # A record before the first is none, and is found like any other that does not hold.
        with self._read(EVENT, first=self.first if self.first > 1 else LOWEST) as rows:
            for row in rows:
                yield from self._event(tuple(row))
                if self.events in waiting:
                    yield from self._heads_of(waiting.pop(self.events))
        for seal in waiting.values():
            yield Finding(
                record=f"seal {seal[0]}",
                problem=f"covers {seal[1]} events and the journal has {self.events}",
            )
        yield from self._projections()
        yield from self._file()

    def _believe(self) -> None:
        """Take how everything stood before the first event that is read."""
        with self._read(HEADS, first=self.first) as rows:
            for row in rows:
                stream, version, found = tuple(row)
                if isinstance(version, int):
                    self.heads[stream] = (version, found)
        with self._read(BEFORE, first=self.first) as rows:
            for row in rows:
                # What is no number or no text is not believed, and then nothing follows it.
                if [type(value) for value in row] == [str, int, str]:
                    key, part, self.last_at = tuple(row)
                    self.last_part = (key, part)

    def _read(self, statement: str, **given: int) -> CursorResult[Any]:
        """Rows as they come: a journal may be larger than the memory."""
        options = {"stream_results": True, "max_row_buffer": 5000}
        return self.connection.execute(text(statement), given, execution_options=options)

    def _event(self, row: tuple[Any, ...]) -> Iterator[Finding]:
        self.events += 1
        if self.progress is not None and self.events % TELL_EVERY == 0:
            self.progress(self.events)
        yield from _place("event", row, self.events, EVENT_KINDS)
        position, stream, version, kind, *_, key, part, _actor, at, body, prior, found = row
        name = f"event {position}"
        last_version, last_hash = self.heads.get(stream, (0, FIRST))
        if version != last_version + 1:
            yield Finding(
                record=name,
                problem=f"is version {version} of {stream}, which was at {last_version}",
            )
        if prior != last_hash:
            yield Finding(record=name, problem=f"does not follow the event before it in {stream}")
        if found != _sha(prior + _plain(list(row[:10]))):
            yield Finding(record=name, problem="does not match its hash")
        if at < self.last_at and kind != CORRECTION:
            yield Finding(record=name, problem=f"is dated {at}, before the event before it")
        last_key, last_part = self.last_part
        if not key or part != (last_part + 1 if key == last_key else 0):
            # The events of a command stand together, so none of them can be missing.
            yield Finding(record=name, problem=f"is part {part} of key {key!r}")
        yield from self._money(name, position, body)
        self.heads[stream] = (version, found)
        self.last_at, self.last_part = at, (key, part)

    def _money(self, name: str, position: int, body: str) -> Iterator[Finding]:
        try:
            moved = json.loads(body)["transfers"]
            listed = [(str(debit), str(credit), amount) for debit, credit, amount in moved]
        except (ValueError, KeyError, TypeError, RecursionError):
            yield Finding(record=name, problem="has no transfers that can be read")
            return
        for part, (debit, credit, amount) in enumerate(listed):
            if debit == credit or type(amount) is not int or amount <= 0:
                yield Finding(record=name, problem=f"moves {amount} from {credit} to {debit}")
            self.moved[position, part] = (debit, credit, amount)
            self.sides.setdefault(debit, [0, 0])[0] += amount
            self.sides.setdefault(credit, [0, 0])[1] += amount

    def _seal_chain(self, seals: list[tuple[Any, ...]]) -> Iterator[Finding]:
        before, covered = FIRST, 0
        for row in seals:
            self.seals += 1
            yield from _place("seal", row, self.seals, SEAL_KINDS)
            number, position, _, _, prior, found = row
            if prior != before or position <= covered:
                yield Finding(record=f"seal {number}", problem="does not follow the seal before it")
            if found != _sha(prior + _plain(list(row[:4]))):
                yield Finding(record=f"seal {number}", problem="does not match its hash")
            before, covered = found, position
            self.sealed, self.last_seal = position, found

    def _heads_of(self, row: tuple[Any, ...]) -> Iterator[Finding]:
        heads = [[stream, version, head] for stream, (version, head) in sorted(self.heads.items())]
        if row[3] != _sha(_plain(heads)):
            yield Finding(
                record=f"seal {row[0]}", problem="does not match the streams as they stood"
            )

    def _projections(self) -> Iterator[Finding]:
        """Transfers, balances and heads as they are kept beside the events."""
        for what, columns, worked_out in (
            ("transfer", "position, part, debit, credit, amount", self.moved),
            ("account", "name, debits, credits", self.sides),
            ("stream", "name, version, hash", self.heads),
        ):
            if what == "account" and self.first > 1:
                continue
            known = {_name(key): tuple(value) for key, value in worked_out.items()}
            yield from self._differences(what, columns, known)
        debits, credits_ = (sum(side[n] for side in self.sides.values()) for n in (0, 1))
        if debits != credits_:
            yield Finding(record="accounts", problem=f"debits {debits}, credits {credits_}")

    def _file(self) -> Iterator[Finding]:
        """A damaged index of a file would hide a key from the writer and no record from us."""
        if self.connection.dialect.name == "sqlite":
            with self._read("PRAGMA integrity_check(1)") as rows:
                for (told,) in rows:
                    if told != "ok":
                        yield Finding(record="the file", problem=f"is damaged: {told}")

    def _differences(
        self, what: str, columns: str, worked_out: dict[str, tuple[Any, ...]]
    ) -> Iterator[Finding]:
        """Where the rows of a table are not what the events come to."""
        wide = 2 if what == "transfer" else 1
        keys = ", ".join(columns.split(", ")[:wide])
        since = f"WHERE position >= {self.first:d} " if what == "transfer" else ""
        with self._read(f"SELECT {columns} FROM {what} {since}ORDER BY {keys}") as rows:
            for row in rows:
                name, kept = _name(tuple(row[:wide])), tuple(row[wide:])
                expected = worked_out.pop(name, None)
                if kept != expected:
                    # What stands twice was taken off the list the first time.
                    yield Finding(
                        record=f"{what} {name}",
                        problem=f"is {_shown(kept)} and by the events {_shown(expected)}",
                    )
        for name, expected in worked_out.items():
            yield Finding(
                record=f"{what} {name}",
                problem=f"is missing and by the events {_shown(expected)}",
            )


def _place(what: str, row: tuple[Any, ...], place: int, kinds: Sequence[type]) -> Iterator[Finding]:
    """Whether a record stands in its place and is made of what such a record is made of."""
    number = row[0]
    if [type(value) for value in row] != kinds:
        yield Finding(record=f"{what} {number}", problem="has a field that is no number or no text")
    if number > place:
        yield Finding(record=f"{what} {place}", problem=f"is missing: {what} {number} comes next")
    if number < place:
        yield Finding(record=f"{what} {number}", problem=f"stands in place {place}")


def _name(key: Any) -> str:
    """What a row is called: '12 part 0', 'purse:ann'."""
    return " part ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _shown(values: tuple[Any, ...] | None) -> str:
    return "not there" if values is None else ", ".join(map(str, values))
