"""Print sheet: a document as a tagged PDF, laid out by typst.

The content goes to the layout as JSON and is never part of its markup, so no sign in it means
anything to typst. Only the fonts that typst brings along are used, and no date is written.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

from houseway.documents.document import Document
from houseway.documents.picture import FONT

STANDARD: Literal["ua-1"] = "ua-1"
"""PDF/UA-1: real headings, tables with headers, and words for every picture."""
FONT_OF_THE_SHEET = "Libertinus Serif"


def pdf_of(document: Document) -> bytes:
    """The document as PDF/UA-1."""
    import typst

    return typst.compile(
        _layout(),
        sys_inputs={"document": _content(document)},
        ignore_system_fonts=True,
        format="pdf",
        pdf_standards=STANDARD,
    )


def pictures_of(document: Document, ppi: float = 110.0) -> list[bytes]:
    """Every page as a PNG, to be looked at."""
    import typst

    # One page is given as its bytes and several as a list of them, whatever the types say.
    made: Any = typst.compile(
        _layout(),
        sys_inputs={"document": _content(document)},
        ignore_system_fonts=True,
        format="png",
        ppi=ppi,
    )
    return [made] if isinstance(made, bytes) else list(made)


def _content(document: Document) -> str:
    data = document.to_json()
    for block in data["blocks"]:
        if block["kind"] == "chart":
            block["svg"] = block["svg"].replace(f'"{FONT}"', f'"{FONT_OF_THE_SHEET}"')
    return json.dumps(data)


@cache
def _layout() -> bytes:
    return Path(__file__).with_name("sheet.typ").read_bytes()
