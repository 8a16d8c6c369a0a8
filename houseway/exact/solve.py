"""Solve: which pays bring a bet to a target edge, when some are locked and others may vary.

What a bet is worth is affine in each of its pays, hand by hand; so the rules are asked once with
every pay at 1 and once more for each pay that varies, and all other choices are added up. The
choices that are shown are priced by the rules again, and have to agree.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.exact.law import Law
from houseway.exact.progressive import house_edge, row_of
from houseway.exact.solver import solver_of
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.library import changes_of, paytable_of
from houseway.house.money import CENTS_PER_DOLLAR, ForOne, MeterLevel, MeterShare
from houseway.house.options import Options
from houseway.house.paytables import MOST_PAY, PayTable, changed
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import choose_paytables

MOST_CHOICES = 200_000
_RANGE = re.compile(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?")
_TARGET = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|-?[0-9]+/[1-9][0-9]*")
Tables = Mapping[Bet, PayTable]


@dataclass(frozen=True, slots=True)
class Solution:
    """One choice of pays with its exact edge."""

    code: str
    pays: Mapping[str, str]
    house_edge: Fraction
    hit_frequency: Fraction
    standard_deviation: float | None
    """None for a progressive, whose spread is its meter's."""

    def to_json(self) -> dict[str, object]:
        """The solution as plain data."""
        return {
            "paytable": self.code,
            "pays": dict(self.pays),
            "house_edge": str(self.house_edge),
            "hit_frequency": str(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
        }


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
    names = [hand for hand, odds in paytable.rows if not isinstance(odds, MeterShare)]
    found: dict[str, list[int]] = {}
    for hand, text in texts.items():
        if hand not in names:
            raise Refused(
                Reason.UNKNOWN_PAYTABLE,
                f"hand {hand!r} is not paid by {paytable.code!r}; known: {listed(names)}",
            )
        match = _RANGE.fullmatch(text)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if match is None or not 0 < low <= high <= MOST_PAY:
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"pays {text[:40]!r} of {hand} cannot be read; write a range from 1 to "
                f"{MOST_PAY:,} such as 3..6",
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
    others: Tables | None = None,
    meters: Mapping[str, Fraction] | None = None,
    other_hands: int = 0,
    most: int = 10,
) -> tuple[Solution, ...]:
    """The choices of pays whose edge is nearest to the target, nearest first.

    `others` are the paytables of the other bets, `meters` what stands on the meters of a
    progressive in dollars, `other_hands` the lit hands that bring it envy. Refused when the target
    lies outside what the ranges can reach, with what is possible.
    """
    found = game_of(game)
    price = _Price(found, bet, options or found.options(), others or {}, meters or {}, other_hands)
    paytable = paytable_of(game, bet, code)
    varied = read_ranges(ranges, paytable)
    edges, scale = price.edges(paytable, varied)
    low, high = int(edges.min()), int(edges.max())
    if not low <= target * scale <= high:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"target edge {float(target):.6g} cannot be reached; with these ranges the edge lies "
            f"from {float(Fraction(low, scale)):.6g} to {float(Fraction(high, scale)):.6g}",
        )
    # Ties go to the higher edge, then to the choice that comes first.
    wanted = int(target.numerator * scale)
    distance = np.abs(edges * target.denominator - wanted)
    order = sorted(range(edges.size), key=lambda n: (distance[n], -edges[n], n))[:most]
    choices = list(product(*varied.values()))
    solutions = []
    for place in order:
        chosen = _with(paytable, dict(zip(varied, choices[place], strict=True)))
        priced = price(chosen)
        assert priced.edge == Fraction(int(edges[place]), scale), chosen.code
        solutions.append(
            Solution(
                code=chosen.code,
                pays={hand: str(odds) for hand, odds in chosen.rows},
                house_edge=priced.edge,
                hit_frequency=priced.hits,
                standard_deviation=None if priced.law is None else priced.law.standard_deviation,
            )
        )
    return tuple(solutions)


def _with(paytable: PayTable, pays: Mapping[str, int]) -> PayTable:
    """The table with these hands paid so much, to 1 or for 1 as before; all else stays."""
    base, said = changes_of(paytable)
    kinds = {hand: "for" if isinstance(odds, ForOne) else "to" for hand, odds in paytable.rows}
    new = {hand: f"{pay} {kinds[hand]} 1" for hand, pay in pays.items()}
    return changed(base, ",".join(f"{hand}={pay}" for hand, pay in {**said, **new}.items()))


class _Priced(NamedTuple):
    edge: Fraction
    hits: Fraction
    law: Law | None


class _Price:
    """The exact edge of a bet as a function of its paytable."""

    def __init__(
        self,
        game: Game,
        bet: Bet,
        options: Options,
        others: Tables,
        meters: Mapping[str, Fraction],
        other_hands: int,
    ) -> None:
        self.game, self.bet, self.options, self.meters = game, bet, options, meters
        self.other_hands = other_hands
        self.tables = {**choose_paytables(game, []), **others}
        self.solver = solver_of(game)
        known = [name for name in (*self.solver.solved, "progressive") if name in self.tables]
        if bet not in known:
            raise Refused(
                Reason.UNKNOWN_BET,
                f"bet {bet!r} of {game.code} cannot be solved for; known: {listed(known)}",
            )

    def __call__(self, paytable: PayTable) -> _Priced:
        """What the rules make of a paytable."""
        game, options = self.game, self.options
        if self.bet == "progressive":
            row = row_of(game, {**self.tables, "progressive": paytable}, options)
            standing = self._standing(paytable)
            edge = house_edge(row, standing, CENTS_PER_DOLLAR, self.other_hands, options)
            return _Priced(edge, row.hit_frequency, None)
        law = self.solver.law(self.bet, {**self.tables, self.bet: paytable}, options)
        return _Priced(-law.mean, law.hit_frequency, law)

    def _standing(self, paytable: PayTable) -> dict[MeterLevel, Fraction]:
        for level in self.meters:
            if level not in paytable.levels:
                raise Refused(
                    Reason.UNKNOWN_METER,
                    f"meter {level!r} is unknown to progressive {paytable.code!r}; allowed: "
                    f"{listed(paytable.levels)}",
                )
        return {level: self.meters[level] for level in paytable.levels if level in self.meters}

    def edges(
        self, paytable: PayTable, varied: Mapping[str, Sequence[int]]
    ) -> tuple[npt.NDArray[np.object_], int]:
        """The edge of every choice in the order of `product`, as whole numbers over one number."""
        ones = dict.fromkeys(varied, 1)
        first = _with(paytable, ones)
        steps = [_with(paytable, {**ones, hand: 2}) for hand in varied]
        pays = np.array(list(product(*varied.values())), dtype=object) - 1
        tables, *others = [{**self.tables, self.bet: table} for table in (first, *steps)]
        decided = self.solver.decided_edges(self.bet, tables, others, pays, self.options)
        if decided is not None:
            return decided
        start = self(first).edge
        slopes = [self(step).edge - start for step in steps]
        scale = lcm(start.denominator, *(slope.denominator for slope in slopes))
        return int(start * scale) + pays @ np.array(
            [int(s * scale) for s in slopes], dtype=object
        ), scale
