"""Mutants: small faults put into the program one at a time, and whether a test finds each.

`python -m tests.tools.mutants houseway/floor/queue.py --tests tests/floor/test_queue.py` copies the
sources, changes one thing, runs the tests until one fails, and goes on to the next. What no test
finds is listed: a test is missing there, or the change means nothing. Every change is made at a
fixed place in a fixed order; `--every N` takes each N-th.
"""

import ast
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import ROOT

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SECONDS = 300
"""A mutant that hangs is found too."""


def main() -> int:
    """Run the tests against every mutant, and list those that none of them finds."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("files", nargs="+", type=Path)
    asked.add_argument("--tests", nargs="+", required=True)
    asked.add_argument("--every", type=int, default=1)
    given = asked.parse_args()
    made = [(file, place) for file in given.files for place in range(count(file))][:: given.every]
    left = []
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("houseway", "tests", "pyproject.toml"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
        for number, (file, place) in enumerate(made, start=1):
            text = (ROOT / file).read_text(encoding="utf-8")
            changed, where = mutant(text, place)
            (copy / file).write_text(changed, encoding="utf-8")
            found = not passes(copy, given.tests)
            (copy / file).write_text(text, encoding="utf-8")
            if not found:
                left.append(f"{file}:{where}")
            print(
                f"{number} of {len(made)}: {file}:{where} {'found' if found else 'NOT FOUND'}",
                flush=True,
            )
    print(f"{len(made)} mutants, {len(made) - len(left)} found")
    return 1 if left else 0


def passes(folder: Path, tests: list[str]) -> bool:
    """Return whether the tests pass on the sources in a folder."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-k", "not postgresql", *tests]
    try:
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """Return what can be changed, in the order of the source."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in SWAPS:
                yield node
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                yield node
            case ast.BinOp(op=op) if type(op) in SWAPS and not _is_text(node):
                yield node
            case ast.Constant(value=bool()):
                yield node
            case ast.Constant(value=int()):
                yield node


def _is_text(node: ast.BinOp) -> bool:
    """Return whether something adds texts or types, where a swap only raises."""
    sides = (node.left, node.right)
    return any(isinstance(side, ast.JoinedStr | ast.List | ast.Tuple) for side in sides)


def count(file: Path) -> int:
    """Return how many mutants a file has."""
    return len(list(places(ast.parse((ROOT / file).read_text(encoding="utf-8")))))


def mutant(text: str, place: int) -> tuple[str, str]:
    """Return the source with one thing changed, and where and what that is."""
    tree = ast.parse(text)
    node = list(places(tree))[place]
    before = ast.unparse(node)
    match node:
        case ast.Compare(ops=[op]):
            node.ops = [SWAPS[type(op)]()]  # type: ignore[list-item]
        case ast.BoolOp(op=op):
            node.op = SWAPS[type(op)]()  # type: ignore[assignment]
        case ast.UnaryOp():
            node.op = ast.UAdd()
            node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
        case ast.BinOp(op=op):
            node.op = SWAPS[type(op)]()  # type: ignore[assignment]
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
    line = getattr(node, "lineno", 0)
    changed = ast.unparse(ast.fix_missing_locations(tree))
    return changed, f"{line}: {before} -> {ast.unparse(node)}"


if __name__ == "__main__":
    sys.exit(main())
