"""Books: a report of the floor on paper, and the slips of chips."""

from collections.abc import Mapping
from typing import Any

from houseway.documents.document import Block, Document, Facts, Footer, Table, Text
from houseway.documents.slips import slip
from houseway.floor.day import Clock
from houseway.floor.statement import Statement
from houseway.meters import MICROCENTS
from houseway.money import dollars_text

MOST_PRINTED = 2_000
"""Rows on paper; files have all."""
NOT_PRINTED = (
    *("within", "across", "opened_at", "first_at", "count", "hash", "prior"),
    # The same to the cent stands beside it.
    "amount_microcents",
)
"""What a program adds up from, or what is on a slip of its own."""
BY_BET = ("wagered", "won")
"""Columns with an amount for each bet."""
WIDE_FROM = 9
NUMBERS = ("rounds", "void", "hands", "session", "slip", "box", "page", "games", "wagers", "hold")


def report_paper(found: Statement, clock: Clock, made_at: str) -> Document:
    """A report with its period, when it was made, its rows and their totals."""
    columns = [column for column in found.columns if column not in NOT_PRINTED]
    period = found.period
    days = period.first if period.first == period.last else f"{period.first} to {period.last}"
    rows = [_row(row, columns, clock) for row in found.rows[:MOST_PRINTED]]
    totals = {name: value for name, value in found.totals.items() if name in columns}
    if rows and totals:
        rows.append(("Total", *_row({**dict.fromkeys(columns), **totals}, columns, clock, "")[1:]))
    facts = (
        ("Gaming days", days),
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
        revision=f"gaming days {days}",
        blocks=tuple(blocks),
        footer=Footer(command=f"houseway export {found.name} --database DATABASE"),
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
    if (column.endswith("_at") or column == "at") and value:
        return f"{clock.local(value):%m-%d %H:%M:%S}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        told = dollars_text if column in BY_BET else str
        return ", ".join(f"{name} {told(one)}" for name, one in value.items())
    if isinstance(value, list):
        return "; ".join(
            " ".join(map(str, one)) if isinstance(one, list) else str(one) for one in value
        )
    return str(value)


def _title(column: str) -> str:
    if column in ("cents", "microcents"):
        return "amount"
    if column in BY_BET:
        return f"{column} by bet"
    return column.removesuffix("_microcents").removesuffix("_cents").replace("_", " ")


def _is_number(column: str) -> bool:
    return column.endswith(("cents", "per_hour", "per_round")) or column in NUMBERS


def transfer_slip(row: Mapping[str, Any], clock: Clock) -> Document:
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
            who = f"{row[f'{what}_by']}{f' with {with_}' if with_ else ''}"
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
    table: str, what: str, data: Mapping[str, Any], by: str, at: str, clock: Clock
) -> Document:
    """The count of a tray when it was opened or closed, in three parts."""
    facts = [
        ("Table", table),
        ("Session", str(data["session"])),
        ("Counted", f"{clock.local(at):%Y-%m-%d %H:%M:%S}"),
        ("Signed by", f"{by} with {data['second']}"),
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
