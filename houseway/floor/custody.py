"""Custody: links and tables made and changed, people and cards, corrections of meters.

A meter goes down for a closed list of reasons only, and two people stand for it.
"""

from typing import Any

from houseway.floor import accounts, request
from houseway.floor.guard_rails import (
    check_change,
    check_mixture,
    check_settings,
    settings_json,
    warnings,
)
from houseway.floor.line import free_on
from houseway.floor.link import Link, find_link, link_stream, read_settings
from houseway.floor.linking import check_linkable
from houseway.floor.person import check_role, find_person, person_stream, require
from houseway.floor.table import find_table, table_stream
from houseway.games import game_of
from houseway.journal.event import Command, Draft, Entry, Transfer
from houseway.journal.state import State
from houseway.meters import MICROCENTS, Meter, added, opened
from houseway.money import MeterLevel, check_amount, dollars_text
from houseway.names import PROGRESSIVE_CODES
from houseway.options import Options
from houseway.paytables import library
from houseway.refusal import Reason, Refused, listed
from houseway.wagers import read_options

ADMINISTRATORS = ("administrator",)
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


def first_administrator(state: State, command: Command) -> Entry:
    """The first card of a floor, made at the machine itself."""
    if any(name.startswith("person:") for name in state.streams):
        raise Refused(Reason.NOT_APPROVED, "the floor has people; an administrator issues cards")
    return _issue(command, "administrator")


def issue_card(state: State, command: Command) -> Entry:
    """A card for a person with a role; the PIN comes as a hash."""
    require(state, command.actor, ADMINISTRATORS)
    if person_stream(request.text(command, "card")) in state.streams:
        raise Refused(
            Reason.GIVEN_TWICE, f"card {command.arguments['card']!r} is issued; use another number"
        )
    return _issue(command, check_role(command.arguments.get("role")))


def _issue(command: Command, role: str) -> Entry:
    card = request.text(command, "card")
    data = {
        "name": request.text(command, "name"),
        "role": role,
        "pin_hash": request.text(command, "pin_hash", longest=200),
    }
    draft = Draft(stream=person_stream(card), kind="card_issued", data=data)
    return Entry(events=[draft], answer={"card": card, "role": role})


def note_pin(state: State, command: Command) -> Entry:
    """Whether the PIN of the own card held; three failures in a row lock it."""
    held = request.flag(command, "held")
    person = find_person(state, command.actor)
    kind = "pin_held" if held else "pin_failed"
    left = 0 if held else max(0, 2 - person.failures)
    draft = Draft(stream=person_stream(command.actor), kind=kind, data={})
    return Entry(events=[draft], answer={"held": held, "tries_left": None if held else left})


def unlock_card(state: State, command: Command) -> Entry:
    """An administrator unlocks a card of somebody else."""
    require(state, command.actor, ADMINISTRATORS)
    card = request.text(command, "card")
    if person_stream(card) not in state.streams:
        raise Refused(Reason.NOT_APPROVED, f"card {card!r} is unknown; use one that was issued")
    if card == command.actor:
        raise Refused(Reason.NOT_APPROVED, "nobody unlocks the own card")
    draft = Draft(stream=person_stream(card), kind="card_unlocked", data={})
    return Entry(events=[draft], answer={"card": card})


def withdraw_card(state: State, command: Command) -> Entry:
    """A card that is no longer valid."""
    require(state, command.actor, ADMINISTRATORS)
    card = request.text(command, "card")
    find_person(state, card)
    draft = Draft(stream=person_stream(card), kind="card_withdrawn", data={})
    return Entry(events=[draft], answer={"card": card})


