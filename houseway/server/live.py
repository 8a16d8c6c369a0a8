"""Live: the messages of one open stream."""

import asyncio

from pydantic_core import to_json
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from houseway.refusal import Reason, Refused
from houseway.server.door import CAGES, INBOXES, PITS, READERS, NotNow
from houseway.server.hub import EVENTS, Holder, Listener, Topic, message
from houseway.server.practice import TOPIC as PRACTICE
from houseway.server.room import Room
from houseway.server.trail import trail_event

MOST_STREAMS = 5000
MOST_PUBLIC = 2000
"""Streams of those who are not signed in: they never take the place of those who work."""
MOST_OF_ONE = 250
"""Streams of one session, or of one address where nobody is signed in."""
TOPICS: dict[str, tuple[str, ...] | None] = {
    "lobby": None,
    "table": None,
    "inbox": INBOXES,
    "cage": CAGES,
    "pit": PITS,
    "events": READERS,
}
"""Topics of people who are signed in, and whom each is for where not for all."""
LINE = "line"
"""By this name a request has its connection: what is shared by all is sent without a detour."""
PUBLIC = ("sign", PRACTICE)
"""Topics for which nobody signs in."""


def check_topic(room: Room, topic: str, role: str) -> None:
    """Refuse a topic that is unknown, or not for this role."""
    kind = topic.partition(":")[0]
    if kind in PUBLIC:
        room.find(topic)
        return
    if not role:
        raise NotNow(401, "not_signed_in", "sign in first")
    if kind not in TOPICS or (kind == "table") != (":" in topic):
        raise Refused(Reason.UNKNOWN_VALUE, f"topic {topic!r} is unknown")
    roles = TOPICS[kind]
    if roles is not None and role not in roles:
        raise NotNow(403, "not_approved", f"this topic is not for a {role}")
    room.find(topic)


def check_places(room: Room, holder: Holder | None, address: str) -> None:
    """Refuse a stream where there are enough."""
    hub = room.hub
    full = hub.open >= MOST_STREAMS or hub.opened_by(holder, address) >= MOST_OF_ONE
    if full or (holder is None and hub.public >= MOST_PUBLIC):
        raise NotNow(429, "too_often", "too many streams are open; come back later")


class EventStream(Response):
    """Server-sent events."""

    media_type = "text/event-stream"


class Live(EventStream):
    """An answer that goes on: every view once, then again whenever it has changed.

    Events come one by one and none is left out. A position goes with them alone where both are
    asked for: it says up to where events were sent, and a view says nothing of that.
    """

    def __init__(
        self,
        room: Room,
        topics: tuple[Topic, ...],
        holder: Holder | None,
        address: str,
        since: int | None,
    ) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._room = room
        self._holder = holder
        self._address = address
        self._since = since
        self._views = tuple(dict.fromkeys(topic for topic in topics if topic[0] != "events"))
        self._events = any(name == "events" for name, _ in topics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until either side has enough."""
        room, line = self._room, scope["state"][LINE]
        heard = {*self._views, *((EVENTS,) if self._events else ())}
        headers = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(headers)
        with room.hub.listening(frozenset(heard), line, self._holder, self._address) as listener:
            for name, reader in self._views:
                listener.put((name, reader), room.message(name, reader))
            watcher = asyncio.create_task(_watch(receive, listener))
            try:
                await self._follow(listener, send)
                await send({"type": "http.response.body", "body": b""})
            finally:
                watcher.cancel()

    async def _follow(self, listener: Listener, send: Send) -> None:
        """Wait for the end of the stream; meanwhile views come by themselves, and events here."""
        room = self._room
        position = room.mirror.state.position
        last = position if self._since is None else min(self._since, position)
        while not listener.closed:
            while self._events and last < room.mirror.state.position:
                last, sent = await _missed(room, last)
                await send({"type": "http.response.body", "body": sent, "more_body": True})
            await listener.woken()


async def _watch(receive: Receive, listener: Listener) -> None:
    """Close a listener whose line is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()


async def _missed(room: Room, last: int) -> tuple[int, bytes]:
    """The next events after a position, as many as are read at a time, and the new position."""
    found = room.mirror.since(last)
    if found is None:
        upto = room.mirror.state.position
        found = await asyncio.to_thread(room.events_after, last, upto)
    state = room.mirror.state
    sent = [
        message("events", to_json(trail_event(event, state)), event.position) for event in found
    ]
    return found[-1].position, b"".join(sent)
