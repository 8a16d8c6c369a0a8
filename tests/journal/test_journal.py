"""The journal: what is answered is written, once, and what fails leaves nothing behind."""

import json
import re
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import event

from houseway.journal.audit import FIRST
from houseway.journal.event import NO_HASH, Command, Draft, Entry, Event, Transfer
from houseway.journal.journal import Answer, Journal, events
from houseway.journal.state import Balance, State
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, Gate, look, pay, payment, sound
from tests.journal.databases import mostly_on_one_kind
from tests.journal.writers import writers

EVENTS = "SELECT count(*) FROM event"
ACCOUNTS = "SELECT name, debits, credits FROM account ORDER BY name"


def refused(future: "Future[Answer]", reason: Reason, match: str | None = None) -> None:
    with pytest.raises(Refused, match=match) as told:
        future.result()
    assert told.value.reason is reason


# Answers and keys.


def test_an_answer_is_given_after_the_commit(database: str) -> None:
    seen: list[Any] = []
    with Journal(database, Bank()) as journal:
        journal.do(pay("before"))
        future = journal.submit(pay("one"))
        # Whoever is called back first sees the command from outside already.
        future.add_done_callback(lambda _: seen.append(look(database, EVENTS)))
        assert future.result() == {"paid": 10}
    assert seen == [[(4,)]]
    sound(database)


