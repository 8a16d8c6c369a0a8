"""Whole tables: covariances are counted in two ways, dealt at random and settled by the rules."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from houseway import Options, Refused, settle
from houseway.cards import DECK, parse_cards
from houseway.exact.hold import expected_hold
from houseway.exact.kernels import table as kernels
from houseway.exact.liability import maximum_liability
from houseway.exact.mix import whole_game_edge
from houseway.exact.pricing import par
from houseway.exact.sheet import ParRow, ParSheet
from houseway.exact.showdown_table import contest
from houseway.exact.spread import confidence_band, volatility_index
from houseway.exact.succession import poker_law, war_law
from houseway.exact.table import Covariance, WholeTable
from houseway.exact.tabulate import category_by_ranks, category_by_suit, three_card_hands
from houseway.exact.three_card import ante_analysis, pair_plus_law
from houseway.exact.three_card_seats import (
    BETS,
    Moments,
    SeatPrices,
    between_seats,
    seat_covariance,
    seat_moments,
    seat_prices,
    whole_table,
)
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.library import paytables_of
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason
from houseway.rules.seat import read_house

Ints = npt.NDArray[np.int64]

POKER, FACE_UP, RUMMY = GAMES = (
    "three-card-poker",
    "three-card-poker-face-up",
    "triple-shot-rummy",
)
ALL_BETS: dict[Bet, int] = {"ante": 1, "pair-plus": 1, "six-card-bonus": 1}
DEALERS = ("Kh 9c 4d", "Jh Th 2c", "7s 7d 7c")


@dataclass(frozen=True)
class House:
    game: Game
    tables: dict[Bet, PayTable]
    options: Options


def house(code: str, **options: str) -> House:
    game = game_of(code)
    chosen, tables = read_house(game, options, None, community=False)
    return House(game, tables, chosen)


@cache
def prices_of(code: str) -> SeatPrices:
    found = house(code)
    return seat_prices(found.game, found.tables, found.options)


@cache
def moments_of(code: str) -> Moments:
    return seat_moments(prices_of(code))


@cache
def table_of(code: str) -> WholeTable:
    found = house(code)
    if code == RUMMY:
        # Both covariances may be asked for one by one as well.
        return WholeTable(
            seat_covariance(found.game, found.tables, found.options),
            between_seats(found.game, found.tables, found.options),
        )
    return whole_table(found.game, found.tables, found.options)


def number_of(text: str) -> int:
    """The place of a hand among all three-card hands."""
    wanted = np.sort(np.array(parse_cards(text)))
    return int(np.flatnonzero((three_card_hands().cards == wanted).all(axis=1))[0])


@cache
def sheet_of(code: str) -> ParSheet:
    tables = house(code).tables
    asked = ("ante-bonus", "pair-plus", "six-card-bonus")
    return par(code, None, {bet: tables[bet].code for bet in asked if bet in tables})


@cache
def within_of(code: str) -> Covariance:
    """The covariances of one seat; those between two of Face Up take long."""
    if code == FACE_UP:
        found = house(code)
        return seat_covariance(found.game, found.tables, found.options)
    return table_of(code).within


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("bet", BETS)
def test_a_bet_alone_varies_as_its_par_row_says(code: str, bet: Bet) -> None:
    law = sheet_of(code).row(bet).law
    prices, place = prices_of(code), BETS.index(bet)
    moments = moments_of(code)
    assert Fraction(moments.firsts[place], moments.cases * prices.scales[place]) == law.mean
    assert within_of(code)[bet, bet] == law.variance


@pytest.mark.parametrize("code", [POKER, pytest.param(FACE_UP, marks=pytest.mark.soak)])
def test_dealer_by_dealer_gives_what_player_by_player_gives(code: str) -> None:
    """The joint counts run over players' hands, the nets over dealers' hands and up cards."""
    prices, hands = prices_of(code), three_card_hands()
    moments = moments_of(code)
    views = prices.views(hands.canonical)
    sums = np.zeros((4, 4), dtype=np.int64)
    # Whole numbers far below 2**53, so floats are exact here and multiply much faster.
    worth = np.ones((18_424, 4))
    for dealer, weight, seen in zip(hands.canonical, hands.weight, views, strict=True):
        for view in seen:
            worth[:, :3] = prices.against(int(dealer), int(view))[1]
            sums += (worth.T @ worth).astype(np.int64) * weight
    assert sums[3, 3] == moments.cases == 22_100 * 18_424 * (3 if code == FACE_UP else 1)
    assert sums[3, :3].tolist() == moments.firsts
    assert sums[:3, :3].tolist() == moments.seconds


@pytest.mark.parametrize("code", GAMES)
def test_nets_are_what_the_rules_pay(code: str) -> None:
    prices, hands = prices_of(code), three_card_hands()
    rng = np.random.default_rng(5)
    for text in DEALERS:
        dealer = hands.cards[number_of(text)].tolist()
        up = int(dealer[1]) if prices.face_up else 0
        players, nets = prices.against(number_of(text), up)
        for place in rng.choice(players.size, 150, replace=False):
            hand = int(players[place])
            decision = "play" if prices.decisions[up, hand] else "fold"
            settled = settle(
                code,
                player=hands.cards[hand].tolist(),
                dealer=dealer,
                bets=dict.fromkeys(BETS, 100),
                decision=decision,
            )
            paid = dict.fromkeys(BETS, 0)
            for line in settled.lines:
                paid[line.bet if line.bet in BETS else "ante"] += line.net
            scaled = [
                Fraction(net, scale) * 100
                for net, scale in zip(nets[place].tolist(), prices.scales, strict=True)
            ]
            assert scaled == list(paid.values())


def test_face_up_decisions_hold_for_any_suits() -> None:
    """For hands of any suits the better decision against an up card, found anew each time."""
    found, hands = house(FACE_UP), three_card_hands()
    prices = prices_of(FACE_UP)
    faced = contest(found.game, found.options)
    units = ante_analysis(found.game, found.tables, found.options).units
    rng = np.random.default_rng(11)
    asked = rng.choice(22_100, 400, replace=False)
    decided = []
    for hand in asked:
        held = set(hands.cards[hand].tolist())
        up = int(rng.choice([card for card in DECK if card not in held]))
        apart = ~np.isin(hands.cards, list(held)).any(axis=1)
        dealers = apart & (hands.cards == up).any(axis=1)
        facts = faced.facts[faced.hand_class[hand], faced.hand_class[dealers]]
        assert facts.size == 1128
        best = units[hands.class_of[hand], facts].sum() >= -facts.size
        assert prices.decisions[up, hand] == best
        decided.append(bool(best))
    assert 50 < sum(decided) < 350


def test_sums_of_pairs_are_those_of_a_double_loop() -> None:
    """Every pair of the 18,424 hands that a dealer's hand leaves, looked at one by one."""
    prices, dealer = prices_of(FACE_UP), number_of(DEALERS[0])
    views = prices.views(np.array([dealer]))[0].tolist()
    players, _ = prices.against(dealer, views[0])
    masks = three_card_hands().masks[players]
    nets = np.hstack([prices.against(dealer, view)[1] for view in views]).astype(np.float64)
    half = np.zeros((9, 9))
    pairs = 0
    for start in range(0, players.size, 50):
        # Each pair once: with those that come after it, in the block and behind it.
        block, rest = slice(start, start + 50), slice(start, None)
        apart = np.triu((masks[block, None] & masks[None, rest]) == 0, 1)
        pairs += 2 * int(np.count_nonzero(apart))
        half += nets[block].T @ (apart.astype(np.float64) @ nets[rest])
    direct = half + half.T
    assert pairs == 18_424 * 15_180
    assert np.abs(direct).max() < 2**53
    by_view = sum(np.triu(direct[n : n + 3, n : n + 3]) for n in (0, 3, 6))
    counted = prices.sums_of_pairs(np.array([dealer]))[0]
    assert np.array_equal(by_view, counted)
    assert counted[0, 0] != direct[0, 0] * 3


