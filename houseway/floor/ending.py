"""Ending: what the ledger moves when envy is paid and when a round is closed or void."""

from houseway.floor import accounts, request
from houseway.floor.camera import check_verified
from houseway.floor.claim import changes, waiting
from houseway.floor.context import OVER_THE_TABLE, Context
from houseway.floor.link import Pending
from houseway.floor.live_round import round_of
from houseway.floor.queue import free, free_on
from houseway.floor.step import do_step
from houseway.house.meters import MICROCENTS, Contribution, Meter, pay_from_meter, take_back
from houseway.journal.event import Command, Draft, Entry, Transfer
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.progressive import fixed_pays, unpaid_envy
from houseway.live.state import Round
from houseway.refusal import Reason, Refused


def pay_envy(context: Context, under_way: Round) -> list[Draft]:
    """Envy to every spot that is owed some, at the end of the round (PGM-18, PNX-18, PML-16)."""
    due = unpaid_envy(under_way)
    check_verified(context.table, under_way, envy=True)
    lines = [{"position": one.position, "from": one.of, "cents": one.line.net} for one in due]
    total = sum(one.line.net for one in due)
    moved = accounts.moves((accounts.ENVY, accounts.tray(context.table.name), total * MICROCENTS))
    return [context.draft("envy_paid", {"lines": lines, "cents": total}, list(moved))]


def end_game(context: Context, under_way: Round) -> list[Draft]:
    """GAME OVER or END GAME: fixed pays are booked, and the display is cleared (PGM-15, PNX-15)."""
    if context.table.key != "run":
        raise Refused(Reason.NOT_DONE_YET, "the key is at JPH; turn it to RUN first", "PGM-14")
    check_verified(context.table, under_way, envy=False)
    fixed = fixed_pays(under_way)
    moved, short = _paid(context, [pay.cents for pay in fixed])
    data = {
        "round": context.table.deal_number,
        "fixed": [
            {"position": pay.position, "hand": pay.hand, "amount_cents": pay.cents} for pay in fixed
        ],
        "meter_was_short_cents": short,
    }
    return [context.draft("game_ended", data, moved)]


def _paid(context: Context, pays: list[int]) -> tuple[list[Transfer], int]:
    """Fixed pays come out of the tray (PGM-09), or off the meter where all pays do (PRC-01).

    Also returns the cents that the meter could not give.
    """
    link = context.link
    tray = accounts.tray(context.table.name)
    moved: list[Transfer] = []
    short = 0
    level = context.paytable.levels[-1]
    # Other tables wait for part of the meter; that part pays nobody else.
    meter = Meter(amount=free_on(context.state, link, level))
    for cents in pays:
        from_house = cents
        if link.all_from_meter:
            meter, from_house = pay_from_meter(meter, cents)
            account = accounts.meter_account(link.name, level)
            moved += accounts.moves((account, tray, (cents - from_house) * MICROCENTS))
            short += from_house
        moved += accounts.moves((accounts.PAYOUTS, tray, from_house * MICROCENTS))
    return moved, short


def void_game(context: Context, reason: str) -> list[Draft]:
    """A void round: wagers back and contributions reversed, or carried over by option (A-15).

    Envy that was paid comes back too: a void round leaves nothing won.
    """
    carried = context.options.void_progressive == "carry_to_next_round"
    waits = waiting(context, None)
    back, kept = ([], []) if carried else _taken_back(context, waits)
    tray, envy = accounts.tray(context.table.name), context.table.envy_cents * MICROCENTS
    back += accounts.moves((tray, accounts.ENVY, envy))
    number = context.table.deal_number
    data = {"round": number, "reason": reason, "carried": carried, "kept": kept}
    return [context.draft("game_voided", data, back), *changes(context, waits)]


def _taken_back(context: Context, waits: list[Pending]) -> tuple[list[Transfer], list[str]]:
    """The transfers that undo what the start of the round moved, and the meters that keep theirs.

    A contribution that was won since, or that an award waits for, cannot be taken back from the
    meter: the house makes it good.
    """
    link, table = context.link, context.table
    back: list[Transfer] = []
    kept: list[str] = []
    rest = [Transfer(*parts) for parts in table.contributed]
    for level in context.paytable.levels:
        accounts_of = accounts.of_level(link.name, level)
        parts = [moved for moved in rest if moved.credit in accounts_of]
        rest = [moved for moved in rest if moved.credit not in accounts_of]
        taken = [sum(m.amount for m in parts if m.credit == name) for name in accounts_of]
        meter = accounts.meter_of(context.state, link.name, level)
        without = take_back(
            meter, Contribution(to_meter=taken[0], to_reserve=taken[1], to_overflow=taken[2])
        )
        won = link.starts.get(level, 0) != table.starts.get(level, 0)
        queue = [pending for pending in waits if pending.level == level]
        left = free(without, queue, link.next_start(level))
        if parts and (won or min(left, without.reserve, without.overflow) < 0):
            kept.append(level)
            parts = [moved._replace(credit=accounts.HOUSE) for moved in parts]
        back += accounts.reversed_moves(parts)
    return [*back, *accounts.reversed_moves(rest)], kept


def end_earlier_game(state: State, command: Command) -> Entry:
    """End a game that an earlier program began: void, with confirmed awards kept as owed.

    Contributions stay on the meters where an award of the game was confirmed, or where wagers of
    a void round are carried over (A-15).
    """
    context = Context(state, command, OVER_THE_TABLE)
    request.check_pin(command, None)
    table, game = context.table, context.table.earlier
    if game is None or not table.started:
        raise Refused(
            Reason.WRONG_PHASE, f"no game of an earlier version is under way at {table.name}"
        )
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT)
    events: list[Draft] = []
    under_way = round_of(table)
    if under_way is not None and not under_way.over:
        step = do_step(table, under_way, c.VoidRound("ruling", reason))
        events += [step.written, *step.noted]
    waits = [pending for pending in waiting(context, None) if pending.table != table.name]
    confirmed = [award.page for award in game.awards if award.page]
    carries = context.options.void_progressive == "carry_to_next_round"
    back, kept = ([], []) if confirmed or carries else _taken_back(context, waits)
    data = {
        "round": game.round,
        "reason": reason,
        "kept": kept,
        "pages": confirmed,
        "carried": carries and not confirmed,
    }
    ended = context.draft("earlier_game_ended", data, back)
    return Entry(events=[*events, ended, *changes(context, waits)], answer=data)


DECIDERS = {"end_earlier_game": end_earlier_game}
