"""Contract: what a game declares.

A game is one frozen value. Rooms ask it and know no game: settling asks `verdicts`, a table that
is dealt at follows `script`, screens and documents read bets, actions and words. The reasons for
this shape, and a dozen games written in it, are in `docs/contract.md`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from houseway.cards import DECK, UNKNOWN
from houseway.games.base import Verdict
from houseway.house.options import Options, register, value_text
from houseway.house.paytables import Hands

if TYPE_CHECKING:
    from houseway.games.solvers import Solver
    from houseway.house.paytables import PayTable

SEATS, DEALER = "seats", "dealer"
NO_CARDS: Mapping[str, tuple[int, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards that are shuffled. Several packs hold each face several times."""

    packs: int = 1

    @property
    def cards(self) -> tuple[int, ...]:
        """Every card, pack by pack."""
        return DECK * self.packs


def one_pack(options: Options) -> Deck:
    """Returns the deck of most games: 52 cards, whatever the house chooses."""
    return Deck()


class Hand(NamedTuple):
    """One hand of a seat: its cards in the order they were dealt, and what was done with it."""

    cards: tuple[int, ...]
    actions: tuple[str, ...] = ()
    free: bool = False
    """True when the house put its first chips up."""


class Seen(NamedTuple):
    """What is known of one seat. Rules, steps and actions look at nothing else."""

    own: tuple[int, ...] = ()
    """All cards of the seat in the order they were dealt, whatever hand they belong to."""
    dealer: tuple[int, ...] = ()
    table: Mapping[str, tuple[int, ...]] = NO_CARDS
    """Cards that lie before nobody, by place: a board, the cards of a link."""
    hands: tuple[Hand, ...] = ()
    actions: tuple[str, ...] = ()
    """What the seat decided, in order."""
    peeked: int = UNKNOWN
    """What the dealer found by looking at a card that still lies face down."""
    turn: int = 0
    """The hand that is asked about, counted from 0."""

    @property
    def hand(self) -> Hand:
        """The hand that is asked about."""
        return self.hands[self.turn]


def known(cards: Sequence[int], number: int = 1) -> bool:
    """True when there are as many cards as wanted and none of them lies face down."""
    return len(cards) >= number and UNKNOWN not in cards


class Ruling(NamedTuple):
    """What becomes of one bet. A bet without a ruling is still open."""

    bet: str
    verdict: Verdict
    hand: int = 1
    """The hand it is on, where a seat has several."""


Tables = Mapping[str, "PayTable"]
Words = Mapping[str, str]
"""The places of a verdict's sentence, filled: {player}, {dealer}, {cards}."""


