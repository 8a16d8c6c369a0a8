"""The par sheets of the three-card games against counts by inclusion and exclusion.

Every figure is compared as a fraction: nothing is rounded but what is printed.
"""

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from houseway.cards import card_text
from houseway.exact.pricing import par
from houseway.exact.sheet import ParSheet
from houseway.exact.tabulate import three_card_hands
from houseway.exact.three_card import AnteAnalysis, ante_analysis
from houseway.games import game_of
from houseway.house.options import parse_options
from houseway.rules.seat import read_house
from tests.oracles import exact_three_card as oracle
from tests.oracles.settle import settle_three_card
from tests.oracles.three_cards import RUMMY_VALUE, strength

POKER = "three-card-poker"
FACE_UP = "three-card-poker-face-up"
RUMMY = "triple-shot-rummy"
TIES = ("push", "lose", "win")
FACE_UP_PLAYS = ("compare", "win_or_push", "win")
RUNS = ("low", "high_low", "wrap")
CHOICES = ("lowest", "pair_first")

Case = tuple[str, oracle.Options, str | None]
CASES: tuple[Case, ...] = (
    *((POKER, (), code) for code in "ABC"),
    *((POKER, (("tie_rule", tie),), "A") for tie in TIES[1:]),
    *(
        (FACE_UP, (("face_up_unqualified_play", play), ("tie_rule", tie)), None)
        for play in FACE_UP_PLAYS
        for tie in (TIES if play == "compare" else ("push", "win"))
    ),
    *(
        (RUMMY, (("ace_in_runs", runs), ("combination_choice", choice)), None)
        for runs in RUNS
        for choice in CHOICES
    ),
)


@cache
def sheet(game: str, options: oracle.Options = ()) -> ParSheet:
    return par(game, dict(options))


AT_ONCE: tuple[Case, ...] = (
    (POKER, (), "A"),
    (POKER, (("tie_rule", "win"),), "A"),
    (FACE_UP, (("face_up_unqualified_play", "compare"), ("tie_rule", "push")), None),
    (FACE_UP, (("face_up_unqualified_play", "win_or_push"), ("tie_rule", "win")), None),
    (RUMMY, (("ace_in_runs", "low"), ("combination_choice", "lowest")), None),
    (RUMMY, (("ace_in_runs", "wrap"), ("combination_choice", "pair_first")), None),
)
"""The plainest and the oddest rules of each game; the cases between them take long."""
PLAIN: dict[str, oracle.Options] = {game: options for game, options, _ in AT_ONCE[::2]}
"""The rules of each game when no option is given, as the oracle has counted them already."""
assert {*AT_ONCE} <= {*CASES}
every_case = pytest.mark.parametrize(
    ("game", "options", "code"),
    [case if case in AT_ONCE else pytest.param(*case, marks=pytest.mark.soak) for case in CASES],
)


def analysis_of(game: str, options: oracle.Options, code: str | None) -> AnteAnalysis:
    found = game_of(game)
    paytables = None if code is None else {"ante-bonus": code}
    chosen, tables = read_house(found, dict(options), paytables, community=False)
    return ante_analysis(found, tables, chosen)


def simple_strategy(
    name: str, ante: oracle.Ante, game: str, options: oracle.Options
) -> oracle.Bools:
    """A plain strategy of the par sheet, played by the oracle's own ranking of hands."""
    found = oracle.classes_of(game, options)
    if name == "always_play":
        return ante.played(lambda _: True)
    if name in ("mimic_dealer", "queen_or_better"):
        return ante.played(lambda hand: bool(found.qualifies[found.of_hand[hand]]))
    if name == "queen_six_four_or_better":
        least = found.of_hand[oracle.hand_number()[frozenset({"Qc", "6d", "4h"})]]
        return ante.played(lambda hand: bool(found.of_hand[hand] >= least))
    most = int(name.removeprefix("score_").removesuffix("_or_less"))
    return ante.played(lambda hand: int(ante.label[hand]) <= most)


