"""State: a live round as it stands, and how each event changes it.

`evolve` cannot fail and decides nothing. Money is kept in four places that always sum to nothing:
the players' purses (what they gained or gave since the round began), the felt, the tray and the
progressive system.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from houseway.cards import rank_of
from houseway.games import blackjack
from houseway.games.progressive import judge
from houseway.identity import FORM
from houseway.lines import Line
from houseway.live import events as e
from houseway.live.commands import DEALER, MeterAmounts, Pricer, VoidReason
from houseway.live.phases import Phase, Stage
from houseway.money import MeterShare
from houseway.names import WITHOUT_STAKE, Bet, known_as
from houseway.options import Options
from houseway.refusal import Reason, Refused, listed
from houseway.ruleset import Ruleset, check_approved
from houseway.shuffler import Shuffle

MOST_POSITIONS = 7
"""Seven positions of six cards and a dealer's ten are the whole deck (A-22)."""
NO_WAGERS: Mapping[Bet, int] = {}


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
    hands: tuple[blackjack.Hand, ...] = ()
    insured: int = 0
    """Cents on insurance."""
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

    def is_through(self, stage: Stage | None) -> bool:
        """True when nothing is left to settle here in the pass of a stage."""
        if stage is Stage.BLACKJACK:
            return self.settled("blackjack") and (not self.insured or self.settled("insurance"))
        return self.gone


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


class Round(NamedTuple):
    """One round at one live table."""

    ruleset: Ruleset
    number: str
    seats: tuple[Seat, ...]
    phase: Phase = Phase.BETTING
    stage: Stage | None = None
    playing: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    """Places that still wait for the step under way: cards, or settling; the dealer is 0."""
    shuffle: Shuffle | None = None
    previous_shuffle: str = ""
    dealt: int = 0
    """Cards that have left the deck."""
    dealer: tuple[int, ...] = ()
    dealer_up: tuple[bool, ...] = ()
    dealer_shown: bool = False
    community: tuple[int, ...] = ()
    community_shown: bool = False
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
    insurance_open: bool = False
    natural: bool = False
    """True when the dealer looked and found a blackjack."""
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
        """The options of the table."""
        return self.ruleset.options

    @property
    def over(self) -> bool:
        """True when nothing more happens."""
        return self.phase is Phase.CLOSED or self.phase is Phase.VOID

    def seat(self, position: int) -> Seat:
        """The seat at a position, counted from 1."""
        return self.seats[position - 1]

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
    dealt = table.dealt + len(event.cards)
    waiting = table.waiting
    if waiting and waiting[0] == event.to:
        waiting = waiting[1:]
    if event.to == DEALER:
        return table._replace(
            dealer=table.dealer + event.cards,
            dealer_up=table.dealer_up + event.up,
            dealt=dealt,
            waiting=waiting,
            version=table.version + 1,
        )
    seat = table.seats[event.to - 1]
    cards = seat.cards + event.cards
    changed = seat._replace(cards=cards, up=seat.up + event.up)
    if table.stage is Stage.BLACKJACK:
        changed = changed._replace(hands=_hands_after(seat, event.cards, cards))
    return _with(table, changed, dealt=dealt, waiting=waiting)


def _hands_after(
    seat: Seat, new: tuple[int, ...], cards: tuple[int, ...]
) -> tuple[blackjack.Hand, ...]:
    """The Blackjack hands of a seat with its new cards, by what it last decided."""
    if not seat.hands:
        return (blackjack.first_hand(rank_of(cards[0]), rank_of(cards[1])),)
    match seat.decisions[-1]:
        case "split":
            return blackjack.split_hands(rank_of(new[0]), rank_of(new[1]))
        case "double":
            return (blackjack.double(seat.hands[0], rank_of(new[0])),)
        case _:
            return (blackjack.hit(seat.hands[0], rank_of(new[0])),)


def _community_taken(table: Round, event: e.CommunityTaken) -> Round:
    return table._replace(
        community=event.cards, dealt=table.dealt + len(event.cards), version=table.version + 1
    )


