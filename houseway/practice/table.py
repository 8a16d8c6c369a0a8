"""Table: a practice table as a value, and everything that may be done at it.

Nothing here knows a clock, a generator's state or a request. The deck of a round follows from the
seed and the number of the round, so the same seed and the same commands give the same table. A
position belongs to whoever knows the secret whose hash it keeps; checking it is for the server.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live import engine
from houseway.live.commands import Command
from houseway.live.events import Announced
from houseway.live.phases import Phase
from houseway.live.procedure import next_step
from houseway.live.round import act, refusal
from houseway.live.shuffler import Shuffle, make_shuffle
from houseway.live.state import Round, open_round
from houseway.live.text import command_text
from houseway.practice.coach import basic
from houseway.practice.meters import (
    Amounts,
    first_meters,
    grown,
    left,
    rules_with_meters,
    shown,
)
from houseway.practice.seat import (
    CHIPS_CENTS,
    Mode,
    PracticeSeat,
    When,
    check_name,
    judged,
    settled,
)
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset
from houseway.rules.seat import Pairs

LARGEST_SEED = 2**64 - 1
"""Whoever sees cards could try out smaller seeds, and would know every card to come."""
MOST_CHIPS_CENTS = 100_000_000
NO_INSURANCE = "no-insurance"
"""The answer of whoever lets insurance pass; the live round knows only those who take it."""
BY_HAND = "practice"


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTable:
    """A practice table as it stands."""

    id: str
    ruleset: Ruleset
    seed: int
    seed_open: bool = True
    """False where nobody may see the seed: whoever has it can work out every card."""
    dealer: str = ""
    """The hash of the dealer's secret; empty where the table deals itself."""
    seats: tuple[PracticeSeat, ...] = ()
    round: Round
    commands: tuple[str, ...] = ()
    """What led to the round, as the lines of a round file."""
    said: tuple[str, ...] = ()
    """What the dealer announced in the round."""
    meters: Amounts = ()
    """What stands on the meters of the progressive."""
    version: int = 0

    @property
    def positions(self) -> int:
        """How many may sit."""
        return len(self.round.seats)

    def seat(self, position: int) -> PracticeSeat:
        """Who sits at a position; refused where nobody does."""
        found = next((seat for seat in self.seats if seat.position == position), None)
        if found is None:
            raise Refused(Reason.WRONG_POSITION, f"nobody sits at position {position!r}")
        return found

    def held_by(self, secret: str) -> PracticeSeat | None:
        """The seat that a secret belongs to, by its hash."""
        return next((seat for seat in self.seats if seat.secret == secret), None)


def make_table(
    *,
    id: str,  # noqa: A002 - the word for it
    game: str,
    options: Mapping[str, str] | None = None,
    paytables: Mapping[str, str] | Pairs | None = None,
    seed: int,
    seed_open: bool = True,
    positions: int = 1,
    dealer: str = "",
) -> PracticeTable:
    """An empty table; `dealer` is the hash of the secret of the person who deals, if one does."""
    if isinstance(seed, bool) or not 0 <= seed <= LARGEST_SEED:
        raise Refused(
            Reason.BAD_ARGUMENT, f"seed {seed!r} is not allowed; allowed: 0 to {LARGEST_SEED}"
        )
    ruleset = rules_with_meters(game, options, paytables)
    opened = open_round(ruleset, _number(1), positions)
    return PracticeTable(
        id=id,
        ruleset=ruleset,
        seed=seed,
        seed_open=seed_open,
        dealer=dealer,
        round=opened,
        meters=first_meters(ruleset),
    )


