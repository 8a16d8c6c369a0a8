"""Views of the pit's page: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.people import Level


class Band(TypedDict):
    """What should have been won, and between which amounts 95 of 100 such days lie."""

    expected_cents: int
    low_cents: int
    high_cents: int
    inside: bool | None
    """Null after too few rounds to tell."""


class PitTable(TypedDict):
    """The tile of a table."""

    table: str
    game: str
    name: str
    open: bool
    counted: bool
    """True where its chips are counted."""
    dealer: str | None
    players: int
    positions: int
    rounds: int
    void: int
    pace: float | None
    """Rounds an hour; null where too little was played to tell."""
    pace_low: int
    pace_high: int
    speed: Literal["slow", "fast"] | None
    """Null where the pace is within its bounds, or too few rounds were played to tell."""
    wagered_cents: int
    won_cents: int
    since_cents: int
    """What of it was won since the checkpoint."""
    drop_cents: int
    hold: float | None
    band: Band | None
    """null while nothing was played, or while it is being counted."""
    attention: list[str]


class PitTotals(TypedDict):
    """The sums of all tables."""

    rounds: int
    wagered_cents: int
    won_cents: int
    since_cents: int
    drop_cents: int
    hold: float | None
    band: Band | None
    open: int


class PitMeter(TypedDict):
    """A meter with its growth."""

    level: Level
    shown_cents: int
    pending: bool
    growth_cents: int
    """What wagers brought in the last hour."""


class PitLink(TypedDict):
    """The meters of a link."""

    link: str
    name: str
    levels: list[PitMeter]
    closed: str


class PitWaiting(TypedDict):
    """Something that somebody waits for."""

    what: str
    table: str | None
    since: str | None
    due: str | None
    """Until when it may wait, where that is a matter of days."""
    name: str
    """What a supervisor is called for; empty for anything else."""


class SeenAlert(TypedDict):
    """Who has acknowledged an alert."""

    by: str
    at: str
    note: str


class PitAlert(TypedDict):
    """Something out of the ordinary."""

    alert: str
    """By which it is acknowledged."""
    text: str
    table: str | None
    seen: SeenAlert | None


class Pit(TypedDict):
    """The floor, for those who run it."""

    now: str
    day: str
    shift: str
    time_zone: str
    checkpoint_at: str | None
    tables: list[PitTable]
    totals: PitTotals
    meters: list[PitLink]
    waiting: list[PitWaiting]
    alerts: list[PitAlert]
