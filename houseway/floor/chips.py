"""Chips: a count by denomination, and whether it is what it is said to be."""

from collections.abc import Mapping
from typing import Any

from houseway.floor import request
from houseway.house.money import check_amount, dollars_text
from houseway.journal.event import Command
from houseway.refusal import Reason, Refused, listed

CHIPS = (25, 50, 100, 250, 500, 1_000, 2_000, 2_500, 10_000, 50_000, 100_000)
"""Cents that are printed on chips."""
NOTES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
DROPPED = tuple(sorted({1, 5, 10, *CHIPS, *NOTES}))
"""Cents of what may lie in a box: chips, notes and coins."""
MOST_PIECES = 10**6
Count = Mapping[str, int]
"""Pieces by denomination in cents."""


def total_cents(count: Count) -> int:
    """What a count comes to."""
    return sum(int(worth) * pieces for worth, pieces in count.items())


def read_count(command: Command, known: tuple[int, ...] = CHIPS) -> dict[str, int]:
    """The count of a command; refused when it is not what its total says."""
    given = request.mapping(command, "count")
    said = check_amount(command.arguments.get("total_cents"), "total_cents", zero=True)
    count = {worth: _pieces(worth, pieces, known) for worth, pieces in given.items()}
    found = total_cents(count)
    if found != said:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the denominations come to {dollars_text(found)}, and the total says "
            f"{dollars_text(said)}; count again",
        )
    return in_order(count)


def in_order(count: Mapping[str, int]) -> dict[str, int]:
    """A count from the largest denomination down, without what is none."""
    return {worth: count[worth] for worth in sorted(count, key=int, reverse=True) if count[worth]}


def _pieces(worth: Any, pieces: Any, known: tuple[int, ...]) -> int:
    if worth not in {str(cents) for cents in known}:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"denomination {request.shown(worth)} is unknown; known, in cents: {listed(known)}",
        )
    if isinstance(pieces, bool) or not isinstance(pieces, int) or not 0 <= pieces <= MOST_PIECES:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{request.shown(pieces)} pieces of {dollars_text(int(worth))} are not allowed; "
            f"0 to {MOST_PIECES:,} are",
        )
    return pieces
