"""Turns: commands come first, and whoever is not signed in waits for his turn.

One thread answers, so everything that is begun is in the way of everything else. Work that has no
place any more is turned away before it is begun, and what is begun is therefore soon done.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MOST_IN_HAND = 500
"""Commands that may be under way; about half a second of the journal's writer."""
AT_ONCE = 2
"""Reads of those who are not signed in that are answered at once."""
MOST_WAITING = 500
"""Reads of theirs that may wait for it."""
COMMANDS_FIRST_SECONDS = 0.05
"""How long such a read lets commands go first, one after the other."""


class Hand:
    """How many commands are under way."""

    def __init__(self) -> None:
        self._count = 0
        self.free = asyncio.Event()
        """Set while no command is."""
        self.free.set()

    @property
    def full(self) -> bool:
        """True where one more would make all others wait too long."""
        return self._count >= MOST_IN_HAND

    @contextmanager
    def holding(self) -> Iterator[None]:
        """A command that is under way."""
        self._count += 1
        self.free.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self.free.set()


class Turns:
    """The reads of those who are not signed in, some at once."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    @property
    def full(self) -> bool:
        """True where enough wait."""
        return self._waiting >= MOST_WAITING

    async def take(self) -> None:
        """Wait for a turn; whoever has it gives it back with `end`."""
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(COMMANDS_FIRST_SECONDS):
                    await self._hand.free.wait()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End a turn."""
        self._places.release()
