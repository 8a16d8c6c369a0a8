"""Slips: numbered papers of the floor, with a line to sign for everybody who stands for them."""

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.documents.document import Block, Document, Facts, Footer, Signatures, Table
from houseway.floor.paper import slip_facts, win_page_facts, win_page_marks

DATABASE = "DATABASE"
"""Where the journal is. What is typed there may hold a password, and so never gets on paper."""


def slip(
    title: str,
    number: str,
    facts: Iterable[tuple[str, str]],
    table: Table | None = None,
    signatures: Iterable[str] = (),
    *,
    mark: str | None = None,
    command: str = f"houseway serve --database {DATABASE}",
) -> Document:
    """Any numbered slip: what it says, what it counts, and who signs it."""
    blocks: list[Block] = [Facts(rows=tuple(facts))]
    if table is not None:
        blocks.append(table)
    roles = tuple(signatures)
    if roles:
        blocks.append(Signatures(roles=roles))
    return Document(
        title=title,
        revision=f"number {number}",
        blocks=tuple(blocks),
        footer=Footer(command=command),
        mark=mark,
    )


def win_page(page: Mapping[str, Any]) -> Document:
    """A row of `floor.records.win_pages` on paper, marked where it was printed again (PGM-13)."""
    link, number = page["link"], page["page"]
    return slip(
        f"Win page {page['serial']}",
        str(number),
        win_page_facts(page),
        signatures=("Winner", "Dealer", "Supervisor or executive", "Surveillance"),
        mark=", ".join(win_page_marks(page)) or None,
        command=_record("win-page", link, "--page", number),
    )


def adjustment_slip(data: Mapping[str, Any]) -> Document:
    """A row of `floor.records.adjustment_slips` on paper, for both who signed for it (PGM-16)."""
    link, number = data["link"], data["slip"]
    return slip(
        f"Adjustment slip {number} of link {link}",
        str(number),
        slip_facts(data),
        signatures=("First person", "Second person", "Accounting"),
        command=_record("slip", link, "--slip", number),
    )


def _record(what: str, link: str, name: str, number: int) -> str:
    return f"houseway record {what} --link {link} {name} {number} --database {DATABASE}"
