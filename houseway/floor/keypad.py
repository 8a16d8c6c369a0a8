"""Keypad: what is done at a table with a progressive, from the first light to the last key.

One set of decisions serves the three systems; what differs is in the `Profile`: what the keys are
called, whether a spot is chosen first, and whether an award is confirmed by a key or by a card.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from houseway.floor import accounts, request
from houseway.floor.line import at_once, free, free_on, in_line, line_of, logged, priced
from houseway.floor.link import Link, Pending, find_link, link_stream
from houseway.floor.person import person_stream, require
from houseway.floor.profile import Profile, profile_of
from houseway.floor.table import (
    Award,
    FloorTable,
    Light,
    envy_due,
    find_table,
    from_meter,
    in_order,
    next_to_confirm,
    read_hand,
    share_of,
    table_stream,
)
from houseway.games.base import Outcome, net_cents
from houseway.games.progressive import award as judged
from houseway.journal.event import Command, Draft, Entry, Transfer
from houseway.journal.state import State
from houseway.meters import (
    MICROCENTS,
    Contribution,
    Meter,
    contribute,
    pay_from_meter,
    take_back,
)
from houseway.meters import award as taken_off
from houseway.money import MeterLevel, dollars_text
from houseway.refusal import Reason, Refused, listed

LARGEST_WAGER_CENTS = 100_000
"""A progressive wager above this is no wager but a fault of a sensor."""
CHECKLIST = ("hand_seen", "wager_lit", "amount", "deck_counted")
AT_THE_TABLE = ("dealer", "supervisor")
Decider = Callable[[State, Command], Entry]


class _At:
    """The table of a command, with its link and profile."""

    def __init__(self, state: State, command: Command, roles: tuple[str, ...] = AT_THE_TABLE):
        self.state = state
        self.command = command
        self.table: FloorTable = find_table(state, request.text(command, "table"))
        if not self.table.link:
            raise Refused(
                Reason.UNKNOWN_VALUE, f"table {self.table.name!r} plays for no link; join one"
            )
        self.link: Link = find_link(state, self.table.link)
        self.paytable = self.link.pays
        self.options = self.table.house_options
        self.profile: Profile = profile_of(self.paytable, self.options)
        self.person = require(state, command.actor, roles)

    @property
    def stream(self) -> str:
        return table_stream(self.table.name)

    def draft(
        self, kind: str, data: Mapping[str, Any], transfers: list[Transfer] | None = None
    ) -> Draft:
        return Draft(stream=self.stream, kind=kind, data=data, transfers=transfers or [])

    def link_draft(self, kind: str, data: Mapping[str, Any]) -> Draft:
        return Draft(stream=link_stream(self.link.name), kind=kind, data=data)

    def started(self) -> None:
        if not self.table.started:
            raise Refused(
                Reason.WRONG_PHASE,
                f"no game is under way at {self.table.name}; press {self.profile.start} first",
                self.profile.start_clause,
            )

    def betting(self) -> None:
        if self.table.started:
            raise Refused(
                Reason.WRONG_PHASE,
                f"{self.profile.start} was pressed at {self.table.name}; lights no longer change",
                self.profile.start_clause,
            )


def light(state: State, command: Command) -> Entry:
    """A wager on the sensor of a spot (PGM-05, PNX-05, PML-06).

    An amount that no player can have put there is quarantined: kept as an event, and not lit.
    """
    at = _At(state, command)
    at.betting()
    position = request.position(command, at.table.positions)
    player = request.text(command, "player")
    if not request.flag(command, "base_wager"):
        raise Refused(
            Reason.BASE_WAGER_REQUIRED,
            f"position {position} has no base wager; the progressive needs one beside it",
            "PNX-05" if at.profile.confirms == "card" else "PGM-05",
        )
    amount = command.arguments.get("cents")
    whole = isinstance(amount, int) and not isinstance(amount, bool)
    if not whole or not 0 < int(str(amount)) <= LARGEST_WAGER_CENTS:
        data = {
            "table": at.table.name,
            "position": position,
            "amount": request.shown(amount),
            "why": f"a wager is 1 to {LARGEST_WAGER_CENTS} cents",
        }
        return Entry(
            events=[at.link_draft("contribution_quarantined", data)], answer={"quarantined": True}
        )
    if position in at.table.lights:
        raise Refused(Reason.GIVEN_TWICE, f"position {position} is lit already; put it out first")
    data = {"position": position, "cents": amount, "player": player}
    return Entry(events=[at.draft("lit", data)], answer={"lit": position, "quarantined": False})


def unlight(state: State, command: Command) -> Entry:
    """The wager of a spot taken back before the game starts."""
    at = _At(state, command)
    at.betting()
    position = request.position(command, at.table.positions)
    _lit(at, position)
    if at.table.lights[position].carried:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the wager of position {position} is carried over from a void round and stays",
        )
    return Entry(events=[at.draft("unlit", {"position": position})], answer={"unlit": position})


def start_game(state: State, command: Command) -> Entry:
    """COIN IN or START GAME: lit wagers are taken once and shared out (PGM-06, PNX-06, PML-07)."""
    at = _At(state, command)
    at.betting()
    if at.link.closed:
        raise Refused(Reason.WRONG_PHASE, f"link {at.link.name} takes no wagers: {at.link.closed}")
    unset = [level for level in at.paytable.levels if level not in at.link.thresholds]
    if unset:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the threshold of meter {unset[0]} of {at.link.name} is not set; set it before play",
            at.profile.confirm_clause,
        )
    wagered = sum(light.cents for light in at.table.lights.values() if not light.carried)
    moved: list[Transfer] = []
    shown: dict[str, int] = {}
    rest = wagered * MICROCENTS
    for level, settings in at.link.settings.items():
        meter = accounts.meter_of(state, at.link.name, level)
        if wagered:
            meter, parts = contribute(meter, settings, wagered)
            moved += accounts.contribution(at.table.name, at.link.name, level, parts)
            rest -= parts.to_meter + parts.to_reserve + parts.to_overflow
        shown[level] = meter.shown_cents
    moved += accounts.moves((accounts.tray(at.table.name), accounts.HOUSE, rest))
    number = at.table.round + 1
    lit = {str(p): light.cents for p, light in sorted(at.table.lights.items())}
    data = {
        "round": number,
        "lit": lit,
        "wagered": wagered,
        "meters": shown,
        "starts": dict(at.link.starts),
    }
    return Entry(
        events=[at.draft("game_started", data, moved)],
        answer={"round": number, "lit": sorted(at.table.lights), "meters": shown},
    )


def fold(state: State, command: Command) -> Entry:
    """The hand of a spot was folded, which may cost it the progressive (PGM-07, PNX-09, PML-10)."""
    at = _At(state, command)
    at.started()
    position = request.position(command, at.table.positions)
    _lit(at, position)
    if at.table.award_at(position) is not None:
        raise Refused(
            Reason.WRONG_PHASE, f"a hand is chosen at position {position}; clear it first"
        )
    return Entry(events=[at.draft("folded", {"position": position})], answer={"folded": position})


def choose_spot(state: State, command: Command) -> Entry:
    """The spot is chosen before the hand (PNX-12, PML-11)."""
    at = _At(state, command)
    at.started()
    if not at.profile.spot_first:
        raise Refused(
            Reason.WRONG_PHASE, f"{at.profile.name} has hand buttons only", at.profile.hand_clause
        )
    position = request.position(command, at.table.positions)
    _lit(at, position)
    return Entry(
        events=[at.draft("spot_chosen", {"position": position})], answer={"spot": position}
    )


def press_hand(state: State, command: Command) -> Entry:
    """The hand is pressed; pressed again it is taken back (PGM-11, PNX-12, PML-11)."""
    at = _At(state, command)
    at.started()
    if at.profile.spot_first:
        position = at.table.spot
        if not position:
            raise Refused(Reason.OUT_OF_ORDER, "no spot is chosen; choose the spot first", "PNX-12")
    else:
        position = request.position(command, at.table.positions)
    light = _lit(at, position)
    hand = read_hand(command.arguments.get("hand"), at.paytable)
    name = str(command.arguments["hand"])
    before = at.table.award_at(position)
    if before is not None and before.status != "chosen":
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {position} is {before.status}; only a manual adjustment can "
            "back it out",
            at.profile.adjust_clause,
        )
    if any(hit == position for _, hit in at.table.envy_paid):
        raise Refused(
            Reason.WRONG_PHASE,
            f"envy was paid for the hand at position {position}; it stays",
            at.profile.envy_clause,
        )
    verdict = judged(hand, at.paytable, at.options, folded=light.folded)
    if verdict.outcome is Outcome.FORFEIT:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {position} folded, and here a folded hand does not win the progressive",
            verdict.clause,
        )
    if before is not None and before.hand == name:
        return _clear(at, position)
    share = share_of(name, at.paytable)
    chosen = Award(
        position=position,
        hand=name,
        level=None if share is None else share.level,
        whole=share is not None and share.whole,
        amount_cents=0 if share is not None else _fixed_cents(at, hand, light),
        by=command.actor,
    )
    others = [award for award in at.table.awards if award.position != position]
    waits = _waiting(at, [*others, chosen])
    own = _own_amounts(at, waits).get(position, chosen.amount_cents)
    data = {
        "position": position,
        "hand": name,
        "level": chosen.level,
        "whole": chosen.whole,
        "amount_cents": own,
        "by": command.actor,
    }
    return Entry(
        events=[at.draft("hand_chosen", data), *_changes(at, waits)],
        answer={"position": position, "hand": name, "amount_cents": own, "on": True},
    )


def _clear(at: _At, position: int) -> Entry:
    """Take a chosen hand back: what it would have won is free again."""
    others = [award for award in at.table.awards if award.position != position]
    return Entry(
        events=[
            at.draft("hand_cleared", {"position": position}),
            *_changes(at, _waiting(at, others)),
        ],
        answer={"position": position, "on": False},
    )


def _waiting(at: _At, awards: list[Award]) -> list[Pending]:
    """What waits on the link once these are the awards of the table."""
    chosen = in_order(at.table, [a for a in awards if a.level is not None and a.status == "chosen"])
    found: list[Pending] = []
    for level in at.paytable.levels:
        wanted = [
            Pending(
                table=at.table.name,
                round=at.table.round,
                position=award.position,
                level=level,
                hand=award.hand,
                wager_cents=at.table.lights[award.position].cents,
                amount_cents=award.amount_cents,
                whole=award.whole,
            )
            for award in chosen
            if award.level == level
        ]
        found += in_line(at.state, at.link, level, at.table.name, wanted)
    return found


def _own_amounts(at: _At, waits: list[Pending]) -> dict[int, int]:
    return {p.position: p.amount_cents for p in waits if p.table == at.table.name}


def _changes(at: _At, waits: list[Pending]) -> list[Draft]:
    """What is written when other awards wait than before, at each table whose amounts change."""
    if tuple(waits) == at.link.pending:
        return []
    before = {(p.table, p.position): p.amount_cents for p in at.link.pending}
    amounts: dict[str, dict[str, int]] = {}
    for pending in waits:
        was = before.get((pending.table, pending.position))
        if was is not None and was != pending.amount_cents:
            of_table = amounts.setdefault(pending.table, {})
            of_table[str(pending.position)] = pending.amount_cents
    drafts = [
        Draft(
            stream=table_stream(table),
            kind="amounts_changed",
            data={"amounts": changed, "through": at.table.name},
        )
        for table, changed in sorted(amounts.items())
    ]
    data = {"through": at.table.name, "pending": [asdict(pending) for pending in waits]}
    return [*drafts, at.link_draft("award_waits", data)]


def _fixed_cents(at: _At, hand: int, light: Light) -> int:
    verdict = judged(hand, at.paytable, at.options, folded=light.folded)
    return net_cents(verdict, light.cents) + light.cents


def call_supervisor(state: State, command: Command) -> Entry:
    """The dealer calls a supervisor, who finds the award waiting (PGM-12, PNX-13)."""
    at = _At(state, command)
    at.started()
    if not at.table.awards:
        raise Refused(
            Reason.OUT_OF_ORDER,
            "no winning hand is chosen; choose it first",
            at.profile.call_clause,
        )
    return Entry(events=[at.draft("supervisor_called", {})], answer={"called": True})


def confirm_award(state: State, command: Command) -> Entry:
    """Confirm and card: the award is recorded and the meter moves at once (PNX-14, PML-14)."""
    at = _At(state, command, ("supervisor", "executive"))
    at.started()
    if at.profile.confirms != "card":
        raise Refused(
            Reason.WRONG_PHASE,
            f"{at.profile.name} confirms with the key: turn it to JPH and press J-POT",
            "PGM-13",
        )
    chosen = _next(at, request.position(command, at.table.positions))
    award, waits = _fixed(at, chosen, at_once)
    _authority(at, award)
    events, answer = _take_off(at, award)
    changed = [] if award == chosen else _changes(at, waits)
    return Entry(events=[*changed, *events], answer=answer)


def turn_key(state: State, command: Command) -> Entry:
    """The key to JPH unlocks J-POT; back at RUN a recorded award leaves the meter (PGM-13, 14)."""
    at = _At(state, command, ("supervisor", "executive"))
    at.started()
    if at.profile.confirms != "key":
        raise Refused(
            Reason.WRONG_PHASE, f"{at.profile.name} has no key; confirm with a card", "PNX-14"
        )
    to = command.arguments.get("to")
    if to not in ("jph", "run"):
        raise Refused(Reason.UNKNOWN_VALUE, f"key position {to!r} is unknown; known: jph, run")
    if to == at.table.key:
        raise Refused(Reason.WRONG_PHASE, f"the key is at {to} already", "PGM-13")
    _pin_held(command)
    turned = at.draft("key_turned", {"to": to, "holder": command.actor if to == "jph" else ""})
    if to == "jph":
        return Entry(events=[turned], answer={"key": "jph"})
    recorded = [award for award in from_meter(at.table) if award.status == "recorded"]
    if not recorded:
        return Entry(events=[turned], answer={"key": "run"})
    line = line_of(at.link, _level_of(at, recorded[0]))
    _in_turn(at, _level_of(at, recorded[0]), at_once(line, _place(at, recorded[0], line)))
    events, answer = _take_off(at, recorded[0])
    return Entry(events=[turned, *events], answer={"key": "run", **answer})


def press_jackpot(state: State, command: Command) -> Entry:
    """J-POT records the win; the meter still stands until the key is back at RUN (PGM-13, 14)."""
    at = _At(state, command, ("supervisor", "executive"))
    at.started()
    if at.profile.confirms != "key" or at.table.key != "jph":
        raise Refused(
            Reason.WRONG_PHASE,
            "J-POT works only with the key at JPH; turn it there first",
            "PGM-13",
        )
    award = _next(at, request.position(command, at.table.positions))
    if award.status == "recorded":
        raise Refused(
            Reason.WRONG_PHASE, f"the award at position {award.position} is recorded", "PGM-16"
        )
    award, waits = _fixed(at, award, logged)
    _authority(at, award)
    data = {"position": award.position, "amount_cents": award.amount_cents}
    return Entry(events=[at.draft("jackpot_recorded", data), *_changes(at, waits)], answer=data)


def _fixed(
    at: _At, award: Award, moved: Callable[[list[Pending], int], list[Pending]]
) -> tuple[Award, list[Pending]]:
    """An award as it leaves the line or is logged, and what waits with it moved there.

    By option its amount is worked out now (A-16).
    """
    level = _level_of(at, award)
    line = line_of(at.link, level)
    place = _place(at, award, line)
    if at.options.award_amount_fixed == "at_confirmation":
        now = priced(at.state, at.link, level, line, place)
        line = line if now[place] == line[place] else now
    after = moved(line, place)
    _in_turn(at, level, after)
    waits = [
        pending
        for name in at.paytable.levels
        for pending in (after if name == level else line_of(at.link, name))
    ]
    return replace(award, amount_cents=line[place].amount_cents), waits


def _place(at: _At, award: Award, line: list[Pending]) -> int:
    own = (at.table.name, award.position)
    return next(n for n, pending in enumerate(line) if (pending.table, pending.position) == own)


def _in_turn(at: _At, level: MeterLevel, line: list[Pending]) -> None:
    """Refused where others in line could no longer be paid what they are frozen at."""
    meter = accounts.meter_of(at.state, at.link.name, level)
    if free(meter, line, at.link.next_start(level)) < 0:
        first = line_of(at.link, level)[0]
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"the award at position {first.position} of {first.table} is taken off meter {level} "
            "before this one; confirm it or take it back first",
            at.profile.order_clause,
        )


def _level_of(at: _At, award: Award) -> MeterLevel:
    return next(name for name in at.paytable.levels if name == award.level)


def pay_award(state: State, command: Command) -> Entry:
    """The prize is handed over by the house's procedure, whose reference is kept (PGM-20)."""
    at = _At(state, command, ("supervisor", "executive", "cage"))
    position = request.position(command, at.table.positions)
    award = at.table.award_at(position)
    if award is None or award.status != "confirmed":
        raise Refused(
            Reason.NOT_DONE_YET, f"no confirmed award waits at position {position}", "PGM-20"
        )
    reference = request.text(command, "reference")
    moved = list(
        accounts.moves(
            (
                accounts.payable(at.link.name),
                accounts.tray(at.table.name),
                award.amount_cents * MICROCENTS,
            )
        )
    )
    data = {"position": position, "amount_cents": award.amount_cents, "reference": reference}
    return Entry(events=[at.draft("award_paid", data, moved)], answer=data)


