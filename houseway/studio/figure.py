"""Figure: a number of the studio, as the fraction it is and as a decimal to look at."""

from fractions import Fraction
from typing import Any


def exact(value: Fraction) -> dict[str, Any]:
    """The figure as plain data."""
    return {"exact": str(value), "value": float(value)}
