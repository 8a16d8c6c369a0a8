"""Cards: issued, locked, unlocked and withdrawn."""

from houseway.floor import request
from houseway.floor.person import MACHINE, administrator, check_role, find_person, person_stream
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

SESSIONS = ("signed_in", "signed_out", "second_factor_set")
"""What is written down of sessions."""


def first_administrator(state: State, command: Command) -> Entry:
    """The first card of a floor, made at the machine itself."""
    if any(name.startswith("person:") for name in state.streams):
        raise Refused(Reason.NOT_APPROVED, "the floor has people; an administrator issues cards")
    return _issue(command, "administrator")


def issue_card(state: State, command: Command) -> Entry:
    """A card for a person with a role; the PIN comes as a hash."""
    administrator(state, command)
    if person_stream(request.text(command, "card")) in state.streams:
        raise Refused(
            Reason.GIVEN_TWICE, f"card {command.arguments['card']!r} is issued; use another number"
        )
    return _issue(command, check_role(command.arguments.get("role")))


def _issue(command: Command, role: str) -> Entry:
    card = request.text(command, "card")
    if card == MACHINE:
        raise Refused(
            Reason.BAD_ARGUMENT, f"card {card!r} cannot be: that is who sits at the machine itself"
        )
    data = {
        "name": request.text(command, "name"),
        "role": role,
        "pin_hash": request.text(command, "pin_hash", longest=200),
    }
    draft = Draft(stream=person_stream(card), kind="card_issued", data=data)
    return Entry(events=[draft], answer={"card": card, "role": role})


def note_pin(state: State, command: Command) -> Entry:
    """Whether the PIN of the own card held; three failures in a row lock it."""
    held = request.flag(command, "held")
    person = find_person(state, command.actor)
    kind = "pin_held" if held else "pin_failed"
    left = 0 if held else max(0, 2 - person.failures)
    draft = Draft(stream=person_stream(command.actor), kind=kind, data={})
    return Entry(events=[draft], answer={"held": held, "tries_left": None if held else left})


def unlock_card(state: State, command: Command) -> Entry:
    """An administrator unlocks a card of somebody else."""
    administrator(state, command)
    card = request.text(command, "card")
    if person_stream(card) not in state.streams:
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
    if card == command.actor:
        raise Refused(Reason.NOT_APPROVED, "nobody unlocks the own card")
    data = {}
    if "pin_hash" in command.arguments:
        data["pin_hash"] = request.text(command, "pin_hash", longest=200)
    draft = Draft(stream=person_stream(card), kind="card_unlocked", data=data)
    return Entry(events=[draft], answer={"card": card})


def note_session(state: State, command: Command) -> Entry:
    """Somebody signed in or out."""
    what = command.arguments.get("what")
    if what not in SESSIONS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"{request.shown(what)} is unknown; known: {listed(SESSIONS)}"
        )
    find_person(state, command.actor)
    draft = Draft(stream=person_stream(command.actor), kind=str(what), data={})
    return Entry(events=[draft], answer={})


def recover_card(state: State, command: Command) -> Entry:
    """A locked or forgotten card gets a new PIN, from the machine itself."""
    card = request.text(command, "card")
    if person_stream(card) not in state.streams:
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
    data = {"pin_hash": request.text(command, "pin_hash", longest=200)}
    draft = Draft(stream=person_stream(card), kind="card_recovered", data=data)
    return Entry(events=[draft], answer={"card": card})


def withdraw_card(state: State, command: Command) -> Entry:
    """A card that is no longer valid."""
    administrator(state, command)
    card = request.text(command, "card")
    find_person(state, card)
    draft = Draft(stream=person_stream(card), kind="card_withdrawn", data={})
    return Entry(events=[draft], answer={"card": card})


DECIDERS = {
    "first_administrator": first_administrator,
    "issue_card": issue_card,
    "note_pin": note_pin,
    "unlock_card": unlock_card,
    "withdraw_card": withdraw_card,
    "note_session": note_session,
    "recover_card": recover_card,
}
