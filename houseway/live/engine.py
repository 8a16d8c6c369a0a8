"""Engine: walks the script of a game and says what happens at each step.

It knows no game. A step that needs nobody (a look at a card, a draw, a burn) is done as soon as it
is reached; at any other the round waits for a command.
"""

from collections.abc import Iterator, Sequence

from houseway.cards import UNKNOWN
from houseway.games.contract import DEALER as THE_DEALER
from houseway.games.contract import (
    SEATS,
    Action,
    Ask,
    Burn,
    Collect,
    Deal,
    Draw,
    Peek,
    Seen,
    Settle,
    Show,
    Stage,
    Step,
)
from houseway.games.play import in_turn
from houseway.live import events as e
from houseway.live import progressive
from houseway.live.commands import DEALER, Place
from houseway.live.phases import Phase
from houseway.live.seen import (
    added_wager,
    face_down,
    is_open,
    lines_of,
    seen_of,
)
from houseway.live.state import Happening, Round, Seat, Waiting
from houseway.rules.lines import Line, in_order

PHASES: dict[type, Phase] = {
    Deal: Phase.DEALING,
    Draw: Phase.DEALING,
    Peek: Phase.DEALING,
    Ask: Phase.DECISIONS,
    Collect: Phase.REVEAL,
    Show: Phase.REVEAL,
    Settle: Phase.RECONCILE,
}


def begin(table: Round) -> Happening:
    """The first step of the script that waits for somebody."""
    return _go_on(table, 0)


def _go_on(table: Round, number: int) -> Happening:
    """What happens by itself from a step on, up to the next one that waits for a command."""
    script = table.ruleset.game.script
    for place in range(number, len(script)):
        step = script[place]
        if isinstance(step, Stage):
            continue
        waiting = _waiting(table, place, step)
        if waiting is not None:
            return (yield _begun(table, place, step, waiting))
        # Real cards are entered as they are drawn or looked at, and the round goes on from here.
        if isinstance(step, Draw | Peek) and not knows_its_deck(table):
            if table.at != place:
                table = yield _begun(table, place, step, ())
            if looks_at(table):
                return table
        table = yield from _by_itself(table, step)
        if table.unseen is not None:
            return table
    return table


def _begun(table: Round, place: int, step: Step, waiting: Waiting) -> e.Event:
    phase, stage = PHASES[type(step)], table.ruleset.game.stage(place)
    if (phase, stage) == (table.phase, table.stage):
        return e.StepBegan(place, waiting)
    return e.PhaseBegan(phase, stage, place, waiting)


def looks_at(table: Round) -> int:
    """How many cards the dealer looks at now, which lie face down and nobody has entered yet."""
    if table.phase is not Phase.DEALING:
        return 0
    step = table.ruleset.game.script[table.at]
    if not isinstance(step, Peek) or not _holds(table, step):
        return 0
    return table.dealer.count(UNKNOWN)


def knows_its_deck(table: Round) -> bool:
    """True where the order of the deck is known, as a shuffler of the house's makes it."""
    return table.shuffle is not None and table.shuffle.cards[0] != UNKNOWN


def _waiting(table: Round, number: int, step: Step) -> Waiting | None:
    """The places that a step waits for; None when nobody need do anything."""
    if isinstance(step, Deal) and not step.for_bet:
        return _to_be_dealt(table, number) or None
    if isinstance(step, Ask):
        return () if _is_asked(table, step, number) else None
    if isinstance(step, Collect):
        return () if uncollected(table) else None
    if isinstance(step, Show):
        return () if step.to == THE_DEALER or table.cards_at(step.to) else None
    if isinstance(step, Settle) and not step.at_once:
        return _to_be_settled(table, step, number)
    return None


def _to_be_dealt(table: Round, first: int) -> Waiting:
    """The places of this deal and those that follow it at once, each with its step, in order."""
    found: list[tuple[Place, int]] = []
    for number, step in enumerate(table.ruleset.game.script[first:], start=first):
        if not isinstance(step, Deal) or step.for_bet:
            break
        found += [(place, number) for place in _places(table, step)]
    return tuple(found)


def _places(table: Round, step: Deal) -> Iterator[Place]:
    """The places that a deal gives cards to."""
    if step.to == SEATS:
        for position in table.playing:
            seat = table.seats[position - 1]
            missing = not seat.folded and number_of(step, seat.cards) > 0
            if missing and (step.when is None or step.when(seen_of(table, seat), table.options)):
                yield position
    elif number_of(step, table.cards_at(step.to)) and _holds(table, step):
        yield DEALER if step.to == THE_DEALER else step.to


def number_of(step: Deal, held: Sequence[int]) -> int:
    """How many cards a deal gives to a place that holds these (TSB-17, TSB-19)."""
    return max(0, step.upto - len(held)) if step.upto else step.down + step.up


