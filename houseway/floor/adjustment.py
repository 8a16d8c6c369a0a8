"""Adjustment: a meter corrected by hand, with two people and a reason from a closed list.

A meter goes down for these reasons only (WAC 230-15-695).
"""

from typing import Any

from houseway.floor import accounts, request
from houseway.floor.bank import CHEQUE_CLAUSE, cheque_due, payment_method
from houseway.floor.camera import (
    CAMERA_ABOVE_CENTS,
    CAMERA_CLAUSE,
    check_another,
    check_seen,
    not_verified,
)
from houseway.floor.claim import changed
from houseway.floor.context import OVER_THE_TABLE
from houseway.floor.link import Link, Owed, Pending, find_link, link_stream
from houseway.floor.live_round import round_of
from houseway.floor.person import DEPARTMENTS, require, same_holder
from houseway.floor.queue import free, free_on, priced, queue_of
from houseway.floor.step import do_step
from houseway.floor.table import (
    Award,
    FloorTable,
    check_no_earlier_game,
    find_table,
    table_stream,
)
from houseway.floor.tray import check_tray
from houseway.house.meters import MICROCENTS, Meter, added
from houseway.house.money import MeterLevel, check_amount, dollars_text
from houseway.journal.event import Command, Draft, Entry, Transfer
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.progressive import meter_hands, order_clause
from houseway.live.state import Round
from houseway.refusal import Reason, Refused, listed

REDUCTIONS = {
    "won": "an award that was confirmed for too little",
    "display_error": "a display that a malfunction had raised",
    "above_cap": "an amount above the posted cap",
    "booked_receipts": "funds that are not displayed, booked as gross receipts",
    "seed_recovered": "meter_seed that the house takes back",
}
"""For what a meter may go down; nothing else lowers it."""
NOT_SHOWN = ("booked_receipts",)
"""Reasons that take funds which no sign shows: what came in above a cap."""
INCREASES = {
    "award_backed_out": "an award that was confirmed by mistake and is put back",
    "display_error": "a display that a malfunction had lowered",
    "house_adds": "the house adds of its own",
}
OF_AN_AWARD = ("won", "award_backed_out")
"""Reasons that belong to a win page."""
SIGNS_TOO = ("cage", "auditor")
CLAUSE = "PGM-16"


def adjust(state: State, command: Command) -> Entry:
    """A manual adjustment of a meter: two people, a listed reason, before and after (PGM-16).

    `cents` is what the meter goes up by, below 0 what it goes down by. An award that is put back
    takes everything back that it moved, and its hand can be chosen again.
    """
    second = _two_people(state, command)
    link = find_link(state, request.text(command, "link"))
    level = _level(link, command.arguments.get("level"))
    cents, reason = _change(command)
    text = request.text(command, "text", longest=request.LONGEST_TEXT)
    page = None
    if reason in OF_AN_AWARD:
        page = _page(link, level, command)
    meter = accounts.meter_of(state, link.name, level)
    data: dict[str, Any] = {
        "slip": link.slips + 1,
        "level": level,
        "cents": cents,
        "reason": reason,
        "text": text,
        "before_cents": meter.shown_cents,
        "by": command.actor,
        "second": second,
        "page": page,
    }
    events = []
    if reason == "award_backed_out":
        table, award = _backed_out(state, link, level, cents, page)
        moved = _moved_back(link, level, meter, award)
        data["whole"] = award.whole and bool(moved)
        events += _off_the_table(table, award, data["slip"])
        if award.status == "recorded":
            events += changed(link, table.name, _still_waiting(state, link, level, table, award))
    elif cents < 0:
        moved = _reduction(state, link, level, -cents, reason)
    else:
        moved = _increase(link, level, meter, cents)
    data["after_cents"] = _after(meter, moved, link, level).shown_cents
    slip = Draft(stream=link_stream(link.name), kind="adjusted", data=data, transfers=moved)
    answer = {"slip": data["slip"], "after_cents": data["after_cents"]}
    return Entry(events=[slip, *events], answer=answer)


