"""Confirmation: an award is verified, recorded and taken off its meter, by card or by key."""

from collections.abc import Callable
from typing import Any

from houseway.floor import accounts, request
from houseway.floor.claim import changes, claim_at
from houseway.floor.context import OVER_THE_TABLE, Context, player_of
from houseway.floor.link import Pending
from houseway.floor.person import same_holder
from houseway.floor.queue import at_once, free, priced, queue_of, recorded
from houseway.floor.step import do_step
from houseway.house.meters import award as taken_off
from houseway.house.money import MeterLevel, dollars_text
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.round import refusal
from houseway.live.state import Round
from houseway.refusal import Reason, Refused, listed

CHECKLIST = ("hand_seen", "wager_lit", "amount", "deck_counted")


def confirm_award(state: State, command: Command) -> Entry:
    """Confirm and card: the award is recorded and the meter moves at once (PNX-14, PML-14)."""
    context = Context(state, command, OVER_THE_TABLE)
    under_way = context.in_play()
    if context.profile.confirms != "card":
        raise Refused(
            Reason.WRONG_PHASE,
            f"{context.profile.name} confirms with the key: turn it to JPH and press J-POT",
            "PGM-13",
        )
    claim, waits = _priced(context, _next(context, under_way), at_once)
    _check_authority(context, claim)
    step = do_step(context.table, under_way, c.ConfirmAward(claim.position, claim.amount_cents))
    data = _page(context, under_way, claim, context.link.wins + 1)
    moved, answer = _take_off(context, claim.level, data)
    return Entry(events=[step.written, *changes(context, waits), *moved], answer=answer)


def press_jackpot(state: State, command: Command) -> Entry:
    """J-POT records the win on its page; the meter stands until the key is at RUN (PGM-13, 14)."""
    context = Context(state, command, OVER_THE_TABLE)
    under_way = context.in_play()
    if context.profile.confirms != "key" or context.table.key != "jph":
        raise Refused(
            Reason.WRONG_PHASE,
            "J-POT works only with the key at JPH; turn it there first",
            "PGM-13",
        )
    if context.table.recorded is not None:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {context.table.recorded.position} is recorded; turn the key "
            "to RUN first",
            "PGM-14",
        )
    claim, waits = _priced(context, _next(context, under_way), recorded)
    _check_authority(context, claim)
    step = do_step(context.table, under_way, c.ConfirmAward(claim.position, claim.amount_cents))
    meter = accounts.meter_of(state, context.link.name, claim.level)
    data = {
        **_page(context, under_way, claim, context.link.wins + 1),
        "before_cents": meter.shown_cents,
        "after_cents": None,
    }
    return Entry(
        events=[
            step.written,
            context.draft("jackpot_recorded", data),
            context.link_draft("award_recorded", {**data, "table": context.table.name}),
            *changes(context, waits),
        ],
        answer=_answer(data),
    )


def turn_key(state: State, command: Command) -> Entry:
    """The key to JPH unlocks J-POT; back at RUN a recorded award leaves the meter (PGM-13, 14)."""
    context = Context(state, command, OVER_THE_TABLE)
    context.in_play()
    if context.profile.confirms != "key":
        raise Refused(
            Reason.WRONG_PHASE, f"{context.profile.name} has no key; confirm with a card", "PNX-14"
        )
    to = command.arguments.get("to")
    if to not in ("jph", "run"):
        raise Refused(
            Reason.UNKNOWN_VALUE, f"key position {request.shown(to)} is unknown; known: jph, run"
        )
    if to == context.table.key:
        raise Refused(Reason.WRONG_PHASE, f"the key is at {to} already", "PGM-13")
    request.check_pin(command)
    holder = command.actor if to == "jph" else ""
    turned = context.draft("key_turned", {"to": to, "holder": holder})
    award = context.table.recorded
    if to == "jph" or award is None:
        return Entry(events=[turned], answer={"key": to})
    level = _level(context, award.level)
    claim = claim_at(context, award.position)
    assert claim is not None
    queue = queue_of(context.link, level)
    _check_turn(context, level, at_once(queue, queue.index(claim)))
    data = {
        "page": award.page,
        "round": award.round,
        "position": award.position,
        "player": award.player,
        "hand": award.hand,
        "level": award.level,
        "whole": award.whole,
        "wager_cents": award.wager_cents,
        "amount_cents": award.amount_cents,
        "chosen_by": award.chosen_by,
        "confirmed_by": award.confirmed_by,
        "paytable": context.paytable.code,
        "game": context.table.game,
    }
    events, answer = _take_off(context, award.level, data)
    return Entry(events=[turned, *events], answer={"key": "run", **answer})


