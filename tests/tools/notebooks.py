"""Notebooks: executed, and written as Markdown with what they show."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests import ROOT

FOLDER = ROOT / "docs" / "notebooks"


def notebooks() -> list[Path]:
    """Every notebook."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """A notebook as it lies there, without outputs."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def executed(path: Path) -> Any:
    """The notebook with what its cells show; an assertion in it that fails is raised."""
    notebook = read(path)
    NotebookClient(notebook, timeout=240, kernel_name="python3").execute()
    return notebook


def markdown(notebook: Any) -> str:
    """A page that says and shows what the notebook does."""
    parts = []
    for cell in notebook.cells:
        parts.append(
            cell.source if cell.cell_type == "markdown" else _fenced("python", cell.source)
        )
        parts += [_shown(output) for output in cell.get("outputs", ())]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shown(output: Any) -> str:
    """What a cell shows, the richest form that a page can hold."""
    if output.output_type == "stream":
        return _fenced("text", str(output.text).rstrip())
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return f'<div class="chart">{_one_line(data["image/svg+xml"])}</div>'
    if "text/html" in data:
        return f"<div>{_one_line(data['text/html'])}</div>"
    return _fenced("text", data["text/plain"]) if "text/plain" in data else ""


def _one_line(text: str) -> str:
    """Marked-up text in one line: an empty one would end it."""
    return " ".join(text.split())


def _fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text}\n```"
