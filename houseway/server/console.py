"""Console: a table as its dealer sees it: what to say, what to do next, what may be done."""

from typing import Any

from houseway.floor.dealing import last_undoable
from houseway.floor.link import Link, find_link
from houseway.floor.live_round import round_of, rules_of
from houseway.floor.table import FloorTable, find_table, share_of, table_stream
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import next_step
from houseway.live.progressive import hand_of
from houseway.live.round import legal
from houseway.live.state import Round, Seat
from houseway.live.text import command_text
from houseway.live.view import Viewer, ViewerKind, view
from houseway.live.words import prompt
from houseway.names import bet_name
from houseway.server.names import chips_text, game_name
from houseway.server.progressive import display
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
        "round": None if under_way is None else _round(table, link, under_way, viewer),
        "progressive": None if link is None else display(state, table, link, under_way),
    }


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
    if share_of(hand_of(under_way, seat), link.pays) is not None:
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
