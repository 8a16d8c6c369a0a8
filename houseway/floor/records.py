"""Records: what the books must show, worked out from the events and nothing else.

Every record is plain data that can be printed, exported or compared. Amounts are cents where
people are paid, and millionths of a cent where parts of a cent are carried.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from houseway.floor.accounts import of_level, payable
from houseway.floor.bank import deposit_due, liability_cents
from houseway.floor.books import Clocks
from houseway.floor.link import Link
from houseway.floor.link import evolve as link_after
from houseway.floor.movement import BACKED_OUT, FUNDS, HELD, Move, moves_of
from houseway.floor.table import share_of
from houseway.games.library import paytable_of
from houseway.house.meters import MICROCENTS, settings_json
from houseway.house.money import METER_LEVELS, MeterLevel
from houseway.house.paytables import PayTable
from houseway.journal.event import Event
from houseway.journal.state import State

TAX_TIMES = 300
"""Winnings of at least so many times the wager are flagged for tax, from an amount that the
year sets."""
TAX_FROM_CENTS = {2025: 60_000, 2026: 200_000}
COUNTED = ("games", "wagers", "cents", "void", "void_cents", "put_by_microcents")
"""What is added up of wagers."""
People = dict[str, tuple[str, str]]
"""Name and role by card."""


def change_of(event: Event, account: str) -> int:
    """What an event adds to a liability."""
    added = 0
    for debit, credit, amount in event.transfers:
        added += amount if credit == account else 0
        added -= amount if debit == account else 0
    return added


class Opened(NamedTuple):
    """When a link was opened, and with which levels, best first."""

    at: str
    levels: list[str]


def links_of(events: Iterable[Event]) -> dict[str, Opened]:
    """Every link by its name."""
    return {
        _name(event.stream): Opened(
            event.at, sorted(event.data["settings"], key=METER_LEVELS.index)
        )
        for event in events
        if event.kind == "link_made"
    }


# Win pages and slips.


def win_pages(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Every win page in order: numbered per link without gaps (PGM-13, PNX-14).

    With each what came of it: who looked at it on camera, how it was paid, the adjustment slips
    that name it, and its reprints, which are numbered too.
    """
    found = _WinPages()
    last = None
    for event in events:
        last = event
        found.take(event)
    for page in found.pages.values():
        if page["cheque_due"] and not page["cheque_at"]:
            assert last is not None
            page["cheque_late"] = last.at > page["cheque_due"]
        year = int(page["at"][:4])
        page["tax_flag"] = tax_flag(page["won_cents"], page["wager_cents"], year)
    return list(found.pages.values())


