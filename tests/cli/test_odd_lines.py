"""Odd lines: documented commands with arguments left out, doubled, broken; never a traceback."""

import io
import re
import shlex
from functools import cache
from pathlib import Path
from random import Random

import pytest

from houseway.cli import main, make_app

QUICK = ("games", "rules", "settle", "deal", "replay", "audit", "record", "export", "backup")
"""Commands that have nothing long to do, whatever they are asked."""
ODD = (
    *("", "-", "--", "-1", "0", "2.5", "1e400", "nan", "9" * 30, "x" * 3000, "\u00b2", "\u0663"),
    *(
        "\ud800",
        "\0",
        "\n",
        "a=b",
        "=",
        "a=",
        ";",
        "[]",
        "{}",
        "@x",
        "%s",
        "  ",
        "1/0",
        "1..",
        "1,2",
    ),
    *("..", "dir", "text", "bytes", "empty", "nofile", "sqlite:///", "sqlite:///dir"),
    *("sqlite:///text", "sqlite:///bytes", "sqlite:///empty", "sqlite:///nofile", "postgresql://"),
    *("2026-13-45", "triple-shot-bonus", "AsAsAs", "\U0001f0a1", "ante=\u00b2", "pair-plus=1/0"),
    *("--option", "--option=x=", "--paytable", "--paytable=ante-bonus=x,y", "--json", "--help"),
)
LINES = 50


@cache
def examples() -> list[tuple[list[str], list[str]]]:
    """Every documented line of these commands, and the options that its command has."""
    found = []
    for name in QUICK:
        text = make_app([name])[name].generate_docs(heading_level=2, usage_name=f"houseway {name}")
        options = sorted(set(re.findall(r"--[a-z][a-z-]+", text)))
        lines = [shlex.split(line)[1:] for line in re.findall(r"`(houseway [^`]+)`", text)]
        # A database of somebody else is asked for by no test.
        found += [(line, options) for line in ([name], *lines) if "postgres" not in " ".join(line)]
    return found


def odd_line(rng: Random) -> list[str]:
    """A documented line with up to three things wrong with it."""
    line, options = rng.choice(examples())
    line = [*line]
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(1, len(line) + 1)
        match rng.randrange(4):
            case 0:
                line[at : at + 1] = [rng.choice(ODD)]
            case 1:
                del line[at : at + 1]
            case 2:
                line[at:at] = [*([rng.choice(options)] if options else []), rng.choice(ODD)]
            case _:
                line.insert(at, rng.choice(ODD))
    return line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are none of those which a command asks for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "dir").mkdir()
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("hello\n", encoding="utf-8")
    (tmp_path / "bytes").write_bytes(bytes(range(256)))


@pytest.mark.usefixtures("folder")
def test_no_odd_line_brings_out_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(690)
    for _ in range(LINES):
        line = odd_line(rng)
        code = main(line)
        told = capsys.readouterr()
        assert code in (0, 1, 2), line
        assert "Traceback" not in told.out + told.err, line
        # Whoever is refused is told why.
        assert code != 2 or told.err or told.out, line


@pytest.mark.soak
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("seed", range(20))
def test_no_line_of_many_brings_out_a_traceback(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(seed)
    for _ in range(500):
        line = odd_line(rng)
        assert main(line) in (0, 1, 2), line
        assert "Traceback" not in "".join(capsys.readouterr()), line


@pytest.mark.usefixtures("folder")
def test_a_zero_byte_and_half_a_character_are_in_no_argument(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for argument in ("\0", "a\0b", "\ud800"):
        assert main(["replay", argument]) == 2
        assert "has a zero byte or half a character" in capsys.readouterr().err
