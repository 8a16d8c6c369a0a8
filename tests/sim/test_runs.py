"""Runs: the same totals whoever deals them, in whatever order, stopped and gone on with."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.refusal import Reason, Refused
from houseway.sim import checkpoint, job, run, stream
from houseway.sim.executor import executor
from houseway.sim.job import Job, Layout, deal_blocks, tasks
from houseway.sim.plan import make_job
from houseway.sim.result import result_of
from houseway.sim.run import Run, carry_out, new_run
from houseway.sim.tally import Tally
from tests import ROOT
from tests.waiting import PATIENCE, wait_for

SMALL = 700
"""Rounds of a block in most of these tests."""
JACKPOT = {
    "contribution_rate": "mega=0.1,major=0.05,minor=0.02",
    "reserve_rate": "mega=0.01",
    "meter_seed": "mega=500,major=50,minor=5",
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Blocks of a few rounds, dealt in batches that do not divide them."""
    for module in (job, run):
        monkeypatch.setattr(module, "BLOCK", SMALL)
    monkeypatch.setattr(job, "BATCH", 512)
    return SMALL


def poker(seed: int = 3, seats: int = 2) -> Job:
    """A game with everything there is to be counted: seats, a progressive, three meters."""
    paytables = [("progressive", "ML03"), ("pair-plus", "A"), ("pair-plus", "C")]
    return make_job(
        "three-card-poker", JACKPOT, paytables, strategy="simple", seats=seats, seed=seed
    )


def bonus(seed: int = 3) -> Job:
    return make_job("triple-shot-bonus", strategy="printed", seats=3, seed=seed)


def said(done: Run) -> dict[str, Any]:
    """All that a run came to, as plain data."""
    return {
        "tally": done.tally.to_json(),
        "jackpots": [jackpot.to_json() for jackpot in done.jackpots],
        "done": done.done,
    }


def straight(asked: Job, rounds: int) -> dict[str, Any]:
    """A run without any executor: one block after the other, added up by hand."""
    found = new_run(asked, rounds)
    layout = Layout(asked)
    block = 0
    while rounds:
        dealt = layout.deal(block, min(rounds, job.BLOCK))
        found.take(dealt)
        rounds -= dealt.rounds
        block += 1
    return said(found)


def threaded(asked: Job, rounds: int, workers: int = 2, **more: Any) -> dict[str, Any]:
    with executor(workers) as (pool, count):
        return said(carry_out(new_run(asked, rounds), pool, count, **more))


# ------------------------------------------------------------------------------ whoever deals it


@pytest.mark.parametrize("make", [poker, bonus])
def test_any_number_of_threads_gives_the_same(small: int, make: Callable[[], Job]) -> None:
    rounds = 9 * small + 123
    expected = straight(make(), rounds)
    assert expected["done"] == rounds
    for workers in (1, 2, 3):
        assert threaded(make(), rounds, workers) == expected
    for blocks_each in (2, 3, 9, 50):
        assert threaded(make(), rounds, blocks_each=blocks_each) == expected


