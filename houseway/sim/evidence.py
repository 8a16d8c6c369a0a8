"""Evidence: what the generators give and what is dealt from it, as bytes for outside tests.

Each source has two collectors. The raw one gives the words of the generator before anything is
made of them. The final one gives cards, a byte from 0 to 51 each, from the very code that deals:
the kernels of a simulation, the shuffler of a live table. Cards are drawn without replacement
within a round or deck, and every round and deck is a draw of its own from all 52.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from houseway.cards import DECK_SIZE
from houseway.games import game_of
from houseway.games.contract import SEATS, Deal
from houseway.live.shuffler import Shuffler
from houseway.names import GameCode
from houseway.sim.job import BATCH, BLOCK, Job, laid_out, tasks
from houseway.sim.stream import CHUNK, Stream

WORD_BYTES = 4
BLOCK_WORDS = 2 * BLOCK
"""Words of a block that are collected: a round of one seat with three cards takes two, so this is
what a block of a simulation uses but for the few it throws away."""
DECKS_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Collection:
    """Bytes that are about to be collected, and what they are."""

    generator: str
    unit: str
    """What is counted: words, rounds or decks."""
    unit_bytes: int
    count: int
    pieces: Iterator[bytes]
    """The bytes, in pieces of whole units; they can be had once."""

    @property
    def size(self) -> int:
        """How many bytes there are altogether."""
        return self.count * self.unit_bytes


def simulator_words(seed: int, count: int, block_words: int = BLOCK_WORDS) -> Collection:
    """Words of the simulator's generator, 32 bits each with the low byte first.

    Blocks follow one another as in a simulation with this seed, each with its first words.
    """

    def pieces() -> Iterator[bytes]:
        for first in range(0, count, block_words):
            stream = Stream(seed, first // block_words)
            left = min(block_words, count - first)
            while left:
                stream.at = stream.words.size
                stream.refill()
                drawn = stream.words[:left]
                left -= drawn.size
                yield drawn.astype("<u4", copy=False).tobytes()

    return Collection(
        generator=PHILOX, unit="words", unit_bytes=WORD_BYTES, count=count, pieces=pieces()
    )


def simulator_cards(job: Job, count: int) -> Collection:
    """The cards of rounds as a simulation of the job deals them, in the order of the deck."""

    def pieces() -> Iterator[bytes]:
        table = laid_out(job).table
        outcomes = np.zeros((BATCH, job.seats), dtype=np.int32)
        cards = np.zeros((BATCH, cards_dealt(job)), dtype=np.uint8)
        for block, _, left in tasks(count, 0, blocks_each=1):
            stream = Stream(job.seed, block)
            while left:
                dealt = table.deal(stream, min(BATCH, left), outcomes, cards=cards)
                if dealt:
                    left -= dealt
                    yield cards[:dealt].tobytes()
                else:
                    stream.refill()

    return Collection(
        generator=PHILOX, unit="rounds", unit_bytes=cards_dealt(job), count=count, pieces=pieces()
    )


def cards_dealt(job: Job) -> int:
    """Cards that every round of a job takes from the deck, however it is played.

    What the dealer draws is left out, for it differs from round to round, and so is what lies at
    no table.
    """
    dealt: dict[str, int] = {}
    for step in game_of(job.game).script:
        if isinstance(step, Deal) and step.when is None and not step.for_bet:
            dealt[step.to] = step.upto or dealt.get(step.to, 0) + step.down + step.up
    return dealt.pop(SEATS) * job.seats + sum(dealt.values())


def shuffler_words(randomness: Random, count: int) -> Collection:
    """Words of 32 bits of the generator that a shuffler is given."""

    def pieces() -> Iterator[bytes]:
        for first in range(0, count, CHUNK):
            yield randomness.randbytes(WORD_BYTES * min(CHUNK, count - first))

    return Collection(
        generator=_name(randomness),
        unit="words",
        unit_bytes=WORD_BYTES,
        count=count,
        pieces=pieces(),
    )


def shuffler_decks(randomness: Random, game: GameCode, count: int) -> Collection:
    """Whole decks as the shuffler of a live table of the game gives them."""

    def pieces() -> Iterator[bytes]:
        shuffler = Shuffler(game=game)
        for first in range(0, count, DECKS_AT_ONCE):
            made = bytearray()
            for _ in range(min(DECKS_AT_ONCE, count - first)):
                shuffler, shuffle = shuffler.shuffle(randomness)
                made += bytes(shuffle.cards)
            yield bytes(made)

    return Collection(
        generator=_name(randomness),
        unit="decks",
        unit_bytes=DECK_SIZE,
        count=count,
        pieces=pieces(),
    )


PHILOX = "numpy.random.Philox, keyed by seed and block"


def _name(randomness: Random) -> str:
    return f"{type(randomness).__module__}.{type(randomness).__qualname__}"
