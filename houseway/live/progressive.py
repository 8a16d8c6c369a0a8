"""Progressive: the meter hands of a live round, from START GAME to the last award and envy.

The cards say who has won and in which order they are paid. The dealer's hand button confirms what
the cards show. The amount of a meter award is fixed by whoever prices it: the table, from the
meters it was told at the start, or the floor, whose ledger holds the meter.
"""

from typing import NamedTuple

from houseway.games.contract import known
from houseway.games.progressive import (
    LitHands,
    award,
    by_system,
    describe,
    judge,
    payment_order,
    share_cents,
    starts_again,
)
from houseway.house.money import MeterLevel, MeterShare, Odds, check_amount
from houseway.house.paytables import PayTable
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.guard import CommandRule, Guarded, wrong_phase
from houseway.live.phases import Phase
from houseway.live.seen import lines_of, seen_of
from houseway.live.state import Happening, Round, Seat
from houseway.refusal import Reason, Refused, listed
from houseway.rules import lines
from houseway.rules.lines import Line, Meters

NOBODY = 0
"""A position that is never paid, so that everybody is before it."""


def paytable_of(table: Round) -> PayTable:
    """The paytable of the progressive."""
    return table.ruleset.paytables["progressive"]


def hand_of(table: Round, seat: Seat) -> str:
    """The name of the hand that the cards of a seat make on the paytable."""
    paytable = paytable_of(table)
    hand = judge(seat.cards, table.community, paytable)
    return paytable.name_of(hand)


def winners(table: Round) -> dict[int, Odds]:
    """The lit positions that win, with what they are paid: a share of a meter or a fixed pay.

    Nobody has won before the dealer's hand is shown.
    """
    paytable, options = paytable_of(table), table.options
    found: dict[int, Odds] = {}
    for position in table.lit() if table.dealer_shown else ():
        seat = table.seat(position)
        if not known(seat.cards):
            continue
        hand = judge(seat.cards, table.community, paytable)
        verdict = award(hand, paytable, options, folded=seat.folded)
        if verdict.odds is not None:
            found[position] = verdict.odds
    return found


def meter_hands(table: Round) -> dict[int, MeterShare]:
    """The positions that win a share of a meter, in the order they are paid (PGM-10, PML-11)."""
    shares = {p: odds for p, odds in winners(table).items() if isinstance(odds, MeterShare)}
    controls = tuple(position for position in table.pay_order if position in shares)
    return {p: shares[p] for p in payment_order(shares, table.options, controls)}


def paid_before(table: Round, position: int) -> tuple[int, ...]:
    """The lit positions that are paid before one if they win (PGM-10, PML-11).

    A hand that was taken in unseen has folded out of the progressive; nobody turns it over.
    """
    order = payment_order(table.lit(), table.options, table.pay_order)
    return tuple(p for p in order[: order.index(position)] if not table.seat(p).gone)


def priced_before(table: Round, position: int) -> tuple[int, ...]:
    """The positions whose cards say what a meter holds when the table prices a position."""
    if not table.started or waits_for_floor(table) or position not in table.lit():
        return ()
    return paid_before(table, position)


class FixedPay(NamedTuple):
    """A fixed pay of the progressive, with the name of its hand."""

    position: int
    hand: str
    cents: int


def fixed_pays(table: Round) -> list[FixedPay]:
    """The settled fixed pays of the round; they do not come off a meter (PGM-09, PNX-10)."""
    found = []
    for position, odds in winners(table).items():
        seat = table.seat(position)
        won = [line for line in seat.lines if line.bet == "progressive"]
        if won and not isinstance(odds, MeterShare):
            cents = sum(line.wager + line.net for line in won)
            found.append(FixedPay(position, hand_of(table, seat), cents))
    return found


def unconfirmed(table: Round) -> list[int]:
    """The positions whose meter award is not confirmed yet, in the order they are paid."""
    return [p for p in meter_hands(table) if not table.seat(p).settled("progressive")]


def claimed(table: Round) -> list[int]:
    """The positions whose hand button is on for an award that is not confirmed, in pay order."""
    return [p for p in unconfirmed(table) if table.seat(p).pressed]


def unpressed(table: Round) -> list[int]:
    """The winning positions whose hand button the dealer has still to press."""
    if not waits_for_floor(table):
        return []
    return [p for p in winners(table) if not table.seat(p).pressed]


def waits_for_floor(table: Round) -> bool:
    """True when the floor fixes the amounts of meter awards."""
    return table.started and table.priced_by == "floor"


