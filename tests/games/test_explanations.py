"""Every line names the clause it rests on, and its sentence points the right way."""

import random
import re

import pytest

from houseway import Settlement, settle
from houseway.cards import DECK, UNKNOWN, parse_cards
from houseway.catalog.register import clause
from houseway.games import GAMES, game_of
from houseway.games.contract import Seen
from houseway.games.solvers import Showdown
from tests.games.transcript import check_all


def test_the_clause_of_every_line_of_three_card_poker() -> None:
    check_all(
        "three-card-poker",
        """
        player: Ah 7d 2c
        dealer: Ks Qd 9c
        bets:   ante 1, pair-plus 1, six-card-bonus 1, progressive 1
        => play win +1 TCP-07, ante win +1 TCP-07, pair-plus lose -1 TCP-11,
           six-card-bonus lose -1 SCB-02, progressive lose -1 PNX-19

        player: Qh Jd 9s
        dealer: Ks Qd 9c
        bets:   ante 1
        =>      play lose -1 TCP-08, ante lose -1 TCP-08

        player: Kh Qs 9s
        dealer: Ks Qd 9c
        bets:   ante 1
        =>      play push 0 TCP-09, ante push 0 TCP-09

        player: 4h 3d 2c
        dealer: Js Td 8c
        bets:   ante 1, pair-plus 1
        =>      play push 0 TCP-06, ante-bonus win +1 TCP-10, ante win +1 TCP-06, pair-plus win +6

        player: 4h 4d 2c
        dealer: Js Td 8c
        bets:   ante 1, pair-plus 1, progressive 1
        fold
        =>      ante forfeit -1 TCP-05, pair-plus forfeit -1 TCP-13, progressive forfeit -1 PNX-09

        player: 4h 4d 2c
        dealer: Js Td 8c
        bets:   ante 1, progressive 1
        option: award_profile=game_manager
        other:  As Ks Qs
        fold
        =>      ante forfeit -1, progressive forfeit -1 PGM-07, envy win +100 PGM-17
        """,
    )


def test_the_clause_of_every_line_of_face_up() -> None:
    check_all(
        "three-card-poker-face-up",
        """
        player: Ah 7d 2c
        dealer: Ks Qd 9c
        bets:   ante 1, pair-plus 1
        =>      play win +1 FUP-08, ante win +1 FUP-08, pair-plus lose -1 FUP-09

        player: 9h 7d 2c
        dealer: Js Td 8c
        bets:   ante 1
        =>      play lose -1 FUP-08, ante push 0 FUP-06

        player: 9h 7d 2c
        dealer: Js Td 8c
        bets:   ante 1
        fold
        =>      ante forfeit -1 FUP-04
        """,
    )


def test_the_clause_of_every_line_of_rummy() -> None:
    check_all(
        "triple-shot-rummy",
        """
        player: 9c 9h 9d
        dealer: Ks Kd Ah
        bets:   ante 1, pair-plus 1, six-card-bonus 1
        => play win +4 TSR-12, ante win +1 TSR-09, pair-plus win +30 TSR-13,
           six-card-bonus win +25 TSR-14

        player: Ks Kd 7h
        dealer: Qs Qd 6h
        bets:   ante 1
        =>      play lose -1 TSR-10, ante lose -1 TSR-10

        player: Ks Kd 7h
        dealer: Qs Qd 7c
        bets:   ante 1
        =>      play push 0 TSR-11, ante push 0 TSR-11

        player: Ks Qd Jh
        dealer: 9s 7d 5h
        bets:   ante 1
        =>      play push 0 TSR-08, ante win +1 TSR-08

        player: Ks Qd Jh
        dealer: 9s 7d 5h
        bets:   ante 1
        fold
        =>      ante forfeit -1 TSR-07
        """,
    )


def test_the_clause_of_every_line_of_triple_shot_bonus() -> None:
    check_all(
        "triple-shot-bonus",
        """
        deck:      Ah Ad Tc 8s Js Jd 7h 4c
        decisions: insurance
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        => war lose -5 TSB-06, insurance lose -5 TSB-14, blackjack win +15 TSB-14,
           poker win +10 TSB-18, hat-trick win +45 TSB-21

        deck:      2h 6d 2c Ts 3s 3d 4h 5h
        decisions: hit, hit, hit, hit
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        => war lose -10 TSB-06, blackjack win +10 TSB-11, poker win +15 TSB-18,
           hat-trick lose -5 TSB-07

        deck:      Ah Kd As 8s 6h 9c Jc Js
        decisions: split
        bets:      war 10, blackjack 10, poker 10, hat-trick 5
        => war win +10 TSB-06, blackjack 1 lose -10 TSB-09, blackjack 2 win +10 TSB-09,
           poker win +15 TSB-18, hat-trick win +45 TSB-23
        """,
    )


