"""Bank: what stands in the bank for a link, and cheques that players have asked for.

Players' money is deposited every week and covers what the meters owe; where it does not, no
wagers are taken (WAC 230-15-455).
"""

from datetime import datetime, timedelta

from houseway.floor import accounts, request
from houseway.floor.link import Cheque, Link, Owed, find_link, link_stream
from houseway.floor.person import require
from houseway.house.meters import MICROCENTS
from houseway.house.money import dollars_text
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

DEPOSITS = ("weekly", "not_asked")
"""Whether deposits are asked for; they are not where nobody plays for money."""
DEPOSIT_DAYS = 7
METHODS = ("chips", "cheque")
CHEQUE_HOURS = 24
CHEQUE_ABOVE_CENTS = 500_000
"""Above this a player may ask for a cheque, to be had within a day (WAC 230-15-050)."""
COVER_CLAUSE, CHEQUE_CLAUSE = "WAC 230-15-455", "WAC 230-15-050"


def liability_cents(state: State, link: Link) -> int:
    """What a link owes players: shown, set aside, above caps, and awarded but not yet paid."""
    owed = state.owed(accounts.payable(link.name))
    for level in link.pays.levels:
        owed += sum(state.owed(account) for account in accounts.of_level(link.name, level))
    return -(-owed // MICROCENTS)


def record_deposit(state: State, command: Command) -> Entry:
    """What stands in the bank for a link, as the cage has it confirmed."""
    require(state, command.actor, ("cage",))
    request.check_pin(command, COVER_CLAUSE)
    link = find_link(state, request.text(command, "link"))
    balance = request.cents(command, "balance_cents", zero=True)
    liability = liability_cents(state, link)
    data = {
        "balance_cents": balance,
        "liability_cents": liability,
        "short_cents": max(0, liability - balance),
        "reference": request.text(command, "reference"),
    }
    draft = Draft(stream=link_stream(link.name), kind="deposited", data=data)
    return Entry(events=[draft], answer=data)


def check_cover(state: State, link: Link) -> None:
    """Refuse wagers where the weekly deposit is missing or short."""
    if link.deposits != "weekly":
        return
    if link.short_cents:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the deposit of {link.name} is {dollars_text(link.short_cents)} short of what is "
            "owed; no wagers are taken until the bank covers it",
            COVER_CLAUSE,
        )
    if deposit_due(link) < state.now:
        last = link.deposited_at or link.made_at
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the last deposit of {link.name} was on {last[:10]}; one is due every "
            f"{DEPOSIT_DAYS} days, and no wagers are taken without it",
            COVER_CLAUSE,
        )


def deposit_due(link: Link) -> str:
    """Until when the next deposit is due; empty where none is asked for."""
    if link.deposits != "weekly":
        return ""
    return _after(link.deposited_at or link.made_at, days=DEPOSIT_DAYS)


def asked_at(due: str) -> str:
    """When a cheque that is due then was asked for."""
    return _after(due, hours=-CHEQUE_HOURS)


def cheque_due(state: State) -> str:
    """Until when a cheque that is asked for now must be handed over."""
    return _after(state.now, hours=CHEQUE_HOURS)


def payment_method(command: Command, cents: int) -> str:
    """How an amount is paid; refused when it is not enough for a cheque."""
    method = command.arguments.get("method", "chips")
    if not isinstance(method, str) or method not in METHODS:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"method {request.shown(method)} is unknown; known: {listed(METHODS)}",
        )
    if method == "cheque" and cents <= CHEQUE_ABOVE_CENTS:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"{dollars_text(cents)} is paid in chips; a cheque is for more than "
            f"{dollars_text(CHEQUE_ABOVE_CENTS)}",
            CHEQUE_CLAUSE,
        )
    return method


def hand_cheque(state: State, command: Command) -> Entry:
    """A cheque that was asked for is handed over: for a win page, or for a slip."""
    require(state, command.actor, ("cage",))
    request.check_pin(command, CHEQUE_CLAUSE)
    link = find_link(state, request.text(command, "link"))
    promised: dict[int, Cheque | Owed] = dict(link.cheques)
    paper, kind, last = "page", "win page", link.wins
    if command.arguments.get("slip") is not None:
        paper, kind, last = "slip", "slip", link.slips
        promised = {slip: owed for slip, owed in link.owed.items() if owed.due}
    number = request.number(command, paper, last, f"{kind} of {link.name}")
    cheque = promised.get(number)
    if cheque is None:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"no cheque is promised for {kind} {number} of {link.name}; promised: "
            f"{listed(sorted(promised)) or 'none'}",
            CHEQUE_CLAUSE,
        )
    data = {
        paper: number,
        "amount_cents": cheque.amount_cents,
        "reference": request.text(command, "reference"),
        "late": state.now > cheque.due,
    }
    moved = list(
        accounts.moves(
            (accounts.payable(link.name), accounts.BANK, cheque.amount_cents * MICROCENTS)
        )
    )
    draft = Draft(stream=link_stream(link.name), kind="cheque_handed", data=data, transfers=moved)
    return Entry(events=[draft], answer=data)


def _after(at: str, **later: int) -> str:
    moment = datetime.fromisoformat(at) + timedelta(**later)
    return moment.isoformat(timespec="microseconds")


DECIDERS = {"record_deposit": record_deposit, "hand_cheque": hand_cheque}
