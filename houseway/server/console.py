"""Console: a table as its dealer sees it: what to say, what to do next, what may be done."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from houseway.floor.call import OTHER, REASONS, why_not
from houseway.floor.dealing import last_undoable
from houseway.floor.link import Link, find_link
from houseway.floor.live_round import round_after, round_of
from houseway.floor.person import holder
from houseway.floor.rules import rules_now
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live import engine
from houseway.live.guard import place_words
from houseway.live.panel import Payment, apart, handed, interrupts, on_felt, payments, stages
from houseway.live.phases import Phase
from houseway.live.procedure import next_step
from houseway.live.progressive import unpaid_envy
from houseway.live.round import legal
from houseway.live.shuffler import HOUSE_SHUFFLE, REPLACES, RUNBOOKS, UNKNOWN_DECK, Shuffle
from houseway.live.state import Round, Seat
from houseway.live.text import command_text, parse_command
from houseway.live.view import Viewer, ViewerKind, view
from houseway.live.words import Prompt, deal_to_all, pay_words, prompt
from houseway.names import bet_name
from houseway.rules.lines import Line
from houseway.server.names import chips_text, game_name
from houseway.server.progressive import progressive_view

Display = dict[str, Any]
"""The view of a progressive."""


def console(state: State, name: str, viewer: ViewerKind = "dealer") -> dict[str, Any]:
    """A table for whoever works at it or watches it."""
    table = find_table(state, name)
    link = find_link(state, table.link) if table.link else None
    under_way = round_of(table)
    display = None if link is None else progressive_view(state, table, link, under_way)
    return {
        "table": table.name,
        "version": state.head(table_stream(name)).version,
        "game": table.game,
        "name": game_name(table.game),
        "positions": table.positions,
        "link": table.link or None,
        "bets": _bets(state, table, link),
        "calls": _calls(state, table),
        "call_reasons": _call_reasons(state, table),
        "round": None if under_way is None else round_view(table, under_way, viewer, display),
        "progressive": display,
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
    """The reasons to call a supervisor, with why one is not open now or needs words."""
    found = []
    for reason, name in REASONS.items():
        refused = why_not(state, table, reason)
        blocked = "" if refused is None else refused.message
        entry = {"reason": reason, "name": name, "needs_text": reason == OTHER, "why_not": blocked}
        found.append(entry)
    return found


def _bets(state: State, table: FloorTable, link: Link | None) -> list[dict[str, Any]]:
    rules = rules_now(state, table)
    return [
        {
            "code": bet,
            "name": bet_name(bet),
            "cents": rules.usual_cents(bet),
            "paytable": rules.paytables[bet].code if bet in rules.paytables else None,
        }
        for bet in rules.game.wagers
        # Without a link there is no meter that could be won.
        if bet != "progressive" or link is not None
    ]


def round_view(
    table: FloorTable,
    under_way: Round,
    viewer: ViewerKind = "dealer",
    display: Display | None = None,
) -> dict[str, Any]:
    """Returns the round of a table; `display` is the view of its progressive."""
    seen = view(under_way, Viewer(viewer))
    told = _told(table, under_way)
    now = {paid.position: paid.lines for paid in told.payments}
    asked = prompt(under_way)
    going = _next(table, under_way, asked, display)
    positions = []
    for seat in seen["positions"]:
        at = under_way.seat(seat["position"])
        lines = _lines(under_way, at, now.get(at.position, ()))
        positions.append({**seat, "lines": lines, "felt": on_felt(under_way, at)})
    offered = [] if under_way.over else [_text(command) for command in legal(under_way)]
    return {
        "number": under_way.number,
        "phase": seen["phase"],
        "stage": seen["stage"],
        "void": seen["void"],
        "over": under_way.over,
        "say": seen["say"],
        "do": _do(under_way, asked, told, going),
        "clause": asked.clause,
        "version": under_way.version,
        "dealer": seen["dealer"],
        "community": seen["community"],
        "positions": positions,
        "panel": _panel(told),
        "waiting": list(under_way.waiting),
        "awaited": _awaited(under_way),
        "reported": seen["reported"],
        "runbook": _runbook(table, under_way),
        "wrong": [wrong._asdict() for wrong in under_way.wrong],
        "deck": {
            "mode": "automatic" if table.deck == "virtual" else "hand",
            "loaded": under_way.shuffle is not None,
            "packet": under_way.ruleset.game.packet,
        },
        # A screen offers what is legal, so what the floor holds up is left out.
        "legal": [line for line in offered if not going.blocks or line not in ENDING],
        "next": None if going.blocks else going.line,
        "blocked": {"line": going.line, "by": going.blocks} if going.blocks else None,
        "undo": last_undoable(table, under_way) is not None,
    }


class Told(NamedTuple):
    """The last step of a round and the chips it tells the dealer to move."""

    step: int
    """The number of its line in the round, from 1; 0 before the first."""
    stage: str | None
    payments: Sequence[Payment]


def _told(table: FloorTable, under_way: Round) -> Told:
    """Returns the step that the dealer is paying; a report or a display button keeps it."""
    step = len(table.deal)
    while step and interrupts(parse_command(table.deal[step - 1])):
        step -= 1
    if not step:
        return Told(0, None, ())
    before = round_after(table, step - 1)
    after = under_way if step == len(table.deal) else round_after(table, step)
    return Told(step, before.stage, payments(before, after))


def _panel(told: Told) -> dict[str, Any] | None:
    """Returns the chips to move now, position by position; None while there are none."""
    if not told.payments:
        return None
    return {
        "step": told.step,
        "stage": told.stage,
        "hand_over": sum(paid.hand_over for paid in told.payments),
        "take_in": sum(paid.take_in for paid in told.payments),
        "payments": [
            {
                "position": paid.position,
                "hand_over": paid.hand_over,
                "take_in": paid.take_in,
                "chips": chips_text(paid.hand_over),
            }
            for paid in told.payments
        ],
    }


def _lines(under_way: Round, seat: Seat, now: Sequence[Line]) -> list[dict[str, Any]]:
    """Returns the lines of a seat: when each was settled, and the chips it moves or moved."""
    return [
        {
            **line.to_json(),
            "stage": stage,
            "now": line in now,
            "handed": handed(under_way, seat, line),
            "apart": apart(under_way, seat, line),
        }
        for line, stage in zip(seat.lines, stages(under_way.ruleset.game, seat.lines), strict=True)
    ]


def _awaited(under_way: Round) -> dict[str, Any] | None:
    """Returns the place whose real cards are entered now, and how many; None where none are."""
    if under_way.over or under_way.reported or under_way.runbook is not None or under_way.wrong:
        return None
    due = engine.awaited(under_way)
    if due is None:
        return None
    return {"place": due[0], "name": place_words(due[0]), "cards": due[1]}


def _real_deck(under_way: Round) -> str:
    """Returns the line for a shuffled deck of real cards, which nobody knows."""
    rules = under_way.ruleset
    by = "automatic" if rules.options.shuffler_mode == "automatic" else HOUSE_SHUFFLE
    made = Shuffle(under_way.number, UNKNOWN_DECK, rules.game.packet, by)
    return _text(c.LoadShuffle(made))


def _runbook(table: FloorTable, under_way: Round) -> dict[str, Any] | None:
    if under_way.runbook is None:
        return None
    return {
        "what": under_way.runbook.what,
        "branch": under_way.runbook.branch,
        "done": under_way.runbook.done,
        "branches": [{"branch": name, "steps": list(steps)} for name, steps in RUNBOOKS.items()],
        # The floor says whether one is needed: what stands there may be no shuffler.
        "replaces": command_text(c.RunbookStep(*REPLACES)) if table.equipment else None,
    }


class Next(NamedTuple):
    """The step that the primary button does, and what blocks it."""

    line: str | None
    """None where somebody has to choose."""
    blocks: list[str]
    """Sentences; the step is not offered while there are any."""


ENDING = ("pay envy", "close")
"""The lines that the progressive holds up until its awards are through."""


def _next(table: FloorTable, under_way: Round, asked: Prompt, display: Display | None) -> Next:
    """Returns the one step that comes next, where nobody has to choose."""
    if under_way.over or under_way.reported or under_way.wrong or under_way.runbook is not None:
        return Next(None, [])
    bets = any(seat.wagers for seat in under_way.seats)
    if under_way.phase is Phase.BETTING and bets:
        return Next(_text(c.NoMoreBets()), [])
    started = not under_way.lit() or under_way.started
    if under_way.phase is Phase.NO_MORE_BETS and started and under_way.shuffle is None:
        return Next("shuffle" if table.deck == "virtual" else _real_deck(under_way), [])
    step = next_step(under_way)
    if isinstance(step, c.StartGame) and step.pay_order:
        # By internal controls the dealer says in which order awards are paid.
        return Next(None, [])
    if isinstance(step, c.Reconcile):
        # Settled one spot at a time, for all to see.
        step = c.Reconcile(under_way.to_settle[0])
    if under_way.phase is Phase.RECONCILE and not under_way.waiting and under_way.started:
        return _ending(under_way, step, asked, display)
    return Next(None if step is None else _text(step), [])


def _ending(
    under_way: Round, step: c.Command | None, asked: Prompt, display: Display | None
) -> Next:
    """Returns the step that ends a round with a progressive, held up by its open awards."""
    if isinstance(step, c.PressHand):
        return Next(_text(step), [])
    last = c.PayEnvy() if unpaid_envy(under_way) else c.CloseRound()
    called = display is not None and display["called_at"] is not None
    blocks = [] if step == last or called else [asked.do]
    if display is not None and not blocks:
        blocks = display["blocks_envy" if isinstance(last, c.PayEnvy) else "blocks_end"]
    return Next(_text(last), blocks)


def _do(under_way: Round, asked: Prompt, told: Told, going: Next) -> str:
    """Returns the words for NEXT: the chips that the panel shows, then the step of the button."""
    do = asked.do
    if under_way.reported or under_way.wrong or under_way.runbook is not None:
        return do
    pay = pay_words(told.payments)
    if going.blocks:
        if going.blocks == [do]:
            return f"{pay} {do}".strip()
        late = "Envy cannot be paid yet" if going.line == "pay envy" else "The round cannot end yet"
        return f"{pay} {late}: {'; '.join(going.blocks)}.".strip()
    if going.line == "deliver":
        do = deal_to_all(under_way)
    if not pay or under_way.over:
        return f"{pay} {do}".strip()
    return f"{pay} Then {do[0].lower()}{do[1:]}"


def _text(command: c.Command) -> str:
    # The meters of START GAME are for the floor to fill in.
    return "start game" if isinstance(command, c.StartGame) else command_text(command)
