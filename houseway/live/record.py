"""Record: a round and all that happened in it, kept as a text that people read and replay.

The head names the rules; below it each command stands at the margin with what came of it
indented. Reading a text does everything again and holds each recorded line against the new one,
so a record is also its own proof. There is no clock in it.
"""

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from houseway.catalog.register import clauses
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.registry import kept_options
from houseway.live.commands import Command
from houseway.live.events import Event
from houseway.live.phases import Phase
from houseway.live.round import act
from houseway.live.state import Round, Seat, open_round
from houseway.live.text import cents_of, command_text, event_text, parse_command, plain
from houseway.live.view import Viewer, view
from houseway.refusal import Reason, Refused, listed
from houseway.rules.identity import FORMS
from houseway.rules.lines import in_order
from houseway.rules.ruleset import Ruleset, make_ruleset

FIRST_LINE = "houseway round"
"""Followed by the form of the round, which says how its steps are taken and its rules named."""
INDENT = "  "


class Record:
    """A round under way, with its history."""

    def __init__(
        self,
        ruleset: Ruleset,
        number: str = "000001",
        positions: int = 7,
        *,
        after: Round | None = None,
        clause_ids: tuple[str, ...] = (),
    ) -> None:
        """Open a round; `after` is the one before at the same table."""
        self._begin(open_round(ruleset, number, positions, after=after), clause_ids)

    def _begin(self, table: Round, clause_ids: tuple[str, ...]) -> None:
        self.opened = self.table = table
        self.clause_ids = clause_ids
        self.entries: list[tuple[Command, tuple[Event, ...]]] = []

    @property
    def head(self) -> list[str]:
        """The rules and what the round began with."""
        return _head(self.opened, self.clause_ids)

    def do(self, command: Command) -> tuple[Event, ...]:
        """Do a command and keep it; refused with nothing changed."""
        self.table, happened = act(self.table, command)
        self.entries.append((command, happened))
        return happened

    def text(self) -> str:
        """The record so far; a round may be saved at any step and gone on with."""
        lines = [*self.head, ""]
        for command, happened in self.entries:
            lines.append(command_text(command))
            lines += told(happened)
        return "\n".join([*lines, *_foot(self.table)]) + "\n"


