"""`houseway verify`: the printed figures against the exact ones."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.catalog.claims import coverage, noise
from houseway.cli.arguments import Json
from houseway.cli.output import console, print_json, progress, table
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.exact.unjudged import Unjudged
    from houseway.exact.verify import Judged

NOT_JUDGED = "not_judged"
VERDICTS = ("exact", "rounds", "truncates", "wrong")
STYLES = {"exact": "green", "rounds": "green", "truncates": "yellow", "wrong": "red"}


def verify(
    *,
    verdict: Annotated[
        str | None, Parameter(help="Only exact, rounds, truncates, wrong or not_judged.")
    ] = None,
    numbers: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help="List the numbers that are noise, and what accounts for all others.",
        ),
    ] = False,
    full: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help="List every hand for which a cell of the chart is not the best, with its cost.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Every figure and chart cell that the sources print, with a verdict at its own precision.

    `exact` is equal, `rounds` is equal after rounding half up to the printed decimals,
    `truncates` after cutting, `wrong` is neither. A cell of the chart is exact when its decision
    is the best single one for all hands that come to it; the note names the dearest hands for
    which another is better, --full and --json all of them. `not_judged` are figures that no
    count can confirm, with the reason and with what can be computed. Examples:

    `houseway verify --verdict wrong`

    `houseway verify --full`

    `houseway verify --verdict not_judged --numbers`
    """
    known = (*VERDICTS, NOT_JUDGED)
    if verdict is not None and verdict not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"verdict {verdict!r} is unknown; known: {listed(known)}"
        )
    with progress("deriving every printed figure"):
        from houseway.exact.unjudged import unjudged
        from houseway.exact.verify import verify as judged

        found: list[Judged] = []
        if verdict != NOT_JUDGED:
            found = [entry for entry in judged() if verdict in (None, entry.verdict)]
        explained = list(unjudged()) if verdict in (None, NOT_JUDGED) else []
    if json:
        print_json(
            {
                "claims": [entry.to_json() for entry in found],
                "not_judged": [entry.to_json() for entry in explained],
                "noise": [entry.to_json() for entry in noise()],
                "coverage": [entry.to_json() for entry in coverage()],
            }
        )
        return
    if verdict != NOT_JUDGED:
        _show_claims(found)
    if full:
        _show_departures(found)
    if explained:
        _show_unjudged(explained)
    if numbers:
        _show_numbers()
    counts = Counter(entry.verdict for entry in found)
    parts = [f"{counts[name]} {name}" for name in VERDICTS if counts[name]]
    parts += [f"{len(explained)} not judged"] if explained else []
    console().print(f"{len(found) + len(explained)} claims: {', '.join(parts)}")
    if not numbers:
        console().print(_numbers_line())


def _numbers_line() -> str:
    """How many numbers the sources print, and how many are noise or unexplained."""
    rows = coverage()
    printed, said_nothing = sum(row.numbers for row in rows), sum(row.noise for row in rows)
    unexplained = sum(row.uncovered for row in rows)
    return (
        f"The sources print {printed} numbers: {said_nothing} are noise, {unexplained} are "
        "unexplained; --numbers lists them."
    )


def _show_claims(found: "list[Judged]") -> None:
    """Every claim with its verdict."""
    shown = table("claim", "printed", "exact", "verdict", "note", right=("printed", "exact"))
    for entry in found:
        style = STYLES[entry.verdict]
        exact = entry.exact if isinstance(entry.exact, str) else f"{float(entry.exact):.6%}"
        shown.add_row(
            entry.claim.id,
            entry.claim.printed,
            exact,
            f"[{style}]{entry.verdict}[/]",
            entry.note or "",
        )
    console().print(shown)


def _show_unjudged(explained: "list[Unjudged]") -> None:
    """Every figure without a verdict, with why it has none and what can be said of it."""
    shown = table("claim", "printed", "why it is not judged", "what can be said", "clause")
    for entry in explained:
        shown.add_row(entry.id, entry.printed, entry.reason, entry.note, entry.clause)
    console().print("\n[bold]Figures that software cannot check[/bold]")
    console().print(shown)
    console().print()


def _show_numbers() -> None:
    """Numbers that are noise, and the counts of all numbers by what accounts for them."""
    shown = table("noise", "which", "lines", "reason")
    for entry in noise():
        which = f"in {entry.words!r}" if entry.words else entry.which
        shown.add_row(entry.kind, which, listed(entry.source), entry.reason)
    console().print("\n[bold]Numbers that say nothing about a game[/bold]")
    console().print(shown)
    columns = ("source", "numbers", "claims", "paytables", "clauses", "noise", "uncovered")
    counted = table(*columns, right=columns[1:])
    for row in coverage():
        counted.add_row(*(str(value) for value in row.to_json().values()))
    console().print("\n[bold]Numbers by what accounts for them[/bold]")
    console().print(counted)
    console().print()


def _show_departures(found: "list[Judged]") -> None:
    """Every hand of every cell for which another decision is better, dearest of its cell first."""
    headings = ("hand", "against", "printed", "better", "costs a round", "claim")
    shown = table(*headings, right=("costs a round",))
    for entry in found:
        for hand in entry.departures:
            cost = f"{float(hand.cost):.3g}"
            up_card = str(entry.claim.up_card)
            shown.add_row(hand.hand, up_card, hand.printed, hand.best, cost, entry.claim.id)
    console().print("\n[bold]Hands that are better played otherwise than the chart says[/bold]")
    console().print(shown if shown.row_count else "none among these claims")
    console().print()
