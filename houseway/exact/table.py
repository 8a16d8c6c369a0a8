"""Table: what the bets of one seat, and of all seats of a table, do together.

Seats share the dealer's hand and the deck, so their results move together; how far is counted,
not estimated. Every covariance is a fraction, and a float appears where a square root is taken.
Figures are per unit first wagered on each bet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed

Tables = Mapping[Bet, PayTable]
Wagers = Mapping[Bet, int | Fraction]
Covariance = dict[tuple[Bet, Bet], Fraction]
"""Every ordered pair of bets, so either order may be asked for."""

MOST_SEATS = 7


@dataclass(frozen=True, slots=True)
class WholeTable:
    """The covariances of a table: between the bets of one seat, and between two seats."""

    within: Covariance
    between: Covariance

    @property
    def bets(self) -> tuple[Bet, ...]:
        """The bets that are counted."""
        return tuple(dict.fromkeys(bet for bet, _ in self.within))

    def variance(self, seats: int, wagers: Wagers) -> Fraction:
        """The variance of what the seats win together, each with the same wagers."""
        check_seats(seats)
        staked = checked_wagers(wagers, self.bets)
        pairs = [(a, b, staked[a] * staked[b]) for a in staked for b in staked]
        one = sum((stake * self.within[a, b] for a, b, stake in pairs), Fraction(0))
        two = sum((stake * self.between[a, b] for a, b, stake in pairs), Fraction(0))
        return seats * one + seats * (seats - 1) * two

    def standard_deviation(self, seats: int, wagers: Wagers) -> float:
        """The square root of that variance."""
        return sqrt(self.variance(seats, wagers))


def covariance(
    bets: tuple[Bet, ...], means: Sequence[Fraction], products: Sequence[Sequence[Fraction]]
) -> Covariance:
    """The covariances of bets, from the means of each and of the products of two."""
    return {
        (bet, other): products[a][b] - means[a] * means[b]
        for a, bet in enumerate(bets)
        for b, other in enumerate(bets)
    }


def check_seats(seats: int) -> None:
    """Refuse a number of seats that no table has."""
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= MOST_SEATS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{seats!r} seats are not allowed; a table has 1 to {MOST_SEATS}"
        )


def checked_wagers(wagers: Wagers, known: tuple[Bet, ...]) -> dict[Bet, Fraction]:
    """The wagers as fractions; refused when one is unknown or negative, or all are nothing."""
    for bet, stake in wagers.items():
        if bet not in known:
            raise Refused(
                Reason.UNKNOWN_BET, f"bet {bet!r} is not counted here; known: {listed(known)}"
            )
        if isinstance(stake, bool) or not isinstance(stake, int | Fraction):
            raise Refused(
                Reason.NOT_AN_AMOUNT, f"{bet} {stake!r} is not a whole number or a fraction"
            )
        if stake < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"{bet} {stake} is negative; it must be 0 or more"
            )
    if not any(wagers.values()):
        raise Refused(Reason.MISSING_BET, f"nothing is wagered; wager on {listed(known)}")
    return {bet: Fraction(stake) for bet, stake in wagers.items()}
