"""Stakes: which bets a practice table offers, and what is offered on each spot first."""

from houseway.live.commands import Bets
from houseway.names import Bet
from houseway.rules.ruleset import Ruleset


def offered(ruleset: Ruleset) -> tuple[Bet, ...]:
    """The bets of a practice table: all of the game."""
    return tuple(
        bet for bet in ruleset.game.wagers if bet != "progressive" or bet in ruleset.paytables
    )


def first_bets(ruleset: Ruleset) -> Bets:
    """What is bet where nobody says otherwise: all but the progressive."""
    bets = (bet for bet in offered(ruleset) if bet != "progressive")
    return tuple((bet, ruleset.usual_cents(bet)) for bet in bets)
