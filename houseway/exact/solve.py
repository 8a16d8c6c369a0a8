"""Solve: which pays bring a bet to a target edge, when some are locked and others may vary.

Counts do not depend on pays, so every choice of pays is priced from the same counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType

from houseway.exact.pricing import hat_trick_row, poker_law
from houseway.exact.three_card import ante_analysis, pair_plus_law, six_card_bonus_law
from houseway.games import game_of
from houseway.games.base import AntePlayGame
from houseway.money import ForOne, MeterShare, Odds, ToOne
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import HANDS, PayTable, library
from houseway.refusal import Reason, Refused, listed
from houseway.wagers import choose_paytables

MOST_CHOICES = 200_000
_RANGE = re.compile(r"([0-9]+)(?:\.\.([0-9]+))?")
_TARGET = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|-?[0-9]+/[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Solution:
    """One choice of pays with its exact edge."""

    pays: Mapping[str, str]
    house_edge: Fraction

    def to_json(self) -> dict[str, object]:
        """The solution as plain data."""
        return {"pays": dict(self.pays), "house_edge": str(self.house_edge)}


def read_target(text: str) -> Fraction:
    """A target edge as a share of 1, such as 0.05 or 1/20."""
    if not _TARGET.fullmatch(text) or len(text) > 40:
        raise Refused(
            Reason.NOT_AN_AMOUNT,
            f"target edge {text!r} is not a share; write 0.05 for five per cent, or 1/20",
        )
    return Fraction(text)


def read_ranges(texts: Mapping[str, str], paytable: PayTable) -> dict[str, list[int]]:
    """The pays that each hand may take, from texts such as flush=3..6."""
    names = [hand for hand, _ in paytable.rows]
    found: dict[str, list[int]] = {}
    for hand, text in texts.items():
        if hand not in names:
            raise Refused(
                Reason.UNKNOWN_PAYTABLE,
                f"hand {hand!r} is not paid by {paytable.code!r}; known: {listed(names)}",
            )
        match = _RANGE.fullmatch(text)
        low, high = (int(match[1][:6]), int((match[2] or match[1])[:6])) if match else (1, 0)
        if match is None or low > high or low == 0:
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"pays {text!r} of {hand} cannot be read; write a range from 1 up such as 3..6",
            )
        found[hand] = list(range(low, high + 1))
    if not found:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"no hand may vary; name at least one of {listed(names)}, such as {names[-1]}=1..3",
        )
    if prod(len(pays) for pays in found.values()) > MOST_CHOICES:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"the ranges give more than {MOST_CHOICES:,} paytables; lock more pays",
        )
    return found


def solve(
    game: str,
    bet: Bet,
    code: str,
    target: Fraction,
    ranges: Mapping[str, str],
    *,
    options: Options | None = None,
    most: int = 10,
) -> tuple[Solution, ...]:
    """The choices of pays whose edge is nearest to the target, nearest first.

    Refused when the target lies outside what the ranges can reach, with what is possible.
    """
    paytable = library().get(game, bet, code)
    varied = read_ranges(ranges, paytable)
    price = _Price(game, bet, options or Options())
    found = [
        Solution(MappingProxyType({h: str(o) for h, o in choice.rows}), price(choice))
        for choice in _choices(paytable, varied)
    ]
    edges = [solution.house_edge for solution in found]
    if not min(edges) <= target <= max(edges):
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"target edge {float(target):.6g} cannot be reached; with these ranges the edge lies "
            f"from {float(min(edges)):.6g} to {float(max(edges)):.6g}",
        )
    return tuple(sorted(found, key=lambda s: (abs(s.house_edge - target), -s.house_edge))[:most])


def _choices(paytable: PayTable, varied: Mapping[str, Sequence[int]]) -> Iterator[PayTable]:
    for pays in product(*varied.values()):
        chosen = dict(zip(varied, pays, strict=True))
        rows = tuple((hand, _paid(odds, chosen.get(hand))) for hand, odds in paytable.rows)
        kind = HANDS[paytable.hands]
        table: dict[int, Odds] = {int(kind[hand.upper()]): odds for hand, odds in rows}
        for member in paytable.pays:
            # A hand that is paid as another, such as the suited A-K-Q, follows it.
            if member not in table:
                table[member] = table[int(kind["STRAIGHT_FLUSH"])]
        yield replace(paytable, rows=rows, pays=MappingProxyType(table))


def _paid(odds: Odds, pay: int | None) -> Odds:
    if pay is None or isinstance(odds, MeterShare):
        return odds
    return ForOne(pay) if isinstance(odds, ForOne) else ToOne(pay)


class _Price:
    """The exact edge of a bet as a function of its paytable."""

    def __init__(self, game: str, bet: Bet, options: Options) -> None:
        self.game, self.bet, self.options = game_of(game), bet, options
        self.tables = choose_paytables(self.game, [])

    def __call__(self, paytable: PayTable) -> Fraction:
        game, options = self.game, self.options
        if isinstance(game, AntePlayGame):
            if self.bet == "pair-plus":
                return -pair_plus_law(game, paytable, options).mean
            if self.bet == "six-card-bonus":
                return -six_card_bonus_law(game, paytable).mean
            if self.bet == "ante-bonus":
                analysis = ante_analysis(game, {**self.tables, "ante-bonus": paytable}, options)
                return -analysis.law(analysis.optimal()).mean
        elif self.bet == "poker":
            return -poker_law(paytable).mean
        elif self.bet == "hat-trick":
            return hat_trick_row(paytable, self.tables["poker"], options).house_edge
        raise Refused(
            Reason.UNKNOWN_BET,
            f"bet {self.bet!r} of {game.code} cannot be solved for; known: ante-bonus, pair-plus, "
            "six-card-bonus, poker, hat-trick",
        )
