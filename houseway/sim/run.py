"""Run: a job dealt to its end, block after block, by whatever executor there is.

Results are taken in the order of blocks, because meters need it; so a run may be stopped after
any block and gone on with, and nothing depends on which worker was quicker.
"""

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from houseway.house.money import dollars_text
from houseway.refusal import Reason, Refused
from houseway.sim import checkpoint
from houseway.sim.jackpot import Jackpot
from houseway.sim.job import BINS, BLOCK, Job, deal_blocks, laid_out, tasks
from houseway.sim.tally import Tally

SAVE_EVERY_SECONDS = 20.0
WAITING_TASKS = 3
"""Tasks handed out for each worker: enough that none is ever without."""
Watch = Callable[["Run"], None]


@dataclass(slots=True)
class Run:
    """A job under way: what is dealt so far."""

    job: Job
    rounds: int
    """Rounds wanted."""
    tally: Tally
    jackpots: tuple[Jackpot, ...]
    blocks: int = 0
    """Blocks done, all from the first on."""
    seconds: float = 0.0
    resumed_rounds: int = 0
    """Rounds that a checkpoint already had."""
    save_to: Path | None = None
    _saved: float = field(default=0.0, repr=False)

    @property
    def done(self) -> int:
        """Rounds dealt."""
        return self.tally.rounds

    @property
    def rounds_per_second(self) -> float:
        """The rate of this sitting."""
        return (self.done - self.resumed_rounds) / self.seconds if self.seconds else 0.0

    def take(self, dealt: Tally) -> None:
        """Add what the next blocks came to."""
        hits = dealt.take_hits()
        self.tally.add(dealt)
        for jackpot in self.jackpots:
            jackpot.follow(hits[jackpot.paytable.community], self.tally.rounds)

    def save(self) -> None:
        """Write the checkpoint, if there is to be one; whole blocks only."""
        if self.save_to is not None and self.tally.rounds == self.blocks * BLOCK:
            state = {
                "tally": self.tally.to_json(),
                "jackpots": [jackpot.to_json() for jackpot in self.jackpots],
            }
            checkpoint.write(self.save_to, self.job, self.blocks, state)

    def _go_on(self, blocks: int, state: dict[str, Any]) -> None:
        self.blocks = blocks
        self.tally = Tally.from_json(state["tally"])
        for jackpot, data in zip(self.jackpots, state["jackpots"], strict=True):
            jackpot.go_on_from(data)
        self.resumed_rounds = self.tally.rounds


def new_run(job: Job, rounds: int, *, save_to: Path | None = None) -> Run:
    """A run that has not begun, or one that goes on from its checkpoint.

    A checkpoint with more rounds than are wanted is refused, and one that cannot be written is
    refused now and not after hours of dealing.
    """
    if "progressive" in job.wagers and not job.progressives:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"a wager of {dollars_text(job.wagers['progressive'])} on the progressive is given and "
            "no paytable for it; add --paytable progressive=CODE",
        )
    layout = laid_out(job)
    run = Run(
        job=job,
        rounds=rounds,
        tally=Tally.empty(layout.table.size, len(job.rows), BINS),
        jackpots=tuple(
            Jackpot(paytable, job.options, job.seats, job.wagers["progressive"], job.meters)
            for paytable in job.progressives
        ),
        save_to=save_to,
    )
    found = checkpoint.read(save_to, job) if save_to is not None else None
    if found is not None:
        checkpoint.check_rounds(save_to, found[0] * BLOCK, rounds)
        run._go_on(*found)
    run.save()
    return run


def carry_out(
    run: Run,
    executor: Executor,
    workers: int,
    *,
    blocks_each: int = 1,
    watch: Watch | None = None,
) -> Run:
    """Deal what is left of a run. Stopped or failing, it first saves what is done."""
    began = time.perf_counter()
    left = tasks(run.rounds, run.blocks, blocks_each)
    under_way: dict[Future[Tally], int] = {}
    ready: dict[int, Tally] = {}
    sizes: dict[int, int] = {}
    try:
        while True:
            while len(under_way) + len(ready) < WAITING_TASKS * workers:
                task = next(left, None)
                if task is None:
                    break
                under_way[executor.submit(deal_blocks, run.job, *task)] = task[0]
                sizes[task[0]] = task[1]
            if not under_way:
                break
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                ready[under_way.pop(future)] = future.result()
            while run.blocks in ready:
                first = run.blocks
                whole = ready[first].rounds == sizes[first] * BLOCK
                if not whole:
                    # The last block is dealt in part; what a checkpoint keeps ends before it.
                    run.save()
                with _unbroken():
                    run.take(ready.pop(first))
                    run.blocks = first + sizes[first]
            run.seconds = time.perf_counter() - began
            _save_now_and_then(run)
            if watch is not None:
                watch(run)
    finally:
        for future in under_way:
            future.cancel()
        with suppress(KeyboardInterrupt):
            run.save()
    run.seconds = time.perf_counter() - began
    return run


@contextmanager
def _unbroken() -> Iterator[None]:
    """Hold an interrupt back until the work within is done, so that nothing is half added."""
    if current_thread() is not main_thread():
        # Interrupts come to the main thread alone.
        yield
        return
    came: list[tuple[Any, ...]] = []
    handler = signal.signal(signal.SIGINT, lambda *told: came.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came and callable(handler):
            handler(*came[0])


def _save_now_and_then(run: Run) -> None:
    if run.seconds - run._saved >= SAVE_EVERY_SECONDS:
        run.save()
        run._saved = run.seconds
