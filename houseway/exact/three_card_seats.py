"""Seats of the three-card games: how the bets of one seat, and of two, go together.

The Ante stands for Ante, Play and Ante Bonus of a hand that is played as well as can be.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb, lcm

import numpy as np

from houseway.cards import DECK, make_card, rank_of, suit_of
from houseway.cards.hands import FiveCard, ThreeCard
from houseway.exact.kept import kept
from houseway.exact.kernels import table as kernels
from houseway.exact.showdown_table import Contest, contest
from houseway.exact.table import Covariance, Tables, WholeTable, covariance
from houseway.exact.tabulate import (
    FIVE_CARD_CATEGORIES,
    HANDS3,
    Ints,
    Masks,
    Small,
    category_by_ranks,
    category_by_suit,
    three_card_hands,
)
from houseway.exact.three_card import DEALER_HANDS, Plays, ante_analysis, seat_counts
from houseway.games.base import FACTS_END, net_units
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused

BETS: tuple[Bet, ...] = ("ante", "pair-plus", "six-card-bonus")
SECOND_SEAT_HANDS = comb(46, 3)
"""Hands that the dealer and a first seat leave to a second."""
LARGEST_SUM = 2**63 - 1


def whole_table(game: Game, tables: Tables, options: Options) -> WholeTable:
    """Both covariances of a game, counted once for any number of seats and any wagers."""
    prices = seat_prices(game, tables, options)
    moments = seat_moments(prices)
    return WholeTable(_seat_covariance(prices, moments), _between_seats(prices, moments))


def seat_covariance(game: Game, tables: Tables, options: Options) -> Covariance:
    """Variances and covariances of the bets of one seat, counted over the same deals."""
    prices = seat_prices(game, tables, options)
    return _seat_covariance(prices, seat_moments(prices))


def between_seats(game: Game, tables: Tables, options: Options) -> Covariance:
    """Covariances between a bet of one seat and a bet of another seat of the same table.

    Seats are exchangeable, so which two they are does not matter.
    """
    prices = seat_prices(game, tables, options)
    return _between_seats(prices, seat_moments(prices))


@dataclass(frozen=True, slots=True, eq=False)
class SeatPrices:
    """What the bets of a seat are worth, in whole numbers, and how its hands are played."""

    found: Contest
    plays: Plays
    """By canonical hand, in Face Up by canonical hand and up card."""
    decisions: Small
    """The same for every hand: decisions[view, hand], 1 to play; `views` says what is seen."""
    by_hand: Ints
    """by_hand[bet, canonical hand, decision, facts] of all bets but the last."""
    by_category: Ints
    """by_category[six-card category] of the last bet."""
    scales: tuple[int, ...]
    """How many of these whole numbers make a unit of each bet."""

    @property
    def face_up(self) -> bool:
        """True when one of the dealer's cards is seen before the decision."""
        return self.plays.ndim == 2

    def views(self, dealers: Ints) -> Ints:
        """views[dealer, n]: what players may see of each dealer hand, each as often as another."""
        if self.face_up:
            return three_card_hands().cards[dealers]
        return np.zeros((dealers.size, 1), dtype=np.int64)

    @property
    def six_cards(self) -> tuple[Masks, Ints, Small, Ints, Small, Small, Small]:
        """What the kernels look up of a player's and a dealer's hand together."""
        hands, found = three_card_hands(), self.found
        seen = hands.masks, hands.triple, hands.suited, found.hand_class, found.facts
        return *seen, category_by_ranks(), category_by_suit()

    @property
    def pays(self) -> tuple[Ints, Small, Ints, Ints]:
        """What the kernels look up of decisions and what they are paid."""
        return three_card_hands().class_of, self.decisions, self.by_hand, self.by_category

    def against(self, dealer: int, view: int) -> tuple[Ints, Ints]:
        """The hands that a dealer's hand leaves, and nets[place, bet] of each."""
        players = np.zeros(DEALER_HANDS, dtype=np.int64)
        nets = np.zeros((DEALER_HANDS, self.by_hand.shape[0] + 1), dtype=np.int64)
        kernels.seat_nets(dealer, view, *self.six_cards, *self.pays, players, nets)
        return players, nets

    def sums_of_pairs(self, dealers: Ints) -> Ints:
        """sums[dealer, bet, other] of products over pairs of seats and what they see.

        Only bet <= other is filled; the other half is the same.
        """
        cards, views = three_card_hands().cards, self.views(dealers)
        bets = self.by_hand.shape[0] + 1
        sums = np.zeros((dealers.size, bets, bets), dtype=np.int64)
        kernels.sum_pairs_of_seats(dealers, views, cards, *self.six_cards, *self.pays, sums)
        return sums

    def joint_counts(self) -> Ints:
        """counts[canonical hand, decision, facts, six-card category] over all deals of a seat."""
        hands = three_card_hands()
        shape = (hands.canonical.size, 2, FACTS_END, FIVE_CARD_CATEGORIES)
        counts = np.zeros(shape, dtype=np.int64)
        if self.face_up:
            plays = self.plays.astype(np.int8)
            kernels.count_shown_seats(hands.canonical, hands.cards, *self.six_cards, plays, counts)
        else:
            every = np.arange(hands.canonical.size)
            counts[every, self.plays.astype(np.int64)] = seat_counts(self.found)
        return counts * hands.weight[:, None, None, None]