class _WinPages:
    """Win pages in the making."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, int], dict[str, Any]] = {}
        self.people: People = {}
        self.paytables: dict[str, PayTable] = {}
        self.under_way: dict[tuple[str, int], dict[str, Any]] = {}
        """Pages of rounds that are not over, by table and position."""
        self.seen: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
        """What surveillance has verified there, by cents."""

    def take(self, event: Event) -> None:
        """Go on by one event."""
        kind, _, name = event.stream.partition(":")
        if kind == "link":
            self._of_link(event, name)
        elif kind == "table":
            self._at_table(event, name)
        elif event.kind == "card_issued":
            self.people[name] = (event.data["name"], event.data["role"])

    def _of_link(self, event: Event, link: str) -> None:
        data = event.data
        if event.kind == "link_made":
            self.paytables[link] = _paytable(event)
        elif event.kind in ("award_recorded", "meter_awarded"):
            page = _win_page(event, self.people, self.paytables[link])
            place = data["table"], data["position"]
            page |= self.seen.get(place, {}).get(data["amount_cents"], {})
            if (link, data["page"]) in self.pages:
                # J-POT wrote the page; RUN has moved the meter.
                moved = {name: data[name] for name in ("before_cents", "after_cents")}
                page = self.pages[link, data["page"]]
                page |= {**moved, "record": event.position, "hash": event.hash}
            self.pages[link, data["page"]] = self.under_way[place] = page
        elif data.get("page"):
            self._named(event, self.pages[link, data["page"]])

    def _named(self, event: Event, page: dict[str, Any]) -> None:
        """What happens to an award once it has a page."""
        data = event.data
        match event.kind:
            case "cheque_promised":
                page |= {"cheque_due": data["due"], "cheque_late": False}
            case "cheque_handed":
                page |= self._signed("cheque", event)
                page |= {"cheque_reference": data["reference"], "cheque_late": data["late"]}
            case "adjusted":
                page["slips"].append(data["slip"])
                if data["reason"] == "award_backed_out":
                    page["backed_out_by_slip"] = data["slip"]
                page["won_cents"] -= data["cents"]
            case "reprinted":
                again = {"at": event.at, **_person(self.people, "by", event.actor)}
                more = {"record": event.position, "key": event.key}
                number = len(page["reprints"]) + 1
                page["reprints"].append({"number": number, **again, **more})

    def _at_table(self, event: Event, table: str) -> None:
        data = event.data
        place = table, data.get("position", 0)
        match event.kind:
            case "camera_checked" | "award_paid" if data.get("page"):
                self._of_page(event, self.pages[data["link"], data["page"]])
            case "camera_checked" if data["from"] == data["position"]:
                check = self._signed("seen", event)
                self.seen.setdefault(place, {})[data["cents"]] = check
                page = self.under_way.get(place)
                if page is not None and page["amount_cents"] == data["cents"]:
                    page |= check
            case "award_paid":
                page = self.under_way[place]
                page |= self._signed("paid", event)
                page |= {"method": data.get("method", "chips"), "reference": data["reference"]}
            case "hand_chosen" | "hand_cleared" | "award_backed_out":
                # What was verified was the hand before it.
                self.seen.pop(place, None)
                self.under_way.pop(place, None)
            case "game_ended" | "game_voided" | "earlier_game_ended":
                for kept in (self.seen, self.under_way):
                    for over in [one for one in kept if one[0] == table]:
                        del kept[over]

    def _of_page(self, event: Event, page: dict[str, Any]) -> None:
        """Surveillance or the cage has dealt with the award of a page."""
        data = event.data
        if event.kind == "camera_checked":
            page |= self._signed("seen", event)
        else:
            page |= self._signed("paid", event)
            page |= {"method": data["method"], "reference": data["reference"]}

    def _signed(self, what: str, event: Event) -> dict[str, str]:
        """When something was done, and by whom."""
        return {f"{what}_at": event.at, **_person(self.people, f"{what}_by", event.actor)}


def _paytable(event: Event) -> PayTable:
    return paytable_of(event.data["game"], "progressive", event.data["paytable"])


def _win_page(event: Event, people: People, paytable: PayTable) -> dict[str, Any]:
    data, link = event.data, _name(event.stream)
    return {
        "link": link,
        "page": data["page"],
        "serial": serial(link, data["page"]),
        "at": event.at,
        "table": data["table"],
        "round": data["round"],
        "position": data["position"],
        "player": data["player"],
        "game": data["game"],
        "progressive": paytable.game,
        "paytable": data["paytable"],
        "hand": data["hand"],
        "pays": str(share_of(data["hand"], paytable)),
        "level": data["level"],
        "whole": data["whole"],
        "wager_cents": data["wager_cents"],
        "amount_cents": data["amount_cents"],
        "before_cents": data["before_cents"],
        "after_cents": data["after_cents"],
        **_person(people, "chosen_by", data["chosen_by"]),
        **_person(people, "confirmed_by", data["confirmed_by"]),
        "won_cents": data["amount_cents"],
        "tax_flag": False,
        **dict.fromkeys(NOT_YET),
        "slips": [],
        "reprints": [],
        "record": event.position,
        "hash": event.hash,
    }


def _by(what: str) -> tuple[str, ...]:
    return tuple(f"{what}_{part}" for part in ("at", "by", "by_name", "by_role"))


NOT_YET = (
    *_by("seen"),
    *_by("paid"),
    *("method", "reference", "cheque_due", "cheque_late"),
    *_by("cheque"),
    *("cheque_reference", "backed_out_by_slip"),
)
"""What a win page is told later, or never."""


def serial(link: str, page: int) -> str:
    """The number of a win page as it is printed."""
    return f"{link}-{page:06d}"


def tax_flag(amount_cents: int, wager_cents: int, year: int) -> bool:
    """True when a win is large enough, and large enough for its wager, to be reported."""
    return amount_cents >= tax_from_cents(year) and amount_cents >= TAX_TIMES * wager_cents


def tax_from_cents(year: int) -> int:
    """The least amount that is reported in a year."""
    known = [limit for first, limit in sorted(TAX_FROM_CENTS.items()) if year >= first]
    return known[-1] if known else min(TAX_FROM_CENTS.values())


def adjustment_slips(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Every manual adjustment with both people, both values and its award (PGM-16, PNX-16).

    With one that found something for a winner, whether that was paid.
    """
    slips: dict[tuple[str, int], dict[str, Any]] = {}
    people: People = {}
    awards: dict[tuple[str, int | None], Mapping[str, Any]] = {}
    for event in events:
        link, data = _name(event.stream), event.data
        match event.kind:
            case "card_issued":
                people[link] = (data["name"], data["role"])
            case "award_recorded" | "meter_awarded":
                awards[link, data["page"]] = data
            case "adjusted":
                award = awards.get((link, data["page"]))
                slips[link, data["slip"]] = _slip(event, people, award)
            case "adjustment_paid":
                slips[link, data["slip"]] |= {
                    "paid_at": event.at,
                    **_person(people, "paid_by", event.actor),
                    "paid_table": data["table"],
                    "paid_reference": data["reference"],
                    "method": data.get("method", "chips"),
                }
                if data.get("verified_by"):
                    seen = _person(people, "seen_by", data["verified_by"])
                    slips[link, data["slip"]] |= {"seen_at": event.at, **seen}
            case "cheque_promised" if data.get("slip"):
                slips[link, data["slip"]]["cheque_due"] = data["due"]
            case "cheque_handed" if data.get("slip"):
                slips[link, data["slip"]] |= {
                    "cheque_at": event.at,
                    **_person(people, "cheque_by", event.actor),
                    "cheque_reference": data["reference"],
                    "cheque_late": data["late"],
                }
    return list(slips.values())


