"""Settling: forfeits, the reveal, the reconciliation and the end of a round."""

from houseway.games.contract import DEALER as THE_DEALER
from houseway.games.contract import Draw, Show
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live import engine, progressive
from houseway.live import events as e
from houseway.live.guard import (
    CommandRule,
    Guarded,
    place_words,
    shuffler_down,
    wrong_phase,
)
from houseway.live.phases import Phase
from houseway.live.state import Happening, Round
from houseway.refusal import Reason, Refused, listed


def _may_collect(table: Round, command: c.CollectForfeits) -> Guarded:
    if table.phase is not Phase.REVEAL:
        return wrong_phase(table, "collect", "forfeits are taken in when all have decided")
    if not engine.uncollected(table):
        return Refused(
            Reason.OUT_OF_ORDER,
            "no forfeits are left to take in",
            table.ruleset.game.clause("collect"),
        )
    return None


def _collect(table: Round, command: c.CollectForfeits) -> Happening:
    return engine.collect(table)


def _may_reveal(table: Round, command: c.Reveal) -> Guarded:
    """The dealer's hand after all forfeits, a link's cards after it (TCP-21, PML-09)."""
    game = table.ruleset.game
    places = [step.to for step in game.script if isinstance(step, Show)]
    if command.what not in places:
        return Refused(
            Reason.BAD_ARGUMENT,
            f"reveal {command.what!r} is unknown; known: {listed(places)}",
        )
    if table.phase is not Phase.REVEAL:
        return wrong_phase(table, "reveal", "hands are revealed when all have decided")
    step = engine.to_show(table)
    if step is None:
        return Refused(
            Reason.NOT_DONE_YET,
            f"the forfeits of position {listed(engine.uncollected(table))} are not taken in; "
            "collect them first",
            game.clause("collect"),
        )
    if command.what != step.to:
        return _not_next(table, step, command.what)
    if unknown := _not_entered(table):
        return unknown
    # A dealer who draws needs the shuffler as the hand is turned over.
    draws = any(isinstance(other, Draw) for other in game.script)
    return shuffler_down(table) if draws and table.runbook is not None else None


def _not_entered(table: Round) -> Guarded:
    """The refusal while the cards that come next are not known (TSR-25)."""
    due = engine.awaited(table)
    if due is None:
        return None
    return Refused(
        Reason.NOT_DONE_YET,
        f"the cards of {place_words(due[0])} are not known; enter them as they are turned over",
    )


def _not_next(table: Round, step: Show, place: str) -> Refused:
    """The refusal to turn over what is turned over already, does not lie there or comes later."""
    if place == THE_DEALER:
        return Refused(Reason.OUT_OF_ORDER, "the dealer's hand is shown already")
    if not table.cards_at(place):
        return Refused(Reason.OUT_OF_ORDER, f"no {place} cards lie on the table", "PML-02")
    shows = (other for other in table.ruleset.game.script if isinstance(other, Show))
    return Refused(
        Reason.NOT_DONE_YET,
        f"{_cards_of(step.to)} are revealed before {_cards_of(place)}",
        next(other.clause for other in shows if other.to == place),
    )


def _cards_of(place: str) -> str:
    return "the dealer's cards" if place == THE_DEALER else f"the {place} cards"


def _reveal(table: Round, command: c.Reveal) -> Happening:
    return engine.reveal(table)


def _may_reconcile(table: Round, command: c.Reconcile) -> Guarded:
    """From the dealer's right, one position after the other (TSR-28, TCP-22, TSB-07, TSB-13)."""
    if table.phase is not Phase.RECONCILE or not table.waiting:
        return wrong_phase(table, "reconcile", "no hand waits to be settled")
    if command.position is not None and command.position != table.waiting[0]:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"{place_words(command.position)} is not next; next is {place_words(table.waiting[0])}",
            table.ruleset.game.clause("reconcile", table.stage),
        )
    return _not_entered(table)


def _reconcile(table: Round, command: c.Reconcile) -> Happening:
    one = command.position
    return engine.reconcile(table, table.to_settle if one is None else (one,))


def _may_close(table: Round, command: c.CloseRound) -> Guarded:
    if table.phase is not Phase.RECONCILE or table.waiting or not engine.is_last(table):
        return wrong_phase(table, "reconcile", "a round ends when every hand is settled")
    if table.started and (problem := progressive.end_problem(table)):
        return problem
    if table.started and progressive.unpaid_envy(table):
        return Refused(Reason.NOT_DONE_YET, "envy is due; pay it before the round ends", "PGM-18")
    if table.wrong:
        wrong = table.wrong[0]
        return Refused(
            Reason.NOT_DONE_YET,
            f"the payout of {wrong.bet} at position {wrong.position} is still wrong by "
            f"{dollars_text(wrong.short, sign=True)}; correct it first",
        )
    return None


def _close(table: Round, command: c.CloseRound) -> Happening:
    yield e.PhaseBegan(Phase.CLOSED, None)


RULES: dict[type, CommandRule] = {
    c.CollectForfeits: (_may_collect, _collect),
    c.Reveal: (_may_reveal, _reveal),
    c.Reconcile: (_may_reconcile, _reconcile),
    c.CloseRound: (_may_close, _close),
}
"""The commands from the last decision to the end."""
