"""Planted faults: mistakes put into the program, to see that a simulated floor finds them."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from houseway.journal import file_connection, journal, schema
from houseway.journal.timekeeper import Timekeeper, Told

Patch = Callable[[pytest.MonkeyPatch], None]


class Early(Future[Any]):
    """An answer of which only the first word counts."""

    def set_result(self, result: Any) -> None:
        if not self.done():
            super().set_result(result)

    def set_exception(self, exception: BaseException | None) -> None:
        if not self.done():
            super().set_exception(exception)


def answer_before_commit(patch: pytest.MonkeyPatch) -> None:
    """Answers are given once they are decided."""
    decide = journal.Journal._decide

    def answering(self: Any, waiting: Any, sheet: Any, known: Any) -> Any:
        told = decide(self, waiting, sheet, known)
        if isinstance(told, dict):
            waiting.answer.set_result(told)
        return told

    patch.setattr(journal, "Future", Early)
    patch.setattr(journal.Journal, "_decide", answering)


def key_not_looked_up(patch: pytest.MonkeyPatch) -> None:
    """A key that is written already is not found."""
    patch.setattr(journal, "_known_answers", lambda found, keys: {})  # noqa: ARG005


def state_kept_after_failure(patch: pytest.MonkeyPatch) -> None:
    """What a failed transaction has left in memory is believed."""
    forget = journal.Journal._forget

    def forgetting(self: Any) -> None:
        state = self._state
        forget(self)
        self._state = state

    patch.setattr(journal.Journal, "_forget", forgetting)
    patch.setattr(journal, "_go_on", lambda state, found, model: True)  # noqa: ARG005


def transfer_written_twice(patch: pytest.MonkeyPatch) -> None:
    """The first transfer of a batch is written a second time, now and then."""
    rows = journal._Sheet.rows

    def doubled(self: Any) -> Any:
        found = rows(self)
        moved = found[schema.transfer]
        if self.state.position % 20 == 0 and moved:
            position, part, *rest = moved[0]
            return {**found, schema.transfer: [*moved, (position, part + 100, *rest)]}
        return found

    patch.setattr(journal._Sheet, "rows", doubled)


def money_booked_twice(patch: pytest.MonkeyPatch) -> None:
    """The first transfer of an event is booked a second time, now and then."""
    add = journal._Sheet.add

    def doubled(self: Any, entry: Any, *rest: Any) -> None:
        add(self, entry, *rest)
        if self.state.position % 20 == 0:
            self.state.book([t for draft in entry.events for t in draft.transfers][:1])

    patch.setattr(journal._Sheet, "add", doubled)


def time_goes_back(patch: pytest.MonkeyPatch) -> None:
    """The machine's clock is believed, wherever it goes."""

    def believe(self: Timekeeper, *_: Any) -> Told:
        shown = self.clock()
        return Told(shown, shown, None)

    patch.setattr(Timekeeper, "tell", believe)


def disk_not_waited_for(patch: pytest.MonkeyPatch) -> None:
    """A commit returns before it is on the disk."""
    pragmas = [text.replace("FULL", "NORMAL") for text in file_connection.PRAGMAS]
    patch.setattr(file_connection, "PRAGMAS", pragmas)


def half_a_command(patch: pytest.MonkeyPatch) -> None:
    """Each event of a batch is committed by itself."""
    from houseway.journal.statements import Sqlite

    def write(self: Sqlite, cursor: Any, rows: Any) -> None:
        for table, statement in self.inserts.items():
            cursor.executemany(statement, rows[table])
            cursor.connection.commit()
            cursor.connection.execute("BEGIN IMMEDIATE")

    patch.setattr(Sqlite, "write", write)


def stale_not_refused(patch: pytest.MonkeyPatch) -> None:
    """A command for a version that has passed is done all the same."""
    patch.setattr(journal, "check_expected", lambda state, expects: None)  # noqa: ARG005


def others_not_read(patch: pytest.MonkeyPatch) -> None:
    """The lock is taken, and what others wrote in the meantime is not read."""
    go_on = journal._go_on

    def skip(state: Any, found: Any, model: Any) -> bool:
        return go_on(state, [event for event in found if event.position == state.position], model)

    patch.setattr(journal, "_go_on", skip)


PLANTED: dict[str, Patch] = {
    made.__name__.replace("_", "-"): made
    for made in (
        answer_before_commit,
        key_not_looked_up,
        state_kept_after_failure,
        transfer_written_twice,
        money_booked_twice,
        time_goes_back,
        disk_not_waited_for,
        half_a_command,
        stale_not_refused,
        others_not_read,
    )
}


@contextmanager
def planted(name: str | None) -> Iterator[None]:
    """The program with a mistake in it, or as it is."""
    with pytest.MonkeyPatch.context() as patch:
        if name is not None:
            PLANTED[name](patch)
        yield
