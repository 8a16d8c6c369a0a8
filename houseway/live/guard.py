"""Guard: what the rules of every command have in common."""

from collections.abc import Callable
from typing import Any

from houseway.live.commands import DEALER
from houseway.live.phases import clause
from houseway.live.state import Round
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed

Guarded = Refused | None


def wrong_phase(table: Round, step: str, needed: str) -> Refused:
    """The refusal of a command whose phase it is not."""
    return Refused(
        Reason.WRONG_PHASE,
        f"the round is in phase '{table.phase}'; {needed}",
        clause(table.ruleset.game.code, step, table.stage),
    )


def position_problem(table: Round, position: Any, *, in_round: bool = True) -> Guarded:
    """Why a position cannot be meant: not at the table, or not in the round."""
    known = table.playing if in_round else range(1, len(table.seats) + 1)
    if isinstance(position, bool) or not isinstance(position, int) or position not in known:
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
    return "the dealer" if place == DEALER else f"position {place}"


def shuffler_down(table: Round) -> Refused:
    """The refusal while a failed shuffler is worked on."""
    assert table.runbook is not None
    return Refused(
        Reason.IRREGULARITY_OPEN,
        f"the shuffler has failed ({table.runbook.what}); finish its runbook first",
        clause(table.ruleset.game.code, "fault"),
    )


def line_of_text(what: str, text: object) -> Guarded:
    """Why a text cannot be kept: it is not one printable line."""
    if not isinstance(text, str) or not text.isprintable():
        return Refused(Reason.BAD_ARGUMENT, f"{what} {text!r} is not one line of text")
    return None


CommandRule = tuple[Callable[[Round, Any], Guarded], Callable[[Round, Any], Any]]
"""Whether a command may be done, and what it then makes happen."""
