"""A model small enough to see through: purses that pay each other, for tests of the journal."""

from collections.abc import Iterable
from concurrent.futures import Future
from datetime import timedelta
from itertools import pairwise
from threading import Event as ThreadEvent
from typing import Any
from zlib import crc32

from sqlalchemy import text

from houseway.journal.audit import Audit, verify
from houseway.journal.event import Command, Draft, Entry, Event, Transfer
from houseway.journal.journal import Answer, Journal
from houseway.journal.rebuild import differences
from houseway.journal.state import Model, State
from houseway.journal.store import make_engine, open_to_read, read_url
from houseway.journal.timekeeper import Jump
from houseway.journal.versions import Upcasts
from houseway.refusal import Reason, Refused

NO_UPCASTS: Upcasts = {}


class Bank:
    """Payments between purses; each payer has a stream that counts what it paid."""

    upcasts = NO_UPCASTS
    form = "purses"

    def decide(self, state: State, command: Command) -> Entry:
        if command.name == "fail":
            raise RuntimeError("our own mistake")
        if command.name != "pay":
            raise Refused(Reason.BAD_ARGUMENT, f"command {command.name!r} is unknown; known: pay")
        payer, payee, amount = (command.arguments[name] for name in ("payer", "payee", "amount"))
        if not isinstance(amount, int) or not 0 < amount <= 10**12:
            raise Refused(Reason.NOT_AN_AMOUNT, f"amount {amount!r} cannot be paid")
        paid = (state.streams.get(f"purse:{payer}") or {"paid": 0})["paid"] + amount
        return Entry(
            events=[
                Draft(
                    stream=f"purse:{payer}",
                    kind="paid",
                    data={"payee": payee, "amount": amount},
                    transfers=[Transfer(f"purse:{payee}", f"purse:{payer}", amount)],
                ),
                Draft(stream=f"purse:{payee}", kind="received", data={"amount": amount}),
            ],
            answer={"paid": paid},
        )

    def time_offset(self, state: State) -> timedelta:
        return timedelta(seconds=state.streams.get("time", 0))

    def time_corrected(self, state: State) -> timedelta:  # noqa: ARG002 - the model's signature
        return timedelta()

    def jumped(self, state: State, jump: Jump) -> Entry:  # noqa: ARG002 - the model's signature
        data = {"seconds": jump.offset.total_seconds()}
        return Entry(events=[Draft(stream="time", kind="jumped", data=data)], answer={})

    def evolve(self, before: Any, event: Event) -> Any:
        if event.kind == "jumped":
            return event.data["seconds"]
        state = dict(before or {"paid": 0, "received": 0})
        state["paid" if event.kind == "paid" else "received"] += event.data["amount"]
        return state

    def dump(self, state: Any) -> Any:
        return state

    def load(self, stream: str, data: Any) -> Any:  # noqa: ARG002 - the model's signature
        return data


def pay(key: str, amount: int = 5, payer: str = "ann", payee: str = "bob") -> Command:
    arguments = {"payer": payer, "payee": payee, "amount": amount}
    return Command(name="pay", arguments=arguments, actor="dealer:dan", key=key)


PURSES = ("ann", "bob", "cyd")


def payment(key: str) -> Command:
    """A payment that follows from its key alone: who knows the key can make it again."""
    chance = crc32(key.encode())
    payer, payee = PURSES[chance % 3], PURSES[(chance + 1 + chance // 3 % 2) % 3]
    return pay(key, 1 + chance // 6 % 1000, payer, payee)


class Gate(Bank):
    """A bank that stops in the middle of the command 'gate', so that others queue up behind it."""

    def __init__(self) -> None:
        self.reached, self.opened = ThreadEvent(), ThreadEvent()

    def decide(self, state: State, command: Command) -> Entry:
        if command.key == "gate":
            self.reached.set()
            self.opened.wait()
        return super().decide(state, command)

    def one_batch(self, journal: Journal, commands: Iterable[Command]) -> "list[Future[Answer]]":
        """Hand in commands that are then decided together, once the gate is through."""
        first = journal.submit(pay("gate", payer="gate", payee="keeper"))
        self.reached.wait()
        futures = [journal.submit(command) for command in commands]
        self.opened.set()
        first.result()
        return futures


def look(url: str, statement: str) -> list[Any]:
    """What a statement gives, read through a connection of its own."""
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(statement))]
    finally:
        engine.dispose()


def tamper(url: str, statement: str, **values: Any) -> int:
    """Change a database behind the journal's back; how many rows that touched."""
    engine = make_engine(read_url(url))
    try:
        with engine.begin() as connection:
            return int(connection.execute(text(statement), values).rowcount)
    finally:
        engine.dispose()


def audited(url: str) -> Audit:
    """What the audit says of a journal."""
    engine = open_to_read(url, busy_seconds=0.1)
    try:
        with engine.connect() as connection:
            return verify(connection)
    finally:
        engine.dispose()


def sound(url: str, model: Model | None = None) -> Audit:
    """The audit of a journal that holds in every way: chain, balances and what is rebuilt."""
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            found = verify(connection)
            assert found.finding is None, found
            assert list(differences(connection, model or Bank())) == []
    finally:
        engine.dispose()
    # An entry is whole or not there: a payment has two parts and a refusal one.
    parts = look(url, "SELECT key, part, kind FROM event ORDER BY position")
    for (key, part, kind), (next_key, next_part, next_kind) in pairwise([*parts, ("", 0, "")]):
        if kind == "paid":
            assert (part, next_key, next_part, next_kind) == (0, key, 1, "received")
    return found