@every_case
def test_ante_is_what_inclusion_and_exclusion_give(
    game: str, options: oracle.Options, code: str | None
) -> None:
    ante = oracle.ante(game, options, code)

    # Each hand (and up card): what playing is worth, and whether it is played.
    analysis = analysis_of(game, options, code)
    hands = three_card_hands()
    number = oracle.hand_number()
    same = [
        number[frozenset(card_text(int(card)) for card in hands.cards[hand])]
        for hand in hands.canonical
    ]
    assert np.array_equal(analysis.value_of_playing(), ante.value()[same] * analysis.per_ante)
    assert np.array_equal(analysis.optimal() & ante.exists[same], ante.best()[same])

    # The whole game.
    row = sheet(game, options).row("ante", code)
    assert row.house_edge == ante.edge()
    assert dict(row.law.distribution) == ante.law()
    played = ante.play_frequency()
    assert row.element_of_risk == ante.edge() / (1 + played)
    assert row.extra["play_frequency"] == played
    assert row.extra["fold_frequency"] == 1 - played
    dealer_plays = oracle.dealer_plays_frequency(game, options)
    assert row.extra["dealer_plays_frequency"] == dealer_plays

    # Plain ways of playing it.
    simple = row.extra["simple_strategies"]
    assert isinstance(simple, dict)
    assert len(simple) >= 4
    for name, figures in simple.items():
        edge = ante.edge(simple_strategy(name, ante, game, options))
        assert figures == {"house_edge": edge, "cost": edge - ante.edge()}, name
        assert edge >= ante.edge()


def test_the_plain_rules_are_those_of_no_option() -> None:
    for game, options in PLAIN.items():
        usual = game_of(game).options()
        assert parse_options(dict(options), usual) == usual


def test_cards_of_the_oracle_are_named_in_the_order_of_the_deck() -> None:
    # Up cards are compared by their number, so the two decks must run alike.
    assert tuple(card_text(card) for card in range(52)) == oracle.CARDS


@pytest.mark.clause("TCP-25")
def test_three_card_poker_has_its_published_edges() -> None:
    published = {
        "A": (Fraction(686_689, 20_358_520), "3.37"),
        "B": (Fraction(3_672_957, 101_792_600), "3.61"),
        "C": (Fraction(778_809, 20_358_520), "3.83"),
    }
    for code, (edge, printed) in published.items():
        assert sheet(POKER).row("ante", code).house_edge == edge
        assert round(100 * edge, 2) == Fraction(printed)


@pytest.mark.clause("TCP-09")
def test_only_a_tie_that_pushes_gives_the_printed_par() -> None:
    edges = {t: sheet(POKER, (("tie_rule", t),)).row("ante", "A").house_edge for t in TIES}
    assert edges["win"] < edges["push"] < edges["lose"]
    assert [t for t in TIES if round(100 * edges[t], 2) == Fraction("3.37")] == ["push"]


@pytest.mark.parametrize("code", "ABC")
def test_queen_six_four_is_the_worst_hand_to_play(code: str) -> None:
    plays = analysis_of(POKER, (), code).optimal()
    hands = three_card_hands()
    least = strength(["Qc", "6d", "4h"])
    for place, hand in enumerate(hands.canonical):
        cards = [card_text(int(card)) for card in hands.cards[hand]]
        assert bool(plays[place]) == (strength(cards) >= least), cards


@pytest.mark.parametrize("tie", ["push", "lose"])
def test_ties_that_lose_leave_the_threshold_where_it_is(tie: str) -> None:
    ante = oracle.ante(POKER, (("tie_rule", tie),) if tie != "push" else PLAIN[POKER], "A")
    found = oracle.poker_classes()
    least = found.of_hand[oracle.hand_number()[frozenset({"Qc", "6d", "4h"})]]
    assert np.array_equal(ante.best(), found.of_hand >= least)


