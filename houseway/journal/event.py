"""Event: what is written down, and how one is chained to the one before it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

NO_HASH = "0" * 64
"""What stands before the first event of a stream."""


class Transfer(NamedTuple):
    """An amount that goes from the credit of one account to the debit of another.

    In millionths of a cent, above 0. Both sides are in it, so debits always equal credits.
    """

    debit: str
    credit: str
    amount: int


class Event(NamedTuple):
    """One record of the journal."""

    position: int
    """Its place in the whole journal, from 1."""
    stream: str
    version: int
    """Its place in the stream, from 1."""
    kind: str
    schema: int
    """The version of the shape of its data."""
    key: str
    """The idempotency key of the command it came of."""
    part: int
    """Which of the events of that command, from 0."""
    actor: str
    at: str
    """UTC, to the microsecond; never before the event that was written before it."""
    body: str
    """Data and transfers as canonical JSON."""
    prior: str
    hash: str

    @property
    def data(self) -> dict[str, Any]:
        """What the event says."""
        found: dict[str, Any] = _content(self.body)["data"]
        return found

    @property
    def transfers(self) -> list[Transfer]:
        """The money it moves."""
        return [Transfer(*moved) for moved in _content(self.body)["transfers"]]


@lru_cache(maxsize=16)
def _content(body: str) -> dict[str, Any]:
    # An event is asked for one thing after the other, and read once.
    found: dict[str, Any] = json.loads(body)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An event before it has a place in the journal."""

    stream: str
    kind: str
    data: Mapping[str, Any]
    transfers: Sequence[Transfer] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What somebody asks for.

    The key is made by the caller: the same key again is the same command again. `expects` names
    the versions of streams that the caller has seen, where that matters.
    """

    name: str
    arguments: Mapping[str, Any]
    actor: str
    key: str
    expects: Mapping[str, int] = field(default_factory=dict)
    vouched: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that the caller's own program answers for, such as that a PIN held. A refusal is
    recorded without them."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that describe the moment, such as the alerts raised now. They are neither recorded
    with a refusal nor part of the digest: a retry may come at another moment."""

    @property
    def digest(self) -> str:
        """What tells two commands with one key apart."""
        content = [self.name, {**self.arguments, **self.vouched}, self.actor]
        return sha256(canonical(content).encode()).hexdigest()[:16]

    @property
    def whole(self) -> "Command":
        """The command as it is decided: with everything that is vouched for or known."""
        if not (self.vouched or self.known):
            return self
        return Command(
            name=self.name,
            arguments={**self.arguments, **self.vouched, **self.known},
            actor=self.actor,
            key=self.key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a command came to: its events, and the answer that is given."""

    events: Sequence[Draft]
    answer: Mapping[str, Any]
    at: str = ""
    """The time that the journal goes on with, where the command sets one."""


def canonical(value: Any) -> str:
    """JSON that is the same for the same value: names in order, no spaces, ASCII."""
    return _CANONICAL.encode(value)


# What holds itself recurses too deep, and is refused for that: no need to look for it each time.
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)


def body_of(draft: Draft, extra: Mapping[str, Any]) -> str:
    """Data and transfers of a draft as they are stored; the first of a command has the answer."""
    moved = [list(transfer) for transfer in draft.transfers]
    return canonical({"data": dict(draft.data), "transfers": moved, **extra})


def chained(prior: str, fields: Sequence[Any]) -> str:
    """The hash of an event: over the hash before it and all its other fields in order."""
    return sha256((prior + canonical(list(fields))).encode()).hexdigest()