def make_link(state: State, command: Command) -> Entry:
    """A link with its paytable and meters, each opened at its meter_seed (PRC-01..09)."""
    require(state, command.actor, ADMINISTRATORS)
    name = _new(state, link_stream, request.text(command, "link", longest=30))
    game = command.arguments.get("progressive")
    if game not in PROGRESSIVE_CODES:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"progressive {game!r} is unknown; known: {listed(PROGRESSIVE_CODES)}",
        )
    paytable = library().get(str(game), "progressive", request.text(command, "paytable"))
    settings = read_settings(request.mapping(command, "meters"))
    options = _options(command)
    check_settings(paytable, settings, options, override=request.flag(command, "override"))
    all_from_meter = request.flag(command, "all_from_meter")
    advice = [w.to_json() for w in warnings(paytable, settings, all_from_meter=all_from_meter)]
    moved: list[Transfer] = []
    for level, level_settings in settings.items():
        moved += accounts.opening(name, level, opened(level_settings))
    data = {
        "name": name,
        "game": game,
        "paytable": paytable.code,
        "settings": settings_json(settings),
        "all_from_meter": all_from_meter,
        "advice": advice,
    }
    draft = Draft(stream=link_stream(name), kind="link_made", data=data, transfers=moved)
    return Entry(events=[draft], answer={"link": name, "advice": advice})


def set_thresholds(state: State, command: Command) -> Entry:
    """From which amount an executive confirms, for every level (A-24)."""
    require(state, command.actor, ADMINISTRATORS)
    link = find_link(state, request.text(command, "link"))
    given = request.mapping(command, "thresholds")
    if set(given) != set(link.pays.levels):
        raise Refused(
            Reason.UNKNOWN_METER,
            f"thresholds for {listed(sorted(given)) or 'none'} are given; the link has "
            f"{listed(link.pays.levels)}",
            "PNX-14",
        )
    found = {level: check_amount(cents, f"threshold of {level}") for level, cents in given.items()}
    draft = Draft(stream=link_stream(link.name), kind="thresholds_set", data={"thresholds": found})
    return Entry(events=[draft], answer={"thresholds": found})


def change_settings(state: State, command: Command) -> Entry:
    """New settings of a link; those that bear on an award wait for the next one.

    With money on the meters a change of contribution, reserve or meter_seed begins with the next
    whole award of its level; a cap begins at once, and never below what is shown.
    """
    require(state, command.actor, ADMINISTRATORS)
    link = find_link(state, request.text(command, "link"))
    under_way = [t for t in link.tables if find_table(state, t).started]
    if under_way:
        raise Refused(
            Reason.WRONG_PHASE,
            f"a game is under way at {under_way[0]}; change settings between rounds",
        )
    new = read_settings(request.mapping(command, "meters"))
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT, empty=True)
    override = request.flag(command, "override")
    check_settings(link.pays, new, _options(command), override=override)
    meters = {level: accounts.meter_of(state, link.name, level) for level in link.settings}
    check_change(link.settings, new, meters, all_from_meter=link.all_from_meter, reason=reason)
    check_mixture(link.settings, new)
    advice = [w.to_json() for w in warnings(link.pays, new, all_from_meter=link.all_from_meter)]
    data = {"settings": settings_json(new), "reason": reason, "advice": advice}
    draft = Draft(stream=link_stream(link.name), kind="change_waits", data=data)
    return Entry(events=[draft], answer={"waits_for": "the next award", "advice": advice})


def make_table(state: State, command: Command) -> Entry:
    """A table of a game."""
    require(state, command.actor, ADMINISTRATORS)
    name = _new(state, table_stream, request.text(command, "table", longest=30))
    game = game_of(request.text(command, "game"))
    positions = command.arguments.get("positions", request.MOST_POSITIONS)
    if not isinstance(positions, int) or not 1 <= positions <= request.MOST_POSITIONS:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"positions {request.shown(positions)} cannot be; a table has 1 to 7",
        )
    options = {str(k): str(v) for k, v in request.mapping(command, "options").items()}
    read_options(options)
    data = {"name": name, "game": game.code, "positions": positions, "options": options}
    return Entry(
        events=[Draft(stream=table_stream(name), kind="table_made", data=data)],
        answer={"table": name},
    )


def join_link(state: State, command: Command) -> Entry:
    """A table plays for a link from now on; what may be linked is checked (PML-03)."""
    require(state, command.actor, ADMINISTRATORS)
    table = find_table(state, request.text(command, "table"))
    link = find_link(state, request.text(command, "link"))
    if table.link:
        raise Refused(
            Reason.GIVEN_TWICE, f"table {table.name!r} plays for {table.link!r}; leave it first"
        )
    if table.started:
        raise Refused(Reason.WRONG_PHASE, f"a game is under way at {table.name!r}; end it first")
    tables = [*(find_table(state, name) for name in link.tables), table]
    check_linkable(link.pays, tables, request.text(command, "date", empty=True))
    return Entry(
        events=[
            Draft(stream=link_stream(link.name), kind="table_joined", data={"table": table.name}),
            Draft(stream=table_stream(table.name), kind="link_joined", data={"link": link.name}),
        ],
        answer={"table": table.name, "link": link.name},
    )


