"""Views of events and the audit: what the server sends, as types."""

from typing import Any

from typing_extensions import TypedDict

from houseway.server.views.people import Person


class TrailEvent(TypedDict):
    """An event as it is shown."""

    position: int
    stream: str
    version: int
    kind: str
    actor: str
    at: str
    data: dict[str, Any]
    transfers: list[tuple[str, str, int]]
    """Amounts in millionths of a cent."""
    prior: str
    """The hash of the record before it in its stream."""
    hash: str
    round: int | None
    """The round of the table, where the event says it."""


class Trail(TypedDict):
    """A page of events, newest first."""

    events: list[TrailEvent]
    before: int | None
    """The `before` of the next page; null when there is none."""
    streams: list[str]
    """All streams there are."""
    kinds: list[str]
    """All kinds of events there are."""
    people: list[Person]


class Seal(TypedDict):
    """A seal of the journal."""

    number: int
    position: int
    """The record up to which it covers everything."""
    at: str
    hash: str


class Checking(TypedDict):
    """A reading of the journal that is under way."""

    by: str
    since: str
    first: int
    """The record it began with."""
    events: int
    of: int


class Checked(TypedDict):
    """What the last reading found."""

    by: str
    at: str
    first: int
    """The record it began with: those before it were taken as they stand."""
    holds: bool | None
    """Null when the journal could not be read."""
    events: int
    seals: int
    record: int | None
    """The first bad record, where it is an event."""
    sentence: str | None
    """The first bad record and what is wrong with it."""
    problem: str | None
    """Why it could not be read."""


class AuditStatus(TypedDict):
    """Whether the journal holds, as far as it was checked."""

    records: int
    last_seal: Seal | None
    unsealed: int
    running: Checking | None
    checked: Checked | None
