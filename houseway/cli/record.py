"""`houseway record`: the records of a floor, for a printer or as JSON."""

import sys
from collections.abc import Collection, Mapping
from datetime import datetime
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

from cyclopts import App, Parameter

from houseway import __version__
from houseway.cli.arguments import Json, read_count
from houseway.cli.journal import read_journal
from houseway.cli.output import check_documents, print_json, progress, write_documents
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.cli.journal import Happened
    from houseway.floor.records import Opened

Database = Annotated[
    str,
    Parameter(help="Where the journal is: sqlite:///FILE or postgresql://USER@HOST/NAME."),
]
Link = Annotated[str, Parameter(help="The name of a link.")]
Given = Parameter(show_default=False)

HELP = """Records of a floor, worked out from its events, for a printer of 80 columns or as JSON.

Reading writes nothing, and a floor may go on meanwhile.

Example: `houseway record win-page --link L --page 1 --database sqlite:///floor.sqlite`
"""


def __getattr__(name: str) -> App:
    """The command, made anew for whoever loads it: what loads it may describe it otherwise."""
    if name != "record":
        raise AttributeError(name)
    app = App(name="record", help=HELP, result_action="return_value")
    for command in (win_page, slip, progressive, reconciliation, deposit, coin_in, meters):
        app.command(command)
    return app