def test_nothing_can_be_seen_before_the_commit(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        first = journal.submit(pay("gate"))
        gate.reached.wait()
        assert look(database, EVENTS) == [(0,)]
        assert not first.done()
        gate.opened.set()
        first.result()
        assert look(database, EVENTS) == [(2,)]


def test_the_same_key_again_changes_nothing_and_is_answered_as_before(database: str) -> None:
    with Journal(database, Bank()) as journal:
        assert journal.do(pay("one", 5)) == {"paid": 5}
        assert journal.do(pay("two", 7)) == {"paid": 12}
        before = look(database, ACCOUNTS)
        for _ in range(3):
            assert journal.do(pay("one", 5)) == {"paid": 5}
        assert look(database, EVENTS) == [(4,)]
        assert look(database, ACCOUNTS) == before == [("purse:ann", 0, 12), ("purse:bob", 12, 0)]
    sound(database)


@mostly_on_one_kind
def test_the_same_key_within_one_batch_is_done_once(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        futures = gate.one_batch(journal, [pay("one"), pay("two"), pay("one"), pay("one")])
        assert [future.result()["paid"] for future in futures] == [5, 10, 5, 5]
    assert look(database, EVENTS) == [(2 + 4,)]
    sound(database)


def test_the_same_key_after_a_restart_is_done_once(database: str) -> None:
    for _ in range(3):
        with Journal(database, Bank()) as journal:
            assert journal.do(pay("one")) == {"paid": 5}
            assert journal.do(pay("two")) == {"paid": 10}
    assert look(database, EVENTS) == [(4,)]
    sound(database)


@mostly_on_one_kind
def test_the_same_key_from_another_process_is_done_once(database: str) -> None:
    with Journal(database, Bank()) as journal, writers(database) as others:
        here = journal.do(payment("run-0-0"))["paid"]
        run = others.start("run", threads=1, count=2)
        others.listen(lambda: run.status is not None)
        assert run.status == 0
        assert run.acknowledged["run-0-0"] == here
        assert journal.do(payment("run-0-1"))["paid"] == run.acknowledged["run-0-1"]
    assert look(database, EVENTS) == [(4,)]
    sound(database)


def test_a_key_that_was_used_for_another_command_is_refused(database: str) -> None:
    others = [
        pay("one", 6),
        pay("one", payee="cyd"),
        replace(pay("one"), actor="dealer:eve"),
        replace(pay("one"), name="repay"),
    ]
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        for other in others:
            refused(journal.submit(other), Reason.KEY_USED, "key 'one' was used for another")
        assert journal.do(pay("one")) == {"paid": 5}
    # Somebody tried something else under a used key: that is worth keeping.
    assert kept_refusals(database) == [("key_used", "one")] * 4
    assert look(database, ACCOUNTS) == [("purse:ann", 0, 5), ("purse:bob", 5, 0)]
    sound(database)


@mostly_on_one_kind
def test_what_the_caller_has_seen_belongs_to_the_caller_not_to_the_command(database: str) -> None:
    """Who lost the answer and looks again asks for the same, whatever version there is now."""
    with Journal(database, Bank()) as journal:
        first = replace(pay("one"), expects={"purse:ann": 0})
        assert journal.do(first) == {"paid": 5}
        assert journal.do(first) == {"paid": 5}
        assert journal.do(replace(first, expects={"purse:ann": 1})) == {"paid": 5}


# Refusals.


def kept_refusals(database: str) -> list[tuple[str, str]]:
    kept = look(database, "SELECT body FROM event WHERE stream = 'refusals' ORDER BY version")
    documents = [json.loads(body)["data"] for (body,) in kept]
    return [(document["reason"], document["key"]) for document in documents]


def test_a_command_for_another_version_is_refused(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(replace(pay("one"), expects={"purse:ann": 0, "purse:bob": 0}))
        journal.do(replace(pay("two"), expects={"purse:ann": 1}))
        for expected in (0, 1, 3):
            stale = replace(pay("three"), expects={"purse:bob": 2, "purse:ann": expected})
            refused(
                journal.submit(stale),
                Reason.STALE_VERSION,
                f"purse:ann is at version 2, not {expected}; look again",
            )
        journal.do(replace(pay("three"), expects={"purse:ann": 2}))
    assert kept_refusals(database) == [("stale_version", "three")] * 3
    sound(database)


# Commands that are asked about first.


def test_what_would_be_done_is_asked_without_writing_anything(database: str) -> None:
    with Journal(database, Bank()) as journal:
        assert journal.ask(pay("one")) is None
        assert look(database, EVENTS) == [(0,)]
        journal.do(pay("one"))
        # A used key is known by what it did, and to nobody else.
        assert journal.ask(pay("one", amount=7)) == pay("one").digest
        with pytest.raises(Refused, match="key 'one' was used"):
            journal.ask(replace(pay("one"), actor="dealer:dee"))
        with pytest.raises(Refused, match="amount 0"):
            journal.ask(pay("two", amount=0))
        # What was refused may be asked for again.
        assert journal.do(pay("two"))["paid"] == 10
    assert kept_refusals(database) == [("key_used", "one"), ("not_an_amount", "two")]
    sound(database)


def test_what_the_house_vouches_for_is_in_no_refusal(database: str) -> None:
    with Journal(database, Bank()) as journal:
        asked = replace(pay("one"), arguments={"payer": "ann"}, vouched={"payee": "bob"})
        for amount in (0, -1):
            with pytest.raises(Refused):
                journal.do(replace(asked, known={"amount": amount}))
        [first, second] = [
            json.loads(body)["data"] for (body,) in look(database, "SELECT body FROM event")
        ]
        assert first["excerpt"] == second["excerpt"] == {"payer": "ann"}
        assert first["digest"] == second["digest"]
        assert journal.do(replace(asked, known={"amount": 5})) == {"paid": 5}
        # The moment may be another when the same is asked again; what is vouched for may not.
        assert journal.do(replace(asked, known={"amount": 6})) == {"paid": 5}
        refused(
            journal.submit(replace(asked, vouched={"payee": "cyd"}, known={"amount": 5})),
            Reason.KEY_USED,
        )
    sound(database)


@mostly_on_one_kind
def test_of_two_commands_for_one_version_in_one_batch_the_second_is_refused(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        both = [replace(pay(key), expects={"purse:ann": 0}) for key in ("one", "two")]
        first, second = gate.one_batch(journal, both)
        assert first.result() == {"paid": 5}
        refused(second, Reason.STALE_VERSION)
    sound(database)


def test_a_refusal_is_kept_and_changes_nothing_else(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        others = "SELECT name, version, state FROM stream WHERE name <> 'refusals' ORDER BY name"
        before = look(database, others), look(database, ACCOUNTS)
        refused(journal.submit(pay("two", -3)), Reason.NOT_AN_AMOUNT, "amount -3 cannot be paid")
        assert (look(database, others), look(database, ACCOUNTS)) == before
        with journal.engine.connect() as connection:
            [kept] = events(connection, stream="refusals")
        assert (kept.kind, kept.actor, kept.part, kept.transfers) == (
            "refused",
            "dealer:dan",
            0,
            [],
        )
        assert kept.data == {
            "command": "pay",
            "digest": "0d3fb8e50af0c20dc0b15172d876b944925210725743cc138b992ef95bee7550",
            "excerpt": {"payer": "ann", "payee": "bob", "amount": "-3"},
            "key": "two",
            "reason": "not_an_amount",
            "clause": None,
            "message": "amount -3 cannot be paid",
        }
        # Nothing was done under the key, so it may still be used.
        assert journal.do(pay("two")) == {"paid": 10}
    sound(database)


def test_a_refused_command_takes_little_room_whatever_it_was_given(tmp_path: Path) -> None:
    """A record is never made shorter, so nobody with a card may make it long."""
    long = {"payer": "ann", "payee": "\U0001f0a1" * 20_000, "x" * 5_000: ["\x00"] * 5_000}
    commands = [
        replace(pay("one"), name="n" * 60_000, arguments=long),
        replace(pay("one"), arguments={**pay("one").arguments, "amount": "9" * 60_000}),
        replace(
            pay("one"),
            arguments={**pay("one", 0).arguments, **{f"{n}": "y" * 39 for n in range(1000)}},
        ),
        replace(
            pay("\U0001f0a1" * 100), arguments={"payer": "\x01" * 10**5, "payee": "", "amount": {}}
        ),
    ]
    with Journal(f"sqlite:///{tmp_path}/bank.sqlite", Bank()) as journal:
        for command in commands:
            with pytest.raises(Refused):
                journal.do(command)
        with journal.engine.connect() as connection:
            found = events(connection, stream="refusals")
    assert len(found) == len(commands)
    for event_ in found:
        assert len(event_.body.encode()) < 1_600, event_
        assert event_.data["excerpt"], event_
    # Another digest for other arguments, though the excerpt is the same.
    assert len({event_.data["digest"] for event_ in found}) == len(commands)


@mostly_on_one_kind
def test_the_same_refused_command_is_kept_as_often_as_it_comes(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        for future in gate.one_batch(journal, [pay("one", 0), pay("one", 0), pay("one", 0)]):
            refused(future, Reason.NOT_AN_AMOUNT)
    assert kept_refusals(database) == [("not_an_amount", "one")] * 3
    sound(database)


# Mistakes of our own.


class Clumsy(Bank):
    """A bank whose command 'entry' comes to whatever it is told."""

    def decide(self, state: State, command: Command) -> Entry:
        if command.name != "entry":
            return super().decide(state, command)
        made = self.entries[command.key]
        return made if isinstance(made, Entry) else Entry(events=[made], answer={})

    def __init__(self, entries: Mapping[str, Entry | Draft]) -> None:
        self.entries = entries


def paid(stream: str = "purse:ann", *moved: Transfer, **data: Any) -> Draft:
    return Draft(stream=stream, kind="paid", data={"amount": 1, **data}, transfers=moved)


MISTAKES: Mapping[str, Entry | Draft] = {
    "no event": Entry(events=[], answer={"done": True}),
    "answer is no JSON": Entry(events=[paid()], answer={"odd": {1, 2}}),
    "answer is no number": Entry(events=[paid()], answer={"odd": float("nan")}),
    "data is no JSON": paid(odd=object()),
    "data does not suit the model": paid(amount="many"),
    "no stream": paid(""),
    "stream too long": paid("s" * 81),
    "stream of refusals": paid("refusals"),
    "stream with a zero": paid("purse:\0"),
    "stream that is half a character": paid("purse:\ud800"),
    "no kind": Draft(stream="purse:ann", kind="", data={"amount": 1}),
    "kind too long": Draft(stream="purse:ann", kind="k" * 41, data={"amount": 1}),
    "no amount": paid("purse:ann", Transfer("a", "b", 0)),
    "amount below zero": paid("purse:ann", Transfer("a", "b", -1)),
    "amount too large": paid("purse:ann", Transfer("a", "b", 2**63)),
    "amount is a fraction": paid("purse:ann", Transfer("a", "b", 1.5)),  # type: ignore[arg-type]
    "amount is a truth": paid("purse:ann", Transfer("a", "b", True)),
    "to itself": paid("purse:ann", Transfer("a", "a", 1)),
    "account too long": paid("purse:ann", Transfer("a" * 121, "b", 1)),
    "account with a zero": paid("purse:ann", Transfer("a", "\0", 1)),
    "balance too large": paid("purse:ann", Transfer("a", "b", 2**63 - 1), Transfer("a", "c", 1)),
    "second event too long": Entry(events=[paid(), paid("s" * 81)], answer={}),
}


def test_a_mistake_of_ours_fails_its_command_alone(database: str) -> None:
    """On both databases, alone as well as between others: nothing of it is written."""
    wrongs = [
        Command(name="entry", arguments={}, actor="dealer:dan", key=mistake) for mistake in MISTAKES
    ]
    with Journal(database, Clumsy(MISTAKES)) as journal:
        journal.do(pay("one"))
        for number, wrong in enumerate(wrongs):
            with pytest.raises((AssertionError, TypeError, ValueError)):
                journal.do(wrong)
            good = pay(f"good {number}")
            futures = [journal.submit(command) for command in (good, wrong, good)]
            assert futures[0].result() == futures[2].result() == {"paid": 10 + 5 * number}
            with pytest.raises((AssertionError, TypeError, ValueError)):
                futures[1].result()
    assert look(database, EVENTS) == [(2 + 2 * len(MISTAKES),)]
    sound(database)


@mostly_on_one_kind
def test_a_failing_decision_does_not_take_the_batch_with_it(database: str) -> None:
    gate = Gate()
    fail = Command(name="fail", arguments={}, actor="dealer:dan", key="fail")
    with Journal(database, gate) as journal:
        one, two, three, four = gate.one_batch(
            journal, [pay("one"), fail, pay("two"), pay("three", 0)]
        )
        assert (one.result(), three.result()) == ({"paid": 5}, {"paid": 10})
        with pytest.raises(RuntimeError, match="our own mistake"):
            two.result()
        refused(four, Reason.NOT_AN_AMOUNT)
        assert journal.do(pay("four")) == {"paid": 15}
    assert look(database, "SELECT count(*) FROM event WHERE key = 'fail'") == [(0,)]
    sound(database)


# Names and data.

ODD = (
    "it's",
    'say "hi"; DROP TABLE event; --',
    "100% of :this, {that} and [those] \\ /",
    "K\N{BLACK HEART SUIT} 9\N{BLACK CLUB SUIT}",
    "\N{SLOT MACHINE}\N{GAME DIE}",
    "e\N{COMBINING ACUTE ACCENT} is not \N{LATIN SMALL LETTER E WITH ACUTE}",
    "\N{HEBREW LETTER ALEF}\N{ARABIC LETTER BEH}\N{CJK UNIFIED IDEOGRAPH-4E2D}",
    " ",
    "trailing ",
    "refused:1",
    "NULL",
    "k" * 70,
)


def test_odd_characters_come_back_as_they_went_in(database: str) -> None:
    for again in range(2):
        with Journal(database, Bank()) as journal:
            for name in ODD:
                assert journal.do(pay(name, 3, payer=name, payee="bob")) == {"paid": 3}, again
    assert look(database, EVENTS) == [(2 * len(ODD),)]
    names = {name for (name,) in look(database, "SELECT name FROM stream")}
    assert names == {f"purse:{name}" for name in (*ODD, "bob")}
    assert {key for (key,) in look(database, "SELECT DISTINCT key FROM event")} == {*ODD}
    sound(database)


def test_names_that_differ_in_little_are_different(database: str) -> None:
    alike = ["key", "Key", "key ", " key", "ke\N{CYRILLIC SMALL LETTER U}", "k\N{KELVIN SIGN}ey"]
    alike += ["\N{LATIN SMALL LETTER E WITH ACUTE}", "e\N{COMBINING ACUTE ACCENT}"]
    with Journal(database, Bank()) as journal:
        for number, name in enumerate(alike, 1):
            assert journal.do(pay(name))["paid"] == 5 * number
        for name in alike:
            assert journal.do(pay(f"p{name}", payer=name))["paid"] == 5
    sound(database)


def test_any_text_may_stand_in_arguments_data_and_answers(database: str) -> None:
    strange = "".join(map(chr, [*range(0x300), 0xDFFF, 0xD800, 0xFFFE, 0x1F0A1, 0x10FFFF]))
    note = {"note": strange, strange: [1, -(2**70), 0.1, True, None, {"deep": [[[strange]]]}]}
    drafts = [Draft(stream="purse:ann", kind="noted", data={"amount": 1, **note})]
    model = Clumsy({"note": Entry(events=drafts, answer=note)})
    asked = Command(name="entry", arguments=note, actor="dealer:dan", key="note")
    answers = []
    for _ in range(2):
        with Journal(database, model) as journal:
            answers.append(journal.do(asked))
            unknown = replace(asked, name=strange, key="other")
            refused(journal.submit(unknown), Reason.BAD_ARGUMENT, "is unknown; known: pay")
            with journal.engine.connect() as connection:
                [kept] = events(connection, stream="purse:ann")
    assert answers == [note, note]
    assert kept.data == {"amount": 1, **note}
    sound(database, model)


@mostly_on_one_kind
def test_what_is_no_key_or_actor_is_refused_before_it_is_queued(database: str) -> None:
    with Journal(database, Bank()) as journal:
        for wrong in ("", "k" * 101, "a\nb", "a\0b", "\ud800", "\N{NO-BREAK SPACE}"):
            for command in (pay(wrong), replace(pay("key"), actor=wrong)):
                refused(journal.submit(command), Reason.BAD_ARGUMENT, "printable characters")
        for other in (7, None, b"key"):
            command = replace(pay("key"), key=other)  # type: ignore[arg-type]
            refused(journal.submit(command), Reason.BAD_ARGUMENT, f"key {other!r} is no key")
        assert journal.do(pay("key")) == {"paid": 5}
    assert look(database, EVENTS) == [(2,)]


@mostly_on_one_kind
def test_arguments_that_cannot_be_written_down_are_refused(database: str) -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with Journal(database, Bank()) as journal:
        for wrong in ({1, 2}, float("nan"), float("inf"), object(), b"x", endless, deep):
            arguments = {**pay("key").arguments, "note": wrong}
            refused(
                journal.submit(replace(pay("key"), arguments=arguments)),
                Reason.BAD_ARGUMENT,
                "cannot be written as JSON",
            )
        assert journal.do(pay("key")) == {"paid": 5}
    sound(database)


# Opening, closing, sealing.


def test_a_restart_goes_on_where_the_journal_stood(database: str) -> None:
    for number in range(1, 6):
        with Journal(database, Bank()) as journal:
            assert journal.do(pay(f"key {number}"))["paid"] == 5 * number
    places = look(database, "SELECT position, stream, version FROM event ORDER BY position")
    assert [place for place, *_ in places] == [*range(1, 11)]
    assert [v for _, stream, v in places if stream == "purse:ann"] == [1, 2, 3, 4, 5]
    assert sound(database).seals == 5


def test_closing_seals_and_sealing_needs_something_new(database: str) -> None:
    with Journal(database, Bank()) as journal:
        journal.do(pay("one"))
        assert look(database, "SELECT count(*) FROM seal") == [(0,)]
    assert look(database, "SELECT number, position, prior FROM seal") == [(1, 2, NO_HASH)]
    for _ in range(2):
        Journal(database, Bank()).close()
    found = sound(database)
    assert (found.seals, found.unsealed, found.events) == (1, 0, 2)
    assert FIRST == NO_HASH


@mostly_on_one_kind
def test_a_seal_is_written_when_enough_has_happened(database: str) -> None:
    with Journal(database, Bank(), seal_every=6) as journal:
        for number in range(10):
            journal.do(pay(f"key {number}"))
    assert look(database, "SELECT position FROM seal ORDER BY number") == [
        (6,),
        (12,),
        (18,),
        (20,),
    ]
    sound(database)


@mostly_on_one_kind
def test_what_waits_when_the_journal_is_closed_is_written(database: str) -> None:
    gate = Gate()
    journal = Journal(database, gate)
    journal.submit(pay("gate"))
    gate.reached.wait()
    futures = [journal.submit(pay(f"key {number}")) for number in range(100)]
    closing = Thread(target=journal.close)
    closing.start()
    gate.opened.set()
    closing.join()
    assert [future.result()["paid"] for future in futures] == [*range(10, 506, 5)]
    assert sound(database).unsealed == 0


@mostly_on_one_kind
def test_a_closed_journal_refuses_and_closing_again_is_nothing(database: str) -> None:
    journal = Journal(database, Bank())
    journal.do(pay("one"))
    journal.close()
    journal.close()
    refused(journal.submit(pay("two")), Reason.JOURNAL_UNAVAILABLE, "the journal is closed")
    assert look(database, EVENTS) == [(2,)]


@mostly_on_one_kind
def test_whoever_asks_while_the_journal_closes_gets_an_answer(database: str) -> None:
    """Written or refused: nobody waits for ever, and what was answered is there."""
    for number in range(10):
        journal = Journal(database, Bank())

        def ask(client: int, journal: Journal = journal, number: int = number) -> list[str]:
            answered = []
            for command in range(1000):
                key = f"{number}-{client}-{command}"
                try:
                    journal.submit(pay(key)).result()
                except Refused:
                    break
                answered.append(key)
            return answered

        with ThreadPoolExecutor(4) as pool:
            clients = [pool.submit(ask, client) for client in range(4)]
            journal.do(pay(f"{number}"))
            journal.close()
        kept = {key for (key,) in look(database, "SELECT key FROM event WHERE part = 0")}
        assert {key for client in clients for key in client.result()} <= kept
    sound(database)


# Many at once.


@mostly_on_one_kind
def test_64_clients_are_written_with_one_commit(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        commits: list[object] = []
        event.listen(journal.engine, "commit", commits.append)
        with ThreadPoolExecutor(64) as pool:
            first = journal.submit(pay("gate", payer="gate"))
            gate.reached.wait()
            futures = list(pool.map(lambda n: journal.submit(pay(f"{n}")), range(64)))
            gate.opened.set()
            first.result()
        assert sorted(future.result()["paid"] for future in futures) == [*range(5, 325, 5)]
        assert len(commits) == 2
    assert look(database, EVENTS) == [(2 + 128,)]
    sound(database)


def test_64_threads_lose_nothing(database: str) -> None:
    def client(thread: int) -> list[int]:
        keys = [f"{thread}-{number}" for number in range(10)]
        # Every command twice, as from a client that got no answer the first time.
        futures = [journal.submit(pay(key)) for key in keys for _ in range(2)]
        answers = [int(future.result()["paid"]) for future in futures]
        assert answers[::2] == answers[1::2]
        return answers[::2]

    with Journal(database, Bank(), seal_every=100) as journal, ThreadPoolExecutor(64) as pool:
        answers = [paid for told in pool.map(client, range(64)) for paid in told]
    assert sorted(answers) == [*range(5, 3205, 5)]
    assert look(database, ACCOUNTS) == [("purse:ann", 0, 3200), ("purse:bob", 3200, 0)]
    sound(database)


@mostly_on_one_kind
def test_who_stops_waiting_does_not_stop_the_journal(database: str) -> None:
    gate = Gate()
    with Journal(database, gate) as journal:
        first = journal.submit(pay("gate"))
        gate.reached.wait()
        waiting = journal.submit(pay("one"))
        assert waiting.cancel()
        # What is under way cannot be taken back.
        assert not first.cancel()
        gate.opened.set()
        assert first.result() == {"paid": 5}
        assert journal.do(pay("two")) == {"paid": 10}
    assert look(database, "SELECT count(*) FROM event WHERE key = 'one'") == [(0,)]
    sound(database)


# Reading.


def test_events_are_read_in_order_by_stream_and_by_place(database: str) -> None:
    with Journal(database, Bank()) as journal:
        for number in range(4):
            journal.do(pay(f"{number}", number + 1))
        with journal.engine.connect() as connection:
            every = events(connection)
            assert [found.position for found in every] == [*range(1, 9)]
            assert every[2:] == events(connection, after=2)
            ann = events(connection, stream="purse:ann")
            assert [found.data["amount"] for found in ann] == [1, 2, 3, 4]
            assert ann[3:] == events(connection, stream="purse:ann", after=3)
            assert events(connection, stream="purse:cyd") == []
    first = every[0]
    assert isinstance(first, Event)
    assert first.transfers == [Transfer("purse:bob", "purse:ann", 1)]
    assert (first.schema, first.prior, first.kind, first.key) == (1, NO_HASH, "paid", "0")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", first.at)


def test_balances_of_accounts_that_nobody_used_are_nothing() -> None:
    state = State()
    assert state.balance("purse:ann") == Balance(0, 0)
    state.book([Transfer("purse:bob", "purse:ann", 3)])
    assert (state.owed("purse:ann"), state.owed("purse:bob")) == (3, -3)
