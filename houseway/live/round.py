"""Round: commands in, events out, with one guard that says what may be done.

`refusal` is that guard: `decide` raises what it returns, a screen greys a button by it. Nothing
here reads a clock, a file or a generator.
"""

from houseway.live import commands as c
from houseway.live import dealing, engine, irregularities, progressive, settling
from houseway.live.commands import Command
from houseway.live.events import Event
from houseway.live.guard import place_words, shape_problem
from houseway.live.shuffler import RUNBOOKS
from houseway.live.state import Round, evolve
from houseway.refusal import Reason, Refused

WHILE_UNSEEN = (
    *(c.Expose, c.VoidRound, c.Rule, c.BackOutAward),
    *(c.ReportExposed, c.ReportLateWager, c.ReportPayout, c.CorrectPayout),
    *(c.ReportFault, c.RunbookStep),
)
"""What may be done while a card that lies face up waits to be entered."""
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
    refused = refusal(table, command)
    if refused is not None:
        raise refused
    happened: list[Event] = []
    happening = _RULES[type(command)][1](table, command)
    event = next(happening, None)
    while event is not None:
        happened.append(event)
        table = evolve(table, event)
        try:
            event = happening.send(table)
        except StopIteration:
            event = None
    return table, tuple(happened)


def refusal(table: Round, command: Command) -> Refused | None:
    """Why a command may not be done now; None when it may."""
    if type(command) not in _RULES:
        return Refused(Reason.BAD_ARGUMENT, f"command {command!r} is unknown")
    return shape_problem(command) or _refused_now(table, command)


def _refused_now(table: Round, command: Command) -> Refused | None:
    """Why a command that can be read may not be done now."""
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
    if table.unseen is not None and not isinstance(command, WHILE_UNSEEN):
        return Refused(
            Reason.NOT_DONE_YET,
            f"a card of {place_words(table.unseen)} lies face up and is not known; enter it first",
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
        c.CollectForfeits(),
        c.Reconcile(),
        c.PayEnvy(),
        c.CloseRound(),
    ]
    if (shown := engine.to_show(table)) is not None:
        candidates.append(c.Reveal(shown.to))
    if (asked := table.asking) is not None:
        if asked.offers:
            candidates.append(c.CloseOffer(asked.actions[0].name))
        candidates += [c.Decide(p, a.name) for p in table.playing for a in asked.actions]
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
    return tuple(command for command in candidates if _refused_now(table, command) is None)
