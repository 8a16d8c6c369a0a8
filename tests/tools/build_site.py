"""Builds the documentation site from docs/: `make site`."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.tools import notebooks

DOCS = ROOT / "docs"
CONFIG = ROOT / "zensical.toml"
PAGES, SITE = Path("build/pages"), Path("build/site")
"""Where the configuration has them, beside itself."""


def stage(folder: Path, open_notebook: Callable[[Path], Any]) -> None:
    """Copy the pages beside a configuration, notebooks as pages."""
    pages = folder / PAGES
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("*.inc", "*.ipynb", ".*"))
    for path in notebooks.notebooks():
        page = pages / path.relative_to(DOCS).with_suffix(".md")
        page.parent.mkdir(exist_ok=True)
        page.write_text(notebooks.markdown(open_notebook(path)), encoding="utf-8")
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"(\]\([^)\s]+)\.ipynb\)", r"\1.md)", text), encoding="utf-8")


def build(folder: Path) -> Path:
    """The site, built by a configuration in that folder; a warning is an error."""
    shutil.rmtree(folder / SITE, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the site cannot be built:\n{done.stdout}{done.stderr}")
    return folder / SITE


if __name__ == "__main__":
    stage(ROOT, notebooks.executed)
    print(build(ROOT).relative_to(ROOT) / "index.html")
