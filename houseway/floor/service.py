"""Service: the floor as whoever serves people sees it: commands with cards, PINs and shuffles.

Only this room says of a command that a PIN held, or that a deck came from the shuffler. Both are
taken off every command that comes from outside.

A PIN is looked at only after the journal has said that the command would be done if all PINs held.
Nobody learns anything about a PIN by a command that is refused for another reason.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from random import Random, SystemRandom
from threading import Lock
from typing import Any, Protocol
from uuid import uuid4

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select

from houseway.floor.house import STREAM, House
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.person import MACHINE, MOST_FAILURES, Person, find_person, person_stream
from houseway.floor.table import FloorTable, table_stream
from houseway.journal import schema
from houseway.journal.custody import Custody
from houseway.journal.event import Command, Event
from houseway.journal.journal import Journal
from houseway.journal.state import State
from houseway.journal.store import told
from houseway.live.commands import LoadShuffle
from houseway.live.shuffler import make_shuffle
from houseway.live.text import command_text
from houseway.refusal import Reason, Refused

_HASHER = PasswordHasher()
PIN_DIGITS = range(4, 13)
OURS = ("accept_cut", "note_pin", "note_session", "note_start", "recover_card")
"""Commands that nobody gives from outside."""
SAID_HERE = ("pin_held", "second_pin_held", "from_shuffler", "pin_hash", "raised")
"""Arguments that nobody gives from outside."""
COMPARED = ("table:", "link:")
"""Streams whose version a command may expect: everybody who is signed in sees them."""
NOT_HASHED = "-"
"""Stands for the hash of a new PIN while it is asked whether the command would be done."""
LOCKS = 64
"""Cards share these: a lock for each would be one for every number that somebody makes up."""
NOBODY = " "
"""Stands for a card that was never issued: none is blank."""


def hash_pin(pin: str, salt: str | None = None) -> str:
    """What is kept of a PIN; refused when it is none.

    With a salt of its own the same command gives the same hash, however often it is tried.
    """
    if (
        not isinstance(pin, str)
        or not (pin.isascii() and pin.isdecimal())
        or len(pin) not in PIN_DIGITS
    ):
        raise Refused(Reason.BAD_ARGUMENT, "a PIN has 4 to 12 digits")
    own = None if salt is None else sha256(salt.encode()).digest()[:16]
    return _HASHER.hash(pin, salt=own)


class Tries(Protocol):
    """Counts tries of PINs for whoever serves the floor."""

    def begin(self, card: str) -> None:
        """Count a try of a card's PIN; refused when there were too many."""
        ...

    def held(self, card: str) -> None:
        """Take the try back, because the PIN held."""
        ...


class Uncounted:
    """Tries at the machine itself, where only the lock of the card counts them."""

    def begin(self, card: str) -> None:
        """Allow every try."""

    def held(self, card: str) -> None:
        """Take nothing back."""


