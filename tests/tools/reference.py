"""Reference: pages that are read off the code, one function for each."""

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from fastapi.openapi.utils import get_openapi

from houseway import __version__
from houseway.cli import COMMANDS, make_app
from houseway.games import codes, game_of
from houseway.games.library import all_paytables, designators
from houseway.games.progressive import NAMES
from houseway.house.paytables import PayTable
from houseway.live import commands, events
from houseway.rules.trace import Traced, trace
from houseway.server.paths import paths
from houseway.server.practice_paths import practice_paths
from houseway.server.requests import ARGUMENTS
from tests import ROOT

FAMILIES = {
    "TSR": "Triple Shot Rummy",
    "TSB": "Triple Shot Bonus",
    "TCP": "Three Card Poker",
    "SCB": "6 Card Bonus",
    "FUP": "Three Card Poker Face Up",
    "PGM": "Progressive by Game Manager",
    "PNX": "Progressive by Nexus Command and GM Atlas",
    "PML": "Multi-game link",
    "PRC": "Recommendations for progressives",
    "CMP": "Approvals and conditions",
    "ACE": "Shuffler",
}
PUBLIC = (
    (
        "Rules and settlement",
        (
            "rules.settlement",
            "rules.lines",
            "house.options",
            "refusal",
            "rules.ruleset",
            "rules.rulebook",
            "rules.variant",
        ),
    ),
    (
        "Cards, hands and money",
        ("cards", "cards.hands", "house.money", "house.meters", "names", "live.shuffler"),
    ),
    ("Games", ("games.base", "games")),
    (
        "The catalog",
        (
            "house.paytables",
            "catalog.register",
            "catalog.claims",
            "catalog.equipment",
            "rules.trace",
        ),
    ),
    (
        "Exact figures",
        (
            "exact.solver",
            "exact.pricing",
            "exact.sheet",
            "exact.law",
            "exact.verify",
            "exact.solve",
            "exact.hold",
            "exact.strategy",
            "exact.bands",
            "exact.spread",
            "exact.mix",
            "exact.liability",
            "exact.progressive",
            "exact.long_run",
        ),
    ),
    (
        "Simulation",
        (
            "sim.plan",
            "sim.job",
            "sim.run",
            "sim.result",
            "sim.way",
            "sim.session",
            "sim.meter_lab",
            "sim.witness",
        ),
    ),
    (
        "Live rounds",
        (
            "live.state",
            "live.round",
            "live.procedure",
            "live.view",
            "live.text",
            "live.record",
            "practice.coach",
        ),
    ),
    (
        "Documents",
        (
            "documents.document",
            "documents.subject",
            "documents.par_sheet",
            "documents.submission",
            "documents.web_page",
            "documents.print_sheet",
        ),
    ),
    (
        "The floor",
        (
            "journal.event",
            "journal.journal",
            "journal.audit",
            "journal.backup",
            "floor.service",
            "floor.records",
            "floor.reports",
        ),
    ),
    ("Learning machines", ("rl.environments",)),
)


def command_line() -> Iterator[str]:
    """Every command with what it says of itself."""
    yield "# Command line"
    yield ""
    yield (
        "What `houseway COMMAND --help` says, command by command. Every command but `play` and "
        "`serve` takes `--json`. Exit codes: 0 done, 1 ran and what was asked does not hold, "
        "2 refused, 130 interrupted."
    )
    for name in COMMANDS:
        text = make_app([name])[name].generate_docs(heading_level=2, usage_name=f"houseway {name}")
        yield ""
        yield from _cleaned(text.strip().splitlines())


def _cleaned(lines: list[str]) -> Iterator[str]:
    """The lines without a list of contents, every usage with the name of the program."""
    skipping, heading, before = False, "", ""
    for line in lines:
        if line.endswith("Table of Contents"):
            skipping = True
        elif skipping and line and not line.startswith("- "):
            skipping = False
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not skipping:
            # How the program was started is no part of how it is used.
            usage = re.sub(r"^.*?(?=\[OPTIONS\]|COMMAND)", f"houseway {heading} ", line)
            yield (usage if before == "```console" else line).rstrip()
        before = line


def clauses() -> Iterator[str]:
    """Every clause with its text, its code and its tests."""
    traced = trace()
    tested = sum(entry.status == "tested" for entry in traced)
    nothing = sum(entry.status == "no_software" for entry in traced)
    yield "# Clauses"
    yield ""
    yield (
        f"{len(traced)} clauses of the sources, in our own words, each with the code that carries "
        f"it out and the tests that show it. {tested} are shown by tests; {nothing} are about "
        "things that no software does. `houseway trace` prints the same, and "
        "[the rules of each game](../rules/three-card-poker.md) name options and sources."
    )
    for family, entries in groupby(traced, key=lambda entry: entry.id[:3]):
        yield from ("", f"## {FAMILIES[family]}")
        for entry in entries:
            yield from _clause(entry)


