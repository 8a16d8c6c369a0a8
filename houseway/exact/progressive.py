"""Progressive bets: what they return as a function of the meters, exactly.

Every figure is a count of hands times what the paytable pays them. The three-card tables look at
the player's own cards; the link looks at these and two community cards, which nobody sees before
the Ante is decided, so to a player they are any two of the cards he does not see. Meters are in
dollars and exact here; that a share is paid in whole cents, rounded down, is left aside.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt
from numbers import Rational
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import card_text, cards_text
from houseway.exact.community import Judged, judged_hands
from houseway.exact.sheet import Figure, plain
from houseway.exact.solver import solver_of
from houseway.exact.tabulate import HANDS3, Ints, three_card_hands
from houseway.exact.three_card import AnteAnalysis, Plays
from houseway.games.contract import Game
from houseway.games.progressive import envy_cents, share_cents
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, MeterShare, Odds, check_amount
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset

Meters = Mapping[MeterLevel, Fraction | int]
"""What stands on each meter, in dollars."""

DOLLAR = CENTS_PER_DOLLAR


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveRow:
    """One progressive paytable. Figures are per $1 wagered (PGM-19, PNX-19, PML-12)."""

    pays: PayTable
    probabilities: Mapping[int, Fraction]
    """How often a wager wins with each paid hand, best hand first."""
    if_folded_not_eligible: Mapping[str, "ProgressiveRow"] = field(default_factory=dict)
    """The same per base game when a folded hand does not win (PGM-07, PNX-09, PML-10)."""

    @property
    def bet(self) -> Bet:
        """The bet of the row."""
        return self.pays.bet

    @property
    def paytable(self) -> str:
        """The code of the paytable."""
        return self.pays.code

    @property
    def fixed_return(self) -> Fraction:
        """What comes back in fixed pays, which no meter gives (PGM-09, PNX-10)."""
        pays = ((p, odds) for p, odds in self._paid() if not isinstance(odds, MeterShare))
        return sum((p * (odds.net + 1) for p, odds in pays), Fraction(0))

    @property
    def hit_frequency(self) -> Fraction:
        """P(the wager is paid anything)."""
        return sum(self.probabilities.values(), Fraction(0))

    @property
    def meter_coefficients(self) -> dict[MeterLevel, Fraction]:
        """What each dollar on a meter adds to the return of a $1 wager, by level (PGM-08)."""
        found: dict[MeterLevel, Fraction] = dict.fromkeys(self.pays.levels, Fraction(0))
        for p, odds in self._paid():
            if isinstance(odds, MeterShare):
                found[odds.level] += p * odds.share
        return found

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter in dollars at which a $1 wager costs nothing; None where several pay."""
        coefficients = list(self.meter_coefficients.values())
        return (1 - self.fixed_return) / coefficients[0] if len(coefficients) == 1 else None

    @property
    def envy_per_other_hand(self) -> Fraction:
        """Dollars of envy that one other lit hand earns a $1 wager (PGM-17, PNX-17, PML-13)."""
        return self.envy(DOLLAR)

    def envy(self, wager_cents: int) -> Fraction:
        """Dollars of envy that one other lit hand earns a wager; flat or with the wager."""
        hands = self.probabilities.items()
        cents = sum(p * envy_cents(hand, self.pays, wager_cents) for hand, p in hands)
        return Fraction(cents) / CENTS_PER_DOLLAR

    def named(self, figures: Mapping[int, Fraction]) -> dict[str, Fraction]:
        """Figures of hands under the names of the paytable's rows."""
        kind = self.pays.classes
        return {kind(hand).name.lower(): figure for hand, figure in figures.items()}

    def figures(self) -> dict[str, Figure]:
        """The figures of the row by name."""
        coefficients: dict[str, Figure] = {
            str(level): coefficient for level, coefficient in self.meter_coefficients.items()
        }
        return {
            "fixed_return": self.fixed_return,
            "hit_frequency": self.hit_frequency,
            "meter_coefficients": coefficients,
            "break_even_meter": self.break_even_meter,
            "envy_per_other_hand": self.envy_per_other_hand,
            "probabilities": dict(self.named(self.probabilities)),
        }

    def to_json(self) -> dict[str, Any]:
        """The row as plain data; exact values are text that Fraction reads."""
        games = self.if_folded_not_eligible.items()
        return {
            "bet": self.bet,
            "paytable": self.paytable,
            **plain(self.figures()),
            "if_folded_not_eligible": {game: plain(row.figures()) for game, row in games},
        }

    def _paid(self) -> Iterator[tuple[Fraction, Odds]]:
        for hand, p in self.probabilities.items():
            yield p, odds_of(self.pays, hand)


def progressive_row(paytable: PayTable, analyses: Iterable[AnteAnalysis] = ()) -> ProgressiveRow:
    """The row of a paytable, every hand counted, folded or not (PGM-19, PNX-19, PML-12).

    Each base game whose analysis is given adds what changes where folded hands are not eligible.
    """
    judged = judged_hands(paytable)
    weight = three_card_hands().weight
    return ProgressiveRow(
        pays=paytable,
        probabilities=_probabilities(paytable, judged, weight, HANDS3),
        if_folded_not_eligible={
            analysis.game.code: if_folded_not_eligible(paytable, analysis) for analysis in analyses
        },
    )


