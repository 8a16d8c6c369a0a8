"""Equipment: the approved list, and versions as the approvals print them (CMP-16, PGM-01, PNX-01).

The rows that the letters print are in `catalog/equipment.toml`; a floor records further models.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from houseway.catalog import catalog
from houseway.dates import term_problem
from houseway.refusal import listed

DISPLAY = "display"
"""How an earlier program named a progressive display among the parts of a system."""
FORMS = ("6.6 build 520", "6.5.6SP", "1.2.0")
"""Versions to show after a text that is not one."""
# packaging.version does not fit: it refuses 6.6 build 520, 6.5.6SP and 1.66P$, and would take
# 7-beta-1, which is below 7, where the approvals know no versions before a version.
_FORM = re.compile(
    r"v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,5})([A-Z$]{0,3})(?: build ([0-9]{1,9}))?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version: numbers, the letters behind them, and the build where one is named."""

    numbers: tuple[int, ...]
    """Without zeros at the end: 5.4 and 5.4.0 are one version."""
    mark: str = ""
    build: int = 0

    def reaches(self, approved: "Version") -> bool:
        """True for the approved version or a higher one; other letters make another product."""
        higher = (self.numbers, self.build) >= (approved.numbers, approved.build)
        return self.mark == approved.mark and higher

    def __str__(self) -> str:
        numbers = ".".join(str(number) for number in self.numbers) or "0"
        return f"{numbers}{self.mark}{f' build {self.build}' if self.build else ''}"


