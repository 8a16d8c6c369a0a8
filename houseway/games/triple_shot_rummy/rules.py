"""Rules of Triple Shot Rummy: the lower score wins, and the dealer plays with 20 or less.

They look at three facts: the player's score, whether the dealer plays, and who is lower.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houseway.cards.hands import AceInRuns, CombinationChoice, rummy_points
from houseway.games.base import (
    DEALER_WINS,
    EVEN_MONEY,
    PLAYER_WINS,
    Facts,
    Verdict,
    forfeits,
    loses,
    pushes,
    wins,
)
from houseway.games.contest import ContestOptions, PlayedVerdicts, three
from houseway.games.contract import Seen
from houseway.house.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houseway.house.paytables import PayTable

DEALER_PLAYS_UP_TO = 20
MOST_POINTS_PAID = DEALER_PLAYS_UP_TO - 1
"""The last score that can win (TSR-12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RummyOptions(ContestOptions):
    """What is at the casino's discretion in Triple Shot Rummy."""

    ace_in_runs: AceInRuns = option("low", "Where the Ace may stand in a suited run", "A-07")
    combination_choice: CombinationChoice = option(
        "lowest", "Which combination counts when a hand holds two", "A-08"
    )


def score(hand: tuple[int, int, int], options: RummyOptions) -> int:
    """The points of a hand under the house's readings of runs and combinations (TSR-04)."""
    return rummy_points(
        *hand,
        ace_in_runs=options.ace_in_runs,
        combination_choice=options.combination_choice,
    )


def describe(hand: tuple[int, int, int], options: RummyOptions) -> str:
    """The score as a number."""
    return str(score(hand, options))


def dealer_plays(dealer_points: int) -> int:
    """1 when the dealer's score is 20 or lower, else 0 (TSR-05)."""
    return (dealer_points <= DEALER_PLAYS_UP_TO) * 1


def compare(player_points: int, dealer_points: int) -> int:
    """0 when the dealer's score is lower, 1 when equal, 2 when the player's is (TSR-09..11)."""
    return (player_points <= dealer_points) * 1 + (player_points < dealer_points) * 1


def ante_folded() -> Verdict:
    """Folding loses the Ante alone; the cards stay, tucked, for bonus bets (TSR-07, TSR-16)."""
    return forfeits("TSR-07", "the player folded and gives up the Ante")


def play(found: Facts, points: int, paytable: "PayTable") -> Verdict:
    """Play pushes, loses, or pays by the player's own score (TSR-08..12)."""
    if not found.dealer_plays:
        return pushes("TSR-08", "the dealer scores {dealer} and does not play, so Play is returned")
    if found.comparison == PLAYER_WINS:
        odds = paytable.odds(points)
        if odds is None:
            raise ValueError(f"a winning score of {points} has no pay")
        return wins(
            odds, "TSR-12", "a score of {player} is lower than the dealer's {dealer}, so Play pays"
        )
    if found.comparison == DEALER_WINS:
        return loses(
            "TSR-10", "the dealer's {dealer} is lower than a score of {player}, so Play loses"
        )
    return pushes("TSR-11", "both score {player}, so Play is returned")


def ante(found: Facts) -> Verdict:
    """Ante wins even money when the dealer does not play or is higher (TSR-08..11)."""
    if not found.dealer_plays:
        return wins(
            EVEN_MONEY,
            "TSR-08",
            "the dealer scores {dealer} and does not play, so the Ante wins",
        )
    if found.comparison == PLAYER_WINS:
        return wins(
            EVEN_MONEY,
            "TSR-09",
            "a score of {player} is lower than the dealer's {dealer}, so the Ante wins",
        )
    if found.comparison == DEALER_WINS:
        return loses(
            "TSR-10", "the dealer's {dealer} is lower than a score of {player}, so the Ante loses"
        )
    return pushes("TSR-11", "both score {player}, so the Ante is returned")


def announce(seen: Seen, options: RummyOptions) -> str:
    """What the dealer announces of the hand (TSR-28, A-28)."""
    dealer = three(seen.dealer)
    if not dealer_plays(score(dealer, options)):
        return "Dealer doesn't play."
    return f"Dealer plays with {describe(dealer, options)}."


def plays_by_thumb(points: int, up_rank: int) -> bool:
    """True for the scores with which the dealer plays.

    No other line through the scores is better under any reading of runs and combinations.
    """
    return bool(dealer_plays(points))


def thumb_words(seen: Seen, options: RummyOptions) -> str:
    """The rule as it is remembered."""
    return f"play a score of {DEALER_PLAYS_UP_TO} or less"


def pair_plus_survives_fold(options: RummyOptions) -> bool:
    """True: folding leaves Pair Plus in action (TSR-15), unless the house has it otherwise."""
    return options.pair_plus_after_fold != "forfeit"


def played(
    found: Facts,
    points: int,
    category: int,
    tables: "Mapping[str, PayTable]",
    options: RummyOptions,
) -> PlayedVerdicts:
    """Play and Ante of a hand that was played."""
    return (("play", play(found, points, tables["play"])), ("ante", ante(found)))
