"""Seats of Triple Shot Bonus: what two of them share, counted in other ways and dealt at random."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, perm, sqrt

import numpy as np
import numpy.typing as npt
import pytest

from houseway import Refused, settle
from houseway.cards import DECK, rank_of
from houseway.cards.hands import FiveCard
from houseway.cli import main
from houseway.exact import bonus_seats
from houseway.exact.blackjack import DECK as KINDS_OF_DECK
from houseway.exact.blackjack import ENDS, KINDS, blackjack, dealer_ends
from houseway.exact.bonus import KIND_OF, Play, joint_law, war_stands
from houseway.exact.bonus_seats import (
    BETS,
    FIRST,
    ORDERS,
    PAIRS,
    TWO_SEATS,
    Terms,
    best_play,
    first_seat,
    products,
    seat_means,
    terms_of,
    whole_table,
)
from houseway.exact.dealer import code_of, ends_table
from houseway.exact.liability import bonus_liability
from houseway.exact.pairs import blackjack_beside, dealer_ways, pair_sums
from houseway.exact.sixes import Worth, flushes, sixes, worth_of
from houseway.exact.succession import hat_trick_row, poker_law, war_law, winning_categories
from houseway.exact.table import WholeTable
from houseway.games import blackjack as rules
from houseway.games.library import paytable_of
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.house.money import ToOne
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason
from tests.oracles import exact_hat_trick, two_seats
from tests.oracles.exact_hat_trick import CATEGORIES, Counts, Rules

GAME = "triple-shot-bonus"
DEFAULT = BonusOptions()
OTHER = BonusOptions(
    dealer_natural="no_peek_original_bets", split_ace_ten="blackjack", war_ace="low"
)
"""As many other conventions as the same dealer's hand allows."""
STAND = BonusOptions(dealer_soft_17="stand", dealer_natural="no_peek_all_bets")
default_at_once = pytest.mark.parametrize(
    "options",
    [pytest.param(DEFAULT, id="default"), pytest.param(OTHER, id="other", marks=pytest.mark.soak)],
)
SIGMAS = 4
PRIME = 2_147_483_629


@cache
def paytables() -> dict[Bet, PayTable]:
    return {
        "poker": paytable_of(GAME, "poker", "TSB-01"),
        "hat-trick": paytable_of(GAME, "hat-trick", "9"),
    }


def terms(options: BonusOptions) -> Terms:
    return terms_of(paytables()["poker"], options)


@cache
def table_of(options: BonusOptions) -> WholeTable:
    return whole_table(paytables(), options)


@cache
def play(options: BonusOptions) -> Play:
    return best_play(terms(options).options)


def rules_of(options: BonusOptions) -> Rules:
    return Rules(options.dealer_soft_17, options.dealer_natural, options.split_ace_ten)


def named(options: BonusOptions) -> str:
    return " ".join(
        (options.dealer_soft_17, options.war_ace, options.dealer_natural, options.split_ace_ten)
    )


@cache
def place_of(kinds: Counts) -> int:
    return int(np.flatnonzero((sixes().sets == np.array(kinds)).all(axis=1))[0])


def kinds_of(place: int) -> Counts:
    return tuple(int(count) for count in sixes().sets[place])


# ------------------------------------------------------------------------------- War and Poker


@pytest.mark.clause("TSB-06")
@pytest.mark.soak
@pytest.mark.parametrize("ace", ["high", "low"])
def test_two_wars_card_by_card(ace: str) -> None:
    """Every two first cards and up card, one by one; where the Ace ranks is all the same."""
    by_rank = war_halves(ace)
    total = sum(
        by_rank[one >> 2][up >> 2] * by_rank[two >> 2][up >> 2]
        for one, two, up in permutations(DECK, 3)
    )
    mean = Fraction(total, 4 * perm(52, 3))
    assert products(terms(DEFAULT))["war", "war"] == mean
    assert table_of(DEFAULT).between["war", "war"] == mean - Fraction(1, 34) ** 2


def war_halves(ace: str) -> list[list[int]]:
    """halves[first rank, up rank]: even money or a loss, and a tie costs half (TSB-06)."""
    won = [-2, -1, 2]
    return [
        [won[exact_hat_trick.compare_war(own, up, ace)] for up in range(13)] for own in range(13)
    ]


