"""Picture: charts as SVG by Vega-Lite, in colours that follow the page they stand on."""

from collections.abc import Sequence
from typing import Any

from houseway.sim.histogram import SCHEMA

FELT = "#2f6f6a"
INK = "currentColor"
FONT = "Liberation Sans"
"""A font that vl-convert brings along, so that text is measured alike on every machine."""
CONFIG = {
    "font": FONT,
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "tickColor": INK,
        "domainColor": INK,
        "gridColor": INK,
        "gridOpacity": 0.15,
        "labelLimit": 240,
    },
    "view": {"stroke": None},
}


def bars(rows: Sequence[tuple[str, float]], what: str) -> str:
    """Bars that lie, one for each row, in the order of the rows."""
    values = [{"name": name, "value": value} for name, value in rows]
    name = {
        "field": "name",
        "type": "nominal",
        "sort": [name for name, _ in rows],
        "title": None,
    }
    value = {"field": "value", "type": "quantitative", "title": what}
    return svg_of(
        {
            "width": 460,
            "height": {"step": 17},
            "data": {"values": values},
            "mark": {"type": "bar", "color": FELT},
            "encoding": {"y": name, "x": value},
        }
    )


def line(points: Sequence[tuple[float, float]], across: str, up: str) -> str:
    """A line through points, with the level of nothing marked."""
    values = [{"x": x, "y": y} for x, y in points]
    x = {"field": "x", "type": "quantitative", "title": across, "axis": {"format": "$,.0f"}}
    y = {"field": "y", "type": "quantitative", "title": up, "axis": {"format": ".0%"}}
    nothing = {"mark": {"type": "rule", "color": INK, "strokeDash": [4, 3]}}
    return svg_of(
        {
            "width": 460,
            "height": 200,
            "data": {"values": values},
            "layer": [
                {"mark": {"type": "line", "color": FELT}, "encoding": {"x": x, "y": y}},
                {**nothing, "encoding": {"y": {"datum": 0}}},
            ],
        }
    )


def svg_of(spec: dict[str, Any]) -> str:
    """The chart of a Vega-Lite specification."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(
        {**SCHEMA, "background": None, "config": CONFIG, **spec}
    )
    return drawn
