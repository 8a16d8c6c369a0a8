"""Stream: the random words of a block of rounds.

A block has its own key of the Philox generator, made of the seed and the block's number, so that
its words are the same wherever and whenever it is dealt.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from houseway.exact.kernels.deal import Cards, Words

CHUNK = 1 << 17
"""32-bit words drawn at a time: they stay in the processor's cache until they are used."""


class Stream:
    """The words of one block in order, and the deck they shuffle."""

    def __init__(self, seed: int, block: int) -> None:
        self._philox = np.random.Philox(key=np.array([seed, block], dtype=np.uint64))
        self.words: Words = np.zeros(0, dtype=np.uint32)
        self.at = 0
        self.deck: Cards = np.arange(52, dtype=np.uint8)
        """The deck, in the order that the last round left it."""

    def refill(self) -> None:
        """Drop the words that were used and draw new ones behind the others."""
        drawn = self._philox.random_raw(CHUNK // 2).astype("<u8", copy=False).view("<u4")
        self.words = np.concatenate([self.words[self.at :], drawn])
        self.at = 0
