"""Sections: the parts of a par sheet, each by itself, as blocks that a screen lays out."""

from typing import Any

from houseway.documents.document import Document, Footer, Heading
from houseway.documents.par_sheet import PARTS
from houseway.documents.study import study_of
from houseway.refusal import Reason, Refused, listed
from houseway.rules.variant import Variant
from houseway.studio.draft import subject_of
from houseway.studio.names import SECTIONS


def section(variant: Variant, name: str) -> dict[str, Any]:
    """A part of the sheet: its title, and blocks as a document has them."""
    if name not in SECTIONS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"section {name[:40]!r} is none; known: {listed(SECTIONS)}"
        )
    title = SECTIONS[name]
    subject = subject_of(variant)
    document = Document(
        title=title,
        revision=subject.revision,
        blocks=(Heading(text=title), *PARTS[title](study_of(subject))),
        footer=Footer(command="", digest=subject.digest),
    )
    return {"name": name, "title": title, "blocks": document.to_json()["blocks"][1:]}
