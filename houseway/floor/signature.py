"""Signature: the two people who sign for chips and boxes, each with card and PIN."""

from houseway.floor import request
from houseway.floor.context import AT_THE_TABLE, OVER_THE_TABLE
from houseway.floor.person import DEPARTMENTS, Person, find_person, require, same_holder
from houseway.journal.event import Command
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

CLAUSE = "WAC 230-15-430"


def one(state: State, command: Command, roles: tuple[str, ...]) -> Person:
    """Who asks, with a PIN; refused for other roles."""
    found = require(state, command.actor, roles, CLAUSE)
    request.check_pin(command, CLAUSE)
    return found


def second(state: State, command: Command, roles: tuple[str, ...]) -> Person:
    """The second person, with a PIN; refused for other roles, and when it is the first again."""
    card = request.second(command)
    found = find_person(state, card)
    # One may hold cards of two roles.
    if same_holder(state, card, command.actor):
        raise Refused(Reason.NOT_APPROVED, f"{found.name} has signed; another person signs too")
    if found.role not in roles:
        raise Refused(
            Reason.NOT_APPROVED,
            f"card {card!r} is a {found.role}'s; beside you this takes {listed(roles)}",
            CLAUSE,
        )
    return found


def at_the_table(state: State, command: Command) -> None:
    """A dealer and somebody over the table, in either order; refused otherwise."""
    first = one(state, command, (*AT_THE_TABLE, "executive"))
    second(state, command, OVER_THE_TABLE if first.role == "dealer" else ("dealer",))


def other_departments(role: str) -> tuple[str, ...]:
    """The roles that are independent of one."""
    return tuple(name for name, of in DEPARTMENTS.items() if of != DEPARTMENTS[role])
