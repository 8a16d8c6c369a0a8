"""Rules of Three Card Poker.

They look at three facts: the category of the player's hand, whether the dealer plays, and who
beats whom.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from houseway.cards import FOUR, QUEEN, RANK_WORDS, SIX, make_card, rank_of
from houseway.cards.hands import QUEEN_HIGH, QUEEN_SIX_FOUR, ThreeCard, category3, describe3, rank3
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerOptions(ContestOptions):
    """What is at the casino's discretion in Three Card Poker."""

    tie_rule: Literal["push", "lose", "win"] = option(
        "push", "What a tie with the dealer does to Ante and Play", "A-09"
    )


def hand_rank(hand: tuple[int, int, int], options: PokerOptions) -> int:
    """The rank of a hand; no option touches it (TCP-02)."""
    return rank3(*hand)


def describe(hand: tuple[int, int, int], options: PokerOptions) -> str:
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


def play(found: Facts, options: PokerOptions) -> Verdict:
    """Play pushes when the dealer does not play, else wins or loses even money (TCP-06..09)."""
    if not found.dealer_plays:
        return pushes("TCP-06", "the dealer holds {dealer} and does not play, so Play is returned")
    return _even_money("Play", found.comparison, options)


def ante(found: Facts, options: PokerOptions) -> Verdict:
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
    tables: "Mapping[str, PayTable]",
    options: PokerOptions,
) -> PlayedVerdicts:
    """Play, Ante Bonus where it pays, and Ante of a hand that was played (TCP-22)."""
    bonus = ante_bonus(category, tables["ante-bonus"])
    paid: PlayedVerdicts = () if bonus is None else (("ante-bonus", bonus),)
    return (("play", play(found, options)), *paid, ("ante", ante(found, options)))


def announce(seen: Seen, options: PokerOptions) -> str:
    """What the dealer announces of the hand (TCP-21, A-28, A-34)."""
    dealer = three(seen.dealer)
    if not dealer_plays(hand_rank(dealer, options)):
        return "Dealer doesn't play."
    if options.announcement_text == "source_text":
        return "Dealer plays with a Queen."
    if category3(*dealer) == ThreeCard.HIGH_CARD:
        high = RANK_WORDS[max(rank_of(card) for card in dealer)]
        return f"Dealer plays with {'an' if high[0] == 'A' else 'a'} {high}."
    return f"Dealer plays with {describe3(*dealer)}."


def plays_by_thumb(value: int, up_rank: int) -> bool:
    """True for Queen, 6, 4 or better, which costs nothing against the best play."""
    return value >= QUEEN_SIX_FOUR


def thumb_words(seen: Seen, options: PokerOptions) -> str:
    """The rule as it is remembered."""
    return f"play {describe3(*high_cards(QUEEN, SIX, FOUR))} or better"


def high_cards(first: int, second: int, third: int) -> tuple[int, int, int]:
    """Three cards of these ranks that make no pair, straight or flush."""
    return make_card(first, 0), make_card(second, 1), make_card(third, 2)


def pair_plus_survives_fold(options: PokerOptions) -> bool:
    """False in the base game: not playing gives up Pair Plus with the Ante (TCP-13)."""
    return options.pair_plus_after_fold == "stays"


def _even_money(bet: str, comparison: int, options: PokerOptions) -> Verdict:
    return even_money(bet, comparison, options, win="TCP-07", lose="TCP-08", tie="TCP-09")


def even_money(
    bet: str, comparison: int, options: PokerOptions, *, win: str, lose: str, tie: str
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
