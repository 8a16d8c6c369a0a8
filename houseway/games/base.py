"""Base: what every game has in common.

A rule says what becomes of one bet as a `Verdict`, from a few small ints and nothing else. Money
is not in it: the same verdict gives the cents that a person is paid (`net_cents`) and the units
that a house edge is counted from (`net_units`). That is how one definition serves both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from houseway.money import Breakage, ForOne, MeterShare, Odds, ToOne, break_down

if TYPE_CHECKING:
    from houseway.names import Bet, GameCode
    from houseway.options import Options
    from houseway.paytables import PayTable

EVEN_MONEY = ToOne(1)
HALF = Fraction(1, 2)

DEALER_WINS, TIE, PLAYER_WINS = range(3)
"""Who beats whom, as every game's comparison says it."""


class Facts(NamedTuple):
    """What settling a hand against the dealer's may look at."""

    dealer_plays: int
    comparison: int


FACTS_END = 6
ALL_FACTS = tuple(Facts(plays, comparison) for plays in range(2) for comparison in range(3))
"""Every value that the facts can take; tables of FACTS_END entries have their order."""


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
    `odds` is what a win pays; `lost` is the share of the wager that a loser gives up.
    """

    outcome: Outcome
    clause: str
    why: str
    odds: Odds | None = None
    lost: Fraction = Fraction(1)


def wins(odds: Odds, clause: str, why: str) -> Verdict:
    """A winning verdict; the odds are named at the end of its sentence."""
    return Verdict(Outcome.WIN, clause, f"{why} {odds}", odds)


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
    return verdict.odds.net


def net_cents(
    verdict: Verdict,
    wager_cents: int,
    breakage: Breakage = "down_to_cent",
    smallest_chip_cents: int = 100,
) -> int:
    """What the wager gains in cents, pays and part losses broken down by the policy (A-23)."""
    whole = verdict.outcome is not Outcome.WIN and verdict.lost == 1
    if verdict.outcome is Outcome.PUSH or whole:
        return 0 if verdict.outcome is Outcome.PUSH else -wager_cents
    exact = net_units(verdict) * wager_cents
    if isinstance(verdict.odds, ForOne):
        # The wager is gone; what is handed over is the pay, and that is what is rounded.
        pay = break_down(exact + wager_cents, breakage, smallest_chip_cents, "the pay")
        return pay - wager_cents
    amount = break_down(abs(exact), breakage, smallest_chip_cents, "the pay or half loss")
    return amount if exact > 0 else -amount


PlayedVerdicts = tuple[tuple["Bet", Verdict], ...]
"""What a rule says of each bet of a hand that was played, in the order they are settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its names, its bets in settling order, and which of them a player makes."""

    code: "GameCode"
    name: str
    order: "tuple[Bet, ...]"
    wagers: "tuple[Bet, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class AntePlayGame(Game):
    """A game of the family Ante, Play and bonus bets: three cards against the dealer's three.

    `value` is what a hand is worth in the contest. `dealer_plays` and `compare` are arithmetic
    without branches on such values, so they work on ints and on arrays alike. `played` gives the
    verdicts on a hand that was played, by facts, value and three-card category; `folded` the one
    on the Ante of a hand that was not.
    """

    value: "Callable[[tuple[int, int, int], Options], int]"
    describe: "Callable[[tuple[int, int, int], Options], str]"
    dealer_plays: Callable[[int], int]
    compare: Callable[[int, int], int]
    played: "Callable[[Facts, int, int, Mapping[Bet, PayTable], Options], PlayedVerdicts]"
    folded: Callable[[], Verdict]
    pair_plus_survives_fold: "Callable[[Options], bool]"
    pair_plus_clause: str
    pair_plus_fold_clause: str
    six_card_bonus_clause: str

    def facts(self, player_value: int, dealer_value: int) -> Facts:
        """The facts of a player's hand against the dealer's."""
        return Facts(self.dealer_plays(dealer_value), self.compare(player_value, dealer_value))


def lower_wins(game: AntePlayGame) -> bool:
    """True where the lower hand beats the higher one."""
    low, high = 0, 1
    return game.compare(low, high) == PLAYER_WINS
