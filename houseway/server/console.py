"""Console: a table as its dealer sees it: what to say, what to do next, what may be done."""

from typing import Any

from houseway.floor.accounts import meter_of
from houseway.floor.call import OTHER, REASONS, why_not
from houseway.floor.camera import unseen
from houseway.floor.dealing import last_undoable, progressive_hand, unchosen
from houseway.floor.link import Link, find_link
from houseway.floor.live_round import round_of, rules_of
from houseway.floor.person import holder
from houseway.floor.profile import profile_of
from houseway.floor.table import (
    FloorTable,
    envy_due,
    find_table,
    from_meter,
    next_to_confirm,
    share_of,
    table_stream,
)
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import next_step
from houseway.live.round import legal
from houseway.live.state import Round, Seat
from houseway.live.text import command_text
from houseway.live.view import Viewer, ViewerKind, view
from houseway.live.words import prompt
from houseway.money import dollars_text
from houseway.names import bet_name
from houseway.server.names import chips_text, game_name, hand_name, pays_text
from houseway.shuffler import PACKET_SIZES, RUNBOOKS

USUAL_CENTS = {"six-card-bonus": 100, "progressive": 100, "hat-trick": 500}
"""What one touch puts on a spot, where it is not $10."""


def console(state: State, name: str, viewer: ViewerKind = "dealer") -> dict[str, Any]:
    """A table for whoever works at it or watches it."""
    table = find_table(state, name)
    link = find_link(state, table.link) if table.link else None
    under_way = round_of(table)
    return {
        "table": table.name,
        "version": state.head(table_stream(name)).version,
        "game": table.game,
        "name": game_name(table.game),
        "positions": table.positions,
        "link": table.link or None,
        "bets": _bets(table, link),
        "calls": _calls(state, table),
        "call_reasons": _call_reasons(state, table),
        "round": None if under_way is None else _round(table, link, under_way, viewer),
        "progressive": None if link is None else _progressive(state, table, link, under_way),
    }


def _calls(state: State, table: FloorTable) -> list[dict[str, Any]]:
    """The calls of a table that nobody has answered yet."""
    return [
        {
            "reason": call.reason,
            "name": REASONS[call.reason],
            "text": call.text,
            "by": holder(state, call.by),
            "at": call.at,
        }
        for call in table.calls
    ]


def _call_reasons(state: State, table: FloorTable) -> list[dict[str, Any]]:
    """What a supervisor may be called for, and why not now; what must be said in words."""
    found = []
    for reason, name in REASONS.items():
        refused = why_not(state, table, reason)
        blocked = "" if refused is None else refused.message
        entry = {"reason": reason, "name": name, "needs_text": reason == OTHER, "why_not": blocked}
        found.append(entry)
    return found


def _bets(table: FloorTable, link: Link | None) -> list[dict[str, Any]]:
    rules = rules_of(table.game, table.options, link.paytable if link else "")
    return [
        {
            "code": bet,
            "name": bet_name(bet),
            "cents": USUAL_CENTS.get(bet, 1_000),
            "paytable": rules.paytables[bet].code if bet in rules.paytables else None,
        }
        for bet in rules.game.wagers
        # Without a link there is no meter that could be won.
        if bet != "progressive" or link is not None
    ]


def _round(
    table: FloorTable, link: Link | None, under_way: Round, viewer: ViewerKind
) -> dict[str, Any]:
    seen = view(under_way, Viewer(viewer))
    positions = []
    for seat in seen["positions"]:
        at = under_way.seat(seat["position"])
        lines = [{**line, **_handed(line, under_way, at, link)} for line in seat["lines"]]
        paid = sum(max(0, line["handed"]) for line in lines)
        positions.append({**seat, "lines": lines, "chips": chips_text(paid)})
    return {
        "number": under_way.number,
        "phase": seen["phase"],
        "stage": seen["stage"],
        "void": seen["void"],
        "over": under_way.over,
        "say": seen["say"],
        "do": seen["do"] or "",
        "clause": prompt(under_way).clause,
        "version": under_way.version,
        "dealer": seen["dealer"],
        "community": seen["community"],
        "positions": positions,
        "waiting": list(under_way.waiting),
        "reported": seen["reported"],
        "runbook": _runbook(under_way),
        "wrong": [wrong._asdict() for wrong in under_way.wrong],
        "deck": {
            "mode": "automatic" if table.deck == "virtual" else "hand",
            "loaded": under_way.shuffle is not None,
            "packet": PACKET_SIZES[under_way.ruleset.game.code],
        },
        "legal": [] if under_way.over else [_text(command) for command in legal(under_way)],
        "next": _next(table, under_way),
        "undo": last_undoable(table, under_way) is not None,
    }


def _handed(
    line: dict[str, Any], under_way: Round, seat: Seat, link: Link | None
) -> dict[str, Any]:
    """What the dealer hands over for a line, below 0 what is taken, and what is not done here.

    A lit wager was taken at the start, and a share of a meter is handed over with its win page.
    """
    if line["bet"] != "progressive" or link is None:
        return {"handed": line["net"], "apart": None}
    if line["outcome"] != "win":
        return {"handed": 0, "apart": "taken"}
    if share_of(progressive_hand(under_way, seat, link.pays), link.pays) is not None:
        return {"handed": 0, "apart": "award"}
    return {"handed": line["wager"] + line["net"], "apart": None}


