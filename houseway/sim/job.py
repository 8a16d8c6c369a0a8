"""Job: what is simulated, as data that any worker can be given, and the dealing of its blocks."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from houseway.exact.kernels.tally import (
    add_products,
    count_judged,
    count_outcomes,
    count_table_nets,
    note_hits,
)
from houseway.exact.tabulate import Ints, Small
from houseway.games import game_of
from houseway.games.progressive import envy_cents
from houseway.games.registry import shown_options
from houseway.games.solvers import Showdown
from houseway.house.money import MeterLevel, MeterShare
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.sim.bonus import BonusTable
from houseway.sim.stream import Stream
from houseway.sim.table import NO_HANDS, Table, Tables, nets, priced
from houseway.sim.tally import Hits, Tally
from houseway.sim.three_card import ThreeCardTable
from houseway.sim.way import Way

BLOCK = 1 << 20
"""Rounds of a block: what one key of the generator deals."""
BATCH = 1 << 13
"""Rounds dealt before they are counted, so that what is dealt stays in the cache."""
DEALING = 1
"""The way cards are drawn from words; another way makes other rounds of the same seed."""
BINS = 401


@dataclass(frozen=True, slots=True)
class Row:
    """A bet under a paytable; the Ante's is that of its bonus."""

    bet: Bet
    paytable: PayTable | None

    def tables(self, others: Tables) -> Tables:
        """The paytables by which the row is priced."""
        if self.paytable is None:
            return others
        return {**others, self.paytable.bet: self.paytable}


@dataclass(frozen=True, kw_only=True)
class Job:
    """A game with its rules, seats, way of playing and seed. What it deals follows from it."""

    game: str
    options: Chosen
    tables: Tables
    """The paytable of every bet that has one, by which a seat is settled."""
    rows: tuple["Row", ...]
    """What is priced: every bet, perhaps under several paytables."""
    way: Way
    seats: int
    seed: int
    wagers: Mapping[Bet, int]
    """What each seat puts on each bet, in cents."""
    progressives: tuple[PayTable, ...] = ()
    meters: Mapping[MeterLevel, int] = field(default_factory=dict)
    """What stands on the meters at the beginning, in cents, where it is not the meter_seed."""

    def identity(self) -> dict[str, Any]:
        """What decides the totals, as plain data; two jobs with the same deal the same."""
        return {
            "dealing": DEALING,
            "game": self.game,
            "options": shown_options(self.game, self.options),
            "paytables": {bet: _identity(table) for bet, table in self.tables.items()},
            "rows": [[row.bet, _identity(row.paytable)] for row in self.rows],
            "meters": dict(self.meters),
            "progressives": [_identity(table) for table in self.progressives],
            "strategy": self.way.name,
            "decisions": self.way.digest,
            "seats": self.seats,
            "rng_seed": self.seed,
            "wagers": dict(self.wagers),
        }

    @cached_property
    def digest(self) -> str:
        """A digest of the identity."""
        return sha256(json.dumps(self.identity(), sort_keys=True).encode()).hexdigest()


def _identity(table: PayTable | None) -> list[Any]:
    if table is None:
        return []
    return [table.game, table.bet, table.code, [[h, str(o)] for h, o in sorted(table.pays.items())]]


