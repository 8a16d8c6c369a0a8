"""Document: a title, a few kinds of blocks, and a foot that says how to make it again.

A document is content and nothing else. `web_page.html_of` and `print_sheet.pdf_of` lay out the
same plain data, so that the two can never tell different figures. Nothing in it is of the moment
at which it was made: the same data give the same bytes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from houseway import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The beginning of a part; level 1 stands right below the title."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names with what they stand for, one under the other."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; the first cell of a row names it."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    """Columns of numbers."""

    def __post_init__(self) -> None:
        for row in self.rows:
            assert len(row) == len(self.columns), (self.caption, row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture as SVG, and the table with the same figures for who cannot see it."""

    svg: str
    alt: str
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """A line to sign for each of these people."""

    roles: tuple[str, ...]


Block = Heading | Text | Facts | Table | Chart | Signatures


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """Which program made it, from which rules, and the one command that makes it again."""

    command: str
    """Empty where no command does."""
    digest: str | None = None
    version: str = __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What is printed: the blocks in order, with title, revision and foot."""

    title: str
    revision: str
    blocks: tuple[Block, ...]
    footer: Footer
    mark: str | None = None
    """What stands large across the top, such as REPRINT 1."""
    wide: bool = False
    """True where the page lies on its side, for tables of many columns."""

    def __post_init__(self) -> None:
        # A reader who goes from heading to heading must not miss a level.
        level = 0
        for block in self.blocks:
            if isinstance(block, Heading):
                assert block.level <= level + 1, block.text
                level = block.level

    def to_json(self) -> dict[str, Any]:
        """The plain data that both layouts read."""
        return {
            "title": self.title,
            "revision": self.revision,
            "mark": self.mark,
            "wide": self.wide,
            "blocks": [_plain(block) for block in self.blocks],
            "footer": asdict(self.footer),
        }

    def texts(self) -> Iterator[str]:
        """Every text that a reader meets, in order."""
        yield from (self.title, self.revision, *filter(None, [self.mark]))
        for block in self.blocks:
            yield from _texts(block)
        yield from filter(None, asdict(self.footer).values())


def _plain(block: Block) -> dict[str, Any]:
    data = {"kind": type(block).__name__.lower(), **asdict(block)}
    if isinstance(block, Chart):
        data["table"] = _plain(block.table)
    return data


def _texts(block: Block) -> Iterator[str]:
    match block:
        case Heading() | Text():
            yield block.text
        case Facts():
            yield from (text for row in block.rows for text in row)
        case Table():
            yield block.caption
            yield from block.columns
            yield from (text for row in block.rows for text in row)
        case Chart():
            yield block.alt
            yield from _texts(block.table)
        case Signatures():
            yield from block.roles


def facts(rows: Mapping[str, str]) -> Facts:
    """Facts from a mapping, in its order."""
    return Facts(rows=tuple(rows.items()))


def figures_table(
    caption: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], *, first: str = "bet"
) -> Table:
    """A table of figures, each row named by its first cell."""
    return Table(caption=caption, columns=(first, *columns), rows=tuple(rows), right=columns)


def named_figures(title: str, figures: Mapping[str, Any]) -> Table:
    """Figures by name, those within others under both names."""

    def flat(found: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
        for name, value in found.items():
            named = f"{before}{name.replace('_', ' ')}"
            if isinstance(value, Mapping):
                yield from flat(value, f"{named}, ")
            else:
                yield named, str(value)

    return Table(caption=title, columns=("figure", "value"), rows=tuple(flat(figures, "")))
