"""Dealing: the one door to a table; every command of its live round goes through here.

A table's stream holds the text of every command and what came of it. The round is the authority:
its guard says what may be done. At a table that plays for a link, the ledger follows: it takes the
wagers at START GAME, prices what the hand buttons claim, and books envy, fixed pays and void
rounds, in the same entry as the command. A table without a round has no way to a meter.
"""

from houseway.floor import ending, request
from houseway.floor.approvals import check_open
from houseway.floor.claim import changes, waiting
from houseway.floor.context import AT_THE_TABLE, OVER_THE_TABLE, Context
from houseway.floor.contribution import take_wagers
from houseway.floor.live_round import round_after, round_of, start_of
from houseway.floor.person import require
from houseway.floor.replacement import replace_shuffler
from houseway.floor.rules import rules_now, start_rules
from houseway.floor.step import do_step
from houseway.floor.table import FloorTable, check_no_earlier_game, find_table, table_stream
from houseway.floor.tray import check_tray
from houseway.house.money import dollars_text
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.progressive import adjust_clause, meter_hands, waits_for_floor
from houseway.live.round import refusal
from houseway.live.state import Round
from houseway.live.state import open_round as new_round
from houseway.live.text import command_text, parse_command
from houseway.refusal import Reason, Refused

LONGEST_COMMAND = 1000
LARGEST_WAGER_CENTS = 100_000
"""A progressive wager above this is a fault of a sensor, whatever limits are posted."""
DECKS = ("virtual", "physical")
"""Whether our shuffler deals, or the dealer tells which cards the one at the table gave."""
SUPERVISED = (c.VoidRound, c.Rule, c.CorrectPayout)
"""Steps that a dealer calls a supervisor for, who gives the PIN: they take money back or pay it."""
OF_THE_LEDGER = (c.ConfirmAward, c.BackOutAward)
"""Steps that follow from a confirmation or an adjustment; people may not type them."""
TAKEN_BACK = (c.PlaceBets, c.Decide)
"""Steps that may be taken back while their phase lasts, where they brought no card to light."""


def open_round(state: State, command: Command) -> Entry:
    """A new round at a table; refused while one is under way."""
    require(state, command.actor, AT_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    check_no_earlier_game(table)
    before = round_of(table)
    if before is not None and not before.over:
        raise Refused(
            Reason.WRONG_PHASE,
            f"round {before.number} is under way at {table.name}; close or void it first",
        )
    check_open(state, table)
    check_tray(state, table.name)
    number = table.deal_number + 1
    rules = rules_now(state, table)
    fresh = new_round(rules, f"{number:06d}", table.positions, after=before)
    start = start_of(_with_earlier(fresh, table), start_rules(state, table))
    data = {"number": number, "ruleset": rules.digest, "start": start}
    if table.earlier is not None:
        data["takes_over"] = True
    draft = Draft(stream=table_stream(table.name), kind="round_opened", data=data)
    return Entry(events=[draft], answer={"round": f"{number:06d}"})


def _with_earlier(fresh: Round, table: FloorTable) -> Round:
    """A round with the wagers that a void game of an earlier program left for the next (A-15)."""
    if table.earlier is None:
        return fresh
    lights, carried = table.earlier.lights, table.earlier.carried
    # A void round of that program has them too.
    left = {place: lights[place][0] for place in carried}
    seats = (s._replace(carried=max(s.carried, left.get(s.position, 0))) for s in fresh.seats)
    return fresh._replace(seats=tuple(seats))


def act_on_round(state: State, command: Command) -> Entry:
    """One command of the live table, as a round file writes it."""
    table, under_way = _under_way(state, command)
    asked = parse_command(request.text(command, "text", longest=LONGEST_COMMAND))
    if isinstance(asked, OF_THE_LEDGER):
        raise Refused(
            Reason.NOT_APPROVED, "awards are confirmed by card or key and backed out by adjustment"
        )
    if isinstance(asked, SUPERVISED):
        require(state, command.actor, OVER_THE_TABLE)
        request.check_pin(command, None)
    else:
        require(state, command.actor, AT_THE_TABLE)
    if isinstance(asked, c.LoadShuffle):
        _check_shuffle(command, table)
    _check_progressive(table, asked)
    if isinstance(asked, c.ReportPayout):
        _check_payout(under_way, asked)
    booked: list[Draft] = []
    if isinstance(asked, c.StartGame):
        context = Context(state, command)
        # The amounts on the meters are the ledger's to say, never the dealer's.
        started, shown = take_wagers(context, under_way)
        meters = tuple((level, shown[level]) for level in context.paytable.levels)
        asked = c.StartGame(meters, asked.pay_order, priced_by="floor")
        booked = [started]
    elif table.started:
        problem = refusal(under_way, asked)
        if problem is not None:
            raise problem
        booked = _booked(Context(state, command, (*AT_THE_TABLE, "executive")), under_way, asked)
    step = do_step(table, under_way, asked)
    changed = replace_shuffler(state, command, table, under_way, asked)
    if isinstance(asked, c.PressHand):
        context = Context(state, command)
        booked = changes(context, waiting(context, step.after))
    return Entry(
        events=[step.written, *booked, *step.noted, *changed],
        answer={"round": step.after.number, "phase": step.after.phase.value, "told": step.told},
    )


def _booked(context: Context, under_way: Round, asked: c.Command) -> list[Draft]:
    """The entries of the ledger for a command that the round's guard allows."""
    match asked:
        case c.PayEnvy():
            return ending.pay_envy(context, under_way)
        case c.CloseRound():
            return ending.end_game(context, under_way)
        case c.VoidRound(reason=reason, detail=detail):
            return ending.void_game(context, detail or reason)
        case c.Rule(ruling="void", reason=reason):
            return ending.void_game(context, reason)
    return []


def _check_progressive(table: FloorTable, asked: c.Command) -> None:
    """Refuse a progressive wager that no meter could pay, or that is a fault of a sensor."""
    wager = dict(asked.bets).get("progressive", 0) if isinstance(asked, c.PlaceBets) else 0
    if not table.link and (wager or isinstance(asked, c.StartGame)):
        raise Refused(
            Reason.MISSING_METER,
            f"{table.name} plays for no link, so it takes no progressive wagers",
        )
    if wager > LARGEST_WAGER_CENTS:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"a progressive wager of {dollars_text(wager)} is a fault of the sensor; at most "
            f"{dollars_text(LARGEST_WAGER_CENTS)} can be",
        )