@pytest.mark.soak
def test_war_and_poker_by_ranks() -> None:
    """The War cards come first, and Poker is dealt from the fifty cards that they leave."""
    found = products(terms(DEFAULT))["war", "poker"]
    assert found == beside_poker(war_halves("high")) / 2


def beside_poker(by_rank: Sequence[Sequence[int]]) -> Fraction:
    """The mean of what a seat wins by its first card and the up card times another's Poker."""
    six = exact_hat_trick.sixes()
    left = 4 - (six.codes[:, None] // exact_hat_trick.PLACE_VALUES) % 5
    paid = six.categories @ np.array([POKER_HALVES[name] for name in CATEGORIES])
    total = Fraction(0)
    for own in range(13):
        for up in range(13):
            # Of so many choices of two cards of these ranks the six cards leave some.
            choices = 12 if own == up else 16
            apart = left[:, own] * (left[:, up] - (own == up))
            total += by_rank[own][up] * choices * Fraction(int(paid @ apart), choices)
    return total / (2 * perm(52, 2) * comb(50, 6))


POKER_HALVES = {
    "high_card": -2,
    "low_pair": -2,
    "jacks_or_better": 2,
    "two_pair": 3,
    "three_of_a_kind": 4,
    "straight": 8,
    "flush": 10,
    "full_house": 12,
    "four_of_a_kind": 40,
    "straight_flush": 100,
    "royal_flush": 1000,
}
"""The table TSB-01 in half units."""


def only(worth: Worth, *places: int) -> Worth:
    """What six cards are worth when all but those of some sets of kinds are worth nothing."""
    hands, found = (
        np.zeros(len(sixes().splits), np.int64),
        np.zeros(len(flushes().splits), np.int64),
    )
    for place in places:
        hands[sixes().starts[place] : sixes().starts[place + 1]] = 1
        found[flushes().starts[place] : flushes().starts[place + 1]] = 1
    return Worth(
        by_ranks=worth.by_ranks * hands,
        by_suits=worth.by_suits * hands,
        by_flush=worth.by_flush * hands,
        extra=worth.extra * found,
    )


#          A  2  3  4  5  6  7  8  9  T
LOW = (0, 1, 1, 1, 0, 1, 1, 0, 1, 0)
RUN = (0, 0, 1, 1, 1, 1, 1, 0, 1, 0)
ROYAL = (2, 0, 0, 0, 0, 0, 0, 0, 0, 4)
QUADS = (0, 4, 0, 0, 2, 0, 0, 0, 0, 0)
PAIR = (0, 2, 1, 0, 0, 0, 0, 0, 0, 3)
MIXED = (0, 0, 0, 2, 0, 1, 1, 0, 0, 2)
TWO_PAIR = (0, 2, 0, 2, 0, 0, 0, 0, 0, 2)


@pytest.mark.clause("TSB-18")
@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param(LOW, RUN, id="low", marks=pytest.mark.soak),
        pytest.param(ROYAL, ROYAL, id="royal", marks=pytest.mark.soak),
        pytest.param(QUADS, PAIR, id="quads"),
    ],
)
def test_two_pokers_of_every_two_hands(one: Counts, two: Counts) -> None:
    """All hands of cards with these kinds, judged one by one, and every two of them compared."""
    places = place_of(one), place_of(two)
    worth = only(worth_of(terms(DEFAULT).poker_keeps, terms(DEFAULT).poker_nets), *places)
    first = places[0]
    sums = pair_sums(worth, play(DEFAULT), dealer_ways(DEFAULT), "high", range(first, first + 1))
    expected = 0
    hands, bits = judged(one)
    for kinds in {one, two}:
        others, other_bits = judged(kinds)
        expected += int(two_seats.pairs_apart(bits, other_bits, hands, others)[0, 0])
    assert int(sums[2, first]) == expected


@cache
def judged(kinds: Counts) -> tuple[npt.NDArray[np.float64], two_seats.Hands]:
    """What Poker pays every hand of these kinds, in half units, and the hands as bits."""
    hands, bits = two_seats.hands_of_kinds(kinds)
    pays = [[POKER_HALVES[name]] for name in two_seats.categories(hands)]
    return np.array(pays, dtype=np.float64), bits


