"""The set-up installs PostgreSQL and a browser where it may, and says when it may not."""

import os
import subprocess
from pathlib import Path

import pytest

from tests import ROOT

TOOLS = ROOT / "tests" / "tools"
DATABASE, BROWSER = TOOLS / "install_postgresql.sh", TOOLS / "install_browser.sh"


class Machine:
    """A machine with nothing but the programs that a test puts there, and a log of their calls."""

    def __init__(self, folder: Path) -> None:
        self.programs, self.log = folder / "programs", folder / "log"
        self.programs.mkdir()
        self.log.touch()

    def put(self, name: str, line: str = "exit 0") -> None:
        program = self.programs / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.log}\n{line}\n')
        program.chmod(0o755)

    def set_up(self, script: Path = DATABASE) -> tuple[str, list[str]]:
        """What the set-up says, and the programs it called."""
        given = [str(self.programs)] if script == DATABASE else []
        done = subprocess.run(
            ["/bin/sh", str(script), *given],
            env={"PATH": str(self.programs)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr, self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.put("id", "echo 1000")
    made.put("env", 'shift; exec "$@"')
    made.put("sed")
    return made


def test_what_is_there_is_not_installed(machine: Machine) -> None:
    machine.put("initdb")
    machine.put("postgres")
    assert machine.set_up() == ("", [])


def test_where_it_may_not_install_it_says_so_and_goes_on(machine: Machine) -> None:
    told, called = machine.set_up()
    assert "cannot be installed here: there is no apt-get" in told
    machine.put("apt-get")
    told, called = machine.set_up()
    assert "needs root, or sudo without a password" in told
    machine.put("sudo", "exit 1")
    told, called = machine.set_up()
    assert "needs root, or sudo without a password" in told
    assert "apt-get update --quiet" not in called
    machine.put("id", "echo 0")
    machine.put("apt-get", "exit 100")
    told, called = machine.set_up()
    assert "cannot be installed here: apt-get failed" in told


@pytest.mark.parametrize("user", ["root", "sudo"])
@pytest.mark.parametrize("known", [True, False])
def test_no_cluster_is_made_by_the_installation(machine: Machine, user: str, known: bool) -> None:
    machine.put("apt-get")
    machine.put("apt-cache", f"exit {0 if known else 100}")
    if user == "root":
        machine.put("id", "echo 0")
    machine.put("sudo", 'shift; exec "$@"')
    machine.put("true")
    told, called = machine.set_up()
    assert told == ""
    steps = [line.split() for line in called if line.startswith(("apt-get", "sed"))]
    assert [step[0] for step in steps] == ["apt-get", "apt-get", "sed", "apt-get"]
    assert steps[1][-1] == "postgresql-common"
    assert "create_main_cluster = false" in " ".join(steps[2])
    assert steps[3][-1] == ("postgresql-15" if known else "postgresql")
    assert any(line.startswith("sudo -n apt-get") for line in called) == (user == "sudo")


def test_a_browser_that_is_there_is_not_installed(machine: Machine) -> None:
    machine.put("chromium")
    assert machine.set_up(BROWSER) == ("", [])


def test_a_browser_is_installed_or_the_set_up_says_why_not(machine: Machine) -> None:
    told, _ = machine.set_up(BROWSER)
    assert "A browser is not installed and cannot be installed here: there is no apt-get" in told
    machine.put("apt-get")
    told, _ = machine.set_up(BROWSER)
    assert "needs root, or sudo without a password" in told
    machine.put("id", "echo 0")
    machine.put("fc-list", "echo a font")
    machine.put("grep", "exit 0")
    told, called = machine.set_up(BROWSER)
    installed = [line.split()[-1] for line in called if line.startswith("apt-get install")]
    assert (told, installed) == ("", ["chromium-headless-shell"])
    # An older system has only the whole browser; and a machine without fonts gets one.
    machine.put("apt-get", 'case "$*" in *headless-shell) exit 100;; esac')
    machine.put("grep", "exit 1")
    machine.log.write_text("")
    told, called = machine.set_up(BROWSER)
    installed = [line.split()[-1] for line in called if line.startswith("apt-get install")]
    assert installed == ["chromium-headless-shell", "chromium", "fonts-dejavu-core"]
    machine.put("apt-get", "exit 100")
    assert "apt-get failed" in machine.set_up(BROWSER)[0]


def test_the_tests_are_run_after_it() -> None:
    listed = subprocess.run(
        ["make", "--dry-run", "--always-make", "test"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MAKEFLAGS": ""},
    ).stdout.splitlines()
    [test] = [n for n, line in enumerate(listed) if "-m pytest" in line]
    for script in (DATABASE, BROWSER):
        [install] = [n for n, line in enumerate(listed) if script.name in line]
        assert install < test
