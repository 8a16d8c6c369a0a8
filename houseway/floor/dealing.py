"""Dealing: the live round of a table, command by command, with its progressive beside it.

A table's stream holds the text of every command and what came of it. At a table that plays for a
link, START GAME takes the lit wagers, a fold is told to the progressive, and the round ends or is
void for both at once: nobody can end one and forget the other.
"""

from dataclasses import replace

from houseway.floor import ending, lights, request
from houseway.floor.approvals import check_open
from houseway.floor.link import find_link
from houseway.floor.live_round import keep, round_before, round_of, rules_of, start_of
from houseway.floor.person import require
from houseway.floor.play import came_to
from houseway.floor.post import AT_THE_TABLE, OVER_THE_TABLE, Post
from houseway.floor.table import FloorTable, Light, find_table, table_stream
from houseway.floor.tray import check_tray
from houseway.games.base import Outcome
from houseway.games.progressive import judge
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.live import commands as c
from houseway.live.record import told
from houseway.live.round import act
from houseway.live.state import Round, Seat
from houseway.live.state import open_round as new_round
from houseway.live.text import command_text, parse_command
from houseway.paytables import HANDS, PayTable
from houseway.refusal import Reason, Refused, listed

LONGEST_COMMAND = 1000
DECKS = ("virtual", "physical")
"""Whether our shuffler deals, or the dealer tells which cards the one at the table gave."""
SUPERVISED = (c.VoidRound, c.Rule, c.CorrectPayout)
"""What a dealer calls a supervisor for."""
OF_THE_DISPLAY = (c.PressHand, c.ConfirmAward, c.BackOutAward)
"""Steps that the display of a linked table does for the round; people may not type them."""
IRREGULAR: dict[type[c.Command], str] = {
    c.ReportExposed: "card exposed",
    c.ReportLateWager: "late wager",
    c.ReportPayout: "payout reported",
    c.CorrectPayout: "payout corrected",
    c.Rule: "ruling",
    c.ReportFault: "fault",
    c.RunbookStep: "runbook",
}
"""What is found again without going through every step of every round."""
TAKEN_BACK = (c.PlaceBets, c.Decide)
"""What may be taken back while its phase lasts, where it brought no card to light."""


def open_round(state: State, command: Command) -> Entry:
    """A new round at a table; refused while one is under way."""
    require(state, command.actor, AT_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    before = round_of(table)
    if before is not None and not before.over:
        raise Refused(
            Reason.WRONG_PHASE,
            f"round {before.number} is under way at {table.name}; close or void it first",
        )
    check_open(table)
    check_tray(state, table.name)
    if table.started:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the progressive of {table.name} is under way without a round; end it first",
        )
    number = table.deal_number + 1
    progressive = find_link(state, table.link).paytable if table.link else ""
    rules = rules_of(table.game, table.options, progressive)
    fresh = new_round(rules, f"{number:06d}", table.positions, after=before)
    start = start_of(fresh, progressive)
    data = {"number": number, "ruleset": rules.digest, "start": start}
    draft = Draft(stream=table_stream(table.name), kind="round_opened", data=data)
    return Entry(events=[draft], answer={"round": f"{number:06d}"})