def pay_adjustment(state: State, command: Command) -> Entry:
    """What an adjustment found for a winner is handed over at a table of the link (PGM-20).

    It is a payment like any other: above the same amounts surveillance signs too, and the winner
    may ask for a cheque.
    """
    require(state, command.actor, (*OVER_THE_TABLE, "cage"))
    request.check_pin(command, "PGM-20")
    table = find_table(state, request.text(command, "table"))
    link = find_link(state, table.link)
    slip = request.number(command, "slip", link.slips, f"slip of {link.name}")
    if slip not in link.owed:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"nothing is owed on slip {slip} of {link.name}; owed on: "
            f"{listed(sorted(link.owed)) or 'none'}",
            "PGM-20",
        )
    if link.owed[slip].due:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"a cheque is promised for slip {slip} of {link.name}; the cage hands it over",
            CHEQUE_CLAUSE,
        )
    cents = link.owed[slip].amount_cents
    method = payment_method(command, cents)
    data = {
        "slip": slip,
        "table": table.name,
        "amount_cents": cents,
        "reference": request.text(command, "reference"),
        "method": method,
        "verified_by": _verified(state, command, slip, link.owed[slip]),
    }
    stream = link_stream(link.name)
    if method == "cheque":
        promised = {"slip": slip, "amount_cents": cents, "due": cheque_due(state)}
        return Entry(
            events=[
                Draft(stream=stream, kind="adjustment_paid", data=data),
                Draft(stream=stream, kind="cheque_promised", data=promised),
            ],
            answer={**data, "due": promised["due"]},
        )
    check_tray(state, table.name)
    moved = list(
        accounts.moves((accounts.payable(link.name), accounts.tray(table.name), cents * MICROCENTS))
    )
    draft = Draft(stream=stream, kind="adjustment_paid", data=data, transfers=moved)
    return Entry(events=[draft], answer=data)


def _verified(state: State, command: Command, slip: int, owed: Owed) -> str | None:
    """Return the card of surveillance that verified a large payment; None for a small one.

    The verifier neither pays nor signed the slip.
    """
    cents = owed.amount_cents
    if cents <= CAMERA_ABOVE_CENTS:
        request.check_alone(command)
        return None
    if "second" not in command.arguments:
        raise not_verified(f"{dollars_text(cents)} of slip {slip}")
    card = request.second(command)
    require(state, card, ("surveillance",), CAMERA_CLAUSE)
    for other in (command.actor, *owed.signed):
        check_another(state, other, card)
    check_seen(command)
    return card


def _page(link: Link, level: MeterLevel, command: Command) -> int:
    """The win page that an adjustment belongs to; refused when it is of another meter or gone."""
    page = request.number(command, "page", link.wins, f"win page of {link.name}")
    of = link.pages[page - 1]
    if of is None:
        raise Refused(
            Reason.WRONG_PHASE,
            f"win page {page} of {link.name} was backed out; nothing is put right on it",
            CLAUSE,
        )
    if of != level:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"win page {page} of {link.name} is of meter {of}, not of {level}",
            CLAUSE,
        )
    return page


def _two_people(state: State, command: Command) -> str:
    """The second card, of another person in another department; refused otherwise."""
    first = require(state, command.actor, OVER_THE_TABLE, CLAUSE)
    card = request.text(command, "second")
    second = require(state, card, SIGNS_TOO, CLAUSE)
    # One person may hold cards of two roles.
    same = same_holder(state, card, command.actor)
    if same or DEPARTMENTS[first.role] == DEPARTMENTS[second.role]:
        raise Refused(
            Reason.NOT_APPROVED, "an adjustment takes two people; a second one signs it", CLAUSE
        )
    if not (request.flag(command, "pin_held") and request.flag(command, "second_pin_held")):
        raise Refused(Reason.NOT_APPROVED, "both cards need their PINs", CLAUSE)
    return card


