"""Kernels: never stale, and the same with bounds checked and with the compiler off."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.exact import kernels
from houseway.exact.kernels import TAKEN_FROM, source_digest
from tests import ROOT

DEALT = """
import numpy as np
from houseway.games import GAMES
from houseway.exact.kernels import tally
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.sim.bonus import BonusTable
from houseway.sim.stream import Stream
from houseway.sim.table import NO_HANDS
from houseway.sim.three_card import ThreeCardTable
from tests.sim import dealt

rounds_dealt = []
options = BonusOptions()
tables = []
for game in GAMES[:3]:
    face_up = game.code == "three-card-poker-face-up"
    plays = dealt.whimsical_plays(face_up=face_up)
    tables += [(ThreeCardTable(game, options, plays, seats), 3 * seats + 5) for seats in (1, 7)]
stand = Options(dealer_soft_17="stand", dealer_natural="no_peek_all_bets")
for chosen in (options, stand):
    codes = dealt.whimsical_codes(chosen)
    tables += [(BonusTable(chosen, codes, seats), 52) for seats in (1, 4, 7)]
for table, width in tables:
    link = width < 52
    rounds = 60
    seen = dealt.deal(table, rounds, 9, cards=width, community=link)
    # Few words at a time, so that a block of them ends in the middle of a run of rounds.
    short, done = Stream(9, 0), 0
    outcomes = np.zeros((rounds, table.seats), dtype=np.int32)
    while done < rounds:
        more = table.deal(short, rounds - done, outcomes[done:])
        done += more
        if not more:
            words = np.random.Philox(key=np.array([done + 1, 7], dtype=np.uint64)).random_raw(90)
            short.words, short.at = words.astype("<u8").view("<u4"), 0
    counts = np.zeros(table.size, dtype=np.int64)
    tally.count_outcomes(seen.outcomes, rounds, counts)
    units = (np.arange(table.size * 3).reshape(-1, 3) * 7919) % 41 - 20
    products = np.zeros((3, 3), dtype=np.int64)
    tally.add_products(seen.outcomes, rounds, units, products)
    net = np.ascontiguousarray(units[:, 0])
    bins = np.zeros(9, dtype=np.int64)
    tally.count_table_nets(seen.outcomes, rounds, net, 5, -20, bins)
    noted = np.ones(11, dtype=np.int8)
    noted[0] = 0
    for judged in (NO_HANDS, seen.judged) if link else (NO_HANDS,):
        hits = np.zeros((20, 5), dtype=np.int64)
        many = tally.note_hits(
            seen.outcomes, judged, rounds, table.hand_of, table.folded, noted, 5, hits
        )
        by_hand = np.zeros((2, 11), dtype=np.int64)
        tally.count_judged(
            seen.outcomes, judged, rounds, table.hand_of, table.folded, by_hand
        )
        rounds_dealt += [many, hits.tolist(), by_hand.tolist()]
    rounds_dealt += [seen.outcomes.tolist(), seen.judged.tolist(), outcomes.tolist()]
    rounds_dealt += [products.tolist(), counts.nonzero()[0].tolist(), bins.tolist()]
    # What lies in the deck behind the cards of a round is nobody's.
    rounds_dealt.append(seen.cards[:, :12].tolist())
"""

SMALL = """
import json
import numpy as np
from tests import ROOT
from houseway.exact.blackjack import dealer_ends, hands_of
from houseway.games import GAMES
from houseway.exact.kernels import three_card as kernels
from houseway.exact.showdown_table import contest
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.exact.tabulate import category_by_ranks, category_by_suit, three_card_hands

