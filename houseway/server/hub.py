"""Hub: who listens to what. A listener holds the newest message of each topic and no more.

A message is a whole view, so one that comes after another takes its place: a slow listener skips
what is past and never grows. Its bytes are made once and shared by all who listen.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple, Protocol

Topic = tuple[str, str]
"""The name of a view, and for which kind of reader it is made."""
PING = b": ping\n\n"
PINGED: Topic = ("", "")
EVENTS: Topic = ("events", "")
"""The events of the journal, one by one; for them a stream looks itself."""


def message(event: str, data: bytes, position: int | None = None) -> bytes:
    """A message as it travels; JSON has no line breaks of its own."""
    number = "" if position is None else f"id: {position}\n"
    return f"{number}event: {event}\ndata: ".encode() + data + b"\n\n"


class Holder(NamedTuple):
    """Who opened a stream: a card, and the hash of the token of its session."""

    card: str
    token: str


class Line(Protocol):
    """A connection, as far as a stream has to do with it."""

    paused_since: float | None
    """Since when it takes no more, where it does not."""
    on_writable: Callable[[], None] | None
    """Is told when it takes more again."""

    def write(self, data: bytes) -> None:
        """Send something."""

    def abort(self) -> None:
        """End it at once, whatever is still on its way."""


@lru_cache(maxsize=256)
def _piece(sent: bytes, placed: bool) -> bytes:
    """A message as a piece of an answer that goes on, made once for all who listen to it."""
    if not placed and sent.startswith(b"id:"):
        sent = sent.partition(b"\n")[2]
    return b"%x\r\n%b\r\n" % (len(sent), sent)


class Listener:
    """One open stream.

    What it is told goes to its connection at once. Where that takes no more, the newest of each
    topic is held until it does.
    """

    __slots__ = ("_held", "_line", "_placed", "_wake", "closed", "holder", "topics")

    def __init__(self, topics: frozenset[Topic], line: Line, holder: Holder | None = None) -> None:
        self.topics = topics
        self.holder = holder
        self.closed = False
        # A position says up to where events were sent, and a view says nothing of that.
        self._placed = EVENTS not in topics
        self._line = line
        self._held: dict[Topic, bytes] = {}
        self._wake = asyncio.Event()
        line.on_writable = self._send_held

    @property
    def sending(self) -> float | None:
        """Since when something is on its way that is not taken, where anything is."""
        return self._line.paused_since

    def put(self, topic: Topic, sent: bytes) -> None:
        """Send a message, or hold it until it can be sent."""
        piece = _piece(sent, self._placed)
        if self._line.paused_since is None:
            self._line.write(piece)
        else:
            self._held[topic] = piece

    def _send_held(self) -> None:
        held, self._held = self._held, {}
        if held:
            self._line.write(b"".join(held.values()))

    def poke(self) -> None:
        """Wake the stream, which looks for itself what there is to do."""
        self._wake.set()

    def close(self) -> None:
        """End the stream."""
        self.closed = True
        self._wake.set()

    def drop(self) -> None:
        """End a stream that nobody reads: what is on its way would never arrive."""
        self._line.abort()

    async def woken(self) -> None:
        """Wait until there is something to do."""
        await self._wake.wait()
        self._wake.clear()


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
        self, topics: frozenset[Topic], line: Line, holder: Holder | None, address: str
    ) -> Iterator[Listener]:
        """Listen for as long as the context lasts."""
        listener = Listener(topics, line, holder)
        listener.closed = self._closed
        for name, reader in topics:
            self._topics.setdefault(name, {}).setdefault(reader, set()).add(listener)
        self._listeners.add(listener)
        self._count(holder, address, 1)
        try:
            yield listener
        finally:
            # What is still held would come after the end of the answer.
            line.on_writable = None
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
            if listener.sending is not None and listener.sending < before:
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
