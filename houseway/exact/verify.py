"""Verify: every printed figure against the exact one, each at its own precision.

A verdict is `exact` when they are equal, `rounds` when the exact figure rounds half up to the
printed decimals, `truncates` when it cuts to them, and `wrong` otherwise. Trailing zeros are
digits. Printed figures are never used as results.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from houseway.cards.hands import FiveCard
from houseway.catalog.claims import Claim, chart_cells, note_cells, printed_figures
from houseway.exact import chart
from houseway.exact.blackjack import blackjack
from houseway.exact.pricing import par
from houseway.exact.sheet import ParSheet
from houseway.exact.three_card import six_card_counts
from houseway.games import game_of
from houseway.games.base import net_units
from houseway.games.library import designator, paytable_of
from houseway.games.triple_shot_bonus.rules import poker
from houseway.house.options import Chosen, parse_options


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim with the exact figure and the verdict on it."""

    claim: Claim
    exact: Fraction | str
    verdict: str
    note: str | None
    departures: tuple[chart.Departure, ...] = ()
    """Hands for which a cell of the chart is not the best, dearest first."""

    def to_json(self) -> dict[str, object]:
        """The claim as `houseway verify --json` prints it."""
        claim = self.claim
        return {
            "id": claim.id,
            "source": claim.source,
            "bet": claim.bet,
            "paytable": claim.paytable,
            "figure": claim.figure,
            "options": dict(claim.options),
            "printed": claim.printed,
            "exact": str(self.exact),
            "verdict": self.verdict,
            "note": self.note,
            "departures": [departure.to_json() for departure in self.departures],
        }


def verify(game: str | None = None) -> Iterator[Judged]:
    """Every printed figure and every cell of the printed chart, judged; of one game where told."""
    sheets: dict[tuple[str, tuple[tuple[str, str], ...]], ParSheet] = {}
    for claim in printed_figures():
        if game not in (None, claim.game):
            continue
        key = (claim.game, tuple(claim.options.items()))
        if key not in sheets:
            sheets[key] = par(claim.game, dict(claim.options))
        exact = exact_figure(claim, sheets[key])
        verdict, note = judge(claim, exact)
        yield Judged(claim=claim, exact=exact, verdict=verdict, note=note)
    yield from _judged_chart(game)


def judge(claim: Claim, exact: Fraction) -> tuple[str, str | None]:
    """The verdict on a printed number, with a note where it helps."""
    if "/" in claim.printed:
        return ("exact" if _product(claim.printed) == exact else "wrong"), None
    percent = claim.printed.endswith("%") or claim.unit == "percent"
    digits = claim.printed.removesuffix("%")
    places = len(digits.partition(".")[2])
    scaled = exact * (100 if percent else 1)
    printed = Fraction(digits)
    verdict = compare_at(printed, scaled, places)
    if verdict != "wrong":
        return verdict, None
    return verdict, _note(claim, printed, scaled, places)


def _product(printed: str) -> Fraction:
    """The value of a printed fraction, or of fractions with a * between them."""
    value = Fraction(1)
    for factor in printed.split("*"):
        value *= Fraction(factor.strip())
    return value


def compare_at(printed: Fraction, exact: Fraction, places: int) -> str:
    """`exact`, `rounds`, `truncates` or `wrong` at that many decimals."""
    if printed == exact:
        return "exact"
    unit = 10**places
    if _floor(exact * unit + Fraction(1, 2)) == printed * unit:
        return "rounds"
    return "truncates" if _cut(exact * unit) == printed * unit else "wrong"


def _floor(value: Fraction) -> int:
    return value.numerator // value.denominator


def _cut(value: Fraction) -> int:
    return int(value)