def _slip(event: Event, people: People, award: Mapping[str, Any] | None) -> dict[str, Any]:
    data = event.data
    return {
        "link": _name(event.stream),
        "slip": data["slip"],
        "at": event.at,
        "level": data["level"],
        "cents": data["cents"],
        "reason": data["reason"],
        "text": data["text"],
        "before_cents": data["before_cents"],
        "after_cents": data["after_cents"],
        **_person(people, "by", data["by"]),
        **_person(people, "second", data["second"]),
        "page": data["page"],
        "table": award and award["table"],
        "position": award and award["position"],
        "award_cents": award and award["amount_cents"],
        "owed_cents": -data["cents"] if data["reason"] == "won" else 0,
        **dict.fromkeys((*_by("paid"), "paid_table", "paid_reference", "method")),
        **dict.fromkeys((*_by("seen"), *_by("cheque"))),
        **dict.fromkeys(("cheque_due", "cheque_reference", "cheque_late")),
        "booked": [
            {"from": debit, "to": credit, "microcents": amount}
            for debit, credit, amount in event.transfers
        ],
        "record": event.position,
        "hash": event.hash,
    }


def _person(people: People, what: str, card: str) -> dict[str, str]:
    name, role = people[card]
    return {what: card, f"{what}_name": name, f"{what}_role": role}


# What a meter held, and why.


def progressive_record(
    events: Iterable[Event], link: str, level: str, *, until: str | None = None
) -> list[dict[str, Any]]:
    """Every change of a meter, explained, with what stood there after it.

    The first line is the opening amount. With a date, only what happened before its end.
    """
    lines = []
    for line in meter_changes(events):
        if until is not None and line["at"][:10] > until:
            break
        if (line["link"], line["level"]) == (link, level):
            lines.append(line)
    return lines


