"""The coach: its values are the par sheet's, it sees no hidden card, and its players are legal."""

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from houseway.cards import DECK, parse_cards, rank_of
from houseway.exact.blackjack import KINDS, TEN_KIND, blackjack, hands_of, rank_of_kind
from houseway.exact.chart import decide as chart_decision
from houseway.exact.pricing import par
from houseway.exact.tabulate import three_card_hands
from houseway.exact.three_card import Plays, ante_analysis
from houseway.games import blackjack as rules
from houseway.games import codes, game_of
from houseway.games.contract import Hand, Seen
from houseway.games.three_card_poker_face_up import rules as face_up_rules
from houseway.games.triple_shot_bonus import chart
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import Player, carry_on, play_out
from houseway.live.round import act, legal
from houseway.live.shuffler import make_shuffle
from houseway.live.state import Round, open_round
from houseway.practice.coach import basic, decision_values, optimal
from houseway.refusal import Refused
from houseway.rules import lines
from houseway.rules.ruleset import Ruleset, make_ruleset
from tests import ROOT

POKER, FACE_UP, BONUS, RUMMY = codes()
ANTE: c.Bets = (("ante", 1000),)
BETS: dict[str, c.Bets] = {BONUS: (("war", 1000), ("blackjack", 1000), ("poker", 1000))}


@cache
def rules_of(game: str, *options: tuple[str, str]) -> Ruleset:
    return make_ruleset(game, dict(options))


def dealt(
    ruleset: Ruleset, randomness: random.Random, positions: int = 1, bets: c.Bets | None = None
) -> Round:
    """A round up to its first decision, or to its end where none is due."""
    code = ruleset.game.code
    table = open_round(ruleset, positions=positions)
    for position in range(1, positions + 1):
        table, _ = act(table, c.PlaceBets(position, bets or BETS.get(code, ANTE)))
    table, _ = act(table, c.LoadShuffle(make_shuffle(randomness, game_of(code).packet)))
    return carry_on(table)


def deciding(ruleset: Ruleset, bets: c.Bets | None = None) -> Round:
    """A round in its decisions, whose cards a test may put in place."""
    randomness = random.Random(5)
    while True:
        table = dealt(ruleset, randomness, bets=bets)
        if table.phase is Phase.DECISIONS and not table.offer:
            return table


def holding(table: Round, cards: tuple[int, ...], dealer: tuple[int, ...]) -> Round:
    """The round with other cards at position 1 and the dealer's."""
    seat = table.seat(1)._replace(cards=cards)
    if seat.hands:
        seat = seat._replace(hands=(Hand(cards),))
    return table._replace(seats=(seat, *table.seats[1:]), dealer=dealer)


def every_decision(game: str, *options: tuple[str, str]) -> Iterator[tuple[int, Round]]:
    """One hand of every class, in Face Up against every up card, with how many it stands for."""
    table = deciding(rules_of(game, *options))
    hands = three_card_hands()
    for number, weight in zip(hands.canonical.tolist(), hands.weight.tolist(), strict=True):
        a, b, c = hands.cards[number].tolist()
        free = [card for card in DECK if card not in (a, b, c)]
        for up in free if game == FACE_UP else free[:1]:
            others = [card for card in free[:3] if card != up]
            yield weight, holding(table, (c, a, b), (others[0], others[1], up))


@pytest.mark.parametrize(
    "game",
    [
        POKER,
        RUMMY,
        # With every up card that is 86,000 decisions; some are settled below.
        pytest.param(FACE_UP, marks=pytest.mark.soak),
    ],
)
def test_best_values_sum_to_the_house_edge(game: str) -> None:
    """Over all hands the mean of the best value is minus the edge, exactly."""
    best, cases = Fraction(0), 0
    for weight, table in every_decision(game):
        values = decision_values(table, 1)
        chosen = values[str(optimal(table, 1))]
        assert chosen == max(values.values())
        best += weight * chosen
        cases += weight
    assert best / cases == -par(game).row("ante").house_edge


