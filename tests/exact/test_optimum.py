"""The best joint play of Blackjack and the Hat Trick."""

import json
import random
from collections import Counter
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, perm
from typing import Any

import numpy as np
import pytest

from houseway.cards import ACE, DECK, NINE, parse_cards, rank_of, suit_of
from houseway.cards.hands import FiveCard, category5
from houseway.cli import main
from houseway.exact.blackjack import KINDS, LONGEST, blackjack, dealer_ends
from houseway.exact.bonus import CODES, hand_graph, joint_law
from houseway.exact.card_sets import card_sets, rank_sets, suits_table
from houseway.exact.kernels.optimum import (
    DOUBLE,
    HIT,
    LIMB,
    SPLIT,
    STAND,
    SUIT_BITS,
    sum_stops,
)
from houseway.exact.optimum import (
    Optimum,
    _UpCard,
    first_best,
    in_parts,
    joint_optimum,
    whole,
)
from houseway.exact.tabulate import Small, category_of_ranks
from houseway.games import blackjack as rules
from houseway.games.triple_shot_bonus.rules import BonusOptions

WINS = frozenset(range(FiveCard.JACKS_OR_BETTER, FiveCard.ROYAL_FLUSH + 1))
NINE_TO_ONE = Fraction(9)


@cache
def up_card_of(rank: int) -> _UpCard:
    """One up card under the usual rules; all thirteen take as many times as long."""
    return _UpCard(blackjack(BonusOptions()), rank, WINS)


@pytest.fixture(scope="module")
def half() -> Optimum:
    return joint_optimum(BonusOptions(), Fraction(1, 2), NINE_TO_ONE, WINS)


@pytest.mark.soak
def test_with_nothing_on_the_hat_trick_it_is_blackjack_alone() -> None:
    """The same sums, so two methods must give the joint law: with suits, and by ranks only."""
    none = joint_optimum(BonusOptions(), Fraction(0), NINE_TO_ONE, WINS)
    assert none.gain == 0
    assert none.blackjack_house_edge == -blackjack(BonusOptions()).figures().law.mean
    assert none.departures == ()
    law = joint_law(BonusOptions())
    expected = law.probability(war=True, blackjack=True, poker=WINS)
    assert none.hat_trick_probability == expected


@pytest.mark.soak
def test_more_at_stake_gains_more_and_bends_play_further(half: Optimum) -> None:
    whole = joint_optimum(BonusOptions(), Fraction(1), NINE_TO_ONE, WINS)
    law = joint_law(BonusOptions())
    plain = law.probability(war=True, blackjack=True, poker=WINS)
    assert plain < half.hat_trick_probability < whole.hat_trick_probability
    assert 0 < half.gain < whole.gain
    # The best play is worth a maximum of lines in the stake, so it is convex: twice the stake
    # gains at least twice as much.
    assert whole.gain > 2 * half.gain
    assert half.blackjack_house_edge < whole.blackjack_house_edge
    # No decision was close at these stakes, so none had to be made in whole numbers.
    assert min(half.narrowest_margin, whole.narrowest_margin) > 1e-9
    assert half.close_decisions == whole.close_decisions == 0


@pytest.mark.soak
def test_what_is_gained_is_what_the_two_bets_add_up_to(half: Optimum) -> None:
    law = joint_law(BonusOptions())
    plain = law.probability(war=True, blackjack=True, poker=WINS)
    edge = -blackjack(BonusOptions()).figures().law.mean
    hat = half.ratio * (half.payoff + 1) * (half.hat_trick_probability - plain)
    assert half.gain == hat - (half.blackjack_house_edge - edge)
    assert half.hat_trick_house_edge == 1 - 10 * half.hat_trick_probability


@pytest.mark.soak
def test_where_it_departs_is_named(half: Optimum) -> None:
    named = {(d.hand, d.up_card): d for d in half.departures}
    assert named["T-2", "4"].joint == "stand"
    assert named["6-3", "2"].joint == "hit"
    for departure in half.departures:
        assert 0 < departure.share <= 1
        assert departure.blackjack_only != departure.joint


