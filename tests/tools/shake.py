"""Shake: whole test runs in other orders, with few and many workers, beside a busy machine.

`python -m tests.tools.shake` goes on until ten runs in a row had no failure, or `--runs` are done.
It can be stopped at any time: finished runs are kept in `build/shake/runs.jsonl`, and the next call
goes on after them. `build/shake/table.md` says what failed and how often.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from time import monotonic
from xml.etree import ElementTree

from tests import ROOT

FOLDER = ROOT / "build" / "shake"
IN_A_ROW = 10
CORES = 2


@dataclass(frozen=True)
class Setting:
    """How a run is shaken."""

    workers: int
    busy: bool


SETTINGS = (Setting(4, False), Setting(3, True), Setting(1, False), Setting(4, True))
"""One after the other, and again from the first."""


@dataclass(frozen=True)
class Run:
    """A run that came to an end."""

    number: int
    """Also the seed of its order."""
    commit: str
    workers: int
    busy: bool
    seconds: int
    tests: int
    failed: list[str]


def main() -> int:
    """Shake until enough runs in a row had no failure."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=1000, help="at most so many now")
    asked.add_argument("--folder", type=Path, default=FOLDER, help="where results are kept")
    asked.add_argument("--beside", action="store_true", help="other work keeps both cores busy")
    given = asked.parse_args()
    folder: Path = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    runs = read(folder)
    for _ in range(given.runs):
        if in_a_row(runs) >= IN_A_ROW:
            break
        run = shaken(len(runs) + 1, folder, spin=not given.beside)
        runs.append(run)
        with (folder / "runs.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run)) + "\n")
        print(line(run), flush=True)
        (folder / "table.md").write_text(table(runs), encoding="utf-8")
    print(f"{in_a_row(runs)} runs in a row without a failure; {IN_A_ROW} are asked for")
    return 0 if in_a_row(runs) >= IN_A_ROW else 1


def read(folder: Path) -> list[Run]:
    """The runs so far."""
    file = folder / "runs.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return [Run(**json.loads(one)) for one in lines]


def in_a_row(runs: list[Run]) -> int:
    """How many of the newest runs had no failure."""
    return len(list(takewhile(lambda run: not run.failed, reversed(runs))))


def shaken(number: int, folder: Path, *, spin: bool) -> Run:
    """One whole run."""
    setting = SETTINGS[(number - 1) % len(SETTINGS)]
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    order = ["--random-order-bucket=module", f"--random-order-seed={number}"]
    spread = ["-n", str(setting.workers), "--dist", "loadgroup"] if setting.workers > 1 else []
    command = [sys.executable, "-m", "pytest", *order, *spread, f"--junitxml={report}"]
    began = monotonic()
    with (folder / f"run-{number}.log").open("wb") as log, busy(setting.busy and spin):
        code = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False).returncode
    failed = failures(report)
    # A run that breaks off without a report, or fails beside its tests, is a failure too.
    if code and not failed:
        failed = [f"pytest: exit code {code}"]
    return Run(
        number,
        commit(),
        setting.workers,
        setting.busy,
        round(monotonic() - began),
        len(cases(report)),
        failed,
    )


@contextmanager
def busy(asked: bool) -> Iterator[None]:
    """Keep both cores busy with something else, if asked."""
    spin = [sys.executable, "-c", "while True: pass"]
    started = [subprocess.Popen(spin) for _ in range(CORES if asked else 0)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def cases(report: Path) -> list[ElementTree.Element]:
    """The tests of a report."""
    # Written by our own pytest a moment ago.
    return list(ElementTree.parse(report).iter("testcase")) if report.is_file() else []


def failures(report: Path) -> list[str]:
    """The names of tests that failed."""
    return [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases(report)
        if case.find("failure") is not None or case.find("error") is not None
    ]


def commit() -> str:
    """The commit that is tested, with a mark where files were changed since."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True
    )
    return told.stdout.strip()


def line(run: Run) -> str:
    """A run in a line."""
    where = f"{run.workers} workers{', busy machine' if run.busy else ''}"
    what = ", ".join(run.failed) or "no failure"
    return f"run {run.number} ({where}): {run.tests} tests in {run.seconds} s: {what}"


def table(runs: list[Run]) -> str:
    """Count how often each test failed, and list the runs."""
    often = Counter(name for run in runs for name in run.failed)
    rows = [f"| {name} | {count} of {len(runs)} |" for name, count in often.most_common()]
    each = [
        f"| {r.number} | {r.commit} | {r.workers} | {'yes' if r.busy else 'no'} | {r.seconds} "
        f"| {r.tests} | {len(r.failed)} |"
        for r in runs
    ]
    return "\n".join(
        [
            f"{len(runs)} runs, the last {in_a_row(runs)} without a failure.",
            *("", "| failed | how often |", "|---|---|", *rows),
            *("", "| run | commit | workers | busy | seconds | tests | failed |"),
            *("|---|---|---|---|---|---|---|", *each, ""),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
