"""Request: the arguments of a command, read and checked."""

from typing import Any

from houseway.dates import parse_day
from houseway.house.money import check_amount
from houseway.journal.event import Command
from houseway.refusal import Reason, Refused

LONGEST_TEXT = 400
MOST_POSITIONS = 7


def text(command: Command, name: str, *, longest: int = 60, empty: bool = False) -> str:
    """A text argument; refused when it is missing, empty, too long or not printable."""
    value = command.arguments.get(name, "" if empty else None)
    if not isinstance(value, str) or (not value.strip() and not empty):
        raise Refused(Reason.BAD_ARGUMENT, f"{name} {shown(value)} of {command.name} is no text")
    if len(value) > longest or not value.isprintable():
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{name} of {command.name} is {len(value)} characters; at most {longest} printable "
            "ones are allowed",
        )
    return value


def cents(command: Command, name: str, *, zero: bool = False) -> int:
    """An amount in cents; refused when it is none."""
    return check_amount(command.arguments.get(name), name, zero=zero)


def position(command: Command, positions: int, name: str = "position") -> int:
    """A position of the table; refused when it has none such."""
    value = command.arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= positions:
        raise Refused(
            Reason.WRONG_POSITION,
            f"{name} {shown(value)} is unknown; the table has 1 to {positions}",
        )
    return value


def flag(command: Command, name: str) -> bool:
    """True or false; false when it is not given."""
    value = command.arguments.get(name, False)
    if not isinstance(value, bool):
        raise Refused(
            Reason.BAD_ARGUMENT, f"{name} {shown(value)} of {command.name} is not true or false"
        )
    return value


def check_pin(command: Command, clause: str | None = "PNX-14") -> None:
    """Refuse a card without its PIN."""
    if not flag(command, "pin_held"):
        raise Refused(Reason.NOT_APPROVED, f"card {command.actor!r} needs its PIN", clause)


def second(command: Command) -> str:
    """The card of a second person, who signs too; refused without its PIN."""
    card = text(command, "second")
    if not flag(command, "second_pin_held"):
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} needs its PIN")
    return card


def check_alone(command: Command) -> None:
    """Refuse a second card where nobody else signs: its PIN would be tried for nothing."""
    if "second" in command.arguments:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"second {shown(command.arguments['second'])} signs nothing here; leave it out",
        )


def number(command: Command, name: str, most: int, what: str) -> int:
    """The number of something that is counted from 1; refused when there is none such."""
    value = command.arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"{what} {shown(value)} is unknown; there are {most}", "PGM-13"
        )
    return value


def mapping(command: Command, name: str) -> dict[str, Any]:
    """A mapping; refused when it is none."""
    value = command.arguments.get(name, {})
    if not isinstance(value, dict):
        raise Refused(Reason.BAD_ARGUMENT, f"{name} {shown(value)} of {command.name} is no mapping")
    return value


def day(command: Command, name: str, *, empty: bool = False) -> str:
    """A day as 2024-01-31; refused in any other form."""
    given = text(command, name, empty=empty)
    if empty and not given:
        return ""
    try:
        return parse_day(given, name).isoformat()
    except ValueError as told:
        raise Refused(Reason.UNKNOWN_DATE, str(told)) from None


def shown(value: object) -> str:
    """A value for a sentence, never too long."""
    written = repr(value)
    return written if len(written) <= 60 else f"{written[:57]}..."
