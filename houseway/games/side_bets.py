"""Side bets that several games share: Pair Plus and the 6 Card Bonus."""

from typing import TYPE_CHECKING

from houseway.games.base import AntePlayGame, Verdict, forfeits, loses, wins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houseway.names import Bet
    from houseway.options import Options
    from houseway.paytables import PayTable


def pair_plus(category: int, paytable: "PayTable", clause: str) -> Verdict:
    """Pair Plus wins on a pair or better, whatever the dealer holds (TSR-13, TCP-11, FUP-09)."""
    odds = paytable.odds(category)
    if odds is None:
        return loses(clause, "Pair Plus needs a pair or better and the player holds {player}")
    return wins(odds, clause, "Pair Plus is paid on {player} whatever the dealer holds:")


def pair_plus_folded(clause: str) -> Verdict:
    """Pair Plus where a fold costs it as well (TCP-13)."""
    return forfeits(clause, "the player folded, and here a fold gives up Pair Plus as well")


def in_action_after_fold(
    game: AntePlayGame, wagers: "Iterable[Bet]", options: "Options"
) -> "tuple[Bet, ...]":
    """The bonus bets that a folded hand still plays for (TSR-15, TSR-16, TCP-13, SCB-03).

    While there is one, the hand is not taken in: its cards are tucked under that bet.
    """
    survives = {"six-card-bonus": True, "pair-plus": game.pair_plus_survives_fold(options)}
    return tuple(bet for bet in wagers if survives.get(bet, False))


def six_card_bonus(category: int, paytable: "PayTable", clause: str) -> Verdict:
    """6 Card Bonus pays the best five of the player's and the dealer's cards (TSR-14, SCB-02).

    Folding does not touch it (TSR-15, SCB-03), and it opens on Face Up as well (SCB-09).
    """
    odds = paytable.odds(category)
    if odds is None:
        return loses(
            clause, "6 Card Bonus needs three of a kind or better and the six cards make {cards}"
        )
    return wins(odds, clause, "6 Card Bonus: the six cards make {cards}, which pays")