def act_on_round(state: State, command: Command) -> Entry:
    """One command of the live table, as a round file writes it."""
    table, under_way = _under_way(state, command)
    asked = parse_command(request.text(command, "text", longest=LONGEST_COMMAND))
    by_floor = isinstance(asked, c.StartGame) and asked.priced_by == "floor"
    if isinstance(asked, OF_THE_DISPLAY) or by_floor:
        raise Refused(
            Reason.NOT_APPROVED, "awards are chosen and confirmed on the display of the table"
        )
    roles = OVER_THE_TABLE if isinstance(asked, SUPERVISED) else AT_THE_TABLE
    require(state, command.actor, roles)
    if isinstance(asked, c.LoadShuffle):
        _check_shuffle(command, table)
    beside: list[Draft] = []
    if table.link:
        asked, beside = _beside(state, command, under_way, asked)
    after, happened = act(under_way, asked)
    lines, text = told(happened), command_text(asked)
    keep(table, text, after)
    data = {"number": table.deal_number, "text": text, "told": lines}
    stream = table_stream(table.name)
    events = [Draft(stream=stream, kind="round", data=data), *beside]
    if type(asked) in IRREGULAR:
        noted = {"number": table.deal_number, "what": IRREGULAR[type(asked)], "text": text}
        events.append(Draft(stream=stream, kind="irregularity", data=noted))
    if after.over:
        data = came_to(after, table.deal_at)
        events.append(Draft(stream=stream, kind="round_ended", data=data))
    return Entry(
        events=events,
        answer={"round": after.number, "phase": after.phase.value, "told": lines},
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
    events = [Draft(stream=stream, kind="round_undone", data={"text": command_text(last)})]
    if isinstance(last, c.Decide) and last.decision == "fold" and last.position in table.lights:
        events.append(Draft(stream=stream, kind="unfolded", data={"position": last.position}))
    return Entry(events=events, answer={"undone": command_text(last)})


def last_undoable(table: FloorTable, under_way: Round) -> c.Command | None:
    """The last step of a round, where it may be taken back."""
    if not table.deal or under_way.over or under_way.reported:
        return None
    last = parse_command(table.deal[-1])
    before = round_before(table)
    same = (before.phase, before.stage, before.dealt, before.insurance_open) == (
        under_way.phase,
        under_way.stage,
        under_way.dealt,
        under_way.insurance_open,
    )
    return last if same and isinstance(last, TAKEN_BACK) else None


def _under_way(state: State, command: Command) -> tuple[FloorTable, Round]:
    table = find_table(state, request.text(command, "table"))
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


def _beside(
    state: State, command: Command, under_way: Round, asked: c.Command
) -> tuple[c.Command, list[Draft]]:
    """The command as it is done at a linked table, and what it means for the progressive."""
    post = Post(state, command, (*AT_THE_TABLE, "executive"))
    match asked:
        case c.StartGame():
            return _taken(post, under_way)
        case c.Decide(position=position, decision="fold") if position in post.table.lights:
            return asked, [post.draft("folded", {"position": position})]
        case c.PayEnvy() if post.table.started:
            return asked, [*ending.pay_envy(state, command).events]
        case c.CloseRound() if post.table.started:
            _check_awards(post, under_way)
            return asked, [*ending.end_game(state, command).events]
        case c.VoidRound() | c.Rule(ruling="void") if post.table.started:
            why = asked.detail or asked.reason if isinstance(asked, c.VoidRound) else asked.reason
            given = {"table": post.table.name, "reason": why}
            return asked, [*ending.void_game(state, replace(command, arguments=given)).events]
    return asked, []


def _taken(post: Post, under_way: Round) -> tuple[c.Command, list[Draft]]:
    """START GAME: the spots with a progressive wager are lit, and all lit wagers are taken."""
    lit = {}
    for position in under_way.lit():
        seat = under_way.seat(position)
        standing = post.table.lights.get(position)
        wager = seat.wagers["progressive"]
        if standing is not None and standing.cents != wager:
            raise Refused(
                Reason.GIVEN_TWICE,
                f"position {position} is lit for another wager, which stands for this round",
                post.profile.start_clause,
            )
        if standing is None:
            lit[position] = Light(cents=wager, player=_player(seat))
    drafts = [
        post.draft("lit", {"position": position, "cents": light.cents, "player": light.player})
        for position, light in lit.items()
    ]
    post.table = replace(post.table, lights={**post.table.lights, **lit})
    entry = lights.taken(post)
    meters = tuple((level, entry.answer["meters"][level]) for level in post.paytable.levels)
    order = () if post.options.meter_pay_order == "right_to_left" else under_way.lit()
    return c.StartGame(meters, order), [*drafts, *entry.events]


def _player(seat: Seat) -> str:
    """Who plays a spot, for envy; a spot without a name is a player of its own."""
    return seat.player or f"position {seat.position}"


def progressive_hand(under_way: Round, seat: Seat, paytable: PayTable) -> str:
    """What the cards of a spot make on the paytable of its progressive."""
    hand = judge(seat.cards, under_way.community, paytable)
    return HANDS[paytable.hands](hand).name.lower()


def unchosen(table: FloorTable, under_way: Round) -> list[int]:
    """Positions that have won the progressive and whose hand nobody has chosen on the display."""
    return [
        position
        for position in under_way.lit()
        if table.award_at(position) is None
        and any(
            line.bet == "progressive" and line.outcome is Outcome.WIN
            for line in under_way.seat(position).lines
        )
    ]


def _check_awards(post: Post, under_way: Round) -> None:
    """Refuse to end a round whose progressive wins were not all chosen on the display."""
    missing = [
        f"{progressive_hand(under_way, under_way.seat(position), post.paytable)} at {position}"
        for position in unchosen(post.table, under_way)
    ]
    if missing:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"a progressive hand is not chosen yet: {listed(missing)}",
            post.profile.hand_clause,
        )


DECIDERS = {"open_round": open_round, "round": act_on_round, "undo": undo}
