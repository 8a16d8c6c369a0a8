"""Hand: what cards make, in the words of the rules, for those who are still learning to see it."""

from houseway.games import blackjack
from houseway.games.base import AntePlayGame
from houseway.hands import describe5
from houseway.live.bonus import dealer_total
from houseway.live.phases import Stage
from houseway.live.state import Round
from houseway.live.three_card import three

_SIX = 6


def own_hand(live: Round, position: int) -> str:
    """What a position holds; empty where its cards say nothing yet."""
    seat, game = live.seat(position), live.ruleset.game
    if isinstance(game, AntePlayGame):
        return _begun(game.describe(three(seat.cards), live.options)) if seat.cards else ""
    if len(seat.cards) >= _SIX and (live.over or live.stage is Stage.POKER):
        return _begun(describe5(seat.cards))
    return " and ".join(_points(hand.total) for hand in seat.hands)


def dealers_hand(live: Round) -> str:
    """What the dealer holds, once all of it is seen."""
    game = live.ruleset.game
    if not live.dealer_shown:
        return ""
    if isinstance(game, AntePlayGame):
        return _begun(game.describe(three(live.dealer), live.options))
    return _points(dealer_total(live)) if len(live.dealer) < _SIX else ""


def _points(total: int) -> str:
    soft = "soft " if blackjack.is_soft(total) else ""
    return f"{soft}{blackjack.value(total)}"


def _begun(text: str) -> str:
    """The words of a hand by themselves; a bare number is a score of Rummy."""
    if text.isdecimal():
        return f"{text} point" + ("" if text == "1" else "s")
    return text[:1].upper() + text[1:]
