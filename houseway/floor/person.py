"""Person: who works on the floor, and what each may do.

PINs never reach the model: whoever takes a command checks the PIN against the hash first and says
with the command that it held. Failures are events, and three in a row lock a card.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from houseway.floor import request
from houseway.journal.event import Command, Event
from houseway.journal.state import State
from houseway.names import known_as
from houseway.refusal import Reason, Refused, listed

ROLES = (
    "dealer",
    "supervisor",
    "executive",
    "cage",
    "auditor",
    "surveillance",
    "administrator",
    "trainer",
)
MACHINE = "machine"
"""Who acts when somebody sits at the machine itself; nobody's card."""
MOST_FAILURES = 3
DEPARTMENTS = {
    "dealer": "card room",
    "supervisor": "card room",
    "executive": "card room",
    "cage": "cage",
    "auditor": "accounting",
    "surveillance": "surveillance",
    "administrator": "systems",
    "trainer": "card room",
}
"""Who is independent of whom: nobody makes and hides a mistake alone (WAC 230-15-430)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A card and who holds it."""

    name: str
    person: str
    """The id of the human, the same on every card that he or she holds."""
    role: str
    pin_hash: str
    failures: int = 0
    active: bool = True

    @property
    def locked(self) -> bool:
        """True after three failures in a row."""
        return self.failures >= MOST_FAILURES


def person_stream(card: str) -> str:
    """The stream of a card."""
    return f"person:{card}"


def find_person(state: State, card: str) -> Person:
    """Who holds a card; refused when nobody does."""
    found = state.streams.get(person_stream(card))
    if not isinstance(found, Person):
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
    if not found.active:
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is no longer valid")
    if found.locked:
        raise Refused(
            Reason.NOT_APPROVED,
            f"card {card!r} is locked after {MOST_FAILURES} wrong PINs; an administrator "
            "unlocks it",
        )
    return found


def holder(state: State, card: str) -> str:
    """The name of who holds a card, or held it."""
    return str(state.streams[person_stream(card)].name)


def same_holder(state: State, card: str, other: str) -> bool:
    """True when two cards are held by one person, whatever names stand on them."""
    first, second = (state.streams[person_stream(one)] for one in (card, other))
    return bool(first.person == second.person)


def new_person(name: str, known: Collection[str]) -> str:
    """An id for a human who has no card yet: the name, with a number where others have it."""
    beginning = known_as(name)
    ids = (beginning if number == 1 else f"{beginning} #{number}" for number in count(1))
    return next(one for one in ids if one not in known)


def require(state: State, card: str, roles: tuple[str, ...], clause: str | None = None) -> Person:
    """Who holds a card, when the role is one of these; refused otherwise."""
    found = find_person(state, card)
    if found.role not in roles:
        raise Refused(
            Reason.NOT_APPROVED,
            f"card {card!r} is a {found.role}'s; this takes {listed(roles)}",
            clause,
        )
    return found


def administrator(state: State, command: Command) -> Person:
    """The administrator who asks, with card and PIN; refused for anybody else."""
    found = require(state, command.actor, ("administrator",))
    request.check_pin(command, "WAC 230-15-430")
    return found


def check_role(role: object) -> str:
    """A known role; refused otherwise."""
    if role not in ROLES:
        raise Refused(Reason.UNKNOWN_VALUE, f"role {role!r} is unknown; known: {listed(ROLES)}")
    return str(role)


def evolve(before: Person | None, event: Event) -> Person:
    """The person after an event of the card."""
    data = event.data
    match event.kind:
        case "card_issued":
            return Person(**data)
        case "pin_failed":
            assert before is not None
            return replace(before, failures=before.failures + 1)
        case "pin_held":
            assert before is not None
            return replace(before, failures=0)
        case "signed_in" | "signed_out" | "second_factor_set":
            assert before is not None
            return before
        case "card_recovered":
            assert before is not None
            return replace(before, failures=0, active=True, pin_hash=data["pin_hash"])
        case "card_unlocked":
            assert before is not None
            # Earlier programs unlocked a card without a new PIN.
            return replace(before, failures=0, pin_hash=data.get("pin_hash", before.pin_hash))
        case "card_withdrawn":
            assert before is not None
            return replace(before, active=False)
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(person: Person) -> dict[str, Any]:
    """The person as plain data."""
    return {
        "name": person.name,
        "person": person.person,
        "role": person.role,
        "pin_hash": person.pin_hash,
        "failures": person.failures,
        "active": person.active,
    }
