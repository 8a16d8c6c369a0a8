"""Triple Shot Rummy: the lower score wins, and the dealer plays with 20 or less.

The rules look at three facts: the player's score, whether the dealer plays, and who is lower.
`facts` is branch-free arithmetic, so it works on ints and on arrays alike.
"""

from typing import TYPE_CHECKING, NamedTuple

from houseway.games.base import (
    DEALER_WINS,
    EVEN_MONEY,
    PLAYER_WINS,
    Game,
    Verdict,
    forfeits,
    loses,
    pushes,
    wins,
)

if TYPE_CHECKING:
    from houseway.options import Options
    from houseway.paytables import PayTable

GAME = Game(
    code="triple-shot-rummy",
    name="Triple Shot Rummy",
    order=("play", "ante", "pair-plus", "six-card-bonus", "progressive", "envy"),
    wagers=("ante", "pair-plus", "six-card-bonus", "progressive"),
    catalogue=(63,),
    clauses=("TSR",),
)

MOST_POINTS = 30
DEALER_PLAYS_UP_TO = 20


class Facts(NamedTuple):
    """What settling Ante and Play may look at."""

    points: int
    dealer_plays: int
    comparison: int


FACTS_END = (MOST_POINTS + 1) * 6


def dealer_plays(dealer_points: int) -> int:
    """1 when the dealer's score is 20 or lower, else 0 (TSR-05)."""
    return (dealer_points <= DEALER_PLAYS_UP_TO) * 1


def compare(player_points: int, dealer_points: int) -> int:
    """0 when the dealer's score is lower, 1 when equal, 2 when the player's is (TSR-09..11)."""
    return (player_points <= dealer_points) * 1 + (player_points < dealer_points) * 1


def facts(player_points: int, dealer_points: int) -> Facts:
    """The facts of a player's score against the dealer's."""
    return Facts(player_points, dealer_plays(dealer_points), compare(player_points, dealer_points))


def index(found: Facts) -> int:
    """The place of the facts in a table of FACTS_END entries."""
    return (found.points * 2 + found.dealer_plays) * 3 + found.comparison


def all_facts() -> tuple[Facts, ...]:
    """Every value that the facts can take, in the order of `index`; some no two hands can make."""
    return tuple(
        Facts(points, plays, comparison)
        for points in range(MOST_POINTS + 1)
        for plays in range(2)
        for comparison in range(3)
    )


def ante_folded() -> Verdict:
    """Folding loses the Ante alone; the cards stay, tucked, for bonus bets (TSR-07, TSR-16)."""
    return forfeits("TSR-07", "the player folded and gives up the Ante")


def play(found: Facts, paytable: "PayTable") -> Verdict:
    """Play pushes, loses, or pays by the player's own score (TSR-08..12)."""
    if not found.dealer_plays:
        return pushes("TSR-08", "the dealer has {dealer} and does not play, so Play is returned")
    if found.comparison == PLAYER_WINS:
        odds = paytable.odds(found.points)
        if odds is None:
            raise ValueError(f"a winning score of {found.points} has no pay")
        return wins(odds, "TSR-12", "{player} is lower than the dealer's {dealer}, so Play pays")
    if found.comparison == DEALER_WINS:
        return loses("TSR-10", "the dealer's {dealer} is lower than {player}, so Play loses")
    return pushes("TSR-11", "both have {player}, so Play is returned")


def ante(found: Facts) -> Verdict:
    """Ante wins even money when the dealer does not play or is higher (TSR-08..11)."""
    if not found.dealer_plays:
        return wins(
            EVEN_MONEY, "TSR-08", "the dealer has {dealer} and does not play, so the Ante wins"
        )
    if found.comparison == PLAYER_WINS:
        return wins(
            EVEN_MONEY, "TSR-09", "{player} is lower than the dealer's {dealer}, so the Ante wins"
        )
    if found.comparison == DEALER_WINS:
        return loses("TSR-10", "the dealer's {dealer} is lower than {player}, so the Ante loses")
    return pushes("TSR-11", "both have {player}, so the Ante is returned")


def pair_plus_survives_fold(options: "Options") -> bool:
    """True: folding leaves Pair Plus in action (TSR-15), unless the house has it otherwise."""
    return options.pair_plus_after_fold != "forfeit"
