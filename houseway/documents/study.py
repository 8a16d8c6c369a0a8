"""Study: the subject of a sheet with every bet that has an edge of its own, by name."""

from typing import NamedTuple

from houseway.documents.meter_figures import eligible_rows, row_at, standing
from houseway.documents.subject import Subject
from houseway.documents.words import bet_name
from houseway.exact.sheet import ParRow


class Study(NamedTuple):
    """What a sheet is about, and the rows that its figures are of."""

    subject: Subject
    rows: tuple[tuple[str, ParRow], ...]


def study_of(subject: Subject) -> Study:
    """Every bet with fixed pays, and for a progressive by itself every meter it is priced at."""
    if not subject.is_progressive:
        named = [(bet_name(row.bet, row.paytable), row) for row in subject.sheet.rows]
        return Study(subject, tuple(named))
    rows = [
        (f"{found.name}, at {label}", row_at(found, meters, subject.options))
        for found in eligible_rows(subject)
        for label, meters in standing(subject, found.row)
    ]
    return Study(subject, tuple(rows))
