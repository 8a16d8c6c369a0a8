"""A model small enough to see through: purses that pay each other, for tests of the journal."""

from typing import Any

from houseway.journal.event import Command, Draft, Entry, Event, Transfer
from houseway.journal.state import State
from houseway.refusal import Reason, Refused


class Bank:
    """Payments between purses; each payer has a stream that counts what it paid."""

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

    def evolve(self, before: Any, event: Event) -> Any:
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
