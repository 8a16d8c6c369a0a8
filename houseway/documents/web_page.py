"""Web page: a document as one HTML file without scripts, for a screen and for a printer."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from houseway.documents.document import Document
from houseway.documents.picture import FELT

if TYPE_CHECKING:
    from jinja2 import Template


ROLES = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
"""Marks of accessibility that Vega sets by itself."""


def html_of(document: Document) -> bytes:
    """The whole page; it asks for nothing from anywhere."""
    from markupsafe import Markup

    data = document.to_json()
    for block in data["blocks"]:
        if block["kind"] == "chart":
            # A chart is our own markup, and takes the colours of the page. Its marks have no names:
            # what it shows is told by its words and by the table below it.
            drawn = block["svg"].replace(f'"{FELT}"', '"var(--felt)"')
            block["svg"] = Markup(ROLES.sub("", drawn))
    return _template().render(data).encode()


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html")
