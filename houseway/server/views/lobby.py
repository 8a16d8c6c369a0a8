"""Views of the lobby: what the server sends, as types."""

from typing_extensions import TypedDict

from houseway.server.views.people import Level


class MeterView(TypedDict):
    """A meter as everybody may see it."""

    level: Level
    shown_cents: int
    pending: bool
    """True while an award waits for this meter: what is shown is not free to be won again."""


class LobbyRound(TypedDict):
    """The live round of a table."""

    number: str
    phase: str
    stage: str | None
    over: bool


class LobbyTable(TypedDict):
    """A table in the lobby."""

    table: str
    game: str
    name: str
    positions: int
    link: str | None
    round: LobbyRound | None
    """The live round; null before the first."""
    taken: int
    """Positions with a wager on the felt, and positions whose progressive is lit."""
    lit: int
    started: bool
    """True between START GAME (or COIN IN) and END GAME (or GAME OVER)."""
    attention: list[str]
    """Sentences: "an award waits at position 4", "a ruling is asked for", "the shuffler has
    failed"."""


class LobbyLink(TypedDict):
    """A link in the lobby."""

    link: str
    name: str
    """"Three Card Progressive"."""
    paytable: str
    meters: list[MeterView]
    tables: list[str]
    closed: str
    """Why no wagers are taken; empty while they are."""
    attention: list[str]
    """Sentences: "the deposit is $120.00 short", "a deposit is due on 2026-11-20"."""


class Lobby(TypedDict):
    """The whole floor at a glance."""

    now: str
    tables: list[LobbyTable]
    links: list[LobbyLink]
    inbox: int
    """How much waits in the inbox for the one who looks; 0 for those who have none."""
