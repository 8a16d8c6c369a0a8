"""`houseway serve`: a card room in the browser."""

from typing import Annotated

from cyclopts import Parameter

from houseway.cli.output import console, progress
from houseway.refusal import Reason, Refused

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PORTS = range(1, 65536)


def serve(
    *,
    database: Annotated[str | None, Parameter(show_default=False)] = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    demo: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Open a card room: dealers, supervisors and signs in any browser.

    The floor is kept in the database; the server may be stopped and started at any time. The first
    start of a new floor prints a link with which its first administrator is made. Examples:

    `houseway serve --demo`

    `houseway serve --database postgresql://houseway@127.0.0.1/floor --port 9000`

    Parameters
    ----------
    database
        Where the floor is kept: sqlite:///FILE or postgresql://USER@HOST/NAME. Without it
        floor.sqlite, or demo.sqlite for a demonstration, in the present folder.
    host
        The address to listen on.
    port
        The port to listen on.
    demo
        A floor to look around in, with people of every role and play money.
    """
    if port not in PORTS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"port {port} cannot be; allowed: {PORTS[0]} to {PORTS[-1]}"
        )
    url = database or f"sqlite:///{'demo' if demo else 'floor'}.sqlite"
    with progress("opening the floor", extra="server"):
        from houseway.server.serving import open_floor, run

        room = open_floor(url, demo=demo)
    screen = console()
    address = f"http://{'localhost' if host in LOOPBACK else host}:{port}"
    screen.print(f"Houseway {room.version}, digest {room.running.digest[:12]}", markup=False)
    if room.demo:
        from houseway.server.demo import PEOPLE, PIN

        cards = ", ".join(card for card, _, _ in PEOPLE)
        screen.print("A demonstration: nobody plays for money here.", markup=False)
        screen.print(f"cards: {cards}; PIN of each: {PIN}", markup=False)
    elif room.is_new:
        link = f"{address}/setup#{room.setup_token}"
        screen.print(f"Make the first administrator at {link}", markup=False)
    screen.print(f"Open {address}", markup=False)
    run(room, host, port, (*LOOPBACK, host))
