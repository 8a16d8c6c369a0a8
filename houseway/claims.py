"""Claims: every figure that the sources print, as data for the claim checker.

One claim per printed occurrence, with the line it stands on and the text as printed. Nothing
here is a result of ours, and no result of ours is taken from here.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from houseway.catalog import catalog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One printed figure. `unit` is 'percent' where the percent sign stands only in a heading."""

    id: str
    source: str
    game: str
    bet: str
    paytable: str | None
    figure: str
    hand: str | None
    up_card: str | None
    options: "Mapping[str, str]"
    printed: str
    unit: str | None


@cache
def printed_figures() -> tuple[Claim, ...]:
    """The printed numbers: edges, frequencies, probabilities and pay-outs.

    Rummy (TSR-37), the 6 Card Bonus (SCB-04), par per Ante (TCP-25), Face Up (FUP-10), and the
    sheets and analysis of Triple Shot Bonus (TSB-25, TSB-26, TSB-28, TSB-33).
    """
    claims = tuple(claim for entry in catalog("claims")["figures"] for claim in _figures(entry))
    _check_ids(claims)
    return claims


@cache
def chart_cells() -> tuple[Claim, ...]:
    """The cells of the printed blackjack chart, 18 hands against 10 up cards (TSB-27)."""
    chart = catalog("claims")["chart"]
    cells: list[Claim] = []
    for row in chart["rows"]:
        for up_card, printed in zip(chart["up_cards"], row["cells"], strict=True):
            cells.append(
                Claim(
                    id=f"{row['source']}/{chart['bet']}/decision/{row['hand']}/{up_card}",
                    source=row["source"],
                    game=chart["game"],
                    bet=chart["bet"],
                    paytable=None,
                    figure="decision",
                    hand=row["hand"],
                    up_card=up_card,
                    options=MappingProxyType(chart["options"]),
                    printed=printed,
                    unit=None,
                )
            )
    _check_ids(cells)
    return tuple(cells)


def chart_notes() -> tuple[dict[str, Any], ...]:
    """The two notes under the chart, as data (TSB-27)."""
    return tuple(catalog("claims")["chart"]["notes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedHold:
    """A hold that a source expects of a game, from low to high; how it was got is not printed."""

    game: str
    clause: str
    source: str
    low: Fraction
    high: Fraction

    def to_json(self) -> dict[str, str]:
        """The range as plain data."""
        return {
            "low": str(self.low),
            "high": str(self.high),
            "clause": self.clause,
            "source": self.source,
        }


def printed_hold(game: str) -> PrintedHold | None:
    """The hold that is printed for a game, None where there is none (TSB-24)."""
    for entry in catalog("claims")["holds"]:
        if entry["game"] == game:
            low, high = (Fraction(part.removesuffix("%")) / 100 for part in entry["printed"])
            return PrintedHold(
                game=game, clause=entry["clause"], source=entry["source"], low=low, high=high
            )
    return None


def _figures(entry: dict[str, Any]) -> "Iterator[Claim]":
    """The claims of one printed line: a list runs along it, a single value stands for all."""
    printed: list[str] = entry["printed"]

    def along(key: str) -> list[Any]:
        value = entry.get(key)
        values = value if isinstance(value, list) else [value] * len(printed)
        if len(values) != len(printed):
            raise ValueError(
                f"{entry['source']}: {key!r} has {len(values)} of {len(printed)} values"
            )
        return values

    lists = [along(key) for key in ("bet", "paytable", "figure", "hand", "options", "tag")]
    for text, bet, paytable, figure, hand, options, tag in zip(printed, *lists, strict=True):
        parts = (entry["source"], paytable or bet, figure, hand, tag)
        yield Claim(
            id="/".join(part for part in parts if part),
            source=entry["source"],
            game=entry["game"],
            bet=bet,
            paytable=paytable or None,
            figure=figure,
            hand=hand,
            up_card=None,
            options=MappingProxyType(options or {}),
            printed=text,
            unit=entry.get("unit"),
        )


def _check_ids(claims: "tuple[Claim, ...] | list[Claim]") -> None:
    seen: set[str] = set()
    for claim in claims:
        if claim.id in seen:
            raise ValueError(f"claim {claim.id!r} stands twice")
        seen.add(claim.id)
