"""Simulates floors by seed until so many commands are done, and says whether every judge held.

A floor is one seed: the same seed with the same length does the same again, step by step.
"""

import sys
import traceback
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from pathlib import Path

from tests.simulation.planted import PLANTED, planted
from tests.simulation.runs import LENGTH, Totals, run_floor


def main() -> int:
    """Run floors; 1 when something does not hold."""
    parser = ArgumentParser(
        prog="python -m tests.simulation",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first floor; default 1")
    parser.add_argument("--commands", type=int, default=LENGTH, help="of all floors together")
    parser.add_argument("--length", type=int, default=LENGTH, help="commands of one floor")
    parser.add_argument("--folder", type=Path, help="where the files are kept; memory is quickest")
    parser.add_argument("--plant", choices=PLANTED, help="a fault to put into the program")
    parser.add_argument("--keep-going", action="store_true", help="also after a floor that breaks")
    given = parser.parse_args()
    totals, seed = Totals(), given.seed
    # Stopped by hand, it still says what came of the floors that ended.
    with suppress(KeyboardInterrupt), planted(given.plant):
        while totals.commands < given.commands and (given.keep_going or not totals.broken):
            length = min(given.length, given.commands - totals.commands)
            world = run_floor(seed, length, given.folder)
            totals.add(seed, world)
            told = f"seed {seed}: {world.day.number} commands, {sum(world.faults.values())} faults"
            if world.broken is None:
                print(f"{told}, ends with {world.judge.last_hash[:16]}", file=sys.stderr)
            else:
                print(*world.log, sep="\n", file=sys.stderr)
                traceback.print_exception(world.broken)
                again = f"--seed {seed} --commands {length} --length {length}"
                print(f"{told}, BREAKS at step {world.steps}; again with {again}", file=sys.stderr)
            seed += 1
    print(totals.text())
    return 1 if totals.broken else 0


if __name__ == "__main__":
    sys.exit(main())
