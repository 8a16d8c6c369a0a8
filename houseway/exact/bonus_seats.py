"""Triple Shot Bonus at a table: how a bet of one seat goes with a bet of another.

The seats share the dealer's hand and the deck. Unseen cards are exchangeable, so both seats may
be thought of as dealt six cards in order before the dealer draws. Then a bet of a seat depends on
its six cards, their order, the up card and how the dealer ends.

Every seat plays Blackjack as well as can be for itself: by its own cards and the up card.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, lcm, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards.hands import FiveCard
from houseway.exact.blackjack import ENDS, KINDS, LONGEST, blackjack
from houseway.exact.bonus import (
    KIND_OF,
    SIX,
    Play,
    joint_law,
    play_of,
    war_and_poker_weights,
    war_stands,
    war_table,
)
from houseway.exact.dealer import code_of, ends_table
from houseway.exact.kept import kept
from houseway.exact.pairs import MOST_WORTH, DealerWays, blackjack_beside, dealer_ways, pair_sums
from houseway.exact.sixes import sixes, worth_of
from houseway.exact.table import Covariance, Tables, WholeTable, covariance
from houseway.exact.tabulate import Ints
from houseway.games.base import PLAYER_WINS, net_units
from houseway.games.triple_shot_bonus.rules import (
    BonusOptions,
    hat_trick,
    poker,
    poker_leg_lost,
    war,
    war_leg_lost,
)
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused

BETS: tuple[Bet, ...] = ("war", "blackjack", "poker", "hat-trick")
ORDERS = factorial(SIX)
FIRST = factorial(SIX - 1)
"""Orders of six cards of which the first is given."""
PAIRS = comb(52, SIX) * comb(52 - SIX, SIX)
TWO_SEATS = PAIRS * ORDERS**2 * (52 - 2 * SIX) * perm(52 - 2 * SIX - 1, LONGEST)
"""Ways to deal two seats, the up card and the dealer's draws."""
HALVES = 2
"""War and Blackjack are counted in half units."""


def whole_table(tables: Tables, options: BonusOptions) -> WholeTable:
    """Both covariances of the game, counted once for any number of seats and any wagers."""
    means, within = seat_means(tables["poker"], options)
    found = products(terms_of(tables["poker"], options))
    between = [[found[bet, other] for other in BETS] for bet in BETS]
    return WholeTable(
        _with_payoff(covariance(BETS, means, within), tables["hat-trick"]),
        _with_payoff(covariance(BETS, means, between), tables["hat-trick"]),
    )


def _with_payoff(found: Covariance, paytable: PayTable) -> Covariance:
    """Covariances of a Hat Trick that is paid, from those of one that counts 1 or 0."""
    paid = net_units(hat_trick((), PLAYER_WINS, (), paytable))
    taken = net_units(hat_trick(("war",), PLAYER_WINS, (), paytable))
    worth = {bet: paid - taken if bet == "hat-trick" else Fraction(1) for bet in BETS}
    return {(bet, other): worth[bet] * worth[other] * c for (bet, other), c in found.items()}


