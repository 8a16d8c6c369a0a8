"""Inbox: what waits for a person: calls, awards, cameras, prizes, rulings, deposits."""

from collections.abc import Iterator
from typing import Any

from houseway.cards import card_text
from houseway.floor.accounts import meter_of
from houseway.floor.adjustment import INCREASES, OF_AN_AWARD, REDUCTIONS
from houseway.floor.bank import CHEQUE_ABOVE_CENTS, asked_at, deposit_due, liability_cents
from houseway.floor.call import REASONS, unanswered
from houseway.floor.camera import CAMERA_ABOVE_CENTS, ON_CAMERA, unseen
from houseway.floor.confirmation import CHECKLIST
from houseway.floor.line import line_of
from houseway.floor.link import Link, find_link
from houseway.floor.live_round import round_of
from houseway.floor.person import holder
from houseway.floor.profile import profile_of
from houseway.floor.records import tax_flag
from houseway.floor.table import (
    FOR_AN_AWARD,
    Award,
    FloorTable,
    envy_due,
    find_table,
    from_meter,
    next_to_confirm,
)
from houseway.journal.state import State
from houseway.meters import MICROCENTS
from houseway.meters import award as taken_off
from houseway.money import MeterLevel
from houseway.server.console import meters, needs
from houseway.server.lobby import links_of, tables_of
from houseway.server.names import game_name, hand_name, pays_text, progressive_name

WHO = {
    "call": ("supervisor", "executive"),
    "award": ("supervisor", "executive"),
    "camera": ("surveillance",),
    "pay": ("supervisor", "executive", "cage"),
    "cheque": ("cage",),
    "slip": ("supervisor", "executive", "cage"),
    "ruling": ("supervisor", "executive"),
    "deposit": ("cage",),
}
"""Who may do what waits."""


def inbox(state: State, role: str) -> dict[str, Any]:
    """What waits, longest first, and what corrections need to know."""
    return {
        "now": state.now or state.at,
        "items": items(state, role),
        "links": [_link(state, link) for link in links_of(state)],
        "tables": [_table(state, table) for table in tables_of(state)],
        "reductions": dict(REDUCTIONS),
        "increases": dict(INCREASES),
        "of_an_award": list(OF_AN_AWARD),
    }


def items(state: State, role: str) -> list[dict[str, Any]]:
    """What waits on the floor, with whether this role may do it."""
    found: list[dict[str, Any]] = []
    for table in tables_of(state):
        found += _calls(state, table)
        found += _rulings(state, table)
        if table.link:
            found += _awards(state, table, find_link(state, table.link))
    for link in links_of(state):
        found += _of_link(state, link)
    for item in found:
        item["mine"] = role in WHO[item["kind"]]
        if item["kind"] == "award":
            call = find_table(state, item["table"]).call_for(FOR_AN_AWARD)
            item["call_text"] = "" if call is None else call.text
        if item["kind"] == "award" and item["needs"] == "executive":
            item["mine"] = role == "executive"
    return sorted(found, key=lambda item: (item["since"], item["id"]))


def count(state: State, role: str) -> int:
    """How much waits for a role."""
    return sum(item["mine"] for item in items(state, role))


def _calls(state: State, table: FloorTable) -> Iterator[dict[str, Any]]:
    """The calls to a table; one for an award of a meter is there as that award."""
    for call in unanswered(table):
        yield {
            "id": f"call:{table.name}:{call.reason}:{call.at}",
            "kind": "call",
            "since": call.at,
            "table": table.name,
            "link": table.link or None,
            "reason": call.reason,
            "name": REASONS[call.reason],
            "text": call.text,
            "by": holder(state, call.by),
        }


def _rulings(state: State, table: FloorTable) -> Iterator[dict[str, Any]]:
    under_way = round_of(table)
    if under_way is not None and under_way.reported:
        yield {
            "id": f"ruling:{table.name}:{under_way.number}",
            "kind": "ruling",
            "since": table.changed_at,
            "table": table.name,
            "link": table.link or None,
            "round": under_way.number,
            "text": under_way.reported,
            "version": state.head(f"table:{table.name}").version,
        }


