"""Shuffler: the virtual shuffler, which checks a deck and makes packets of it in random order.

Randomness is an argument: `random.SystemRandom` (the kernel's generator) at a live table, a
seeded `random.Random` of the caller's own in practice, and in replay no generator at all but the
recorded shuffle. Why every order of the deck is equally likely is shown in `docs/live.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from houseway.cards import DECK, DECK_SIZE, UNKNOWN, cards_text
from houseway.games import game_of
from houseway.names import GameCode
from houseway.refusal import Reason, Refused

ID_DIGITS = 12


class Shuffle(NamedTuple):
    """A deck in the order it leaves the shuffler, and by what it was shuffled."""

    id: str
    cards: tuple[int, ...]
    packet_size: int
    by: str = "automatic"
    """'automatic', or for a hand shuffle the house procedure that was followed (CMP-15)."""

    def packet(self, number: int) -> tuple[int, ...]:
        """The cards of a packet, counted from 0."""
        return self.cards[number * self.packet_size : (number + 1) * self.packet_size]

    @property
    def packets(self) -> int:
        """How many whole packets the deck makes; what is left over is flushed."""
        return DECK_SIZE // self.packet_size


HOUSE_SHUFFLE = "house procedure"
"""By whom a deck is shuffled where no machine does it."""
UNKNOWN_DECK = (UNKNOWN,) * DECK_SIZE
"""One pack of real cards, which are known as they are turned over."""


def is_unknown(cards: Sequence[int]) -> bool:
    """True for a deck of real cards, of which nobody knows the order."""
    return len(cards) > 0 and cards[0] == UNKNOWN and set(cards) == {UNKNOWN}


def check_deck(cards: Sequence[int], packs: int = 1) -> None:
    """Refuse a deck that is not whole, 52 different cards a pack, before any leaves (ACE-06)."""
    # A truth value equals 0 or 1 and a float may equal any card; neither is one.
    if all(type(card) is int for card in cards) and sorted(cards) == sorted(DECK * packs):
        return
    held = list(cards)
    missing = [card for card in DECK if held.count(card) < packs]
    extra = [card for card in DECK if held.count(card) > packs]
    often = "twice" if packs == 1 else "too often"
    named = f"; missing: {cards_text(missing)}" if missing else ""
    named += f"; {often}: {cards_text(extra)}" if extra else ""
    each = "" if packs == 1 else f" in each of {packs} packs"
    raise Refused(
        Reason.BAD_DECK,
        f"the deck has {len(cards)} cards and cannot be dealt; 52 different cards{each} are "
        f"needed{named}",
        "ACE-06",
    )


def make_shuffle(
    randomness: Random, packet_size: int = 1, deck: Sequence[int] = DECK, by: str = "automatic"
) -> Shuffle:
    """A checked deck in packets: cards selected at random, packets delivered at random.

    Both steps come from the same generator (ACE-01), so which position gets which packet says
    nothing of its cards (ACE-12). Each shuffle has an id of its own (TSB-01).
    """
    check_deck(deck)
    selected = randomness.sample(deck, DECK_SIZE)
    if packet_size > 1:
        whole = DECK_SIZE // packet_size
        packets = [selected[n * packet_size : (n + 1) * packet_size] for n in range(whole)]
        rest = selected[whole * packet_size :]
        randomness.shuffle(packets)
        selected = [card for packet in packets for card in packet] + rest
    shuffle_id = f"{randomness.getrandbits(4 * ID_DIGITS):0{ID_DIGITS}x}"
    return Shuffle(shuffle_id, tuple(selected), packet_size, by)


LOG_KEPT = 1000
"""Entries that a machine keeps; older ones make way."""


class Entry(NamedTuple):
    """One line of the performance log: which cycle, what, and a code in plain words."""

    cycle: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffler:
    """What one machine remembers: the game, its counters and its log. No card is in it."""

    game: GameCode
    cycles: int = 0
    hands: int = 0
    faults: int = 0
    log: tuple[Entry, ...] = ()

    @property
    def packet_size(self) -> int:
        """Cards in a packet of the selected game (ACE-03, TSR-39)."""
        return game_of(self.game).packet

    def shuffle(self, randomness: Random, deck: Sequence[int] = DECK) -> "tuple[Shuffler, Shuffle]":
        """The machine after one cycle, and the shuffle; refused when the deck is not whole."""
        made = make_shuffle(randomness, self.packet_size, deck)
        cycle = self.cycles + 1
        return replace(
            self,
            cycles=cycle,
            hands=self.hands + made.packets,
            log=self._logged(cycle, f"shuffle {made.id}: {made.packets} packets"),
        ), made

    def fault(self, what: str) -> "Shuffler":
        """The machine after a fault."""
        return replace(
            self, faults=self.faults + 1, log=self._logged(self.cycles, f"fault: {what}")
        )

    def _logged(self, cycle: int, what: str) -> tuple[Entry, ...]:
        return (*self.log[1 - LOG_KEPT :], Entry(cycle, what))

    def self_test(self, randomness: Random, deck: Sequence[int] = DECK) -> "SelfTest":
        """A diagnosis on the spot, each finding in plain words (ACE-02)."""
        findings = []
        try:
            check_deck(deck)
            findings.append(Finding("deck", ok=True, words="52 of 52 cards are in the machine"))
        except Refused as refused:
            findings.append(Finding("deck", ok=False, words=refused.message))
        shuffles = [make_shuffle(randomness, self.packet_size) for _ in range(TRIALS)]
        whole = all(set(made.cards) == set(DECK) for made in shuffles)
        findings.append(
            Finding(
                "packets",
                ok=whole,
                words=f"{TRIALS} trial shuffles {'kept' if whole else 'lost'} every card",
            )
        )
        moved = len({made.cards for made in shuffles}) == TRIALS
        findings.append(
            Finding(
                "randomness",
                ok=moved,
                words=f"{TRIALS} trial shuffles {'all differ' if moved else 'repeat'}",
            )
        )
        counted = self.hands == self.cycles * (DECK_SIZE // self.packet_size)
        findings.append(
            Finding(
                "counters",
                ok=counted,
                words=f"{self.cycles} cycles and {self.hands} hands "
                + ("agree" if counted else "do not agree"),
            )
        )
        return SelfTest(tuple(findings))


TRIALS = 20


class Finding(NamedTuple):
    """One finding of a self-test."""

    code: str
    ok: bool
    words: str


class SelfTest(NamedTuple):
    """The result of a self-test."""

    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """True when nothing is wrong."""
        return all(finding.ok for finding in self.findings)


SEVEN_STEPS = (
    "Switch the machine off.",
    "Pull its power plug.",
    "Take it away and set up the backup.",
    "Connect power and data to the backup.",
    "Switch the backup on.",
    "Report the fault to the vendor's service.",
    "Go on with the game.",
)
REPLACES = ("seven_steps", 3)
"""The branch and step at which another machine stands at the table."""
RUNBOOKS: dict[str, tuple[str, ...]] = {
    "guide": ("Use the guide that is on the machine.",),
    "seven_steps": SEVEN_STEPS,
    "local": ("Do what the local regulator has approved for this.",),
}
"""What is done when the shuffler fails: three branches, each a list of steps (TSR-32)."""
