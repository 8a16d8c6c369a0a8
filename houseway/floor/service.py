"""Service: the floor as whoever serves people sees it: commands with cards, PINs and shuffles.

What a command may say of itself is for this room alone: that a PIN held, that a deck came from the
shuffler. Both are taken off whatever comes from outside.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from random import Random, SystemRandom
from typing import Any
from uuid import uuid4

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select

from houseway.floor.house import STREAM, House
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.person import MACHINE, Person, find_person, person_stream
from houseway.floor.table import FloorTable, table_stream
from houseway.journal import schema
from houseway.journal.event import Command, Event
from houseway.journal.journal import Journal
from houseway.journal.state import State
from houseway.journal.store import told
from houseway.live.commands import LoadShuffle
from houseway.live.text import command_text
from houseway.refusal import Reason, Refused
from houseway.shuffler import make_shuffle

_HASHER = PasswordHasher()
PIN_DIGITS = range(4, 13)
OURS = ("note_pin", "note_session", "note_start", "recover_card")
"""Commands that nobody gives from outside."""
SAID_HERE = ("pin_held", "second_pin_held", "from_shuffler", "pin_hash")
"""Arguments that nobody gives from outside."""
NOBODY = " "
"""Stands for a card that was never issued: none is blank."""


def hash_pin(pin: str, salt: str | None = None) -> str:
    """What is kept of a PIN; refused when it is none.

    With a salt of its own the same command gives the same hash, however often it is tried.
    """
    if not isinstance(pin, str) or not pin.isdecimal() or len(pin) not in PIN_DIGITS:
        raise Refused(Reason.BAD_ARGUMENT, "a PIN has 4 to 12 digits")
    own = None if salt is None else sha256(salt.encode()).digest()[:16]
    return _HASHER.hash(pin, salt=own)


class Floor:
    """A floor that is open. PINs are checked here, outside the writer: hashing takes its time."""

    def __init__(
        self,
        url: str,
        randomness: Random | None = None,
        *,
        clock: Callable[[], str] | None = None,
        elapsed: Callable[[], float] | None = None,
    ) -> None:
        """Open a floor. A given clock is believed, unless a second one, `elapsed`, checks it."""
        self.journal = Journal(url, FloorModel(), clock=clock, elapsed=elapsed)
        self._randomness = randomness or SystemRandom()

    def do(
        self,
        card: str,
        name: str,
        arguments: Mapping[str, Any],
        *,
        key: str,
        pin: str | None = None,
        second_pin: str | None = None,
        expects: Mapping[str, int] | None = None,
    ) -> Mapping[str, Any]:
        """Do a command as the holder of a card; refused when it may not be done."""
        command = self.command(
            card, name, arguments, key=key, pin=pin, second_pin=second_pin, expects=expects
        )
        return self.journal.do(command)

    def command(
        self,
        card: str,
        name: str,
        arguments: Mapping[str, Any],
        *,
        key: str,
        pin: str | None = None,
        second_pin: str | None = None,
        expects: Mapping[str, int] | None = None,
        table: FloorTable | None = None,
    ) -> Command:
        """A command with its PINs checked, as the journal takes it.

        A deck is made for the table as the caller knows it, or else as it is in the journal.
        """
        if name in OURS:
            # Whoever could say that a PIN held would start the count of failures again.
            raise Refused(Reason.NOT_APPROVED, f"{name} is not for people to say")
        given = {k: v for k, v in arguments.items() if k not in SAID_HERE}
        if pin is not None:
            given["pin_held"] = self.check_pin(card, pin)
        if second_pin is not None:
            given["second_pin_held"] = self.check_pin(str(given.get("second")), second_pin)
        if "new_pin" in given:
            given["pin_hash"] = hash_pin(given.pop("new_pin"), f"{key}:{given.get('card')}")
        if name == "shuffle":
            name, given = "round", self._shuffled(given, key, table)
        return Command(name=name, arguments=given, actor=card, key=key, expects=expects or {})

    def _shuffled(
        self, given: Mapping[str, Any], key: str, known: FloorTable | None
    ) -> dict[str, Any]:
        """The next deck of a table, from the shuffler that nobody else sees into.

        A key that has brought a deck already is told of that one, and deals no other; of a table
        that the caller knows, the journal finds that out by refusing the key.
        """
        name = str(given.get("table"))
        if known is not None:
            text = self._new_deck(known)
        else:
            text = self._dealt_with(key) or self._new_deck(self._table(name))
        return {"table": name, "text": text, "from_shuffler": True}

    def _table(self, name: str) -> FloorTable:
        found = self.journal.state_of(table_stream(name))
        if not isinstance(found, FloorTable):
            raise Refused(Reason.UNKNOWN_VALUE, f"table {name!r} is unknown")
        return found

    def _new_deck(self, found: FloorTable) -> str:
        if found.deck != "virtual":
            raise Refused(
                Reason.WRONG_PHASE, f"{found.name} has a shuffler of its own; enter its cards"
            )
        under_way = round_of(found)
        if under_way is None or under_way.over or under_way.shuffle is not None:
            raise Refused(Reason.WRONG_PHASE, f"{found.name} needs no deck now")
        shuffle = make_shuffle(self._randomness, under_way.ruleset.game.packet)
        return command_text(LoadShuffle(shuffle))

    def _dealt_with(self, key: str) -> str | None:
        """The line that a key has brought to a round, where it has."""
        table = schema.event
        query = select(table).where(table.c.key == key, table.c.part == 0, table.c.kind == "round")
        with told(self.journal.url), self.journal.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else str(Event(*row).data["text"])

    def holder(self, card: str, pin: str) -> Person:
        """Who holds a card, when the PIN is right; refused, and counted, when it is not.

        What was wrong before still counts: `note_held` ends that, once nothing else is asked for.
        Every refusal takes a hash and a line in the journal, so that its time does not tell which
        cards there are, nor whether the PIN of a locked one was right. What was given for a card
        that is none may be somebody's PIN, and is not written down.
        """
        found = self.journal.state_of(person_stream(card))
        if not isinstance(found, Person):
            _HASHER.hash(pin)
            self._wrong(NOBODY, "PIN")
        elif not self._holds(found, pin) or found.locked or not found.active:
            self._wrong(card, "PIN")
        return self.person(card)

    def note_held(self, card: str, person: Person) -> None:
        """Start the count of failures again, where there were any."""
        if person.failures:
            self._own("note_pin", {"held": True}, card)

    def person(self, card: str) -> Person:
        """Who holds a card; refused when it is unknown, locked or withdrawn."""
        found = self.journal.state_of(person_stream(card))
        return find_person(State(streams={person_stream(card): found}), card)

    def wrong_code(self, card: str) -> None:
        """A wrong code of the second factor counts as a wrong PIN, and is refused like one."""
        self._wrong(card, "code")

    def note_session(self, card: str, what: str) -> None:
        """Write down that somebody signed in or out."""
        self._own("note_session", {"what": what}, card)

    def house(self) -> House:
        """What is true of the whole floor."""
        found = self.journal.state_of(STREAM)
        return found if isinstance(found, House) else House()

    def has_people(self) -> bool:
        """True once there is a first administrator."""
        return self.journal.has_streams("person:")

    def note_start(
        self, *, demo: bool, version: str, running: str, checked: bool
    ) -> Mapping[str, Any]:
        """Write down that a server was started, and which."""
        given = {"demo": demo, "version": version, "digest": running, "checked": checked}
        return self._own("note_start", given, MACHINE)

    def recover(self, card: str, pin: str) -> None:
        """A card that is locked or forgotten gets a new PIN, by who sits at the machine itself."""
        self._own("recover_card", {"card": card, "pin_hash": hash_pin(pin)}, MACHINE)

    def _own(self, name: str, arguments: Mapping[str, Any], actor: str) -> Mapping[str, Any]:
        key = f"{name}:{uuid4().hex}"
        return self.journal.do(Command(name=name, arguments=arguments, actor=actor, key=key))

    def close(self) -> None:
        """Let go of the floor."""
        self.journal.close()

    def __enter__(self) -> "Floor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_pin(self, card: str, pin: str) -> bool:
        """True when the PIN of a card holds; refused, and counted, when it does not.

        Every try counts, also when the command comes again with its key.
        """
        person = self._of(card)
        if not self._holds(person, pin):
            self._wrong(card, "PIN")
        self.note_held(card, person)
        return True

    def _of(self, card: str) -> Person:
        person = self.journal.state_of(person_stream(card))
        if not isinstance(person, Person):
            raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
        return person

    def _holds(self, person: Person, pin: str) -> bool:
        with suppress(VerificationError, InvalidHashError):
            return _HASHER.verify(person.pin_hash, pin)
        return False

    def _wrong(self, card: str, what: str) -> None:
        answer = self._own("note_pin", {"held": False}, card)
        left = answer["tries_left"]
        more = f"{left} tries are left" if left else "the card is locked now"
        raise Refused(Reason.NOT_APPROVED, f"the {what} of card {card!r} is wrong; {more}")
