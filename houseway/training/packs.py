"""Packs: cards to ask about, drawn by what the rules call a hand, so that rare ones come too."""

from collections.abc import Collection
from random import Random

from houseway.cards import ACE, DECK, FIVE, KING, QUEEN, make_card
from houseway.cards.hands import FiveCard, ThreeCard, category3, category5
from houseway.rules.ruleset import Ruleset

Three = tuple[int, int, int]


def three_card_names(ruleset: Ruleset) -> tuple[ThreeCard, ...]:
    """The hands that have a name here: a suited A-K-Q only where a paytable has a row for it."""
    royal = ThreeCard.MINI_ROYAL
    rows = (hand for table in ruleset.paytables.values() for hand, _ in table.rows)
    named = royal.name.lower() in rows
    return tuple(kind for kind in ThreeCard if named or kind is not royal)


def three_card_name(cards: Three, ruleset: Ruleset) -> ThreeCard:
    """What three cards are called here: the best of the names that they have (TCP-02, A-37)."""
    found = category3(*cards)
    return found if found in three_card_names(ruleset) else ThreeCard.STRAIGHT_FLUSH


def some_three(
    rng: Random,
    without: Collection[int] = (),
    categories: Collection[ThreeCard] = tuple(ThreeCard),
) -> Three:
    """A hand of one of these categories in some order, with none of the cards that are gone.

    A recipe proposes; what the cards are is asked of the rules.
    """
    while True:
        category = rng.choice(tuple(categories))
        cards = _propose_three(rng, category)
        if len({*cards}) == 3 and not {*cards} & {*without} and category3(*cards) == category:
            a, b, c = rng.sample(cards, 3)
            return a, b, c


def _propose_three(rng: Random, category: ThreeCard) -> Three:
    top, suit = rng.randint(1, ACE), rng.randrange(4)
    match category:
        case ThreeCard.MINI_ROYAL:
            return make_card(ACE, suit), make_card(KING, suit), make_card(QUEEN, suit)
        case ThreeCard.STRAIGHT_FLUSH | ThreeCard.STRAIGHT:
            suited = category is ThreeCard.STRAIGHT_FLUSH
            # The Ace stands below the deuce too.
            a, b, c = (
                make_card(rank % 13, suit if suited else rng.randrange(4))
                for rank in (top, top - 1, top - 2)
            )
            return a, b, c
        case ThreeCard.THREE_OF_A_KIND:
            a, b, c = _some_of(rng, top, 3)
            return a, b, c
        case ThreeCard.PAIR:
            a, b = _some_of(rng, top, 2)
            return a, b, rng.randrange(52)
        case ThreeCard.FLUSH:
            a, b, c = (make_card(rank, suit) for rank in rng.sample(range(13), 3))
            return a, b, c
    return any_three(rng)


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
