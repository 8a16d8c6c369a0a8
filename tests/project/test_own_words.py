"""What is shipped is in our own words, with no telephone numbers or addresses of letters."""

import os
import re
from functools import cache
from pathlib import Path

import pytest

from tests import ROOT
from tests.tools.shingles import known_shingles, shingles

KINDS = {".py", ".md", ".inc", ".toml", ".in", ".txt", ".svelte", ".ts", ".html", ".css", ".ipynb"}
NAMES_OF_GAMES = ROOT / "houseway" / "catalog" / "games.toml"
LEFT_OUT = {
    *(".venv", "build", "dist", "node_modules", ".git", ".hypothesis", ".mypy_cache"),
    "requirements",
}


@cache
def shipped() -> list[Path]:
    """Every text file of the project but the list of game names, which is a list of facts."""
    found = []
    for folder, inside, files in os.walk(ROOT):
        # What is installed or built is not even looked at: there is far more of it.
        inside[:] = [name for name in inside if name not in LEFT_OUT]
        found += [Path(folder, name) for name in files]
    return [path for path in sorted(found) if path.suffix in KINDS and path != NAMES_OF_GAMES]


@pytest.mark.clause("CMP-20")
def test_no_long_run_of_words_is_shared_with_the_sources() -> None:
    known = known_shingles()
    assert len(known) > 5000
    shared = [
        f"{path.relative_to(ROOT)}: {run}"
        for path in shipped()
        for mark, run in shingles(path.read_text(encoding="utf-8")).items()
        if mark in known
    ]
    assert shared == []
    assert len(shipped()) > 40


def test_the_check_would_notice() -> None:
    """The fingerprints are of the sources: this sentence of theirs, scrambled here, is known."""
    backwards = "agency our from concurrence seek will they operate to games your allows TGA before"
    sentence = " ".join(reversed(backwards.split()))
    assert set(shingles(sentence)) & known_shingles()


def test_no_telephone_numbers_and_no_mail_addresses() -> None:
    number = re.compile(r"\(\d{3}\) ?\d{3}-\d{4}|\b1-8\d\d-[A-Z0-9]{6,}|[\w.]+@[\w-]+\.(?:com|gov)")
    for path in shipped():
        assert not number.search(path.read_text(encoding="utf-8")), path
