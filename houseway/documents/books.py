"""Books: a report of the floor on paper, and the slips of chips."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from houseway.documents.document import Block, Document, Facts, Footer, Table, Text
from houseway.documents.slips import slip
from houseway.documents.words import bet_name
from houseway.floor.day import Clock
from houseway.floor.statement import AS_OF, Statement
from houseway.house.meters import MICROCENTS
from houseway.house.money import dollars_text

MOST_PRINTED = 2_000
"""Rows on paper; files have all."""
NOT_PRINTED = (
    *("within", "across", "opened_at", "first_at", "count", "hash", "prior"),
    # The same to the cent stands beside it.
    "amount_microcents",
)
"""What a program adds up from, or what is on a slip of its own."""
PRINTED = {
    "win-pages": (
        "serial at table round position player hand level wager_cents amount_cents "
        "before_cents after_cents chosen_by_name confirmed_by_name seen_by_name paid_by_name "
        "method won_cents"
    ),
    "adjustments": (
        "day link slip at level cents reason text before_cents after_cents by_name second_name "
        "page owed_cents paid_at"
    ),
}
"""What is printed of a record whose rows each have a paper of their own with all of it."""
COMMANDS = {"verification": "houseway audit verify --database DATABASE", "expected": ""}
"""What makes a report again, where it is not the export of its name."""
Holder = Callable[[str], str]
"""Who holds a card."""
BY_BET = ("wagered", "won")
"""Columns with an amount for each bet."""
WIDE_FROM = 9
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
"""How a time of the journal begins."""
CODES = ("cause", "hand")
"""Columns with a name of the program in them."""
NUMBERS = ("rounds", "void", "hands", "session", "slip", "box", "page", "games", "wagers", "hold")


def report_paper(found: Statement, clock: Clock, made_at: str) -> Document:
    """A report with its period, when it was made, its rows and their totals."""
    known = found.columns
    if "rows" not in known and found.name in PRINTED:
        known = tuple(PRINTED[found.name].split())
    columns = [column for column in known if column not in NOT_PRINTED]
    period = found.period
    days = period.first if period.first == period.last else f"{period.first} to {period.last}"
    rows = [_row(row, columns, clock) for row in found.rows[:MOST_PRINTED]]
    totals = {name: value for name, value in found.totals.items() if name in columns}
    if rows and totals:
        rows.append(("Total", *_row({**dict.fromkeys(columns), **totals}, columns, clock, "")[1:]))
    if found.name in AS_OF:
        days = f"the end of {period.last}"
    facts = (
        ("As of" if found.name in AS_OF else "Gaming days", days),
        ("Table", period.table or "all"),
        ("Shift", period.shift or "all"),
        ("Time zone", found.time_zone),
        (
            "Made",
            f"{clock.local(made_at):%Y-%m-%d %H:%M:%S} ({made_at[:19].replace('T', ' ')} UTC)",
        ),
        ("Rows", f"{len(found.rows):,}"),
    )
    blocks: list[Block] = [Facts(rows=facts)]
    if rows:
        blocks.append(
            Table(
                caption=found.title,
                columns=tuple(_title(column) for column in columns),
                rows=tuple(rows),
                right=tuple(_title(column) for column in columns if _is_number(column)),
            )
        )
    else:
        blocks.append(Text(text="No activity in this period."))
    if len(found.rows) > MOST_PRINTED:
        blocks.append(Text(text=f"The first {MOST_PRINTED:,} rows; a file has all of them."))
    return Document(
        title=found.title,
        revision=f"as of {days}" if found.name in AS_OF else f"gaming days {days}",
        blocks=tuple(blocks),
        footer=Footer(
            command=COMMANDS.get(found.name, f"houseway export {found.name} --database DATABASE")
        ),
        wide=len(columns) >= WIDE_FROM,
    )


def _row(
    row: Mapping[str, Any], columns: list[str], clock: Clock, nothing: str = "-"
) -> tuple[str, ...]:
    return tuple(_shown(column, row.get(column), clock, nothing) for column in columns)


def _shown(column: str, value: Any, clock: Clock, nothing: str) -> str:
    if value is None:
        return nothing
    if column.endswith("microcents"):
        return dollars_text(value // MICROCENTS)
    if column.endswith("cents"):
        return dollars_text(value)
    if column == "hold":
        return f"{value:.1%}"
    if _is_time(column) and value:
        return f"{clock.local(value):%m-%d %H:%M:%S}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        if column in BY_BET:
            return ", ".join(f"{bet_name(bet)} {dollars_text(of)}" for bet, of in value.items())
        return _part(value, clock)
    if isinstance(value, list):
        return "; ".join(_part(one, clock) for one in value)
    return str(value).replace("_", " ") if column in CODES else str(value)


def _part(one: Any, clock: Clock) -> str:
    """One of several in a cell; times are those of the floor."""
    if isinstance(one, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_part(of, clock)}" for name, of in one.items())
    if isinstance(one, list):
        return " ".join(_part(of, clock) for of in one)
    if isinstance(one, str) and TIME.match(one):
        return f"{clock.local(one):%m-%d %H:%M:%S}"
    return str(one)


def _is_time(column: str) -> bool:
    return column.rpartition("_")[2] in ("at", "due") or column == "last_deposit"


def _title(column: str) -> str:
    if column in ("cents", "microcents"):
        return "amount"
    if column in BY_BET:
        return f"{column} by bet"
    return column.removesuffix("_microcents").removesuffix("_cents").replace("_", " ")


def _is_number(column: str) -> bool:
    return column.endswith(("cents", "per_hour", "per_round")) or column in NUMBERS


def transfer_slip(row: Mapping[str, Any], clock: Clock, holder: Holder = str) -> Document:
    """A row of the slips by number: a fill or a credit, in three parts."""
    kind = str(row["kind"])
    facts = [
        ("Table", str(row["table"])),
        ("Gaming day", f"{row['day']}, {row['shift']}"),
        ("Amount", dollars_text(row["cents"])),
        ("State", str(row["state"])),
        ("Parts", "cage, table, accounting"),
    ]
    for what in ("requested", "sent", "received", "voided"):
        if row[f"{what}_at"]:
            with_ = row.get(f"{what}_with")
            who = holder(row[f"{what}_by"]) + (f" with {holder(with_)}" if with_ else "")
            at = f"{clock.local(row[f'{what}_at']):%Y-%m-%d %H:%M:%S}"
            facts.append((what.capitalize(), f"{who}, {at}"))
    if row["reason"]:
        facts.append(("Reason", str(row["reason"])))
    return slip(
        f"{kind.capitalize()} slip {row['slip']}",
        str(row["slip"]),
        facts,
        counted(row["count"]),
        ("Cage", "Dealer", "Supervisor"),
        mark="VOID" if row["state"] == "void" else None,
    )


def counted(count: Mapping[str, int]) -> Table:
    """A count by denomination, with its total."""
    rows = [
        (dollars_text(int(worth)), f"{pieces:,}", dollars_text(int(worth) * pieces))
        for worth, pieces in count.items()
    ]
    total = sum(int(worth) * pieces for worth, pieces in count.items())
    return Table(
        caption="Chips by denomination",
        columns=("Denomination", "Pieces", "Amount"),
        rows=(*rows, ("Total", "", dollars_text(total))),
        right=("Pieces", "Amount"),
    )


def tray_slip(
    table: str,
    what: str,
    data: Mapping[str, Any],
    by: str,
    at: str,
    clock: Clock,
    holder: Holder = str,
) -> Document:
    """The count of a tray when it was opened or closed, in three parts."""
    facts = [
        ("Table", table),
        ("Session", str(data["session"])),
        ("Counted", f"{clock.local(at):%Y-%m-%d %H:%M:%S}"),
        ("Signed by", f"{holder(by)} with {holder(data['second'])}"),
        ("Total", dollars_text(data["total_cents"])),
        ("Parts", "cage, table, accounting"),
    ]
    if data.get("difference_cents"):
        difference = dollars_text(data["difference_cents"])
        facts.append(("Differs from the last closer", f"{difference}: {data['reason']}"))
    return slip(
        f"Table inventory slip: {what}",
        f"{table} {data['session']} {what}",
        facts,
        counted(data["count"]),
        ("Dealer", "Supervisor"),
    )
