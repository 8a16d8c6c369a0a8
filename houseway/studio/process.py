"""Process: a process that does one thing of the studio after the other.

Whoever asks is elsewhere: a server goes on with its tables while this counts, and does not load
what counts. What is known so far is told now and then, so that a person sees it going on.
"""

import logging
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from houseway.refusal import Refused

TELL_SECONDS = 0.1
"""How often what is known so far is told at most."""
LOG = logging.getLogger("houseway.studio")


def serve(line: Connection) -> None:
    """Do what comes over the line, one thing after the other, until it is closed."""
    # A terminal sends an interrupt to all at once; whoever started this ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from houseway.studio.work import WORK

    while True:
        try:
            what, asked = line.recv()
        except (EOFError, OSError):
            return
        try:
            line.send(("done", WORK[what](asked, _now_and_then(line))))
        except Refused as refused:
            line.send(("refused", (refused.reason.value, refused.message, refused.clause)))
        except BrokenPipeError:
            return
        except Exception:
            LOG.exception("%s failed", what)
            line.send(("fault", None))


def _now_and_then(line: Connection) -> Callable[[Any], None]:
    told_at = -TELL_SECONDS

    def told(known: Any) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= TELL_SECONDS:
            told_at = time.monotonic()
            line.send(("known", known))

    return told