def random_seats(count: int) -> list[Settlement]:
    rng = random.Random("explanations")
    found = []
    for _ in range(count):
        deck = rng.sample(DECK, 40)
        for game in GAMES:
            if isinstance(game.solver, Showdown):
                found.append(
                    settle(
                        game.code,
                        player=deck[:3],
                        dealer=deck[3:6],
                        decision=rng.choice(("play", "play", "fold")),
                        community=deck[6:8],
                        bets=dict.fromkeys(game.wagers, 100),
                        meter=10**6,
                        others=[deck[8:11]],
                    )
                )
            else:
                found.append(settle(game.code, deck=deck, bets=dict.fromkeys(game.wagers, 100)))
    return found


def test_every_clause_is_of_the_game_and_every_sentence_reads_as_one() -> None:
    for seat in random_seats(800):
        for line in seat.lines:
            games = clause(line.clause).games
            assert seat.game in games or {"three-card-progressive", "five-card-link"} & set(games)
            assert line.why[0].isupper() or line.why[0].isdigit()
            assert line.why.endswith(".")
            assert "{" not in line.why
            assert not re.search(r"\b(\w+) \1\b", line.why), line.why


@pytest.mark.parametrize("outcome", ["win", "lose", "push", "forfeit"])
def test_the_sentence_points_the_way_of_the_outcome(outcome: str) -> None:
    words = {
        "win": ("win", "pay", "paid", "beat"),
        "lose": ("los", "needs", "nothing", "taken", "higher", "over 21", "beats", "costs", "has"),
        "push": ("returned",),
        "forfeit": ("folded",),
    }
    never = {"win": ("loses", "returned"), "lose": ("wins", "returned"), "push": ("loses", "wins")}
    for seat in random_seats(300):
        for line in seat.lines:
            if line.outcome == outcome:
                assert any(word in line.why for word in words[outcome]), line.why
                assert not any(word in line.why for word in never.get(outcome, ())), line.why


def test_equal_words_never_beat_each_other() -> None:
    """What decides is in the words: no hand beats one that is described alike."""
    rng = random.Random(3)
    for _ in range(4000):
        deck = rng.sample(DECK, 6)
        seat = settle("three-card-poker", player=deck[:3], dealer=deck[3:], bets={"ante": 100})
        for line in seat.lines:
            found = re.match(r"(?:The dealer's hand, )?(.*?),? beats (.*?), so", line.why)
            if found:
                assert found[1].lower() != found[2].lower(), line.why


@pytest.mark.parametrize(
    ("game", "cards", "held"),
    [
        ("triple-shot-rummy", "9h 9d 9s", "0 points"),
        ("triple-shot-rummy", "9h 9d As", "1 point"),
        ("triple-shot-rummy", "Kh 5d 2c", "17 points"),
        ("three-card-poker", "9h 9d As", "A pair of Nines and an Ace"),
        ("three-card-poker-face-up", "Kh 5d 2c", "King-Five-Deuce high"),
    ],
)
def test_what_a_hand_of_three_holds_is_its_points_or_its_name(
    game: str, cards: str, held: str
) -> None:
    three, found = parse_cards(cards), game_of(game)
    assert found.holds(Seen(three), None, found.options()) == held
    assert found.dealer_holds(Seen(dealer=three), found.options()) == held
    assert found.holds(Seen((*three[:2], UNKNOWN)), None, found.options()) == ""


@pytest.mark.parametrize(
    ("deck", "options", "bet", "why"),
    [
        (
            "Ah Kd Tc Ts 2s 5d 7h 3h",
            {},
            "war",
            "The Ace of hearts is higher than the King of diamonds and pays 1 to 1.",
        ),
        (
            "Ah Kd Tc Ts 2s 5d 7h 3h",
            {"war_ace": "low"},
            "war",
            "The King of diamonds is higher than the Ace of hearts with Aces low.",
        ),
        (
            "Kh Kd Tc 9s Ks 5d 7h 3h",
            {},
            "hat-trick",
            "No leg counts as lost (the War tie counts as a win), so the Hat Trick pays 9 to 1.",
        ),
        (
            "Ah Kd Tc 9s As 5d 7h 3h",
            {},
            "hat-trick",
            "No leg counts as lost, so the Hat Trick pays 9 to 1.",
        ),
    ],
)
def test_a_sentence_says_what_an_ace_was_and_that_a_tie_counts(
    deck: str, options: dict[str, str], bet: str, why: str
) -> None:
    bets = dict.fromkeys(("war", "blackjack", "poker", "hat-trick"), 500)
    settled = settle("triple-shot-bonus", deck=deck, bets=bets, options=options)
    assert [line.why for line in settled.lines if line.bet == bet] == [why]


@pytest.mark.parametrize(
    ("player", "hand"),
    [
        ("As Ks Qs", "the Ace-King-Queen of spades 100% of the meter"),
        ("Ah Kh Qh", "a suited Ace-King-Queen 500 for 1"),
    ],
)
def test_only_the_royal_of_spades_is_named_by_its_suit(player: str, hand: str) -> None:
    bets = {"ante": 1000, "progressive": 100}
    settled = settle("three-card-poker", player=player, dealer="Jd 4c 2d", bets=bets, meter=100_000)
    [line] = [line for line in settled.lines if line.bet == "progressive"]
    assert line.why.startswith(f"The progressive pays {hand}")
