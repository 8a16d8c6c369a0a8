"""Bet figures: edge, risk, return, hits, spread and bands of every bet, one table each."""

from collections.abc import Iterator
from typing import Any

from houseway.documents.document import Block, Text, figures_table
from houseway.documents.study import Study
from houseway.documents.words import number, percent
from houseway.exact.bands import BAND_LEVEL, LEVELS, ROUNDS
from houseway.exact.sheet import ParRow


def house_edge(study: Study) -> Iterator[Block]:
    """Part 5: the edge of every bet, exact."""
    yield figures_table(
        "House edge per unit first wagered",
        ("fraction", "per cent"),
        ((name, str(row.house_edge), percent(row.house_edge, 6)) for name, row in study.rows),
    )


def element_of_risk(study: Study) -> Iterator[Block]:
    """Part 6: what is wagered in all on average, and the share of it that is lost."""
    yield figures_table(
        "Average total wager, and what is lost of it",
        ("average wager", "element of risk", "per cent"),
        (
            (
                name,
                number(row.wagered),
                str(row.element_of_risk),
                percent(row.element_of_risk, 6),
            )
            for name, row in study.rows
        ),
    )


def return_to_player(study: Study) -> Iterator[Block]:
    """Part 7: what comes back of a unit."""
    yield figures_table(
        "Return to player per unit first wagered",
        ("fraction", "per cent"),
        (
            (name, str(1 - row.house_edge), percent(1 - row.house_edge, 6))
            for name, row in study.rows
        ),
    )


def hit_frequency(study: Study) -> Iterator[Block]:
    """Part 8: how often a bet wins, pushes and loses."""
    yield figures_table(
        "How often a bet wins, pushes and loses",
        ("hit frequency", "win", "push", "lose", "one win in"),
        (
            (
                name,
                str(row.law.hit_frequency),
                percent(row.law.hit_frequency, 6),
                percent(row.law.push_frequency, 6),
                percent(1 - row.law.hit_frequency - row.law.push_frequency, 6),
                f"{float(1 / row.law.hit_frequency):,.2f}",
            )
            for name, row in study.rows
        ),
    )


def variance(study: Study) -> Iterator[Block]:
    """Part 9: variance and standard deviation."""
    yield figures_table(
        "Variance and standard deviation",
        ("variance per round", "sd per round", "sd per unit wagered"),
        (
            (
                name,
                str(row.law.variance),
                number(row.law.standard_deviation),
                number(row.law.standard_deviation / float(row.wagered)),
            )
            for name, row in study.rows
        ),
    )
    yield Text(
        text="Per round is in units first wagered; per unit wagered divides by the average wager."
    )


def volatility(study: Study) -> Iterator[Block]:
    """Part 10: the volatility index at every level."""
    yield figures_table(
        "Volatility index: the half width of the band of one round",
        tuple(f"{level:.0%}" for level in LEVELS),
        (
            (name, *(number(index) for index in _bands(row)["volatility_index"].values()))
            for name, row in study.rows
        ),
    )


def confidence(study: Study) -> Iterator[Block]:
    """Part 11: bands of what the house keeps, by rounds."""
    yield Text(
        text=f"The house's share of the first wagers over so many rounds lies between these with "
        f"a probability of {BAND_LEVEL:.0%}, by the normal law; rough for bets that pay rarely."
    )
    yield figures_table(
        f"{BAND_LEVEL:.0%} bands by rounds",
        tuple(f"{count:,}" for count in ROUNDS),
        (
            (
                name,
                *(
                    f"{percent(band['low'], 2)} to {percent(band['high'], 2)}"
                    for band in _bands(row)["confidence_bands"].values()
                ),
            )
            for name, row in study.rows
        ),
    )


def _bands(row: ParRow) -> Any:
    return row.bands
