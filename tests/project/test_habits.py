"""Habits of the tests: what would make one depend on luck is not written in any of them."""

import ast
from functools import cache
from pathlib import Path

from tests import ROOT

TESTS = ROOT / "tests"
FILES = [path for path in sorted(TESTS.rglob("*.py")) if "tools" not in path.parts]
MAY_PAUSE = {
    "waiting.py": "looks again at what no event tells of",
    "journal/clients.py": "tries again what a journal that is away has refused",
    "journal/test_crashes.py": "kills a process at any moment, and what it asserts holds for each",
    "server/test_books.py": "holds a race open that would be lost without a lock",
}
"""Files that pause, and why luck has no part in it."""
PAUSES = ("time.sleep", "wait_for_timeout")
CLOCKS = ("datetime.now", "time.time", "date.today")
KEYS = ("page.keyboard", "page.goto", "page.reload", "page.set_viewport_size")
"""A window does these, once its page is settled."""


LAST = {name.rpartition(".")[2] for name in (*PAUSES, *CLOCKS, *KEYS, "focus")}
"""How the names end that are looked for; no other is worth being written out."""


@cache
def names_in(path: Path) -> list[tuple[int, str]]:
    """Every dotted name of a file that ends as one that is looked for, with its line."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in LAST):
        return []
    return [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in LAST
    ]


def found(path: Path, *wanted: str) -> list[str]:
    """Where a file has one of these names, alone or after something else."""
    place = path.relative_to(TESTS).as_posix()
    return [
        f"{place}:{line}: {name}"
        for line, name in names_in(path)
        if any(name == one or name.endswith(f".{one}") for one in wanted)
    ]


def test_no_test_pauses() -> None:
    files = [path for path in FILES if path.relative_to(TESTS).as_posix() not in MAY_PAUSE]
    assert [place for path in files for place in found(path, *PAUSES)] == []


def test_no_test_asks_what_time_it_is() -> None:
    assert [place for path in FILES for place in found(path, *CLOCKS)] == []


def test_browser_tests_work_through_windows() -> None:
    files = sorted((TESTS / "browser").glob("test_*.py"))
    assert [place for path in files for place in found(path, *KEYS)] == []
    # A window's `focus` has a plain name before it, that of something on a page a call.
    direct = [place for path in files for place in found(path, "focus") if "(" in place]
    assert direct == []
