"""Step: one command of a live round, done by its guard and written down with what came of it."""

from typing import NamedTuple

from houseway.floor.live_round import keep
from houseway.floor.play import came_to
from houseway.floor.table import FloorTable, table_stream
from houseway.journal.event import Draft
from houseway.live import commands as c
from houseway.live.record import told
from houseway.live.round import act
from houseway.live.state import Round
from houseway.live.text import command_text

IRREGULAR: dict[type[c.Command], str] = {
    c.ReportExposed: "card exposed",
    c.ReportLateWager: "late wager",
    c.ReportPayout: "payout reported",
    c.CorrectPayout: "payout corrected",
    c.Rule: "ruling",
    c.ReportFault: "fault",
    c.RunbookStep: "runbook",
}
"""Steps that are found again without going through every step of every round."""


class Step(NamedTuple):
    """A command of a round that was done."""

    after: Round
    told: list[str]
    written: Draft
    """The command itself, in the stream of the table."""
    noted: list[Draft]
    """An irregularity, and the end of the round."""


def do_step(table: FloorTable, under_way: Round, asked: c.Command) -> Step:
    """Do a command at the round of a table; refused by the round's own guard."""
    after, happened = act(under_way, asked)
    lines, text = told(happened), command_text(asked)
    keep(table, text, after)
    stream = table_stream(table.name)
    data = {"number": table.deal_number, "text": text, "told": lines}
    noted = []
    if type(asked) in IRREGULAR:
        what = {"number": table.deal_number, "what": IRREGULAR[type(asked)], "text": text}
        noted.append(Draft(stream=stream, kind="irregularity", data=what))
    if after.over:
        ended = came_to(after, table.deal_at)
        noted.append(Draft(stream=stream, kind="round_ended", data=ended))
    return Step(after, lines, Draft(stream=stream, kind="round", data=data), noted)
