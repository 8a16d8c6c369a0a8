"""Walk over every number of the source documents and say what accounts for it.

The sources are not in the repository, so this is run by hand where they are:

    python -m tests.tools.source_numbers DIRECTORY

A number is accounted for by noise, by a claim that prints it, or by a paytable or
a clause that cites its line and has the number in its own words or in its data. The rest
is listed. The last rows belong in `houseway/catalog/noise.toml` under [[walked]].
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from houseway.cards.hands import FiveCard
from houseway.catalog import catalog
from houseway.catalog.claims import (
    Claim,
    chart_cells,
    noise,
    note_cells,
    printed_figures,
    printed_holds,
    printed_speeds,
)
from houseway.catalog.equipment import stacks
from houseway.catalog.register import clauses, game_list
from houseway.games.base import net_units
from houseway.games.library import paytable_of
from houseway.games.triple_shot_bonus.rules import poker

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)*")
# fmt: off
WORDS = dict(enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)))
# fmt: on
SAID = (("even", "1"), ("half", "2"), ("nothing", "0"))
"""Words of a clause that stand for a number of the source."""
KINDS = ("claims", "paytables", "clauses", "noise", "uncovered")
DATA = {"CMP-10": str(game_list()), **dict.fromkeys(("PGM-01", "PNX-01"), str(stacks()))}
"""Clauses whose numbers are data of their own."""

Place = tuple[str, int]


def places(sources: tuple[str, ...] | list[str] | str) -> Iterator[Place]:
    """The lines that citations such as '004:L230-232' name."""
    for source in [sources] if isinstance(sources, str) else sources:
        document, _, lines = source.partition(":L")
        first, _, last = lines.partition("-")
        yield from ((document, line) for line in range(int(first), int(last or first) + 1))


@cache
def claimed() -> dict[Place, set[str]]:
    """The numbers of claims by line, those of the chart's rows and headings included."""
    found: dict[Place, set[str]] = {}

    def put(source: str, *texts: str) -> None:
        for place in places(source):
            said = (number for text in texts for number in NUMBER.findall(text))
            found.setdefault(place, set()).update(said)

    for claim in printed_figures():
        # A figure stands beside what it is a figure of: an option such as soft 17, a hand's pay.
        put(claim.source, claim.printed, *claim.options)
        if claim.hand and claim.paytable:
            put(claim.source, pay_of(claim))
    for claim in chart_cells():
        put(claim.source, claim.printed, str(claim.hand))
    for claim in note_cells():
        put(claim.source, str(claim.hand), str(claim.up_card))
    chart = catalog("claims")["chart"]
    put(chart["heading"], *chart["up_cards"])
    for hold in printed_holds():
        put(hold.source, str(hold.low * 100), str(hold.high * 100))
    for speed in printed_speeds():
        put(speed.source, str(speed.quicker * 100))
    return found


def pay_of(claim: Claim) -> str:
    """The pay that stands beside a hand of a printed table, '3/2 to 1' as 1.5."""
    paytable = paytable_of(claim.game, claim.bet, str(claim.paytable))
    return f"{float(net_units(poker(FiveCard[str(claim.hand).upper()], paytable))):g}"


@cache
def paytable_numbers() -> dict[Place, set[str]]:
    """The numbers of paytables and designators by the lines they cite; 3 to 2 is printed as 1.5."""
    found: dict[Place, set[str]] = {}
    for entries in (*catalog("paytables").values(), *catalog("progressives").values()):
        for entry in entries:
            data = str({key: value for key, value in entry.items() if key != "source"})
            said = {number.replace(",", "") for number in NUMBER.findall(data)}
            said |= {"1.5"} if "3 to 2" in data else set()
            for place in places(entry["source"]):
                found.setdefault(place, set()).update(said)
    return found


@cache
def clause_numbers() -> dict[Place, set[str]]:
    """The numbers that the clauses of a line say, in digits or in words, or keep as data."""
    found: dict[Place, set[str]] = {}
    for clause in clauses():
        text = clause.text + DATA.get(clause.id, "")
        said = {number.replace(",", "") for number in NUMBER.findall(text)}
        words = set(re.findall(r"[a-z]+", text.lower()))
        said |= {str(number) for number, word in WORDS.items() if word in words}
        said |= {number for word, number in SAID if word in words}
        for place in places(list(clause.source)):
            found.setdefault(place, set()).update(said)
    return found


def is_noise(place: Place, text: str, order: int, span: tuple[int, int]) -> bool:
    """True when an entry of the catalog declares this number of a line to be noise."""
    for entry in noise():
        if place not in set(places(entry.source)):
            continue
        if entry.which == "all" or (entry.which == "first" and order == 0):
            return True
        if entry.which == "words":
            for found in re.finditer(re.escape(str(entry.words)), text, re.IGNORECASE):
                if found.start() <= span[0] and span[1] <= found.end():
                    return True
    return False


@cache
def repeated() -> dict[Place, list[Place]]:
    """Lines that say again what other lines say."""
    found: dict[Place, list[Place]] = {}
    for entry in catalog("noise")["repeats"]:
        for place in places(entry["source"]):
            found.setdefault(place, []).extend(places(entry["as"]))
    return found


PRINTINGS = {"001": "000", "002": "000"}
"""Later printings of a sheet, and the one whose lines the clauses cite."""


def plain(row: str) -> str:
    """A row without marks and blanks, so that two printings of it are equal."""
    return re.sub(r"[^a-z0-9]", "", row.lower())


def walk(document: str, text: str, cited: dict[str, list[int]]) -> Iterator[tuple[int, str, str]]:
    """Every number of a document: its line, the number and what accounts for it.

    `cited` is the printing whose lines the clauses cite: rows by their plain text.
    """
    for line, row in enumerate(text.split("\n"), start=1):
        place = (document, line)
        said = set(clause_numbers().get(place, set()))
        same = [(PRINTINGS[document], other) for other in cited.get(plain(row), ())]
        for other in [*same, *repeated().get(place, ())]:
            said |= clause_numbers().get(other, set())
        for order, match in enumerate(NUMBER.finditer(row)):
            number = match[0].strip(",")
            if is_noise(place, row, order, match.span()):
                kind = "noise"
            elif number in claimed().get(place, ()):
                kind = "claims"
            elif number.replace(",", "") in paytable_numbers().get(place, ()):
                kind = "paytables"
            elif number.replace(",", "") in said:
                kind = "clauses"
            else:
                kind = "uncovered"
            yield line, number, kind


def main(directory: str) -> None:
    """Print what is uncovered, then the counts of every source."""
    texts = {
        path.name[:3]: path.read_text(encoding="utf-8")
        for path in sorted(Path(directory).glob("00*.txt"))
    }
    rows = []
    for document, text in texts.items():
        counts: Counter[str] = Counter()
        cited: dict[str, list[int]] = {}
        if document in PRINTINGS:
            for line, row in enumerate(texts[PRINTINGS[document]].split("\n"), start=1):
                cited.setdefault(plain(row), []).append(line)
        for line, number, kind in walk(document, text, cited):
            counts[kind] += 1
            if kind == "uncovered":
                print(f"{document}:L{line} {number}")
        parts = [f"{kind} = {counts[kind]}" for kind in KINDS]
        rows += ["", "[[walked]]", f'source = "{document}"', f"numbers = {counts.total()}", *parts]
    print("\n".join(rows))


if __name__ == "__main__":
    main(sys.argv[1])
