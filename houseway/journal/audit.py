"""Audit: whether a journal holds, read with code of its own.

Nothing here is shared with the writer but the names of the tables: rows are read as they are, and
hashes, sums and heads are worked out again from the description in `docs/ledger.md`.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

FIRST = "0" * 64
EVENT = (
    "SELECT position, stream, version, kind, schema, key, part, actor, at, body, prior, hash "
    "FROM event ORDER BY position"
)
SEAL = "SELECT number, position, at, heads, prior, hash FROM seal ORDER BY number"


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
    finding: Finding | None

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
            "record": None if found is None else found.record,
            "problem": None if found is None else found.problem,
        }


def verify(connection: Connection) -> Audit:
    """Go through the whole journal in order and stop at the first record that does not hold."""
    reading = _Reading(connection)
    finding = next(reading.problems(), None)
    return Audit(
        events=reading.events,
        seals=reading.seals,
        unsealed=reading.events - reading.sealed,
        finding=finding,
    )


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _sha(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


class _Reading:
    """One pass over a journal."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.events = self.seals = self.sealed = 0
        self.heads: dict[str, tuple[int, str]] = {}
        self.sides: dict[str, list[int]] = {}
        self.moved: dict[tuple[int, int], tuple[str, str, int]] = {}
        self.last_at = ""

    def problems(self) -> Iterator[Finding]:
        """Everything that does not hold, in the order of the journal."""
        seals = [tuple(row) for row in self.connection.execute(text(SEAL))]
        yield from self._seal_chain(seals)
        waiting = {row[1]: row for row in seals}
        for row in self.connection.execute(text(EVENT)):
            yield from self._event(tuple(row))
            if self.events in waiting:
                yield from self._heads_of(waiting.pop(self.events))
        for seal in waiting.values():
            yield Finding(
                record=f"seal {seal[0]}",
                problem=f"covers {seal[1]} events and the journal has {self.events}",
            )
        yield from self._projections()

    def _event(self, row: tuple[Any, ...]) -> Iterator[Finding]:
        position, stream, version, *_, key, part, _actor, at, body, prior, found = row
        name = f"event {position}"
        self.events += 1
        if position != self.events:
            yield Finding(record=name, problem=f"stands in place {self.events}")
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
        if at < self.last_at:
            yield Finding(record=name, problem=f"is dated {at}, before the event before it")
        if not key or part < 0:
            yield Finding(record=name, problem=f"has key {key!r} and part {part}")
        yield from self._money(name, position, body)
        self.heads[stream] = (version, found)
        self.last_at = at

    def _money(self, name: str, position: int, body: str) -> Iterator[Finding]:
        try:
            moved = json.loads(body)["transfers"]
        except (ValueError, KeyError, TypeError):
            yield Finding(record=name, problem="has no transfers that can be read")
            return
        for part, (debit, credit, amount) in enumerate(moved):
            if debit == credit or not isinstance(amount, int) or amount <= 0:
                yield Finding(record=name, problem=f"moves {amount} from {credit} to {debit}")
            self.moved[position, part] = (debit, credit, amount)
            self.sides.setdefault(debit, [0, 0])[0] += amount
            self.sides.setdefault(credit, [0, 0])[1] += amount

    def _seal_chain(self, seals: list[tuple[Any, ...]]) -> Iterator[Finding]:
        before, covered = FIRST, 0
        for row in seals:
            number, position, _, _, prior, found = row
            self.seals += 1
            if number != self.seals or prior != before or position <= covered:
                yield Finding(record=f"seal {number}", problem="does not follow the seal before it")
            if found != _sha(prior + _plain(list(row[:4]))):
                yield Finding(record=f"seal {number}", problem="does not match its hash")
            before, covered = found, position
        self.sealed = covered

    def _heads_of(self, row: tuple[Any, ...]) -> Iterator[Finding]:
        heads = [[stream, version, head] for stream, (version, head) in sorted(self.heads.items())]
        if row[3] != _sha(_plain(heads)):
            yield Finding(
                record=f"seal {row[0]}", problem="does not match the streams as they stood"
            )

    def _projections(self) -> Iterator[Finding]:
        """Transfers, balances and heads as they are kept beside the events."""
        kept: dict[tuple[int, int], tuple[str, str, int]] = {}
        for position, part, *rest in self.connection.execute(
            text("SELECT position, part, debit, credit, amount FROM transfer")
        ):
            kept[position, part] = (rest[0], rest[1], rest[2])
        yield from _differences("transfer", self.moved, kept)
        accounts = {
            name: [debits, credits_]
            for name, debits, credits_ in self.connection.execute(
                text("SELECT name, debits, credits FROM account")
            )
        }
        yield from _differences("account", self.sides, accounts)
        heads = {
            name: (version, head)
            for name, version, head in self.connection.execute(
                text("SELECT name, version, hash FROM stream")
            )
        }
        yield from _differences("stream", self.heads, heads)
        debits, credits_ = (sum(side[n] for side in self.sides.values()) for n in (0, 1))
        if debits != credits_:
            yield Finding(record="accounts", problem=f"debits {debits}, credits {credits_}")


def _differences(what: str, worked_out: dict[Any, Any], kept: dict[Any, Any]) -> Iterator[Finding]:
    for name in sorted({*worked_out, *kept}, key=str):
        if worked_out.get(name) != kept.get(name):
            shown = name if isinstance(name, str) else " part ".join(map(str, name))
            yield Finding(
                record=f"{what} {shown}",
                problem=f"is {kept.get(name)} and by the events {worked_out.get(name)}",
            )
