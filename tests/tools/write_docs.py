"""Writes the generated pages of docs/ from catalog and code, and does examples again."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from houseway.catalog.register import clauses, house_readings, readings
from houseway.cli.rules import markdown_lines
from houseway.games import GAMES
from houseway.games.progressive import NAMES
from houseway.house.options import Kind, Options, allowed_values, register
from houseway.rules.rulebook import rules_document
from tests import ROOT
from tests.tools import reference
from tests.tools.examples import done_again

DOCS = ROOT / "docs"
LEDGER = DOCS / "ledger.md"
LESSONS = ("tutorials", "how-to", "explanation")
"""Folders of pages that people wrote, whose examples are done again."""


def pages() -> dict[Path, Callable[[], Iterable[str]]]:
    """Every generated page with what makes its lines."""
    made: dict[Path, Callable[[], Iterable[str]]] = {
        DOCS / "rules" / f"{code}.md": partial(_rules, code)
        for code in (*(game.code for game in GAMES), *NAMES)
    }
    made[DOCS / "rules" / "house.md"] = _house
    made[DOCS / "readings.md"] = _readings
    made[DOCS / "options.md"] = _options
    made[DOCS / "reference" / "command_line.md"] = reference.command_line
    made[DOCS / "reference" / "clauses.md"] = reference.clauses
    made[DOCS / "reference" / "paytables.md"] = reference.paytables
    made[DOCS / "reference" / "python.md"] = reference.python
    made[DOCS / "reference" / "paths.md"] = reference.server_paths
    made[DOCS / "reference" / "commands.md"] = reference.floor_commands
    return made


def written(page: Path) -> str:
    """The text of a generated page."""
    return "\n".join(pages()[page]()) + "\n"


def _rules(code: str) -> Iterable[str]:
    return markdown_lines(rules_document(code, {}, []))


def _house() -> Iterator[str]:
    yield "# The house"
    yield ""
    yield "Clauses about approvals, conditions and the shuffler that belong to no single game."
    yield from ("", "| Clause | Rule | Source |", "|---|---|---|")
    for clause in clauses():
        if clause.id[:3] in ("CMP", "ACE"):
            yield f"| {clause.id} | {clause.text} | {', '.join(clause.source)} |"


def _readings() -> Iterator[str]:
    yield "# Readings"
    yield ""
    yield (
        "Where the sources are silent, wrong or at odds with themselves, one reading is the "
        "default. Where a reading is a rule of play it is an option, never a hidden constant."
    )
    yield from ("", "| Reading | What is unclear | What is decided | Options | Source |")
    yield "|---|---|---|---|---|"
    for reading in readings():
        names = ", ".join(f"`{name}`" for name in reading.options)
        sources = ", ".join(reading.source)
        yield f"| {reading.id} | {reading.matter} | {reading.decision} | {names} | {sources} |"
    yield from ("", "## Bets by a reading of the house", "")
    yield "| Reading | Bet | Games | What is unclear | What is posted and shown | Source |"
    yield "|---|---|---|---|---|---|"
    for ours in house_readings():
        games, sources = ", ".join(ours.games), ", ".join(ours.source)
        yield f"| {ours.id} | {ours.bet} | {games} | {ours.matter} | {ours.decision} | {sources} |"
    yield from ("", "## Further readings of ours", "")
    yield from (DOCS / "readings_of_ours.inc").read_text(encoding="utf-8").rstrip().splitlines()


def _options() -> Iterator[str]:
    yield "# Options"
    yield ""
    yield (
        "Everything at the casino's discretion, each with its default first and its source. On "
        "the command line: `--option NAME=VALUE`. In Python: `game_of(GAME).options(NAME=VALUE)`. "
        "The house's options come first, then those that a game has of its own."
    )
    yield from (
        "",
        "| Option | Values | What it decides | Games | Source |",
        "|---|---|---|---|---|",
    )
    kinds: list[Kind] = [Options, *(game.options for game in GAMES)]
    found = {name: kind for kind in kinds for name in register(kind)}
    for name, kind in found.items():
        entry, values = register(kind)[name], allowed_values(name, kind)
        default = kind().to_json()[name]
        assert default in (values[0], values[0].strip("$"))
        games = [game.code for game in GAMES if game.touches(name)]
        where = "all" if len(games) == len(GAMES) else ", ".join(games)
        text, source = entry.metadata["text"], entry.metadata["source"]
        yield f"| `{name}` | {', '.join(values)} | {text} | {where} | {source} |"


def ledger() -> str:
    """The page on the ledger with its examples done again."""
    return lesson(LEDGER)


def lessons() -> list[Path]:
    """Every page with examples that people follow."""
    return sorted(path for folder in LESSONS for path in (DOCS / folder).glob("*.md"))


def lesson(page: Path) -> str:
    """A page with its examples done again, in an empty folder."""
    with TemporaryDirectory() as folder:
        return done_again(page.read_text(encoding="utf-8"), Path(folder))


if __name__ == "__main__":
    made = ((path, written(path)) for path in pages())
    told = ((path, lesson(path)) for path in (*lessons(), LEDGER))
    for path, text in (*made, *told):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))
