"""Simple play: for each three-card game the rule of thumb that people can remember.

- Three Card Poker: play Queen, 6, 4 or better.
- Face Up: against a Jack or better play that card with a Nine or better, against a lower one play
  a Jack or better: up to a Ten the dealer still has to find the Queen, from the Jack on the up
  card itself has to be beaten.
- Triple Shot Rummy: play a score with which the dealer plays.

What each costs against the best play is for the exact analysis to say.
"""

from houseway.cards import ACE, DEUCE, FOUR, JACK, NINE, QUEEN, SIX, THREE, make_card
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.games.triple_shot_rummy.rules import DEALER_PLAYS_UP_TO
from houseway.hands import QUEEN_SIX_FOUR, describe3, rank3


def played(game: Game, value: int, up_rank: int) -> bool:
    """True when a hand worth so much is played; the up card matters in Face Up only."""
    if game.code == "triple-shot-rummy":
        return bool(contest_of(game).dealer_plays(value))
    if game.code == "three-card-poker-face-up":
        return value >= FACE_UP_LINES[up_rank]
    return value >= QUEEN_SIX_FOUR


def words(game: Game, up_rank: int) -> str:
    """The rule as it is remembered; in Face Up the line against that card."""
    if game.code == "triple-shot-rummy":
        return f"play a score of {DEALER_PLAYS_UP_TO} or less"
    face_up = game.code == "three-card-poker-face-up"
    line = FACE_UP_HANDS[up_rank] if face_up else _high(QUEEN, SIX, FOUR)
    return f"play {describe3(*line)} or better"


def _high(first: int, second: int, third: int) -> tuple[int, int, int]:
    """Three cards of these ranks that make no pair, straight or flush."""
    return make_card(first, 0), make_card(second, 1), make_card(third, 2)


FACE_UP_HANDS = tuple(
    _high(up, NINE, DEUCE) if up >= JACK else _high(JACK, THREE, DEUCE) for up in range(ACE + 1)
)
"""The least hand to play in Face Up, by the rank of the up card."""
FACE_UP_LINES = tuple(rank3(*hand) for hand in FACE_UP_HANDS)
"""What these hands are worth."""
