"""Table: what the bets of one seat, and of all seats of a table, do together.

Seats share the dealer's hand and the deck, so their results move together; how far is counted,
not estimated. Every covariance is a fraction, and a float appears where a square root is taken.
The Ante stands for Ante, Play and Ante Bonus of a hand that is played as well as can be, and the
figures are per unit first wagered on each bet.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import comb, isfinite, lcm, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from houseway.cards import DECK, make_card, rank_of, suit_of
from houseway.exact.sheet import ParRow
from houseway.exact.three_card import DEALER_HANDS, Plays, ante_analysis, seat_counts
from houseway.games.base import FACTS_END, AntePlayGame, net_units
from houseway.games.side_bets import pair_plus, pair_plus_folded, six_card_bonus
from houseway.hands import FiveCard, ThreeCard
from houseway.kernels import table as kernels
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.tabulate import (
    FIVE_CARD_CATEGORIES,
    HANDS3,
    Contest,
    Ints,
    Small,
    category_by_ranks,
    category_by_suit,
    contest,
    three_card_hands,
)

Tables = Mapping[Bet, PayTable]
Wagers = Mapping[Bet, int | Fraction]
Covariance = dict[tuple[Bet, Bet], Fraction]
"""Every ordered pair of bets, so either order may be asked for."""

BETS: tuple[Bet, ...] = ("ante", "pair-plus", "six-card-bonus")
MOST_SEATS = 7
SECOND_SEAT_HANDS = comb(46, 3)
"""Hands that the dealer and a first seat leave to a second."""
LARGEST_SUM = 2**63 - 1


@dataclass(frozen=True, slots=True)
class WholeTable:
    """The covariances of a table: between the bets of one seat, and between two seats."""

    within: Covariance
    between: Covariance

    def variance(self, seats: int, wagers: Wagers) -> Fraction:
        """The variance of what the seats win together, each with the same wagers."""
        _check_seats(seats)
        staked = _checked(wagers, BETS)
        pairs = [(a, b, staked[a] * staked[b]) for a in staked for b in staked]
        one = sum((stake * self.within[a, b] for a, b, stake in pairs), Fraction(0))
        two = sum((stake * self.between[a, b] for a, b, stake in pairs), Fraction(0))
        return seats * one + seats * (seats - 1) * two

    def standard_deviation(self, seats: int, wagers: Wagers) -> float:
        """The square root of that variance."""
        return sqrt(self.variance(seats, wagers))


def whole_table(game: AntePlayGame, tables: Tables, options: Options) -> WholeTable:
    """Both covariances of a game, counted once for any number of seats and any wagers."""
    prices = seat_prices(game, tables, options)
    moments = seat_moments(prices)
    return WholeTable(_seat_covariance(prices, moments), _between_seats(prices, moments))


def seat_covariance(game: AntePlayGame, tables: Tables, options: Options) -> Covariance:
    """Variances and covariances of the bets of one seat, counted over the same deals."""
    prices = seat_prices(game, tables, options)
    return _seat_covariance(prices, seat_moments(prices))


def between_seats(game: AntePlayGame, tables: Tables, options: Options) -> Covariance:
    """Covariances between a bet of one seat and a bet of another seat of the same table.

    Seats are exchangeable, so which two they are does not matter.
    """
    prices = seat_prices(game, tables, options)
    return _between_seats(prices, seat_moments(prices))


def table_standard_deviation(
    game: AntePlayGame, tables: Tables, options: Options, seats: int, wagers: Wagers
) -> float:
    """The standard deviation of one round of a table of 1 to 7 seats with equal wagers.

    For several numbers of seats or mixes of wagers make a `whole_table` once and ask that.
    """
    _check_seats(seats)
    _checked(wagers, BETS)
    return whole_table(game, tables, options).standard_deviation(seats, wagers)


def whole_game_edge(rows: Mapping[Bet, ParRow], wagers: Wagers) -> Fraction:
    """Expected loss on all bets together per unit first wagered on any of them."""
    staked = _checked(wagers, tuple(rows))
    lost = sum((rows[bet].house_edge * stake for bet, stake in staked.items()), Fraction(0))
    return lost / sum(staked.values())


class Band(NamedTuple):
    """Two bounds of an average per round."""

    low: float
    high: float


def confidence_band(
    mean: Fraction | float, standard_deviation: float, rounds: int, level: float
) -> Band:
    """The bounds between which the average of so many rounds lies with that probability.

    It is the band of the normal law, centred on the mean: good for 1e4 rounds and more, rough
    for 1e3 of a bet that pays rarely. Mean and standard deviation are of one round.
    """
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise Refused(
            Reason.BAD_ARGUMENT, f"rounds {rounds!r} cannot be; a whole number from 1 is needed"
        )
    half = volatility_index(standard_deviation, level) / sqrt(rounds)
    return Band(float(mean) - half, float(mean) + half)


def volatility_index(standard_deviation: float, level: float = 0.90) -> float:
    """The half width of the band of one round: a two-sided quantile times the deviation.

    Over the square root of a number of rounds it is the half width of the band of their average.
    """
    if not 0 < level < 1:
        raise Refused(Reason.BAD_ARGUMENT, f"level {level!r} cannot be; it lies between 0 and 1")
    if not (isfinite(standard_deviation) and standard_deviation >= 0):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"standard deviation {standard_deviation!r} cannot be; it is a number from 0",
        )
    return NormalDist().inv_cdf((1 + level) / 2) * standard_deviation


def expected_hold(
    *,
    house_edge: Fraction,
    average_bet: int | Fraction,
    decisions_per_hour: int | Fraction,
    hours: int | Fraction,
    buy_in: int | Fraction,
) -> Fraction:
    """Win over drop that a model expects of one player's visit (TSB-24). A model, not a count.

    win = house edge x average bet x decisions an hour x hours; drop = the buy-in; hold = win over
    drop, at most 1. The model assumes that the player buys in once and for cash, so that the
    drop is the buy-in and nothing else; that he wagers the same on every round, wins wagered
    again, until the hours are over; that he never runs out before, so ruin neither shortens the
    visit nor caps a loss; and that he plays as the edge assumes. `average_bet` is what is first
    wagered on all bets of a round, `house_edge` the edge on that (see `whole_game_edge`).
    """
    given = {
        "average_bet": average_bet,
        "decisions_per_hour": decisions_per_hour,
        "hours": hours,
    }
    for name, value in given.items():
        if value < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"{name} {value} is negative; it must be 0 or more"
            )
    if buy_in <= 0:
        raise Refused(Reason.ZERO_AMOUNT, f"buy_in {buy_in} is no drop; it must be more than 0")
    win = Fraction(house_edge) * average_bet * decisions_per_hour * hours
    return min(Fraction(1), win / buy_in)


class Liability(NamedTuple):
    """The most that one deal can cost the house, from above and by an example."""

    at_most: Fraction
    """No deal costs more."""
    reached: Fraction
    """What the deal below costs; where it equals `at_most` that is the exact maximum."""
    dealer: tuple[int, ...]
    players: tuple[tuple[int, ...], ...]


def maximum_liability(
    game: AntePlayGame, tables: Tables, options: Options, seats: int, wagers: Wagers
) -> Liability:
    """The most the house can lose on one deal, for the same wagers on each seat.

    For each hand of the dealer, each player hand is worth the better of playing and folding, so
    no way of playing costs more. Order the seats of any deal from best to worst. Cross out any n
    cards: of the n + 1 best seats at least one holds none of them, because no card lies at two
    seats; so seat n + 1 in that order is worth no more than the best hand without a card
    crossed out. The sum of these limits bounds the deal. It knows, for instance, that a second
    royal flush against the same dealer needs a card that the first one has, and so that only one
    seat is paid for it. The example deals each seat the best hand that is left. Progressive
    awards are not in it: they are paid from their meters.
    """
    _check_seats(seats)
    staked = {bet: Fraction(0) for bet in BETS} | _checked(wagers, BETS)
    prices = _best_for_the_player(seat_prices(game, tables, options), staked)
    scale = prices.scales[0]
    at_most, best = 0, Liability(Fraction(0), Fraction(0), (), ())
    for dealer in three_card_hands().canonical:
        players, by_bet = prices.against(int(dealer), 0)
        nets = by_bet.sum(axis=1)
        if best.players and seats * int(nets.max()) <= best.reached * scale:
            continue
        order = np.argsort(-nets, kind="stable")
        limit, reached, dealt = _best_seats(players[order], nets[order], seats)
        at_most = max(at_most, limit) if best.players else limit
        if not best.players or reached > best.reached * scale:
            best = Liability(
                at_most=Fraction(at_most, scale),
                reached=Fraction(reached, scale),
                dealer=tuple(three_card_hands().cards[dealer].tolist()),
                players=tuple(tuple(hand) for hand in dealt.tolist()),
            )
    return best._replace(at_most=Fraction(at_most, scale))


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

    def against(self, dealer: int, view: int) -> tuple[Ints, Ints]:
        """The hands that a dealer's hand leaves, and nets[place, bet] of each."""
        hands = three_card_hands()
        players = np.zeros(DEALER_HANDS, dtype=np.int64)
        nets = np.zeros((DEALER_HANDS, self.by_hand.shape[0] + 1), dtype=np.int64)
        kernels.seat_nets(
            dealer,
            view,
            hands.masks,
            hands.triple,
            hands.suited,
            self.found.hand_class,
            self.found.facts,
            category_by_ranks(),
            category_by_suit(),
            hands.class_of,
            self.decisions,
            self.by_hand,
            self.by_category,
            players,
            nets,
        )
        return players, nets

    def sums_of_pairs(self, dealers: Ints) -> Ints:
        """sums[dealer, bet, other] of products over pairs of seats and what they see.

        Only bet <= other is filled; the other half is the same.
        """
        hands = three_card_hands()
        bets = self.by_hand.shape[0] + 1
        sums = np.zeros((dealers.size, bets, bets), dtype=np.int64)
        kernels.sum_pairs_of_seats(
            dealers,
            self.views(dealers),
            hands.cards,
            hands.masks,
            hands.triple,
            hands.suited,
            self.found.hand_class,
            self.found.facts,
            category_by_ranks(),
            category_by_suit(),
            hands.class_of,
            self.decisions,
            self.by_hand,
            self.by_category,
            sums,
        )
        return sums

    def joint_counts(self) -> Ints:
        """counts[canonical hand, decision, facts, six-card category] over all deals of a seat."""
        hands = three_card_hands()
        shape = (hands.canonical.size, 2, FACTS_END, FIVE_CARD_CATEGORIES)
        counts = np.zeros(shape, dtype=np.int64)
        if self.face_up:
            kernels.count_shown_seats(
                hands.canonical,
                hands.cards,
                hands.masks,
                hands.triple,
                hands.suited,
                self.found.hand_class,
                self.found.facts,
                category_by_ranks(),
                category_by_suit(),
                self.plays.astype(np.int8),
                counts,
            )
        else:
            every = np.arange(hands.canonical.size)
            counts[every, self.plays.astype(np.int64)] = seat_counts(self.found)
        return counts * hands.weight[:, None, None, None]


