"""Bands: how far the average of many rounds of one bet may lie from its edge.

The bands are those of the normal law: good for 1e4 rounds and more, rough for 1e3 of a bet that
pays rarely. They are floats, since a square root and a quantile are in them.
"""

from dataclasses import replace

from houseway.exact.sheet import Figure, ParRow
from houseway.exact.spread import confidence_band, volatility_index

LEVELS = (0.90, 0.95, 0.99)
BAND_LEVEL = 0.99
ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)


def with_bands(row: ParRow) -> ParRow:
    """The row with its volatility index and with bands of what the house wins a round."""
    deviation = row.law.standard_deviation
    indices: dict[str, Figure] = {
        f"{level:.2f}": volatility_index(deviation, level) for level in LEVELS
    }
    bands: dict[str, Figure] = {
        str(rounds): {"low": band.low, "high": band.high}
        for rounds in ROUNDS
        for band in [confidence_band(row.house_edge, deviation, rounds, BAND_LEVEL)]
    }
    return replace(
        row,
        bands={
            "volatility_index": indices,
            "confidence_level": BAND_LEVEL,
            "confidence_bands": bands,
        },
    )