def no_words(seen: Seen, options: Options) -> Words:
    """No places to fill."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """A bet of a game.

    The player puts it up before the deal unless `not_made` says where it comes from instead.
    """

    code: str
    required: bool = False
    rides: str = ""
    """The bet on whose wager it is paid, where nothing of its own lies on the felt."""
    usual_cents: int = 1000
    """The wager that is offered first."""
    hands: Hands | None = None
    """What its paytables pay; None where a rule alone says it."""
    per_hand: bool = False
    """True where each hand of a seat has a wager of its own on it."""
    divisors: tuple[int, ...] = ()
    """What a wager must be divisible by to be settled without odd cents, beside its paytable."""
    not_made: str = ""
    """Why a player does not put it up, as a sentence says it."""
    clause: str | None = None
    """The clause on that."""
    words: Callable[[Seen, Any], Words] = no_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBet:
    """A bet that is judged by the cards it sees and by nothing else.

    `classify` turns the cards into the hand its paytable knows; it is asked once all are known.
    `rule` says what becomes of the bet; `folded` what a fold does to it: nothing, or a verdict.
    """

    code: str
    clause: str = ""
    """The clause by which it is settled, where there is one for all its pays."""
    fold_clause: str = ""
    """The clause on what a fold does to it."""
    needs: tuple[str, ...] = ()
    """The bets of which one must lie beside it."""
    needs_clause: "Callable[[PayTable, Any], str] | None" = None
    own: int = 0
    """How many of the seat's own cards it looks at."""
    dealer: int = 0
    """How many of the dealer's."""
    table: "Callable[[PayTable], Mapping[str, int]] | None" = None
    """How many of which cards of the table, by the paytable that is played."""
    classify: "Callable[[Seen, PayTable], int]"
    rule: "Callable[[int, PayTable, Any], Verdict]"
    folded: "Callable[[PayTable, Any], Verdict | None]"
    words: "Callable[[Seen, PayTable], Words]"
    short: str = ""
    """Its name on a spot that is too narrow for the whole one."""
    usual_cents: int = 1000
    """The wager that is offered first."""
    hands: Hands | None = None
    """What its paytables pay, where they are the game's."""
    from_meter: bool = False
    """True for a progressive, which a meter pays and which pays envy."""
    owners: tuple[str, ...] = ()
    """The progressives whose paytables price it, the usual one first, in place of the game's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """The chips that an action puts up: so many times the wager on a bet."""

    bet: str
    times: Fraction = Fraction(1)
    of: str
    free: bool = False
    """True when the house puts them up: they win like others and cost nothing when they lose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A decision: the chips it puts up, the cards it takes and what it does to the hand.

    `why_not` says why it is not allowed now; None where it is.
    """

    name: str
    clause: str
    key: str = ""
    """The letter that chooses it on a keyboard."""
    puts: Put | None = None
    takes_back: str = ""
    """The bet whose chips go back to the player, by the clause of the action."""
    takes: int = 0
    """Cards for each hand, at once."""
    splits: bool = False
    """True when each of two cards begins a hand of its own."""
    folds: bool = False
    why_not: "Callable[[Seen, Any], str | None] | None" = None

    @property
    def label(self) -> str:
        """What a button says."""
        return self.name.replace("-", " ").capitalize()

    @property
    def cards(self) -> int:
        """How many cards leave the deck."""
        return self.takes * (2 if self.splits else 1)


# Steps. The engine does Stage, Burn, Peek and Draw by itself; the others wait for a person.
# A `when` in a step for seats is asked of each; in any other it holds when it does for one seat.


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The steps that follow are a game of their own, in succession."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Cards to a place: so many face down and face up, or those that are missing to a number.

    A place is the seats, the dealer, or any other name for cards that lie before nobody.
    """

    to: str
    down: int = 0
    up: int = 0
    upto: int = 0
    face_up: "Callable[[Any], bool] | None" = None
    """Which way up the missing cards are dealt."""
    when: "Callable[[Seen, Any], bool] | None" = None
    for_bet: str = ""
    """The side bet that looks at the cards and says how many; without a wager on it none come."""
    words: str = ""
    """What the dealer deals, where its number does not say enough: 'a second card, face up'."""
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Burn:
    """Cards that leave the deck and are seen by nobody."""

    cards: int = 1
    when: "Callable[[Seen, Any], bool] | None" = None
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A decision of each seat, or of each of its hands in turn for as long as `again` holds.

    What it settles by itself is settled as soon as a seat has answered: a bet that was taken back,
    a hand that went over 21.
    """

    actions: tuple[Action, ...]
    usual: str = ""
    """The action of a player who says nothing; empty where a seat may let it pass."""
    needs: str = ""
    """The bet without which a seat has nothing to decide."""
    when: "Callable[[Seen, Any], bool] | None" = None
    again: "Callable[[Seen, Any], bool] | None" = None
    """True while the hand in turn takes decisions; seats then answer one after the other."""
    settles: tuple[str, ...] = ()
    settles_when: "Callable[[Seen, Any], bool] | None" = None
    says: str = "Your decision?"
    """What the dealer asks; {position} is who is next."""
    does: str = "Wait for position {positions}."
    """What the dealer does meanwhile; {position} is who is next, {positions} are all of them."""
    clause: str = ""

    @property
    def offers(self) -> bool:
        """True for an offer that a seat may let pass; the dealer closes it."""
        return not self.usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Peek:
    """The dealer looks at a card that lies face down, and says only whether it holds."""

    what: "Callable[[Seen, Any], bool]"
    finds: str
    """What is looked for, in words."""
    when: "Callable[[Seen, Any], bool]"
    settles: tuple[str, ...] = ()
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """What folded hands give up is taken in; hands that still play for a bet are tucked."""

    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Cards are turned over: the dealer's, who announces the hand, or those of another place."""

    to: str
    cards: int = 0
    """How many of those that lie face down; all where none is said."""
    arranged: bool = False
    """True when the dealer puts the hand in order, from high to low."""
    does: str
    """What the dealer does, in words."""
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The dealer, or a hand of the table, draws one card after the other until a rule stops it."""

    to: str = DEALER
    until: "Callable[[Seen, Any], bool]"
    when: "Callable[[Seen, Any], bool] | None" = None
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Seat by seat from the dealer's right, these bets, or all that are left.

    The last one takes the cards in.
    """

    bets: tuple[str, ...] = ()
    """Bets that are decided by now; a seat that has none of them is passed over."""
    also: tuple[str, ...] = ()
    """Bets that may be decided with them, and may stay open."""
    at_once: bool = False
    """True when all seats are settled as soon as this is reached."""
    when: "Callable[[Seen, Any], bool] | None" = None
    does: str = ""
    """What the dealer does at {position}, where it is not the usual."""
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOfThumb:
    """How people play who remember one rule; it sees what a seat sees."""

    decide: "Callable[[Seen, Any], str]"
    """The decision on the hand in turn; offers are let pass without asking it."""
    words: "Callable[[Seen, Any], str]"
    """The rule as it is remembered, for the dealer's cards that are seen."""


