"""Figures: what tables should win, counted in a process of its own while the floor goes on."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing import get_context
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from houseway.floor.expectation import Expectation, Rules, expectation
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

PATIENCE_SECONDS = 20.0
LOG = logging.getLogger("uvicorn.error")


class Figures:
    """The expectations of all rules that were asked for; each is counted once, when it is.

    Whatever counts ends with the server: nobody waits for a figure that nobody will see.
    """

    def __init__(self, known: Callable[[], None]) -> None:
        self._known = known
        """Called when something has become known, from a thread of its own."""
        self._asked: dict[Rules, Future[Expectation]] = {}
        self._lock = Lock()
        """Reports ask from threads of their own, and the pit from the server's."""
        self._queue: SimpleQueue[Rules | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._process: BaseProcess | None = None
        self._closed = False

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
        with self._lock:
            if rules not in self._asked:
                self._asked[rules] = Future()
                self._queue.put(rules)
                if self._thread is None:
                    self._thread = Thread(target=self._run, name="houseway-figures", daemon=True)
                    self._thread.start()
            return self._asked[rules]

    def _run(self) -> None:
        # Not forked: threads of this process may hold what a copy would wait for.
        context = get_context("spawn")
        while (rules := self._queue.get()) is not None:
            ours, theirs = context.Pipe(duplex=False)
            self._process = context.Process(target=_count, args=(rules, theirs), daemon=True)
            self._process.start()
            theirs.close()
            try:
                found = ours.recv()
            except EOFError:
                found = "whoever counted it was ended"
            self._process.join()
            if self._closed:
                return
            if isinstance(found, Expectation):
                self._asked[rules].set_result(found)
            else:
                LOG.warning("what is expected is not known: %s", found)
                self._asked[rules].set_exception(Refused(Reason.BAD_ARGUMENT, str(found)))
            self._known()

    def close(self) -> None:
        """Let go of whatever is being counted."""
        self._closed = True
        self._queue.put(None)
        if self._process is not None:
            self._process.terminate()


def _count(rules: Rules, back: "Connection") -> None:
    """Count in a process of its own, and send what was found, or why nothing was."""
    try:
        back.send(expectation(rules))
    except Refused as refused:
        back.send(refused.message)
