"""Packs: cards to ask about, drawn by what the rules call a hand, so that rare ones come too."""

from collections.abc import Collection
from functools import cache
from itertools import combinations
from random import Random

from houseway.cards import ACE, DECK, FIVE, KING, QUEEN, make_card
from houseway.hands import FiveCard, ThreeCard, category3, category5

Three = tuple[int, int, int]


@cache
def threes() -> dict[ThreeCard, tuple[Three, ...]]:
    """Every three-card hand by its category."""
    found: dict[ThreeCard, list[Three]] = {category: [] for category in ThreeCard}
    for hand in combinations(DECK, 3):
        found[category3(*hand)].append(hand)
    return {category: tuple(hands) for category, hands in found.items()}


def some_three(
    rng: Random,
    without: Collection[int] = (),
    categories: Collection[ThreeCard] = tuple(ThreeCard),
) -> Three:
    """A hand of one of these categories in some order, with none of the cards that are gone."""
    while True:
        hand = rng.choice(threes()[rng.choice(tuple(categories))])
        if not set(hand) & set(without):
            a, b, c = rng.sample(hand, 3)
            return a, b, c


def any_three(rng: Random, without: Collection[int] = ()) -> Three:
    """Three cards as they come."""
    a, b, c = rng.sample([card for card in DECK if card not in without], 3)
    return a, b, c


def some_six(rng: Random, category: FiveCard, without: Collection[int] = ()) -> tuple[int, ...]:
    """Six cards whose best five are of a category, in some order.

    The recipe proposes; what the cards are is asked of the rules.
    """
    while True:
        five = _propose(rng, category)
        cards = list(dict.fromkeys(five))
        rest = [card for card in DECK if card not in cards]
        cards += rng.sample(rest, 6 - len(cards))
        if not set(cards) & set(without) and category5(tuple(cards)) == category:
            return tuple(rng.sample(cards, 6))


def some_five(rng: Random, category: FiveCard) -> tuple[int, ...]:
    """Five cards of a category, in some order."""
    while True:
        cards = list(dict.fromkeys(_propose(rng, category)))
        rest = [card for card in DECK if card not in cards]
        cards += rng.sample(rest, 5 - len(cards))
        if category5(tuple(cards)) == category:
            return tuple(rng.sample(cards, 5))


def _propose(rng: Random, category: FiveCard) -> list[int]:
    suits = range(4)
    ranks = rng.sample(range(13), 5)
    suit = rng.randrange(4)
    match category:
        case FiveCard.ROYAL_FLUSH:
            return [make_card(rank, suit) for rank in range(ACE - 4, ACE + 1)]
        case FiveCard.STRAIGHT_FLUSH:
            return [make_card(rank, suit) for rank in _run(rng)]
        case FiveCard.FOUR_OF_A_KIND:
            return [make_card(ranks[0], each) for each in suits]
        case FiveCard.FULL_HOUSE:
            return _some_of(rng, ranks[0], 3) + _some_of(rng, ranks[1], 2)
        case FiveCard.FLUSH:
            return [make_card(rank, suit) for rank in ranks]
        case FiveCard.STRAIGHT:
            return [make_card(rank, rng.randrange(4)) for rank in _run(rng)]
        case FiveCard.THREE_OF_A_KIND:
            return _some_of(rng, ranks[0], 3)
        case FiveCard.TWO_PAIR:
            return _some_of(rng, ranks[0], 2) + _some_of(rng, ranks[1], 2)
        case FiveCard.JACKS_OR_BETTER:
            return _some_of(rng, rng.randint(QUEEN - 1, ACE), 2)
        case FiveCard.LOW_PAIR:
            return _some_of(rng, rng.randint(0, QUEEN - 2), 2)
    return []


def _run(rng: Random) -> list[int]:
    top = rng.randint(FIVE, KING)
    return [rank % 13 for rank in range(top - 4, top + 1)]


def _some_of(rng: Random, rank: int, number: int) -> list[int]:
    return [make_card(rank, suit) for suit in rng.sample(range(4), number)]
