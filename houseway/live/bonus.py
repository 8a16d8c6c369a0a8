"""Bonus: what happens in a round of Triple Shot Bonus, stage by stage."""

from collections.abc import Iterator

from houseway.cards import rank_of
from houseway.games import blackjack
from houseway.games.contract import Draw, Seen
from houseway.live import events as e
from houseway.live.commands import DEALER
from houseway.live.phases import Phase, Stage
from houseway.live.seen import added_wager, lines_of, seen_of
from houseway.live.state import Round, Seat, fold, short_of_six


def deliver(table: Round, places: tuple[int, ...]) -> Iterator[e.Event]:
    """The cards of a stage, from the dealer's left.

    One up to each and to the dealer (TSB-05); a second, the dealer's face down (TSB-08); or what
    is missing to six, face up or down by house choice (TSB-17).
    """
    assert table.shuffle is not None
    deck, taken = table.shuffle.cards, table.dealt
    happened: list[e.Event] = []
    for place in places:
        number, up = 1, True
        if table.stage is Stage.BLACKJACK:
            up = place != DEALER
        elif table.stage is Stage.POKER:
            held = table.dealer if place == DEALER else table.seats[place - 1].cards
            number = blackjack.SIX_CARDS - len(held)
            up = table.options.poker_cards_facing == "up"
        happened.append(e.Dealt(place, deck[taken : taken + number], (up,) * number))
        taken += number
    yield from happened
    if len(places) < len(table.waiting):
        return
    if table.stage is Stage.BLACKJACK:
        yield from _before_decisions(fold(table, happened))
    else:
        yield e.PhaseBegan(Phase.RECONCILE, table.stage)


def _before_decisions(table: Round) -> Iterator[e.Event]:
    """The dealer looks for a blackjack with a ten up; with an Ace up insurance comes first."""
    up_rank = rank_of(table.dealer[0])
    natural = False
    if not blackjack.may_insure(up_rank):
        if blackjack.dealer_peeks(up_rank, table.options):
            natural = _is_natural(table.dealer)
            yield e.Peeked(natural)
        if natural or to_act(table) is None:
            yield e.PhaseBegan(Phase.REVEAL, Stage.BLACKJACK)
            return
    yield e.PhaseBegan(Phase.DECISIONS, Stage.BLACKJACK)


def close_insurance(table: Round) -> Iterator[e.Event]:
    """No more insurance; where the dealer looks, insurance is settled at once (A-42, A-25)."""
    yield e.InsuranceClosed()
    natural = False
    if blackjack.dealer_peeks(rank_of(table.dealer[0]), table.options):
        natural = _is_natural(table.dealer)
        yield e.Peeked(natural)
        for position in reversed(table.playing):
            if table.seat(position).insured:
                seat = table.seat(position)
                for line in lines_of(table, seat, seen_of(table, seat), "insurance"):
                    yield e.Settled(position, line)
    if natural or to_act(table) is None:
        yield e.PhaseBegan(Phase.REVEAL, Stage.BLACKJACK)


def to_act(table: Round) -> int | None:
    """The position whose decision is next, from the dealer's left (TSB-32); None when all ended."""
    for position in table.playing:
        if _is_open(table, table.seats[position - 1]):
            return position
    return None


def _is_open(table: Round, seat: Seat) -> bool:
    return blackjack.status(seat.hands[0], table.options) is blackjack.Status.OPEN


CARDS_TAKEN = {"hit": 1, "double": 1, "split": 2}


def decide(table: Round, position: int, decision: str) -> Iterator[e.Event]:
    """A decision and the cards it takes; a hand that is over is settled at once (TSB-09..11)."""
    assert table.shuffle is not None
    seat = table.seats[position - 1]
    decided = e.Decided(position, decision, added_wager(table, seat, decision))
    yield decided
    if decision == "insurance":
        return
    happened: list[e.Event] = [decided]
    number = CARDS_TAKEN.get(decision, 0)
    if number:
        cards = table.shuffle.cards[table.dealt : table.dealt + number]
        happened.append(e.Dealt(position, cards, (True,) * number))
        yield happened[-1]
    table = fold(table, happened)
    seat = table.seats[position - 1]
    at = blackjack.status(seat.hands[0], table.options)
    over = at is blackjack.Status.BUST
    over |= at is blackjack.Status.SIX_CARDS and not dealer_may_have_natural(table)
    if over:
        yield from _settle(table, seat)
    if not _is_open(table, seat) and to_act(table) is None:
        yield e.PhaseBegan(Phase.REVEAL, Stage.BLACKJACK)


def dealer_may_have_natural(table: Round) -> bool:
    """True while a blackjack of the dealer's is possible and nobody has looked (TSB-11)."""
    up_rank = rank_of(table.dealer[0])
    return blackjack.rank_points(up_rank) in (1, 10) and not blackjack.dealer_peeks(
        up_rank, table.options
    )


def reveal(table: Round) -> Iterator[e.Event]:
    """The hole card is turned; the dealer draws when a hand is left to beat (TSB-13)."""
    assert table.shuffle is not None
    yield e.DealerShown(table.dealer)
    hand, taken = Seen(dealer=table.dealer), table.dealt
    hands = tuple(hand for p in table.playing for hand in table.seats[p - 1].hands)
    if not table.natural and blackjack.dealer_draws(hands, table.options):
        [draw] = (step for step in table.ruleset.game.script if isinstance(step, Draw))
        while not draw.until(hand, table.options):
            card = table.shuffle.cards[taken]
            yield e.Dealt(DEALER, (card,), (True,))
            taken += 1
            hand = hand._replace(dealer=(*hand.dealer, card))
    yield e.Announced(table.ruleset.game.announce(hand, table.options))
    if all(table.seat(p).is_through(Stage.BLACKJACK) for p in table.playing):
        yield from next_stage(table)
    else:
        yield e.PhaseBegan(Phase.RECONCILE, Stage.BLACKJACK)


SETTLED: dict[Stage | None, tuple[str, ...]] = {
    Stage.WAR: ("war", "hat-trick"),
    Stage.BLACKJACK: ("insurance", "blackjack", "hat-trick"),
    Stage.POKER: ("poker", "hat-trick"),
}
"""The bets that each stage settles; the Hat Trick goes with the first leg that loses (TSB-07)."""


def reconcile(table: Round, position: int) -> Iterator[e.Event]:
    """One position of a stage."""
    seat = table.seats[position - 1]
    if table.stage is Stage.POKER and not all(seat.up):
        yield e.HandShown(position, seat.cards)
    yield from _settle(table, seat)
    yield e.Reconciled(position)


def _settle(table: Round, seat: Seat) -> Iterator[e.Event]:
    """What the stage settles of a seat and is not settled yet."""
    for line in lines_of(table, seat, seen_of(table, seat), *SETTLED[table.stage]):
        yield e.Settled(seat.position, line)


def dealer_total(table: Round) -> int:
    """The dealer's Blackjack total."""
    return blackjack.total_of(tuple(rank_of(card) for card in table.dealer))


def _is_natural(cards: tuple[int, ...]) -> bool:
    return blackjack.is_natural(
        blackjack.total_of(tuple(rank_of(card) for card in cards)), len(cards)
    )


def next_stage(table: Round) -> Iterator[e.Event]:
    """The phase that follows when a stage was reconciled; nothing after the last."""
    if table.stage is Stage.WAR:
        yield e.PhaseBegan(Phase.DEALING, Stage.BLACKJACK)
    elif table.stage is Stage.BLACKJACK:
        short = short_of_six(table)
        yield e.PhaseBegan(Phase.DEALING if short else Phase.RECONCILE, Stage.POKER)