def test_kernels_without_compilation_say_the_same() -> None:
    prices, hands = prices_of(POKER), three_card_hands()
    plain_nets: Any = kernels.seat_nets
    plain_sums: Any = kernels._add_disjoint_products
    dealer = number_of(DEALERS[2])
    players = np.zeros(18_424, dtype=np.int64)
    nets = np.zeros((18_424, 3), dtype=np.int64)
    found = plain_nets.py_func(
        dealer,
        0,
        hands.masks,
        hands.triple,
        hands.suited,
        prices.found.hand_class,
        prices.found.facts,
        category_by_ranks(),
        category_by_suit(),
        hands.class_of,
        prices.decisions,
        prices.by_hand,
        prices.by_category,
        players,
        nets,
    )
    compiled = prices.against(dealer, 0)
    assert found == players.size
    assert np.array_equal(players, compiled[0])
    assert np.array_equal(nets, compiled[1])
    sums = np.zeros((3, 3), dtype=np.int64)
    two = np.zeros((52, 52, 3), dtype=np.int64)
    plain_sums.py_func(found, players, hands.cards, nets, two, sums)
    assert np.array_equal(sums, prices.sums_of_pairs(np.array([dealer]))[0])


def test_no_sum_can_leave_64_bits() -> None:
    """Terms of the inclusion and exclusion for three up cards are fewer than what is checked."""
    terms = 18_424**2 + 49 * 1128**2 + 1176 * 47**2 + 18_424
    assert 3 * terms < 3 * 22_100 * 18_424
    found = house(POKER)
    large = {hand: replace_odds(odds) for hand, odds in found.tables["pair-plus"].pays.items()}
    tables = found.tables | {"pair-plus": replace(found.tables["pair-plus"], pays=large)}
    with pytest.raises(Refused) as refused:
        seat_covariance(found.game, tables, found.options)
    assert refused.value.reason is Reason.AMOUNT_TOO_LARGE