def seat_prices(game: AntePlayGame, tables: Tables, options: Options) -> SeatPrices:
    """The bets of a seat of this game, its Ante played as well as can be."""
    analysis = ante_analysis(game, tables, options)
    plays = analysis.optimal()
    folded = net_units(game.folded()) * analysis.per_ante
    ante = np.full((analysis.units.shape[0], 2, FACTS_END), int(folded), dtype=np.int64)
    ante[:, 1] = analysis.units
    pair_plus_nets, pair_plus_scale = _whole(_pair_plus_units(game, tables["pair-plus"], options))
    by_category, six_card_scale = _whole(_six_card_units(game, tables["six-card-bonus"]))
    category = three_card_hands().category[three_card_hands().canonical]
    return _checked_prices(
        SeatPrices(
            found=contest(game, options),
            plays=plays,
            decisions=_for_every_hand(plays),
            by_hand=np.stack(
                [ante, np.repeat(pair_plus_nets[category][:, :, None], FACTS_END, axis=2)]
            ),
            by_category=by_category,
            scales=(analysis.per_ante, pair_plus_scale, six_card_scale),
        )
    )


def _pair_plus_units(
    game: AntePlayGame, paytable: PayTable, options: Options
) -> list[list[Fraction]]:
    """Net of Pair Plus by three-card category and decision; a fold may cost it (TCP-13)."""
    stays = game.pair_plus_survives_fold(options)
    lost = net_units(pair_plus_folded(game.pair_plus_fold_clause))
    paid = [net_units(pair_plus(int(hand), paytable, game.pair_plus_clause)) for hand in ThreeCard]
    return [[units if stays else lost, units] for units in paid]


