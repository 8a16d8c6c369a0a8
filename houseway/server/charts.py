"""Charts: a report as a picture, drawn here, so that a page needs no script and prints well.

A chart says nothing that is not in the rows below it: who does not look reads those.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from houseway.floor.statement import Statement
from houseway.refusal import Reason, Refused, listed
from houseway.sim.histogram import drawn

Spec = dict[str, Any]
MOST_POINTS = 5_000
DOLLARS = {"format": "$,.0f"}
INK = {"light": "#16201b", "dark": "#e9efeb"}
LINES = {"light": "#c3ccc6", "dark": "#36433c"}
ACCENT = {"light": "#1b5e44", "dark": "#74d3a4"}


def _meters(rows: Sequence[Mapping[str, Any]], accent: str) -> Spec:
    """What stood on each meter."""
    thinned = rows[:: max(1, len(rows) // MOST_POINTS)]
    values = [
        {"at": row["at"], "meter": _meter(row), "dollars": row["amount_cents"] / 100}
        for row in thinned
    ]
    return {
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": "step-after", "color": accent},
        "encoding": {
            "x": {"field": "at", "type": "temporal", "title": None},
            "y": {"field": "dollars", "type": "quantitative", "title": None, "axis": DOLLARS},
            "row": {"field": "meter", "type": "nominal", "title": None},
        },
        "resolve": {"scale": {"y": "independent"}},
        "height": 120,
    }


def _meter(row: Mapping[str, Any]) -> str:
    return str(row["link"]) if row["level"] == "single" else f"{row['link']} {row['level']}"


def _hold(rows: Sequence[Mapping[str, Any]], accent: str) -> Spec:
    """Win divided by drop, table by table, of what is counted."""
    sums: dict[str, list[int]] = {}
    for row in rows:
        if row.get("win_cents") is not None and row.get("table") and row.get("drop_cents"):
            found = sums.setdefault(row["table"], [0, 0])
            found[0] += row["win_cents"]
            found[1] += row["drop_cents"]
    values = [{"table": table, "hold": win / drop} for table, (win, drop) in sorted(sums.items())]
    return {
        "data": {"values": values},
        "mark": {"type": "bar", "color": accent},
        "encoding": {
            "y": {"field": "table", "type": "nominal", "title": None},
            "x": {
                "field": "hold",
                "type": "quantitative",
                "title": "hold",
                "axis": {"format": ".0%"},
            },
        },
    }


def _expected(rows: Sequence[Mapping[str, Any]], accent: str) -> Spec:
    """What was won beside what was to be expected, with the band of 95 in 100."""
    values = [
        {
            "of": f"{row['table']} {row['day']} {row['shift']}",
            **{name: row[f"{name}_cents"] / 100 for name in ("won", "expected", "low", "high")},
        }
        for row in rows[:200]
    ]
    y = {"field": "of", "type": "nominal", "title": None}

    def x(name: str) -> Spec:
        return {"field": name, "type": "quantitative", "title": None, "axis": DOLLARS}

    return {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "color": accent, "opacity": 0.3, "height": 12},
                "encoding": {"y": y, "x": x("low"), "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "tick", "color": accent, "thickness": 2},
                "encoding": {"y": y, "x": x("expected")},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"y": y, "x": x("won")},
            },
        ],
    }


DRAWN = {"progressive": _meters, "master": _hold, "expected": _expected}
"""Reports that have a chart."""


def chart(found: Statement, theme: str) -> bytes:
    """The chart of a report as SVG; refused where it has none."""
    draw = DRAWN.get(found.name)
    if draw is None:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"report {found.name!r} has no chart; those that have: {listed(DRAWN)}",
        )
    if "rows" in found.columns:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"report {found.name!r} has no chart where its rows are added up; ask without a group",
        )
    ink, line = INK[theme], LINES[theme]
    axis = {"labelColor": ink, "titleColor": ink, "gridColor": line, "domainColor": line}
    spec = {
        "width": 640,
        "background": "transparent",
        **draw(found.rows, ACCENT[theme]),
        "config": {
            "axis": {**axis, "tickColor": line, "labelFontSize": 12},
            "header": {"labelColor": ink, "labelFontSize": 13},
            "view": {"stroke": line},
            "point": {"color": ink},
        },
    }
    return drawn(spec).encode()
