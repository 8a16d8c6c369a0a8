"""Collects evidence about the generators, tests it and writes docs/rng.md: `make rng`.

Files are written by `houseway rng` itself, so what is tested is what anybody else can collect.
Exits 1 when the p-values do not hold together.
"""

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from houseway.sim import evidence, fairness
from houseway.sim.fairness import Rounds, Statistic, Words
from tests import ROOT
from tests.tools.batteries import (
    DIEHARDER,
    ENDLESS,
    FIRST_SEED,
    HOUSEWAY,
    LEFT_OUT,
    Ent,
    Passed,
    dieharder_version,
    missing,
    run_dieharder,
    run_ent,
)
from tests.tools.judgement import SIZE, Judgement, chance, holds_together

PAGE = ROOT / "docs" / "rng.md"
SEED = 1
WORDS = 50_000_000
NEIGHBOURS = 8192
NEIGHBOUR_WORDS = 256
LAGS = (1, 2, 3, 5, 10)
WORST = 10
Data = TypeVar("Data")


@dataclass(frozen=True, slots=True)
class Collected:
    """One file that `houseway rng` writes."""

    name: str
    arguments: tuple[str, ...]
    width: int
    """Bytes of one word, round or deck."""

    @property
    def seeded(self) -> bool:
        """True when the same command writes the same file again."""
        return "simulator" in self.arguments

    @property
    def command(self) -> str:
        """The command as a person types it."""
        return f"houseway rng {' '.join(self.arguments)} --out FILE"

    @property
    def count(self) -> int:
        """How many words, rounds or decks."""
        return int(self.arguments[self.arguments.index("--count") + 1])


def _collected(name: str, text: str, width: int) -> Collected:
    return Collected(name, tuple(text.split()), width)


SEEDED = f"--rng-seed {SEED}"
RAW = (
    _collected("simulator, words", f"simulator raw --count {WORDS} {SEEDED}", 4),
    _collected("shuffler, words", f"shuffler raw --count {WORDS}", 4),
)
FINAL = (
    _collected(
        "simulator, tables of three cards",
        f"simulator final --count 1000000 --game three-card-poker --seats 7 {SEEDED}",
        24,
    ),
    _collected(
        "simulator, Triple Shot Bonus",
        f"simulator final --count 500000 --game triple-shot-bonus --seats 7 {SEEDED}",
        44,
    ),
    _collected(
        "shuffler, packets of three", "shuffler final --count 130000 --game three-card-poker", 52
    ),
    _collected(
        "shuffler, packets of one", "shuffler final --count 130000 --game triple-shot-bonus", 52
    ),
)


@dataclass(frozen=True, slots=True)
class Family:
    """The p-values of one kind of test on one collection."""

    collection: str
    test: str
    named: tuple[tuple[str, float], ...]

    @property
    def judgement(self) -> Judgement:
        """What they come to."""
        return Judgement(tuple(found for _, found in self.named))


CARD_TESTS: dict[str, Callable[[Rounds], Iterator[Statistic]]] = {
    "each card at each place": fairness.places,
    "all places together": lambda rounds: iter([fairness.places_together(rounds)]),
    "ordered pairs at adjacent places": fairness.pairs,
    "hands of three": fairness.hands,
    "runs at each place": fairness.runs,
    "correlation with earlier rounds, each place": lambda rounds: fairness.correlations(
        rounds, LAGS
    ),
    "correlation with earlier rounds, all places": lambda rounds: fairness.correlations_together(
        rounds, LAGS
    ),
    "cards at the place they had before": lambda rounds: fairness.repeats(rounds, LAGS),
    "card after card at each place": lambda rounds: fairness.transitions(rounds, LAGS[:2]),
    "order as bits: bits": lambda rounds: fairness.bits(order_words(rounds)),
    "order as bits: bytes": lambda rounds: fairness.byte_counts(order_words(rounds)),
}


def word_tests(lags: Sequence[int]) -> dict[str, Callable[[Words], Iterator[Statistic]]]:
    """The tests of words, with correlations at these lags."""
    return {
        "bits": fairness.bits,
        "bytes": fairness.byte_counts,
        "correlation with earlier words": lambda words: fairness.word_correlations(words, lags),
    }


