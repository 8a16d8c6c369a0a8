"""Web page: a document as one HTML file without scripts, for a screen and for a printer."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from houseway.documents.document import Document
from houseway.documents.picture import FELT

if TYPE_CHECKING:
    from jinja2 import Template


def html_of(document: Document) -> bytes:
    """The whole page; it asks for nothing from anywhere."""
    from markupsafe import Markup

    data = document.to_json()
    for block in data["blocks"]:
        if block["kind"] == "chart":
            # A chart is our own markup, and takes the colours of the page.
            block["svg"] = Markup(block["svg"].replace(f'"{FELT}"', '"var(--felt)"'))
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
