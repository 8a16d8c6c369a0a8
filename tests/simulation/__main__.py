"""`python -m tests.simulation`: floors by seed, until so many commands are done or one breaks."""

import sys
import traceback
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.simulation.world import World

LENGTH = 1500


def main() -> int:
    """Run floors; 1 when something does not hold."""
    parser = ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first floor; the next is one more")
    parser.add_argument("--commands", type=int, default=LENGTH, help="in all")
    parser.add_argument("--length", type=int, default=LENGTH, help="commands of one floor")
    parser.add_argument("--folder", type=Path, help="where the files are; best in memory")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    seed = given.seed
    while counts["commands"] < given.commands:
        length = min(given.length, given.commands - counts["commands"])
        with TemporaryDirectory(dir=given.folder) as folder:
            world = World(seed, Path(folder))
            try:
                world.run(length)
            except Exception:
                print(*world.log, sep="\n", file=sys.stderr)
                traceback.print_exc()
                print(f"seed {seed} breaks at step {world.steps}", file=sys.stderr)
                return 1
            counts["commands"] += world.day.number
        print(seed, counts["commands"], world.judge.last_hash[:12], world.disk.counts, world.counts, world.judge.checks, file=sys.stderr)
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
