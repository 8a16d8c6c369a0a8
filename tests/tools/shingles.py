"""Fingerprints of the source documents, so that a test can tell copied text without holding it.

A shingle is a run of eight words, letters only; what is kept of it are six bytes of its hash,
from which no text can be had back. `python -m tests.tools.shingles FILE ...` writes them anew.
"""

import hashlib
import re
import sys
from pathlib import Path

from tests import ROOT

SIZE = 8
BYTES = 6
FILE = ROOT / "tests" / "data" / "source_shingles.bin"

# Names of hands and pays are facts; a run made of nothing else is a table, not a sentence.
FACT_WORDS = set(
    """
    royal straight flush full house four three two of a kind pair pairs jacks or better high card
    to for and hand hands pays pay paytable mini one ace king queen jack ten spades hearts diamonds
    clubs akq suited other suit major mega minor the meter cards poker rummy bonus triple shot face
    up progressive ante play plus tcp
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


def words(text: str) -> list[str]:
    """The words of a text, lower case, letters only; single letters are codes, not words."""
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return re.findall(r"\ba\b|[a-z]{2,}(?:'[a-z]+)?", plain)


def shingles(text: str) -> dict[bytes, str]:
    """Each run of eight words as a short hash, with the run itself."""
    found = {}
    every = words(text)
    for start in range(len(every) - SIZE + 1):
        run = every[start : start + SIZE]
        if not set(run) <= FACT_WORDS:
            joined = " ".join(run)
            found[hashlib.sha256(joined.encode()).digest()[:BYTES]] = joined
    return found


def known_shingles() -> set[bytes]:
    """The fingerprints of the sources."""
    data = FILE.read_bytes()
    return {data[at : at + BYTES] for at in range(0, len(data), BYTES)}


def main(paths: list[str]) -> None:
    """Write the fingerprints of these files."""
    found: set[bytes] = set()
    for path in paths:
        found |= set(shingles(Path(path).read_text(encoding="utf-8")))
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(b"".join(sorted(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