@pytest.mark.parametrize(
    ("held", "up"),
    [
        pytest.param("2h 3h 4h 5h", "6c", marks=pytest.mark.soak),
        pytest.param("Jd 4s 3c", "Kc", marks=pytest.mark.soak),
        ("As 2s 3d 4d 5h", "9c"),
    ],
)
def test_the_chance_of_a_stop_by_plain_counting(held: str, up: str) -> None:
    """Every set of completing cards, judged by the classifier, with the dealer's ends behind it."""
    cards, up_card = parse_cards(held), parse_cards(up)[0]
    count = len(cards)
    found = up_card_of(rank_of(up_card))
    number = 0
    for place, card in enumerate(sorted(cards), start=1):
        number += perm(card, place) // factorial(place)
    spot = card_sets().representative[count][number]
    high, low = (int(part) for part in found.hat[count][spot])
    kinds = [0] * KINDS
    for card in cards:
        kinds[rules.rank_points(rank_of(card)) - 1] += 1
    value = rules.value(rules.total_of(tuple(rank_of(card) for card in cards)))
    up_kind = rules.rank_points(rank_of(up_card)) - 1
    unseen = [card for card in DECK if card not in (*cards, up_card)]
    ways = 0
    ends: dict[tuple[int, ...], tuple[int, ...]] = {}
    for more in combinations(unseen, 6 - count):
        if category5((*cards, *more)) not in WINS:
            continue
        gone = list(kinds)
        for card in more:
            gone[rules.rank_points(rank_of(card)) - 1] += 1
        key = tuple(gone)
        if key not in ends:
            ends[key] = dealer_ends((key,), up_kind, BonusOptions())[key]
        # Ends 17 to 21, over 21, natural: not beaten by a lower total or by a bust.
        ways += sum(n for total, n in zip(range(17, 22), ends[key], strict=False) if total <= value)
        ways += ends[key][5]
    assert (high << LIMB) + low == ways
    assert perm(45, LONGEST) > 0


@pytest.mark.soak
def test_where_the_dealer_does_not_look_six_cards_may_still_lose() -> None:
    """With nothing on the Hat Trick the best play is that of Blackjack under every rule."""
    options = BonusOptions(dealer_natural="no_peek_all_bets", war_ace="low")
    found = _UpCard(blackjack(options), ACE, WINS)
    decisions = found.best(Fraction(0)).decisions
    plain = found.blackjack_decisions()
    followed = found.follow(plain, options)
    for count, reached in followed.reached.items():
        asked = found.may[rank_sets().node[card_sets().ranks[count]], STAND] == 1
        assert (decisions[count] == plain[count])[asked & (reached > 0)].all()
    assert found.follow(decisions, options).net == followed.net


@pytest.fixture(scope="module")
def against_nine() -> _UpCard:
    return up_card_of(NINE)


def test_a_bust_that_paid_would_be_sought(against_nine: _UpCard) -> None:
    """What a hand over 21 costs is what the rules say, and no constant of the walk."""
    found = copy(against_nine)
    five = rank_sets().node[card_sets().ranks[5]]
    plain = found.best(Fraction(0)).decisions
    assert {HIT, STAND} == set(plain[5][five >= 0])
    found.over = found.over * -2
    sought = found.best(Fraction(0)).decisions
    played = (card_sets().representative[5] == np.arange(comb(52, 5))) & (five >= 0)
    played &= found.hat[5].any(axis=1)
    assert set(sought[5][played]) == {HIT}


def test_six_cards_that_lost_would_be_avoided(against_nine: _UpCard) -> None:
    found = copy(against_nine)
    six = np.array([sum(hand) == 6 for hand in hand_graph().nodes])
    found.stand = found.stand.copy()
    found.stand[six] = in_parts(-2 * perm(45, LONGEST))
    assert set(found.best(Fraction(0)).decisions[5]) == {STAND}


def test_what_is_not_allowed_is_not_chosen(against_nine: _UpCard) -> None:
    found = copy(against_nine)
    assert CODES["double"] in found.best(Fraction(0)).decisions[2]
    found.may = found.may.copy()
    found.may[:, CODES["double"]] = 0
    assert CODES["double"] not in found.best(Fraction(0)).decisions[2]


LITTLE = Fraction(1, 10**40)
"""Far less than floating point tells apart."""


def number_of(cards: tuple[int, ...]) -> int:
    """Which set stands for these cards."""
    number = sum(comb(card, place) for place, card in enumerate(sorted(cards), start=1))
    return int(card_sets().representative[len(cards)][number])


