"""Rounds: a round of any game dealt live from a seed, by random rules, bets and decisions."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from houseway.cards import ACE, make_card, suit_of
from houseway.games.contract import Game
from houseway.games.library import chosen_bets, paytables_of
from houseway.house.options import allowed_values, of_few_words
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.commands import Command, Place
from houseway.live.procedure import Meters, answers, next_step
from houseway.live.round import act, refusal
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, open_round
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset, make_ruleset

MOST_POSITIONS = 4
MOST_STEPS = 500
"""A round takes a few dozen steps; more of them mean that it never ends."""
LOW_METER, HIGH_METER = 10_000, 10_000_000


class BrokenGame(Exception):  # noqa: N818 - a finding about a game, not an error of the program
    """A round cannot be dealt; the message is the finding."""


class Step(NamedTuple):
    """One command of a round, and what came of it."""

    before: Round
    command: Command
    happened: tuple[e.Event, ...]
    after: Round


class Played(NamedTuple):
    """A round that was dealt to its end."""

    ruleset: Ruleset
    opened: Round
    steps: tuple[Step, ...]

    @property
    def final(self) -> Round:
        """The round when it was over."""
        return self.steps[-1].after

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command, in order."""
        return tuple(step.command for step in self.steps)

    @property
    def deck(self) -> tuple[int, ...]:
        """The deck in dealing order."""
        assert self.final.shuffle is not None
        return self.final.shuffle.cards


@lru_cache(maxsize=4)
def deal(game: Game, seed: int) -> Played:
    """A round of a game to its end; raises BrokenGame where there is no way on."""
    rng = Random(f"{game.code} {seed}")
    rules = some_rules(game, rng)
    opened = open_round(rules, "000001", rng.randint(1, MOST_POSITIONS))
    table = opened
    steps: list[Step] = []

    def do(command: Command) -> None:
        nonlocal table
        before = table
        table, happened = act(before, command)
        steps.append(Step(before, command, happened, table))
        if len(steps) > MOST_STEPS:
            raise BrokenGame(f"the round is not over after {MOST_STEPS} steps")

    for command in before_the_deal(opened, some_deck(rules, rng), rng):
        do(command)
    meters = some_meters(rules, rng)
    while not table.over:
        step = next_step(table, meters)
        if step is not None:
            for one in _one_by_one(table, step, rng):
                do(one)
            continue
        for command in some_answers(table, rng):
            do(command)
    return Played(rules, opened, tuple(steps))


def some_rules(game: Game, rng: Random) -> Ruleset:
    """The rules of a game with options and paytables at random."""
    options = {
        name: rng.choice(allowed_values(name, game.options))
        for name in of_few_words(game.options)
        if game.touches(name) and rng.random() < 0.3
    }
    paytables = {
        bet: rng.choice(paytables_of(game, bet)).code
        for bet in chosen_bets(game)
        if rng.random() < 0.5
    }
    try:
        return make_ruleset(game, options, paytables)
    except Refused:
        # Not every option goes with every other.
        return make_ruleset(game)


def chosen_paytables(rules: Ruleset) -> dict[str, str]:
    """The codes of the paytables that a house chooses, by bet."""
    known = chosen_bets(rules.game)
    return {bet: table.code for bet, table in rules.paytables.items() if bet in known}


def some_deck(rules: Ruleset, rng: Random) -> tuple[int, ...]:
    """A deck at random; some have few ranks at the top, so that hands tie, others whole suits."""
    deck = list(rules.deck.cards)
    rng.shuffle(deck)
    kind = rng.random()
    if kind < 0.4:
        ranks = [rng.choice((ACE, rng.randrange(13))), *rng.sample(range(13), rng.randint(0, 2))]
        few = {make_card(rank, suit) for rank in ranks for suit in range(4)}
        deck.sort(key=lambda card: card not in few)
    elif kind < 0.6:
        suits = rng.sample(range(4), 4)
        deck.sort(key=lambda card: (suits.index(suit_of(card)), -card))
    return tuple(deck)