hands, found = three_card_hands(), contest(GAMES[0], GAMES[0].options())
few = np.arange(0, 22100, 301)
small = [array[few] for array in (hands.masks, hands.triple, hands.suited, found.hand_class)]
own = np.arange(0, few.size, 9)
seats = np.zeros((own.size, 6, 11), dtype=np.int64)
kernels.count_seats(
    own, small[0], small[1], small[2], small[3], found.facts, category_by_ranks(),
    category_by_suit(), seats,
)
ups = np.zeros((own.size, 52, 6), dtype=np.int64)
kernels.count_up_cards(own, hands.cards[few], small[0], small[3], found.facts, ups)
ends = dealer_ends(hands_of(2)[:12], 5, BonusOptions())
from houseway.exact.kernels.optimum import binomials, find_representatives
changes = np.array([(0, 1, 2, 3), (0, 3, 2, 1), (0, 2, 1, 3)], dtype=np.int64)
least = np.zeros(1326, dtype=np.int32)
find_representatives(2, changes, binomials(), least)
from houseway.exact.bonus import hand_graph
from houseway.exact.kernels.bonus import follow_strategy
graph = hand_graph()
size = len(graph.nodes)
sets = np.array([[1, 1, 1, 1, 1, 1, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0, 1, 0, 0, 2]], dtype=np.int64)
choices = (np.arange(size * 10).reshape(size, 10) % 3).astype(np.int8)
won = (np.arange(size * 7).reshape(size, 7) % 5 - 2).astype(np.int8)
results = np.zeros((2, 10, 7, 11), dtype=np.int64)
follow_strategy(
    sets, 4, np.array([0, 0, 0, 0, 0, 0, 1], dtype=np.int8), graph.first_two, graph.after, choices,
    won, won, won[:4], np.zeros((2, 10, 7), dtype=np.int8), -4,
    np.array([720, 120, 24, 6, 2, 1, 1], dtype=np.int64), results,
)
from math import comb
from houseway.exact.card_sets import rank_sets
from houseway.exact.kernels import optimum
by_ranks, table, rng = rank_sets(), binomials(), np.random.default_rng(6)
many, rows = len(by_ranks.multisets), 3
listed = np.zeros(400, dtype=np.int32)
optimum.list_ranks(4, by_ranks.after, listed)
wins = rng.integers(0, 2, many).astype(np.int8)
suited = rng.integers(-1, 2, 1 << 4 * optimum.SUIT_BITS).astype(np.int8)
mask = rng.integers(0, rows, size).astype(np.int16)
ways = rng.integers(0, 1 << 40, (rows, many))
stops = {count: np.zeros((chosen, 2), dtype=np.int64) for count, chosen in ((2, 60), (4, 60))}
for count, left in ((2, 1), (4, 2)):
    optimum.sum_stops(
        count, left, 17, np.arange(60, dtype=np.int32), by_ranks.after, by_ranks.node, mask, wins,
        suited, ways, stops[count],
    )
split = np.zeros(2, dtype=np.int64)
kinds = (np.arange(13) % 10).astype(np.int16)
masks = rng.integers(0, rows, (10, 10)).astype(np.int16)
optimum.sum_split(
    50, 51, 1, 17, by_ranks.after, wins, suited, kinds, masks, ways, split
)
may = rng.integers(0, 2, (size, 4)).astype(np.int8)
may[:, 0] = 1
best = []
for count, is_last, chosen in ((2, False, 80), (5, True, 80)):
    above = (np.arange(comb(52, 3) if count == 2 else 1) % 50).astype(np.int32)
    decision, value = np.zeros(chosen, dtype=np.int8), np.zeros((chosen, 4), dtype=np.int64)
    cards, worth, margin = np.arange(count), np.zeros((4, 4), dtype=np.int64), np.full(1, 1e99)
    tables = [rng.integers(-99, 99, (size, 2)), rng.integers(-99, 99, (size, 2)),
              rng.integers(-99, 9, (4, many, 2))]
    sums = [rng.integers(0, 99, (n, width)) for n, width in ((chosen, 2), (50, 2), (50, 4),
                                                              (chosen, 4))]
    number = -1
    while (number := optimum.decide(
        number + 1, cards, count, is_last, 30, np.arange(chosen, dtype=np.int32), above, table,
        by_ranks.after, by_ranks.node, may, *tables, 24, 6, 0.25, 0.75, *sums, mask, ways, wins,
        suited, decision, value, margin, worth,
    )) < chosen:
        best += [number, worth.tolist(), cards.tolist()]
        optimum.advance(cards, count)
    margin = margin.tolist()
    reached = rng.integers(0, 9, chosen)
    reached[(value == 0).all(axis=1)] = 0
    beyond, ended = np.zeros(50, dtype=np.int64), np.zeros((4, many), dtype=np.int64)
    won = np.zeros(2, dtype=np.int64)
    optimum.go_forward(
        count, is_last, 30, np.arange(chosen, dtype=np.int32), above, table, by_ranks.after,
        by_ranks.node, may, reached, 24, 6, rng.integers(0, 99, (chosen, 2)),
        rng.integers(0, 99, (50, 2)), rng.integers(0, 99, (chosen, 2)), mask, ways, wins, suited,
        decision, beyond, ended, won,
    )
    best += [decision.tolist(), value.tolist(), margin, beyond.tolist(), won.tolist()]
    best += [array.tolist() for array in ended.nonzero()] + [ended.sum(axis=1).tolist()]
from houseway.exact.kernels import bonus_seats
from houseway.exact.kernels.blackjack import multiply_halves
def some(*shape, kind=np.int64):
    return (np.arange(np.prod(shape)) % 7 - 2).reshape(shape).astype(kind)