def _clause(entry: Traced) -> Iterator[str]:
    yield from ("", f"### {entry.id}", "", entry.text)
    if entry.status == "no_software":
        yield from ("", "No software has a part in it.")
    if entry.status == "untested":
        yield from ("", "No test shows it.")
    if entry.code:
        yield from ("", "Code: " + ", ".join(f"`{place}`" for place in entry.code) + ".")
    if entry.tests:
        names = (place.removeprefix("tests/") for place in entry.tests)
        yield from ("", "Tests: " + ", ".join(f"`{name}`" for name in names) + ".")


def paytables() -> Iterator[str]:
    """Every paytable with its rows and its source."""
    known = all_paytables()
    yield "# Paytables"
    yield ""
    yield (
        f"{len(known)} paytables. *To 1* is paid on top of the wager, *for 1* includes "
        "it. A table is chosen with `--paytable BET=CODE`. What each costs is on the par sheet "
        "(`houseway par GAME`); sources are file and line, see [sources](../sources.md)."
    )
    for game in (*codes(), *NAMES):
        title = NAMES[game] if game in NAMES else game_of(game).name
        yield from ("", f"## {title}")
        found = () if game in NAMES else designators(game)
        if found:
            bets = tuple(dict.fromkeys(bet for entry in found for bet in entry.paytables))
            yield from ("", "A designator names one table for each of several bets.", "")
            yield f"| Designator | {' | '.join(bets)} | Source |"
            yield "|---" * (len(bets) + 2) + "|"
            for entry in found:
                chosen = " | ".join(entry.paytables.get(bet, "") for bet in bets)
                yield f"| {entry.code} | {chosen} | {entry.source} |"
        for paytable in known:
            if paytable.game == game:
                yield from _paytable(paytable)


def _paytable(paytable: PayTable) -> Iterator[str]:
    yield from ("", f"### {paytable.bet} {paytable.code}", "")
    envy = paytable.to_json().get("envy", {}).get("cents", {})
    yield "| Hand | Pays | Envy |" if envy else "| Hand | Pays |"
    yield "|---|---|---|" if envy else "|---|---|"
    for hand, odds in paytable.rows:
        cells = [_hand(paytable, hand), str(odds)]
        if envy:
            cells.append(f"${envy[hand] // 100:,}" if hand in envy else "")
        yield f"| {' | '.join(cells)} |"
    if envy and paytable.envy_per_dollar:
        yield from ("", "Envy is paid for every dollar of the wager.")
    yield from ("", f"Source: {', '.join(paytable.source)}.")


def _hand(paytable: PayTable, hand: str) -> str:
    """The name of a row, for people."""
    return f"{hand} points" if paytable.by_score else hand.replace("_", " ")


def python() -> Iterator[str]:
    """Every public function and class of the modules that are meant to be imported."""
    yield "# Python"
    yield ""
    yield (
        "What the modules that are meant to be imported hold. `houseway` itself gives `settle`, "
        "`Options`, `Settlement`, `Line`, `Refused` and `Reason`; everything else is imported from "
        "its module. Amounts are integer cents, probabilities and edges are `Fraction`, cards are "
        "ints from 0 to 51, and what is not allowed raises `houseway.Refused`."
    )
    for title, modules in PUBLIC:
        yield from ("", f"## {title}")
        for module in modules:
            yield from _module(module)