def test_the_words_may_be_drawn_in_pieces_of_any_size(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [straight(make(), 3 * small) for make in (poker, bonus)]
    for chunk, batch in ((1 << 8, 4096), (1 << 11, 1), (1 << 20, 77)):
        monkeypatch.setattr(stream, "CHUNK", chunk)
        monkeypatch.setattr(job, "BATCH", batch)
        assert [straight(make(), 3 * small) for make in (poker, bonus)] == expected


def test_other_seeds_and_other_blocks_deal_other_rounds(small: int) -> None:
    found = [json.dumps(straight(poker(seed), small)) for seed in (0, 1, 2, 2**63, 2**64 - 1)]
    assert len(set(found)) == len(found)
    blocks = [json.dumps(deal_blocks(poker(), block, 1, small).to_json()) for block in range(5)]
    assert len(set(blocks)) == len(blocks)


def test_few_rounds_and_one(small: int) -> None:
    for rounds in (1, 2, small - 1, small, small + 1):
        found = straight(poker(), rounds)
        assert threaded(poker(), rounds) == found
        assert sum(found["tally"]["counts"]) == 2 * rounds


def test_a_block_dealt_in_part_is_the_beginning_of_the_whole(small: int) -> None:
    """So a longer run begins with a shorter one."""
    layout = Layout(poker())
    whole, part = layout.deal(0, small), layout.deal(0, 100)
    first, hits = part.take_hits()[True], whole.take_hits()[True]
    rows = [row for block in hits for row in block.tolist() if row[0] < 100]
    assert [row for block in first for row in block.tolist()] == rows
    assert (part.counts <= whole.counts).all()


def test_tasks_cover_every_round_once(small: int) -> None:
    for rounds in (1, small - 1, small, 5 * small, 5 * small + 1):
        for begin in (0, 1, 4):
            for each in (1, 2, 7):
                found = list(tasks(rounds, begin, each))
                blocks = [first + n for first, count, _ in found for n in range(count)]
                assert blocks == list(range(begin, -(-rounds // small)))
                dealt = sum((count - 1) * small + last for _, count, last in found)
                assert dealt == max(0, rounds - begin * small)


def test_tallies_add_up_in_any_grouping(small: int) -> None:
    asked = poker()
    one = Tally.together(deal_blocks(asked, block, 1, small) for block in range(4))
    two = Tally.together([deal_blocks(asked, 0, 3, small), deal_blocks(asked, 3, 1, small)])
    assert one.to_json() == two.to_json()
    assert Tally.from_json(json.loads(json.dumps(one.to_json()))).to_json() == one.to_json()
    with pytest.raises(ValueError, match="nothing"):
        Tally.together([])


def test_processes_give_the_same() -> None:
    """Real blocks here: a process of its own knows of no other."""
    asked = make_job(
        "three-card-poker",
        {"contribution_rate": "0.2", "meter_seed": "1000"},
        {"progressive": "1"},
        strategy="simple",
        seed=6,
    )
    rounds = 2 * job.BLOCK + 999
    expected = straight(asked, rounds)
    with executor(1, processes=True) as (pool, count):
        assert said(carry_out(new_run(asked, rounds), pool, count)) == expected


# --------------------------------------------------------------------------- in whatever order


class Backwards(Executor):
    """Waits until it has as many tasks as it will get for now, and does the last one first."""

    def __init__(self, total: int, workers: int) -> None:
        self.left, self.at_once = total, run.WAITING_TASKS * workers
        self.waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []
        self.order: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, fn, args))
        if len(self.waiting) == min(self.at_once, self.left):
            self.left -= len(self.waiting)
            given, self.waiting = self.waiting, []
            threading.Thread(target=self._do, args=(given,), daemon=True).start()
        return future

    def _do(self, given: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]]) -> None:
        for future, fn, args in reversed(given):
            self.order.append(args[1])
            future.set_result(fn(*args))


def test_blocks_that_come_in_backwards_give_the_same(small: int) -> None:
    rounds = 14 * small + 5
    backwards = Backwards(15, 2)
    assert said(carry_out(new_run(poker(), rounds), backwards, 2)) == straight(poker(), rounds)
    assert backwards.order == [5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6, 14, 13, 12]


class FailsOnce(ThreadPoolExecutor):
    """One block fails the first time that it is asked for."""

    def __init__(self, block: int) -> None:
        super().__init__(2)
        self.block, self.failed = block, 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        if args[1] == self.block and not self.failed:
            self.failed += 1
            future: Future[Any] = Future()
            future.set_exception(OSError("the worker is gone"))
            return future
        return super().submit(fn, *args, **more)


class TriesAgain(Executor):
    """Does a task again that failed, as a cluster does when it loses a worker."""

    def __init__(self, inner: FailsOnce) -> None:
        self.inner = inner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        first = self.inner.submit(fn, *args, **more)
        if first.done() and first.exception() is not None:
            return self.inner.submit(fn, *args, **more)
        return first


def test_a_block_that_fails_and_is_dealt_again_changes_nothing(small: int) -> None:
    rounds = 8 * small
    with FailsOnce(4) as pool:
        found = said(carry_out(new_run(poker(), rounds), TriesAgain(pool), 2))
    assert pool.failed == 1
    assert found == straight(poker(), rounds)


