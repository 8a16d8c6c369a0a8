"""Cards: issued, locked, unlocked and withdrawn."""

from unicodedata import normalize

from houseway.floor import request
from houseway.floor.person import (
    MACHINE,
    MOST_FAILURES,
    Person,
    administrator,
    check_role,
    find_person,
    new_person,
    person_stream,
)
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.names import known_as, scripts_of
from houseway.refusal import Reason, Refused, listed

SESSIONS = ("signed_in", "signed_out", "second_factor_set")
"""What is written down of sessions."""


def first_administrator(state: State, command: Command) -> Entry:
    """The first card of a floor, made at the machine itself."""
    if any(name.startswith("person:") for name in state.streams):
        raise Refused(Reason.NOT_APPROVED, "the floor has people; an administrator issues cards")
    person = new_person(request.text(command, "name"), frozenset())
    return _issue(command, "administrator", person)


def issue_card(state: State, command: Command) -> Entry:
    """A card for a person with a role; the PIN comes as a hash.

    A name that is known already is either the same person's or another person's of that name, and
    the administrator says which.
    """
    administrator(state, command)
    card = request.text(command, "card")
    if person_stream(card) in state.streams:
        raise Refused(Reason.GIVEN_TWICE, f"card {card!r} is issued; use another number")
    role = check_role(command.arguments.get("role"))
    entry = _issue(command, role, _person(state, command))
    for stream, found in state.streams.items():
        other = stream.removeprefix(person_stream(""))
        if isinstance(found, Person) and _as_read(other) == _as_read(card):
            raise Refused(
                Reason.GIVEN_TWICE,
                f"card {card!r} looks like card {other!r}, which is issued; use another number",
            )
    return entry


def _as_read(card: str) -> str:
    """A card as it is compared: letters of either case, without the signs between them."""
    return "".join(sign for sign in known_as(card) if sign.isalnum()) or card


def _person(state: State, command: Command) -> str:
    """The id of the human who gets a card; refused where that could be two."""
    name = request.text(command, "name")
    held = {
        stream.removeprefix(person_stream("")): found
        for stream, found in state.streams.items()
        if isinstance(found, Person)
    }
    another = request.flag(command, "another_person")
    if "same_person_as" in command.arguments:
        card = request.text(command, "same_person_as")
        if another:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"{name!r} is the same person as card {card!r} or another person, not both",
            )
        if card not in held:
            raise Refused(
                Reason.UNKNOWN_VALUE, f"card {card!r} is unknown; use one that was issued"
            )
        return held[card].person
    cards = [card for card, found in held.items() if known_as(found.name) == known_as(name)]
    if cards and not another:
        raise Refused(
            Reason.GIVEN_TWICE,
            f"{name!r} holds card {listed(sorted(cards))}; say same_person_as for another card of "
            "that person, or another_person for somebody else of that name",
        )
    return new_person(name, {found.person for found in held.values()})


def _issue(command: Command, role: str, person: str) -> Entry:
    card, name = request.text(command, "card"), request.text(command, "name")
    if card == MACHINE:
        raise Refused(
            Reason.BAD_ARGUMENT, f"card {card!r} cannot be: that is who sits at the machine itself"
        )
    if card != " ".join(normalize("NFKC", card).split()):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"card {card!r} looks like another; write it without blanks at its ends, with single "
            "blanks between, and in letters and digits of usual width",
        )
    for what, given in (("card", card), ("name", name)):
        scripts = scripts_of(given)
        if len(scripts) > 1:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"{what} {given!r} mixes {listed(scripts)} letters, which may look the same; write "
                "it in one script",
            )
    data = {
        "name": name,
        "person": person,
        "role": role,
        "pin_hash": _new_pin(command),
    }
    draft = Draft(stream=person_stream(card), kind="card_issued", data=data)
    return Entry(events=[draft], answer={"card": card, "role": role})


def note_pin(state: State, command: Command) -> Entry:
    """Whether the PIN of a card held; three failures in a row lock it.

    The actor is who typed it: the holder, or somebody whose command the card was to sign.
    """
    held = request.flag(command, "held")
    card = request.text(command, "card")
    person = find_person(state, card)
    kind = "pin_held" if held else "pin_failed"
    left = 0 if held else max(0, MOST_FAILURES - 1 - person.failures)
    draft = Draft(stream=person_stream(card), kind=kind, data={})
    return Entry(events=[draft], answer={"held": held, "tries_left": None if held else left})


def unlock_card(state: State, command: Command) -> Entry:
    """An administrator unlocks a card of somebody else, which gets a new PIN.

    The old one is no longer its holder's alone: somebody may have guessed or learned it.
    """
    administrator(state, command)
    card = request.text(command, "card")
    if person_stream(card) not in state.streams:
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
    if card == command.actor:
        raise Refused(Reason.NOT_APPROVED, "nobody unlocks the own card")
    data = {"pin_hash": _new_pin(command)}
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
    data = {"pin_hash": _new_pin(command)}
    draft = Draft(stream=person_stream(card), kind="card_recovered", data=data)
    return Entry(events=[draft], answer={"card": card})


def _new_pin(command: Command) -> str:
    """The hash of a new PIN; refused when none was given."""
    if "pin_hash" not in command.arguments:
        raise Refused(Reason.BAD_ARGUMENT, f"{command.name} gives a new PIN; new_pin is missing")
    return request.text(command, "pin_hash", longest=200)


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