def _check_payout(under_way: Round, asked: c.ReportPayout) -> None:
    """Refuse to put a payout right that the tray has not made, or a loss that cannot be."""
    award = waits_for_floor(under_way) and asked.position in meter_hands(under_way)
    if award and asked.bet == "progressive":
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"the award at position {asked.position} is handed over with its win page; an "
            "adjustment puts it right",
            adjust_clause(under_way),
        )
    seats = [seat for seat in under_way.seats if seat.position == asked.position]
    lines = [x for s in seats for x in s.lines if (x.bet, x.hand) == (asked.bet, asked.hand)]
    most = sum(line.stake for line in lines)
    if lines and asked.net < -most:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"position {asked.position} cannot lose {dollars_text(-asked.net)} on {asked.bet}; at "
            f"most {dollars_text(most)} lay there",
        )


def undo(state: State, command: Command) -> Entry:
    """The last step is taken back, while its phase lasts and where it brought no card to light."""
    require(state, command.actor, AT_THE_TABLE)
    table, under_way = _under_way(state, command)
    last = last_undoable(table, under_way)
    if last is None:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the last step at {table.name} cannot be taken back; a supervisor corrects it",
        )
    stream = table_stream(table.name)
    event = Draft(stream=stream, kind="round_undone", data={"text": command_text(last)})
    return Entry(events=[event], answer={"undone": command_text(last)})


def last_undoable(table: FloorTable, under_way: Round) -> c.Command | None:
    """The last step of a round, where it may be taken back."""
    last = parse_command(table.deal[-1]) if table.deal else None
    if not isinstance(last, TAKEN_BACK):
        return None
    before = round_after(table, len(table.deal) - 1)
    same = (before.phase, before.stage, before.dealt, before.offer) == (
        under_way.phase,
        under_way.stage,
        under_way.dealt,
        under_way.offer,
    )
    return last if same else None


def _under_way(state: State, command: Command) -> tuple[FloorTable, Round]:
    table = find_table(state, request.text(command, "table"))
    check_no_earlier_game(table)
    under_way = round_of(table)
    if under_way is None or under_way.over:
        raise Refused(Reason.WRONG_PHASE, f"no round is under way at {table.name}; open one")
    return table, under_way


def _check_shuffle(command: Command, table: FloorTable) -> None:
    """Refuse a deck that somebody made up: at a virtual table our shuffler alone deals."""
    if table.deck == "virtual" and not request.flag(command, "from_shuffler"):
        raise Refused(
            Reason.NOT_APPROVED,
            f"the cards of {table.name} come from the shuffler; ask it for the next deck",
            "ACE-01",
        )


DECIDERS = {"open_round": open_round, "round": act_on_round, "undo": undo}
