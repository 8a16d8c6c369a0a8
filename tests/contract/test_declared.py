"""What our games declare and other rooms read: the pit, the shuffler, the spots on the felt."""

from itertools import product

import pytest

from houseway.cards import parse_cards
from houseway.floor.pit import Pit
from houseway.games import GAMES, game_of
from houseway.games.base import ALL_FACTS, FACTS_END, net_cents, wins
from houseway.games.contest import contest_of, three
from houseway.games.solvers import Showdown
from houseway.house.money import ToOne
from houseway.rules.ruleset import make_ruleset

HANDS = ("Ah Kd 9c", "Kh Td 8c", "Qh 9d 4c", "Jh 9d 4c", "Th 9d 4c", "8h 4d 2c", "7h 4d 2c")


@pytest.mark.parametrize("code", [game.code for game in GAMES if isinstance(game.solver, Showdown)])
def test_two_hands_meet_in_each_of_the_ways_that_facts_tell_and_in_no_other(code: str) -> None:
    contest = contest_of(game_of(code))
    values = [contest.value(three(parse_cards(hand)), game_of(code).options()) for hand in HANDS]
    found = {contest.facts(own, dealer) for own, dealer in product(values, repeat=2)}
    assert sorted(found) == list(ALL_FACTS)
    assert len(found) == FACTS_END


@pytest.mark.parametrize(
    ("code", "packet", "low", "high"),
    [
        ("three-card-poker", 3, 35, 70),
        ("three-card-poker-face-up", 3, 35, 70),
        ("triple-shot-rummy", 3, 35, 65),
        ("triple-shot-bonus", 1, 25, 50),
    ],
)
def test_the_shuffler_makes_packets_and_the_pit_looks_for_so_many_rounds_an_hour(
    code: str, packet: int, low: int, high: int
) -> None:
    """Packets of three (TSR-24, TCP-18), single cards (TSB-05); a house may set another pace."""
    assert (game_of(code).packet, Pit().pace(code)) == (packet, (low, high))
    assert Pit(paces={code: (20, 30)}).pace(code) == (20, 30)


def test_the_lower_hand_wins_at_rummy_alone() -> None:
    showdowns = [game for game in GAMES if isinstance(game.solver, Showdown)]
    lower = [game.code for game in showdowns if contest_of(game).lower_wins]
    assert lower == ["triple-shot-rummy"]


def test_five_dollars_are_offered_on_the_hat_trick_and_ten_on_its_legs() -> None:
    rules = make_ruleset("triple-shot-bonus")
    offered = {bet: rules.usual_cents(bet) for bet in rules.game.wagers}
    assert offered == {"war": 1000, "blackjack": 1000, "poker": 1000, "hat-trick": 500}


def test_a_pay_in_chips_is_in_dollars_unless_another_chip_is_the_smallest() -> None:
    won = wins(ToOne(3, 2), "TSB-14", "blackjack pays")
    assert net_cents(won, 2050, "down_to_chip") == 3000
    assert net_cents(won, 2050, "down_to_chip", 500) == 3000
    assert net_cents(won, 2050, "down_to_chip", 2500) == 2500
