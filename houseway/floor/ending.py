"""Ending: prizes and envy are handed over, and the round is closed or void."""

from houseway.floor import accounts, request
from houseway.floor.bank import cheque_due, payment_method
from houseway.floor.camera import check_verified
from houseway.floor.choice import changes, waiting
from houseway.floor.line import free, free_on
from houseway.floor.link import Pending
from houseway.floor.post import OVER_THE_TABLE, Post
from houseway.floor.table import Award, envy_due, from_meter, next_to_confirm
from houseway.journal.event import Command, Entry, Transfer
from houseway.journal.state import State
from houseway.meters import MICROCENTS, Contribution, Meter, pay_from_meter, take_back
from houseway.money import MeterLevel, dollars_text
from houseway.refusal import Reason, Refused


def pay_award(state: State, command: Command) -> Entry:
    """The prize is handed over by the house's procedure, whose reference is kept (PGM-20).

    A player who has won enough may ask for a cheque, which is then owed within a day.
    """
    post = Post(state, command, (*OVER_THE_TABLE, "cage"))
    position = request.position(command, post.table.positions)
    award = post.table.award_at(position)
    if award is None or award.status != "confirmed":
        raise Refused(
            Reason.NOT_DONE_YET, f"no confirmed award waits at position {position}", "PGM-20"
        )
    check_verified(post, positions=(position,))
    reference = request.text(command, "reference")
    cents = award.amount_cents
    method = payment_method(command, cents)
    data = {"position": position, "amount_cents": cents, "reference": reference, "method": method}
    if method == "chips":
        payable, tray = accounts.payable(post.link.name), accounts.tray(post.table.name)
        moved = list(accounts.moves((payable, tray, cents * MICROCENTS)))
        return Entry(events=[post.draft("award_paid", data, moved)], answer=data)
    promised = {
        "page": award.page,
        "amount_cents": cents,
        "due": cheque_due(state),
        "table": post.table.name,
        "player": post.table.lights[position].player,
    }
    return Entry(
        events=[post.draft("award_paid", data), post.link_draft("cheque_promised", promised)],
        answer={**data, "due": promised["due"]},
    )


def pay_envy(state: State, command: Command) -> Entry:
    """Envy to every spot that is owed some, at the end of the round (PGM-18, PNX-18, PML-16)."""
    post = Post(state, command)
    post.started()
    due = envy_due(post.table, post.paytable)
    if not due:
        raise Refused(Reason.OUT_OF_ORDER, "no envy is due", post.profile.envy_clause)
    _check_confirmed(post)
    check_verified(post, envy=True)
    total = sum(line["cents"] for line in due)
    moved = list(
        accounts.moves((accounts.ENVY, accounts.tray(post.table.name), total * MICROCENTS))
    )
    return Entry(
        events=[post.draft("envy_paid", {"lines": due, "cents": total}, moved)],
        answer={"lines": due, "cents": total},
    )


def end_game(state: State, command: Command) -> Entry:
    """GAME OVER or END GAME, once every award is confirmed and envy paid (PGM-15, PNX-15)."""
    post = Post(state, command)
    post.started()
    _check_confirmed(post)
    due = envy_due(post.table, post.paytable)
    if due:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"envy of {dollars_text(sum(line['cents'] for line in due))} is due; pay it first",
            post.profile.end_clause,
        )
    if post.table.key != "run":
        raise Refused(Reason.NOT_DONE_YET, "the key is at JPH; turn it to RUN first", "PGM-14")
    unpaid = [a.position for a in from_meter(post.table) if a.status == "confirmed"]
    if unpaid:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the award at position {unpaid[0]} is confirmed and not handed over; pay it first",
            "PGM-20",
        )
    fixed = [award for award in post.table.awards if award.level is None]
    check_verified(post, positions=tuple(award.position for award in fixed))
    moved, short = _fixed_pays(post, fixed)
    data = {
        "round": post.table.round,
        "fixed": [
            {"position": a.position, "hand": a.hand, "amount_cents": a.amount_cents} for a in fixed
        ],
        "meter_was_short_cents": short,
    }
    return Entry(events=[post.draft("game_ended", data, moved)], answer=data)


