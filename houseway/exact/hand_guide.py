"""Hand guide: what every decision on a hand of Blackjack is worth, ready to be asked at a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from houseway.cards import ACE, DECK, DECK_SIZE, NINE, TEN, UNKNOWN, rank_of
from houseway.exact.blackjack import TEN_KIND, blackjack, hand_of_kinds, rest_of_draws
from houseway.games import blackjack as rules
from houseway.games.base import HALF, net_units
from houseway.games.blackjack import BlackjackDecision, BlackjackOptions
from houseway.games.contract import Seen
from houseway.names import Bet

KIND = tuple(rules.rank_points(rank_of(card)) - 1 for card in DECK)
"""The kind of each card."""
Key = tuple[tuple[int, ...], int]
"""The kinds of a hand's cards in ascending order, and the kind of the up card."""
INSURANCE = "insurance"


@dataclass(frozen=True, slots=True)
class HandGuide:
    """What every decision on every open hand is worth, by the kinds held and the up card.

    Values are in units of the Blackjack bet: the hand's own result by the cards that are gone, best
    play afterwards; a double or split counts both bets. Insurance stands by itself, beside 0 for
    letting it pass. What a decision does to the Hat Trick is left out.
    """

    decisions: dict[Key, BlackjackDecision]
    sums: dict[Key, dict[BlackjackDecision, int]]
    cases: dict[Key, int]

    def values(
        self,
        seen: Seen,
        wagers: Mapping[Bet, int],
        asked: Sequence[str],
    ) -> Mapping[str, Fraction]:
        """The expected net of each decision."""
        if INSURANCE in asked:
            # One deck never leaves enough tens, whatever two cards are held.
            return {INSURANCE: insurance_value(sum(KIND[card] == TEN_KIND for card in seen.own))}
        key = _key(seen)
        return {name: Fraction(net, self.cases[key]) for name, net in self.sums[key].items()}

    def best(self, seen: Seen) -> str | None:
        """The first of stand, hit, double and split that is worth most."""
        return self.decisions.get(_key(seen))


def _key(seen: Seen) -> Key:
    up = next((KIND[card] for card in seen.dealer if card != UNKNOWN), 0)
    return tuple(sorted([KIND[card] for card in seen.own])), up


@cache
def make_guide(options: BlackjackOptions) -> HandGuide:
    """The guide under the options that Blackjack looks at."""
    guide = HandGuide({}, {}, {})
    for up, analysis in enumerate(blackjack(options).by_up):
        for hand, values in analysis.values.items():
            if not rules.may("stand", hand_of_kinds(hand), options):
                continue
            key = tuple(kind for kind, held in enumerate(hand) for _ in range(held)), up
            guide.decisions[key] = analysis.best(hand)
            guide.sums[key] = values
            # The analysis counts halves of a bet.
            guide.cases[key] = 2 * analysis.cases(hand) * rest_of_draws(sum(hand))
    return guide


@cache
def insurance_value(tens_held: int) -> Fraction:
    """Of half a bet on a ten under the Ace, with two cards of one's own known beside it."""
    unseen = DECK_SIZE - 3
    natural = Fraction(KIND.count(TEN_KIND) - tens_held, unseen)
    pays = net_units(rules.insurance(rules.total_of((ACE, TEN)), 2))
    loses = net_units(rules.insurance(rules.total_of((ACE, NINE)), 2))
    return HALF * (natural * pays + (1 - natural) * loses)
