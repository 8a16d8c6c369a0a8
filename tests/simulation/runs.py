"""Runs: floors lived through one after the other, and what they come to."""

import gc
import logging
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.simulation.world import World

LENGTH = 1000
"""Commands of one floor: long enough for awards to be won, paid and put back."""


def run_floor(seed: int, commands: int, folder: Path | None = None) -> World:
    """A floor that was lived through, or as far as it got: then `broken` says why."""
    # A connection that ends with its process is no news.
    pool = logging.getLogger("sqlalchemy.pool")
    before = pool.level
    pool.setLevel(logging.CRITICAL)
    # When garbage is collected depends on what ran before, and a seed must do the same again.
    gc.disable()
    try:
        with TemporaryDirectory(dir=folder) as place:
            world = World(seed, Path(place))
            try:
                world.run(commands)
            except Exception as error:
                world.broken = error
            finally:
                world.disk.close_reader()
            return world
    finally:
        pool.setLevel(before)
        gc.enable()
        gc.collect()


@dataclass
class Totals:
    """What some floors come to."""

    floors: int = 0
    commands: int = 0
    acknowledged: int = 0
    refused: int = 0
    checks: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    broken: list[int] = field(default_factory=list)
    """Seeds that broke."""

    def add(self, seed: int, world: World) -> None:
        """Count one floor more."""
        self.floors += 1
        self.commands += world.day.number
        self.acknowledged += len(world.judge.told)
        self.refused += world.judge.refusals
        self.checks += world.judge.checks
        self.faults += world.faults
        self.others += world.counts
        if world.broken is not None:
            self.broken.append(seed)

    def text(self) -> str:
        """All of it, a line each."""
        restarts = {name: n for name, n in self.others.items() if name.startswith("restarts")}
        rest = {name: n for name, n in self.others.items() if name not in restarts}
        lines = [
            *(("floors", self.floors), ("commands", self.commands)),
            *(("acknowledged as done", self.acknowledged), ("refused", self.refused)),
            ("faults", sum(self.faults.values())),
            *((f"  {name}", n) for name, n in self.faults.most_common()),
            ("restarts", sum(restarts.values())),
            *((f"  {name.removeprefix('restarts ')}", n) for name, n in restarts.items()),
            *rest.items(),
            ("audits with rebuild", self.checks),
        ]
        held = "every judge held" if not self.broken else f"BROKEN: seeds {self.broken}"
        return "\n".join([*(f"{name:<40}{n:>12,}" for name, n in lines), held])
