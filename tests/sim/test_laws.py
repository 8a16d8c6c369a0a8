"""What is dealt against what is counted: outcomes, means and covariances of every game."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import chi2, chisquare

from houseway.exact.bonus import joint_law
from houseway.exact.bonus_seats import whole_table as bonus_whole_table
from houseway.exact.kernels.deal import draw_four, draw_three
from houseway.exact.table import Covariance
from houseway.exact.tabulate import three_card_hands
from houseway.exact.three_card_seats import for_every_hand, seat_prices
from houseway.exact.three_card_seats import whole_table as three_card_whole_table
from houseway.games import game_of
from houseway.games.base import FACTS_END
from houseway.sim.bonus import BonusTable
from houseway.sim.job import Layout, laid_out
from houseway.sim.plan import make_job
from houseway.sim.result import exact_laws, spread
from houseway.sim.run import new_run
from houseway.sim.table import CATEGORIES
from houseway.sim.three_card import ThreeCardTable
from tests.sim import dealt

THREE_CARD = ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy")
BONUS = "triple-shot-bonus"
SMALLEST = 1e-4
"""Seeds are fixed, so a test that passes goes on passing; a wrong law is far below this."""
FEW = 8.0
"""Cells that expect fewer are put together."""
Floats = npt.NDArray[np.float64]


def p_value(seen: Any, expected: Any) -> float:
    """How likely counts at least as far from what is expected are."""
    seen, expected = np.asarray(seen, dtype=float), np.asarray(expected, dtype=float)
    assert not seen[expected == 0].any(), "something was dealt that cannot be"
    many = expected >= FEW
    seen = np.append(seen[many], seen[~many].sum())
    expected = np.append(expected[many], expected[~many].sum())
    if expected[-1] < FEW:
        seen[-2:], expected[-2:] = [seen[-2:].sum(), 0], [expected[-2:].sum(), 0]
        seen, expected = seen[:-1], expected[:-1]
    return float(chisquare(seen, expected * seen.sum() / expected.sum()).pvalue)


# ----------------------------------------------------------------------------------- three cards


def three_card_counts(game: str, strategy: str) -> npt.NDArray[np.int64]:
    """counts[decision, facts, three-card category, six-card category] over all deals."""
    found = game_of(game)
    job = make_job(game, strategy=strategy)
    plays = job.way.decisions.astype(bool)
    prices = seat_prices(found, job.tables, job.options)
    prices = replace(prices, plays=plays, decisions=for_every_hand(plays))
    hands = three_card_hands()
    counts = np.zeros((7, 2, FACTS_END, CATEGORIES), dtype=np.int64)
    np.add.at(counts, hands.category[hands.canonical], prices.joint_counts())
    return counts.transpose(1, 2, 0, 3)


def three_card_seen(table: ThreeCardTable, outcomes: Any) -> npt.NDArray[np.int64]:
    """The same of outcomes that were dealt."""
    shape = (2, FACTS_END, len(table.kinds), CATEGORIES)
    by_kind = np.bincount(outcomes, minlength=table.size).reshape(shape)
    seen = np.zeros((7, 2, FACTS_END, CATEGORIES), dtype=np.int64)
    np.add.at(seen, [kind.category for kind in table.kinds], by_kind.transpose(2, 0, 1, 3))
    return seen.transpose(1, 2, 0, 3)


@pytest.mark.parametrize("strategy", ["optimal", pytest.param("simple", marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", THREE_CARD)
def test_three_card_outcomes_are_as_frequent_as_they_are_counted(game: str, strategy: str) -> None:
    """Every seat of a full table by itself: none is dealt better than another."""
    job = make_job(game, strategy=strategy, seats=7)
    table = laid_out(job).table
    assert isinstance(table, ThreeCardTable)
    found = dealt.deal(table, 250_000, 2, cards=1)
    expected = three_card_counts(game, strategy)
    for seat in (0, 3, 6):
        seen = three_card_seen(table, found.outcomes[:, seat])
        assert p_value(seen.ravel(), expected.ravel()) > SMALLEST, seat
        shares = expected / expected.sum() * seen.sum()
        assert p_value(seen.sum(axis=(0, 1, 3)), shares.sum(axis=(0, 1, 3))) > SMALLEST


@pytest.mark.parametrize(("cards", "first"), [(3, 0), (3, 21), (3, 49), (4, 0), (4, 16), (4, 48)])
def test_as_many_words_draw_one_deal_as_another(cards: int, first: int) -> None:
    """Words that draw the same cards follow one another; where there is one more, it is not taken.

    So every deal is drawn by as many words, to the last of all 4,294,967,296.
    """
    draw: Any = {3: draw_three, 4: draw_four}[cards]
    left = range(52 - first, 52 - first - cards, -1)
    ways, words = prod(left), 1 << 32
    rng = random.Random(f"{cards} cards from {first} on")
    taken: Counter[int] = Counter()

    def drawn(word: int) -> tuple[int, list[int]]:
        deck = np.arange(52, dtype=np.uint8)
        given = np.array([word, words - 1], dtype=np.uint32)
        at = draw.py_func(given, np.uint64(0), deck, np.uint64(first))
        return int(at if cards == 4 else at[0]), deck[first : first + cards].tolist()

    for deal in {0, ways - 1, *(rng.randrange(ways) for _ in range(600))}:
        begin, end = -(-deal * words // ways), -(-(deal + 1) * words // ways)
        begins = [begin, begin + 1] if end - begin > words // ways else [begin]
        taken[len(begins)] += 1
        if len(begins) == 2:
            assert drawn(begin)[0] == 2, "a word too many is taken"
        rest = deal
        places: list[int] = []
        for size in reversed(left):
            rest, place = divmod(rest, size)
            places.insert(0, place)
        deck = list(range(52))
        for n, place in enumerate(places, start=first):
            deck[n], deck[n + place] = deck[n + place], deck[n]
        for word in (begins[-1], end - 1):
            assert drawn(word) == (1, deck[first : first + cards])
    assert set(taken) == {1, 2}


def test_every_card_comes_to_every_place_as_often() -> None:
    """Two cards that follow one another in the deal, and each place by itself."""
    rounds = 400_000
    table = laid_out(make_job("three-card-poker", strategy="simple", seats=7)).table
    found = dealt.deal(table, rounds, 11, cards=26, community=True).cards.astype(np.int64)
    for place in range(26):
        assert p_value(np.bincount(found[:, place]), np.full(52, rounds / 52)) > SMALLEST, place
    for place in range(25):
        two = np.bincount(found[:, place] * 52 + found[:, place + 1], minlength=52 * 52)
        expected = np.full((52, 52), rounds / (52 * 51))
        np.fill_diagonal(expected, 0)
        assert p_value(two, expected.ravel()) > SMALLEST, place
    # From one round to the next nothing is kept, though the deck lies as the last one left it.
    again = np.bincount(found[:-1, 0] * 52 + found[1:, 0], minlength=52 * 52)
    assert p_value(again, np.full(52 * 52, (rounds - 1) / 52**2)) > SMALLEST


def test_every_card_of_triple_shot_bonus_comes_to_every_place_as_often() -> None:
    rounds = 300_000
    table = laid_out(make_job(BONUS, strategy="simple", seats=7)).table
    found = dealt.deal(table, rounds, 12, cards=44).cards.astype(np.int64)
    for place in range(44):
        assert p_value(np.bincount(found[:, place]), np.full(52, rounds / 52)) > SMALLEST, place
    for place in (3, 14, 15, 16, 31, 42):
        two = np.bincount(found[:, place] * 52 + found[:, place + 1], minlength=52 * 52)
        expected = np.full((52, 52), rounds / (52 * 51))
        np.fill_diagonal(expected, 0)
        assert p_value(two, expected.ravel()) > SMALLEST, place


# ------------------------------------------------------------------------------------- the bonus


@cache
def bonus_counts(strategy: str) -> npt.NDArray[Any]:
    """Probabilities by [war, blackjack, poker category], as the outcomes are numbered."""
    job = make_job(BONUS, strategy=strategy)
    law = joint_law(job.options, None if strategy == "optimal" else job.way.decide)
    assert law.least == laid_out(job).table.least  # type: ignore[attr-defined]
    counts = np.array(law.counts, dtype=object)
    return (counts / law.total).astype(np.float64)


def test_bonus_outcomes_are_as_frequent_as_they_are_counted() -> None:
    compare_bonus_outcomes("optimal")


def compare_bonus_outcomes(strategy: str) -> None:
    rounds = 250_000
    table = laid_out(make_job(BONUS, strategy=strategy, seats=7)).table
    assert isinstance(table, BonusTable)
    found = dealt.deal(table, rounds, 5, cards=1)
    expected = bonus_counts(strategy).ravel() * rounds
    assert expected.size == table.size
    for seat in (0, 6):
        seen = np.bincount(found.outcomes[:, seat], minlength=table.size)
        assert p_value(seen, expected) > SMALLEST, seat


# ---------------------------------------------------------------------------- means, covariances


@pytest.mark.parametrize(
    ("game", "strategy"),
    [
        *((game, strategy) for game in THREE_CARD for strategy in ("optimal", "simple")),
        (BONUS, "optimal"),
    ],
)
def test_means_come_to_the_exact_values(game: str, strategy: str) -> None:
    compare_means(game, strategy)


def compare_means(game: str, strategy: str) -> None:
    """All bets together, as one chi-square of what their means are off."""
    job = make_job(game, strategy=strategy, seats=3, seed=20)
    run = new_run(job, 1 << 18)
    run.take(laid_out(job).deal(0, 1 << 18))
    means, errors, covariance, between = spread(run)
    assert between is not None
    exact = np.array([float(law.mean) for law in exact_laws(job)])
    of_means = (covariance + 2 * between) / (3 * run.done)
    assert np.allclose(np.sqrt(of_means.diagonal()), errors)
    off = np.array(means) - exact
    statistic = float(off @ np.linalg.solve(of_means, off))
    assert chi2.sf(statistic, len(exact)) > SMALLEST


def covariances_dealt(game: str, blocks: int, rounds: int) -> tuple[Floats, Floats]:
    """[block, kind, bet, other]: covariances of a seat and between seats, block by block."""
    job = make_job(game, seats=4, seed=8)
    found = []
    for block in range(blocks):
        run = new_run(job, rounds)
        run.take(laid_out(job).deal(block, rounds))
        _, _, within, between = spread(run)
        assert between is not None
        found.append(np.stack([within, between]))
    every = np.array(found)
    return every.mean(axis=0), every.std(axis=0, ddof=1) / sqrt(blocks)


def compare_covariances(
    game: str, within: Covariance, between: Covariance, blocks: int, rounds: int
) -> None:
    job = make_job(game, seats=4)
    bets = [row.bet for row in job.rows]
    means, errors = covariances_dealt(game, blocks, rounds)
    for a, bet in enumerate(bets):
        for b, other in enumerate(bets):
            for kind, exact in enumerate((within, between)):
                off = means[kind, a, b] - float(exact[bet, other])
                assert abs(off) < 5 * errors[kind, a, b], (kind, bet, other)


@pytest.mark.parametrize(
    "game", ["three-card-poker", pytest.param("triple-shot-rummy", marks=pytest.mark.soak)]
)
def test_covariances_of_three_card_tables_are_those_that_are_counted(game: str) -> None:
    compare_three_card_covariances(game)


def compare_three_card_covariances(game: str) -> None:
    found = game_of(game)
    job = make_job(game)
    whole = three_card_whole_table(found, job.tables, job.options)
    compare_covariances(game, whole.within, whole.between, 20, 1 << 16)


def test_covariances_of_a_bonus_seat_are_those_of_the_joint_law() -> None:
    """From the probabilities of all outcomes, each worth what the rules pay for it."""
    job = make_job(BONUS)
    layout = Layout(job)
    chances = bonus_counts("optimal").ravel()
    worth = layout.units / np.array(layout.per_unit)
    mean = chances @ worth
    exact = (worth * chances[:, None]).T @ worth - np.outer(mean, mean)
    means, errors = covariances_dealt(BONUS, 20, 1 << 15)
    assert (np.abs(means[0] - exact) < 5 * errors[0]).all()
    laws = [law.variance for law in exact_laws(job)]
    assert np.allclose(exact.diagonal(), [float(variance) for variance in laws])
    assert all(isinstance(variance, Fraction) for variance in laws)


# ----------------------------------------------------------------------------------- long tests


@pytest.mark.soak
@pytest.mark.parametrize("strategy", ["printed", "simple"])
def test_other_ways_to_play_blackjack_come_to_what_is_counted(strategy: str) -> None:
    compare_means(BONUS, strategy)
    compare_bonus_outcomes(strategy)


@pytest.mark.soak
def test_covariances_of_face_up_tables_are_those_that_are_counted() -> None:
    compare_three_card_covariances("three-card-poker-face-up")


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_covariances_of_bonus_tables_are_those_that_are_counted() -> None:
    job = make_job(BONUS)
    whole = bonus_whole_table(job.tables, job.options)
    compare_covariances(BONUS, whole.within, whole.between, 40, 1 << 18)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", [*THREE_CARD, BONUS])
def test_many_outcomes_are_as_frequent_as_they_are_counted(game: str) -> None:
    """A hundred million rounds of one seat: cells that are hit once in ten million count too."""
    job = make_job(game, seed=31)
    table = laid_out(job).table
    counts = sum(laid_out(job).deal(block, 1 << 20).counts for block in range(100))
    if isinstance(table, ThreeCardTable):
        shape = (2, FACTS_END, len(table.kinds), CATEGORIES)
        seen = np.zeros((7, 2, FACTS_END, CATEGORIES), dtype=np.int64)
        places = [kind.category for kind in table.kinds]
        np.add.at(seen, places, np.asarray(counts).reshape(shape).transpose(2, 0, 1, 3))
        expected = three_card_counts(game, "optimal")
        chances = (expected / expected.sum()).transpose(2, 0, 1, 3)
        assert p_value(seen.ravel(), chances.ravel() * (100 << 20)) > SMALLEST
    else:
        chances = bonus_counts("optimal").ravel()
        assert p_value(counts, chances * (100 << 20)) > SMALLEST
