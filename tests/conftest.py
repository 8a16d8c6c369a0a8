"""What holds for every test: nothing is skipped, long tests run only when asked for."""

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


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
