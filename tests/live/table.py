"""A live table for tests: commands in, everything that happened kept in a log."""

from typing import Any, TypeVar

from houseway.cards import DECK, cards_text, parse_cards
from houseway.live import commands as c
from houseway.live.commands import Command
from houseway.live.events import Dealt, Event, Settled
from houseway.live.round import act, refusal
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, Seat, open_round
from houseway.live.view import Viewer, ViewerKind, view
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset, make_ruleset

Kind = TypeVar("Kind")

TCP, FACE_UP = "three-card-poker", "three-card-poker-face-up"
RUMMY, BONUS = "triple-shot-rummy", "triple-shot-bonus"
THREE_CARD = (TCP, FACE_UP, RUMMY)
GAMES = (*THREE_CARD, BONUS)


def deck(front: str = "") -> tuple[int, ...]:
    """A whole deck with these cards on top; a bar between hands is for the reader."""
    cards = parse_cards(front.replace("|", " ")) if front else ()
    return cards + tuple(card for card in DECK if card not in cards)


def shuffled(ruleset: Ruleset, front: str = "", shuffle_id: str = "s", by: str = "") -> Shuffle:
    """A shuffle for a table, with these cards on top."""
    if not by:
        by = "automatic" if ruleset.options.shuffler_mode == "automatic" else "house procedure 7"
    return Shuffle(shuffle_id, deck(front), ruleset.game.packet, by)


class LiveTable:
    """A round that remembers its log."""

    def __init__(
        self,
        game: str,
        cards: str = "",
        *,
        options: dict[str, str] | None = None,
        paytables: Any = None,
        positions: int = 7,
        after: "LiveTable | None" = None,
        shuffle_id: str = "s",
    ) -> None:
        self.ruleset = make_ruleset(game, options, paytables)
        before: Round | None = after.round if after else None
        self.round: Round = open_round(self.ruleset, "000001", positions, after=before)
        self.start = self.round
        self.log: list[Event] = []
        self.cards, self.shuffle_id = cards, shuffle_id

    def do(self, *commands: Command) -> list[Event]:
        """What the commands made happen."""
        before = len(self.log)
        for command in commands:
            self.round, happened = act(self.round, command)
            self.log += happened
        return self.log[before:]

    def refused(self, command: Any) -> Refused:
        """Why a command is refused; it must be."""
        found = refusal(self.round, command)
        assert found is not None, f"{command} is allowed"
        return found

    def why(self, command: Any) -> tuple[str, str | None]:
        """Reason and clause of a refusal."""
        found = self.refused(command)
        return found.reason.value, found.clause

    def bet(self, position: int, player: str = "", /, **dollars: float) -> None:
        """Put the bets of a position up, in dollars; pair_plus is 'pair-plus'."""
        self.do(bets(position, player, **dollars))

    def deal(self, *to: int, meters: dict[str, int] | None = None) -> None:
        """Close the bets, start the progressive where there is one, and deal."""
        self.do(c.NoMoreBets())
        if meters is not None:
            self.do(c.StartGame(tuple(meters.items())))  # type: ignore[arg-type]
        self.load()
        self.do(*(c.Deliver(place) for place in to) if to else (c.Deliver(),))

    def load(self) -> None:
        """Make the deck ready."""
        self.do(c.LoadShuffle(shuffled(self.ruleset, self.cards, self.shuffle_id)))

    def decide(self, *decisions: tuple[int, str]) -> None:
        """Decisions by position."""
        self.do(*(c.Decide(position, decision) for position, decision in decisions))

    def war(self) -> None:
        """From the first cards to the second ones."""
        self.do(c.Reconcile(), c.Deliver())

    def finish(self) -> None:
        """Reveal, settle and close a three-card round."""
        if any(seat.folded for seat in self.round.seats):
            self.do(c.CollectForfeits())
        self.do(c.Reveal())
        if self.round.community:
            self.do(c.Reveal("community"))
        if self.round.waiting:
            self.do(c.Reconcile())
        if refusal(self.round, c.PayEnvy()) is None:
            self.do(c.PayEnvy())
        self.do(c.CloseRound())

    def seat(self, position: int) -> Seat:
        """The seat at a position."""
        return self.round.seat(position)

    def events(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind."""
        return [event for event in self.log if isinstance(event, kind)]

    def dealt(self) -> list[tuple[int, str, str]]:
        """To whom, which cards, and how each lies: 'u' or 'd'."""
        return [
            (event.to, cards_text(event.cards), "".join("u" if up else "d" for up in event.up))
            for event in self.events(Dealt)
            if isinstance(event.to, int)
        ]

    def settled(self) -> list[tuple[int, str]]:
        """Position and bet of every line, in the order they were settled."""
        return [(event.position, event.line.bet) for event in self.events(Settled)]

    def nets(self, position: int) -> dict[str, int]:
        """The net of every bet of a position, in cents."""
        return {line.bet: line.net for line in self.seat(position).lines}

    def view(self, kind: ViewerKind, position: int | None = None) -> dict[str, Any]:
        """The table as someone sees it."""
        return view(self.round, Viewer(kind, position))


def bets(position: int, player: str = "", /, **dollars: float) -> c.PlaceBets:
    """A command that puts bets up, in dollars."""
    placed = tuple(
        (name.replace("_", "-"), round(amount * 100)) for name, amount in dollars.items()
    )
    return c.PlaceBets(position, placed, player)


def wealth(table: Round) -> tuple[int, ...]:
    """What each position has, in hand and on the felt."""
    return tuple(seat.purse + seat.felt for seat in table.seats)
