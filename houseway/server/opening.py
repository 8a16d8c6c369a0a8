"""Opening: which tables are open, which equipment fits them, and why one cannot be opened.

The sentences are the floor's own: a screen shows them and judges nothing.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from houseway.catalog.register import contact_role
from houseway.floor.approvals import (
    STRICT,
    find_register,
    missing,
    notices_at,
    placard,
    rules_expected,
    rules_played,
    unfit,
    unlicensed,
)
from houseway.floor.equipment_register import approval_of
from houseway.floor.house import today
from houseway.floor.table import FloorTable
from houseway.journal.state import State
from houseway.server.lobby import tables_of
from houseway.server.names import game_name

OPENERS = ("supervisor", "executive")


def openings(state: State) -> dict[str, Any]:
    """Every table as the one who opens it sees it, and the equipment on record."""
    tables = [opening(state, table) for table in tables_of(state)]
    return {"tables": tables, "equipment": equipment(state, tables)}


def opening(state: State, table: FloorTable) -> dict[str, Any]:
    """Whether a table is open, its equipment, and the reasons that keep it closed."""
    rules, approved = rules_played(state, table)
    to_come = rules_expected(state, table)
    profile = table.house_options.profile
    return {
        "table": table.name,
        "name": game_name(table.game),
        "profile": profile,
        "asked": profile in STRICT,
        "opened_at": table.opened_at or None,
        "contact": contact_role(profile),
        "equipment": list(table.equipment),
        "cards": {"material": table.card_material, "size": table.card_size}
        if table.card_material
        else None,
        "missing": _reasons(missing(state, table)),
        "unfit": {serial: _reasons(found) for serial, found in unfit(state, table).items()},
        "rules": {
            "revision": rules.revision,
            "digest": rules.digest,
            "approved": None if approved is None else asdict(approved),
            "to_come": None
            if to_come is None
            else {
                "digest": to_come[0].digest,
                "approved": None if to_come[1] is None else asdict(to_come[1]),
            },
        },
        "notices": notices_at(state, table),
        "placard": placard(state, table),
    }


def equipment(state: State, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The equipment on record, with the reasons that keep it from tables of `opening`."""
    register, day = find_register(state), today(state)
    return [
        {
            "serial": serial,
            "kind": one.kind,
            "model": one.model,
            "maker": one.maker,
            "sold": one.sold,
            "version": one.version,
            "approval": approval_of(one, day=day, approved=register.models),
            "parts": dict(one.parts),
            "display": None if one.display is None else asdict(one.display),
            "notes": one.notes,
            "fault": one.fault or None,
            "earlier": one.earlier,
            "remarks": _remarks(state, tables, serial),
            "stands_at": [
                table["table"]
                for table in tables
                if table["opened_at"] and serial in table["equipment"]
            ],
        }
        for serial, one in sorted(register.equipment.items())
    ]


def _remarks(state: State, tables: list[dict[str, Any]], serial: str) -> list[dict[str, Any]]:
    """The reasons against a piece of equipment, each once with the tables that it holds for.

    As long as no table names a jurisdiction, it is said of the jurisdictions themselves.
    """
    found = [(table["table"], table["unfit"].get(serial, [])) for table in tables]
    if not any(table["asked"] for table in tables):
        found = [(profile, _reasons(unlicensed(state, profile, serial))) for profile in STRICT]
    told: dict[str, dict[str, Any]] = {}
    for where, reasons in found:
        for reason in reasons:
            text, clause = reason["text"], reason["clause"]
            line = told.setdefault(text, {"text": text, "clauses": [], "where": []})
            line["where"].append(where)
            if clause not in line["clauses"]:
                line["clauses"].append(clause)
    return list(told.values())


def _reasons(found: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"clause": clause, "text": text} for clause, text in found]
