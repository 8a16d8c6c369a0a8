"""State: a live round as it stands, and how each event changes it.

`evolve` cannot fail and decides nothing. Money is kept in four places that always sum to nothing:
the players' purses (what they gained or gave since the round began), the felt, the tray and the
progressive system.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from houseway.cards import UNKNOWN
from houseway.games.contract import Action, Ask, Deal, Hand
from houseway.games.play import answered, given
from houseway.games.progressive import LINK, judge
from houseway.house.money import MeterShare
from houseway.house.options import Options
from houseway.live import events as e
from houseway.live.commands import DEALER, MeterAmounts, Place, Pricer, VoidReason
from houseway.live.phases import Phase
from houseway.live.quick_replace import quick_replace
from houseway.live.shuffler import Shuffle
from houseway.names import Bet, known_as
from houseway.refusal import Reason, Refused, listed
from houseway.rules.identity import FORM
from houseway.rules.lines import Line
from houseway.rules.ruleset import Ruleset, check_approved

MOST_POSITIONS = 7
"""Seven positions of six cards and a dealer's ten are the whole deck (A-22)."""
NO_WAGERS: Mapping[Bet, int] = {}
Waiting = tuple[tuple[Place, int], ...]
"""Places that wait, each with the step of the script it waits for."""


@quick_replace
class Seat(NamedTuple):
    """One betting position in a round."""

    position: int
    player: str = ""
    wagers: Mapping[Bet, int] = NO_WAGERS
    cards: tuple[int, ...] = ()
    up: tuple[bool, ...] = ()
    decisions: tuple[str, ...] = ()
    folded: bool = False
    tucked: bool = False
    gone: bool = False
    """True when the cards were taken in."""
    shown: bool = False
    hands: tuple[Hand, ...] = ()
    answered: int = -1
    """The last question of the script that was answered here."""
    turn: int = 0
    """The hand that was decided on last, counted from 0."""
    pressed: str = ""
    """The hand button that is on for this position; empty when none is."""
    lines: tuple[Line, ...] = ()
    purse: int = 0
    felt: int = 0
    carried: int = 0
    """A progressive wager of a void round that stands for the next (A-15)."""

    @property
    def prepaid(self) -> int:
        """How much of the progressive wager was carried over and need not be paid again."""
        return min(self.carried, self.wagers.get("progressive", 0))

    def settled(self, bet: Bet) -> bool:
        """True when the bet has a line."""
        return any(line.bet == bet for line in self.lines)


class Laid(NamedTuple):
    """Cards that lie before nobody, each face up or down."""

    cards: tuple[int, ...] = ()
    up: tuple[bool, ...] = ()


NOTHING: Mapping[str, Laid] = {}


class LateWager(NamedTuple):
    """A wager that came too late and waits for a ruling."""

    position: int
    bet: Bet
    cents: int


class WrongPayout(NamedTuple):
    """A payout that was found wrong and is not yet put right."""

    position: int
    bet: Bet
    hand: int | None
    short: int
    """Cents still owed to the player; negative when too much was handed over."""


class Runbook(NamedTuple):
    """How far the work on a failed shuffler is: the steps of one branch in order."""

    what: str
    branch: str = ""
    done: int = 0