def pay_envy(state: State, command: Command) -> Entry:
    """Envy to every spot that is owed some, at the end of the round (PGM-18, PNX-18, PML-16)."""
    at = _At(state, command)
    at.started()
    due = envy_due(at.table, at.paytable)
    if not due:
        raise Refused(Reason.OUT_OF_ORDER, "no envy is due", at.profile.envy_clause)
    _all_confirmed(at)
    total = sum(line["cents"] for line in due)
    moved = list(accounts.moves((accounts.ENVY, accounts.tray(at.table.name), total * MICROCENTS)))
    return Entry(
        events=[at.draft("envy_paid", {"lines": due, "cents": total}, moved)],
        answer={"lines": due, "cents": total},
    )


def end_game(state: State, command: Command) -> Entry:
    """GAME OVER or END GAME, once every award is confirmed and envy paid (PGM-15, PNX-15)."""
    at = _At(state, command)
    at.started()
    _all_confirmed(at)
    due = envy_due(at.table, at.paytable)
    if due:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"envy of {dollars_text(sum(line['cents'] for line in due))} is due; pay it first",
            at.profile.end_clause,
        )
    if at.table.key != "run":
        raise Refused(Reason.NOT_DONE_YET, "the key is at JPH; turn it to RUN first", "PGM-14")
    unpaid = [a.position for a in from_meter(at.table) if a.status == "confirmed"]
    if unpaid:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the award at position {unpaid[0]} is confirmed and not handed over; pay it first",
            "PGM-20",
        )
    fixed = [award for award in at.table.awards if award.level is None]
    moved, short = _fixed_pays(at, fixed)
    data = {
        "round": at.table.round,
        "fixed": [
            {"position": a.position, "hand": a.hand, "amount_cents": a.amount_cents} for a in fixed
        ],
        "meter_was_short_cents": short,
    }
    return Entry(events=[at.draft("game_ended", data, moved)], answer=data)