@pytest.mark.parametrize(
    ("game", "options", "cost"),
    [
        (POKER, (), Fraction(0)),
        (RUMMY, (), Fraction(0)),
        (FACE_UP, (), Fraction(58_769, 101_792_600)),
        (FACE_UP, (("face_up_unqualified_play", "win_or_push"),), 0.00105),
        (FACE_UP, (("face_up_unqualified_play", "win"),), 0.0233),
    ],
)
def test_the_basic_player_costs_what_it_says(
    game: str, options: tuple[tuple[str, str], ...], cost: Fraction | float
) -> None:
    ruleset = rules_of(game, *options)
    analysis = ante_analysis(ruleset.game, ruleset.paytables, ruleset.options)
    lost = analysis.law(analysis.optimal()).mean - analysis.law(basic_plays(game)).mean
    assert lost == cost or abs(float(lost) - cost) < 0.00005
    if isinstance(cost, float):
        assert f"{cost * 100:.3g}%" in (face_up_rules.plays_by_thumb.__doc__ or "")


@cache
def basic_plays(game: str) -> Plays:
    """What the basic player does with every hand, in the shape of the analysis."""
    classes = len(three_card_hands().canonical)
    if game != FACE_UP:
        return np.array([basic(table, 1) == "play" for _, table in every_decision(game)])
    plays = np.zeros((classes, 52), dtype=bool)
    for number, (_, table) in enumerate(every_decision(game)):
        plays[number // 49, table.dealer[2]] = basic(table, 1) == "play"
    return plays


@pytest.mark.parametrize("peek", ["peek", "no_peek_all_bets", "no_peek_original_bets"])
def test_best_values_of_blackjack_sum_to_its_house_edge(peek: str) -> None:
    """First hands by their chances; naturals are settled by the rules without a decision."""
    ruleset = rules_of(BONUS, ("dealer_natural", peek))
    table = deciding(ruleset)
    game = blackjack(ruleset.options)
    pool = {kind: [card for card in DECK if _kind(card) == kind] for kind in range(KINDS)}
    mean = Fraction(0)
    for up in range(KINDS):
        for hand in hands_of(2):
            kinds = [kind for kind in range(KINDS) for _ in range(hand[kind])]
            chance, left = Fraction(len(pool[up]), 52), dict(pool)
            left[up] = pool[up][1:]
            cards = []
            for kind, unseen in zip(kinds, (51, 50), strict=True):
                chance *= Fraction(len(left[kind]), unseen)
                cards.append(left[kind][0])
                left[kind] = left[kind][1:]
            chance *= 1 if kinds[0] == kinds[1] else 2
            making = {0: TEN_KIND, TEN_KIND: 0}.get(up)
            natural = Fraction(len(left[making]), 49) if making is not None else Fraction(0)
            now = holding(table, (cards[0], cards[1]), (pool[up][0], 0))
            if rules.is_natural(rules.total_of(tuple(map(rank_of, cards))), 2):
                mean += chance * (1 - natural) * Fraction(3, 2)
                continue
            values = decision_values(now, 1)
            assert values[str(optimal(now, 1))] == max(values.values())
            best = max(values.values())
            mean += chance * (-natural + (1 - natural) * best if peek == "peek" else best)
    assert mean == game.figures().law.mean


def _kind(card: int) -> int:
    return next(k for k in range(KINDS) if _points(rank_of_kind(k)) == _points(rank_of(card)))


def _points(rank: int) -> int:
    return rules.rank_points(rank)


@pytest.mark.parametrize(
    ("game", "hand", "up"),
    [
        (POKER, "9h Qs 3s", None),
        (RUMMY, "9h Qs 3s", None),
        (FACE_UP, "Tc 7h 8h", "8s"),
        (FACE_UP, "Qc 9s 2s", "Qs"),
        (FACE_UP, "Ts 9s 7d", "9c"),
        (FACE_UP, "Kh 6h 5h", "Kc"),
    ],
)
def test_a_value_is_the_mean_of_all_the_settlements(game: str, hand: str, up: str | None) -> None:
    """Every hidden hand of the dealer, settled in cents by the lines that pay people."""
    ruleset = rules_of(game)
    found = ruleset.game
    a, b, c = parse_cards(hand)
    shown = () if up is None else parse_cards(up)
    unseen = [card for card in DECK if card not in (a, b, c, *shown)]
    nets = [
        sum(
            line.net
            for line in lines.seat_lines(
                found,
                Seen(own=(a, b, c), dealer=(*hidden, *shown), actions=("play",)),
                {"ante": 100},
                ruleset.paytables,
                ruleset.options,
            )
        )
        for hidden in combinations(unseen, 3 - len(shown))
    ]
    dealer = (unseen[0], unseen[1], *(shown or (unseen[2],)))
    table = holding(deciding(ruleset), (a, b, c), dealer)
    assert decision_values(table, 1)["play"] == Fraction(sum(nets), 100 * len(nets))


def test_pair_plus_that_a_fold_gives_up_counts_and_changes_no_decision() -> None:
    table = deciding(rules_of(POKER), (("ante", 1000), ("pair-plus", 500)))
    hands = three_card_hands()
    for cards in hands.cards[hands.canonical].tolist():
        now = holding(table, tuple(cards), table.dealer)
        values = decision_values(now, 1)
        assert values["fold"] == Fraction(-3, 2)
        assert values[str(optimal(now, 1))] == max(values.values())
        plain = holding(deciding_poker(), tuple(cards), table.dealer)
        [pays] = lines.seat_lines(
            plain.ruleset.game,
            Seen(own=tuple(cards)),
            {"pair-plus": 500},
            plain.ruleset.paytables,
            plain.options,
        )
        gained = values["play"] - decision_values(plain, 1)["play"]
        assert gained == Fraction(pays.net, 1000)


@cache
def deciding_poker() -> Round:
    return deciding(rules_of(POKER))


def test_insurance_is_worth_what_the_hole_cards_pay_and_is_never_taken() -> None:
    randomness = random.Random(3)
    seen = 0
    while seen < 20:
        table = dealt(rules_of(BONUS), randomness)
        if not table.offer:
            continue
        seen += 1
        known = (*table.seat(1).cards, table.dealer[0])
        nets = [
            lines.seat_lines(
                table.ruleset.game,
                Seen(dealer=(table.dealer[0], hole), actions=("insurance",)),
                {"blackjack": 100},
                table.ruleset.paytables,
                table.options,
            )[0].net
            for hole in DECK
            if hole not in known
        ]
        assert decision_values(table, 1) == {"insurance": Fraction(sum(nets), 100 * len(nets))}
        assert optimal(table, 1) is None
        assert basic(table, 1) is None


@pytest.mark.parametrize("game", codes())
def test_values_are_of_the_legal_decisions_and_hidden_cards_do_not_matter(game: str) -> None:
    """Hidden cards and cards to come in another order; a player cannot know the difference."""
    ruleset, randomness = rules_of(game), random.Random(11)
    for _ in range(150):
        table = dealt(ruleset, randomness, positions=2)
        if game == BONUS and table.offer:
            table, _ = act(table, c.CloseOffer("insurance"))
        while table.phase is Phase.DECISIONS:
            possible = [command for command in legal(table) if isinstance(command, c.Decide)]
            position = possible[0].position
            names = {command.decision for command in possible if command.position == position}
            values = decision_values(table, position)
            assert set(values) == names
            other = hidden_swapped(table, position, randomness)
            assert decision_values(other, position) == values
            assert optimal(other, position) == optimal(table, position)
            assert basic(other, position) == basic(table, position)
            worth = [values[str(player(table, position))] for player in (basic, optimal)]
            assert worth[0] <= worth[1] == max(values.values())
            table, _ = act(table, c.Decide(position, randomness.choice(sorted(names))))


def hidden_swapped(table: Round, position: int, randomness: random.Random) -> Round:
    """The round with every card that the position does not see exchanged for another."""
    assert table.shuffle is not None
    seen = set(table.seat(position).cards)
    seen |= {card for card, up in zip(table.dealer, table.dealer_up, strict=True) if up}
    hidden = [card for card in table.shuffle.cards if card not in seen]
    swap = dict(zip(hidden, randomness.sample(hidden, len(hidden)), strict=True))

    def swapped(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(swap.get(card, card) for card in cards)

    seats = tuple(
        seat._replace(cards=swapped(seat.cards)) if seat.position != position else seat
        for seat in table.seats
    )
    return table._replace(
        dealer=swapped(table.dealer),
        seats=seats,
        shuffle=table.shuffle._replace(cards=swapped(table.shuffle.cards)),
    )


def check_the_line_through_the_scores(runs: str, choice: str) -> None:
    ruleset = rules_of(RUMMY, ("ace_in_runs", runs), ("combination_choice", choice))
    analysis = ante_analysis(ruleset.game, ruleset.paytables, ruleset.options)

    def worth(most: int) -> Fraction:
        return analysis.law(analysis.where(lambda points: points <= most, ruleset.options)).mean

    assert max(range(17, 25), key=worth) == 20


def test_no_other_line_through_the_scores_of_rummy_is_better() -> None:
    check_the_line_through_the_scores("low", "lowest")


@pytest.mark.soak
@pytest.mark.parametrize("runs", ["low", "high_low", "wrap"])
@pytest.mark.parametrize("choice", ["lowest", "pair_first"])
def test_no_other_line_is_better_under_any_reading(runs: str, choice: str) -> None:
    check_the_line_through_the_scores(runs, choice)


def test_the_chart_costs_what_the_docstring_says() -> None:
    game = blackjack(rules_of(BONUS).options)
    cost = game.figures().law.mean - game.figures(chart_decision).law.mean
    assert f"{float(cost):.4%}" in (chart.decide.__doc__ or "")


@pytest.mark.parametrize("game", codes())
@pytest.mark.parametrize("player", [basic, optimal])
def test_rounds_play_themselves_out(game: str, player: Player) -> None:
    randomness = random.Random(7)
    for _ in range(60):
        table = play_out(dealt(rules_of(game), randomness, positions=3), player)
        assert table.phase is Phase.CLOSED
        assert table.money() == 0


@pytest.mark.parametrize("game", codes())
@pytest.mark.parametrize("player", [basic, optimal])
def test_a_player_is_refused_when_no_decision_is_due(game: str, player: Player) -> None:
    closed = play_out(dealt(rules_of(game), random.Random(7)), optimal)
    assert decision_values(closed, 1) == {}
    for table in (closed, open_round(rules_of(game))):
        with pytest.raises(Refused):
            player(table, 1)


WITHOUT_NUMPY = """
import random, sys
sys.modules["numpy"] = sys.modules["numba"] = None
from houseway.practice.coach import basic, optimal
from houseway.live.procedure import Player, play_out
from houseway.live.commands import LoadShuffle, PlaceBets
from houseway.live.round import act
from houseway.live.state import open_round
from houseway.rules.ruleset import make_ruleset
from houseway.live.shuffler import make_shuffle
for game, size, bets in (("triple-shot-bonus", 1, (("war", 100), ("blackjack", 100),
                         ("poker", 100))), ("triple-shot-rummy", 3, (("ante", 100),))):
    table = open_round(make_ruleset(game))
    table, _ = act(table, PlaceBets(1, bets))
    table, _ = act(table, LoadShuffle(make_shuffle(random.Random(2), size)))
    assert play_out(table, basic).over
    try:
        play_out(table, optimal)
    except ModuleNotFoundError as error:
        print(error)
"""


def test_the_basic_player_needs_no_extra_and_the_other_names_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=True, cwd=ROOT
    )
    told = done.stdout.splitlines()
    assert len(told) == 2
    assert all("install houseway with the extra 'fast'" in line for line in told)
