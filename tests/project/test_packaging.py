"""The built wheel: it carries its data, its trace and nothing that belongs to the tests."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distributions, version
from pathlib import Path

import pytest

from houseway.games import codes
from houseway.rules.trace import to_json, trace
from tests import ROOT
from tests.server.serving import Served, answers, free_port
from tests.waiting import PATIENCE, wait_for


def test_the_wheel_carries_catalog_types_and_trace(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        packed = json.loads(archive.read("houseway/catalog/trace.json"))
    assert {"houseway/py.typed", "houseway/catalog/progressives.toml"} <= names
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel, which knows nothing of this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    made = folder / "env"
    # Take its dependencies from here; the test is of the wheel.
    venv.create(made, with_pip=False, symlinks=True)
    packages = next((made / "lib").iterdir()) / "site-packages"
    shutil.unpack_archive(wheel, packages, "zip")
    ours = Path(next(p for p in sys.path if p.endswith("site-packages")))
    (packages / "needs.pth").write_text(f"{needed(ours, folder)}\n")
    return made / "bin" / "python"


def needed(ours: Path, folder: Path) -> Path:
    """Links to everything that is installed here but this program and Node."""
    links = folder / "needs"
    links.mkdir()
    for path in ours.iterdir():
        left_out = ("houseway", "_houseway", "__editable__", "nodejs")
        if path.suffix != ".pth" and not path.name.lower().startswith(left_out):
            (links / path.name).symlink_to(path)
    return links


def test_the_wheel_serves_the_screens_without_node(installed: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'floor.sqlite'}"
    bare = {"PATH": str(installed.parent), "HOME": str(tmp_path), "COLUMNS": "200"}
    numba = {"NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(tmp_path / "numba"))}
    command = [str(installed), "-m", "houseway", "serve", "--database", url]
    port = free_port()
    started = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=tmp_path,
        env={**bare, **numba},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert started.stdout is not None
        printed = []
        for line in started.stdout:
            printed.append(line)
            if line.startswith("Open http"):
                break
        floor = Served(url, f"http://127.0.0.1:{port}")
        wait_for(lambda: started.poll() is not None or answers(floor.address))
        assert started.poll() is None, started.communicate()
        # The digests of its files were checked against the record of the wheel.
        assert floor.events()
        visitor = floor.client()
        page = visitor.http.get("/sign-in").text
        files = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
        assert {file.rpartition(".")[2] for file in files} >= {"js", "css"}
        assert {visitor.http.get(file).status_code for file in files} == {200}
        token = re.findall(r"/setup#(\S+)$", "".join(printed), re.MULTILINE)[0]
        asked = {"token": token, "card": "boss", "name": "Bo", "pin": "13579"}
        assert visitor.post("/api/setup", asked).json()["person"]["card"] == "boss"
        games = json.dumps(visitor.get("/api/practice"))
        assert all(code in games for code in codes())
        floor.leave()
    finally:
        started.terminate()
        started.communicate(timeout=PATIENCE)


def test_the_environment_has_the_pip_that_is_pinned_and_no_setuptools() -> None:
    """A Python brings old ones, with faults that are known."""
    pinned = (ROOT / "requirements" / "pip.txt").read_text(encoding="utf-8")
    assert pinned.startswith(f"pip=={version('pip')} ")
    assert "--hash=sha256:" in pinned
    installed = {made.metadata["Name"].lower() for made in distributions()}
    assert installed & {"setuptools", "wheel"} == set()