def if_folded_not_eligible(
    paytable: PayTable, analysis: AnteAnalysis, plays: Plays | None = None
) -> ProgressiveRow:
    """The row when only played hands win, the Ante played as well as it can be unless told.

    PGM-07, PNX-09, PML-10. Envy is then earned by the hands of others that are played. A player
    who lets the progressive bear on the decision does better: see `ante_decision`.
    """
    judged = judged_hands(paytable, face_up=analysis.face_up)
    cases = _cases(analysis)
    played = np.where(analysis.optimal() if plays is None else plays, cases, 0)
    return ProgressiveRow(
        pays=paytable, probabilities=_probabilities(paytable, judged, played, int(cases.sum()))
    )


@lru_cache(maxsize=32)
def row_in_force(ruleset: Ruleset) -> ProgressiveRow:
    """The row of a table's own progressive, folded hands in or out as the house has it.

    Where a fold gives it up, the Ante is played as if there were none (PGM-07, PNX-09, PML-10).
    """
    return row_of(ruleset.game, ruleset.paytables, ruleset.options)


def row_of(game: Game, tables: Mapping[Bet, PayTable], options: Options) -> ProgressiveRow:
    """The same for the progressive among some paytables."""
    if options.folded_hand_progressive == "eligible":
        return progressive_row(tables["progressive"])
    return if_folded_not_eligible(tables["progressive"], solver_of(game).played(tables, options))


def house_edge(
    row: ProgressiveRow,
    meters: Meters,
    wager_cents: int,
    other_hands: int = 0,
    options: Options | None = None,
) -> Fraction:
    """Expected loss per dollar wagered with these meters, positive for the house.

    A share of a meter is the same for any wager (A-19), so the return per dollar falls as the
    wager grows; by option it grows with the wager, never past the whole meter. Envy from other
    lit hands at the table counts for the player (PGM-17, PNX-17, PML-13).
    """
    wager = dollars(check_amount(wager_cents, "wager"))
    others = check_other_hands(other_hands)
    known = _check_meters(row.pays, meters)
    returned = sum(
        p * _pay(row.pays, hand, known, wager_cents, options or Options())
        for hand, p in row.probabilities.items()
    )
    return 1 - (returned + others * row.envy(wager_cents)) / wager


