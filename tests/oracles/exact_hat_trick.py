"""War, Blackjack and six-card Poker of Triple Shot Bonus together, followed forward as dealt.

The player's first card, the dealer's up card and the player's second card are gone through by rank;
then a given way of playing is followed, every card drawn by rank with as many ways as cards of that
rank are left, until the hand stops. What a stopped hand wins depends on how the dealer ends and on
nothing else that is still to come. Then come the cards that complete six and the dealer's draws.

Two theorems are used. Cards that nobody has seen are exchangeable, the hole card among them: so the
completing cards may be gone through before the dealer's, although at the table they come after, and
the dealer may be thought to go on drawing where no bet needs it. `in_dealt_order` has the true
order, for a test to compare. And when the ranks of all cards are given, every choice of suits for
the player's six is as likely as any other: so suits are counted by themselves, by trying them all.

All figures are whole numbers of ordered ways: 52 * 51 * ... * 46 for the six cards and the up card,
times 45 * 44 * ... * 37 for nine draws of the dealer, the most there can be. Clauses: TSB-06,
TSB-09..15, TSB-17, TSB-18, TSB-21..23; readings A-21, A-25, A-43, A-52.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from . import masks
from .three_cards import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Ints = npt.NDArray[np.int64]
Cards = tuple[int, ...]
"""Ranks as places in `RANKS`, lowest first: order does not matter where this is used."""
Counts = tuple[int, ...]
"""How many cards of each rank, or of each of ten kinds: Ace, 2 to 9, ten."""

ACE = RANKS.index("A")
KIND = tuple(0 if rank == ACE else min(rank + 1, 9) for rank in range(13))
ACE_KIND, TEN_KIND = 0, 9
FULL_DECK = (4,) * 9 + (16,)
DRAWS = 9
"""Draws of the dealer that are counted in every case, hole card included."""

ENDS = ("17", "18", "19", "20", "21", "bust", "natural")
BUST, NATURAL = 5, 6
LEAST, NETS = -4, 11
"""Blackjack nets in half units: from two units lost to three units won."""
CATEGORIES = (
    "high_card",
    "low_pair",
    "jacks_or_better",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)

Pays = tuple[int | None, ...]
"""Net in half units by the dealer's end; None where the hand cannot come to meet that end."""


@dataclass(frozen=True)
class Rules:
    """The house rules that matter here."""

    dealer_soft_17: str = "hit"
    dealer_natural: str = "peek"
    split_ace_ten: str = "twenty_one"


# ------------------------------------------------------------------------------------ Blackjack


def _total(kinds: Iterable[int]) -> tuple[int, bool]:
    """What cards count, and whether an Ace among them counts 11."""
    kinds = tuple(kinds)
    hard = sum(kind + 1 for kind in kinds)
    soft = ACE_KIND in kinds and hard <= 11
    return hard + 10 if soft else hard, soft


def _is_natural(kinds: Iterable[int]) -> bool:
    return sorted(kinds) == [ACE_KIND, TEN_KIND]


def _dealer_stops(kinds: Sequence[int], soft_17: str) -> bool:
    points, soft = _total(kinds)
    return points > 17 or (points == 17 and not (soft and soft_17 == "hit"))


def _end(kinds: Sequence[int]) -> int:
    """The place in `ENDS` of a dealer's finished hand."""
    if _is_natural(kinds):
        return NATURAL
    points, _ = _total(kinds)
    return BUST if points > 21 else points - 17


def _net(points: int, end: int, *, natural: bool = False, six: bool = False) -> int:
    """Half units that one unit on a hand of 21 or less wins; a dealer's natural takes the unit."""
    if end == NATURAL:
        return 0 if natural else -2
    if natural:
        return 3
    against = end + 17
    if six or end == BUST or points > against:
        return 2
    return 0 if points == against else -2


def _stood(kinds: Sequence[int]) -> Pays:
    """A hand that stands, has a natural, six cards, or is over 21."""
    points, _ = _total(kinds)
    if points > 21:
        return (-2,) * len(ENDS)
    natural, six = _is_natural(kinds), len(kinds) == 6
    return tuple(_net(points, end, natural=natural, six=six) for end in range(len(ENDS)))


