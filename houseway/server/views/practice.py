"""Views of practice tables: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.offers import OptionChoice, PaytableChoice
from houseway.server.views.people import Level
from houseway.server.views.seats import SeatOnFelt, SettledLine


class PracticeBet(TypedDict):
    """A spot; `edge` is what it loses on average per unit, null until it is counted."""

    code: str
    paytable: str | None
    cents: int
    needed: bool
    edge: float | None


class PracticeGame(TypedDict):
    """A game that may be practised."""

    game: str
    name: str
    bets: list[PracticeBet]
    paytables: list[PaytableChoice]
    options: list[OptionChoice]


class PracticeOffer(TypedDict):
    """What may be chosen; `token` goes with every change."""

    token: str
    games: list[PracticeGame]


class PracticeSeat(TypedDict):
    """A seat of a practice table."""

    position: int
    player: str
    ready: bool
    away: bool
    playing: bool


class PracticeHand(SeatOnFelt):
    """A position of the round."""

    lines: list[SettledLine]


class PracticeRound(TypedDict):
    """The round of a practice table."""

    number: str
    phase: str
    stage: str | None
    over: bool
    say: str
    said: list[str]
    dealer: list[str]
    dealer_hand: str
    """What the dealer's cards make, once all of them are seen."""
    positions: list[PracticeHand]
    offer: str | None
    """What seats may take or let pass now."""


CoachWhen = Literal["before", "after", "never"]


CoachMode = Literal["simple", "exact"]


class PracticeValue(TypedDict):
    """What a decision is worth on average."""

    decision: str
    units: float
    cents: float


class PracticeWorst(TypedDict):
    """The decision that cost most."""

    decision: str
    best: str
    cost_cents: float


class PracticeJudged(PracticeWorst):
    """A decision and what it cost."""

    values: list[PracticeValue]
    """What each choice was worth; none where the coach speaks by a rule of thumb."""


class PracticeCoach(TypedDict):
    """What the coach says to a seat."""

    when: CoachWhen
    mode: CoachMode
    unit: str
    best: str | None
    values: list[PracticeValue]
    left_out: list[str]
    judged: list[PracticeJudged]


class PracticeSession(TypedDict):
    """The sums of a seat."""

    rounds: int
    wagered: int
    net: int
    expected_cost: float | None
    decisions: int
    right: int
    given_away: float
    worst: PracticeWorst | None


class PracticeResult(TypedDict):
    """What a round came to."""

    number: str
    wagered: int
    net: int
    bankroll: int


class PracticeYou(TypedDict):
    """The own seat."""

    position: int
    player: str
    bankroll: int
    hand: str
    """What the own cards make, in words."""
    ready: bool
    spots: dict[str, int]
    """What lies on each spot, with what decisions have added."""
    decisions: list[str]
    puts_up: dict[str, int]
    """What each of these decisions would add."""
    coach: PracticeCoach
    costs: dict[str, float] | None
    session: PracticeSession
    results: list[PracticeResult]


class PracticeDeals(TypedDict):
    """For the person who deals."""

    say: str
    do: str
    clause: str | None
    next: str | None


class PracticeMeter(TypedDict):
    """A meter that is played for."""

    level: Level
    cents: int


class PracticeView(TypedDict):
    """GET /api/practice/tables/{table}, and the answer of every change at it."""

    table: str
    version: int
    game: str
    name: str
    seed: str | None
    """Digits: it is more than a number holds."""
    positions: int
    dealing: Literal["automatic", "person"]
    options: dict[str, str]
    """What is played differently from the usual rules."""
    paytables: dict[str, str]
    bets: list[PracticeBet]
    meters: list[PracticeMeter]
    """What the progressive is played for; empty where the game has none."""
    seats: list[PracticeSeat]
    waiting: list[int]
    round: PracticeRound
    you: PracticeYou | None
    deals: PracticeDeals | None
    figures: Literal["ready", "counting", "missing"]
