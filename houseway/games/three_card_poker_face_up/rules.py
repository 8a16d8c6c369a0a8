"""Rules of Three Card Poker Face Up, where a dealer who does not play means the reverse."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from houseway.cards import ACE, DEUCE, JACK, NINE, THREE
from houseway.cards.hands import describe3, rank3
from houseway.games.base import EVEN_MONEY, PLAYER_WINS, Facts, Verdict, forfeits, pushes, wins
from houseway.games.contest import PlayedVerdicts, up_rank
from houseway.games.contract import Seen
from houseway.games.three_card_poker.rules import PokerOptions, even_money, high_cards
from houseway.house.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houseway.house.paytables import PayTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceUpOptions(PokerOptions):
    """What is at the casino's discretion in Face Up."""

    face_up_unqualified_play: Literal["compare", "win_or_push", "win"] = option(
        "compare",
        "What Play does in Face Up when the dealer does not play",
        "A-51",
    )


def ante_folded() -> Verdict:
    """Folding surrenders the Ante (FUP-04)."""
    return forfeits("FUP-04", "the player folded and surrenders the Ante")


def play(found: Facts, options: FaceUpOptions) -> Verdict:
    """Play is compared with the dealer's hand even when the dealer does not play (FUP-06, FUP-08).

    What else it may do against such a dealer is an option (A-51).
    """
    if found.dealer_plays or options.face_up_unqualified_play == "compare":
        return _compared("Play", found.comparison, options)
    if found.comparison == PLAYER_WINS:
        return _compared("Play", found.comparison, options)
    if options.face_up_unqualified_play == "win":
        return wins(
            EVEN_MONEY,
            "FUP-06",
            "the dealer holds {dealer} and does not play; by house option Play wins with {player}",
        )
    return pushes(
        "FUP-06",
        "the dealer holds {dealer} and does not play; by house option Play is returned to {player}",
    )


def ante(found: Facts, options: FaceUpOptions) -> Verdict:
    """The Ante is returned when the dealer does not play, else compared (FUP-06..08)."""
    if not found.dealer_plays:
        return pushes(
            "FUP-06", "the dealer holds {dealer}, below Queen high, so the Ante is returned"
        )
    return _compared("the Ante", found.comparison, options)


def played(
    found: Facts,
    rank: int,
    category: int,
    tables: "Mapping[str, PayTable]",
    options: FaceUpOptions,
) -> PlayedVerdicts:
    """Play and Ante of a hand that was played."""
    return (("play", play(found, options)), ("ante", ante(found, options)))


LEAST_HANDS = tuple(
    high_cards(up, NINE, DEUCE) if up >= JACK else high_cards(JACK, THREE, DEUCE)
    for up in range(ACE + 1)
)
"""The least hand to play by the rule of thumb, by the rank of the up card.

Up to a Ten the dealer still has to find the Queen; from the Jack on the up card itself has to be
beaten.
"""
LEAST_VALUES = tuple(rank3(*hand) for hand in LEAST_HANDS)


def plays_by_thumb(value: int, up_rank: int) -> bool:
    """True for the up card with a Nine or better against a Jack or more, else a Jack or better.

    It costs 58,769 in 101,792,600 Antes, or 0.058%; by house option 0.105% where Play is returned
    and 2.33% where it wins when the dealer does not play.
    """
    return value >= LEAST_VALUES[up_rank]


def thumb_words(seen: Seen, options: FaceUpOptions) -> str:
    """The line to play from against the up card."""
    return f"play {describe3(*LEAST_HANDS[up_rank(seen)])} or better"


def pair_plus_survives_fold(options: FaceUpOptions) -> bool:
    """True: only the Ante is surrendered (A-10), unless the house has it otherwise."""
    return options.pair_plus_after_fold != "forfeit"


def _compared(bet: str, comparison: int, options: FaceUpOptions) -> Verdict:
    return even_money(bet, comparison, options, win="FUP-08", lose="FUP-08", tie="TCP-09")
