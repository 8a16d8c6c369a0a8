"""Audit: whether a journal holds, read with code of its own.

Nothing here is shared with the writer but the names of the tables: rows are read as they are, and
hashes, sums and heads are worked out again from the description in `docs/ledger.md`.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError, OperationalError

from houseway.journal.seal_file import Place
from houseway.journal.store import by_driver

FIRST = "0" * 64
EVENT = (
    "SELECT position, stream, version, kind, schema, key, part, actor, at, body, prior, hash "
    "FROM event WHERE position >= :first{upto} ORDER BY position"
)
INDEXED = (
    "SELECT position, "
    "(SELECT position FROM event AS other WHERE other.stream = event.stream "
    "AND other.version = event.version), "
    "(SELECT position FROM event AS other WHERE other.key = event.key "
    "AND other.part = event.part) "
    "FROM event WHERE position >= :first{upto} ORDER BY position"
)
TRANSFER = (
    "SELECT position, part, debit, credit, amount FROM transfer "
    "WHERE position >= :first{upto} ORDER BY position, part"
)
UPTO = " AND position <= :last"
# With a sign before it, the position is looked up in the index of streams, which has it.
HEADS = (
    "SELECT event.stream, event.version, event.hash FROM event JOIN "
    "(SELECT stream, MAX(version) AS version FROM event WHERE +position < :first GROUP BY stream) "
    "AS last ON event.stream = last.stream AND event.version = last.version "
    "WHERE event.position < :first"
)
LOWEST = -(2**63)
BEFORE = "SELECT key, part, at FROM event WHERE position = :first - 1"
EVENT_KINDS = (int, str, int, str, int, str, int, str, str, str, str, str)
SEAL = "SELECT number, position, at, heads, prior, hash FROM seal ORDER BY number"
SEAL_KINDS = (int, int, str, str, str, str)
TELL_EVERY = 100
"""Events after which whoever waits is told how far it is."""
CORRECTION = "time_corrected"
"""The kind of event with which the time may go back: two people have set it right."""
Progress = Callable[[int], None]
"""Is told how many events were read; what it raises ends the audit."""
Row = tuple[Any, ...]
Rows = Generator[Row, None, None]
Found = TypeVar("Found")
AT_A_TIME = 1000
"""Rows that are fetched together."""


class Body(msgspec.Struct):
    """The part of an event's body that the audit looks at; it skips all else."""

    transfers: list[Any]


transfers_of = msgspec.json.Decoder(Body).decode


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

    def read() -> Audit:
        reading = Reading(connection, progress, first)
        return reading.audit(reading.guarded(reading.whole))

    return whatever_text(connection, read)


def verify_stretch(connection: Connection, progress: Progress, first: int, last: int) -> "Stretch":
    """Read the events from one to another, beside whoever reads the others."""

    def read() -> Stretch:
        reading = Reading(connection, progress, first, last)
        believed = reading.believe()
        finding = reading.guarded(reading.records)
        torn = reading.transfers.torn
        return Stretch(
            finding,
            reading.events,
            believed,
            reading.stands(),
            reading.sides,
            reading.transfers.extra,
            reading.transfers.missing,
            None if torn is None else str(torn.orig),
        )

    return whatever_text(connection, read)


def verify_some(connection: Connection, first: int, last: int) -> Finding | None:
    """The first of some events that does not hold; what came before them is believed.

    Each is also looked up by both of the indexes that the writer goes by.
    """

    def read() -> Finding | None:
        reading = Reading(connection, None, first, last)
        return reading.guarded(reading.some) or reading.guarded(reading.indexed)

    return whatever_text(connection, read)


def verify_file(connection: Connection, _progress: Progress) -> Finding | None:
    """A damaged index of a file would hide a key from the writer and no record from us."""
    if connection.dialect.name == "sqlite":
        for (told,) in connection.execute(text("PRAGMA integrity_check(1)")):
            if told != "ok":
                return Finding(record="the file", problem=f"is damaged: {told}")
    return None


