"""Confirmation: an award is verified, recorded and taken off its meter, by card or by key."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from houseway.floor import accounts, request
from houseway.floor.choice import changes
from houseway.floor.line import at_once, free, line_of, logged, priced
from houseway.floor.link import Pending
from houseway.floor.person import person_stream
from houseway.floor.post import OVER_THE_TABLE, Post
from houseway.floor.table import Award, from_meter, next_to_confirm
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.meters import award as taken_off
from houseway.money import MeterLevel, dollars_text
from houseway.refusal import Reason, Refused, listed

CHECKLIST = ("hand_seen", "wager_lit", "amount", "deck_counted")


def confirm_award(state: State, command: Command) -> Entry:
    """Confirm and card: the award is recorded and the meter moves at once (PNX-14, PML-14)."""
    post = Post(state, command, OVER_THE_TABLE)
    post.started()
    if post.profile.confirms != "card":
        raise Refused(
            Reason.WRONG_PHASE,
            f"{post.profile.name} confirms with the key: turn it to JPH and press J-POT",
            "PGM-13",
        )
    chosen = _next(post, request.position(command, post.table.positions))
    award, waits = _fixed(post, chosen, at_once)
    _authority(post, award)
    events, answer = _take_off(post, award)
    changed = [] if award == chosen else changes(post, waits)
    return Entry(events=[*changed, *events], answer=answer)


def turn_key(state: State, command: Command) -> Entry:
    """The key to JPH unlocks J-POT; back at RUN a recorded award leaves the meter (PGM-13, 14)."""
    post = Post(state, command, OVER_THE_TABLE)
    post.started()
    if post.profile.confirms != "key":
        raise Refused(
            Reason.WRONG_PHASE, f"{post.profile.name} has no key; confirm with a card", "PNX-14"
        )
    to = command.arguments.get("to")
    if to not in ("jph", "run"):
        raise Refused(Reason.UNKNOWN_VALUE, f"key position {to!r} is unknown; known: jph, run")
    if to == post.table.key:
        raise Refused(Reason.WRONG_PHASE, f"the key is at {to} already", "PGM-13")
    request.check_pin(command)
    turned = post.draft("key_turned", {"to": to, "holder": command.actor if to == "jph" else ""})
    if to == "jph":
        return Entry(events=[turned], answer={"key": "jph"})
    recorded = [award for award in from_meter(post.table) if award.status == "recorded"]
    if not recorded:
        return Entry(events=[turned], answer={"key": "run"})
    line = line_of(post.link, _level_of(post, recorded[0]))
    _in_turn(post, _level_of(post, recorded[0]), at_once(line, _place(post, recorded[0], line)))
    events, answer = _take_off(post, recorded[0])
    return Entry(events=[turned, *events], answer={"key": "run", **answer})


def press_jackpot(state: State, command: Command) -> Entry:
    """J-POT records the win; the meter still stands until the key is back at RUN (PGM-13, 14)."""
    post = Post(state, command, OVER_THE_TABLE)
    post.started()
    if post.profile.confirms != "key" or post.table.key != "jph":
        raise Refused(
            Reason.WRONG_PHASE,
            "J-POT works only with the key at JPH; turn it there first",
            "PGM-13",
        )
    award = _next(post, request.position(command, post.table.positions))
    if award.status == "recorded":
        raise Refused(
            Reason.WRONG_PHASE, f"the award at position {award.position} is recorded", "PGM-16"
        )
    award, waits = _fixed(post, award, logged)
    _authority(post, award)
    data = {"position": award.position, "amount_cents": award.amount_cents}
    return Entry(events=[post.draft("jackpot_recorded", data), *changes(post, waits)], answer=data)


def _next(post: Post, position: int) -> Award:
    """The award at a position, when it is the one that is confirmed next."""
    award = post.table.award_at(position)
    if award is None or award.level is None:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"no award of a meter is chosen at position {position}",
            post.profile.hand_clause,
        )
    if award.status in ("confirmed", "paid"):
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {position} is {award.status} already",
            post.profile.adjust_clause,
        )
    first = next_to_confirm(post.table)
    assert first is not None
    if first.position != position:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"position {first.position} is paid before position {position}",
            post.profile.order_clause,
        )
    if not post.table.called_at:
        raise Refused(
            Reason.NOT_DONE_YET, "the dealer calls a supervisor first", post.profile.call_clause
        )
    return award


def _authority(post: Post, award: Award) -> None:
    """Who may confirm: by level and amount, never who chose the hand, with the checks done."""
    command, clause = post.command, post.profile.confirm_clause
    request.check_pin(command)
    chose = post.state.streams[person_stream(award.by)]
    if command.actor == award.by or post.person.name == chose.name:
        raise Refused(
            Reason.NOT_APPROVED, f"{post.person.name} chose this hand; another confirms it", clause
        )
    assert award.level is not None
    threshold = {str(k): v for k, v in post.link.thresholds.items()}[award.level]
    large = award.amount_cents >= threshold
    if large and post.person.role != "executive":
        raise Refused(
            Reason.NOT_APPROVED,
            f"an award of {dollars_text(award.amount_cents)} takes an executive's card: from "
            f"{dollars_text(threshold)} on meter {award.level}",
            clause,
        )
    checks = request.mapping(command, "checklist")
    wanted = (*CHECKLIST, "surveillance") if large else CHECKLIST
    missing = [name for name in wanted if checks.get(name) is not True]
    if missing:
        raise Refused(Reason.NOT_DONE_YET, f"the checklist is not done: {listed(missing)}", clause)


def _fixed(
    post: Post, award: Award, moved: Callable[[list[Pending], int], list[Pending]]
) -> tuple[Award, list[Pending]]:
    """An award as it leaves the line or is logged, and what waits with it moved there.

    By option its amount is worked out now (A-16).
    """
    level = _level_of(post, award)
    line = line_of(post.link, level)
    place = _place(post, award, line)
    if post.options.award_amount_fixed == "at_confirmation":
        now = priced(post.state, post.link, level, line, place)
        line = line if now[place] == line[place] else now
    after = moved(line, place)
    _in_turn(post, level, after)
    waits = [
        pending
        for name in post.paytable.levels
        for pending in (after if name == level else line_of(post.link, name))
    ]
    return replace(award, amount_cents=line[place].amount_cents), waits


def _place(post: Post, award: Award, line: list[Pending]) -> int:
    own = (post.table.name, award.position)
    return next(n for n, pending in enumerate(line) if (pending.table, pending.position) == own)


def _in_turn(post: Post, level: MeterLevel, line: list[Pending]) -> None:
    """Refused where others in line could no longer be paid what they are frozen post."""
    meter = accounts.meter_of(post.state, post.link.name, level)
    if free(meter, line, post.link.next_start(level)) < 0:
        first = line_of(post.link, level)[0]
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"the award at position {first.position} of {first.table} is taken off meter {level} "
            "before this one; confirm it or take it back first",
            post.profile.order_clause,
        )


def _level_of(post: Post, award: Award) -> MeterLevel:
    return next(name for name in post.paytable.levels if name == award.level)


def _take_off(post: Post, award: Award) -> tuple[list[Draft], dict[str, Any]]:
    """Take an award off the meter, start it again if it was the whole, number the win page."""
    level = _level_of(post, award)
    meter = accounts.meter_of(post.state, post.link.name, level)
    amount = award.amount_cents
    after, moved = taken_off(meter, post.link.next_start(level), amount, whole=award.whole)
    page = post.link.wins + 1
    data = {
        "position": award.position,
        "hand": award.hand,
        "level": level,
        "whole": award.whole,
        "amount_cents": amount,
        "before_cents": meter.shown_cents,
        "after_cents": after.shown_cents,
        "page": page,
        "wager_cents": post.table.lights[award.position].cents,
        "player": post.table.lights[award.position].player,
        "chosen_by": award.by,
        "confirmed_by": post.command.actor,
        "paytable": post.paytable.code,
        "game": post.table.game,
        "round": post.table.round,
    }
    events = [
        post.draft("award_confirmed", data, accounts.award(post.link.name, level, moved)),
        post.link_draft("meter_awarded", {**data, "table": post.table.name}),
    ]
    return events, {"position": award.position, "amount_cents": amount, "page": page}


DECIDERS = {
    "confirm_award": confirm_award,
    "turn_key": turn_key,
    "press_jackpot": press_jackpot,
}
