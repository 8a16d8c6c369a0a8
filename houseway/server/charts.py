"""Charts: a report as a picture, drawn here, so that a page needs no script and prints well.

A chart says nothing that is not in the rows below it: who does not look reads those.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from houseway.floor.day import WHOLE_DAY
from houseway.floor.statement import Statement
from houseway.refusal import Reason, Refused, listed
from houseway.sim.histogram import drawn

Spec = dict[str, Any]
MOST_POINTS = 5_000
DOLLARS = {"format": "$,.0f"}
INK = {"light": "#16201b", "dark": "#e9efeb"}
LINES = {"light": "#c3ccc6", "dark": "#36433c"}
ACCENT = {"light": "#1b5e44", "dark": "#74d3a4"}


def _meters(found: Statement, accent: str) -> Spec:
    """What stood on each meter, by the clock of the floor."""
    # An award and the new start after it are one event: what stood between them nobody has seen.
    last = {(row["link"], row["level"], row["record"]): row for row in found.rows}
    rows = list(last.values())
    zone = ZoneInfo(found.time_zone)
    values = [
        {
            "at": _local(row["at"], zone),
            "meter": _meter(row),
            "dollars": row["amount_cents"] / 100,
        }
        for row in rows[:: max(1, len(rows) // MOST_POINTS)]
    ]
    one_day = found.period.first == found.period.last
    time = {"format": "%H:%M" if one_day else "%m-%d %H:%M", "labelOverlap": True, "tickCount": 6}
    # A meter never comes near nothing, and its growth would not be seen from there.
    scale = {"zero": False, "nice": True}
    return {
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": "step-after", "color": accent},
        "encoding": {
            "x": {"field": "at", "type": "temporal", "title": None, "axis": time},
            "y": {
                "field": "dollars",
                "type": "quantitative",
                "title": None,
                "axis": {"format": "$,.2f", "tickCount": 4},
                "scale": scale,
            },
            "row": {"field": "meter", "type": "nominal", "title": None},
        },
        "resolve": {"scale": {"y": "independent"}},
        "height": 120,
    }


def _local(at: str, zone: ZoneInfo) -> str:
    """A time of the journal as a clock on the wall shows it, in a way that is drawn as it is."""
    return datetime.fromisoformat(at).astimezone(zone).replace(tzinfo=None).isoformat()


def _meter(row: Mapping[str, Any]) -> str:
    return str(row["link"]) if row["level"] == "single" else f"{row['link']} {row['level']}"


def _held(row: Mapping[str, Any]) -> bool:
    """True of a session of which a hold is known."""
    return row.get("win_cents") is not None and bool(row.get("table") and row.get("drop_cents"))


def _hold(found: Statement, accent: str) -> Spec:
    """Win divided by drop, table by table, of what is counted."""
    sums: dict[str, list[int]] = {}
    for row in filter(_held, found.rows):
        of_table = sums.setdefault(row["table"], [0, 0])
        of_table[0] += row["win_cents"]
        of_table[1] += row["drop_cents"]
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


def _expected(found: Statement, accent: str) -> Spec:
    """What was won beside what was to be expected, with the band of 95 in 100."""
    one_day = found.period.first == found.period.last
    values = [
        {
            "of": _of(row, one_day=one_day),
            **{name: row[f"{name}_cents"] / 100 for name in ("won", "expected", "low", "high")},
        }
        for row in found.rows[:200]
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


def _of(row: Mapping[str, Any], *, one_day: bool) -> str:
    """Which row it is, with no more than tells it from the others."""
    day = "" if one_day else f" {row['day']}"
    return f"{row['table']}{day}" + ("" if row["shift"] == WHOLE_DAY else f" {row['shift']}")


DRAWN = {"progressive": _meters, "master": _hold, "expected": _expected}
"""Reports that have a chart."""


def is_drawn(found: Statement) -> bool:
    """True where there is something to be drawn."""
    if found.name not in DRAWN or "rows" in found.columns:
        return False
    return any(map(_held, found.rows)) if found.name == "master" else bool(found.rows)


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
        # Letters may be wider where it is looked at than where it was drawn.
        "padding": {"left": 24, "right": 12, "top": 5, "bottom": 5},
        **draw(found, ACCENT[theme]),
        "config": {
            "axis": {**axis, "tickColor": line, "labelFontSize": 12},
            "header": {"labelColor": ink, "labelFontSize": 13},
            "view": {"stroke": line},
            "point": {"color": ink},
        },
    }
    return drawn(spec).encode()