def sit(table: PracticeTable, position: int, player: str, secret: str) -> PracticeTable:
    """The table with somebody new at a position; refused where it is taken."""
    name = check_name(player)
    if not 1 <= position <= table.positions:
        raise Refused(
            Reason.WRONG_POSITION,
            f"position {position!r} is not at this table; allowed: 1 to {table.positions}",
        )
    if (own := table.held_by(secret)) is not None:
        if own.leaving:
            raise Refused(
                Reason.WRONG_POSITION,
                f"your hand at position {own.position} is still played out; "
                "sit down again once the round is over",
            )
        raise Refused(
            Reason.WRONG_POSITION,
            f"you sit at position {own.position} already; leave it before you take {position}",
        )
    taken = {seat.position for seat in table.seats}
    if position in taken:
        free = [place for place in range(1, table.positions + 1) if place not in taken]
        raise Refused(
            Reason.WRONG_POSITION,
            f"position {position} is taken; free: {listed(free) or 'none'}",
        )
    if any(seat.player.casefold() == name.casefold() for seat in table.seats):
        raise Refused(Reason.GIVEN_TWICE, f"name {name!r} is at this table already; choose another")
    # Whoever comes into the middle of a round waits for the next one.
    came = table.round.number if table.round.over else ""
    seats = (*table.seats, PracticeSeat(position=position, player=name, secret=secret, came=came))
    return _new(table, seats=tuple(sorted(seats, key=lambda seat: seat.position)))


def leave(table: PracticeTable, position: int) -> PracticeTable:
    """The table without a seat; a hand that is dealt is played out for it first."""
    seat = table.seat(position)
    live = table.round
    if live.phase is Phase.BETTING and live.seat(position).wagers:
        table = _do(table, c.PlaceBets(position, ()))
    elif position in live.playing and not live.over:
        return advance(_with(table, replace(seat, away=True, leaving=True)))
    return advance(_without(table, position))


def come_back(table: PracticeTable, position: int) -> PracticeTable:
    """The table with somebody at the seat again who was not waited for."""
    seat = table.seat(position)
    return _with(table, replace(seat, away=False)) if seat.away and not seat.leaving else table


def send_away(table: PracticeTable, position: int) -> PracticeTable:
    """The table without waiting for a seat any longer, until somebody comes back to it."""
    seat = table.seat(position)
    return table if seat.away else advance(_with(table, replace(seat, away=True)))


def take_chips(table: PracticeTable, position: int) -> PracticeTable:
    """The table after somebody has taken as many chips again as at the beginning."""
    seat = table.seat(position)
    if bankroll(table, seat) > MOST_CHIPS_CENTS:
        raise Refused(
            Reason.ABOVE_MAXIMUM,
            f"the bankroll is {dollars_text(bankroll(table, seat))}; more chips are taken up to "
            f"{dollars_text(MOST_CHIPS_CENTS)}",
        )
    more = replace(seat, chips=seat.chips + CHIPS_CENTS, taken=seat.taken + CHIPS_CENTS)
    return _with(table, more)


def set_coach(table: PracticeTable, position: int, when: When, mode: Mode) -> PracticeTable:
    """The table with a coach that speaks when, and as, this seat wants."""
    return _with(table, replace(table.seat(position), when=when, mode=mode))


def bankroll(table: PracticeTable, seat: PracticeSeat) -> int:
    """What a seat has beside the felt, in cents."""
    live = table.round
    return seat.chips if live.over else seat.chips + live.seat(seat.position).purse


# Betting.


def place_bets(table: PracticeTable, position: int, bets: Mapping[str, int]) -> PracticeTable:
    """The table with these bets at a position in place of those before, in cents.

    At a table that deals itself the first bet opens the next round.
    """
    seat = table.seat(position)
    if seat.leaving:
        raise Refused(Reason.WRONG_POSITION, f"position {position} has been left")
    table = _opened(table)
    seat = table.seat(position)
    table = _do(table, c.PlaceBets(position, tuple(bets.items()), seat.player))
    have = bankroll(table, seat)
    if have < 0:
        total = table.round.seat(position).felt
        raise Refused(
            Reason.ABOVE_MAXIMUM,
            f"bets of {dollars_text(total)} are more than the bankroll of "
            f"{dollars_text(have + total)}; bet less or take more chips",
        )
    return _with(table, replace(seat, ready=False, away=False, asked=False))


def say_ready(table: PracticeTable, position: int) -> PracticeTable:
    """The table once a position waits for cards; without a bet it sits the round out."""
    table = _opened(table)
    seat = table.seat(position)
    if table.round.phase is not Phase.BETTING:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the round is in phase '{table.round.phase}'; ready is said while bets are made",
        )
    others = [one for one in table.seats if one.position != position]
    wait = any(not one.ready and not one.away for one in others)
    if not wait and not any(one.wagers for one in table.round.seats):
        raise Refused(Reason.MISSING_BET, "nobody has made a bet; make one before the cards come")
    return advance(_with(table, replace(seat, ready=True, away=False)))


