"""Triple Shot Bonus at a table: how a bet of one seat goes with a bet of another.

The seats share the dealer's hand and the deck. Unseen cards are exchangeable, so both seats may
be thought of as dealt six cards in order before the dealer draws. Then a bet of a seat depends on
its six cards, their order, the up card and how the dealer ends; and how often the dealer ends so
depends on the kinds that the twelve cards have, ten kinds being all that Blackjack sees. So sums
run over pairs of sets of six kinds, and what is finer than kinds is counted for each pair: which
tens they are, where the up card is a ten and in Poker, and the suits of flushes.

Every seat plays Blackjack as well as can be for itself: by its own cards and the up card.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, factorial, lcm, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.exact.blackjack import DECK, ENDS, KINDS, LONGEST, TEN_KIND, blackjack
from houseway.exact.bonus import (
    KIND_OF,
    SIX,
    joint_law,
    orders_by_end,
    six_card_sets,
    war_and_poker_weights,
    war_table,
)
from houseway.exact.dealer import EndsTable, code_of, ends_table
from houseway.exact.table import Covariance, Tables, WholeTable, covariance
from houseway.games.base import PLAYER_WINS, net_units
from houseway.games.triple_shot_bonus import hat_trick, poker, poker_leg_lost, war, war_leg_lost
from houseway.hands import FiveCard
from houseway.kernels import bonus_seats as kernels
from houseway.kernels.bonus import RESULTS, SHIFT
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.tabulate import Ints, Ints32, Small, category_by_suit, category_of_ranks

BETS: tuple[Bet, ...] = ("war", "blackjack", "poker", "hat-trick")
TENS = tuple(rank for rank in range(13) if KIND_OF[rank] == TEN_KIND)
ORDERS = factorial(SIX)
FIRST = factorial(SIX - 1)
"""Orders of six cards of which the first is given."""
PAIRS = comb(52, SIX) * comb(52 - SIX, SIX)
TWO_SEATS = PAIRS * ORDERS**2 * (52 - 2 * SIX) * perm(52 - 2 * SIX - 1, LONGEST)
"""Ways to deal two seats, the up card and the dealer's draws."""
HALVES = 2
"""War and Blackjack are counted in half units."""


MOST_HANDS = max(comb(16, tens) * 4 ** (SIX - tens) for tens in range(SIX + 1))
"""Hands of the largest set of kinds, which is of some tens and single cards."""
MOST_PAY = 1 << 15
"""In smallest units: what Poker pays two hands fits in 64 bits for all hands of two sets."""


def whole_table(tables: Tables, options: Options) -> WholeTable:
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
    poker_paytable: PayTable, options: Options
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
                lost = war_leg_lost(comparison) or poker_leg_lost(verdicts[category])
                won = not lost and result >= SHIFT
                net = Fraction(result - SHIFT, HALVES)
                units = war_units[comparison], net, poker_units[category], Fraction(won)
                for a in size:
                    means[a] += units[a] * ways
                    for b in size:
                        found[a][b] += units[a] * units[b] * ways
    total = law.total
    return [mean / total for mean in means], [[p / total for p in row] for row in found]


# ------------------------------------------------------------------------- six cards, by kinds


@dataclass(frozen=True, slots=True, eq=False)
class Sixes:
    """Sets of six kinds, the hands of six ranks that each has, and the flushes among them."""

    sets: Small
    """sets[set, kind]: how many cards of each kind."""
    codes: Ints
    starts: Ints
    """Where the hands of each set begin; one more at the end."""
    ranks: Ints
    """ranks[hand, rank]: how many cards of each rank."""
    categories: Ints
    """categories[hand, category]: in how many suits its ranks make each category."""
    plain: Ints
    """The category of each hand when it has no flush."""
    splits: Ints
    """Which split of its tens each hand has."""
    tens: Ints
    """tens[split, n]: how many cards of each ten-valued rank."""


@cache
def sixes() -> Sixes:
    """The hands of six ranks and their sets of kinds."""
    found = six_card_sets()
    tens, splits = np.unique(found.ranks[:, TENS], axis=0, return_inverse=True)
    sets = np.array(found.kinds, dtype=np.int8)
    return Sixes(
        sets=sets,
        codes=code_of(sets),
        starts=_starts(found.by_kinds),
        ranks=found.ranks,
        categories=found.categories,
        plain=np.array([_plain(row) for row in found.ranks.tolist()], dtype=np.int64),
        splits=splits.astype(np.int64),
        tens=tens,
    )


