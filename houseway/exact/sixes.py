"""Sixes: the six cards of a seat of Triple Shot Bonus, by kinds, by ranks and with a flush."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from houseway.exact.blackjack import KINDS, TEN_KIND
from houseway.exact.bonus import KIND_OF, SIX, six_card_sets
from houseway.exact.dealer import code_of
from houseway.exact.tabulate import Ints, Small, category_by_suit, category_of_ranks

TENS = tuple(rank for rank in range(13) if KIND_OF[rank] == TEN_KIND)


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


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What six cards are worth in several ways, each a row of every array."""

    by_ranks: Ints
    """by_ranks[way, hand]: without a flush, for one choice of suits."""
    by_suits: Ints
    """by_suits[way, hand]: summed over all choices of suits."""
    by_flush: Ints
    """by_flush[way, hand]: what of that sum is there because of flushes."""
    extra: Ints
    """extra[way, flush]: what the flush adds to one such hand."""


def worth_of(*ways: Sequence[int]) -> Worth:
    """What six cards are worth when a category is worth so much."""
    six, flush, worth = sixes(), flushes(), np.array(ways, dtype=np.int64)
    by_ranks, by_suits = worth.take(six.plain, axis=1), worth @ six.categories.T
    return Worth(
        by_ranks=by_ranks,
        by_suits=by_suits,
        by_flush=by_suits - by_ranks * six.categories.sum(axis=1),
        extra=worth.take(flush.category, axis=1) - worth.take(flush.plain, axis=1),
    )
