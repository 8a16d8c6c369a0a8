"""Views of the sign above a table: what the server sends, as types."""

from typing_extensions import TypedDict

from houseway.server.views.people import Level


class SignMeter(TypedDict):
    """A meter on a sign."""

    level: Level
    shown_cents: int
    """What the ledger has; a sign rolls up to it and never shows more."""
    pending: bool
    cap_cents: int | None


class SignPay(TypedDict):
    """A hand and its pay."""

    name: str
    pays: str
    level: Level | None


class SignEnvy(TypedDict):
    """A hand and its envy."""

    name: str
    pays: str


class SignPending(TypedDict):
    """An award that is verified now."""

    table: str
    name: str
    level: Level


class Sign(TypedDict):
    """What hangs above a table."""

    link: str
    name: str
    paytable: str
    """"1"."""
    meters: list[SignMeter]
    pays: list[SignPay]
    """Hands that are paid, best first."""
    envy: list[SignEnvy]
    """Hands that others are paid for: "$1,000.00" or "$1,000.00 for each $1"."""
    pending: list[SignPending]
    """Awards that are verified now: at which table, for which hand and meter."""
    notices: list[str]
    """Whether folded hands win, the cap, the help line and what the house has to tell, as
    sentences."""
    closed: str
    """Why no wagers are taken; empty while they are."""
