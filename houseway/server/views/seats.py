"""Views of a position at any table: what the server sends, as types."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class SettledLine(TypedDict):
    """A bet that is settled."""

    bet: str
    hand: int | None
    """From 1 on after a split."""
    wager: int
    outcome: Literal["win", "lose", "push", "forfeit"]
    net: int
    clause: str
    why: str
    free: NotRequired[int]
    """The chips that the house has put up."""


class SeatOnFelt(TypedDict):
    """A position as everybody at the table sees it."""

    position: int
    player: str
    wagers: dict[str, int]
    cards: list[str]
    decisions: list[str]
    folded: bool
    tucked: bool
    gone: bool
    net: int
