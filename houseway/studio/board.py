"""Board: every bet of a variant priced, as plain data for a screen.

Every figure is given as the fraction it is and as a decimal to look at. Bets are told one by one
as they are counted; what was counted before is there at once.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from houseway.documents.outcomes import outcomes_of
from houseway.documents.par_sheet import reproduce
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.exact.bands import with_bands
from houseway.exact.legs import Legs
from houseway.exact.mix import whole_game_edge
from houseway.exact.sheet import ParRow
from houseway.exact.solver import solver_of
from houseway.house.money import ForOne, MeterShare, Odds
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.rules.ruleset import Ruleset
from houseway.rules.variant import Variant
from houseway.studio.draft import subject_of
from houseway.studio.figure import Told, exact, nobody
from houseway.studio.frequency import frequencies
from houseway.studio.meters import progressive_figures


def board(
    variant: Variant,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    told: Told = nobody,
) -> dict[str, Any]:
    """Everything about a variant that follows from its counts.

    `meters` are cents by level, where the progressive is to be priced; `others` are the other lit
    hands at the table, who bring envy.
    """
    ruleset = variant.ruleset()
    known: dict[str, Any] = {
        "variant": variant.to_json(),
        "name": ruleset.game.name,
        "revision": ruleset.revision,
        "digest": ruleset.digest,
        "options": ruleset.game.shown_options(ruleset.options),
        "command": reproduce(subject_of(variant, priced=False)),
        "bets": [],
        "progressive": None,
        "joint": None,
        "together": None,
        "done": False,
    }
    rows: dict[Bet, ParRow] = {}
    solver = solver_of(ruleset.game)
    for row in solver.seat_rows(ruleset.paytables, ruleset.options):
        rows[row.bet] = row
        known["bets"] = [_figures(rows[b], ruleset) for b in ruleset.game.wagers if b in rows]
        told(known)
    if "progressive" in ruleset.paytables:
        known["progressive"] = {
            **progressive_figures(ruleset, meters or {}, others),
            "pays": pay_rows(ruleset.paytables["progressive"], ruleset),
        }
    if (legs := solver.legs(ruleset.paytables, ruleset.options)) is not None:
        known["joint"] = _joint(legs, rows[legs.bet])
    stakes = dict.fromkeys(rows, Fraction(1))
    known["together"] = exact(whole_game_edge(rows, stakes))
    known["done"] = True
    return known


_KNOWN: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()
MOST_KNOWN = 200


def _figures(row: ParRow, ruleset: Ruleset) -> dict[str, Any]:
    """The figures of a bet, kept while the paytables and options behind it stay as they are."""
    # A bet may hang on others through its law alone: on whether the Ante is played, say.
    bet = row.bet
    table = ruleset.paytables.get(pays_of(bet, ruleset))
    key = (ruleset.game.code, bet, table, ruleset.options, frozenset(row.law.counts.items()))
    if key not in _KNOWN:
        _KNOWN[key] = bet_figures(row, ruleset)
        if len(_KNOWN) > MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return _KNOWN[key]


def bet_figures(row: ParRow, ruleset: Ruleset) -> dict[str, Any]:
    """One bet with all its figures, pays and outcomes."""
    law, bands = row.law, with_bands(row).bands
    bet = row.bet
    table = ruleset.paytables.get(pays_of(bet, ruleset))
    hits = law.hit_frequency
    return {
        "bet": bet,
        "name": bet_name(bet, row.paytable),
        "paytable": None if table is None else {"bet": table.bet, "code": table.code},
        # As text: a browser counts no further than 2 to the 53rd.
        "cases": str(law.total),
        "house_edge": exact(row.house_edge),
        "element_of_risk": exact(row.element_of_risk),
        "wagered": exact(row.wagered),
        "return": exact(1 - row.house_edge),
        "hit_frequency": exact(hits),
        "push_frequency": exact(law.push_frequency),
        "one_in": None if not hits else exact(1 / hits),
        "variance": exact(law.variance),
        "standard_deviation": law.standard_deviation,
        **bands,
        "pays": [] if table is None else pay_rows(table, ruleset),
        "outcomes": list(_outcomes(row, ruleset)),
    }


def pays_of(bet: Bet, ruleset: Ruleset) -> Bet:
    """The bet whose paytable prices a bet: its own, or that of a bet which is made of it."""
    made = ruleset.game.counted_with(bet)
    return next((code for code in (bet, *made) if code in ruleset.paytables), bet)


def pay_rows(table: PayTable, ruleset: Ruleset) -> list[dict[str, Any]]:
    """The rows of a paytable, each with how often it comes and what it gives back."""
    how_often = frequencies(table, ruleset)
    return [
        {
            "hand": hand,
            "label": spaced(hand),
            "pays": str(odds),
            "number": None if isinstance(odds, MeterShare) else str(_number(odds)),
            "kind": _kind(odds),
            **_frequency(how_often.get(hand), odds),
        }
        for hand, odds in table.rows
    ]


def _number(odds: Odds) -> str:
    assert not isinstance(odds, MeterShare)
    return str(odds.numerator) if odds.denominator == 1 else str(odds).replace(",", "")


def _kind(odds: Odds) -> str:
    if isinstance(odds, MeterShare):
        return "share"
    return "for" if isinstance(odds, ForOne) else "to"


def _frequency(probability: Fraction | None, odds: Odds) -> dict[str, Any]:
    if probability is None:
        return {"probability": None, "one_in": None, "contribution": None}
    paid = None if isinstance(odds, MeterShare) else exact(probability * odds.net)
    return {
        "probability": exact(probability),
        "one_in": float(1 / probability) if probability else None,
        "contribution": paid,
    }


def _outcomes(row: ParRow, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    found = outcomes_of(row, ruleset.game, ruleset.paytables, ruleset.options)
    total = sum(outcome.cases for outcome in found)
    for event, cases, net in found:
        probability = Fraction(cases, total)
        yield {
            "event": event,
            "cases": str(cases),
            "probability": exact(probability),
            "net": exact(net),
            "contribution": exact(probability * net),
        }


def _joint(legs: Legs, row: ParRow) -> dict[str, Any]:
    """A bet on several legs, joined and multiplied, and what each would make of its edge."""
    won, product, edge = legs.won, legs.product, row.house_edge
    more = "more" if won > product else "less"
    return {
        "joint": exact(won),
        "product": exact(product),
        "house_edge": exact(edge),
        "multiplied_edge": exact(legs.multiplied_edge),
        "pairs": {name: exact(chance) for name, chance in legs.pairs.items()},
        "words": (
            f"The three legs share cards. Multiplied, their chances come to {float(product):.4%}; "
            f"dealt together, no leg is lost in {float(won):.4%} of rounds, which is {more} often. "
            f"At these pays that is an edge of {float(edge):.4%}, and multiplying would "
            f"have said {float(legs.multiplied_edge):.4%}. Chances of legs that share cards are "
            "never multiplied."
        ),
    }