def _awards(state: State, table: FloorTable, link: Link) -> Iterator[dict[str, Any]]:
    large = unseen(table, link.pays)
    for award in from_meter(table):
        if award.status in ("chosen", "recorded") and table.called_at:
            yield _award(state, table, link, award)
        elif award.status == "confirmed":
            yield _to_pay(table, link, award, (award.position, award.position) in large)
    for (position, of), cents in large.items():
        hand = table.award_at(of)
        # A chosen award may still change; surveillance looks once it is confirmed, or is no award.
        if hand is None or (hand.level is not None and hand.status in ("chosen", "recorded")):
            continue
        light = table.lights[position]
        yield {
            **_place(table, link, "camera", f"{position}:{of}", hand.at),
            "position": position,
            "from": of,
            "player": light.player,
            "hand": hand.hand,
            "name": hand_name(hand.hand),
            "cents": cents,
            "wager_cents": light.cents,
            "cards": _cards(table, of),
            "checklist": list(ON_CAMERA),
        }


def _place(table: FloorTable, link: Link, kind: str, rest: str, since: str) -> dict[str, Any]:
    return {
        "id": f"{kind}:{table.name}:{table.round}:{rest}",
        "kind": kind,
        "since": since,
        "table": table.name,
        "link": link.name,
    }


def _award(state: State, table: FloorTable, link: Link, award: Award) -> dict[str, Any]:
    level = _level(link, award)
    meter = meter_of(state, link.name, level)
    line = line_of(link, level)
    own = (table.name, award.position)
    place = next(n for n, waits in enumerate(line) if (waits.table, waits.position) == own)
    after = meter
    for waits in line[: place + 1]:
        cents = min(waits.amount_cents, after.shown_cents)
        after, _ = taken_off(after, link.next_start(level), cents, whole=waits.whole)
    first = next_to_confirm(table)
    why_not = ""
    if first is not None and first.position != award.position:
        why_not = f"position {first.position} is paid before it"
    elif place:
        ahead = line[0]
        why_not = f"position {ahead.position} of {ahead.table} stands before it in line"
    threshold = dict(link.thresholds).get(level, 0)
    large = award.amount_cents >= threshold
    light = table.lights[award.position]
    profile = profile_of(link.pays, table.house_options)
    return {
        **_place(table, link, "award", str(award.position), table.called_at),
        "game": game_name(table.game),
        "round": table.round,
        "position": award.position,
        "player": light.player,
        "hand": award.hand,
        "name": hand_name(award.hand),
        "pays": pays_text(link.pays, award.hand),
        "level": level,
        "whole": award.whole,
        "wager_cents": light.cents,
        "amount_cents": award.amount_cents,
        "status": award.status,
        "chosen_by": award.by,
        "needs": needs(link, level, award.amount_cents),
        "threshold_cents": threshold,
        "confirms": profile.confirms,
        "key": table.key,
        "next": not why_not,
        "why_not": why_not,
        "called": bool(table.called_at),
        "checklist": [*CHECKLIST, "surveillance"] if large else [*CHECKLIST],
        "before_cents": meter.shown_cents,
        "after_cents": after.shown_cents,
        "tax_flag": tax_flag(award.amount_cents, light.cents, int((award.at or "2026")[:4])),
        "cards": _cards(table, award.position),
        "envy": [line for line in envy_due(table, link.pays) if line["from"] == award.position],
        "version": state.head(f"table:{table.name}").version,
    }


