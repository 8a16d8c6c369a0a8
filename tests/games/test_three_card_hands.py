"""Three-card hands over their whole domain, against a second classifier and hand against hand."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

import pytest

from houseway.cards import DECK, card_text, parse_cards, suit_of
from houseway.cards.hands import (
    QUEEN_HIGH,
    AceInRuns,
    CombinationChoice,
    ProgressiveThree,
    ThreeCard,
    card_points,
    category3,
    describe3,
    progressive3,
    rank3,
    rummy_points,
)
from houseway.games.three_card_poker.rules import compare, dealer_plays
from tests.oracles import three_cards as oracle

HANDS = tuple(combinations(DECK, 3))


def texts(hand: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in hand]


def rank_of_hand(text: str) -> int:
    a, b, c = parse_cards(text)
    return rank3(a, b, c)


@pytest.mark.clause("TCP-02")
def test_all_22100_hands_have_the_category_of_the_oracle() -> None:
    counts = Counter(category3(*hand) for hand in HANDS)
    assert counts == {
        ThreeCard.MINI_ROYAL: 4,
        ThreeCard.STRAIGHT_FLUSH: 44,
        ThreeCard.THREE_OF_A_KIND: 52,
        ThreeCard.STRAIGHT: 720,
        ThreeCard.FLUSH: 1096,
        ThreeCard.PAIR: 3744,
        ThreeCard.HIGH_CARD: 16440,
    }
    for hand in HANDS:
        assert category3(*hand).name.lower() == oracle.category(texts(hand))


@pytest.mark.clause("TCP-02", "TCP-03")
def test_every_pair_of_unequal_hands_is_ordered_as_the_oracle_orders_it() -> None:
    """Equal ranks are equal strengths, and the 741 classes stand in the same order.

    That settles all 22,100 x 22,100 comparisons, which no house edge could.
    """
    strength: dict[int, tuple[object, ...]] = {}
    for hand in HANDS:
        rank = rank3(*hand)
        assert strength.setdefault(rank, oracle.strength(texts(hand))) == oracle.strength(
            texts(hand)
        )
    assert len(strength) == len(set(strength.values())) == 741
    in_order = [strength[rank] for rank in sorted(strength)]
    assert in_order == sorted(strength.values())


LADDER = (
    "5h 3d 2c", "Jh Td 8c", "Qh 3d 2c", "Qh 4d 2c", "Qh 4d 3c", "Qh 6d 4c", "Qh Jd 9c", "Kh 3d 2c",
    "Ah 4d 2c", "Ah Kd Jc", "2h 2d 3c", "2h 2d Ac", "3h 3d 2c", "Ah Ad Kc", "5h 3h 2h", "Ah Kh Jh",
    "Ah 2d 3c", "4h 3d 2c", "Ah Kd Qc", "2h 2d 2c", "Ah Ad Ac", "Ah 2h 3h", "4h 3h 2h", "Kh Qh Jh",
    "Ah Kh Qh",
)  # fmt: skip


@pytest.mark.clause("TCP-02", "TCP-03")
def test_hand_against_hand_up_the_whole_ladder() -> None:
    """Each hand beats all before it: pairs above no pair, straights above flushes, and so on."""
    for (low, lower), (high, higher) in product(enumerate(LADDER), repeat=2):
        assert compare(rank_of_hand(higher), rank_of_hand(lower)) == (
            (high > low) + (high >= low)
        ), f"{higher} against {lower}"


@pytest.mark.clause("TCP-03")
def test_the_kicker_decides_down_to_the_third_card() -> None:
    assert rank_of_hand("Ah Kd 9c") > rank_of_hand("As Ks 8d")
    assert rank_of_hand("Ah Td 9c") > rank_of_hand("As 9s 8d")
    assert rank_of_hand("9h 9d Ac") > rank_of_hand("9c 9s Kd")
    assert rank_of_hand("Ah 9h 4h") > rank_of_hand("As 9s 3s")
    assert rank_of_hand("Ah Kd 9c") == rank_of_hand("As Kh 9d")


@pytest.mark.clause("TCP-03")
def test_the_ace_is_low_only_in_three_two_ace() -> None:
    assert rank_of_hand("Ah 2d 3c") < rank_of_hand("2h 3d 4c")
    assert rank_of_hand("Ah 2h 3h") < rank_of_hand("2h 3h 4h")
    assert category3(*parse_cards("Kh Ad 2c")) is ThreeCard.HIGH_CARD
    assert category3(*parse_cards("Kh Ah 2h")) is ThreeCard.FLUSH


@pytest.mark.clause("TCP-04", "FUP-07")
def test_the_dealer_plays_with_queen_high_or_better() -> None:
    assert rank_of_hand("Qh 3d 2c") == QUEEN_HIGH
    assert dealer_plays(rank_of_hand("Qh 3d 2c")) == 1
    assert dealer_plays(rank_of_hand("Jh Td 8c")) == 0
    for hand in HANDS:
        assert dealer_plays(rank3(*hand)) == oracle.dealer_qualifies(texts(hand))


@pytest.mark.clause("PGM-19", "PNX-19")
def test_the_progressive_sees_the_suited_ace_king_queen_of_spades_apart() -> None:
    for hand in HANDS:
        category = oracle.category(texts(hand))
        if category == "mini_royal":
            spades = {card[1] for card in texts(hand)} == {"s"}
            category = "akq_spades" if spades else "akq_other_suit"
        paid = category if category.upper() in ProgressiveThree.__members__ else "nothing"
        assert progressive3(*hand).name.lower() == paid
    counts = Counter(progressive3(*hand) for hand in HANDS)
    assert counts[ProgressiveThree.AKQ_SPADES] == 1
    assert counts[ProgressiveThree.AKQ_OTHER_SUIT] == 3
    assert counts[ProgressiveThree.STRAIGHT_FLUSH] == 44
    assert counts[ProgressiveThree.THREE_OF_A_KIND] == 52
    assert counts[ProgressiveThree.STRAIGHT] == 720
    assert progressive3(*parse_cards("Qs As Ks")) is ProgressiveThree.AKQ_SPADES
    assert progressive3(*parse_cards("Qd Ad Kd")) is ProgressiveThree.AKQ_OTHER_SUIT


@pytest.mark.clause("TSR-03")
def test_card_points() -> None:
    assert {card_text(card)[0]: card_points(card) for card in DECK} == {
        "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
        "T": 10, "J": 10, "Q": 10, "K": 10,
    }  # fmt: skip


@pytest.mark.clause("TSR-03", "TSR-04")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("As 2h 3d", 6), ("Ks Qd Jh", 30), ("Kh Kd 5c", 5), ("7d Kh Qh", 7), ("9c 9d 9h", 0),
        ("4h 5h 6h", 0), ("Ah 2h Kd", 10), ("Ah Kh 5c", 16), ("5h 5d 6h", 5), ("4h 5h 5d", 4),
        ("Kh Kd Ac", 1), ("Th 9h Kd", 10), ("2h 3d 4c", 9),
    ],
)  # fmt: skip
def test_rummy_points_by_hand(hand: str, points: int) -> None:
    a, b, c = parse_cards(hand)
    assert rummy_points(a, b, c) == points


every_way_of_counting = pytest.mark.parametrize(
    ("ace", "choice"), list(product(["low", "high_low", "wrap"], ["lowest", "pair_first"]))
)


@pytest.mark.clause("TSR-04")
@every_way_of_counting
def test_rummy_points_of_all_hands_up_to_suits(ace: AceInRuns, choice: CombinationChoice) -> None:
    hands = [hand for hand in HANDS if first_suits(hand)]
    # The 1755 classes; of a low pair with a higher card of one of its suits both are here.
    assert len(hands) == 1755 + 78
    compare_points(hands, ace, choice)


@pytest.mark.clause("TSR-04")
def test_rummy_points_of_all_22100_hands() -> None:
    compare_points(HANDS, "low", "lowest")


@pytest.mark.soak
@every_way_of_counting
def test_rummy_points_of_all_22100_hands_counted_otherwise(
    ace: AceInRuns, choice: CombinationChoice
) -> None:
    compare_points(HANDS, ace, choice)


def first_suits(hand: tuple[int, ...]) -> bool:
    """True when suits come in their order: of hands that differ in suits alone one does."""
    suits = [suit_of(card) for card in hand]
    return all(suit <= max(suits[:place], default=-1) + 1 for place, suit in enumerate(suits))


def compare_points(
    hands: Iterable[tuple[int, int, int]], ace: AceInRuns, choice: CombinationChoice
) -> None:
    for hand in hands:
        points = rummy_points(*hand, ace_in_runs=ace, combination_choice=choice)
        assert 0 <= points <= 30
        assert points == oracle.rummy_points(texts(hand), ace, choice), texts(hand)


def test_the_order_of_the_cards_never_matters() -> None:
    for hand in HANDS[::97]:
        a, b, c = hand
        for x, y, z in ((a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
            assert rank3(x, y, z) == rank3(a, b, c)
            assert rummy_points(x, y, z) == rummy_points(a, b, c)
            assert progressive3(x, y, z) == progressive3(a, b, c)


def test_hands_are_described_in_words() -> None:
    words = {describe3(*parse_cards(hand)) for hand in LADDER}
    assert {"a pair of Deuces and a Three", "Queen-Six-Four high"} <= words
    assert "a suited Ace-King-Queen" in words
    assert describe3(*parse_cards("6h 6d 6c")) == "three Sixes"
    assert describe3(*parse_cards("Ah 9h 4h")) == "an Ace-Nine-Four flush"
    assert describe3(*parse_cards("8h 7d 6c")) == "a straight to the Eight"
