"""Words: whatever a game names has words, and its clauses are in the register."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from houseway.catalog.register import clauses, readings
from houseway.conformance.records import reads_back
from houseway.conformance.rounds import deal
from houseway.games.contract import (
    DEALER,
    SEATS,
    Action,
    Ask,
    Bet,
    Collect,
    Deal,
    Game,
    Settle,
    Show,
    SideBet,
    Stage,
    Step,
)
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.phases import Phase
from houseway.live.text import event_text
from houseway.live.words import prompt
from houseway.names import bet_name, hand_name

CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CLAUSE = re.compile(r"[A-Z]{1,4}-[0-9]{2,3}")
CLAUSES_OF = ("bets", "two positions", "no more bets", "void", "fault")
"""The clauses on what is in no script, which every game names."""


def words_exist(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each word or clause that is missing, in the game and in a round."""
    if seed == 0:
        yield from _codes(game)
        yield from _references(game)
        yield from _clauses(game)
        yield from _commands(game)
    played = deal(game, seed)
    for table in played.ruleset.paytables.values():
        for hand, odds in table.rows:
            if not hand_name(hand).strip() or not str(odds).strip():
                yield f"hand {hand!r} of paytable {table.code!r} has no words"
    known = _known_clauses()
    for step in played.steps:
        said = prompt(step.after)
        if not said.do and step.after.phase is not Phase.CLOSED:
            yield f"nothing is said of what to do next in phase '{step.after.phase}'"
        for text in (said.say, said.do, *map(event_text, step.happened)):
            if text and ("{" in text or "}" in text):
                yield f"a place for a word is left open: {text!r}"
        if said.clause and said.clause not in known:
            yield f"clause {said.clause!r} of the step {said.do!r} is not in the register"
        for event in step.happened:
            if isinstance(event, e.Settled):
                line = event.line
                if not line.why.endswith(".") or len(line.why.split()) < 3:
                    yield f"the line on {line.bet} says {line.why!r}, which is no sentence"
                if line.clause not in known:
                    yield f"clause {line.clause!r} of a line on {line.bet} is not in the register"


def _codes(game: Game) -> Iterator[str]:
    """Codes of bets, actions and places are what the lines of a round file can hold."""
    bets = [*(bet.code for bet in game.bets), *(side.code for side in game.side_bets)]
    named = [("bet", code) for code in bets]
    named += [("action", action.name) for action in game.actions]
    named += [("place", step.to) for step in game.script if isinstance(step, Deal | Show)]
    named += [("stage", step.name) for step in game.script if isinstance(step, Stage)]
    for what, code in (("game", game.code), *named):
        if not CODE.fullmatch(code):
            yield f"{what} {code!r} is not written in small letters, digits and hyphens"
    for code in {code for code in bets if bets.count(code) > 1}:
        yield f"bet {code!r} stands twice"
    if not game.name.strip():
        yield "the game has no name"
    for code in bets:
        if not bet_name(code).strip():
            yield f"bet {code!r} has no words"
    for name, actions in _by_name(game).items():
        if len(actions) > 1:
            yield (
                f"action {name!r} means {len(actions)} different things in the script; give each "
                "a name of its own"
            )


def _by_name(game: Game) -> dict[str, set[Action]]:
    found: dict[str, set[Action]] = {}
    for step in game.script:
        for action in step.actions if isinstance(step, Ask) else ():
            found.setdefault(action.name, set()).add(action)
    return found


def _references(game: Game) -> Iterator[str]:
    """What bets, actions and steps say of one another is there."""
    order, made = game.order, game.wagers
    for bet in game.bets:
        if bet.rides and bet.rides not in order:
            yield f"bet {bet.code!r} rides on {bet.rides!r}, which is no bet of the game"
    for side in game.side_bets:
        for needed in side.needs:
            if needed not in order:
                yield f"bet {side.code!r} needs {needed!r}, which is no bet of the game"
    for action in game.actions:
        if action.puts is not None and action.puts.bet not in order:
            yield f"action {action.name!r} puts chips on {action.puts.bet!r}, which is no bet"
        if action.puts is not None and action.puts.of not in made:
            yield f"action {action.name!r} puts up a multiple of {action.puts.of!r}, no wager"
        if action.takes_back and action.takes_back not in made:
            yield f"action {action.name!r} takes back {action.takes_back!r}, which is no wager"
    for number, step in enumerate(game.script, start=1):
        yield from (f"step {number}: {problem}" for problem in _of_step(game, step))
    if not isinstance(game.script[-1], Settle):
        yield "the last step of the script settles nothing"
    if game.unit not in made:
        yield f"decisions are valued in {game.unit!r}, which no player wagers"