class Floor:
    """A floor that is open. PINs are checked here, outside the writer: hashing takes its time."""

    def __init__(
        self,
        url: str,
        randomness: Random | None = None,
        *,
        clock: Callable[[], str] | None = None,
        elapsed: Callable[[], float] | None = None,
        custody: Custody | None = None,
    ) -> None:
        """Open a floor. A given clock is believed, unless a second one, `elapsed`, checks it."""
        self.journal = Journal(url, FloorModel(), clock=clock, elapsed=elapsed, custody=custody)
        self._randomness = randomness or SystemRandom()
        self._locks = tuple(Lock() for _ in range(LOCKS))

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
        known: Mapping[str, Any] | None = None,
        tries: Tries | None = None,
    ) -> Command:
        """A command with its PINs checked, as the journal takes it.

        A deck is made for the table as the caller knows it, or else as it is in the journal.
        `known` describes the moment, such as the alerts that are raised.
        """
        if name in OURS:
            # Otherwise a person could claim that a PIN held, and start the count of failures again.
            raise Refused(Reason.NOT_APPROVED, f"{name} is not for people to say")
        for stream in expects or {}:
            if not stream.startswith(COMPARED):
                raise Refused(
                    Reason.BAD_ARGUMENT,
                    f"expects names {stream!r}; a command compares tables and links only",
                )
        given = {k: v for k, v in arguments.items() if k not in SAID_HERE}
        second, new_pin = given.get("second"), given.pop("new_pin", None)
        if second_pin is not None and not isinstance(second, str):
            raise Refused(
                Reason.BAD_ARGUMENT, "second_pin is given without second; name the second card"
            )
        if name == "shuffle":
            name, given = "round", self._shuffled(given, key, table)
            vouched: dict[str, Any] = {"from_shuffler": True}
        else:
            said = {"pin_held": pin, "second_pin_held": second_pin}
            vouched = {word: True for word, typed in said.items() if typed is not None}
        if new_pin is not None:
            vouched["pin_hash"] = NOT_HASHED
        command = Command(
            name=name,
            arguments=given,
            actor=card,
            key=key,
            expects=expects or {},
            vouched=vouched,
            known=known or {},
        )
        if pin is None and second_pin is None and new_pin is None:
            return command
        # Refused here, where it would be refused whatever the PINs are.
        done = self.journal.ask(command)
        if new_pin is not None:
            hashed = hash_pin(new_pin, f"{key}:{given.get('card')}")
            command = replace(command, vouched={**vouched, "pin_hash": hashed})
        if done is not None and done != command.digest:
            # The key did something else. The journal says so, and no PIN is looked at.
            return replace(command, vouched={})
        tries = tries or Uncounted()
        if pin is not None:
            self._check_pin(card, pin, card, tries)
        if second_pin is not None:
            self._check_pin(str(second), second_pin, card, tries)
        if name == "unlock_card" and done is None:
            self._check_new(str(given.get("card")), str(new_pin), card, tries)
        return command

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
        return {"table": name, "text": text}

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

        Failures from before still count until `note_held`, once nothing else is asked for. Every
        refusal takes a hash and a line in the journal, so that its time does not tell which cards
        there are, nor whether the PIN of a locked one was right. An unknown card may be somebody's
        PIN in the wrong field, and is not written down.
        """
        with self._trying(card):
            found = self._found(card)
            if not isinstance(found, Person):
                _HASHER.hash(pin)
                self._wrong(NOBODY, "PIN", NOBODY)
            elif not self._holds(found, pin) or found.locked or not found.active:
                self._wrong(card, "PIN", card)
        return self.person(card)

    def note_held(self, card: str, person: Person, by: str) -> None:
        """Start the count of failures again, where there were any."""
        if person.failures:
            self._own("note_pin", {"card": card}, by, {"held": True})

    def person(self, card: str) -> Person:
        """Who holds a card; refused when it is unknown, locked or withdrawn."""
        return find_person(State(streams={person_stream(card): self._found(card)}), card)

    def _found(self, card: str) -> Any:
        return self.journal.state_of(person_stream(card))

    def wrong_code(self, card: str) -> None:
        """A wrong code of the second factor counts as a wrong PIN, and is refused like one."""
        self._wrong(card, "code", card)

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

    def accept_cut(self, missing: str) -> None:
        """Write down that the floor goes on though its journal does not reach the seal file."""
        self._own("accept_cut", {"missing": missing}, MACHINE)

    def recover(self, card: str, pin: str) -> None:
        """A card that is locked or forgotten gets a new PIN, by who sits at the machine itself."""
        self._own("recover_card", {"card": card}, MACHINE, {"pin_hash": hash_pin(pin)})

    def _own(
        self,
        name: str,
        arguments: Mapping[str, Any],
        actor: str,
        vouched: Mapping[str, Any] | None = None,
    ) -> Mapping[str, Any]:
        key = f"{name}:{uuid4().hex}"
        return self.journal.do(
            Command(name=name, arguments=arguments, actor=actor, key=key, vouched=vouched or {})
        )

    def close(self) -> None:
        """Let go of the floor."""
        self.journal.close()

    def __enter__(self) -> "Floor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_pin(self, card: str, pin: str, by: str, tries: Tries) -> None:
        """Refuse a wrong PIN of a card, and count it against the card; `by` is who typed it.

        Every try counts, also when the command comes again with its key. The PIN of a card that is
        locked or withdrawn is not looked at.
        """
        tries.begin(card)
        with self._trying(card):
            person = self.person(card)
            if not self._holds(person, pin):
                self._wrong(card, "PIN", by)
            self.note_held(card, person, by)
        tries.held(card)

    def _check_new(self, card: str, pin: str, by: str, tries: Tries) -> None:
        """Refuse to unlock a card with the PIN that it had, which is then good no more.

        A command may still come to nothing after this, as when its key did something else. So a
        PIN could be guessed by what is refused, and one that was found must be of no use.
        """
        tries.begin(card)
        with self._trying(card):
            found = self._found(card)
            if isinstance(found, Person) and self._holds(found, pin):
                for _ in range(found.failures, MOST_FAILURES if found.active else 0):
                    self._own("note_pin", {"card": card}, by, {"held": False})
                raise Refused(
                    Reason.BAD_ARGUMENT, f"card {card!r} is unlocked with another PIN than before"
                )
        tries.held(card)

    def _trying(self, card: str) -> Lock:
        """Let one try of a card's PIN begin after the other: all at once would not be counted."""
        return self._locks[hash(card) % LOCKS]

    def _holds(self, person: Person, pin: str) -> bool:
        with suppress(VerificationError, InvalidHashError):
            return _HASHER.verify(person.pin_hash, pin)
        return False

    def _wrong(self, card: str, what: str, by: str) -> None:
        answer = self._own("note_pin", {"card": card}, by, {"held": False})
        left = answer["tries_left"]
        more = f"{left} tries are left" if left else "the card is locked now"
        raise Refused(Reason.NOT_APPROVED, f"the {what} of card {card!r} is wrong; {more}")