def _runbook(under_way: Round) -> dict[str, Any] | None:
    if under_way.runbook is None:
        return None
    return {
        "what": under_way.runbook.what,
        "branch": under_way.runbook.branch,
        "done": under_way.runbook.done,
        "branches": [{"branch": name, "steps": list(steps)} for name, steps in RUNBOOKS.items()],
    }


def _next(table: FloorTable, under_way: Round) -> str | None:
    """The one line that comes next, where nobody has to choose."""
    if under_way.over or under_way.reported or under_way.wrong or under_way.runbook is not None:
        return None
    bets = any(seat.wagers for seat in under_way.seats)
    if under_way.phase in (Phase.BETTING, Phase.NO_MORE_BETS) and bets:
        if under_way.phase is Phase.BETTING:
            return _text(c.NoMoreBets())
        started = not under_way.lit() or under_way.started
        if started and under_way.shuffle is None:
            return "shuffle" if table.deck == "virtual" else None
    step = next_step(under_way)
    if isinstance(step, c.Reconcile):
        # Settled one spot at a time, for all to see.
        step = c.Reconcile(under_way.waiting[0])
    return None if step is None else _text(step)


def _text(command: c.Command) -> str:
    # The meters of START GAME are for the floor to fill in.
    return "start game" if isinstance(command, c.StartGame) else command_text(command)


def _progressive(
    state: State, table: FloorTable, link: Link, under_way: Round | None
) -> dict[str, Any]:
    paytable = link.pays
    profile = profile_of(paytable, table.house_options)
    return {
        "profile": {
            "name": profile.name,
            "start": profile.start,
            "end": profile.end,
            "spot_first": profile.spot_first,
            "confirms": profile.confirms,
        },
        "started": table.started,
        "round": table.round,
        "spot": table.spot,
        "key": table.key,
        "called_at": table.called_at or None,
        "lights": [
            {
                "position": position,
                "cents": light.cents,
                "player": light.player,
                "folded": light.folded,
                "carried": light.carried,
            }
            for position, light in sorted(table.lights.items())
        ],
        "awards": [
            {
                "position": award.position,
                "hand": award.hand,
                "name": hand_name(award.hand),
                "level": award.level,
                "whole": award.whole,
                "amount_cents": award.amount_cents,
                "status": award.status,
                "page": award.page,
                "needs": needs(link, award.level, award.amount_cents),
            }
            for award in sorted(table.awards, key=lambda award: -award.position)
        ],
        "hands": [
            {"code": hand, "name": hand_name(hand), "pays": pays_text(paytable, hand)}
            for hand, _ in paytable.rows
        ],
        "meters": meters(state, link),
        "envy": envy_due(table, paytable),
        "on_camera": [
            {"position": position, "from": of, "cents": cents}
            for (position, of), cents in sorted(unseen(table, paytable).items())
        ],
        "unchosen": [] if under_way is None else unchosen(table, under_way),
        "blocks_envy": _blocks_envy(table, link) if table.started else [],
        "blocks_end": _blocks_end(table, link) if table.started else [],
    }


def meters(state: State, link: Link) -> list[dict[str, Any]]:
    """The meters of a link."""
    return [
        {
            "level": level,
            "shown_cents": meter_of(state, link.name, level).shown_cents,
            "pending": any(pending.level == level for pending in link.pending),
        }
        for level in link.pays.levels
    ]


def needs(link: Link, level: str | None, cents: int) -> str | None:
    """Whose card confirms an award; None for a fixed pay, which nobody confirms."""
    if level is None:
        return None
    threshold = {str(k): v for k, v in link.thresholds.items()}.get(level, 0)
    return "executive" if cents >= threshold else "supervisor"


def _not_confirmed(table: FloorTable) -> list[str]:
    waiting = next_to_confirm(table)
    if waiting is None:
        return []
    return [f"the award at position {waiting.position} is not confirmed"]


def _not_verified(position: int, cents: int) -> str:
    return f"surveillance has not verified {dollars_text(cents)} to position {position}"


def _blocks_envy(table: FloorTable, link: Link) -> list[str]:
    """What is still to be done before envy may be paid."""
    large = sorted(unseen(table, link.pays).items())
    return _not_confirmed(table) + [
        _not_verified(position, cents) for (position, of), cents in large if position != of
    ]


def _blocks_end(table: FloorTable, link: Link) -> list[str]:
    """What is still to be done before the round may end."""
    found = _not_confirmed(table)
    if table.key != "run":
        found.append("the key is at JPH")
    large = unseen(table, link.pays)
    found += [_not_verified(position, cents) for (position, _), cents in sorted(large.items())]
    found += [
        f"the award at position {award.position} is not handed over"
        for award in from_meter(table)
        if award.status == "confirmed"
    ]
    due = sum(line["cents"] for line in envy_due(table, link.pays))
    if due:
        found.append(f"envy of {dollars_text(due)} is not paid")
    return found