def parse_version(text: str) -> Version:
    """Returns the version that a text says, such as 6.6 build 520, v6.5.6SP or 1.66P$."""
    found = _FORM.fullmatch(" ".join(text.split()))
    if found is None:
        raise ValueError(
            f"version {text!r} is not a version; allowed: forms such as {listed(FORMS)}"
        )
    numbers = [int(number) for number in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return Version(numbers=tuple(numbers), mark=found[2].upper(), build=int(found[3] or 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """A progressive display, as an administrator declares it (PNX-02)."""

    name: str
    network: bool
    """True when it can be on a network, by wire or without."""
    input: bool
    """True when it takes input: by touch, keys, remote control or programs of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part with the version that was approved."""

    name: str
    version: str
    later: bool
    """True when a higher version will do too."""
    aliases: tuple[str, ...] = ()

    def allows(self, version: str, *, earlier: bool = False) -> bool:
        """True when a version is the approved one, or a higher one where that will do.

        `earlier` compares as the program did that took any text for a version.
        """
        if earlier:
            if self.later:
                return _numbers_then(version) >= _numbers_then(self.version)
            return _plain_then(version) == _plain_then(self.version)
        given, approved = parse_version(version), parse_version(self.version)
        return given.reaches(approved) if self.later else given == approved

    @property
    def allowed(self) -> str:
        """The allowed versions in words: 1.2.0 or higher."""
        return f"{self.version}{' or higher' if self.later else ''}"

    def __str__(self) -> str:
        return f"{self.name} v{self.allowed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Parts that are approved together."""

    system: str
    maker: str
    clause: str
    parts: tuple[Part, ...]
    displays: tuple[Part, ...]
    """One of these is needed; empty where any display without intelligence will do."""
    display_clause: str

    def problems(self, parts: Mapping[str, str], display: Display | None) -> list[tuple[str, str]]:
        """Parts that are missing, not approved or out of place, and flaws of a declared display."""
        found = list(self._part_problems(parts))
        if display is None:
            needed = (self.clause, "a progressive display is needed")
            return found if self.displays else [*found, needed]
        flaws = (("has a network", display.network), ("takes input", display.input))
        allowed = "only a monitor without network or input is allowed"
        return found + [
            (self.display_clause, f"display {display.name!r} {flaw}; {allowed}")
            for flaw, there in flaws
            if there
        ]

    def problems_then(self, parts: Mapping[str, str]) -> list[tuple[str, str]]:
        """The same for parts that an earlier program recorded, as that program judged them."""
        found = list(self._part_problems(parts, earlier=True))
        if not self.displays and DISPLAY not in parts:
            found.append((self.clause, "a progressive display is needed"))
        return found

    def _part_problems(
        self, parts: Mapping[str, str], *, earlier: bool = False
    ) -> Iterator[tuple[str, str]]:
        shown = [part for part in self.displays if part.name in parts]
        fitting = [part for part in shown if part.allows(parts[part.name], earlier=earlier)]
        for part in (*self.parts, *(() if earlier else shown)):
            if part.name not in parts:
                yield self.clause, f"{part} is needed"
            elif not part.allows(parts[part.name], earlier=earlier):
                given = parts[part.name]
                yield self.clause, f"{part.name} {given!r} is not approved; {part.allowed} is"
        if self.displays and not (fitting if earlier else shown):
            yield self.clause, f"a display is needed: {listed(self.displays)}"
        known = {part.name for part in (*self.parts, *self.displays)}
        known |= {DISPLAY} if earlier and not self.displays else set()
        for name in parts:
            if name not in known:
                yield self.clause, f"{name} does not belong to this set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """Which maker the letters ask for at games, and the clause that says so."""

    kind: str
    games: tuple[str, ...]
    """Empty where it holds for every game without a requirement of its own."""
    maker: str
    """Empty where any licensed maker will do."""
    clause: str
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedModel:
    """A row of the approved list: a model that may stand at games (CMP-16)."""

    kind: str
    maker: str
    """Empty where any will do, like `model`."""
    model: str
    reference: str
    """The reference of its approval."""
    day: str
    """The first day on which it is approved."""
    until: str = ""
    """The last day, where it has one."""
    aliases: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    """Empty where it is approved for every game."""
    source: tuple[str, ...] = ()

    def names(self, maker: str, model: str) -> bool:
        """True when the row is of this maker and model, by any of their names."""
        of_maker = not self.maker or is_same_maker(self.maker, maker)
        return of_maker and (
            not self.model or spelled(model) in map(spelled, (self.model, *self.aliases))
        )

    def problem(self, day: str) -> str:
        """Returns why the row is not in force on a day; empty where it is."""
        return term_problem(day, begins=self.day, until=self.until)


@cache
def stacks() -> tuple[Stack, ...]:
    """Every set of parts that is approved."""
    return tuple(
        Stack(
            system=row["system"],
            maker=row["maker"],
            clause=row["clause"],
            parts=tuple(_part(part) for part in row["parts"]),
            displays=tuple(_part(part) for part in row.get("displays", ())),
            display_clause=row.get("display_clause", row["clause"]),
        )
        for row in catalog("equipment")["stack"]
    )


@cache
def requirements() -> tuple[Requirement, ...]:
    """The requirements of the letters for shufflers and layouts."""
    return tuple(
        Requirement(**{**row, **{name: tuple(row[name]) for name in ("games", "source")}})
        for row in catalog("equipment")["requirement"]
    )


@cache
def printed_models() -> tuple[ApprovedModel, ...]:
    """The approved models that the letters print."""
    lists = ("aliases", "games", "source")
    return tuple(
        ApprovedModel(**{**row, **{name: tuple(row[name]) for name in lists}})
        for row in catalog("equipment")["model"]
    )


def kinds_by_model() -> tuple[str, ...]:
    """Kinds of which only models on the approved list may stand at a table."""
    free = {row.kind for row in printed_models() if not row.model}
    return tuple(dict.fromkeys(row.kind for row in requirements() if row.kind not in free))


def system_name(system: str) -> str:
    """The name by which the maker sells a progressive system (CMP-11).

    Names are data: makers change them, and no rule and no digest of rules looks at them.
    """
    return next(str(row["name"]) for row in catalog("equipment")["system"] if row["code"] == system)


def requirement_for(kind: str, game: str) -> Requirement:
    """The requirement for equipment of a kind at a game; the general one for an empty game."""
    rows = [row for row in requirements() if row.kind == kind]
    own = [row for row in rows if game in row.games]
    return (own or [row for row in rows if not row.games])[0]


def model_problem(
    kind: str, game: str, maker: str, model: str, *, day: str, recorded: Collection[ApprovedModel]
) -> tuple[str, str] | None:
    """Why a model may not stand at a game on a day, with the clause; None when it may.

    `recorded` are the rows of a floor beside the printed ones. An empty game asks for any game.
    """
    asked = requirement_for(kind, game)
    rows = [
        row
        for row in (*printed_models(), *recorded)
        if row.kind == kind
        and (not game or not row.games or game in row.games)
        and (not asked.maker or is_same_maker(row.maker, asked.maker))
    ]
    named = [row for row in rows if row.names(maker, model)]
    if any(not row.problem(day) for row in named):
        return None
    if named:
        why = f"({named[-1].reference}) {named[-1].problem(day)}"
        return asked.clause, f"the approval of {model!r} of {maker!r} {why}"
    further = f"models of {asked.maker}" if asked.maker else "models"
    return asked.clause, (
        f"{model!r} of {maker!r} is not on the approved list; allowed: "
        f"{_models_text(row for row in rows if not row.problem(day)) or 'none yet'}; "
        f"an administrator records further approved {further}"
    )


def approval_reference(
    kind: str, maker: str, model: str, *, day: str, recorded: Collection[ApprovedModel]
) -> str:
    """The reference under which a model is approved on a day; empty where it is not."""
    rows = (
        row
        for row in (*recorded, *printed_models())
        if row.kind == kind and row.names(maker, model) and not row.problem(day)
    )
    return next((row.reference for row in rows), "")


def stack_problems(
    system: str, maker: str, parts: Mapping[str, str], display: Display | None
) -> list[tuple[str, str]]:
    """The problems of a progressive system, against the nearest set, with clauses."""
    stack = _nearest([(x, x.problems(parts, display)) for x in stacks() if x.system == system])
    found = stack.problems(parts, display)
    if not is_same_maker(maker, stack.maker):
        found.insert(
            0, (stack.clause, f"the system is of {maker!r}; one of {stack.maker} is allowed")
        )
    return found


def stack_problems_then(system: str, parts: Mapping[str, str]) -> list[tuple[str, str]]:
    """The same for a system that an earlier program recorded: of any maker, with any texts."""
    named = {part_named(name) or name: version for name, version in parts.items()}
    return _nearest(
        [(x, x.problems_then(named)) for x in stacks() if x.system == system]
    ).problems_then(named)


def part_named(name: str) -> str | None:
    """The printed name of a part that is known by this name; None when no set has it."""
    return _printed_parts().get(spelled(name))


def part_names() -> tuple[str, ...]:
    """The printed names of all parts."""
    return tuple(dict.fromkeys(_printed_parts().values()))


def maker_named(name: str) -> str:
    """The maker that is known by this name on the list; the name itself for any other."""
    for row in catalog("equipment")["maker"]:
        if spelled(name) in map(spelled, (row["name"], *row["aliases"])):
            return str(row["name"])
    return name


def is_same_maker(one: str, other: str) -> bool:
    """True when two names are of one maker."""
    return spelled(maker_named(one)) == spelled(maker_named(other))


def spelled(name: str) -> str:
    """A name as it is compared, without regard to spaces and capitals."""
    return " ".join(name.split()).casefold()


def _models_text(rows: Iterable[ApprovedModel]) -> str:
    """Models by maker: i-Deal, ACE of Light and Wonder."""
    by_maker: dict[str, list[str]] = {}
    for row in rows:
        by_maker.setdefault(row.maker, []).append(row.model)
    return listed(f"{listed(models)} of {maker}" for maker, models in by_maker.items())


def _nearest(judged: list[tuple[Stack, list[tuple[str, str]]]]) -> Stack:
    return min(judged, key=lambda pair: len(pair[1]))[0]


def _part(row: Mapping[str, Any]) -> Part:
    return Part(**{**row, "aliases": tuple(row.get("aliases", ()))})


@cache
def _printed_parts() -> dict[str, str]:
    """Printed names of parts, by every name that they have."""
    return {
        spelled(name): part.name
        for stack in stacks()
        for part in (*stack.parts, *stack.displays)
        for name in (part.name, *part.aliases)
    }


def _plain_then(version: str) -> str:
    return re.sub(r"[\s.]+", ".", version.strip().lower().removeprefix("v"))


def _numbers_then(version: str) -> tuple[int, ...]:
    """The numbers of any text in order, zeros at the end left out."""
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
