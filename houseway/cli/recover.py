"""`houseway recover`: a new PIN for a card, by whoever sits at the machine."""

import secrets
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json, not_given
from houseway.cli.output import console, print_json, progress

DIGITS = 8


def recover(
    card: str | None = None,
    *,
    database: Annotated[str | None, Parameter(show_default=False)] = None,
    json: Json = False,
) -> None:
    """Give a locked or forgotten card a new PIN, which is printed once.

    Whoever can do this holds the database anyway; it is written down in the journal. Example:

    `houseway recover administrator --database sqlite:///floor.sqlite`

    Parameters
    ----------
    card
        The number of the card.
    database
        sqlite:///FILE or postgresql://USER@HOST/NAME.
    """
    if card is None:
        raise not_given("card", "administrator")
    if database is None:
        raise not_given("database", "sqlite:///floor.sqlite")
    pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    with progress("opening the floor", extra="server"):
        from houseway.floor.service import Floor
        from houseway.server.session import Sessions

        with Floor(database) as floor:
            floor.recover(card, pin)
            sessions = Sessions(floor.journal.engine)
            sessions.revoke(card)
            sessions.forget(card)
    if json:
        print_json({"card": card, "pin": pin})
    else:
        console().print(f"The PIN of card {card} is now {pin}", markup=False)
