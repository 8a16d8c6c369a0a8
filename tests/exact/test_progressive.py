"""Progressives: returns, decisions and meters against slow counting."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, nan
from typing import Any

import numpy as np
import pytest

from houseway.cards import DECK, card_text, parse_cards, rank_of, suit_of
from houseway.cards.hands import FiveCard, ProgressiveThree
from houseway.exact.long_run import long_run
from houseway.exact.progressive import (
    AnteDecision,
    Meters,
    ProgressiveRow,
    ante_decision,
    house_edge,
    if_folded_not_eligible,
    progressive_row,
)
from houseway.exact.tabulate import card_mask, three_card_hands
from houseway.exact.three_card import AnteAnalysis, ante_analysis
from houseway.exact.winners import meter_winners, simultaneous
from houseway.games import game_of
from houseway.games.library import paytable_of
from houseway.games.progressive import share_cents
from houseway.house.meters import Meter, MeterSettings, award, contribute, opened
from houseway.house.money import MeterShare
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.rules.seat import read_house
from tests.oracles import masks
from tests.oracles.domains import canonical_hands, cards_in
from tests.oracles.five_cards import category5
from tests.oracles.settle import (
    ENVY_DOLLARS,
    PROGRESSIVE_FOR_1,
    PROGRESSIVE_SHARE,
    settle_three_card,
)
from tests.oracles.three_cards import category, rummy_points, strength

CODES = ("1", "2", "01", "ML01", "ML03")
LINK = ("01", "ML01", "ML03")
BASE_GAMES = ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy")
METERS: Meters = {"single": 100_000, "mega": 250_000, "major": 5_000, "minor": 500}


def table(code: str) -> PayTable:
    return paytable_of("three-card-poker", "progressive", code)


def meters_of(code: str) -> Meters:
    return {level: METERS[level] for level in table(code).levels}


@cache
def analysis_of(game: str) -> AnteAnalysis:
    found = game_of(game)
    options, tables = read_house(found, None, None, community=False)
    return ante_analysis(found, tables, options)


@cache
def three_card_counts() -> Counter[str]:
    """The rows of the three-card tables over all 22,100 hands, the long way."""
    return Counter(three_card_row(hand) for hand in combinations(DECK, 3))


def three_card_row(hand: tuple[int, ...]) -> str:
    words = [card_text(card) for card in hand]
    name = category(words)
    if name == "mini_royal":
        return "akq_spades" if words[0][1] == "s" else "akq_other"
    return name


@cache
def five_card_classes() -> tuple[tuple[tuple[int, ...], int, str], ...]:
    """Every five-card hand up to suits, how many it stands for, and its name, by masks."""
    return tuple(
        (cards_in(suits), weight, masks.category(suits)) for suits, weight in canonical_hands(5)
    )


@cache
def five_card_counts() -> Counter[str]:
    counts: Counter[str] = Counter()
    for _, weight, name in five_card_classes():
        counts[name] += weight
    return counts


def slow_probabilities(code: str) -> dict[str, Fraction]:
    counts, total = (
        (five_card_counts(), 2_598_960) if code in LINK else (three_card_counts(), 22_100)
    )
    paid = {**PROGRESSIVE_FOR_1[code], **PROGRESSIVE_SHARE[code]}
    return {name: Fraction(counts[name], total) for name in paid}


@pytest.mark.clause("PGM-19", "PNX-19", "PML-12")
@pytest.mark.parametrize("code", CODES)
def test_a_row_is_what_slow_counting_says(code: str) -> None:
    row = progressive_row(table(code))
    slow = slow_probabilities(code)
    fixed = sum(slow[name] * pay for name, pay in PROGRESSIVE_FOR_1[code].items())
    shares = PROGRESSIVE_SHARE[code]
    coefficients: dict[str, Fraction] = {}
    for name, (level, percent) in shares.items():
        coefficients[level] = coefficients.get(level, Fraction(0)) + slow[name] * percent / 100
    assert row.fixed_return == fixed
    assert row.hit_frequency == sum(slow.values())
    assert row.meter_coefficients == coefficients
    assert row.envy_per_other_hand == sum(
        slow[name] * dollars for name, dollars in ENVY_DOLLARS[code].items()
    )


@pytest.mark.clause("PML-12", "PML-04")
def test_five_card_hands_are_counted_as_everyone_counts_them() -> None:
    row = progressive_row(table("ML03"))
    assert {FiveCard(hand).name: p * 2_598_960 for hand, p in row.probabilities.items()} == {
        "ROYAL_FLUSH": 4,
        "STRAIGHT_FLUSH": 36,
        "FOUR_OF_A_KIND": 624,
        "FULL_HOUSE": 3_744,
        "FLUSH": 5_108,
        "STRAIGHT": 10_200,
        "THREE_OF_A_KIND": 54_912,
    }


@pytest.mark.clause("PGM-19")
def test_three_card_hands_are_counted_as_everyone_counts_them() -> None:
    row = progressive_row(table("1"))
    assert {ProgressiveThree(hand).name: p * 22_100 for hand, p in row.probabilities.items()} == {
        "AKQ_SPADES": 1,
        "AKQ_OTHER_SUIT": 3,
        "STRAIGHT_FLUSH": 44,
        "THREE_OF_A_KIND": 52,
        "STRAIGHT": 720,
    }
    assert row.fixed_return == Fraction(601, 1105)
    assert progressive_row(table("2")).fixed_return == Fraction(529, 1105)


@pytest.mark.clause("PGM-19", "PML-12")
@pytest.mark.parametrize(
    ("code", "dollars"), [("1", 10_080), ("2", 11_520), ("01", Fraction(3_050_080, 19))]
)
def test_at_the_break_even_meter_a_dollar_costs_nothing(code: str, dollars: Fraction) -> None:
    row = progressive_row(table(code))
    assert row.break_even_meter == dollars
    assert house_edge(row, {"single": dollars}, 100) == 0
    assert house_edge(row, {"single": dollars}, 200) > 0
    assert house_edge(row, {"single": dollars}, 100, other_hands=1) < 0


def test_several_meters_have_no_one_break_even() -> None:
    assert progressive_row(table("ML01")).break_even_meter is None
    assert progressive_row(table("ML03")).break_even_meter is None


@pytest.mark.clause("PML-12")
def test_the_edge_is_linear_in_every_meter() -> None:
    row = progressive_row(table("ML03"))
    returned = 1 - house_edge(row, meters_of("ML03"), 100)
    by_level = row.meter_coefficients.items()
    assert returned == row.fixed_return + sum(c * METERS[level] for level, c in by_level)


def test_a_share_does_not_grow_with_the_wager_unless_told() -> None:
    row = progressive_row(table("01"))
    at_five = 1 - house_edge(row, {"single": 100_000}, 500)
    assert at_five == row.fixed_return + row.meter_coefficients["single"] * 100_000 / 5
    scaled = Options(percent_pay_scaling="per_wager_unit")
    royal, straight_flush = (
        row.probabilities[FiveCard.ROYAL_FLUSH],
        row.probabilities[FiveCard.STRAIGHT_FLUSH],
    )
    returned = 1 - house_edge(row, {"single": 100_000}, 500, options=scaled)
    assert share_cents(MeterShare(Fraction(1, 10)), 10_000_000, 500, scaled) == 5_000_000
    # A royal cannot take more than there is; the straight flush takes half.
    pays = royal * 100_000 + straight_flush * 50_000
    assert returned == row.fixed_return + pays / 5


@pytest.mark.clause("PGM-17", "PML-13")
def test_envy_is_flat_on_three_cards_and_per_dollar_on_the_link() -> None:
    for code, expected in (("1", Fraction(1, 5)), ("01", Fraction(1))):
        row = progressive_row(table(code))
        alone = house_edge(row, {"single": 0}, 500)
        with_three = house_edge(row, {"single": 0}, 500, other_hands=3)
        assert alone - with_three == 3 * row.envy_per_other_hand * expected


def test_a_row_is_plain_data_with_the_fields_of_the_contract() -> None:
    row = progressive_row(table("01"), [analysis_of("three-card-poker")])
    data = row.to_json()
    folded = data.pop("if_folded_not_eligible")
    assert list(data) == [
        "bet",
        "paytable",
        "fixed_return",
        "hit_frequency",
        "meter_coefficients",
        "break_even_meter",
        "envy_per_other_hand",
        "probabilities",
    ]
    assert (data["bet"], data["paytable"]) == ("progressive", "01")
    assert Fraction(data["meter_coefficients"]["single"]) == row.meter_coefficients["single"]
    assert Fraction(data["probabilities"]["royal_flush"]) == Fraction(1, 649_740)
    assert set(folded) == {"three-card-poker"}
    assert Fraction(folded["three-card-poker"]["fixed_return"]) < row.fixed_return
    assert progressive_row(table("ML01")).to_json()["break_even_meter"] is None


# ------------------------------------------------------------------ folded hands not eligible

Q64 = strength(["Qc", "6d", "4h"])


@cache
def plays_slowly(game: str, hand: tuple[int, ...]) -> bool:
    """The best decisions that are known: Queen-6-4 or better, twenty points or fewer."""
    words = [card_text(card) for card in hand]
    return rummy_points(words) <= 20 if game == "triple-shot-rummy" else strength(words) >= Q64


@pytest.mark.clause("PGM-07", "PNX-09")
@pytest.mark.parametrize("code", ["1", "2"])
@pytest.mark.parametrize("game", ["three-card-poker", "triple-shot-rummy"])
def test_played_three_card_hands_are_counted_slowly(game: str, code: str) -> None:
    hands = combinations(DECK, 3)
    counts = Counter(three_card_row(hand) for hand in hands if plays_slowly(game, hand))
    row = if_folded_not_eligible(table(code), analysis_of(game))
    pays = PROGRESSIVE_FOR_1[code]
    fixed = sum(Fraction(counts[name], 22_100) * pay for name, pay in pays.items())
    assert row.fixed_return == fixed
    assert row.meter_coefficients == {"single": Fraction(1, 22_100)}
    # A Queen-high straight is folded in Rummy; every hand that pays is played in Poker.
    lost = game == "triple-shot-rummy" and code == "1"
    assert (row.fixed_return < progressive_row(table(code)).fixed_return) == lost


@pytest.mark.clause("PML-10")
@pytest.mark.parametrize("game", ["three-card-poker", "triple-shot-rummy"])
def test_played_five_card_hands_are_counted_slowly(game: str) -> None:
    """Of the ten ways to part five cards into a hand and a community, those that are played."""
    counts: Counter[str] = Counter()
    for cards, weight, name in five_card_classes():
        if name in PROGRESSIVE_FOR_1["01"] or name in PROGRESSIVE_SHARE["01"]:
            played = sum(plays_slowly(game, hand) for hand in combinations(cards, 3))
            counts[name] += weight * played
    row = if_folded_not_eligible(table("01"), analysis_of(game))
    assert {FiveCard(hand).name.lower(): p for hand, p in row.probabilities.items()} == {
        name: Fraction(count, 25_989_600) for name, count in counts.items()
    }


@cache
def canonical_numbers() -> dict[tuple[int, ...], int]:
    hands = three_card_hands()
    return {tuple(row): n for n, row in enumerate(hands.cards[hands.canonical].tolist())}


@cache
def to_canonical(hand: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The place of a hand's class, and the change of suits that makes the class's hand of it."""
    numbers = canonical_numbers()
    for suits in permutations(range(4)):
        changed = tuple(sorted(rank_of(card) * 4 + suits[suit_of(card)] for card in hand))
        if changed in numbers:
            return numbers[changed], suits
    raise AssertionError(hand)


