"""Dealt rounds, settled again: the simulator pays what `settle` and a second implementation pay.

The kernel writes down the cards it dealt. Every seat that is looked at is settled from these very
cards, decided by strategies that are written out here or read from a file, and compared to the
cent with what the outcome is worth.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from houseway import settle
from houseway.cards import make_card, parse_cards, rank_of, suit_of
from houseway.cards.hands import FiveCard, ProgressiveThree
from houseway.exact.blackjack import blackjack
from houseway.exact.chart import decide as printed_decision
from houseway.exact.strategy import strategy_document
from houseway.games.library import paytable_of
from houseway.games.progressive import judge
from houseway.games.triple_shot_bonus.rules import BonusOptions
from houseway.sim.bonus import BonusTable
from houseway.sim.job import Job, laid_out
from houseway.sim.plan import make_job
from houseway.sim.table import CATEGORIES, nets
from houseway.sim.way import Way
from tests.games.test_settle_against_oracle import (
    BONUS_OPTIONS,
    CODES,
    THREE_CARD_OPTIONS,
    some_options,
)
from tests.oracles import settle as oracle
from tests.oracles.five_cards import category5
from tests.oracles.three_cards import category, rummy_points, strength
from tests.sim import dealt

POKER, FACE_UP, RUMMY = "three-card-poker", "three-card-poker-face-up", "triple-shot-rummy"
THREE_CARD = (POKER, FACE_UP, RUMMY)
BONUS = "triple-shot-bonus"
OF_THE_ANTE = ("ante", "play", "ante-bonus")
Decides = Callable[[list[int], int], bool]


# ------------------------------------------------------------------ three cards: who plays what


def simple(game: str, options: dict[str, str]) -> Decides:
    """The rules of thumb, from their words."""

    def plays(cards: list[int], up: int) -> bool:
        hand = dealt.texts(cards)
        if game == RUMMY:
            aces, choice = options.get("ace_in_runs"), options.get("combination_choice")
            return rummy_points(hand, aces or "low", choice or "lowest") <= 20
        if game == POKER:
            return strength(hand) >= strength(["Qc", "6d", "4h"])
        shown = dealt.texts([up])[0]
        least = [shown[0] + "c", "9d", "2h"] if shown[0] in "JQKA" else ["Jc", "3d", "2h"]
        return strength(hand) >= strength(least)

    return plays


def from_file(game: str, options: dict[str, str], codes: dict[str, str]) -> Decides:
    """The best play as `houseway strategy` writes it, each hand found by changing its suits."""
    hands = strategy_document(game, options, codes)["hands"]

    def plays(cards: list[int], up: int) -> bool:
        for suits in permutations(range(4)):
            turned = [make_card(rank_of(c), suits[suit_of(c)]) for c in (*cards, up)]
            name = " ".join(dealt.texts(sorted(turned[:3])))
            if name in hands:
                return bool(
                    hands[name][turned[3]] == "P" if game == FACE_UP else hands[name] == "play"
                )
        raise AssertionError(f"the file does not name {dealt.texts(cards)}")

    return plays


def whimsical(game: str) -> Decides:
    return lambda cards, up: dealt.whimsical_play(cards, up if game == FACE_UP else None)


@cache
def whimsical_way(game: str) -> Way:
    return Way("whimsical", dealt.whimsical_plays(face_up=game == FACE_UP))


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """A house as `settle` is told of it, the job of simulating it, and who decides."""

    job: Job
    options: dict[str, str]
    codes: dict[str, str]
    bets: dict[str, int]
    decides: Any


def some_job(
    rng: random.Random,
    game: str,
    options: dict[str, str],
    codes: dict[str, str],
    bets: dict[str, int],
    seats: int,
    strategy: str,
) -> Job:
    """The job of such a house with any seed; a whim is put in the place of its way later."""
    named = "simple" if strategy == "whimsical" else strategy
    seed = rng.randrange(2**64)
    return make_job(game, options, codes, strategy=named, seats=seats, seed=seed, bets=bets)


def three_card_house(rng: random.Random, game: str, seats: int, strategy: str) -> House:
    options = some_options(rng, THREE_CARD_OPTIONS, game)
    codes = {bet: rng.choice(known) for bet, known in CODES[game].items()}
    bets = {b: rng.randint(1, 5000) for b in ("ante", "pair-plus", "six-card-bonus")}
    job = some_job(rng, game, options, codes, bets, seats, strategy)
    if strategy == "whimsical":
        return House(replace(job, way=whimsical_way(game)), options, codes, bets, whimsical(game))
    decides = simple(game, options) if strategy == "simple" else from_file(game, options, codes)
    return House(job, options, codes, bets, decides)


def some_of_each(rng: random.Random, outcomes: Any, besides: int) -> list[tuple[int, int]]:
    """Rounds and seats to look at: one of every outcome there is, and some more."""
    _, first = np.unique(outcomes, return_index=True)
    more = [rng.randrange(outcomes.size) for _ in range(besides)]
    seats = outcomes.shape[1]
    return [divmod(place, seats) for place in sorted({*first.tolist(), *more})]


def compare_three_card(house: House, rounds: int, besides: int, rng: random.Random) -> int:
    """Fails where a seat wins other cents than it is settled with; returns seats looked at."""
    job, table = house.job, laid_out(house.job).table
    last = 3 * job.seats
    found = dealt.deal(table, rounds, job.seed, cards=last + 3)
    by_bet: dict[str, Any] = {
        bet: nets(table, {bet: job.wagers[bet]}, job.tables, job.options) for bet in job.wagers
    }
    together = nets(table, job.wagers, job.tables, job.options)
    looked_at = some_of_each(rng, found.outcomes, besides)
    for number, seat in looked_at:
        cards = found.cards[number].tolist()
        assert len(set(cards)) == len(cards)
        player, dealer = cards[3 * seat : 3 * seat + 3], cards[last:]
        played = house.decides(player, dealer[0])
        call: dict[str, Any] = {
            "bets": house.bets,
            "decision": "play" if played else "fold",
            "paytables": house.codes,
            "options": house.options,
        }
        settled = settle(job.game, player=player, dealer=dealer, **call)
        lines = oracle.settle_three_card(
            job.game, player=dealt.texts(player), dealer=dealt.texts(dealer), **call
        )
        outcome = found.outcomes[number, seat]
        context = (number, seat, dealt.texts(player), dealt.texts(dealer), call)
        assert bool(table.folded[outcome]) != played, context
        assert int(together[outcome]) == settled.net == sum(line[3] for line in lines), context
        for bet in house.bets:
            names = OF_THE_ANTE if bet == "ante" else (bet,)
            paid = sum(line.net for line in settled.lines if line.bet in names)
            again = sum(net for name, _, _, net in lines if name in names)
            assert int(by_bet[bet][outcome]) == paid == again, (bet, context)
        judged = ProgressiveThree(int(table.hand_of[outcome]))
        assert judged is seen_by_the_progressive(dealt.texts(player)), context
    return len(looked_at)


def seen_by_the_progressive(hand: list[str]) -> ProgressiveThree:
    """What the three-card progressive looks at, from its paytables."""
    name = category(hand)
    if name == "mini_royal":
        name = "akq_spades" if hand[0][1] == "s" else "akq_other_suit"
    return ProgressiveThree.__members__.get(name.upper(), ProgressiveThree.NOTHING)


Houses = tuple[tuple[int, str], ...]
HOUSES: Houses = ((7, "whimsical"), (1, "simple"), (4, "optimal"), (7, "whimsical"))


@pytest.mark.parametrize(
    ("houses", "seats_dealt", "besides", "least"),
    [
        (HOUSES[:3], 8_000, 40, 200),
        pytest.param(HOUSES, 200_000, 350, 1500, marks=pytest.mark.soak),
    ],
    ids=["few", "many"],
)
@pytest.mark.parametrize("game", THREE_CARD)
def test_three_card_seats_win_what_they_are_settled_with(
    game: str, houses: Houses, seats_dealt: int, besides: int, least: int
) -> None:
    rng = random.Random(f"{game} dealt and settled")
    looked_at = 0
    for seats, strategy in houses:
        house = three_card_house(rng, game, seats, strategy)
        looked_at += compare_three_card(house, seats_dealt // seats, besides, rng)
    assert looked_at > least


@pytest.mark.parametrize("game", THREE_CARD)
def test_who_has_no_ante_never_folds(game: str) -> None:
    """Pair Plus alone is no hand to decide on: a fold cannot cost it."""
    rng = random.Random(f"{game} without an ante")
    wagers = {"pair-plus": 500, "six-card-bonus": 100}
    options = {"pair_plus_after_fold": "forfeit"}
    job = make_job(game, options, strategy="simple", seats=3, seed=5, bets=wagers)
    assert [row.bet for row in job.rows] == ["pair-plus", "six-card-bonus"]
    layout = laid_out(job)
    found = dealt.deal(layout.table, 40_000, job.seed, cards=12)
    for number, seat in some_of_each(rng, found.outcomes, 100):
        cards = found.cards[number].tolist()
        player, dealer = cards[3 * seat : 3 * seat + 3], cards[9:]
        settled = settle(game, player=player, dealer=dealer, bets=wagers, options=options)
        assert int(layout.nets[found.outcomes[number, seat]]) == settled.net


# ------------------------------------------------------------------------------ community cards


@pytest.mark.clause("PML-02", "PML-04")
@pytest.mark.parametrize("game", THREE_CARD)
def test_the_link_judges_a_seat_with_the_two_community_cards(game: str) -> None:
    rng = random.Random(f"{game} on the link")
    link = paytable_of(game, "progressive", "ML03")
    for seats in (1, 7):
        layout = laid_out(make_job(game, strategy="simple", seats=seats, seed=seats))
        width = 3 * seats + 5
        found = dealt.deal(layout.table, 200_000 // seats, 77, cards=width, community=True)
        for number, seat in some_of_each(rng, found.judged, 400):
            cards = found.cards[number].tolist()
            assert len(set(cards)) == width
            hand, community = tuple(cards[3 * seat : 3 * seat + 3]), tuple(cards[-2:])
            judged = FiveCard(int(found.judged[number, seat]))
            assert judged == judge(hand, community, link)
            assert judged.name.lower() == category5(dealt.texts(hand + community))
        without = dealt.deal(layout.table, 100, 77, cards=3 * seats + 3)
        assert (without.cards[0] == found.cards[0, : 3 * seats + 3]).all()


# ---------------------------------------------------------------------------- Triple Shot Bonus


def bonus_decides(strategy: str, options: dict[str, str]) -> Any:
    """A decision from cards and up card, as the oracles write them."""
    best = blackjack(BonusOptions(**options)).best if strategy == "optimal" else None  # type: ignore[arg-type]

    def decide(hand: list[str], up: str) -> str:
        held, shown = dealt.kinds_of(hand), dealt.kinds_of([up]).index(1)
        if best is not None:
            return best(held, shown)
        if strategy == "printed":
            return printed_decision(held, shown)
        if strategy == "whimsical":
            return dealt.whimsical_blackjack(held, shown)
        return "hit" if dealt._draws(hand, options.get("dealer_soft_17", "hit")) else "stand"

    return decide


def bonus_house(rng: random.Random, seats: int, strategy: str) -> House:
    options = some_options(rng, BONUS_OPTIONS, BONUS)
    codes = {"poker": rng.choice(("TSB-01", "TSB-02")), "hat-trick": rng.choice("96")}
    bets = {bet: rng.randint(2, 5000) for bet in ("war", "blackjack", "poker", "hat-trick")}
    job = some_job(rng, BONUS, options, codes, bets, seats, strategy)
    if strategy == "whimsical":
        job = replace(job, way=Way("whimsical", dealt.whimsical_codes(job.options)))
    return House(job, options, codes, bets, bonus_decides(strategy, options))


def compare_bonus(house: House, rounds: int, besides: int, rng: random.Random) -> int:
    """Fails where a seat wins other cents than it is settled with; returns seats looked at."""
    job, table = house.job, laid_out(house.job).table
    found = dealt.deal(table, rounds, job.seed, cards=52)
    by_bet: dict[str, Any] = {
        bet: nets(table, {bet: job.wagers[bet]}, job.tables, job.options) for bet in job.wagers
    }
    together = nets(table, job.wagers, job.tables, job.options)
    looked_at = some_of_each(rng, found.outcomes, besides)
    call: dict[str, Any] = {
        "bets": house.bets, "paytables": house.codes, "options": house.options
    }  # fmt: skip
    for number, seat in looked_at:
        cards = dealt.texts(found.cards[number])
        assert len(set(cards)) == 52
        seats, used = dealt.bonus_round(cards, job.seats, house.options, house.decides)
        assert used <= 52
        deck, decisions = seats[seat].deck, seats[seat].decisions
        settled = settle(BONUS, deck=" ".join(deck), decisions=decisions, **call)
        lines = oracle.settle_triple_shot_bonus(deck=deck, decisions=decisions, **call)
        outcome = found.outcomes[number, seat]
        context = (number, seat, deck, decisions, call)
        assert int(together[outcome]) == settled.net == sum(line[4] for line in lines), context
        for bet in house.bets:
            paid = sum(line.net for line in settled.lines if line.bet == bet)
            again = sum(line[4] for line in lines if line[0] == bet)
            assert int(by_bet[bet][outcome]) == paid == again, (bet, context)
    return len(looked_at)


BONUS_HOUSES: Houses = (
    (7, "whimsical"),
    (1, "whimsical"),
    (7, "printed"),
    (3, "simple"),
    (6, "optimal"),
)


@pytest.mark.parametrize(
    ("houses", "seats_dealt", "besides", "least"),
    [
        (BONUS_HOUSES[::2], 8_000, 40, 250),
        pytest.param(BONUS_HOUSES, 300_000, 300, 2000, marks=pytest.mark.soak),
    ],
    ids=["few", "many"],
)
def test_triple_shot_bonus_seats_win_what_they_are_settled_with(
    houses: Houses, seats_dealt: int, besides: int, least: int
) -> None:
    rng = random.Random("triple-shot-bonus dealt and settled")
    looked_at = 0
    for seats, strategy in houses:
        house = bonus_house(rng, seats, strategy)
        looked_at += compare_bonus(house, seats_dealt // seats, besides, rng)
    assert looked_at > least


@pytest.mark.clause("TSB-10")
def test_two_blackjacks_of_split_aces_are_paid_apart() -> None:
    """Each 3 to 2 of an odd wager loses half a cent, so the two together lose a whole one."""
    options = BonusOptions(split_ace_ten="blackjack")
    table = BonusTable(options, dealt.whimsical_codes(options), 1)
    tables = make_job(BONUS, options, strategy="simple").tables
    deck = parse_cards("Ah 6d As Ts Kh Qd 9c 8d 7s 4h")
    bets = {"war": 100, "blackjack": 101, "poker": 100}
    settled = settle(BONUS, deck=deck, decisions=["split"], bets=bets, options=options)
    paid = [line.net for line in settled.lines if line.bet == "blackjack"]
    assert paid == [151, 151]
    won = nets(table, {"blackjack": 101}, tables, options)
    three_units = (6 - table.least) * CATEGORIES
    assert int(won[three_units]) == 302


@pytest.mark.parametrize("game", [POKER, BONUS])
def test_pays_are_broken_down_by_the_policy_of_the_house(game: str) -> None:
    """Down to the chip: what `settle` hands over, the simulator counts."""
    rng = random.Random(f"{game} in chips")
    options = {"breakage": "down_to_chip", "smallest_chip": "5"}
    bets = {"ante": 1500, "pair-plus": 500, "six-card-bonus": 500}
    if game == BONUS:
        bets = {"war": 500, "blackjack": 1500, "poker": 2500, "hat-trick": 500}
    job = make_job(game, options, strategy="simple", seats=2, seed=3, bets=bets)
    layout = laid_out(job)
    found = dealt.deal(layout.table, 30_000, job.seed, cards=52 if game == BONUS else 9)
    for number, seat in some_of_each(rng, found.outcomes, 50):
        cards = dealt.texts(found.cards[number])
        call: dict[str, Any] = {"bets": bets, "options": options}
        if game == BONUS:
            seats, _ = dealt.bonus_round(cards, 2, {}, bonus_decides("simple", {}))
            deck, decisions = " ".join(seats[seat].deck), seats[seat].decisions
            settled = settle(game, deck=deck, decisions=decisions, **call)
        else:
            player, dealer = cards[3 * seat : 3 * seat + 3], cards[6:]
            played = strength(player) >= strength(["Qc", "6d", "4h"])
            decision = "play" if played else "fold"
            settled = settle(game, player=player, dealer=dealer, decision=decision, **call)
        assert int(layout.nets[found.outcomes[number, seat]]) == settled.net


# ----------------------------------------------------------------------------------- long tests


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", THREE_CARD)
def test_a_million_three_card_rounds_are_settled_again(game: str) -> None:
    rng = random.Random(f"{game} dealt and settled a million times")
    looked_at = 0
    while looked_at < 1_000_000:
        house = three_card_house(
            rng, game, rng.randint(1, 7), rng.choice(("whimsical", "simple", "optimal"))
        )
        looked_at += compare_three_card(house, 200_000, 20_000, rng)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_million_rounds_of_triple_shot_bonus_are_settled_again() -> None:
    rng = random.Random("triple-shot-bonus dealt and settled a million times")
    looked_at = 0
    while looked_at < 1_000_000:
        strategy = rng.choice(("whimsical", "whimsical", "printed", "simple", "optimal"))
        house = bonus_house(rng, rng.randint(1, 7), strategy)
        looked_at += compare_bonus(house, 200_000, 20_000, rng)