def standard_deviation(
    row: ProgressiveRow, meters: Meters, wager_cents: int, options: Options | None = None
) -> float:
    """How far a dollar wagered with these meters lies from its average.

    Of the player's own hand: what others' hands bring as envy is not in it.
    """
    wager = dollars(check_amount(wager_cents, "wager"))
    known = _check_meters(row.pays, meters)
    pays = [
        (p, _pay(row.pays, hand, known, wager_cents, options or Options()) / wager)
        for hand, p in row.probabilities.items()
    ]
    mean = sum(p * pay for p, pay in pays)
    return sqrt(sum(p * pay * pay for p, pay in pays) - mean * mean)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A class of hands that is folded for the Ante alone and played for the progressive too."""

    cards: tuple[int, ...]
    """One hand of the class."""
    up_card: int | None
    """The dealer's card that is seen, in Face Up."""
    hands: int
    """How many hands the class stands for."""
    gain: Fraction
    """What playing such a hand is worth above folding it, in antes."""

    def to_json(self) -> dict[str, Any]:
        """The change as plain data."""
        return {
            "cards": cards_text(self.cards),
            "up_card": None if self.up_card is None else card_text(self.up_card),
            "hands": self.hands,
            "gain": str(self.gain),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AnteDecision:
    """The best decision where a fold also gives the progressive up. Values are in antes."""

    base_value: Fraction
    """Expected net of Ante, Play, Ante Bonus and progressive, each hand decided for the Ante."""
    value: Fraction
    """The same, each hand decided for all of them."""
    changes: tuple[Change, ...]

    @property
    def gain(self) -> Fraction:
        """What the better decision is worth a round."""
        return self.value - self.base_value

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data."""
        return {
            "base_value": str(self.base_value),
            "value": str(self.value),
            "gain": str(self.gain),
            "changes": [change.to_json() for change in self.changes],
        }


def ante_decision(
    analysis: AnteAnalysis,
    paytable: PayTable,
    meters: Meters,
    *,
    ante_cents: int,
    wager_cents: int,
    options: Options | None = None,
) -> AnteDecision:
    """The best Ante decision with a progressive wager that a fold forfeits (PML-10, PGM-07).

    A hand is decided before the community cards are turned (PML-09). Net results add up, so only
    the expected pay given what the player sees is needed: the community cards are any two of the
    49 cards he does not hold, or of the 48 that remain beside the up card in Face Up. A pay is
    never negative, so a hand that is played for the Ante alone is played still. Envy is left out:
    a fold does not give it up (A-46).
    """
    ante = dollars(check_amount(ante_cents, "ante"))
    wager = dollars(check_amount(wager_cents, "wager"))
    known = _check_meters(paytable, meters)
    judged = judged_hands(paytable, face_up=analysis.face_up)
    pays = [Fraction(0)] * judged.counts.shape[-1]
    for hand in paytable.pays:
        pays[hand] = _pay(paytable, hand, known, wager_cents, options or Options()) / ante
    per_pay = lcm(*(pay.denominator for pay in pays))
    # From here on in Python's own ints, because meters may have any denominator.
    units = np.array([int(pay * per_pay) for pay in pays], dtype=object)
    unit = per_pay * judged.of * analysis.per_ante
    cases = analysis.counts.sum(axis=-1).astype(object)
    played = analysis.value_of_playing().astype(object) * (per_pay * judged.of)
    played = played + (judged.counts.astype(object) @ units) * cases * analysis.per_ante
    folded = -cases * unit
    base, best = analysis.optimal(), np.asarray(played >= folded, dtype=bool)
    weight = _spread(analysis.weight, analysis).astype(object)
    total = int((weight * cases).sum()) * unit

    def value(plays: npt.NDArray[np.bool_]) -> Fraction:
        return Fraction(int((weight * np.where(plays, played, folded)).sum()), total) - wager / ante

    hands = three_card_hands()
    changes = [
        Change(
            cards=tuple(int(card) for card in hands.cards[hands.canonical[place[0]]]),
            up_card=int(place[1]) if analysis.face_up else None,
            hands=int(analysis.weight[place[0]]),
            gain=Fraction(played[tuple(place)] - folded[tuple(place)], cases[tuple(place)] * unit),
        )
        for place in np.argwhere(best & ~base)
    ]
    return AnteDecision(base_value=value(base), value=value(best), changes=tuple(changes))


def _cases(analysis: AnteAnalysis) -> Ints:
    """Equally likely cases by canonical hand (and up card)."""
    return np.asarray(analysis.counts.sum(axis=-1) * _spread(analysis.weight, analysis))


def _spread(by_hand: Ints, analysis: AnteAnalysis) -> Ints:
    return by_hand[:, None] if analysis.face_up else by_hand


def _probabilities(
    paytable: PayTable, judged: Judged, cases: Ints, total: int
) -> dict[int, Fraction]:
    """The probability of each paid hand, best first, from cases by canonical hand (and up card)."""
    weighed = (judged.counts * cases[..., None]).reshape(-1, judged.counts.shape[-1]).sum(axis=0)
    return {
        hand: Fraction(int(weighed[hand]), total * judged.of)
        for hand in sorted(paytable.pays, reverse=True)
    }


def odds_of(paytable: PayTable, hand: int) -> Odds:
    """What a paid hand is paid."""
    odds = paytable.odds(hand)
    assert odds is not None, hand
    return odds


def _pay(
    paytable: PayTable,
    hand: int,
    meters: Mapping[MeterLevel, Fraction],
    wager_cents: int,
    options: Options,
) -> Fraction:
    """Dollars that a wager with this hand is paid, the wager itself in them (PML-13)."""
    odds = odds_of(paytable, hand)
    if not isinstance(odds, MeterShare):
        return (odds.net + 1) * dollars(wager_cents)
    # What the rule says of a meter of which every share comes out in whole cents.
    even = odds.share.denominator * CENTS_PER_DOLLAR
    return meters[odds.level] * Fraction(share_cents(odds, even, wager_cents, options), even)


def dollars(cents: int) -> Fraction:
    """Cents as dollars."""
    return Fraction(cents, CENTS_PER_DOLLAR)


def check_other_hands(other_hands: int) -> int:
    """The number of other lit hands; refused when it is none."""
    if isinstance(other_hands, bool) or not isinstance(other_hands, int) or other_hands < 0:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"other hands {other_hands!r} are not a number of hands; give 0 or more",
        )
    return other_hands


def _check_meters(paytable: PayTable, meters: Meters) -> dict[MeterLevel, Fraction]:
    """The meters that the table pays from; refused when one is missing or no amount."""
    known: dict[MeterLevel, Fraction] = {}
    for level in paytable.levels:
        if level not in meters:
            raise missing_meter(paytable, level, "meters")
        amount = meters[level]
        if isinstance(amount, bool) or not isinstance(amount, Rational):
            raise Refused(
                Reason.NOT_AN_AMOUNT, f"meter {amount!r} is not an exact amount of dollars"
            )
        if amount < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"meter {amount!s} is negative; it must be 0 or more"
            )
        known[level] = Fraction(amount)
    for level in meters:
        if level not in known:
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter {level!r} is unknown to progressive {paytable.code!r}; allowed: "
                f"{listed(paytable.levels)}",
            )
    return known


def missing_meter(paytable: PayTable, level: MeterLevel, what: str) -> Refused:
    """The refusal where a level that the paytable pays from is not given."""
    return Refused(
        Reason.MISSING_METER,
        f"no {what} of {level!r} are given; progressive {paytable.code!r} pays from "
        f"{listed(paytable.levels)}",
    )