class Replay(NamedTuple):
    """A record that was read: the round done again, and where it differs from the text."""

    record: Record
    differences: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """True when every recorded line came out again."""
        return not self.differences

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway replay --json`.

        Of a round that is not over it shows what those who watch may see then.
        """
        table = self.record.table
        seen = view(table, Viewer("surveillance"))
        return {
            "game": table.ruleset.game.code,
            "ruleset": {
                "revision": table.ruleset.revision_by(table.form),
                "digest": table.ruleset.digest_by(table.form),
            },
            "round": table.number,
            "phase": table.phase.value,
            "void": table.phase is Phase.VOID,
            "dealer": " ".join(seen["dealer"]),
            "community": " ".join(seen["community"]) if seen["community"] else None,
            "positions": [
                _position(table, seat, seen["positions"]) for seat in table.seats if seat.wagers
            ],
            "identical": self.identical,
            "differences": list(self.differences),
        }


def _position(table: Round, seat: Seat, seen: list[dict[str, Any]]) -> dict[str, Any]:
    lines = in_order(seat.lines, table.ruleset.order)
    cards = next(shown["cards"] for shown in seen if shown["position"] == seat.position)
    return {
        "position": seat.position,
        "player": " ".join(cards),
        "decisions": list(seat.decisions),
        "lines": [line.to_json() for line in lines],
        "net": sum(line.net for line in lines),
    }


def read_record(text: str, find: Callable[[str], Game] = game_of) -> Replay:
    """The record of a text, done again; refused when it cannot be read or done.

    `find` knows the game by its code.
    """
    rows = text.splitlines()
    first = rows[0].strip() if rows else ""
    form = next((form for form in FORMS if first == f"{FIRST_LINE} {form}"), None)
    if form is None:
        known = " or ".join(repr(f"{FIRST_LINE} {form}") for form in FORMS)
        raise Refused(
            Reason.BAD_RECORD, f"the file begins with {first[:40]!r}; a round begins {known}"
        )
    blank = next((n for n, row in enumerate(rows) if not row.strip()), len(rows))
    record = _from_head(rows[1:blank], form, find)
    differences = _compared(1, list(enumerate(rows[:blank], start=1)), record.head)
    recorded: list[tuple[int, str]] = []
    foot: list[tuple[int, str]] = []
    at = blank + 1
    expected: list[str] = []
    for number, row in enumerate(rows[blank + 1 :], start=blank + 2):
        if not row.strip():
            continue
        if row.startswith(INDENT):
            recorded.append((number, row))
            continue
        if row.startswith("net: "):
            foot.append((number, row))
            continue
        differences += _compared(at, recorded, expected)
        recorded, at = [], number
        if foot:
            raise Refused(Reason.BAD_RECORD, f"line {number}: nothing may follow the net")
        try:
            expected = told(record.do(parse_command(row.rstrip())))
        except Refused as refused:
            raise Refused(
                Reason.BAD_RECORD, f"line {number}: {refused.message}", refused.clause
            ) from None
    differences += _compared(at, recorded, expected)
    differences += _compared(len(rows), foot, [row for row in _foot(record.table) if row])
    return Replay(record, tuple(differences))


def told(happened: tuple[Event, ...]) -> list[str]:
    """What events say in a record, a line each."""
    return [INDENT + text for event in happened if (text := event_text(event)) is not None]


def _compared(at: int, recorded: list[tuple[int, str]], again: list[str]) -> list[str]:
    """Where recorded rows differ from the new ones; `at` is the row they follow."""
    old_rows = [row.rstrip() for _, row in recorded]
    changes = SequenceMatcher(a=old_rows, b=again, autojunk=False).get_opcodes()
    found = []
    for kind, first, last, new_first, new_last in changes:
        for step in range(0 if kind == "equal" else max(last - first, new_last - new_first)):
            old, new = first + step, new_first + step
            line = recorded[old][0] if old < last else at
            was = repr(old_rows[old].strip()) if old < last else "nothing"
            now = repr(again[new].strip()) if new < new_last else "nothing"
            found.append(f"line {line}: recorded {was}, now {now}")
    return found


def _head(table: Round, clause_ids: tuple[str, ...]) -> list[str]:
    ruleset = table.ruleset
    rows = [
        f"{FIRST_LINE} {table.form}",
        f"game: {ruleset.game.code}",
        f"round: {table.number}",
        f"positions: {len(table.seats)}",
        f"revision: {ruleset.revision_by(table.form)}",
        f"digest: {ruleset.digest_by(table.form)}",
    ]
    rows += [f"paytable: {bet}={paytable.code}" for bet, paytable in ruleset.paytables.items()]
    defaults = ruleset.game.options().to_json()
    rows += [
        f"option: {name}={value}"
        for name, value in ruleset.options.to_json().items()
        if value != defaults[name]
    ]
    rows += [f"last shuffle: {table.previous_shuffle}"] if table.previous_shuffle else []
    rows += [
        f"carried: {seat.position} {plain(seat.carried)}" for seat in table.seats if seat.carried
    ]
    rows += [f"clause: {' '.join(clause_ids)}"] if clause_ids else []
    return rows


def _foot(table: Round) -> list[str]:
    if table.phase is Phase.VOID:
        return ["", "net: void"]
    if table.phase is not Phase.CLOSED:
        return []
    nets = [
        f"position {seat.position} {plain(sum(line.net for line in seat.lines), sign=True)}"
        for seat in table.seats
        if seat.wagers
    ]
    return ["", f"net: {', '.join(nets)}"]


def _from_head(rows: list[str], form: int, find: Callable[[str], Game]) -> Record:
    """A record with the rules, positions and carried wagers that a head names."""
    values: dict[str, list[str]] = {}
    for number, row in enumerate(rows, start=2):
        name, colon, value = (part.strip() for part in row.partition(":"))
        if not colon or name not in _HEADINGS:
            raise Refused(
                Reason.BAD_RECORD,
                f"line {number}: heading {name!r} is unknown; known: {listed(_HEADINGS)}",
            )
        values.setdefault(name, []).append(value)
    for name in ("game", "round", "positions"):
        if len(values.get(name, ())) != 1:
            raise Refused(Reason.BAD_RECORD, f"heading '{name}' must stand once in the head")
    try:
        return _opened(values, form, find)
    except Refused as refused:
        raise Refused(Reason.BAD_RECORD, f"head: {refused.message}", refused.clause) from None


_HEADINGS = (
    *("game", "round", "positions", "revision", "digest", "paytable", "option"),
    *("last shuffle", "carried", "clause"),
)


def _opened(values: Mapping[str, list[str]], form: int, find: Callable[[str], Game]) -> Record:
    game = find(values["game"][0])
    options = dict(_named(text) for text in values.get("option", ()))
    paytables = [_named(text) for text in values.get("paytable", ())]
    clause_ids = tuple(part for text in values.get("clause", ()) for part in text.split())
    known = {clause.id for clause in clauses()}
    if strange := [clause_id for clause_id in clause_ids if clause_id not in known]:
        raise Refused(Reason.UNKNOWN_CLAUSE, f"clause {strange[0]!r} is unknown")
    positions = values["positions"][0]
    if not positions.isdecimal():
        raise Refused(Reason.BAD_ARGUMENT, f"positions {positions!r} is not a number from 1 to 7")
    table = open_round(
        make_ruleset(game, kept_options(game, options), paytables),
        values["round"][0],
        int(positions),
    )
    table = table._replace(form=form, previous_shuffle="".join(values.get("last shuffle", ())))
    for text in values.get("carried", ()):
        place, _, amount = text.partition(" ")
        seats = [seat.position for seat in table.seats]
        if not place.isdecimal() or int(place) not in seats:
            raise Refused(Reason.WRONG_POSITION, f"carried {text!r} names no position")
        seat = table.seat(int(place))._replace(carried=cents_of(amount))
        table = table._replace(
            seats=(*table.seats[: seat.position - 1], seat, *table.seats[seat.position :])
        )
    record = Record.__new__(Record)
    record._begin(table, clause_ids)
    return record


def _named(text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise Refused(Reason.BAD_ARGUMENT, f"{text!r} cannot be read; write NAME=VALUE")
    return name, value