def replace_odds(odds: Any) -> Any:
    return replace(odds, numerator=odds.numerator * 100_000)


def dealt_nets(rounds: int, seats: int, rng_seed: int) -> npt.NDArray[np.float64]:
    """nets[round, seat, bet] of rounds of Three Card Poker dealt at random."""
    prices, hands = prices_of(POKER), three_card_hands()
    rng = np.random.default_rng(rng_seed)
    deck = np.tile(np.arange(52, dtype=np.int8), (rounds, 1))
    cards = rng.permuted(deck, axis=1)[:, : 3 * seats + 3].astype(np.int64)
    cards = np.sort(cards.reshape(rounds, seats + 1, 3), axis=2)
    place = np.zeros((52, 52, 52), dtype=np.int64)
    place[tuple(hands.cards.T)] = np.arange(22_100)
    dealt = place[cards[..., 0], cards[..., 1], cards[..., 2]]
    dealer, players = dealt[:, :1], dealt[:, 1:]
    facts = prices.found.facts[prices.found.hand_class[players], prices.found.hand_class[dealer]]
    classes = hands.class_of[players]
    by_hand = prices.by_hand[:, classes, prices.decisions[0, players], facts]
    held = hands.masks[players] | hands.masks[dealer]
    flush = np.zeros(players.shape, dtype=np.int8)
    for suit in range(4):
        ranks = (held >> np.uint64(13 * suit)) & np.uint64(8191)
        flush = np.maximum(flush, category_by_suit()[ranks])
    category = np.maximum(flush, category_by_ranks()[hands.triple[players], hands.triple[dealer]])
    nets = np.stack([*by_hand, prices.by_category[category]], axis=-1)
    worth: npt.NDArray[np.float64] = nets / np.array(prices.scales)
    return worth


