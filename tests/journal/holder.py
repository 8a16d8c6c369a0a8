"""A process that has a journal open: `python -m tests.journal.holder URL [served]`.

It reads lines. 'pay NAME COUNT' makes payments with keys 'NAME-NUMBER' and prints those that were
answered and the last refusal; 'close' closes the journal and ends. With 'served' it holds the
journal as a server does.
"""

import json
import sys
from typing import TypedDict

from houseway.journal.custody import Custody
from houseway.journal.journal import Journal
from houseway.refusal import Refused
from tests.journal.bank import Bank, pay


class Paid(TypedDict):
    """What came of some payments."""

    done: list[str]
    told: str


def paid(journal: Journal, name: str, count: int) -> Paid:
    """The keys that were answered, and what was said last where something was refused."""
    done, told = [], ""
    for number in range(count):
        key = f"{name}-{number}"
        try:
            journal.do(pay(key))
        except Refused as refused:
            told = refused.message
        else:
            done.append(key)
    return {"done": done, "told": told}


def main() -> None:
    url, *how = sys.argv[1:]
    with Journal(url, Bank(), custody=Custody(url) if how else None) as journal:
        while (line := sys.stdin.readline()) and line != "close\n":
            _, name, count = line.split()
            print(json.dumps(paid(journal, name, int(count))), flush=True)


if __name__ == "__main__":
    main()
