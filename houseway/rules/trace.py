"""Trace: clause to code to test, which is what a regulator asks for.

Code belongs to a clause when a docstring names it. A test counts only when it carries the mark
`@pytest.mark.clause("TCP-07")` and is not skipped, or when it is a round file that names the
clause in its head; a mention in text counts for nothing. In a checkout the trace is read from the
files there; an installed wheel carries the one made when it was built.
"""

import ast
import json
import re
from collections import defaultdict
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from houseway.catalog import catalog_text
from houseway.catalog.register import clauses

PACKAGE = Path(__file__).parents[1]
TRACE_FILE = "trace.json"
NOT_EVIDENCE = {"skip", "skipif", "xfail", "soak"}
"""Marks that keep a test from counting: what is not run in every `make test` shows nothing."""

_ID = re.compile(r"(?<!['\"])\b([A-Z]{3})-([0-9]{2})(?:\.\.(?:([A-Z]{3})-)?([0-9]{2}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One clause with the code that carries it out and the tests that show it."""

    id: str
    text: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    status: str


@cache
def trace() -> tuple[Traced, ...]:
    """Every clause of the register, traced."""
    if not (PACKAGE / "catalog" / TRACE_FILE).is_file():
        return trace_checkout(PACKAGE.parent)
    return tuple(
        Traced(**{**entry, "code": tuple(entry["code"]), "tests": tuple(entry["tests"])})
        for entry in json.loads(catalog_text(TRACE_FILE))
    )


def trace_checkout(root: Path) -> tuple[Traced, ...]:
    """The trace of a checkout, read from its code and tests."""
    code, tests = clauses_in_code(root / "houseway"), clauses_in_tests(root / "tests")
    for clause_id, files in clauses_in_rounds(root).items():
        tests.setdefault(clause_id, []).extend(files)
    return tuple(
        Traced(
            id=clause.id,
            text=clause.text,
            code=tuple(code.get(clause.id, ())),
            tests=tuple(tests.get(clause.id, ())),
            status="no_software"
            if clause.no_software
            else "tested"
            if clause.id in tests
            else "untested",
        )
        for clause in clauses()
    )


def to_json(traced: tuple[Traced, ...]) -> dict[str, Any]:
    """The document of `houseway trace --json`."""
    return {
        "clauses": [asdict(entry) for entry in traced],
        "untested": [entry.id for entry in traced if entry.status == "untested"],
    }


def named_ids(text: str) -> list[str]:
    """The clause ids that a text names; 'TSR-09..11' names three."""
    found: list[str] = []
    for match in _ID.finditer(text):
        last = int(match[4] or match[2])
        found += [f"{match[1]}-{number:02d}" for number in range(int(match[2]), last + 1)]
    return found


def clauses_in_code(package: Path) -> dict[str, list[str]]:
    """Clause ids to the 'module:function' whose docstring names them."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        for name, node in _definitions(ast.parse(path.read_text(encoding="utf-8"))):
            for clause_id in named_ids(ast.get_docstring(node) or ""):
                place = f"{module.removesuffix('.__init__')}:{name}"
                if place not in found[clause_id]:
                    found[clause_id].append(place)
    return found


def clauses_in_tests(tests: Path) -> dict[str, list[str]]:
    """Clause ids to the tests that are marked with them and run in every `make test`."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(tests.rglob("test_*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except SyntaxError:
            # What cannot be read cannot be collected, so it shows nothing.
            continue
        file_marks = _assigned_marks(tree)
        for name, node in _definitions(tree):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            owner, _, _ = name.rpartition(".")
            decorators = list(node.decorator_list)
            for around in tree.body:
                if isinstance(around, ast.ClassDef) and around.name == owner:
                    decorators += around.decorator_list
            marks = file_marks + [mark for found in decorators for mark in _marks(found)]
            if NOT_EVIDENCE & {mark for mark, _ in marks}:
                continue
            place = f"{path.relative_to(tests.parent).as_posix()}::{name.replace('.', '::')}"
            ids = dict.fromkeys(i for mark, given in marks if mark == "clause" for i in given)
            for clause_id in ids:
                found[clause_id].append(place)
    return found


def clauses_in_rounds(root: Path) -> dict[str, list[str]]:
    """Clause ids to the round files that name them in their heads; a test replays every one."""
    found: dict[str, list[str]] = defaultdict(list)
    folders = (root / "houseway" / "games", root / "tests")
    for path in sorted(path for folder in folders for path in folder.rglob("*.round")):
        for row in path.read_text(encoding="utf-8").splitlines():
            if not row.strip():
                break
            heading, _, ids = row.partition(":")
            for clause_id in ids.split() if heading == "clause" else ():
                found[clause_id].append(path.relative_to(root).as_posix())
    return found


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(tree: ast.Module) -> list[tuple[str, _Definition]]:
    """Functions, classes and methods with their dotted names."""
    found: list[tuple[str, _Definition]] = []
    for node in tree.body:
        if isinstance(node, _Definition):
            found.append((node.name, node))
        if isinstance(node, ast.ClassDef):
            found += [
                (f"{node.name}.{inner.name}", inner)
                for inner in node.body
                if isinstance(inner, _Definition)
            ]
    return found


def _assigned_marks(tree: ast.Module) -> list[tuple[str, list[str]]]:
    """The marks of a module-level `pytestmark`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        ):
            values = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            return [mark for value in values for mark in _marks(value)]
    return []


def _marks(node: ast.expr) -> list[tuple[str, list[str]]]:
    """The pytest mark that an expression such as `pytest.mark.clause('TCP-07')` makes."""
    arguments = node.args if isinstance(node, ast.Call) else []
    target = node.func if isinstance(node, ast.Call) else node
    if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Attribute)):
        return []
    if target.value.attr != "mark":
        return []
    ids = [str(value.value) for value in arguments if isinstance(value, ast.Constant)]
    return [(target.attr, ids)]
