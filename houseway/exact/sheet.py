"""Sheet: a par sheet as a typed object, every figure a fraction."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any, Protocol

from houseway.exact.law import Law
from houseway.games.registry import shown_options
from houseway.house.options import Chosen
from houseway.refusal import Reason, Refused

Figure = Fraction | str | int | float | None | Mapping[str, "Figure"]


class ToJson(Protocol):
    """Anything that can be given as plain data."""

    def to_json(self) -> dict[str, Any]:
        """The plain data."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ParRow:
    """One bet under one paytable. Figures are per unit first wagered."""

    bet: str
    paytable: str | None
    law: Law
    wagered: Fraction = Fraction(1)
    """Expected total wagered per unit first wagered."""
    extra: Mapping[str, Figure] = field(default_factory=dict)
    bands: Mapping[str, Figure] = field(default_factory=dict)
    """Volatility index and confidence bands, where they were asked for."""

    @property
    def house_edge(self) -> Fraction:
        """Expected loss per unit first wagered, positive for the house."""
        return -self.law.mean

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss over expected total wagered."""
        return self.house_edge / self.wagered

    def to_json(self) -> dict[str, Any]:
        """The row as plain data; exact values are text that Fraction reads."""
        law = self.law
        return {
            "bet": self.bet,
            "paytable": self.paytable,
            "house_edge": str(self.house_edge),
            "element_of_risk": str(self.element_of_risk),
            "hit_frequency": str(law.hit_frequency),
            "push_frequency": str(law.push_frequency),
            "variance": str(law.variance),
            "standard_deviation": law.standard_deviation,
            "distribution": [[str(net), str(p)] for net, p in law.distribution],
            **plain(self.extra),
            **plain(self.bands),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheet:
    """Every bet of a game, with the options and the way of playing behind the figures."""

    game: str
    options: Chosen
    strategy: str
    rows: tuple[ParRow, ...]
    progressives: tuple[ToJson, ...] = ()
    """Rows of progressive bets, whose worth depends on the meters."""
    joint: Mapping[str, Figure] = field(default_factory=dict)
    whole_game: Mapping[str, Figure] = field(default_factory=dict)
    """All bets of a mix of wagers together, where one is given."""
    joint_optimum: Mapping[str, Figure] = field(default_factory=dict)
    table: Mapping[str, Figure] = field(default_factory=dict)

    def row(self, bet: str, paytable: str | None = None) -> ParRow:
        """The row of a bet and, where it has several, of a paytable."""
        for found in self.rows:
            if found.bet == bet and paytable in (None, found.paytable):
                return found
        raise Refused(
            Reason.UNKNOWN_BET,
            f"the sheet of {self.game} has no row {bet!r} with paytable {paytable!r}",
        )

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway par --json`."""
        document: dict[str, Any] = {
            "game": self.game,
            "options": shown_options(self.game, self.options),
            "strategy": self.strategy,
            "bets": [row.to_json() for row in (*self.rows, *self.progressives)],
        }
        for name in ("whole_game", "joint_optimum", "table"):
            if getattr(self, name):
                document[name] = plain(getattr(self, name))
        if self.joint:
            document["joint"] = plain(self.joint)
        return document

    def columns(self) -> dict[str, list[object]]:
        """The sheet column by column; `pandas.DataFrame(sheet.columns())` makes a frame of it."""
        rows = [dict(_cells(row)) for row in self.rows]
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}

    def _repr_html_(self) -> str:
        return html_table(self.columns())


def html_table(columns: Mapping[str, list[Any]]) -> str:
    """Columns as a table for a notebook; behind a percentage lies its fraction."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_shown(value)}</td>" for value in cells) + "</tr>"
        for cells in zip(*columns.values(), strict=True)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: ParRow) -> Iterator[tuple[str, object]]:
    yield "bet", row.bet
    yield "paytable", row.paytable
    yield "house_edge", row.house_edge
    yield "element_of_risk", row.element_of_risk
    yield "hit_frequency", row.law.hit_frequency
    yield "push_frequency", row.law.push_frequency
    yield "standard_deviation", row.law.standard_deviation


def _shown(value: object) -> str:
    if isinstance(value, Fraction):
        return f'<span title="{value}">{float(value):.4%}</span>'
    if isinstance(value, float):
        return f"{value:.4f}"
    return escape("" if value is None else str(value))


def plain(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures as plain data: fractions become text that Fraction reads."""
    return {name: _plain(value) for name, value in figures.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return plain(value) if isinstance(value, Mapping) else value