@quick_replace
class Round(NamedTuple):
    """One round at one live table."""

    ruleset: Ruleset
    number: str
    seats: tuple[Seat, ...]
    phase: Phase = Phase.BETTING
    stage: str | None = None
    at: int = 0
    """The step of the script that is under way, once cards are dealt."""
    playing: tuple[int, ...] = ()
    waiting: tuple[Place, ...] = ()
    """Places that still wait for the step under way: cards, or settling; the dealer is 0."""
    steps: tuple[int, ...] = ()
    """The step of the script that each of these places waits for."""
    shuffle: Shuffle | None = None
    previous_shuffle: str = ""
    dealt: int = 0
    """Cards that have left the deck."""
    dealer: tuple[int, ...] = ()
    dealer_up: tuple[bool, ...] = ()
    dealer_shown: bool = False
    laid: Mapping[str, Laid] = NOTHING
    """Cards that lie before nobody, by place: a board, a link's community cards."""
    started: bool = False
    """True when the progressive bets were taken in."""
    meters: MeterAmounts = ()
    pay_order: tuple[int, ...] = ()
    next_starts: MeterAmounts = ()
    """The amount each meter starts again with after a whole award."""
    priced_by: Pricer = "table"
    """The one who fixes the amount of a meter award."""
    said: str = ""
    """The last announcement of the dealer; it stands until the next one."""
    peeked: int = UNKNOWN
    """What the dealer found by looking at a card that lies face down: 1, 0 or not looked."""
    exposed: tuple[tuple[int, int], ...] = ()
    reported: str = ""
    """The matter that waits for a ruling, in words."""
    late: tuple[LateWager, ...] = ()
    wrong: tuple[WrongPayout, ...] = ()
    runbook: Runbook | None = None
    voided: VoidReason | None = None
    tray: int = 0
    system: int = 0
    version: int = 0
    form: int = FORM
    """The form of the program that opened it: a round goes on by the guard it was opened under."""

    @property
    def options(self) -> Options:
        """The options of the table, as far as they are the house's."""
        options: Options = self.ruleset.options
        return options

    @property
    def over(self) -> bool:
        """True when nothing more happens."""
        return self.phase is Phase.CLOSED or self.phase is Phase.VOID

    def seat(self, position: int) -> Seat:
        """The seat at a position, counted from 1."""
        return self.seats[position - 1]

    def cards_at(self, place: str) -> tuple[int, ...]:
        """The dealer's cards, or those that lie at another place before nobody."""
        return self.dealer if place == "dealer" else self.laid.get(place, Laid()).cards

    def cards_of(self, place: Place) -> tuple[int, ...]:
        """The cards of a place that is dealt to."""
        if isinstance(place, str):
            return self.cards_at(place)
        return self.dealer if place == DEALER else self.seats[place - 1].cards

    @property
    def community(self) -> tuple[int, ...]:
        """A link's two cards."""
        return self.cards_at(LINK)

    @property
    def community_shown(self) -> bool:
        """True when the link's cards were turned over."""
        return all(self.laid[LINK].up) if LINK in self.laid else False

    @property
    def unseen(self) -> Place | None:
        """A place where a card lies face up that nobody has entered yet."""
        if self.shuffle is None or self.shuffle.cards[0] != UNKNOWN:
            return None
        for seat in self.seats:
            if is_unseen(seat.cards, seat.up):
                return seat.position
        if is_unseen(self.dealer, self.dealer_up):
            return DEALER
        return next((p for p, laid in self.laid.items() if is_unseen(laid.cards, laid.up)), None)

    @property
    def to_settle(self) -> tuple[int, ...]:
        """The positions that wait to be settled, from the dealer's right."""
        places = self.waiting if self.phase is Phase.RECONCILE else ()
        return tuple(place for place in places if isinstance(place, int))

    @property
    def asking(self) -> Ask | None:
        """The question of the script that is open now."""
        if self.phase is not Phase.DECISIONS:
            return None
        step = self.ruleset.game.script[self.at]
        assert isinstance(step, Ask), step
        return step

    @property
    def offer(self) -> Action | None:
        """What is offered now, such as insurance, which seats may let pass."""
        step = self.asking
        return step.actions[0] if step is not None and step.offers else None

    def same_player(self, name: str, other: str) -> bool:
        """True when two names are one player's; nobody goes by an empty name."""
        if self.form == 1:
            return bool(name) and name == other
        return bool(known_as(name)) and known_as(name) == known_as(other)

    def money(self) -> int:
        """Everything everywhere; nothing is ever lost or made, so it is 0."""
        return self.tray + self.system + sum(seat.purse + seat.felt for seat in self.seats)

    def lit(self) -> tuple[int, ...]:
        """The positions with a progressive wager."""
        return tuple(s.position for s in self.seats if "progressive" in s.wagers)


Happening = Generator[e.Event, Round, Any]
"""What a command makes happen, event by event; each is answered with the round after it."""


def is_unseen(cards: tuple[int, ...], up: tuple[bool, ...]) -> bool:
    """True when one of the cards lies face up and is not known."""
    return any(card == UNKNOWN and facing for card, facing in zip(cards, up, strict=True))


