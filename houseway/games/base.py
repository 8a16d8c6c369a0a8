"""Base: what every game has in common.

A rule says what becomes of one bet as a `Verdict`, from a few small ints and nothing else. Money
is not in it: the same verdict gives the cents that a person is paid (`net_cents`) and the units
that a house edge is counted from (`net_units`). That is how one definition serves both.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from houseway.house.money import Breakage, ForOne, MeterShare, Odds, ToOne, break_down

EVEN_MONEY = ToOne(1)
HALF = Fraction(1, 2)

DEALER_WINS, TIE, PLAYER_WINS = range(3)
"""Who beats whom, as every game's comparison says it."""


class Facts(NamedTuple):
    """What settling a hand against the dealer's may look at."""

    dealer_plays: int
    comparison: int


ALL_FACTS = tuple(Facts(plays, comparison) for plays in range(2) for comparison in range(3))
"""Every value that the facts can take; tables of FACTS_END entries have their order."""
FACTS_END = len(ALL_FACTS)


class Outcome(StrEnum):
    """What becomes of a bet. A fold forfeits; everything else is won, lost or returned."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says of one bet.

    `why` is one sentence with places for the hands in words: {player}, {dealer}, {cards}.
    `odds` is what a win pays; `lost` is the share of the wager that a loser gives up; `commission`
    is the share of a win that the house keeps.
    """

    outcome: Outcome
    clause: str
    why: str
    odds: Odds | None = None
    lost: Fraction = Fraction(1)
    commission: Fraction = Fraction(0)


def wins(odds: Odds, clause: str, why: str, *, commission: Fraction = Fraction(0)) -> Verdict:
    """A winning verdict; the odds, and a commission, are named at the end of its sentence."""
    less = f" less a commission of {float(commission):.4g} of the win" if commission else ""
    return Verdict(Outcome.WIN, clause, f"{why} {odds}{less}", odds, commission=commission)


def loses(clause: str, why: str, lost: Fraction = Fraction(1)) -> Verdict:
    """A losing verdict, of the whole wager unless told."""
    return Verdict(Outcome.LOSE, clause, why, None, lost)


def pushes(clause: str, why: str) -> Verdict:
    """A verdict that returns the wager."""
    return Verdict(Outcome.PUSH, clause, why)


def forfeits(clause: str, why: str) -> Verdict:
    """A verdict that takes the wager because the player folded."""
    return Verdict(Outcome.FORFEIT, clause, why)


def net_units(verdict: Verdict) -> Fraction:
    """What a unit wager gains, exactly; not for shares of a meter, whose worth is the meter's."""
    match verdict.outcome:
        case Outcome.PUSH:
            return Fraction(0)
        case Outcome.LOSE | Outcome.FORFEIT:
            return -verdict.lost
    if verdict.odds is None or isinstance(verdict.odds, MeterShare):
        raise ValueError(f"a pay of {verdict.odds} has no worth per unit wagered")
    net = verdict.odds.net
    return net * (1 - verdict.commission) if verdict.commission else net


def net_cents(
    verdict: Verdict,
    wager_cents: int,
    breakage: Breakage = "down_to_cent",
    smallest_chip_cents: int = 100,
) -> int:
    """What the wager gains in cents, pays and part losses broken down by the policy (A-23)."""
    won = verdict.outcome is Outcome.WIN
    if verdict.outcome is Outcome.PUSH:
        return 0
    if not won and verdict.lost == 1:
        return -wager_cents
    exact = net_units(verdict) * wager_cents
    if isinstance(verdict.odds, ForOne):
        # The wager is gone; what is handed over is the pay, and that is what is rounded.
        pay = break_down(exact + wager_cents, breakage, smallest_chip_cents, "the pay")
        return pay - wager_cents
    amount = break_down(abs(exact), breakage, smallest_chip_cents, "the pay or half loss")
    return amount if won else -amount