def _holds(table: Round, step: Deal | Burn | Peek | Draw) -> bool:
    """True when the condition of a step holds for one of the seats."""
    return step.when is None or any(
        step.when(seen_of(table, seat), table.options) for seat in _in_play(table)
    )


def _in_play(table: Round) -> Iterator[Seat]:
    return (seat for p in table.playing if not (seat := table.seats[p - 1]).folded)


def _by_itself(table: Round, step: Step) -> Happening:
    """What a step does that waits for nobody."""
    assert table.shuffle is not None
    if isinstance(step, Deal) and step.for_bet:
        table = yield from _for_side_bet(table, step)
    elif isinstance(step, Burn) and _holds(table, step):
        table = yield e.Burned(step.cards)
    elif isinstance(step, Peek) and _holds(table, step):
        table = yield from _peek(table, step)
    elif isinstance(step, Draw) and _holds(table, step):
        table = yield from _draw(table, step)
    elif isinstance(step, Settle) and step.at_once:
        table = yield from _settle_at_once(table, step)
    return table


# Cards.


def first_deal(table: Round) -> Waiting:
    """The places that the first deal of the script gives cards to, in order."""
    number = next(n for n, step in enumerate(table.ruleset.game.script) if isinstance(step, Deal))
    return _to_be_dealt(table, number)


def deliver(table: Round, places: Sequence[Place]) -> Happening:
    """Cards to places that wait for them, from the dealer's left (TSR-24, TCP-18, SCB-07, TSB-05).

    Packets lie face down from the shuffler to the spot, so no bottom card is seen (TSR-25).
    """
    assert table.shuffle is not None
    steps, deck = table.steps, table.shuffle.cards
    for place, number in zip(places, steps, strict=False):
        step = table.ruleset.game.script[number]
        assert isinstance(step, Deal), step
        cards = number_of(step, table.cards_of(place))
        if step.upto:
            up = (step.face_up is not None and step.face_up(table.options),) * cards
        else:
            up = (False,) * step.down + (True,) * step.up
        table = yield e.Dealt(place, deck[table.dealt : table.dealt + cards], up)
    return (yield from _dealt(table))


def _dealt(table: Round) -> Happening:
    """What follows a deal, once all have their cards and those face up are known."""
    if table.waiting or table.unseen is not None:
        return table
    script, number = table.ruleset.game.script, table.at
    while isinstance(step := script[number], Deal) and not step.for_bet:
        number += 1
    return (yield from _go_on(table, number))


def _for_side_bet(table: Round, step: Deal) -> Happening:
    """Cards of the table that a side bet looks at; a link's come from where the house says."""
    assert table.shuffle is not None
    side = table.ruleset.game.side(step.for_bet)
    paytable = table.ruleset.paytables[side.code]
    number = 0 if side.table is None else side.table(paytable).get(step.to, 0)
    if not number or not any(side.code in seat.wagers for seat in table.seats):
        return table
    source = table.options.community_source
    if source == "next_packet":
        cards = table.shuffle.cards[table.dealt : table.dealt + number]
    else:
        cards = table.shuffle.cards[: -number - 1 : -1]
    return (yield e.CommunityTaken(cards, source))


def _peek(table: Round, step: Peek) -> Happening:
    """The dealer looks, and what follows from it is settled, from the dealer's right."""
    open_cards = _dealers(table)._replace(dealer=table.dealer)
    table = yield e.Peeked(step.what(open_cards, table.options), step.finds)
    for position in reversed(table.playing):
        table = yield from _settle(table, table.seats[position - 1], step.settles)
    return table


def _draw(table: Round, step: Draw) -> Happening:
    assert table.shuffle is not None
    place: Place = DEALER if step.to == THE_DEALER else step.to
    while table.unseen is None and not step.until(_dealers(table), table.options):
        card = table.shuffle.cards[table.dealt]
        table = yield e.Dealt(place, (card,), (True,))
    return table


def _dealers(table: Round) -> Seen:
    """The dealer's cards, as a rule of the dealer's own looks at them."""
    return seen_of(table, table.seats[table.playing[0] - 1])


# Decisions.


def undecided(table: Round) -> Iterator[int]:
    """The positions that still owe an answer, from the dealer's left (TSR-26, TCP-19, TSB-32)."""
    step = table.asking
    if step is not None:
        for seat in _in_play(table):
            if _owes(table, seat, step, table.at):
                yield seat.position


def first_to_act(table: Round) -> int | None:
    """The position whose hand is played now, where hands are played one after the other."""
    step = table.asking
    if step is None or step.again is None:
        return None
    return next(undecided(table), None)


def _is_asked(table: Round, step: Ask, number: int) -> bool:
    """True while somebody owes an answer to a question of the script."""
    return any(_owes(table, seat, step, number) for seat in _in_play(table))


