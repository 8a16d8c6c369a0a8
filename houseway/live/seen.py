"""Seen: a seat of a live round as the rules of its game look at it."""

from houseway.cards import UNKNOWN
from houseway.games.contract import NO_CARDS, Hand, Seen
from houseway.live.state import Round, Seat
from houseway.rules import lines
from houseway.rules.lines import Line, Meters


def seen_of(table: Round, seat: Seat) -> Seen:
    """All cards and decisions of a seat, with the dealer's and the table's cards."""
    # A card that lies face down decides nothing, or what is settled would tell of it.
    dealer, laid = table.dealer, NO_CARDS
    if table.form >= 3 and False in table.dealer_up:
        dealer = turned(dealer, table.dealer_up)
    if table.laid:
        laid = {place: turned(lay.cards, lay.up) for place, lay in table.laid.items()}
    return Seen(
        own=seat.cards,
        dealer=dealer,
        table=laid,
        hands=seat.hands,
        actions=seat.decisions,
        peeked=table.peeked,
    )


def turned(cards: tuple[int, ...], up: tuple[bool, ...]) -> tuple[int, ...]:
    """The cards, unknown where they lie face down."""
    if False not in up:
        return cards
    return tuple([card if facing else UNKNOWN for card, facing in zip(cards, up, strict=True)])


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
    done = {(line.bet, line.hand) for line in seat.lines}
    found = lines.seat_lines(
        game,
        seen,
        seat.wagers,
        table.ruleset.paytables,
        table.options,
        meters=meters,
        only=[bet for bet in bets or usual if (bet, None) not in done],
    )
    return [line for line in found if (line.bet, line.hand) not in done] if done else found


def is_made(table: Round, seat: Seat, bet: str) -> bool:
    """True when a seat has chips on a bet: its own wager, or what a decision put up."""
    if bet in seat.wagers:
        return True
    taken = (table.ruleset.game.action(name) for name in seat.decisions)
    return any(action and action.puts and action.puts.bet == bet for action in taken)


def is_open(table: Round, seat: Seat, bet: str) -> bool:
    """True when a bet was made and some of it is not settled yet."""
    if not is_made(table, seat, bet):
        return False
    settled = sum(line.bet == bet for line in seat.lines)
    found = table.ruleset.game.bet(bet)
    each = len(seat.hands) if found is not None and found.per_hand else 1
    return settled < each


def added_wager(table: Round, seat: Seat, decision: str) -> int:
    """What a decision adds to the wagers, in cents; 0 where it is unknown."""
    action = table.ruleset.game.action(decision)
    return 0 if action is None else lines.action_cents(action, seat.wagers, table.options)
