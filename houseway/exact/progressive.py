"""Progressive bets: what they return as a function of the meters, exactly.

Every figure is a count of hands times what the paytable pays them. The three-card tables look at
the player's own cards; the link looks at these and two community cards, which nobody sees before
the Ante is decided, so to a player they are any two of the cards he does not see. Meters are in
dollars and exact here; that a share is paid in whole cents, rounded down, is left aside.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, lcm, perm
from numbers import Rational
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK, DECK_SIZE, card_text, cards_text, make_card, rank_of
from houseway.exact.sheet import Figure, plain
from houseway.exact.three_card import AnteAnalysis
from houseway.games.progressive import envy_cents, share_cents
from houseway.hands import category5
from houseway.meters import MICROCENTS, MeterSettings
from houseway.money import CENTS_PER_DOLLAR, MeterLevel, MeterShare, Odds, check_amount
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import HANDS, PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.tabulate import (
    FIVE_CARD_CATEGORIES,
    HANDS3,
    TRIPLES,
    Ints,
    Small,
    card_mask,
    category_by_suit,
    suit_class,
    three_card_hands,
)

Meters = Mapping[MeterLevel, Fraction | int]
"""What stands on each meter, in dollars."""

MOST_SEATS = 7
DOLLAR = CENTS_PER_DOLLAR
SUIT_CHANGES = 24
"""Every class of hands up to a change of suits holds a number of hands that divides this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveRow:
    """One progressive paytable. Figures are per $1 wagered (PGM-19, PNX-19, PML-12)."""

    pays: PayTable
    probabilities: Mapping[int, Fraction]
    """How often a wager wins with each paid hand, best hand first."""
    if_folded_not_eligible: Mapping[str, "ProgressiveRow"] = field(default_factory=dict)
    """The same per base game when a folded hand does not win (PGM-07, PNX-09, PML-10)."""

    @property
    def bet(self) -> Bet:
        """The bet of the row."""
        return self.pays.bet

    @property
    def paytable(self) -> str:
        """The code of the paytable."""
        return self.pays.code

    @property
    def fixed_return(self) -> Fraction:
        """What comes back in fixed pays, which no meter gives (PGM-09, PNX-10)."""
        pays = ((p, odds) for p, odds in self._paid() if not isinstance(odds, MeterShare))
        return sum((p * (odds.net + 1) for p, odds in pays), Fraction(0))

    @property
    def hit_frequency(self) -> Fraction:
        """P(the wager is paid anything)."""
        return sum(self.probabilities.values(), Fraction(0))

    @property
    def meter_coefficients(self) -> dict[MeterLevel, Fraction]:
        """What each dollar on a meter adds to the return of a $1 wager, by level (PGM-08)."""
        found: dict[MeterLevel, Fraction] = dict.fromkeys(self.pays.levels, Fraction(0))
        for p, odds in self._paid():
            if isinstance(odds, MeterShare):
                found[odds.level] += p * odds.share
        return found

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter in dollars at which a $1 wager costs nothing; None where several pay."""
        coefficients = list(self.meter_coefficients.values())
        return (1 - self.fixed_return) / coefficients[0] if len(coefficients) == 1 else None

    @property
    def envy_per_other_hand(self) -> Fraction:
        """Dollars of envy that one other lit hand earns a $1 wager (PGM-17, PNX-17, PML-13)."""
        return self.envy(DOLLAR)

    def envy(self, wager_cents: int) -> Fraction:
        """Dollars of envy that one other lit hand earns a wager; flat or with the wager."""
        hands = self.probabilities.items()
        cents = sum(p * envy_cents(hand, self.pays, wager_cents) for hand, p in hands)
        return Fraction(cents) / CENTS_PER_DOLLAR

    def named(self, figures: Mapping[int, Fraction]) -> dict[str, Fraction]:
        """Figures of hands under the names of the paytable's rows."""
        kind = HANDS[self.pays.hands]
        return {kind(hand).name.lower(): figure for hand, figure in figures.items()}

    def figures(self) -> dict[str, Figure]:
        """The figures of the row by name."""
        coefficients: dict[str, Figure] = {
            str(level): coefficient for level, coefficient in self.meter_coefficients.items()
        }
        return {
            "fixed_return": self.fixed_return,
            "hit_frequency": self.hit_frequency,
            "meter_coefficients": coefficients,
            "break_even_meter": self.break_even_meter,
            "envy_per_other_hand": self.envy_per_other_hand,
            "probabilities": dict(self.named(self.probabilities)),
        }

    def to_json(self) -> dict[str, Any]:
        """The row as plain data; exact values are text that Fraction reads."""
        games = self.if_folded_not_eligible.items()
        return {
            "bet": self.bet,
            "paytable": self.paytable,
            **plain(self.figures()),
            "if_folded_not_eligible": {game: plain(row.figures()) for game, row in games},
        }

    def _paid(self) -> Iterator[tuple[Fraction, Odds]]:
        for hand, p in self.probabilities.items():
            yield p, _odds(self.pays, hand)