# Decisions.


def decide(
    table: PracticeTable,
    position: int,
    decision: str,
    worth: Mapping[str, Fraction] | None = None,
) -> PracticeTable:
    """The table after a decision and all that follows from it without anybody being asked.

    `worth` is what every choice is worth in units of the Ante or the Blackjack bet, where it is
    known; by it the decision is judged.
    """
    seat = table.seat(position)
    if seat.leaving:
        raise Refused(Reason.WRONG_POSITION, f"position {position} has been left")
    live = table.round
    if decision == NO_INSURANCE or live.offer:
        _check_asked(table, seat, decision)
    if decision != NO_INSURANCE:
        before = bankroll(table, seat)
        table = _do(table, c.Decide(position, decision))
        if bankroll(table, seat) < 0:
            more = before - bankroll(table, seat)
            raise Refused(
                Reason.ABOVE_MAXIMUM,
                f"decision {decision!r} puts up {dollars_text(more)}, and the bankroll is "
                f"{dollars_text(before)}; take more chips first",
            )
    # No decision is due at a position without it.
    wagers = live.seat(position).wagers
    unit = wagers.get(live.ruleset.game.unit, 0)
    done = judged(seat, decision, worth or {}, unit)
    asked = seat.asked or live.offer is not None
    return advance(_with(table, replace(done, away=False, asked=asked)))


def _check_asked(table: PracticeTable, seat: PracticeSeat, decision: str) -> None:
    """Insurance is answered once, by whoever is in the round (TSB-14)."""
    live = table.round
    if not live.offer or seat.position not in live.playing:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision {decision!r} is not allowed: insurance is not offered to position "
            f"{seat.position} now",
            "TSB-14",
        )
    if seat.asked:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {seat.position} has answered whether to insure; that stands",
            "TSB-14",
        )


def waited_for(table: PracticeTable) -> tuple[int, ...]:
    """The positions whose answer the round waits for, whether somebody is there or not."""
    live = table.round
    if live.over or live.phase is Phase.BETTING:
        return tuple(seat.position for seat in table.seats if not seat.ready)
    if live.phase is not Phase.DECISIONS:
        return ()
    if live.offer:
        return tuple(
            seat.position
            for seat in table.seats
            if seat.position in live.playing and not seat.asked
        )
    first = engine.first_to_act(live)
    return tuple(engine.undecided(live)) if first is None else (first,)


# Dealing.


def advance(table: PracticeTable) -> PracticeTable:
    """The table after all that happens without anybody being asked.

    Who is away is decided for by the rule of thumb. A table that deals itself goes on as soon as
    nobody is waited for; elsewhere a person deals.
    """
    while True:
        if (answered := _absent_answers(table)) is not None:
            table = answered
        elif not table.dealer and (step := dealers_step(table)) is not None:
            table = _do(table, step)
        else:
            return table


def deal(table: PracticeTable) -> PracticeTable:
    """The table after the next step of the person who deals; refused while somebody is awaited."""
    if table.round.over:
        return _next_round(table)
    step = dealers_step(table)
    if step is None:
        waiting = waited_for(table)
        what = f"position {listed(waiting)} is waited for" if waiting else "there are no bets yet"
        raise Refused(Reason.NOT_DONE_YET, f"{what}; the dealer goes on afterwards")
    return advance(_do(table, step))


def dealers_step(table: PracticeTable) -> Command | None:
    """What the dealer does now; None while players are waited for or the round is over.

    A table that deals itself ends betting when all are ready, a person whenever there are bets.
    A person deals and settles one place after the other.
    """
    live = table.round
    if live.phase is Phase.BETTING:
        bets = any(seat.wagers for seat in live.seats)
        wait = not table.dealer and any(not seat.ready and not seat.away for seat in table.seats)
        return c.NoMoreBets() if bets and not wait else None
    taken = live.started or not live.lit()
    if live.phase is Phase.NO_MORE_BETS and live.shuffle is None and taken:
        return c.LoadShuffle(deck(table))
    if live.offer is not None:
        return None if waited_for(table) else c.CloseOffer(live.offer.name)
    step = next_step(live, shown(_with_wagers(table)))
    if not table.dealer or step is None:
        return step
    if isinstance(step, c.Deliver):
        return c.Deliver(live.waiting[0] if live.phase is Phase.DEALING else live.playing[0])
    return c.Reconcile(live.to_settle[0]) if isinstance(step, c.Reconcile) else step