# -------------------------------------------------------------------------------- the Hat Trick


@pytest.mark.clause("TSB-21")
@pytest.mark.parametrize(
    ("options", "held"),
    [
        pytest.param(DEFAULT, TWO_PAIR, id="default"),
        pytest.param(DEFAULT, PAIR, id="default-pair", marks=pytest.mark.soak),
        pytest.param(OTHER, PAIR, id="other-pair", marks=pytest.mark.soak),
    ],
)
def test_two_hat_tricks_of_every_two_hands(options: BonusOptions, held: Counts) -> None:
    """Hands with suits, their tens by rank, and every up card that two of them leave."""
    first = place_of(held)
    worth = worth_of(terms(options).poker_keeps, terms(options).poker_nets)
    worth = only(worth, first, place_of(MIXED))
    sums = pair_sums(
        worth, play(options), dealer_ways(DEFAULT), options.war_ace, range(first, first + 1)
    )
    both, own = 0, 0
    for kinds in (held, MIXED):
        gone = tuple(a + b for a, b in zip(held, kinds, strict=True))
        ends = [dealer_ends((gone,), up, options).get(gone, ()) for up in range(KINDS)]
        keeps, pays = pairs_by_tens(held, kinds)
        for (tens, other_tens), pairs in keeps.items():
            for up in range(13):
                left = 4 - gone[KIND_OF[up]]
                if up >= 8:
                    left = 4 - tens.count(up) - other_tens.count(up)
                mine = leg_orders(held, tens, up, options)
                theirs = leg_orders(kinds, other_tens, up, options)
                for end, ways in enumerate(ends[KIND_OF[up]]):
                    both += pairs * left * mine[end] * theirs[end] * ways
                    own += pays[tens, other_tens] * left * mine[end] * ways
    assert [int(sums[n, first]) for n in (0, 1)] == [both, own]


Tens = tuple[int, ...]


@cache
def pairs_by_tens(held: Counts, kinds: Counts) -> tuple[dict[tuple[Tens, Tens], int], ...]:
    """Two hands of these kinds, by the ranks of their tens, with no card in common.

    First how often both keep the leg, then what the second is paid where the first keeps it.
    """
    found = []
    for of_kinds in (held, kinds):
        hands, bits = two_seats.hands_of_kinds(of_kinds)
        tens = [
            tuple(sorted(two_seats.rank(c) for c in h if two_seats.rank(c) in TENS)) for h in hands
        ]
        splits = sorted(set(tens))
        pays = np.array([POKER_HALVES[name] for name in two_seats.categories(hands)], np.float64)
        where = np.array([[split == own for split in splits] for own in tens], dtype=np.float64)
        found.append((splits, bits, where * (pays > 0)[:, None], where * pays[:, None]))
    (ones, bits, keeps, _), (twos, other_bits, other_keeps, other_pays) = found
    return tuple(
        {(one, two): int(sums[a, b]) for a, one in enumerate(ones) for b, two in enumerate(twos)}
        for worth in (other_keeps, other_pays)
        for sums in [two_seats.pairs_apart(bits, other_bits, keeps, worth)]
    )


TENS = range(8, 12)


@cache
def leg_orders(kinds: Counts, tens: Tens, up: int, options: BonusOptions) -> list[int]:
    """By end, orders of six cards in which neither War nor Blackjack is lost."""
    cards = [rank for rank in (12, *range(8)) for _ in range(kinds[KIND_OF[rank]])] + list(tens)
    assert len(cards) == 6
    kept = play(options).kept[KIND_OF[up], place_of(kinds)]
    orders = [0] * len(ENDS)
    for first in cards:
        if exact_hat_trick.compare_war(first, up, options.war_ace) > 0:
            for end, ways in enumerate(kept[KIND_OF[first]].tolist()):
                orders[end] += ways
    return orders


def sampled(count: int) -> list[int]:
    """Some sets of kinds, the same every time."""
    rng = np.random.default_rng(7)
    return sorted(rng.choice(len(sixes().sets), count, replace=False).tolist())


