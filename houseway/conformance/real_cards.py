"""Real cards: a deck that nobody knows comes to the same, and hands of a wrong size are found."""

from collections.abc import Iterator
from random import Random

from houseway.cards import UNKNOWN, cards_text
from houseway.conformance.rounds import BrokenGame, Played, cards_by_place, deal, where
from houseway.games.contract import Game
from houseway.live import commands as c
from houseway.live import engine
from houseway.live import events as e
from houseway.live.commands import Command, Place
from houseway.live.guard import place_words
from houseway.live.round import act, refusal
from houseway.live.state import Round
from houseway.refusal import Refused


def real_cards_agree(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each way in which real cards come to something else.

    The round is dealt again from a deck that nobody knows, and each card is entered as it is turned
    over. Until then it is nowhere in the round nor in what happened. The first hand entered at each
    place is tried with a card more and a card fewer.
    """
    played = deal(game, seed)
    real = _Real(played, Random(seed))
    for command in real.commands():
        try:
            real.do(command)
        except Refused as refused:
            yield f"{command} is refused with real cards: {refused.message}"
            return
        except BrokenGame as broken:
            yield str(broken)
            return
        yield from real.findings
        real.findings.clear()
    for one, other in zip(real.table.seats, played.final.seats, strict=True):
        if one.lines != other.lines:
            yield (
                f"position {one.position} is settled otherwise with real cards: "
                f"{_nets(one.lines)} instead of {_nets(other.lines)}"
            )
    if real.table.said != played.final.said:
        yield f"the dealer says {real.table.said!r} with real cards, not {played.final.said!r}"


def _nets(lines: tuple[object, ...]) -> str:
    return "; ".join(map(str, lines)) or "nothing"


class _Real:
    """The round of a played one, dealt from real cards."""

    def __init__(self, played: Played, rng: Random) -> None:
        self.played, self.rng = played, rng
        self.table = played.opened
        self.entered: set[int] = set()
        """The cards that have been entered by now."""
        self.lying = {
            place: [played.deck[index] for index in indices]
            for place, indices in cards_by_place(played).items()
        }
        self.tried: set[Place] = set()
        self.findings: list[str] = []

    def commands(self) -> Iterator[Command]:
        """The commands of the round, with each hand settled as it is turned over."""
        for step in self.played.steps:
            if isinstance(step.command, c.LoadShuffle):
                made = step.command.shuffle
                yield c.LoadShuffle(made._replace(cards=(UNKNOWN,) * len(made.cards)))
            elif step.command == c.Reconcile():
                yield from (c.Reconcile(position) for position in step.before.to_settle)
            else:
                yield step.command

    def do(self, command: Command) -> None:
        """Enter what is turned over now, do a command, and enter what it turns over."""
        self._enter()
        self._act(command)
        self._enter()

    def _act(self, command: Command) -> None:
        self.table, happened = act(self.table, command)
        self._look(happened)

    def _enter(self) -> None:
        while (due := engine.awaited(self.table)) is not None:
            place, number = due
            cards = self._turned_over(place, number)
            if place not in self.tried:
                self.tried.add(place)
                self.findings += _miscounts(self.table, place, cards, self._spare())
            self.entered |= set(cards)
            self._act(c.Expose(place, cards))

    def _turned_over(self, place: Place, number: int) -> tuple[int, ...]:
        """The next cards of a place: those face up if they are awaited, else the first unknown."""
        held, up = _held(self.table, place)
        unknown = [at for at, card in enumerate(held) if card == UNKNOWN]
        facing = [at for at in unknown if up[at]] or unknown
        return tuple(self.lying[place][at] for at in facing[:number])

    def _spare(self) -> int:
        """A card that lies nowhere on the table."""
        out = {card for cards in self.lying.values() for card in cards}
        return next(card for card in self.played.deck if card not in out)

    def _look(self, happened: tuple[e.Event, ...]) -> None:
        """Find cards that nobody has entered in the round or in what has just happened."""
        table = self.table
        places = [seat.cards for seat in table.seats]
        places += [hand.cards for seat in table.seats for hand in seat.hands]
        places += [table.dealer, *(laid.cards for laid in table.laid.values())]
        places += [cards for event in happened if (cards := getattr(event, "cards", None))]
        told = {card for cards in places for card in cards} - self.entered - {UNKNOWN}
        if told:
            self.findings.append(
                f"{cards_text(sorted(told))} is known {where(table)} and was never turned over"
            )


def _held(table: Round, place: Place) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    if isinstance(place, str):
        return table.laid[place]
    if place == c.DEALER:
        return table.dealer, table.dealer_up
    return table.seat(place).cards, table.seat(place).up


def _miscounts(table: Round, place: Place, cards: tuple[int, ...], spare: int) -> Iterator[str]:
    """Yields a sentence where a hand with a card more or fewer is not found to be a misdeal."""
    for wrong in ((*cards, spare), cards[:-1]):
        if not wrong:
            continue
        named = f"{len(wrong)} cards for {len(cards)} at {place_words(place)}"
        refused = refusal(table, c.Expose(place, wrong))
        if refused is not None:
            yield f"{named} are refused, not found to be a misdeal: {refused.message}"
            continue
        found, happened = act(table, c.Expose(place, wrong))
        if not any(isinstance(event, e.MiscountFound) for event in happened):
            yield f"{named} pass for the right number"
            continue
        void, _ = act(found, c.VoidRound("wrong_card_count"))
        kept = sum(seat.purse + seat.carried for seat in void.seats)
        if void.money() != 0 or kept != 0:
            yield f"{named} make the round void, and {kept} cents do not go back"
        again, _ = act(found, c.Rule("play_on", "entered wrong"))
        if (problem := refusal(again, c.Expose(place, cards))) is not None:
            yield f"after {named} the right ones are refused: {problem.message}"
