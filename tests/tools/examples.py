"""Examples of a page done again, from the first to the last, with what they print now."""

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from argon2 import PasswordHasher

from houseway.cli import main

BEGIN = datetime(2026, 1, 15, 20, 13, tzinfo=UTC)


class Said(StringIO):
    """What is printed, to somebody who can read every sign."""

    encoding = "utf-8"


class Quick(PasswordHasher):
    """PINs are hashed in no time and always alike, so that a seal comes out as it was printed."""

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return super().hash(password, salt=salt or b"every example...")


BLOCK = re.compile(r"(?<=```)(python|console)\n(.*?)(?=```)", re.DOTALL)


def done_again(page: str, folder: Path) -> str:
    """The page with every output as it comes out in an empty folder on a quiet evening."""
    names: dict[str, Any] = {}

    def told(block: re.Match[str]) -> str:
        if block[1] == "console":
            return f"console\n{console(block[2])}"
        session = block[2].startswith(">>>")
        return f"python\n{python(block[2], names) if session else block[2]}"

    with chdir(folder), ticking(), patch.dict("os.environ", COLUMNS="100"):
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
    """Commands with what they print; what is refused says so, and nothing else fails."""
    parts = []
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        program, *arguments = shlex.split(command)
        assert program == "houseway", f"only our own program is done again, not {command}"
        said = Said()
        with redirect_stdout(said), redirect_stderr(said):
            code = main(arguments)
        lines = [line.rstrip() for line in said.getvalue().splitlines()]
        refused = bool(lines) and lines[0].startswith("houseway: ")
        assert (code == 2) == refused, command
        parts.append("".join(f"{line}\n" for line in (f"$ {command}", *lines)))
    return "\n".join(parts)


@contextmanager
def ticking() -> Iterator[None]:
    """A clock that goes on by a second whenever somebody looks at it."""
    passed = 0

    def clock() -> str:
        nonlocal passed
        passed += 1
        return (BEGIN + timedelta(seconds=passed)).isoformat(timespec="microseconds")

    quick = Quick(time_cost=1, memory_cost=8, parallelism=1)
    with (
        patch("houseway.journal.timekeeper.utc_now", clock),
        patch("houseway.floor.service._HASHER", quick),
    ):
        yield
