"""Studio: how soon every figure of a draft is there, cold and after one pay is changed.

Bounds: a changed pay in under 100 ms for every game, the first figures of a cold game in under
3 s. Beside it what one would do instead: ask the par sheet anew on the command line.
"""

import subprocess
import sys
import time
from statistics import median
from typing import Any

from houseway.games import codes
from houseway.rules.variant import make_variant
from houseway.studio.board import board

CHANGES = 7
CHANGED_MS, FIRST_SECONDS = 100, 3


def main() -> None:
    kept = True
    for game in codes():
        began = time.perf_counter()
        told: list[float] = []

        def hear(_: dict[str, Any], began: float = began, told: list[float] = told) -> None:
            told.append(time.perf_counter() - began)

        plain = make_variant("cold", game)
        board(plain, told=hear)
        whole = time.perf_counter() - began
        print(f"{game}: first figures {told[0]:.2f} s, all {whole:.2f} s  (first under 3 s)")
        kept &= told[0] < FIRST_SECONDS
        for bet, table in plain.ruleset().paytables.items():
            hand = next(hand for hand, odds in table.rows if "%" not in str(odds))
            taken = []
            for pay in range(11, 11 + CHANGES):
                changed = make_variant("x", game, {}, {bet: f"{table.code}:{hand}={pay}"})
                start = time.perf_counter()
                board(changed)
                taken.append(1000 * (time.perf_counter() - start))
            print(f"  {bet:<16} {median(taken):7.1f} ms, worst {max(taken):7.1f}  (under 100)")
            kept &= median(taken) < CHANGED_MS
    command = [sys.executable, "-m", "houseway", "par", "three-card-poker", "--json"]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"houseway par three-card-poker, started anew: {time.perf_counter() - start:.2f} s")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
