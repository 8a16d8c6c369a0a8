"""Seen: a seat of a live round as the rules of its game look at it."""

from houseway import lines
from houseway.games.contract import NO_CARDS, Hand, Seen
from houseway.games.side_bets import LINK
from houseway.lines import Line, Meters
from houseway.live.state import Round, Seat


def seen_of(table: Round, seat: Seat) -> Seen:
    """All cards and decisions of a seat, with the dealer's and the table's cards."""
    actions = tuple(name for name in seat.decisions if name != "insurance")
    own, hands = seat.cards, seat.hands
    if len(hands) > 1:
        # Split hands have the first cards of the seat between them, one after the other.
        held = tuple(own[place : 2 * len(hands) : len(hands)] for place in range(len(hands)))
    else:
        held = (own[: hands[0].cards] if hands else own,)
    return Seen(
        own=own,
        dealer=table.dealer,
        table={LINK: table.community} if table.community else NO_CARDS,
        hands=tuple(Hand(cards, actions) for cards in held),
        actions=seat.decisions,
    )


def face_down(seat: Seat) -> Seen:
    """The decisions of a seat, while nobody but the player knows its cards."""
    return Seen(hands=(Hand((), seat.decisions),), actions=seat.decisions)


def lines_of(
    table: Round,
    seat: Seat,
    seen: Seen,
    *bets: str,
    meters: Meters | None = None,
) -> list[Line]:
    """What is settled of a seat by what is seen, and is not settled yet.

    Of these bets, or of all but the progressive, which is settled in a way of its own.
    """
    game = table.ruleset.game
    usual = (bet for bet in game.order if bet != "progressive")
    return lines.seat_lines(
        game,
        seen,
        seat.wagers,
        table.ruleset.paytables,
        table.options,
        meters=meters,
        only=[bet for bet in bets or usual if not seat.settled(bet)],
    )


def added_wager(table: Round, seat: Seat, decision: str) -> int:
    """What a decision adds to the wagers, in cents; 0 where it is unknown."""
    action = table.ruleset.game.action(decision)
    return 0 if action is None else lines.action_cents(action, seat.wagers, table.options)
