"""Domains: every hand of n cards up to a change of suits, with how many hands each stands for."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial


@cache
def masks_of(size: int) -> tuple[int, ...]:
    """Every set of that many ranks as a mask of 13 bits."""
    return tuple(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size))


Masks = tuple[int, int, int, int]
"""Cards as four rank masks, one a suit."""


def suit_sizes(cards: int) -> list[tuple[int, ...]]:
    """How many cards of each suit a hand may have, the longest suit first."""
    return [
        sizes
        for sizes in product(range(cards, -1, -1), repeat=4)
        if sum(sizes) == cards and list(sizes) == sorted(sizes, reverse=True)
    ]


def canonical_hands(cards: int) -> Iterator[tuple[Masks, int]]:
    """Every hand up to a change of suits, with how many hands it stands for."""
    for sizes in suit_sizes(cards):
        for masks in hands_with(sizes):
            weight = factorial(4)
            for mask in set(masks):
                weight //= factorial(masks.count(mask))
            yield masks, weight


def hands_with(sizes: tuple[int, ...]) -> Iterator[Masks]:
    """Every hand up to a change of suits that has so many cards of each suit."""
    groups = [(size, sizes.count(size)) for size in sorted(set(sizes), reverse=True)]
    choices = [combinations_with_replacement(masks_of(size), count) for size, count in groups]
    for chosen in product(*choices):
        first, second, third, fourth = (mask for group in chosen for mask in group)
        yield first, second, third, fourth


@cache
def ranks_in(mask: int) -> tuple[int, ...]:
    """The ranks of a mask."""
    return tuple(rank for rank in range(13) if mask >> rank & 1)


def cards_in(masks: tuple[int, int, int, int]) -> tuple[int, ...]:
    """The cards of four rank masks."""
    return tuple(rank * 4 + suit for suit, mask in enumerate(masks) for rank in ranks_in(mask))