def _with_wagers(table: PracticeTable) -> Amounts:
    """The meters once the progressive wagers of the round are taken."""
    live = table.round
    return grown(table.meters, (live.seat(place).wagers["progressive"] for place in live.lit()))


def deck(table: PracticeTable) -> Shuffle:
    """The deck of the round, which follows from the seed and the number of the round."""
    live = table.round
    by = "automatic" if live.options.shuffler_mode == "automatic" else BY_HAND
    randomness = Random(f"{table.seed}/{live.number}")
    return make_shuffle(randomness, live.ruleset.game.packet, by=by)


def _absent_answers(table: PracticeTable) -> PracticeTable | None:
    """The table after an answer for somebody who is away; None where none is due."""
    if table.round.over or table.round.phase is Phase.BETTING:
        return None
    away = {seat.position for seat in table.seats if seat.away}
    for position in waited_for(table):
        if position not in away:
            # In Blackjack nobody decides before the position whose turn it is.
            continue
        decision = basic(table.round, position)
        if decision is None:
            return _with(table, replace(table.seat(position), asked=True))
        return _decided_for(table, position, decision)
    return None


def _decided_for(table: PracticeTable, position: int, decision: str) -> PracticeTable:
    """The table after a decision for somebody who is away, or after one that takes no more chips.

    Nobody is put into debt who is not there.
    """
    seat = table.seat(position)
    after = _do(table, c.Decide(position, decision))
    if bankroll(after, seat) >= 0 or bankroll(table, seat) < 0:
        return after
    plain = (c.Decide(position, name) for name in ("fold", "hit", "stand"))
    return _do(table, next(one for one in plain if refusal(table.round, one) is None))


def _number(number: int) -> str:
    return f"{number:06d}"


def _opened(table: PracticeTable) -> PracticeTable:
    """The table with its next round, where it deals itself and the last one is over."""
    return _next_round(table) if table.round.over and not table.dealer else table


def _next_round(table: PracticeTable) -> PracticeTable:
    live = table.round
    opened = open_round(table.ruleset, _number(int(live.number) + 1), table.positions, after=live)
    seats = tuple(replace(seat, judged=(), ready=False, asked=False) for seat in table.seats)
    return _new(table, round=opened, seats=seats, commands=(), said=())


def _do(table: PracticeTable, command: Command) -> PracticeTable:
    live, happened = act(table.round, command)
    said = tuple(event.words for event in happened if isinstance(event, Announced))
    before = table.commands
    if isinstance(command, c.PlaceBets):
        # Bets that others took the place of did not lead here, and people change their minds.
        own = re.compile(rf"bets {command.position}\b")
        before = tuple(line for line in before if not own.match(line))
    if isinstance(command, c.StartGame):
        table = replace(table, meters=_with_wagers(table))
    table = _new(
        table,
        round=live,
        commands=(*before, command_text(command)),
        said=(*table.said, *said),
    )
    return _closed(table) if live.over else table


def _closed(table: PracticeTable) -> PracticeTable:
    """The table when a round is over: what it brought is counted, and who has left goes."""
    live = table.round
    seats = tuple(
        settled(seat, live.number, live.seat(seat.position).wagers, live.seat(seat.position).lines)
        if seat.position in live.playing
        else seat
        for seat in table.seats
        if not seat.leaving
    )
    return _new(
        table,
        seats=tuple(replace(seat, ready=False, asked=False) for seat in seats),
        meters=left(table.meters, live) if live.lit() else table.meters,
    )


def _with(table: PracticeTable, seat: PracticeSeat) -> PracticeTable:
    """The table with a seat as it is now."""
    seats = tuple(seat if one.position == seat.position else one for one in table.seats)
    return _new(table, seats=seats)


def _without(table: PracticeTable, position: int) -> PracticeTable:
    return _new(table, seats=tuple(one for one in table.seats if one.position != position))


def _new(table: PracticeTable, **changes: Any) -> PracticeTable:
    return replace(table, version=table.version + 1, **changes)
