"""Dependencies point down: the contract holds, and it would notice if it did not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests import ROOT


def lint_imports(where: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(
        command,
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(where), "PYTHONSAFEPATH": "1"},
    )


def copy(to: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "houseway", to / "houseway", ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", to)


def test_the_package_keeps_its_levels() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


def test_an_upward_import_breaks_the_contract(tmp_path: Path) -> None:
    copy(tmp_path)
    assert lint_imports(tmp_path).returncode == 0
    with (tmp_path / "houseway" / "cards" / "hands.py").open("a") as file:
        file.write("\nfrom houseway.games import base\n")
    done = lint_imports(tmp_path)
    assert done.returncode != 0
    assert "houseway.cards.hands" in done.stdout


def test_a_module_without_a_level_breaks_the_contract(tmp_path: Path) -> None:
    copy(tmp_path)
    (tmp_path / "houseway" / "attic.py").write_text('"""A module nobody placed."""\n')
    assert lint_imports(tmp_path).returncode != 0
