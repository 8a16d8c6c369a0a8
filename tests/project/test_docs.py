"""Documents that cannot lie: transcripts run, generated pages are fresh, links lead somewhere."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import houseway.rules.settlement
from houseway.cli import COMMANDS
from tests import ROOT
from tests.tools.examples import console
from tests.tools.write_docs import LEDGER, ledger, lesson, lessons, pages, written

FOLDERS = ("tutorials", "how-to", "reference", "explanation")
MADE = {".venv", ".git", "build", "dist", "node_modules", "screens", ".mypy_cache", ".ruff_cache"}
README = (ROOT / "README.md").read_text(encoding="utf-8")


def transcripts() -> list[tuple[str, str]]:
    """Every '$ houseway …' line of the README with the output printed under it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), transcripts())
def test_the_readme_shows_what_the_program_prints(
    monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    assert console(f"$ {command}").partition("\n")[2].rstrip() == output.rstrip()


@pytest.mark.parametrize(("command", "output"), transcripts()[:1])
def test_a_process_prints_the_same(command: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"COLUMNS": "100", "PATH": "", "PYTHONIOENCODING": "utf-8"},
    )
    printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
    assert printed == output.rstrip()
    assert done.returncode == (2 if output.startswith("houseway:") else 0)


def test_the_readme_shows_the_two_commands() -> None:
    assert len(transcripts()) >= 3
    assert "make run" in README
    assert "make test" in README


def test_the_readme_names_every_command_and_the_parts_of_the_site() -> None:
    """Every page is in the navigation of the site, which `test_site.py` holds against them."""
    assert [name for name in COMMANDS if f"`houseway {name}" not in README] == []
    assert "make site" in README
    parts = ["docs/index.md", *(f"docs/{name}/index.md" for name in FOLDERS)]
    assert [name for name in parts if f"({name})" not in README] == []


def test_the_python_of_the_readme_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failures, tried > 2) == (0, True)
    assert doctest.testmod(houseway.rules.settlement).failed == 0


@pytest.mark.parametrize("page", sorted(pages()), ids=lambda page: page.name)
def test_generated_pages_are_fresh(page: Path) -> None:
    """Run `make docs` when this fails."""
    assert page.read_text(encoding="utf-8") == written(page)


@pytest.mark.clause("PNX-05", "PNX-06", "PNX-12", "PNX-13", "PNX-14", "PNX-15")
def test_the_award_of_the_ledger_page_goes_as_it_is_told() -> None:
    """Run `make docs` when this fails, and look at what changed."""
    page = LEDGER.read_text(encoding="utf-8")
    assert ledger() == page
    assert page.count("$ houseway record") == 6


@pytest.mark.parametrize("page", lessons(), ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_lessons_show_what_the_program_prints(page: Path) -> None:
    """Run `make docs` when this fails, and look at what changed."""
    assert lesson(page) == page.read_text(encoding="utf-8")


def test_a_lesson_that_lies_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    told = ">>> 1 + 1\n3\n"
    page.write_text(
        f"```python\n{told}```\n\n```console\n$ houseway --version\nno\n```\n",
        encoding="utf-8",
    )
    again = lesson(page)
    assert ">>> 1 + 1\n2\n" in again
    assert "\nhouseway 0." in again


def test_links_between_documents_lead_somewhere() -> None:
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_sources_are_named_with_their_digests() -> None:
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert len(re.findall(r"`[0-9a-f]{64}`", text)) == 5


def test_nothing_reads_outside_the_repository() -> None:
    """No file names the folder the sources came from or a path of a machine."""
    outside = re.compile("|".join([r"\.\./" + "shared", "/" + "work/", "/" + "root/"]))
    read = 0
    for folder, inside, names in os.walk(ROOT):
        # Skip files that were built or installed here: many, and none of the repository.
        inside[:] = [name for name in inside if name not in MADE]
        for path in (Path(folder, name) for name in names):
            if path.suffix in {".py", ".toml", ".md", ".txt", ".in"}:
                assert not outside.search(path.read_text(encoding="utf-8")), path
                read += 1
    assert read > 500
