"""The built wheel: it carries its data, its trace and nothing that belongs to the tests."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from houseway.trace import to_json, trace
from tests import ROOT


def test_the_wheel_carries_catalog_types_and_trace(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        packed = json.loads(archive.read("houseway/catalog/trace.json"))
    assert {"houseway/py.typed", "houseway/catalog/paytables.toml"} <= names
    assert "houseway/journal/migrations/versions/0001_journal.py" in names
    assert {"houseway/documents/page.html", "houseway/documents/sheet.typ"} <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
    assert packed == json.loads(json.dumps(to_json(trace())["clauses"]))


def test_the_program_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """Unpacked in an empty folder it finds its data and its trace without the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "houseway", "trace", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(to_json(trace())))


def test_requirements_are_pinned_hashed_and_without_addresses() -> None:
    for name in ("run.txt", "dev.txt"):
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        assert "://" not in text
        pins = [line for line in text.splitlines() if line and line[0] not in " #"]
        assert pins
        assert all("==" in pin for pin in pins)
        assert text.count("--hash=sha256:") >= len(pins)


def test_the_version_is_one() -> None:
    import houseway

    done = subprocess.run(
        [sys.executable, "-m", "houseway", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"houseway {houseway.__version__}"