def meters_before(table: Round, position: int) -> Meters:
    """Returns the meters as they stand when a position is paid (PGM-10, PNX-11, PML-11).

    Each award is taken from what the one before it left; after a whole award the meter starts
    again, and what it did not take, where the share grows with the wager, stays (A-17..19). It
    starts from what START GAME said, else from `meter_seed`, else from where it stood; rounds of
    the first form had nothing there.
    """
    meters: dict[MeterLevel, int] = dict(table.meters)
    starts = meters if table.form > 1 else dict.fromkeys(meters, 0)
    starts = starts | dict(table.options.meter_seed) | dict(table.next_starts)
    for winner, share in meter_hands(table).items():
        if winner == position:
            break
        wager = table.seat(winner).wagers["progressive"]
        paid = share_cents(share, meters[share.level], wager, table.options)
        if starts_again(share, wager, table.options):
            meters[share.level] += starts[share.level]
        meters[share.level] -= paid
    return meters


def wager_line(table: Round, seat: Seat, meters: Meters) -> Line:
    """The line of a progressive wager that the table prices."""
    [line] = lines_of(table, seat, seen_of(table, seat), "progressive", meters=meters)
    return line


def settle_wager(table: Round, seat: Seat) -> e.Event:
    """Returns the line of a progressive wager, or an award whose amount the floor fixes."""
    share = meter_hands(table).get(seat.position) if waits_for_floor(table) else None
    if share is not None:
        return e.MeterHandFound(seat.position, hand_of(table, seat), str(share))
    meters = meters_before(table, seat.position)
    return e.Settled(seat.position, wager_line(table, seat, meters))


# START GAME.


def start_clause(table: Round) -> str:
    """The clause by which the progressive is started: COIN IN or START GAME."""
    return by_system(paytable_of(table), table.options, "PGM-06", "PNX-06", "PML-07")


def _may_start(table: Round, command: c.StartGame) -> Guarded:
    """The progressive is started after no more bets and before any card (PGM-06, PML-07)."""
    if table.phase is not Phase.NO_MORE_BETS:
        return wrong_phase(table, "no more bets", "the progressive starts when betting has ended")
    lit = table.lit()
    if not lit or table.started:
        return Refused(
            Reason.OUT_OF_ORDER,
            "the progressive was started already"
            if table.started
            else "no position has a progressive wager to start",
        )
    if command.priced_by not in ("table", "floor"):
        return Refused(
            Reason.UNKNOWN_VALUE, f"pricer {command.priced_by!r} is unknown; known: table, floor"
        )
    return (
        _meters_problem(table, command.meters, every=True)
        or _meters_problem(table, command.next_starts, every=False)
        or _order_problem(table, command)
    )


def _meters_problem(table: Round, amounts: c.MeterAmounts, *, every: bool) -> Guarded:
    levels = paytable_of(table).levels
    given = dict(amounts)
    for level in levels if every else ():
        if level not in given:
            return Refused(
                Reason.MISSING_METER,
                f"what stands on meter {level!r} is not given; needed: {listed(levels)}",
            )
    for level, cents in given.items():
        if level not in levels:
            return Refused(
                Reason.UNKNOWN_METER, f"meters {listed(given)} are given; known: {listed(levels)}"
            )
        check_amount(cents, f"meter {level}", zero=True)
    return None


def _order_problem(table: Round, command: c.StartGame) -> Guarded:
    lit = table.lit()
    controls = table.options.meter_pay_order == "internal_controls"
    if sorted(command.pay_order) == (sorted(lit) if controls else []):
        return None
    wanted = f"each of {listed(lit)} once" if controls else "none: pay is from the right"
    return Refused(
        Reason.BAD_ARGUMENT,
        f"pay order {list(command.pay_order)} is not allowed; allowed: {wanted}",
        "PGM-10",
    )


def _start(table: Round, command: c.StartGame) -> Happening:
    yield e.GameStarted(
        table.lit(), command.meters, command.pay_order, command.next_starts, command.priced_by
    )


# The hand button.


def hand_clause(table: Round) -> str:
    """The clause by which a winning hand is chosen on the display."""
    return by_system(paytable_of(table), table.options, "PGM-11", "PNX-12", "PML-11")


def order_clause(table: Round) -> str:
    """The clause by which meter awards are paid in order."""
    return by_system(paytable_of(table), table.options, "PGM-10", "PNX-11", "PML-11")


def adjust_clause(table: Round) -> str:
    """The clause by which a logged award is backed out."""
    return by_system(paytable_of(table), table.options, "PGM-16", "PNX-16", "PML-15")


