"""Worker: a process of its own that does tasks one after the other, and says how far it is.

It is started when there is something to do and ended when there was nothing for a while. A task
that is no longer wanted ends the process, since nothing else would stop it in the middle.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from multiprocessing import get_context
from threading import Thread
from typing import TYPE_CHECKING, Any

from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

LOG = logging.getLogger("uvicorn.error")
IDLE_SECONDS = 900.0
MOST_WAITING = 20
FAULT = "this is a fault of the server; nothing was changed"


class Task:
    """Something that is being done: what is known of it, and what came of it."""

    def __init__(self, number: int, owner: str, what: str, asked: dict[str, Any]) -> None:
        self.number, self.owner, self.what, self.asked = number, owner, what, asked
        self.known: Any = None
        self.result: Any = None
        self.refused: Refused | None = None
        self.done = False
        self.version = 0
        self._news = asyncio.Event()

    def tell(self, kind: str, data: Any) -> None:
        """Take in what the process said."""
        self.version += 1
        if kind == "known":
            self.known = data
        else:
            self.done = True
        if kind == "done":
            self.result = data
        elif kind == "refused":
            reason, message, clause = data
            self.refused = Refused(Reason(reason), message, clause)
        elif kind == "fault":
            self.refused = Refused(Reason.NOT_DONE_YET, FAULT)
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def wait(self, seen: int, seconds: float, *, to_the_end: bool = False) -> None:
        """Wait until more is known than a version that was seen, or for so long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not self.done and (to_the_end or self.version <= seen):
            left = until - loop.time()
            if left <= 0:
                return
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return


class Worker:
    """A process and the tasks that wait for it. Used from one event loop."""

    def __init__(self, name: str, serve: Callable[["Connection"], None]) -> None:
        self._name, self._serve = name, serve
        self._waiting: deque[Task] = deque()
        self._current: Task | None = None
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    def add(self, task: Task) -> None:
        """Do a task when its turn comes; refused while too many wait."""
        if len(self._waiting) >= MOST_WAITING:
            raise Refused(
                Reason.ABOVE_LIMIT,
                f"{len(self._waiting)} tasks are waiting already; try again in a moment",
            )
        self._waiting.append(task)
        self._next()

    def drop(self, task: Task) -> None:
        """Let go of a task that nobody wants any more."""
        if task.done:
            return
        if task in self._waiting:
            self._waiting.remove(task)
        elif task is self._current:
            self._end()
            self._current = None
        task.tell("refused", (Reason.NOT_DONE_YET.value, "this was stopped", None))
        self._next()

    def drop_waiting(self, task: Task) -> None:
        """Let go of a task only if it has not begun."""
        if task in self._waiting:
            self.drop(task)

    def warm(self) -> None:
        """Start the process before there is something to do, which takes it a moment."""
        if not self._closed and self._process is None:
            self._start()
            self._rest()

    def close(self) -> None:
        """End with the server: nobody waits for what nobody will see."""
        self._closed = True
        self._waiting.clear()
        if self._idle is not None:
            self._idle.cancel()
        self._end()

    def _next(self) -> None:
        if self._closed or self._current is not None:
            return
        if not self._waiting:
            self._rest()
            return
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._process is None:
            self._start()
        assert self._line is not None
        self._current = self._waiting.popleft()
        try:
            self._line.send((self._current.what, self._current.asked))
        except OSError:
            self._lost(self._line)

    def _rest(self) -> None:
        if self._process is not None and self._idle is None:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._retire)

    def _retire(self) -> None:
        self._idle = None
        if self._current is None:
            self._end()

    def _start(self) -> None:
        # Not forked: threads of this process may hold what a copy would wait for.
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(
            target=self._serve, args=(theirs,), name=f"houseway-{self._name}", daemon=True
        )
        self._process.start()
        theirs.close()
        Thread(
            target=self._read,
            args=(self._line, asyncio.get_running_loop()),
            name=f"houseway-{self._name}",
            daemon=True,
        ).start()

    def _read(self, line: "Connection", loop: asyncio.AbstractEventLoop) -> None:
        """Hand on what comes over the line, from a thread that ends with it."""
        try:
            while True:
                loop.call_soon_threadsafe(self._heard, line, *line.recv())
        except (EOFError, OSError):
            pass
        except RuntimeError:
            line.close()
            return  # The loop is closed, and everything with it.
        try:
            loop.call_soon_threadsafe(self._ended, line)
        except RuntimeError:
            line.close()

    def _heard(self, line: "Connection", kind: str, data: Any) -> None:
        if line is not self._line or self._current is None:
            return
        self._current.tell(kind, data)
        if kind != "known":
            self._current = None
            self._next()

    def _ended(self, line: "Connection") -> None:
        # Not before nobody reads it: its number would be given to the next line meanwhile.
        line.close()
        self._lost(line)

    def _lost(self, line: "Connection") -> None:
        """The process is gone by itself: what it was doing is refused, what waits goes on."""
        if line is not self._line or self._closed:
            return
        LOG.warning("the process %s was ended", self._name)
        self._end()
        if self._current is not None:
            self._current.tell("fault", None)
            self._current = None
        self._next()

    def _end(self) -> None:
        # The thread that reads the line hears that the process is gone; then it is closed.
        process = self._process
        self._process = self._line = None
        if process is not None:
            process.terminate()
