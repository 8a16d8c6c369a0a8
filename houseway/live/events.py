"""Events: what happened in a live round. They are never edited; the state is a fold over them."""

from dataclasses import dataclass

from houseway.live.commands import (
    CorrectionReason,
    MeterAmounts,
    Place,
    Pricer,
    Ruling,
    VoidReason,
)
from houseway.live.phases import Phase
from houseway.live.shuffler import Shuffle
from houseway.names import Bet
from houseway.rules.lines import Line


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    """The wagers of a position, in place of those before; empty when they were withdrawn."""

    position: int
    player: str
    wagers: tuple[tuple[Bet, int], ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A deck is ready."""

    shuffle: Shuffle


@dataclass(frozen=True, slots=True)
class Announced:
    """What the dealer said."""

    words: str


@dataclass(frozen=True, slots=True)
class BetsClosed:
    """The positions that are in the round, from the dealer's left."""

    playing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The progressive bets were taken in; the meters stood so."""

    positions: tuple[int, ...]
    meters: MeterAmounts
    pay_order: tuple[int, ...]
    next_starts: MeterAmounts = ()
    priced_by: Pricer = "table"


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards to a place, each face up or down."""

    to: Place
    cards: tuple[int, ...]
    up: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Exposed:
    """The cards of a place that nobody had known, as they were turned over."""

    place: Place
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MiscountFound:
    """More or fewer cards were turned over at a place than were dealt to it."""

    place: Place
    number: int
    dealt: int


@dataclass(frozen=True, slots=True)
class CommunityTaken:
    """Two community cards, face down, from the next packet or the flushed cards."""

    cards: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A player's decision and what it adds to the wagers, in cents."""

    position: int
    decision: str
    wager: int
    turn: int = 0
    """The hand that it is about, counted from 0."""


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """What was offered is taken by nobody any more."""

    offer: str


@dataclass(frozen=True, slots=True)
class Peeked:
    """The dealer looked at a card that lies face down, and says only whether it holds."""

    holds: bool
    what: str


@dataclass(frozen=True, slots=True)
class Burned:
    """Cards left the deck and were seen by nobody."""

    number: int


@dataclass(frozen=True, slots=True)
class Tucked:
    """A folded hand stays under a bonus bet."""

    position: int


@dataclass(frozen=True, slots=True)
class DealerShown:
    """The dealer's hand, turned over and arranged."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards that lie before nobody, turned over."""

    place: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandShown:
    """A player's hand, turned over in the work area."""

    position: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """One bet of a position, settled."""

    position: int
    line: Line


@dataclass(frozen=True, slots=True)
class MeterHandFound:
    """A hand that wins a share of a meter, whose amount the floor fixes."""

    position: int
    hand: str
    share: str


@dataclass(frozen=True, slots=True)
class HandPressed:
    """The hand button of a position was pressed."""

    position: int
    hand: str


@dataclass(frozen=True, slots=True)
class HandReleased:
    """The hand button of a position was pressed again, and is off."""

    position: int


@dataclass(frozen=True, slots=True)
class AwardConfirmed:
    """A meter award was confirmed; its line has the amount that left the meter."""

    position: int
    line: Line


@dataclass(frozen=True, slots=True)
class AwardBackedOut:
    """A confirmed award went back to its meter."""

    position: int


@dataclass(frozen=True, slots=True)
class PickedUp:
    """The cards of a position were taken in."""

    position: int


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Nothing is left to settle at a position in this pass.

    The last pass takes the cards in, but for hands that stay face up.
    """

    position: int
    last: bool
    face_up: bool = False


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The round goes on to its next phase, at a step of the script."""

    phase: Phase
    stage: str | None
    at: int = 0
    waiting: tuple[tuple[Place, int], ...] = ()
    """The places that wait, each with the step of the script it waits for."""


@dataclass(frozen=True, slots=True)
class StepBegan:
    """The round goes on to another step of the same phase."""

    at: int
    waiting: tuple[tuple[Place, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """All hands are void; every wager goes back."""

    reason: VoidReason
    detail: str


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card that lay face down was seen by all."""

    to: int
    card: int


@dataclass(frozen=True, slots=True)
class LateWagerFound:
    """A wager that came too late; it has no part in the round."""

    position: int
    bet: Bet
    cents: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """A supervisor's ruling."""

    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class PayoutFoundWrong:
    """What was handed over, and what was due."""

    position: int
    bet: Bet
    hand: int | None
    net: int
    due: int


@dataclass(frozen=True, slots=True)
class PayoutCorrected:
    """The difference went to the player (positive) or back to the tray."""

    position: int
    bet: Bet
    hand: int | None
    cents: int
    reason: CorrectionReason


@dataclass(frozen=True, slots=True)
class ShufflerFailed:
    """The shuffler does not work; nothing is dealt until a runbook is through."""

    what: str


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step of a runbook; after the last one the shuffler works again."""

    branch: str
    step: int
    words: str
    last: bool


Event = (
    BetsPlaced
    | Shuffled
    | Announced
    | BetsClosed
    | GameStarted
    | Dealt
    | Exposed
    | MiscountFound
    | CommunityTaken
    | Decided
    | OfferClosed
    | Peeked
    | Burned
    | Tucked
    | DealerShown
    | CardsShown
    | HandShown
    | Settled
    | MeterHandFound
    | HandPressed
    | HandReleased
    | AwardConfirmed
    | AwardBackedOut
    | PickedUp
    | Reconciled
    | PhaseBegan
    | StepBegan
    | RoundVoided
    | CardExposed
    | LateWagerFound
    | Ruled
    | PayoutFoundWrong
    | PayoutCorrected
    | ShufflerFailed
    | StepDone
)
