"""Three Card Poker, and its Face Up form, in which a dealer who does not play means the reverse.

The rules look at three facts: the category of the player's hand, whether the dealer plays, and
who beats whom.
"""

from typing import TYPE_CHECKING

from houseway.games.base import (
    DEALER_WINS,
    EVEN_MONEY,
    PLAYER_WINS,
    AntePlayGame,
    Facts,
    PlayedVerdicts,
    Verdict,
    forfeits,
    loses,
    pushes,
    wins,
)
from houseway.hands import QUEEN_HIGH, describe3, rank3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houseway.names import Bet
    from houseway.options import Options
    from houseway.paytables import PayTable


def hand_rank(hand: tuple[int, int, int], options: "Options") -> int:
    """The rank of a hand; no option touches it (TCP-02)."""
    return rank3(*hand)


def describe(hand: tuple[int, int, int], options: "Options") -> str:
    """The hand in words."""
    return describe3(*hand)


def dealer_plays(dealer_rank: int) -> int:
    """1 when the dealer holds Queen high or better, else 0 (TCP-04, FUP-07)."""
    return (dealer_rank >= QUEEN_HIGH) * 1


def compare(player_rank: int, dealer_rank: int) -> int:
    """0 when the dealer's hand is better, 1 on a tie, 2 when the player's is (TCP-03)."""
    return (player_rank >= dealer_rank) * 1 + (player_rank > dealer_rank) * 1


def ante_folded() -> Verdict:
    """Folding loses the Ante (TCP-05)."""
    return forfeits("TCP-05", "the player folded and gives up the Ante")


def play(found: Facts, options: "Options") -> Verdict:
    """Play pushes when the dealer does not play, else wins or loses even money (TCP-06..09)."""
    if not found.dealer_plays:
        return pushes("TCP-06", "the dealer holds {dealer} and does not play, so Play is returned")
    return _even_money("Play", found.comparison, options)


def ante(found: Facts, options: "Options") -> Verdict:
    """Ante wins when the dealer does not play, else wins or loses even money (TCP-06..09)."""
    if not found.dealer_plays:
        return wins(
            EVEN_MONEY, "TCP-06", "the dealer holds {dealer} and does not play, so the Ante wins"
        )
    return _even_money("the Ante", found.comparison, options)


def ante_bonus(category: int, paytable: "PayTable") -> Verdict | None:
    """Ante Bonus pays the top hands whatever the dealer holds; None when it does not pay (TCP-10).

    It belongs to a hand that was played: a fold gives it up with the Ante (A-14).
    """
    odds = paytable.odds(category)
    if odds is None:
        return None
    return wins(odds, "TCP-10", "Ante Bonus is paid on {player} whatever the dealer holds:")


def played(
    found: Facts,
    rank: int,
    category: int,
    tables: "Mapping[Bet, PayTable]",
    options: "Options",
) -> PlayedVerdicts:
    """Play, Ante Bonus where it pays, and Ante of a hand that was played (TCP-22)."""
    bonus = ante_bonus(category, tables["ante-bonus"])
    paid: PlayedVerdicts = () if bonus is None else (("ante-bonus", bonus),)
    return (("play", play(found, options)), *paid, ("ante", ante(found, options)))


def pair_plus_survives_fold(options: "Options") -> bool:
    """False in the base game: not playing gives up Pair Plus with the Ante (TCP-13)."""
    return options.pair_plus_after_fold == "stays"


def face_up_ante_folded() -> Verdict:
    """Folding surrenders the Ante (FUP-04)."""
    return forfeits("FUP-04", "the player folded and surrenders the Ante")


def face_up_play(found: Facts, options: "Options") -> Verdict:
    """Play is compared with the dealer's hand even when the dealer does not play (FUP-06, FUP-08).

    What else it may do against such a dealer is an option (A-51).
    """
    if found.dealer_plays or options.face_up_unqualified_play == "compare":
        return _face_up_even_money("Play", found.comparison, options)
    if found.comparison == PLAYER_WINS:
        return _face_up_even_money("Play", found.comparison, options)
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


def face_up_ante(found: Facts, options: "Options") -> Verdict:
    """The Ante is returned when the dealer does not play, else compared (FUP-06..08)."""
    if not found.dealer_plays:
        return pushes(
            "FUP-06", "the dealer holds {dealer}, below Queen high, so the Ante is returned"
        )
    return _face_up_even_money("the Ante", found.comparison, options)


def face_up_played(
    found: Facts,
    rank: int,
    category: int,
    tables: "Mapping[Bet, PayTable]",
    options: "Options",
) -> PlayedVerdicts:
    """Play and Ante of a hand that was played."""
    return (("play", face_up_play(found, options)), ("ante", face_up_ante(found, options)))


def face_up_pair_plus_survives_fold(options: "Options") -> bool:
    """True: only the Ante is surrendered (A-10), unless the house has it otherwise."""
    return options.pair_plus_after_fold != "forfeit"


def _even_money(bet: str, comparison: int, options: "Options") -> Verdict:
    return _compared(bet, comparison, options, win="TCP-07", lose="TCP-08", tie="TCP-09")


def _face_up_even_money(bet: str, comparison: int, options: "Options") -> Verdict:
    return _compared(bet, comparison, options, win="FUP-08", lose="FUP-08", tie="TCP-09")


def _compared(
    bet: str, comparison: int, options: "Options", *, win: str, lose: str, tie: str
) -> Verdict:
    """Even money on the better hand; what a tie does is an option (A-09)."""
    if comparison == PLAYER_WINS:
        return wins(EVEN_MONEY, win, f"{{player}} beats {{dealer}}, so {bet} wins")
    if comparison == DEALER_WINS:
        return loses(lose, f"the dealer's hand, {{dealer}}, beats {{player}}, so {bet} loses")
    if options.tie_rule == "win":
        return wins(EVEN_MONEY, tie, f"{{player}} ties the dealer; by house option {bet} wins")
    if options.tie_rule == "lose":
        return loses(tie, f"{{player}} ties the dealer; by house option {bet} loses")
    return pushes(tie, f"{{player}} ties the dealer's hand, so {bet} is returned")


GAME = AntePlayGame(
    code="three-card-poker",
    name="Three Card Poker",
    order=("play", "ante-bonus", "ante", "pair-plus", "six-card-bonus", "progressive", "envy"),
    wagers=("ante", "pair-plus", "six-card-bonus", "progressive"),
    value=hand_rank,
    describe=describe,
    dealer_plays=dealer_plays,
    compare=compare,
    played=played,
    folded=ante_folded,
    pair_plus_survives_fold=pair_plus_survives_fold,
    pair_plus_clause="TCP-11",
    pair_plus_fold_clause="TCP-13",
    six_card_bonus_clause="SCB-02",
)
FACE_UP = AntePlayGame(
    code="three-card-poker-face-up",
    name="Three Card Poker Face Up",
    order=("play", "ante", "pair-plus", "six-card-bonus", "progressive", "envy"),
    wagers=("ante", "pair-plus", "six-card-bonus", "progressive"),
    value=hand_rank,
    describe=describe,
    dealer_plays=dealer_plays,
    compare=compare,
    played=face_up_played,
    folded=face_up_ante_folded,
    pair_plus_survives_fold=face_up_pair_plus_survives_fold,
    pair_plus_clause="FUP-09",
    pair_plus_fold_clause="FUP-04",
    six_card_bonus_clause="SCB-02",
)