@pytest.mark.clause("PML-10")
def test_in_face_up_the_up_card_is_no_community_card() -> None:
    """Five cards first, parted in ten ways, then each of the other 47 cards as the up card."""
    analysis = analysis_of("three-card-poker-face-up")
    plays = analysis.optimal()
    counts: Counter[str] = Counter()
    wanted = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house")
    for cards, weight, name in five_card_classes():
        if name not in wanted:
            continue
        for hand in combinations(cards, 3):
            place, suits = to_canonical(hand)
            counts[name] += weight * sum(
                bool(plays[place, rank_of(up) * 4 + suits[suit_of(up)]])
                for up in DECK
                if up not in cards
            )
    row = if_folded_not_eligible(table("01"), analysis)
    for name in wanted:
        expected = Fraction(counts[name], 25_989_600 * 47)
        assert row.probabilities[FiveCard[name.upper()]] == expected


# ------------------------------------------------------------------ the Ante decision


def decide(game: str, code: str) -> AnteDecision:
    return ante_decision(
        analysis_of(game), table(code), meters_of(code), ante_cents=500, wager_cents=100
    )


def slow_margin(game: str, code: str, hand: tuple[int, ...], up_card: int | None) -> Fraction:
    """What playing is worth above folding, in antes, over every dealer hand and community.

    The community is dealt from the 46 cards beside the player's and the dealer's.
    """
    player = [card_text(card) for card in hand]
    unseen = [card for card in DECK if card not in hand]
    dealers = [cards for cards in combinations(unseen, 3) if up_card in (None, *cards)]
    communities = list(combinations(unseen, 2))
    nets = [slow_net(game, player, dealer) for dealer in dealers]
    pays = [slow_pay(code, player, community) for community in communities]
    dealt, lying = (np.array([card_mask(cards) for cards in of]) for of in (dealers, communities))
    with_community, with_dealer = np.zeros(len(dealers), int), np.zeros(len(communities), int)
    for number, cards in enumerate(dealt):
        apart = (lying & cards) == 0
        with_community[number] = apart.sum()
        with_dealer += apart
    cases = int(with_dealer.sum())
    assert cases == len(dealers) * comb(46, 2)
    net = sum(a * int(b) for a, b in zip(nets, with_community, strict=True))
    pay = sum((a * int(b) for a, b in zip(pays, with_dealer, strict=True)), Fraction(0))
    return (Fraction(net, 500) + pay / 5) / cases + 1


