"""Serving: a floor opened, checked and given to uvicorn."""

import socket
import sys
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from houseway.journal.custody import Custody, Tell
from houseway.refusal import Reason, Refused
from houseway.server.app import make_app
from houseway.server.demo import is_half_made, make_demo
from houseway.server.guard import LARGEST_HEAD
from houseway.server.room import Room

STOP_SECONDS = 2
"""How long requests may take to end when the server is stopped."""
SWITCH_SECONDS = 0.0005
"""How soon a thread gives way to another: who answers must not wait for who shuffles or writes."""
WAITING = 2048
"""Connections that may wait to be taken."""


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


class Protocol(HttpToolsProtocol):
    """What a browser speaks, with a head that does not go on for ever: the parser would take it."""

    _head = 0
    _within = True

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

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._within = False
        super().on_headers_complete()


class Server(uvicorn.Server):
    """Uvicorn, which ends open streams first of all: nobody else would end them."""

    def __init__(self, room: Room, hosts: tuple[str, ...]) -> None:
        super().__init__(
            uvicorn.Config(
                make_app(room, hosts),
                http=Protocol,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=STOP_SECONDS,
                backlog=WAITING,
            )
        )
        self._room = room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop in good order."""
        self._room.hub.close()
        await super().shutdown(sockets)


def run(room: Room, listening: socket.socket, hosts: tuple[str, ...]) -> None:
    """Serve until somebody stops it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        Server(room, hosts).run([listening])
    finally:
        room.floor.close()