def open_round(
    ruleset: Ruleset,
    number: str = "000001",
    positions: int = MOST_POSITIONS,
    *,
    approved: tuple[Ruleset, ...] | None = None,
    after: Round | None = None,
) -> Round:
    """A round in its betting phase.

    `approved` are the rules on record, for a table that is not for practice (CMP-01); `after` is
    the round before at this table, whose deck is never dealt again (TSB-01). What a void round
    carried over is still there until a round has used it (A-15), and a shuffler that has failed
    stays so until its runbook is through (TSR-32).
    """
    if isinstance(positions, bool) or not isinstance(positions, int) or not 1 <= positions <= 7:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{positions!r} positions are not allowed; a table has 1 to 7"
        )
    if approved is not None:
        check_approved(ruleset, approved)
    carried: dict[int, int] = {}
    previous, runbook = "", None
    if after is not None:
        if not after.over:
            raise Refused(
                Reason.NOT_DONE_YET,
                f"round {after.number!r} is in phase '{after.phase}'; end it before the next",
            )
        carried = carried_over(after)
        if lost := [place for place, cents in carried.items() if cents and place > positions]:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"positions {positions!r} leaves out position {listed(lost)}, for which a "
                "progressive wager is carried over",
                "TSR-31",
            )
        previous = after.shuffle.id if after.shuffle is not None else after.previous_shuffle
        runbook = after.runbook if ruleset.options.shuffler_mode == "automatic" else None
    return Round(
        ruleset=ruleset,
        number=number,
        seats=tuple(Seat(p, carried=carried.get(p, 0)) for p in range(1, positions + 1)),
        previous_shuffle=previous,
        runbook=runbook,
    )


def carried_over(table: Round) -> dict[int, int]:
    """The progressive wagers that stand for the next round, by position.

    A round that was played has used what was carried over to it (A-15).
    """
    return {
        seat.position: seat.carried if table.voided else seat.carried - seat.prepaid
        for seat in table.seats
    }


def evolve(table: Round, event: e.Event) -> Round:
    """The round after an event."""
    return _EVOLVE[type(event)](table, event)


def fold(table: Round, happened: Iterable[e.Event]) -> Round:
    """The round after several events."""
    for event in happened:
        table = _EVOLVE[type(event)](table, event)
    return table


def _with(table: Round, seat: Seat, **changes: Any) -> Round:
    place = seat.position - 1
    seats = (*table.seats[:place], seat, *table.seats[place + 1 :])
    return table._replace(seats=seats, version=table.version + 1, **changes)


def _bets_placed(table: Round, event: e.BetsPlaced) -> Round:
    seat = table.seat(event.position)
    wagers = dict(event.wagers)
    placed = seat._replace(player=event.player, wagers=wagers)
    # A wager that a void round carried over lies in the system already, not in the purse.
    total = sum(wagers.values()) - placed.prepaid
    return _with(table, placed._replace(purse=seat.purse + seat.felt - total, felt=total))


def _shuffled(table: Round, event: e.Shuffled) -> Round:
    return table._replace(shuffle=event.shuffle, dealt=0, version=table.version + 1)


def _announced(table: Round, event: e.Announced) -> Round:
    return table._replace(said=event.words, version=table.version + 1)


def _noted(table: Round, event: e.Event) -> Round:
    return table._replace(version=table.version + 1)


def _bets_closed(table: Round, event: e.BetsClosed) -> Round:
    return table._replace(playing=event.playing, version=table.version + 1)


def _game_started(table: Round, event: e.GameStarted) -> Round:
    seats = list(table.seats)
    taken = 0
    for position in event.positions:
        seat = seats[position - 1]
        wager = seat.wagers["progressive"] - seat.prepaid
        seats[position - 1] = seat._replace(felt=seat.felt - wager)
        taken += wager
    return table._replace(
        seats=tuple(seats),
        system=table.system + taken,
        started=True,
        meters=event.meters,
        pay_order=event.pay_order,
        next_starts=event.next_starts,
        priced_by=event.priced_by,
        version=table.version + 1,
    )


