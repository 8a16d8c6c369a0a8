"""Print sheet: a document as a tagged PDF, laid out by typst.

The content goes to the layout as JSON and is never part of its markup, so no sign in it means
anything to typst. Only the fonts that typst brings along are used, and no date is written. Signs
that they do not have are spelled out, since a page with a gap in it is no PDF/UA: a name in any
script must not keep a slip from being printed.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, Literal

from houseway.documents.document import Document
from houseway.documents.picture import FONT

STANDARD: Literal["ua-1"] = "ua-1"
"""PDF/UA-1: real headings, tables with headers, and words for every picture."""
FONT_OF_THE_SHEET = "Libertinus Serif"
MOST_TRIES = 20
"""How many scripts and signs are found out one by one before all but Latin is spelled out."""
LAST_LATIN = 0x24F
_NOT_SHOWN = re.compile(r'the text `"(.+?)"` could not be displayed', re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


def pdf_of(document: Document) -> bytes:
    """The document as PDF/UA-1."""
    import typst

    content, spelled = _content(document), set[str]()
    while True:
        try:
            return typst.compile(
                _layout(),
                sys_inputs={"document": content},
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards=STANDARD,
            )
        except typst.TypstError as error:
            found = _NOT_SHOWN.search(str(error))
            if found is None or "" in spelled:
                raise
            text = _ESCAPED.sub(lambda sign: chr(int(sign[1], 16)), found[1])
            spelled |= {_script(sign) for sign in text}
            if len(spelled) > MOST_TRIES:
                spelled.add("")
            content = json.dumps(_spelled(json.loads(content), frozenset(spelled)))


def _script(sign: str) -> str:
    """What a font has all of or nothing: the script of a letter, and any other sign by itself."""
    name = unicodedata.name(sign, "")
    return name.partition(" ")[0] if name and unicodedata.category(sign)[0] in "LMN" else sign


def _spelled(value: Any, scripts: frozenset[str]) -> Any:
    """Plain data with every sign of these scripts as its number; of none, all but Latin."""
    if isinstance(value, str):
        return "".join(
            f"[U+{ord(sign):04X}]"
            if _script(sign) in scripts or ("" in scripts and ord(sign) > LAST_LATIN)
            else sign
            for sign in value
        )
    if isinstance(value, dict):
        return {name: _spelled(one, scripts) for name, one in value.items()}
    return [_spelled(one, scripts) for one in value] if isinstance(value, list) else value


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