@pytest.mark.clause("TSB-01", "TSB-21")
@default_at_once
def test_a_second_seat_that_always_wins_one_unit_leaves_the_first_as_it_is(
    options: BonusOptions,
) -> None:
    """Sums over two seats are then what a seat is worth alone times all ways of the second."""
    asked = terms(options)
    worth = worth_of(asked.poker_keeps, [1] * len(FiveCard))
    own = first_seat(asked, play(options))["hat-trick"]
    for place in sampled(4):
        found = pair_sums(
            worth, play(options), dealer_ways(DEFAULT), options.war_ace, range(place, place + 1)
        )
        hands = int(sixes().categories[sixes().starts[place] : sixes().starts[place + 1]].sum())
        assert int(found[2, place]) == hands * comb(46, 6)
        kinds = kinds_of(place)
        alone = 0
        for up in range(KINDS):
            for ways in [dealer_ends((kinds,), up, options).get(kinds, ())]:
                alone += sum(int(x) * n for x, n in zip(own[place, up], ways, strict=bool(ways)))
        assert int(found[1, place]) * perm(45, 9) == alone * comb(45, 6) * perm(39, 9)


@pytest.mark.clause("TSB-07", "TSB-21")
@default_at_once
def test_a_hat_trick_that_hangs_on_war_alone(options: BonusOptions) -> None:
    """When Poker and Blackjack are never lost, two Hat Tricks are two Wars that are not lost."""
    always = replace(play(options), kept=np.full_like(play(options).kept, FIRST))
    worth = worth_of([1] * len(FiveCard), [1] * len(FiveCard))
    stands = war_stands(options.war_ace)
    six = sixes()
    for place in sampled(4):
        found = pair_sums(
            worth, always, dealer_ways(DEFAULT), options.war_ace, range(place, place + 1)
        )
        expected = 0
        for hand in range(six.starts[place], six.starts[place + 1]):
            ranks, suits = six.ranks[hand].tolist(), int(six.categories[hand].sum())
            for up in range(13):
                out = 4 - ranks[up]
                mine = sum(ranks[r] for r in range(13) if stands[r, up])
                theirs = sum(4 - ranks[r] - (r == up) for r in range(13) if stands[r, up])
                expected += suits * out * mine * theirs
        # The five other cards of the second seat, and the orders of both after their first cards.
        assert int(found[0, place]) == expected * comb(44, 5) * FIRST**2 * perm(39, 9)


@pytest.mark.clause("TSB-07")
@pytest.mark.soak
def test_war_beside_a_hat_trick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Falls back on three cards when War alone decides, and on one seat when War always pays."""
    asked = terms(DEFAULT)
    always = replace(play(DEFAULT), kept=np.full_like(play(DEFAULT).kept, FIRST))
    all_keep = replace(asked, poker_keeps=(True,) * len(FiveCard))
    found = bonus_seats._with_war(all_keep, always)["war", "hat-trick"]
    halves = war_halves("high")
    both = sum(
        (halves[one >> 2][up >> 2] > -2) * halves[two >> 2][up >> 2]
        for one, two, up in permutations(DECK, 3)
    )
    assert found == Fraction(both, 2 * perm(52, 3))
    monkeypatch.setattr(bonus_seats, "_war_halves", lambda _: np.array([2, 2, 2]))
    found = bonus_seats._with_war(asked, play(DEFAULT))["war", "hat-trick"]
    assert found == seat_means(paytables()["poker"], DEFAULT)[0][3]


# ------------------------------------------------------------------------------------ Blackjack


@cache
def beside(options: BonusOptions) -> npt.NDArray[np.object_]:
    return blackjack_beside(play(options), dealer_ways(options))


SLICES = [
    ((0, 1, 0, 1, 0, 1, 0, 1, 0, 2), 9),
    ((2, 0, 0, 0, 0, 1, 0, 0, 0, 3), 0),
    ((1, 1, 3, 0, 0, 0, 1, 0, 0, 0), 5),
]


@pytest.mark.clause("TSB-09", "TSB-10", "TSB-12")
@pytest.mark.parametrize(
    ("gone", "up"),
    [*(pytest.param(*slice_, marks=pytest.mark.soak) for slice_ in SLICES[:2]), SLICES[2]],
)
def test_blackjack_beside_a_given_seat_is_what_is_dealt(gone: Counts, up: int) -> None:
    """Card by card in the order of the table, from what six cards and the up card leave."""
    compare_second_seat(gone, up, DEFAULT)


def compare_second_seat(gone: Counts, up: int, options: BonusOptions) -> None:
    sums, whole = two_seats.second_seat(gone, up, blackjack(options).best, rules_of(options))
    found = beside(options)[place_of(gone), up].tolist()
    ways = comb(45, 6) * ORDERS * perm(39, 9)
    assert [Fraction(n, ways) for n in found] == [Fraction(n, whole) for n in sums]
    assert any(found)


@pytest.mark.clause("TSB-09")
@pytest.mark.parametrize("up", [pytest.param(8, marks=pytest.mark.soak), 9])
def test_two_blackjacks_by_inclusion_and_exclusion(up: int) -> None:
    compare_kind_pairs(up, DEFAULT)


def compare_kind_pairs(up: int, options: BonusOptions) -> None:
    """The dealer's cards first, then two hands apart: no table of ends and no pairs of sets."""
    six = sixes()
    worth = np.einsum("sf,sfe->se", six.sets.astype(np.int64), play(options).halves[up])
    by_kinds = {kinds_of(place): row for place, row in enumerate(worth.tolist())}
    other = two_seats.kind_pairs(by_kinds, up, options.dealer_soft_17, PRIME)
    own = first_seat(terms(options), play(options))["blackjack"]
    found = int((own[:, up].astype(object) * beside(options)[:, up]).sum())
    assert found % PRIME == other * KINDS_OF_DECK[up] % PRIME