def test_a_block_that_fails_for_good_leaves_what_was_done_before(
    small: int, tmp_path: Path
) -> None:
    rounds, file = 8 * small, tmp_path / "run.json"
    for block in (0, 4, 7):
        file.unlink(missing_ok=True)
        with FailsOnce(block) as pool:
            with pytest.raises(OSError, match="the worker is gone"):
                carry_out(new_run(poker(), rounds, save_to=file), pool, 1)
            kept = json.loads(file.read_text())["blocks"]
            assert kept <= block
            again = new_run(poker(), rounds, save_to=file)
            assert again.blocks == kept
            assert said(carry_out(again, pool, 1)) == straight(poker(), rounds)


# ------------------------------------------------------------------------ stopped and gone on with


@contextmanager
def stopping_after(blocks: int) -> Iterator[Callable[[Run], None]]:
    def watch(under_way: Run) -> None:
        if under_way.blocks >= blocks:
            raise KeyboardInterrupt

    yield watch


def test_a_run_stopped_at_any_block_goes_on_to_the_same(small: int, tmp_path: Path) -> None:
    rounds, file = 6 * small + 50, tmp_path / "run.json"
    expected = straight(poker(), rounds)
    for blocks in range(8):
        file.unlink(missing_ok=True)
        with executor(1) as (pool, _), stopping_after(blocks) as watch:
            under_way = new_run(poker(), rounds, save_to=file)
            with pytest.raises(KeyboardInterrupt):
                carry_out(under_way, pool, 1, watch=watch)
            again = new_run(poker(), rounds, save_to=file)
            assert again.done == again.resumed_rounds == small * min(under_way.blocks, 6)
            assert said(carry_out(again, pool, 1)) == expected
            # A third time there is nothing left but the block that was dealt in part.
            third = new_run(poker(), rounds, save_to=file)
            assert third.done == 6 * small
            assert said(carry_out(third, pool, 1)) == expected


def test_a_run_stopped_again_and_again_comes_to_the_same(small: int, tmp_path: Path) -> None:
    rounds, file = 9 * small, tmp_path / "run.json"
    with executor(1) as (pool, _):
        for _ in range(20):
            under_way = new_run(poker(), rounds, save_to=file)
            try:
                with stopping_after(under_way.blocks + 2) as watch:
                    carry_out(under_way, pool, 1, watch=watch)
            except KeyboardInterrupt:
                continue
            break
    assert said(under_way) == straight(poker(), rounds)
    again = new_run(poker(), rounds, save_to=file)
    assert result_of(under_way).totals() == result_of(again).totals()