class Layout:
    """A job laid out for dealing: its table, what its outcomes are worth, what is noted."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.table = _table(job)
        rows = [priced(self.table, row.bet, row.tables(job.tables)) for row in job.rows]
        self.units: Ints = np.ascontiguousarray(np.stack([row.units for row in rows], axis=1))
        """units[outcome, row], of which `per_unit` make a unit."""
        self.per_unit = tuple(row.per_unit for row in rows)
        staked = {bet: cents for bet, cents in job.wagers.items() if bet in self.table.bets}
        self.nets = nets(self.table, staked, job.tables, job.options)
        self.width, self.lowest = _bins(self.nets, job.seats)
        self.last = self.lowest + self.width * (BINS - 1)
        """Where the last bin begins, which holds all that lies above too."""
        self.noted = {community: _noted(job, community) for community in (False, True)}

    def deal(self, block: int, rounds: int) -> Tally:
        """Deal the first rounds of a block and add them up."""
        job, table = self.job, self.table
        link = self.noted[True].size > 0
        tally = Tally.empty(table.size, len(job.rows), BINS)
        outcomes = np.zeros((BATCH, job.seats), dtype=np.int32)
        judged = np.zeros((BATCH, job.seats), dtype=np.int8) if link else NO_HANDS
        stream = Stream(job.seed, block)
        done = 0
        while done < rounds:
            dealt = table.deal(stream, min(BATCH, rounds - done), outcomes, judged)
            if not dealt:
                stream.refill()
                continue
            count_outcomes(outcomes, dealt, tally.counts)
            if job.seats > 1:
                add_products(outcomes, dealt, self.units, tally.block_products)
                count_table_nets(outcomes, dealt, self.nets, self.width, self.lowest, tally.bins)
            for community, noted in self.noted.items():
                if noted.size:
                    hits = self._hits(outcomes, judged if community else NO_HANDS, dealt, noted)
                    hits[:, 0] += block * BLOCK + done
                    tally.hits[community].append(hits)
                    count_judged(
                        outcomes,
                        judged if community else NO_HANDS,
                        dealt,
                        table.hand_of,
                        table.folded,
                        tally.judged[community],
                    )
            done += dealt
        return tally.settled(rounds)

    def _hits(self, outcomes: Any, judged: Small, dealt: int, noted: Small) -> Hits:
        """Every hand of note in the rounds that were dealt."""
        size = 256
        while True:
            hits = np.zeros((size, 5), dtype=np.int64)
            found = note_hits(
                outcomes, judged, dealt, self.table.hand_of, self.table.folded, noted, 0, hits
            )
            if found <= size:
                return hits[:found].copy()
            size = found


def _table(job: Job) -> Table:
    game = game_of(job.game)
    if isinstance(game.solver, Showdown):
        return ThreeCardTable(game, job.options, job.way.decisions.astype(bool), job.seats)
    return BonusTable(job.options, job.way.decisions.astype(np.int8), job.seats)


def _bins(net: Ints, seats: int) -> tuple[int, int]:
    """The width of a bin of table results, and where the first begins.

    Widths are 1, 5, 10, 50 and so on: the bars of a histogram are 1, 2 or 5 times a power of ten
    wide, so that every bin lies within one of them.
    """
    usual = int(np.abs(net[net < 0]).max()) * seats if (net < 0).any() else 1
    least, width = -(-4 * usual // (BINS - 1)), 1
    while width < least:
        width *= 2 if str(width).startswith("5") else 5
    return width, -width * (BINS // 2)


def _noted(job: Job, community: bool) -> Small:
    """By hand 1 where a progressive pays it from a meter, or envy follows; empty without one."""
    tables = [table for table in job.progressives if table.community == community]
    if not tables:
        return np.zeros(0, dtype=np.int8)
    noted = np.zeros(max(tables[0].classes) + 1, dtype=np.int8)
    for table in tables:
        for hand in table.classes:
            share = isinstance(table.odds(hand), MeterShare)
            noted[hand] |= share or envy_cents(hand, table, 100) > 0
    return noted


_LAID_OUT: dict[str, Layout] = {}
MOST_KEPT = 8


def laid_out(job: Job) -> Layout:
    """The layout of a job, made once in each process that deals some of it."""
    if job.digest not in _LAID_OUT:
        while len(_LAID_OUT) >= MOST_KEPT:
            _LAID_OUT.pop(next(iter(_LAID_OUT)), None)
        _LAID_OUT[job.digest] = Layout(job)
    return _LAID_OUT[job.digest]


def deal_blocks(job: Job, first: int, blocks: int, last_rounds: int = BLOCK) -> Tally:
    """Deal some blocks, the last perhaps in part: what a worker is asked to do."""
    layout = laid_out(job)
    sizes = [BLOCK] * (blocks - 1) + [last_rounds]
    return Tally.together(layout.deal(first + n, rounds) for n, rounds in enumerate(sizes))


def tasks(rounds: int, from_block: int, blocks_each: int) -> Iterator[tuple[int, int, int]]:
    """What is left of a run, in pieces: first block, blocks, and rounds of the last of them."""
    end = -(-rounds // BLOCK)
    for first in range(from_block, end, blocks_each):
        blocks = min(blocks_each, end - first)
        last = rounds - (first + blocks - 1) * BLOCK
        yield first, blocks, min(BLOCK, last)