def _change(command: Command) -> tuple[int, str]:
    """By how much a meter changes, and why; refused when it is no amount or no listed reason."""
    cents = command.arguments.get("cents")
    if isinstance(cents, bool) or not isinstance(cents, int) or cents == 0:
        raise Refused(Reason.NOT_AN_AMOUNT, f"cents {request.shown(cents)} adjust nothing")
    check_amount(abs(cents), "adjustment")
    known, way = (REDUCTIONS, "down") if cents < 0 else (INCREASES, "up")
    reason = command.arguments.get("reason")
    if not isinstance(reason, str) or reason not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"reason {request.shown(reason)} does not move a meter {way}; known: {listed(known)}",
            CLAUSE,
        )
    return cents, reason


def _reduction(
    state: State, link: Link, level: MeterLevel, cents: int, reason: str
) -> list[Transfer]:
    """Returns the transfer that takes cents off a meter.

    It takes no more than there is for the reason, and nothing that somebody waits for.
    """
    meter, amount = accounts.meter_of(state, link.name, level), cents * MICROCENTS
    most = _adjustable(link, level, meter, reason)
    if amount > most:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"{dollars_text(cents)} is more than the {dollars_text(most // MICROCENTS)} that "
            f"{reason} may take on meter {level}",
            CLAUSE,
        )
    if reason not in NOT_SHOWN and amount > free_on(state, link, level):
        raise Refused(
            Reason.NOT_DONE_YET,
            f"awards wait for what is on meter {level}; confirm them or take them back first",
            CLAUSE,
        )
    shown, _, overflow = accounts.of_level(link.name, level)
    other = overflow if reason == "above_cap" else _other_side(link, reason)
    return [Transfer(overflow if reason in NOT_SHOWN else shown, other, amount)]


def _backed_out(
    state: State, link: Link, level: MeterLevel, cents: int, page: int | None
) -> tuple[FloorTable, Award]:
    """The award of a win page that can still be put back, with its table."""
    for name in link.tables:
        table = find_table(state, name)
        for award in table.awards:
            if award.page == page:
                if (award.level, award.amount_cents) != (level, cents):
                    raise Refused(
                        Reason.BAD_ARGUMENT,
                        f"win page {page} is {dollars_text(award.amount_cents)} of meter "
                        f"{award.level}; it is put back whole",
                        CLAUSE,
                    )
                if award.page in link.more_found:
                    raise Refused(
                        Reason.WRONG_PHASE,
                        f"slip {link.more_found[award.page]} found more for the winner of win page "
                        f"{page}; it is no longer backed out",
                        CLAUSE,
                    )
                return table, award
        if table.earlier is not None and any(a.page == page for a in table.earlier.awards):
            check_no_earlier_game(table)
    raise Refused(
        Reason.WRONG_PHASE,
        f"the prize of win page {page} was handed over; it is no longer backed out",
        CLAUSE,
    )


def _moved_back(link: Link, level: MeterLevel, meter: Meter, award: Award) -> list[Transfer]:
    """The transfers that undo an award; none for one that J-POT recorded and RUN never moved."""
    if award.status == "recorded":
        return []
    _check_seed(link, level, award)
    moved = accounts.reversed_moves([Transfer(*parts) for parts in award.moved])
    # First what comes back to the meter, so that it is never shown below nothing.
    moved.sort(key=lambda part: part.debit == accounts.meter_account(link.name, level))
    _check_paid(link, level, _after(meter, moved, link, level), queue_of(link, level))
    return moved


def _still_waiting(
    state: State, link: Link, level: MeterLevel, table: FloorTable, award: Award
) -> list[Pending]:
    """All that waits on the link without a recorded award; what stood behind it is priced anew."""
    queue = queue_of(link, level)
    own = (table.name, award.position)
    place = next(n for n, p in enumerate(queue) if (p.table, p.position) == own)
    rest = [*queue[:place], *queue[place + 1 :]]
    # J-POT has fixed these amounts, so the meter must hold them without this one's new start.
    fixed = max(place, sum(pending.recorded for pending in rest))
    _check_paid(link, level, accounts.meter_of(state, link.name, level), rest[:fixed])
    left = priced(state, link, level, rest, fixed)
    return [
        pending
        for name in link.pays.levels
        for pending in (left if name == level else queue_of(link, name))
    ]


