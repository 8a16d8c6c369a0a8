"""Five and six cards over their whole domains, against two other classifiers."""

from collections import Counter
from itertools import combinations, islice

import pytest
from phevaluator import evaluate_cards

from houseway.cards import DECK, card_text, parse_cards
from houseway.cards.hands import FiveCard, category5, describe5, rank5
from tests.oracles import five_cards, masks
from tests.oracles.domains import canonical_hands, cards_in, hands_with, suit_sizes

# The last place of each category among the 7,462 classes of phevaluator, best first.
PHE_ENDS = {
    FiveCard.ROYAL_FLUSH: 1,
    FiveCard.STRAIGHT_FLUSH: 10,
    FiveCard.FOUR_OF_A_KIND: 166,
    FiveCard.FULL_HOUSE: 322,
    FiveCard.FLUSH: 1599,
    FiveCard.STRAIGHT: 1609,
    FiveCard.THREE_OF_A_KIND: 2467,
    FiveCard.TWO_PAIR: 3325,
    FiveCard.JACKS_OR_BETTER: 3325 + 4 * 220,
    FiveCard.LOW_PAIR: 6185,
    FiveCard.HIGH_CARD: 7462,
}

SIX_CARD_COUNTS = {
    FiveCard.ROYAL_FLUSH: 188,
    FiveCard.STRAIGHT_FLUSH: 1656,
    FiveCard.FOUR_OF_A_KIND: 14664,
    FiveCard.FULL_HOUSE: 165984,
    FiveCard.FLUSH: 205792,
    FiveCard.STRAIGHT: 361620,
    FiveCard.THREE_OF_A_KIND: 732160,
    FiveCard.TWO_PAIR: 2532816,
    FiveCard.JACKS_OR_BETTER: 3000756,
}


PHE_CATEGORY = [
    next(category for category, end in PHE_ENDS.items() if place <= end) for place in range(7463)
]
NAMES = {category: category.name.lower() for category in FiveCard}


@pytest.mark.clause("TSB-18", "PML-04")
def test_all_five_card_hands_up_to_suits() -> None:
    """All 134,459 hands up to a change of suits, which stand for 2,598,960."""
    counts: Counter[FiveCard] = Counter()
    order: dict[int, int] = {}
    for suit_masks, weight in canonical_hands(5):
        hand = cards_in(suit_masks)
        rank, place = rank5(*hand), evaluate_cards(*hand)
        category = category5(hand)
        assert rank >> 20 == category
        assert category is PHE_CATEGORY[place]
        assert NAMES[category] == masks.category(suit_masks)
        assert order.setdefault(rank, place) == place
        counts[category] += weight
    assert sum(counts.values()) == 2_598_960
    assert counts[FiveCard.JACKS_OR_BETTER] + counts[FiveCard.LOW_PAIR] == 1_098_240
    # 7,462 classes in the same order: every comparison of two hands is settled by this.
    assert len(order) == 7462
    assert [order[rank] for rank in sorted(order)] == sorted(order.values(), reverse=True)


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.soak)])
def test_five_card_hands_against_the_slow_oracle(step: int) -> None:
    for suit_masks, _ in islice(canonical_hands(5), 0, None, step):
        hand = cards_in(suit_masks)
        names = [card_text(card) for card in hand]
        assert category5(hand).name.lower() == five_cards.category5(names)


# By how many cards of each suit a hand has; the first two are more than half of all hands.
SHARDS: list[list[tuple[int, ...]]] = [[(3, 2, 1, 0)], [(2, 2, 1, 1)]]
SHARDS.append([sizes for sizes in suit_sizes(6) if [sizes] not in SHARDS])


@pytest.mark.clause("TSR-14", "SCB-02", "TSB-18")
@pytest.mark.parametrize("sizes", suit_sizes(6), ids=str)
def test_six_card_hands_up_to_suits(sizes: tuple[int, ...]) -> None:
    """Every eleventh hand of each pattern of suits; all where a flush is likely or certain."""
    step = 11 if max(sizes) < 5 else 1
    compare_six_cards([sizes], step)