def _dealt(table: Round, event: e.Dealt) -> Round:
    place, cards = event.to, event.cards
    changes: dict[str, Any] = {"dealt": table.dealt + len(cards)}
    upto = False
    if table.waiting and table.waiting[0] == place:
        step = table.ruleset.game.script[table.steps[0]]
        upto = isinstance(step, Deal) and step.upto > 0
        changes |= {"waiting": table.waiting[1:], "steps": table.steps[1:]}
    if isinstance(place, str):
        return _laid(table, place, cards, event.up)._replace(**changes)
    if place == DEALER:
        return table._replace(
            dealer=table.dealer + cards,
            dealer_up=table.dealer_up + event.up,
            version=table.version + 1,
            **changes,
        )
    seat = table.seats[place - 1]
    hands = seat.hands
    if table.phase is Phase.DECISIONS:
        action = table.ruleset.game.action(seat.decisions[-1])
        assert action is not None, seat
        hands = given(hands, seat.turn, action, cards)
    elif not upto:
        # Cards that complete a seat belong to no one of several hands.
        hands = (Hand(seat.cards + cards),)
    changed = seat._replace(cards=seat.cards + cards, up=seat.up + event.up, hands=hands)
    return _with(table, changed, **changes)


def _exposed(table: Round, event: e.Exposed) -> Round:
    place = event.place
    if isinstance(place, str):
        laid = table.laid[place]
        made = laid._replace(cards=_filled(laid.cards, laid.up, event.cards))
        return table._replace(laid={**table.laid, place: made}, version=table.version + 1)
    if place == DEALER:
        cards = _filled(table.dealer, table.dealer_up, event.cards)
        return table._replace(dealer=cards, version=table.version + 1)
    seat = table.seats[place - 1]
    cards = _filled(seat.cards, seat.up, event.cards)
    # What is not known yet came last, so it belongs to the hands whose cards are not known.
    left, hands = list(event.cards), []
    for hand in seat.hands:
        number = hand.cards.count(UNKNOWN)
        every = (True,) * len(hand.cards)
        hands.append(hand._replace(cards=_filled(hand.cards, every, left[:number])))
        left = left[number:]
    return _with(table, seat._replace(cards=cards, hands=tuple(hands)))


def _filled(cards: tuple[int, ...], up: tuple[bool, ...], seen: Sequence[int]) -> tuple[int, ...]:
    """The cards, with what was seen in place of the unknown ones: of those face up, if any."""
    found, first = list(cards), is_unseen(cards, up)
    missing = [n for n, card in enumerate(cards) if card == UNKNOWN and (up[n] or not first)]
    for place, card in zip(missing, seen, strict=False):
        found[place] = card
    return tuple(found)


def _miscount_found(table: Round, event: e.MiscountFound) -> Round:
    place = f"place {event.place!r}" if isinstance(event.place, str) else f"position {event.place}"
    place = "the dealer" if event.place == DEALER else place
    return table._replace(
        reported=f"{place} has {event.number} cards and was dealt {event.dealt}",
        version=table.version + 1,
    )


def _laid(table: Round, place: str, cards: tuple[int, ...], up: tuple[bool, ...]) -> Round:
    lay = table.laid.get(place, Laid())
    laid = {**table.laid, place: Laid(lay.cards + cards, lay.up + up)}
    return table._replace(laid=laid, version=table.version + 1)


def _community_taken(table: Round, event: e.CommunityTaken) -> Round:
    down = (False,) * len(event.cards)
    return _laid(table, LINK, event.cards, down)._replace(dealt=table.dealt + len(event.cards))


def _burned(table: Round, event: e.Burned) -> Round:
    return table._replace(dealt=table.dealt + event.number, version=table.version + 1)


def _decided(table: Round, event: e.Decided) -> Round:
    seat = table.seats[event.position - 1]
    action = table.ruleset.game.action(event.decision)
    assert action is not None, event
    changed = seat._replace(
        decisions=(*seat.decisions, event.decision),
        hands=answered(seat.hands, event.turn, action),
        answered=table.at,
        turn=event.turn,
        folded=seat.folded or action.folds,
        purse=seat.purse - event.wager,
        felt=seat.felt + event.wager,
    )
    return _with(table, changed)


def _peeked(table: Round, event: e.Peeked) -> Round:
    return table._replace(peeked=int(event.holds), version=table.version + 1)


def _tucked(table: Round, event: e.Tucked) -> Round:
    return _with(table, table.seat(event.position)._replace(tucked=True))


def _dealer_shown(table: Round, event: e.DealerShown) -> Round:
    return table._replace(
        dealer=event.cards,
        dealer_up=(True,) * len(event.cards),
        dealer_shown=True,
        version=table.version + 1,
    )


