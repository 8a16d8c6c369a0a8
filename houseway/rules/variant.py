"""Variant: a game with a house's own options and pays, under a name, as a file.

It holds nothing but choices: options by name and paytables by code, where a code may carry changes
of its own. What the variant pays and costs follows from the same rules as everything else.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset, make_ruleset

FORMAT = "houseway/variant@1"
MOST_NAME, MOST_NOTE, MOST_FILE = 80, 2_000, 20_000
_KEYS = ("format", "name", "game", "note", "options", "paytables")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A named game with what was chosen for it."""

    name: str
    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    paytables: Mapping[Bet, str] = field(default_factory=dict)
    """Codes by bet; bets that are not named have their usual table."""
    note: str = ""

    def ruleset(self) -> Ruleset:
        """The rules that the variant is played by."""
        return make_ruleset(self.game, self.options, tuple(self.paytables.items()))

    def to_json(self) -> dict[str, Any]:
        """The variant as it stands in a file."""
        return {
            "format": FORMAT,
            "name": self.name,
            "game": self.game,
            "note": self.note,
            "options": dict(self.options),
            "paytables": dict(self.paytables),
        }

    def text(self) -> str:
        """The whole file."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"

    def arguments(self) -> tuple[str, ...]:
        """The variant as it is typed behind a command."""
        options = (f"{name}={value}" for name, value in self.options.items())
        tables = (f"{bet}={code}" for bet, code in self.paytables.items())
        return (
            self.game,
            *(word for text in options for word in ("--option", text)),
            *(word for text in tables for word in ("--paytable", text)),
        )


def make_variant(
    name: str,
    game: str,
    options: Mapping[str, str] | None = None,
    paytables: Mapping[str, str] | None = None,
    note: str = "",
) -> Variant:
    """A variant that can be played; refused with the first thing that cannot.

    Codes are written in their one form, and paytables that are the usual ones are left out.
    """
    title = " ".join(name.split())
    if not 1 <= len(title) <= MOST_NAME or not title.isprintable():
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"name {name[:40]!r} is not allowed; a variant has a name of 1 to {MOST_NAME} signs",
        )
    if len(note) > MOST_NOTE:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the note is {len(note)} signs long; at most {MOST_NOTE} are allowed",
        )
    if not _writable(note):
        raise Refused(
            Reason.BAD_ARGUMENT, "the note holds signs that cannot be written to a file; use text"
        )
    usual = make_ruleset(game, options)
    tables = make_ruleset(game, options, dict(paytables or {})).paytables
    return Variant(
        name=title,
        game=game,
        options=MappingProxyType(dict(options or {})),
        paytables=MappingProxyType(
            {bet: table.code for bet, table in tables.items() if table != usual.paytables[bet]}
        ),
        note=note,
    )


def _writable(text: str) -> bool:
    """True where text can be encoded; JSON can spell halves of signs that cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_draft(data: Mapping[str, Any]) -> Variant:
    """The variant that plain data of the right shape name."""
    return make_variant(
        data["name"], data["game"], data["options"], data["paytables"], data.get("note", "")
    )


def read_variant(text: str) -> Variant:
    """The variant of a file; refused with one sentence on what is wrong with it."""
    if len(text) > MOST_FILE:
        raise Refused(
            Reason.BAD_ARGUMENT, f"a variant file has at most {MOST_FILE:,} signs, this has more"
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(
            Reason.BAD_ARGUMENT, "the file is no variant: it is not JSON; save one to see its form"
        ) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else None
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the file is no variant: its format is {str(found)[:40]!r}; known: {FORMAT}",
        )
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"a variant has no {unknown[0][:40]!r}; known: {listed(_KEYS)}",
        )
    for key in ("name", "game", "note"):
        if not isinstance(data.get(key, ""), str):
            raise Refused(
                Reason.BAD_ARGUMENT, f"{key} of a variant is text, not {str(data[key])[:40]}"
            )
    return make_variant(
        data.get("name", ""),
        data.get("game", ""),
        _chosen(data, "options"),
        _chosen(data, "paytables"),
        data.get("note", ""),
    )


def _chosen(data: Mapping[str, Any], key: str) -> dict[str, str]:
    chosen = data.get(key, {})
    texts = isinstance(chosen, dict) and all(isinstance(value, str) for value in chosen.values())
    if not texts:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{key} of a variant are names with a text each, not {str(chosen)[:80]!r}",
        )
    return dict(chosen)
