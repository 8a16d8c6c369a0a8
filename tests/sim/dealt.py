"""Dealt: rounds of the simulator with the cards they were dealt, for whoever judges them again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from houseway.cards import card_text, rank_of, suit_of
from houseway.exact.blackjack import KINDS, hand_of_kinds
from houseway.exact.bonus import CODES, hand_graph
from houseway.exact.tabulate import three_card_hands
from houseway.games import blackjack as rules
from houseway.games.blackjack import BlackjackDecision
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.sim.stream import Stream
from houseway.sim.table import NO_HANDS, Table
from tests.oracles.settle import _ace_and_ten, _total

UP_AND_HOLE = 2


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """Rounds as they were dealt."""

    outcomes: npt.NDArray[np.int32]
    judged: npt.NDArray[np.int8]
    cards: npt.NDArray[np.uint8]


def deal(
    table: Table, rounds: int, rng_seed: int, *, cards: int, community: bool = False, block: int = 0
) -> Dealt:
    """The first rounds of a block, with the first so many cards of each."""
    shape = (rounds, table.seats)
    found = Dealt(
        np.zeros(shape, dtype=np.int32),
        np.zeros(shape, dtype=np.int8) if community else NO_HANDS,
        np.zeros((rounds, cards), dtype=np.uint8),
    )
    stream, done = Stream(rng_seed, block), 0
    while done < rounds:
        judged = found.judged[done:] if community else NO_HANDS
        more = table.deal(stream, rounds - done, found.outcomes[done:], judged, found.cards[done:])
        if not more:
            stream.refill()
        done += more
    return found


def texts(cards: Any) -> list[str]:
    """Cards as the oracles write them."""
    return [card_text(int(card)) for card in cards]


# A way of playing that nobody would think of: what it decides is as good as random, and it is the
# same for all hands that differ in the names of their suits only.


def whim(*facts: int) -> int:
    """A number that follows from small numbers and looks like chance."""
    return crc32(bytes(facts))


def whimsical_play(cards: list[int], up: int | None) -> bool:
    """Whether a three-card hand is played; of the up card its rank and its suit are looked at."""
    ranks = sorted(rank_of(card) for card in cards)
    suits = [suit_of(card) for card in cards]
    seen = () if up is None else (rank_of(up), suits.count(suit_of(up)))
    return whim(*ranks, len(set(suits)), *seen) % 3 > 0


def whimsical_plays(*, face_up: bool) -> npt.NDArray[np.bool_]:
    """The same by canonical hand and, in Face Up, up card."""
    hands = three_card_hands()
    chosen = [hands.cards[number].tolist() for number in hands.canonical]
    if not face_up:
        return np.array([whimsical_play(cards, None) for cards in chosen])
    return np.array([[whimsical_play(cards, up) for up in range(52)] for cards in chosen])


def kinds_of(cards: list[str]) -> tuple[int, ...]:
    """How many cards of each kind a Blackjack hand has, the Ace first."""
    names = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]
    found = [0] * KINDS
    for card in cards:
        found[names.index("T" if card[0] in "JQK" else card[0])] += 1
    return tuple(found)


def whimsical_blackjack(hand: tuple[int, ...], up: int) -> BlackjackDecision:
    """A decision on a Blackjack hand among those that the sheet allows."""
    cards = sum(hand)
    allowed: list[BlackjackDecision] = ["stand", "hit"]
    if cards == 2:
        allowed.append("double")
    if hand[0] == cards == 2:
        allowed += ["split", "split", "split"]
    return allowed[whim(*hand, up) % len(allowed)]


def whimsical_codes(options: BonusOptions) -> npt.NDArray[np.int8]:
    """The same by hand and up kind."""
    nodes = hand_graph().nodes
    table = np.zeros((len(nodes), KINDS), dtype=np.int8)
    for number, hand in enumerate(nodes):
        if rules.status(hand_of_kinds(hand), options) is rules.Status.OPEN:
            table[number] = [CODES[whimsical_blackjack(hand, up)] for up in range(KINDS)]
    return table


# Triple Shot Bonus dealt by the sheet, with the words and totals of the oracles.


@dataclass(frozen=True, slots=True)
class BonusSeat:
    """What a seat got and did, as one seat alone would have been dealt it."""

    deck: list[str]
    decisions: list[str]


def bonus_round(
    cards: list[str], seats: int, options: dict[str, str], decide: Any
) -> tuple[list[BonusSeat], int]:
    """The seats of a round dealt from the cards in order, and how many cards were dealt."""
    deck = iter(cards)
    hands = [[next(deck)] for _ in range(seats)]
    up = next(deck)
    for hand in hands:
        hand.append(next(deck))
    dealer = [up, next(deck)]
    natural = _ace_and_ten(dealer)
    peeks = options.get("dealer_natural", "peek") == "peek"
    decisions: list[list[str]] = []
    needs: list[bool] = []
    for hand in hands:
        made, needed = _play(hand, up, deck, decide, options, over=natural and peeks)
        decisions.append(made)
        needs.append(needed)
    drawn: list[str] = []
    if any(needs) and not natural:
        while _draws(dealer + drawn, options.get("dealer_soft_17", "hit")):
            drawn.append(next(deck))
    more = [[next(deck) for _ in range(6 - len(hand))] for hand in hands]
    alone = [
        BonusSeat(
            [hand[0], up, hand[1], dealer[1], *hand[2:], *(drawn if needed else ()), *left], made
        )
        for hand, needed, left, made in zip(hands, needs, more, decisions, strict=True)
    ]
    used = seats * 6 + UP_AND_HOLE + len(drawn)
    assert len(list(deck)) == len(cards) - used
    return alone, used


def _play(
    hand: list[str],
    up: str,
    deck: Iterator[str],
    decide: Any,
    options: dict[str, str],
    *,
    over: bool,
) -> tuple[list[str], bool]:
    """The decisions of a seat and whether the dealer draws for it; adds what the seat draws."""
    made: list[str] = []
    if over:
        return made, False
    if _ace_and_ten(hand):
        return made, False
    while True:
        made.append(decide(hand, up))
        if made[-1] == "stand":
            return made, True
        if made[-1] == "split":
            hand += [next(deck), next(deck)]
            blackjacks = options.get("split_ace_ten", "twenty_one") == "blackjack"
            two = [[hand[0], hand[2]], [hand[1], hand[3]]]
            return made, not (blackjacks and all(_ace_and_ten(pair) for pair in two))
        hand.append(next(deck))
        if _total(hand)[0] > 21 or len(hand) == 6:
            return made, False
        if made[-1] == "double":
            return made, True


def _draws(dealer: list[str], soft_17: str) -> bool:
    total, soft = _total(dealer)
    return total < 17 or (total == 17 and soft and soft_17 == "hit")
