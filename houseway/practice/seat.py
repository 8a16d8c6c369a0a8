"""Seat: who sits at a practice table, with chips, wishes and what came of the rounds so far."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from houseway.names import Bet
from houseway.refusal import Reason, Refused
from houseway.rules.lines import Line

CHIPS_CENTS = 50_000
"""What a learner gets when sitting down, and each time chips are taken again."""
LONGEST_NAME = 24
MOST_RESULTS = 500
"""Rounds that a seat remembers one by one; the sums go on."""
_IN_NAMES = " .'-_"

When = Literal["before", "after", "never"]
Mode = Literal["simple", "exact"]


class Judged(NamedTuple):
    """A decision that was made, the best one, and what the difference costs on average."""

    decision: str
    best: str
    cost_cents: Fraction
    worth: tuple[tuple[str, Fraction], ...] = ()
    """What every choice was worth, in units of so many cents."""
    unit_cents: int = 0


class Result(NamedTuple):
    """A round that is over, as a seat remembers it; amounts in cents."""

    number: str
    wagered: int
    net: int
    bankroll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The sums of a session, in cents."""

    rounds: int = 0
    wagered: int = 0
    net: int = 0
    first: Mapping[Bet, int] = field(default_factory=dict)
    """What was first wagered on each bet, from which the expected cost follows."""
    decisions: int = 0
    right: int = 0
    """Decisions that nothing was better than."""
    given_away: Fraction = Fraction(0)
    worst: Judged | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeSeat:
    """One learner."""

    position: int
    player: str
    secret: str
    """The hash of what only the browser of the seat knows."""
    chips: int = CHIPS_CENTS
    """The bankroll as it was before the round, in cents, with what was taken since."""
    taken: int = CHIPS_CENTS
    """All chips that were ever taken."""
    when: When = "before"
    mode: Mode = "exact"
    ready: bool = False
    asked: bool = False
    """True when the question for insurance is answered."""
    away: bool = False
    """True when nobody waits for this seat: the rule of thumb plays its hand."""
    leaving: bool = False
    came: str = ""
    """The round that was over when this seat was taken: another sat here, whose cards they were."""
    judged: tuple[Judged, ...] = ()
    """Of the round under way, or of the last one."""
    results: tuple[Result, ...] = ()
    tally: Tally = Tally()


def check_name(name: str) -> str:
    """The name without blanks around it; refused where it cannot stand at a table."""
    text = name.strip()
    if not text:
        raise Refused(Reason.BAD_ARGUMENT, "the name is empty; give one to sit down")
    if len(text) > LONGEST_NAME:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"name {text[:LONGEST_NAME]!r}… has {len(text)} characters; at most {LONGEST_NAME} "
            "are allowed",
        )
    for sign in text:
        if unicodedata.category(sign)[0] not in "LMN" and sign not in _IN_NAMES:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"name {text!r} has a {sign!r}; allowed: letters, digits, blanks and {_IN_NAMES}",
            )
    return text


def judged(
    seat: PracticeSeat, decision: str, worth: Mapping[str, Fraction], unit_cents: int
) -> PracticeSeat:
    """The seat after a decision of which it is known what each choice was worth, in units."""
    if decision not in worth:
        return seat
    best = max(worth, key=lambda name: worth[name])
    cost_cents = (worth[best] - worth[decision]) * unit_cents
    found = Judged(decision, best, cost_cents, tuple(worth.items()), unit_cents)
    tally = seat.tally
    worst = tally.worst
    if worst is None or found.cost_cents > worst.cost_cents:
        worst = found
    return replace(
        seat,
        judged=(*seat.judged, found),
        tally=replace(
            tally,
            decisions=tally.decisions + 1,
            right=tally.right + (not found.cost_cents),
            given_away=tally.given_away + found.cost_cents,
            worst=worst,
        ),
    )


def settled(
    seat: PracticeSeat, number: str, wagers: Mapping[Bet, int], lines: tuple[Line, ...]
) -> PracticeSeat:
    """The seat after a round in which it had these wagers and these lines."""
    wagered = sum(line.stake for line in lines)
    net = sum(line.net for line in lines)
    chips = seat.chips + net
    first = dict(seat.tally.first)
    for bet, cents in wagers.items():
        first[bet] = first.get(bet, 0) + cents
    kept = (*seat.results, Result(number, wagered, net, chips))[-MOST_RESULTS:]
    return replace(
        seat,
        chips=chips,
        results=kept,
        tally=replace(
            seat.tally,
            rounds=seat.tally.rounds + 1,
            wagered=seat.tally.wagered + wagered,
            net=seat.tally.net + net,
            first=first,
        ),
    )