def _note(claim: Claim, printed: Fraction, exact: Fraction, places: int) -> str:
    for fewer in range(places - 1, -1, -1):
        if _floor(exact * 10**fewer + Fraction(1, 2)) == printed * 10**fewer:
            return f"it rounds at {fewer} decimal{'' if fewer == 1 else 's'}: {_decimal(exact)}"
    if claim.bet == "hat-trick":
        return f"priced by multiplying three chances that share cards; jointly {_decimal(exact)}"
    return f"the exact figure is {_decimal(exact)}"


def _decimal(percent: Fraction) -> str:
    return f"{float(percent):.6f}%"


def exact_figure(claim: Claim, sheet: ParSheet) -> Fraction:
    """The exact figure that a claim is about, from the par sheet of its game and options."""
    if claim.bet == "war+blackjack+poker":
        rows = [sheet.row("war"), sheet.row("blackjack"), sheet.row("poker", claim.paytable)]
        return sum((row.house_edge for row in rows), Fraction(0)) / 3
    if claim.bet == "hat-trick":
        return _hat_trick_figure(claim, sheet)
    if claim.hand is not None:
        return _hand_figure(claim)
    paytable = _row_paytable(claim)
    row = sheet.row(claim.bet, paytable)
    match claim.figure:
        case "house_edge":
            return row.house_edge
        case "hit_frequency":
            return row.law.hit_frequency
        case "return":
            return 1 - row.house_edge
        case "tie_probability":
            return 1 - row.law.hit_frequency - dict(row.law.distribution)[Fraction(-1)]
    found = row.extra[claim.figure]
    assert isinstance(found, Fraction)
    return found


def _row_paytable(claim: Claim) -> str | None:
    """The paytable that labels the row: a designator stands for one of each bet."""
    if claim.paytable is None or not claim.game.startswith("three-card-poker"):
        return claim.paytable
    if claim.bet == "ante":
        return designator(claim.game, claim.paytable).paytables["ante-bonus"]
    if claim.bet == "pair-plus":
        return designator(claim.game, claim.paytable).paytables["pair-plus"]
    return claim.paytable


def _hat_trick_figure(claim: Claim, sheet: ParSheet) -> Fraction:
    row = sheet.row("hat-trick", claim.paytable)
    figures: Mapping[str, Fraction] = {
        "hit_frequency": row.law.hit_frequency,
        "house_edge": row.house_edge,
        "return": 1 - row.house_edge,
        "war_not_lose": _leg(sheet, war=True),
        "blackjack_not_lose": _leg(sheet, blackjack_leg=True),
        "poker_win": sheet.row("poker").law.hit_frequency,
    }
    return figures[claim.figure]


def _leg(sheet: ParSheet, *, war: bool = False, blackjack_leg: bool = False) -> Fraction:
    if war:
        law = sheet.row("war").law
        return 1 - dict(law.distribution)[Fraction(-1)]
    assert blackjack_leg
    return blackjack(sheet.options).figures().not_lose


def _hand_figure(claim: Claim) -> Fraction:
    """A row of the printed six-card table: the chance of a hand, or its share of the return."""
    hand = FiveCard[(claim.hand or "").upper()]
    counts = six_card_counts()
    chance = Fraction(counts[hand], sum(counts))
    if claim.figure == "probability":
        return chance
    paytable = paytable_of(claim.game, claim.bet, claim.paytable or "")
    # The sheet counts the wager that is returned among what is paid out.
    return chance * (net_units(poker(hand, paytable)) + 1)


def _judged_chart(game: str | None) -> Iterator[Judged]:
    """The cells of the chart, then what its notes say."""
    for claim in chart_cells() + note_cells():
        if game not in (None, claim.game):
            continue
        options: Chosen = parse_options(dict(claim.options), game_of(claim.game).options())
        judge_letter = chart.judge_note if claim.figure == "note" else chart.judge_cell
        cell = judge_letter(claim, options)
        yield Judged(
            claim=claim,
            exact=cell.best,
            verdict=cell.verdict,
            note=cell.note,
            departures=cell.departures,
        )
