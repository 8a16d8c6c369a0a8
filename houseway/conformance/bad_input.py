"""Bad input: whatever is no bet, card, deck or decision is refused with a sentence on it."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from houseway.cards import card_text
from houseway.conformance.rounds import Played, deal
from houseway.conformance.settling import seat_deck
from houseway.games.contract import Ask, Game
from houseway.live import commands as c
from houseway.live.round import refusal
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, Seat
from houseway.refusal import Reason, Refused
from houseway.rules.settlement import settle

NO_AMOUNTS: tuple[Any, ...] = (
    *(None, True, False, -1, -1000, 0, 0.5, 10.0, "", "10", "ten", b"10", [], {}, (), 10**20),
    *(float("nan"), float("inf"), object),
)
NO_CARDS: tuple[Any, ...] = (-1, -2, 52, 10**6, True, None, 3.0, "Zz", "1h", "A", [], b"Kh")
NO_DECISIONS: tuple[Any, ...] = ("", "no such action", "Hit", 0, None, True, [], b"hit")
NO_PLACES: tuple[Any, ...] = (-1, 0, 8, 99, True, None, 1.0, "nowhere", "", [], b"x")


def bad_input_is_refused(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each bad value that is taken, or refused without its sentence.

    A round that was dealt is settled again with one thing wrong in what is handed over, and at a
    live table commands are tried that cannot be.
    """
    played = deal(game, seed)
    rng = Random(seed)
    seats = [seat for seat in played.final.seats if seat.wagers]
    seat = rng.choice(seats)
    given = _Given(played, seat)
    yield from _wrong_bets(game, given, rng)
    yield from _wrong_cards(given, rng)
    yield from _wrong_decisions(given, rng)
    yield from _wrong_commands(rng.choice(played.steps).after, rng)


class _Given:
    """What a seat is settled from."""

    def __init__(self, played: Played, seat: Seat) -> None:
        self.played, self.seat = played, seat
        self.deck = seat_deck(played, seat)
        asked = (step for step in played.ruleset.game.script if isinstance(step, Ask))
        offered = {action.name for step in asked if step.offers for action in step.actions}
        self.passed = offered - set(seat.decisions)
        """What was offered and let pass, which it might as well have taken."""
        self.bets = {b: cents for b, cents in seat.wagers.items() if b != "progressive"}

    def settled(self, **instead: Any) -> Callable[[], object]:
        """A call of `settle` with something else in place of what it should be given."""
        rules = self.played.ruleset
        given: dict[str, Any] = {
            "bets": self.bets,
            "deck": self.deck,
            "decisions": self.seat.decisions,
            "options": rules.options,
        }
        return lambda: settle(rules.game, **(given | instead))


def problem(call: Callable[[], object], quoting: Any, what: str) -> str | None:
    """What is wrong with the answer to bad input; None for a refusal that quotes it."""
    named = f"{what} {quoting!r}"
    try:
        call()
    except Refused as refused:
        message = refused.message
        if not isinstance(refused.reason, Reason) or len(message.split()) < 4 or "\n" in message:
            return f"{named} is refused with {message!r}, which is no sentence"
        if not _quotes(message, quoting):
            return f"{named} is refused without being quoted: {message!r}"
        return None
    except Exception as error:
        return f"{named} raises {type(error).__name__}, not a refusal: {error}"
    return f"{named} is accepted"


def _quotes(message: str, value: Any) -> bool:
    texts = [repr(value), str(value)]
    if isinstance(value, list | tuple):
        texts += [repr(part) for part in value]
    return any(text in message for text in texts)


def _found(*answers: str | None) -> Iterator[str]:
    yield from (answer for answer in answers if answer is not None)