def _fixed_pays(at: _At, fixed: list[Award]) -> tuple[list[Transfer], int]:
    """Fixed pays come out of the tray (PGM-09), or off the meter where all pays do (PRC-01)."""
    tray = accounts.tray(at.table.name)
    moved: list[Transfer] = []
    short = 0
    level = _paying_level(at)
    # What other tables wait for is not there to be paid from.
    meter = Meter(amount=free_on(at.state, at.link, level))
    for award in fixed:
        from_house = award.amount_cents
        if at.link.all_from_meter:
            meter, from_house = pay_from_meter(meter, award.amount_cents)
            account = accounts.meter_account(at.link.name, level)
            given = award.amount_cents - from_house
            moved += accounts.moves((account, tray, given * MICROCENTS))
            short += from_house
        moved += accounts.moves((accounts.PAYOUTS, tray, from_house * MICROCENTS))
    return moved, short


def _paying_level(at: _At) -> MeterLevel:
    return at.paytable.levels[-1]


def void_game(state: State, command: Command) -> Entry:
    """A void round: wagers back and contributions reversed, or carried over by option (A-15)."""
    at = _At(state, command, ("supervisor", "executive"))
    at.started()
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT)
    kept_back = [a for a in at.table.awards if a.status != "chosen"]
    if kept_back:
        first = kept_back[0]
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {first.position} is {first.status}; a round with a "
            "logged award is not void, adjust the award instead",
            at.profile.adjust_clause,
        )
    if at.table.envy_paid:
        raise Refused(
            Reason.WRONG_PHASE,
            "envy was paid, so the round is not void; adjust the award instead",
            at.profile.envy_clause,
        )
    carried = at.options.void_progressive == "carry_to_next_round"
    waits = _waiting(at, [])
    back, kept = ([], []) if carried else _taken_back(at, waits)
    data = {"round": at.table.round, "reason": reason, "carried": carried, "kept": kept}
    events = [at.draft("game_voided", data, back)]
    events += _changes(at, waits)
    refunds = {str(p): light.cents for p, light in sorted(at.table.lights.items())}
    return Entry(events=events, answer={**data, "refunds": {} if carried else refunds})