def slow_net(game: str, player: list[str], dealer: tuple[int, ...]) -> int:
    words = [card_text(card) for card in dealer]
    lines = settle_three_card(game, player=player, dealer=words, bets={"ante": 500})
    return sum(line[3] for line in lines)


def slow_pay(code: str, player: list[str], community: tuple[int, ...]) -> Fraction:
    name = category5(player + [card_text(card) for card in community])
    if name not in PROGRESSIVE_SHARE[code]:
        return Fraction(PROGRESSIVE_FOR_1[code].get(name, 0))
    level, percent = PROGRESSIVE_SHARE[code][name]
    amounts = {str(known): amount for known, amount in METERS.items()}
    return Fraction(amounts[level]) * percent / 100


@pytest.mark.clause("PML-10", "PML-09")
@pytest.mark.parametrize(
    ("game", "code"), [("three-card-poker", "01"), ("triple-shot-rummy", "01")]
)
def test_a_changed_decision_is_worth_what_brute_force_says(game: str, code: str) -> None:
    changes = decide(game, code).changes
    change = changes[len(changes) // 2]
    assert slow_margin(game, code, change.cards, None) == change.gain > 0


def test_in_face_up_a_changed_decision_is_worth_what_brute_force_says() -> None:
    decision = decide("three-card-poker-face-up", "ML03")
    for change in decision.changes[::100]:
        margin = slow_margin("three-card-poker-face-up", "ML03", change.cards, change.up_card)
        assert margin == change.gain >= 0


def test_a_hand_that_stays_folded_is_better_folded() -> None:
    changed = {to_canonical(change.cards)[0] for change in decide("three-card-poker", "01").changes}
    hand = parse_cards("4c 8d Th")
    assert to_canonical(hand)[0] not in changed
    assert slow_margin("three-card-poker", "01", hand, None) < 0


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", BASE_GAMES)
def test_the_gain_is_the_sum_of_the_changes(game: str, code: str) -> None:
    analysis, decision = analysis_of(game), decide(game, code)
    cases = 22_100 * (49 if analysis.face_up else 1)
    gains = sum((Fraction(c.hands, cases) * c.gain for c in decision.changes), Fraction(0))
    assert decision.gain == gains >= 0
    row = if_folded_not_eligible(table(code), analysis)
    ante = analysis.law(analysis.optimal()).mean
    assert decision.base_value == ante - house_edge(row, meters_of(code), 100) / 5


@pytest.mark.clause("PGM-07")
def test_three_card_tables_change_only_straights_in_rummy() -> None:
    for game in BASE_GAMES:
        assert decide(game, "2").changes == ()
    assert decide("three-card-poker", "1").changes == ()
    straights = decide("triple-shot-rummy", "1").changes
    assert straights
    assert {category([card_text(c) for c in change.cards]) for change in straights} == {"straight"}


def test_a_change_is_plain_data() -> None:
    data = decide("three-card-poker-face-up", "01").to_json()
    first = data["changes"][0]
    assert Fraction(data["gain"]) == Fraction(data["value"]) - Fraction(data["base_value"])
    assert parse_cards(first["cards"] + " " + first["up_card"])


# ------------------------------------------------------------------ the long run


@pytest.mark.clause("PGM-04", "PRC-05")
def test_a_meter_with_whole_awards_pays_all_that_came_in() -> None:
    settings = MeterSettings(contribution_ppm=150_000, reserve_ppm=50_000, meter_seed_cents=500_000)
    run = long_run(progressive_row(table("1")), {"single": settings})
    level = run.levels["single"]
    assert level.wagers_between_hits == {"akq_spades": 22_100}
    assert level.mean_awards == {"akq_spades": 5_000 + Fraction(1, 5) * 22_100}
    assert level.reseed_cost == Fraction(5_000, 22_100)
    assert run.hold == 1 - Fraction(601, 1105) - Fraction(1, 5) - Fraction(5_000, 22_100)


@pytest.mark.parametrize("code", CODES)
def test_the_hold_is_the_edge_at_the_mean_meter(code: str) -> None:
    row = progressive_row(table(code))
    settings = MeterSettings(contribution_ppm=30_000, reserve_ppm=7_000, meter_seed_cents=100_000)
    run = long_run(row, dict.fromkeys(table(code).levels, settings), other_hands=2)
    means = {level: found.mean_meter for level, found in run.levels.items()}
    assert run.hold == house_edge(row, means, 100, other_hands=2)
    assert Fraction(run.to_json()["hold"]) == run.hold


def test_the_mean_award_with_tenths_is_where_the_meters_arithmetic_leads() -> None:
    """The law of the meter wager by wager, by `houseway.house.meters`, until it stands still."""
    whole, part, share = Fraction(3, 4), Fraction(1, 8), MeterShare(Fraction(1, 10))
    row = ProgressiveRow(
        pays=table("01"),
        probabilities={FiveCard.ROYAL_FLUSH: whole, FiveCard.STRAIGHT_FLUSH: part},
    )
    rates = {"contribution_ppm": 400_000, "reserve_ppm": 300_000}
    run = long_run(row, {"single": MeterSettings(**rates, meter_seed_cents=500)})
    # A wager of 10^10 cents stands for the dollar, so that whole cents do not matter.
    unit = 10**10
    settings = MeterSettings(**rates, meter_seed_cents=5 * unit)
    law = {opened(settings): Fraction(1)}
    mean = Fraction(0)
    for _ in range(10):
        after: dict[Meter, Fraction] = {}
        mean = Fraction(0)
        for before, p in law.items():
            meter = contribute(before, settings, unit)[0]
            shown = meter.shown_cents
            mean += p * Fraction(shown, unit)
            for then, chance in (
                (award(meter, settings, shown, whole=True)[0], whole),
                (award(meter, settings, share.of(shown), whole=False)[0], part),
                (meter, 1 - whole - part),
            ):
                after[then] = after.get(then, Fraction(0)) + p * chance
        law = after
    level = run.levels["single"]
    assert float(mean) == pytest.approx(float(level.mean_meter), abs=1e-4)
    assert level.mean_awards["royal_flush"] == level.mean_meter
    assert level.mean_awards["straight_flush"] == level.mean_meter / 10


# ------------------------------------------------------------------ several winners


@pytest.mark.clause("PGM-10", "PNX-11")
@pytest.mark.parametrize("code", ["1", "2"])
def test_nobody_shares_the_ace_king_queen_of_spades(code: str) -> None:
    assert meter_winners(table(code), 7) == (1 - Fraction(7, 22_100), Fraction(7, 22_100), *[0] * 6)
    assert simultaneous(table(code), 7) == 0


@pytest.mark.clause("PML-11", "PML-16")
@pytest.mark.parametrize("seats", range(1, 8))
def test_straight_flushes_on_both_sides_of_the_community(seats: int) -> None:
    """Eight suited cards in a row with the community in the middle: seven runs of four suits."""
    deals = 1326 * comb(50, 3) * comb(47, 3)
    expected = Fraction(comb(seats, 2) * 2 * 28, deals)
    assert simultaneous(table("01"), seats) == simultaneous(table("ML01"), seats) == expected


@pytest.mark.clause("PML-11", "PML-16")
def test_four_of_a_kind_brings_more_winners_together() -> None:
    """By hand: two fours of a kind, or one or two with straight flushes on the same community."""
    sets = {2: 78 * 16 + 2 * 400 + 28, 3: 400 + 2 * 28, 4: 28}
    deals = 1326 * comb(50, 3) * comb(47, 3)
    assert simultaneous(table("ML03"), 2) == Fraction(2 * sets[2], deals)
    of_three = Fraction(6 * sets[3], deals * comb(44, 3))
    of_four = Fraction(24 * sets[4], deals * comb(44, 3) * comb(41, 3))
    found = meter_winners(table("ML03"), 4)
    assert found[4] == of_four
    assert found[3] == 4 * of_three - 4 * of_four
    assert found[5:] == ()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("seats", [1, 4, 7])
def test_winners_are_as_many_as_the_hands_say(code: str, seats: int) -> None:
    winners = meter_winners(table(code), seats)
    slow = slow_probabilities(code)
    assert sum(winners) == 1
    assert min(winners) >= 0
    mean = sum(count * p for count, p in enumerate(winners))
    assert mean == seats * sum(slow[name] for name in PROGRESSIVE_SHARE[code])


# ------------------------------------------------------------------ what is refused


def test_what_is_no_meter_is_refused() -> None:
    row = progressive_row(table("ML01"))
    wrong: tuple[tuple[Any, Reason], ...] = (
        ({"mega": 1}, Reason.MISSING_METER),
        ({"mega": 1, "major": -1}, Reason.NEGATIVE_AMOUNT),
        ({"mega": nan, "major": 0}, Reason.NOT_AN_AMOUNT),
        ({"mega": 1, "major": 1, "minor": 1}, Reason.UNKNOWN_METER),
    )
    for meters, reason in wrong:
        with pytest.raises(Refused) as refused:
            house_edge(row, meters, 100)
        assert refused.value.reason is reason


def test_what_is_no_table_or_wager_is_refused() -> None:
    row = progressive_row(table("1"))
    for seats in (0, 8, True):
        with pytest.raises(Refused, match="1 to 7"):
            simultaneous(table("1"), seats)
    with pytest.raises(Refused, match="0 or more"):
        house_edge(row, {"single": 1}, 100, other_hands=-1)
    with pytest.raises(Refused) as refused:
        house_edge(row, {"single": 1}, 0)
    assert refused.value.reason is Reason.ZERO_AMOUNT


def test_a_long_run_needs_settings_without_a_cap() -> None:
    row = progressive_row(table("1"))
    with pytest.raises(Refused, match="pays from single"):
        long_run(row, {})
    with pytest.raises(Refused, match="without a cap"):
        long_run(row, {"single": MeterSettings(contribution_ppm=1, cap_cents=100)})