def leave_link(state: State, command: Command) -> Entry:
    """A table no longer plays for its link."""
    require(state, command.actor, ADMINISTRATORS)
    table = find_table(state, request.text(command, "table"))
    if not table.link or table.started:
        why = "a game is under way" if table.started else "it plays for no link"
        raise Refused(Reason.WRONG_PHASE, f"table {table.name!r} cannot leave: {why}")
    if any(light.carried for light in table.lights.values()):
        raise Refused(
            Reason.WRONG_PHASE,
            f"wagers of a void round are carried over at {table.name!r} and are on the meters of "
            f"{table.link!r}; play them first",
        )
    return Entry(
        events=[
            Draft(stream=link_stream(table.link), kind="table_left", data={"table": table.name}),
            Draft(stream=table_stream(table.name), kind="link_left", data={}),
        ],
        answer={"table": table.name},
    )


def close_link(state: State, command: Command) -> Entry:
    """No wagers are taken: a seizure, a fault, a deposit that is missing."""
    require(state, command.actor, ("administrator", "supervisor", "executive"))
    link = find_link(state, request.text(command, "link"))
    why = request.text(command, "why", longest=request.LONGEST_TEXT)
    draft = Draft(stream=link_stream(link.name), kind="link_closed", data={"why": why})
    return Entry(events=[draft], answer={"link": link.name, "closed": why})


def open_link(state: State, command: Command) -> Entry:
    """Wagers are taken again."""
    require(state, command.actor, ADMINISTRATORS)
    link = find_link(state, request.text(command, "link"))
    if not link.closed:
        raise Refused(Reason.WRONG_PHASE, f"link {link.name!r} is open")
    draft = Draft(stream=link_stream(link.name), kind="link_opened", data={})
    return Entry(events=[draft], answer={"link": link.name})


def record_deposit(state: State, command: Command) -> Entry:
    """What stands in the bank for a link, as the cage has it confirmed."""
    require(state, command.actor, ("cage",))
    link = find_link(state, request.text(command, "link"))
    data = {
        "balance_cents": request.cents(command, "balance_cents", zero=True),
        "reference": request.text(command, "reference"),
    }
    draft = Draft(stream=link_stream(link.name), kind="deposited", data=data)
    return Entry(events=[draft], answer=data)


def reprint_page(state: State, command: Command) -> Entry:
    """A win page printed again, which is marked and kept (PGM-13)."""
    require(state, command.actor, ("supervisor", "executive", "cage", "auditor"))
    link = find_link(state, request.text(command, "link"))
    page = command.arguments.get("page")
    if isinstance(page, bool) or not isinstance(page, int) or not 1 <= page <= link.wins:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"win page {request.shown(page)} of {link.name} is unknown; there are {link.wins}",
            "PGM-13",
        )
    data = {"page": page}
    draft = Draft(stream=link_stream(link.name), kind="reprinted", data=data)
    return Entry(events=[draft], answer={**data, "reprint": True})


