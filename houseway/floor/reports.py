"""Reports: the records that are tables, row by row, for other programs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from houseway.floor.books import BOOKS, Clocks
from houseway.floor.movement import moves_of
from houseway.floor.records import (
    adjustment_slips,
    coin_in,
    deposit_worksheet,
    links_of,
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
    "coin-in": "wagers taken by table, gaming day and shift",
    "deposits": "what must stand in the bank for each link, what does, and when more is due",
    "transfers": "every movement of money",
    "events": "every event, with its hash",
    **{name: book.title.lower() for name, book in BOOKS.items()},
}
"""What `houseway export` writes."""
COLUMNS = {
    "win-pages": (
        "link page serial at table round position player game progressive paytable hand pays "
        "level whole wager_cents amount_cents before_cents after_cents chosen_by chosen_by_name "
        "chosen_by_role confirmed_by confirmed_by_name confirmed_by_role won_cents tax_flag "
        "seen_at seen_by seen_by_name seen_by_role paid_at paid_by paid_by_name paid_by_role "
        "method reference cheque_due cheque_late cheque_at cheque_by cheque_by_name "
        "cheque_by_role cheque_reference backed_out_by_slip slips reprints record hash"
    ),
    "adjustments": (
        "link slip at level cents reason text before_cents after_cents by by_name by_role "
        "second second_name second_role page table position award_cents owed_cents paid_at "
        "paid_by paid_by_name paid_by_role paid_table paid_reference method seen_at seen_by "
        "seen_by_name seen_by_role cheque_at cheque_by cheque_by_name cheque_by_role cheque_due "
        "cheque_reference cheque_late booked record hash"
    ),
    "progressive": (
        "link level at why change_microcents amount_microcents amount_cents actor record"
    ),
    "reconciliation": "link level account cause table microcents closing_microcents",
    "meters": (
        "link progressive paytable level shown_cents carry_microcents reserve_microcents "
        "overflow_microcents hits won_cents backed_out backed_out_cents starts "
        "contributed_microcents reserve_contributed_microcents overflow_contributed_microcents "
        "overflow_in_microcents meter_seed_microcents meter_seed_back_microcents "
        "taken_back_microcents fixed_pays_microcents adjusted_microcents waiting "
        "executive_from_cents pending pending_cents contribution_ppm reserve_ppm "
        "meter_seed_cents cap_cents"
    ),
    "coin-in": "table date shift games wagers cents void void_cents put_by_microcents",
    "deposits": (
        "link liability_cents deposited_cents drawn_cents to_bring_cents accrued_cents short_cents "
        "last_deposit reference due seized_at"
    ),
    "transfers": "record part at kind debit credit amount",
    "events": "position stream version kind schema key part actor at body prior hash",
    **{name: book.columns for name, book in BOOKS.items()},
}
"""The columns of each, for tables that have no rows yet."""
AS_STORED = ("transfers", "events")
"""Reports of events as they are stored; others are worked out from what they say."""


def report(name: str, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The rows of a report, each a mapping."""
    if name in BOOKS:
        book = BOOKS[name]
        clocks = Clocks(events)
        yield from book.rows((event for event in events if event.kind in book.kinds), clocks)
        return
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
            yield from coin_in(events, by_shift=True)
        case "deposits":
            for link in links_of(events):
                sheet = deposit_worksheet(events, link)
                yield {column: sheet[column] for column in COLUMNS[name].split()}
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
    closing: Counter[tuple[str, ...]] = Counter()
    lines = sorted(sums.items())
    for number, ((link, level, holds, cause, table), amount) in enumerate(lines, start=1):
        account = link, level, holds
        closing[account] += amount
        is_last = number == len(lines) or lines[number][0][:3] != account
        yield {
            "link": link,
            "level": level or None,
            "account": holds,
            "cause": cause,
            "table": table or None,
            "microcents": amount,
            # What the lines of an account come to stands on its last one.
            "closing_microcents": closing[account] if is_last else None,
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
