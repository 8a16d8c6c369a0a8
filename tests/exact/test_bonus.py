"""The joint law of War, Blackjack and Poker against a second exact method and against dealing."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, perm, sqrt
from typing import Any

import pytest

from houseway.cards.hands import FiveCard
from houseway.exact.blackjack import Blackjack, blackjack
from houseway.exact.bonus import JointLaw, _joint_law, joint_law
from houseway.games import blackjack as blackjack_rules
from houseway.games.base import HALF, Verdict, loses
from houseway.games.blackjack import BlackjackDecision
from houseway.games.triple_shot_bonus.rules import BonusOptions
from tests.oracles import exact_hat_trick as oracle
from tests.oracles.exact_hat_trick import Cell, Rules
from tests.oracles.five_cards import best_category
from tests.oracles.settle import settle_triple_shot_bonus
from tests.oracles.three_cards import RANKS, SUITS

HIT_SOFT_17 = BonusOptions(dealer_soft_17="hit")
STAND_SOFT_17 = BonusOptions(dealer_soft_17="stand")
ACE_LOW_HIT = BonusOptions(dealer_soft_17="hit", war_ace="low")
ACE_LOW_STAND = BonusOptions(dealer_soft_17="stand", war_ace="low")
PRINTED_RULES = [HIT_SOFT_17, STAND_SOFT_17, ACE_LOW_HIT, ACE_LOW_STAND]
OTHER_CONVENTIONS = [
    BonusOptions(split_ace_ten="blackjack"),
    BonusOptions(dealer_natural="no_peek_original_bets"),
    BonusOptions(dealer_natural="no_peek_all_bets", war_ace="low"),
    BonusOptions(
        dealer_natural="no_peek_original_bets", split_ace_ten="blackjack", dealer_soft_17="stand"
    ),
]

WINNING = frozenset(range(FiveCard.JACKS_OR_BETTER, len(FiveCard)))
WAR_NOT_LOST = Fraction(9, 17)
POKER_WON = Fraction(1753909, 5089630)
SIGMAS = 4.5


def named(options: BonusOptions) -> str:
    return " ".join(
        (
            options.dealer_soft_17,
            options.war_ace,
            options.dealer_natural,
            options.split_ace_ten,
        )
    )


def rules_of(options: BonusOptions) -> Rules:
    return Rules(options.dealer_soft_17, options.dealer_natural, options.split_ace_ten)


@cache
def forward(rules: Rules) -> dict[str, Counter[Cell]]:
    """The law by the second method, for both ranks of the Ace in War, played for Blackjack."""
    return oracle.joint_ways(best(rules), rules)


@cache
def best(rules: Rules) -> Callable[[tuple[int, ...], int], BlackjackDecision]:
    for options in (*PRINTED_RULES, *OTHER_CONVENTIONS):
        if rules_of(options) == rules:
            return blackjack(options).best
    raise AssertionError(rules)


def cells(law: JointLaw) -> dict[Cell, int]:
    """The cells of a law that are not empty, as the second method names them."""
    return {
        (war, law.least + result, FiveCard(category).name.lower()): ways
        for war, results in enumerate(law.counts)
        for result, categories in enumerate(results)
        for category, ways in enumerate(categories)
        if ways
    }


def not_lost(cell: Cell) -> tuple[bool, bool, bool]:
    """Whether War, Blackjack and Poker are not lost."""
    war, halves, category = cell
    return war > 0, halves >= 0, FiveCard[category.upper()] in WINNING


def share(law: Counter[Cell], *legs: int) -> Fraction:
    """P(none of these legs is lost)."""
    ways = sum(n for cell, n in law.items() if all(not_lost(cell)[leg] for leg in legs))
    return Fraction(ways, law.total())


# --------------------------------------------------------------------------- two exact methods


@pytest.mark.clause("TSB-26")
@pytest.mark.parametrize("options", PRINTED_RULES[:1], ids=named)
def test_two_exact_methods_agree_on_the_whole_law(options: BonusOptions) -> None:
    law = joint_law(options)
    assert cells(law) == forward(rules_of(options))[options.war_ace]
    assert law.total == oracle.all_ways() == comb(52, 6) * 6 * 46 * 120 * perm(45, 9)


@pytest.mark.soak
@pytest.mark.parametrize("options", [*PRINTED_RULES[1:], *OTHER_CONVENTIONS], ids=named)
def test_two_exact_methods_agree_on_other_conventions(options: BonusOptions) -> None:
    assert cells(joint_law(options)) == forward(rules_of(options))[options.war_ace]


def by_lot(hand: tuple[int, ...], up: int) -> BlackjackDecision:
    """A way of playing that comes to odd places: soft and hard totals of every size are hit."""
    lot = random.Random(f"{hand} against {up}")
    choices: list[BlackjackDecision] = ["stand", "hit", "hit", "hit"]
    if sum(hand) == 2:
        choices.append("double")
        if hand[0] == 2:
            choices.append("split")
    return lot.choice(choices)


def never_bust(hand: tuple[int, ...], up: int) -> BlackjackDecision:
    """Hits while no card can go over 21; Aces are split against odd up cards."""
    if hand[0] == sum(hand) == 2 and up % 2:
        return "split"
    hard = sum((kind + 1) * cards for kind, cards in enumerate(hand))
    return "hit" if hard <= 11 else "stand"


@pytest.mark.soak
@pytest.mark.parametrize("decide", [by_lot, never_bust])
@pytest.mark.parametrize("options", [STAND_SOFT_17, OTHER_CONVENTIONS[-1]], ids=named)
def test_two_exact_methods_agree_on_other_ways_of_playing(
    options: BonusOptions, decide: Callable[[tuple[int, ...], int], BlackjackDecision]
) -> None:
    found = oracle.joint_ways(decide, rules_of(options))
    assert cells(joint_law(options, decide)) == found[options.war_ace]


# ------------------------------------------------------------------------------------- figures


@pytest.mark.parametrize(
    "options",
    [
        HIT_SOFT_17,
        *(pytest.param(one, marks=pytest.mark.soak) for one in (STAND_SOFT_17, ACE_LOW_HIT)),
        ACE_LOW_STAND,
    ],
    ids=named,
)
def test_each_bet_by_itself_is_what_it_is_alone(options: BonusOptions) -> None:
    law, figures = joint_law(options), blackjack(options).figures()
    assert law.probability(war=True) == WAR_NOT_LOST
    assert law.probability(poker=WINNING) == POKER_WON
    assert law.probability(blackjack=True) == figures.not_lose
    assert law.blackjack_law() == {
        net: Fraction(ways, figures.law.total) for net, ways in figures.law.counts.items() if ways
    }
    assert law.probability() == 1


@pytest.mark.clause("TSB-26")
@pytest.mark.parametrize(
    "options",
    [*PRINTED_RULES[:1], *(pytest.param(one, marks=pytest.mark.soak) for one in PRINTED_RULES[1:])],
    ids=named,
)
def test_the_hat_trick_is_no_product(options: BonusOptions) -> None:
    law, other = joint_law(options), forward(rules_of(options))[options.war_ace]
    joint = law.probability(war=True, blackjack=True, poker=WINNING)
    assert joint == share(other, 0, 1, 2)
    assert joint != WAR_NOT_LOST * POKER_WON * law.probability(blackjack=True)
    assert law.probability(war=True, blackjack=True) == share(other, 0, 1)
    assert law.probability(war=True, poker=WINNING) == share(other, 0, 2)
    assert law.probability(blackjack=True, poker=WINNING) == share(other, 1, 2)
    for pair in combinations(range(3), 2):
        assert share(other, *pair) != share(other, pair[0]) * share(other, pair[1])


@pytest.mark.clause("TSB-26")
def test_the_known_probability_of_the_hat_trick() -> None:
    joint = joint_law(HIT_SOFT_17).probability(war=True, blackjack=True, poker=WINNING)
    assert round(float(joint), 6) == 0.125146
    # 400,000 rounds dealt gave 0.12569, with a standard error of 0.00052.
    assert abs(float(joint) - 0.12569) < 2 * 0.00052


def test_the_rank_of_the_ace_and_soft_17_matter() -> None:
    """Each shows where the other has no part: soft 17 beside War, the Ace of War beside it."""
    one, other = joint_law(HIT_SOFT_17), joint_law(ACE_LOW_STAND)
    for legs in ({"war": True}, {"blackjack": True}, {"war": True, "blackjack": True}):
        law, changed = (found.probability(**legs, poker=WINNING) for found in (one, other))
        assert law != changed, legs


@pytest.mark.soak
def test_no_two_of_the_printed_rules_have_the_same_hat_trick() -> None:
    joint = {
        named(options): joint_law(options).probability(war=True, blackjack=True, poker=WINNING)
        for options in PRINTED_RULES
    }
    assert len(set(joint.values())) == len(PRINTED_RULES)


@pytest.mark.soak
def test_the_law_follows_the_rules_that_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a hand over 21 costs half and a double triples the wager, the law says so.

    The walk over six cards has no pay of its own: it stays what is counted hand by hand.
    """
    # Counted before the rules are changed: what is kept must come from the rules as they are.
    decide, plain = blackjack(BonusOptions()).best, joint_law(BonusOptions())
    resolve = blackjack_rules.resolve

    def kinder(hand: blackjack_rules.Hand, *rest: Any) -> Verdict:
        if blackjack_rules.is_bust(hand.total):
            return loses("TSB-09", "over 21 costs half", HALF)
        return resolve(hand, *rest)

    monkeypatch.setattr(blackjack_rules, "resolve", kinder)
    monkeypatch.setattr(blackjack_rules, "stakes", lambda hand: 3 if hand.doubled else 1)
    game = Blackjack(BonusOptions())
    law, figures = _joint_law(game, BonusOptions(), decide), game.figures(decide)
    assert law.blackjack_law() == {
        net: Fraction(ways, figures.law.total) for net, ways in figures.law.counts.items() if ways
    }
    assert law.blackjack_law() != plain.blackjack_law()
    assert law.least == -6