@pytest.mark.parametrize(
    "held",
    [
        "6d 5h",
        *(pytest.param(held, marks=pytest.mark.soak) for held in ("9d 2h", "7d 4h", "6d 4h")),
        "8d 2d",
    ],
)
def test_a_tie_of_two_cards_goes_to_the_hit(against_nine: _UpCard, held: str) -> None:
    """At the stake where hitting and doubling are worth the same, and a little beside it.

    Each is worth a line in the stake as long as later decisions stay what they are, so going to
    where the two lines cross, again and again, finds the tie.
    """
    place = number_of(parse_cards(held))
    node = rank_sets().node[card_sets().ranks[2][place]]
    tie, crossing = Fraction(-1), Fraction(5)
    while tie != crossing:
        tie = crossing
        lines = {}
        for choice, other in ((HIT, DOUBLE), (DOUBLE, HIT)):
            without = copy(against_nine)
            without.may = against_nine.may.copy()
            without.may[node, other] = 0
            values = without.best(tie).values[place].tolist()
            lines[choice] = whole(values[:2]), whole(values[2:])
        (hit, hit_wins), (double, double_wins) = lines[HIT], lines[DOUBLE]
        crossing = Fraction(double - hit, 2 * (hit_wins - double_wins))
    for weight, expected in ((tie, HIT), (tie - LITTLE, DOUBLE), (tie + LITTLE, HIT)):
        found = against_nine.best(weight)
        assert found.decisions[2][place] == expected
        assert found.close > 0
        assert found.narrowest < 1e-15


def test_a_tie_of_five_cards_goes_to_the_stand(against_nine: _UpCard) -> None:
    """Both choices counted card by card with the classifier, and the stake where they are equal."""
    found, by_ranks, ties = against_nine, rank_sets(), 0
    lot = random.Random(5)
    while ties < 3:
        cards = tuple(sorted(lot.sample([card for card in DECK if card != found.up], 5)))
        held = sorted(rank_of(card) for card in cards)
        ranks = by_ranks.multisets.index(tuple(held))
        node, place = by_ranks.node[ranks], number_of(cards)
        if node < 0 or not found.may[node, STAND]:
            continue
        stand, stand_wins = whole(found.stand[node].tolist()), whole(found.hat[5][place].tolist())
        hit, hit_wins = 0, 0
        for card in set(DECK) - {*cards, found.up}:
            then = by_ranks.after[ranks, rank_of(card)]
            if by_ranks.node[then] < 0:
                hit += whole(found.over[HIT, then].tolist())
                continue
            hit += whole(found.stand[by_ranks.node[then]].tolist())
            if category5((*cards, card)) in WINS:
                hit_wins += int(found.ways[found.mask[by_ranks.node[then]], then])
        if stand_wins == hit_wins:
            continue
        tie = Fraction(stand - hit, 2 * (hit_wins - stand_wins))
        if tie < 0:
            continue
        ties += 1
        wins_more = HIT if hit_wins > stand_wins else STAND
        other = STAND if wins_more == HIT else HIT
        for weight, expected in ((tie, STAND), (tie + LITTLE, wins_more), (tie - LITTLE, other)):
            best = found.best(weight)
            assert best.decisions[5][place] == expected
            assert best.close > 0


@pytest.mark.parametrize("weight", [Fraction(10**30), Fraction(1, 10**30)])
def test_stakes_out_of_all_proportion_are_decided_too(
    against_nine: _UpCard, weight: Fraction
) -> None:
    best = against_nine.best(weight)
    followed = against_nine.follow(best.decisions, BonusOptions())
    assert best.worth(followed.reached[2]) == (followed.net, followed.won)
    assert (
        against_nine.follow(against_nine.blackjack_decisions(), BonusOptions()).net >= followed.net
    )


def test_the_first_of_equals_is_chosen() -> None:
    worth = np.array([(5, 7, 0, 2), (5, 7, 0, 2), (5, 6, 0, 3), (6, 0, 0, 0)], dtype=np.int64)
    everything = np.ones(4, dtype=np.int8)
    assert first_best(worth[:3], everything, Fraction(0)) == (STAND, 0)
    assert first_best(worth[:3], everything, Fraction(1, 2)) == (STAND, 0)
    assert first_best(worth[:3], everything, Fraction(1)) == (DOUBLE, 1)
    assert first_best(worth, everything, Fraction(0)) == (SPLIT, (1 << LIMB) - 7)
    assert first_best(worth, np.array([0, 1, 1, 0], dtype=np.int8), Fraction(0)) == (HIT, 1)


