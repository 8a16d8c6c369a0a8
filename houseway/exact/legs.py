"""Legs: a bet that is won when none of several others is lost, joined and multiplied."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple


class Legs(NamedTuple):
    """How often no leg is lost, counted together, and what multiplying would have said."""

    bet: str
    """The bet that needs all legs."""
    won: Fraction
    product: Fraction
    """The chances of the legs, multiplied as if they shared no cards."""
    multiplied_edge: Fraction
    """What that would make of the house edge."""
    pairs: Mapping[str, Fraction]
    """How often two legs are not lost together, by their names."""
