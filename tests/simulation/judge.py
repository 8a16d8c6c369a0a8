"""Judge: holds what is on the disk against the second model, and every answer against the disk."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection

from houseway.floor.invariants import verify_floor
from houseway.floor.model import FloorModel
from houseway.journal.audit import verify
from houseway.journal.event import Command, Event
from houseway.journal.journal import Commit
from houseway.journal.rebuild import differences, differences_from
from houseway.journal.state import State
from houseway.journal.store import open_to_read
from houseway.refusal import Reason
from tests.floor.second_model import No
from tests.floor.workload import Day, plain
from tests.simulation.disk import Disk
from tests.simulation.machine import Machine

EVENTS = (
    "SELECT position, stream, version, kind, schema, key, part, actor, at, body, prior, hash "
    "FROM event WHERE position > ? ORDER BY position"
)
TRANSFERS = "SELECT position, part, debit, credit, amount FROM transfer ORDER BY position, part"
BOUND = timedelta(minutes=2)
"""A clock that is further off than this was set."""
UNAVAILABLE = Reason.JOURNAL_UNAVAILABLE


class Broken(AssertionError):  # noqa: N818 - a word, as in `No`
    """Something does not hold."""


def digest_of(arguments: Mapping[str, Any]) -> str:
    """What a record of a refusal keeps of the arguments beside an excerpt (docs/ledger.md)."""
    text = json.dumps(dict(arguments), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def hold(holds: object, *what: object) -> None:
    """Say what does not hold."""
    if not holds:
        raise Broken("; ".join(map(str, what)))


class Row(NamedTuple):
    """An event as it is on the disk."""

    position: int
    stream: str
    version: int
    kind: str
    schema: int
    key: str
    part: int
    actor: str
    at: str
    body: str
    prior: str
    hash: str


@dataclass
class Follower:
    """Somebody who is told of every commit of one journal."""

    position: int = 0

    def __call__(self, commit: Commit) -> None:
        """Hear of a commit: all of it, in order, and nothing twice."""
        if commit.whole:
            hold(commit.position >= self.position, "a follower is told of a time before")
        else:
            expected = [*range(self.position + 1, commit.position + 1)]
            told = [event.position for event in commit.events]
            hold(told == expected, "a follower misses events", told, expected)
        self.position = commit.position


@dataclass
class Seen:
    """What one step has brought to the disk."""

    done: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    jumped: bool = False

    @property
    def any(self) -> bool:
        """True when anything was written."""
        return bool(self.jumped or self.keys)

    @property
    def keys(self) -> set[str]:
        """The keys that were decided."""
        return {*self.done, *self.refused}


@dataclass
class Judge:
    """What must be on the disk by all that was seen so far."""

    day: Day
    disk: Disk
    machine: Machine
    asked: dict[str, list[Command]] = field(default_factory=dict)
    """By key: commands that somebody has handed in under it."""
    done: dict[str, Any] = field(default_factory=dict)
    """By key: the answers that are on the disk."""
    digests: dict[str, str] = field(default_factory=dict)
    """By key: what was done under it."""
    told: set[str] = field(default_factory=set)
    """Keys of which somebody was told that they are done."""
    versions: dict[str, int] = field(default_factory=dict)
    position: int = 0
    last_hash: str = ""
    at: str = ""
    corrected: timedelta = timedelta()
    """By how much people have set the floor's time, in all."""
    alarms: int = 0
    """Jumps that were written down."""
    refusals: int = 0
    checks: int = 0
    rows: list[Row] = field(default_factory=list)
    """All events that were on the disk."""
    transfers: list[tuple[Any, ...]] = field(default_factory=list)
    """The rows that belong to their transfers."""
    audited: int = 0
    """The last event that an audit has read."""
    state: State = field(default_factory=State)
    """What the events lead to, up to the last check."""

    def look(self) -> Seen:
        """Read what is new on the disk; everything in it was told beforehand."""
        seen = Seen()
        if self.position:
            last = self.disk.rows("SELECT hash FROM event WHERE position = ?", self.position)
            hold(last == [(self.last_hash,)], f"event {self.position} was lost or changed")
        command: Command | None = None
        for row in (Row(*found) for found in self.disk.rows(EVENTS, self.position)):
            name = f"event {row.position}, {row.kind} of {row.stream}"
            hold(row.position == self.position + 1, name, "leaves a gap")
            hold(row.version == self.versions.get(row.stream, 0) + 1, name, "skips a version")
            content = json.loads(row.body)
            if row.part == 0:
                command = self.begun(row, content, seen)
            hold(
                row.at >= self.at or (command is not None and command.name == "correct_time"),
                name,
                f"is dated {row.at}, after {self.at}",
            )
            self.rows.append(row)
            moved = enumerate(content["transfers"])
            self.transfers += [(row.position, part, *transfer) for part, transfer in moved]
            self.versions[row.stream] = row.version
            self.position, self.last_hash, self.at = row.position, row.hash, row.at
        return seen

    def begun(self, row: Row, content: Mapping[str, Any], seen: Seen) -> Command | None:
        """The first event of something: a command, a refusal, or a jump of the clock."""
        data = content["data"]
        if row.kind == "clock_jumped":
            hold(not seen.jumped, "a jump is found twice in one step")
            hold(self.machine.sets, "a jump is written down, and nobody has set the clock")
            seen.jumped = True
            self.alarms += 1
            self.day.model.alarms = min(20, self.day.model.alarms + 1)
            return None
        self.day.model.now = datetime.fromisoformat(row.at)
        if row.kind == "refused":
            self.refused(row, data)
            seen.refused[data["key"]] += 1
            self.refusals += 1
            return None
        known = [one for one in self.asked.get(row.key, ()) if one.actor == row.actor]
        found = [one for one in known if one.digest == content["command"]]
        hold(found, f"{row.kind} under {row.key!r} was asked for by nobody")
        hold(row.key not in self.done, f"{row.key!r} is done twice")
        command, answer = found[0], content["answer"]
        hold(not self.stale(command), f"{row.key!r} is done for a version that has passed")
        if command.name == "correct_time":
            before = data["before"]
            hold(before >= self.at, f"the time before its correction is {before}", self.at)
            self.day.model.now = datetime.fromisoformat(before)
            self.corrected += datetime.fromisoformat(data["time"]) - self.day.model.now
        said = self.day.foretold(command)
        hold(not isinstance(said, No), f"done, and the second model says {said!r}", command)
        hold(plain(answer) == plain(said), "another answer is told", answer, said, command)
        self.done[row.key], self.digests[row.key] = answer, command.digest
        self.day.done.append((command, answer))
        seen.done.append(row.key)
        return command

    def refused(self, row: Row, data: Mapping[str, Any]) -> None:
        """A refusal is one that the second model gives as well."""
        content = [data["command"], data["digest"], row.actor]
        found = [
            one
            for one in self.asked.get(data["key"], ())
            if [one.name, digest_of(one.arguments), one.actor] == content
        ]
        hold(found, f"{data['key']!r} is refused and was asked for by nobody")
        command, reason = found[0], Reason(data["reason"])
        if data["key"] in self.done:
            hold(reason is Reason.KEY_USED, "a used key is refused for something else", data)
            return
        if self.stale(command):
            hold(reason is Reason.STALE_VERSION, "a passed version is refused otherwise", data)
            return
        said = self.day.foretold(command)
        hold(isinstance(said, No), "refused, and the second model does it", data["message"], data)
        self.day.counts[f"no: {said}"] += 1

    def stale(self, command: Command) -> bool:
        """True when a command was made for a version that has passed."""
        return any(self.versions.get(s, 0) != v for s, v in command.expects.items())

    def time(self, seen: Seen, anchor: "Anchor | None") -> None:
        """The floor's time goes on as time passes, whatever the machine's clock shows."""
        if anchor is None:
            return
        drift = self.floor_time() - anchor.floor - (self.machine.true - anchor.true)
        slack = BOUND + BOUND + self.machine.slewed - anchor.slewed
        hold(abs(drift) <= slack, f"the floor's time is off by {drift}", self.at)
        hold(not seen.jumped or self.machine.sets > anchor.sets, "nobody has set the clock")
        error = self.machine.error - anchor.error
        if abs(error) > slack and self.alarms == anchor.alarms:
            hold(seen.jumped, f"the clock was set by {error}, and nobody was told")

    def anchor(self) -> "Anchor":
        """How time stands for a journal that has just written."""
        now = self.machine
        return Anchor(now.true, self.floor_time(), now.error, now.slewed, now.sets, self.alarms)

    def floor_time(self) -> timedelta:
        """The floor's time as though nobody had ever corrected it."""
        return datetime.fromisoformat(self.at) - self.machine.begun - self.corrected

    def answered(self, command: Command, told: Any, seen: Seen) -> None:
        """Hold one answer against the disk."""
        key = command.key
        if isinstance(told, Reason):
            if told is not UNAVAILABLE:
                hold(seen.refused[key] > 0, f"{key!r} is refused, and the disk does not say so")
                seen.refused[key] -= 1
            return
        hold(key in self.done, f"{key!r} is acknowledged and not on the disk")
        hold(told == self.done[key], f"{key!r} has another answer", told, self.done[key])
        self.told.add(key)

    def check(self) -> None:
        """What was written before is still there, and what is new holds.

        The audit goes on where the last one ended: rows that are the same hold as they held then.
        """
        self.checks += 1
        hold(self.disk.rows(EVENTS, 0) == self.rows, "an earlier event was lost or changed")
        hold(self.disk.rows(TRANSFERS) == self.transfers, "the transfers are other ones")
        with self.reading() as connection:
            audit = verify(connection, first=self.audited + 1)
            hold(audit.holds, audit.finding)
            hold(audit.events == self.position, "the audit counts other events")
            model = FloorModel()
            for row in self.rows[self.audited :]:
                self.state.take(Event(*row), model)
            wrong = list(differences_from(connection, model, self.state))
            hold(not wrong, *wrong)
        self.audited = self.position

    def full(self) -> None:
        """Everything: audit, invariants, rebuild, and each acknowledged command exactly once."""
        self.checks += 1
        with self.reading() as connection:
            audit = verify_floor(connection)
            hold(audit.holds, audit.finding)
            hold(audit.events == self.position, "the audit counts other events")
            wrong = list(differences(connection, FloorModel()))
            hold(not wrong, *wrong)
        rows = self.disk.rows(
            "SELECT key, body FROM event WHERE part = 0 AND stream <> 'refusals' "
            "AND kind <> 'clock_jumped'"
        )
        found = {key: json.loads(body)["answer"] for key, body in rows}
        hold(len(rows) == len(found), "a key is there twice")
        hold(found == self.done, "other commands are done than were seen")
        hold(self.told <= found.keys(), "an acknowledged command is not there")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection of a tool beside the floor."""
        engine = open_to_read(self.disk.url)
        try:
            with engine.connect() as connection:
                yield connection
        finally:
            engine.dispose()


class Anchor(NamedTuple):
    """How time stood when a journal last wrote."""

    true: timedelta
    floor: timedelta
    error: timedelta
    slewed: timedelta
    sets: int
    alarms: int