def test_covariances_agree_with_rounds_dealt_at_random() -> None:
    """The standard errors are exact: a sample without a royal flush would give them too small."""
    rounds = 200_000
    nets = dealt_nets(rounds, 3, 20_240_817)
    prices, whole = prices_of(POKER), table_of(POKER)
    means = [-float(sheet_of(POKER).row(bet).house_edge) for bet in BETS]
    squared = replace(prices, by_hand=prices.by_hand**2, by_category=prices.by_category**2)
    squares = seat_moments(squared)
    hands = three_card_hands()
    pairs = (squared.sums_of_pairs(hands.canonical) * hands.weight[:, None, None]).sum(axis=0)
    assert prices.scales == (1, 1, 1)
    for a, bet in enumerate(BETS):
        for b, other in list(enumerate(BETS))[a:]:
            within = squares.seconds[a][b] / squares.cases
            between = pairs[a, b] / (22_100 * 18_424 * 15_180)
            for seat, exact, square in ((0, whole.within, within), (1, whole.between, between)):
                expected = float(exact[bet, other]) + means[a] * means[b]
                error = sqrt(square - expected**2) / sqrt(rounds)
                found = (nets[:, 0, a] * nets[:, seat, b]).mean()
                assert abs(found - expected) < 5 * error, (bet, other, seat)


def test_a_table_of_five_varies_as_rounds_dealt_at_random_do() -> None:
    rounds = 200_000
    total = dealt_nets(rounds, 5, 77)[:, :, :2].sum(axis=(1, 2))
    square = (total - total.mean()) ** 2
    variance = float(table_of(POKER).variance(5, {"ante": 1, "pair-plus": 1}))
    assert abs(square.mean() - variance) < 5 * square.std() / sqrt(rounds)


@pytest.mark.parametrize("code", [POKER, pytest.param(FACE_UP, marks=pytest.mark.soak), RUMMY])
def test_seats_move_together(code: str) -> None:
    """One dealer's hand decides every Ante; a good one loses them and helps every 6 Card Bonus."""
    between = table_of(code).between
    assert between["ante", "ante"] > Fraction(2, 5)
    assert between["pair-plus", "pair-plus"] > 0
    assert between["six-card-bonus", "six-card-bonus"] > 0
    assert between["ante", "six-card-bonus"] < 0
    for bet in BETS:
        assert between[bet, bet] < table_of(code).within[bet, bet]
        for other in BETS:
            assert between[bet, other] == between[other, bet]
            assert table_of(code).within[bet, other] == table_of(code).within[other, bet]


@pytest.mark.parametrize("games", [(POKER, RUMMY), pytest.param(GAMES, marks=pytest.mark.soak)])
def test_bonus_bets_do_not_look_at_the_contest(games: tuple[str, ...]) -> None:
    """The same tables of two bonus bets vary together alike in every game."""
    for a in BETS[1:]:
        for b in BETS[1:]:
            assert len({table_of(code).between[a, b] for code in games}) == 1
            assert len({within_of(code)[a, b] for code in GAMES}) == 1


@pytest.mark.soak
def test_a_seat_of_a_whole_table_of_face_up_varies_as_one_alone() -> None:
    assert table_of(FACE_UP).within == within_of(FACE_UP)


def test_a_fold_that_costs_pair_plus_is_counted() -> None:
    """Rummy folds some flushes; where that gives up Pair Plus it is worth less."""
    plain, costly = house(RUMMY), house(RUMMY, pair_plus_after_fold="forfeit")
    moments = [
        seat_moments(seat_prices(found.game, found.tables, found.options))
        for found in (plain, costly)
    ]
    assert moments[1].firsts[0] == moments[0].firsts[0]
    assert moments[1].firsts[1] < moments[0].firsts[1]
    plays = ante_analysis(costly.game, costly.tables, costly.options).optimal()
    law = pair_plus_law(costly.game, costly.tables["pair-plus"], costly.options, plays)
    assert Fraction(moments[1].firsts[1], moments[1].cases) == law.mean
    within = seat_covariance(costly.game, costly.tables, costly.options)
    assert within["pair-plus", "pair-plus"] == law.variance


def test_the_standard_deviation_of_a_table() -> None:
    whole = table_of(POKER)
    ante = sheet_of(POKER).row("ante").law
    assert whole.standard_deviation(1, {"ante": 1}) == ante.standard_deviation
    two = 2 * (ante.variance + whole.between["ante", "ante"])
    assert whole.variance(2, {"ante": 1}) == two
    assert whole.variance(2, {"ante": 10}) == 100 * two
    assert whole.variance(7, ALL_BETS | {"pair-plus": 0}) == whole.variance(
        7, {"ante": 1, "six-card-bonus": Fraction(1)}
    )
    seven = whole.standard_deviation(7, {"ante": 1})
    assert round(seven, 4) == 6.3719
    # Seats that had nothing in common would vary by the root of seven only.
    assert seven > 1.4 * sqrt(7) * ante.standard_deviation


