"""Faults that the checks must find, each planted in a made-up game."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from houseway.cards import UNKNOWN, rank_of
from houseway.games.base import EVEN_MONEY, loses, wins
from houseway.games.contract import (
    Action,
    Ask,
    Bet,
    Game,
    Ruling,
    Seen,
    Settle,
)
from houseway.house.options import Options
from tests.contract.made_up import BOARD, CLAUSE, LET, WAR

Verdicts = Callable[[Any, tuple[str, ...], Any, Options], Iterator[Ruling]]


def with_step(game: Game, number: int, **changes: Any) -> Game:
    """The game with one step of its script changed."""
    script = list(game.script)
    script[number] = replace(script[number], **changes)
    return replace(game, script=tuple(script))


def with_action(game: Game, action_name: str, /, **changes: Any) -> Game:
    """The game with one of its actions changed, wherever it is asked for."""

    def changed(action: Action) -> Action:
        return replace(action, **changes) if action.name == action_name else action

    script = tuple(
        replace(step, actions=tuple(map(changed, step.actions))) if isinstance(step, Ask) else step
        for step in game.script
    )
    return replace(game, script=script)


def with_rule(game: Game, change: Callable[[list[Ruling], Any], list[Ruling]]) -> Game:
    """The game with its rulings changed, by what is seen."""

    def verdicts(seen: Any, actions: tuple[str, ...], tables: Any, options: Options) -> Any:
        return iter(change(list(game.verdicts(seen, actions, tables, options)), seen))

    return replace(game, verdicts=verdicts)


def high_hole(seen: Seen, options: Options) -> bool:
    """Looks at a card of the dealer's that lies face down; nobody may know it."""
    return rank_of(seen.dealer[1]) > 5


def high_own(seen: Seen, options: Options) -> bool:
    """Looks at cards of the seat that lie face down; only their player may know them."""
    return rank_of(seen.own[0]) > 5


def never(seen: Seen, options: Options) -> str:
    """Refuses an action always."""
    return "it is never allowed"


def without_reason(seen: Seen, options: Options) -> str:
    """Refuses an action and does not say why."""
    return ""


def third_card(seen: Seen, options: Options) -> str | None:
    """Fails where there is no third card."""
    return None if seen.hand.cards[2] >= 0 else "the third card is not known"


def guessing(found: list[Ruling], seen: Seen) -> list[Ruling]:
    """Pays the Ante while the dealer's cards lie face down, whatever they turn out to be."""
    down = UNKNOWN in seen.dealer and "fold" not in seen.actions
    return [Ruling("ante", wins(EVEN_MONEY, CLAUSE, "it is early and pays"))] if down else found


def remembering() -> Callable[[list[Ruling], Seen], list[Ruling]]:
    """Takes every third ruling for a loss: the rules are not what they were a moment ago."""
    asked = count()
    lost = loses(CLAUSE, "it is the turn of the house")
    return lambda found, _: [
        ruling._replace(verdict=lost) if next(asked) % 3 == 0 else ruling for ruling in found
    ]


def forgotten(found: list[Ruling], seen: Seen) -> list[Ruling]:
    """Says nothing of the tie bet."""
    return [ruling for ruling in found if ruling.bet != "tie"]


def twice(found: list[Ruling], seen: Seen) -> list[Ruling]:
    """Settles the Ante twice."""
    return [*found, *(ruling for ruling in found if ruling.bet == "ante")]


def too_much(found: list[Ruling], seen: Seen) -> list[Ruling]:
    """Takes more from a loser than lies there."""
    lost = loses(CLAUSE, "twice the wager is lost", Fraction(2))
    return [ruling._replace(verdict=lost) for ruling in found]


FAULTS: tuple[tuple[str, str, Game, str], ...] = (
    (
        "settle",
        "who is asked depends on a card that only a deck knows",
        with_step(BOARD, 2, when=high_hole),
        "settled alone it is asked otherwise",
    ),
    ("settle", "rules with a memory", with_rule(BOARD, remembering()), "settle"),
    ("money", "a bet that no rule settles", with_rule(WAR, forgotten), r"on tie and \$0\.00"),
    ("money", "a bet that is settled twice", with_rule(BOARD, twice), "more than once"),
    ("money", "a loser who pays double", with_rule(BOARD, too_much), "more than was wagered"),
    ("verdicts", "a verdict before the cards", with_rule(BOARD, guessing), "the verdict on ante"),
    (
        "views",
        "a question that tells of hidden cards",
        with_step(BOARD, 2, when=high_own),
        "may not see",
    ),
    ("records", "rules with a memory", with_rule(BOARD, remembering()), "done again"),
    (
        "records",
        "an action that no line can hold",
        with_action(WAR, "surrender", name="Give up!"),
        "cannot be read",
    ),
    (
        "decisions",
        "a question without an answer",
        with_action(with_action(WAR, "war", why_not=never), "surrender", why_not=never),
        "every action is refused",
    ),
    (
        "decisions",
        "a usual action that is refused",
        with_action(LET, "ride", why_not=never),
        "'ride' is usual",
    ),
    (
        "decisions",
        "a refusal without a reason",
        with_action(LET, "pull-first", why_not=without_reason),
        "which is no sentence",
    ),
    (
        "decisions",
        "an action by a card that only a deck knows",
        with_action(
            BOARD, "raise-4", why_not=lambda seen, _: None if high_hole(seen, _) else "it is low"
        ),
        "allows raise-4",
    ),
    ("words", "an unknown clause", with_step(WAR, 0, clause="XYZ-99"), "'XYZ-99'"),
    ("words", "a step by no clause", with_step(WAR, 0, clause=""), "names no clause"),
    (
        "words",
        "a bet that is no code",
        replace(WAR, bets=(*WAR.bets, Bet(code="Side Bet"))),
        "bet 'Side Bet' is not written",
    ),
    (
        "words",
        "one name for two actions",
        with_action(LET, "pull-second", name="pull-first"),
        "'pull-first' means 2 different things",
    ),
    (
        "words",
        "a bet that is not there",
        replace(WAR, script=(*WAR.script[:-1], Settle(bets=("ante",), clause=CLAUSE))),
        "'ante' is settled, which is no bet",
    ),
    ("words", "a question in open words", with_step(WAR, 3, says="Position {{x}}?"), "left open"),
    (
        "bad input",
        "a rule that fails on what is refused",
        with_action(BOARD, "fold", why_not=third_card),
        "raises IndexError, not a refusal",
    ),
    (
        "real cards",
        "a question by a card that nobody has turned over",
        with_step(BOARD, 2, when=high_own),
        "with real cards",
    ),
)
"""The check that finds a fault, the fault in words, the game that has it, and what is said."""
