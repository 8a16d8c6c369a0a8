"""State: what all events so far come to, kept in memory by whoever writes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, Protocol

from houseway.journal.event import NO_HASH, Command, Entry, Event, Transfer, canonical
from houseway.journal.timekeeper import Jump
from houseway.journal.versions import Upcasts, present


class Head(NamedTuple):
    """The last event of a stream."""

    version: int
    hash: str


class Balance(NamedTuple):
    """Both sides of an account, in millionths of a cent."""

    debits: int = 0
    credits: int = 0


START = Head(0, NO_HASH)
NOTHING = Balance()
REFUSALS = "refusals"
"""The stream of commands that were refused."""


class Model(Protocol):
    """What commands and events mean. `decide` and `evolve` are pure."""

    @property
    def upcasts(self) -> Upcasts:
        """What leads from earlier versions of events to those that are written today."""
        ...

    @property
    def form(self) -> str:
        """Anything that changes whenever `dump` writes a state in another way."""
        ...

    def decide(self, state: "State", command: Command) -> Entry:
        """What a command comes to; refused when it may not be done."""
        ...

    def time_offset(self, state: "State", /) -> timedelta:
        """The difference between the journal's time and the machine's clock."""
        ...

    def time_corrected(self, state: "State", /) -> timedelta:
        """By how much people have set the journal's time, in all."""
        ...

    def jumped(self, state: "State", jump: Jump, /) -> Entry:
        """How a jump of the machine's clock is written down."""
        ...

    def evolve(self, before: Any, event: Event) -> Any:
        """The state of a stream after one more of its events; None before the first."""
        ...

    def dump(self, state: Any) -> Any:
        """The state of a stream as plain data."""
        ...

    def load(self, stream: str, data: Any, /) -> Any:
        """The state of a stream from plain data."""
        ...


@dataclass(slots=True)
class State:
    """Everything that a decision may look at."""

    streams: dict[str, Any] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    accounts: dict[str, Balance] = field(default_factory=dict)
    position: int = 0
    hash: str = NO_HASH
    """Of the last event."""
    at: str = ""
    """When the last event was written."""
    now: str = ""
    """When the command at hand is decided; what it comes to is written with this time."""
    machine: str = ""
    """The machine's clock then; it differs from `now` after a jump."""
    news: list[Event] | None = None
    """Events that were taken since somebody last looked, where somebody does."""
    seals: int = 0
    sealed: int = 0
    """The position that the last seal covers."""
    seal_hash: str = NO_HASH

    def head(self, stream: str) -> Head:
        """The last event of a stream."""
        return self.heads.get(stream, START)

    def balance(self, account: str) -> Balance:
        """Both sides of an account."""
        return self.accounts.get(account, NOTHING)

    def owed(self, account: str) -> int:
        """What a liability holds: credits less debits."""
        found = self.balance(account)
        return found.credits - found.debits

    def take(
        self, event: Event, model: Model, transfers: Iterable[Transfer] | None = None
    ) -> Event:
        """Go on by one event and return it as it would be written today.

        Its transfers may be handed over, to save reading them again.
        """
        today = present(event, self, model.upcasts)
        before = self.streams.get(event.stream)
        # Refusals are only counted: nothing follows from them.
        refused = event.stream == REFUSALS
        self.streams[event.stream] = event.version if refused else model.evolve(before, today)
        self.heads[event.stream] = Head(event.version, event.hash)
        self.book(event.transfers if transfers is None else transfers)
        self.position, self.hash = event.position, event.hash
        self.at = event.at
        if self.news is not None:
            self.news.append(event)
        return today

    def book(self, transfers: Iterable[Transfer]) -> None:
        """Move money."""
        accounts = self.accounts
        for debit, credit, amount in transfers:
            debits, credits_ = accounts.get(debit, NOTHING)
            accounts[debit] = Balance(debits + amount, credits_)
            debits, credits_ = accounts.get(credit, NOTHING)
            accounts[credit] = Balance(debits, credits_ + amount)


def check_expected(state: State, expects: Mapping[str, int]) -> str | None:
    """The first stream that has moved on since the caller looked, or None."""
    return next((s for s, v in expects.items() if state.head(s).version != v), None)


def stream_row(state: State, model: Model, stream: str) -> tuple[str, int, str, str]:
    """Where a stream stands, as the projection has it."""
    found = state.streams[stream]
    document = canonical(found if stream == REFUSALS else model.dump(found))
    return (stream, *state.head(stream), document)