# ------------------------------------------------------------------------- slices, dealt by hand


def decisions_for(
    deck: Sequence[str], rules: Rules, decide: Callable[[tuple[int, ...], int], str]
) -> list[str]:
    """What a player does with this deck."""
    points = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    kinds = [points.get(card[0], 0) or int(card[0]) for card in deck]
    up, hole, draws = kinds[1], kinds[3], kinds[4:]
    if {up, hole} == {1, 10} and rules.dealer_natural == "peek":
        return []
    held, made = [kinds[0], kinds[2]], list[str]()
    if sorted(held) == [1, 10]:
        return []
    while sum(held) <= 21 and len(held) < 6:
        made.append(decide(tuple(held.count(kind) for kind in range(1, 11)), up - 1))
        if made[-1] != "hit":
            break
        held.append(draws.pop(0))
    return made


def deal(
    rng: random.Random, first: str, up: str, rules: Rules, ace: str
) -> tuple[int, int, bool, bool]:
    """War, Blackjack net in half units, Poker won and Hat Trick won, of one round."""
    front = rng.choice(SUITS)
    start = [first + front, up + rng.choice([s for s in SUITS if first + front != up + s])]
    rest = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in start]
    deck = start + rng.sample(rest, 24)
    lines = settle_triple_shot_bonus(
        deck=deck,
        decisions=decisions_for(deck, rules, best(rules)),
        bets=dict.fromkeys(("war", "blackjack", "poker", "hat-trick"), 200),
        options={
            "dealer_soft_17": rules.dealer_soft_17,
            "dealer_natural": rules.dealer_natural,
            "split_ace_ten": rules.split_ace_ten,
            "war_ace": ace,
        },
    )
    net: Counter[str] = Counter()
    for bet, _, _, _, cents in lines:
        net[bet] += cents
    war = {-200: 0, -100: 1, 200: 2}[net["war"]]
    return war, net["blackjack"] // 100, net["poker"] > 0, net["hat-trick"] > 0


