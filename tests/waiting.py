"""Waiting: until something outside of this thread has come about; a hang is ended at last."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 120.0
"""Seconds after which something hangs, however busy the machine is."""
PAUSE = 0.02


def wait_for(what: Callable[[], Found], seconds: float = PATIENCE) -> Found:
    """Wait until something is true; what it is."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(PAUSE)
    return found
