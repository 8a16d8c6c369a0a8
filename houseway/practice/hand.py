"""Hand: what the cards of a seat make, in words, and what lies on its spots."""

from houseway.games.contract import Seen
from houseway.live.commands import Decide
from houseway.live.round import refusal
from houseway.live.seen import added_wager, seen_of
from houseway.live.state import Round
from houseway.names import Bet


def own_hand(live: Round, position: int) -> str:
    """What a position holds; empty where its cards say nothing yet."""
    game, seen = live.ruleset.game, seen_of(live, live.seat(position))
    stage = game.stage(len(game.script) - 1) if live.over else live.stage
    return game.holds(seen, stage, live.options)


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
    refused = refusal(live, Decide(position, decision))
    if refused is not None:
        raise refused
    return added_wager(live, live.seat(position), decision)


def dealers_hand(live: Round) -> str:
    """What the dealer holds, once all of it is seen."""
    if not live.dealer_shown:
        return ""
    return live.ruleset.game.dealer_holds(Seen(dealer=live.dealer), live.options)
