"""Register: the clauses of the sources, the readings of what they leave open, and the game list."""

from dataclasses import dataclass
from functools import cache

from houseway.catalog import catalog
from houseway.refusal import Reason, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause in our own words."""

    id: str
    text: str
    source: tuple[str, ...]
    games: tuple[str, ...]
    options: tuple[str, ...]
    no_software: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A matter that is unclear in the sources, and the decision on it."""

    id: str
    matter: str
    decision: str
    source: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseReading:
    """A bet that games are offered with although their sources do not name it."""

    id: str
    bet: str
    games: tuple[str, ...]
    matter: str
    decision: str
    """The sentence that says so, wherever the bet is offered."""
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One of the games that the letters of 2023 list (CMP-10)."""

    number: int
    name: str
    implemented: tuple[str, ...]


@cache
def clauses() -> tuple[Clause, ...]:
    """Every clause, in the order of the register."""
    return tuple(
        Clause(
            id=entry["id"],
            text=entry["text"],
            source=tuple(entry["source"]),
            games=tuple(entry["games"]),
            options=tuple(entry["options"]),
            no_software=entry.get("no_software", False),
        )
        for entry in catalog("clauses")["clause"]
    )


@cache
def readings() -> tuple[Reading, ...]:
    """Every reading, in order."""
    return tuple(
        Reading(
            id=entry["id"],
            matter=entry["matter"],
            decision=entry["decision"],
            source=tuple(entry["source"]),
            options=tuple(entry["options"]),
        )
        for entry in catalog("readings")["reading"]
    )


@cache
def house_readings() -> tuple[HouseReading, ...]:
    """Every reading of the house, in order."""
    return tuple(
        HouseReading(
            id=entry["id"],
            bet=entry["bet"],
            games=tuple(entry["games"]),
            matter=entry["matter"],
            decision=entry["decision"],
            source=tuple(entry["source"]),
        )
        for entry in catalog("readings")["of_the_house"]
    )


def house_reading(game: str, bet: str) -> str | None:
    """The sentence on a bet that a game has by a reading of the house; None where a source has it.

    It is posted at the table and shown where such a bet is offered.
    """
    for reading in house_readings():
        if bet == reading.bet and game in reading.games:
            return reading.decision
    return None


def contact_role(profile: str) -> str | None:
    """The role to ask at the Commission under a jurisdiction profile (CMP-17).

    None where no jurisdiction is named.
    """
    for entry in catalog("contacts")["contact"]:
        if profile in entry["profiles"]:
            return str(entry["role"])
    return None


def clause(clause_id: str) -> Clause:
    """The clause of that id; refused when there is none."""
    for found in clauses():
        if found.id == clause_id:
            return found
    raise Refused(
        Reason.UNKNOWN_CLAUSE,
        f"clause {clause_id!r} is unknown; the register runs from {clauses()[0].id} to "
        f"{clauses()[-1].id}",
    )


@cache
def game_list() -> tuple[CatalogueEntry, ...]:
    """The 66 games of the letters of 2023, with the codes of those that are implemented."""
    data = catalog("games")
    return tuple(
        CatalogueEntry(
            number=number,
            name=name,
            implemented=tuple(data["implemented"].get(str(number), ())),
        )
        for number, name in enumerate(data["names"], start=1)
    )