def _taken_back(at: _At, waits: list[Pending]) -> tuple[list[Transfer], list[str]]:
    """The transfers that undo what the start of the round moved, and the meters that keep theirs.

    A contribution that was won since, or that an award waits for, cannot be taken back from the
    meter: the house makes it good.
    """
    back: list[Transfer] = []
    kept: list[str] = []
    rest = [Transfer(*parts) for parts in at.table.contributed]
    for level in at.paytable.levels:
        accounts_of = accounts.of_level(at.link.name, level)
        parts = [moved for moved in rest if moved.credit in accounts_of]
        rest = [moved for moved in rest if moved.credit not in accounts_of]
        taken = [sum(m.amount for m in parts if m.credit == name) for name in accounts_of]
        meter = accounts.meter_of(at.state, at.link.name, level)
        without = take_back(
            meter, Contribution(to_meter=taken[0], to_reserve=taken[1], to_overflow=taken[2])
        )
        won = at.link.starts.get(level, 0) != at.table.starts.get(level, 0)
        line = [pending for pending in waits if pending.level == level]
        left = free(without, line, at.link.next_start(level))
        if parts and (won or min(left, without.reserve, without.overflow) < 0):
            kept.append(level)
            parts = [moved._replace(credit=accounts.HOUSE) for moved in parts]
        back += accounts.reversed_moves(parts)
    return [*back, *accounts.reversed_moves(rest)], kept


