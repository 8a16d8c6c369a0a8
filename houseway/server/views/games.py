"""Views of the games: what the server sends, as types."""

from typing_extensions import TypedDict


class BetWords(TypedDict):
    """A bet by its names."""

    code: str
    name: str
    short: str
    """For spots that are too narrow for the name."""


class PutView(TypedDict):
    """The chips that an action puts up: so many times the wager on a bet."""

    bet: str
    times: float
    of: str


class ActionView(TypedDict):
    """A decision as a button offers it."""

    action: str
    label: str
    key: str
    """The letter that chooses it; empty where none does."""
    puts: PutView | None
    folds: bool
    offer: bool
    """True where a seat may let it pass."""


class GameView(TypedDict):
    """What screens need to know of a game."""

    game: str
    name: str
    about: str
    unit: str
    """The bet in whose wager decisions are valued."""
    first_cards: int
    """How many cards a seat holds when it decides first."""
    decides_on: list[str]
    """The bets without which a seat has nothing to decide."""
    bets: list[BetWords]
    actions: list[ActionView]
    stages: dict[str, str]


class Games(TypedDict):
    """Every game that may be played here."""

    games: list[GameView]