def _module(name: str) -> Iterator[str]:
    path = ROOT / "houseway" / Path(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    yield from ("", f"### houseway.{name}", "", _said(tree))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield from _definition(node)


def _definition(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    yield from ("", f"#### {node.name}", "", "```python")
    if isinstance(node, ast.FunctionDef):
        yield _signature(node)
        yield from ("```", "", _said(node))
        return
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"class {node.name}({bases})" if bases else f"class {node.name}"
    for entry in node.body:
        if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
            given = "" if entry.value is None else f" = {_short(ast.unparse(entry.value))}"
            if not entry.target.id.startswith("_"):
                yield f"    {entry.target.id}: {ast.unparse(entry.annotation)}{given}"
        elif isinstance(entry, ast.Assign) and _is_enum(node):
            yield f"    {ast.unparse(entry)}"
    yield from ("```", "", _said(node))
    methods = [
        entry
        for entry in node.body
        if isinstance(entry, ast.FunctionDef) and not entry.name.startswith("_")
    ]
    if methods:
        yield ""
    for method in methods:
        first = _said(method).partition("\n")[0]
        yield f"- `{_called(method)}`: {first}"


def _is_enum(node: ast.ClassDef) -> bool:
    return any("Enum" in ast.unparse(base) for base in node.bases)


def _short(text: str) -> str:
    return text if len(text) <= 40 else "…"


def _signature(node: ast.FunctionDef) -> str:
    """The head of a function, one argument a line where it is long."""
    returned = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    line = f"def {node.name}({', '.join(_arguments(node.args))}){returned}"
    if len(line) <= 96:
        return line
    parts = "\n".join(f"    {part}," for part in _arguments(node.args))
    return f"def {node.name}(\n{parts}\n){returned}"


def _arguments(args: ast.arguments) -> Iterator[str]:
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    for place, (argument, default) in enumerate(zip(plain, defaults, strict=True), start=1):
        yield _argument(argument, default)
        if place == len(args.posonlyargs):
            yield "/"
    if args.vararg is not None:
        yield f"*{_argument(args.vararg, None)}"
    elif args.kwonlyargs:
        yield "*"
    for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _argument(argument, default)
    if args.kwarg is not None:
        yield f"**{_argument(args.kwarg, None)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    kind = "" if argument.annotation is None else f": {ast.unparse(argument.annotation)}"
    return argument.arg + kind + ("" if default is None else f" = {ast.unparse(default)}")


def _called(method: ast.FunctionDef) -> str:
    """A method as it is called, or a property by its name."""
    marks = {ast.unparse(mark) for mark in method.decorator_list}
    if marks & {"property", "cached_property"}:
        return method.name
    names = [part for part in _arguments(method.args) if part not in ("self", "cls")]
    return f"{method.name}({', '.join(name.partition(':')[0] for name in names)})"


def _said(node: ast.Module | ast.FunctionDef | ast.ClassDef) -> str:
    return ast.get_docstring(node) or ""


def server_paths() -> Iterator[str]:
    """Every path of the server, from the description that it gives of itself."""
    described = get_openapi(
        title="Houseway", version=__version__, routes=[*paths.routes, *practice_paths.routes]
    )
    yield "# Server paths"
    yield ""
    yield (
        "Read off the document that a server gives at `/openapi.json`. Who may ask for what, "
        "sessions and live updates are explained in [the floor server](../server.md); the "
        "commands that `POST /api/commands` takes are listed in [floor commands](commands.md)."
    )
    entries = [
        (path, method, entry)
        for path, methods in described["paths"].items()
        for method, entry in methods.items()
    ]
    for path, method, entry in entries:
        yield from ("", f"## {method.upper()} {path}", "", _told(entry))
        given = entry.get("parameters", [])
        if given:
            yield from ("", "| Parameter | In | Kind | Needed |", "|---|---|---|---|")
            for one in given:
                needed = "yes" if one.get("required") else "no"
                yield f"| `{one['name']}` | {one['in']} | {_kind(one['schema'])} | {needed} |"
        body = entry.get("requestBody", {}).get("content", {}).get("application/json", {})
        if body:
            yield from ("", f"Body: {_body(body['schema'], described)}.")
        answers = ", ".join(f"{code}" for code in entry["responses"])
        yield from ("", f"Answers: {answers}.")


def _body(schema: dict[str, Any], described: dict[str, Any]) -> str:
    """What is sent: the name of its shape and its fields, a question mark behind the optional."""
    name = schema.get("$ref", "").rpartition("/")[2]
    shape = described["components"]["schemas"].get(name, {})
    needed = shape.get("required", [])
    fields = ", ".join(
        f"`{field}`" + ("" if field in needed else "?") for field in shape.get("properties", ())
    )
    return f"{_kind(schema)}: {fields}" if fields else _kind(schema)


def _told(entry: dict[str, Any]) -> str:
    return str(entry.get("description") or entry.get("summary", "")).strip()


def _kind(schema: dict[str, Any]) -> str:
    """A shape in a few words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for name in ("anyOf", "oneOf"):
        if name in schema:
            found = [_kind(part) for part in schema[name]]
            return "one of the commands" if len(found) > 6 else " or ".join(found)
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return {"string": "text", "integer": "whole number", "boolean": "yes or no"}.get(kind, kind)


def floor_commands() -> Iterator[str]:
    """Every command of a floor with its arguments, and every command and event of a live round."""
    yield "# Commands and events"
    yield ""
    yield (
        "A floor changes by commands only, each of which becomes events in the journal "
        "([the journal and the ledger](../ledger.md)). Who may give which is decided by the floor. "
        "Amounts are cents."
    )
    yield from ("", "## Commands of a floor", "")
    yield "`POST /api/commands` takes them; `Floor.do` of `houseway.floor.service` does too."
    yield from ("", "| Command | Arguments | What for |", "|---|---|---|")
    for name, model in ARGUMENTS.items():
        given = ", ".join(
            f"`{entry.alias or field}`" + ("" if entry.is_required() else "?")
            for field, entry in model.model_fields.items()
        )
        said = (model.__doc__ or "").strip().partition("\n")[0]
        yield f"| `{name}` | {given} | {said} |"
    yield from ("", "A question mark follows what may be left out.")
    for title, module in (
        ("Commands of a live round", commands),
        ("Events of a live round", events),
    ):
        yield from ("", f"## {title}", "", f"From `{module.__name__}`.", "")
        yield from ("| Name | Fields | What it is |", "|---|---|---|")
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.decorator_list:
                fields = ", ".join(
                    f"`{entry.target.id}`"
                    for entry in node.body
                    if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name)
                )
                yield f"| `{node.name}` | {fields} | {_said(node).partition(chr(10))[0]} |"