def _doubled(kinds: Sequence[int], rules: Rules) -> Pays:
    """A doubled hand; a natural found late may take the first wager only."""
    points, _ = _total(kinds)
    if points > 21:
        return (-4,) * len(ENDS)
    pays = [2 * _net(points, end) for end in range(len(ENDS))]
    if rules.dealer_natural == "no_peek_original_bets":
        pays[NATURAL] = -2
    return tuple(pays)


def _split(first: int, second: int, rules: Rules) -> Pays:
    """Two split Aces, each with one card: the sum of both hands."""
    pays = [0] * len(ENDS)
    for number, kind in enumerate((first, second)):
        natural = kind == TEN_KIND and rules.split_ace_ten == "blackjack"
        points, _ = _total((ACE_KIND, kind))
        for end in range(len(ENDS)):
            net = _net(points, end, natural=natural)
            if number == 1 and net < 0 and end == NATURAL:
                # The second hand's wager came after the deal.
                net = 0 if rules.dealer_natural == "no_peek_original_bets" else net
            pays[end] += net
    return tuple(pays)


# -------------------------------------------------------------------------- the player's cards


class Stop(NamedTuple):
    """A hand that takes no more cards before Poker."""

    cards: Cards
    pays: Pays


def _plus(cards: Cards, rank: int) -> Cards:
    return tuple(sorted((*cards, rank)))