def _wrong_bets(game: Game, given: "_Given", rng: Random) -> Iterator[str]:
    for bet in given.bets:
        amount = rng.choice(NO_AMOUNTS)
        call = given.settled(bets=given.bets | {bet: amount})
        yield from _found(problem(call, amount, f"a wager on {bet} of"))
    for name in ("no-such-bet", "", *(code for code in game.order if code not in game.wagers)):
        call = given.settled(bets=given.bets | {name: 1000})
        yield from _found(problem(call, name, "bet"))
    for bet in game.required:
        left: Mapping[str, int] = {b: n for b, n in given.bets.items() if b != bet}
        yield from _found(problem(given.settled(bets=left), bet, "a seat without"))
    for bets in (None, 5, "ante", [("ante", 1000)], {5: 1000}):
        yield from _found(problem(given.settled(bets=bets), bets, "bets given as"))


def _wrong_cards(given: "_Given", rng: Random) -> Iterator[str]:
    deck = given.deck
    place, card = rng.randrange(len(deck)), rng.choice(NO_CARDS)
    instead = (*deck[:place], card, *deck[place + 1 :])
    yield from _found(problem(given.settled(deck=instead), card, "among the cards"))
    packs = given.played.ruleset.deck.packs
    often = (deck[0],) * (packs + 1)
    named = card_text(deck[0])
    yield from _found(
        problem(given.settled(deck=(*often, *deck[1:])), named, f"{packs + 1} times the card")
    )
    short = deck[: rng.randrange(len(deck))]
    answer = problem(given.settled(deck=short), len(short), "a deck too short, of cards:")
    yield from _found(answer)
    wrong: tuple[Any, ...] = (5, b"Kh", 3.5, {})
    for cards in wrong:
        yield from _found(problem(given.settled(deck=cards), cards, "a deck given as"))


def _wrong_decisions(given: "_Given", rng: Random) -> Iterator[str]:
    decisions = given.seat.decisions
    strange = rng.choice(NO_DECISIONS)
    call = given.settled(decisions=[*decisions, strange])
    yield from _found(problem(call, strange, "after its decisions,"))
    for action in given.played.ruleset.game.actions:
        if action.name in given.passed:
            continue
        call = given.settled(decisions=[*decisions, action.name])
        yield from _found(problem(call, action.name, f"after {', '.join(decisions) or 'none'},"))
    wrong: tuple[Any, ...] = (5, True, b"hit", {})
    for value in wrong:
        yield from _found(problem(given.settled(decisions=value), value, "decisions given as"))


def _wrong_commands(table: Round, rng: Random) -> Iterator[str]:
    """Yields what is wrong with the refusal of commands that no table of any game takes."""
    deck = table.shuffle.cards if table.shuffle is not None else table.ruleset.deck.cards
    packet = table.ruleset.game.packet
    place, amount = rng.choice(NO_PLACES), rng.choice(NO_AMOUNTS)
    positions: tuple[Any, ...] = (-1, 0, 99, True, "1")
    bet = rng.choice(table.ruleset.game.wagers)
    other_face = next(card for card in deck if card != deck[0])
    commands: list[Any] = [
        c.PlaceBets(place, ((bet, 1000),)),
        c.PlaceBets(1, ((bet, amount),)),
        c.PlaceBets(1, (("no-such-bet", 1000),)),
        c.LoadShuffle(Shuffle("other", deck[1:], packet)),
        c.LoadShuffle(Shuffle("other", (*deck[1:], other_face), packet)),
        c.LoadShuffle(Shuffle("other", (*deck[:-1], rng.choice(NO_CARDS)), packet)),
        c.LoadShuffle(Shuffle("other", deck, packet + 1)),
        c.Deliver("nowhere"),
        c.Expose(place, (0, 1, 2)),
        c.Expose(1, (rng.choice(NO_CARDS),)),
        c.Decide(place, "no such action"),
        c.Decide(1, rng.choice(NO_DECISIONS)),
        c.CloseOffer("no such action"),
        c.Reveal("nowhere"),
        c.Reconcile(rng.choice(positions)),
    ]
    for command in commands:
        try:
            refused = refusal(table, command)
        except Exception as error:
            yield f"{command} raises {type(error).__name__} in phase '{table.phase}': {error}"
            continue
        if refused is None:
            yield f"{command} is accepted in phase '{table.phase}'"
        elif len(refused.message.split()) < 4 or "\n" in refused.message:
            yield f"{command} is refused with {refused.message!r}, which is no sentence"
