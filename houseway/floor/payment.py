"""Payment: an award is handed over by the house's procedure, in chips or by cheque."""

from houseway.floor import accounts, request
from houseway.floor.bank import cheque_due, payment_method
from houseway.floor.camera import CAMERA_ABOVE_CENTS, CAMERA_CLAUSE, not_verified
from houseway.floor.context import OVER_THE_TABLE, Context
from houseway.floor.person import same_holder
from houseway.floor.table import check_no_earlier_game
from houseway.floor.tray import check_tray
from houseway.house.meters import MICROCENTS
from houseway.house.money import dollars_text
from houseway.journal.event import Command, Entry
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed


def pay_award(state: State, command: Command) -> Entry:
    """The prize of a win page is handed over, whose reference is kept (PGM-20).

    A confirmed award holds no table: it may be handed over long after its round, while the tray
    is open that its chips come from. A player who has won enough may ask for a cheque, which is
    then owed within a day.
    """
    context = Context(state, command, (*OVER_THE_TABLE, "cage"))
    request.check_pin(command, "PGM-20")
    link = context.link
    page = request.number(command, "page", link.wins, f"win page of {link.name}")
    award = context.table.award_of(page)
    if award is None or award.status != "confirmed":
        check_no_earlier_game(context.table)
        waiting = [a.page for a in context.table.awards if a.status == "confirmed"]
        raise Refused(
            Reason.NOT_DONE_YET,
            f"win page {page} is not waiting to be paid at {context.table.name}; waiting: "
            f"{listed(waiting) or 'none'}",
            "PGM-20",
        )
    cents = award.amount_cents
    if cents > CAMERA_ABOVE_CENTS and not award.verified:
        raise not_verified(f"{dollars_text(cents)} to position {award.position}")
    if award.verified_by and same_holder(state, award.verified_by, command.actor):
        raise Refused(
            Reason.NOT_APPROVED,
            f"{context.person.name} has verified it on camera; another person pays it",
            CAMERA_CLAUSE,
        )
    data = {
        "link": link.name,
        "page": page,
        "position": award.position,
        "amount_cents": cents,
        "reference": request.text(command, "reference"),
        "method": payment_method(command, cents),
    }
    if data["method"] == "chips":
        check_tray(state, context.table.name)
        payable, tray = accounts.payable(link.name), accounts.tray(context.table.name)
        moved = list(accounts.moves((payable, tray, cents * MICROCENTS)))
        return Entry(events=[context.draft("award_paid", data, moved)], answer=data)
    promised = {
        "page": page,
        "amount_cents": cents,
        "due": cheque_due(state),
        "table": context.table.name,
        "player": award.player,
    }
    return Entry(
        events=[context.draft("award_paid", data), context.link_draft("cheque_promised", promised)],
        answer={**data, "due": promised["due"]},
    )


DECIDERS = {"pay_award": pay_award}
