"""A browser for the tests of each module, and pictures where they are asked for."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.window import PICTURES, running_browser


@pytest.fixture(scope="session", autouse=True)
def pictures(pytestconfig: pytest.Config) -> None:
    """Leave pictures in `build/screens` if the command line asks for them."""
    PICTURES.asked = bool(pytestconfig.getoption("pictures"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module; its loop must not outlive them."""
    with running_browser() as started:
        yield started
