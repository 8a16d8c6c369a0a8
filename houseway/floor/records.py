"""Records: what the books must show, worked out from the events and nothing else.

Every record is plain data that can be printed, exported or compared. Amounts are cents where
people are paid, and millionths of a cent where parts of a cent are carried.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from houseway.journal.event import Event
from houseway.meters import MICROCENTS

HELD = ("meter", "reserve", "overflow")
"""Accounts of a link that hold players' money."""
TAX_TIMES = 300
"""Winnings of at least so many times the wager are flagged for tax, from an amount that the
year sets."""
TAX_FROM_CENTS = {2025: 60_000, 2026: 200_000}


def win_pages(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Every win page in order: numbered per link without gaps (PGM-13, PNX-14)."""
    pages = []
    for event in events:
        if event.kind == "meter_awarded":
            data = event.data
            pages.append(
                {
                    "link": _name(event.stream),
                    "page": data["page"],
                    "at": event.at,
                    "table": data["table"],
                    "round": data["round"],
                    "position": data["position"],
                    "player": data["player"],
                    "game": data["game"],
                    "paytable": data["paytable"],
                    "hand": data["hand"],
                    "level": data["level"],
                    "wager_cents": data["wager_cents"],
                    "amount_cents": data["amount_cents"],
                    "before_cents": data["before_cents"],
                    "after_cents": data["after_cents"],
                    "chosen_by": data["chosen_by"],
                    "confirmed_by": data["confirmed_by"],
                    "tax_flag": tax_flag(
                        data["amount_cents"], data["wager_cents"], int(event.at[:4])
                    ),
                    "record": event.position,
                    "hash": event.hash,
                }
            )
    return pages


def tax_flag(amount_cents: int, wager_cents: int, year: int) -> bool:
    """True when a win is large enough, and large enough for its wager, to be reported."""
    known = [limit for first, limit in sorted(TAX_FROM_CENTS.items()) if year >= first]
    least = known[-1] if known else min(TAX_FROM_CENTS.values())
    return amount_cents >= least and amount_cents >= TAX_TIMES * wager_cents


def adjustment_slips(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Every manual adjustment with both people and both values (PGM-16, PNX-16)."""
    return [
        {"link": _name(event.stream), "at": event.at, **event.data, "record": event.position}
        for event in events
        if event.kind == "adjusted"
    ]


def progressive_record(
    events: Iterable[Event], link: str, level: str, *, until: str | None = None
) -> list[dict[str, Any]]:
    """Every change of a meter, explained, with what stood there after it.

    The first line is the opening amount. With a date, only what happened before its end.
    """
    lines: list[dict[str, Any]] = []
    amount = 0
    for event in events:
        if until is not None and event.at[:10] > until:
            break
        changed = change_of(event, f"meter:{link}:{level}")
        if changed:
            amount += changed
            lines.append(
                {
                    "at": event.at,
                    "why": _why(event, opening=not lines),
                    "change_microcents": changed,
                    "amount_microcents": amount,
                    "amount_cents": amount // MICROCENTS,
                    "actor": event.actor,
                    "record": event.position,
                }
            )
    return lines


def change_of(event: Event, account: str) -> int:
    """What an event adds to a liability."""
    added = 0
    for debit, credit, amount in event.transfers:
        added += amount if credit == account else 0
        added -= amount if debit == account else 0
    return added


def _why(event: Event, *, opening: bool) -> str:
    data = event.data
    match event.kind:
        case "link_made":
            return "opening amount: meter_seed" if opening else "meter_seed"
        case "game_started":
            return f"contributions of round {data['round']} at {_name(event.stream)}"
        case "award_confirmed":
            return f"award, win page {data['page']}" + (", started again" if data["whole"] else "")
        case "game_voided":
            return f"contributions of void round {data['round']} taken back: {data['reason']}"
        case "adjusted":
            return f"adjustment slip {data['slip']}: {data['reason']}, {data['text']}"
        case "game_ended":
            return f"fixed pays of round {data['round']} at {_name(event.stream)}"
    return event.kind.replace("_", " ")


def reconciliation(events: Iterable[Event], link: str) -> dict[str, Any]:
    """Opening, what came in and went out by cause, and closing, for each account of a link."""
    accounts: dict[str, dict[str, int]] = {}
    for event in events:
        for debit, credit, amount in event.transfers:
            for account, signed in ((credit, amount), (debit, -amount)):
                kind, _, rest = account.partition(":")
                if kind in HELD and rest.partition(":")[0] == link:
                    sums = accounts.setdefault(account, {})
                    sums[event.kind] = sums.get(event.kind, 0) + signed
    lines = {
        account: {**by_cause, "closing": sum(by_cause.values())}
        for account, by_cause in sorted(accounts.items())
    }
    return {
        "link": link,
        "unit": "millionths of a cent",
        "accounts": lines,
        "held_cents": sum(line["closing"] for line in lines.values()) // MICROCENTS,
    }


def coin_in(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Wagers taken, by table and day."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for event in events:
        if event.kind in ("game_started", "game_voided"):
            key = _name(event.stream), event.at[:10]
            line = found.setdefault(
                key,
                {"table": key[0], "date": key[1], "games": 0, "wagers": 0, "cents": 0, "void": 0},
            )
            if event.kind == "game_started":
                line["games"] += 1
                line["wagers"] += len(event.data["lit"])
                line["cents"] += event.data["wagered"]
            else:
                line["void"] += 1
    return [found[key] for key in sorted(found)]


def deposit_worksheet(events: Iterable[Event], link: str) -> dict[str, Any]:
    """What must stand in the bank for a link, what was deposited, and when last."""
    held, deposited, last = 0, 0, None
    for event in events:
        for debit, credit, amount in event.transfers:
            held += amount if _holds(credit, link) else 0
            held -= amount if _holds(debit, link) else 0
        if event.kind == "deposited" and _name(event.stream) == link:
            deposited, last = event.data["balance_cents"], event.at
    liability = -(-held // MICROCENTS)
    return {
        "link": link,
        "liability_cents": liability,
        "deposited_cents": deposited,
        "short_cents": max(0, liability - deposited),
        "last_deposit": last,
    }


def _holds(account: str, link: str) -> bool:
    kind, _, rest = account.partition(":")
    return kind in (*HELD, "payable") and rest.partition(":")[0] == link


def _name(stream: str) -> str:
    return stream.partition(":")[2]


REPORTS = {
    "win-pages": "every win page",
    "adjustments": "every manual adjustment",
    "coin-in": "wagers taken by table and day",
    "transfers": "every movement of money",
    "events": "every event, with its hash",
}
"""What `houseway export` writes."""
AS_STORED = ("transfers", "events")
"""Reports of events as they are stored; others are worked out from what they say."""


def report(name: str, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The rows of a report, each a flat mapping."""
    match name:
        case "win-pages":
            yield from win_pages(events)
        case "adjustments":
            yield from adjustment_slips(events)
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
