"""Views of the cage's page: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict


class TrayView(TypedDict):
    """The tray of a table."""

    table: str
    name: str
    session: int
    """0 before the first count."""
    opened_at: str | None
    """null while it is closed."""
    opener_cents: int
    fills_cents: int
    credits_cents: int
    should_cents: int
    """What would lie in it if nobody had played."""
    closer: dict[str, int]
    """What was counted when it was last closed."""
    waiting: list[int]
    """Slips that are under way."""


class SlipView(TypedDict):
    """A fill or credit that is under way."""

    slip: int
    kind: Literal["fill", "credit"]
    table: str
    count: dict[str, int]
    cents: int
    requested_at: str
    requested_by: str
    sent_by: str | None
    """null until the chips are on their way."""


class BoxView(TypedDict):
    """A box that waits to be counted."""

    box: int
    table: str
    session: int


class Cage(TypedDict):
    """Chips and cash of the floor."""

    now: str
    chips: list[int]
    """Denominations of chips in cents, and those of all that may lie in a box."""
    dropped: list[int]
    trays: list[TrayView]
    slips: list[SlipView]
    boxes: list[BoxView]
    slips_made: int
    boxes_made: int
