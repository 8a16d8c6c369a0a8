"""Room: one open floor with everything that serves it: journal, mirror, hub, sessions."""

import asyncio
import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any

from houseway import __version__
from houseway.floor.person import Person, person_stream
from houseway.floor.service import Floor
from houseway.journal.event import Event
from houseway.journal.journal import Commit, events, utc_now
from houseway.journal.store import told
from houseway.live.view import ViewerKind
from houseway.refusal import Reason, Refused
from houseway.server import administration, inbox, lobby, sign
from houseway.server.console import console
from houseway.server.digest import running
from houseway.server.guard import RateLimits
from houseway.server.hub import Hub, Message
from houseway.server.measures import Measures
from houseway.server.mirror import Mirror
from houseway.server.notices import Notices
from houseway.server.requests import Asked
from houseway.server.session import Session, Sessions, new_secret, secret_uri

SECOND_FACTOR = ("supervisor", "executive", "administrator")
"""Whose card and PIN are not enough where people play for money."""
SLOW_SECONDS = 0.5
"""How often pages that show the whole floor are sent at most."""
WATCHERS: dict[str, ViewerKind] = {"supervisor": "supervisor", "surveillance": "surveillance"}
ENROL = "second_factor"


class Room:
    """A floor that is served."""

    def __init__(self, url: str) -> None:
        self.floor = Floor(url)
        self.demo = self.is_new = False
        self.version = __version__
        self.running = running()
        self.mirror = Mirror()
        self.hub = Hub()
        self.measures = Measures()
        self.limits = RateLimits()
        self.sessions = Sessions(self.floor.journal.engine)
        self.setup_token = secrets.token_urlsafe(24)
        self._dirty: set[str] = set()
        self._waiting_secrets: dict[str, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._slow: asyncio.Task[None] | None = None
        self._notices = Notices(url, self.floor.journal.look)

    async def open(self) -> None:
        """Begin to follow the journal."""
        self._loop = asyncio.get_running_loop()
        ready = self._loop.create_future()

        def committed(commit: Commit) -> None:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._take, commit, ready)

        self.floor.journal.watch(committed)
        self.floor.journal.look()
        await ready
        self._notices.start()
        self._slow = asyncio.create_task(self._send_slowly())

    async def close(self) -> None:
        """End every stream, write what waits, and let go."""
        self.hub.close()
        if self._slow is not None:
            self._slow.cancel()
        self._notices.stop()
        await asyncio.to_thread(self.floor.close)

    # What was committed.

    def _take(self, commit: Commit, ready: "asyncio.Future[None]") -> None:
        self.mirror.take(commit)
        if not ready.done():
            ready.set_result(None)
        for stream in commit.streams:
            kind, _, name = stream.partition(":")
            if kind == "table":
                self._send(f"table:{name}")
            elif kind == "link":
                self._dirty.add(f"sign:{name}")
        for account in commit.accounts:
            kind, _, rest = account.partition(":")
            if kind == "meter":
                self._dirty.add(f"sign:{rest.partition(':')[0]}")
        self._dirty |= {"lobby", "inbox"}
        self.hub.poke("events")

    def _send(self, name: str) -> None:
        """Send a view to those who listen, made once for each kind of reader."""
        for topic in self.hub.topics():
            asked, _, role = topic.partition("|")
            if asked == name:
                message = Message(name, self.mirror.state.position, self.view_text(name, role))
                self.hub.publish(topic, message)

    async def _send_slowly(self) -> None:
        while True:
            await asyncio.sleep(SLOW_SECONDS)
            dirty, self._dirty = self._dirty, set()
            for name in dirty:
                self._send(name)

    # Views.

    def topic(self, name: str, role: str) -> str:
        """What a listener of a role listens to: readers who see the same share one."""
        kind = name.partition(":")[0]
        if kind == "table":
            return f"{name}|{WATCHERS.get(role, 'dealer')}"
        return f"{name}|{role}" if kind in ("lobby", "inbox") else f"{name}|"

    def view(self, name: str, role: str) -> dict[str, Any]:
        """A view as plain data."""
        state = self.mirror.state
        state.now = max(utc_now(), state.at)
        kind, _, rest = name.partition(":")
        match kind:
            case "table":
                return console(state, rest, WATCHERS.get(role, "dealer"))
            case "sign":
                return sign.sign(state, rest)
            case "inbox":
                return inbox.inbox(state, role)
        return lobby.lobby(state, inbox.count(state, role))

    def view_text(self, name: str, role: str) -> str:
        """A view as it is sent."""
        return json.dumps(self.view(name, role), separators=(",", ":"))

    def administration(self) -> dict[str, Any]:
        """What an administrator sets up."""
        return administration.administration(self.mirror.state, self.sessions.with_second_factor())

    def events_after(self, position: int) -> list[Event]:
        """Events that are no longer at hand, from the database."""
        journal = self.floor.journal
        with told(journal.url), journal.engine.connect() as connection:
            return list(events(connection, after=position))

    # People.

    def person(self, card: str) -> Person | None:
        """Who holds a card."""
        found = self.mirror.state.streams.get(person_stream(card))
        return found if isinstance(found, Person) and found.active else None

    def role_of(self, card: str) -> str:
        """The role of a card; nothing where it is no longer valid."""
        person = self.person(card)
        return "" if person is None else person.role

    def me(self, session: Session | None) -> dict[str, Any]:
        """Who is signed in, and what runs here."""
        person = None if session is None else self.person(session.card)
        known = person is not None and session is not None
        return {
            "person": {"card": session.card, "name": person.name, "role": person.role}
            if person is not None and session is not None
            else None,
            "csrf": session.csrf if known and session is not None else None,
            "floor": {
                "demo": self.demo,
                "version": self.version,
                "digest": self.running.digest,
                "setup": not self.has_people(),
            },
        }

    def has_people(self) -> bool:
        """True once the floor has its first administrator."""
        return any(isinstance(found, Person) for found in self.mirror.state.streams.values())

    def sign_in(self, card: str, pin: str, code: str) -> tuple[str, Session | None, dict[str, Any]]:
        """A session for a card and its PIN; where a second factor is asked for, what is missing."""
        person = self.floor.sign_in(card, pin)
        if person.role in SECOND_FACTOR and not self.demo:
            missing = self._second_factor(card, code)
            if missing is not None:
                return "", None, missing
        token, session = self.sessions.open(card)
        self.floor.note_session(card, "signed_in")
        return token, session, {}

    def _second_factor(self, card: str, code: str) -> dict[str, Any] | None:
        """What is asked for beside the PIN; None when it was given and holds."""
        if self.sessions.secret_of(card) is not None:
            if not code:
                return {ENROL: {"asked": "code"}}
            if not self.sessions.code_holds(card, code):
                self.floor.wrong_code(card)
            return None
        secret = self._waiting_secrets.setdefault(card, new_secret())
        if not code:
            return {ENROL: {"asked": "enrol", "secret": secret, "uri": secret_uri(card, secret)}}
        self.sessions.enrol(card, secret)
        if not self.sessions.code_holds(card, code):
            self.sessions.forget(card)
            self.floor.wrong_code(card)
        del self._waiting_secrets[card]
        self.floor.note_session(card, "second_factor_set")
        return None

    def sign_out(self, token: str, card: str) -> None:
        """End a session."""
        self.sessions.close(token)
        self.floor.note_session(card, "signed_out")

    def set_up(self, token: str, card: str, name: str, pin: str) -> tuple[str, Session]:
        """The first administrator; the token is good for one."""
        if self.has_people() or not hmac.compare_digest(token, self.setup_token):
            raise Refused(Reason.NOT_APPROVED, "the token is not the one that this server printed")
        given = {"card": card, "name": name, "new_pin": pin}
        self.floor.do(card, "first_administrator", given, key=f"setup:{token[:40]}")
        token, session = self.sessions.open(card)
        self.floor.note_session(card, "signed_in")
        return token, session

    # Commands.

    async def do(self, card: str, asked: Asked) -> Mapping[str, Any]:
        """Do a command as the holder of a card, and answer when it is on the disk."""
        given = asked.given()

        def made() -> Any:
            return self.floor.command(
                card,
                asked.name,
                given,
                key=asked.key,
                pin=asked.pin,
                second_pin=asked.second_pin,
                expects=asked.expects,
            )

        slow = asked.pin is not None or asked.second_pin is not None or "new_pin" in given
        command = await asyncio.to_thread(made) if slow or asked.name == "shuffle" else made()
        answer = await asyncio.wrap_future(self.floor.journal.submit(command))
        if asked.name in ("withdraw_card", "unlock_card"):
            self.sessions.revoke(str(given["card"]))
        # What a step of a round tells names cards that lie face down; the view does not.
        return {name: value for name, value in answer.items() if name != "told"}

    def health(self) -> dict[str, Any]:
        """Whether the floor is open."""
        return {
            "status": "ok",
            "version": self.version,
            "digest": self.running.digest,
            "position": self.mirror.state.position,
        }
