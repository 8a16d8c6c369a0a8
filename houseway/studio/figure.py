"""Figure: a number of the studio, as the fraction it is and as a decimal to look at."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Told = Callable[[dict[str, Any]], None]
"""Called with what is known so far."""


def exact(value: Fraction) -> dict[str, Any]:
    """The figure as plain data."""
    return {"exact": str(value), "value": float(value)}


def nobody(_: dict[str, Any]) -> None:
    """Hears how far something is where nobody wants to."""
