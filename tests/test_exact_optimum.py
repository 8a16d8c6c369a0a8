"""The best joint play of Blackjack and the Hat Trick."""

import json
from fractions import Fraction
from itertools import combinations
from math import factorial, perm
from typing import Any

import pytest

from houseway.cards import DECK, parse_cards, rank_of
from houseway.cli import main
from houseway.exact.blackjack import KINDS, LONGEST, blackjack, dealer_ends
from houseway.exact.bonus import joint_law
from houseway.exact.optimum import Optimum, _up_cards, joint_optimum
from houseway.games import blackjack as rules
from houseway.hands import FiveCard, category5
from houseway.kernels.optimum import LIMB
from houseway.options import Options

WINS = frozenset(range(FiveCard.JACKS_OR_BETTER, FiveCard.ROYAL_FLUSH + 1))
NINE = Fraction(9)


@pytest.fixture(scope="module")
def half() -> Optimum:
    return joint_optimum(Options(), Fraction(1, 2), NINE, WINS)


def test_with_nothing_on_the_hat_trick_it_is_blackjack_alone() -> None:
    """The same sums, so two methods must give the joint law: with suits, and by ranks only."""
    none = joint_optimum(Options(), Fraction(0), NINE, WINS)
    assert none.gain == 0
    assert none.blackjack_house_edge == -blackjack(Options()).figures().law.mean
    assert none.departures == ()
    law = joint_law(Options())
    expected = law.probability(war=True, blackjack=True, poker=WINS)
    assert none.hat_trick_probability == expected


def test_more_at_stake_gains_more_and_bends_play_further(half: Optimum) -> None:
    whole = joint_optimum(Options(), Fraction(1), NINE, WINS)
    law = joint_law(Options())
    plain = law.probability(war=True, blackjack=True, poker=WINS)
    assert plain < half.hat_trick_probability < whole.hat_trick_probability
    assert 0 < half.gain < whole.gain
    # The best play is worth a maximum of lines in the stake, so it is convex: twice the stake
    # gains at least twice as much.
    assert whole.gain > 2 * half.gain
    assert half.blackjack_house_edge < whole.blackjack_house_edge
    # Decisions were compared in floating point; no margin is near its error.
    assert min(half.narrowest_margin, whole.narrowest_margin) > 1e-9


def test_what_is_gained_is_what_the_two_bets_add_up_to(half: Optimum) -> None:
    law = joint_law(Options())
    plain = law.probability(war=True, blackjack=True, poker=WINS)
    edge = -blackjack(Options()).figures().law.mean
    hat = half.ratio * (half.payoff + 1) * (half.hat_trick_probability - plain)
    assert half.gain == hat - (half.blackjack_house_edge - edge)
    assert half.hat_trick_house_edge == 1 - 10 * half.hat_trick_probability


def test_where_it_departs_is_named(half: Optimum) -> None:
    named = {(d.hand, d.up_card): d for d in half.departures}
    assert named["T-2", "4"].joint == "stand"
    assert named["6-3", "2"].joint == "hit"
    for departure in half.departures:
        assert 0 < departure.share <= 1
        assert departure.blackjack_only != departure.joint


@pytest.mark.parametrize(
    ("held", "up"), [("2h 3h 4h 5h", "6c"), ("Jd 4s 3c", "Kc"), ("As 2s 3d 4d 5h", "9c")]
)
def test_the_chance_of_a_stop_by_plain_counting(held: str, up: str) -> None:
    """Every set of completing cards, judged by the classifier, with the dealer's ends behind it."""
    cards, up_card = parse_cards(held), parse_cards(up)[0]
    count = len(cards)
    found = _up_cards(Options(), WINS)[rank_of(up_card)]
    number = 0
    for place, card in enumerate(sorted(cards), start=1):
        number += perm(card, place) // factorial(place)
    from houseway.exact.optimum import _sets

    spot = _sets().representative[count][number]
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
            ends[key] = dealer_ends((key,), up_kind, Options())[key]
        # Ends 17 to 21, over 21, natural: not beaten by a lower total or by a bust.
        ways += sum(n for total, n in zip(range(17, 22), ends[key], strict=False) if total <= value)
        ways += ends[key][5]
    assert (high << LIMB) + low == ways
    assert perm(45, LONGEST) > 0


def test_the_joint_strategy_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str) -> tuple[int, Any]:
        code = main(["par", "triple-shot-bonus", *arguments, "--json"])
        return code, json.loads(capsys.readouterr().out)

    three = ["--bet", "war=10", "--bet", "blackjack=10", "--bet", "poker=10"]
    code, document = run("--strategy", "joint", *three, "--bet", "hat-trick=5")
    assert code == 0
    best = document["joint_optimum"]
    assert {"blackjack_house_edge", "hat_trick_probability", "gain"} <= set(best)
    assert Fraction(best["gain"]) > 0
    assert best["stake_ratio"] == "1/2"
    for arguments, reason in (
        (("--strategy", "joint", *three), "missing_bet"),
        (("--strategy", "best"), "unknown_value"),
        (("--strategy", "joint", *three, "--bet", "hat-trick=-5"), "negative_amount"),
        (("--seats", "8"), "unknown_value"),
    ):
        code, document = run(*arguments)
        assert (code, document["error"]["reason"]) == (2, reason)