# What they have in common.


def _lit(at: _At, position: int) -> Light:
    light = at.table.lights.get(position)
    if light is None:
        raise Refused(
            Reason.MISSING_BET,
            f"position {position} has no lit progressive wager; lit: "
            f"{listed(sorted(at.table.lights)) or 'none'}",
            at.profile.start_clause,
        )
    return light


def _next(at: _At, position: int) -> Award:
    """The award at a position, when it is the one that is confirmed next."""
    award = at.table.award_at(position)
    if award is None or award.level is None:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"no award of a meter is chosen at position {position}",
            at.profile.hand_clause,
        )
    if award.status in ("confirmed", "paid"):
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {position} is {award.status} already",
            at.profile.adjust_clause,
        )
    first = next_to_confirm(at.table)
    assert first is not None
    if first.position != position:
        raise Refused(
            Reason.OUT_OF_ORDER,
            f"position {first.position} is paid before position {position}",
            at.profile.order_clause,
        )
    if not at.table.called:
        raise Refused(
            Reason.NOT_DONE_YET, "the dealer calls a supervisor first", at.profile.call_clause
        )
    return award


def _authority(at: _At, award: Award) -> None:
    """Who may confirm: by level and amount, never who chose the hand, with the checks done."""
    command, clause = at.command, at.profile.confirm_clause
    _pin_held(command)
    chose = at.state.streams[person_stream(award.by)]
    if command.actor == award.by or at.person.name == chose.name:
        raise Refused(
            Reason.NOT_APPROVED, f"{at.person.name} chose this hand; another confirms it", clause
        )
    assert award.level is not None
    threshold = {str(k): v for k, v in at.link.thresholds.items()}[award.level]
    large = award.amount_cents >= threshold
    if large and at.person.role != "executive":
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


