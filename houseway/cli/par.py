"""`houseway par`: the par sheet of a game."""

import csv as csv_writer
import os
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from houseway.cli.arguments import (
    Flag,
    GameOrProgressiveText,
    Given,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    fill_in,
)
from houseway.cli.output import (
    check_documents,
    console,
    pairs,
    parse_meters,
    parse_wagers,
    paytable_pairs,
    print_json,
    progress,
    table,
    write_documents,
)
from houseway.games import GAMES
from houseway.names import PROGRESSIVE_CODES
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.exact.sheet import ParSheet

COLUMNS = ("house_edge", "element_of_risk", "hit_frequency", "push_frequency")


@fill_in
def par(
    game: GameOrProgressiveText = None,
    *,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    bet: Annotated[list[str], Repeated] = [],
    meter: Annotated[list[str], Repeated] = [],
    seats: str | None = None,
    strategy: str = "optimal",
    bands: Annotated[bool, Flag] = False,
    no_cache: Annotated[bool, Flag] = False,
    pdf: Annotated[str | None, Given] = None,
    html: Annotated[str | None, Given] = None,
    author: Annotated[str | None, Given] = None,
    fractions: Annotated[bool, Flag] = False,
    csv: Annotated[bool, Flag] = False,
    markdown: Annotated[bool, Flag] = False,
    json: Json = False,
) -> None:
    """Every figure of every bet of a game, exact, from the rules that pay people.

    Without --paytable every paytable of every bet is shown. Figures are derived when asked;
    only compiled code is kept between runs. Examples:

    `houseway par {second} --option {second_option} --fractions`

    `houseway par {first} --paytable TCP-05 --pdf par.pdf --html par.html`

    Parameters
    ----------
    bet
        A mix of wagers to price together, NAME=AMOUNT; may be given several times.
    meter
        What stands on the meter in dollars, AMOUNT or LEVEL=AMOUNT, to price a progressive at.
    seats
        Add the spread of a whole table of 1 to 7 seats, with the wagers of --bet on each.
    strategy
        optimal; or joint, which weighs bets of --bet that hang together.
    bands
        Add the volatility index of every bet, and how far the average of many rounds may lie from
        the edge; --json always has them.
    no_cache
        Compile and count anew, and keep nothing.
    pdf
        Write the whole par sheet, in twenty parts, to this file as PDF.
    html
        Write the same sheet to this file as one HTML page without scripts.
    author
        Who answers for the sheet, for its first part.
    fractions
        Show the exact fractions instead of percentages.
    csv
        Print comma-separated values.
    markdown
        Print a Markdown table.
    """
    known = [*(g.code for g in GAMES), *PROGRESSIVE_CODES]
    if game not in known:
        given = "no game is given" if game is None else f"game {game!r} is unknown"
        raise Refused(Reason.UNKNOWN_GAME, f"{given}; known: {listed(known)}")
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    wagers = parse_wagers(bet)
    _check_documents(pdf, html, author)
    if no_cache:
        os.environ["HOUSEWAY_NO_CACHE"] = "1"
    with progress(f"counting {game}"):
        from houseway.exact.pricing import par as par_sheet

        sheet = par_sheet(
            game,
            options,
            paytable_pairs(paytable),
            bets=wagers,
            meter=parse_meters(meter),
            seats=None if seats is None else _seats(seats),
            strategy=strategy,
        )
    if pdf or html:
        typed = [*_typed("--bet", bet), *_typed("--meter", meter)]
        typed += [] if seats is None else ["--seats", seats]
        typed += [] if strategy == "optimal" else ["--strategy", strategy]
        with progress(f"making the par sheet of {game}", extra="documents"):
            from houseway.documents.par_sheet import par_sheet as lay_out
            from houseway.documents.subject import make_subject

            subject = make_subject(
                game, options, paytable_pairs(paytable), sheet=sheet, author=author, more=typed
            )
            write_documents(lay_out(subject), pdf, html)
    if json:
        print_json(sheet.to_json())
    elif csv:
        _print_csv(sheet)
    elif markdown:
        _print_markdown(sheet)
    else:
        _show(sheet, fractions=fractions)
        if bands:
            _show_bands(sheet)
        for file in filter(None, (pdf, html)):
            console().print(f"par sheet written to {file}", markup=False)


def _check_documents(pdf: str | None, html: str | None, author: str | None) -> None:
    if pdf is None and html is None and author is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"author {author!r} is for a document; give --pdf FILE or --html FILE beside it",
        )
    check_documents(pdf, html)


