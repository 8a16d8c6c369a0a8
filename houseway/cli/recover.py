"""`houseway recover`: a new PIN for a card, by whoever sits at the machine."""

import secrets

from houseway.cli.arguments import Database, Json, given_database
from houseway.cli.output import console, print_json, progress
from houseway.refusal import Reason, Refused

DIGITS = 8


def recover(
    card: str | None = None,
    *,
    database: Database = None,
    json: Json = False,
) -> None:
    """Give a locked or forgotten card a new PIN, which is printed once.

    Whoever can do this holds the database anyway; it is written down in the journal. Example:

    `houseway recover administrator --database sqlite:///floor.sqlite`

    Parameters
    ----------
    card
        The number of the card.
    """
    if not card:
        raise Refused(Reason.BAD_ARGUMENT, "no card is given; write its number")
    url = given_database(database)
    pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    with progress("opening the floor", extra="server"):
        from houseway.floor.model import FloorModel
        from houseway.floor.service import Floor
        from houseway.journal.blame import blamed
        from houseway.server.session import Sessions

        with blamed(url, FloorModel()), Floor(url) as floor:
            floor.recover(card, pin)
            sessions = Sessions(floor.journal.engine)
            sessions.revoke(card)
            sessions.forget(card)
    if json:
        print_json({"card": card, "pin": pin})
    else:
        console().print(f"The PIN of card {card} is now {pin}", markup=False)