def test_a_finished_run_may_be_extended(small: int, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with executor(2) as (pool, count):
        for rounds in (2 * small, 2 * small + 7, 5 * small, 6 * small + 1):
            found = carry_out(new_run(poker(), rounds, save_to=file), pool, count, blocks_each=2)
            assert said(found) == straight(poker(), rounds)


# ------------------------------------------------------------------------------------ the file


@pytest.fixture
def kept(small: int, tmp_path: Path) -> Path:
    """The checkpoint of a run of three blocks."""
    file = tmp_path / "run.json"
    with executor(1) as (pool, count):
        carry_out(new_run(poker(), 3 * small, save_to=file), pool, count)
    return file


def refusal(file: Path, asked: Job, rounds: int = 4 * SMALL) -> str:
    """The sentence with which a checkpoint is refused; the file is left as it was."""
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(Refused) as refused:
        new_run(asked, rounds, save_to=file)
    assert refused.value.reason is Reason.BAD_ARGUMENT
    message = refused.value.message
    assert str(file) in message
    assert "\n" not in message
    assert (file.read_bytes() if file.is_file() else None) == before
    return message


def test_a_torn_checkpoint_is_refused(kept: Path) -> None:
    whole = kept.read_bytes()
    for end in (0, 1, 2, 10, *range(50, len(whole), 401), len(whole) - 2, len(whole) - 1):
        kept.write_bytes(whole[:end])
        assert "torn or was changed" in refusal(kept, poker())
    kept.write_bytes(whole)
    assert new_run(poker(), 3 * SMALL, save_to=kept).blocks == 3


def test_a_changed_digit_is_found(kept: Path) -> None:
    whole = kept.read_bytes()
    digits = [place for place, sign in enumerate(whole) if chr(sign).isdigit()]
    for place in digits[:: max(1, len(digits) // 60)]:
        changed = bytearray(whole)
        changed[place] = ord("0") + (whole[place] - ord("0") + 1) % 10
        kept.write_bytes(bytes(changed))
        assert "torn or was changed" in refusal(kept, poker())


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "3", '"text"', "{}", '{"sha256": 1}', "[" * 200_000, "{'a': 1}"]
)
def test_what_is_no_checkpoint_is_refused(small: int, tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    assert "torn or was changed" in refusal(file, poker(), 4 * small)


def test_what_cannot_be_read_is_refused(small: int, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read: it is no text" in refusal(file, poker(), small)
    folder = tmp_path / "folder"
    folder.mkdir()
    assert "cannot be read: Is a directory" in refusal(folder, poker(), small)
    below = file / "run.json"
    assert "cannot be read: Not a directory" in refusal(below, poker(), small)


def test_a_checkpoint_of_another_version_is_refused(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "VERSION", 2)
    assert "version 1; this program reads version 2" in refusal(kept, poker())


def test_a_checkpoint_of_another_job_is_refused(kept: Path) -> None:
    usual: dict[str, Any] = {"strategy": "simple", "seats": 2, "seed": 3}
    tables = [("progressive", "ML03"), ("pair-plus", "A"), ("pair-plus", "C")]
    assert "its rng_seed is 3, and this rng_seed is 4" in refusal(kept, poker(4))
    assert "its seats is 2, and this seats is 3" in refusal(kept, poker(seats=3))
    others = {
        "options": make_job("three-card-poker", JACKPOT | {"tie_rule": "win"}, tables, **usual),
        "game": make_job("triple-shot-rummy", JACKPOT, [("progressive", "ML03")], **usual),
        "rows": make_job("three-card-poker", JACKPOT, tables[:2], **usual),
        "meters": make_job("three-card-poker", JACKPOT, tables, meter={"mega": 5}, **usual),
        "wagers": make_job(
            "three-card-poker", JACKPOT, tables, bets={"ante": 5, "progressive": 100}, **usual
        ),
        "strategy": make_job(
            "three-card-poker", JACKPOT, tables, **usual | {"strategy": "optimal"}
        ),
    }
    for name, asked in others.items():
        message = refusal(kept, asked)
        assert "is of another run: its " in message
        assert message.endswith("give another file")
        assert f"its {name} " in message


def test_more_rounds_than_are_asked_for_are_refused(kept: Path) -> None:
    message = refusal(kept, poker(), 3 * SMALL - 1)
    assert f"already has {3 * SMALL:,} rounds, more than the {3 * SMALL - 1:,} asked for" in message


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_dealt(
    small: int, tmp_path: Path
) -> None:
    message = refusal(tmp_path / "no folder" / "run.json", poker(), small)
    assert "cannot be written: No such file or directory" in message
    assert "cannot be written: File name too long" in refusal(
        tmp_path / ("x" * 255), poker(), small
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_old_file(
    kept: Path, monkeypatch: pytest.MonkeyPatch, step: str, problem: BaseException
) -> None:
    before = kept.read_bytes()
    under_way = new_run(poker(), 4 * SMALL, save_to=kept)

    def fails(*_: Any) -> None:
        raise problem

    with monkeypatch.context() as broken:
        broken.setattr(os if step == "fsync" else Path, step, fails)
        with pytest.raises((Refused, KeyboardInterrupt)) as refused:
            under_way.save()
    if isinstance(problem, OSError):
        assert "cannot be written: No space left on device" in str(refused.value)
    assert kept.read_bytes() == before
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_checkpoint_is_saved_now_and_then(
    small: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "SAVE_EVERY_SECONDS", 0.0)
    file, seen = tmp_path / "run.json", []

    def watch(_: Run) -> None:
        seen.append(json.loads(file.read_text())["blocks"])

    with executor(1) as (pool, count):
        carry_out(new_run(poker(), 5 * small, save_to=file), pool, count, watch=watch)
    assert seen[-1] == 5
    assert seen == sorted(seen)


# ------------------------------------------------------------------------------------- Ctrl-C

SLOWLY = """
import sys, time
from houseway.cli import main
from houseway.sim import job, run

job.BLOCK = run.BLOCK = 1 << 10
run.SAVE_EVERY_SECONDS = 0.0

def slowly(asked, block, *rest):
    # The blocks after the first would take minutes, so no interrupt comes too late.
    time.sleep(float(pause) if block > 4 else 0)
    return job.deal_blocks(asked, block, *rest)

pause = sys.argv.pop(1)
run.deal_blocks = slowly
sys.exit(main(sys.argv[1:]))
"""
BLOCKS = 300


def command(rounds: int, *more: str) -> list[str]:
    return [
        *("simulate", "three-card-poker", "--strategy", "simple", "--seats", "2", *more),
        *("--rounds", str(rounds), "--rng-seed", "9", "--workers", "1"),
        *("--paytable", "progressive=1", "--option", "contribution_rate=0.2"),
    ]


def blocks_in(file: Path) -> int:
    try:
        return int(json.loads(file.read_text())["blocks"])
    except FileNotFoundError:
        return -1


def interrupted(command: list[str], file: Path, blocks: int) -> tuple[int, str, str]:
    """Exit code and output of a command in a session of its own, all of it interrupted at once."""
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="ascii",
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        start_new_session=True,
    )
    try:
        wait_for(lambda: blocks_in(file) >= blocks or child.poll() is not None)
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()
    return child.returncode, out, err


def test_an_interrupt_while_a_block_is_added_waits_until_it_is(
    tmp_path: Path, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown and what is kept are then the same blocks, and none is half there."""
    file, rounds = tmp_path / "run.json", 6 * small
    add, added = Tally.add, list[Tally]()

    def interrupted_add(tally: Tally, more: Tally) -> None:
        added.append(more)
        if len(added) == 3:
            signal.raise_signal(signal.SIGINT)
        add(tally, more)

    monkeypatch.setattr(Tally, "add", interrupted_add)
    stopped = new_run(poker(), rounds, save_to=file)
    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyboardInterrupt):
        carry_out(stopped, pool, 1)
    assert (stopped.blocks, stopped.done, blocks_in(file)) == (3, 3 * small, 3)
    with ThreadPoolExecutor(1) as pool:
        went_on = carry_out(new_run(poker(), rounds, save_to=file), pool, 1)
    assert said(went_on) == straight(poker(), rounds)


def test_a_command_that_is_interrupted_goes_on_when_it_is_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped, it shows what it has, even on a terminal that knows nothing but ASCII."""
    file, rounds = tmp_path / "run.json", BLOCKS << 10
    again = command(rounds, "--checkpoint", str(file))
    code, out, err = interrupted([sys.executable, "-c", SLOWLY, "1", *again], file, 3)
    assert (code, "Traceback" in err) == (130, False)
    done = blocks_in(file) << 10
    assert 3 << 10 <= done < rounds
    assert f"three-card-poker  {done:,} tables of 2 seats" in out
    assert f"stopped after {done:,} of {rounds:,} rounds" in " ".join(err.split())
    assert "the same command goes on from" in " ".join(err.split())
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    for module in (job, run):
        monkeypatch.setattr(module, "BLOCK", 1 << 10)
    assert main([*again, "--json"]) == 0
    went_on = json.loads(capsys.readouterr().out)
    assert blocks_in(file) == BLOCKS
    assert main([*command(rounds), "--json"]) == 0
    assert went_on["totals"] == json.loads(capsys.readouterr().out)["totals"]
    assert went_on["rounds"] == rounds


SAVING = """
import sys
from houseway.cli import main
from houseway.sim import run

run.SAVE_EVERY_SECONDS = 0.0
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.soak
def test_processes_are_interrupted_without_a_traceback(tmp_path: Path) -> None:
    """A terminal interrupts the workers too; who started them is to say the last word."""
    file = tmp_path / "run.json"
    many = command(10**12, "--checkpoint", str(file), "--processes", "--json")
    code, out, err = interrupted([sys.executable, "-c", SAVING, *many], file, 2)
    assert (code, "Traceback" in err) == (130, False), err
    assert json.loads(out)["rounds"] == blocks_in(file) * job.BLOCK
