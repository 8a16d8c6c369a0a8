"""`houseway serve`: a card room in the browser."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.output import console, progress, said_when_long
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.server.room import Room

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PORTS = range(1, 65536)


def serve(
    *,
    database: Annotated[str | None, Parameter(show_default=False)] = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    name: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = (),
    demo: Annotated[bool, Parameter(negative=())] = False,
    seal: Annotated[str | None, Parameter(show_default=False)] = None,
    accept_cut: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Open a card room: dealers, supervisors and signs in any browser.

    The floor is kept in the database; the server may be stopped and started at any time. The first
    start of a new floor prints a link with which its first administrator is made. Examples:

    `houseway serve --demo`

    `houseway serve --database postgresql://houseway@127.0.0.1/floor --port 9000`

    `houseway serve --name floor.example`

    Parameters
    ----------
    database
        Where the floor is kept: sqlite:///FILE or postgresql://USER@HOST/NAME. Without it
        floor.sqlite, or demo.sqlite for a demonstration, in the present folder.
    host
        The address to listen on.
    port
        The port to listen on.
    name
        A name that browsers may ask for beside the host: that of the proxy in front, or the
        machine's own on the network. May be given several times.
    demo
        A floor to look around in, with people of every role and play money.
    seal
        A file, best on another disk, that says after every commit how far the journal has come.
        Without it FILE.seals beside a SQLite file, and none for PostgreSQL.
    accept_cut
        Go on though the journal lacks what the seal file knows, as after an older backup was
        restored. It is written down, and the earlier seal file is kept.
    """
    if port not in PORTS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"port {port} is not allowed; allowed: {PORTS[0]} to {PORTS[-1]}"
        )
    url = database or f"sqlite:///{'demo' if demo else 'floor'}.sqlite"
    with progress("opening the floor", extra="server"):
        from houseway.server.serving import bind, open_floor, places_with, raise_file_limit, run

        files = raise_file_limit()
        listening = bind(host, port)
    with listening:
        with progress("opening the floor"), said_when_long() as tell:
            room = open_floor(url, demo=demo, seal=seal, accept_cut=accept_cut, tell=tell)
        named = f"[{host}]" if ":" in host else host
        places = places_with(files)
        if places is not None:
            told = f"{files} files may be open, which is room for {places} connections"
            console().print(told, markup=False)
        _greet(room, f"http://{'localhost' if named in LOOPBACK else named}:{port}")
        run(room, listening, (*LOOPBACK, named, *(one.lower() for one in name)), places)


def _greet(room: "Room", address: str) -> None:
    """Say what runs, and how to get in."""
    screen = console()
    screen.print(f"Houseway {room.version}, digest {room.running.digest[:12]}", markup=False)
    if room.demo:
        from houseway.server.demo import PEOPLE, PIN

        cards = ", ".join(card for card, _, _ in PEOPLE)
        screen.print("A demonstration: nobody plays for money here.", markup=False)
        screen.print(f"cards: {cards}; PIN of each: {PIN}", markup=False)
    elif room.is_new:
        # Longer than a narrow screen is wide, and to be copied as it is.
        link = f"{address}/setup#{room.setup_token}"
        screen.print(f"Make the first administrator at {link}", markup=False, soft_wrap=True)
    screen.print(f"Open {address}", markup=False)
