"""Mutants: small faults put into the program one at a time, and whether a test finds each.

`python -m tests.tools.mutants houseway/floor/queue.py --tests tests/floor` runs the tests once to
see which lines each of them reaches. Then it changes one thing at a time, in a fixed order, and
runs the tests that reach the change, quickest first, until one fails. It lists what no test finds:
a test is missing there, or the change means nothing. `--every N` takes each N-th, `--only TEXT ...`
those with one of the texts in their line, such as `queue.py:52:`.

A mutant lives only in memory, and each is tried in a fork. First the tests are collected once, and
a fork changes the code of one function that nothing has called yet. All that is left, such as what
runs when a module is loaded and what no test found, is tried in a fork that loads all anew.
"""

import ast
import gc
import json
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from inspect import CO_NEWLOCALS
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

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
TOLD = os.fdopen(os.dup(1), "w", buffering=1)
"""The output, also from a fork that is silent."""
QUIET = (
    *("-q", "-x", "-p", "no:cacheprovider", "-k", "not postgresql", "-o", "timeout=120"),
    # The forks share plug-ins that are already loaded.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)


def main() -> int:
    """Run the tests against every mutant, and list those that none of them finds."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("files", nargs="+", type=Path)
    asked.add_argument("--tests", nargs="+", required=True)
    asked.add_argument("--every", type=int, default=1)
    asked.add_argument("--only", nargs="+", default=[""])
    given = asked.parse_args()
    made = [
        (file, place)
        for file in given.files
        for place in range(count(file))
        for name in [Mutant.at(file, place).name]
        if any(text in name for text in given.only)
    ][:: given.every]
    reach, found = quickly(given.files, given.tests, made)
    rest = [one for one in made if one not in found]
    if rest:
        same = Mutant.none(rest[0][0])
        if forked(partial(same.run, reach.tests(same))):
            raise SystemExit("the tests fail in a fork that loads all anew without any mutant")
    left = 0
    for number, (file, place) in enumerate(rest, start=1):
        mutant = Mutant.at(file, place)
        tests = reach.tests(mutant)
        if tests and (code := forked(partial(mutant.run, tests))):
            if code < 0:
                print(f"{number} of {len(rest)}: {mutant.name} ran out of time", flush=True)
            continue
        left += 1
        told = "NOT FOUND" if tests else "NOT REACHED"
        print(f"{number} of {len(rest)}: {mutant.name} {told}", flush=True)
    print(f"{len(made)} mutants, {len(made) - left} found")
    return 1 if left else 0


@dataclass
class Reach:
    """Which lines of the watched files each test reaches, and how long the test takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    @classmethod
    def of(cls, lines: dict[str, dict[str, list[str]]], seconds: dict[str, float]) -> "Reach":
        """Return what was noted as JSON."""
        by_line = {file: {int(n): names for n, names in of.items()} for file, of in lines.items()}
        return cls(by_line, seconds)

    def found_by(self, test: str) -> None:
        """Take a test that found a mutant sooner: where it reaches, it looks closely."""
        self.seconds[test] /= 2

    def tests(self, mutant: "Mutant", *, loaded: bool = True) -> list[str]:
        """Return the tests that reach a mutant, quickest first.

        What none of them reaches may run when the module is loaded, and say something that others
        read, such as the script of a game. Then it is all tests, those of the module first.
        """
        of_file = self.lines.get(str(mutant.file), {})
        found = {test for line in mutant.lines for test in of_file.get(line, ())}
        if found or not loaded:
            return sorted(found, key=lambda test: (self.seconds[test], test))
        own = {test for tests in of_file.values() for test in tests}
        return sorted(self.seconds, key=lambda test: (test not in own, self.seconds[test], test))


@dataclass(eq=False)
class Watch:
    """The plug-in that sees what a test reaches."""

    files: dict[str, str]
    seen: set[tuple[str, int]] = field(default_factory=set)
    called: set[CodeType] = field(default_factory=set)
    lines: dict[str, dict[int, list[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Trace the test with what is made for it."""
        self.seen = set()
        self.trace(self.call)
        yield
        self.trace(None)
        for file, line in self.seen:
            self.lines[file][line].append(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up how long a test takes."""
        self.seconds[report.nodeid] += report.duration

    @staticmethod
    def trace(call: Callable[..., Any] | None) -> None:
        """Call this for each function that is called from now on."""
        threading.settrace(call)
        sys.settrace(call)

    def note(self, frame: FrameType, *_: object) -> None:
        """Note what is called before any test runs."""
        if frame.f_code.co_filename in self.files:
            self.called.add(frame.f_code)

    def call(self, frame: FrameType, *_: object) -> Callable[..., Any] | None:
        """Follow the functions of the watched files."""
        name = self.files.get(frame.f_code.co_filename)
        if name is None:
            return None
        seen = self.seen

        def line(frame: FrameType, *_: object) -> Callable[..., Any]:
            seen.add((name, frame.f_lineno))
            return line

        return line(frame)


@dataclass(eq=False)
class Quick:
    """The plug-in that tries mutants in forks of one session, with the tests collected."""

    watch: Watch
    made: list[tuple[Path, int]]
    note: Path
    failed: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See whether a test fails, and note which."""
        if report.failed:
            self.failed = True
            self.note.with_suffix(".failed").write_text(report.nodeid, encoding="utf-8")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once, then those that reach each mutant."""
        self.watch.trace(None)
        if forked(partial(self.reach, session.items), None):
            raise SystemExit("the tests fail without any mutant")
        lines, seconds, _ = json.loads(self.note.read_text(encoding="utf-8"))
        reach = Reach.of(lines, seconds)
        of = {item.nodeid: item for item in session.items}
        failed = self.note.with_suffix(".failed")
        alive = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
        alive = [one for one in alive if one.__code__.co_filename in self.watch.files]
        same = [(one, one.__code__) for one in alive]
        if forked(partial(self.run, same, session.items), None):
            raise SystemExit("the tests fail in a fork without any mutant")
        with self.note.with_suffix(".found").open("w", encoding="utf-8") as found:
            for number, (file, place) in enumerate(self.made, start=1):
                mutant = Mutant.at(file, place)
                tests = reach.tests(mutant, loaded=False)
                changed = changed_functions(mutant, alive, self.watch.called)
                items = [of[test] for test in tests]
                if changed and items and (code := forked(partial(self.run, changed, items))):
                    with suppress(FileNotFoundError):  # A test that hangs is ended in silence.
                        reach.found_by(failed.read_text(encoding="utf-8"))
                        failed.unlink()
                    how = "ran out of time" if code < 0 else "found"
                    print(f"{number} of {len(self.made)}: {mutant.name} {how}", file=TOLD)
                    found.write(f"{json.dumps([str(file), place])}\n")
                    found.flush()
        return True

    def reach(self, items: list[pytest.Item]) -> int:
        """Run all tests, and note what each of them reaches."""
        self.run([], items)
        ours = ("houseway", "tests", "__main__")
        needed = [name for name in sys.modules if name.partition(".")[0] not in ours]
        known = [self.watch.lines, self.watch.seconds, needed]
        self.note.write_text(json.dumps(known), encoding="utf-8")
        return int(self.failed)

    def run(
        self, changed: list[tuple[FunctionType, CodeType]], items: Sequence[pytest.Item]
    ) -> int:
        """Run tests until one fails, with the code of some functions changed."""
        for function, code in changed:
            function.__code__ = code
        if changed:
            os.environ["HOUSEWAY_COUNT_ANEW"] = "1"
            items[0].config.pluginmanager.unregister(self.watch)
        for item, after in zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                return 1
        return 0


def changed_functions(
    mutant: "Mutant", alive: list[FunctionType], called: set[CodeType]
) -> list[tuple[FunctionType, CodeType]]:
    """Return the functions of a mutant with their code; none where that is not all it takes."""
    path = str(ROOT / mutant.file)
    same = dict(functions(compile(Mutant.none(mutant.file).tree, path, "exec")))
    new = dict(functions(compile(mutant.tree, path, "exec")))
    names = {name for name in same if same[name] != new[name]}
    if not names or names & {named(code) for code in called if code.co_filename == path}:
        return []
    return [
        (one, new[named(one.__code__)])
        for one in alive
        if one.__code__.co_filename == path and named(one.__code__) in names
    ]


def functions(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Return the code of the functions and methods of a module, by name and line."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_flags & CO_NEWLOCALS:
                yield named(inner), inner
            else:  # A class, whose body runs when the module is loaded.
                yield from functions(inner)


def named(code: CodeType) -> tuple[str, int]:
    """Return the name and the line of a function."""
    return code.co_qualname, code.co_firstlineno


def quickly(
    files: list[Path], tests: list[str], made: list[tuple[Path, int]]
) -> tuple[Reach, set[tuple[Path, int]]]:
    """Return what the tests reach, and the mutants that they find in one session.

    Load here what the tests need from elsewhere, for the forks to share.
    """
    with TemporaryDirectory() as folder:
        note = Path(folder) / "reach.json"

        def run() -> int:
            watch = Watch({str(ROOT / file): str(file) for file in files})
            watch.trace(watch.note)
            # Each fork writes to a folder that the next one may take.
            where = ("--basetemp", str(Path(folder) / "tests"))
            return int(
                pytest.main([*QUIET, *where, *tests], plugins=[watch, Quick(watch, made, note)])
            )

        if forked(run, None):
            raise SystemExit("the tests fail without any mutant")
        lines, seconds, needed = json.loads(note.read_text(encoding="utf-8"))
        rows = note.with_suffix(".found").read_text(encoding="utf-8").splitlines()
    for name in needed:
        with suppress(Exception):
            import_module(name)
    found = {(Path(file), place) for file, place in map(json.loads, rows)}
    return Reach.of(lines, seconds), found


def forked(run: Callable[[], int], limit: int | None = SECONDS) -> int:
    """Run something in a fork, in silence, and return its exit code."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        if limit:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(limit)
        code = run()
    finally:
        os._exit(code)


@dataclass(frozen=True)
class Mutant:
    """A source with one thing changed."""

    file: Path
    tree: ast.Module
    lines: range
    name: str

    @classmethod
    def at(cls, file: Path, place: int) -> "Mutant":
        """Return a file's mutant by its place."""
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        node = list(places(tree))[place]
        before = ast.unparse(node)
        change(node)
        after = f"{before} -> {ast.unparse(node)}"
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return cls(file, ast.fix_missing_locations(tree), lines, f"{file}:{node.lineno}: {after}")

    @classmethod
    def none(cls, file: Path) -> "Mutant":
        """Return the file as it is."""
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        return cls(file, tree, range(0), f"{file}: unchanged")

    def run(self, tests: list[str]) -> int:
        """Run tests on the changed program until one fails."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "houseway"]:
            del sys.modules[name]
        # Exact results on disk are those of the sources, and must stay so.
        os.environ["HOUSEWAY_COUNT_ANEW"] = "1"
        sys.meta_path.insert(0, Instead(self))
        return int(pytest.main([*QUIET, *tests]))


class Instead(MetaPathFinder):
    """Finds the mutant where its module is looked for."""

    def __init__(self, mutant: Mutant) -> None:
        parts = mutant.file.with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self.mutant = mutant

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return how to load the mutant."""
        if fullname != self.name:
            return None
        file = ROOT / self.mutant.file
        loader: Loader = Changed(fullname, str(file), self.mutant.tree)
        return spec_from_file_location(fullname, file, loader=loader)


class Changed(SourceFileLoader):
    """Loads a changed source in place of the file's."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, *_: object) -> CodeType:
        """Compile the changed source."""
        return compile(self.tree, self.path, "exec")


def places(tree: ast.AST) -> Iterator[Any]:
    """Return what can be changed, in the order of the source."""
    flags = set(_flags(tree))
    for node in ast.walk(tree):
        if node in flags:
            continue
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


def _flags(tree: ast.AST) -> Iterator[ast.AST]:
    """Return what stands in the decorators of classes, such as frozen: no test can miss it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                yield from ast.walk(decorator)


def _is_text(node: ast.BinOp) -> bool:
    """Return whether something adds texts or types, where a swap only raises."""
    sides = (node.left, node.right)
    return any(isinstance(side, ast.JoinedStr | ast.List | ast.Tuple) for side in sides)


def count(file: Path) -> int:
    """Return how many mutants a file has."""
    return len(list(places(ast.parse((ROOT / file).read_text(encoding="utf-8")))))


def change(node: ast.AST) -> None:
    """Change one thing of a source."""
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


if __name__ == "__main__":
    sys.exit(main())
