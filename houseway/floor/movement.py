"""Movement: what an event moves on the accounts that hold players' money, and why."""

from collections.abc import Iterator
from typing import NamedTuple

from houseway.journal.event import Event

HELD = ("meter", "reserve", "overflow")
"""Accounts of a link that hold players' money."""
FUNDS = (*HELD, "payable")
"""The same with awards that are confirmed and not yet handed over."""


class Move(NamedTuple):
    """One movement on an account that holds players' money."""

    holds: str
    """The kind of account: meter, reserve, overflow or payable."""
    link: str
    level: str
    """Empty for what is payable, which belongs to the link."""
    cause: str
    other: str
    """The account on the other side."""
    amount: int
    """What is added; below 0 what is taken."""

    @property
    def account(self) -> str:
        """The account that it is on."""
        return ":".join(part for part in (self.holds, self.link, self.level) if part)

    @property
    def table(self) -> str | None:
        """The table whose tray is on the other side."""
        kind, _, table = self.other.partition(":")
        return table if kind == "tray" else None


CAUSES = {
    "link_made": "opening",
    "game_started": "contributions",
    "game_voided": "taken_back",
    "earlier_game_ended": "taken_back",
    "game_ended": "fixed_pays",
    "award_paid": "handed_over",
    "cheque_handed": "cheques",
    "adjusted": "adjustments",
    "adjustment_paid": "slips_paid",
}
CAUSES_OF_AWARD = {
    ("meter", "payable"): "awards",
    ("seed_fund", "meter"): "meter_seed",
    ("reserve", "meter"): "reserve_used",
    ("meter", "overflow"): "above_cap",
}
"""An award moves money several ways: out, and back in where the meter starts again."""
BACKED_OUT = "_backed_out"
CAUSES_BACK = {
    (credit, debit): f"{cause}{BACKED_OUT}" for (debit, credit), cause in CAUSES_OF_AWARD.items()
}
"""An award that is backed out moves all of it back."""


def moves_of(event: Event) -> Iterator[Move]:
    """What an event moves on accounts that hold players' money."""
    for debit, credit, amount in event.transfers:
        ways = debit.partition(":")[0], credit.partition(":")[0]
        if event.kind == "award_confirmed":
            cause = CAUSES_OF_AWARD[ways]
        elif event.kind == "adjusted" and event.data["reason"] == "award_backed_out":
            cause = CAUSES_BACK[ways]
        else:
            cause = CAUSES.get(event.kind, event.kind)
        for account, other, added in ((debit, credit, -amount), (credit, debit, amount)):
            holds, _, place = account.partition(":")
            if holds in FUNDS:
                link, _, level = place.partition(":")
                yield Move(holds, link, level, cause, other, added)
