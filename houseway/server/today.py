"""Today: what the present gaming day has brought so far, kept up with every commit."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from houseway.floor.books import Clocks, Played
from houseway.floor.day import Clock, seconds_between
from houseway.floor.play import net_of
from houseway.journal.event import Event
from houseway.journal.reading import first_at, of_kinds

KINDS = (
    "round_ended",
    "game_started",
    "tray_opened",
    "tray_closed",
    "table_closed",
    "drop_counted",
    "checkpoint_set",
    "pin_failed",
)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@dataclass
class TableToday:
    """A table's day."""

    played: Played = field(default_factory=Played)
    drop_cents: int = 0
    sessions: set[int] = field(default_factory=set)
    """Sessions of its tray that were begun today: their boxes are of today, whenever counted."""
    dealer: str = ""
    ended: deque[str] = field(default_factory=deque)
    """When the rounds of the last hour ended."""
    closed_at: str = ""
    """When the table or its tray was last closed."""

    @property
    def won_cents(self) -> int:
        """What the house has won, round by round."""
        return sum(self.played.won.values())


class Today:
    """The day so far."""

    def __init__(self) -> None:
        self.day = ""
        self.tables: dict[str, TableToday] = {}
        self.since: Counter[str] = Counter()
        """What each table has won since the checkpoint, on whatever day that was set."""
        self.wrong_pins: Counter[tuple[str, str]] = Counter()
        """Wrong PINs by the card that was tried and the card that typed them."""
        self._growth: deque[tuple[str, str, int]] = deque()

    @staticmethod
    def read(
        connection: Connection, clock: Clock, now: str, upto: int, checkpoint_at: str
    ) -> "Today":
        """The day so far, as it is in the journal up to a position.

        Of days before it only what was won since the checkpoint.
        """
        found = Today()
        found.turn(clock, now)
        clocks = Clocks(of_kinds(connection, ["clock_set"]))
        # A clock may have been changed today: a day more is read, and every event is asked.
        before = (datetime.fromisoformat(clock.bounds(found.day)[0]) - DAY).isoformat()
        first = first_at(connection, min(before, checkpoint_at or before))
        for event in of_kinds(connection, KINDS, first, upto + 1):
            if clocks.when(event.at)["day"] == found.day:
                found.take([event], clock)
            elif event.kind == "round_ended":
                found._count_since(event)
            elif event.kind == "checkpoint_set":
                found.since.clear()
        return found

    def turn(self, clock: Clock, now: str) -> None:
        """Begin anew where another day has begun."""
        day = clock.day(now)
        if day != self.day:
            self.day, self.tables = day, {}
            self.wrong_pins.clear()

    def take(self, events: Iterable[Event], clock: Clock) -> None:
        """Go on by events."""
        for event in events:
            if event.kind not in KINDS:
                continue
            self.turn(clock, max(event.at, clock.bounds(self.day)[0]) if self.day else event.at)
            match event.kind:
                case "round_ended":
                    table = self.at(event.stream.partition(":")[2])
                    table.played.take(event)
                    self._count_since(event)
                    table.dealer = event.actor
                    table.ended.append(event.at)
                case "tray_opened":
                    self.at(event.stream.partition(":")[2]).sessions.add(event.data["session"])
                case "tray_closed" | "table_closed":
                    self.at(event.stream.partition(":")[2]).closed_at = event.at
                case "drop_counted":
                    table = self.at(event.data["table"])
                    # A box of last night may be counted this morning.
                    if event.data["session"] in table.sessions:
                        table.drop_cents += event.data["total_cents"]
                case "checkpoint_set":
                    self.since.clear()
                case "pin_failed":
                    self.wrong_pins[event.stream.partition(":")[2], event.actor] += 1
                case "game_started":
                    self._forget(_hour_before(event.at))
                    for moved in event.transfers:
                        if moved.credit.startswith("meter:"):
                            self._growth.append((event.at, moved.credit, moved.amount))

    def _count_since(self, event: Event) -> None:
        self.since[event.stream.partition(":")[2]] += sum(net_of(event.data).values())

    def at(self, table: str) -> TableToday:
        """The day of a table."""
        return self.tables.setdefault(table, TableToday())

    def pace(self, table: str, now: str) -> float | None:
        """Rounds an hour of late; None where too little was played to tell."""
        ended = self._ended(table, now)
        if len(ended) < 2:
            return None
        # Rounds that ended within one moment say nothing of an hour.
        seconds = seconds_between(ended[0], ended[-1])
        return (len(ended) - 1) * 3600 / seconds if seconds >= 1 else None

    def is_between_rounds(self, table: str, now: str) -> bool:
        """True where a round ended within the last hour and the table was not closed since."""
        if table not in self.tables:
            return False
        ended = self._ended(table, now)
        return bool(ended) and ended[-1] > self.tables[table].closed_at

    def _ended(self, table: str, now: str) -> deque[str]:
        """When the rounds of the last hour ended; earlier ones are forgotten."""
        ended, since = self.at(table).ended, _hour_before(now)
        while ended and ended[0] < since:
            ended.popleft()
        return ended

    def growth(self, account: str, now: str) -> int:
        """Millionths of a cent that wagers have brought to a meter in the last hour."""
        self._forget(_hour_before(now))
        return sum(amount for _, name, amount in self._growth if name == account)

    def _forget(self, before: str) -> None:
        """Let go of what came to meters before a time: nobody may look for days."""
        while self._growth and self._growth[0][0] < before:
            self._growth.popleft()


def _hour_before(now: str) -> str:
    return (datetime.fromisoformat(now) - HOUR).isoformat(timespec="microseconds")
