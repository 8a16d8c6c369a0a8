"""Processes that write to a journal at the same time, and can be killed at any moment."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests import ROOT


@dataclass(slots=True)
class Run:
    """A process that writes, and what its clients were told."""

    process: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    status: int | None = None

    def kill(self) -> None:
        """End it as the power would."""
        os.kill(self.process, signal.SIGKILL)


class Writers:
    """Starts runs on one database and listens to them."""

    def __init__(self, url: str) -> None:
        self.runs: dict[str, Run] = {}
        self._starter = subprocess.Popen(
            [sys.executable, "-m", "tests.journal.clients", url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, name: str, *, threads: int, count: int = 1_000_000) -> Run:
        """Start a run."""
        assert self._starter.stdin is not None
        self.runs[name] = Run()
        self._starter.stdin.write(f"{name} {threads} {count}\n")
        self._starter.stdin.flush()
        return self.runs[name]

    def listen(self, until: Callable[[], bool]) -> None:
        """Take down what the runs say until something is so."""
        assert self._starter.stdout is not None
        while not until():
            run, word, *rest = self._starter.stdout.readline().split()
            if word == "is":
                self.runs[run].process = int(rest[0])
            elif word == "ack":
                assert rest[0] not in self.runs[run].acknowledged
                self.runs[run].acknowledged[rest[0]] = int(rest[1])
            else:
                assert word == "ended", (run, word, rest)
                self.runs[run].status = int(rest[0])

    def close(self) -> None:
        """Let nobody write on."""
        for run in self.runs.values():
            if run.process and run.status is None:
                run.kill()
        self._starter.communicate()


@contextmanager
def writers(url: str) -> Iterator[Writers]:
    """Writers for as long as they are needed."""
    made = Writers(url)
    try:
        yield made
    finally:
        made.close()
