"""Output: JSON documents and tables, the same way for every command."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from houseway.cards import card_text, parse_cards
from houseway.house.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.documents.document import Document
    from houseway.rules.lines import Line

LONG_SECONDS = 1.0
"""After which whoever waits is told what is under way."""
SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": "bold"}
OUTCOME_STYLES = {"win": "green", "lose": "red", "push": "yellow", "forfeit": "red"}


class _Console(Console):
    """A terminal that leaves a closed pipe to whoever started the command."""

    def on_broken_pipe(self) -> None:
        """Hand the closed pipe on."""
        raise BrokenPipeError


@cache
def console() -> Console:
    """The terminal."""
    return _Console(highlight=False)


def prepare() -> None:
    """Make standard output and error usable whatever they are: closed, or not in UTF-8."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    console.cache_clear()


@contextmanager
def progress(what: str, extra: str = "fast") -> Iterator[None]:
    """A sign of life on standard error while something longer is under way; and no lost extras."""
    with counting(what, "", extra):
        yield


@contextmanager
def counting(what: str, things: str, extra: str = "fast") -> Iterator[Callable[[int], None]]:
    """The same, with something to tell of how many things are done."""
    waiting = Console(stderr=True)
    try:
        if waiting.is_terminal:
            with waiting.status(what) as status:
                yield lambda done: status.update(f"{what}: {done:,} {things}")
        else:
            yield lambda _: None
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"module {error.name!r} is not installed; install houseway with the extra {extra!r}",
        ) from None


@contextmanager
def said_when_long() -> Iterator[Callable[[str], None]]:
    """Something to tell what is under way; it says so on standard error after a second."""
    waiting: list[Timer] = []

    def end() -> None:
        for timer in waiting:
            timer.cancel()
        waiting.clear()

    def tell(what: str) -> None:
        end()
        waiting.append(Timer(LONG_SECONDS, print, [f"houseway: {what}"], {"file": sys.stderr}))
        waiting[0].daemon = True
        waiting[0].start()

    try:
        yield tell
    finally:
        end()


def counted(numbers: "Sequence[int]", what: str) -> "Iterator[int]":
    """The numbers, with a bar on standard error that shows how far they are."""
    waiting = Console(stderr=True)
    if not waiting.is_terminal:
        yield from numbers
        return
    from rich.progress import track

    yield from track(numbers, what, console=waiting, transient=True)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document and nothing else."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def check_documents(pdf: str | None, html: str | None) -> None:
    """Refuse a place where a document cannot be written, before anything is worked out for it."""
    named = [file for file in (pdf, html) if file is not None]
    if not named:
        return
    with progress("looking for a place", extra="documents"):
        from houseway.sim.histogram import check_picture

        for file in named:
            check_picture(file, "document")
    if len({Path(file).absolute() for file in named}) < len(named):
        raise Refused(
            Reason.GIVEN_TWICE, f"file {pdf!r} is given for both --pdf and --html; name two files"
        )


def write_documents(document: "Document", pdf: str | None, html: str | None) -> None:
    """Write a document to the files that were named for it."""
    from houseway.documents.print_sheet import pdf_of
    from houseway.documents.web_page import html_of

    for file, lay_out in ((pdf, pdf_of), (html, html_of)):
        if file is None:
            continue
        try:
            Path(file).write_bytes(lay_out(document))
        except OSError as error:
            raise Refused(
                Reason.BAD_ARGUMENT, f"document {file!r} cannot be written: {error.strerror}"
            ) from None


def print_refusal(refused: Refused, *, as_json: bool) -> None:
    """A refusal: a document on standard output, or a sentence on standard error."""
    message = "".join(sign if sign.isprintable() else "?" for sign in refused.message)
    shown = Refused(refused.reason, message, refused.clause)
    if as_json:
        print_json(shown.to_json())
    else:
        clause = f" [{shown.clause}]" if shown.clause else ""
        print(f"houseway: {message}{clause}", file=sys.stderr)