def test_the_edge_of_a_mix_of_wagers() -> None:
    rows = {bet: sheet_of(POKER).row(bet) for bet in BETS}
    ante, bonus = rows["ante"].house_edge, rows["pair-plus"].house_edge
    assert whole_game_edge(rows, {"ante": 5}) == ante
    assert whole_game_edge(rows, {"ante": 2, "pair-plus": 1}) == (2 * ante + bonus) / 3
    assert whole_game_edge(rows, {"ante": 0, "pair-plus": 1}) == bonus


@pytest.mark.parametrize("power", range(3, 8))
def test_confidence_bands(power: int) -> None:
    low, high = confidence_band(Fraction(1, 20), 2.0, 10**power, 0.95)
    half = 1.959963984540054 * 2.0 / sqrt(10**power)
    assert low == pytest.approx(0.05 - half)
    assert high == pytest.approx(0.05 + half)


def test_the_band_of_a_thousand_rounds_holds_most_averages() -> None:
    law = sheet_of(POKER).row("ante").law
    averages = dealt_nets(100_000, 1, 3)[:, 0, 0].reshape(100, 1000).mean(axis=1)
    low, high = confidence_band(law.mean, law.standard_deviation, 1000, 0.90)
    inside = int(((averages > low) & (averages < high)).sum())
    assert 75 <= inside <= 100


def test_the_volatility_index() -> None:
    assert volatility_index(1.0) == pytest.approx(1.6448536269514722)
    assert volatility_index(3.0, 0.95) == pytest.approx(3 * 1.959963984540054)
    assert volatility_index(0.0, 0.99) == 0
    band = confidence_band(0, 3.0, 1, 0.95)
    assert band.high == volatility_index(3.0, 0.95)


def test_the_hold_of_a_visit() -> None:
    visit: dict[str, Any] = {"decisions_per_hour": 40, "hours": 2, "average_bet": 10, "buy_in": 200}
    assert expected_hold(house_edge=Fraction(1, 20), **visit) == Fraction(1, 5)
    assert expected_hold(house_edge=Fraction(1, 20), **(visit | {"buy_in": 30})) == 1
    assert expected_hold(house_edge=Fraction(-1, 20), **visit) == Fraction(-1, 5)


@pytest.mark.clause("TSB-24")
def test_the_choice_of_a_table_moves_the_expected_hold() -> None:
    """Two hours of 40 rounds at War and Poker; the buy-in is 20 first wagers."""
    holds = []
    for paytable in paytables_of("triple-shot-bonus", "poker"):
        rows: dict[Bet, ParRow] = {
            "war": ParRow(bet="war", paytable=None, law=war_law(BonusOptions())),
            "poker": ParRow(bet="poker", paytable=paytable.code, law=poker_law(paytable)),
        }
        edge = whole_game_edge(rows, {"war": 5, "poker": 5})
        holds.append(
            expected_hold(
                house_edge=edge, average_bet=10, decisions_per_hour=40, hours=2, buy_in=200
            )
        )
    assert len(set(holds)) == len(holds) > 1
    assert all(Fraction(15, 100) < hold < Fraction(25, 100) for hold in holds)


@pytest.mark.parametrize("code", [POKER, pytest.param(RUMMY, marks=pytest.mark.soak)])
def test_one_seat_can_cost_what_its_best_hand_pays(code: str) -> None:
    found, prices = house(code), prices_of(code)
    liability = maximum_liability(found.game, found.tables, found.options, 1, ALL_BETS)
    possible = prices.joint_counts() > 0
    scale = Fraction(1, prices.scales[0])
    assert prices.scales == (prices.scales[0],) * 3
    nets = prices.by_hand.sum(axis=0)[..., None] + prices.by_category
    assert liability.at_most == liability.reached == int(nets[possible].max()) * scale


