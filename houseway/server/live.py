"""Live: the messages of one open stream."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from sse_starlette import ServerSentEvent

from houseway.refusal import Reason, Refused
from houseway.server.door import INBOXES, READERS, NotNow
from houseway.server.room import Room
from houseway.server.trail import trail_event

TOPICS: dict[str, tuple[str, ...] | None] = {
    "lobby": None,
    "table": None,
    "inbox": INBOXES,
    "events": READERS,
}
"""Topics of people who are signed in, and whom each is for where not for all."""


def check_topic(room: Room, topic: str, role: str) -> None:
    """Refuse a topic that is unknown, or not for this role."""
    kind, _, name = topic.partition(":")
    if kind == "sign":
        room.view(topic, "")
        return
    if not role:
        raise NotNow(401, "not_signed_in", "sign in first")
    if kind not in TOPICS or (kind == "table") != bool(name):
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"topic {topic!r} is unknown; known: lobby, inbox, events, table:NAME, sign:LINK",
        )
    roles = TOPICS[kind]
    if roles is not None and role not in roles:
        raise NotNow(403, "not_approved", f"this topic is not for a {role}")
    if kind == "table":
        room.view(topic, role)


async def messages(
    room: Room, topics: tuple[str, ...], role: str, since: int | None
) -> AsyncIterator[ServerSentEvent]:
    """Every view once, then again whenever it has changed; events one by one, none left out."""
    views = [topic for topic in topics if topic != "events"]
    heard = {room.topic(topic, role) for topic in views}
    wants_events = "events" in topics
    if wants_events:
        heard.add("events")
    with room.hub.listening(frozenset(heard)) as listener:
        position = room.mirror.state.position
        for topic in views:
            yield ServerSentEvent(room.view_text(topic, role), event=topic, id=str(position))
        last = position if since is None else since
        while not listener.closed:
            if wants_events:
                for event in await _missed(room, last):
                    last = event["position"]
                    yield ServerSentEvent(json.dumps(event), event="events", id=str(last))
            for message in await listener.take():
                yield ServerSentEvent(message.data, event=message.event, id=str(message.position))


async def _missed(room: Room, last: int) -> list[dict[str, Any]]:
    found = room.mirror.since(last)
    if found is None:
        found = await asyncio.to_thread(room.events_after, last)
    return [trail_event(event, room.mirror.state) for event in found]