def _lit_problem(table: Round, position: int) -> Guarded:
    if table.started and not waits_for_floor(table):
        return Refused(
            Reason.WRONG_PHASE, "the table prices its own awards; nothing is pressed or confirmed"
        )
    if table.started and position in table.lit():
        return None
    lit = listed(table.lit()) if table.started else ""
    return Refused(
        Reason.WRONG_POSITION,
        f"position {position!r} has no progressive wager in play; lit: {lit or 'none'}",
    )


def _may_press(table: Round, command: c.PressHand) -> Guarded:
    """The button says what the cards show, once they are settled (PGM-11, PNX-12, PML-11)."""
    if problem := _lit_problem(table, command.position):
        return problem
    seat, where = table.seat(command.position), hand_clause(table)
    if seat.folded and table.options.folded_hand_progressive == "not_eligible":
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {command.position} folded, and here a folded hand does not win the "
            "progressive; press nothing",
            by_system(paytable_of(table), table.options, "PGM-07", "PNX-09", "PML-10"),
        )
    if table.phase is not Phase.RECONCILE or not seat.shown:
        return Refused(
            Reason.WRONG_PHASE,
            f"the cards of position {command.position} are not settled yet; settle them first",
            where,
        )
    if command.position not in winners(table):
        made = describe(seat.cards, table.community, paytable_of(table))
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {command.position} wins no progressive with {made}; press nothing",
            where,
        )
    if command.hand != hand_of(table, seat):
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"the cards at position {command.position} are {hand_of(table, seat)}, not "
            f"{command.hand!r}",
            where,
        )
    if seat.pressed and command.position in meter_hands(table) and seat.settled("progressive"):
        return Refused(
            Reason.WRONG_PHASE,
            f"the award at position {command.position} is confirmed; only an adjustment backs it "
            "out",
            adjust_clause(table),
        )
    return None


def _press(table: Round, command: c.PressHand) -> Happening:
    if table.seat(command.position).pressed:
        yield e.HandReleased(command.position)
    else:
        yield e.HandPressed(command.position, command.hand)


# Awards of a meter.


def _may_confirm(table: Round, command: c.ConfirmAward) -> Guarded:
    """Awards are confirmed in the order they are paid, by the cards (PGM-10, PNX-11, PML-11)."""
    if problem := _lit_problem(table, command.position):
        return problem
    position, where = command.position, order_clause(table)
    hands = meter_hands(table)
    if table.phase is not Phase.RECONCILE or position not in hands:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"position {position} wins no share of a meter",
            hand_clause(table),
        )
    for earlier in hands:
        if earlier in table.waiting:
            return Refused(
                Reason.OUT_OF_ORDER,
                f"position {earlier} is settled before an award at position {position} is paid",
                where,
            )
        if earlier == position:
            break
        if not table.seat(earlier).settled("progressive"):
            return Refused(
                Reason.OUT_OF_ORDER, f"position {earlier} is paid before position {position}", where
            )
    for earlier in paid_before(table, position):
        if not known(table.seat(earlier).cards):
            return Refused(
                Reason.OUT_OF_ORDER,
                f"position {earlier} is settled before an award at position {position} is paid",
                where,
            )
    seat = table.seat(position)
    if not seat.pressed:
        return Refused(
            Reason.NOT_DONE_YET,
            f"the hand at position {position} is not chosen; press {hand_of(table, seat)}",
            hand_clause(table),
        )
    if seat.settled("progressive"):
        return Refused(
            Reason.OUT_OF_ORDER,
            f"the award at position {position} is confirmed already",
            adjust_clause(table),
        )
    check_amount(command.cents, "award", zero=True)
    return None


def _confirm(table: Round, command: c.ConfirmAward) -> Happening:
    seat = table.seat(command.position)
    line = lines.meter_award(
        table.ruleset.game,
        seen_of(table, seat),
        seat.wagers,
        table.ruleset.paytables,
        table.options,
        command.cents,
    )
    yield e.AwardConfirmed(command.position, line)


def _may_back_out(table: Round, command: c.BackOutAward) -> Guarded:
    """A confirmed award goes back by a manual adjustment only (PGM-16, PNX-16, PML-15)."""
    if problem := _lit_problem(table, command.position):
        return problem
    seat = table.seat(command.position)
    confirmed = seat.settled("progressive") and command.position in meter_hands(table)
    if not confirmed:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"no award is confirmed at position {command.position}",
            adjust_clause(table),
        )
    return None


