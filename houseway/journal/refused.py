"""Refused: what is kept of a command that was refused, so little that nobody fills a disk with it.

A record cannot be made shorter afterwards, and anybody with a card may ask for what is refused.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from houseway.journal.event import Command, Event, canonical
from houseway.refusal import Refused

KIND = "refused"
LONGEST_NAME, LONGEST_KEY, LONGEST_SENTENCE = 60, 100, 600
"""Bytes that the name of a command, its key and the sentence may have in a record."""
LONGEST_VALUE, LONGEST_EXCERPT = 40, 300
"""The same for a value of the excerpt, and for the whole of it."""
CUT = "..."


def kept(command: Command, refused: Refused) -> dict[str, Any]:
    """What is written down of a refused command."""
    return {
        "command": _short(command.name, LONGEST_NAME),
        **_kept_of(command.arguments),
        "key": _short(command.key, LONGEST_KEY),
        "reason": refused.reason.value,
        "clause": refused.clause,
        "message": _short(refused.message, LONGEST_SENTENCE),
    }


def refused_2(event: Event, _: object) -> Mapping[str, Any]:
    """An excerpt of the arguments and their digest. Version 1 had all of them."""
    data = {name: value for name, value in event.data.items() if name != "arguments"}
    return {**data, **_kept_of(event.data["arguments"])}


def _kept_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    digest = sha256(canonical(dict(arguments)).encode()).hexdigest()
    return {"digest": digest, "excerpt": _excerpt(arguments)}


def _excerpt(arguments: Mapping[str, Any]) -> dict[str, str]:
    """The first arguments as text, as far as there is room for them."""
    found: dict[str, str] = {}
    left = LONGEST_EXCERPT
    for name, value in arguments.items():
        text = value if isinstance(value, str) else canonical(value)
        name, text = _short(name, LONGEST_VALUE), _short(text, LONGEST_VALUE)
        left -= len(canonical([name, text]))
        if left < 0:
            break
        found[name] = text
    return found


def _short(text: str, most: int) -> str:
    """A text that takes no more bytes than that in a record."""
    if len(canonical(text)) <= most + 2:
        return text
    left, end = most - len(CUT), 0
    for letter in text[:most]:
        # A letter outside of ASCII takes six bytes there, or twelve.
        left -= len(canonical(letter)) - 2
        if left < 0:
            break
        end += 1
    return text[:end] + CUT
