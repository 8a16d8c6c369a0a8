"""Rounds dealt through the live table agree with the exact edges: what pays people is counted."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from houseway.exact import par
from houseway.games import codes
from houseway.live.procedure import play_round
from houseway.live.record import Record
from houseway.live.shuffler import Shuffler
from houseway.practice.coach import optimal
from houseway.rules.ruleset import make_ruleset

ROWS = {"play": "ante", "ante-bonus": "ante"}
"""Lines that belong to the Ante's row of a par sheet."""
WAGER = 200
SEEDS: dict[str, int] = {code: seed for seed, code in enumerate(codes(), start=2023)}


def dealt(game: str, rounds: int, seed: int) -> dict[str, Fraction]:
    """The mean net per unit first wagered of each bet over so many rounds at one position."""
    ruleset = make_ruleset(game)
    bets = tuple((bet, WAGER) for bet in ruleset.game.wagers if bet != "progressive")
    shuffler, randomness, net = Shuffler(game=ruleset.game.code), Random(seed), Counter[str]()
    for _ in range(rounds):
        shuffler, shuffle = shuffler.shuffle(randomness)
        record = Record(ruleset, positions=1)
        play_round(record, shuffle, {1: bets}, optimal)
        for line in record.table.seat(1).lines:
            net[ROWS.get(line.bet, line.bet)] += line.net
    return {bet: Fraction(net[bet], WAGER * rounds) for bet, _ in bets}


def compare(game: str, rounds: int, seed: int) -> None:
    means = dealt(game, rounds, seed)
    codes: dict[str, str] = {b: t.code for b, t in make_ruleset(game).paytables.items()}
    codes["ante"] = codes.get("ante-bonus", "")
    rows = {row.bet: row for row in par(game).rows if row.paytable in (None, codes.get(row.bet))}
    assert set(means) <= set(rows)
    for bet, mean in means.items():
        error = sqrt(rows[bet].law.variance / rounds)
        z = float(mean + rows[bet].house_edge) / error
        assert abs(z) < 4, f"{bet} of {game}: {float(mean):+.5f}, {z:+.2f} standard errors off"


@pytest.mark.soak
@pytest.mark.parametrize("game", codes())
def test_twenty_thousand_dealt_rounds_agree_with_the_exact_edges(game: str) -> None:
    compare(game, 20_000, SEEDS[game])


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", codes())
def test_a_hundred_thousand_dealt_rounds_agree_with_the_exact_edges(game: str) -> None:
    compare(game, 100_000, SEEDS[game] + 100)
