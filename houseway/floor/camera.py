"""Camera: surveillance verifies large payments before they are made."""

from typing import NamedTuple

from houseway.floor import request
from houseway.floor.context import Context
from houseway.floor.live_round import round_of
from houseway.floor.person import holder, same_holder
from houseway.floor.table import FloorTable, check_no_earlier_game
from houseway.house.money import dollars_text
from houseway.journal.event import Command, Entry
from houseway.journal.state import State
from houseway.live.progressive import fixed_pays, unpaid_envy
from houseway.live.state import Round
from houseway.refusal import Reason, Refused, listed

CAMERA_ABOVE_CENTS = 300_000
"""A payment above this is verified on camera before it is made (WAC 230-15-320(4))."""
CAMERA_CLAUSE = "WAC 230-15-320"
ON_CAMERA = ("hand", "wager", "amount", "player")


class LargePay(NamedTuple):
    """A pay of a round that surveillance has still to verify."""

    position: int
    of: int
    """The position of the hand that is paid for: the own one unless it is envy."""
    cents: int


def check_on_camera(state: State, command: Command) -> Entry:
    """Surveillance has verified a payment over $3,000: hand, wager, amount and player.

    An award is named by its win `page`; a fixed pay or envy by the position it goes to, and envy
    also by the position `from` whose hand it is paid.
    """
    context = Context(state, command, ("surveillance",))
    request.check_pin(command, CAMERA_CLAUSE)
    if "page" in command.arguments:
        return _award_checked(context)
    under_way = context.in_play()
    position = request.position(command, context.table.positions)
    of = position
    if "from" in command.arguments:
        of = request.position(command, context.table.positions, "from")
    large = {(pay.position, pay.of): pay for pay in unseen(context.table, under_way)}
    if (position, of) not in large:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"position {position} is paid nothing over {dollars_text(CAMERA_ABOVE_CENTS)} for "
            f"position {of} that is still to be verified",
            CAMERA_CLAUSE,
        )
    check_seen(command)
    cents = large[position, of].cents
    data = {"page": 0, "position": position, "from": of, "cents": cents}
    return Entry(events=[context.draft("camera_checked", data)], answer=data)


def _award_checked(context: Context) -> Entry:
    page = request.number(
        context.command, "page", context.link.wins, f"win page of {context.link.name}"
    )
    award = context.table.award_of(page)
    if award is None:
        check_no_earlier_game(context.table)
    if award is None or award.verified or award.amount_cents <= CAMERA_ABOVE_CENTS:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"win page {page} of {context.link.name} pays nothing over "
            f"{dollars_text(CAMERA_ABOVE_CENTS)} at {context.table.name} that is still to be "
            "verified",
            CAMERA_CLAUSE,
        )
    check_seen(context.command)
    for card in (award.confirmed_by, award.chosen_by):
        check_another(context.state, card, context.command.actor)
    data = {
        "link": context.link.name,
        "page": page,
        "position": award.position,
        "from": award.position,
        "cents": award.amount_cents,
    }
    return Entry(events=[context.draft("camera_checked", data)], answer=data)


def check_seen(command: Command) -> None:
    """Refuse a verification that leaves something out."""
    seen = request.mapping(command, "seen")
    missing = [name for name in ON_CAMERA if seen.get(name) is not True]
    if missing:
        raise Refused(
            Reason.NOT_DONE_YET, f"not verified on camera: {listed(missing)}", CAMERA_CLAUSE
        )


def check_another(state: State, card: str, verifier: str) -> None:
    """Refuse a verification by the person whose act it is; one may hold cards of two roles."""
    if same_holder(state, card, verifier):
        raise Refused(
            Reason.NOT_APPROVED,
            f"{holder(state, verifier)} has approved it; another person verifies it",
            CAMERA_CLAUSE,
        )


def unseen(table: FloorTable, under_way: Round | None) -> list[LargePay]:
    """The large fixed pays and envy of the round that surveillance has still to verify."""
    if under_way is None or under_way.over or not under_way.started:
        return []
    due = [LargePay(one.position, one.of, one.line.net) for one in unpaid_envy(under_way)]
    due += [LargePay(pay.position, pay.position, pay.cents) for pay in fixed_pays(under_way)]
    return sorted(pay for pay in due if pay.cents > CAMERA_ABOVE_CENTS and pay not in table.seen)


def large_pays(table: FloorTable) -> list[LargePay]:
    """The same for the round that is under way at a table."""
    return unseen(table, round_of(table))


def check_verified(table: FloorTable, under_way: Round, *, envy: bool) -> None:
    """Refuse to pay envy, or the fixed pays, that surveillance has not verified."""
    for pay in unseen(table, under_way):
        if (pay.position != pay.of) == envy:
            raise not_verified(f"{dollars_text(pay.cents)} to position {pay.position}")


def not_verified(what: str) -> Refused:
    """Why a payment is not made."""
    return Refused(
        Reason.NOT_DONE_YET,
        f"surveillance has not verified {what}; payments over "
        f"{dollars_text(CAMERA_ABOVE_CENTS)} are checked on camera first",
        CAMERA_CLAUSE,
    )


DECIDERS = {"check_on_camera": check_on_camera}
