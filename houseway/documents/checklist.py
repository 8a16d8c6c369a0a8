"""Checklist: what a tribal submission needs besides the rules, and what is still open (CMP-06)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from houseway.catalog import catalog
from houseway.documents.document import Document, Footer, Table, Text
from houseway.documents.subject import Subject
from houseway.refusal import Reason, Refused, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a submission holds."""

    name: str
    text: str
    clause: str
    file: str | None
    """The file of the pack that is it; None where the house has to bring one."""


@cache
def checklist() -> tuple[Item, ...]:
    """Every item, in order."""
    return tuple(
        Item(
            name=entry["name"],
            text=entry["text"],
            clause=entry["clause"],
            file=entry.get("file"),
        )
        for entry in catalog("checklist")["item"]
    )


def brought() -> tuple[str, ...]:
    """The names of items that a file has to be given for."""
    return tuple(item.name for item in checklist() if item.file is None)


def open_items(given: Collection[str]) -> tuple[str, ...]:
    """The items that are still open when files for these are given."""
    return tuple(name for name in brought() if name not in given)


def check_items(given: Collection[str], *, complete: bool) -> None:
    """Refuse an item that is not on the list, and completeness while one is open (CMP-06)."""
    for name in given:
        if name not in brought():
            raise Refused(
                Reason.UNKNOWN_VALUE, f"item {name!r} is unknown; known: {listed(brought())}"
            )
    still = open_items(given)
    if complete and still:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the pack is not complete, since items are open: {listed(still)}; give --item "
            f"{still[0]}=FILE and so on, or leave --complete out",
            "CMP-06",
        )


def checklist_json(files: Mapping[str, str]) -> dict[str, Any]:
    """The checklist as plain data; `files` are those of the pack that close brought items."""
    return {
        "clause": "CMP-06",
        "complete": not open_items(files),
        "open": list(open_items(files)),
        "items": [
            {
                "name": item.name,
                "text": item.text,
                "clause": item.clause,
                "status": "closed" if item.file or item.name in files else "open",
                "file": item.file or files.get(item.name),
            }
            for item in checklist()
        ],
    }


def checklist_document(subject: Subject, files: Mapping[str, str], command: str) -> Document:
    """The checklist on paper."""
    data = checklist_json(files)
    still = data["open"]
    return Document(
        title=f"Checklist of the submission: {subject.name}",
        revision=f"revision {subject.revision}",
        blocks=(
            Text(
                text="What a Tribe submits holds, besides the approved rules, all that section 18 "
                "of Appendix A to its Compact asks for (CMP-06). The letters of approval do not "
                "print that section: the Tribe answers it from its own Compact."
            ),
            Text(
                text=f"Open items: {listed(still)}." if still else "No item is open.",
            ),
            Table(
                caption="Items of the submission",
                columns=("item", "what it is", "clause", "status", "file"),
                rows=tuple(
                    (i["name"], i["text"], i["clause"], i["status"], i["file"] or "")
                    for i in data["items"]
                ),
            ),
        ),
        footer=Footer(command=command, digest=subject.digest),
    )
