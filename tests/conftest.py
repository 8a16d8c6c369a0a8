"""What holds for every test: nothing is skipped, long tests run only when asked for."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from houseway.exact.kernels import cache_folder
from tests import ROOT
from tests.journal.databases import KINDS, Server
from tests.journal.databases import server as new_server

if TYPE_CHECKING:
    from tests.server.serving import InThread, Rigged

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


KERNELS = (("optimum",), ("blackjack", "bonus", "table", "deal", "tally"))
"""Modules of kernels, each half of what there is to compile."""

TOGETHER = {
    "exact": ("exact/test_optimum", "exact/test_bonus", "exact/test_blackjack", "exact/test_hold"),
}
"""Files whose tests share a costly result; they stay together, first of all."""
STAY = re.compile(
    r"browser/|server/test_(?!process)|documents/|exact/|cli/test_doc|studio/"
    r"|project/test_(pack|trace|habits)"
)
"""Files whose tests share a server, a browser, sheets or counts: one worker runs each whole."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="leave pictures in build/screens")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels in two processes before several workers would each compile all."""
    # A run in the background ignores Ctrl-C, and what it starts would too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    several = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if several and not any((cache_folder() / "kernels").rglob("*.nbc")):
        started = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    "".join(f"from houseway.exact.kernels import {name};" for name in names),
                ],
                cwd=config.rootpath,
            )
            for names in KERNELS
        ]
        for process in started:
            process.wait()


# Before xdist writes the groups into the names of tests, or there are none.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: (group_of(item) not in TOGETHER, group_of(item) == ""))
    if config.getoption("markexpr"):
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


def group_of(item: pytest.Item) -> str:
    """The group that a test is in, which one worker has as a whole; empty for most."""
    place = item.path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    for group, places in TOGETHER.items():
        if place in places:
            return group
    return place if STAY.match(place) else ""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server of this worker alone, started when the first test asks for it."""
    with new_server() as made:
        yield made


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it is given away, built from this checkout."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(out.glob("houseway-*.whl"))


@pytest.fixture
def decks() -> "Rigged":
    """What the shuffler will deal; a test says it first."""
    from tests.server.serving import Rigged

    return Rigged()


@pytest.fixture
def rigged_floor(tmp_path: Path, decks: "Rigged") -> "Iterator[InThread]":
    """A furnished floor that deals what it is told."""
    from tests.server.serving import in_thread

    with in_thread(f"sqlite:///{tmp_path / 'floor.sqlite'}", randomness=decks) as made:
        yield made


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database: every test that asks for one runs on both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'floor.sqlite'}"
    made: str = request.getfixturevalue("server").new_database()
    return made


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # A skipped test shows nothing, so it counts as a failure here.
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped; nothing may be skipped"
