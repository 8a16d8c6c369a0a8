"""Books: what the tables took in and won, by gaming day and shift, from the journal's events.

Each report is rows from events in one pass. A row has its day, and most have a table and a shift,
so that whoever asks for a period or a table is given a part of the rows, and the sum of what is
shown is the sum of what is exported.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from houseway.floor.day import Clock, seconds_between
from houseway.floor.house import clock_of
from houseway.floor.play import net_of
from houseway.journal.event import Event

Row = dict[str, Any]
COUNTED, NO_BOX = "counted", "no box"
"""States of a session whose win is told."""
TRAY = ("tray_opened", "tray_closed", "slip_over")
SLIPS = ("slip_requested", "slip_sent", "slip_received", "slip_voided")
BOXES = ("box_dropped", "drop_counted")
SYSTEM = (
    "server_started",
    "cut_accepted",
    "clock_set",
    "clock_jumped",
    "clock_acknowledged",
    "time_corrected",
    "signed_in",
    "signed_out",
    "second_factor_set",
    "pin_failed",
    "card_issued",
    "card_unlocked",
    "card_withdrawn",
    "card_recovered",
    "table_made",
    "table_opened",
    "table_closed",
    "shuffler_replaced",
    "link_made",
    "link_joined",
    "link_left",
    "settings_changed",
    "thresholds_set",
    "checkpoint_set",
    "pace_set",
    "alert_seen",
)
VOIDS = (
    *("round_ended", "game_voided", "earlier_game_ended", "round_undone", "irregularity"),
    "slip_voided",
)


class Clocks:
    """The clocks of a floor: each holds from when it was set."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._from, self._clocks = [""], [Clock()]
        for event in events:
            self.take(event)

    def take(self, event: Event) -> None:
        """Go on by an event."""
        if event.kind == "clock_set":
            # One that was set at a time that was wrong holds no longer.
            while self._from[-1] > event.at:
                self._from.pop()
                self._clocks.pop()
            self._from.append(event.at)
            self._clocks.append(clock_of(event.data))

    def at(self, at: str) -> Clock:
        """The clock that held at a time."""
        return self._clocks[bisect_right(self._from, at) - 1]

    @property
    def now(self) -> Clock:
        """The clock that holds."""
        return self._clocks[-1]

    def begins(self, day: str) -> str:
        """When a gaming day begins by the clock by which it begins first."""
        return min(clock.bounds(day)[0] for clock in self._clocks)

    def ends(self, day: str) -> str:
        """When a gaming day ends by the clock by which it ends last."""
        return max(clock.bounds(day)[1] for clock in self._clocks)

    def when(self, at: str) -> Row:
        """Day and shift of a time."""
        clock = self.at(at)
        return {"day": clock.day(at), "shift": clock.shift(at)}


@dataclass
class _Session:
    """A table between two counts, as far as it is known."""

    row: Row
    boxes: dict[int, int | None] = field(default_factory=dict)

    def told(self) -> Row:
        row = self.row
        counted = all(cents is not None for cents in self.boxes.values())
        drop = sum(cents or 0 for cents in self.boxes.values())
        closed = row["closer_cents"] is not None
        win = None
        if closed and counted:
            came = row["closer_cents"] + row["credits_cents"] + drop
            win = came - row["opener_cents"] - row["fills_cents"]
        hold = None if win is None or not drop else round(win / drop, 4)
        return {**row, "drop_cents": drop, "win_cents": win, "hold": hold, "state": self._state()}

    def _state(self) -> str:
        if self.row["closer_cents"] is None:
            return "open"
        if not self.boxes:
            # Nothing was dropped, or somebody has yet to change the box.
            return NO_BOX
        return "drop not counted" if None in self.boxes.values() else COUNTED


@dataclass
class Played:
    """Rounds added up."""

    first_at: str = ""
    last_at: str = ""
    rounds: int = 0
    void: int = 0
    hands: int = 0
    seconds: float = 0
    wagered: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    within: Counter[str] = field(default_factory=Counter)
    across: Counter[str] = field(default_factory=Counter)

    def take(self, event: Event) -> None:
        """Add a round that has ended."""
        data = event.data
        self.first_at = self.first_at or data["opened_at"] or event.at
        self.last_at = event.at
        if data["void"]:
            self.void += 1
            return
        self.rounds += 1
        self.hands += data["seats"]
        self.seconds += _seconds(data["opened_at"], event.at)
        self.wagered.update(data["wagers"])
        self.won.update(net_of(data))
        self.within.update(data["within"])
        self.across.update(data["across"])

    def told(self) -> Row:
        """The sums, as a row."""
        return {
            "first_at": self.first_at,
            "last_at": self.last_at,
            "rounds": self.rounds,
            "void": self.void,
            "hands": self.hands,
            "seconds": round(self.seconds, 3),
            "wagered_cents": sum(self.wagered.values()),
            "won_cents": sum(self.won.values()),
            "wagered": dict(self.wagered),
            "won": dict(self.won),
            "within": dict(self.within),
            "across": dict(self.across),
        }


