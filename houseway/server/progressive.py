"""Progressive: the display of a linked table: lights, claims, awards, meters and what blocks."""

from typing import Any

from houseway.floor.accounts import meter_of
from houseway.floor.camera import unseen
from houseway.floor.link import Link, Pending
from houseway.floor.profile import Profile, profile_of
from houseway.floor.table import FloorTable
from houseway.house.money import dollars_text
from houseway.journal.state import State
from houseway.live import progressive
from houseway.live.phases import Phase
from houseway.live.state import Round
from houseway.server.names import hand_name, pays_text
from houseway.server.views.lobby import MeterView

NOT_SETTLED = "not every hand is settled"


def progressive_view(
    state: State, table: FloorTable, link: Link, under_way: Round | None
) -> dict[str, Any]:
    """The progressive of a table as its dealer sees it."""
    paytable = link.pays
    profile = profile_of(paytable, table.house_options)
    played = under_way if under_way is not None and not under_way.over else None
    started = played if played is not None and played.started else None
    return {
        "profile": {
            "name": profile.name,
            "start": profile.start,
            "end": profile.end,
            "spot_first": profile.spot_first,
            "confirms": profile.confirms,
        },
        "started": started is not None,
        "earlier": table.earlier is not None and table.started,
        "round": table.deal_number,
        "key": table.key,
        "called_at": table.called_at or None,
        "ordered": table.house_options.meter_pay_order == "internal_controls",
        "lights": [] if played is None else _lights(played),
        "awards": [] if started is None else _awards(table, link, profile, started),
        "hands": [
            {"code": hand, "name": hand_name(hand), "pays": pays_text(paytable, hand)}
            for hand, _ in paytable.rows
        ],
        "meters": meters(state, link),
        "envy": [] if started is None else envy_lines(started),
        "on_camera": [
            {"position": pay.position, "from": pay.of, "cents": pay.cents}
            for pay in unseen(table, started)
            if started is not None and started.seat(pay.of).shown
        ],
        "unchosen": [] if started is None else unchosen(started),
        "blocks_envy": [] if started is None else _blocks_envy(table, started),
        "blocks_end": [] if started is None else _blocks_end(table, started),
    }


def _lights(under_way: Round) -> list[dict[str, Any]]:
    return [
        {
            "position": position,
            "cents": under_way.seat(position).wagers["progressive"],
            "player": under_way.seat(position).player,
            "folded": under_way.seat(position).folded,
            "carried": under_way.seat(position).prepaid > 0,
        }
        for position in under_way.lit()
    ]


def _awards(
    table: FloorTable, link: Link, profile: Profile, under_way: Round
) -> list[dict[str, Any]]:
    """The hands of the round whose button is on, those first that are paid first."""
    found = []
    waits = {p.position: p for p in link.pending if p.table == table.name}
    pages = {a.position: a for a in table.awards if a.round == table.deal_number}
    shares = progressive.meter_hands(under_way)
    order = [*shares, *(p for p in reversed(under_way.lit()) if p not in shares)]
    for position in order:
        seat = under_way.seat(position)
        if not seat.pressed:
            continue
        share, award = shares.get(position), pages.get(position)
        won = [line for line in seat.lines if line.bet == "progressive"]
        pending = waits.get(position)
        if pending is not None and award is None:
            status, cents = "chosen", pending.amount_cents
        else:
            status = "paid" if award is None else award.status
            cents = sum(line.wager + line.net for line in won)
        found.append(
            {
                "position": position,
                "hand": seat.pressed,
                "name": hand_name(seat.pressed),
                "level": None if share is None else share.level,
                "whole": share is not None and share.whole,
                "amount_cents": cents,
                "status": status if share is not None else "chosen",
                "page": 0 if award is None else award.page,
                "needs": None if pending is None else needs(link, profile, pending),
            }
        )
    return found


def envy_lines(under_way: Round) -> list[dict[str, int]]:
    """Envy that is due, for hands that all may see."""
    return [
        {"position": due.position, "from": due.of, "cents": due.line.net}
        for due in progressive.unpaid_envy(under_way)
        if under_way.seat(due.of).shown
    ]


def unchosen(under_way: Round) -> list[int]:
    """Winning positions whose cards are settled and whose hand button is not pressed."""
    return [p for p in progressive.unpressed(under_way) if under_way.seat(p).shown]


def meters(state: State, link: Link) -> list[MeterView]:
    """The meters of a link."""
    return [
        {
            "level": level,
            "shown_cents": meter_of(state, link.name, level).shown_cents,
            "pending": any(pending.level == level for pending in link.pending),
        }
        for level in link.pays.levels
    ]


def needs(link: Link, profile: Profile, claim: Pending) -> str:
    """Whose card confirms an award; Game Manager knows the supervisor's key only."""
    threshold = link.thresholds.get(claim.level, 0)
    large = profile.confirms == "card" and claim.amount_cents >= threshold
    return "executive" if large else "supervisor"


def _not_verified(position: int, cents: int) -> str:
    return f"surveillance has not verified {dollars_text(cents)} to position {position}"


def _settled(under_way: Round) -> bool:
    """True once every hand is settled: before, nobody is told who wins."""
    return under_way.phase is Phase.RECONCILE and not under_way.waiting


def _blocks_envy(table: FloorTable, under_way: Round) -> list[str]:
    """What is still to be done before envy may be paid."""
    if not _settled(under_way):
        return [NOT_SETTLED]
    problem = progressive.end_problem(under_way)
    found = [problem.message] if problem is not None else []
    large = [pay for pay in unseen(table, under_way) if pay.position != pay.of]
    return found + [_not_verified(pay.position, pay.cents) for pay in large]


def _blocks_end(table: FloorTable, under_way: Round) -> list[str]:
    """What is still to be done before the round may end."""
    if not _settled(under_way):
        return [NOT_SETTLED]
    problem = progressive.end_problem(under_way)
    found = [problem.message] if problem is not None else []
    if table.key != "run":
        found.append("the key is at JPH")
    found += [_not_verified(pay.position, pay.cents) for pay in unseen(table, under_way)]
    due = sum(one.line.net for one in progressive.unpaid_envy(under_way))
    if due and problem is None:
        found.append(f"envy of {dollars_text(due)} is not paid")
    return found