def _pin_held(command: Command) -> None:
    if not request.flag(command, "pin_held"):
        raise Refused(Reason.NOT_APPROVED, f"card {command.actor!r} needs its PIN", "PNX-14")


def _take_off(at: _At, award: Award) -> tuple[list[Draft], dict[str, Any]]:
    """Take an award off the meter, start it again if it was the whole, number the win page."""
    level = _level_of(at, award)
    meter = accounts.meter_of(at.state, at.link.name, level)
    amount = award.amount_cents
    after, moved = taken_off(meter, at.link.next_start(level), amount, whole=award.whole)
    page = at.link.wins + 1
    data = {
        "position": award.position,
        "hand": award.hand,
        "level": level,
        "whole": award.whole,
        "amount_cents": amount,
        "before_cents": meter.shown_cents,
        "after_cents": after.shown_cents,
        "page": page,
        "wager_cents": at.table.lights[award.position].cents,
        "player": at.table.lights[award.position].player,
        "chosen_by": award.by,
        "confirmed_by": at.command.actor,
        "paytable": at.paytable.code,
        "game": at.table.game,
        "round": at.table.round,
    }
    events = [
        at.draft("award_confirmed", data, accounts.award(at.link.name, level, moved)),
        at.link_draft("meter_awarded", {**data, "table": at.table.name}),
    ]
    return events, {"position": award.position, "amount_cents": amount, "page": page}


def _all_confirmed(at: _At) -> None:
    waiting = next_to_confirm(at.table)
    if waiting is not None:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the award at position {waiting.position} is not confirmed",
            at.profile.end_clause,
        )


DECIDERS: dict[str, Decider] = {
    "light": light,
    "unlight": unlight,
    "start_game": start_game,
    "fold": fold,
    "choose_spot": choose_spot,
    "press_hand": press_hand,
    "call_supervisor": call_supervisor,
    "confirm_award": confirm_award,
    "turn_key": turn_key,
    "press_jackpot": press_jackpot,
    "pay_award": pay_award,
    "pay_envy": pay_envy,
    "end_game": end_game,
    "void_game": void_game,
}
