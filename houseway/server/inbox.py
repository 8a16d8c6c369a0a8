"""Inbox: what waits for a person: calls, awards, cameras, prizes, rulings, deposits."""

from collections.abc import Iterator
from typing import Any

from houseway.cards import card_text
from houseway.floor.accounts import meter_of
from houseway.floor.adjustment import INCREASES, OF_AN_AWARD, REDUCTIONS
from houseway.floor.bank import CHEQUE_ABOVE_CENTS, asked_at, deposit_due, liability_cents
from houseway.floor.call import REASONS, unanswered
from houseway.floor.camera import CAMERA_ABOVE_CENTS, ON_CAMERA, unseen
from houseway.floor.confirmation import checklist
from houseway.floor.context import player_of
from houseway.floor.link import Link, Pending, find_link
from houseway.floor.live_round import round_of
from houseway.floor.person import holder
from houseway.floor.profile import profile_of
from houseway.floor.queue import queue_of
from houseway.floor.records import tax_flag
from houseway.floor.table import FOR_AN_AWARD, Award, FloorTable, find_table
from houseway.house.meters import MICROCENTS
from houseway.house.meters import award as taken_off
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.progressive import claimed
from houseway.live.round import refusal
from houseway.live.state import Round
from houseway.server.lobby import links_of, tables_of
from houseway.server.names import game_name, hand_name, pays_text, progressive_name
from houseway.server.progressive import envy_lines, meters, needs

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
    under_way = round_of(table)
    for award in table.awards:
        if award.status == "recorded":
            claim = next(p for p in link.pending if _is_of(p, table, award.position))
            yield _award(state, table, link, claim, award)
            continue
        large = award.amount_cents > CAMERA_ABOVE_CENTS and not award.verified
        yield _to_pay(table, link, award, large)
        if large:
            cards = _cards(under_way, award.position) if award.round == table.deal_number else []
            yield {
                **_place(table, link, "camera", f"page {award.page}", award.at, award.round),
                "page": award.page,
                "position": award.position,
                "from": award.position,
                "player": award.player,
                "hand": award.hand,
                "name": hand_name(award.hand),
                "cents": award.amount_cents,
                "wager_cents": award.wager_cents,
                "cards": cards,
                "checklist": list(ON_CAMERA),
            }
    if under_way is None or not table.started or table.earlier is not None:
        return
    if table.called_at:
        for position in claimed(under_way):
            claim = next(p for p in link.pending if _is_of(p, table, position))
            yield _award(state, table, link, claim, None)
    for pay in unseen(table, under_way):
        seat, hand = under_way.seat(pay.position), under_way.seat(pay.of).pressed
        # Before its button is on, a hand may still be found wrong.
        if hand:
            yield {
                **_place(table, link, "camera", f"{pay.position}:{pay.of}", table.changed_at),
                "page": None,
                "position": pay.position,
                "from": pay.of,
                "player": player_of(seat),
                "hand": hand,
                "name": hand_name(hand),
                "cents": pay.cents,
                "wager_cents": seat.wagers["progressive"],
                "cards": _cards(under_way, pay.of),
                "checklist": list(ON_CAMERA),
            }


def _is_of(claim: Pending, table: FloorTable, position: int) -> bool:
    return (claim.table, claim.position) == (table.name, position)


def _place(
    table: FloorTable, link: Link, kind: str, rest: str, since: str, number: int | None = None
) -> dict[str, Any]:
    """Where something waits; what outlives its round keeps the number of that round."""
    return {
        "id": f"{kind}:{table.name}:{number or table.deal_number}:{rest}",
        "kind": kind,
        "since": since,
        "table": table.name,
        "link": link.name,
    }


def _award(
    state: State, table: FloorTable, link: Link, claim: Pending, recorded: Award | None
) -> dict[str, Any]:
    """An award that waits to be confirmed, or for the key to be turned back to RUN."""
    under_way = round_of(table)
    assert under_way is not None
    level = claim.level
    meter = meter_of(state, link.name, level)
    queue = queue_of(link, level)
    place = queue.index(claim)
    after = meter
    for waits in queue[: place + 1]:
        cents = min(waits.amount_cents, after.shown_cents)
        after, _ = taken_off(after, link.next_start(level), cents, whole=waits.whole)
    why_not = ""
    if recorded is None:
        problem = refusal(under_way, c.ConfirmAward(claim.position, claim.amount_cents))
        if problem is not None:
            why_not = problem.message
        elif place:
            ahead = queue[0]
            why_not = f"position {ahead.position} of {ahead.table} stands before it in the queue"
    profile = profile_of(link.pays, table.house_options)
    needed = needs(link, profile, claim)
    return {
        **_place(table, link, "award", str(claim.position), table.called_at or claim.at),
        "game": game_name(table.game),
        "round": table.deal_number,
        "position": claim.position,
        "player": player_of(under_way.seat(claim.position)),
        "hand": claim.hand,
        "name": hand_name(claim.hand),
        "pays": pays_text(link.pays, claim.hand),
        "level": level,
        "whole": claim.whole,
        "wager_cents": claim.wager_cents,
        "amount_cents": claim.amount_cents,
        "status": "chosen" if recorded is None else "recorded",
        "page": None if recorded is None else recorded.page,
        "chosen_by": claim.by,
        "needs": needed,
        "threshold_cents": dict(link.thresholds).get(level, 0),
        "confirms": profile.confirms,
        "key": table.key,
        "next": not why_not,
        "why_not": why_not,
        "called": bool(table.called_at),
        "checklist": list(checklist(large=needed == "executive")),
        "before_cents": meter.shown_cents,
        "after_cents": after.shown_cents,
        "tax_flag": tax_flag(claim.amount_cents, claim.wager_cents, int((claim.at or "2026")[:4])),
        "cards": _cards(under_way, claim.position),
        "envy": [line for line in envy_lines(under_way) if line["from"] == claim.position],
        "version": state.head(f"table:{table.name}").version,
    }


def _to_pay(table: FloorTable, link: Link, award: Award, large: bool) -> dict[str, Any]:
    return {
        **_place(table, link, "pay", f"page {award.page}", award.at, award.round),
        "round": award.round,
        "position": award.position,
        "player": award.player,
        "name": hand_name(award.hand),
        "level": award.level,
        "wager_cents": award.wager_cents,
        "amount_cents": award.amount_cents,
        "page": award.page,
        "chosen_by": award.chosen_by,
        "confirmed_by": award.confirmed_by,
        "cheque": award.amount_cents > CHEQUE_ABOVE_CENTS,
        "tax_flag": tax_flag(award.amount_cents, award.wager_cents, int(award.at[:4])),
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


def _cards(under_way: Round | None, position: int) -> list[str]:
    """The cards of a spot, where the round has shown them to all."""
    if under_way is None or not under_way.seat(position).shown:
        return []
    return [card_text(card) for card in (*under_way.seat(position).cards, *under_way.community)]


def _link(state: State, link: Link) -> dict[str, Any]:
    pages = [
        {
            "page": award.page,
            "table": table.name,
            "name": hand_name(award.hand),
            "level": award.level,
            "amount_cents": award.amount_cents,
            "open": True,
        }
        for table in tables_of(state)
        if table.link == link.name
        for award in table.awards
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
        "game": table.deal_number if table.started else None,
        "earlier": table.earlier is not None and table.started,
        "version": state.head(f"table:{table.name}").version,
    }
