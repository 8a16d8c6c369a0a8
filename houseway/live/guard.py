"""Guard: what the rules of every command have in common."""

from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from houseway.live.commands import DEALER, Command
from houseway.live.shuffler import Shuffle
from houseway.live.state import Happening, Round
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed

Guarded = Refused | None


def shape_problem(command: Command) -> Guarded:
    """Why a command cannot be read at all: a value in it is not of its kind.

    Commands come from outside, where nobody has checked their types; the guards need not.
    """
    for name, fits in _FITTING[type(command)]:
        value = getattr(command, name)
        if not fits(value):
            return Refused(
                Reason.BAD_ARGUMENT,
                f"{name} {value!r} of {type(command).__name__} cannot be read",
            )
    return None


Fits = Callable[[Any], bool]


def _fitting(hint: Any) -> Fits:
    """A test whether a value is of a kind, made once: commands are many."""
    parts = get_args(hint)
    if hint is int:
        return lambda value: type(value) is int
    if hint is str or get_origin(hint) is Literal:
        # Which words are known is the guards' matter.
        return lambda value: isinstance(value, str)
    if hint is Shuffle:
        own = tuple(_fitting(kind) for kind in get_type_hints(Shuffle).values())
        return lambda value: type(value) is Shuffle and _all_fit(value, own)
    if get_origin(hint) is UnionType:
        some = tuple(_fitting(part) for part in parts)
        return lambda value: any(fits(value) for fits in some)
    if get_origin(hint) is tuple and parts == (int, ...):
        return lambda value: type(value) is tuple and set(map(type, value)) <= {int}
    if get_origin(hint) is tuple and parts[-1] is Ellipsis:
        each = _fitting(parts[0])
        return lambda value: type(value) is tuple and all(map(each, value))
    if get_origin(hint) is tuple:
        every = tuple(_fitting(part) for part in parts)
        return lambda value: type(value) is tuple and _all_fit(value, every)
    assert hint is type(None), hint
    return lambda value: value is None


def _all_fit(values: tuple[Any, ...], kinds: tuple[Fits, ...]) -> bool:
    return len(values) == len(kinds) and all(
        fits(value) for value, fits in zip(values, kinds, strict=True)
    )


_FITTING: dict[type, tuple[tuple[str, Fits], ...]] = {
    kind: tuple((name, _fitting(hint)) for name, hint in get_type_hints(kind).items())
    for kind in get_args(Command)
}


def wrong_phase(table: Round, step: str, needed: str) -> Refused:
    """The refusal of a command whose phase it is not."""
    return Refused(
        Reason.WRONG_PHASE,
        f"the round is in phase '{table.phase}'; {needed}",
        table.ruleset.game.clause(step, table.stage),
    )


def position_problem(table: Round, position: int, *, in_round: bool = True) -> Guarded:
    """Why a position cannot be meant: not at the table, or not in the round."""
    known = table.playing if in_round else range(1, len(table.seats) + 1)
    if position not in known:
        where = listed(table.playing) if in_round else f"1 to {len(table.seats)}"
        return Refused(
            Reason.WRONG_POSITION,
            f"position {position!r} is not in the round; allowed: {where or 'none'}",
        )
    return None


def bet_named(table: Round, name: str) -> Bet:
    """The bet of the game with that name."""
    return next(bet for bet in table.ruleset.game.order if bet == name)


def place_words(place: object) -> str:
    """A place in words."""
    if isinstance(place, str):
        return f"place {place!r}"
    return "the dealer" if place == DEALER else f"position {place}"


def shuffler_down(table: Round) -> Refused:
    """The refusal while a failed shuffler is worked on."""
    assert table.runbook is not None
    return Refused(
        Reason.IRREGULARITY_OPEN,
        f"the shuffler has failed ({table.runbook.what}); finish its runbook first",
        table.ruleset.game.clause("fault"),
    )


def line_of_text(what: str, text: str) -> Guarded:
    """Why a text cannot be kept: it is not one printable line."""
    if not text.isprintable():
        return Refused(Reason.BAD_ARGUMENT, f"{what} {text!r} is not one line of text")
    return None


CommandRule = tuple[Callable[[Round, Any], Guarded], Callable[[Round, Any], Happening]]
"""Whether a command may be done, and what it then makes happen."""
