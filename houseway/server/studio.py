"""Studio: what browsers ask of the studio, handed to processes of its own, and how far each is."""

import secrets
from collections import OrderedDict
from typing import Any

from houseway.refusal import Reason, Refused
from houseway.server.worker import Task, Worker
from houseway.studio.process import serve

WHO = {
    "board": "studio-figures",
    "section": "studio-sheets",
    "solve": "studio-sheets",
    "compare": "studio-sheets",
    "export": "studio-sheets",
    "simulate": "studio-dealing",
}
"""Which process does what: a figure never waits for a pack, nor a pack for a long simulation."""
MOST_KEPT = 200
"""Tasks of which the result is kept."""
MOST_FILES = 20
"""Files among them: a pack is far larger than a figure."""
MOST_OF_BROWSER = 6
"""Tasks under way that one browser may have."""


class Studio:
    """All tasks of the studio. Used from one event loop."""

    def __init__(self) -> None:
        self._workers = {name: Worker(name, serve) for name in dict.fromkeys(WHO.values())}
        self._tasks: OrderedDict[int, Task] = OrderedDict()

    def warm(self) -> None:
        """Have whoever answers first ready: a person has come."""
        self._workers[WHO["board"]].warm()

    def ask(self, browser: str, what: str, asked: dict[str, Any]) -> Task:
        """Something to be done for a browser; figures it asked for before are left undone."""
        own = [task for task in self._tasks.values() if task.owner == browser and not task.done]
        for task in own:
            if what == task.what == "board" and task.version == 0:
                self._workers[WHO[what]].drop_waiting(task)
        if sum(not task.done for task in own) >= MOST_OF_BROWSER:
            raise Refused(
                Reason.ABOVE_LIMIT,
                f"{MOST_OF_BROWSER} things are being done for you already; wait for one of them, "
                "or stop it",
            )
        # Not to be guessed: a task shows what somebody designs.
        task = Task(secrets.randbits(52), browser, what, asked)
        self._workers[WHO[what]].add(task)
        self._tasks[task.number] = task
        self._let_go(task)
        return task

    def _let_go(self, task: Task) -> None:
        """What is done makes room, the oldest first: nobody stops what another waits for."""
        old = [number for number, kept in self._tasks.items() if kept.done and kept is not task]
        files = [number for number in old if self._tasks[number].what == "export"]
        gone = {*old[: max(0, len(self._tasks) - MOST_KEPT)], *files[:-MOST_FILES]}
        for number in gone:
            del self._tasks[number]

    def find(self, browser: str, number: int) -> Task:
        """A task of a browser; refused where it has none of that number."""
        task = self._tasks.get(number)
        if task is None or task.owner != browser:
            raise Refused(Reason.UNKNOWN_VALUE, f"task {number} is unknown")
        return task

    def stop(self, task: Task) -> None:
        """Stop a task that is not wanted any more."""
        self._workers[WHO[task.what]].drop(task)

    def close(self) -> None:
        """End with the server."""
        for worker in self._workers.values():
            worker.close()