def seat_means(
    poker_paytable: PayTable, options: BonusOptions
) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Means of the bets of one seat and of the products of two, from their joint law.

    The Hat Trick counts 1 when it is won and 0 when it is lost.
    """
    law = joint_law(options)
    verdicts = [poker(category, poker_paytable) for category in FiveCard]
    poker_units = [net_units(verdict) for verdict in verdicts]
    war_units = [net_units(war(comparison, options)) for comparison in range(len(law.counts))]
    size = range(len(BETS))
    means = [Fraction(0) for _ in size]
    found = [[Fraction(0) for _ in size] for _ in size]
    for comparison, results in enumerate(law.counts):
        for result, categories in enumerate(results):
            for category, ways in enumerate(categories):
                lost = war_leg_lost(comparison) or poker_leg_lost(verdicts[category].outcome)
                won = not lost and law.least + result >= 0
                net = Fraction(law.least + result, HALVES)
                units = war_units[comparison], net, poker_units[category], Fraction(won)
                for a in size:
                    means[a] += units[a] * ways
                    for b in size:
                        found[a][b] += units[a] * units[b] * ways
    total = law.total
    return [mean / total for mean in means], [[p / total for p in row] for row in found]


@dataclass(frozen=True, slots=True)
class Terms:
    """What the sums depend on, in whole numbers."""

    options: BonusOptions
    poker_nets: tuple[int, ...]
    """What Poker wins by category, in units of which `poker_scale` make one."""
    poker_scale: int
    poker_keeps: tuple[bool, ...]
    """Whether a category keeps the Poker leg of the Hat Trick."""


def terms_of(poker_paytable: PayTable, options: BonusOptions) -> Terms:
    """The terms of a table; refused when a pay is too large to be counted with."""
    verdicts = [poker(category, poker_paytable) for category in FiveCard]
    units = [net_units(verdict) for verdict in verdicts]
    scale = lcm(*(unit.denominator for unit in units))
    nets = tuple(int(unit * scale) for unit in units)
    if max(map(abs, nets)) > MOST_WORTH:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"a pay of {max(nets)} smallest units is too large to be counted with; "
            f"at most {MOST_WORTH} are",
        )
    return Terms(
        options=BonusOptions(
            dealer_soft_17=options.dealer_soft_17,
            dealer_natural=options.dealer_natural,
            split_ace_ten=options.split_ace_ten,
            war_ace=options.war_ace,
        ),
        poker_nets=nets,
        poker_scale=scale,
        poker_keeps=tuple(not poker_leg_lost(verdict.outcome) for verdict in verdicts),
    )


@lru_cache(maxsize=1)
def best_play(options: BonusOptions) -> Play:
    """Blackjack played as well as can be by itself; the last that was asked is kept."""
    game = blackjack(options)
    return play_of(game, game.best)


@kept
def products(terms: Terms) -> dict[tuple[Bet, Bet], Fraction]:
    """Means of a bet of one seat times a bet of another, for every ordered pair of bets.

    The Hat Trick counts 1 when it is won and 0 when it is lost.
    """
    play, dealer = best_play(terms.options), dealer_ways(terms.options)
    found = {
        **_with_war(terms, play),
        **_with_blackjack(terms, play, dealer),
        **_with_poker_leg(terms, play, dealer),
    }
    return found | {(other, bet): mean for (bet, other), mean in found.items()}


def _with_war(terms: Terms, play: Play) -> dict[tuple[Bet, Bet], Fraction]:
    """War with War, Poker and the Hat Trick: of the second seat only the first card matters."""
    six, ace = sixes(), terms.options.war_ace
    halves, stands = _war_halves(terms.options)[war_table(ace)], war_stands(ace)
    paid, kept = six.categories @ terms.poker_nets, six.categories @ terms.poker_keeps
    poker_sum = 0
    spread = np.zeros((KINDS, len(six.sets), KINDS, KINDS), dtype=np.int64)
    for up in range(13):
        out = 4 - six.ranks[:, up]
        beside = _by_kind((4 - six.ranks - (np.arange(13) == up)) * halves[:, up])
        poker_sum += int((paid * out) @ beside.sum(axis=1))
        first = _by_kind(six.ranks * stands[:, up])
        cases = (kept * out)[:, None, None] * first[:, :, None] * beside[:, None, :]
        spread[KIND_OF[up]] += np.add.reduceat(cases, six.starts[:-1], axis=0)
    table = ends_table(SIX + 1, terms.options)
    hat_sum = 0
    for kind in range(KINDS):
        one_more = np.arange(KINDS) == kind
        # Where the deck has no such card there are no cases, whatever row is read.
        places = table.row[np.minimum(code_of(six.sets + one_more), table.row.size - 1)]
        for up in range(KINDS):
            cases = np.einsum("sf,sfe->se", spread[up, :, :, kind], play.kept[up])
            hat_sum += _dot(cases, table.ways[up, places])
    war_sum = sum(
        int(halves[one, up] * halves[two, up])
        * 4
        * (4 - (one == up))
        * (4 - (two == up) - (two == one))
        for up in range(13)
        for one in range(13)
        for two in range(13)
    )
    seven = comb(52, SIX) * (52 - SIX) * (52 - SIX - 1)
    hat_ways = HALVES * seven * ORDERS * perm(52 - SIX - 2, LONGEST)
    return {
        ("war", "war"): Fraction(war_sum, HALVES**2 * perm(52, 3)),
        ("war", "poker"): Fraction(poker_sum, HALVES * terms.poker_scale * seven),
        ("war", "hat-trick"): Fraction(hat_sum, hat_ways),
    }


def _with_blackjack(
    terms: Terms, play: Play, dealer: DealerWays
) -> dict[tuple[Bet, Bet], Fraction]:
    """Blackjack with every bet: of the second seat only kinds matter."""
    own, beside = first_seat(terms, play), blackjack_beside(play, dealer)
    return {
        ("blackjack", bet): Fraction(_dot(own[bet], beside), scale * HALVES * TWO_SEATS)
        for bet, scale in zip(BETS, (HALVES, HALVES, terms.poker_scale, 1), strict=True)
    }


def _with_poker_leg(
    terms: Terms, play: Play, dealer: DealerWays
) -> dict[tuple[Bet, Bet], Fraction]:
    """Poker with Poker, and the Hat Trick with both: the suits of two flushes matter together."""
    worth = worth_of(terms.poker_keeps, terms.poker_nets)
    sums = pair_sums(worth, play, dealer, terms.options.war_ace)
    hat_tricks, pays, pokers = map(int, sums.sum(axis=1))
    scale = terms.poker_scale
    return {
        ("poker", "poker"): Fraction(pokers, scale**2 * PAIRS),
        ("hat-trick", "poker"): Fraction(ORDERS * pays, scale * TWO_SEATS),
        ("hat-trick", "hat-trick"): Fraction(hat_tricks, TWO_SEATS),
    }


def first_seat(terms: Terms, play: Play) -> dict[Bet, Ints]:
    """What each bet of a seat is worth by [set of kinds, up kind, end].

    It is summed over the cards that are of these kinds and over the orders of the seat's cards.
    """
    weights = war_and_poker_weights(terms.options.war_ace)
    comparisons = range(weights.shape[3])
    stands = np.array([not war_leg_lost(comparison) for comparison in comparisons])
    by_war = weights.sum(axis=4)
    by_category = weights.sum(axis=(2, 3))
    legs = weights[..., stands, :].sum(axis=3) @ np.array(terms.poker_keeps)
    war_sums = FIRST * (by_war @ _war_halves(terms.options)).sum(axis=2)
    poker_sums = FIRST * (by_category @ np.array(terms.poker_nets))
    return {
        "war": _for_every_end(war_sums),
        "blackjack": np.einsum("usf,usfe->sue", by_war.sum(axis=3), play.halves),
        "poker": _for_every_end(poker_sums),
        "hat-trick": np.einsum("usf,usfe->sue", legs, play.kept),
    }


def _war_halves(options: BonusOptions) -> Ints:
    """What War wins by comparison, in half units."""
    return np.array([int(HALVES * net_units(war(n, options))) for n in range(3)], dtype=np.int64)


def _by_kind(by_rank: Ints) -> Ints:
    """Columns of ranks added up to columns of kinds."""
    columns = [by_rank[:, np.equal(KIND_OF, kind)].sum(axis=1) for kind in range(KINDS)]
    return np.stack(columns, axis=1)


def _for_every_end(by_up: Ints) -> Ints:
    """[set, up, end] of what is given by [up, set] and does not hang on the dealer's end."""
    return np.repeat(by_up.T[:, :, None], len(ENDS), axis=2)


def _dot(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> int:
    """The sum of all products, exact."""
    return int(np.dot(left.ravel().astype(object), right.ravel().astype(object)))
