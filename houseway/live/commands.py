"""Commands: what may be asked of a live round. Whether it may be done now is the guard's matter.

Amounts are cents. A position counts from 1 at the dealer's far left; 0 is the dealer.
"""

from dataclasses import dataclass
from typing import Literal

from houseway.house.money import MeterLevel
from houseway.live.shuffler import Shuffle

DEALER = 0
Place = int | str
"""A position, the dealer (0), or the name of a place for cards that lie before nobody."""

Bets = tuple[tuple[str, int], ...]
Ruling = Literal["play_on", "void"]
VoidReason = Literal["wrong_card_count", "exposed_card", "late_wager", "shuffler_fault", "ruling"]
CorrectionReason = Literal["wrong_odds", "wrong_hand", "wrong_chips", "missed", "paid_twice"]


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """All the bets of a position at once, in place of what lay there; none withdraws them."""

    position: int
    bets: Bets
    player: str = ""


@dataclass(frozen=True, slots=True)
class LoadShuffle:
    """Make the next deck ready."""

    shuffle: Shuffle


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The dealer has said that no more bets are taken."""


MeterAmounts = tuple[tuple[MeterLevel, int], ...]
Pricer = Literal["table", "floor"]


@dataclass(frozen=True, slots=True)
class StartGame:
    """The dealer presses COIN IN or START GAME and takes in the progressive bets.

    `meters` is what stands on each meter then, and `next_starts` what each starts again with after
    a whole award; `pay_order` is the order of internal controls. `priced_by` says who fixes the
    amount of an award: the table, from these meters, or the floor, whose ledger has the meter.
    """

    meters: MeterAmounts = ()
    pay_order: tuple[int, ...] = ()
    next_starts: MeterAmounts = ()
    priced_by: Pricer = "table"


@dataclass(frozen=True, slots=True)
class Deliver:
    """Deal to one place, or to all that still wait, in order."""

    to: Place | None = None


@dataclass(frozen=True, slots=True)
class Expose:
    """Cards of a real deck that have been turned over, in the order they lie there."""

    place: Place
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """What a player does, by one of the actions of the game."""

    position: int
    decision: str


@dataclass(frozen=True, slots=True)
class CloseOffer:
    """What was offered, such as insurance, is taken by nobody any more."""

    offer: str


@dataclass(frozen=True, slots=True)
class CollectForfeits:
    """Take in what the folded hands give up, and tuck those that still play for a bonus."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Turn over the dealer's hand, or the cards of another place."""

    what: str = "dealer"


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Settle one position, or all that still wait, from the dealer's right."""

    position: int | None = None


@dataclass(frozen=True, slots=True)
class PressHand:
    """The dealer presses the hand button of a position; pressed again, it goes out."""

    position: int
    hand: str


@dataclass(frozen=True, slots=True)
class ConfirmAward:
    """An award of a meter is confirmed for this amount, by whoever keeps the meter."""

    position: int
    cents: int


@dataclass(frozen=True, slots=True)
class BackOutAward:
    """A confirmed award is put back on its meter; its hand can be pressed again."""

    position: int


@dataclass(frozen=True, slots=True)
class PayEnvy:
    """Pay the envy of the round, after every hand was settled."""


@dataclass(frozen=True, slots=True)
class CloseRound:
    """End the round."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Make all hands void and give every wager back."""

    reason: VoidReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ReportExposed:
    """A card that lay face down was seen; `card` counts from 1 in the hand."""

    to: int
    card: int


@dataclass(frozen=True, slots=True)
class ReportLateWager:
    """A wager was found on a spot after no more bets were taken."""

    position: int
    bet: str
    cents: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A supervisor's ruling on what was reported."""

    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class ReportPayout:
    """A bet was paid or taken otherwise than settled; `net` is what was really handed over."""

    position: int
    bet: str
    net: int
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class CorrectPayout:
    """Put a wrong payout right, with the reason."""

    position: int
    bet: str
    reason: CorrectionReason
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class ReportFault:
    """The shuffler does not work."""

    what: str


@dataclass(frozen=True, slots=True)
class RunbookStep:
    """One step of a shuffler runbook is done; steps count from 1."""

    branch: str
    step: int


Command = (
    PlaceBets
    | LoadShuffle
    | NoMoreBets
    | StartGame
    | Deliver
    | Expose
    | Decide
    | CloseOffer
    | CollectForfeits
    | Reveal
    | Reconcile
    | PressHand
    | ConfirmAward
    | BackOutAward
    | PayEnvy
    | CloseRound
    | VoidRound
    | ReportExposed
    | ReportLateWager
    | Rule
    | ReportPayout
    | CorrectPayout
    | ReportFault
    | RunbookStep
)
