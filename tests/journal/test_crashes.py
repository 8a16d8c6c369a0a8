"""Crashes: whatever was acknowledged is there once, and nothing is there by half."""

import random
import time

import pytest

from houseway.journal.audit import Audit
from houseway.journal.journal import Journal
from tests.journal.bank import Bank, look, payment, sound
from tests.journal.databases import Server
from tests.journal.databases import server as new_server
from tests.journal.writers import Run, Writers, writers

THREADS = 8


def check(url: str, acknowledged: dict[str, int]) -> Audit:
    """Hold a journal against what its clients were told."""
    found = sound(url)
    rows = look(url, "SELECT key, body FROM event WHERE kind = 'paid' ORDER BY position")
    keys = [key for key, _ in rows]
    assert len({*keys}) == len(keys)
    assert acknowledged.keys() <= {*keys}
    amounts = [int(payment(key).arguments["amount"]) for key in keys]
    [sides] = look(url, "SELECT coalesce(sum(debits), 0), coalesce(sum(credits), 0) FROM account")
    assert sides == (sum(amounts), sum(amounts))
    # What a purse had paid in all, in the order of the journal, is what each was answered.
    paid: dict[str, int] = {}
    for key, amount in zip(keys, amounts, strict=True):
        payer = str(payment(key).arguments["payer"])
        paid[payer] = paid.get(payer, 0) + amount
        assert acknowledged.get(key, paid[payer]) == paid[payer]
    return found


def kill_some(url: str, kills: int, seed: int) -> None:
    """Kill a process with eight clients again and again, each time on what the last one left."""
    chance = random.Random(seed)
    acknowledged: dict[str, int] = {}
    with writers(url) as made:
        for number in range(kills):
            run = made.start(f"run{number}", threads=THREADS)
            # The first dies while it makes the tables, others while they open or write.
            enough = 0 if number % 10 == 0 else chance.randrange(1, 60)
            made.listen(lambda run=run, enough=enough: seen(run, enough))  # type: ignore[misc]
            time.sleep(chance.random() * (0.1 if enough == 0 else 0.004))
            run.kill()
            made.listen(lambda run=run: run.status is not None)  # type: ignore[misc]
            assert run.status == -9
            assert len(run.acknowledged) >= enough
            acknowledged |= run.acknowledged
            if number:
                check(url, acknowledged)
        assert len(acknowledged) > 10 * kills
        finish(url, made, acknowledged)


def seen(run: Run, enough: int) -> bool:
    return run.process != 0 and len(run.acknowledged) >= enough


def finish(url: str, made: Writers, acknowledged: dict[str, int]) -> None:
    """Go on with what is left: every client asks again, also for what it was told already."""
    before = look(url, "SELECT count(*) FROM event")
    with Journal(url, Bank()) as journal:
        answers = {key: journal.submit(payment(key)) for key in acknowledged}
        assert {key: told.result()["paid"] for key, told in answers.items()} == acknowledged
        assert look(url, "SELECT count(*) FROM event") == before
    last = made.start("last", threads=THREADS, count=3)
    made.listen(lambda: last.status is not None)
    assert last.status == 0
    assert len(last.acknowledged) == 3 * THREADS
    assert check(url, acknowledged | last.acknowledged).unsealed == 0


def kills_for(url: str, sqlite: int, postgresql: int) -> int:
    return sqlite if url.startswith("sqlite") else postgresql


def test_a_killed_process_loses_nothing_it_has_answered(database: str) -> None:
    kill_some(database, kills_for(database, 6, 5), seed=9)


@pytest.mark.soak
def test_many_killed_processes_lose_nothing_they_have_answered(database: str) -> None:
    kill_some(database, kills_for(database, 300, 100), seed=10)


def test_one_of_two_processes_is_killed_and_the_other_goes_on(database: str) -> None:
    """A lock that died with its holder holds nobody up."""
    with writers(database) as made:
        stays = made.start("stays", threads=2, count=150)
        acknowledged: dict[str, int] = {}
        for number in range(5):
            run = made.start(f"dies{number}", threads=4)
            made.listen(lambda run=run: seen(run, 15))  # type: ignore[misc]
            run.kill()
            made.listen(lambda run=run: run.status is not None)  # type: ignore[misc]
            acknowledged |= run.acknowledged
        made.listen(lambda: stays.status is not None)
    assert stays.status == 0
    assert len(stays.acknowledged) == 300
    check(database, acknowledged | stays.acknowledged)


def stop_under_load(server: Server, rounds: int, seed: int) -> None:
    chance, url = random.Random(seed), server.new_database()
    with writers(url) as made:
        run = made.start("run", threads=THREADS)
        for number in range(rounds):
            enough = len(run.acknowledged) + chance.randrange(20, 200)
            made.listen(lambda enough=enough: seen(run, enough))  # type: ignore[misc]
            server.stop(immediate=True)
            # The clients are refused and try again with the same key, as the refusal says.
            told = len(run.acknowledged)
            server.start()
            made.listen(lambda told=told: len(run.acknowledged) > told + 200)  # type: ignore[misc]
            assert run.status is None, number
        run.kill()
        made.listen(lambda: run.status is not None)
        check(url, run.acknowledged)
        finish(url, made, run.acknowledged)


def test_a_server_that_stops_at_once_loses_nothing_it_has_answered() -> None:
    # One of its own: after a crash it makes all files of all databases safe, and others have many.
    with new_server() as server:
        stop_under_load(server, rounds=1, seed=4)


@pytest.mark.soak
def test_a_server_that_stops_many_times_loses_nothing_it_has_answered() -> None:
    with new_server() as server:
        stop_under_load(server, rounds=25, seed=5)


def test_a_journal_that_never_closed_is_sealed_by_the_next(database: str) -> None:
    """A process that died wrote no seal at its end; the next one covers what it left."""
    with writers(database) as made:
        run = made.start("run", threads=2)
        made.listen(lambda: seen(run, 10))
        run.kill()
        made.listen(lambda: run.status is not None)
    Journal(database, Bank()).close()
    assert check(database, run.acknowledged).unsealed == 0