def progressive_row(paytable: PayTable, analyses: Iterable[AnteAnalysis] = ()) -> ProgressiveRow:
    """The row of a paytable, every hand counted, folded or not (PGM-19, PNX-19, PML-12).

    Each base game whose analysis is given adds what changes where folded hands are not eligible.
    """
    judged = _judged(paytable)
    weight = three_card_hands().weight
    return ProgressiveRow(
        pays=paytable,
        probabilities=_probabilities(paytable, judged, weight, HANDS3),
        if_folded_not_eligible={
            analysis.game.code: if_folded_not_eligible(paytable, analysis) for analysis in analyses
        },
    )


def if_folded_not_eligible(paytable: PayTable, analysis: AnteAnalysis) -> ProgressiveRow:
    """The row when only played hands win, the Ante played as well as it can be by itself.

    PGM-07, PNX-09, PML-10. Envy is then earned by the hands of others that are played. A player
    who lets the progressive bear on the decision does better: see `ante_decision`.
    """
    judged = _judged(paytable, face_up=analysis.face_up)
    cases = _cases(analysis)
    played = np.where(analysis.optimal(), cases, 0)
    return ProgressiveRow(
        pays=paytable, probabilities=_probabilities(paytable, judged, played, int(cases.sum()))
    )


def house_edge(
    row: ProgressiveRow,
    meters: Meters,
    wager_cents: int,
    other_hands: int = 0,
    options: Options | None = None,
) -> Fraction:
    """Expected loss per dollar wagered with these meters, positive for the house.

    A share of a meter is the same for any wager (A-19), so the return per dollar falls as the
    wager grows; by option it grows with the wager, never past the whole meter. Envy from other
    lit hands at the table counts for the player (PGM-17, PNX-17, PML-13).
    """
    wager = _dollars(check_amount(wager_cents, "wager"))
    others = _check_other_hands(other_hands)
    known = _check_meters(row.pays, meters)
    returned = sum(
        p * _pay(row.pays, hand, known, wager_cents, options or Options())
        for hand, p in row.probabilities.items()
    )
    return 1 - (returned + others * row.envy(wager_cents)) / wager


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A class of hands that is folded for the Ante alone and played for the progressive too."""

    cards: tuple[int, ...]
    """One hand of the class."""
    up_card: int | None
    """The dealer's card that is seen, in Face Up."""
    hands: int
    """How many hands the class stands for."""
    gain: Fraction
    """What playing such a hand is worth above folding it, in antes."""

    def to_json(self) -> dict[str, Any]:
        """The change as plain data."""
        return {
            "cards": cards_text(self.cards),
            "up_card": None if self.up_card is None else card_text(self.up_card),
            "hands": self.hands,
            "gain": str(self.gain),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AnteDecision:
    """The best decision where a fold also gives the progressive up. Values are in antes."""

    base_value: Fraction
    """Expected net of Ante, Play, Ante Bonus and progressive, each hand decided for the Ante."""
    value: Fraction
    """The same, each hand decided for all of them."""
    changes: tuple[Change, ...]

    @property
    def gain(self) -> Fraction:
        """What the better decision is worth a round."""
        return self.value - self.base_value

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data."""
        return {
            "base_value": str(self.base_value),
            "value": str(self.value),
            "gain": str(self.gain),
            "changes": [change.to_json() for change in self.changes],
        }


def ante_decision(
    analysis: AnteAnalysis,
    paytable: PayTable,
    meters: Meters,
    *,
    ante_cents: int,
    wager_cents: int,
    options: Options | None = None,
) -> AnteDecision:
    """The best Ante decision with a progressive wager that a fold forfeits (PML-10, PGM-07).

    A hand is decided before the community cards are turned (PML-09). Net results add up, so only
    the expected pay given what the player sees is needed: the community cards are any two of the
    49 cards he does not hold, or of the 48 that remain beside the up card in Face Up. A pay is
    never negative, so a hand that is played for the Ante alone is played still. Envy is left out:
    a fold does not give it up (A-46).
    """
    ante = _dollars(check_amount(ante_cents, "ante"))
    wager = _dollars(check_amount(wager_cents, "wager"))
    known = _check_meters(paytable, meters)
    judged = _judged(paytable, face_up=analysis.face_up)
    pays = [Fraction(0)] * judged.counts.shape[-1]
    for hand in paytable.pays:
        pays[hand] = _pay(paytable, hand, known, wager_cents, options or Options()) / ante
    per_pay = lcm(*(pay.denominator for pay in pays))
    # From here on in Python's own ints, because meters may have any denominator.
    units = np.array([int(pay * per_pay) for pay in pays], dtype=object)
    unit = per_pay * judged.of * analysis.per_ante
    cases = analysis.counts.sum(axis=-1).astype(object)
    played = analysis.value_of_playing().astype(object) * (per_pay * judged.of)
    played = played + (judged.counts.astype(object) @ units) * cases * analysis.per_ante
    folded = -cases * unit
    base, best = analysis.optimal(), np.asarray(played >= folded, dtype=bool)
    weight = _spread(analysis.weight, analysis).astype(object)
    total = int((weight * cases).sum()) * unit

    def value(plays: npt.NDArray[np.bool_]) -> Fraction:
        return Fraction(int((weight * np.where(plays, played, folded)).sum()), total) - wager / ante

    hands = three_card_hands()
    changes = [
        Change(
            cards=tuple(int(card) for card in hands.cards[hands.canonical[place[0]]]),
            up_card=int(place[1]) if analysis.face_up else None,
            hands=int(analysis.weight[place[0]]),
            gain=Fraction(played[tuple(place)] - folded[tuple(place)], cases[tuple(place)] * unit),
        )
        for place in np.argwhere(best & ~base)
    ]
    return AnteDecision(base_value=value(base), value=value(best), changes=tuple(changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """One meter in the long run, in dollars and $1 wagers."""

    mean_meter: Fraction
    """What stands on the meter on average when a hand is judged, and so the mean 100% award."""
    mean_awards: Mapping[str, Fraction]
    """The mean award by hand."""
    wagers_between_hits: Mapping[str, Fraction]
    """Mean number of wagers from one award to the next, by hand; divide by the hands that are lit
    in a round for rounds."""
    contribution_rate: Fraction
    reserve_rate: Fraction
    reseed_cost: Fraction
    """What the house puts in as meter_seed, per dollar wagered (PGM-04)."""

    @property
    def cost(self) -> Fraction:
        """What the meter takes out of every dollar wagered; all of it is paid out in the end."""
        return self.contribution_rate + self.reserve_rate + self.reseed_cost


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRun:
    """What a progressive keeps and pays when it runs for ever. Figures are per $1 wagered."""

    fixed_return: Fraction
    envy: Fraction
    levels: Mapping[MeterLevel, LevelRun]

    @property
    def hold(self) -> Fraction:
        """What the house keeps of a dollar once every contribution is seen as the players'."""
        costs = sum((level.cost for level in self.levels.values()), Fraction(0))
        return 1 - self.fixed_return - self.envy - costs

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data; exact values are text that Fraction reads."""
        return {
            "hold": str(self.hold),
            "fixed_return": str(self.fixed_return),
            "envy": str(self.envy),
            "levels": {
                name: plain(
                    {
                        "mean_meter": level.mean_meter,
                        "mean_awards": level.mean_awards,
                        "wagers_between_hits": level.wagers_between_hits,
                        "contribution_rate": level.contribution_rate,
                        "reserve_rate": level.reserve_rate,
                        "reseed_cost": level.reseed_cost,
                    }
                )
                for name, level in self.levels.items()
            },
        }


def long_run(
    row: ProgressiveRow, settings: Mapping[MeterLevel, MeterSettings], other_hands: int = 0
) -> LongRun:
    """The long run of a progressive whose meters grow and start again like this (PGM-04, PRC-05).

    The model: every wager is $1; wagers are judged one by one, each independent of those before;
    a wager's contribution c stands on the meter before its hand is judged, and r goes to the
    reserve. A hand with probability p takes the whole meter, which starts again from meter_seed S
    and the reserve; one with probability q takes a share a of it. For the expected award A(M) at
    the next 100% hit of a meter that stands at M,

        A(M) = p (M + c) + q A((1 - a)(M + c)) + (1 - p - q) A(M + c),

    whose solution is A(M) = (p M + c) / (p + q a). A meter starts at S + r / p on average, so the
    mean 100% award is (p S + r + c) / (p + q a). As hits do not depend on the meter, that is also
    the mean of the meter at any wager, and a share a is a times it. Without shares it is S plus
    r + c for each of the 1 / p wagers from hit to hit. What flows in, c + r + p S a wager, flows
    out as awards: it is what the meter costs the house.
    """
    coefficients = row.meter_coefficients
    levels: dict[MeterLevel, LevelRun] = {}
    for level, coefficient in coefficients.items():
        if level not in settings:
            raise _missing_meter(row.pays, level, "settings")
        levels[level] = _level_run(row, level, coefficient, settings[level])
    return LongRun(
        fixed_return=row.fixed_return,
        envy=_check_other_hands(other_hands) * row.envy_per_other_hand,
        levels=levels,
    )


def _level_run(
    row: ProgressiveRow, level: MeterLevel, coefficient: Fraction, settings: MeterSettings
) -> LevelRun:
    if settings.cap_cents is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"cap {settings.cap_cents!r} of meter {level!r} is not in the long-run model; "
            "give settings without a cap",
        )
    shares = {
        hand: (p, odds)
        for hand, p in row.probabilities.items()
        if isinstance(odds := _odds(row.pays, hand), MeterShare) and odds.level == level
    }
    contribution = Fraction(settings.contribution_ppm, MICROCENTS)
    reserve = Fraction(settings.reserve_ppm, MICROCENTS)
    whole = sum((p for p, odds in shares.values() if odds.whole), Fraction(0))
    reseed = whole * _dollars(settings.meter_seed_cents)
    mean = (reseed + reserve + contribution) / coefficient
    return LevelRun(
        mean_meter=mean,
        mean_awards=row.named({hand: odds.share * mean for hand, (_, odds) in shares.items()}),
        wagers_between_hits=row.named({hand: 1 / p for hand, (p, _) in shares.items()}),
        contribution_rate=contribution,
        reserve_rate=reserve,
        reseed_cost=reseed,
    )


def simultaneous(paytable: PayTable, seats: int) -> Fraction:
    """P(two or more of so many lit seats win a share of a meter in one round) (PGM-10, PNX-11).

    Two players cannot both hold the A-K-Q of spades, but the link's community cards are shared.
    """
    return sum(meter_winners(paytable, seats)[2:], Fraction(0))


def meter_winners(paytable: PayTable, seats: int) -> tuple[Fraction, ...]:
    """P(exactly k of so many lit seats win a share of a meter in one round), for k = 0 … seats.

    Every hand counts, folded or not. With W(k) the sets of k hands that win together, summed over
    the community cards, the expected number of sets of k winning seats is W(k) times the ways to
    give those hands to seats over all deals; inclusion and exclusion makes probabilities of these.
    """
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= MOST_SEATS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"seats {seats!r} are not a table; give 1 to {MOST_SEATS}"
        )
    sets, communities, left = _winning_sets(paytable)
    expected = [
        Fraction(perm(seats, size) * count, communities * _deals(left, size))
        for size, count in enumerate(sets[: seats + 1])
    ]
    return tuple(
        sum(
            (
                (-1) ** (size - winners) * comb(size, winners) * expected[size]
                for size in range(winners, len(expected))
            ),
            Fraction(0),
        )
        for winners in range(seats + 1)
    )


def _deals(cards: int, seats: int) -> int:
    """Ways to deal three cards to each of so many seats."""
    ways = 1
    for seat in range(seats):
        ways *= comb(cards - 3 * seat, 3)
    return ways


def _winning_sets(paytable: PayTable) -> tuple[list[int], int, int]:
    """Sets of k hands that win a share together, by k; over how many communities; cards left.

    One community stands for all that a change of suits makes of it.
    """
    wanted = [hand for hand, odds in paytable.pays.items() if isinstance(odds, MeterShare)]
    hands = three_card_hands()
    if not paytable.community:
        winners = hands.masks[np.isin(hands.progressive, wanted)]
        return _disjoint_sets(winners.tolist(), 1), 1, DECK_SIZE
    categories, weights = _community_classes()
    wins = np.isin(categories, wanted)
    sets = [0] * (MOST_SEATS + 1)
    for column, weight in enumerate(weights):
        found = _disjoint_sets(hands.masks[wins[:, column]].tolist(), weight)
        sets = [before + more for before, more in zip(sets, found, strict=True)]
    return sets, comb(DECK_SIZE, 2), DECK_SIZE - 2


@cache
def _community_classes() -> tuple[Small, tuple[int, ...]]:
    """Categories of every hand with one community of each class, and how many that stands for."""
    classes: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for pair in _community_pairs():
        classes.setdefault(suit_class(pair), []).append(pair)
    firsts = [members[0] for members in classes.values()]
    weights = tuple(len(members) for members in classes.values())
    return _five_card_categories(np.arange(HANDS3), firsts), weights


def _disjoint_sets(masks: list[int], weight: int) -> list[int]:
    """How many sets of k masks share no card, for k = 0 … MOST_SEATS, times a weight."""
    found = [0] * (MOST_SEATS + 1)

    def choose(held: int, start: int, size: int) -> None:
        found[size] += weight
        if size < MOST_SEATS:
            for place in range(start, len(masks)):
                if not masks[place] & held:
                    choose(held | masks[place], place + 1, size + 1)

    choose(0, 0, 0)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """counts[canonical hand (, up card), hand of the paytable], each row out of `of`."""

    counts: Ints
    of: int


def _judged(paytable: PayTable, *, face_up: bool = False) -> _Judged:
    """What becomes of each class of three cards as the paytable sees it, given an up card or not.

    The A-K-Q of spades and those of other suits are one class up to suits; their row says how
    many of it are which. What cannot be, an up card that the player holds, has no cases.
    """
    if paytable.community:
        return _judged_with_up_card() if face_up else _Judged(_community_counts(), comb(49, 2))
    hands = three_card_hands()
    kinds = len(HANDS[paytable.hands])
    counts = np.zeros((hands.canonical.size, kinds), dtype=np.int64)
    np.add.at(counts, (hands.class_of, hands.progressive), 1)
    counts *= (SUIT_CHANGES // hands.weight)[:, None]
    if face_up:
        counts = np.repeat(counts[:, None, :], DECK_SIZE, axis=1)
    return _Judged(counts, SUIT_CHANGES)


@cache
def _canonical_categories() -> Small:
    return _five_card_categories(three_card_hands().canonical, _community_pairs())


@cache
def _community_counts() -> Ints:
    """counts[canonical hand, five-card category] over the 1,176 community pairs it leaves."""
    return _count_categories(_canonical_categories())


@cache
def _judged_with_up_card() -> _Judged:
    """The counts by up card: pairs that hold the up card cannot lie on the table."""
    categories = _canonical_categories()
    pairs = np.array(_community_pairs())
    holding = [
        _count_categories(categories[:, (pairs == card).any(axis=1)]) for card in range(DECK_SIZE)
    ]
    counts = _community_counts()[:, None, :] - np.stack(holding, axis=1)
    return _Judged(counts, comb(48, 2))


def _count_categories(categories: Small) -> Ints:
    """How often each category stands in every row."""
    counts = [(categories == category).sum(axis=1) for category in range(FIVE_CARD_CATEGORIES)]
    return np.stack(counts, axis=1)


def _five_card_categories(chosen: Ints, pairs: Iterable[tuple[int, int]]) -> Small:
    """categories[three-card hand, community pair] (PML-02, PML-04); -1 where they share a card."""
    hands = three_card_hands()
    communities = list(pairs)
    places = {ranks: place for place, ranks in enumerate(_rank_pairs())}
    pair = np.array([places[_ranks(two)] for two in communities])
    masks = np.array([card_mask(two) for two in communities], dtype=np.uint64)
    found: Small = _category_of_five_ranks()[hands.triple[chosen][:, None], pair[None, :]]
    # Five cards of a suit need three of it in the hand.
    suited = np.flatnonzero(hands.suited[chosen])
    together = hands.masks[chosen[suited]][:, None] | masks[None, :]
    for suit in range(4):
        of_suit = (together >> np.uint64(13 * suit)) & np.uint64(8191)
        found[suited] = np.maximum(found[suited], category_by_suit()[of_suit])
    found[(hands.masks[chosen][:, None] & masks[None, :]) != 0] = -1
    return found


@cache
def _category_of_five_ranks() -> Small:
    """table[rank triple, rank pair]: what five cards make that are not of one suit.

    Entries that would need five cards of a rank cannot occur and are 0.
    """
    table = np.zeros((TRIPLES, len(_rank_pairs())), dtype=np.int8)
    found: dict[tuple[int, ...], int] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        # Neighbours differ in suit, so equal ranks give different cards and no flush is there.
        cards = tuple(make_card(rank, place % 4) for place, rank in enumerate(ranks))
        found[ranks] = 0 if ranks[0] == ranks[4] else category5(cards)
    for row, three in enumerate(combinations_with_replacement(range(13), 3)):
        for column, two in enumerate(_rank_pairs()):
            table[row, column] = found[tuple(sorted(three + two))]
    return table


@cache
def _community_pairs() -> tuple[tuple[int, int], ...]:
    return tuple(combinations(DECK, 2))


@cache
def _rank_pairs() -> tuple[tuple[int, ...], ...]:
    return tuple(combinations_with_replacement(range(13), 2))


def _ranks(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(rank_of(card) for card in cards))


def _cases(analysis: AnteAnalysis) -> Ints:
    """Equally likely cases by canonical hand (and up card)."""
    return np.asarray(analysis.counts.sum(axis=-1) * _spread(analysis.weight, analysis))


def _spread(by_hand: Ints, analysis: AnteAnalysis) -> Ints:
    return by_hand[:, None] if analysis.face_up else by_hand


def _probabilities(
    paytable: PayTable, judged: _Judged, cases: Ints, total: int
) -> dict[int, Fraction]:
    """The probability of each paid hand, best first, from cases by canonical hand (and up card)."""
    weighed = (judged.counts * cases[..., None]).reshape(-1, judged.counts.shape[-1]).sum(axis=0)
    return {
        hand: Fraction(int(weighed[hand]), total * judged.of)
        for hand in sorted(paytable.pays, reverse=True)
    }


def _odds(paytable: PayTable, hand: int) -> Odds:
    odds = paytable.odds(hand)
    assert odds is not None, hand
    return odds


def _pay(
    paytable: PayTable,
    hand: int,
    meters: Mapping[MeterLevel, Fraction],
    wager_cents: int,
    options: Options,
) -> Fraction:
    """Dollars that a wager with this hand is paid, the wager itself in them (PML-13)."""
    odds = _odds(paytable, hand)
    if not isinstance(odds, MeterShare):
        return (odds.net + 1) * _dollars(wager_cents)
    # What the rule says of a meter of which every share comes out in whole cents.
    even = odds.share.denominator * CENTS_PER_DOLLAR
    return meters[odds.level] * Fraction(share_cents(odds, even, wager_cents, options), even)


def _dollars(cents: int) -> Fraction:
    return Fraction(cents, CENTS_PER_DOLLAR)


def _check_other_hands(other_hands: int) -> int:
    if isinstance(other_hands, bool) or not isinstance(other_hands, int) or other_hands < 0:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"other hands {other_hands!r} are not a number of hands; give 0 or more",
        )
    return other_hands


def _check_meters(paytable: PayTable, meters: Meters) -> dict[MeterLevel, Fraction]:
    """The meters that the table pays from; refused when one is missing or no amount."""
    known: dict[MeterLevel, Fraction] = {}
    for level in paytable.levels:
        if level not in meters:
            raise _missing_meter(paytable, level, "meters")
        amount = meters[level]
        if isinstance(amount, bool) or not isinstance(amount, Rational):
            raise Refused(
                Reason.NOT_AN_AMOUNT, f"meter {amount!r} is not an exact amount of dollars"
            )
        if amount < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"meter {amount!s} is negative; it must be 0 or more"
            )
        known[level] = Fraction(amount)
    for level in meters:
        if level not in known:
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter {level!r} is unknown to progressive {paytable.code!r}; allowed: "
                f"{listed(paytable.levels)}",
            )
    return known


def _missing_meter(paytable: PayTable, level: MeterLevel, what: str) -> Refused:
    return Refused(
        Reason.MISSING_METER,
        f"no {what} of {level!r} are given; progressive {paytable.code!r} pays from "
        f"{listed(paytable.levels)}",
    )