def adjust(state: State, command: Command) -> Entry:
    """A manual adjustment of a meter: two people, a listed reason, before and after (PGM-16).

    `cents` is what the meter goes up by, below 0 what it goes down by.
    """
    first = require(state, command.actor, ("supervisor", "executive"), "PGM-16")
    second_card = request.text(command, "second")
    second = require(state, second_card, ("supervisor", "executive"), "PGM-16")
    if second_card == command.actor or second.name == first.name:
        raise Refused(
            Reason.NOT_APPROVED, "an adjustment takes two people; a second one signs it", "PGM-16"
        )
    if not (request.flag(command, "pin_held") and request.flag(command, "second_pin_held")):
        raise Refused(Reason.NOT_APPROVED, "both cards need their PINs", "PGM-16")
    link = find_link(state, request.text(command, "link"))
    level = _level(link, command.arguments.get("level"))
    cents = command.arguments.get("cents")
    if isinstance(cents, bool) or not isinstance(cents, int) or cents == 0:
        raise Refused(Reason.NOT_AN_AMOUNT, f"cents {request.shown(cents)} adjust nothing")
    check_amount(abs(cents), "adjustment")
    known = REDUCTIONS if cents < 0 else INCREASES
    reason = command.arguments.get("reason")
    if reason not in known:
        way = "down" if cents < 0 else "up"
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"reason {reason!r} does not move a meter {way}; known: {listed(known)}",
            "PGM-16",
        )
    text = request.text(command, "text", longest=request.LONGEST_TEXT)
    meter = accounts.meter_of(state, link.name, level)
    before = _adjustable(meter, str(reason))
    if -cents * MICROCENTS > before:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"{dollars_text(-cents)} is more than the {dollars_text(before // MICROCENTS)} that "
            f"{reason} may take on meter {level}",
            "PGM-16",
        )
    if reason not in NOT_SHOWN and -cents * MICROCENTS > free_on(state, link, level):
        raise Refused(
            Reason.NOT_DONE_YET,
            f"awards wait for what is on meter {level}; confirm them or take them back first",
            "PGM-16",
        )
    moved = _adjustment(link, level, meter, cents, str(reason))
    account = accounts.meter_account(link.name, level)
    change = sum(m.amount for m in moved if m.credit == account)
    change -= sum(m.amount for m in moved if m.debit == account)
    data: dict[str, Any] = {
        "slip": link.slips + 1,
        "level": level,
        "cents": cents,
        "reason": reason,
        "text": text,
        "before_cents": meter.shown_cents,
        "after_cents": Meter(amount=meter.amount + change).shown_cents,
        "by": command.actor,
        "second": second_card,
        "page": command.arguments.get("page"),
    }
    draft = Draft(stream=link_stream(link.name), kind="adjusted", data=data, transfers=moved)
    return Entry(events=[draft], answer={"slip": data["slip"], "after_cents": data["after_cents"]})


def _adjustable(meter: Meter, reason: str) -> int:
    """What an adjustment may take: whole cents that are shown, or what came in above a cap."""
    return meter.overflow if reason in NOT_SHOWN else meter.shown_cents * MICROCENTS


def _adjustment(
    link: Link, level: MeterLevel, meter: Meter, cents: int, reason: str
) -> list[Transfer]:
    """The transfers of an adjustment; what would stand above a cap goes to the overflow."""
    shown, _, overflow = accounts.of_level(link.name, level)
    other = overflow if reason == "above_cap" else _other_side(link, reason)
    amount = abs(cents) * MICROCENTS
    if cents < 0:
        return [Transfer(overflow if reason in NOT_SHOWN else shown, other, amount)]
    _, to_overflow = added(meter, link.settings[level], amount)
    return list(
        accounts.moves((other, shown, amount - to_overflow), (other, overflow, to_overflow))
    )


def _other_side(link: Link, reason: str) -> str:
    if reason in ("won", "award_backed_out"):
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


def _new(state: State, stream: Any, name: str) -> str:
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise Refused(Reason.BAD_ARGUMENT, f"name {name!r} cannot be; use letters, digits, - and _")
    if stream(name) in state.streams:
        raise Refused(Reason.GIVEN_TWICE, f"{stream(name)!r} exists already; choose another name")
    return name


def _options(command: Command) -> Options:
    given = request.mapping(command, "options")
    return read_options({str(name): str(value) for name, value in given.items()})[0]


DECIDERS = {
    "first_administrator": first_administrator,
    "issue_card": issue_card,
    "note_pin": note_pin,
    "unlock_card": unlock_card,
    "withdraw_card": withdraw_card,
    "make_link": make_link,
    "set_thresholds": set_thresholds,
    "change_settings": change_settings,
    "make_table": make_table,
    "join_link": join_link,
    "leave_link": leave_link,
    "close_link": close_link,
    "open_link": open_link,
    "record_deposit": record_deposit,
    "reprint_page": reprint_page,
    "adjust": adjust,
}