@pytest.mark.soak
@pytest.mark.parametrize("shard", SHARDS)
def test_all_six_card_hands_up_to_suits(shard: list[tuple[int, ...]]) -> None:
    compare_six_cards(shard, 1)


def compare_six_cards(shard: list[tuple[int, ...]], step: int) -> None:
    """Hands up to a change of suits, by how many cards of each, against two classifiers."""
    for sizes in shard:
        for suit_masks in islice(hands_with(sizes), 0, None, step):
            hand = cards_in(suit_masks)
            category = category5(hand)
            assert NAMES[category] == masks.category(suit_masks), hand
            assert category is PHE_CATEGORY[evaluate_cards(*hand)], hand


@pytest.mark.clause("TSB-18")
def test_the_six_card_hands_up_to_suits_stand_for_all_of_them() -> None:
    """The weights add to 20,358,520, and the counts are those the printed table rests on."""
    counts = masks.six_card_counts()
    assert sum(counts.values()) == 20_358_520
    for category, count in SIX_CARD_COUNTS.items():
        assert counts[category.name.lower()] == count


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("lowest", range(47))
def test_all_20358520_six_card_hands(lowest: int) -> None:
    for rest in combinations(range(lowest + 1, 52), 5):
        hand = (lowest, *rest)
        suit_masks = [0, 0, 0, 0]
        for card in hand:
            suit_masks[card & 3] |= 1 << (card >> 2)
        category = category5(hand)
        assert NAMES[category] == masks.category(
            (suit_masks[0], suit_masks[1], suit_masks[2], suit_masks[3])
        )
        assert category is PHE_CATEGORY[evaluate_cards(*hand)]


@pytest.mark.clause("TSR-14")
@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("Ah Kh Qh Jh Th 2c", FiveCard.ROYAL_FLUSH),
        ("Ah 2h 3h 4h 5h Kc", FiveCard.STRAIGHT_FLUSH),
        ("Ah 2d 3h 4c 5h Kc", FiveCard.STRAIGHT),
        ("Ah Kd Qh Jc Th 2c", FiveCard.STRAIGHT),
        ("Qh Kd Ah 2c 3h 4c", FiveCard.HIGH_CARD),
        ("9h 9d 9c 4h 4d 4c", FiveCard.FULL_HOUSE),
        ("9h 9d 9c 9s 4d 4c", FiveCard.FOUR_OF_A_KIND),
        ("9h 9d 8c 8s 4d 4c", FiveCard.TWO_PAIR),
        ("Jh Jd 8c 7s 4d 2c", FiveCard.JACKS_OR_BETTER),
        ("Th Td 8c 7s 4d 2c", FiveCard.LOW_PAIR),
        ("2h 5h 8h Jh Kh Kd", FiveCard.FLUSH),
    ],
)
def test_known_six_card_hands(cards: str, category: FiveCard) -> None:
    assert category5(parse_cards(cards)) is category


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Ah Kh Qh Jh Th 2c", "a royal flush"),
        ("9h Kh Qh Jh Th 2c", "a straight flush to the King"),
        ("9h 9d 9c 9s Th 2c", "four Nines"),
        ("4h 4d 9c 9s 9h 2c", "a full house, Nines over Fours"),
        ("9h 2h 3h Jh Ah 2c", "an Ace-high flush"),
        ("Ah 2d 3h 4h 5c 9c", "a straight to the Five"),
        ("9h 9d 9c Ks Th 2c", "three Nines"),
        ("9h 9d 8c 8s 4d 4c", "two pair, Nines and Eights"),
        ("6h 6d 8c Ks 4d 3c", "a pair of Sixes"),
        ("Qh 6d 8c Ks 4d 3c", "King high"),
    ],
)
def test_hands_are_described_in_words(cards: str, words: str) -> None:
    assert describe5(parse_cards(cards)) == words


def test_the_deck_is_what_phevaluator_calls_it() -> None:
    for card in DECK:
        others = [c for c in DECK if c != card][:4]
        assert evaluate_cards(card, *others) == evaluate_cards(
            card_text(card), *(card_text(c) for c in others)
        )
