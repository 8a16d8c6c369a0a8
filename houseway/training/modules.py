"""Modules: the chapters that are learned, from `catalog/training.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from houseway.catalog import catalog
from houseway.catalog.register import clause
from houseway.games import codes
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset
from houseway.training.skill import TRACKS, Track
from houseway.training.skills import SKILLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a manual: the source it stands in, and its name in our own words."""

    source: str
    name: str
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """What is learned together: chapters covered, clauses behind it, skills to be trained."""

    code: str
    title: str
    track: Track
    about: str
    games: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    clauses: tuple[str, ...]
    skills: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The module as plain data, skills with their titles."""
        return {
            "code": self.code,
            "title": self.title,
            "track": self.track,
            "about": self.about,
            "chapters": [{"source": c.source, "name": c.name} for c in self.chapters],
            "clauses": list(self.clauses),
            "skills": [{"code": code, "title": SKILLS[code].title} for code in self.skills],
        }


@cache
def modules() -> tuple[Module, ...]:
    """Every module, in the order in which it is learned."""
    return read_modules(catalog("training"))


def modules_of(ruleset: Ruleset) -> tuple[Module, ...]:
    """The modules of a game with the skills that apply as this house plays it; none is empty."""
    found = []
    for module in modules():
        if ruleset.game.code not in module.games:
            continue
        skills = tuple(code for code in module.skills if SKILLS[code].applies(ruleset))
        chapters = tuple(c for c in module.chapters if ruleset.game.code in c.games)
        if skills:
            found.append(replace(module, skills=skills, chapters=chapters))
    return tuple(found)


def find_module(code: object, ruleset: Ruleset) -> Module:
    """The module of that code; refused with those that the game has."""
    known = modules_of(ruleset)
    for module in known:
        if module.code == code:
            return module
    raise Refused(
        Reason.UNKNOWN_VALUE,
        f"module {repr(code)[:60]} of {ruleset.game.code} is unknown; known: "
        f"{listed(module.code for module in known)}",
    )


def read_modules(data: Mapping[str, Any]) -> tuple[Module, ...]:
    """Modules from plain data; ValueError with one sentence on the first bad one."""
    found: list[Module] = []
    for entry in data["module"]:
        module = _module(entry)
        if any(other.code == module.code for other in found):
            raise ValueError(f"module {module.code!r} stands twice")
        found.append(module)
    return tuple(found)


def _module(entry: Mapping[str, Any]) -> Module:
    code = entry["code"]
    track = next((track for track in TRACKS if track == entry["track"]), None)
    if track is None:
        raise ValueError(f"module {code!r}: track {entry['track']!r} is unknown")
    for skill in entry["skills"]:
        if skill not in SKILLS or SKILLS[skill].track != track:
            raise ValueError(f"module {code!r}: skill {skill!r} is unknown on track {track}")
    for game in entry.get("games", ()):
        if game not in codes():
            raise ValueError(f"module {code!r}: game {game!r} is unknown")
    return Module(
        code=code,
        title=entry["title"],
        track=track,
        about=entry["about"],
        games=tuple(entry.get("games", codes())),
        chapters=tuple(_chapter(chapter) for chapter in entry.get("chapters", ())),
        clauses=tuple(clause(each).id for each in entry["clauses"]),
        skills=tuple(entry["skills"]),
    )


def _chapter(entry: Mapping[str, Any]) -> Chapter:
    return Chapter(
        source=entry["source"],
        name=entry["name"],
        games=tuple(entry.get("games", codes())),
    )
