"""Claims: every figure that the sources print, as data for the claim checker.

One claim per printed occurrence, with the line it stands on and the text as printed. Nothing
here is a result of ours, and no result of ours is taken from here.
"""

from dataclasses import asdict, dataclass
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


@cache
def note_cells() -> tuple[Claim, ...]:
    """The two notes under the chart, hand by hand and total by total (TSB-27).

    The first speaks of the hands that it names, against the up cards whose cells bear its mark;
    the second of hands by their number of cards and total, against every up card.
    """
    chart = catalog("claims")["chart"]
    marked, counted = chart_notes()
    up_cards = [
        cell.up_card for cell in chart_cells() if cell.printed == marked["mark"] and cell.up_card
    ]
    said: list[tuple[str, str, str, str]] = []
    for rule in marked["double"]:
        for up_card in up_cards:
            printed = "D" if up_card in rule["up_cards"] else marked["otherwise"]
            said.append((marked["source"], "-".join(rule["hand"]), up_card, printed))
    for total in counted["totals"]:
        for up_card in chart["up_cards"]:
            printed = counted["decision"]
            for rule in counted["except"]:
                if total == rule["total"] and up_card in rule["up_cards"]:
                    printed = rule["decision"]
            said.append((counted["source"], f"{counted['cards']}-card-{total}", up_card, printed))
    cells = tuple(
        Claim(
            id=f"{source}/{chart['bet']}/note/{hand}/{up_card}",
            source=source,
            game=chart["game"],
            bet=chart["bet"],
            paytable=None,
            figure="note",
            hand=hand,
            up_card=up_card,
            options=MappingProxyType(chart["options"]),
            printed=printed,
            unit=None,
        )
        for source, hand, up_card, printed in said
    )
    _check_ids(cells)
    return cells


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
    reason: str
    """Why it has no verdict."""

    def to_json(self) -> dict[str, str]:
        """The range as plain data."""
        return {
            "low": str(self.low),
            "high": str(self.high),
            "clause": self.clause,
            "source": self.source,
        }


@cache
def printed_holds() -> tuple[PrintedHold, ...]:
    """The holds that the sources print (TSB-24)."""
    return tuple(
        PrintedHold(
            game=entry["game"],
            clause=entry["clause"],
            source=entry["source"],
            low=_share(entry["printed"][0]),
            high=_share(entry["printed"][1]),
            reason=entry["reason"],
        )
        for entry in catalog("claims")["holds"]
    )


def printed_hold(game: str) -> PrintedHold | None:
    """The hold that is printed for a game, None where there is none (TSB-24)."""
    return next((hold for hold in printed_holds() if hold.game == game), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSpeed:
    """A share by which a source says that a machine is quicker than older ones."""

    clause: str
    source: str
    quicker: Fraction
    reason: str
    """Why it has no verdict."""


@cache
def printed_speeds() -> tuple[PrintedSpeed, ...]:
    """The speeds that the sources print, one for each line they stand on (ACE-04)."""
    return tuple(
        PrintedSpeed(
            clause=entry["clause"],
            source=source,
            quicker=_share(entry["printed"]),
            reason=entry["reason"],
        )
        for entry in catalog("claims")["speeds"]
        for source in entry["source"]
    )


def _share(printed: str) -> Fraction:
    return Fraction(printed.removesuffix("%")) / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Numbers in the sources that say nothing about a game, by the lines they stand on.

    `which` says which numbers of a line are meant: 'all', 'first', 'words' for those that stand
    in the words `words`, or 'letters' for letters in the place of digits. The numbers themselves
    are not repeated here: some are telephone numbers and signatures.
    """

    kind: str
    reason: str
    which: str
    words: str | None
    source: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The entry as `houseway verify --json` prints it under `noise`."""
        return {
            "kind": self.kind,
            "reason": self.reason,
            "which": self.which,
            "words": self.words,
            "source": list(self.source),
        }


@cache
def noise() -> tuple[Noise, ...]:
    """Everything printed in digits that is neither a figure nor a rule, with the reason."""
    return tuple(
        Noise(
            kind=entry["kind"],
            reason=entry["reason"],
            which=entry.get("which", "all"),
            words=entry.get("words"),
            source=tuple(entry["source"]),
        )
        for entry in catalog("noise")["noise"]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How the numbers of one source are accounted for, counted by a walk over its text."""

    source: str
    numbers: int
    claims: int
    paytables: int
    clauses: int
    noise: int
    uncovered: int

    def to_json(self) -> dict[str, object]:
        """The counts as plain data."""
        return asdict(self)


@cache
def coverage() -> tuple[Coverage, ...]:
    """The numbers of each source by what accounts for them, as last walked.

    The sources are not shipped; `tests/tools/source_numbers.py` walks over them.
    """
    return tuple(Coverage(**entry) for entry in catalog("noise")["walked"])


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