def amounts_on(
    events: Iterable[Event], link: str, levels: Iterable[str], until: str
) -> dict[str, Any]:
    """What stood on meters of a link at the end of a day, from their opening on.

    The events are gone through once for each level.
    """
    found = []
    for level in levels:
        lines = progressive_record(events, link, level, until=until)
        amount = lines[-1]["amount_microcents"]
        found.append(
            {
                "level": level,
                "opening_cents": lines[0]["amount_cents"],
                "lines": lines,
                "amount_cents": amount // MICROCENTS,
                "carry_microcents": amount % MICROCENTS,
            }
        )
    return {"link": link, "date": until, "levels": found}


def meter_changes(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """Every change of every meter, explained; a meter that opens at nothing has a line too."""
    amounts: Counter[tuple[str, str]] = Counter()
    for event in events:
        found = [move for move in moves_of(event) if move.holds == "meter"]
        if event.kind == "link_made":
            opened = {move.level: move for move in found}
            name = _name(event.stream)
            found = [
                opened.get(level) or Move("meter", name, level, "opening", "seed_fund", 0)
                for level in event.data["settings"]
            ]
        for move in found:
            amounts[move.link, move.level] += move.amount
            amount = amounts[move.link, move.level]
            yield {
                "link": move.link,
                "level": move.level,
                "at": event.at,
                "why": _why(event, move.cause),
                "change_microcents": move.amount,
                "amount_microcents": amount,
                "amount_cents": amount // MICROCENTS,
                "actor": event.actor,
                "record": event.position,
            }


def _why(event: Event, cause: str) -> str:
    data, name = event.data, _name(event.stream)
    if cause.endswith(BACKED_OUT):
        was = _why(event, cause.removesuffix(BACKED_OUT))
        return f"{was}, backed out by slip {data['slip']}: {data['text']}"
    match cause:
        case "opening":
            return "opening amount: meter_seed"
        case "contributions":
            return f"contributions of round {data['round']} at {name}"
        case "awards":
            return f"award, win page {data['page']}"
        case "meter_seed":
            return f"meter_seed after win page {data['page']}"
        case "reserve_used":
            return f"reserve after win page {data['page']}"
        case "above_cap":
            return f"above the cap after win page {data['page']}"
        case "taken_back":
            return f"contributions of void round {data['round']} taken back: {data['reason']}"
        case "adjustments":
            return f"adjustment slip {data['slip']}: {data['reason']}, {data['text']}"
        case "fixed_pays":
            return f"fixed pay of round {data['round']} at {name}"
    return f"{cause.replace('_', ' ')} of {event.stream}"


def reconciliation(events: Iterable[Event], link: str) -> dict[str, Any]:
    """What came in and went out by cause and table, and closing, for each account of a link.

    And a second opinion: whether every amount that a sign, a page or a slip was told is what the
    movements up to it add up to.
    """
    books: dict[str, Counter[tuple[str, str | None]]] = {}
    links: dict[str, str] = {}
    stated, differ = 0, []
    last = None
    for event in events:
        last = event
        _follow(links, event)
        for move in moves_of(event):
            if move.link == link:
                book = books.setdefault(move.account, Counter())
                book[move.cause, move.table] += move.amount
        for level, cents, was_before in _told(event, link, links):
            account = f"meter:{link}:{level}"
            amount = sum(books.get(account, Counter()).values())
            amount -= change_of(event, account) if was_before else 0
            stated += 1
            if amount // MICROCENTS != cents:
                differ.append(event.position)
    accounts = {account: _closed(books[account]) for account in sorted(books, key=_in_order)}
    payable = accounts.pop(f"payable:{link}", _closed(Counter()))
    return {
        "link": link,
        "unit": "millionths of a cent",
        "accounts": accounts,
        "payable": payable,
        "held_cents": sum(account["closing"] for account in accounts.values()) // MICROCENTS,
        "amounts_stated": stated,
        "records_that_differ": differ,
        **_up_to(last),
    }


def _closed(book: Mapping[tuple[str, str | None], int]) -> dict[str, Any]:
    lines = [
        {"cause": cause, "table": table, "microcents": amount}
        for (cause, table), amount in book.items()
    ]
    return {"lines": lines, "closing": sum(book.values())}


def _in_order(account: str) -> tuple[int, int]:
    """Accounts level by level, the meter of each before what stands behind it; payable last."""
    holds, _, place = account.partition(":")
    levels = (*METER_LEVELS, "")
    return levels.index(place.partition(":")[2]), FUNDS.index(holds)


def _told(event: Event, link: str, links: Mapping[str, str]) -> Iterator[tuple[str, int, bool]]:
    """What an event says a meter shows: level, cents, and whether that was before it."""
    name = _name(event.stream)
    match event.kind:
        case "game_started" if links[name] == link:
            for level, cents in event.data["meters"].items():
                yield level, cents, False
        case "award_confirmed" if links[name] == link:
            yield event.data["level"], event.data["before_cents"], True
            yield event.data["level"], event.data["after_cents"], False
        case "adjusted" if name == link:
            yield event.data["level"], event.data["before_cents"], True
            yield event.data["level"], event.data["after_cents"], False


def _follow(links: dict[str, str], event: Event) -> None:
    """Keep up with which link each table plays for."""
    if event.kind == "link_joined":
        links[_name(event.stream)] = event.data["link"]
    elif event.kind == "link_left":
        del links[_name(event.stream)]


# Wagers, deposits and the meters at a glance.


def coin_in(events: Iterable[Event], *, by_shift: bool = False) -> list[dict[str, Any]]:
    """Wagers taken, given back for void rounds, and put by for players, by table and gaming day.

    Or by table and shift of a gaming day, in the order in which shifts were played.
    """
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    wagered: dict[str, int] = {}
    clocks = Clocks()
    for event in events:
        clocks.take(event)
        if event.kind not in ("game_started", "game_voided", "earlier_game_ended"):
            continue
        if event.data.get("pages"):
            # An award of it was confirmed, so its wagers were played.
            continue
        table, when = _name(event.stream), clocks.when(event.at)
        day = {"date": when["day"], **({"shift": when["shift"]} if by_shift else {})}
        line = found.setdefault(
            (table, *day.values()), {"table": table, **day, **dict.fromkeys(COUNTED, 0)}
        )
        if event.kind == "game_started":
            wagered[table] = event.data["wagered"]
            line["games"] += 1
            line["wagers"] += len(event.data["lit"])
            line["cents"] += event.data["wagered"]
        else:
            line["void"] += 1
            line["void_cents"] += 0 if event.data["carried"] else wagered[table]
        line["put_by_microcents"] += sum(move.amount for move in moves_of(event))
    return sorted(found.values(), key=lambda line: (line["table"], line["date"]))


def coin_in_total(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """What lines of coin-in add up to."""
    total = dict.fromkeys(COUNTED, 0)
    for line in lines:
        total = {name: count + line[name] for name, count in total.items()}
    return total


def deposit_worksheet(events: Iterable[Event], link: str) -> dict[str, Any]:
    """What must stand in the bank for a link, what does, and when the next deposit is due."""
    state = State()
    found: Link | None = None
    before = deposited = drawn = 0
    reference = last = None
    for event in events:
        last = event
        state.book(event.transfers)
        if event.stream != f"link:{link}":
            continue
        found = link_after(found, event)
        match event.kind:
            case "deposited":
                before = liability_cents(state, found)
                deposited, reference = event.data["balance_cents"], event.data["reference"]
                drawn = 0
            case "cheque_handed":
                drawn = min(deposited, drawn + event.data["amount_cents"])
            case "link_closed" if found.seized_at:
                # What stood in the bank was taken.
                deposited = drawn = 0
    assert found is not None, link
    liability = liability_cents(state, found)
    accounts = [name for level in found.pays.levels for name in of_level(link, level)]
    funds = [name for name in (*accounts, payable(link)) if name in state.accounts]
    return {
        "link": link,
        "funds": {name: state.owed(name) for name in funds},
        "liability_cents": liability,
        "deposited_cents": deposited,
        "drawn_cents": drawn,
        "to_bring_cents": max(0, liability - deposited + drawn),
        "last_deposit": found.deposited_at or None,
        "reference": reference,
        "short_cents": found.short_cents,
        "seized_at": found.seized_at or None,
        "accrued_cents": liability - before,
        "due": deposit_due(found) or None,
        **_up_to(last),
    }


def meters_snapshot(events: Iterable[Event]) -> dict[str, Any]:
    """Every meter of every link and level at one moment.

    What was won, contributed or put into an overflow is counted as it came and never goes down;
    what was backed out, taken back, paid out or adjusted is counted beside it.
    """
    links: dict[str, Link] = {}
    tables: dict[str, str] = {}
    sums: dict[str, Counter[Any]] = {}
    last = None
    for event in events:
        last = event
        _follow(tables, event)
        kind, _, name = event.stream.partition(":")
        if kind == "link":
            links[name] = link_after(links.get(name), event)
            sums.setdefault(name, Counter())
        if event.kind == "game_started":
            sums[tables[name]]["wagered"] += event.data["wagered"]
        if event.kind == "meter_awarded":
            sums[name][event.data["level"], "hits"] += 1
            sums[name][event.data["level"], "won"] += event.data["amount_cents"]
        backed_out = event.kind == "adjusted" and event.data["reason"] == "award_backed_out"
        # An award that J-POT recorded and RUN never moved was no hit of its meter.
        if backed_out and event.transfers:
            sums[name][event.data["level"], "backed_out"] += 1
            sums[name][event.data["level"], "put_back"] += event.data["cents"]
        for move in moves_of(event):
            count = sums[move.link]
            count[move.level, move.holds] += move.amount
            count[move.level, move.holds, move.cause] += move.amount
            count[move.level, move.holds, "in"] += max(0, move.amount)
    return {
        "links": [_link_meters(link, sums[name]) for name, link in sorted(links.items())],
        **_up_to(last),
    }


def _link_meters(link: Link, sums: Mapping[Any, int]) -> dict[str, Any]:
    return {
        "link": link.name,
        "progressive": link.game,
        "paytable": link.paytable,
        "tables": list(link.tables),
        "closed": link.closed,
        "win_pages": link.wins,
        "slips": link.slips,
        "wagered_cents": sums["wagered"],
        "payable_microcents": sums["", "payable"],
        "cheques": [{"page": page, **asdict(one)} for page, one in sorted(link.cheques.items())],
        "owed": [{"slip": slip, **asdict(one)} for slip, one in sorted(link.owed.items())],
        "levels": [_level_meters(link, level, sums) for level in link.pays.levels],
    }


def _level_meters(link: Link, level: MeterLevel, sums: Mapping[Any, int]) -> dict[str, Any]:
    amount = sums[level, "meter"]
    seeds = (("meter", "opening"), ("overflow", "opening"), ("meter", "meter_seed"))
    waiting = link.waiting.get(level)
    return {
        "level": level,
        "shown_cents": amount // MICROCENTS,
        "carry_microcents": amount % MICROCENTS,
        "reserve_microcents": sums[level, "reserve"],
        "overflow_microcents": sums[level, "overflow"],
        "hits": sums[level, "hits"],
        "won_cents": sums[level, "won"],
        "backed_out": sums[level, "backed_out"],
        "backed_out_cents": sums[level, "put_back"],
        "starts": link.starts.get(level, 0),
        "contributed_microcents": sums[level, "meter", "contributions"],
        "reserve_contributed_microcents": sums[level, "reserve", "contributions"],
        "overflow_contributed_microcents": sums[level, "overflow", "contributions"],
        "overflow_in_microcents": sums[level, "overflow", "in"],
        "meter_seed_microcents": sum(sums[level, *way] for way in seeds),
        "meter_seed_back_microcents": -sums[level, "meter", f"meter_seed{BACKED_OUT}"],
        "taken_back_microcents": -sum(sums[level, holds, "taken_back"] for holds in HELD),
        "fixed_pays_microcents": -sums[level, "meter", "fixed_pays"],
        "adjusted_microcents": sum(sums[level, holds, "adjustments"] for holds in HELD),
        "pending": [asdict(award) for award in link.pending if award.level == level],
        "settings": settings_json({level: link.settings[level]})[level],
        "waiting": waiting and settings_json({level: waiting})[level],
        "executive_from_cents": link.thresholds.get(level),
    }


def _up_to(last: Event | None) -> dict[str, Any]:
    """How far a record goes: the last event that is in it."""
    return {"at": last and last.at, "record": last and last.position}


def _name(stream: str) -> str:
    return stream.partition(":")[2]
