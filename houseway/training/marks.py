"""Marks: fields that many questions share, each with its answer from a settled line."""

from collections.abc import Sequence
from functools import cache

from houseway.catalog.register import clauses
from houseway.house.money import dollars_text
from houseway.house.options import Options
from houseway.names import bet_name
from houseway.rules.lines import Line
from houseway.training.drill import Choice, Field
from houseway.training.felt import YES_NO, yes_no

BECOMES = (
    Choice("paid", "it is paid"),
    Choice("taken", "it is taken"),
    Choice("half", "part of it is taken"),
    Choice("returned", "it is given back"),
)
"""What may become of a wager."""
NOT_PAID = Choice("none", "it pays nothing")


def becomes(line: Line) -> str:
    """What became of a wager."""
    if line.net > 0:
        return "paid"
    if line.net == 0:
        return "returned"
    return "taken" if -line.net == line.wager else "half"


def known_clause(*wanted: str | None) -> str | None:
    """The first of these that is a clause of the register."""
    return next((each for each in wanted if each in _ids()), None)


@cache
def _ids() -> frozenset[str]:
    return frozenset(clause.id for clause in clauses())


def becomes_field(line: Line, label: str = "") -> Field:
    """What becomes of one wager."""
    return Field(
        name=line_name(line),
        label=label or f"What becomes of {line_label(line)}?",
        kind="choice",
        answer=becomes(line),
        why=line.why,
        clause=line.clause,
        choices=BECOMES,
    )


def amount_field(line: Line, options: Options, name: str = "amount", label: str = "") -> Field:
    """How much changes hands on one wager, whichever way."""
    return Field(
        name=name,
        label=label or f"How much is paid or taken on {line_label(line)}?",
        kind="amount",
        answer=abs(line.net),
        why=why_amount(line, options),
        clause=line.clause,
    )


def why_amount(line: Line, options: Options) -> str:
    """Why a line is what it is, with what was done to a part of a chip or cent."""
    half = -line.net * 2
    odd = 0 < half < line.wager * 2 and half != line.wager
    if not odd:
        return line.why
    unit = dollars_text(options.smallest_chip) if options.breakage == "down_to_chip" else "a cent"
    return f"{line.why} The odd part is rounded down to whole multiples of {unit}."


def line_name(line: Line) -> str:
    """The name of a field about a line."""
    return line.bet if line.hand is None else f"{line.bet}-{line.hand}"


def line_label(line: Line) -> str:
    """A line in words."""
    return bet_name(line.bet) if line.hand is None else f"{bet_name(line.bet)}, hand {line.hand}"


def choice_field(
    name: str,
    label: str,
    answer: str,
    choices: Sequence[Choice],
    why: str,
    clause: str | None,
) -> Field:
    """A field with one right choice."""
    return Field(
        name=name,
        label=label,
        kind="choice",
        answer=answer,
        why=why,
        clause=clause,
        choices=tuple(choices),
    )


def yes_field(name: str, label: str, yes: object, why: str, clause: str | None) -> Field:
    """A field that is yes or no."""
    return choice_field(name, label, yes_no(yes), YES_NO, why, clause)