def test_the_example_of_a_full_table_is_paid_by_the_rules() -> None:
    found = house(POKER)
    wagers: dict[Bet, int] = {"ante": 25, "pair-plus": 10, "six-card-bonus": 5}
    liability = maximum_liability(found.game, found.tables, found.options, 7, wagers)
    cards = [card for hand in (liability.dealer, *liability.players) for card in hand]
    assert len(set(cards)) == 24
    assert len(liability.players) == 7
    paid = sum(
        settle(
            POKER,
            player=hand,
            dealer=liability.dealer,
            bets={bet: stake * 100 for bet, stake in wagers.items()},
        ).net
        for hand in liability.players
    )
    assert paid == liability.reached * 100
    assert liability.reached <= liability.at_most
    # One royal flush at most, one more straight flush, and so on: far from seven times the best.
    assert liability.at_most < 2 * (5 * 1000 + 10 * 40 + 25 * 7)


def test_the_bound_on_seats_holds_against_every_deal_of_a_small_deck() -> None:
    rng = np.random.default_rng(8)
    hands = np.array(list(combinations(range(11), 3)))
    for _ in range(20):
        nets = np.sort(
            rng.choice([0, 1, 5, 30, 200], hands.shape[0], p=[0.5, 0.2, 0.15, 0.1, 0.05])
        )
        nets = nets[::-1]
        cards = rng.permutation(hands)
        limits, dealt = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
        kernels.bound_best_seats(cards, limits)
        kernels.deal_best_seats(cards, dealt)
        bits = (1 << cards).sum(axis=1)
        best = 0
        for a, b in combinations(range(hands.shape[0]), 2):
            if not bits[a] & bits[b]:
                third = nets[(bits & (bits[a] | bits[b])) == 0].max()
                best = max(best, int(nets[a] + nets[b] + third))
        assert nets[dealt].sum() <= best <= nets[limits].sum()


@pytest.mark.parametrize(
    ("seats", "wagers", "reason"),
    [
        (0, {"ante": 1}, Reason.BAD_ARGUMENT),
        (8, {"ante": 1}, Reason.BAD_ARGUMENT),
        (True, {"ante": 1}, Reason.BAD_ARGUMENT),
        (1, {"war": 1}, Reason.UNKNOWN_BET),
        (1, {"ante": -1}, Reason.NEGATIVE_AMOUNT),
        (1, {"ante": 0.5}, Reason.NOT_AN_AMOUNT),
        (1, {"ante": 0}, Reason.MISSING_BET),
        (1, {}, Reason.MISSING_BET),
    ],
    ids=str,
)
def test_what_no_table_has_is_refused(seats: int, wagers: Any, reason: Reason) -> None:
    found = house(POKER)
    with pytest.raises(Refused) as by_bound:
        maximum_liability(found.game, found.tables, found.options, seats, wagers)
    with pytest.raises(Refused) as by_spread:
        table_of(POKER).variance(seats, wagers)
    assert by_bound.value.reason is by_spread.value.reason is reason


def test_wagers_beyond_whole_numbers_are_refused() -> None:
    found = house(POKER)
    with pytest.raises(Refused) as refused:
        maximum_liability(found.game, found.tables, found.options, 7, {"six-card-bonus": 10**16})
    assert refused.value.reason is Reason.AMOUNT_TOO_LARGE


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"rounds": 1.5}, {"level": 0}, {"level": 1.0}, {"deviation": -1.0}]
)
def test_bands_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"deviation": 1.0, "rounds": 1000, "level": 0.9} | wrong
    with pytest.raises(Refused):
        confidence_band(0, given["deviation"], given["rounds"], given["level"])


@pytest.mark.parametrize("wrong", [{"hours": -1}, {"buy_in": 0}, {"average_bet": Fraction(-1)}])
def test_visits_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    visit: dict[str, Any] = {"decisions_per_hour": 40, "hours": 2, "average_bet": 10, "buy_in": 200}
    with pytest.raises(Refused):
        expected_hold(house_edge=Fraction(1, 20), **(visit | wrong))