def _off_the_table(table: FloorTable, award: Award, slip: int) -> list[Draft]:
    """Take an award off its page and, while its round is under way, off its line.

    Its hand can then be pressed and confirmed again, or the round made void. A round that is over
    keeps its line: the slip says that it was put back.
    """
    stream = table_stream(table.name)
    back = {"position": award.position, "page": award.page, "slip": slip}
    events = [Draft(stream=stream, kind="award_backed_out", data=back)]
    under_way = round_of(table)
    if table.started and under_way is not None and award.round == table.deal_number:
        _check_last(under_way, award)
        events.append(do_step(table, under_way, c.BackOutAward(award.position)).written)
    return events


def _check_last(under_way: Round, award: Award) -> None:
    """Refuse to put an award back before those of the round that were priced behind it (A-17).

    Confirmed again behind them, it would be a share of another amount.
    """
    hands = list(meter_hands(under_way).items())
    place = [position for position, _ in hands].index(award.position)
    for position, share in hands[place + 1 :]:
        if share.level == award.level and under_way.seat(position).settled("progressive"):
            raise Refused(
                Reason.OUT_OF_ORDER,
                f"the award at position {position} was confirmed after it; put that back first",
                order_clause(under_way),
            )


def _check_seed(link: Link, level: MeterLevel, award: Award) -> None:
    """Refuse to put an award back whose meter_seed the house has had back already."""
    if award.whole and link.recovered.get(level, 0) >= award.page:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"meter_seed of meter {level} was taken back since win page {award.page}; it is not "
            "taken back twice",
            CLAUSE,
        )


def _check_paid(link: Link, level: MeterLevel, after: Meter, queue: list[Pending]) -> None:
    """Refuse to put an award back where later ones have taken what it had started again with."""
    left = free(after, queue, link.next_start(level))
    if min(left, after.amount, after.overflow) < 0:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"awards after it have won, or wait for, what meter {level} was started again with; "
            "put those back first",
            CLAUSE,
        )


def _after(meter: Meter, moved: list[Transfer], link: Link, level: MeterLevel) -> Meter:
    """A meter after transfers."""

    def change(account: str) -> int:
        came = sum(part.amount for part in moved if part.credit == account)
        return came - sum(part.amount for part in moved if part.debit == account)

    shown, reserve, overflow = map(change, accounts.of_level(link.name, level))
    return Meter(
        amount=meter.amount + shown,
        reserve=meter.reserve + reserve,
        overflow=meter.overflow + overflow,
    )


def _adjustable(link: Link, level: MeterLevel, meter: Meter, reason: str) -> int:
    """What an adjustment may take: whole cents that are shown, or what came in above a cap.

    The house takes back no more than it has put up since the meter was last started again.
    """
    if reason in NOT_SHOWN:
        return meter.overflow
    shown = meter.shown_cents
    if reason == "seed_recovered":
        shown = min(shown, link.seeded[level])
    return shown * MICROCENTS


def _increase(link: Link, level: MeterLevel, meter: Meter, cents: int) -> list[Transfer]:
    """Returns the transfers from the house to a meter; what would stand above a cap overflows."""
    shown, _, overflow = accounts.of_level(link.name, level)
    amount = cents * MICROCENTS
    _, above = added(meter, link.settings[level], amount)
    return list(
        accounts.moves((accounts.HOUSE, shown, amount - above), (accounts.HOUSE, overflow, above))
    )


def _other_side(link: Link, reason: str) -> str:
    if reason == "won":
        return accounts.payable(link.name)
    return accounts.SEED_FUND if reason == "seed_recovered" else accounts.HOUSE


def _level(link: Link, given: object) -> MeterLevel:
    for level in link.pays.levels:
        if given == level:
            return level
    raise Refused(
        Reason.UNKNOWN_METER,
        f"meter {given!r} is unknown to {link.name}; known: {listed(link.pays.levels)}",
    )


DECIDERS = {
    "adjust": adjust,
    "pay_adjustment": pay_adjustment,
}