def _plain(ranks: list[int]) -> int:
    return category_of_ranks(tuple(rank for rank in range(13) for _ in range(ranks[rank])))


@dataclass(frozen=True, slots=True, eq=False)
class Flushes:
    """Hands with five or six cards of one suit, in the order of their sets of kinds."""

    starts: Ints
    """Where those of each set of kinds begin; one more at the end."""
    suited: Ints
    """The ranks of that suit, as bits."""
    apart: Ints
    """The rank of a sixth card of another suit as a bit, or 0."""
    splits: Ints
    category: Ints
    plain: Ints
    """What the category would be without the flush."""


@cache
def flushes() -> Flushes:
    """The flushes among six cards, suits left out."""
    six = sixes()
    place_of = {int(code): place for place, code in enumerate(six.codes)}
    split_of = {tuple(tens): split for split, tens in enumerate(six.tens.tolist())}
    rows: list[tuple[int, ...]] = []
    for held in (*combinations(range(13), SIX), *combinations(range(13), SIX - 1)):
        suited = sum(1 << rank for rank in held)
        for apart in range(13) if len(held) < SIX else (None,):
            ranks = [(rank in held) + (rank == apart) for rank in range(13)]
            rows.append(
                (
                    place_of[int(code_of(np.bincount(KIND_OF, ranks, KINDS)))],
                    suited,
                    0 if apart is None else 1 << apart,
                    split_of[tuple(ranks[rank] for rank in TENS)],
                    int(category_by_suit()[suited]),
                    _plain(ranks),
                )
            )
    places, *columns = np.array(sorted(rows), dtype=np.int64).T.copy()
    return Flushes(_starts(places), *columns)


def _starts(places: Ints) -> Ints:
    """Where each set of kinds begins in a list that is in their order; one more at the end."""
    return np.searchsorted(places, np.arange(len(six_card_sets().kinds) + 1)).astype(np.int64)


# ----------------------------------------------------------------------------- what a seat wins


@dataclass(frozen=True, slots=True)
class Terms:
    """What the sums depend on, in whole numbers."""

    options: Options
    poker_nets: tuple[int, ...]
    """What Poker wins by category, in units of which `poker_scale` make one."""
    poker_scale: int
    poker_keeps: tuple[bool, ...]
    """Whether a category keeps the Poker leg of the Hat Trick."""


def terms_of(poker_paytable: PayTable, options: Options) -> Terms:
    """The terms of a table; refused when a pay is too large to be counted with."""
    verdicts = [poker(category, poker_paytable) for category in FiveCard]
    units = [net_units(verdict) for verdict in verdicts]
    scale = lcm(*(unit.denominator for unit in units))
    nets = tuple(int(unit * scale) for unit in units)
    if max(map(abs, nets)) > MOST_PAY:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE,
            f"a pay of {max(nets)} smallest units is too large to be counted with; "
            f"at most {MOST_PAY} are",
        )
    return Terms(
        options=Options(
            dealer_soft_17=options.dealer_soft_17,
            dealer_natural=options.dealer_natural,
            split_ace_ten=options.split_ace_ten,
            war_ace=options.war_ace,
        ),
        poker_nets=nets,
        poker_scale=scale,
        poker_keeps=tuple(not poker_leg_lost(verdict) for verdict in verdicts),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """How the Blackjack of a seat goes, summed over the orders of its other five cards.

    Both are by [up kind, set of kinds, first kind, dealer's end], for one card that comes first.
    """

    halves: Ints
    """What is won, in half units."""
    kept: Ints
    """Orders in which the Blackjack leg is not lost."""


def play_of(options: Options) -> Play:
    """Blackjack played as well as can be by itself."""
    game = blackjack(options)
    shape = (KINDS, len(sixes().sets), KINDS, len(ENDS))
    play = Play(np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64))
    results = np.arange(RESULTS) - SHIFT
    for up in range(KINDS):
        orders = orders_by_end(game, up, game.best)
        play.halves[up] = orders @ results
        play.kept[up] = orders @ (results >= 0)
    return play


def _war_stands(ace: str) -> npt.NDArray[np.bool_]:
    """stands[first rank, up rank]: War is not lost. It follows from kinds unless both are tens."""
    stands = np.array([[not war_leg_lost(c) for c in row] for row in war_table(ace).tolist()])
    for kind in range(TEN_KIND):
        ranks = [rank for rank in range(13) if KIND_OF[rank] == kind]
        for cards in (stands[np.ix_(ranks, TENS)], stands[np.ix_(TENS, ranks)]):
            assert cards.all() or not cards.any()
    return stands


# ------------------------------------------------------------------------------- sums over pairs


