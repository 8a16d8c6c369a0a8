"""Recall: rounds of a table that are over, done again step by step from what the journal holds.

A round is rebuilt by the rules that it was dealt with: the table as it was set up by then, and the
paytable of its link as the round was opened with. Its commands are done again, and what came of
them is held against what was written down, so that a recall is its own proof. Only the events of
the rounds that are asked for are read. Cards that were never dealt are nowhere in it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import Connection

from houseway.cards import HIDDEN, cards_text
from houseway.floor.live_round import begun
from houseway.floor.rules import rules_begun
from houseway.floor.table import RULE_KINDS, FloorTable, table_stream
from houseway.journal.event import Event
from houseway.journal.selection import Selection, newest_first, of_kind, stretch, version_before
from houseway.journal.state import Model, State
from houseway.journal.versions import present
from houseway.live import events as e
from houseway.live.commands import DEALER, Command, Deliver, LoadShuffle
from houseway.live.record import INDENT, told
from houseway.live.round import act
from houseway.live.state import Round
from houseway.live.text import command_text, event_text, parse_command
from houseway.live.view import AFTERWARDS, Viewer, view
from houseway.refusal import Reason, Refused

PAGE = 20
"""Rounds of a list."""
OPENED, DONE, UNDONE = "round_opened", "round", "round_undone"


class Step(NamedTuple):
    """One thing that was done in a round, and the round after it."""

    event: Event
    kind: str
    """opened, command or undo."""
    command: Command | None
    """What was done, or taken back; None for the opening."""
    happened: tuple[e.Event, ...]
    told: tuple[str, ...]
    """What came of it, as it was written down."""
    undone: bool
    """True when it was taken back later."""
    after: Round


class Recalled(NamedTuple):
    """A round, done again."""

    number: int
    recorded_rules: str
    """The digest of the rules that the round was opened with, as it was written down."""
    steps: tuple[Step, ...]
    differing: tuple[int, ...]
    """The steps of which now something else comes than was written down, counted from 0."""

    @property
    def rules_digest(self) -> str:
        """The digest of its rules now, by the form that it was recorded in."""
        return self.last.ruleset.digest_by(self.last.form)

    @property
    def last(self) -> Round:
        """The round as it stands at its end."""
        return self.steps[-1].after

    @property
    def dealers(self) -> tuple[str, ...]:
        """The cards of who dealt, or of who opened the round where nobody did."""
        dealt = [s.event.actor for s in self.steps if isinstance(s.command, Deliver)]
        return tuple(dict.fromkeys(dealt or [self.steps[0].event.actor]))


class Rounds:
    """The rounds of one table, up to a position of the journal."""

    def __init__(self, connection: Connection, model: Model, table: str, position: int) -> None:
        self.connection = connection
        self.model = model
        self.table = table
        self.stream = table_stream(table)
        self.head = version_before(connection, self.stream, position + 1)

    def newest(self, before: int | None = None, most: int = PAGE) -> list["Recalled | Refused"]:
        """The newest rounds below a number, newest first; in place of one, why it cannot be."""
        upto = self.head
        if before is not None:
            first = self._opened(before)
            # A number that was not reached yet has all rounds below it.
            upto = upto if first is None else first.version - 1
        wanted = Selection(stream=self.stream, last=upto, kind=OPENED)
        opened = newest_first(self.connection, wanted, most)
        if not opened:
            return []
        events = [*stretch(self.connection, self.stream, opened[-1].version, upto)]
        return [self._done_again(part) for part in reversed([*_rounds_of(events)])]

    def recall(self, number: int) -> Recalled:
        """One round; refused when there is none, or it cannot be done again."""
        first, last = self.versions(number)
        found = self._done_again([*stretch(self.connection, self.stream, first, last)])
        if isinstance(found, Refused):
            raise found
        return found

    def versions(self, number: int) -> tuple[int, int]:
        """The first and the last version of the table's stream that are of a round."""
        opened, after = self._opened(number), self._opened(number + 1)
        if opened is None:
            raise Refused(
                Reason.UNKNOWN_VALUE, f"round {number} of table {self.table!r} is unknown"
            )
        return opened.version, self.head if after is None else after.version - 1

    def _opened(self, number: int) -> Event | None:
        """The event that opened a round: numbers go up with versions, so it is soon found."""
        low, high = 1, self.head
        while low <= high:
            middle = (low + high) // 2
            wanted = Selection(stream=self.stream, last=middle, kind=OPENED)
            found = newest_first(self.connection, wanted, 1)
            with _read(found):
                if not found or (at := found[0].data["number"]) < number:
                    low = middle + 1
                elif at == number:
                    return found[0]
                else:
                    high = found[0].version - 1
        return None

    def _done_again(self, events: list[Event]) -> "Recalled | Refused":
        try:
            with _read(events):
                return self._recalled(events)
        except Refused as refused:
            return refused

    def _recalled(self, events: list[Event]) -> Recalled:
        opened, *others = (self._today(event) for event in events if event.kind in _STEPS)
        number = opened.data["number"]
        table = self._set_up(opened.version)
        start = opened.data["start"]
        fresh = begun(rules_begun(table, start), number, table.positions, start)
        steps = [Step(opened, "opened", None, (), (), False, fresh)]
        done: list[int] = []
        """Places of the steps that led to the round as it stands."""
        for event in others:
            before = steps[done[-1]].after if done else fresh
            if event.kind == DONE:
                done.append(len(steps))
                steps.append(self._step(event, before, number))
                continue
            taken_back = done.pop()
            steps[taken_back] = steps[taken_back]._replace(undone=True)
            after = steps[done[-1]].after if done else fresh
            steps.append(Step(event, "undo", steps[taken_back].command, (), (), False, after))
        differing = tuple(
            place for place, step in enumerate(steps) if told(step.happened) != [*step.told]
        )
        return Recalled(number, opened.data["ruleset"], tuple(steps), differing)

    def _step(self, event: Event, before: Round, number: int) -> Step:
        data = event.data
        command = parse_command(data["text"])
        try:
            after, happened = act(before, command)
        except Refused as refused:
            raise Refused(
                Reason.BAD_RECORD,
                f"record {event.position} of round {number} cannot be done again: "
                f"{refused.message}",
                refused.clause,
            ) from None
        return Step(event, "command", command, happened, tuple(data["told"]), False, after)

    def _today(self, event: Event) -> Event:
        """An event as it would be written today."""
        return present(event, State(), self.model.upcasts)

    def _set_up(self, upto: int) -> FloorTable:
        """The table as it was set up by a version: game, positions and options."""
        said = [x for k in RULE_KINDS for x in of_kind(self.connection, self.stream, k, upto)]
        table: Any = None
        for event in sorted(said, key=lambda event: event.version):
            table = self.model.evolve(table, self._today(event))
        assert isinstance(table, FloorTable), self.stream
        return table


