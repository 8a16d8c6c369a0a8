"""Games: each one definition, in pure functions over small ints."""

from houseway.games import (
    three_card_poker,
    three_card_poker_face_up,
    triple_shot_bonus,
    triple_shot_rummy,
)
from houseway.games.contract import Game
from houseway.refusal import Reason, Refused, listed

GAMES: tuple[Game, ...] = (
    three_card_poker.GAME,
    three_card_poker_face_up.GAME,
    triple_shot_rummy.GAME,
    triple_shot_bonus.GAME,
)


def game_of(code: str | Game, games: tuple[Game, ...] = GAMES) -> Game:
    """The game of that code among some; refused with the known codes when there is none.

    A game that is no one's yet, such as one that is being checked, is handed over as itself.
    """
    if isinstance(code, Game):
        return code
    for game in games:
        if game.code == code:
            return game
    raise Refused(
        Reason.UNKNOWN_GAME,
        f"game {code!r} is unknown; known: {listed(game.code for game in games)}",
    )