@cache
def products(terms: Terms) -> dict[tuple[Bet, Bet], Fraction]:
    """Means of a bet of one seat times a bet of another, for every ordered pair of bets.

    The Hat Trick counts 1 when it is won and 0 when it is lost.
    """
    play, table = play_of(terms.options), ends_table(2 * SIX, terms.options)
    found = {
        **_with_war(terms, play),
        **_with_blackjack(terms, play, table),
        **_with_poker_leg(terms, play, table),
    }
    return found | {(other, bet): mean for (bet, other), mean in found.items()}


def _with_war(terms: Terms, play: Play) -> dict[tuple[Bet, Bet], Fraction]:
    """War with War, Poker and the Hat Trick: of the second seat only the first card matters."""
    six, ace = sixes(), terms.options.war_ace
    halves, stands = _war_halves(terms.options)[war_table(ace)], _war_stands(ace)
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
            hat_sum += _dot(cases, table.ways[places, up])
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


def _with_blackjack(terms: Terms, play: Play, table: EndsTable) -> dict[tuple[Bet, Bet], Fraction]:
    """Blackjack with every bet: of the second seat only kinds matter."""
    own, beside = first_seat(terms, play), blackjack_beside(play, table)
    return {
        ("blackjack", bet): Fraction(_dot(own[bet], beside), scale * HALVES * TWO_SEATS)
        for bet, scale in zip(BETS, (HALVES, HALVES, terms.poker_scale, 1), strict=True)
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


def blackjack_beside(play: Play, table: EndsTable) -> npt.NDArray[np.object_]:
    """What a second seat's Blackjack is worth by [set of kinds of the first, up kind, end].

    It is summed over the second seat's cards and the dealer's draws, the first seat's cards and
    the up card being given.
    """
    six = sixes()
    size, held = len(six.sets), six.sets.astype(np.int64)
    worth = np.einsum("sf,usfe->sue", held, play.halves).reshape(size, -1)
    largest = int(np.abs(worth).max())
    assert MOST_HANDS * largest < 1 << 31, "ways of one set would not fit"
    assert comb(46, SIX) * largest << kernels.LIMB + 1 < 1 << 63, "a sum would not fit"
    sums = np.zeros((size, 2, KINDS * len(ENDS)), dtype=np.int64)
    lookups = (*_pairs_of(table), worth.astype(np.int32))
    _in_threads(lambda start, stop: kernels.sum_second_seat(start, stop, *lookups, sums), size)
    # The up card was counted with the second seat's cards; here it is given.
    ups = np.maximum(np.array(DECK) - held, 1)
    return np.asarray(_whole(sums).reshape(size, KINDS, len(ENDS)) // ups[:, :, None])


def _with_poker_leg(terms: Terms, play: Play, table: EndsTable) -> dict[tuple[Bet, Bet], Fraction]:
    """Poker with Poker, and the Hat Trick with both: the suits of two flushes matter together."""
    six, size = sixes(), len(sixes().sets)
    flush = flushes()
    worth = np.array([terms.poker_keeps, terms.poker_nets], dtype=np.int64)
    by_ranks, by_suits = worth.take(six.plain, axis=1), worth @ six.categories.T
    totals = np.zeros((size, 3, kernels.LIMBS), dtype=np.int64)
    first_later, second_later, tens = _tens(terms.options.war_ace)
    lookups = (
        *_pairs_of(table),
        six.starts,
        six.splits,
        first_later,
        second_later,
        by_ranks,
        by_suits,
        by_suits - by_ranks * six.categories.sum(axis=1),
        flush.starts,
        flush.suited,
        flush.apart,
        flush.splits,
        worth.take(flush.category, axis=1) - worth.take(flush.plain, axis=1),
        tens,
        *_legs(terms.options, play),
        _limbs(table.ways[:, TEN_KIND]),
    )
    _in_threads(lambda start, stop: kernels.sum_kept_pairs(start, stop, *lookups, totals), size)
    hat_tricks, pays, poker_sum = map(int, _whole(totals.swapaxes(1, 2)).sum(axis=0))
    scale = terms.poker_scale
    return {
        ("poker", "poker"): Fraction(poker_sum, scale**2 * PAIRS),
        ("hat-trick", "poker"): Fraction(ORDERS * pays, scale * TWO_SEATS),
        ("hat-trick", "hat-trick"): Fraction(hat_tricks, TWO_SEATS),
    }


def _legs(options: Options, play: Play) -> tuple[Ints32, Ints32]:
    """legs[set, up * ends + end]: orders in which neither War nor Blackjack is lost.

    Where up card and first card are tens, War depends on which tens they are. Those orders are
    left out, and stand in ten_legs[set, 1, end] for one ten that comes first and stands to the up
    card, beside the other orders against a ten in ten_legs[set, 0, end].
    """
    six, stands = sixes(), _war_stands(options.war_ace)
    legs = np.zeros((len(six.sets), KINDS, len(ENDS)), dtype=np.int32)
    for up in range(KINDS):
        for first in range(KINDS):
            both_tens = first == up == TEN_KIND
            if not both_tens and stands[KIND_OF.index(first), KIND_OF.index(up)]:
                legs[:, up] += (six.sets[:, first, None] * play.kept[up, :, first]).astype(np.int32)
    tens = play.kept[TEN_KIND, :, TEN_KIND].astype(np.int32)
    return legs.reshape(len(legs), -1), np.stack([legs[:, TEN_KIND], tens], axis=1)


def _tens(ace: str) -> tuple[Ints, Ints, Ints]:
    """Ways of the tens of two hands, by row of the kernels and their two splits.

    The first hand's tens chosen after the second's; the other way round; and the ten-valued up
    cards alone, by split, split and row, with the tens of the hands that stand to them in War.
    """
    held, stands = sixes().tens, _war_stands(ace)[np.ix_(TENS, TENS)]
    standing = held @ stands
    size = len(held)
    rows = np.ones((4, size, size), dtype=np.int64)
    for row in (kernels.OTHER, kernels.OWN, kernels.BOTH):
        up_cards = 4 - held[:, None, :] - held[None, :, :]
        if row != kernels.OTHER:
            up_cards = up_cards * standing[:, None, :]
        if row != kernels.OWN:
            up_cards = up_cards * standing[None, :, :]
        rows[row] = up_cards.sum(axis=2)
    choose = _binomials()
    later = choose[4 - held[None, :, :], held[:, None, :]].prod(axis=2)
    return rows * later, rows * later.T, np.ascontiguousarray(rows.transpose(1, 2, 0))


# ------------------------------------------------------------------------------------- in common


def _pairs_of(table: EndsTable) -> tuple[Small, Ints, Ints, Ints, Ints32, Ints32]:
    """What every sum over pairs of sets looks up; the dealer's ways are times the up cards."""
    deck = np.array(DECK, dtype=np.int64)
    ways = table.ways * (deck - table.sets)[:, :, None]
    return sixes().sets, sixes().codes, deck, _binomials(), table.row, _limbs(ways)


def _limbs(ways: Ints) -> Ints32:
    """limbs[row, limb, place] of the dealer's ways."""
    flat = ways.reshape(len(ways), -1)
    return np.stack([flat & kernels.LOW, flat >> kernels.LIMB], axis=1).astype(np.int32)


@cache
def _binomials() -> Ints:
    """table[n, k] for the cards of a kind and at most six of them."""
    rows = [[comb(n, k) for k in range(SIX + 1)] for n in range(max(DECK) + 1)]
    return np.array(rows, dtype=np.int64)


def _war_halves(options: Options) -> Ints:
    """What War wins by comparison, in half units."""
    return np.array([int(HALVES * net_units(war(n, options))) for n in range(3)], dtype=np.int64)


def _by_kind(by_rank: Ints) -> Ints:
    """Columns of ranks added up to columns of kinds."""
    columns = [by_rank[:, np.equal(KIND_OF, kind)].sum(axis=1) for kind in range(KINDS)]
    return np.stack(columns, axis=1)


def _for_every_end(by_up: Ints) -> Ints:
    """[set, up, end] of what is given by [up, set] and does not hang on the dealer's end."""
    return np.repeat(by_up.T[:, :, None], len(ENDS), axis=2)


def _whole(limbs: Ints) -> npt.NDArray[np.object_]:
    """The sums that were kept in limbs, [set, limb, place], as whole numbers of any size."""
    parts = [limbs[:, n].astype(object) << kernels.LIMB * n for n in range(limbs.shape[1])]
    return np.asarray(sum(parts))


def _dot(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> int:
    """The sum of all products, exact."""
    return int(np.dot(left.ravel().astype(object), right.ravel().astype(object)))


def _in_threads(work: Callable[[int, int], None], size: int) -> None:
    """Do work(start, stop) for parts of so many cases; compiled loops run side by side."""
    with ThreadPoolExecutor() as pool:
        for done in [
            pool.submit(work, start, min(start + PART, size)) for start in range(0, size, PART)
        ]:
            done.result()


PART = 128
