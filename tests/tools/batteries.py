"""Batteries: the outside programs `ent` and `dieharder`, given what the collectors write."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from houseway.sim.fairness import Statistic

PROGRAMS = ("dieharder", "ent")
HOUSEWAY = (sys.executable, "-m", "houseway")
ENDLESS = 10**10
"""More words than any test reads: the program closes the pipe when it has enough."""
FIRST_SEED = 1001

DIEHARDER = (
    *("0", "1", "2", "3", "4", "8", "9", "10", "11", "12", "13", "15", "16"),
    *("100", "101", "102"),
    *("200 -n 2", "200 -n 4", "201 -n 2", "201 -n 3", "202 -n 3", "202 -n 5", "203 -n 0"),
    *("203 -n 1", "205", "206", "207", "208", "209"),
)
"""Tests of dieharder, each with the length of its tuples where it has a choice."""
LEFT_OUT = {
    "5, 6, 7 (OPSO, OQSO, DNA)": "dieharder itself lists them as suspect",
    "14 (sums)": "dieharder itself says not to use it",
    "17 (greatest common divisors)": "takes longer than all the others together",
    "204 (Kolmogorov-Smirnov)": "tests the judging of p-values, not a generator",
    "200 to 203 with other lengths": "take long and differ little from the lengths that were run",
}


@dataclass(frozen=True, slots=True)
class Passed:
    """One p-value of dieharder."""

    test: str
    name: str
    length: int
    seed: int | None
    chance: float


@dataclass(frozen=True, slots=True)
class Ent:
    """What `ent` says of a file."""

    size: int
    entropy: float
    chi_square: float
    mean: float
    pi: float
    serial_correlation: float

    @property
    def statistic(self) -> Statistic:
        """Its chi-square over the 256 values of a byte."""
        return Statistic("bytes", self.chi_square, 255)


def missing() -> list[str]:
    """The programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def dieharder_version() -> str:
    """The version that dieharder gives itself."""
    done = subprocess.run(["dieharder", "-l"], check=True, capture_output=True, text=True)
    found = re.search(r"version ([0-9.]+)", done.stdout)
    return found[1] if found else "unknown"


def run_ent(path: Path) -> Ent:
    """What `ent` says of a file."""
    done = subprocess.run(["ent", "-t", str(path)], check=True, capture_output=True, text=True)
    size, *values = done.stdout.splitlines()[1].split(",")[1:]
    return Ent(int(size), *(float(value) for value in values))


def run_dieharder(source: str) -> Iterator[Passed]:
    """The p-values of all tests, each on words of its own: of a seed, or never drawn before."""
    for seed, test in enumerate(DIEHARDER, FIRST_SEED):
        seeded = ["--rng-seed", str(seed)] if source == "simulator" else []
        command = [*HOUSEWAY, "rng", source, "raw", "--count", str(ENDLESS), "--out", "-", *seeded]
        columns = [part for name in COLUMNS for part in ("-D", name)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as words:
            done = subprocess.run(
                ["dieharder", "-g", "200", "-c", ",", *columns, "-d", *test.split()],
                stdin=words.stdout,
                check=True,
                capture_output=True,
                text=True,
            )
            assert words.stdout is not None
            words.stdout.close()
        assert words.returncode == 0, f"the words of test {test} ended early"
        rows = [line.split(",") for line in done.stdout.splitlines()]
        assert rows, f"dieharder said nothing to test {test}"
        for name, length, chance in rows:
            yield Passed(
                test.split()[0],
                name.strip(),
                int(length),
                seed if seeded else None,
                float(chance),
            )


COLUMNS = ("test_name", "ntuple", "pvalues")