def verify_end(connection: Connection, events: int) -> Finding | None:
    """The first of the last events that does not hold; what came before them is believed."""
    last = connection.execute(text("SELECT MAX(position) FROM event")).scalar()
    if type(last) is not int:
        return None if last is None else Finding(record=f"event {last}", problem="has no place")
    newest = last

    def read() -> Finding | None:
        reading = Reading(connection, None, max(1, newest - events))
        return reading.guarded(reading.end)

    return whatever_text(connection, read)


def compare(connection: Connection, places: Sequence[Place]) -> Finding | None:
    """The first place of a seal file that the journal does not have."""
    known = {
        "event": text("SELECT hash FROM event WHERE position = :number"),
        "seal": text("SELECT hash FROM seal WHERE number = :number"),
    }
    for place in places:
        for what, number, expected in (
            ("seal", place.seal, place.seal_hash),
            ("event", place.position, place.hash),
        ):
            found = connection.execute(known[what], {"number": number}).scalar() if number else None
            if number and found != expected:
                last = connection.execute(text("SELECT MAX(position) FROM event")).scalar() or 0
                problem = (
                    f"was written at {place.at} and is missing: the journal ends at event {last}"
                    if found is None
                    else "is not the one that was written then"
                )
                return Finding(record=f"{what} {number}", problem=problem)
    return None


def held_against(connection: Connection, audit: Audit, places: Sequence[Place]) -> Audit:
    """An audit that also fails where the journal does not have what a seal file knows."""
    if not audit.holds:
        return audit
    found = compare(connection, places)
    if found is None:
        return audit
    return replace(audit, finding=replace(found, problem=f"{found.problem}, by the seal file"))


class Stands(NamedTuple):
    """How a journal stands after an event, as far as the next one depends on it."""

    heads: Mapping[str, tuple[int, str]]
    at: str
    part: tuple[str, int]


class Stretch(NamedTuple):
    """The result of reading a part of a journal."""

    finding: Finding | None
    events: int
    """The last event that was read."""
    believed: Stands
    stands: Stands
    sides: Mapping[str, list[int]]
    extra: Finding | None
    missing: Finding | None
    torn: str | None


def unreadable(events: int, words: str) -> Finding:
    """What is told where the journal cannot be read on."""
    return Finding(record=f"what follows event {events}", problem=f"cannot be read: {words}")


def whatever_text(connection: Connection, read: Callable[[], Found]) -> Found:
    """The findings of one reading, which starts again where a row holds no text.

    SQLite keeps any bytes, and bad ones are to be found, not to stop us. To take them as they are
    costs more than all hashes, so it is done only where it must be.
    """
    try:
        return read()
    except OperationalError as error:
        if "decode to UTF-8" not in str(error.orig):
            raise
    with _any_text(connection):
        return read()


@contextmanager
def _any_text(connection: Connection) -> Iterator[None]:
    """Take any bytes as text."""
    driver: Any = connection.connection.dbapi_connection
    before = driver.text_factory
    driver.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = before


def _moved(body: str) -> Any:
    """The transfers of an event, read without the rest of what it says."""
    try:
        return transfers_of(body).transfers
    except (msgspec.MsgspecError, UnicodeError):
        # Python reads a little more, such as halves of a character.
        return [*json.loads(body)["transfers"]]


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _sha(content: str) -> str:
    return sha256(content.encode("utf-8")).hexdigest()


def rows_of(connection: Connection, statement: str, **given: int) -> Rows:
    """Rows as they come: a journal may be larger than the memory.

    Of SQLite they are the driver's own: to make others of them costs as much as to fetch them.
    """
    options = {"stream_results": True, "max_row_buffer": AT_A_TIME}
    with connection.execute(text(statement), given, execution_options=options) as found:
        if connection.dialect.name != "sqlite":
            while some := found.fetchmany(AT_A_TIME):
                yield from map(tuple, some)
            return
        cursor: Any = found.cursor
        while True:
            with by_driver(connection):
                some = cursor.fetchmany(AT_A_TIME)
            if not some:
                return
            yield from some


