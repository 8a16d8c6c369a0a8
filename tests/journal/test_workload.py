"""A long random workload against a second model that is nothing but dictionaries."""

import random
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace

import pytest

from houseway.journal.event import Command
from houseway.journal.journal import Answer, Journal
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, look, pay, sound

PURSES = ("ann", "bob", "cyd", "dan", "K\N{BLACK HEART SUIT}")
Expected = dict[str, int] | Reason


class Prediction:
    """What every command must be answered, worked out without a journal."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[object, dict[str, int]]] = {}
        self.versions: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.received: Counter[str] = Counter()
        self.refusals: list[tuple[str, str]] = []
        self.events = 0

    def answer(self, command: Command) -> Expected:
        content = (command.name, dict(command.arguments), command.actor)
        if command.key in self.known:
            before, answer = self.known[command.key]
            return answer if before == content else self.refuse(Reason.KEY_USED, command)
        if any(self.versions[stream] != seen for stream, seen in command.expects.items()):
            return self.refuse(Reason.STALE_VERSION, command)
        if command.name != "pay":
            return self.refuse(Reason.BAD_ARGUMENT, command)
        payer, payee, amount = (command.arguments[n] for n in ("payer", "payee", "amount"))
        if not isinstance(amount, int) or not 0 < amount <= 10**12:
            return self.refuse(Reason.NOT_AN_AMOUNT, command)
        self.paid[payer] += amount
        self.received[payee] += amount
        self.versions[f"purse:{payer}"] += 1
        self.versions[f"purse:{payee}"] += 1
        self.events += 2
        self.known[command.key] = (content, {"paid": self.paid[payer]})
        return {"paid": self.paid[payer]}

    def refuse(self, reason: Reason, command: Command) -> Reason:
        self.refusals.append((reason.value, command.key))
        self.versions["refusals"] += 1
        self.events += 1
        return reason


def some_command(chance: random.Random, sent: list[Command], predicted: Prediction) -> Command:
    """Mostly a payment; sometimes one again, one that is stale, wrong, or under a used key."""
    payer, payee = chance.sample(PURSES, 2)
    key = f"key {len(sent)}"
    made = pay(key, chance.randrange(1, 10 ** chance.randrange(1, 13)), payer, payee)
    kind = chance.random()
    if kind < 0.10 and sent:
        return chance.choice(sent)
    if kind < 0.15 and sent:
        return replace(made, key=chance.choice(sent).key)
    if kind < 0.30:
        stream = f"purse:{chance.choice(PURSES)}"
        return replace(made, expects={stream: predicted.versions[stream] - chance.randrange(2)})
    if kind < 0.33:
        return pay(key, chance.choice((0, -1, 10**12 + 1)), payer, payee)
    if kind < 0.34:
        return replace(made, name="steal")
    return made


def run(url: str, commands: int, seed: int) -> None:
    chance, predicted = random.Random(seed), Prediction()
    sent: list[Command] = []
    while len(sent) < commands:
        # Between these the journal is closed and opened again, and two of them may share a floor.
        with (
            Journal(url, Bank(), seal_every=chance.randrange(1, 2000)) as one,
            Journal(url, Bank(), most_at_once=chance.randrange(1, 65)) as other,
        ):
            for _ in range(chance.randrange(1, 6)):
                journal = chance.choice((one, other))
                waiting: list[tuple[Command, Expected, Future[Answer]]] = []
                for _ in range(chance.randrange(1, commands // 15)):
                    command = some_command(chance, sent, predicted)
                    sent.append(command)
                    waiting.append((command, predicted.answer(command), journal.submit(command)))
                for command, expected, future in waiting:
                    assert outcome(future) == expected, command
    compare(url, predicted)


def outcome(future: "Future[Answer]") -> Expected:
    try:
        return dict(future.result())
    except Refused as refused:
        return refused.reason


def compare(url: str, predicted: Prediction) -> None:
    assert sound(url).events == predicted.events
    sides = look(url, "SELECT name, debits, credits FROM account")
    assert {name: (debits, credits_) for name, debits, credits_ in sides} == {
        f"purse:{name}": (predicted.received[name], predicted.paid[name]) for name in PURSES
    }
    versions = look(url, "SELECT name, version FROM stream")
    assert dict(versions) == {name: at for name, at in predicted.versions.items() if at}
    kept = look(url, "SELECT key FROM event WHERE kind = 'paid'")
    assert {key for (key,) in kept} == predicted.known.keys()
    assert len(predicted.refusals) > predicted.events // 50


def test_two_thousand_commands_are_answered_as_predicted(database: str) -> None:
    run(database, 2_000, seed=12)


@pytest.mark.soak
def test_a_hundred_thousand_commands_are_answered_as_predicted(database: str) -> None:
    run(database, 100_000, seed=13)
