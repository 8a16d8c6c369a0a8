"""Views of rounds that are over: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.people import Role
from houseway.server.views.seats import SeatOnFelt, SettledLine


class Doer(TypedDict):
    """Who did something; a card that nobody holds has no role."""

    card: str
    name: str
    role: Literal[""] | Role


class ListedSeat(TypedDict):
    """A position of a round in a list."""

    position: int
    player: str
    net: int | None
    """Null while the round is played."""


class ListedRound(TypedDict):
    """A round in a list."""

    number: int
    opened_at: str
    closed_at: str | None
    over: bool
    void: str | None
    dealers: list[Doer]
    positions: list[ListedSeat]
    house_cents: int | None
    """What the tray gained; null while the round is played."""


class RoundList(TypedDict):
    """Rounds of a table, newest first."""

    table: str
    name: str
    """The game."""
    rounds: list[ListedRound]
    problems: list[str]
    """Rounds that cannot be done again, a sentence each."""
    before: int | None


class RecalledSeat(SeatOnFelt):
    """A position after a step."""

    down: list[bool]
    """Which of its cards lay face down then."""
    lines: list[SettledLine]


class RecalledView(TypedDict):
    """The round after a step."""

    phase: str
    stage: str | None
    void: str | None
    say: str
    reported: str | None
    dealer: list[str]
    dealer_down: list[bool]
    community: list[str] | None
    community_down: bool
    positions: list[RecalledSeat]


class RecalledStep(TypedDict):
    """A step of a round."""

    kind: Literal["opened", "command", "undo"]
    text: str
    """As a round file writes it."""
    at: str
    record: int
    """Its place in the journal."""
    actor: Doer
    undone: bool
    """True when it was taken back later."""
    told: list[str]
    round: RecalledView
    """The round after it."""


class RecalledRules(TypedDict):
    """The rules of a round, then and now."""

    revision: str
    digest: str
    recorded: str
    """The digest that the round was opened with."""
    paytables: dict[str, str]


class RecalledRound(ListedRound):
    """A round that is over, step by step."""

    table: str
    name: str
    game: str
    newest: int
    """The newest round that is over."""
    rules: RecalledRules
    every_card: bool
    """True when every card that was dealt is shown."""
    differing: list[int]
    """Steps of which now something else comes than was written down, counted from 0."""
    steps: list[RecalledStep]
