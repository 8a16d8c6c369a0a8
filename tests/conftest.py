"""What holds for every test: nothing is skipped, long tests run only when asked for."""

import subprocess
import sys

import pytest
from hypothesis import settings

from houseway.kernels import cache_folder

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


COMPILED = ("optimum", "table, houseway.kernels.bonus, houseway.kernels.blackjack")


def pytest_configure(config: pytest.Config) -> None:
    """Compiles the kernels in two processes before several workers would each compile all."""
    several = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if several and not any((cache_folder() / "kernels").rglob("*.nbc")):
        code = "import houseway.kernels."
        started = [
            subprocess.Popen([sys.executable, "-c", code + names], cwd=config.rootpath)
            for names in COMPILED
        ]
        for process in started:
            process.wait()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # A skipped test shows nothing, so it counts as a failure here.
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped; nothing may be skipped"