def _six_card_units(game: AntePlayGame, paytable: PayTable) -> list[Fraction]:
    """Net of the 6 Card Bonus by six-card category."""
    clause = game.six_card_bonus_clause
    return [net_units(six_card_bonus(int(hand), paytable, clause)) for hand in FiveCard]


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


def _for_every_hand(plays: Plays) -> Small:
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
    return _less_means(prices, moments, moments.seconds, moments.cases)


def _between_seats(prices: SeatPrices, moments: Moments) -> Covariance:
    hands = three_card_hands()
    sums = prices.sums_of_pairs(hands.canonical)
    views = prices.views(hands.canonical).shape[1]
    cases = int(hands.weight.sum()) * views * DEALER_HANDS * SECOND_SEAT_HANDS
    weights = hands.weight.tolist()
    size = len(BETS)
    seconds = [
        [
            sum(
                weight * total
                for weight, total in zip(
                    weights, sums[:, min(a, b), max(a, b)].tolist(), strict=True
                )
            )
            for b in range(size)
        ]
        for a in range(size)
    ]
    return _less_means(prices, moments, seconds, cases)


def _less_means(
    prices: SeatPrices, moments: Moments, seconds: list[list[int]], cases: int
) -> Covariance:
    """The covariances, from sums of products over so many cases."""
    means = [Fraction(first, moments.cases) for first in moments.firsts]
    return {
        (bet, other): (Fraction(seconds[a][b], cases) - means[a] * means[b])
        / (prices.scales[a] * prices.scales[b])
        for a, bet in enumerate(BETS)
        for b, other in enumerate(BETS)
    }


