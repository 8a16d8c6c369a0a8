"""Six cards: how often the rows of a paytable of six cards come, over all 20,358,520 hands."""

from fractions import Fraction

from houseway.cards.hands import FiveCard
from houseway.exact.three_card import six_card_counts
from houseway.house.paytables import PayTable


def six_card_frequencies(paytable: PayTable) -> dict[str, Fraction]:
    """By row, as a share of all six-card hands."""
    counts = six_card_counts()
    total = sum(counts)
    return {hand: Fraction(counts[FiveCard[hand.upper()]], total) for hand, _ in paytable.rows}
