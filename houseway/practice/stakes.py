"""Stakes: which bets a practice table offers, and what is offered on each spot first."""

from houseway.live.commands import Bets
from houseway.names import Bet
from houseway.ruleset import Ruleset

STAKES = {"six-card-bonus": 100, "progressive": 100, "hat-trick": 500}
"""Dollars on a spot where nothing is said, in cents; the vendor recommends $1 (SCB-05)."""
STAKE = 1000


def stake_of(ruleset: Ruleset, bet: str) -> int:
    """What is offered on a spot first; on the 6 Card Bonus by house option (SCB-05)."""
    if bet == "six-card-bonus":
        return ruleset.options.six_card_bonus_default
    return STAKES.get(bet, STAKE)


def offered(ruleset: Ruleset) -> tuple[Bet, ...]:
    """The bets of a practice table: all of the game."""
    return tuple(
        bet for bet in ruleset.game.wagers if bet != "progressive" or bet in ruleset.paytables
    )


def first_bets(ruleset: Ruleset) -> Bets:
    """What is bet where nobody says otherwise: all but the progressive."""
    bets = (bet for bet in offered(ruleset) if bet != "progressive")
    return tuple((bet, stake_of(ruleset, bet)) for bet in bets)
