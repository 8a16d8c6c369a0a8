"""Hub: who listens to what. A listener holds the newest message of each topic and no more.

A message is a whole view, so one that comes after another takes its place: a slow listener skips
what is past and never grows.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Message(NamedTuple):
    """What is sent: the name that was asked for, the journal's position, and the view as JSON."""

    event: str
    position: int
    data: str


class Listener:
    """One open stream."""

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics = topics
        self._held: dict[str, Message] = {}
        self._wake = asyncio.Event()
        self.closed = False

    def put(self, topic: str, message: Message) -> None:
        """Hold a message until it is sent."""
        self._held[topic] = message
        self._wake.set()

    def poke(self) -> None:
        """Wake the stream although nothing is held."""
        self._wake.set()

    async def take(self) -> list[Message]:
        """The messages that are held, as soon as there is something to do."""
        await self._wake.wait()
        self._wake.clear()
        held, self._held = self._held, {}
        return list(held.values())


class Hub:
    """All open streams, by topic."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self.open = 0
        """How many streams are open."""

    @contextmanager
    def listening(self, topics: frozenset[str]) -> Iterator[Listener]:
        """Listen for as long as the context lasts."""
        listener = Listener(topics)
        for topic in topics:
            self._listeners.setdefault(topic, set()).add(listener)
        self.open += 1
        try:
            yield listener
        finally:
            self.open -= 1
            for topic in topics:
                left = self._listeners[topic]
                left.discard(listener)
                if not left:
                    del self._listeners[topic]

    def topics(self) -> frozenset[str]:
        """The topics that somebody listens to."""
        return frozenset(self._listeners)

    def heard(self, topic: str) -> bool:
        """True when somebody listens to a topic."""
        return topic in self._listeners

    def publish(self, topic: str, message: Message) -> None:
        """Send to all who listen."""
        for listener in self._listeners.get(topic, ()):
            listener.put(topic, message)

    def poke(self, topic: str) -> None:
        """Wake all who listen to a topic; they look for themselves."""
        for listener in self._listeners.get(topic, ()):
            listener.poke()

    def close(self) -> None:
        """End every stream."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.closed = True
                listener.poke()