def test_ties_that_win_make_queen_six_three_of_three_suits_worth_playing() -> None:
    plays = analysis_of(POKER, (("tie_rule", "win"),), "A").optimal()
    hands = three_card_hands()
    least, sometimes = strength(["Qc", "6d", "4h"]), strength(["Qc", "6d", "3h"])
    for place, hand in enumerate(hands.canonical):
        cards = [card_text(int(card)) for card in hands.cards[hand]]
        suits = len({card[1] for card in cards})
        wanted = strength(cards) >= least or (strength(cards) == sometimes and suits == 3)
        assert bool(plays[place]) == wanted, cards


def test_rummy_hands_are_played_by_their_points() -> None:
    # The best decision depends on nothing but the score, and the sheet's best threshold is it.
    ante = oracle.ante(RUMMY, PLAIN[RUMMY], None)
    by_score: dict[int, set[bool]] = {}
    for label, plays in zip(ante.label, ante.best().tolist(), strict=True):
        by_score.setdefault(int(label), set()).add(plays)
    assert all(len(found) == 1 for found in by_score.values())
    most = max(score for score, found in by_score.items() if found == {True})
    simple = sheet(RUMMY).row("ante").extra["simple_strategies"]
    assert isinstance(simple, dict)
    assert simple[f"score_{most}_or_less"]["cost"] == 0
    assert most == max(RUMMY_VALUE.values()) * 2


@pytest.mark.parametrize(
    "play",
    [FACE_UP_PLAYS[0], *(pytest.param(one, marks=pytest.mark.soak) for one in FACE_UP_PLAYS[1:])],
)
def test_face_up_never_folds_a_pair_or_better(play: str) -> None:
    # So whether a fold gives up Pair Plus changes no figure of Pair Plus in Face Up.
    rules = (("face_up_unqualified_play", play), ("tie_rule", "push"))
    ante = oracle.ante(FACE_UP, rules, None)
    better = np.array([label != "high_card" for label in ante.label])
    assert np.array_equal(ante.best()[better], ante.exists[better])


@pytest.mark.parametrize(
    ("game", "codes", "rule"),
    [
        (POKER, "ABCD", "by_game"),
        (POKER, "ABCD", "stays"),
        (FACE_UP, "ABCD", "by_game"),
        (FACE_UP, "ABCD", "forfeit"),
        (RUMMY, "123456", "by_game"),
        (RUMMY, "123456", "forfeit"),
    ],
)
def test_pair_plus_has_the_edge_of_its_paytable(game: str, codes: str, rule: str) -> None:
    found = sheet(game, (("pair_plus_after_fold", rule),))
    forfeits = rule == "forfeit" or (rule == "by_game" and game == POKER)
    plays = oracle.ante(game, PLAIN[game]).best() if forfeits else None
    for code in codes:
        row = found.row("pair-plus", code)
        assert row.house_edge == oracle.pair_plus_edge(game, code, plays)
        # Only in Rummy may a fold give up a hand that Pair Plus pays: a high straight, say.
        costs = forfeits and game == RUMMY
        assert (row.house_edge > oracle.pair_plus_edge(game, code)) == costs


def test_the_oracle_settles_as_hands_are_settled() -> None:
    rng = random.Random(20_260)
    number = oracle.hand_number()
    for game, options, code in CASES:
        found = oracle.classes_of(game, options)
        nets = oracle.played_nets(game, options)
        for _ in range(100):
            cards = [oracle.CARDS[card] for card in rng.sample(range(52), 6)]
            player, dealer = cards[:3], cards[3:]
            lines = settle_three_card(
                game,
                player=player,
                dealer=dealer,
                bets={"ante": 100},
                decision="play",
                paytables={"ante-bonus": code or "A"},
                options=dict(options),
            )
            mine, theirs = (found.of_hand[number[frozenset(hand)]] for hand in (player, dealer))
            net = nets[mine, theirs] + oracle.ante_bonus(game, code, found.label[mine])
            assert sum(line[3] for line in lines) == 100 * net, (game, options, player, dealer)