def _fixed_pays(post: Post, fixed: list[Award]) -> tuple[list[Transfer], int]:
    """Fixed pays come out of the tray (PGM-09), or off the meter where all pays do (PRC-01)."""
    tray = accounts.tray(post.table.name)
    moved: list[Transfer] = []
    short = 0
    level = _paying_level(post)
    # What other tables wait for is not there to be paid from.
    meter = Meter(amount=free_on(post.state, post.link, level))
    for award in fixed:
        from_house = award.amount_cents
        if post.link.all_from_meter:
            meter, from_house = pay_from_meter(meter, award.amount_cents)
            account = accounts.meter_account(post.link.name, level)
            given = award.amount_cents - from_house
            moved += accounts.moves((account, tray, given * MICROCENTS))
            short += from_house
        moved += accounts.moves((accounts.PAYOUTS, tray, from_house * MICROCENTS))
    return moved, short


def _paying_level(post: Post) -> MeterLevel:
    return post.paytable.levels[-1]


def _check_confirmed(post: Post) -> None:
    first = next_to_confirm(post.table)
    if first is not None:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the award at position {first.position} is not confirmed",
            post.profile.end_clause,
        )


def void_game(state: State, command: Command) -> Entry:
    """A void round: wagers back and contributions reversed, or carried over by option (A-15)."""
    post = Post(state, command, OVER_THE_TABLE)
    post.started()
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT)
    kept_back = [a for a in post.table.awards if a.status != "chosen"]
    if kept_back:
        first = kept_back[0]
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {first.position} is {first.status}; a round with a "
            "logged award is not void, adjust the award instead",
            post.profile.adjust_clause,
        )
    if post.table.envy_paid:
        raise Refused(
            Reason.WRONG_PHASE,
            "envy was paid, so the round is not void; adjust the award instead",
            post.profile.envy_clause,
        )
    carried = post.options.void_progressive == "carry_to_next_round"
    waits = waiting(post, [])
    back, kept = ([], []) if carried else _taken_back(post, waits)
    data = {"round": post.table.round, "reason": reason, "carried": carried, "kept": kept}
    events = [post.draft("game_voided", data, back)]
    events += changes(post, waits)
    refunds = {str(p): light.cents for p, light in sorted(post.table.lights.items())}
    return Entry(events=events, answer={**data, "refunds": {} if carried else refunds})


def _taken_back(post: Post, waits: list[Pending]) -> tuple[list[Transfer], list[str]]:
    """The transfers that undo what the start of the round moved, and the meters that keep theirs.

    A contribution that was won since, or that an award waits for, cannot be taken back from the
    meter: the house makes it good.
    """
    back: list[Transfer] = []
    kept: list[str] = []
    rest = [Transfer(*parts) for parts in post.table.contributed]
    for level in post.paytable.levels:
        accounts_of = accounts.of_level(post.link.name, level)
        parts = [moved for moved in rest if moved.credit in accounts_of]
        rest = [moved for moved in rest if moved.credit not in accounts_of]
        taken = [sum(m.amount for m in parts if m.credit == name) for name in accounts_of]
        meter = accounts.meter_of(post.state, post.link.name, level)
        without = take_back(
            meter, Contribution(to_meter=taken[0], to_reserve=taken[1], to_overflow=taken[2])
        )
        won = post.link.starts.get(level, 0) != post.table.starts.get(level, 0)
        line = [pending for pending in waits if pending.level == level]
        left = free(without, line, post.link.next_start(level))
        if parts and (won or min(left, without.reserve, without.overflow) < 0):
            kept.append(level)
            parts = [moved._replace(credit=accounts.HOUSE) for moved in parts]
        back += accounts.reversed_moves(parts)
    return [*back, *accounts.reversed_moves(rest)], kept


DECIDERS = {
    "pay_award": pay_award,
    "pay_envy": pay_envy,
    "end_game": end_game,
    "void_game": void_game,
}
