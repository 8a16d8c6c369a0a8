"""Views of the inbox: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.console import EnvyView
from houseway.server.views.lobby import MeterView
from houseway.server.views.people import Level


class Waiting(TypedDict):
    """Something that somebody waits for."""

    id: str
    """The same as long as it is the same thing: "award:T1:4:3"."""
    since: str
    """Since when somebody waits."""
    mine: bool
    """True when the one who looks may do it."""


class AwardItem(Waiting):
    """An award of a meter that is chosen or recorded."""

    kind: Literal["award"]
    table: str
    link: str
    game: str
    round: int
    position: int
    player: str
    hand: str
    name: str
    pays: str
    """"100% of the meter"."""
    level: Level
    whole: bool
    wager_cents: int
    amount_cents: int
    status: Literal["chosen", "recorded"]
    page: int | None
    """The win page that J-POT has given; null before."""
    chosen_by: str
    needs: Literal["supervisor", "executive"]
    """Whose card it takes, and from which amount an executive's."""
    threshold_cents: int
    confirms: Literal["card", "key"]
    key: Literal["run", "jph"]
    next: bool
    """False while an award of this table, or one in front of it in line, comes first: `why_not`
    says so."""
    why_not: str
    called: bool
    call_text: str
    """What the dealer has said with the call."""
    checklist: list[str]
    """The names of the checklist that the command must hold: hand_seen, wager_lit, amount,
    deck_counted, surveillance."""
    before_cents: int
    after_cents: int
    """What the meter will show after it, from what it holds now."""
    tax_flag: bool
    cards: list[str]
    envy: list[EnvyView]
    version: int


class CallItem(Waiting):
    """A supervisor is called to a table, for anything but an award."""

    kind: Literal["call"]
    table: str
    link: str | None
    reason: str
    name: str
    """The reason in words."""
    text: str
    by: str


_From = TypedDict("_From", {"from": int})


class CameraItem(Waiting, _From):
    """A payment that surveillance verifies; `from` is the position whose hand it is for."""

    kind: Literal["camera"]
    table: str
    link: str
    page: int | None
    position: int
    player: str
    hand: str
    name: str
    cents: int
    wager_cents: int
    cards: list[str]
    checklist: list[str]


class PayItem(Waiting):
    """A confirmed award that is not handed over; `cheque` where one may be asked for."""

    kind: Literal["pay"]
    table: str
    link: str
    round: int
    position: int
    player: str
    name: str
    level: Level
    wager_cents: int
    amount_cents: int
    page: int
    chosen_by: str
    confirmed_by: str
    cheque: bool
    tax_flag: bool
    why_not: str
    """Why it cannot be paid yet, as while surveillance has not seen it; empty when it can."""


class ChequeItem(Waiting):
    """A cheque that was promised: `hand_cheque`."""

    kind: Literal["cheque"]
    table: None
    link: str
    page: int | None
    """One of the two: the win page that it pays, or the slip."""
    slip: int | None
    amount_cents: int
    due: str


class SlipItem(Waiting):
    """What an adjustment found for a winner: `pay_adjustment` at one of `tables`."""

    kind: Literal["slip"]
    table: None
    link: str
    slip: int
    amount_cents: int
    tables: list[str]
    cheque: bool
    """True where a cheque may be asked for."""
    checklist: list[str]
    """What surveillance has seen, where it must stand beside it; else empty."""


class RulingItem(Waiting):
    """Something at a live round that waits for a ruling."""

    kind: Literal["ruling"]
    table: str
    link: str | None
    round: str
    text: str
    version: int


class DepositItem(Waiting):
    """A weekly deposit that is due or short: `record_deposit`."""

    kind: Literal["deposit"]
    table: None
    link: str
    liability_cents: int
    short_cents: int
    due: str


InboxItem = (
    CallItem | AwardItem | CameraItem | PayItem | ChequeItem | SlipItem | RulingItem | DepositItem
)


class InboxMeter(MeterView):
    """A meter that may be adjusted."""

    overflow_cents: int
    seeded_cents: int


class InboxPage(TypedDict):
    """A win page."""

    page: int
    table: str
    name: str
    level: Level
    amount_cents: int
    open: bool


class InboxLink(TypedDict):
    """What manual adjustments and voids need to know."""

    link: str
    name: str
    closed: str
    meters: list[InboxMeter]
    pages: list[InboxPage]
    """Win pages, newest first; `open` ones are confirmed and not handed over, so they can be
    backed out."""
    slips: int
    """The number of the last adjustment slip."""


class InboxTable(TypedDict):
    """A table whose round may be made void."""

    table: str
    name: str
    round: str | None
    """The live round that is under way, else null."""
    phase: str
    game: int | None
    """The game of the progressive that is under way, else null."""
    earlier: bool
    """True while a game that an earlier version began is under way."""
    version: int


class Inbox(TypedDict):
    """What waits for a person."""

    now: str
    items: list[InboxItem]
    """Longest wait first."""
    links: list[InboxLink]
    tables: list[InboxTable]
    reductions: dict[str, str]
    """The closed lists of reasons, as words: {"won": "an award that was confirmed for too
    little"}."""
    increases: dict[str, str]
    of_an_award: list[str]
    """Reasons that name a win page."""
