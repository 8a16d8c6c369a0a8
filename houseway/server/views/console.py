"""Views of the dealer's console: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.lobby import MeterView
from houseway.server.views.people import Level, Role
from houseway.server.views.seats import SeatOnFelt, SettledLine


class BetView(TypedDict):
    """A bet that may be made at the table."""

    code: str
    name: str
    cents: int
    """The usual wager: what one touch puts down where nothing else is chosen."""
    paytable: str | None


class LineView(SettledLine):
    """A bet that is settled, with the chips that it moves."""

    stage: str | None
    """The stage that it was settled in, in games that have stages."""
    now: bool
    """True when the last step settled it: its chips move now. Otherwise they have moved."""
    handed: int
    """What the dealer hands over for it, below 0 what is taken."""
    apart: Literal["taken", "award"] | None
    """Why nothing is: the lit wager was taken at the start, or the prize is handed over with its
    win page."""


class SeatView(SeatOnFelt):
    """A position of the round."""

    lines: list[LineView]
    felt: dict[str, int]
    """The wagers that still lie on the felt, by bet: neither settled nor in the progressive."""


class PaymentView(TypedDict):
    """The chips that move at one position for the last step."""

    position: int
    hand_over: int
    take_in: int
    chips: str
    """What is handed over, in chips: "1 x 25, 2 x 5"; empty when nothing is."""


class PanelView(TypedDict):
    """The chips that the last step tells the dealer to move, told once."""

    step: int
    """The number of that step in the round: the same number is the same chips."""
    stage: str | None
    hand_over: int
    take_in: int
    payments: list[PaymentView]
    """From the dealer's right; mostly one."""


class BlockedView(TypedDict):
    """The step that would come next, and sentences for what it waits for."""

    line: str
    by: list[str]


class RunbookBranch(TypedDict):
    """The steps of one branch."""

    branch: str
    steps: list[str]


class RunbookView(TypedDict):
    """A failed shuffler: what is wrong, the branch that was begun, and the steps of all."""

    what: str
    branch: str
    done: int
    branches: list[RunbookBranch]
    replaces: str | None
    """The line with which the serial of another machine is given, where equipment stands at the
    table."""


class DeckView(TypedDict):
    """The deck of the round; `hand` where our shuffler does not deal."""

    mode: Literal["automatic", "hand"]
    loaded: bool
    packet: int
    """Cards to a packet: 3, or 1 where cards are dealt singly."""


class WrongPayoutView(TypedDict):
    """A wrong payout that is not yet put right; `short` below 0 was paid too much."""

    position: int
    bet: str
    hand: int | None
    short: int


class AwaitedView(TypedDict):
    """Real cards that are turned over and entered now: `expose`."""

    place: int | str
    """A position, the dealer (0), or the name of a place for cards that lie before nobody."""
    name: str
    cards: int
    """How many were dealt there and are not known; another number is a misdeal."""


class RoundView(TypedDict):
    """The round of a table, as one viewer may see it."""

    number: str
    phase: Literal[
        "betting", "no more bets", "dealing", "decisions", "reveal", "reconcile", "closed", "void"
    ]
    stage: str | None
    void: str | None
    over: bool
    say: str
    """What the dealer says now, or has said last."""
    do: str
    """What the dealer does now: the chips of the panel, then the step of `next`, or what blocks
    it."""
    clause: str | None
    version: int
    dealer: list[str]
    community: list[str] | None
    positions: list[SeatView]
    panel: PanelView | None
    """Null while no chips move."""
    awaited: AwaitedView | None
    """Null while no real cards are to be entered."""
    waiting: list[int]
    """Positions (0 the dealer) that the step under way still waits for, in order."""
    reported: str | None
    """What waits for a ruling, in words."""
    runbook: RunbookView | None
    wrong: list[WrongPayoutView]
    deck: DeckView
    legal: list[str]
    """Lines of a round file that may be done now."""
    next: str | None
    """The one line that comes next; null where somebody has to choose, or where it is blocked.
    `shuffle` is no line but the command that asks our shuffler for a deck; at a table with real
    cards it is a line, for a deck that nobody knows."""
    blocked: BlockedView | None
    undo: bool
    """True when `undo` may take the last line back: it was of this phase."""


class ProfileView(TypedDict):
    """The words and habits of a progressive system."""

    name: str
    start: str
    end: str
    spot_first: bool
    confirms: Literal["card", "key"]


class LightView(TypedDict):
    """A lit wager."""

    position: int
    cents: int
    player: str
    folded: bool
    carried: bool


class AwardView(TypedDict):
    """A hand of the progressive whose button is on."""

    position: int
    hand: str
    name: str
    level: Level | None
    """The meter it is paid from; null for a fixed pay."""
    whole: bool
    amount_cents: int
    status: Literal["chosen", "recorded", "confirmed", "paid"]
    page: int
    """The number of its win page; 0 before it is confirmed."""
    needs: Role | None


EnvyView = TypedDict(
    "EnvyView",
    {
        "position": int,
        "from": int,
        "cents": int,
    },
)
""""""


class PressedHand(TypedDict):
    """A hand that is paid."""

    code: str
    name: str
    pays: str


class ProgressiveView(TypedDict):
    """The progressive of a table."""

    profile: ProfileView
    started: bool
    earlier: bool
    """True while a game that an earlier version began is under way: `end_earlier_game`."""
    round: int
    ordered: bool
    """True where the dealer says at START GAME in which order awards are paid."""
    key: Literal["run", "jph"]
    called_at: str | None
    lights: list[LightView]
    awards: list[AwardView]
    hands: list[PressedHand]
    """Hands that are paid, best first."""
    meters: list[MeterView]
    envy: list[EnvyView]
    """Envy that is due."""
    on_camera: list[EnvyView]
    """Payments that surveillance has still to verify."""
    blocks_end: list[str]
    """Sentences; END GAME works when there is none."""
    unchosen: list[int]
    """Positions that have won it and whose hand is not chosen yet."""
    blocks_envy: list[str]
    """The same for paying envy."""


class CallView(TypedDict):
    """A call that nobody has answered yet."""

    reason: str
    name: str
    """The reason in words."""
    text: str
    by: str
    at: str


class CallReason(TypedDict):
    """A reason to call a supervisor."""

    reason: str
    name: str
    needs_text: bool
    """True where it must be said in words."""
    why_not: str
    """Why nobody can be called for it now; empty where somebody can."""


class Console(TypedDict):
    """A table as its dealer sees it."""

    table: str
    version: int
    """The version of the stream `table:NAME`."""
    game: str
    name: str
    positions: int
    link: str | None
    bets: list[BetView]
    calls: list[CallView]
    call_reasons: list[CallReason]
    round: RoundView | None
    """Null before the first round."""
    progressive: ProgressiveView | None
    """Null where the table plays for no link."""
