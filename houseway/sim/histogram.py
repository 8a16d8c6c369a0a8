"""Histogram: results of rounds or sessions in a few bars, for the terminal and as a picture."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houseway.house.money import dollars_text
from houseway.refusal import Reason, Refused

BARS = 17
TAIL = 0.001
"""What is left to the first and the last bar where results reach far."""


SCHEMA = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json"}


@dataclass(frozen=True, slots=True)
class Bar:
    """Results from `low` to just below `high`, in cents; None where a bar is open."""

    low: int | None
    high: int | None
    share: float

    @property
    def words(self) -> str:
        """The range as people read it."""
        if self.low is None:
            return f"below {dollars_text(self.high or 0, sign=True)}"
        if self.high is None:
            return f"{dollars_text(self.low, sign=True)} or more"
        if self.high - self.low <= 1:
            return dollars_text(self.low, sign=True)
        return f"{dollars_text(self.low, sign=True)} to {dollars_text(self.high, sign=True)}"


def bars(
    results: Sequence[tuple[int, int]],
    most: int = BARS,
    *,
    each: int = 1,
    last: int | None = None,
) -> list[Bar]:
    """Results (cents, count) in ascending order, as bars of one width with open ends.

    Results may be counted by ranges that are `each` cents wide; then cents are where one begins,
    and the one that begins at `last` has no end.
    """
    total = sum(count for _, count in results)
    if not total:
        return []
    if len(results) <= most:
        return [
            Bar(cents, None if cents == last else cents + each, count / total)
            for cents, count in results
        ]
    low, high = _quantile(results, total, TAIL), _quantile(results, total, 1 - TAIL)
    width = _round_width(max(each, -(-(high - low) // (most - 2))))
    first = low // width * width
    shares: dict[int, int] = {}
    for cents, count in results:
        place = min(max((cents - first) // width, -1), most - 2)
        shares[place] = shares.get(place, 0) + count
    found = []
    for place in range(min(shares), max(shares) + 1):
        left = None if place == -1 else first + place * width
        right = first + (place + 1) * width
        endless = place == most - 2 or (last is not None and right > last)
        found.append(Bar(left, None if endless else right, shares.get(place, 0) / total))
    return found


def _quantile(results: Sequence[tuple[int, int]], total: int, share: float) -> int:
    seen = 0
    for cents, count in results:
        seen += count
        if seen >= share * total:
            return cents
    return results[-1][0]


def _round_width(width: int) -> int:
    """The next width of 1, 2 or 5 times a power of ten."""
    power = 1
    while True:
        for step in (1, 2, 5):
            if step * power >= width:
                return step * power
        power *= 10


def bar_chart(found: Sequence[Bar], title: str, what: str) -> dict[str, Any]:
    """The bars as a chart, for `write_picture`."""
    rows = [
        {"range": bar.words, "order": place, "share": bar.share} for place, bar in enumerate(found)
    ]
    axis = {"labelLimit": 260}
    return {
        "title": title,
        "width": 560,
        "height": {"step": 18},
        "data": {"values": rows},
        "mark": {"type": "bar", "color": "#2f6f6a"},
        "encoding": {
            "y": {
                "field": "range",
                "type": "nominal",
                "sort": {"field": "order"},
                "title": what,
                "axis": axis,
            },
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": "share",
                "axis": {"format": "%"},
            },
        },
    }


def check_picture(path: str, what: str = "picture") -> None:
    """Refuse a place where nothing can be written, before anything is dealt for it."""
    place = Path(path)
    folder, problem = place.parent, None
    try:
        if not folder.is_dir():
            problem = f"there is no folder '{folder}'"
        elif place.is_dir():
            problem = "it is a folder"
        elif not os.access(place if place.exists() else folder, os.W_OK):
            problem = "that is not allowed"
    except OSError as error:
        problem = error.strerror
    if problem:
        raise Refused(Reason.BAD_ARGUMENT, f"{what} {path!r} cannot be written: {problem}")


def drawn(spec: dict[str, Any]) -> str:
    """A chart as SVG; refused where it cannot be drawn."""
    try:
        import vl_convert
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"a picture needs module {error.name!r}; install houseway with the extra 'charts'",
        ) from None
    return str(vl_convert.vegalite_to_svg({**SCHEMA, **spec}))


def write_picture(path: str, spec: dict[str, Any]) -> None:
    """Write a chart as SVG; refused where it cannot be drawn or written."""
    picture = drawn(spec)
    try:
        Path(path).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"picture {path!r} cannot be written: {error.strerror}"
        ) from None
