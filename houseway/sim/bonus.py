"""Triple Shot Bonus, laid out for dealing."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from houseway.cards import DECK, rank_of
from houseway.exact.blackjack import (
    BUST_END,
    ENDS,
    KINDS,
    NATURAL_END,
    Pays,
    rank_of_kind,
    split_hand,
)
from houseway.exact.bonus import CODES, KIND_OF, endings, hand_graph, stood, war_table
from houseway.exact.kernels.deal import OVER, Bytes, deal_bonus
from houseway.exact.tabulate import Small, category_by_suit
from houseway.games import blackjack as rules
from houseway.games.base import TIE
from houseway.games.blackjack import BLACKJACK_PAYS
from houseway.games.triple_shot_bonus.rules import (
    BonusOptions,
    hat_trick,
    poker,
    poker_leg_lost,
    war,
    war_leg_lost,
)
from houseway.names import Bet
from houseway.sim.table import (
    CATEGORIES,
    Part,
    Table,
    Tables,
    flat_categories,
    hand_places,
    packed_ranks,
)

BETS: tuple[Bet, ...] = ("war", "blackjack", "poker", "hat-trick")
WARS = TIE + 2
MOST_TOTAL = 128
"""Totals of the automaton: no dealer draws beyond half of them."""
NO_END = 255
"""What a total that does not stop ends as; nobody asks."""


class BonusTable(Table):
    """Triple Shot Bonus with so many seats, each played in the same way."""

    bets = BETS

    def __init__(self, options: BonusOptions, decisions: Small, seats: int) -> None:
        self.options = options
        self.seats = seats
        found = endings(Pays(options))
        rows = (found.stand, found.double, found.over, found.both.reshape(-1, len(ENDS)))
        halves: Small = np.concatenate(rows)
        self.least = found.least
        """The least that Blackjack can come to, in half units."""
        self._span = found.most - found.least + 1
        self.size = WARS * self._span * CATEGORIES
        self.folded: Small = np.zeros(self.size, dtype=np.int8)
        self.hand_of: Small = np.zeros(self.size, dtype=np.int8)
        graph = hand_graph()
        peeks = [rules.dealer_peeks(rank_of_kind(kind), options) for kind in range(KINDS)]
        self._kernel = deal_bonus
        self._reads = (
            hand_places(),
            packed_ranks(),
            flat_categories(),
            category_by_suit(),
            np.array([KIND_OF[rank_of(card)] for card in DECK], dtype=np.uint8),
            war_table(options.war_ace).astype(np.uint8),
            graph.first_two.astype(np.uint16),
            np.where(graph.after < 0, OVER, graph.after).astype(np.uint16),
            np.ascontiguousarray(decisions, dtype=np.uint8),
            np.array(peeks, dtype=np.uint8),
            *_dealer(options),
            halves,
            _draws(options, halves),
            NATURAL_END,
            self.least,
            self._span,
            CATEGORIES,
        )

    def parts(self, bet: Bet, tables: Tables) -> Sequence[Sequence[Part]]:
        """By outcome what becomes of a bet and of the wagers that follow from it."""
        halves = range(self.least, self.least + self._span)
        cases = product(range(WARS), halves, range(CATEGORIES))
        if bet == "blackjack":
            return [_blackjack(won) for _, won, _ in cases]
        return [(self._part(bet, tables, *case),) for case in cases]

    def _part(self, bet: Bet, tables: Tables, comparison: int, halves: int, category: int) -> Part:
        match bet:
            case "war":
                return war(comparison, self.options)
            case "poker":
                return poker(category, tables["poker"])
        lost = {
            "war": war_leg_lost(comparison),
            "blackjack": halves < 0,
            "poker": poker_leg_lost(poker(category, tables["poker"]).outcome),
        }
        legs = [leg for leg, gone in lost.items() if gone]
        return hat_trick(legs, comparison, (), tables["hat-trick"])


def _blackjack(halves: int) -> tuple[Fraction, ...]:
    """What Blackjack wins, in units, each pay by itself: only two blackjacks come to three."""
    blackjack = BLACKJACK_PAYS.net
    return (blackjack, blackjack) if halves == 4 * blackjack else (Fraction(halves, 2),)


def _draws(options: BonusOptions, halves: Small) -> Bytes:
    """By row of an ending 1 where the dealer's total decides it, so that the dealer draws.

    Where it does not, the row is the same for every end but a natural, which needs no draw.
    """
    stands = [stood(hand, options) for hand in hand_graph().nodes]
    doubles = [rules.Hand(hand.total, hand.cards, doubled=True) for hand in stands]
    found = [rules.dealer_draws((hand,), options) for hand in (*stands, *doubles)]
    found += [False] * len(CODES)
    for first, second in product(range(KINDS), repeat=2):
        found.append(rules.dealer_draws((split_hand(first), split_hand(second)), options))
    draws = np.array(found, dtype=np.uint8)
    settled = halves[draws == 0]
    assert (settled[:, :NATURAL_END] == settled[:, :1]).all(), "a hand needs the dealer's total"
    return draws


def _dealer(options: BonusOptions) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """The dealer's hand as an automaton over totals, for the ranks that may come next."""
    totals = range(MOST_TOTAL)
    step = np.array(
        [[min(rules.step(total, rank), MOST_TOTAL - 1) for rank in range(13)] for total in totals],
        dtype=np.uint8,
    )
    stops = [rules.dealer_stops(total, options) for total in totals]
    naturals = [rules.is_natural(total, 2) for total in totals]
    ends = [
        BUST_END if rules.is_bust(t) else ENDS.index(rules.value(t)) if stops[t] else NO_END
        for t in totals
    ]
    as_bytes = [np.array(found, dtype=np.uint8) for found in (stops, naturals, ends)]
    return step, as_bytes[0], as_bytes[1], as_bytes[2]
