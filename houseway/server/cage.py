"""The cage's page: trays, slips that are under way, and boxes that wait to be counted."""

from houseway.floor.cage import find_cage
from houseway.floor.chips import CHIPS, DROPPED, total_cents
from houseway.floor.drop import find_boxes
from houseway.floor.person import holder
from houseway.floor.tray import find_tray
from houseway.journal.state import State
from houseway.server.lobby import tables_of
from houseway.server.names import game_name
from houseway.server.views.cage import Cage, TrayView


def cage(state: State) -> Cage:
    """Chips and cash of the floor."""
    found, boxes = find_cage(state), find_boxes(state)
    return {
        "now": state.now or state.at,
        "chips": list(CHIPS),
        "dropped": list(DROPPED),
        "trays": [_tray(state, table.name, table.game) for table in tables_of(state)],
        "slips": [
            {
                "slip": number,
                "kind": slip.kind,
                "table": slip.table,
                "count": dict(slip.count),
                "cents": total_cents(slip.count),
                "requested_at": slip.requested_at,
                "requested_by": holder(state, slip.requested_by),
                "sent_by": holder(state, slip.sent_by) if slip.sent_by else None,
            }
            for number, slip in sorted(found.slips.items())
        ],
        "boxes": [
            {"box": number, "table": box.table, "session": box.session}
            for number, box in sorted(boxes.waiting.items())
        ],
        "slips_made": found.made,
        "boxes_made": boxes.made,
    }


def _tray(state: State, table: str, game: str) -> TrayView:
    tray = find_tray(state, table)
    return {
        "table": table,
        "name": game_name(game),
        "session": tray.session,
        "opened_at": tray.opened_at or None,
        "opener_cents": total_cents(tray.opener),
        "fills_cents": tray.fills_cents,
        "credits_cents": tray.credits_cents,
        "should_cents": tray.should_cents,
        "closer": dict(tray.closer),
        "waiting": list(tray.waiting),
    }