def before_the_deal(opened: Round, deck: tuple[int, ...], rng: Random) -> list[Command]:
    """Bets on one position or more, a deck, and the end of betting."""
    table, rules = opened, opened.ruleset
    found: list[Command] = []
    for seat in opened.seats:
        bets = some_bets(table, seat.position, rng)
        if bets is not None and (not found or rng.random() < 0.8):
            table, _ = act(table, bets)
            found.append(bets)
    if not found:
        raise BrokenGame(f"no bets are taken on {', '.join(rules.game.wagers) or 'no spot at all'}")
    by = "automatic" if rules.options.shuffler_mode == "automatic" else "house procedure"
    shuffle = Shuffle(f"{rng.getrandbits(32):x}", deck, rules.game.packet, by)
    return [*found, c.LoadShuffle(shuffle), c.NoMoreBets()]


def some_bets(table: Round, position: int, rng: Random) -> c.PlaceBets | None:
    """Bets of a position that the table takes; None when none were found."""
    game = table.ruleset.game
    for _ in range(50):
        unit = rng.choice((1, 2, 100, 200, 1000))
        alike = rng.randint(1, 20) if rng.random() < 0.5 else 0
        spots = [bet for bet in game.wagers if bet in game.required or rng.random() < 0.7]
        bets = tuple((bet, unit * (alike or rng.randint(1, 20))) for bet in spots)
        command = c.PlaceBets(position, bets)
        if bets and refusal(table, command) is None:
            return command
    return None


def some_meters(rules: Ruleset, rng: Random) -> Meters:
    """What stands on the meters that the paytables of these rules pay from."""
    levels = dict.fromkeys(level for table in rules.paytables.values() for level in table.levels)
    return tuple((level, rng.randint(LOW_METER, HIGH_METER)) for level in levels)


def some_answers(table: Round, rng: Random) -> Sequence[Command]:
    """What the players who are asked now decide, at random among what they may."""

    def decides(live: Round, position: int) -> str | None:
        names = allowed(live, position)
        if live.offer is not None:
            return rng.choice((*names, None))
        if not names:
            raise BrokenGame(
                f"position {position} is asked {where(live)} and every action is refused"
            )
        # Few hands may be split, so those that may mostly are.
        splits = [name for name in names if name in opening]
        return rng.choice(splits if splits and rng.random() < 0.7 else names)

    opening = {action.name for action in table.ruleset.game.actions if action.splits}
    try:
        return list(answers(table, decides))
    except IndexError:
        raise BrokenGame(
            f"nobody can go on {where(table)}: no step is due and nobody is asked"
        ) from None


def allowed(table: Round, position: int) -> list[str]:
    """The decisions that a position may make now."""
    step = table.asking
    names = [action.name for action in step.actions] if step is not None else []
    return [name for name in names if refusal(table, c.Decide(position, name)) is None]


def where(table: Round) -> str:
    """Where in the script a round stands, for a sentence."""
    step = table.ruleset.game.script[table.at]
    return f"at step {table.at + 1} of the script ({type(step).__name__})"


def cards_by_place(played: Played) -> dict[Place | str, list[int]]:
    """The places of the deck's cards, by where each card was dealt; 'burned' is one of them."""
    found: dict[Place | str, list[int]] = {}
    size = len(played.deck)
    for step in played.steps:
        taken = step.before.dealt
        for event in step.happened:
            match event:
                case e.Dealt(to, cards, _):
                    found.setdefault(to, []).extend(range(taken, taken + len(cards)))
                    taken += len(cards)
                case e.CommunityTaken(cards, source):
                    last = range(size - 1, size - 1 - len(cards), -1)
                    next_ones = range(taken, taken + len(cards))
                    found["community"] = list(next_ones if source == "next_packet" else last)
                    taken += len(cards)
                case e.Burned(number):
                    found.setdefault("burned", []).extend(range(taken, taken + number))
                    taken += number
    return found


def _one_by_one(table: Round, step: Command, rng: Random) -> list[Command]:
    """A step for all places that wait, or the same step for each of them."""
    if rng.random() < 0.5:
        return [step]
    if step == c.Reconcile():
        return [c.Reconcile(position) for position in table.to_settle]
    if step == c.Deliver() and table.waiting:
        return [c.Deliver(place) for place in table.waiting]
    return [step]