def _owes(table: Round, seat: Seat, step: Ask, number: int) -> bool:
    """True when a seat has still to answer a question, or a hand of it takes decisions."""
    if step.needs and step.needs not in seat.wagers:
        return False
    if step.again is None and seat.answered >= number:
        return False
    if step.when is None and step.again is None:
        return True
    seen = seen_of(table, seat)
    if step.when is not None and not step.when(seen, table.options):
        return False
    return step.again is None or in_turn(seen, step, table.options) is not None


def decide(table: Round, position: int, action: Action) -> Happening:
    """A decision, the cards it takes, and what it settles (TSB-09..11)."""
    step, seat, shuffle = table.asking, table.seats[position - 1], table.shuffle
    assert step is not None
    assert shuffle is not None
    # Where no hands are played one by one, nothing has to be looked at.
    turn = 0 if step.again is None else in_turn(seen_of(table, seat), step, table.options) or 0
    added = added_wager(table, seat, action.name)
    table = yield e.Decided(position, action.name, added, turn)
    if action.cards:
        cards = shuffle.cards[table.dealt : table.dealt + action.cards]
        table = yield e.Dealt(position, cards, (True,) * action.cards)
    return (yield from _answered(table, position))


def _answered(table: Round, position: int) -> Happening:
    """What follows an answer, once the cards that it took are known."""
    step = table.asking
    assert step is not None
    if table.unseen is not None:
        return table
    seat = table.seats[position - 1]
    if (back := table.ruleset.game.takes_back.get(seat.decisions[-1])) is not None:
        table = yield from _settle(table, seat, (back,))
    if step.settles:
        seat = table.seats[position - 1]
        seen = seen_of(table, seat)._replace(turn=seat.turn)
        if step.settles_when is None or step.settles_when(seen, table.options):
            table = yield from _settle(table, seat, step.settles)
    # The seat that has answered is likely to be asked again, so it is looked at first.
    more = _owes(table, table.seats[position - 1], step, table.at)
    if not step.offers and not more and not _is_asked(table, step, table.at):
        table = yield from _go_on(table, table.at + 1)
    return table


def close_offer(table: Round) -> Happening:
    """Nobody takes an offer any more (A-42)."""
    offer = table.offer
    assert offer is not None
    table = yield e.OfferClosed(offer.name)
    return (yield from _go_on(table, table.at + 1))


# The reveal.


def uncollected(table: Round) -> list[int]:
    """The folded positions whose forfeits are not yet taken in."""
    return [
        seat.position for seat in table.seats if seat.folded and not seat.tucked and not seat.gone
    ]


def collect(table: Round) -> Happening:
    """Forfeits are taken in before the dealer's hand is turned over (TSR-27, TCP-20).

    A folded hand that still plays for a bonus or a progressive is tucked under it (A-47).
    """
    for position in uncollected(table):
        seat = table.seat(position)
        unseen = face_down(seat)
        taken = in_order(lines_of(table, seat, unseen), table.ruleset.order)
        for line in (*taken, *lines_of(table, seat, unseen, "progressive")):
            table = yield e.Settled(position, line)
        stays = any(is_open(table, table.seat(position), bet) for bet in seat.wagers)
        table = yield e.Tucked(position) if stays else e.PickedUp(position)
    return (yield from _go_on(table, table.at + 1))


def to_show(table: Round) -> Show | None:
    """What is turned over next, once all forfeits are in."""
    step = table.ruleset.game.script[table.at]
    return step if table.phase is Phase.REVEAL and isinstance(step, Show) else None


def reveal(table: Round) -> Happening:
    """Cards are turned over; the dealer draws, and says what the hand is.

    By TCP-21, FUP-05, TSB-13 and A-34.
    """
    step = to_show(table)
    assert step is not None
    if step.to != THE_DEALER:
        laid = table.laid[step.to]
        down = [card for card, up in zip(laid.cards, laid.up, strict=True) if not up]
        table = yield e.CardsShown(step.to, tuple(down[: step.cards or len(down)]))
        return (yield from _go_on(table, table.at + 1))
    cards = tuple(sorted(table.dealer, reverse=True)) if step.arranged else table.dealer
    table = yield e.DealerShown(cards)
    return (yield from _shown(table))


def _shown(table: Round) -> Happening:
    """What follows the reveal of the dealer's hand: cards that are drawn, and the words for it."""
    script, number = table.ruleset.game.script, table.at + 1
    while number < len(script) and isinstance(script[number], Draw):
        table = yield from _by_itself(table, script[number])
        number += 1
    if table.unseen is not None:
        return table
    table = yield e.Announced(table.ruleset.game.announce(_dealers(table), table.options))
    return (yield from _go_on(table, number))


# Real cards, which are known as they are turned over.


