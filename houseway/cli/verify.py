"""`houseway verify`: the printed figures against the exact ones."""

from collections import Counter
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json
from houseway.cli.output import console, print_json, progress, table
from houseway.refusal import Reason, Refused, listed

VERDICTS = ("exact", "rounds", "truncates", "wrong")
STYLES = {"exact": "green", "rounds": "green", "truncates": "yellow", "wrong": "red"}


def verify(
    *,
    verdict: Annotated[
        str | None, Parameter(help="Only exact, rounds, truncates or wrong.")
    ] = None,
    json: Json = False,
) -> None:
    """Every figure and chart cell that the sources print, with a verdict at its own precision.

    `exact` is equal, `rounds` is equal after rounding half up to the printed decimals,
    `truncates` after cutting, `wrong` is neither. Example: `houseway verify --verdict wrong`
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
    counts = Counter(entry.verdict for entry in found)
    parts = [f"{counts[name]} {name}" for name in VERDICTS if counts[name]]
    console().print(f"{len(found)} claims: {', '.join(parts)}")
