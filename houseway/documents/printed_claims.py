"""Printed claims: what the sources print of a game, beside what is counted."""

from collections.abc import Iterator
from fractions import Fraction

from houseway.documents.document import Block, Table, Text
from houseway.documents.study import Study
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name, number, percent
from houseway.exact.unjudged import unjudged
from houseway.exact.verify import Judged, verify


def claims_compared(study: Study) -> Iterator[Block]:
    """Part 19: every printed figure of the game against the exact one."""
    judged = list(verify(study.subject.code))
    if not judged:
        yield Text(text="The sources print no figure for this game.")
        return
    figures = [found for found in judged if found.claim.figure not in ("decision", "note")]
    cells = [found for found in judged if found.claim.figure == "decision"]
    notes = [found for found in judged if found.claim.figure == "note"]
    count = sum(found.verdict == "wrong" for found in figures)
    yield Text(
        text=f"{len(figures)} printed figures, of which {count} are wrong at the decimals printed. "
        "Each is held against the exact figure under the options that its source speaks of."
    )
    yield Table(
        caption="Printed figures against exact ones",
        columns=("source", "figure", "printed", "exact", "verdict", "note"),
        rows=tuple(_claim_row(found) for found in figures),
        right=("printed", "exact"),
    )
    for entry in unjudged(study.subject.code):
        yield Text(
            text=f"{entry.source} prints a {entry.figure} of {entry.printed}. {entry.reason}"
        )
        yield Text(text=entry.note)
    if not cells:
        return
    good = sum(found.verdict != "wrong" for found in cells)
    good_notes = sum(found.verdict != "wrong" for found in notes)
    yield Text(
        text=f"The printed chart of decisions has {len(cells)} cells; {good} "
        "are the best decision for the hands they cover. Its notes speak of "
        f"{len(notes)} more; {good_notes} of these are the best."
    )
    wrong = [found for found in cells + notes if found.verdict == "wrong"]
    if wrong:
        yield Table(
            caption="Decisions of the printed chart that are not the best",
            columns=("source", "hand", "up card", "printed", "best"),
            rows=tuple(
                (
                    found.claim.source,
                    str(found.claim.hand),
                    str(found.claim.up_card),
                    found.claim.printed,
                    str(found.exact),
                )
                for found in wrong
            ),
        )


def _claim_row(found: Judged) -> tuple[str, ...]:
    claim = found.claim
    parts = [*(bet_name(bet) for bet in claim.bet.split("+")), claim.paytable, claim.hand]
    options = [f"{name}={value}" for name, value in claim.options.items()]
    figure = " ".join(spaced(part) for part in (*filter(None, parts), claim.figure, *options))
    exact = Fraction(found.exact)
    rate = "%" in claim.printed or claim.unit == "percent"
    shown = percent(exact, 6) if rate else number(exact, 8)
    return claim.source, figure, claim.printed, shown, found.verdict, found.note or ""
