"""Examples of a page done again, from the first to the last, with what they print now."""

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from datetime import UTC, datetime, timedelta
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from houseway.cli import main
from houseway.journal.journal import Journal

BEGIN = datetime(2026, 1, 15, 20, 13, tzinfo=UTC)
BLOCK = re.compile(r"(?<=```)(python|console)\n(.*?)(?=```)", re.DOTALL)


def done_again(page: str, folder: Path) -> str:
    """The page with every output as it comes out in an empty folder on a quiet evening."""
    names: dict[str, Any] = {}

    def told(block: re.Match[str]) -> str:
        again = python(block[2], names) if block[1] == "python" else console(block[2])
        return f"{block[1]}\n{again}"

    with chdir(folder), ticking():
        return BLOCK.sub(told, page)


def python(block: str, names: dict[str, Any]) -> str:
    """A session with the answers that its statements give."""
    lines = []
    for example in DocTestParser().get_examples(block):
        said = StringIO()
        with redirect_stdout(said):
            exec(compile(example.source, "page", "single"), names)
        first, *rest = example.source.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in rest)]
        lines += said.getvalue().splitlines()
    return "".join(f"{line}\n" for line in lines)


def console(block: str) -> str:
    """Commands with what they print."""
    parts = []
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        said = StringIO()
        with redirect_stdout(said):
            assert main(shlex.split(command)[1:]) == 0, command
        parts.append(f"$ {command}\n{said.getvalue()}")
    return "\n".join(parts)


@contextmanager
def ticking() -> Iterator[None]:
    """A clock that goes on by a second whenever somebody looks at it."""
    passed = 0

    def clock() -> str:
        nonlocal passed
        passed += 1
        return (BEGIN + timedelta(seconds=passed)).isoformat(timespec="microseconds")

    usual = Journal.__init__.__kwdefaults__
    assert usual is not None
    with patch.dict(usual, clock=clock), patch("houseway.journal.journal.utc_now", clock):
        yield
