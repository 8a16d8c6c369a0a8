"""Lobby: every table and link of the floor, and what needs somebody."""

from houseway.floor.bank import deposit_due
from houseway.floor.call import REASONS, unanswered
from houseway.floor.link import Link
from houseway.floor.live_round import round_of
from houseway.floor.table import FloorTable
from houseway.house.money import dollars_text
from houseway.journal.state import State
from houseway.live.progressive import claimed
from houseway.server.names import game_name, progressive_name
from houseway.server.progressive import meters
from houseway.server.views.lobby import Lobby, LobbyLink, LobbyTable


def tables_of(state: State) -> list[FloorTable]:
    """All tables, by name."""
    found = [table for table in state.streams.values() if isinstance(table, FloorTable)]
    return sorted(found, key=lambda table: table.name)


def links_of(state: State) -> list[Link]:
    """All links, by name."""
    found = [link for link in state.streams.values() if isinstance(link, Link)]
    return sorted(found, key=lambda link: link.name)


def lobby(state: State, inbox: int) -> Lobby:
    """The whole floor at a glance."""
    return {
        "now": state.now or state.at,
        "tables": [_table(table) for table in tables_of(state)],
        "links": [_link(state, link) for link in links_of(state)],
        "inbox": inbox,
    }


def attention_of(table: FloorTable) -> list[str]:
    """What a table needs somebody for."""
    under_way = round_of(table)
    attention = []
    waiting = [] if under_way is None or not table.started else claimed(under_way)
    if table.recorded is not None:
        waiting = [table.recorded.position]
    if waiting and table.called_at:
        attention.append(f"an award waits at position {waiting[0]}")
    attention += [f"a supervisor is called: {REASONS[call.reason]}" for call in unanswered(table)]
    if under_way is not None and under_way.reported:
        attention.append("a ruling is asked for")
    if under_way is not None and under_way.runbook is not None:
        attention.append("the shuffler has failed")
    return attention


def _table(table: FloorTable) -> LobbyTable:
    under_way = round_of(table)
    return {
        "table": table.name,
        "game": table.game,
        "name": game_name(table.game),
        "positions": table.positions,
        "link": table.link or None,
        "round": None
        if under_way is None
        else {
            "number": under_way.number,
            "phase": under_way.phase.value,
            "stage": under_way.stage,
            "over": under_way.over,
        },
        "taken": 0 if under_way is None else sum(bool(s.wagers) for s in under_way.seats),
        "lit": 0 if under_way is None or under_way.over else len(under_way.lit()),
        "started": table.started,
        "attention": attention_of(table),
    }


def _link(state: State, link: Link) -> LobbyLink:
    attention = []
    if link.short_cents:
        attention.append(f"the deposit is {dollars_text(link.short_cents)} short")
    due = deposit_due(link)
    if due:
        attention.append(f"a deposit is due by {due[:10]}")
    if link.cheques:
        attention.append(f"cheques to hand over: {len(link.cheques)}")
    return {
        "link": link.name,
        "name": progressive_name(link.game),
        "paytable": link.paytable,
        "meters": meters(state, link),
        "tables": list(link.tables),
        "closed": link.closed,
        "attention": attention,
    }