def master(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """The master games report: a row for every session of every table, in order of opening."""
    sessions: dict[tuple[str, int], _Session] = {}
    open_now: dict[str, _Session] = {}
    for event in events:
        data = event.data
        name = event.stream.partition(":")[2]
        match event.kind:
            case "tray_opened":
                row = {
                    **clocks.when(event.at),
                    "table": name,
                    "session": data["session"],
                    "opened_at": event.at,
                    "closed_at": None,
                    "opener_cents": data["total_cents"],
                    "difference_cents": data["difference_cents"],
                    "fills_cents": 0,
                    "credits_cents": 0,
                    "closer_cents": None,
                }
                open_now[name] = sessions[name, data["session"]] = _Session(row)
            # What belongs to a session from before the first event is not told of here.
            case "tray_closed" if (name, data["session"]) in sessions:
                row = sessions[name, data["session"]].row
                row["closer_cents"], row["closed_at"] = data["total_cents"], event.at
            case "slip_over" if name in open_now:
                open_now[name].row["fills_cents"] += data["fill_cents"]
                open_now[name].row["credits_cents"] += data["credit_cents"]
            case "box_dropped" if (data["table"], data["session"]) in sessions:
                sessions[data["table"], data["session"]].boxes[data["box"]] = None
            case "drop_counted" if (data["table"], data["session"]) in sessions:
                boxes = sessions[data["table"], data["session"]].boxes
                boxes[data["box"]] = data["total_cents"]
    for session in sessions.values():
        yield session.told()


def slips(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Every number of a fill or credit slip, with what became of it."""
    found: dict[int, Row] = {}
    for event in events:
        data = event.data
        number = data["slip"]
        if event.kind == "slip_requested":
            found[number] = {
                "slip": number,
                **clocks.when(event.at),
                "table": data["table"],
                "kind": data["kind"],
                "cents": data["total_cents"],
                "count": data["count"],
                "state": "requested",
                **dict.fromkeys(_SIGNED, None),
                "reason": None,
            }
        if number not in found:
            continue
        row = found[number]
        what = event.kind.removeprefix("slip_")
        row["state"] = "void" if what == "voided" else what
        row[f"{what}_at"], row[f"{what}_by"] = event.at, event.actor
        if "second" in data:
            row[f"{what}_with"] = data["second"]
        row["reason"] = data.get("reason", row["reason"])
    yield from found.values()


_SIGNED = tuple(
    f"{what}_{which}"
    for what in ("requested", "sent", "received", "voided")
    for which in ("at", "by", "with")
    if (what, which) != ("requested", "with")
)


def drops(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Every box, with what lay in it."""
    found: dict[int, Row] = {}
    for event in events:
        data = event.data
        if event.kind == "box_dropped":
            found[data["box"]] = {
                "box": data["box"],
                **clocks.when(event.at),
                "table": data["table"],
                "session": data["session"],
                "dropped_at": event.at,
                "dropped_by": event.actor,
                "dropped_with": data["second"],
                **dict.fromkeys(("cents", "count", "counted_at", "counted_by", "counted_with")),
            }
        elif data["box"] in found:
            found[data["box"]] |= {
                "cents": data["total_cents"],
                "count": data["count"],
                "counted_at": event.at,
                "counted_by": event.actor,
                "counted_with": data["second"],
            }
    yield from found.values()


def play(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """What was wagered and won at each table in each shift, round by round."""
    found: dict[tuple[str, str, str], Played] = {}
    for event in events:
        when = clocks.when(event.at)
        table = event.stream.partition(":")[2]
        place = (when["day"], when["shift"], table)
        if place not in found:
            found[place] = Played()
        found[place].take(event)
    for (day, shift, table), played in sorted(found.items()):
        yield {"day": day, "shift": shift, "table": table, **played.told()}


def pace(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Rounds an hour and hands a round at each table in each shift."""
    for row in play(events, clocks):
        hours = _seconds(row["first_at"], row["last_at"]) / 3600
        rounds = row["rounds"]
        yield {
            **{name: row[name] for name in ("day", "shift", "table", "first_at", "last_at")},
            "rounds": rounds,
            "void": row["void"],
            "hands": row["hands"],
            "hours": round(hours, 3),
            "rounds_per_hour": round(rounds / hours, 1) if hours else None,
            "hands_per_round": round(row["hands"] / rounds, 2) if rounds else None,
            "seconds_per_round": round(row["seconds"] / rounds, 1) if rounds else None,
        }


def voids(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Rounds that were void, steps taken back, payouts corrected, slips that came to nothing."""
    for event in events:
        data = event.data
        if event.kind == "round_ended" and not data["void"]:
            continue
        yield {
            "record": event.position,
            **clocks.when(event.at),
            "at": event.at,
            "table": event.stream.partition(":")[2]
            if event.stream.startswith("table:")
            else data.get("table"),
            "round": data.get("number"),
            "what": data["what"] if event.kind == "irregularity" else _VOID[event.kind],
            "text": _said(event),
            "by": event.actor,
        }


def _said(event: Event) -> str:
    data = event.data
    text = str(data.get("text") or data.get("reason") or data.get("void") or "")
    return f"slip {data['slip']}: {text}" if event.kind == "slip_voided" else text


_VOID = {
    "round_ended": "round void",
    "game_voided": "progressive void",
    "earlier_game_ended": "progressive of an earlier program ended",
    "round_undone": "step taken back",
    "slip_voided": "slip void",
}


def envy(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Envy that was paid: to which position, for the hand at which."""
    for event in events:
        for line in event.data["lines"]:
            yield {
                "record": event.position,
                **clocks.when(event.at),
                "at": event.at,
                "table": event.stream.partition(":")[2],
                "position": line["position"],
                "from": line["from"],
                "cents": line["cents"],
                "by": event.actor,
            }


def shuffler(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Decks and hands that a shuffler has dealt, table by table and shift, and faults (ACE-07)."""
    found: dict[tuple[str, str, str], Row] = {}
    for event in events:
        data, when = event.data, clocks.when(event.at)
        table = event.stream.partition(":")[2]
        place = (when["day"], when["shift"], table)
        row = found.setdefault(
            place, {**when, "table": table, "cycles": 0, "hands": 0, "faults": 0, "steps": []}
        )
        if event.kind == "round_ended":
            row["cycles"] += data["shuffled"]
            row["hands"] += data["seats"] + 1 if data["shuffled"] else 0
        elif data["what"] in ("fault", "runbook"):
            row["faults"] += data["what"] == "fault"
            row["steps"].append([event.at, data["text"], event.actor])
    for _, row in sorted(found.items()):
        yield row


def cards(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """Cards that were changed: at which table, of what stock and why (ACE-05)."""
    for event in events:
        data = event.data
        yield {
            "record": event.position,
            **clocks.when(event.at),
            "at": event.at,
            "table": event.stream.partition(":")[2],
            "material": data["material"],
            "size": data["size"],
            "reason": data["reason"],
            "by": event.actor,
        }


def system(events: Iterable[Event], clocks: Clocks) -> Iterator[Row]:
    """People, settings and restarts."""
    hidden = ("pin_hash",)
    for event in events:
        yield {
            "record": event.position,
            **clocks.when(event.at),
            "at": event.at,
            "what": event.kind.replace("_", " "),
            "of": event.stream,
            "by": event.actor,
            "data": {name: value for name, value in event.data.items() if name not in hidden},
        }


def _seconds(first: str, last: str) -> float:
    return seconds_between(first, last) if first else 0


@dataclass(frozen=True)
class Book:
    """A report: what it is called, which events it reads, and how its rows are made."""

    title: str
    kinds: tuple[str, ...]
    rows: Callable[[Iterable[Event], Clocks], Iterator[Row]]
    columns: str
    summed: tuple[str, ...] = ()
    """Columns that have a total."""
    looks_back: bool = False
    """True where a row may still change after its day, so that later events are read too."""


BOOKS: Mapping[str, Book] = {
    "master": Book(
        "Daily master report",
        (*TRAY, *BOXES),
        master,
        "day shift table session opened_at closed_at opener_cents difference_cents fills_cents "
        "credits_cents closer_cents drop_cents win_cents hold state",
        ("opener_cents", "fills_cents", "credits_cents", "closer_cents", "drop_cents", "win_cents"),
        looks_back=True,
    ),
    "slips": Book(
        "Slips by number",
        SLIPS,
        slips,
        f"slip day shift table kind cents count state {' '.join(_SIGNED)} reason",
        looks_back=True,
    ),
    "drops": Book(
        "Boxes and their counts",
        BOXES,
        drops,
        "box day shift table session dropped_at dropped_by dropped_with cents count counted_at "
        "counted_by counted_with",
        ("cents",),
        looks_back=True,
    ),
    "play": Book(
        "Play by table and shift",
        ("round_ended",),
        play,
        "day shift table first_at last_at rounds void hands seconds wagered_cents won_cents "
        "wagered won within across",
        ("rounds", "void", "hands", "wagered_cents", "won_cents"),
    ),
    "pace": Book(
        "Pace and utilisation",
        ("round_ended",),
        pace,
        "day shift table first_at last_at rounds void hands hours rounds_per_hour "
        "hands_per_round seconds_per_round",
        ("rounds", "void", "hands", "hours"),
    ),
    "voids": Book(
        "Voids and corrections",
        VOIDS,
        voids,
        "record day shift at table round what text by",
    ),
    "envy": Book(
        "Envy paid",
        ("envy_paid",),
        envy,
        "record day shift at table position from cents by",
        ("cents",),
    ),
    "shuffler": Book(
        "Shuffler log",
        ("round_ended", "irregularity"),
        shuffler,
        "day shift table cycles hands faults steps",
        ("cycles", "hands", "faults"),
    ),
    "cards": Book(
        "Cards changed",
        ("cards_changed",),
        cards,
        "record day shift at table material size reason by",
    ),
    "system": Book(
        "System events",
        SYSTEM,
        system,
        "record day shift at what of by data",
    ),
}
