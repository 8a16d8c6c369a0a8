"""Hand: what the cards of a seat make, in words, and what lies on its spots."""

from houseway.games import blackjack
from houseway.games.contest import contest_of, three
from houseway.hands import describe5
from houseway.live.bonus import dealer_total
from houseway.live.commands import Decide
from houseway.live.events import Decided
from houseway.live.phases import Stage
from houseway.live.round import decide
from houseway.live.seen import added_wager
from houseway.live.state import Round
from houseway.names import Bet

_SIX = 6


def own_hand(live: Round, position: int) -> str:
    """What a position holds; empty where its cards say nothing yet."""
    seat, game = live.seat(position), live.ruleset.game
    if game.contest is not None:
        return (
            _begun(contest_of(game).describe(three(seat.cards), live.options)) if seat.cards else ""
        )
    if len(seat.cards) >= _SIX and (live.over or live.stage is Stage.POKER):
        return _begun(describe5(seat.cards))
    return " and ".join(_points(hand.total) for hand in seat.hands)


def spots(live: Round, position: int) -> dict[Bet, int]:
    """What was put on each spot of a position, in cents, with what its decisions added."""
    seat = live.seat(position)
    found: dict[Bet, int] = dict(seat.wagers)
    for decision in seat.decisions:
        added = live.ruleset.game.action(decision)
        if added is not None and added.puts is not None:
            bet = added.puts.bet
            found[bet] = found.get(bet, 0) + added_wager(live, seat, decision)
    return found


def puts_up(live: Round, position: int, decision: str) -> int:
    """What a decision that is allowed now adds to the wagers, in cents."""
    made = decide(live, Decide(position, decision))[0]
    return made.wager if isinstance(made, Decided) else 0


def dealers_hand(live: Round) -> str:
    """What the dealer holds, once all of it is seen."""
    game = live.ruleset.game
    if not live.dealer_shown:
        return ""
    if game.contest is not None:
        return _begun(contest_of(game).describe(three(live.dealer), live.options))
    return _points(dealer_total(live)) if len(live.dealer) < _SIX else ""


def _points(total: int) -> str:
    soft = "soft " if blackjack.is_soft(total) else ""
    return f"{soft}{blackjack.value(total)}"


def _begun(text: str) -> str:
    """The words of a hand by themselves; a bare number is a score of Rummy."""
    if text.isdecimal():
        return f"{text} point" + ("" if text == "1" else "s")
    return text[:1].upper() + text[1:]
