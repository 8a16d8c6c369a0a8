"""Chart: the printed blackjack chart as a way of playing, and each of its cells against the best.

The chart speaks of totals. A cell holds when its decision is the best single one for all the
hands that come to it; compositions for which another decision is better are listed with what the
printed one costs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from houseway.catalog.claims import Claim
from houseway.exact.blackjack import (
    DECK,
    KINDS,
    Blackjack,
    BlackjackFigures,
    Kinds,
    blackjack,
    hand_of_kinds,
    reached_hands,
)
from houseway.exact.kept import kept
from houseway.games import blackjack as rules
from houseway.games.blackjack import BlackjackDecision, BlackjackOptions
from houseway.games.triple_shot_bonus import chart as printed_chart
from houseway.games.triple_shot_bonus.rules import BonusOptions

LETTERS: dict[str, str] = {decision: letter for letter, decision in printed_chart.LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Departure:
    """A hand for which the printed decision is not the best, and what that costs per round."""

    hand: str
    printed: str
    best: str
    cost: Fraction

    def to_json(self) -> dict[str, str]:
        """The hand as plain data."""
        return {
            "hand": self.hand,
            "printed": self.printed,
            "best": self.best,
            "cost": str(self.cost),
        }


@dataclass(frozen=True, slots=True)
class Cell:
    """The verdict on one cell of the chart."""

    best: str
    verdict: str
    note: str | None
    """The dearest departures in a line."""
    departures: tuple[Departure, ...]
    """All of them, dearest first."""
    hands: int
    """How many compositions it was judged on; 0 means that nothing was."""


def row_of(hand: Kinds) -> str:
    """The row of the chart that a hand belongs to."""
    return printed_chart.row_of(hand_of_kinds(hand))


def decide(hand: Kinds, up: int) -> BlackjackDecision:
    """The decision that the chart prints for a hand, its two notes included (TSB-27)."""
    return printed_chart.decision(hand_of_kinds(hand), _kinds(hand), rules.KIND_NAMES[up])


def printed_play(options: BlackjackOptions) -> BlackjackFigures:
    """The figures of Blackjack when the chart is played as printed."""
    return _printed_play(blackjack(options).options)


@kept
def _printed_play(options: BlackjackOptions) -> BlackjackFigures:
    return blackjack(options).figures(decide)


def _decision(hand: Kinds, up: int, letter: str) -> BlackjackDecision:
    return printed_chart.read_letter(
        hand_of_kinds(hand), _kinds(hand), rules.KIND_NAMES[up], letter
    )


@cache
def _kinds(hand: Kinds) -> tuple[str, ...]:
    return tuple(rules.KIND_NAMES[kind] for kind in range(KINDS) for _ in range(hand[kind]))


def judge_cell(claim: Claim, options: BonusOptions) -> Cell:
    """The verdict on one cell: whether its decision is the best for the hands it covers."""
    row = str(claim.hand)
    return _judge(claim, options, lambda hand: row_of(hand) == row, _letters(row), _decision)


def judge_note(claim: Claim, options: BonusOptions) -> Cell:
    """The verdict on what a note under the chart says of one hand or total (TSB-27).

    The chart itself reads the notes, so the decisions are compared here without it.
    """
    cards, _, total = str(claim.hand).partition("-card-")
    if total:
        return _judge(claim, options, lambda hand: _is_hard(hand, int(cards), int(total)), "SH")
    kinds = sorted(cards.split("-"))
    return _judge(claim, options, lambda hand: sorted(_kinds(hand)) == kinds, "SHD")


def _is_hard(hand: Kinds, cards: int, total: int) -> bool:
    held = hand_of_kinds(hand)
    hard = not rules.is_soft(held.total)
    return hard and (held.cards, rules.value(held.total)) == (cards, total)


def _plain_letter(_hand: Kinds, _up: int, letter: str) -> BlackjackDecision:
    return printed_chart.LETTERS[letter]


Reader = Callable[[Kinds, int, str], BlackjackDecision]
"""Reads a letter for a hand and an up card."""


def _judge(
    claim: Claim,
    options: BonusOptions,
    covers: Callable[[Kinds], bool],
    letters: str,
    read: Reader = _plain_letter,
) -> Cell:
    """The verdict on a printed letter for the hands that it covers."""
    game = blackjack(options)
    up = rules.KIND_NAMES.index(str(claim.up_card))
    values = game.by_up[up].values
    hands = [
        (hand, ways)
        for hand, ways in _reached(game, up).items()
        if hand in values and covers(hand) and _is_open(game, hand)
    ]

    def worth(letter: str) -> int:
        return sum(ways * values[hand][read(hand, up, letter)] for hand, ways in hands)

    by_letter = {letter: worth(letter) for letter in letters}
    best = max(by_letter, key=lambda letter: by_letter[letter])
    holds = worth(claim.printed) >= by_letter[best]
    departures = tuple(_departures(game, up, claim.printed, hands, read))
    return Cell(
        best=claim.printed if holds else best,
        verdict="exact" if holds else "wrong",
        note=_note(departures),
        departures=departures,
        hands=len(hands),
    )


IN_A_NOTE = 6
"""How many departures a note names."""


def _note(departures: tuple[Departure, ...]) -> str | None:
    if not departures:
        return None
    named = departures[:IN_A_NOTE]
    shown = "; ".join(f"{e.hand}: {e.best}, costs {float(e.cost):.3g}" for e in named)
    more = len(departures) - len(named)
    return f"better for some hands: {shown}" + (f" and {more} more" if more else "")


def _letters(row: str) -> str:
    return "SHDP" if row == "A-A" else "SHD"


def _is_open(game: Blackjack, hand: Kinds) -> bool:
    held = hand_of_kinds(hand)
    return rules.status(held, game.options) is rules.Status.OPEN


@cache
def _reached_by_best(options: BonusOptions, up: int) -> dict[Kinds, int]:
    game = blackjack(options)
    return reached_hands(game.by_up[up], game.best)


def _reached(game: Blackjack, up: int) -> dict[Kinds, int]:
    return _reached_by_best(game.options, up)


def _departures(
    game: Blackjack, up: int, printed: str, hands: list[tuple[Kinds, int]], read: Reader
) -> Iterator[Departure]:
    """Hands of a cell for which another decision is better, dearest first."""
    analysis = game.by_up[up]
    everything = game.figures().law.total
    found = []
    for hand, ways in hands:
        values = analysis.values[hand]
        chosen, best = read(hand, up, printed), analysis.best(hand)
        lost = values[best] - values[chosen]
        if lost:
            cost = Fraction(DECK[up] * ways * lost, 2 * everything)
            found.append(Departure(hand_text(hand), chosen, best, cost))
    yield from sorted(found, key=lambda e: e.cost, reverse=True)


def hand_text(hand: Kinds) -> str:
    """A hand by its kinds: 'T-2', 'A-3-3'."""
    return "-".join(rules.KIND_NAMES[k] for k in reversed(range(KINDS)) for _ in range(hand[k]))