@pytest.mark.clause("TSB-01", "TSB-09")
def test_two_seats_of_which_one_counts_alone() -> None:
    """A first seat that always wins a unit leaves the Blackjack of the second as it is."""
    weights = np.array([comb(4, n) for n in range(5)])
    six = sixes().sets.astype(np.int64)
    hands = weights[six[:, :9]].prod(axis=1) * np.array([comb(16, n) for n in six[:, 9]])
    ups = np.array(KINDS_OF_DECK) - six
    cases = (hands[:, None] * ups * ORDERS).astype(object)
    total = int((cases * beside(DEFAULT).sum(axis=2)).sum())
    assert Fraction(total, 2 * TWO_SEATS) == blackjack(DEFAULT).figures().law.mean
    assert int(hands.sum()) == comb(52, 6)
    assert perm(52, 12) * 40 * perm(39, 9) == TWO_SEATS


def test_the_dealers_ends_after_many_cards() -> None:
    """Two halves multiplied give what one list of the dealer's hands gives."""
    for options in (DEFAULT, STAND):
        table = ends_table(7, options)
        rng = np.random.default_rng(3)
        for up in (0, 1, 6, 9):
            held = np.flatnonzero(table.sets[:, up] < KINDS_OF_DECK[up])
            rows = rng.choice(held, 40)
            hands = [tuple(row) for row in table.sets[rows].tolist()]
            ends = dealer_ends(tuple(hands), up, options)
            assert table.ways[up, rows].tolist() == [list(ends[hand]) for hand in hands]
        assert (table.row[code_of(table.sets)] == np.arange(len(table.sets))).all()
        left = table.sets < np.array(KINDS_OF_DECK)
        assert (table.ways.sum(axis=2) == np.where(left.T, perm(44, 9), 0)).all()


# ------------------------------------------------------------------------------ dealt at random


