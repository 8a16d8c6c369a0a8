"""View: a practice table as one browser may see it, as plain data.

Cards come from `houseway.live.view` and from nowhere else, so a seat sees its own and what lies
face up. Other people's bankrolls, coach and statistics are their own.
"""

from typing import Any

from houseway.games.library import chosen_bets
from houseway.live.commands import LoadShuffle
from houseway.live.round import legal
from houseway.live.text import command_text
from houseway.live.view import Viewer, view
from houseway.live.words import prompt
from houseway.practice.advice import advice, cents, is_due
from houseway.practice.figures import Edges, expected_cost, meter_edge
from houseway.practice.hand import dealers_hand, own_hand, puts_up, spots
from houseway.practice.meters import shown
from houseway.practice.seat import PracticeSeat, Tally
from houseway.practice.stakes import offered
from houseway.practice.table import (
    NO_INSURANCE,
    PracticeTable,
    bankroll,
    dealers_step,
    waited_for,
)
from houseway.rules.ruleset import Ruleset, make_ruleset

SHOWN_RESULTS = 200
"""Rounds on the chart of a session."""


def table_view(table: PracticeTable, secret: str, edges: Edges | None) -> dict[str, Any]:
    """The table for whoever holds a secret, given by its hash: a seat, the dealer, or nobody."""
    seat = table.held_by(secret) if secret else None
    if seat is not None and seat.leaving:
        seat = None
    deals = bool(secret) and secret == table.dealer
    live = table.round
    viewer = Viewer("public")
    if seat is not None and seat.came != live.number:
        viewer = Viewer("player", seat.position)
    seen = view(live, viewer)
    priced = None if edges is None else _with_meter(table, edges)
    return {
        "table": table.id,
        "version": table.version,
        "game": live.ruleset.game.code,
        "name": live.ruleset.game.name,
        "seed": str(table.seed) if table.seed_open else None,
        "positions": table.positions,
        "dealing": "person" if table.dealer else "automatic",
        "options": _options(table.ruleset),
        "paytables": _paytables(table.ruleset),
        "bets": bets(table.ruleset, priced),
        "meters": [{"level": level, "cents": cents} for level, cents in shown(table.meters)],
        "seats": [_seat(table, one) for one in table.seats],
        "waiting": [] if live.over else _awaited(table),
        "round": {
            "number": live.number,
            "phase": seen["phase"],
            "stage": seen["stage"],
            "over": live.over,
            "say": seen["say"],
            "said": list(table.said),
            "dealer": seen["dealer"],
            "dealer_hand": dealers_hand(live),
            "positions": seen["positions"],
            "offer": None if live.offer is None else live.offer.name,
        },
        "you": None if seat is None else _you(table, seat, priced),
        "deals": _deals(table) if deals else None,
    }


def _with_meter(table: PracticeTable, edges: Edges) -> Edges:
    """What every bet costs now, the progressive too."""
    if not table.meters:
        return edges
    wager = table.ruleset.usual_cents("progressive")
    return {**edges, "progressive": meter_edge(table.ruleset, table.meters, wager)}


def bets(ruleset: Ruleset, edges: Edges | None) -> list[dict[str, Any]]:
    """The spots, each with what is offered first and what it costs on average per unit."""
    needed = ruleset.game.required
    return [
        {
            "code": bet,
            "paytable": ruleset.paytables[bet].code if bet in ruleset.paytables else None,
            "cents": ruleset.usual_cents(bet),
            "needed": bet in needed,
            "edge": None if edges is None else float(edges[bet]),
        }
        for bet in offered(ruleset)
    ]


def _options(ruleset: Ruleset) -> dict[str, str]:
    """What the table plays differently from the defaults."""
    usual = ruleset.game.options().to_json()
    return {
        name: value
        for name, value in ruleset.game.shown_options(ruleset.options).items()
        # The meters are shown as they stand.
        if value != usual.get(name) and name != "meter_seed"
    }


def _paytables(ruleset: Ruleset) -> dict[str, str]:
    """The paytables of the table that are not the usual ones."""
    usual = make_ruleset(ruleset.game.code).paytables
    chosen = chosen_bets(ruleset.game)
    return {
        bet: table.code
        for bet, table in ruleset.paytables.items()
        if bet in chosen and (bet not in usual or table.code != usual[bet].code)
    }


def _awaited(table: PracticeTable) -> list[int]:
    away = {seat.position for seat in table.seats if seat.away}
    return [position for position in waited_for(table) if position not in away]


def _seat(table: PracticeTable, seat: PracticeSeat) -> dict[str, Any]:
    return {
        "position": seat.position,
        "player": seat.player,
        "ready": seat.ready,
        "away": seat.away,
        "playing": seat.position in table.round.playing,
    }


def _you(table: PracticeTable, seat: PracticeSeat, edges: Edges | None) -> dict[str, Any]:
    live = table.round
    due = is_due(table, seat.position)
    decisions = _decisions(table, seat) if due else []
    took_part = seat.came != live.number
    wagers = live.seat(seat.position).wagers if took_part else {}
    return {
        "position": seat.position,
        "player": seat.player,
        "bankroll": bankroll(table, seat),
        "hand": own_hand(live, seat.position) if took_part else "",
        "ready": seat.ready,
        "spots": spots(live, seat.position) if took_part else {},
        "decisions": decisions,
        "puts_up": {
            name: puts_up(live, seat.position, name) for name in decisions if name != NO_INSURANCE
        },
        "coach": advice(table, seat, counted=edges is not None),
        "costs": None
        if edges is None
        else {bet: cents(edges[bet] * stake) for bet, stake in wagers.items()},
        "session": session(seat.tally, edges),
        "results": [one._asdict() for one in seat.results[-SHOWN_RESULTS:]],
    }


def _decisions(table: PracticeTable, seat: PracticeSeat) -> list[str]:
    """What this seat may decide now, in the order of the rules."""
    start = f"decide {seat.position}: "
    found = [
        text.removeprefix(start)
        for text in map(command_text, legal(table.round))
        if text.startswith(start)
    ]
    return [*found, NO_INSURANCE] if table.round.offer else found


def session(tally: Tally, edges: Edges | None) -> dict[str, Any]:
    """The sums of a seat; amounts in cents."""
    worst = tally.worst
    return {
        "rounds": tally.rounds,
        "wagered": tally.wagered,
        "net": tally.net,
        "expected_cost": None if edges is None else cents(expected_cost(tally.first, edges)),
        "decisions": tally.decisions,
        "right": tally.right,
        "given_away": cents(tally.given_away),
        "worst": None
        if worst is None
        else {
            "decision": worst.decision,
            "best": worst.best,
            "cost_cents": cents(worst.cost_cents),
        },
    }


def next_line(table: PracticeTable) -> str | None:
    """The dealer's next step in the words of a round file; None while players are waited for."""
    if table.round.over:
        return "open round"
    step = dealers_step(table)
    if step is None:
        return None
    # Which cards a deck holds is for nobody to see.
    return "shuffle" if isinstance(step, LoadShuffle) else command_text(step)


def _deals(table: PracticeTable) -> dict[str, Any]:
    """What the person who deals says, does and sees: no card that lies face down."""
    asked = prompt(table.round)
    return {
        "say": asked.say,
        "do": asked.do,
        "clause": asked.clause,
        "next": next_line(table),
    }
