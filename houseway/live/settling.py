"""Settling: forfeits, the reveal, the reconciliation and the end of a round."""

from collections.abc import Iterator

from houseway.live import bonus, progressive, three_card
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.guard import (
    CommandRule,
    Guarded,
    place_words,
    shuffler_down,
    wrong_phase,
)
from houseway.live.phases import Phase, Stage
from houseway.live.state import Round, is_three_card
from houseway.money import dollars_text
from houseway.refusal import Reason, Refused, listed


def _may_collect(table: Round, command: c.CollectForfeits) -> Guarded:
    if table.phase is not Phase.REVEAL or not is_three_card(table):
        return wrong_phase(table, "collect", "forfeits are taken in when all have decided")
    if not three_card.uncollected(table):
        return Refused(
            Reason.OUT_OF_ORDER,
            "no forfeits are left to take in",
            table.ruleset.game.clause("collect"),
        )
    return None


def _collect(table: Round, command: c.CollectForfeits) -> Iterator[e.Event]:
    return three_card.collect(table)


def _may_reveal(table: Round, command: c.Reveal) -> Guarded:
    """The dealer's hand after all forfeits, the community cards after it (TCP-21, PML-09)."""
    if command.what not in ("dealer", "community"):
        return Refused(
            Reason.BAD_ARGUMENT, f"reveal {command.what!r} is unknown; known: dealer, community"
        )
    if table.phase is not Phase.REVEAL:
        return wrong_phase(table, "reveal", "hands are revealed when all have decided")
    if is_three_card(table) and (folded := three_card.uncollected(table)):
        return Refused(
            Reason.NOT_DONE_YET,
            f"the forfeits of position {listed(folded)} are not taken in; collect them first",
            table.ruleset.game.clause("collect"),
        )
    if command.what == "dealer":
        if table.dealer_shown:
            return Refused(Reason.OUT_OF_ORDER, "the dealer's hand is shown already")
        # The dealer of Triple Shot Bonus draws cards as the hand is turned over.
        if table.runbook is not None and not is_three_card(table):
            return shuffler_down(table)
        return None
    if not table.community:
        return Refused(Reason.OUT_OF_ORDER, "no community cards lie on the table", "PML-02")
    if not table.dealer_shown:
        return Refused(
            Reason.NOT_DONE_YET,
            "the dealer's hand is revealed before the community cards",
            "PML-09",
        )
    return None


def _reveal(table: Round, command: c.Reveal) -> Iterator[e.Event]:
    if command.what == "community":
        return three_card.reveal_community(table)
    return three_card.reveal(table) if is_three_card(table) else bonus.reveal(table)


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
    return None


def _reconcile(table: Round, command: c.Reconcile) -> Iterator[e.Event]:
    positions = table.waiting if command.position is None else (command.position,)
    settle = three_card.reconcile if is_three_card(table) else bonus.reconcile
    for position in positions:
        yield from settle(table, position)
    if len(positions) == len(table.waiting) and not is_three_card(table):
        yield from bonus.next_stage(table)


def _may_close(table: Round, command: c.CloseRound) -> Guarded:
    if (
        table.phase is not Phase.RECONCILE
        or table.waiting
        or table.stage not in (None, Stage.POKER)
    ):
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


def _close(table: Round, command: c.CloseRound) -> Iterator[e.Event]:
    yield e.PhaseBegan(Phase.CLOSED, None)


RULES: dict[type, CommandRule] = {
    c.CollectForfeits: (_may_collect, _collect),
    c.Reveal: (_may_reveal, _reveal),
    c.Reconcile: (_may_reconcile, _reconcile),
    c.CloseRound: (_may_close, _close),
}
"""The commands from the last decision to the end."""