def _best_for_the_player(prices: SeatPrices, staked: Mapping[Bet, Fraction]) -> SeatPrices:
    """The wagers of a seat as two bets: what hangs on the decision, the better one, and the rest.

    Both are counted in one and the same smallest unit.
    """
    worth = [staked[bet] / scale for bet, scale in zip(BETS, prices.scales, strict=True)]
    scale = lcm(*(unit.denominator for unit in worth))
    ante, pair_plus_bet, six_card = (int(unit * scale) for unit in worth)
    largest = int(max(np.abs(prices.by_hand).max(), np.abs(prices.by_category).max()))
    if MOST_SEATS * largest * (ante + pair_plus_bet + six_card) > LARGEST_SUM:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE, "the wagers are too large to be counted with in whole numbers"
        )
    decided = prices.by_hand[0] * ante + prices.by_hand[1] * pair_plus_bet
    best = np.repeat(decided.max(axis=1, keepdims=True), 2, axis=1)
    return replace(
        prices,
        by_hand=best[None],
        by_category=prices.by_category * six_card,
        decisions=np.ones((1, HANDS3), dtype=np.int8),
        scales=(scale, scale),
    )


def _best_seats(players: Ints, nets: Ints, seats: int) -> tuple[int, int, Ints]:
    """A limit for the seats together, what one deal gives them, and its hands; best hands first."""
    cards = three_card_hands().cards[players]
    limits, dealt = np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64)
    kernels.bound_best_seats(cards, limits)
    kernels.deal_best_seats(cards, dealt)
    return int(nets[limits].sum()), int(nets[dealt].sum()), cards[dealt]


def _check_seats(seats: int) -> None:
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= MOST_SEATS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{seats!r} seats cannot be; a table has 1 to {MOST_SEATS}"
        )


def _checked(wagers: Wagers, known: tuple[Bet, ...]) -> dict[Bet, Fraction]:
    """The wagers as fractions; refused when one is unknown or negative, or all are nothing."""
    for bet, stake in wagers.items():
        if bet not in known:
            raise Refused(
                Reason.UNKNOWN_BET, f"bet {bet!r} is not counted here; known: {listed(known)}"
            )
        if isinstance(stake, bool) or not isinstance(stake, int | Fraction):
            raise Refused(
                Reason.NOT_AN_AMOUNT, f"{bet} {stake!r} is not a whole number or a fraction"
            )
        if stake < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"{bet} {stake} is negative; it must be 0 or more"
            )
    if not any(wagers.values()):
        raise Refused(Reason.MISSING_BET, f"nothing is wagered; wager on {listed(known)}")
    return {bet: Fraction(stake) for bet, stake in wagers.items()}