def awaited(table: Round) -> tuple[Place, int] | None:
    """The place whose cards are entered next, with how many; None where none are due."""
    place = table.unseen
    if place is not None:
        cards, up = _lying(table, place)
        return place, sum(c == UNKNOWN and facing for c, facing in zip(cards, up, strict=True))
    if number := looks_at(table):
        return DEALER, number
    if (shown := to_show(table)) is not None:
        place = DEALER if shown.to == THE_DEALER else shown.to
    elif is_last(table) and table.to_settle:
        first = table.to_settle[0]
        places = (first, *progressive.priced_before(table, first))
        place = next((p for p in places if UNKNOWN in table.cards_of(p)), first)
    if place is None or not (number := table.cards_of(place).count(UNKNOWN)):
        return None
    return place, min(number, shown.cards or number) if shown else number


def _lying(table: Round, place: Place) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    if isinstance(place, str):
        return table.laid[place]
    if place == DEALER:
        return table.dealer, table.dealer_up
    return table.seats[place - 1].cards, table.seats[place - 1].up


def expose(table: Round, place: Place, cards: tuple[int, ...]) -> Happening:
    """The cards of a place, as they were turned over; a wrong number of them is a misdeal."""
    due = awaited(table)
    assert due is not None
    if len(cards) != due[1]:
        held = len(table.cards_of(place))
        return (yield e.MiscountFound(place, held - due[1] + len(cards), held))
    entered = table.unseen is not None
    table = yield e.Exposed(place, cards)
    if isinstance(table.ruleset.game.script[table.at], Draw | Peek):
        return (yield from _go_on(table, table.at))
    if not entered:
        return table
    if table.phase is Phase.DEALING:
        return (yield from _dealt(table))
    if table.phase is Phase.DECISIONS:
        assert isinstance(place, int), place
        return (yield from _answered(table, place))
    return (yield from _shown(table))


# Settling.


def settling(table: Round) -> Settle | None:
    """The step by which bets are settled now."""
    if table.phase is not Phase.RECONCILE:
        return None
    step = table.ruleset.game.script[table.at]
    assert isinstance(step, Settle), step
    return step


def is_last(table: Round) -> bool:
    """True at the end of the script, where the cards are taken in."""
    return table.at == len(table.ruleset.game.script) - 1


def _to_be_settled(table: Round, step: Settle, number: int) -> Waiting | None:
    """The positions that a step settles, from the dealer's right; None when it settles nothing.

    Every hand that still lies there has its turn at the end of the script.
    """
    seats = [table.seats[position - 1] for position in reversed(table.playing)]
    if number == len(table.ruleset.game.script) - 1:
        return tuple((seat.position, number) for seat in seats if not seat.gone)
    waiting = [seat for seat in seats if any(is_open(table, seat, bet) for bet in step.bets)]
    return tuple((seat.position, number) for seat in waiting) or None


def _due(table: Round, seat: Seat, bets: tuple[str, ...]) -> list[Line]:
    """The lines of a seat that are decided and not settled yet."""
    return lines_of(table, seat, seen_of(table, seat), *bets)


def _settle(table: Round, seat: Seat, bets: tuple[str, ...]) -> Happening:
    if any(is_open(table, seat, bet) for bet in bets):
        for line in _due(table, seat, bets):
            table = yield e.Settled(seat.position, line)
    return table


def _settle_at_once(table: Round, step: Settle) -> Happening:
    """Settles bets of all seats as soon as they are decided (FUP-06)."""
    for position in reversed(table.playing):
        seat = table.seats[position - 1]
        if not seat.folded and (
            step.when is None or step.when(seen_of(table, seat), table.options)
        ):
            table = yield from _settle(table, seat, step.bets)
    return table


def reconcile(table: Round, positions: Sequence[int]) -> Happening:
    """Hands in the work area: shown, then bet by bet (TSR-28..30, TCP-22, TSB-21, A-33)."""
    step = settling(table)
    assert step is not None
    for position in positions:
        table = yield from _reconciled(table, table.seats[position - 1], step)
    if not table.waiting and not is_last(table):
        table = yield from _go_on(table, table.at + 1)
    return table


def _reconciled(table: Round, seat: Seat, step: Settle) -> Happening:
    position, last = seat.position, is_last(table)
    if last and not all(seat.up):
        table = yield e.HandShown(position, seat.cards)
    place = table.ruleset.order.index
    found: list[tuple[int, e.Event]] = [
        (place(line.bet), e.Settled(position, line))
        for line in _due(table, seat, (*step.bets, *step.also))
    ]
    if last and "progressive" in seat.wagers and not seat.settled("progressive"):
        found.append((place("progressive"), progressive.settle_wager(table, seat)))
    for _, event in sorted(found, key=lambda bet: bet[0]):
        table = yield event
    face_up = last and progressive.stays_face_up(table, seat)
    return (yield e.Reconciled(position, last, face_up))
