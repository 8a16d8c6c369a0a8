"""Irregularities: what goes wrong at a table, and how it is put right."""

from typing import get_args

from houseway.house.money import check_amount, dollars_text
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live import progressive
from houseway.live.commands import DEALER, CorrectionReason, Ruling, VoidReason
from houseway.live.guard import (
    CommandRule,
    Guarded,
    bet_named,
    line_of_text,
    place_words,
    position_problem,
    wrong_phase,
)
from houseway.live.phases import Phase
from houseway.live.shuffler import RUNBOOKS
from houseway.live.state import Happening, Round
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import check_bets

VOID_REASONS: tuple[str, ...] = get_args(VoidReason)
CORRECTION_REASONS: tuple[str, ...] = get_args(CorrectionReason)
RULINGS: tuple[str, ...] = get_args(Ruling)


def _unknown(what: str, value: object, known: tuple[str, ...]) -> Refused:
    return Refused(Reason.UNKNOWN_VALUE, f"{what} {value!r} is unknown; known: {listed(known)}")


def _may_void(table: Round, command: c.VoidRound) -> Guarded:
    """A wrong number of cards makes all hands void (TSR-31, TCP-23); wagers go back."""
    if command.reason not in VOID_REASONS:
        return _unknown("reason", command.reason, VOID_REASONS)
    if command.reason == "wrong_card_count" and not table.dealt:
        return wrong_phase(table, "void", "no cards were dealt that could be too many or too few")
    return line_of_text("detail", command.detail) or _void_problem(table)


def _void_problem(table: Round) -> Guarded:
    return progressive.void_problem(table) if table.started else None


def _void(table: Round, command: c.VoidRound) -> Happening:
    yield e.RoundVoided(command.reason, command.detail)


def _may_report_exposed(table: Round, command: c.ReportExposed) -> Guarded:
    """A card that lay face down was seen (TSR-25)."""
    if command.to != DEALER and (problem := position_problem(table, command.to)):
        return problem
    up = table.dealer_up if command.to == DEALER else table.seat(command.to).up
    if not 1 <= command.card <= len(up):
        return Refused(
            Reason.BAD_ARGUMENT,
            f"card {command.card} of {place_words(command.to)} is not there; it has {len(up)}",
        )
    if up[command.card - 1] or (command.to, command.card) in table.exposed:
        return Refused(
            Reason.OUT_OF_ORDER, f"card {command.card} of {place_words(command.to)} is seen already"
        )
    return None


def _report_exposed(table: Round, command: c.ReportExposed) -> Happening:
    yield e.CardExposed(command.to, command.card)


def _may_report_late_wager(table: Round, command: c.ReportLateWager) -> Guarded:
    if table.phase is Phase.BETTING:
        return wrong_phase(table, "no more bets", "bets are still open, so none is late")
    if problem := position_problem(table, command.position, in_round=False):
        return problem
    check_bets(table.ruleset.game, [command.bet])
    check_amount(command.cents, f"wager on {command.bet}")
    return None


def _report_late_wager(table: Round, command: c.ReportLateWager) -> Happening:
    yield e.LateWagerFound(command.position, bet_named(table, command.bet), command.cents)


def _may_rule(table: Round, command: c.Rule) -> Guarded:
    if not table.reported:
        return Refused(Reason.OUT_OF_ORDER, "nothing was reported that needs a ruling")
    if command.ruling not in RULINGS:
        return _unknown("ruling", command.ruling, RULINGS)
    if not command.reason.strip():
        return Refused(Reason.BAD_ARGUMENT, "a ruling needs a reason in words")
    problem = line_of_text("reason", command.reason)
    return problem or (_void_problem(table) if command.ruling == "void" else None)


def _rule(table: Round, command: c.Rule) -> Happening:
    yield e.Ruled(command.ruling, command.reason)
    if command.ruling == "void":
        yield e.RoundVoided("ruling", command.reason)


