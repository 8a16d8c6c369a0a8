"""A cluster of this machine: a scheduler and two workers, and the same totals as threads give."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.refusal import Refused
from houseway.sim.executor import executor
from houseway.sim.job import BLOCK, Job
from houseway.sim.plan import make_job
from houseway.sim.run import Run, carry_out, new_run
from tests import ROOT
from tests.waiting import wait_for

SECONDS = 60
"""More than enough for anything here; only a hang takes as long."""


def job() -> Job:
    return make_job(
        "three-card-poker",
        {"contribution_rate": "0.2", "meter_seed": "100"},
        {"progressive": "1"},
        strategy="simple",
        seed=15,
    )


def said(done: Run) -> Any:
    return done.tally.to_json(), [jackpot.to_json() for jackpot in done.jackpots]


@contextmanager
def started(*arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the cluster, ended when it is no longer needed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__ADMIN__LOG_LENGTH": "10"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def address_in(file: Path) -> str:
    """The address that a scheduler wrote into its file."""

    def address() -> str:
        try:
            return str(json.loads(file.read_text())["address"])
        except (FileNotFoundError, ValueError):
            return ""

    return wait_for(address)


def threads_at(address: str, wanted: int) -> None:
    """Wait until so many threads of workers are there."""

    def there() -> bool:
        with suppress(Refused), executor(dask=address) as (_, threads):
            return threads == wanted
        return False

    wait_for(there)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A scheduler and two workers of one thread each, on the loopback."""
    file = folder / "scheduler.json"
    here = ("--host", "127.0.0.1", "--no-dashboard")
    with started("dask_scheduler", *here, "--port", "0", "--scheduler-file", str(file)):
        address = address_in(file)
        with pytest.raises(Refused, match="has no workers"), executor(dask=address):
            pass
        worker = ("dask_worker", address, *here, "--nthreads", "1", "--no-nanny")
        where = ("--local-directory", str(folder), "--death-timeout", str(SECONDS))
        with started(*worker, *where) as one, started(*worker, *where) as two:
            threads_at(address, 2)
            yield address, [one, two]


@pytest.mark.soak
def test_a_cluster_deals_what_threads_deal_though_it_loses_a_worker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = 9 * BLOCK + 77
    with executor(2) as (pool, count):
        expected = said(carry_out(new_run(job(), rounds), pool, count))
    file = tmp_path / "run.json"
    with cluster(tmp_path) as (address, workers):
        killed = threading.Event()

        def kill_one(under_way: Run) -> None:
            if under_way.blocks >= 1 and not killed.is_set():
                workers[0].send_signal(signal.SIGKILL)
                killed.set()

        with executor(dask=address) as (pool, count):
            assert count == 2
            found = carry_out(new_run(job(), rounds), pool, count, watch=kill_one)
        assert killed.is_set()
        assert workers[0].wait(SECONDS) == -signal.SIGKILL
        assert said(found) == expected
        # The command itself, with the worker that is left.
        asked = ["simulate", "three-card-poker", "--rounds", str(rounds), "--rng-seed", "15"]
        more = ["--strategy", "simple", "--paytable", "progressive=1", "--json"]
        options = ["--option", "contribution_rate=0.2", "--option", "meter_seed=100"]
        kept = ["--checkpoint", str(file), "--dask", address]
        assert main([*asked, *more, *options, *kept]) == 0
        assert capsys.readouterr().err == ""
    again = new_run(job(), rounds, save_to=file)
    assert 0 < again.done <= 9 * BLOCK
    with executor(1) as (pool, count):
        assert said(carry_out(again, pool, count)) == expected
