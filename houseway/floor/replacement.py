"""Replacement: a shuffler that failed makes way for the backup, in the seven steps (TSR-32)."""

from houseway.floor import request
from houseway.floor.approvals import (
    STREAM,
    STRICT,
    check_free,
    find_register,
    serial_in_service,
    unfit_for,
)
from houseway.floor.table import FloorTable, table_stream
from houseway.journal.event import Command, Draft
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.shuffler import REPLACES
from houseway.live.state import Round
from houseway.refusal import Reason, Refused, listed


def replace_shuffler(
    state: State, command: Command, table: FloorTable, under_way: Round, asked: c.Command
) -> list[Draft]:
    """The change of machines that a step of the runbook makes; nothing for any other step.

    Refused without the serial of the replacement where a shuffler on record stands at the table.
    """
    given = command.arguments.get("replacement")
    is_change = isinstance(asked, c.RunbookStep) and (asked.branch, asked.step) == REPLACES
    stands = _shufflers(state, table) if is_change else []
    if not stands:
        if given is not None:
            branch, step = REPLACES
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"replacement {request.shown(given)} is not asked for; it is given with step "
                f"{step} of {branch}, where a shuffler on record stands at the table",
            )
        return []
    where = under_way.ruleset.game.clause("fault")
    broken = _broken(command, stands, where)
    replacement = _replacement(state, table, broken, given, where)
    assert under_way.runbook is not None
    failed = {"serial": broken, "table": table.name, "what": under_way.runbook.what}
    return [
        Draft(
            stream=table_stream(table.name),
            kind="shuffler_replaced",
            data={"broken": broken, "replacement": replacement},
        ),
        Draft(stream=STREAM, kind="equipment_failed", data=failed),
    ]


def _shufflers(state: State, table: FloorTable) -> list[str]:
    known = find_register(state).equipment
    return [serial for serial in table.equipment if known[serial].kind == "shuffler"]


def _broken(command: Command, stands: list[str], where: str | None) -> str:
    """The machine that is taken away; it is named where more than one stands at the table."""
    named = command.arguments.get("broken", stands[0] if len(stands) == 1 else None)
    if named not in stands:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"broken {request.shown(named)} is no shuffler of the table; known: {listed(stands)}",
            where,
        )
    return str(named)


def _replacement(
    state: State, table: FloorTable, broken: str, given: object, where: str | None
) -> str:
    """The machine that comes; refused when it may not stand at the table."""
    register = find_register(state)
    if given is None:
        free = [
            serial
            for serial, one in register.equipment.items()
            if one.kind == "shuffler" and not one.fault and serial not in table.equipment
        ]
        raise Refused(
            Reason.NOT_DONE_YET,
            f"shuffler {broken!r} of {table.name} is taken away; give the serial of the "
            f"replacement, on record: {listed(free) or 'none'}",
            where,
        )
    serial = serial_in_service(state, given)
    if register.equipment[serial].kind != "shuffler" or serial in table.equipment:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"replacement {serial!r} is no other shuffler; one on record that does not stand at "
            f"{table.name} is allowed",
            where,
        )
    check_free(state, [serial])
    if table.house_options.profile in STRICT:
        for found, problem in unfit_for(state, table, serial):
            raise Refused(
                Reason.NOT_APPROVED, f"{serial!r} cannot stand at {table.name}: {problem}", found
            )
    return serial
