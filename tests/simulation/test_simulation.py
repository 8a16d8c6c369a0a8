"""Simulated floors hold under faults, replay exactly, and find mistakes that are put in."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests import ROOT
from tests.floor.workload import set_up
from tests.simulation.disk import PLACES, Plan
from tests.simulation.planted import PLANTED, planted
from tests.simulation.runs import LENGTH, Totals, run_floor
from tests.simulation.world import LOCK, Delivery, Order, World


def sound(world: World) -> World:
    """A floor on which every judge held."""
    if world.broken is not None:
        raise world.broken
    return world


KINDS = (
    *(*PLACES, LOCK, "our own mistake", "clock set", "held back"),
    *("delivered twice", "request lost", "answer lost", "sent again in vain"),
)


def test_a_floor_loses_and_doubles_nothing_under_faults(tmp_path: Path) -> None:
    totals = Totals()
    totals.add(1, sound(run_floor(1, 400, tmp_path)))
    assert totals.commands >= 400
    assert totals.acknowledged > 200
    assert len(totals.faults) > len(KINDS) // 2
    assert totals.text().endswith("every judge held")


def test_a_seed_does_the_same_again(tmp_path: Path) -> None:
    first, second = (sound(run_floor(4, 150, tmp_path)) for _ in range(2))
    assert first.judge.last_hash == second.judge.last_hash
    assert first.faults == second.faults
    assert [*first.log] == [*second.log]
    assert sound(run_floor(5, 150, tmp_path)).judge.last_hash != first.judge.last_hash


class Low(Random):
    """Of what happens by halves, the first half: whoever is killed at a commit has done it."""

    def random(self) -> float:
        return 0.0


def killed(folder: Path, skip: int, orders: Callable[[World], list[Order]]) -> int:
    """How many events a process writes that is killed while it closes with orders, one by one."""
    folder.mkdir()
    world = World(1, folder)
    set_up(world.day)
    process = world.some_process()
    process.most = process.journal._most = 1
    for order in orders(world):
        process.queue.append(Delivery(order, process.journal.submit(order.command)))
    world.disk.plan, world.disk.rng = Plan("process killed", skip), Low()
    before = world.judge.position
    world.close(process)
    world.disk.close_reader()
    return world.judge.position - before


def test_a_process_may_be_killed_between_two_batches_that_it_closes_with(tmp_path: Path) -> None:
    """The first is on the disk then and the second is not, which is no half of a batch."""

    def two(world: World) -> list[Order]:
        found = [world.order("d1", "call_supervisor", {"table": t}) for t in ("T1", "T2")]
        world.network.clear()
        return found

    assert 1 in {killed(tmp_path / f"{skip}", skip, two) for skip in range(12)}


def test_a_process_may_be_killed_over_a_key_that_did_something_else(tmp_path: Path) -> None:
    """Nothing is done under it again, and a refusal is written all the same."""

    def used(world: World) -> list[Order]:
        command, _ = world.day.done[-1]
        other = replace(command, arguments={**command.arguments, "more": 1})
        world.judge.asked[command.key].append(other)
        return [Order(other), Order(command)]

    assert 1 in {killed(tmp_path / f"{skip}", skip, used) for skip in range(12)}


def test_a_process_may_be_killed_after_it_believed_a_wrong_clock(tmp_path: Path) -> None:
    """What it has written counts, and the others go on from there."""
    world = World(1, tmp_path)
    set_up(world.day)
    first = world.some_process()
    world.open_process()
    second = world.processes[1]
    world.machine.set(timedelta(days=400))
    orders = [world.order("d1", "call_supervisor", {"table": t}) for t in ("T1", "T2")]
    world.network.clear()
    for process, order in zip((second, first), orders, strict=True):
        process.queue.append(Delivery(order, process.journal.submit(order.command)))
    world.disk.rng = Low()
    world.rng = Low()
    before = world.judge.at
    world.disk.plan = Plan("process killed", 6)
    world.step(second)
    assert world.processes == [first]
    assert world.judge.at > before
    world.step(first)
    world.disk.close_reader()


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_mistake_that_is_put_in_is_found_by_three_floors(mistake: str, tmp_path: Path) -> None:
    with planted(mistake):
        assert any(run_floor(seed, 250, tmp_path).broken for seed in (1, 2, 3))


@pytest.mark.soak
def test_a_seed_does_the_same_in_another_process() -> None:
    """Also where text hashes otherwise, on which the order of sets depends."""
    told = [
        subprocess.run(
            [sys.executable, "-m", "tests.simulation", "--seed", "6", "--commands", "1000"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in ("1", "2")
    ]
    assert told[0].stderr == told[1].stderr
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.endswith("every judge held\n")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", range(1000, 11_000, 1000))
def test_many_floors_lose_and_double_nothing(first: int, tmp_path: Path) -> None:
    """A hundred thousand commands in all ten parts together."""
    kinds = Counter[str]()
    for seed in range(first, first + 7):
        kinds += sound(run_floor(seed, LENGTH, tmp_path)).faults
    assert [kind for kind in KINDS if not kinds[kind]] == []
    assert kinds.total() > 700
