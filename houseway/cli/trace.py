"""`houseway trace`: clause to code to test."""

from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Json
from houseway.cli.output import console, print_json, table
from houseway.refusal import Reason, Refused, listed
from houseway.rules.trace import to_json
from houseway.rules.trace import trace as trace_clauses

STATUSES = ("tested", "untested", "no_software")
STYLES = {"tested": "green", "untested": "red", "no_software": "dim"}


def trace(
    prefix: str | None = None,
    *,
    status: Annotated[str | None, Parameter(help="Only tested, untested or no_software.")] = None,
    json: Json = False,
) -> None:
    """Every clause of the sources with the code that carries it out and the tests that show it.

    Example: `houseway trace TCP --status untested`

    Parameters
    ----------
    prefix
        Only clauses whose id begins so: TSR, TSB, TCP, SCB, FUP, PGM, PNX, PML, PRC, CMP, ACE.
    """
    if status is not None and status not in STATUSES:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"status {status!r} is unknown; known: {listed(STATUSES)}"
        )
    everything = trace_clauses()
    traced = tuple(
        entry
        for entry in everything
        if entry.id.startswith((prefix or "").upper()) and status in (None, entry.status)
    )
    if prefix and not any(entry.id.startswith(prefix.upper()) for entry in everything):
        known = dict.fromkeys(entry.id[:3] for entry in everything)
        raise Refused(
            Reason.UNKNOWN_CLAUSE, f"no clause begins with {prefix!r}; known: {listed(known)}"
        )
    if json:
        print_json(to_json(traced))
        return
    shown = table("clause", "status", "code", "tests", "text", right=("code", "tests"))
    for entry in traced:
        shown.add_row(
            entry.id,
            f"[{STYLES[entry.status]}]{entry.status}[/]",
            str(len(entry.code)),
            str(len(entry.tests)),
            entry.text,
        )
    console().print(shown)
    counts = {name: sum(entry.status == name for entry in traced) for name in STATUSES}
    console().print(
        f"{len(traced)} clauses: " + ", ".join(f"{n} {name}" for name, n in counts.items())
    )