def _cards_shown(table: Round, event: e.CardsShown) -> Round:
    laid = table.laid[event.place]
    # The first ones that lie face down: with several packs a face does not tell which card it is.
    down = [place for place, up in enumerate(laid.up) if not up][: len(event.cards)]
    up = tuple(up or place in down for place, up in enumerate(laid.up))
    shown = laid._replace(up=up)
    return table._replace(laid={**table.laid, event.place: shown}, version=table.version + 1)


def _hand_shown(table: Round, event: e.HandShown) -> Round:
    seat = table.seats[event.position - 1]
    return _with(table, seat._replace(shown=True, up=(True,) * len(seat.cards)))


def _settled(table: Round, event: e.Settled) -> Round:
    seat, line = table.seats[event.position - 1], event.line
    lines = (*seat.lines, line)
    if line.bet == "progressive":
        # The wager is in the system already. A share comes off the meter, a pay from the tray.
        pay = line.wager + line.net
        if pay and _comes_off_the_meter(table, seat):
            changed = seat._replace(lines=lines, purse=seat.purse + pay)
            return _with(table, changed, system=table.system - pay)
        changed = seat._replace(lines=lines, purse=seat.purse + pay)
        return _with(table, changed, tray=table.tray - pay)
    changed = seat._replace(
        lines=lines, purse=seat.purse + line.stake + line.net, felt=seat.felt - line.stake
    )
    return _with(table, changed, tray=table.tray - line.net)


def _comes_off_the_meter(table: Round, seat: Seat) -> bool:
    paytable = table.ruleset.paytables["progressive"]
    return isinstance(paytable.odds(judge(seat.cards, table.community, paytable)), MeterShare)


def _hand_pressed(table: Round, event: e.HandPressed) -> Round:
    return _with(table, table.seat(event.position)._replace(pressed=event.hand))


def _hand_released(table: Round, event: e.HandReleased) -> Round:
    return _with(table, table.seat(event.position)._replace(pressed=""))


def _award_confirmed(table: Round, event: e.AwardConfirmed) -> Round:
    seat, pay = table.seat(event.position), event.line.wager + event.line.net
    changed = seat._replace(lines=(*seat.lines, event.line), purse=seat.purse + pay)
    return _with(table, changed, system=table.system - pay)


def _award_backed_out(table: Round, event: e.AwardBackedOut) -> Round:
    """The meter has the award back, and the hand is off the display."""
    seat = table.seat(event.position)
    back = sum(line.wager + line.net for line in seat.lines if line.bet == "progressive")
    left = tuple(line for line in seat.lines if line.bet != "progressive")
    changed = seat._replace(lines=left, purse=seat.purse - back, pressed="")
    return _with(table, changed, system=table.system + back)


def _picked_up(table: Round, event: e.PickedUp) -> Round:
    return _with(table, table.seats[event.position - 1]._replace(gone=True))


def _reconciled(table: Round, event: e.Reconciled) -> Round:
    """The last pass of a game takes the cards in (SCB-08), but for hands that stay face up."""
    seat = table.seats[event.position - 1]
    gone = seat.gone or (event.last and not event.face_up)
    changed = seat._replace(gone=gone, shown=seat.shown or event.last)
    return _with(table, changed, waiting=table.waiting[1:], steps=table.steps[1:])


def _phase_began(table: Round, event: e.PhaseBegan) -> Round:
    return _step_began(table, event, phase=event.phase, stage=event.stage)


def _step_began(table: Round, event: e.PhaseBegan | e.StepBegan, **changes: Any) -> Round:
    return table._replace(
        at=event.at,
        waiting=tuple([place for place, _ in event.waiting]),
        steps=tuple([step for _, step in event.waiting]),
        version=table.version + 1,
        **changes,
    )


def _round_voided(table: Round, event: e.RoundVoided) -> Round:
    carry = table.options.void_progressive == "carry_to_next_round"
    seats, in_system = [], 0
    for seat in table.seats:
        used, kept = 0, seat.carried
        if table.started:
            used = seat.prepaid
            kept += (seat.wagers.get("progressive", 0) if carry else 0) - used
        given = kept - seat.carried if carry else -used
        in_system += given
        seats.append(seat._replace(lines=(), purse=-given, felt=0, carried=kept))
    return table._replace(
        phase=Phase.VOID,
        waiting=(),
        steps=(),
        seats=tuple(seats),
        tray=0,
        system=in_system,
        voided=event.reason,
        late=(),
        wrong=(),
        reported="",
        version=table.version + 1,
    )


