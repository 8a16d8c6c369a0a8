"""`houseway verify`: the printed figures against the exact ones."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json
from houseway.cli.output import console, print_json, progress, table
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.exact.verify import Judged

VERDICTS = ("exact", "rounds", "truncates", "wrong")
STYLES = {"exact": "green", "rounds": "green", "truncates": "yellow", "wrong": "red"}


def verify(
    *,
    verdict: Annotated[
        str | None, Parameter(help="Only exact, rounds, truncates or wrong.")
    ] = None,
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
    which another is better, --full and --json all of them. Examples:

    `houseway verify --verdict wrong`

    `houseway verify --full`
    """
    if verdict is not None and verdict not in VERDICTS:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"verdict {verdict!r} is unknown; known: {listed(VERDICTS)}"
        )
    with progress("deriving every printed figure"):
        from houseway.exact.verify import verify as judged

        found = [entry for entry in judged() if verdict in (None, entry.verdict)]
    if json:
        print_json({"claims": [entry.to_json() for entry in found]})
        return
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
    if full:
        _show_departures(found)
    counts = Counter(entry.verdict for entry in found)
    parts = [f"{counts[name]} {name}" for name in VERDICTS if counts[name]]
    console().print(f"{len(found)} claims: {', '.join(parts)}")


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
