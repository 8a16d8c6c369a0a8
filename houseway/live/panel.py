"""Panel: the chips that one step of a round moves, and the wagers that still lie on the felt.

A dealer is told once what to hand over and to take in: for the step that was done last.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from houseway.games.base import Outcome
from houseway.games.contract import Game, Settle
from houseway.live import commands as c
from houseway.live import progressive
from houseway.live.seen import added_wager
from houseway.live.state import Round, Seat
from houseway.names import Bet
from houseway.rules.lines import Line

Apart = Literal["taken", "award"]
"""Why a line moves no chips now: taken at the start, or handed over with its win page."""

INTERRUPTIONS = (
    c.ReportExposed,
    c.ReportLateWager,
    c.ReportPayout,
    c.CorrectPayout,
    c.ReportFault,
    c.RunbookStep,
    c.PressHand,
    c.ConfirmAward,
    c.BackOutAward,
)


class Payment(NamedTuple):
    """The chips that a step moves at one position, in cents, and the lines that say why."""

    position: int
    hand_over: int
    take_in: int
    lines: tuple[Line, ...] = ()


def interrupts(command: c.Command) -> bool:
    """True for a command after which the dealer goes on with the same step as before it."""
    if isinstance(command, c.Rule):
        return command.ruling == "play_on"
    return isinstance(command, INTERRUPTIONS)


def payments(before: Round, after: Round) -> list[Payment]:
    """Returns what a step tells the dealer to hand over and take in, from the dealer's right.

    A position where nothing was settled and no chip moves is left out.
    """
    found = []
    for old, seat in zip(reversed(before.seats), reversed(after.seats), strict=True):
        if old is seat and not seat.lines:
            continue
        new = tuple(line for line in seat.lines if line not in old.lines)
        moved = [handed(after, seat, line) for line in new]
        if not new:
            # START GAME takes wagers, and a void round gives back, without a line.
            moved = [_held(after, seat) - _held(before, old)]
        hand_over = sum(max(0, cents) for cents in moved)
        take_in = sum(max(0, -cents) for cents in moved)
        if new or hand_over or take_in:
            found.append(Payment(seat.position, hand_over, take_in, new))
    return found


def handed(table: Round, seat: Seat, line: Line) -> int:
    """Returns the cents that the dealer hands over for a line; below 0 they are taken in."""
    if line.bet != "progressive":
        return line.net
    return 0 if apart(table, seat, line) else line.wager + line.net


def apart(table: Round, seat: Seat, line: Line) -> Apart | None:
    """Returns why a line moves no chips now; None where it does."""
    if line.bet != "progressive":
        return None
    if line.outcome is not Outcome.WIN:
        return "taken"
    return "award" if seat.position in progressive.meter_hands(table) else None


def _held(table: Round, seat: Seat) -> int:
    """Returns what a player holds or has on the felt, without awards of a meter."""
    awards = (line for line in seat.lines if apart(table, seat, line) == "award")
    return seat.purse + seat.felt - sum(line.wager + line.net for line in awards)


def stages(game: Game, lines: Sequence[Line]) -> list[str | None]:
    """Returns the stage that each line of a seat was settled in; None in a game without stages.

    A bet that several stages settle, goes with the line before it (TSB-07).
    """
    settled = [
        (game.stage(number), (*step.bets, *step.also))
        for number, step in enumerate(game.script)
        if isinstance(step, Settle) and not step.at_once
    ]
    found: list[str | None] = []
    at = 0
    for line in lines:
        later = range(at, len(settled))
        at = next((n for n in later if not settled[n][1] or line.bet in settled[n][1]), at)
        found.append(settled[at][0])
    return found


def on_felt(table: Round, seat: Seat) -> dict[Bet, int]:
    """Returns the wagers that still lie on the felt: neither settled nor in the progressive."""
    if table.over:
        return {}
    made = dict(seat.wagers)
    if "progressive" in made:
        made["progressive"] = 0 if table.started else made["progressive"] - seat.prepaid
    for decision in seat.decisions:
        added = table.ruleset.game.action(decision)
        if added is not None and added.puts is not None:
            bet = added.puts.bet
            made[bet] = made.get(bet, 0) + added_wager(table, seat, decision)
    left = {bet: cents for bet, cents in made.items() if cents and not seat.settled(bet)}
    for late in table.late:
        if late.position == seat.position:
            left[late.bet] = left.get(late.bet, 0) + late.cents
    return left