def deal(rng: random.Random, seats: int, options: BonusOptions) -> npt.NDArray[np.float64]:
    """nets[seat, bet] of a round dealt in the order of the table and settled seat by seat."""
    deck = iter(rng.sample(DECK, 52))
    players = [[next(deck)] for _ in range(seats)]
    up = next(deck)
    for cards in players:
        cards.append(next(deck))
    hole = next(deck)
    total = rules.total_of((rank_of(up), rank_of(hole)))
    found = rules.dealer_peeks(rank_of(up), options) and rules.is_natural(total, 2)
    made = [([], False) if found else decide(cards, up, options, deck) for cards in players]
    draws: list[int] = []
    while any(needed for _, needed in made) and not rules.dealer_stops(total, options):
        draws.append(next(deck))
        total = rules.step(total, rank_of(draws[-1]))
    nets = np.zeros((seats, len(BETS)))
    for seat, (cards, (decisions, needed)) in enumerate(zip(players, made, strict=True)):
        more = [next(deck) for _ in range(6 - len(cards))]
        shown = [cards[0], up, cards[1], hole, *cards[2:], *(draws if needed else ()), *more]
        seen = settle(
            GAME, deck=shown, decisions=decisions, bets=dict.fromkeys(BETS, 200), options=options
        )
        for line in seen.lines:
            assert line.bet in BETS
            nets[seat, BETS.index(line.bet)] += line.net / 200
    return nets


def decide(
    cards: list[int], up: int, options: BonusOptions, deck: Iterator[int]
) -> tuple[list[str], bool]:
    """The decisions of a seat, and whether it needs the dealer's draws; adds what it draws."""
    made: list[str] = []
    hands = (rules.first_hand(rank_of(cards[0]), rank_of(cards[1])),)
    while rules.status(hands[0], options) is rules.Status.OPEN:
        kinds = [KIND_OF[rank_of(card)] for card in cards]
        counts = tuple(kinds.count(kind) for kind in range(KINDS))
        made.append(blackjack(options).best(counts, KIND_OF[rank_of(up)]))
        if made[-1] == "stand":
            hands = (rules.stand(hands[0]),)
        elif made[-1] == "split":
            cards += [next(deck), next(deck)]
            return made, rules.dealer_draws(
                rules.split_hands(rank_of(cards[2]), rank_of(cards[3])), options
            )
        else:
            cards.append(next(deck))
            take = rules.double if made[-1] == "double" else rules.hit
            hands = (take(hands[0], rank_of(cards[-1])),)
    return made, rules.dealer_draws(hands, options)


def compare_with_dealing(options: BonusOptions, rounds: int, rng_seed: int) -> None:
    """Fails when rounds of seven seats are far from the covariances, for any two bets."""
    rng = random.Random(rng_seed)
    means, _ = seat_means(paytables()["poker"], options)
    paid = [float(mean) for mean in means[:3]] + [10 * float(means[3]) - 1]
    products_dealt = np.zeros((rounds, len(BETS), len(BETS)))
    for number in range(rounds):
        nets = deal(rng, 7, options) - np.array(paid)
        total = nets.sum(axis=0)
        # Every two seats of the seven, in both orders.
        products_dealt[number] = (np.outer(total, total) - nets.T @ nets) / 42
    found = products_dealt.mean(axis=0)
    errors = products_dealt.std(axis=0) / sqrt(rounds)
    between = table_of(options).between
    for a, bet in enumerate(BETS):
        for b, other in enumerate(BETS):
            exact = float(between[bet, other])
            assert abs(found[a, b] - exact) < SIGMAS * errors[a, b], (bet, other)


# -------------------------------------------------------------------------------- whole tables


@pytest.mark.clause("TSB-26")
def test_a_bet_alone_varies_as_its_law_says() -> None:
    within = table_of(DEFAULT).within
    laws = [
        war_law(DEFAULT),
        blackjack(DEFAULT).figures().law,
        poker_law(paytables()["poker"]),
        hat_trick_row(paytables()["hat-trick"], paytables()["poker"], DEFAULT).law,
    ]
    assert [within[bet, bet] for bet in BETS] == [law.variance for law in laws]


def test_what_two_seats_share() -> None:
    """The dealer's cards move War and Blackjack of all seats; Poker shares nothing but the deck."""
    whole = table_of(DEFAULT)
    for bet in BETS:
        assert 0 < whole.between[bet, bet] < whole.within[bet, bet]
        for other in BETS:
            assert whole.between[bet, other] == whole.between[other, bet]
            assert whole.within[bet, other] == whole.within[other, bet]
    assert round(float(whole.between["war", "war"]), 6) == 0.332272
    assert round(float(whole.between["blackjack", "blackjack"]), 6) == 0.474364
    assert round(float(whole.between["hat-trick", "hat-trick"]), 6) == 0.637291
    assert abs(whole.between["poker", "poker"]) < Fraction(1, 200)
    assert whole.between["blackjack", "poker"] < 0
    three: dict[Bet, int] = {"war": 1, "blackjack": 1, "poker": 1}
    deviations = [round(whole.standard_deviation(seats, three), 4) for seats in range(1, 8)]
    assert deviations == [2.7771, 4.1714, 5.3911, 6.5348, 7.6366, 8.7125, 9.7711]


