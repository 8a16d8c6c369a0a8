"""Paper: the records of a floor as people read them, for a printer of 80 columns.

Every page has its title, who made it and when, and its number. Amounts are dollars and cents;
parts of a cent are told where they are carried.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from houseway.floor.adjustment import INCREASES, REDUCTIONS
from houseway.floor.records import TAX_TIMES, serial, tax_flag, tax_from_cents
from houseway.house.meters import MICROCENTS
from houseway.house.money import dollars_text

WIDTH = 80
LABEL = 16
"""Columns of a label; what is left just takes a hash."""
LINES = 60
"""Lines of a page, of which the heading takes four."""
NEXT_PAGE = "\f"
GAP = "  "
NARROWEST = 10
"""The least that a column of words is left with."""
Data = Mapping[str, Any]
CAUSES = {
    "opening": "opening: meter_seed",
    "contributions": "contributions",
    "taken_back": "contributions of void rounds taken back",
    "fixed_pays": "fixed pays",
    "awards": "awards",
    "meter_seed": "meter_seed of new starts",
    "reserve_used": "reserve put on the meter",
    "above_cap": "above the cap",
    "awards_backed_out": "awards backed out",
    "meter_seed_backed_out": "meter_seed of awards backed out",
    "reserve_used_backed_out": "reserve of awards backed out",
    "above_cap_backed_out": "above the cap, of awards backed out",
    "handed_over": "handed over",
    "cheques": "cheques handed over",
    "adjustments": "adjustments",
    "slips_paid": "slips paid",
}


def printed(record: str, data: Data, *, version: str, made_at: str) -> str:
    """A record as it leaves the printer."""
    title, body = PAPERS[record](data)
    lines, room = list(body), LINES - 4
    pages = [lines[first : first + room] for first in range(0, len(lines), room)]
    maker = f"made by houseway {version} on {made_at[:10]} at {made_at[11:19]} UTC"
    sheets = []
    for number, page in enumerate(pages, start=1):
        place = f"page {number} of {len(pages)}"
        heading = [f"{title}{place:>{WIDTH - len(title)}}", maker, "-" * WIDTH, ""]
        sheets.append("".join(f"{line}\n" for line in (*heading, *page)))
    return NEXT_PAGE.join(sheets)


def win_page(page: Data) -> tuple[str, Iterator[str]]:
    """One win: all that the accounts need, and that it was printed again (PGM-13, PNX-14)."""
    return f"WIN PAGE {page['serial']}", _win_page(page)


def _win_page(page: Data) -> Iterator[str]:
    for mark in win_page_marks(page):
        yield from _mark(mark)
    yield from _fields(*win_page_facts(page))


def win_page_marks(page: Data) -> list[str]:
    """What stands large on a win page: that it was printed again, or backed out."""
    marks = [f"REPRINT {page['reprints'][-1]['number']}"] if page["reprints"] else []
    slip_number = page["backed_out_by_slip"]
    return marks + ([f"BACKED OUT BY SLIP {slip_number}"] if slip_number else [])


def win_page_facts(page: Data) -> tuple[tuple[str, str], ...]:
    """What a win page tells, name by name."""
    slips = [f"slip {number}" for number in page["slips"]]
    reprints = [
        f"{reprint['number']} by {_person(reprint, 'by')}, {_moment(reprint['at'])}"
        for reprint in page["reprints"]
    ]
    return (
        ("Serial number", page["serial"]),
        ("Date", page["at"][:10]),
        ("Time", f"{page['at'][11:19]} UTC"),
        ("Table", f"{page['table']}, round {page['round']}"),
        ("Seat", f"{page['position']}, {page['player']}"),
        ("Game", page["game"]),
        ("Paytable", f"{page['progressive']} {page['paytable']}"),
        ("Hand", f"{_words(page['hand'])}, {page['pays']}"),
        ("Wager", dollars_text(page["wager_cents"])),
        ("Amount", dollars_text(page["amount_cents"])),
        ("Meter", f"{page['level']} of link {page['link']}"),
        ("Before", dollars_text(page["before_cents"])),
        ("After", _after(page)),
        ("Dealer", _person(page, "chosen_by")),
        ("Confirmed by", _person(page, "confirmed_by")),
        ("On camera", _signed(page, "seen") or "not looked at"),
        ("Paid", _paid(page)),
        ("Cheque", _cheque(page)),
        ("Adjustments", ", ".join(slips) or "none"),
        ("Won in all", dollars_text(page["won_cents"])),
        ("Tax form", tax_words(page["won_cents"], page["wager_cents"], int(page["at"][:4]))),
        ("Reprints", "; ".join(reprints) or "none"),
        ("Record", str(page["record"])),
        ("Hash", page["hash"]),
    )


def _mark(text: str) -> Iterator[str]:
    yield text.center(WIDTH).rstrip()
    yield ""


def _after(page: Data) -> str:
    """The meter after an award; J-POT writes the page before the award leaves it."""
    if page["after_cents"] is None:
        yet = "" if page["backed_out_by_slip"] else " yet"
        return f"not taken off the meter{yet}"
    started = ", started again" if page["whole"] else ""
    return f"{dollars_text(page['after_cents'])}{started}"


def _paid(page: Data) -> str:
    """How an award was paid, or why it was not."""
    if page["paid_at"]:
        return f"{page['method']}, reference {page['reference']}; {_signed(page, 'paid')}"
    back = page["backed_out_by_slip"]
    return f"no: backed out by slip {back}" if back else "not yet"


def _cheque(page: Data) -> str:
    """What became of a cheque that the winner asked for."""
    if page["cheque_due"] is None:
        return "none"
    handed = "not handed over yet"
    if page["cheque_at"]:
        handed = f"handed over, reference {page['cheque_reference']}; {_signed(page, 'cheque')}"
    late = "; LATE" if page["cheque_late"] else ""
    return f"due {_moment(page['cheque_due'])}; {handed}{late}"


def tax_words(amount_cents: int, wager_cents: int, year: int) -> str:
    """Whether a win is reported for tax, and why."""
    least = dollars_text(tax_from_cents(year))
    if tax_flag(amount_cents, wager_cents, year):
        return f"yes: {TAX_TIMES} times the wager or more, and {least} or more"
    if amount_cents < tax_from_cents(year):
        return f"no: less than {least}"
    return f"no: less than {TAX_TIMES} times the wager"


def slip(data: Data) -> tuple[str, Iterator[str]]:
    """A manual adjustment, with both who stand for it (PGM-16, PNX-16, PML-15)."""
    return f"ADJUSTMENT SLIP {data['slip']}", _fields(*slip_facts(data))


def slip_facts(data: Data) -> tuple[tuple[str, str], ...]:
    """What an adjustment slip tells, name by name."""
    reasons = REDUCTIONS if data["cents"] < 0 else INCREASES
    booked = [
        f"{exact_text(move['microcents'])} from {move['from']} to {move['to']}"
        for move in data["booked"]
    ]
    return (
        ("Link", data["link"]),
        ("Number", str(data["slip"])),
        ("Date", data["at"][:10]),
        ("Time", f"{data['at'][11:19]} UTC"),
        ("Meter", data["level"]),
        ("Change", dollars_text(data["cents"], sign=True)),
        ("Before", dollars_text(data["before_cents"])),
        ("After", dollars_text(data["after_cents"])),
        ("Reason", f"{_words(data['reason'])}: {reasons[data['reason']]}"),
        ("Text", data["text"]),
        ("First person", _person(data, "by")),
        ("Second person", _person(data, "second")),
        ("Award", _award(data)),
        *_slip_paid(data),
        ("Booked", "; ".join(booked) or "nothing"),
        ("Record", str(data["record"])),
        ("Hash", data["hash"]),
    )


def _award(data: Data) -> str:
    if data["page"] is None:
        return "none"
    amount = dollars_text(data["award_cents"])
    page = serial(data["link"], data["page"])
    return f"win page {page}, {amount} at {data['table']}, seat {data['position']}"


def _slip_paid(data: Data) -> Iterator[tuple[str, str]]:
    """Whether a winner has what a slip found for him, and how."""
    if not data["owed_cents"]:
        yield "Paid", "nothing is owed on it"
        return
    paid = f"not yet: {dollars_text(data['owed_cents'])} is owed"
    if data["paid_at"]:
        where = f"{data['method']} at {data['paid_table']}, reference {data['paid_reference']}"
        paid = f"{where}; {_signed(data, 'paid')}"
    yield "On camera", _signed(data, "seen") or "not looked at"
    yield "Paid", paid
    yield "Cheque", _cheque(data)


def progressive(data: Data) -> tuple[str, Iterator[str]]:
    """The opening amount of meters and every change since, explained."""
    return f"PROGRESSIVE RECORD OF LINK {data['link']}", _progressive(data)


def _progressive(data: Data) -> Iterator[str]:
    for number, level in enumerate(data["levels"]):
        if number:
            yield ""
        lines = level["lines"]
        yield f"Meter {level['level']}, {lines[0]['at'][:10]} to {data['date']}"
        yield ""
        rows = []
        for day, changes in groupby(lines, key=lambda line: line["at"][:10]):
            rows.append((day, "", "", "", ""))
            rows += [
                (
                    line["at"][11:19],
                    str(line["record"]),
                    line["why"],
                    exact_text(line["change_microcents"], sign=True),
                    dollars_text(line["amount_cents"]),
                )
                for line in changes
            ]
        yield from _table(("UTC", "record", "why", "change", "shown"), rows, wraps=2)
        yield ""
        total = dollars_text(level["amount_cents"])
        yield f"Amount on {data['date']}: {total}{_carried(level['carry_microcents'])}"


def reconciliation(data: Data) -> tuple[str, Iterator[str]]:
    """Every account of a link from its opening to now, to the cent."""
    return f"RECONCILIATION OF LINK {data['link']}", _reconciliation(data)


def _reconciliation(data: Data) -> Iterator[str]:
    yield f"Up to {_last(data)}"
    yield ""
    rows: list[tuple[str, ...]] = []
    for account, book in (*data["accounts"].items(), ("payable", data["payable"])):
        rows.append((_account(account), "", ""))
        for line in book["lines"]:
            place = f" at {line['table']}" if line["table"] else ""
            cause = CAUSES.get(line["cause"], _words(line["cause"]))
            rows.append((f"  {cause}{place}", *_parted(line["microcents"], sign=True)))
        rows += [("  closing", *_parted(book["closing"])), ("", "", "")]
    closing = sum(book["closing"] for book in data["accounts"].values())
    rows.append(("Held for players: meters, reserves, overflows", *_parted(closing)))
    yield from _table(("", "dollars", "millionths of a cent"), rows)
    yield ""
    wrong = ", ".join(str(record) for record in data["records_that_differ"])
    verdict = f"records that do not: {wrong}" if wrong else "every one does"
    text = f"Amounts told to signs, pages and slips that must agree: {data['amounts_stated']:,}"
    yield from wrap(f"{text}; {verdict}", WIDTH)


def deposit(data: Data) -> tuple[str, Iterator[str]]:
    """What must stand in the bank for a link, and what does."""
    return f"DEPOSIT WORKSHEET OF LINK {data['link']}", _deposit(data)


def _deposit(data: Data) -> Iterator[str]:
    yield f"Up to {_last(data)}"
    yield ""
    rows = [(_account(account), exact_text(held)) for account, held in data["funds"].items()]
    last = data["last_deposit"]
    since = f"the last deposit, {_moment(last)}, {data['reference']}" if last else "the opening"
    rows += [
        ("", ""),
        ("must stand in the bank", dollars_text(data["liability_cents"])),
        (_stands(data), dollars_text(data["deposited_cents"])),
        ("cheques handed over since", dollars_text(-data["drawn_cents"])),
        ("to be brought now", dollars_text(data["to_bring_cents"])),
        ("", ""),
        (f"accrued since {since}", dollars_text(data["accrued_cents"], sign=True)),
        ("the last deposit was short by", dollars_text(data["short_cents"])),
        ("next deposit due", _moment(data["due"]) if data["due"] else "not asked for"),
    ]
    yield from _table(("", "dollars"), rows)


def _stands(data: Data) -> str:
    """What an amount in the bank is known from."""
    if data["seized_at"]:
        return f"stood in the bank after the seizure on {data['seized_at'][:10]}"
    return "stood in the bank at the last deposit"


def coin_in(data: Data) -> tuple[str, Iterator[str]]:
    """Wagers taken by table and day, with their sum."""
    return "COIN-IN", _coin_in(data)


def _coin_in(data: Data) -> Iterator[str]:
    counted = ("games", "wagers", "void")
    rows = [
        (
            line.get("date", ""),
            line.get("table", "total"),
            *(f"{line[name]:,}" for name in counted),
            dollars_text(line["cents"]),
            dollars_text(line["void_cents"]),
            exact_text(line["put_by_microcents"]),
        )
        for line in (*data["lines"], data["total"])
    ]
    yield from _table(("day", "table", *counted, "coin-in", "given back", "put by"), rows, wraps=1)


def meters(data: Data) -> tuple[str, Iterator[str]]:
    """Every meter of every link at one moment."""
    return "METERS", _meters(data)


def _meters(data: Data) -> Iterator[str]:
    yield f"At {_last(data)}"
    for link in data["links"]:
        yield ""
        yield from _fields(
            ("Link", link["link"]),
            ("Paytable", f"{link['progressive']} {link['paytable']}"),
            ("Tables", ", ".join(link["tables"]) or "none"),
            ("Wagers", f"closed: {link['closed']}" if link["closed"] else "open"),
            ("Numbers", f"win pages to {link['win_pages']}, slips to {link['slips']}"),
            ("Coin-in", dollars_text(link["wagered_cents"])),
            ("Payable", exact_text(link["payable_microcents"])),
            *(("Cheque", _promised(one)) for one in link["cheques"]),
            *(("Slip owed", _owed(one)) for one in link["owed"]),
        )
        yield ""
        levels = link["levels"]
        rows = [(text, *map(shown, levels)) for text, shown in METERS.items()]
        yield from _table(("meter", *(level["level"] for level in levels)), rows)
        for award in (award for level in levels for award in level["pending"]):
            amount = f"{dollars_text(award['amount_cents'])} from {award['level']}"
            place = f"{award['table']}, seat {award['position']}"
            yield from _fields(("Waits", f"{amount}: {_words(award['hand'])} at {place}"))


def _promised(cheque: Data) -> str:
    amount = dollars_text(cheque["amount_cents"])
    return f"{amount} of win page {cheque['page']}, due {_moment(cheque['due'])}"


def _owed(slip: Data) -> str:
    return f"{dollars_text(slip['amount_cents'])} of slip {slip['slip']}"


def _percent(ppm: int) -> str:
    return f"{ppm / 10_000:g}%"


METERS: dict[str, Callable[[Data], str]] = {
    "shown on the sign": lambda m: dollars_text(m["shown_cents"]),
    "carried, in millionths of a cent": lambda m: f"{m['carry_microcents']:,}",
    "reserve": lambda m: exact_text(m["reserve_microcents"]),
    "overflow": lambda m: exact_text(m["overflow_microcents"]),
    "hits": lambda m: f"{m['hits']:,}",
    "total won": lambda m: dollars_text(m["won_cents"]),
    "hits backed out": lambda m: f"{m['backed_out']:,}",
    "won and backed out": lambda m: dollars_text(m["backed_out_cents"]),
    "started again": lambda m: f"{m['starts']:,}",
    "contributed to the meter": lambda m: exact_text(m["contributed_microcents"]),
    "contributed to the reserve": lambda m: exact_text(m["reserve_contributed_microcents"]),
    "contributed to the overflow": lambda m: exact_text(m["overflow_contributed_microcents"]),
    "put into the overflow in all": lambda m: exact_text(m["overflow_in_microcents"]),
    "meter_seed put in": lambda m: exact_text(m["meter_seed_microcents"]),
    "meter_seed of hits backed out": lambda m: exact_text(m["meter_seed_back_microcents"]),
    "taken back by void rounds": lambda m: exact_text(m["taken_back_microcents"]),
    "fixed pays": lambda m: exact_text(m["fixed_pays_microcents"]),
    "adjusted": lambda m: exact_text(m["adjusted_microcents"], sign=True),
    "awards waiting": lambda m: f"{len(m['pending']):,}",
    "contribution": lambda m: _percent(m["settings"]["contribution_ppm"]),
    "reserve rate": lambda m: _percent(m["settings"]["reserve_ppm"]),
    "meter_seed": lambda m: dollars_text(m["settings"]["meter_seed_cents"]),
    "cap": lambda m: _amount_or(m["settings"]["cap_cents"], "none"),
    "executive from": lambda m: _amount_or(m["executive_from_cents"], "not set"),
    "settings that wait": lambda m: "yes" if m["waiting"] else "none",
}
"""What is told of every level, and how."""


PAPERS: dict[str, Callable[[Data], tuple[str, Iterator[str]]]] = {
    "win-page": win_page,
    "slip": slip,
    "progressive": progressive,
    "reconciliation": reconciliation,
    "deposit": deposit,
    "coin-in": coin_in,
    "meters": meters,
}
"""Each record with its title and lines."""


# Words, amounts and columns.


def exact_text(microcents: int, *, sign: bool = False) -> str:
    """Millionths of a cent as dollars, with as many decimals as it takes: '$0.40142857'."""
    cents, part = divmod(abs(microcents), MICROCENTS)
    mark = "-" if microcents < 0 else "+" if sign and microcents > 0 else ""
    return f"{mark}{dollars_text(cents)}{f'{part:06d}'.rstrip('0')}"


def _parted(microcents: int, *, sign: bool = False) -> tuple[str, str]:
    """Dollars and cents, and the part of a cent beside them."""
    cents, part = divmod(abs(microcents), MICROCENTS)
    mark = "-" if microcents < 0 else "+" if sign and microcents > 0 else ""
    return f"{mark}{dollars_text(cents)}", f"{mark}{part:,}" if part else "0"


def _carried(microcents: int) -> str:
    return f", and {microcents:,} millionths of a cent" if microcents else ""


def _amount_or(cents: int | None, otherwise: str) -> str:
    return otherwise if cents is None else dollars_text(cents)


def _person(data: Data, what: str) -> str:
    return f"{data[f'{what}_name']}, {data[f'{what}_role']}, card {data[what]}"


def _signed(data: Data, what: str) -> str:
    """When something was done, and by whom; empty where it was not."""
    at = data[f"{what}_at"]
    return f"{_moment(at)} by {_person(data, f'{what}_by')}" if at else ""


def _moment(at: str) -> str:
    return f"{at[:10]} {at[11:19]} UTC"


def _last(data: Data) -> str:
    if data["record"] is None:
        return "the very beginning: nothing has happened yet"
    return f"record {data['record']}, {_moment(data['at'])}"


def _account(name: str) -> str:
    """An account of a link: 'meter single'."""
    holds, _, place = name.partition(":")
    return f"{holds} {place.partition(':')[2]}".rstrip()


def _words(name: str) -> str:
    return name.replace("_", " ")


def _fields(*fields: tuple[str, str]) -> Iterator[str]:
    """Labels with what belongs to them, wrapped beside them."""
    for label, text in fields:
        yield from wrap(
            text, WIDTH, initial_indent=f"{label:<{LABEL}}", subsequent_indent=" " * LABEL
        )


def _table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, wraps: int = 0
) -> Iterator[str]:
    """Columns side by side: one wraps, and what comes after it is numbers.

    Where these leave no room, the words of each row stand above its numbers.
    """
    grid = [headings, *rows]
    widths = [max(len(row[column]) for row in grid) for column in range(len(headings))]
    numbers_take = sum(len(GAP) + width for width in widths[wraps + 1 :])
    indent = " " * sum(width + len(GAP) for width in widths[:wraps])
    above = WIDTH - numbers_take - len(indent) < NARROWEST
    room = WIDTH if above else WIDTH - numbers_take
    for row in grid:
        cells = list(zip(row, widths, strict=True))
        start = "".join(cell.ljust(width) + GAP for cell, width in cells[:wraps])
        numbers = "".join(GAP + cell.rjust(width) for cell, width in cells[wraps + 1 :])
        lines = wrap(row[wraps], room, initial_indent=start, subsequent_indent=indent) or [start]
        if not above:
            lines[0] = f"{lines[0]:<{room}}{numbers}"
        elif numbers.strip():
            lines.append(numbers.rjust(WIDTH))
        yield from (line.rstrip() for line in lines)
