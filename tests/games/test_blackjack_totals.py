"""Blackjack totals: the automaton against plain counting of Aces, over every hand."""

from itertools import combinations_with_replacement

from houseway.cards import ACE, RANKS
from houseway.games import blackjack
from houseway.games.triple_shot_bonus.rules import BonusOptions

PLAIN = {rank: ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"][rank]
         for rank in range(13)}  # fmt: skip


def best_total(names: list[str]) -> tuple[int, bool]:
    """The best total of cards by trying every Ace as 11 and as 1, and whether an 11 is in it."""
    totals = {0: False}
    for name in names:
        worth = [1, 11] if name == "A" else [10] if name in "TJQK" else [int(name)]
        totals = {
            total + points: soft or points == 11
            for total, soft in sorted(totals.items(), reverse=True)
            for points in worth
        }
    fine = [total for total in totals if total <= 21]
    best = max(fine) if fine else min(totals)
    return best, bool(fine) and totals[best]


def test_every_hand_of_up_to_six_cards() -> None:
    seen = 0
    for cards in range(1, 7):
        for ranks in combinations_with_replacement(range(13), cards):
            names = [PLAIN[rank] for rank in ranks]
            total = blackjack.total_of(ranks)
            best, soft = best_total(names)
            assert blackjack.is_bust(total) == (best > 21)
            if best <= 21:
                assert (blackjack.value(total), blackjack.is_soft(total)) == (best, soft), names
                for rule in ("hit", "stand"):
                    stops = best >= 17 and not (best == 17 and soft and rule == "hit")
                    assert blackjack.dealer_stops(total, BonusOptions(dealer_soft_17=rule)) == stops
            assert blackjack.is_natural(total, cards) == (cards == 2 and best == 21)
            assert total < 128
            seen += 1
    assert seen > 25_000


def test_the_order_of_the_cards_never_matters() -> None:
    for first, second, third in combinations_with_replacement(range(13), 3):
        assert blackjack.total_of((first, second, third)) == blackjack.total_of(
            (third, first, second)
        )
    assert RANKS[ACE] == "A"