def test_the_payoff_of_the_hat_trick_scales_its_covariances() -> None:
    six = {**paytables(), "hat-trick": paytable_of(GAME, "hat-trick", "6")}
    nine, less = table_of(DEFAULT), whole_table(six, DEFAULT)
    for bet in BETS[:3]:
        assert less.between[bet, "hat-trick"] * 10 == nine.between[bet, "hat-trick"] * 7
    assert (
        less.between["hat-trick", "hat-trick"] * 100 == nine.between["hat-trick", "hat-trick"] * 49
    )


@pytest.mark.parametrize("options", [DEFAULT, BonusOptions(war_ace="low"), STAND], ids=named)
def test_the_most_a_deal_can_cost_is_reached(options: BonusOptions) -> None:
    wagers: dict[Bet, int] = {"war": 10, "blackjack": 25, "poker": 5, "hat-trick": 5}
    for seats in (1, 4, 7):
        found = bonus_liability(paytables(), options, seats, wagers)
        assert found.at_most == found.reached
        up, hole, *draws = found.dealer
        assert len({*found.dealer, *(c for hand in found.players for c in hand)}) == 4 + 6 * seats
        paid = 0
        for hand in found.players:
            deck = [hand[0], up, hand[1], hole, hand[2], *draws, *hand[3:]]
            bets: dict[str, int] = {bet: stake * 100 for bet, stake in wagers.items()}
            paid += settle(GAME, deck=deck, decisions=["double"], bets=bets, options=options).net
        assert paid == found.at_most * 100
    assert found.at_most == 4 * 5 * 500 + 3 * 5 * 50 + 7 * (10 + 2 * 25 + 9 * 5)


def test_split_aces_that_make_blackjacks_raise_what_a_deal_can_cost() -> None:
    options = BonusOptions(split_ace_ten="blackjack")
    for seats, more in ((1, 1), (7, 2)):
        plain, higher = (
            bonus_liability(paytables(), chosen, seats, {"blackjack": 1})
            for chosen in (DEFAULT, options)
        )
        assert higher.at_most == plain.at_most + more
        assert higher.reached == plain.reached == plain.at_most
    # Two Aces at one seat cost the table a royal flush, which is worth more than the split.
    wagers: dict[Bet, int] = {"blackjack": 1, "poker": 1}
    seven = bonus_liability(paytables(), options, 7, wagers)
    assert seven.at_most == bonus_liability(paytables(), DEFAULT, 7, wagers).at_most
    low = replace(options, war_ace="low")
    one: dict[Bet, int] = {"war": 1, "blackjack": 1}
    assert bonus_liability(paytables(), low, 1, one).at_most == 3


def test_a_pay_beyond_whole_numbers_is_refused() -> None:
    table = paytables()["poker"]
    large = {**table.pays, FiveCard.ROYAL_FLUSH: ToOne(20_000)}
    with pytest.raises(Refused) as refused:
        whole_table({**paytables(), "poker": replace(table, pays=large)}, DEFAULT)
    assert refused.value.reason is Reason.AMOUNT_TOO_LARGE