def order_words(rounds: Rounds) -> Words:
    """The order of the cards as words."""
    even = b"".join(
        fairness.order_bits(rounds[first : first + 50_000])
        for first in range(0, len(rounds), 50_000)
    )
    return np.frombuffer(even[: len(even) // 4 * 4], dtype="<u4")


def main() -> int:
    """Collect, test and write the page; returns 0 when all holds together."""
    if lost := missing():
        print(f"{' and '.join(lost)} cannot be found; `make rng` installs both", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        paths = {each.name: Path(folder) / f"{n}.bin" for n, each in enumerate((*RAW, *FINAL))}
        print("collecting", flush=True)
        list(pool.map(lambda each: collect(each, paths[each.name]), (*FINAL[::-1], *RAW)))
        digests = {
            each.name: hashlib.sha256(paths[each.name].read_bytes()).hexdigest()
            for each in (*RAW, *FINAL)
            if each.seeded
        }
        families: list[Family] = []
        ents: dict[str, Ent] = {}
        print("our own tests, and ent", flush=True)
        for each in RAW:
            words = np.fromfile(paths[each.name], dtype="<u4")
            families += _families(each.name, word_tests((*LAGS, evidence.BLOCK_WORDS)), words)
            ents[each.name] = run_ent(paths[each.name])
        families += _families(
            "simulator, neighbouring blocks",
            word_tests((*LAGS, NEIGHBOUR_WORDS)),
            neighbouring_words(),
        )
        for each in FINAL:
            rounds = np.fromfile(paths[each.name], dtype=np.uint8).reshape(-1, each.width)
            families += _families(each.name, CARD_TESTS, rounds)
            name, path = f"{each.name}, order as bits", Path(folder) / "order.bin"
            path.write_bytes(order_words(rounds).tobytes())
            ents[name] = run_ent(path)
        print("dieharder", flush=True)
        sources = ("simulator", "shuffler")
        tested = dict(
            zip(sources, pool.map(lambda name: list(run_dieharder(name)), sources), strict=True)
        )
    families.append(
        Family(
            "all that `ent` was given",
            "chi-square of bytes",
            tuple((name, chance(found.statistic)) for name, found in ents.items()),
        )
    )
    for source, passed in tested.items():
        named = tuple((f"{p.name} {p.length}", p.chance) for p in passed)
        families.append(Family(f"{source}, words", "dieharder", named))
    holds = holds_together([family.judgement for family in families])
    PAGE.write_text("\n".join(page(families, ents, tested, digests, holds)) + "\n", "utf-8")
    print(f"{PAGE.name}: {'all holds together' if holds else 'it does not hold together'}")
    return 0 if holds else 1


def collect(each: Collected, path: Path) -> None:
    """Write a file by the command that the page names."""
    subprocess.run(
        [*HOUSEWAY, "rng", *each.arguments, "--out", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def neighbouring_words() -> Words:
    """The first words of many blocks, one block after the other."""
    count = NEIGHBOURS * NEIGHBOUR_WORDS
    found = evidence.simulator_words(SEED, count, block_words=NEIGHBOUR_WORDS)
    return np.frombuffer(b"".join(found.pieces), dtype="<u4")


def _families(
    name: str, tests: dict[str, Callable[[Data], Iterator[Statistic]]], data: Data
) -> Iterator[Family]:
    for test, run in tests.items():
        yield Family(name, test, tuple((s.where, chance(s)) for s in run(data)))


# The page.


def page(
    families: Sequence[Family],
    ents: dict[str, Ent],
    tested: dict[str, list[Passed]],
    digests: dict[str, str],
    holds: bool,
) -> Iterator[str]:
    """The lines of the page."""
    yield "# The generators, tested"
    yield ""
    yield (
        "`make rng` collects what the generators give and what is dealt from it, runs the tests "
        "below and writes this page. Two generators deal cards in this house."
    )
    yield ""
    yield (
        "- **The simulator** deals from NumPy's Philox (4x64, 10 rounds), keyed by the seed and "
        "the number of a block of rounds. The same seed gives the same rounds."
    )
    yield (
        "- **The shuffler** of a live table draws from `random.SystemRandom`, the operating "
        "system's generator. It has no seed, and no two collections are alike: its figures below "
        "are of one collection, and the next will differ."
    )
    yield from _verdict(families, holds)
    yield from _what_was_collected(digests)
    yield from _all_families(families)
    yield from _from_ent(ents)
    yield from _from_dieharder(tested)
    yield from _how_to_read()


def _verdict(families: Sequence[Family], holds: bool) -> Iterator[str]:
    every = sorted(
        ((found, family, where) for family in families for where, found in family.named),
        key=lambda entry: entry[0],
    )
    below = sum(found < SIZE for found, _, _ in every)
    judged = [p for family in families for p in family.judgement.chances_of_all]
    yield from ("", "## What came of it", "")
    yield (
        f"{len(every):,} p-values, of which {below} are below 0.01; {len(every) * SIZE:.1f} are "
        f"expected when nothing is wrong. They are judged in {len(families)} families by "
        f"{len(judged)} numbers (see *How to read this*). The smallest of these is "
        f"{_p(min(judged))}; times {len(judged)} it is {_p(min(1.0, min(judged) * len(judged)))}. "
        + ("**All holds together at 99%.**" if holds else "**It does not hold together at 99%.**")
    )
    yield from ("", f"The {WORST} smallest:", "")
    yield from _head("p-value", "Collection", "Test", "Where")
    for found, family, where in every[:WORST]:
        yield f"| {_p(found)} | {family.collection} | {family.test} | {where} |"


def _what_was_collected(digests: dict[str, str]) -> Iterator[str]:
    yield from ("", "## What was collected", "")
    yield (
        "Raw are words of 32 bits, drawn with replacement, as they come from the generator before "
        "anything is made of them. Final are cards, a byte from 0 to 51 each, drawn without "
        "replacement within a round or deck, by the code that deals: the kernels of `houseway "
        "simulate` with the same seed and seats, and the shuffler that `houseway play` and "
        "`houseway deal` call. What has a seed has a SHA-256 by which anybody can tell that "
        "they collected the same."
    )
    yield ""
    yield from _head("Collection", "How many", "Bytes each", "Command")
    for each in (*RAW, *FINAL):
        yield f"| {each.name} | {each.count:,} | {each.width} | `{each.command}` |"
    yield (
        f"| simulator, neighbouring blocks | {NEIGHBOURS * NEIGHBOUR_WORDS:,} | 4 | the first "
        f"{NEIGHBOUR_WORDS} words of each of {NEIGHBOURS:,} blocks of seed {SEED} |"
    )
    yield ""
    yield from _head("Collection", "SHA-256")
    for name, digest in digests.items():
        yield f"| {name} | `{digest}` |"


def _all_families(families: Sequence[Family]) -> Iterator[str]:
    yield from ("", "## All families", "")
    yield (
        f"Rounds are compared with those {', '.join(map(str, LAGS[:-1]))} and {LAGS[-1]} before. "
        "`houseway/sim/fairness.py` says what each statistic is; `tests/sim/test_rng.py` shows "
        "that each finds the faults it looks for. *Order as bits*: the orders of the cards are "
        "numbered; a power of two divides how many orders there are, so that many low bits of "
        "the number are even when all orders are equally likely."
    )
    yield ""
    yield from _head(
        "Collection",
        "Test",
        "p-values",
        "below 0.01",
        "smallest",
        "of the smallest",
        "of the largest",
        "of the spread",
    )
    for family in families:
        found = family.judgement
        spread = "" if found.of_spread is None else _p(found.of_spread)
        yield (
            f"| {family.collection} | {family.test} | {len(found.chances)} | {found.below} | "
            f"{_p(found.smallest)} | {_p(found.of_smallest)} | {_p(found.of_largest)} | {spread} |"
        )


def _from_ent(ents: dict[str, Ent]) -> Iterator[str]:
    yield from ("", "## ent", "")
    yield (
        "`ent -t FILE`; the p-value is that of its chi-square with 255 degrees of freedom. Even "
        "bytes have 8 bits of entropy, a mean of 127.5 and no serial correlation. Cards are no "
        "even bytes, so it is given their order as bits."
    )
    yield ""
    yield from _head(
        "Collection",
        "Bytes",
        "Entropy",
        "Chi-square",
        "p-value",
        "Mean",
        "Pi",
        "Serial correlation",
    )
    for name, found in ents.items():
        yield (
            f"| {name} | {found.size:,} | {found.entropy:.6f} | {found.chi_square:.2f} | "
            f"{_p(chance(found.statistic))} | {found.mean:.4f} | {found.pi:.5f} | "
            f"{found.serial_correlation:+.6f} |"
        )


def _from_dieharder(tested: dict[str, list[Passed]]) -> Iterator[str]:
    yield from ("", "## dieharder", "")
    yield (
        f"Version {dieharder_version()}, {len(DIEHARDER)} tests of each source, each on "
        "words of its own through a pipe, so that no word is read twice:"
    )
    yield from ("", "```")
    yield (
        f"houseway rng simulator raw --count {ENDLESS} --rng-seed SEED --out - | "
        "dieharder -g 200 -d TEST"
    )
    yield f"houseway rng shuffler raw --count {ENDLESS} --out - | dieharder -g 200 -d TEST"
    yield from ("```", "", "Left out:", "")
    for name, why in LEFT_OUT.items():
        yield f"- {name}: {why}."
    yield ""
    yield f"Seeds of the simulator go from {FIRST_SEED} up, one for each test."
    yield ""
    yield from _head("Test", "Name", "Length", "Seed", "simulator", "shuffler")
    for one, two in zip(tested["simulator"], tested["shuffler"], strict=True):
        assert (one.name, one.length) == (two.name, two.length)
        yield (
            f"| {one.test} | {one.name} | {one.length} | {one.seed} | {_p(one.chance)} | "
            f"{_p(two.chance)} |"
        )


def _how_to_read() -> Iterator[str]:
    yield from ("", "## How to read this", "")
    yield (
        "A p-value is how likely a result at least as odd is when nothing is wrong. It is spread "
        "evenly from 0 to 1 then, so one in a hundred is below 0.01, and among a thousand "
        "p-values ten such are no sign of a fault: none at all would be. So no p-value is judged "
        "alone. Each family of them is judged by three numbers."
    )
    yield ""
    yield (
        "- **Of the smallest**: the smallest p-value times how many there are (Bonferroni). That "
        "the smallest of so many is so small by chance is at most this likely."
    )
    yield (
        "- **Of the largest**: the same for how far the largest is from 1. What is too even is as "
        "odd as what is too uneven."
    )
    yield (
        "- **Of the spread**: how likely p-values are spread so unevenly from 0 to 1 "
        "(Kolmogorov and Smirnov). It finds what no single p-value shows: all a little too small, "
        "or all too good."
    )
    yield ""
    yield (
        "The smallest of all these numbers, times how many they are, must not be below 0.01. So "
        "one collection in a hundred fails by chance; a fault fails again, and a larger "
        "collection fails by more. P-values of one family are not quite independent, since places "
        "of a deck share its cards; Bonferroni needs no independence, and the spread suffers "
        "little from so weak a link."
    )
    yield ""
    yield (
        "Such tests can find a fault and never prove that there is none. That no draw of cards is "
        "likelier than another when the words are even is not left to them: for the first cards of "
        "a round `tests/sim/test_rng.py` gives all 2^32 words to the kernels and counts, and "
        "`docs/live.md` has the argument for the shuffler."
    )


def _head(*columns: str) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"


def _p(value: float) -> str:
    """A p-value with the digits that matter at either end."""
    if value < 0.0001:
        return f"{value:.1e}"
    return f"{value:.4f}" if value < 0.9999 or value == 1 else f"{value:.8f}"


if __name__ == "__main__":
    sys.exit(main())