class Reading:
    """One pass over a journal, or over a stretch of it.

    It holds a row of each table at a time, and where every stream and account stands.
    """

    def __init__(
        self,
        connection: Connection,
        progress: Progress | None = None,
        first: int = 1,
        last: int | None = None,
    ) -> None:
        self.connection = connection
        self.progress = progress
        self.first = first
        self.last = last
        self.events = first - 1
        self.seals = self.sealed = 0
        self.last_seal: str | None = None
        self.heads: dict[str, tuple[int, str]] = {}
        self.sides: dict[str, list[int]] = {}
        self.last_at = ""
        self.last_part = ("", 0)
        self.begin(first)

    def begin(self, first: int) -> None:
        """Go on at an event."""
        self.events = first - 1
        # A record before the first is none, and is found like any other that does not hold.
        self._from = first if first > 1 else LOWEST
        self.transfers = Transfers(self._read(TRANSFER))

    def audit(self, finding: Finding | None) -> Audit:
        """What was found, as it is told."""
        return Audit(
            events=self.events,
            seals=self.seals,
            unsealed=max(0, self.events - self.sealed),
            last_seal=self.last_seal,
            finding=finding,
            first=self.first,
        )

    def guarded(self, problem: Callable[[], Finding | None]) -> Finding | None:
        """The first problem; a page that is damaged is one as well."""
        try:
            return problem()
        except OperationalError:
            raise
        except DatabaseError as error:
            # What it holds cannot be read, so it does not hold.
            return unreadable(self.events, str(error.orig))
        finally:
            self.transfers.close()

    def take(self, stands: Stands, events: int) -> None:
        """Go on after an event that another has read."""
        self.heads = dict(stands.heads)
        self.last_at, self.last_part = stands.at, stands.part
        self.begin(events + 1)

    def stands(self) -> Stands:
        """How the journal stands after what was read."""
        return Stands(dict(self.heads), self.last_at, self.last_part)

    def whole(self) -> Finding | None:
        """The first problem, in the order of the journal: seals, events, what stands beside."""
        finding = self.seal_chain()
        if finding is None:
            self.believe()
            finding = self.records() or self.projections()
        return finding or verify_file(self.connection, lambda _: None)

    def some(self) -> Finding | None:
        """The first problem of events whose streams are believed to begin with them."""
        for row in rows_of(self.connection, BEFORE, first=self.first):
            self._believe_before(row)
        with closing(self._read(EVENT)) as rows:
            for row in rows:
                if row[1] not in self.heads and type(row[2]) is int and self.first > 1:
                    self.heads[row[1]] = (row[2] - 1, row[10])
                finding = self._event(row)
                if finding is not None:
                    return finding
        self.transfers.end()
        if self.transfers.torn is not None:
            raise self.transfers.torn
        return self.transfers.extra or self.transfers.missing

    def end(self) -> Finding | None:
        """The first problem of the last events, and of where their streams are said to stand."""
        finding = self.some()
        if finding is not None:
            return finding
        kept = {name: stood for name, *stood in rows_of(self.connection, STREAMS)}
        for name, head in self.heads.items():
            if tuple(kept.get(name, ())) != head:
                return _differs("stream", name, tuple(kept.get(name, ())) or None, head)
        return None

    def indexed(self) -> Finding | None:
        """The first event that is not found where an index should have it."""
        with closing(self._read(INDEXED)) as rows:
            for position, by_version, by_key in rows:
                if (by_version, by_key) != (position, position):
                    problem = "is not found by its stream and version, or by its key"
                    return Finding(record=f"event {position}", problem=problem)
        return None

    def believe(self) -> Stands:
        """Take how everything stood before the first event that is read."""
        if self.first > 1:
            for stream, version, found in rows_of(self.connection, HEADS, first=self.first):
                if isinstance(version, int):
                    self.heads[stream] = (version, found)
            for row in rows_of(self.connection, BEFORE, first=self.first):
                self._believe_before(row)
        return self.stands()

    def _believe_before(self, row: Row) -> None:
        # What is no number or no text is not believed, and then nothing follows it.
        if [type(value) for value in row] == [str, int, str]:
            key, part, self.last_at = row
            self.last_part = (key, part)

    def _read(self, statement: str) -> Rows:
        if self.last is None:
            return rows_of(self.connection, statement.format(upto=""), first=self._from)
        asked = statement.format(upto=UPTO)
        return rows_of(self.connection, asked, first=self._from, last=self.last)

    def records(self) -> Finding | None:
        """The first problem of events, and of the seals over them."""
        with closing(rows_of(self.connection, SEAL)) as sealed, closing(self._read(EVENT)) as rows:
            seals = (row for row in sealed if row[1] > self.events)
            seal = next(seals, None)
            for row in rows:
                finding = self._event(row)
                if finding is None and seal is not None and seal[1] == self.events:
                    finding = self._heads_of(seal)
                    seal = next(seals, None)
                if finding is not None:
                    return finding
        self.transfers.end()
        # Of a stretch, whoever reads the next one says so.
        if seal is not None and self.last is None:
            return Finding(
                record=f"seal {seal[0]}",
                problem=f"covers {seal[1]} events and the journal has {self.events}",
            )
        return None

    def _event(self, row: Row) -> Finding | None:
        self.events += 1
        if self.progress is not None and self.events % TELL_EVERY == 0:
            self.progress(self.events)
        finding = _place("event", row, self.events, EVENT_KINDS)
        if finding is not None:
            return finding
        position, stream, version, kind, schema, key, part, actor, at, body, prior, found = row
        problem = ""
        last_version, last_hash = self.heads.get(stream, (0, FIRST))
        content = (
            f"{prior}[{position},{quoted(stream)},{version},{quoted(kind)},{schema},{quoted(key)},"
            f"{part},{quoted(actor)},{quoted(at)},{quoted(body)}]"
        )
        last_key, last_part = self.last_part
        if version != last_version + 1:
            problem = f"is version {version} of {stream}, which was at {last_version}"
        elif prior != last_hash:
            problem = f"does not follow the event before it in {stream}"
        elif found != _sha(content):
            problem = "does not match its hash"
        elif at < self.last_at and kind != CORRECTION:
            problem = f"is dated {at}, before the event before it"
        elif not key or part != (last_part + 1 if key == last_key else 0):
            # The events of a command stand together, so none of them can be missing.
            problem = f"is part {part} of key {key!r}"
        else:
            problem = self._money(position, body)
        self.heads[stream] = (version, found)
        self.last_at, self.last_part = at, (key, part)
        return Finding(record=f"event {position}", problem=problem) if problem else None

    def _money(self, position: int, body: str) -> str:
        """What is wrong with the transfers of an event; nothing where they are right."""
        try:
            moved = _moved(body)
            if not moved:
                return ""
            listed = [(str(debit), str(credit), amount) for debit, credit, amount in moved]
        except (ValueError, KeyError, TypeError, RecursionError):
            return "has no transfers that can be read"
        for part, (debit, credit, amount) in enumerate(listed):
            if debit == credit or type(amount) is not int or amount <= 0:
                return f"moves {amount} from {credit} to {debit}"
            self.transfers.expect(position, part, (debit, credit, amount))
            self.sides.setdefault(debit, [0, 0])[0] += amount
            self.sides.setdefault(credit, [0, 0])[1] += amount
        return ""

    def seal_chain(self) -> Finding | None:
        """The first seal that does not follow the one before it."""
        before, covered = FIRST, 0
        for row in rows_of(self.connection, SEAL):
            self.seals += 1
            finding = _place("seal", row, self.seals, SEAL_KINDS)
            if finding is not None:
                return finding
            number, position, _, _, prior, found = row
            if prior != before or position <= covered:
                return Finding(
                    record=f"seal {number}", problem="does not follow the seal before it"
                )
            if found != _sha(prior + _plain(list(row[:4]))):
                return Finding(record=f"seal {number}", problem="does not match its hash")
            before, covered = found, position
            self.sealed, self.last_seal = position, found
        return None

    def _heads_of(self, row: Row) -> Finding | None:
        heads = [[stream, version, head] for stream, (version, head) in sorted(self.heads.items())]
        if row[3] == _sha(_plain(heads)):
            return None
        return Finding(record=f"seal {row[0]}", problem="does not match the streams as they stood")

    def projections(self) -> Finding | None:
        """Transfers, balances and heads as they are kept beside the events."""
        if self.transfers.torn is not None:
            raise self.transfers.torn
        finding = self.transfers.extra or self.transfers.missing
        if finding is None and self.first == 1:
            sides = {name: tuple(side) for name, side in self.sides.items()}
            finding = self._differences("account", ACCOUNTS, sides)
        if finding is None:
            finding = self._differences("stream", STREAMS, dict(self.heads))
        debits, credits_ = (sum(side[n] for side in self.sides.values()) for n in (0, 1))
        if finding is None and debits != credits_:
            finding = Finding(record="accounts", problem=f"debits {debits}, credits {credits_}")
        return finding

    def _differences(
        self, what: str, statement: str, worked_out: dict[str, tuple[Any, ...]]
    ) -> Finding | None:
        """The first row of a table that is not what the events come to."""
        for name, *kept in rows_of(self.connection, statement):
            expected = worked_out.pop(str(name), None)
            if tuple(kept) != expected:
                # One that stands twice was taken off the list the first time.
                return _differs(what, str(name), tuple(kept), expected)
        for name, expected in worked_out.items():
            return _is_missing(what, name, expected)
        return None


