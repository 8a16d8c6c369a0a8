"""Several writers on one floor: each sees what the others wrote before it decides."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import product

import pytest

from houseway.journal.journal import Journal
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, audited, look, pay, payment, sound
from tests.journal.writers import writers


def test_two_journals_in_turn_count_on(database: str) -> None:
    with Journal(database, Bank()) as one, Journal(database, Bank()) as other:
        for number in range(20):
            journal = (one, other)[number % 2]
            assert journal.do(pay(f"{number}"))["paid"] == 5 * (number + 1)
        assert one.do(pay("19")) == other.do(pay("19")) == {"paid": 100}
    assert look(database, "SELECT count(*) FROM event") == [(40,)]
    sound(database)


def test_what_one_journal_wrote_is_stale_for_the_other(database: str) -> None:
    with Journal(database, Bank()) as one, Journal(database, Bank()) as other:
        one.do(replace(pay("one"), expects={"purse:ann": 0}))
        with pytest.raises(Refused, match="purse:ann is at version 1, not 0") as told:
            other.do(replace(pay("two"), expects={"purse:ann": 0}))
        assert told.value.reason is Reason.STALE_VERSION
        other.do(replace(pay("two"), expects={"purse:ann": 1}))
        with pytest.raises(Refused, match="was used for another command"):
            one.do(pay("two", 6))
    sound(database)


def test_four_journals_on_one_hot_account_lose_nothing(database: str) -> None:
    """64 clients, four writers, two purses; every command goes to two of the writers."""
    with ExitStack() as stack:
        journals = [stack.enter_context(Journal(database, Bank(), seal_every=64)) for _ in range(4)]

        def client(number: int) -> list[int]:
            answers = []
            for command in range(8):
                key = f"{number}-{command}"
                first = journals[number % 4].submit(pay(key))
                second = journals[(number + command) % 4].submit(pay(key))
                answers.append(int(first.result()["paid"]))
                assert second.result()["paid"] == answers[-1]
            return answers

        with ThreadPoolExecutor(64) as pool:
            answers = [paid for told in pool.map(client, range(64)) for paid in told]
    assert sorted(answers) == [*range(5, 5 * 512 + 1, 5)]
    assert look(database, "SELECT credits FROM account WHERE name = 'purse:ann'") == [(5 * 512,)]
    sound(database)


def test_processes_that_start_together_lose_nothing(database: str) -> None:
    """They also make the tables together, and one that is done seals while the others go on."""
    runs = {"one": 40, "two": 20, "three": 60}
    with writers(database) as made:
        started = [made.start(name, threads=4, count=count) for name, count in runs.items()]
        made.listen(lambda: all(run.status is not None for run in started))
    assert [run.status for run in started] == [0, 0, 0]
    acknowledged = {key: paid for run in started for key, paid in run.acknowledged.items()}
    expected = {
        f"{name}-{thread}-{number}"
        for name, count in runs.items()
        for thread, number in product(range(4), range(count))
    }
    assert {*acknowledged} == expected
    assert sorted(look(database, "SELECT key FROM event WHERE part = 0")) == sorted(
        (key,) for key in expected
    )
    owed = sum(int(payment(key).arguments["amount"]) for key in expected)
    assert look(database, "SELECT sum(debits), sum(credits) FROM account") == [(owed, owed)]
    assert sound(database).unsealed == 0


def test_a_seal_that_another_wrote_is_followed(database: str) -> None:
    """A journal that closes seals without an event: who goes on must not seal the same again."""
    other = Journal(database, Bank(), seal_every=4)
    one = Journal(database, Bank())
    other.do(pay("one"))
    one.do(pay("two"))
    assert look(database, "SELECT count(*) FROM seal") == [(0,)]
    one.close()
    assert look(database, "SELECT number, position FROM seal") == [(1, 4)]
    # Without looking again it would now write seal 1 a second time.
    assert other.do(pay("three"))["paid"] == 15
    other.close()
    places = look(database, "SELECT number, position FROM seal ORDER BY number")
    assert places == [(1, 4), (2, 6)]
    sound(database)


def test_an_audit_of_a_floor_in_use_sees_one_moment(database: str) -> None:
    """Events, balances and heads are read one after the other, and all belong together."""
    with writers(database) as made:
        run = made.start("run", threads=4)
        for number in range(1, 13):
            made.listen(lambda number=number: len(run.acknowledged) >= 20 * number)  # type: ignore[misc]
            found = audited(database)
            assert found.finding is None
            assert found.events >= 40 * number
