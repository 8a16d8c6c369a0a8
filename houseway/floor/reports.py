"""Reports: the records that are tables, row by row, for other programs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from houseway.floor.movement import moves_of
from houseway.floor.records import (
    adjustment_slips,
    coin_in,
    meter_changes,
    meters_snapshot,
    win_pages,
)
from houseway.journal.event import Event

REPORTS = {
    "win-pages": "every win page",
    "adjustments": "every manual adjustment",
    "progressive": "every change of every meter, explained",
    "reconciliation": "what came in and went out of each account of each link, by cause",
    "meters": "every meter of each link and level",
    "coin-in": "wagers taken by table and day",
    "transfers": "every movement of money",
    "events": "every event, with its hash",
}
"""What `houseway export` writes."""
AS_STORED = ("transfers", "events")
"""Reports of events as they are stored; others are worked out from what they say."""


def report(name: str, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The rows of a report, each a mapping."""
    match name:
        case "win-pages":
            yield from win_pages(events)
        case "adjustments":
            yield from adjustment_slips(events)
        case "progressive":
            yield from meter_changes(events)
        case "reconciliation":
            yield from _reconciled(events)
        case "meters":
            yield from _meters(events)
        case "coin-in":
            yield from coin_in(events)
        case "transfers":
            for event in events:
                for part, moved in enumerate(event.transfers):
                    yield {
                        "record": event.position,
                        "part": part,
                        "at": event.at,
                        "kind": event.kind,
                        **moved._asdict(),
                    }
        case _:
            for event in events:
                yield event._asdict()


def _reconciled(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """A line for each account, cause and table of all links."""
    sums: Counter[tuple[str, ...]] = Counter()
    for event in events:
        for move in moves_of(event):
            line = move.link, move.level, move.holds, move.cause, move.table or ""
            sums[line] += move.amount
    for (link, level, holds, cause, table), amount in sorted(sums.items()):
        yield {
            "link": link,
            "level": level or None,
            "account": holds,
            "cause": cause,
            "table": table or None,
            "microcents": amount,
        }


def _meters(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The snapshot as a table, a row for each level."""
    for link in meters_snapshot(events)["links"]:
        for level in link["levels"]:
            pending, settings = level.pop("pending"), level.pop("settings")
            waits = sum(award["amount_cents"] for award in pending)
            yield {
                **{name: link[name] for name in ("link", "progressive", "paytable")},
                **level,
                "pending": len(pending),
                "pending_cents": waits,
                **settings,
            }