def seat_prices(game: Game, tables: Tables, options: Options) -> SeatPrices:
    """The bets of a seat of this game, its Ante played as well as can be."""
    analysis = ante_analysis(game, tables, options)
    plays = analysis.optimal()
    folded = net_units(contest_of(game).folded()) * analysis.per_ante
    ante = np.full((analysis.units.shape[0], 2, FACTS_END), int(folded), dtype=np.int64)
    ante[:, 1] = analysis.units
    pair_plus_nets, pair_plus_scale = _whole(_pair_plus_units(game, tables["pair-plus"], options))
    by_category, six_card_scale = _whole(_six_card_units(game, tables["six-card-bonus"]))
    category = three_card_hands().category[three_card_hands().canonical]
    return _checked_prices(
        SeatPrices(
            found=contest(game, options),
            plays=plays,
            decisions=for_every_hand(plays),
            by_hand=np.stack(
                [ante, np.repeat(pair_plus_nets[category][:, :, None], FACTS_END, axis=2)]
            ),
            by_category=by_category,
            scales=(analysis.per_ante, pair_plus_scale, six_card_scale),
        )
    )


def _pair_plus_units(game: Game, paytable: PayTable, options: Options) -> list[list[Fraction]]:
    """Net of Pair Plus by three-card category and decision; a fold may cost it (TCP-13)."""
    bet = game.side("pair-plus")
    lost = bet.folded(paytable, options)
    paid = [net_units(bet.rule(hand, paytable, options)) for hand in ThreeCard]
    return [[units if lost is None else net_units(lost), units] for units in paid]


def _six_card_units(game: Game, paytable: PayTable) -> list[Fraction]:
    """Net of the 6 Card Bonus by six-card category."""
    bet = game.side("six-card-bonus")
    return [net_units(bet.rule(hand, paytable, Options())) for hand in FiveCard]


def _whole(units: list[Fraction] | list[list[Fraction]]) -> tuple[Ints, int]:
    """The units as whole numbers, and how many of these make a unit."""
    exact = np.array(units, dtype=object)
    scale = lcm(*(unit.denominator for unit in exact.flat))
    return (exact * scale).astype(np.int64), scale


def _checked_prices(prices: SeatPrices) -> SeatPrices:
    """The prices, when no sum over them can leave 64 bits.

    The largest are the products of sums over all hands: as many terms as there are pairs of hands,
    and less than a quarter of that again for hands that share cards. A seat alone has
    22,100 x 18,424 x 3 cases.
    """
    largest = int(max(np.abs(prices.by_hand).max(), np.abs(prices.by_category).max()))
    if 3 * HANDS3 * DEALER_HANDS * largest**2 > LARGEST_SUM:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"a pay of {largest} smallest units is too large to be counted with in whole numbers",
        )
    return prices


def for_every_hand(plays: Plays) -> Small:
    """decisions[up card, hand] of all 22,100 hands, or decisions[0, hand] where none is seen.

    A change of suits that turns a hand into the canonical one turns the up card with it.
    """
    hands = three_card_hands()
    if plays.ndim == 1:
        return plays[None, hands.class_of].astype(np.int8)
    decisions = np.zeros((len(DECK), HANDS3), dtype=np.int8)
    canonical = hands.cards[hands.canonical[hands.class_of]]
    for suits in permutations(range(4)):
        turned = np.array([make_card(rank_of(card), suits[suit_of(card)]) for card in DECK])
        same = (np.sort(turned[hands.cards], axis=1) == canonical).all(axis=1)
        decisions[:, same] = plays[hands.class_of[same]][:, turned].T
    return decisions


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over all deals of a seat, in whole numbers: of each bet, and of products of two."""

    cases: int
    firsts: list[int]
    seconds: list[list[int]]


def seat_moments(prices: SeatPrices) -> Moments:
    """The sums of the bets of one seat."""
    counts = prices.joint_counts()
    by_category = prices.by_category
    seen = counts.sum(axis=-1)
    bonus = counts @ by_category
    firsts = [int((seen * bet).sum()) for bet in prices.by_hand] + [int(bonus.sum())]
    seconds = [
        [int((seen * bet * other).sum()) for other in prices.by_hand] + [int((bonus * bet).sum())]
        for bet in prices.by_hand
    ]
    squares = int((counts @ by_category**2).sum())
    seconds.append([*(row[-1] for row in seconds), squares])
    return Moments(int(seen.sum()), firsts, seconds)


def _seat_covariance(prices: SeatPrices, moments: Moments) -> Covariance:
    return _covariance(prices, moments, moments.seconds, moments.cases)


def _between_seats(prices: SeatPrices, moments: Moments) -> Covariance:
    hands = three_card_hands()
    views = prices.views(hands.canonical).shape[1]
    cases = int(hands.weight.sum()) * views * DEALER_HANDS * SECOND_SEAT_HANDS
    return _covariance(prices, moments, _sums_over_pairs(prices), cases)


@kept
def _sums_over_pairs(prices: SeatPrices) -> list[list[int]]:
    """sums[bet][other] of products over all pairs of seats."""
    hands = three_card_hands()
    sums = prices.sums_of_pairs(hands.canonical)
    # A sum for one dealer's hand fits in 64 bits, and the sum over all need not.
    half = np.tensordot(hands.weight.astype(object), sums.astype(object), axes=(0, 0))
    size = range(len(BETS))
    return [[int(half[min(a, b), max(a, b)]) for b in size] for a in size]


def _covariance(
    prices: SeatPrices, moments: Moments, seconds: list[list[int]], cases: int
) -> Covariance:
    """The covariances per unit, from sums of products over so many cases."""
    scales = prices.scales
    means = [
        Fraction(first, moments.cases * scale)
        for first, scale in zip(moments.firsts, scales, strict=True)
    ]
    products = [
        [Fraction(seconds[a][b], cases * scales[a] * scales[b]) for b in range(len(BETS))]
        for a in range(len(BETS))
    ]
    return covariance(BETS, means, products)