def test_four_of_a_suit_may_be_made_a_flush(against_nine: _UpCard) -> None:
    """Which suits keep the leg is a table: with another one the sum is what counting gives."""
    found, by_ranks, size = against_nine, rank_sets(), 40
    suited: Small = np.zeros(1 << 4 * SUIT_BITS, dtype=np.int8)
    for counts in product(range(7), repeat=4):
        place = sum(held << SUIT_BITS * suit for suit, held in enumerate(counts))
        suited[place] = 1 if 4 in counts else -1 if max(counts) > 4 else 0
    summed = np.zeros((size, 2), dtype=np.int64)
    chosen = np.arange(size, dtype=np.int32)
    args = (by_ranks.after, by_ranks.node, found.mask, found.wins, suited, found.ways, summed)
    sum_stops(5, 1, found.up, chosen, *args)
    first_sets = sorted(combinations(range(10), 5), key=lambda five: five[::-1])[:size]
    for cards, parts in zip(first_sets, summed.tolist(), strict=True):
        expected = 0
        held = [rank_of(card) for card in cards]
        node = by_ranks.node[by_ranks.multisets.index(tuple(sorted(held)))]
        for card in set(DECK) - {*cards, found.up}:
            ranks = tuple(sorted([*held, rank_of(card)]))
            suits = Counter(suit_of(other) for other in (*cards, card))
            most = max(suits.values())
            kept = category_of_ranks(ranks) in WINS if most < 4 else most == 4
            if kept:
                expected += int(found.ways[found.mask[node], by_ranks.multisets.index(ranks)])
        assert (parts[0] << LIMB) + parts[1] == expected


@pytest.mark.parametrize("hands", [4_000, pytest.param(20_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "wins", [WINS, WINS - {6, 9, 10}, frozenset({FiveCard.LOW_PAIR}), frozenset({6, 9, 10})]
)
def test_ranks_and_suits_keep_a_leg_as_the_classifier_says(
    wins: frozenset[int], hands: int
) -> None:
    by_suits, lot = suits_table(wins), random.Random(6)
    for _ in range(hands):
        cards = tuple(lot.sample(DECK, 6))
        if lot.random() < 0.5:
            cards = tuple(lot.sample([card for card in DECK if suit_of(card) < 2], 6))
        by_ranks = category_of_ranks(tuple(sorted(rank_of(card) for card in cards))) in wins
        suits = by_suits[sum(1 << SUIT_BITS * suit_of(card) for card in cards)]
        assert (by_ranks + suits > 0) == (category5(cards) in wins)


def test_a_leg_that_hangs_on_the_kind_of_flush_is_refused() -> None:
    with pytest.raises(ValueError, match="some win and some lose"):
        suits_table(frozenset({FiveCard.STRAIGHT_FLUSH, FiveCard.ROYAL_FLUSH}))


THREE = ("--bet", "war=10", "--bet", "blackjack=10", "--bet", "poker=10")


def par_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["par", "triple-shot-bonus", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.soak
def test_the_joint_strategy_as_a_command(half: Optimum, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = par_json(capsys, "--strategy", "joint", *THREE, "--bet", "hat-trick=5")
    assert code == 0
    best = document["joint_optimum"]
    assert Fraction(best["gain"]) == half.gain > 0
    assert best["stake_ratio"] == "1/2"


def test_the_command_asks_for_the_joint_play_of_these_stakes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counting it takes half a minute, which a long test does; here its answer is made up."""
    asked: list[tuple[BonusOptions, Fraction, Fraction, frozenset[int]]] = []

    def answer(
        options: BonusOptions, ratio: Fraction, payoff: Fraction, wins: frozenset[int]
    ) -> Optimum:
        asked.append((options, ratio, payoff, wins))
        edge, chance, gain = Fraction(1, 300), Fraction(1, 7), Fraction(1, 90)
        return Optimum(ratio, payoff, edge, chance, gain, 0.1, 0, ())

    monkeypatch.setattr("houseway.exact.optimum.joint_optimum", answer)
    code, document = par_json(capsys, "--strategy", "joint", *THREE, "--bet", "hat-trick=5")
    assert code == 0
    assert asked == [(BonusOptions(), Fraction(1, 2), NINE_TO_ONE, WINS)]
    best = document["joint_optimum"]
    assert best["blackjack_house_edge"] == "1/300"
    assert best["hat_trick_probability"] == "1/7"
    assert best["gain"] == "1/90"
    assert best["stake_ratio"] == "1/2"


def test_a_joint_strategy_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, reason in (
        (("--strategy", "joint", *THREE), "missing_bet"),
        (("--strategy", "best"), "unknown_value"),
        (("--strategy", "joint", *THREE, "--bet", "hat-trick=-5"), "negative_amount"),
        (("--seats", "8"), "unknown_value"),
    ):
        code, document = par_json(capsys, *arguments)
        assert (code, document["error"]["reason"]) == (2, reason)