def test_a_whole_table_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    three = ["--bet", "war=10", "--bet", "blackjack=10", "--bet", "poker=10"]
    asked = ["par", GAME, "--paytable", "poker=TSB-01", "--seats", "7"]
    assert main([*asked, *three, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert table["wagers"] == {"war": "10", "blackjack": "10", "poker": "10"}
    assert round(table["standard_deviation"], 3) == 97.711
    whole = table_of(DEFAULT)
    for name, found in (("within", whole.within), ("between", whole.between)):
        shown = table[f"covariance_{name}"]
        assert {pair: Fraction(value) for pair, value in shown.items()} == {
            f"{bet},{other}": value for (bet, other), value in found.items()
        }
    wagers: dict[Bet, int] = {"war": 10, "blackjack": 10, "poker": 10}
    assert Fraction(table["variance"]) == whole.variance(7, wagers)
    assert Fraction(table["maximum_liability"]) == 10 * (4 * 500 + 3 * 50 + 7 * 3)
    band = table["confidence_bands"]["10000"]
    mean = float(Fraction(table["mean_win"]))
    assert band["low"] < mean < band["high"]
    assert main([*asked, "--bet", "hat-trick=5", *three]) == 0
    deviation = whole.standard_deviation(7, {**wagers, "hat-trick": 5})
    assert f"standard deviation: {deviation:.6g}" in capsys.readouterr().out
    assert main([*asked]) == 0
    assert "standard deviation: 9.77107" in capsys.readouterr().out
    joint = ["--strategy", "joint", "--bet", "hat-trick=5", *three, "--json"]
    assert main([*asked, *joint]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["reason"] == "bad_argument"


# ------------------------------------------------------------------------------------- long tests


@pytest.mark.soak
@pytest.mark.parametrize("options", [DEFAULT, OTHER, STAND], ids=named)
def test_two_blackjacks_of_every_up_card(options: BonusOptions) -> None:
    for up in range(KINDS):
        compare_kind_pairs(up, options)


@pytest.mark.soak
@pytest.mark.parametrize("options", [DEFAULT, OTHER, STAND], ids=named)
def test_blackjack_beside_many_seats_is_what_is_dealt(options: BonusOptions) -> None:
    for number, place in enumerate(sampled(30)):
        up = number % KINDS
        if sixes().sets[place, up] < KINDS_OF_DECK[up]:
            compare_second_seat(kinds_of(place), up, options)


@pytest.mark.soak
@pytest.mark.parametrize("options", [DEFAULT, OTHER, STAND], ids=named)
def test_a_second_seat_that_always_wins_leaves_every_bet_as_it_is(options: BonusOptions) -> None:
    one = replace(terms(options), poker_nets=(1,) * len(FiveCard), poker_scale=1)
    found = products(one)
    law = joint_law(options)
    won = law.probability(war=True, blackjack=True, poker=winning_categories(paytables()["poker"]))
    assert found["poker", "poker"] == 1
    assert found["war", "poker"] == Fraction(-1, 34)
    assert found["blackjack", "poker"] == blackjack(options).figures().law.mean
    assert found["hat-trick", "poker"] == won


@pytest.mark.soak
def test_hat_tricks_that_hang_on_war_alone() -> None:
    """All sets of kinds, against every two first cards and up card, and against Poker by ranks."""
    for ace in ("high", "low"):
        always = replace(play(DEFAULT), kept=np.full_like(play(DEFAULT).kept, FIRST))
        worth = worth_of([1] * len(FiveCard), terms(DEFAULT).poker_nets)
        hats, pays, _ = (
            int(n) for n in pair_sums(worth, always, dealer_ways(DEFAULT), ace).sum(axis=1)
        )
        stands = [[int(half > -2) for half in row] for row in war_halves(ace)]
        both = sum(
            stands[one >> 2][up >> 2] * stands[two >> 2][up >> 2]
            for one, two, up in permutations(DECK, 3)
        )
        assert Fraction(hats, TWO_SEATS) == Fraction(both, perm(52, 3))
        assert Fraction(ORDERS * pays, 2 * TWO_SEATS) == beside_poker(stands)


@pytest.mark.soak
def test_two_pokers_by_sets_of_shared_cards() -> None:
    """All 20,358,520 hands by their cards: for each set of cards the hands that hold it."""
    nets = np.array([POKER_HALVES[name] for name in CATEGORIES])
    total = two_seats.inclusion_and_exclusion(nets)
    assert products(terms(DEFAULT))["poker", "poker"] == Fraction(total, 4 * PAIRS)


@pytest.mark.clause("TSB-05", "TSB-08", "TSB-17")
@pytest.mark.soak
@pytest.mark.parametrize("options", [DEFAULT, OTHER, STAND], ids=named)
def test_covariances_agree_with_many_rounds_dealt_at_random(options: BonusOptions) -> None:
    compare_with_dealing(options, 20_000, 99)
