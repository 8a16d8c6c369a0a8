"""Call: a dealer calls a supervisor to a table for a reason, and somebody over the table answers.

A table has one open call for each reason: a second reason is a second call, so that nobody who
needs a fill takes the call for an award away. A call for an award belongs to the game: it waits
for a pressed hand, the confirmation of the award answers it, and the end of the game clears it.
Every other call stays until it is answered.
"""

from houseway.floor import request
from houseway.floor.context import AT_THE_TABLE, OVER_THE_TABLE
from houseway.floor.link import find_link
from houseway.floor.live_round import round_of
from houseway.floor.person import require
from houseway.floor.profile import profile_of
from houseway.floor.table import FOR_AN_AWARD, Call, FloorTable, find_table, table_stream
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.live.progressive import claimed
from houseway.refusal import Reason, Refused, listed

OTHER = "other"
REASONS = {
    FOR_AN_AWARD: "award",
    "misdeal": "misdeal",
    "dispute": "dispute",
    "fill": "fill or credit",
    "payout": "payout",
    "equipment": "equipment",
    "player": "player",
    OTHER: "something else",
}
"""Reasons to call a supervisor, with the words that people see."""


def call_supervisor(state: State, command: Command) -> Entry:
    """The dealer calls a supervisor, at any time and for any reason (PGM-12, PNX-13).

    Without a reason the call is for an award.
    """
    require(state, command.actor, AT_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    reason = _reason(command, FOR_AN_AWARD)
    refused = why_not(state, table, reason)
    if refused is not None:
        raise refused
    text = request.text(command, "text", longest=request.LONGEST_TEXT, empty=True).strip()
    if reason == OTHER and not text:
        raise Refused(Reason.BAD_ARGUMENT, f"a call for {reason!r} has no text; say what it is for")
    data = {"reason": reason, "text": text}
    draft = Draft(stream=table_stream(table.name), kind="supervisor_called", data=data)
    return Entry(events=[draft], answer={"called": True})


def why_not(state: State, table: FloorTable, reason: str) -> Refused | None:
    """The refusal of a call for a reason; None where it may be made now."""
    if table.call_for(reason) is not None:
        return Refused(
            Reason.GIVEN_TWICE,
            f"a supervisor is called to {table.name} for {reason!r} already; answer that first",
        )
    if reason == FOR_AN_AWARD and not _has_pressed(table):
        return Refused(
            Reason.OUT_OF_ORDER,
            f"no winning hand is chosen at {table.name}; press it first, or call for another "
            "reason",
            _clause(state, table),
        )
    return None


def unanswered(table: FloorTable) -> list[Call]:
    """The open calls that somebody has to answer.

    A call for an award is left out where an award of a meter is there: who confirms the award has
    answered the call.
    """
    covered = bool(_claimed(table)) or table.recorded is not None
    return [call for call in table.calls if call.reason != FOR_AN_AWARD or not covered]


def _has_pressed(table: FloorTable) -> bool:
    """True when a hand button is on in the round under way."""
    under_way = round_of(table)
    return table.started and under_way is not None and any(s.pressed for s in under_way.seats)


def _claimed(table: FloorTable) -> list[int]:
    """The positions whose award waits to be confirmed."""
    under_way = round_of(table)
    return claimed(under_way) if table.started and under_way is not None else []


def _clause(state: State, table: FloorTable) -> str | None:
    if not table.link:
        return None
    return profile_of(find_link(state, table.link).pays, table.house_options).call_clause


def answer_call(state: State, command: Command) -> Entry:
    """A supervisor or executive answers a call; without a reason, the only one that is open."""
    require(state, command.actor, OVER_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    open_reasons = [call.reason for call in table.calls]
    if "reason" not in command.arguments and len(open_reasons) > 1:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{table.name} has several calls; say which: {listed(open_reasons)}",
        )
    reason = _reason(command, open_reasons[0] if open_reasons else FOR_AN_AWARD)
    call = table.call_for(reason)
    if call is None:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"{table.name} has no call for {reason!r}; open: {listed(open_reasons) or 'none'}",
        )
    waits = _claimed(table)
    if reason == FOR_AN_AWARD and waits:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {waits[0]} of {table.name} waits; confirm it, or the "
            "dealer takes the hand back",
            _clause(state, table),
        )
    data = {"reason": reason, "text": call.text, "called_by": call.by, "called_at": call.at}
    draft = Draft(stream=table_stream(table.name), kind="call_answered", data=data)
    return Entry(events=[draft], answer={"table": table.name, "reason": reason})


def _reason(command: Command, default: str) -> str:
    reason = command.arguments.get("reason", default)
    if not isinstance(reason, str) or reason not in REASONS:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"reason {request.shown(reason)} is unknown; known: {listed(REASONS)}",
        )
    return reason


DECIDERS = {"call_supervisor": call_supervisor, "answer_call": answer_call}
