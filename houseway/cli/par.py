"""`houseway par`: the par sheet of a game."""

import csv as csv_writer
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cli.output import (
    Json,
    OptionTexts,
    PaytableTexts,
    console,
    pairs,
    paytable_pairs,
    print_json,
    progress,
    table,
)
from houseway.games import GAMES, game_of
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.exact.sheet import ParSheet

Flag = Parameter(negative=(), show_default=False)
COLUMNS = ("house_edge", "element_of_risk", "hit_frequency", "push_frequency")


def par(
    game: str | None = None,
    *,
    paytable: PaytableTexts = [],  # noqa: B006 - cyclopts shows and copies it
    option: OptionTexts = [],  # noqa: B006
    fractions: Annotated[bool, Flag] = False,
    csv: Annotated[bool, Flag] = False,
    markdown: Annotated[bool, Flag] = False,
    json: Json = False,
) -> None:
    """Every figure of every bet of a game, exact, from the rules that pay people.

    Without --paytable every paytable of every bet is shown. Figures are derived when asked;
    only compiled code is kept between runs. Example:

    `houseway par triple-shot-bonus --option dealer_soft_17=stand --fractions`

    Parameters
    ----------
    game
        three-card-poker, three-card-poker-face-up, triple-shot-rummy or triple-shot-bonus.
    fractions
        Show the exact fractions instead of percentages.
    csv
        Print comma-separated values.
    markdown
        Print a Markdown table.
    """
    if game is None:
        raise Refused(
            Reason.UNKNOWN_GAME, f"no game is given; known: {listed(g.code for g in GAMES)}"
        )
    game_of(game)
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    with progress(f"counting {game}"):
        from houseway.exact.par import par as par_sheet

        sheet = par_sheet(game, options, paytable_pairs(paytable))
    if json:
        print_json(sheet.to_json())
    elif csv:
        _print_csv(sheet)
    elif markdown:
        _print_markdown(sheet)
    else:
        _show(sheet, fractions=fractions)


def _rows(sheet: "ParSheet", *, fractions: bool) -> Iterator[list[str]]:
    for row in sheet.rows:
        document = row.to_json()
        figures = [Fraction(document[name]) for name in COLUMNS]
        shown = [str(value) if fractions else f"{float(value):.4%}" for value in figures]
        yield [row.bet, row.paytable or "", *shown, f"{row.law.standard_deviation:.4f}"]


HEADINGS = ("bet", "paytable", "house edge", "element of risk", "hit", "push", "sd")


def _show(sheet: "ParSheet", *, fractions: bool) -> None:
    screen = console()
    screen.print(f"[bold]{game_of(sheet.game).name}[/bold]  [dim]{sheet.strategy} play[/dim]")
    shown = table(*HEADINGS, right=HEADINGS[2:])
    for cells in _rows(sheet, fractions=fractions):
        shown.add_row(*cells)
    screen.print(shown)
    for row in sheet.rows:
        plain: Any = row.extra.get("simple_strategies")
        if plain:
            named = table("played by", "house edge", "costs", right=("house edge", "costs"))
            for name, figures in plain.items():
                edge, cost = float(figures["house_edge"]), float(figures["cost"])
                named.add_row(name.replace("_", " "), f"{edge:.4%}", f"{cost:.4%}")
            screen.print(f"\n[bold]{row.bet} {row.paytable or ''}[/bold] by simple strategies")
            screen.print(named)
    if sheet.joint:
        screen.print("\n[bold]Together[/bold]")
        for name, value in sheet.joint.items():
            if isinstance(value, Fraction):
                screen.print(f"{name.replace('_', ' ')}: {float(value):.6%}")


def _print_csv(sheet: "ParSheet") -> None:
    writer = csv_writer.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["bet", "paytable", *COLUMNS, "standard_deviation"])
    writer.writerows(_rows(sheet, fractions=True))


def _print_markdown(sheet: "ParSheet") -> None:
    print(f"| {' | '.join(HEADINGS)} |")
    print("|" + "---|" * len(HEADINGS))
    for cells in _rows(sheet, fractions=False):
        print(f"| {' | '.join(cells)} |")
