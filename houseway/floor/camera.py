"""Camera: surveillance verifies large payments before they are made."""

from houseway.floor import request
from houseway.floor.person import holder
from houseway.floor.post import Post
from houseway.floor.table import FloorTable, envy_due
from houseway.journal.event import Command, Entry
from houseway.journal.state import State
from houseway.money import dollars_text
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused, listed

CAMERA_ABOVE_CENTS = 300_000
"""A payment above this is verified on camera before it is made (WAC 230-15-320(4))."""
CAMERA_CLAUSE = "WAC 230-15-320"
ON_CAMERA = ("hand", "wager", "amount", "player")


def check_on_camera(state: State, command: Command) -> Entry:
    """Surveillance has verified a payment over $3,000: hand, wager, amount and player.

    `from` is the position of the hand that is paid for: the own one unless it is envy.
    """
    post = Post(state, command, ("surveillance",))
    post.started()
    request.check_pin(command, CAMERA_CLAUSE)
    position = request.position(command, post.table.positions)
    of = position
    if "from" in command.arguments:
        of = request.position(command, post.table.positions, "from")
    large = unseen(post.table, post.paytable)
    if (position, of) not in large:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"position {position} is paid nothing over {dollars_text(CAMERA_ABOVE_CENTS)} for "
            f"position {request.shown(of)} that is still to be verified",
            CAMERA_CLAUSE,
        )
    check_seen(command)
    award = post.table.award_at(of)
    if award is not None and award.level is not None:
        if not award.confirmed_by:
            raise Refused(
                Reason.NOT_DONE_YET,
                f"the award at position {of} is not confirmed; what is verified is what was "
                "confirmed",
                CAMERA_CLAUSE,
            )
        check_another(state, award.confirmed_by, command.actor)
    data = {"position": position, "from": of, "cents": large[position, of]}
    return Entry(events=[post.draft("camera_checked", data)], answer=data)


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
    name = holder(state, verifier)
    if holder(state, card) == name:
        raise Refused(
            Reason.NOT_APPROVED,
            f"{name} has approved it; another person verifies it",
            CAMERA_CLAUSE,
        )


def unseen(table: FloorTable, paytable: PayTable) -> dict[tuple[int, int], int]:
    """Payments of the round that surveillance has still to verify, as cents by their places."""
    due = {(award.position, award.position): award.amount_cents for award in table.awards}
    for line in envy_due(table, paytable):
        due[line["position"], line["from"]] = line["cents"]
    return {
        place: cents
        for place, cents in due.items()
        if cents > CAMERA_ABOVE_CENTS and (*place, cents) not in table.seen
    }


def check_verified(post: Post, *, positions: tuple[int, ...] = (), envy: bool = False) -> None:
    """Refuse to pay what surveillance has not verified."""
    for (position, of), cents in sorted(unseen(post.table, post.paytable).items()):
        if (position == of and position in positions) or (position != of and envy):
            raise not_verified(f"{dollars_text(cents)} to position {position}")


def not_verified(what: str) -> Refused:
    """Why a payment is not made."""
    return Refused(
        Reason.NOT_DONE_YET,
        f"surveillance has not verified {what}; payments over "
        f"{dollars_text(CAMERA_ABOVE_CENTS)} are checked on camera first",
        CAMERA_CLAUSE,
    )


DECIDERS = {"check_on_camera": check_on_camera}