SLICES = [
    ("A", "T", HIT_SOFT_17),
    ("A", "6", ACE_LOW_STAND),
    ("7", "7", STAND_SOFT_17),
    ("J", "A", ACE_LOW_HIT),
]


@pytest.mark.clause("TSB-26")
@pytest.mark.parametrize(
    ("first", "up", "options"),
    [
        pytest.param(*SLICES[0], id="A-T"),
        pytest.param(*SLICES[1], id="A-6", marks=pytest.mark.soak),
        pytest.param(*SLICES[2], id="7-7", marks=pytest.mark.soak),
        pytest.param(*SLICES[3], id="J-A"),
    ],
)
def test_slices_are_what_is_dealt(first: str, up: str, options: BonusOptions) -> None:
    compare_with_dealing(first, up, options, 5_000)


@pytest.mark.soak
@pytest.mark.parametrize("options", [HIT_SOFT_17, *OTHER_CONVENTIONS], ids=named)
@pytest.mark.parametrize(("first", "up"), ["AA", "AT", "8K", "59"])
def test_slices_are_what_is_dealt_in_many_rounds(
    first: str, up: str, options: BonusOptions
) -> None:
    compare_with_dealing(first, up, options, 20_000)


def compare_with_dealing(first: str, up: str, options: BonusOptions, rounds: int) -> None:
    """Fails when rounds dealt from these two ranks are far from the slice of the law."""
    rules, ace = rules_of(options), options.war_ace
    firsts, ups = [RANKS.index(first)], [RANKS.index(up)]
    law = oracle.joint_ways(best(rules), rules, firsts, ups)[ace]
    assert law.total() == oracle.ways_with(firsts[0], ups[0])
    expected: Counter[tuple[int, int, bool, bool]] = Counter()
    for cell, ways in law.items():
        legs = not_lost(cell)
        expected[cell[0], cell[1], legs[2], all(legs)] += ways
    rng = random.Random(f"{first} against {up}")
    seen = Counter(deal(rng, first, up, rules, ace) for _ in range(rounds))
    assert not set(seen) - set(expected)
    within(sum(n for key, n in seen.items() if key[3]), share(law, 0, 1, 2), rounds)
    rare, rare_seen = Fraction(0), 0
    for key, ways in expected.items():
        chance = Fraction(ways, law.total())
        if chance * rounds >= 20:
            within(seen[key], chance, rounds)
        else:
            rare, rare_seen = rare + chance, rare_seen + seen[key]
    within(rare_seen, rare, rounds)