def _of_step(game: Game, step: Step) -> Iterator[str]:
    if isinstance(step, Ask):
        if not step.actions:
            yield "nothing may be answered"
        if step.usual and step.usual not in [action.name for action in step.actions]:
            yield f"{step.usual!r} is usual and is not among its actions"
        if step.needs and step.needs not in game.order:
            yield f"{step.needs!r} is needed, which is no bet of the game"
        if not step.says.strip() or not step.does.strip():
            yield "nothing is said of what is asked"
    if isinstance(step, Ask | Settle):
        for bet in step.settles if isinstance(step, Ask) else (*step.bets, *step.also):
            if bet not in game.order:
                yield f"{bet!r} is settled, which is no bet of the game"
    if isinstance(step, Deal) and step.for_bet and game.side_bet(step.for_bet) is None:
        yield f"cards are dealt for {step.for_bet!r}, which is no side bet of the game"
    if isinstance(step, Show):
        if not step.does.strip():
            yield f"nothing is said of what the dealer does with {step.to!r}"
        dealt = {other.to for other in game.script if isinstance(other, Deal)}
        if step.to not in dealt:
            yield f"{step.to!r} is turned over and nothing is dealt there"
    if isinstance(step, Deal | Collect | Show | Settle) and not step.clause:
        yield f"{type(step).__name__} names no clause"


def _known_clauses() -> frozenset[str]:
    return frozenset({entry.id for entry in clauses()} | {entry.id for entry in readings()})


def _clauses(game: Game) -> Iterator[str]:
    known = _known_clauses()
    for what in CLAUSES_OF:
        if not game.clauses.get(what):
            yield f"the clause on {what!r} is missing"
    for where, clause in _clauses_in(game):
        if clause not in known:
            yield f"clause {clause!r} of {where} is not in the register"


def _clauses_in(game: Game) -> Iterator[tuple[str, str]]:
    """Yields every clause that a game names, with where."""
    for entry in fields(game):
        if not entry.name.startswith("_"):
            value = getattr(game, entry.name)
            yield from ((entry.name, clause) for clause in _clauses_of(value))


def _clauses_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if CLAUSE.fullmatch(value):
            yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _clauses_of(part)
    elif hasattr(value, "values"):
        yield from _clauses_of(tuple(value.values()))
    elif is_dataclass(value) and isinstance(value, Bet | SideBet | Action | Step):
        for entry in fields(value):
            found = getattr(value, entry.name)
            # What stands where a clause belongs is one, whatever it looks like.
            if entry.name in ("clause", "fold_clause") and found:
                yield found
            else:
                yield from _clauses_of(found)


def _commands(game: Game) -> Iterator[str]:
    """Every command that a round of the game may hold is a line of its file."""
    places = {step.to for step in game.script if isinstance(step, Deal)} - {SEATS, DEALER}
    for place in places:
        yield from reads_back(c.Deliver(place))
        yield from reads_back(c.Expose(place, (0, 51)))
        yield from reads_back(c.Reveal(place))
    for action in game.actions:
        yield from reads_back(c.Decide(1, action.name))
        yield from reads_back(c.CloseOffer(action.name))
    for bet in game.order:
        yield from reads_back(c.PlaceBets(1, ((bet, 1050),), "Ann"))
        yield from reads_back(c.ReportLateWager(1, bet, 1000))
        yield from reads_back(c.ReportPayout(1, bet, -1000, 2))
        yield from reads_back(c.CorrectPayout(1, bet, "missed", 2))
