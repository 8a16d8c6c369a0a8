"""Ratchet: the places outside `houseway/games` that name a game, its kind, or a bet of its own.

`python -m tests.project.ratchet` writes the list anew. It may only get shorter.
"""

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

from houseway.games import GAMES
from tests import ROOT

LIST = Path(__file__).with_name("places.toml")
OWN_BETS = ("ante-bonus", "war", "insurance", "blackjack", "poker", "hat-trick")
"""Bets that one game alone has."""
KINDS = (
    *(r"\bis_three_card\b", r"\bcontest_of\b", r"\.contest\b", r"\bStage\.(WAR|BLACKJACK|POKER)\b"),
    r"\b(Showdown|Succession)\b",
    *(r"\bthree_card_poker\b", r"\btriple_shot_\w+", r"\bgames(\.| import )blackjack\b"),
)
NAMED = re.compile(
    "|".join(
        (
            *(rf"(?<![\w-]){game.code}(?![\w-])" for game in GAMES),
            # Cards have a size called poker, beside bridge.
            *(rf"[\"'`]{bet}[\"'`](?!, .bridge)" for bet in OWN_BETS),
            *KINDS,
        )
    )
)


def places() -> dict[str, int]:
    """How many lines of each file name a game."""
    files = [
        *(ROOT / "houseway").rglob("*.py"),
        *(ROOT / "web" / "src").rglob("*.ts"),
        *(ROOT / "web" / "src").rglob("*.svelte"),
    ]
    found: Counter[str] = Counter()
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        if name.startswith("houseway/games/"):
            continue
        lines = file.read_text(encoding="utf-8").splitlines()
        found[name] = sum(NAMED.search(line) is not None for line in lines)
    return {name: count for name, count in sorted(found.items()) if count}


def listed() -> dict[str, int]:
    """The places that are known."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def main() -> int:
    """Write the list; refused where it would grow."""
    before, now = listed() if LIST.exists() else {}, places()
    if before and (grown := [name for name, n in now.items() if n > before.get(name, 0)]):
        print(f"more places name a game than before: {', '.join(grown)}", file=sys.stderr)
        return 1
    head = (
        "# Lines outside houseway/games that name a game, its kind or a bet of its own, by file.\n"
    )
    LIST.write_text(head + "".join(f'"{name}" = {n}\n' for name, n in now.items()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