def _back_out(table: Round, command: c.BackOutAward) -> Happening:
    yield e.AwardBackedOut(command.position)


def end_problem(table: Round) -> Guarded:
    """Why the progressive keeps the round open: a hand not chosen, an award not confirmed."""
    if not waits_for_floor(table):
        return None
    if missing := unpressed(table):
        named = listed([f"{hand_of(table, table.seat(p))} at {p}" for p in missing])
        return Refused(
            Reason.NOT_DONE_YET,
            f"a progressive hand is not chosen yet: {named}",
            hand_clause(table),
        )
    if waiting := unconfirmed(table):
        return Refused(
            Reason.NOT_DONE_YET,
            f"the award at position {waiting[0]} is not confirmed",
            by_system(paytable_of(table), table.options, "PGM-15", "PNX-15", "PML-15"),
        )
    return None


def void_problem(table: Round) -> Guarded:
    """Why a round cannot be void: an award left a meter and was not put back."""
    confirmed = [p for p in meter_hands(table) if table.seat(p).settled("progressive")]
    if not waits_for_floor(table) or not confirmed:
        return None
    return Refused(
        Reason.WRONG_PHASE,
        f"the award at position {confirmed[0]} is confirmed; back it out before the round is void",
        adjust_clause(table),
    )


# Envy.


def stays_face_up(table: Round, seat: Seat) -> bool:
    """True for a hand that is left on the layout: it triggers envy, or its award is still open.

    Other hands are locked up when they are settled (PGM-18, PNX-18, PML-16).
    """
    if not table.started or seat.position not in winners(table):
        return False
    paytable = paytable_of(table)
    hand = judge(seat.cards, table.community, paytable)
    return bool(paytable.envy_cents.get(hand)) or (
        waits_for_floor(table) and seat.position in meter_hands(table)
    )


class Envy(NamedTuple):
    """Envy that a position earns for the hand of another."""

    position: int
    of: int
    """The position of the hand that triggers it."""
    line: Line


def envy_due(table: Round) -> list[Envy]:
    """Envy of the round, from the dealer's right; it is paid at its end (PGM-18, PNX-18).

    None is due before the dealer's hand is shown, nor for a hand that still lies face down.
    """
    found = []
    for position in reversed(table.lit()) if table.dealer_shown else ():
        seat = table.seat(position)
        others = [table.seat(p) for p in table.lit() if p != position and table.seat(p).shown]
        # Hands of others come before folded ones and the player's own.
        others.sort(key=lambda other: _after_others(table, seat, other))
        for other in others:
            found += [
                Envy(position, other.position, line) for line in _envy_for(table, seat, other)
            ]
    return found


def _after_others(table: Round, seat: Seat, other: Seat) -> int:
    return 2 if table.same_player(seat.player, other.player) else int(other.folded)


def _envy_for(table: Round, seat: Seat, other: Seat) -> list[Line]:
    """The line that one seat earns for the hand of another, if it earns one."""
    if table.same_player(seat.player, other.player):
        wins = not other.folded or table.options.folded_hand_progressive == "eligible"
        hands = LitHands(own_others=[other.cards] if wins else [])
    elif other.folded:
        hands = LitHands(folded_others=[other.cards])
    else:
        hands = LitHands(others=[other.cards])
    return lines.envy(
        table.ruleset.game,
        seen_of(table, seat),
        hands,
        seat.wagers,
        table.ruleset.paytables,
        table.options,
    )


def unpaid_envy(table: Round) -> list[Envy]:
    """The envy that is still to be paid."""
    if any(line.bet == "envy" for seat in table.seats for line in seat.lines):
        return []
    return envy_due(table)


def _may_pay_envy(table: Round, command: c.PayEnvy) -> Guarded:
    if table.phase is not Phase.RECONCILE or table.waiting:
        return wrong_phase(table, "reconcile", "envy is paid when every hand is settled")
    if not table.started or not unpaid_envy(table):
        return Refused(Reason.OUT_OF_ORDER, "no envy is due", "PGM-17")
    return end_problem(table)


def _pay_envy(table: Round, command: c.PayEnvy) -> Happening:
    for due in envy_due(table):
        yield e.Settled(due.position, due.line)


RULES: dict[type, CommandRule] = {
    c.StartGame: (_may_start, _start),
    c.PressHand: (_may_press, _press),
    c.ConfirmAward: (_may_confirm, _confirm),
    c.BackOutAward: (_may_back_out, _back_out),
    c.PayEnvy: (_may_pay_envy, _pay_envy),
}
"""The commands of the progressive."""