def _kinds(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(KIND[rank] for rank in cards)


def _counted(kinds: Iterable[int], size: int) -> Counts:
    times = Counter(kinds)
    return tuple(times[place] for place in range(size))


def _left(cards: Iterable[int], up: int) -> list[int]:
    """How many cards of each rank are unseen beside these and the up card."""
    return [4 - n for n in _counted((*cards, up), 13)]


def stopped_hands(
    up: int, firsts: Iterable[int], decide: Callable[[Counts, int], str], rules: Rules
) -> dict[Stop, Counter[int]]:
    """Every hand that stops against an up card: by the first card's rank, ways to it.

    The ways are of the player's cards and the up card in the order they are dealt.
    """
    stopped: dict[Stop, Counter[int]] = {}
    found_at_once = rules.dealer_natural == "peek" and KIND[up] in (ACE_KIND, TEN_KIND)

    def stop(cards: Cards, pays: Pays, ways: Counter[int]) -> None:
        if found_at_once:
            pays = (*pays[:NATURAL], None)
        stopped.setdefault(Stop(cards, pays), Counter()).update(ways)

    reached: dict[Cards, Counter[int]] = {}
    for first in firsts:
        ways_of_two = 4 * (4 - (first == up))
        for second, left in enumerate(_left((first,), up)):
            if left:
                two = _plus((first,), second)
                reached.setdefault(two, Counter())[first] += ways_of_two * left

    if found_at_once:
        # A natural that the dealer finds ends the hand at two cards, whatever they are.
        for two, ways in reached.items():
            only = (*(None,) * NATURAL, _stood(_kinds(two))[NATURAL])
            stopped[Stop(two, only)] = Counter(ways)

    while reached:
        drawn: dict[Cards, Counter[int]] = {}
        for cards, ways in reached.items():
            kinds = _kinds(cards)
            if _is_natural(kinds) or len(cards) == 6 or _total(kinds)[0] > 21:
                stop(cards, _stood(kinds), ways)
                continue
            decision = decide(_counted(kinds, 10), KIND[up])
            if decision == "stand":
                stop(cards, _stood(kinds), ways)
                continue
            for rank, left in enumerate(_left(cards, up)):
                if not left:
                    continue
                more = _plus(cards, rank)
                ways_then = _times(ways, left)
                if decision == "hit":
                    drawn.setdefault(more, Counter()).update(ways_then)
                elif decision == "double":
                    assert len(cards) == 2
                    stop(more, _doubled(_kinds(more), rules), ways_then)
                else:
                    assert decision == "split"
                    assert cards == (ACE, ACE)
                    for other, still in enumerate(_left(more, up)):
                        if still:
                            pays = _split(KIND[rank], KIND[other], rules)
                            stop(_plus(more, other), pays, _times(ways_then, still))
        reached = drawn
    return stopped


def _times(ways: Counter[int], factor: int) -> Counter[int]:
    return Counter({first: n * factor for first, n in ways.items()})


# -------------------------------------------------------------------------------- six cards


@dataclass(frozen=True, eq=False)
class Sixes:
    """Every multiset of six ranks that a deck holds, by its code in base five."""

    codes: Ints
    suits: Ints
    """Choices of suits."""
    categories: Ints
    """categories[six, category]: choices of suits that make it."""
    kinds: tuple[Counts, ...]
    by_kinds: Ints
    """For each six the place of its kinds in `kinds`."""


PLACE_VALUES = np.array([5**rank for rank in range(13)], dtype=np.int64)


def code_of(cards: Iterable[int]) -> int:
    """A number for a multiset of ranks; the codes of two multisets add to that of both."""
    return sum(5**rank for rank in cards)


@cache
def sixes() -> Sixes:
    """The multisets of six ranks with what their suits make."""
    found = sorted(
        (code_of(cards), cards)
        for cards in combinations_with_replacement(range(13), 6)
        if max(Counter(cards).values()) <= 4
    )
    places: dict[Counts, int] = {}
    by_kinds, suits, categories = [], [], []
    for _, cards in found:
        by_kinds.append(places.setdefault(_counted(_kinds(cards), 10), len(places)))
        made = categories_of(cards)
        suits.append(sum(made.values()))
        categories.append([made[name] for name in CATEGORIES])
    return Sixes(
        codes=np.array([code for code, _ in found], dtype=np.int64),
        suits=np.array(suits, dtype=np.int64),
        categories=np.array(categories, dtype=np.int64),
        kinds=tuple(places),
        by_kinds=np.array(by_kinds, dtype=np.int64),
    )


def all_suits(times: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every choice of suits for ranks that occur so often, as one text of suits for each rank."""
    choices = [["".join(c) for c in combinations(SUITS, n)] for n in times]
    yield from product(*choices)


@cache
def _suitings(times: tuple[int, ...]) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Choices of suits that no category can tell apart: an example of each sort and how many.

    A sort is which ranks are of a suit that holds five cards or more. Without such a suit there is
    no flush, and a category follows from the ranks.
    """
    sorts: dict[tuple[int, ...], list[tuple[str, ...]]] = {}
    for choice in all_suits(times):
        suited: tuple[int, ...] = ()
        for suit in SUITS:
            places = tuple(place for place, held in enumerate(choice) if suit in held)
            if len(places) >= 5:
                suited = places
        sorts.setdefault(suited, []).append(choice)
    return tuple((choices[0], len(choices)) for choices in sorts.values())


def categories_of(cards: Cards) -> Counter[str]:
    """In how many choices of suits six ranks make each category."""
    times = Counter(cards)
    ranks = sorted(times)
    made: Counter[str] = Counter()
    for example, ways in _suitings(tuple(times[rank] for rank in ranks)):
        clubs, diamonds, hearts, spades = (
            sum(1 << rank for rank, held in zip(ranks, example, strict=True) if suit in held)
            for suit in SUITS
        )
        made[masks.category((clubs, diamonds, hearts, spades))] += ways
    return made


@dataclass(frozen=True, eq=False)
class _Completions:
    """Every multiset of a number of ranks."""

    counts: Ints
    codes: Ints


@cache
def _completions(number: int) -> _Completions:
    rows = [_counted(c, 13) for c in combinations_with_replacement(range(13), number)]
    counts = np.array([row for row in rows if max(row) <= 4], dtype=np.int64)
    return _Completions(counts, counts @ PLACE_VALUES)


_CHOOSE = np.array([[comb(left, n) for n in range(5)] for left in range(5)], dtype=np.int64)


def completing_ways(cards: Cards, up: int) -> tuple[Ints, Ints]:
    """Codes of the sixes that a stopped hand may become, and the ordered ways to each."""
    number = 6 - len(cards)
    if number == 0:
        return np.array([code_of(cards)], dtype=np.int64), np.ones(1, dtype=np.int64)
    completions = _completions(number)
    left = np.array(_left(cards, up), dtype=np.int64)
    ways = factorial(number) * _CHOOSE[left, completions.counts].prod(axis=1)
    possible = ways > 0
    return completions.codes[possible] + code_of(cards), ways[possible]


# ------------------------------------------------------------------------------- the dealer


@cache
def dealer_ways(up: int, soft_17: str) -> Ints:
    """ways[kinds of the six, end]: nine draws from what the six and an up card of a kind leave.

    Every order of draws is followed card by card, for all sixes side by side.
    """
    left = np.array(FULL_DECK, dtype=np.int64)[:, None] - np.array(sixes().kinds).T
    left[up] = np.maximum(left[up] - 1, 0)
    ways = np.zeros((left.shape[1], len(ENDS)), dtype=np.int64)

    def draw(held: tuple[int, ...], so_far: Ints) -> None:
        drawn = len(held) - 1
        assert drawn <= DRAWS
        if drawn and _dealer_stops(held, soft_17):
            ways[:, _end(held)] += so_far * perm(45 - drawn, DRAWS - drawn)
            return
        for kind in range(10):
            still = so_far * left[kind]
            if still.any():
                # Where none was left, `still` is nothing already and stays so.
                left[kind] -= 1
                draw((*held, kind), still)
                left[kind] += 1

    draw((up,), np.ones(left.shape[1], dtype=np.int64))
    return ways


def in_dealt_order(cards: Cards, up: int, soft_17: str) -> Counter[tuple[int, int]]:
    """Ways by the dealer's end and the code of the six, the dealer's cards drawn first.

    The hole card and the draws are ranks from what is really there, then the completing cards.
    """
    found: Counter[tuple[int, int]] = Counter()
    number = 6 - len(cards)
    left = _left(cards, up)

    def complete(end: int, code: int, more: int, ways: int) -> None:
        if more == 0:
            found[end, code] += ways
            return
        for rank in range(13):
            if left[rank]:
                left[rank] -= 1
                complete(end, code + 5**rank, more - 1, ways * (left[rank] + 1))
                left[rank] += 1

    def draw(held: tuple[int, ...], ways: int) -> None:
        drawn = len(held) - 1
        if drawn and _dealer_stops(held, soft_17):
            unused = perm(sum(left) - number, DRAWS - drawn)
            complete(_end(held), code_of(cards), number, ways * unused)
            return
        for rank in range(13):
            if left[rank]:
                left[rank] -= 1
                draw((*held, KIND[rank]), ways * (left[rank] + 1))
                left[rank] += 1

    draw((KIND[up],), 1)
    return found


def in_changed_order(cards: Cards, up: int, soft_17: str) -> Counter[tuple[int, int]]:
    """The same ways with the completing cards first, as the whole sum takes them."""
    codes, ways = completing_ways(cards, up)
    ends = dealer_ways(KIND[up], soft_17)[sixes().by_kinds[_places(codes)]]
    return Counter(
        {
            (end, int(code)): int(n) * int(row[end])
            for code, n, row in zip(codes, ways, ends, strict=True)
            for end in range(len(ENDS))
            if row[end]
        }
    )


def _places(codes: Ints) -> Ints:
    places = np.searchsorted(sixes().codes, codes)
    assert (sixes().codes[places] == codes).all()
    return places


# ------------------------------------------------------------------------------ the whole sum

Cell = tuple[int, int, str]
"""War as 0 dealer higher, 1 tie, 2 player higher; Blackjack net in half units; Poker category."""


def compare_war(first: int, up: int, ace: str) -> int:
    """0 when the dealer's card is higher, 1 on a tie, 2 when the player's is (TSB-06, A-21)."""
    order = RANKS if ace == "high" else "A23456789TJQK"
    own, against = order.index(RANKS[first]), order.index(RANKS[up])
    return 1 + (own > against) - (own < against)


def joint_ways(
    decide: Callable[[Counts, int], str],
    rules: Rules,
    firsts: Sequence[int] = range(13),
    ups: Sequence[int] = range(13),
) -> dict[str, Counter[Cell]]:
    """Ways by War, Blackjack net and Poker category, for an Ace that is high and low in War.

    Only the rounds whose first card and up card are of the given ranks are counted.
    """
    relations = sorted({_relation(first, up) for first in firsts for up in ups})
    found = np.zeros((len(relations), NETS, len(sixes().codes)), dtype=np.uint64)
    # All ways to one six, its suits taken out, fit in 64 bits: nothing added up here can wrap.
    assert 720 * 46 * perm(45, DRAWS) < 1 << 64
    for up in ups:
        _against(up, firsts, decide, rules, relations, found)
    laws: dict[str, Counter[Cell]] = {"high": Counter(), "low": Counter()}
    for (high, low), by_net in zip(relations, _with_suits(found), strict=True):
        for net, by_category in enumerate(by_net):
            for name, ways in zip(CATEGORIES, by_category, strict=True):
                if ways:
                    laws["high"][high, net + LEAST, name] += ways
                    laws["low"][low, net + LEAST, name] += ways
    return laws


@cache
def _relation(first: int, up: int) -> tuple[int, int]:
    return compare_war(first, up, "high"), compare_war(first, up, "low")


def _against(
    up: int,
    firsts: Sequence[int],
    decide: Callable[[Counts, int], str],
    rules: Rules,
    relations: list[tuple[int, int]],
    found: npt.NDArray[np.uint64],
) -> None:
    """Adds found[relation, net, six] against one up card; choices of suits are divided out."""
    size = len(sixes().codes)
    reached: dict[Pays, Ints] = {}
    for stop, by_first in stopped_hands(up, firsts, decide, rules).items():
        codes, ways = completing_ways(stop.cards, up)
        places = _places(codes)
        if stop.pays not in reached:
            reached[stop.pays] = np.zeros((len(relations), size), dtype=np.int64)
        ways_to_stop: Counter[tuple[int, int]] = Counter()
        for first, n in by_first.items():
            ways_to_stop[_relation(first, up)] += n
        for relation, n in ways_to_stop.items():
            reached[stop.pays][relations.index(relation), places] += n * ways
    ends = dealer_ways(KIND[up], rules.dealer_soft_17)[sixes().by_kinds]
    for pays, to in reached.items():
        apart, rest = np.divmod(to, sixes().suits)
        assert not rest.any(), "ways to six cards are a multiple of their suits"
        for end, net in enumerate(pays):
            if net is not None:
                # At most 720 orders, 4 up cards and all draws: far from 63 bits.
                found[:, net - LEAST] += (apart * ends[:, end]).astype(np.uint64)


def _with_suits(found: npt.NDArray[np.uint64]) -> list[list[list[int]]]:
    """Ways by relation, net and category, in two halves of 32 bits that cannot overflow."""
    categories = sixes().categories
    assert int(categories.sum()) == comb(52, 6)
    assert comb(52, 6) << 32 < 1 << 63
    low = (found & np.uint64((1 << 32) - 1)).astype(np.int64) @ categories
    high = (found >> np.uint64(32)).astype(np.int64) @ categories
    return [
        [
            [int(a) + (int(b) << 32) for a, b in zip(*rows, strict=True)]
            for rows in zip(*pair, strict=True)
        ]
        for pair in zip(low, high, strict=True)
    ]


def all_ways() -> int:
    """What the ways of a whole law add to."""
    return perm(52, 7) * perm(45, DRAWS)


def ways_with(first: int, up: int) -> int:
    """What the ways with one rank of the first card and one of the up card add to."""
    return prod((4, 4 - (first == up), perm(50, 5), perm(45, DRAWS)))