def _may_report_payout(table: Round, command: c.ReportPayout) -> Guarded:
    """A wrong payout is found before the round closes, and put right with a reason."""
    if problem := position_problem(table, command.position):
        return problem
    due = _due(table, command.position, command.bet, command.hand)
    if due is None:
        return Refused(
            Reason.UNKNOWN_BET,
            f"bet {command.bet!r} of position {command.position} was not settled yet",
        )
    if any((w.position, w.bet, w.hand) == _payout(command) for w in table.wrong):
        return Refused(Reason.OUT_OF_ORDER, "that payout is reported already; correct it")
    if due == command.net:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"a net of {dollars_text(due, sign=True)} on {command.bet} is right",
        )
    return None


def _payout(command: c.ReportPayout | c.CorrectPayout) -> tuple[int, str, int | None]:
    return command.position, command.bet, command.hand


def _due(table: Round, position: int, bet: str, hand: int | None) -> int | None:
    """The net of a settled bet; its envy together, as one pay."""
    nets = [x.net for x in table.seat(position).lines if x.bet == bet and x.hand == hand]
    return sum(nets) if nets else None


def _report_payout(table: Round, command: c.ReportPayout) -> Happening:
    due = _due(table, command.position, command.bet, command.hand)
    assert due is not None
    yield e.PayoutFoundWrong(
        command.position, bet_named(table, command.bet), command.hand, command.net, due
    )


def _may_correct_payout(table: Round, command: c.CorrectPayout) -> Guarded:
    if command.reason not in CORRECTION_REASONS:
        return _unknown("reason", command.reason, CORRECTION_REASONS)
    if not any((w.position, w.bet, w.hand) == _payout(command) for w in table.wrong):
        return Refused(
            Reason.OUT_OF_ORDER,
            f"no wrong payout of {command.bet!r} at position {command.position!r} is reported",
        )
    return None


def _correct_payout(table: Round, command: c.CorrectPayout) -> Happening:
    wrong = next(w for w in table.wrong if (w.position, w.bet, w.hand) == _payout(command))
    yield e.PayoutCorrected(wrong.position, wrong.bet, wrong.hand, wrong.short, command.reason)


def _may_report_fault(table: Round, command: c.ReportFault) -> Guarded:
    """The shuffler fails; nothing is dealt until a runbook is through (TSR-32, TCP-23)."""
    if table.options.shuffler_mode == "hand":
        return Refused(Reason.OUT_OF_ORDER, "the table is dealt by hand; it has no shuffler")
    if table.runbook is not None:
        return Refused(
            Reason.OUT_OF_ORDER, f"the shuffler has failed already ({table.runbook.what})"
        )
    if not command.what.strip():
        return Refused(Reason.BAD_ARGUMENT, "a fault needs a word for what is wrong")
    return line_of_text("fault", command.what)


def _report_fault(table: Round, command: c.ReportFault) -> Happening:
    yield e.ShufflerFailed(command.what)


def _may_step(table: Round, command: c.RunbookStep) -> Guarded:
    """Steps come in order; the guide or the local way may be left for the seven steps (TSR-32)."""
    where = table.ruleset.game.clause("fault")
    if table.runbook is None:
        return Refused(Reason.OUT_OF_ORDER, "the shuffler has not failed", where)
    if command.branch not in RUNBOOKS:
        return _unknown("branch", command.branch, tuple(RUNBOOKS))
    done = table.runbook.done if table.runbook.branch == command.branch else 0
    if table.runbook.done and table.runbook.branch != command.branch:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"branch {table.runbook.branch!r} is under way; finish it first",
            where,
        )
    if command.step != done + 1:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"step {command.step!r} of {command.branch} is not next; next is {done + 1}",
            where,
        )
    return None


def _step(table: Round, command: c.RunbookStep) -> Happening:
    steps = RUNBOOKS[command.branch]
    last = command.step == len(steps)
    yield e.StepDone(command.branch, command.step, steps[command.step - 1], last)


RULES: dict[type, CommandRule] = {
    c.VoidRound: (_may_void, _void),
    c.ReportExposed: (_may_report_exposed, _report_exposed),
    c.ReportLateWager: (_may_report_late_wager, _report_late_wager),
    c.Rule: (_may_rule, _rule),
    c.ReportPayout: (_may_report_payout, _report_payout),
    c.CorrectPayout: (_may_correct_payout, _correct_payout),
    c.ReportFault: (_may_report_fault, _report_fault),
    c.RunbookStep: (_may_step, _step),
}
"""The commands for what goes wrong."""