def _to_pay(table: FloorTable, link: Link, award: Award, large: bool) -> dict[str, Any]:
    light = table.lights[award.position]
    return {
        **_place(table, link, "pay", str(award.position), award.at),
        "round": table.round,
        "position": award.position,
        "player": light.player,
        "name": hand_name(award.hand),
        "level": award.level,
        "wager_cents": light.cents,
        "amount_cents": award.amount_cents,
        "page": award.page,
        "chosen_by": award.by,
        "confirmed_by": award.confirmed_by,
        "cheque": award.amount_cents > CHEQUE_ABOVE_CENTS,
        "tax_flag": tax_flag(award.amount_cents, light.cents, int((award.at or "2026")[:4])),
        "why_not": "surveillance has not verified it yet" if large else "",
    }


def _of_link(state: State, link: Link) -> Iterator[dict[str, Any]]:
    for page, cheque in link.cheques.items():
        yield {
            "id": f"cheque:{link.name}:{page}",
            "kind": "cheque",
            "since": asked_at(cheque.due),
            "table": None,
            "link": link.name,
            "page": page,
            "slip": None,
            "amount_cents": cheque.amount_cents,
            "due": cheque.due,
        }
    for slip, owed in link.owed.items():
        if owed.due:
            yield {
                "id": f"cheque:{link.name}:slip {slip}",
                "kind": "cheque",
                "since": asked_at(owed.due),
                "table": None,
                "link": link.name,
                "page": None,
                "slip": slip,
                "amount_cents": owed.amount_cents,
                "due": owed.due,
            }
            continue
        yield {
            "id": f"slip:{link.name}:{slip}",
            "kind": "slip",
            "since": owed.at,
            "table": None,
            "link": link.name,
            "slip": slip,
            "amount_cents": owed.amount_cents,
            "tables": list(link.tables),
            "cheque": owed.amount_cents > CHEQUE_ABOVE_CENTS,
            "checklist": list(ON_CAMERA) if owed.amount_cents > CAMERA_ABOVE_CENTS else [],
        }
    due = deposit_due(link)
    if due and (link.short_cents or due < state.now):
        yield {
            "id": f"deposit:{link.name}",
            "kind": "deposit",
            "since": link.deposited_at or link.made_at,
            "table": None,
            "link": link.name,
            "liability_cents": liability_cents(state, link),
            "short_cents": link.short_cents,
            "due": due,
        }


def _cards(table: FloorTable, position: int) -> list[str]:
    """The cards of a spot, where the round has them settled for all to see."""
    under_way = round_of(table)
    if under_way is None:
        return []
    seat = under_way.seat(position)
    if not seat.settled("progressive"):
        return []
    return [card_text(card) for card in (*seat.cards, *under_way.community)]


def _level(link: Link, award: Award) -> MeterLevel:
    return next(level for level in link.pays.levels if level == award.level)


def _link(state: State, link: Link) -> dict[str, Any]:
    pages = [
        {
            "page": award.page,
            "table": table.name,
            "name": hand_name(award.hand),
            "level": award.level,
            "amount_cents": award.amount_cents,
            "open": award.status == "confirmed",
        }
        for table in tables_of(state)
        if table.link == link.name
        for award in table.awards
        if award.page
    ]
    shown = [
        {
            **meter,
            "overflow_cents": meter_of(state, link.name, meter["level"]).overflow // MICROCENTS,
            "seeded_cents": link.seeded.get(meter["level"], 0),
        }
        for meter in meters(state, link)
    ]
    return {
        "link": link.name,
        "name": progressive_name(link.game),
        "closed": link.closed,
        "meters": shown,
        "pages": sorted(pages, key=lambda page: -int(str(page["page"]))),
        "slips": link.slips,
    }


def _table(state: State, table: FloorTable) -> dict[str, Any]:
    under_way = round_of(table)
    going = under_way is not None and not under_way.over
    return {
        "table": table.name,
        "name": game_name(table.game),
        "round": under_way.number if under_way is not None and going else None,
        "phase": under_way.phase.value if under_way is not None else "",
        "game": table.round if table.started else None,
        "version": state.head(f"table:{table.name}").version,
    }
