"""`make bench`: prints each measurement beside what it is compared with."""

import random
import subprocess
import sys
import time
from collections.abc import Callable

from phevaluator import evaluate_cards

from houseway import settle
from houseway.hands import category5


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """The best of several runs, which is the one least disturbed."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def show(what: str, ours: float, other: str, theirs: float) -> None:
    ratio = ours / theirs
    print(f"{what:<38}{ours * 1e3:9.2f} ms  {other:<38}{theirs * 1e3:9.2f} ms {ratio:6.1f} x")


def main() -> None:
    bare = seconds(command("-c", "pass"))
    show("houseway games", seconds(command("-m", "houseway", "games")), "bare interpreter", bare)
    show("import houseway", seconds(command("-c", "import houseway")), "bare interpreter", bare)
    rng = random.Random(1)
    hands = [tuple(rng.sample(range(52), 6)) for _ in range(10_000)]
    show(
        "10,000 six-card hands, scalar rule",
        seconds(lambda: [category5(hand) for hand in hands]),
        "phevaluator (compiled)",
        seconds(lambda: [evaluate_cards(*hand) for hand in hands]),
    )
    bets = {"ante": 1000, "pair-plus": 500, "six-card-bonus": 100}
    seats = [(hand[:3], hand[3:]) for hand in hands[:1000]]
    show(
        "1,000 seats settled with reasons",
        seconds(
            lambda: [settle("three-card-poker", player=p, dealer=d, bets=bets) for p, d in seats]
        ),
        "their six-card classification alone",
        seconds(lambda: [category5((*p, *d)) for p, d in seats]),
    )


if __name__ == "__main__":
    main()
