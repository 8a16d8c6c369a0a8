"""Audit team: a long journal read by several processes, with what one reader would find.

Each process reads its stretch through a connection of its own. They see one journal all the same:
events up to the newest one that the audit has seen are never written again, and all that changes,
balances and heads, is read by the audit itself at one moment.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, text

from houseway.journal.audit import (
    Audit,
    Finding,
    Progress,
    Reading,
    Stretch,
    unreadable,
    verify,
    verify_file,
    verify_stretch,
    whatever_text,
)
from houseway.journal.store import open_to_read, told

LONG = 200_000
"""Events from which on it pays to start other processes."""
LOOK_SECONDS = 0.5
TASKS = 4
"""At most so many at once; the second half of them is short."""
Found = TypeVar("Found")


class Team:
    """Processes that read one journal."""

    def __init__(self, url: str, progress: Progress | None) -> None:
        self._url = url
        self._progress = progress
        started = multiprocessing.get_context("spawn")
        self._read = started.Array("q", TASKS)
        self._counted: list[int] = []
        self._begun = 0
        self._pool = ProcessPoolExecutor(TASKS, started, _join, (self._read,))

    def start(
        self,
        task: Callable[..., Found],
        *given: Any,
        counted: bool = False,
    ) -> "Future[Found]":
        """Have a task done, which is given a connection and what to tell of how far it is."""
        place = self._begun
        self._begun += 1
        if counted:
            self._counted.append(place)
        return self._pool.submit(_do, self._url, task, place, *given)

    def wait(self, found: "Future[Found]") -> Found:
        """What a task found; whoever waits is told how far the counted ones are."""
        while not wait([found], LOOK_SECONDS).done:
            if self._progress is not None:
                self._progress(sum(self._read[place] for place in self._counted))
        return found.result()

    def close(self) -> None:
        """End all of them."""
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def team(url: str, progress: Progress | None) -> Iterator[Team]:
    """A team for as long as it is needed."""
    made = Team(url, progress)
    try:
        yield made
    finally:
        made.close()


def is_long(connection: Connection) -> int:
    """The newest event where the journal is long, and there are processors for a team; else 0."""
    newest = connection.execute(text("SELECT MAX(position) FROM event")).scalar()
    if type(newest) is not int or newest < LONG or len(os.sched_getaffinity(0)) < 2:
        return 0
    return newest


def verify_together(connection: Connection, helpers: Team, newest: int) -> Audit:
    """Verify a journal, its events in two halves: what the first leads to, the second begins with.

    Where the halves do not fit together, the journal is read in one piece, and says what is wrong.
    """
    whole, finding = whatever_text(connection, lambda: _seals(Reading(connection)))
    middle = newest // 2
    if finding is not None:
        return whole.audit(finding)
    halves = [
        helpers.start(verify_stretch, 1, middle, counted=True),
        helpers.start(verify_stretch, middle + 1, newest, counted=True),
    ]
    file = helpers.start(verify_file)
    first, second = (helpers.wait(half) for half in halves)
    if first.finding is not None:
        whole.events = first.events
        return whole.audit(first.finding)
    fits = first.events == middle and first.stands == second.believed
    if not fits or (second.finding is None and second.events != newest):
        return verify(connection)
    whole.events = second.events
    finding = second.finding
    if finding is None:
        finding = whatever_text(connection, lambda: _beside(whole, first, second))
    return whole.audit(finding or helpers.wait(file))


def _seals(reading: Reading) -> tuple[Reading, Finding | None]:
    return reading, reading.guarded(reading.seal_chain)


def _beside(whole: Reading, *halves: Stretch) -> Finding | None:
    """What stands beside the events, and whatever comes after those that the halves have read."""
    last = halves[-1]
    whole.take(last.stands, last.events)
    whole.sides = {}
    for half in halves:
        for name, side in half.sides.items():
            for n in (0, 1):
                whole.sides.setdefault(name, [0, 0])[n] += side[n]
    finding = whole.guarded(whole.records)
    if finding is not None:
        return finding
    for half in halves:
        if half.torn is not None:
            return unreadable(whole.events, half.torn)
    for one in ("extra", "missing"):
        told_by: list[Finding | None] = [getattr(half, one) for half in halves]
        told_by.append(getattr(whole.transfers, one))
        found = next(filter(None, told_by), None)
        if found is not None:
            return found
    return whole.guarded(whole.projections)


_READ: Any = None
"""How far each task is; shared with who waits."""


def _join(read: Any) -> None:
    global _READ
    _READ = read


def _do(url: str, task: Callable[..., Found], place: int, *given: Any) -> Found:
    """A task in a process of its own."""
    first = given[0] if given else 1

    def tell(events: int) -> None:
        _READ[place] = events - first + 1

    engine = open_to_read(url)
    try:
        with told(url), engine.connect() as connection:
            return task(connection, tell, *given)
    finally:
        engine.dispose()
