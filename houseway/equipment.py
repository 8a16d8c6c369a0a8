"""Equipment: which parts of a progressive system are approved together (PGM-01, PNX-01)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from houseway.catalog import catalog
from houseway.refusal import listed

DISPLAY = "display"
"""How a progressive display is named where a set asks for one and names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part with the version that was approved."""

    name: str
    version: str
    later: bool
    """True when a higher version will do too."""

    def allows(self, version: str) -> bool:
        """True when a version is the approved one, or a higher one where that will do."""
        if self.later:
            return _numbers(version) >= _numbers(self.version)
        return _plain(version) == _plain(self.version)

    def __str__(self) -> str:
        return f"{self.name} v{self.version}{' or higher' if self.later else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Parts that are approved together."""

    system: str
    clause: str
    parts: tuple[Part, ...]
    displays: tuple[Part, ...]
    """One of these; empty where any progressive display will do (PNX-02)."""

    def problems(self, parts: Mapping[str, str]) -> list[str]:
        """What is missing, not approved or does not belong here."""
        found = [
            f"{part} is needed{f', not v{parts[part.name]}' if part.name in parts else ''}"
            for part in self.parts
            if part.name not in parts or not part.allows(parts[part.name])
        ]
        shown = [part for part in self.displays if part.name in parts]
        if self.displays and not any(part.allows(parts[part.name]) for part in shown):
            found.append(f"a display is needed: {listed(self.displays)}")
        if not self.displays and DISPLAY not in parts:
            found.append("a progressive display is needed")
        known = {part.name for part in (*self.parts, *self.displays)}
        known |= set() if self.displays else {DISPLAY}
        found += [f"{name} does not belong to this set" for name in parts if name not in known]
        return found


@cache
def stacks() -> tuple[Stack, ...]:
    """Every set of parts that is approved."""
    return tuple(
        Stack(
            system=row["system"],
            clause=row["clause"],
            parts=tuple(Part(**part) for part in row["parts"]),
            displays=tuple(Part(**part) for part in row.get("displays", ())),
        )
        for row in catalog("equipment")["stack"]
    )


def stack_problems(system: str, parts: Mapping[str, str]) -> tuple[str, list[str]]:
    """The clause and what is wrong with parts, against the nearest set; nothing when one fits."""
    own = [stack for stack in stacks() if stack.system == system]
    nearest = min(own, key=lambda stack: len(stack.problems(parts)))
    return nearest.clause, nearest.problems(parts)


def _plain(version: str) -> str:
    return re.sub(r"[\s.]+", ".", version.strip().lower().removeprefix("v"))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version in order, zeros at the end left out: 5.4 and 5.4.0 are one."""
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
