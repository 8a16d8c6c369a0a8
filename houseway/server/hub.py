"""Hub: who listens to what. A listener holds the newest message of each topic and no more.

A message is a whole view, so one that comes after another takes its place: a slow listener skips
what is past and never grows. Its bytes are made once and shared by all who listen.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

Topic = tuple[str, str]
"""The name of a view, and for which kind of reader it is made."""
PING = b": ping\n\n"
PINGED: Topic = ("", "")


def message(event: str, data: bytes, position: int | None = None) -> bytes:
    """A message as it travels; JSON has no line breaks of its own."""
    number = "" if position is None else f"id: {position}\n"
    return f"{number}event: {event}\ndata: ".encode() + data + b"\n\n"


class Holder(NamedTuple):
    """Who opened a stream: a card, and the hash of the token of its session."""

    card: str
    token: str


class Listener:
    """One open stream."""

    __slots__ = ("_held", "_wake", "closed", "holder", "late", "sending", "task", "topics")

    def __init__(self, topics: frozenset[Topic], holder: Holder | None = None) -> None:
        self.topics = topics
        self.holder = holder
        self.closed = False
        self.task = asyncio.current_task()
        """Who sends what is held."""
        self.sending: float | None = None
        """Since when a message is on its way, where one is."""
        self.late = False
        self._held: dict[Topic, bytes] = {}
        self._wake = asyncio.Event()

    def put(self, topic: Topic, sent: bytes) -> None:
        """Hold a message until it is sent."""
        self._held[topic] = sent
        self._wake.set()

    def poke(self) -> None:
        """Wake the stream although nothing is held."""
        self._wake.set()

    def close(self) -> None:
        """End the stream."""
        self.closed = True
        self._wake.set()

    def drop(self) -> None:
        """End a stream that nobody reads: its sender waits, and would for ever."""
        self.late = True
        if self.task is not None:
            self.task.cancel()

    async def take(self) -> list[bytes]:
        """The messages that are held, as soon as there is something to do."""
        await self._wake.wait()
        self._wake.clear()
        held, self._held = self._held, {}
        return list(held.values())


class Hub:
    """All open streams, by the name of a view and the kind of reader."""

    def __init__(self) -> None:
        self._topics: dict[str, dict[str, set[Listener]]] = {}
        self._listeners: set[Listener] = set()
        self._opened: Counter[str] = Counter()
        self.public = 0
        """Streams of those who are not signed in."""
        self._closed = False

    @property
    def open(self) -> int:
        """How many streams are open."""
        return len(self._listeners)

    def opened_by(self, holder: Holder | None, address: str) -> int:
        """How many streams a session has open, or an address where nobody is signed in."""
        return self._opened[_who(holder, address)]

    @contextmanager
    def listening(
        self, topics: frozenset[Topic], holder: Holder | None = None, address: str = ""
    ) -> Iterator[Listener]:
        """Listen for as long as the context lasts."""
        listener = Listener(topics, holder)
        listener.closed = self._closed
        for name, reader in topics:
            self._topics.setdefault(name, {}).setdefault(reader, set()).add(listener)
        self._listeners.add(listener)
        self._count(holder, address, 1)
        try:
            yield listener
        finally:
            self._count(holder, address, -1)
            self._listeners.discard(listener)
            for name, reader in topics:
                self._leave(name, reader, listener)

    def _count(self, holder: Holder | None, address: str, more: int) -> None:
        who = _who(holder, address)
        self._opened[who] += more
        if not self._opened[who]:
            del self._opened[who]
        self.public += more if holder is None else 0

    def _leave(self, name: str, reader: str, listener: Listener) -> None:
        readers = self._topics[name]
        readers[reader].discard(listener)
        if not readers[reader]:
            del readers[reader]
        if not readers:
            del self._topics[name]

    def readers(self, name: str) -> Mapping[str, set[Listener]]:
        """Who listens to a view, by the kind of reader."""
        return self._topics.get(name, {})

    def poke(self, name: str) -> None:
        """Wake all who listen to a view; they look for themselves."""
        for listeners in self.readers(name).values():
            for listener in listeners:
                listener.poke()

    def ping(self) -> None:
        """Send every listener a sign of life, without which a dead line is never found out."""
        for listener in self._listeners:
            listener.put(PINGED, PING)

    def drop_late(self, before: float) -> None:
        """End the streams whose message is on its way since before that time."""
        for listener in self._listeners:
            if listener.sending is not None and listener.sending < before and not listener.late:
                listener.drop()

    def holders(self) -> frozenset[Holder]:
        """The sessions whose streams are open."""
        return frozenset(one.holder for one in self._listeners if one.holder is not None)

    def dismiss(self, gone: frozenset[Holder]) -> None:
        """End the streams of sessions that have ended."""
        for listener in self._listeners:
            if listener.holder in gone:
                listener.close()

    def close(self) -> None:
        """End every stream, and whatever would still be opened."""
        self._closed = True
        for listener in self._listeners:
            listener.close()


def _who(holder: Holder | None, address: str) -> str:
    return f"address {address}" if holder is None else holder.token