def _decided(table: Round, event: e.Decided) -> Round:
    seat = table.seats[event.position - 1]
    changes: dict[str, Any] = {
        "decisions": (*seat.decisions, event.decision),
        "purse": seat.purse - event.wager,
        "felt": seat.felt + event.wager,
    }
    match event.decision:
        case "fold":
            changes["folded"] = True
        case "insurance":
            changes["insured"] = event.wager
        case "stand":
            changes["hands"] = (blackjack.stand(seat.hands[0]),)
    return _with(table, seat._replace(**changes))


def _insurance_closed(table: Round, event: e.InsuranceClosed) -> Round:
    return table._replace(insurance_open=False, version=table.version + 1)


def _peeked(table: Round, event: e.Peeked) -> Round:
    if not event.natural:
        return table._replace(version=table.version + 1)
    # A blackjack that is found ends every hand where it stands.
    seats = tuple(
        seat._replace(hands=tuple(blackjack.stand(hand) for hand in seat.hands))
        for seat in table.seats
    )
    return table._replace(seats=seats, natural=True, version=table.version + 1)


def _tucked(table: Round, event: e.Tucked) -> Round:
    return _with(table, table.seat(event.position)._replace(tucked=True))


def _dealer_shown(table: Round, event: e.DealerShown) -> Round:
    return table._replace(
        dealer=event.cards,
        dealer_up=(True,) * len(event.cards),
        dealer_shown=True,
        version=table.version + 1,
    )


def _community_shown(table: Round, event: e.CommunityShown) -> Round:
    return table._replace(community_shown=True, version=table.version + 1)


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
    stake = 0 if line.bet in WITHOUT_STAKE else line.wager
    changed = seat._replace(
        lines=lines, purse=seat.purse + stake + line.net, felt=seat.felt - stake
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
    last = table.stage is None or table.stage is Stage.POKER
    gone = seat.gone or (last and not event.face_up)
    return _with(table, seat._replace(gone=gone), waiting=table.waiting[1:])


def _phase_began(table: Round, event: e.PhaseBegan) -> Round:
    waiting: tuple[int, ...] = ()
    insurance = False
    if event.phase is Phase.DEALING:
        waiting = (*table.playing, DEALER)
        if event.stage is Stage.POKER:
            waiting = short_of_six(table)
    elif event.phase is Phase.RECONCILE:
        waiting = tuple(
            position
            for position in reversed(table.playing)
            if not table.seats[position - 1].is_through(event.stage)
        )
    elif event.phase is Phase.DECISIONS and event.stage is Stage.BLACKJACK:
        insurance = blackjack.may_insure(rank_of(table.dealer[0]))
    return table._replace(
        phase=event.phase,
        stage=event.stage,
        waiting=waiting,
        insurance_open=insurance,
        version=table.version + 1,
    )


def short_of_six(table: Round) -> tuple[int, ...]:
    """The places that still need cards for six, in dealing order (TSB-17, TSB-19)."""
    places = [p for p in table.playing if len(table.seat(p).cards) < blackjack.SIX_CARDS]
    if table.options.dealer_six_card_hand == "deal" and len(table.dealer) < blackjack.SIX_CARDS:
        places.append(DEALER)
    return tuple(places)


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
        seats=tuple(seats),
        tray=0,
        system=in_system,
        voided=event.reason,
        insurance_open=False,
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
    e.CommunityTaken: _community_taken,
    e.Decided: _decided,
    e.InsuranceClosed: _insurance_closed,
    e.Peeked: _peeked,
    e.Tucked: _tucked,
    e.DealerShown: _dealer_shown,
    e.CommunityShown: _community_shown,
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
    e.RoundVoided: _round_voided,
    e.CardExposed: _card_exposed,
    e.LateWagerFound: _late_wager_found,
    e.Ruled: _ruled,
    e.PayoutFoundWrong: _payout_found_wrong,
    e.PayoutCorrected: _payout_corrected,
    e.ShufflerFailed: _shuffler_failed,
    e.StepDone: _step_done,
}


def is_three_card(table: Round) -> bool:
    """True for the games with an Ante and a Play."""
    return table.ruleset.game.contest is not None