_KINDS = {
    Deal: "deliver",
    Ask: "decide",
    Collect: "collect",
    Show: "reveal",
    Settle: "reconcile",
}
Step = Stage | Deal | Burn | Ask | Peek | Collect | Show | Draw | Settle


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game:
    """A game: its bets, its procedure and its rules."""

    code: str
    name: str
    about: str = ""
    """What is played, in a sentence for those who choose a game."""
    deck: Callable[[Any], Deck] = one_pack
    bets: tuple[Bet, ...]
    """In the order they are settled."""
    side_bets: tuple[SideBet, ...] = ()
    """Settled after the others, in this order."""
    script: tuple[Step, ...]
    facts: "Callable[[Seen, Any], Any]"
    """The cards as a few small ints."""
    verdicts: "Callable[[Any, tuple[str, ...], Tables, Any], Iterable[Ruling]]"
    """What becomes of every bet that is decided by these facts and actions."""
    announce: "Callable[[Seen, Any], str]"
    """What the dealer says of the own finished hand."""
    holds: "Callable[[Seen, str | None, Any], str]"
    """What a seat holds in a stage, in words; empty where its cards say nothing yet."""
    dealer_holds: "Callable[[Seen, Any], str]"
    """What the dealer holds once the cards are turned over, in words."""
    calls_without: str = ""
    """The bet whose absence the dealer calls out when betting ends."""
    wager_clause: str
    """The clause on how much is wagered."""
    mandatory: tuple[str, str] | None = None
    """The bet that a house may ask for beside every other, and the clause that lets it."""
    two_positions: bool = False
    """True where a house may let a player bet at two adjacent positions."""
    fixed_order: tuple[str, str] | None = None
    """Why a house has no order of settling of its own, and the clause; None where it may."""
    unit: str
    """The bet in whose wager decisions are valued."""
    packet: int
    """How many cards a shuffler puts together."""
    by_machine: str = ""
    """The clause that asks for an automatic shuffler; empty where one is recommended only."""
    options: type[Options] = Options
    """What is at the casino's discretion: the options of the house, with those of the game."""
    main_options: tuple[str, ...] = ()
    """The options that change most how it is played; practice tables offer them."""
    positions: int = 7
    """The most positions at a table of it."""
    pace: tuple[int, int]
    """Rounds an hour that are expected, at least and at most, where a house sets nothing else."""
    clauses: Mapping[str, str]
    """The clauses on what is in no script: bets, two positions, no more bets, void, fault."""
    fewest: tuple[int, str] = (0, "")
    """The fewest cards that a round can be played with, and the clause on how many it takes."""
    rule_of_thumb: RuleOfThumb | None = None
    """How people play who remember one rule; without one they do what the script calls usual."""
    solver: "Solver | None" = None
    """How its exact figures are counted; without one nothing is exact of it."""
    _order: tuple[str, ...] = field(init=False, repr=False)
    _stages: tuple[str | None, ...] = field(init=False, repr=False)
    _clauses: Mapping[str, str] = field(init=False, repr=False)
    _actions: Mapping[str, Action] = field(init=False, repr=False)
    _bets: Mapping[str, Bet] = field(init=False, repr=False)
    _folds: frozenset[str] = field(init=False, repr=False)
    _takes_back: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        codes = [bet.code for bet in self.bets]
        for side in self.side_bets:
            codes += [side.code, *(["envy"] if side.from_meter else [])]
        object.__setattr__(self, "_order", tuple(codes))
        stages: list[str | None] = []
        for step in self.script:
            before = stages[-1] if stages else None
            stages.append(step.name if isinstance(step, Stage) else before)
        object.__setattr__(self, "_stages", tuple(stages))
        object.__setattr__(self, "_clauses", {**self._ordered(), **self.clauses})
        asked = [step for step in self.script if isinstance(step, Ask)]
        actions = {action.name: action for step in asked for action in step.actions}
        object.__setattr__(self, "_actions", actions)
        object.__setattr__(self, "_bets", {bet.code: bet for bet in self.bets})
        folds = frozenset(action.name for action in actions.values() if action.folds)
        object.__setattr__(self, "_folds", folds)
        back = {action.name: action.takes_back for action in actions.values() if action.takes_back}
        object.__setattr__(self, "_takes_back", back)

    def _ordered(self) -> dict[str, str]:
        """The clause of each kind of step: of the first one, and of the first in each stage."""
        found: dict[str, str] = {}
        for step, stage in zip(self.script, self._stages, strict=True):
            kind = _KINDS.get(type(step))
            # An offer is no decision that is due, and what is settled at once waits for nobody.
            if kind is None or (isinstance(step, Ask) and step.offers):
                continue
            if isinstance(step, Settle) and step.at_once:
                continue
            assert not isinstance(step, Stage)
            found.setdefault(kind, step.clause)
            found.setdefault(f"{kind} {stage}", step.clause)
        found.setdefault("collect", found.get("reveal", ""))
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker in another process has the same game under the same code.
        from houseway.games import game_of

        return game_of, (self.code,)

    @property
    def order(self) -> tuple[str, ...]:
        """The bets in the order they are settled."""
        return self._order

    @property
    def wagers(self) -> tuple[str, ...]:
        """The bets that a player puts up before the deal."""
        made = [bet.code for bet in self.bets if not bet.not_made]
        return (*made, *(side.code for side in self.side_bets))

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every decision of the game, in the order of its script."""
        return tuple(self._actions.values())

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of its decisions, in the order of its script."""
        return tuple(self._actions)

    @property
    def question(self) -> Ask:
        """The first decision that every seat is asked for; offers may be let pass."""
        return next(step for step in self.script if isinstance(step, Ask) and not step.offers)

    @property
    def folds(self) -> frozenset[str]:
        """The decisions that give a hand up."""
        return self._folds

    @property
    def takes_back(self) -> Mapping[str, str]:
        """The decisions that take a bet back, each with the bet."""
        return self._takes_back

    def action(self, name: str) -> Action | None:
        """The decision of that name."""
        return self._actions.get(name)

    def bet(self, code: str) -> Bet | None:
        """The bet of that code that is no side bet."""
        return self._bets.get(code)

    def side_bet(self, code: str) -> SideBet | None:
        """The side bet of that code."""
        return next((side for side in self.side_bets if side.code == code), None)

    def side(self, code: str) -> SideBet:
        """A side bet that the game has."""
        found = self.side_bet(code)
        assert found is not None, (self.code, code)
        return found

    def counted_with(self, code: str) -> tuple[str, ...]:
        """The bets that ride on the wager of a bet, or that a decision puts up by it."""
        put = {action.puts.bet for action in self.actions if action.puts and action.puts.of == code}
        return tuple(bet.code for bet in self.bets if bet.rides == code or bet.code in put)

    def usual_cents(self, code: str) -> int:
        """The wager that is offered first on a spot."""
        found = self.bet(code) or self.side(code)
        return found.usual_cents

    def clause(self, step: str, stage: str | None = None) -> str | None:
        """The clause that orders a step of the procedure, in a stage where the game has stages.

        None for a step that the game does not have, such as a decision in baccarat.
        """
        return self._clauses.get(f"{step} {stage}") or self._clauses.get(step) or None

    def stage(self, step: int) -> str | None:
        """The stage that a step of the script belongs to; None in a game without stages."""
        return self._stages[step]

    def touches(self, name: str) -> bool:
        """True when an option changes something in this game."""
        entry = register(self.options).get(name)
        if entry is None:
            return False
        touches = entry.metadata["touches"]
        return touches is None or bool(touches(self))

    def shown_options(self, options: Options) -> dict[str, str]:
        """The options that touch this game, and any other that is set, as text."""
        return {
            name: value_text(name, value)
            for name, entry in register(type(options)).items()
            if (value := getattr(options, name)) != entry.default or self.touches(name)
        }

    @property
    def by_deck(self) -> bool:
        """True where a seat is settled from a deck alone, and not from two hands and a decision.

        Its cards depend on decisions, lie before nobody, or it decides more than once.
        """
        if any(action.takes for action in self.actions):
            return True
        if sum(isinstance(step, Ask) for step in self.script) != 1:
            return True
        deals = [step for step in self.script if isinstance(step, Deal) and not step.for_bet]
        plain = all(step.to in (SEATS, DEALER) and step.when is None for step in deals)
        return not plain or any(isinstance(step, Draw | Burn) for step in self.script)

    def cards_of(self, place: str) -> int:
        """How many cards the script deals to a place, where that depends on nothing."""
        deals = [step for step in self.script if isinstance(step, Deal) and step.to == place]
        return sum(step.down + step.up for step in deals)

    @property
    def required(self) -> tuple[str, ...]:
        """The bets that every seat puts up."""
        return tuple(bet.code for bet in self.bets if bet.required)
