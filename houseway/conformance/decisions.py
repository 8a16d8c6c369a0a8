"""Decisions: what is offered is accepted, and everything else is refused with a sentence."""

from collections.abc import Iterator

from houseway.conformance.rounds import Played, deal, where
from houseway.conformance.settling import seat_deck
from houseway.games.contract import Game
from houseway.games.play import stages
from houseway.live import commands as c
from houseway.live import engine
from houseway.live.round import act, legal, refusal
from houseway.live.state import Round, Seat
from houseway.refusal import Refused

STRANGE = ("", "no such action", "0", "play on", "Hit", "??")
"""Words that are no action of any game."""


def decisions_hold(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each offer that is refused, and each refusal without a reason.

    Every action of the game and some strange words are tried after each step at each position, in
    and out of turn.
    """
    played = deal(game, seed)
    for step in played.steps:
        table = step.after
        offered = legal(table)
        yield from _taken(table, offered)
        yield from _others(table, offered)
        if table.asking is not None:
            yield from _somebody_can(table)
    yield from _refused_alone(played)


def _taken(table: Round, offered: tuple[c.Command, ...]) -> Iterator[str]:
    for command in offered:
        try:
            _, happened = act(table, command)
        except Refused as refused:
            yield f"{command} is offered {where(table)} and refused: {refused.message}"
            continue
        if not happened:
            yield f"{command} is offered {where(table)} and nothing comes of it"


def _others(table: Round, offered: tuple[c.Command, ...]) -> Iterator[str]:
    names = [action.name for action in table.ruleset.game.actions]
    known = {name for name in names if table.asking is not None}
    for position in range(len(table.seats) + 2):
        for name in (*names, *STRANGE):
            command = c.Decide(position, name)
            if command in offered:
                continue
            refused = refusal(table, command)
            if refused is None:
                yield f"{command} is accepted {where(table)}, and it is not offered"
                continue
            if name not in known or position in table.playing:
                yield from _sentence(table, command, refused)


def _sentence(table: Round, command: c.Decide, refused: Refused) -> Iterator[str]:
    """Yields what is wrong with a refusal: it is one sentence on what was asked."""
    message = refused.message
    if len(message.split()) < 4 or "\n" in message or message.rstrip().endswith(":"):
        yield f"{command} is refused {where(table)} with {message!r}, which is no sentence"
    asked = table.asking is not None
    names = (repr(command.decision), f"position {command.position}", str(table.phase))
    if asked and not any(name in message for name in names) and "still open" not in message:
        yield f"{command} is refused {where(table)} without naming it: {message!r}"


def _somebody_can(table: Round) -> Iterator[str]:
    """Yields where a player is asked and can answer nothing, not even what is usual."""
    step = table.asking
    assert step is not None
    first = engine.first_to_act(table)
    asked = engine.undecided(table) if first is None else [first]
    if not asked and not step.offers:
        yield f"a decision is awaited {where(table)} and nobody is asked"
    for position in asked:
        names = [action.name for action in step.actions]
        if all(refusal(table, c.Decide(position, name)) is not None for name in names):
            yield f"position {position} is asked {where(table)} and every action is refused"
        elif step.usual:
            refused = refusal(table, c.Decide(position, step.usual))
            if refused is not None:
                yield (
                    f"{step.usual!r} is usual {where(table)} and refused to position {position}: "
                    f"{refused.message}"
                )


def _refused_alone(played: Played) -> Iterator[str]:
    """Yields each action that a table refuses to the hand in turn and settling would take."""
    decks: dict[int, tuple[int, ...]] = {}
    for step in played.steps:
        table, command = step.before, step.command
        if not isinstance(command, c.Decide) or table.asking is None:
            continue
        seat = table.seat(command.position)
        if seat.position not in decks:
            decks[seat.position] = seat_deck(played, played.final.seat(seat.position))
        for action in table.asking.actions:
            tried = c.Decide(seat.position, action.name)
            if refusal(table, tried) is None:
                continue
            decisions = (*seat.decisions, action.name)
            if _takes(played, seat, decks[seat.position], decisions):
                yield (
                    f"{action.name!r} of position {seat.position} is refused {where(table)}, and "
                    f"settling it from a deck allows {', '.join(decisions)}"
                )


def _takes(played: Played, seat: Seat, deck: tuple[int, ...], decisions: tuple[str, ...]) -> bool:
    """True when a seat may decide so, dealt alone from its cards and then any others."""
    rules = played.ruleset
    cards = iter((*deck, *rules.deck.cards))

    def draw(_place: str, number: int) -> tuple[int, ...]:
        return tuple(next(cards) for _ in range(number))

    try:
        for _ in stages(rules.game, draw, decisions, seat.wagers, rules.options):
            pass
    except Refused:
        return False
    return True