def _typed(name: str, texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from (name, text)


def _seats(text: str) -> int:
    if text not in {"1", "2", "3", "4", "5", "6", "7"}:
        raise Refused(Reason.UNKNOWN_VALUE, f"seats {text!r} is not a number from 1 to 7")
    return int(text)


def _rows(sheet: "ParSheet", *, fractions: bool) -> Iterator[list[str]]:
    for row in sheet.rows:
        document = row.to_json()
        figures = [Fraction(document[name]) for name in COLUMNS]
        shown = [str(value) if fractions else f"{float(value):.4%}" for value in figures]
        yield [row.bet, row.paytable or "", *shown, f"{row.law.standard_deviation:.4f}"]


HEADINGS = ("bet", "paytable", "house edge", "element of risk", "hit", "push", "sd")


def _show(sheet: "ParSheet", *, fractions: bool) -> None:
    screen = console()
    screen.print(f"[bold]{sheet.game}[/bold]  [dim]{sheet.strategy} play[/dim]")
    if sheet.rows:
        shown = table(*HEADINGS, right=HEADINGS[2:])
        for cells in _rows(sheet, fractions=fractions):
            shown.add_row(*cells)
        screen.print(shown)
    _show_progressives(sheet)
    for row in sheet.rows:
        plain: Any = row.extra.get("simple_strategies")
        if plain:
            named = table("played by", "house edge", "costs", right=("house edge", "costs"))
            for name, figures in plain.items():
                edge, cost = float(figures["house_edge"]), float(figures["cost"])
                named.add_row(name.replace("_", " "), f"{edge:.4%}", f"{cost:.4%}")
            screen.print(f"\n[bold]{row.bet} {row.paytable or ''}[/bold] by simple strategies")
            screen.print(named)
    for title, figures in (
        ("Together", sheet.joint),
        ("All bets of the mix", sheet.whole_game),
        ("Played with all bets in mind", sheet.joint_optimum),
        ("The table", sheet.table),
    ):
        if figures:
            screen.print(f"\n[bold]{title}[/bold]")
        for name, value in figures.items():
            if isinstance(value, Fraction | float | int):
                screen.print(f"{name.replace('_', ' ')}: {float(value):.6g}")


def _show_bands(sheet: "ParSheet") -> None:
    """Volatility indices, and half widths of the confidence bands, by bet."""
    from houseway.exact.bands import BAND_LEVEL, LEVELS, ROUNDS

    levels = [f"{level:.0%}" for level in LEVELS]
    rounds = [f"1e{len(str(count)) - 1}" for count in ROUNDS]
    indices = table("bet", "paytable", *levels, right=levels)
    widths = table("bet", "paytable", "house edge", *rounds, right=("house edge", *rounds))
    for row in sheet.rows:
        figures: Any = row.bands
        name = (row.bet, row.paytable or "")
        indices.add_row(*name, *(f"{index:.4f}" for index in figures["volatility_index"].values()))
        bands = [figures["confidence_bands"][str(count)] for count in ROUNDS]
        halves = [f"{(band['high'] - band['low']) / 2:.4%}" for band in bands]
        widths.add_row(*name, f"{float(row.house_edge):.4%}", *halves)
    screen = console()
    if not sheet.rows:
        screen.print("\nBands are of bets with fixed pays; the bets of this sheet are not.")
        return
    screen.print(
        "\n[bold]Volatility index[/bold]: so near to the edge lies a single round, in units"
    )
    screen.print(indices)
    screen.print(
        f"\n[bold]{BAND_LEVEL:.0%} bands[/bold]: so near to the edge lies the average of so many "
        "rounds, by the normal law"
    )
    screen.print(widths)


def _show_progressives(sheet: "ParSheet") -> None:
    if not sheet.progressives:
        return
    headings = ("progressive", "fixed return", "hit", "break-even meter", "envy a hand", "edge")
    shown = table(*headings, right=headings[1:])
    for row in sheet.progressives:
        document = row.to_json()
        even = document["break_even_meter"]
        edge = document.get("house_edge")
        shown.add_row(
            document["paytable"],
            f"{float(Fraction(document['fixed_return'])):.4%}",
            f"{float(Fraction(document['hit_frequency'])):.4%}",
            "several meters" if even is None else f"${float(Fraction(even)):,.2f}",
            f"${float(Fraction(document['envy_per_other_hand'])):.4f}",
            "" if edge is None else f"{float(Fraction(edge)):.4%}",
        )
    console().print()
    console().print(shown)
    folded = sheet.options.folded_hand_progressive
    if folded != "eligible":
        console().print(
            f"Every hand counts here, folded or not. With folded_hand_progressive={folded} "
            "a fold gives the wager up; --json has that too.",
            style="dim",
        )


def _print_csv(sheet: "ParSheet") -> None:
    writer = csv_writer.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["bet", "paytable", *COLUMNS, "standard_deviation"])
    writer.writerows(_rows(sheet, fractions=True))


def _print_markdown(sheet: "ParSheet") -> None:
    print(f"| {' | '.join(HEADINGS)} |")
    print("|" + "---|" * len(HEADINGS))
    for cells in _rows(sheet, fractions=False):
        print(f"| {' | '.join(cells)} |")