def win_page(
    *,
    link: Link,
    page: Annotated[str, Parameter(help="The number of the page.")],
    database: Database,
    reprint: Annotated[str | None, Given] = None,
    pdf: Annotated[str | None, Given] = None,
    html: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """One win page: who won what, at which table, and who confirmed it.

    To read it writes nothing. A page that is printed again says so: `--reprint` writes that into
    the journal, and the copy and every later one is marked with its number. The PIN of the card
    is asked for, or read from standard input. Examples:

    `houseway record win-page --link L --page 1 --database sqlite:///floor.sqlite`

    `houseway record win-page --link L --page 1 --reprint s1 --database sqlite:///floor.sqlite`

    `houseway record win-page --link L --page 1 --pdf page.pdf --database sqlite:///floor.sqlite`

    Parameters
    ----------
    reprint
        The card of a supervisor, executive, auditor or of the cage who prints it again.
    pdf
        A file for the page as PDF, with lines to sign.
    html
        A file for the same as one page for a browser.
    """
    check_documents(pdf, html)
    found = _find_page(database, link, page)
    if reprint is not None:
        key = _print_again(database, found, reprint)
        found = _find_page(database, link, page)
        # Somebody else's reprint may have come after this one.
        keys = [again["key"] for again in found["reprints"]]
        found["reprints"] = found["reprints"][: keys.index(key) + 1]
    _write("win_page", found, pdf, html)
    _show("win-page", found, as_json=json)


def slip(
    *,
    link: Link,
    slip: Annotated[str, Parameter(help="The number of the slip.")],
    database: Database,
    pdf: Annotated[str | None, Given] = None,
    html: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """One adjustment slip: both people, the reason, before and after, and its award.

    Example: `houseway record slip --link L --slip 1 --database sqlite:///floor.sqlite`

    Parameters
    ----------
    pdf
        A file for the slip as PDF, with lines to sign.
    html
        A file for the same as one page for a browser.
    """
    check_documents(pdf, html)
    with read_journal(database) as events:
        from houseway.floor.records import adjustment_slips

        _find_link(events, link)
        slips = [found for found in adjustment_slips(events) if found["link"] == link]
    found = _numbered(slips, slip, "slip", link)
    _write("adjustment_slip", found, pdf, html)
    _show("slip", found, as_json=json)


def _write(paper: str, found: Mapping[str, Any], pdf: str | None, html: str | None) -> None:
    """Write a record to the files that were named for it."""
    if pdf is None and html is None:
        return
    with progress("making the document", extra="documents"):
        from houseway.documents import slips

        write_documents(getattr(slips, paper)(found), pdf, html)


def progressive(
    *,
    link: Link,
    database: Database,
    level: Annotated[str | None, Given] = None,
    date: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """The opening amount of a meter, every change explained, and the amount on a date.

    Example: `houseway record progressive --link L --date 2026-01-31 --database
    sqlite:///floor.sqlite`

    Parameters
    ----------
    level
        single, mega, major or minor; every level of the link unless told.
    date
        The day at whose end the amount is asked for, YYYY-MM-DD in UTC; today unless told.
    """
    with read_journal(database) as events:
        from houseway.floor.records import amounts_on

        opened = _find_link(events, link)
        levels = opened.levels
        if level is not None:
            levels = [_one_of(level, levels, "level", f" to link {link}")]
        until = _read_day(date, link, opened.at[:10])
        found = amounts_on(events, link, levels, until)
    _show("progressive", found, as_json=json)


def reconciliation(*, link: Link, database: Database, json: Json = False) -> None:
    """What came into the accounts of a link and went out, by cause and table, to the cent.

    Parts of a cent that are carried stand beside. Example:

    `houseway record reconciliation --link L --database sqlite:///floor.sqlite`
    """
    with read_journal(database) as events:
        from houseway.floor.records import reconciliation as reconciled

        _find_link(events, link)
        found = reconciled(events, link)
    _show("reconciliation", found, as_json=json)


def deposit(*, link: Link, database: Database, json: Json = False) -> None:
    """What must stand in the bank for a link, what does, and when the next deposit is due.

    Example: `houseway record deposit --link L --database sqlite:///floor.sqlite`
    """
    with read_journal(database) as events:
        from houseway.floor.records import deposit_worksheet

        _find_link(events, link)
        found = deposit_worksheet(events, link)
    _show("deposit", found, as_json=json)


def coin_in(*, database: Database, json: Json = False) -> None:
    """Wagers taken by table and day, what void rounds gave back, what was put by for players.

    Example: `houseway record coin-in --database sqlite:///floor.sqlite`
    """
    with read_journal(database) as events:
        from houseway.floor.records import coin_in as taken
        from houseway.floor.records import coin_in_total

        lines = taken(events)
    _show("coin-in", {"lines": lines, "total": coin_in_total(lines)}, as_json=json)


def meters(
    *, database: Database, link: Annotated[str | None, Given] = None, json: Json = False
) -> None:
    """Every meter of every link and level at one moment, with settings and awards that wait.

    Example: `houseway record meters --database sqlite:///floor.sqlite`

    Parameters
    ----------
    link
        Only this link.
    """
    with read_journal(database) as events:
        from houseway.floor.records import meters_snapshot

        if link is not None:
            _find_link(events, link)
        found = meters_snapshot(events)
    found["links"] = [one for one in found["links"] if link in (None, one["link"])]
    _show("meters", found, as_json=json)


def _show(record: str, data: Mapping[str, Any], *, as_json: bool) -> None:
    from houseway.floor.paper import printed
    from houseway.journal.timekeeper import utc_now

    made = {"version": __version__, "made_at": utc_now()}
    if as_json:
        print_json({"title": record, **made, **data})
    else:
        sys.stdout.write(printed(record, data, **made))


def _find_page(database: str, link: str, page: str) -> dict[str, Any]:
    with read_journal(database) as events:
        from houseway.floor.records import win_pages

        _find_link(events, link)
        pages = [found for found in win_pages(events) if found["link"] == link]
    return _numbered(pages, page, "win page", link)


def _print_again(database: str, page: Mapping[str, Any], card: str) -> str:
    """Have the journal keep that a page is printed again; returns the key it is known by."""
    pin, key = _read_pin(card), f"reprint:{uuid4().hex}"
    asked = {"link": page["link"], "page": page["page"]}
    with progress("writing to the journal", extra="floor"):
        from houseway.floor.model import FloorModel
        from houseway.floor.service import Floor
        from houseway.journal.blame import blamed

        with blamed(database, FloorModel()), Floor(database) as floor:
            floor.do(card, "reprint_page", asked, key=key, pin=pin)
    return key


def _read_pin(card: str) -> str:
    """The PIN of a card, typed unseen or from a pipe; what is no PIN is not tried on the card."""
    if sys.stdin is not None and sys.stdin.isatty():
        pin = getpass(f"PIN of card {card}: ")
    else:
        pin = sys.stdin.readline().strip() if sys.stdin is not None else ""
    if not pin:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"no PIN of card {card!r} is given; type it, or write it to standard input",
        )
    return pin


def _find_link(events: "Happened", link: str) -> "Opened":
    from houseway.floor.records import links_of

    links = links_of(events)
    return links[_one_of(link, links, "link")]


def _one_of(text: str, known: Collection[str], what: str, to: str = "") -> str:
    if text not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"{what} {text!r} is unknown{to}; known: {listed(sorted(known)) or 'none yet'}",
        )
    return text


def _numbered(found: list[dict[str, Any]], text: str, what: str, link: str) -> dict[str, Any]:
    """The record of a number; they are numbered from 1 without gaps."""
    if not found:
        raise Refused(Reason.UNKNOWN_VALUE, f"{what} {text!r} is unknown; link {link} has none yet")
    return found[read_count(text, what, len(found)) - 1]


def _read_day(text: str | None, link: str, first: str) -> str:
    """A day on which a link stood, today unless told."""
    from houseway.journal.timekeeper import utc_now

    # A clock that was put back does not end a record before it begins.
    today = max(utc_now()[:10], first)
    if text is None:
        return today
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise Refused(
            Reason.UNKNOWN_DATE, f"date {text!r} is no date; write YYYY-MM-DD, such as {today}"
        ) from None
    if not first <= day <= today:
        raise Refused(
            Reason.UNKNOWN_DATE,
            f"date {text!r} is not in the record of link {link}; it is from {first} to {today}",
        )
    return day