def _card_exposed(table: Round, event: e.CardExposed) -> Round:
    place = "the dealer" if event.to == DEALER else f"position {event.to}"
    return table._replace(
        exposed=(*table.exposed, (event.to, event.card)),
        reported=f"card {event.card} of {place} was exposed",
        version=table.version + 1,
    )


def _late_wager_found(table: Round, event: e.LateWagerFound) -> Round:
    seat = table.seat(event.position)
    return _with(
        table,
        seat._replace(purse=seat.purse - event.cents, felt=seat.felt + event.cents),
        late=(*table.late, LateWager(event.position, event.bet, event.cents)),
        reported=f"a late wager on {event.bet} lies at position {event.position}",
    )


def _ruled(table: Round, event: e.Ruled) -> Round:
    """Late wagers go back: after no more bets none may be made (TSB-04)."""
    for late in table.late:
        seat = table.seat(late.position)
        table = _with(
            table, seat._replace(purse=seat.purse + late.cents, felt=seat.felt - late.cents)
        )._replace(version=table.version)
    return table._replace(reported="", late=(), version=table.version + 1)


def _payout_found_wrong(table: Round, event: e.PayoutFoundWrong) -> Round:
    seat = table.seat(event.position)
    short = event.due - event.net
    return _with(
        table,
        seat._replace(purse=seat.purse - short),
        tray=table.tray + short,
        wrong=(*table.wrong, WrongPayout(event.position, event.bet, event.hand, short)),
    )


def _payout_corrected(table: Round, event: e.PayoutCorrected) -> Round:
    seat = table.seat(event.position)
    left = tuple(
        wrong
        for wrong in table.wrong
        if (wrong.position, wrong.bet, wrong.hand) != (event.position, event.bet, event.hand)
    )
    return _with(
        table,
        seat._replace(purse=seat.purse + event.cents),
        tray=table.tray - event.cents,
        wrong=left,
    )


def _shuffler_failed(table: Round, event: e.ShufflerFailed) -> Round:
    return table._replace(runbook=Runbook(event.what), version=table.version + 1)


def _step_done(table: Round, event: e.StepDone) -> Round:
    if event.last:
        return table._replace(runbook=None, version=table.version + 1)
    what = table.runbook.what if table.runbook else ""
    return table._replace(
        runbook=Runbook(what, event.branch, event.step), version=table.version + 1
    )


_EVOLVE: dict[type, Callable[[Round, Any], Round]] = {
    e.BetsPlaced: _bets_placed,
    e.Shuffled: _shuffled,
    e.Announced: _announced,
    e.BetsClosed: _bets_closed,
    e.GameStarted: _game_started,
    e.Dealt: _dealt,
    e.Exposed: _exposed,
    e.MiscountFound: _miscount_found,
    e.CommunityTaken: _community_taken,
    e.Decided: _decided,
    e.OfferClosed: _noted,
    e.Peeked: _peeked,
    e.Burned: _burned,
    e.Tucked: _tucked,
    e.DealerShown: _dealer_shown,
    e.CardsShown: _cards_shown,
    e.HandShown: _hand_shown,
    e.Settled: _settled,
    e.MeterHandFound: _noted,
    e.HandPressed: _hand_pressed,
    e.HandReleased: _hand_released,
    e.AwardConfirmed: _award_confirmed,
    e.AwardBackedOut: _award_backed_out,
    e.PickedUp: _picked_up,
    e.Reconciled: _reconciled,
    e.PhaseBegan: _phase_began,
    e.StepBegan: _step_began,
    e.RoundVoided: _round_voided,
    e.CardExposed: _card_exposed,
    e.LateWagerFound: _late_wager_found,
    e.Ruled: _ruled,
    e.PayoutFoundWrong: _payout_found_wrong,
    e.PayoutCorrected: _payout_corrected,
    e.ShufflerFailed: _shuffler_failed,
    e.StepDone: _step_done,
}