deck = np.array([4] * 9 + [16], dtype=np.int64)
pairs = (
    sets.astype(np.int8), np.array([0, 1], dtype=np.int64), deck,
    np.array([[comb(n, k) for k in range(7)] for n in range(17)], dtype=np.int64),
    np.array([0, 1, 2], dtype=np.int32), some(3, 2, 70, kind=np.int32) + np.int32(2),
)
beside = np.zeros((2, 2, 70), dtype=np.int64)
bonus_seats.sum_second_seat(0, 2, *pairs, some(2, 70, kind=np.int32), beside)
starts = np.array([0, 1, 3], dtype=np.int64)
splits = np.array([0, 1, 2], dtype=np.int64)
totals = np.zeros((2, 3, 4), dtype=np.int64)
bonus_seats.sum_kept_pairs(
    0, 2, *pairs, starts, splits, some(4, 3, 3), some(4, 3, 3) + 1, some(2, 3), some(2, 3) + 4,
    some(2, 3) - 1, starts, np.array([31, 62, 124], dtype=np.int64),
    np.array([64, 0, 4], dtype=np.int64), splits, some(2, 3), some(3, 3, 4),
    some(2, 70, kind=np.int32), some(2, 2, 7, kind=np.int32), some(3, 2, 7, kind=np.int32), totals,
)
halves = np.zeros((4, 7), dtype=np.int64)
multiply_halves(some(3, 5, 7), some(3, 5), splits[[0, 1, 2, 2]], splits[[2, 1, 0, 1]], halves)
print(json.dumps([
    listed[::7].tolist(), [array.tolist() for array in stops.values()], split.tolist(), best,
    beside.tolist(), totals.tolist(), halves.tolist(),
    seats.sum(axis=0).tolist(), ups.sum(axis=(0, 1)).tolist(), [list(v) for v in ends.values()],
    least[::7].tolist(), results.tolist(), rounds_dealt,
]))
"""
EVERY = DEALT + SMALL


def run(code: str, **environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def compiled() -> Any:
    return run(EVERY)


@pytest.mark.soak
def test_with_the_compiler_off_the_counts_are_the_same(compiled: Any) -> None:
    assert run(EVERY, NUMBA_DISABLE_JIT="1", HOUSEWAY_COUNT_ANEW="1") == compiled


@pytest.mark.soak
def test_with_bounds_checked_the_counts_are_the_same(compiled: Any, tmp_path: Path) -> None:
    """Compiled afresh, and then loaded from disk by a second process.

    A kernel that calls itself would be lost in the second: numba cannot load it from its cache.
    """
    for _ in range(2):
        assert run(EVERY, NUMBA_BOUNDSCHECK="1", HOUSEWAY_CACHE_DIR=str(tmp_path)) == compiled


def test_any_change_of_the_sources_gives_another_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel compiled from other sources is never loaded: its folder has another name."""
    copy = tmp_path / "copy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "houseway", copy / "houseway", ignore=ignore)

    monkeypatch.setattr(kernels, "__file__", str(copy / "houseway/exact/kernels/__init__.py"))
    # As a new process does, which has no digest yet.
    monkeypatch.setattr(kernels, "source_digest", source_digest.__wrapped__)
    folder = kernels.cache_folder
    first = folder()
    assert folder() == first
    assert first.name == source_digest()
    for changed in ("exact/tabulate.py", "exact/kernels/three_card.py", "cards/__init__.py"):
        with (copy / "houseway" / changed).open("a") as file:
            file.write("\n# changed\n")
        again = folder()
        assert again != first
        first = again
    with (copy / "houseway" / "games" / "blackjack.py").open("a") as file:
        file.write("\n# Rules come to a kernel as arrays.\n")
    assert folder() == first


def test_kernels_take_nothing_else_from_the_package() -> None:
    """Whatever a kernel imports is in the digest of its cache, or a stale kernel could be used."""
    taken = set()
    for path in (ROOT / "houseway" / "exact" / "kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("houseway."):
                module = str(node.module).removeprefix("houseway.")
                inside = module == "exact" and [name.name for name in node.names] == ["kernels"]
                taken.add("exact.kernels" if inside else module)
            assert not (isinstance(node, ast.Import) and "houseway" in node.names[0].name)
    taken = {name for name in taken if not name.startswith("exact.kernels")}
    assert taken == {*TAKEN_FROM}


WHERE = """
import json, numba
from houseway.exact import kernels
print(json.dumps(numba.config.CACHE_DIR))
"""


def test_kernels_are_kept_where_they_may_be(tmp_path: Path) -> None:
    kept = run(WHERE, HOUSEWAY_CACHE_DIR=str(tmp_path))
    assert kept.startswith(str(tmp_path))
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    for environment in (
        {"HOUSEWAY_NO_CACHE": "1", "HOUSEWAY_CACHE_DIR": str(tmp_path)},
        {"HOUSEWAY_CACHE_DIR": str(in_the_way)},
    ):
        assert not run(WHERE, **environment).startswith(str(tmp_path))
