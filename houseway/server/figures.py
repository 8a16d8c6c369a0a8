"""Figures: what tables should win, counted in a process of its own while the floor goes on."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from houseway.floor.expectation import Expectation, Rules, expectation
from houseway.refusal import Reason, Refused

PATIENCE_SECONDS = 20.0
LOG = logging.getLogger("uvicorn.error")


class Figures:
    """The expectations of all rules that were asked for; each is counted once, when it is."""

    def __init__(self, known: Callable[[], None]) -> None:
        self._known = known
        """Called when something has become known, from a thread of its own."""
        self._asked: dict[Rules, Future[Expectation]] = {}
        self._worker: ProcessPoolExecutor | None = None

    def of(self, rules: Rules) -> Expectation | None:
        """The figures of a set of rules; None while they are being counted, or cannot be."""
        found = self._counted(rules)
        return found.result() if found.done() and found.exception() is None else None

    def wait(self, rules: Rules) -> Expectation:
        """The same for whoever can wait, from a thread of his own; refused where it takes long."""
        try:
            return self._counted(rules).result(PATIENCE_SECONDS)
        except TimeoutError:
            raise Refused(
                Reason.NOT_DONE_YET,
                "what is expected at these tables is still being counted; ask again in a moment",
            ) from None

    def _counted(self, rules: Rules) -> "Future[Expectation]":
        if rules not in self._asked:
            if self._worker is None:
                # Not forked: threads of this process may hold what a copy would wait for.
                self._worker = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            self._asked[rules] = self._worker.submit(expectation, rules)
            self._asked[rules].add_done_callback(self._told)
        return self._asked[rules]

    def close(self) -> None:
        """Let go of whatever is being counted."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)

    def _told(self, done: "Future[Expectation]") -> None:
        if done.cancelled():
            return
        if done.exception() is not None:
            LOG.warning("what is expected is not known: %s", done.exception())
        self._known()
