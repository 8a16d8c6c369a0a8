"""Service: the floor as whoever serves people sees it: commands with cards and PINs."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from houseway.floor.model import FloorModel
from houseway.floor.person import Person, person_stream
from houseway.journal.event import Command
from houseway.journal.journal import Journal
from houseway.refusal import Reason, Refused

_HASHER = PasswordHasher()
PIN_DIGITS = range(4, 13)


def hash_pin(pin: str) -> str:
    """What is kept of a PIN; refused when it is none."""
    if not isinstance(pin, str) or not pin.isdecimal() or len(pin) not in PIN_DIGITS:
        raise Refused(Reason.BAD_ARGUMENT, "a PIN has 4 to 12 digits")
    return _HASHER.hash(pin)


class Floor:
    """A floor that is open. PINs are checked here, outside the writer: hashing takes its time."""

    def __init__(self, url: str) -> None:
        self.journal = Journal(url, FloorModel())

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
        if name == "note_pin":
            # Whoever could say it held would start the count of failures again.
            raise Refused(Reason.NOT_APPROVED, "whether a PIN held is not for its holder to say")
        # Whether a PIN held is for this room alone to say.
        given = {k: v for k, v in arguments.items() if k not in ("pin_held", "second_pin_held")}
        if pin is not None:
            given["pin_held"] = self._check(card, pin)
        if second_pin is not None:
            given["second_pin_held"] = self._check(str(given.get("second")), second_pin)
        return self.journal.do(
            Command(name=name, arguments=given, actor=card, key=key, expects=expects or {})
        )

    def close(self) -> None:
        """Let go of the floor."""
        self.journal.close()

    def __enter__(self) -> "Floor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, card: str, pin: str) -> bool:
        """True when the PIN of a card holds; refused, and counted, when it does not.

        Every try counts, also when the command comes again with its key.
        """
        person = self.journal.state_of(person_stream(card))
        if not isinstance(person, Person):
            raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
        held = False
        with suppress(VerificationError, InvalidHashError):
            held = _HASHER.verify(person.pin_hash, pin)
        if held and not person.failures:
            return True
        noted = Command(
            name="note_pin", arguments={"held": held}, actor=card, key=f"pin:{uuid4().hex}"
        )
        answer = self.journal.do(noted)
        if not held:
            left = answer["tries_left"]
            more = f"{left} tries are left" if left else "the card is locked now"
            raise Refused(Reason.NOT_APPROVED, f"the PIN of card {card!r} is wrong; {more}")
        return True
