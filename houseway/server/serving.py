"""Serving: a floor opened, checked and given to uvicorn."""

import uvicorn

from houseway.refusal import Reason, Refused
from houseway.server.app import make_app
from houseway.server.demo import make_demo
from houseway.server.room import Room

STOP_SECONDS = 2
"""How long open streams may take to end when the server is stopped."""


def open_floor(url: str, *, demo: bool = False) -> Room:
    """A floor that is ready to be served; a demonstration is set up where there is none."""
    room = Room(url)
    try:
        was = room.floor.house()
        answer = room.floor.note_start(
            demo=demo,
            version=room.version,
            running=room.running.digest,
            checked=room.running.checked,
        )
        room.demo = bool(answer["demo"])
        if room.demo and not was.demo:
            make_demo(room.floor)
        room.is_new = not room.floor.has_people()
    except BaseException:
        room.floor.close()
        raise
    return room


def run(room: Room, host: str, port: int, hosts: tuple[str, ...]) -> None:
    """Serve until somebody stops it."""
    config = uvicorn.Config(
        make_app(room, hosts),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    try:
        uvicorn.Server(config).run()
    except SystemExit as stopped:
        if stopped.code:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"nothing can listen on {host} port {port}; is it in use?",
            ) from None