_STEPS = (OPENED, DONE, UNDONE)


def _rounds_of(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events by round; the first of each opens it."""
    part: list[Event] = []
    for event in events:
        if event.kind == OPENED and part:
            yield part
            part = []
        part.append(event)
    yield part


@contextmanager
def _read(events: list[Event]) -> Iterator[None]:
    """Tell of records that somebody has spoilt, in a sentence."""
    try:
        yield
    except Refused:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError):
        first, last = events[0].position, events[-1].position
        raise Refused(
            Reason.BAD_RECORD,
            f"records {first} to {last} cannot be read as a round; verify the journal",
        ) from None


# What one viewer is told.


Who = Callable[[str], Any]
"""Tells of a card who holds it, as plain data."""


def listed_round(found: Recalled, who: Who) -> dict[str, Any]:
    """A round in a list: no card is in it, so it is the same for whoever looks."""
    last, steps = found.last, found.steps
    over = last.over
    return {
        "number": found.number,
        "opened_at": steps[0].event.at,
        "closed_at": steps[-1].event.at if over else None,
        "over": over,
        "void": last.voided,
        "dealers": [who(card) for card in found.dealers],
        "positions": [
            {
                "position": seat.position,
                "player": seat.player,
                "net": sum(line.net for line in seat.lines) if over else None,
            }
            for seat in last.seats
            if seat.wagers
        ],
        "house_cents": last.tray if over else None,
    }


def recalled_round(found: Recalled, viewer: Viewer, who: Who) -> dict[str, Any]:
    """A round that is over, step by step, for a viewer; refused while it is played.

    Even those who watch would otherwise learn from here what lies face down.
    """
    last = found.last
    if not last.over:
        raise Refused(
            Reason.WRONG_PHASE,
            f"round {found.number} is still being played; it can be recalled once it is closed "
            "or void",
        )
    rules = last.ruleset
    return {
        **listed_round(found, who),
        "game": rules.game.code,
        "rules": {
            "revision": rules.revision_by(last.form),
            "digest": found.rules_digest,
            "recorded": found.recorded_rules,
            "paytables": {bet: paytable.code for bet, paytable in rules.paytables.items()},
        },
        "every_card": viewer.kind in AFTERWARDS,
        "differing": list(found.differing),
        "steps": [_seen(step, viewer, who) for step in found.steps],
    }


def _seen(step: Step, viewer: Viewer, who: Who) -> dict[str, Any]:
    everything = viewer.kind in AFTERWARDS
    lines = step.told if everything else _told_without_hidden(step.happened)
    return {
        "kind": step.kind,
        "text": _text(step.command),
        "at": step.event.at,
        "record": step.event.position,
        "actor": who(step.event.actor),
        "undone": step.undone,
        "told": [line.removeprefix(INDENT) for line in lines],
        "round": _round(step.after, viewer),
    }


def _text(command: Command | None) -> str:
    """A command as a round file writes it; of a deck which one it was, and not how it lay."""
    if command is None:
        return ""
    text = command_text(command)
    return text.partition(":")[0] if isinstance(command, LoadShuffle) else text


def _round(table: Round, viewer: Viewer) -> dict[str, Any]:
    """The round after a step, and which of its cards lay face down then."""
    seen = view(table, viewer, over=True)
    for seat in seen["positions"]:
        at = table.seat(seat["position"])
        seat["down"] = _down(table, at.position, at.up)
    return {
        **{name: seen[name] for name in _SHOWN},
        "dealer_down": _down(table, DEALER, table.dealer_up),
        "community_down": bool(table.community) and not table.community_shown,
    }


_SHOWN = ("phase", "stage", "void", "dealer", "community", "positions", "say", "reported")


def _down(table: Round, place: int, up: tuple[bool, ...]) -> list[bool]:
    return [
        not facing and (place, number) not in table.exposed
        for number, facing in enumerate(up, start=1)
    ]


def _told_without_hidden(happened: Iterable[e.Event]) -> Iterator[str]:
    """What came of a command, for who may not look at what was dealt face down."""
    for event in happened:
        text = event_text(event)
        if text is None:
            continue
        down: tuple[int, ...] = ()
        if isinstance(event, e.Dealt):
            down = tuple(c for c, up in zip(event.cards, event.up, strict=True) if not up)
        elif isinstance(event, e.CommunityTaken):
            down = event.cards
        yield text.replace(cards_text(down), " ".join([HIDDEN] * len(down))) if down else text
