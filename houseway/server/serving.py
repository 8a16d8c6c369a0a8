"""Serving: a floor opened, checked and given to uvicorn."""

import asyncio
import gc
import logging
import math
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from houseway.floor.person import person_stream
from houseway.journal.blame import blamed
from houseway.journal.custody import Custody, Tell
from houseway.journal.rebuild import changed_streams
from houseway.journal.state import Model
from houseway.journal.store import open_to_read, told, without_password
from houseway.refusal import Reason, Refused
from houseway.server.app import make_app
from houseway.server.demo import is_half_made, make_demo
from houseway.server.guard import LARGEST_HEAD
from houseway.server.live import LINE
from houseway.server.room import Room

STOP_SECONDS = 2
"""How long requests may take to end when the server is stopped."""
SWITCH_SECONDS = 0.0005
"""How soon a thread gives way to another: who answers must not wait for who shuffles or writes."""
GC_THRESHOLDS = (2_000, 10, 100)
"""New objects before the young ones are collected, and collections before the older ones are. Most
objects hold no cycle and are freed at once, without a collection."""
WAITING = 2048
"""Connections that may wait to be taken."""
MOST_FILES = 2**20
"""So many open files are asked for where the system has no limit of its own."""
OTHER_FILES = 100
"""Open files that are left for the database, the screens and whoever is turned away."""
SILENT_SECONDS = 20
"""How long a connection may say nothing at all."""
TURNED_AWAY_SECONDS = 2
"""The same where there is no place for it."""
TOLD_SECONDS = 60.0
"""How often the log says at most that there is no place."""
LOG = logging.getLogger("uvicorn.error")
CLIENTS = logging.getLogger("uvicorn.error.clients")
"""What clients cause, faults of ours apart: anybody may send nonsense, and it fills no log."""


def tune_garbage_collection() -> None:
    """Collect cycles less often, and leave out all that was loaded at the start.

    A full collection walks every object while nobody is answered. Most of them are the program
    itself, which never becomes garbage.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def raise_file_limit() -> int | None:
    """How many files may be open, after asking for all that are allowed; None if nobody knows.

    Every stream is one, and systems allow 1,024 unless they are asked.
    """
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def places_with(files: int | None) -> int | None:
    """How many connections there is room for, with so many files."""
    return None if files is None else max(files - OTHER_FILES, files // 2)


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; refused where none can.

    Taken before the floor is opened, so that a server that cannot be reached writes nothing.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(WAITING)
    except (OSError, UnicodeError) as error:
        made.close()
        why = error.strerror if isinstance(error, OSError) else "the name cannot be"
        raise Refused(
            Reason.BAD_ARGUMENT, f"nothing can listen on {host} port {port}: {why}"
        ) from None
    return made


def open_floor(
    url: str,
    *,
    demo: bool = False,
    clock: Callable[[], str] | None = None,
    seal: str | None = None,
    accept_cut: bool = False,
    tell: Tell | None = None,
) -> Room:
    """A floor that is ready to be served; a demonstration is set up where there is none.

    Refused when another server has it, when it is damaged, or when its end was cut off.
    """
    custody = Custody(url, seal=seal, accept_cut=accept_cut, tell=tell)
    try:
        room = Room(url, clock, custody)
    except BaseException:
        custody.close()
        raise
    try:
        _check_people(url, room.floor.journal.model)
        if custody.cut is not None:
            room.floor.accept_cut(custody.cut)
        was = room.floor.house()
        answer = room.floor.note_start(
            demo=demo,
            version=room.version,
            running=room.running.digest,
            checked=room.running.checked,
        )
        room.demo = bool(answer["demo"])
        if room.demo and (not was.demo or is_half_made(room.floor)):
            make_demo(room.floor)
        room.is_new = not room.floor.has_people()
    except BaseException:
        room.floor.close()
        raise
    return room


def _check_people(url: str, model: Model) -> None:
    """Refuse people whose roles or PINs were changed beside the journal."""
    engine = open_to_read(url)
    try:
        with blamed(url, model), told(url), engine.connect() as connection:
            changed = next(changed_streams(connection, model, person_stream("")), None)
    finally:
        engine.dispose()
    if changed is not None:
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the journal {without_password(url)} cannot be served: {changed} is not what its "
            "events lead to; look at it with `houseway audit rebuild`, and restore a backup",
        )


class Config(uvicorn.Config):
    """What uvicorn is told, and how many connections there is room for."""

    places: int | None = None
    _told_at = -math.inf

    def note_full(self) -> None:
        """Say in the log that somebody was turned away, but not each time."""
        now = time.monotonic()
        if now - self._told_at >= TOLD_SECONDS:
            self._told_at = now
            LOG.error(
                "connections are turned away: %s are open, and there is room for no more; let the "
                "server open more files (ulimit -n)",
                self.places,
            )


async def _turn_away(_: Scope, __: Receive, send: Send) -> None:
    """Answer somebody for whom there is no place."""
    headers = [(b"retry-after", b"5"), (b"connection", b"close"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


class Protocol(HttpToolsProtocol):
    """What a browser speaks, with a head that does not go on for ever: the parser would take it."""

    _head = 0
    _within = True
    paused_since: float | None = None
    on_writable: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes; where there is no place, whatever is asked is answered so."""
        super().connection_made(transport)
        self.logger = CLIENTS
        config = self.config
        assert isinstance(config, Config)
        full = config.places is not None and len(self.connections) > config.places
        if full:
            config.note_full()
            self.app = _turn_away
        silent = TURNED_AWAY_SECONDS if full else SILENT_SECONDS
        # Ended by whatever is said.
        self.timeout_keep_alive_task = self.loop.call_later(silent, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the head ends in time."""
        super().data_received(data)
        if self._within:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        """A request begins."""
        self._within, self._head = True, 0
        super().on_message_begin()
        self.scope["state"][LINE] = self

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._within = False
        super().on_headers_complete()

    # As a stream has to do with it.

    def write(self, data: bytes) -> None:
        """Send a piece of an answer that goes on."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """Nothing more is taken for now."""
        super().pause_writing()
        self.paused_since = time.monotonic()

    def resume_writing(self) -> None:
        """More is taken."""
        super().resume_writing()
        self.paused_since = None
        if self.on_writable is not None:
            self.on_writable()


class Server(uvicorn.Server):
    """Uvicorn, which ends open streams first of all: nobody else would end them."""

    def __init__(self, room: Room, hosts: tuple[str, ...], places: int | None = None) -> None:
        config = Config(
            make_app(room, hosts),
            http=Protocol,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
            backlog=WAITING,
        )
        # Now, as uvicorn sets the levels of loggers below its own.
        CLIENTS.setLevel(logging.ERROR)
        config.places = places
        super().__init__(config)
        self._room = room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop in good order."""
        self._room.hub.close()
        await super().shutdown(sockets)


def run(
    room: Room, listening: socket.socket, hosts: tuple[str, ...], places: int | None = None
) -> None:
    """Serve until somebody stops it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    tune_garbage_collection()
    try:
        Server(room, hosts, places).run([listening])
    finally:
        room.floor.close()
