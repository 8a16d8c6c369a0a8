"""The three-card games, laid out for dealing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from houseway.exact.kernels.deal import (
    KIND,
    PLAYED,
    QUALIFIES,
    Bytes,
    Packed,
    deal_three_card,
)
from houseway.exact.showdown_table import Contest, contest
from houseway.exact.tabulate import (
    Ints,
    Masks,
    Small,
    category_by_suit,
    category_of_ranks,
    three_card_hands,
)
from houseway.exact.three_card import Plays
from houseway.exact.three_card_seats import for_every_hand
from houseway.games.base import ALL_FACTS, FACTS_END
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.house.options import Options
from houseway.names import Bet
from houseway.rules.wagers import choose_paytables
from houseway.sim.table import (
    CATEGORIES,
    Part,
    Table,
    Tables,
    flat_categories,
    hand_places,
    packed_ranks,
)

BETS: tuple[Bet, ...] = ("ante", "pair-plus", "six-card-bonus")


@dataclass(frozen=True, slots=True)
class Kind:
    """What the bets of a seat look at in its own hand."""

    value: int
    """What one hand of the kind is worth in the contest; the others are settled like it."""
    category: int
    progressive: int


class ThreeCardTable(Table):
    """A three-card game with so many seats, each played in the same way."""

    bets = BETS

    def __init__(self, game: Game, options: Options, plays: Plays, seats: int) -> None:
        self.game = game
        self.options = options
        self.seats = seats
        self.kinds, kind_of = _kinds(game, options)
        self.size = 2 * FACTS_END * len(self.kinds) * CATEGORIES
        by_kind = np.array([kind.progressive for kind in self.kinds], dtype=np.int8)
        self.hand_of: Small = np.tile(np.repeat(by_kind, CATEGORIES), 2 * FACTS_END)
        self.folded: Small = (np.arange(self.size) < self.size // 2).astype(np.int8)
        decisions = for_every_hand(plays)
        self._kernel = deal_three_card
        self._reads = (
            hand_places(),
            _packed(contest(game, options), kind_of, decisions),
            _shown(decisions) if plays.ndim == 2 else np.zeros(0, dtype=np.uint64),
            len(self.kinds),
            CATEGORIES,
            flat_categories(),
            category_by_suit(),
            two_ranks(),
            five_by_ranks(),
        )

    def parts(self, bet: Bet, tables: Tables) -> Sequence[Sequence[Part]]:
        """By outcome what becomes of a bet and of the wagers that follow from it."""
        made: dict[Bet, Callable[[bool, int, Kind, int, Tables], tuple[Part, ...]]] = {
            "ante": self._ante,
            "pair-plus": self._pair_plus,
            "six-card-bonus": self._six_card_bonus,
        }
        cases = product((False, True), range(FACTS_END), self.kinds, range(CATEGORIES))
        return [made[bet](*case, tables) for case in cases]

    def _ante(
        self, played: bool, facts: int, kind: Kind, _category: int, tables: Tables
    ) -> tuple[Part, ...]:
        if not played:
            return (contest_of(self.game).folded(),)
        return _played(self.game, self.options, facts, kind, tables)

    def _pair_plus(
        self, played: bool, _facts: int, kind: Kind, _category: int, tables: Tables
    ) -> tuple[Part, ...]:
        bet, paytable = self.game.side("pair-plus"), tables["pair-plus"]
        lost = None if played else bet.folded(paytable, self.options)
        return (lost or bet.rule(kind.category, paytable, self.options),)

    def _six_card_bonus(
        self, _played: bool, _facts: int, _kind: Kind, category: int, tables: Tables
    ) -> tuple[Part, ...]:
        bet = self.game.side("six-card-bonus")
        return (bet.rule(category, tables["six-card-bonus"], self.options),)


def _played(
    game: Game, options: Options, facts: int, kind: Kind, tables: Tables
) -> tuple[Part, ...]:
    """The verdicts on a hand that was played; nothing where such facts cannot be."""
    try:
        verdicts = contest_of(game).played(
            ALL_FACTS[facts], kind.value, kind.category, tables, options
        )
    except ValueError:
        # No dealer that plays is above a score of 20, so such a win is never paid (TSR-12).
        return ()
    return tuple(verdict for _, verdict in verdicts)


@cache
def _kinds(game: Game, options: Options) -> tuple[tuple[Kind, ...], Ints]:
    """The kinds of hands, and the kind of each hand.

    Hands of a kind are of one category and settled alike, whatever an Ante Bonus pays.
    """
    hands, found = three_card_hands(), contest(game, options)
    tables = choose_paytables(game, [])
    alike: dict[tuple[object, ...], int] = {}
    settled: dict[tuple[int, int], int] = {}
    kinds: dict[tuple[int, int, int], int] = {}
    named: list[Kind] = []
    kind_of = np.zeros(len(hands.cards), dtype=np.int64)
    seen = zip(
        found.values.tolist(), hands.category.tolist(), hands.progressive.tolist(), strict=True
    )
    for number, (value, category, progressive) in enumerate(seen):
        kind = Kind(value, category, progressive)
        if (value, category) not in settled:
            verdicts = tuple(
                _played(game, options, facts, kind, tables) for facts in range(FACTS_END)
            )
            settled[value, category] = alike.setdefault(verdicts, len(alike))
        key = (settled[value, category], category, progressive)
        if key not in kinds:
            kinds[key] = len(named)
            named.append(kind)
        kind_of[number] = kinds[key]
    return tuple(named), kind_of


def _packed(found: Contest, kind_of: Ints, decisions: Small) -> Packed:
    """By three-card hand all that the kernel looks up of it, in one number.

    Its strength is how many classes of hands it beats. That the game compares any two hands as
    their strengths compare is checked for all of them.
    """
    strength = (found.facts % 3 == 2).sum(axis=1)
    above = strength[:, None] > strength[None, :]
    at_least = strength[:, None] >= strength[None, :]
    assert (found.facts % 3 == above.astype(int) + at_least).all(), "hands have no order"
    qualifies = found.dealer_plays.astype(np.int64)
    assert (found.facts[0][found.hand_class] // 3 == qualifies).all(), "the dealer's play differs"
    packed = strength[found.hand_class] | kind_of << KIND | qualifies << QUALIFIES
    packed |= decisions[0].astype(np.int64) << PLAYED
    made: Packed = packed.astype(np.uint32) | packed_ranks()
    return made


def _shown(decisions: Small) -> Masks:
    """By hand a bit for every up card against which it is played."""
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    masks: Masks = (decisions.astype(np.uint64) * bits[:, None]).sum(axis=0, dtype=np.uint64)
    return masks


@cache
def two_ranks() -> Bytes:
    """The place of every two ranks among the 91 pairs of them."""
    places = {two: n for n, two in enumerate(combinations_with_replacement(range(13), 2))}
    table = np.zeros((13, 13), dtype=np.uint8)
    for a, b in product(range(13), repeat=2):
        table[a, b] = places[min(a, b), max(a, b)]
    return table


@cache
def five_by_ranks() -> Small:
    """five_by_ranks[three ranks, two ranks]: what the five make where they make no flush."""
    threes = combinations_with_replacement(range(13), 3)
    twos = list(combinations_with_replacement(range(13), 2))
    return np.array(
        [[category_of_ranks(tuple(sorted(three + two))) for two in twos] for three in threes],
        dtype=np.int8,
    )
