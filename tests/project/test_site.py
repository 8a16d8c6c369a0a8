"""The documentation site: every page has its place, every link leads somewhere, and nothing is
fetched from elsewhere."""

import ast
import re
import shutil
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.tools import notebooks
from tests.tools.build_site import CONFIG, DOCS, PAGES, SITE, build, stage

PARTS = ["Home", "Tutorials", "How-to", "Reference", "Explanation"]
FETCHING = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
"""What a browser loads by itself, beside the link elements of a head."""
LOADED_LINKS = {"stylesheet", "preload", "prefetch", "modulepreload", "icon", "preconnect"}
QUICK = "verify_a_claim"
"""The notebook that is executed in `make test`; the others differ in their figures alone."""


class Page(HTMLParser):
    """The anchors of a page, what it links to and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and LOADED_LINKS & set(given.get("rel", "").split()):
            self.loads.append(given["href"])
        if tag in FETCHING and FETCHING[tag] in given:
            self.loads.append(given[FETCHING[tag]])


def entries(nav: Any) -> Iterator[str]:
    """Every page that a navigation names."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for inside in entry.values():
                yield from [inside] if isinstance(inside, str) else entries(inside)


def test_every_page_is_in_the_navigation_once() -> None:
    nav = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["project"]["nav"]
    assert [next(iter(part)) for part in nav] == PARTS
    named = list(entries(nav))
    assert sorted(named) == sorted(set(named))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    shown = {path.relative_to(DOCS).with_suffix(".md").as_posix() for path in notebooks.notebooks()}
    assert set(named) == pages | shown


def test_every_kind_of_reader_has_a_lesson() -> None:
    index = (DOCS / "tutorials" / "index.md").read_text(encoding="utf-8")
    lessons = {path.name for path in (DOCS / "tutorials").glob("*.md")} - {"index.md"}
    assert len(lessons) == 12
    assert [name for name in sorted(lessons) if f"({name})" not in index] == []
    recipes = {path.name for path in (DOCS / "how-to").glob("*.md")} - {"index.md"}
    listed = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8")
    assert [name for name in sorted(recipes) if f"({name})" not in listed] == []


def test_the_site_holds_together_and_fetches_nothing(tmp_path: Path) -> None:
    shutil.copy(CONFIG, tmp_path)
    # Executed in a test of their own; here their text is enough.
    stage(tmp_path, notebooks.read)
    site = build(tmp_path)
    assert site == tmp_path / SITE
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) == 1 + len(list((tmp_path / PAGES).rglob("*.md")))
    lost = [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        for link in (*page.links, *page.loads)
        if not leads_somewhere(link, path, site, pages)
    ]
    assert lost == []
    fetched = [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        for link in page.loads
        if urlsplit(link).scheme not in ("", "data") or link.startswith("//")
    ]
    assert fetched == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", style.read_text("utf-8")), (
            style
        )


def leads_somewhere(link: str, page: Path, site: Path, pages: dict[Path, Page]) -> bool:
    """True when a link leads out of the site, or to a file and an anchor that are there."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    # The page of what is not found is served from anywhere, so its addresses begin at the root.
    start = site if parts.path.startswith("/") or page.name == "404.html" else page.parent
    path = unquote(parts.path).lstrip("/")
    target = (start / path).resolve() if path else page
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return False
    return not parts.fragment or target not in pages or anchored(parts.fragment, pages[target])


def anchored(fragment: str, page: Page) -> bool:
    """True when the page has that anchor; the theme makes two of its own when it runs."""
    return unquote(fragment) in page.anchors or fragment.startswith("__")


def test_a_lost_link_would_be_noticed(tmp_path: Path) -> None:
    here = tmp_path / "here.html"
    here.write_text('<h1 id="top"></h1><script src="https://elsewhere.example/x.js"></script>')
    page = Page(here.read_text(encoding="utf-8"))
    pages = {here: page}
    found = {
        link: leads_somewhere(link, here, tmp_path, pages)
        for link in ("#top", "#no", "here.html#top", "here.html#no", "gone.html", "https://a.b/")
    }
    assert [link for link, good in found.items() if not good] == [
        "#no",
        "here.html#no",
        "gone.html",
    ]
    assert page.loads == ["https://elsewhere.example/x.js"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=() if path.stem == QUICK else pytest.mark.soak)
        for path in notebooks.notebooks()
    ],
)
def test_a_notebook_runs_and_its_figures_hold(path: Path) -> None:
    page = notebooks.markdown(notebooks.executed(path))
    assert "<table" in page
    assert "<svg" in page
    assert not Page(page).loads


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_results_and_imports_what_there_is(path: Path) -> None:
    stored = notebooks.read(path)
    assert all(not cell.get("outputs") for cell in stored.cells)
    assert all(cell.get("execution_count") is None for cell in stored.cells)
    assert "assert " in path.read_text(encoding="utf-8")
    for cell in stored.cells:
        for node in ast.parse(cell.source).body if cell.cell_type == "code" else ():
            if isinstance(node, ast.Import | ast.ImportFrom):
                exec(ast.unparse(node), {})


def test_there_are_three_notebooks() -> None:
    found = [path.stem for path in notebooks.notebooks()]
    assert len(found) == 3
    assert QUICK in found