def pairs(texts: Iterable[str], what: str, example: str) -> dict[str, str]:
    """The NAME=VALUE texts as a mapping; refused when one has no '=' or a name stands twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise Refused(Reason.BAD_ARGUMENT, f"{what} {text!r} cannot be read; write {example}")
        if name in found:
            raise Refused(Reason.GIVEN_TWICE, f"{what} {name!r} is given twice; give it once")
        found[name] = value.strip()
    return found


def paytable_pairs(texts: Iterable[str]) -> list[tuple[str | None, str]]:
    """The BET=CODE texts and bare designators as (bet, code) and (None, code)."""
    found: list[tuple[str | None, str]] = []
    for text in texts:
        bet, equals, code = text.partition("=")
        if not bet.strip() or (equals and not code.strip()):
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"paytable {text!r} cannot be read; write BET=CODE or a designator such as TCP-05",
            )
        found.append((bet.strip(), code.strip()) if equals else (None, text.strip()))
    return found


def parse_wagers(texts: Iterable[str]) -> dict[str, int]:
    """Cents by bet, from NAME=AMOUNT in dollars."""
    stakes = pairs(texts, "bet", "NAME=AMOUNT, such as ante=10")
    return {name: parse_amount(amount, f"wager on {name}") for name, amount in stakes.items()}


def parse_meters(texts: list[str]) -> int | dict[str, int] | None:
    """One amount, or one per level."""
    if not texts:
        return None
    if any("=" in text for text in texts):
        named = pairs(texts, "meter", "AMOUNT or LEVEL=AMOUNT, such as mega=50000")
        return {
            level: parse_amount(amount, f"meter {level}", zero=True)
            for level, amount in named.items()
        }
    if len(texts) > 1:
        raise Refused(
            Reason.GIVEN_TWICE,
            f"meter {texts[1]!r} is a second amount; name the levels, such as mega=50000",
        )
    return parse_amount(texts[0], "meter", zero=True)


def table(*columns: str, title: str | None = None, right: Iterable[str] = ()) -> Table:
    """An empty table in the house style."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(
            column,
            justify="right" if column in right else "left",
            no_wrap=column in KEPT_WHOLE,
        )
    return made


KEPT_WHOLE = ("no.", "bet", "wager", "outcome", "net", "clause", "status", "code", "hand", "pays")
"""Columns that never wrap, however narrow the terminal."""


def cards_rich(cards: Iterable[int]) -> Text:
    """Cards with coloured suit signs, 'K♥ 9♣ 4♦', or letters where signs cannot be shown."""
    text = Text()
    signs = can_show("".join(SUIT_SIGNS.values()))
    for number, card in enumerate(cards):
        written = card_text(card)
        rank, suit = written[0].replace("T", "10"), written[1]
        text.append(" " if number else "")
        text.append(rank + (SUIT_SIGNS[suit] if signs else suit), style=SUIT_STYLES[suit])
    return text


def seen_cards(cards: Iterable[str]) -> Text:
    """Cards of a view with suit signs; one that may not be seen shows its back."""
    text = Text()
    for number, card in enumerate(cards):
        text.append(" " if number else "")
        if card == HIDDEN:
            text.append("##", style="dim")
        else:
            text.append_text(cards_rich(parse_cards(card)))
    return text


HIDDEN = "??"
"""A card that the viewer may not see, as a view has it."""


def can_show(text: str) -> bool:
    """True when standard output can write the text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def show_lines(lines: "Sequence[Line]") -> None:
    """Pay lines as a table with the sum below; one under the other in a narrow terminal."""
    screen = console()
    if screen.width >= NARROW:
        screen.print(lines_table(lines))
        return
    for line in lines:
        bet = line.bet if line.hand is None else f"{line.bet} {line.hand}"
        screen.print(f"{bet}  {line.outcome}  {dollars_text(line.net, sign=True)}  {line.clause}")
        screen.print(Padding(line.why, (0, 0, 0, 2)))
    screen.print(f"net  {dollars_text(sum(line.net for line in lines), sign=True)}")


NARROW = 70


def lines_table(lines: "Iterable[Line]") -> Table:
    """Pay lines as a table, with the sum below."""
    made = table("bet", "wager", "outcome", "net", "clause", "why", right=("wager", "net"))
    total = 0
    for line in lines:
        bet = line.bet if line.hand is None else f"{line.bet} {line.hand}"
        style = OUTCOME_STYLES[line.outcome]
        made.add_row(
            bet,
            dollars_text(line.wager),
            Text(line.outcome, style=style),
            Text(dollars_text(line.net, sign=True), style=style),
            line.clause,
            line.why,
        )
        total += line.net
    made.add_section()
    made.add_row("net", "", "", Text(dollars_text(total, sign=True), style="bold"), "", "")
    return made
