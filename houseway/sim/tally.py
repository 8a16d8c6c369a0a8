"""Tally: what rounds came to, in whole numbers that add up in any order."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.exact.tabulate import FIVE_CARD_CATEGORIES, Ints

Hits = npt.NDArray[np.int64]
"""Hands of note in the order they were dealt: round, seat, hand, folded, seats that folded."""
Whole = npt.NDArray[Any]
"""Numbers of any size."""
JUDGED = FIVE_CARD_CATEGORIES
"""More hands than any progressive tells apart."""


@dataclass(slots=True, eq=False)
class Tally:
    """Counts of some rounds."""

    rounds: int
    counts: Ints
    """By outcome of a seat."""
    products: Whole
    """products[bet, other]: sums over rounds of what the table won on one times the other."""
    bins: Ints
    """Rounds by what the whole table won."""
    judged: dict[bool, Ints]
    """judged[community cards][folded, hand] as a progressive judges them."""
    hits: dict[bool, list[Hits]]
    """hits[community cards] of note, in order."""
    block_products: Ints = field(repr=False)
    """Products of the block that is being dealt."""

    @classmethod
    def empty(cls, outcomes: int, bets: int, bins: int) -> "Tally":
        """Nothing dealt yet."""
        return cls(
            rounds=0,
            counts=np.zeros(outcomes, dtype=np.int64),
            products=np.zeros((bets, bets), dtype=object),
            bins=np.zeros(bins, dtype=np.int64),
            judged={kind: np.zeros((2, JUDGED), dtype=np.int64) for kind in (False, True)},
            hits={False: [], True: []},
            block_products=np.zeros((bets, bets), dtype=np.int64),
        )

    def settled(self, rounds: int) -> "Tally":
        """The tally once its block is dealt: products go over to numbers of any size."""
        self.rounds = rounds
        self.products = self.products + self.block_products.astype(object)
        self.block_products[:] = 0
        return self

    def add(self, other: "Tally") -> None:
        """Add another tally; its hits come after these."""
        self.rounds += other.rounds
        self.counts += other.counts
        self.products = self.products + other.products
        self.bins += other.bins
        for kind in (False, True):
            self.judged[kind] += other.judged[kind]
            self.hits[kind] += other.hits[kind]

    @classmethod
    def together(cls, tallies: Iterable["Tally"]) -> "Tally":
        """Several tallies as one."""
        found: Tally | None = None
        for tally in tallies:
            if found is None:
                found = tally
            else:
                found.add(tally)
        if found is None:
            raise ValueError("there is nothing to add up")
        return found

    def take_hits(self) -> dict[bool, list[Hits]]:
        """The hits, which are then gone from here: whoever follows them needs them once."""
        taken, self.hits = self.hits, {False: [], True: []}
        return taken

    def to_json(self) -> dict[str, Any]:
        """The tally as plain data, without hits."""
        return {
            "rounds": self.rounds,
            "counts": self.counts.tolist(),
            "products": self.products.tolist(),
            "bins": self.bins.tolist(),
            "judged": [self.judged[kind].tolist() for kind in (False, True)],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Tally":
        """The tally that was written down."""
        products = np.array(data["products"], dtype=object)
        return cls(
            rounds=int(data["rounds"]),
            counts=np.array(data["counts"], dtype=np.int64),
            products=products,
            bins=np.array(data["bins"], dtype=np.int64),
            judged={
                kind: np.array(table, dtype=np.int64)
                for kind, table in zip((False, True), data["judged"], strict=True)
            },
            hits={False: [], True: []},
            block_products=np.zeros(products.shape, dtype=np.int64),
        )