def within(seen: int, chance: Fraction, rounds: int) -> None:
    """Fails when what was seen is too far from what this chance lets expect."""
    expected = float(rounds * chance)
    assert abs(seen - expected) <= SIGMAS * sqrt(expected * (1 - chance)), (seen, expected)


@pytest.mark.soak
def test_slices_add_to_the_whole() -> None:
    rules = rules_of(HIT_SOFT_17)
    whole, parts = forward(rules)["high"], Counter[Cell]()
    for firsts in (range(5), range(5, 13)):
        for ups in (range(7), range(7, 13)):
            parts.update(oracle.joint_ways(best(rules), rules, firsts, ups)["high"])
    assert parts == whole


# ------------------------------------------------------------------- what the second method uses


@pytest.mark.parametrize(
    ("held", "up"),
    [
        ("5432A", "6"),
        ("8844", "T"),
        pytest.param("KQ53", "A", marks=pytest.mark.soak),
        ("AA9T", "5"),
        pytest.param("982", "9", marks=pytest.mark.soak),
    ],
)
def test_completing_cards_may_come_before_the_dealers(held: str, up: str) -> None:
    cards = tuple(sorted(RANKS.index(rank) for rank in held))
    literal = oracle.in_dealt_order(cards, RANKS.index(up), "hit")
    assert literal == oracle.in_changed_order(cards, RANKS.index(up), "hit")


SIXES = ["AKQJT9", "A65432", "A2345A", "JJ8765", "QQQ987", "KKTT22"]


@pytest.mark.parametrize("text", SIXES)
def test_suits_are_counted_as_if_each_choice_was_judged(text: str) -> None:
    """Suits are worth the same, so one choice for the lowest rank stands for all of them."""
    cards = tuple(sorted(RANKS.index(rank) for rank in text))
    lowest = cards.count(cards[0])
    made = judged(cards, SUITS[:lowest])
    assert {name: ways * comb(4, lowest) for name, ways in made.items()} == oracle.categories_of(
        cards
    )


@pytest.mark.soak
@pytest.mark.parametrize("text", SIXES)
def test_every_choice_of_suits_is_judged(text: str) -> None:
    cards = tuple(sorted(RANKS.index(rank) for rank in text))
    assert judged(cards) == oracle.categories_of(cards)


def judged(cards: tuple[int, ...], lowest: Sequence[str] | None = None) -> Counter[str]:
    """What each choice of suits makes; with `lowest` only those that give these to the lowest."""
    times = Counter(cards)
    ranks = sorted(times)
    return Counter(
        best_category(
            [RANKS[rank] + suit for rank, held in zip(ranks, suits, strict=True) for suit in held]
        )
        for suits in oracle.all_suits([times[rank] for rank in ranks])
        if lowest is None or suits[0] == "".join(lowest)
    )