def _next(context: Context, under_way: Round) -> Pending:
    """The claim at the position that is asked for; refused when it is not confirmed now."""
    position = request.position(context.command, context.table.positions)
    # The round says whose turn it is; what it is worth is not its matter.
    problem = refusal(under_way, c.ConfirmAward(position, 0))
    if problem is not None:
        raise problem
    claim = claim_at(context, position)
    assert claim is not None, "a pressed award that is not confirmed waits on the link"
    if not context.table.called_at:
        raise Refused(
            Reason.NOT_DONE_YET, "the dealer calls a supervisor first", context.profile.call_clause
        )
    return claim


def _check_authority(context: Context, claim: Pending) -> None:
    """Refuse who may not confirm: by amount, never who chose the hand, with the checks done."""
    command, clause = context.command, context.profile.confirm_clause
    request.check_pin(command)
    if same_holder(context.state, command.actor, claim.by):
        raise Refused(
            Reason.NOT_APPROVED,
            f"{context.person.name} chose this hand; another confirms it",
            clause,
        )
    large = needs_executive(context, claim)
    if large and context.person.role != "executive":
        threshold = context.link.thresholds[_level(context, claim.level)]
        raise Refused(
            Reason.NOT_APPROVED,
            f"an award of {dollars_text(claim.amount_cents)} takes an executive's card: from "
            f"{dollars_text(threshold)} on meter {claim.level}",
            clause,
        )
    checks = request.mapping(command, "checklist")
    missing = [name for name in checklist(large=large) if checks.get(name) is not True]
    if missing:
        raise Refused(Reason.NOT_DONE_YET, f"the checklist is not done: {listed(missing)}", clause)


def needs_executive(context: Context, claim: Pending) -> bool:
    """True from the threshold of the meter on; Game Manager knows the supervisor's key only."""
    if context.profile.confirms == "key":
        return False
    return claim.amount_cents >= context.link.thresholds[_level(context, claim.level)]


def checklist(*, large: bool) -> tuple[str, ...]:
    """The checks that come before an award is confirmed."""
    return (*CHECKLIST, "surveillance") if large else CHECKLIST


def _priced(
    context: Context, claim: Pending, moved: Callable[[list[Pending], int], list[Pending]]
) -> tuple[Pending, list[Pending]]:
    """A claim with the amount it is paid, and all that waits once it is moved in its queue.

    By option the amount is worked out now (A-16).
    """
    level = _level(context, claim.level)
    queue = queue_of(context.link, level)
    place = queue.index(claim)
    if context.options.award_amount_fixed == "at_confirmation":
        now = priced(context.state, context.link, level, queue, place)
        queue = queue if now[place] == queue[place] else now
    after = moved(queue, place)
    _check_turn(context, level, after)
    waits = [
        pending
        for name in context.paytable.levels
        for pending in (after if name == level else queue_of(context.link, name))
    ]
    same = queue == queue_of(context.link, level) and moved is at_once
    return queue[place], [*context.link.pending] if same else waits


def _check_turn(context: Context, level: MeterLevel, queue: list[Pending]) -> None:
    """Refuse an award that would leave others in the queue without what they wait for."""
    meter = accounts.meter_of(context.state, context.link.name, level)
    if free(meter, queue, context.link.next_start(level)) < 0:
        first = queue_of(context.link, level)[0]
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"the award at position {first.position} of {first.table} is taken off meter {level} "
            "before this one; confirm it or take it back first",
            context.profile.order_clause,
        )


def _level(context: Context, level: str) -> MeterLevel:
    return next(name for name in context.paytable.levels if name == level)


def _page(context: Context, under_way: Round, claim: Pending, page: int) -> dict[str, Any]:
    """The data of a win page."""
    return {
        "page": page,
        "round": claim.round,
        "position": claim.position,
        "player": player_of(under_way.seat(claim.position)),
        "hand": claim.hand,
        "level": claim.level,
        "whole": claim.whole,
        "wager_cents": claim.wager_cents,
        "amount_cents": claim.amount_cents,
        "chosen_by": claim.by,
        "confirmed_by": context.command.actor,
        "paytable": context.paytable.code,
        "game": context.table.game,
    }


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("position", "amount_cents", "page")}


def _take_off(
    context: Context, name: str, page: dict[str, Any]
) -> tuple[list[Draft], dict[str, Any]]:
    """Take an award off its meter, and start the meter again if it was the whole."""
    level = _level(context, name)
    meter = accounts.meter_of(context.state, context.link.name, level)
    after, moved = taken_off(
        meter, context.link.next_start(level), page["amount_cents"], whole=page["whole"]
    )
    data = {**page, "before_cents": meter.shown_cents, "after_cents": after.shown_cents}
    events = [
        context.draft("award_confirmed", data, accounts.award(context.link.name, level, moved)),
        context.link_draft("meter_awarded", {**data, "table": context.table.name}),
    ]
    return events, _answer(data)


DECIDERS = {
    "confirm_award": confirm_award,
    "turn_key": turn_key,
    "press_jackpot": press_jackpot,
}
