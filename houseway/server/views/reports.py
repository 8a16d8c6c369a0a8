"""Views of reports: what the server sends, as types."""

from typing import Any

from typing_extensions import TypedDict


class ReportName(TypedDict):
    """A report that may be asked for."""

    name: str
    title: str


class Reports(TypedDict):
    """The reports there are."""

    day: str
    time_zone: str
    day_begins: str
    shifts: list[str]
    tables: list[str]
    groups: list[str]
    reports: list[ReportName]


class Report(TypedDict):
    """A report for a period."""

    name: str
    title: str
    version: str
    first: str
    last: str
    table: str
    shift: str
    made_at: str
    as_of: bool
    """True where it tells how things stood at the end of the last day."""
    time_zone: str
    columns: list[str]
    rows: list[dict[str, Any]]
    """As many as a screen is given; `count` is how many there are."""
    count: int
    totals: dict[str, int]
    chart: bool
    """True where the report can be drawn: GET /api/reports/{name}/chart."""