ACCOUNTS = "SELECT name, debits, credits FROM account ORDER BY name"
STREAMS = "SELECT name, version, hash FROM stream ORDER BY name"


class Transfers:
    """The rows of transfers, held beside those of the events as both are read in order."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._row: Row | None = None
        self._begun = False
        self.extra: Finding | None = None
        """The first row that is not what the events say."""
        self.missing: Finding | None = None
        """The first transfer of the events that has no row."""
        self.torn: DatabaseError | None = None
        """Why they could not be read on: told where the events hold."""

    def expect(self, position: int, part: int, moved: tuple[str, str, int]) -> None:
        """Take the row of a transfer; the transfers come in order."""
        if self.extra is not None or self.torn is not None:
            # Nothing that comes later is told.
            return
        if not self._begun:
            self._begun = True
            self._next()
        place = (position, part)
        while self._row is not None and _comes_before(self._row, place):
            self._is_extra(self._row, None)
        row = self._row
        if row is None or row[:2] != place:
            if self.missing is None:
                self.missing = _is_missing("transfer", _name(place), moved)
        elif row[2:] != moved:
            self._is_extra(row, moved)
        else:
            self._next()

    def end(self) -> None:
        """Whatever is left belongs to no event."""
        if not self._begun:
            self._begun = True
            self._next()
        while self._row is not None:
            self._is_extra(self._row, None)

    def close(self) -> None:
        """Read no more."""
        self._rows.close()

    def _is_extra(self, row: Row, expected: Row | None) -> None:
        if self.extra is None:
            self.extra = _differs("transfer", _name(row[:2]), row[2:], expected)
        self._next()

    def _next(self) -> None:
        if self.extra is not None:
            self._row = None
            return
        try:
            self._row = next(self._rows, None)
        except OperationalError:
            raise
        except DatabaseError as error:
            self._row, self.torn = None, error


def _comes_before(row: Row, place: tuple[int, int]) -> bool:
    """Whether a row stands before a place as a database orders them: nothing, numbers, the rest."""
    for value, other in zip(row, place, strict=False):
        if value is None:
            return True
        if not isinstance(value, (int, float)):
            return False
        if value != other:
            return bool(value < other)
    return False


def _place(what: str, row: Row, place: int, kinds: tuple[type, ...]) -> Finding | None:
    """Whether a record stands in its place and is made of what such a record is made of."""
    number = row[0]
    if tuple(map(type, row)) != kinds:
        problem = "has a field that is no number or no text"
    elif number > place:
        return Finding(record=f"{what} {place}", problem=f"is missing: {what} {number} comes next")
    elif number < place:
        problem = f"stands in place {place}"
    else:
        return None
    return Finding(record=f"{what} {number}", problem=problem)


def _differs(what: str, name: str, kept: Row | None, expected: Row | None) -> Finding:
    problem = f"is {_shown(kept)} and by the events {_shown(expected)}"
    return Finding(record=f"{what} {name}", problem=problem)


def _is_missing(what: str, name: str, expected: Row) -> Finding:
    problem = f"is missing and by the events {_shown(expected)}"
    return Finding(record=f"{what} {name}", problem=problem)


def _name(key: Any) -> str:
    """What a row is called: '12 part 0', 'purse:ann'."""
    return " part ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _shown(values: tuple[Any, ...] | None) -> str:
    return "not there" if values is None else ", ".join(map(str, values))
