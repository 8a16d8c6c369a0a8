"""Round: commands in, events out, with one guard that says what may be done.

`refusal` is that guard: `decide` raises what it returns, a screen greys a button by it. Nothing
here reads a clock, a file or a generator.
"""

from houseway.live import commands as c
from houseway.live import dealing, irregularities, progressive, settling
from houseway.live.commands import Command
from houseway.live.events import Event
from houseway.live.guard import shape_problem
from houseway.live.state import Round, fold, is_three_card
from houseway.names import BLACKJACK_DECISIONS, DECISIONS
from houseway.refusal import Reason, Refused
from houseway.shuffler import RUNBOOKS

_RULES = {**dealing.RULES, **settling.RULES, **progressive.RULES, **irregularities.RULES}


def act(
    table: Round, command: Command, *, number: str | None = None, version: int | None = None
) -> tuple[Round, tuple[Event, ...]]:
    """The round after a command, and what happened; refused with nothing changed.

    `number` and `version` are what the sender believes the round to be; a stale one is refused.
    """
    if (number is not None and number != table.number) or (
        version is not None and version != table.version
    ):
        believed = f"round {number or table.number!r} at {version}"
        raise Refused(
            Reason.STALE_ROUND,
            f"the command is for {believed}; the table is at round {table.number!r} at "
            f"{table.version}",
        )
    happened = decide(table, command)
    return fold(table, happened), happened


def decide(table: Round, command: Command) -> tuple[Event, ...]:
    """What a command makes happen; refused when it may not be done now."""
    refused = refusal(table, command)
    if refused is not None:
        raise refused
    return tuple(_RULES[type(command)][1](table, command))


def refusal(table: Round, command: Command) -> Refused | None:
    """Why a command may not be done now; None when it may."""
    if type(command) not in _RULES:
        return Refused(Reason.BAD_ARGUMENT, f"command {command!r} is unknown")
    if (problem := shape_problem(command)) is not None:
        return problem
    if table.over:
        return Refused(
            Reason.WRONG_PHASE, f"round {table.number!r} is {table.phase}; open the next one"
        )
    # Before a ruling that the round is void, a confirmed award is put back.
    if table.reported and not isinstance(command, c.Rule | c.VoidRound | c.BackOutAward):
        return Refused(
            Reason.IRREGULARITY_OPEN,
            f"{table.reported}; a supervisor rules on it before the round goes on",
        )
    try:
        return _RULES[type(command)][0](table, command)
    except Refused as refused:
        return refused


def legal(table: Round) -> tuple[Command, ...]:
    """The commands that may be done now, as values; bets and reports apart, which are open."""
    candidates: list[Command] = [
        c.NoMoreBets(),
        c.StartGame(),
        c.Deliver(),
        c.CloseInsurance(),
        c.CollectForfeits(),
        c.Reveal(),
        c.Reveal("community"),
        c.Reconcile(),
        c.PayEnvy(),
        c.CloseRound(),
    ]
    names = DECISIONS if is_three_card(table) else BLACKJACK_DECISIONS
    candidates += [c.Decide(p, name) for p in table.playing for name in names]
    if table.started:
        candidates += [
            c.PressHand(p, progressive.hand_of(table, table.seat(p)))
            for p in progressive.unpressed(table)
        ]
    if table.runbook is not None:
        candidates += [
            c.RunbookStep(branch, step + 1)
            for branch, steps in RUNBOOKS.items()
            for step in range(len(steps))
        ]
    return tuple(command for command in candidates if refusal(table, command) is None)
