"""Settlement against a slow second implementation, over random seats of every game."""

import random
from typing import Any

import pytest

from houseway import Refused, settle
from houseway.cards import DECK, card_text
from houseway.games import game_of
from houseway.house.options import register
from houseway.refusal import Reason
from tests.oracles import settle as oracle

SEATS = 1_000
MANY_SEATS = 20_000
how_many = pytest.mark.parametrize(
    "seats", [SEATS, pytest.param(MANY_SEATS, marks=pytest.mark.soak)]
)
CODES: dict[str, dict[str, Any]] = {
    "three-card-poker": {
        "ante-bonus": "ABC",
        "pair-plus": "ABCD",
        "six-card-bonus": ("TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"),
    },
    "three-card-poker-face-up": {
        "pair-plus": "ABCD",
        "six-card-bonus": ("TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"),
    },
    "triple-shot-rummy": {"pair-plus": "123456", "six-card-bonus": "1234"},
}
THREE_CARD_OPTIONS = {
    "tie_rule": ("push", "lose", "win"),
    "ace_in_runs": ("low", "high_low", "wrap"),
    "combination_choice": ("lowest", "pair_first"),
    "face_up_unqualified_play": ("compare", "win_or_push", "win"),
    "pair_plus_after_fold": ("by_game", "stays", "forfeit"),
    "folded_hand_progressive": ("not_eligible", "eligible"),
    "envy_when_folded": ("paid", "not_paid"),
    "envy_own_other_hand": ("by_profile", "yes", "no"),
    "award_profile": ("nexus", "game_manager", "multi_link"),
    "percent_pay_scaling": ("per_spot", "per_wager_unit"),
}
BONUS_OPTIONS = {
    "dealer_soft_17": ("hit", "stand"),
    "war_ace": ("high", "low"),
    "dealer_natural": ("peek", "no_peek_original_bets", "no_peek_all_bets"),
    "split_ace_ten": ("twenty_one", "blackjack"),
}
GOOD_HANDS = ("As Ks Qs", "Ah Kh Qh", "9s 8s 7s", "9h 9d 9c", "6h 5d 4c", "Kh 9h 2h", "Qd Qc 3s")


def some_options(
    rng: random.Random, choices: dict[str, tuple[str, ...]], game: str
) -> dict[str, str]:
    """Some of the choices that the game has, at random."""
    known = register(game_of(game).options)
    return {
        name: rng.choice(values)
        for name, values in choices.items()
        if name in known and rng.random() < 0.5
    }


def some_hands(rng: random.Random, count: int) -> list[list[str]]:
    """Hands of three from one deck; now and then one is a good hand, so that all rows are paid."""
    deck = [card_text(card) for card in DECK]
    rng.shuffle(deck)
    for good in rng.sample(GOOD_HANDS, rng.randint(0, 3)):
        for card in good.split():
            deck.remove(card)
        at = 3 * rng.randint(0, count)
        deck[at:at] = good.split()
    return [deck[3 * place : 3 * place + 3] for place in range(count)]


@how_many
@pytest.mark.parametrize("game", CODES)
def test_three_card_seats(game: str, seats: int) -> None:
    rng = random.Random(f"{game} against the oracle")
    for _ in range(seats):
        hands = some_hands(rng, 6)
        player, dealer, *rest = hands
        wagers = {
            bet: rng.randint(1, 5000)
            for bet in ("ante", "pair-plus", "six-card-bonus", "progressive")
            if rng.random() < 0.7
        }
        if not {"ante", "pair-plus"} & set(wagers):
            wagers["ante"] = 500
        codes = {bet: rng.choice(known) for bet, known in CODES[game].items()}
        codes["progressive"] = rng.choice(("1", "2", "01", "ML01", "ML03"))
        link = codes["progressive"] not in ("1", "2")
        options = some_options(rng, THREE_CARD_OPTIONS, game)
        if link and options.get("award_profile") == "game_manager":
            # The link is no part of the Game Manager's rules.
            del options["award_profile"]
        levels = {"1": ["single"], "2": ["single"], "01": ["single"], "ML01": ["mega", "major"]}
        meter = {
            level: rng.randint(0, 10**7)
            for level in levels.get(codes["progressive"], ["mega", "major", "minor"])
        }
        call: dict[str, Any] = {
            "bets": wagers,
            "decision": rng.choice((None, "play", "fold")) if "ante" in wagers else None,
            "paytables": codes,
            "options": options,
            "meter": meter,
        }
        community = rest[0][:2] if link else None
        others, own_others = rest[1:3], rest[3:]
        expected = oracle.settle_three_card(
            game,
            player=player,
            dealer=dealer,
            community=community,
            others=others,
            own_others=own_others,
            **call,
        )
        result = settle(
            game,
            player=" ".join(player),
            dealer=" ".join(dealer),
            community=" ".join(community) if community else None,
            others=[" ".join(cards) for cards in others],
            own_others=[" ".join(cards) for cards in own_others],
            **call,
        )
        got = [(line.bet, line.wager, line.outcome.value, line.net) for line in result.lines]
        assert got == expected, (player, dealer, community, others, own_others, call)


def allowed(decisions: list[str], call: dict[str, Any]) -> bool:
    """True when the decisions are taken; what is refused is refused for no other reason."""
    try:
        settle("triple-shot-bonus", decisions=decisions, **call)
    except Refused as refused:
        if refused.reason is not Reason.DECISION_NOT_ALLOWED:
            raise
        return False
    return True


def random_decisions(rng: random.Random, call: dict[str, Any]) -> list[str]:
    """Decisions that are legal for the deck: tried one by one until none more is taken."""
    decisions: list[str] = []
    while True:
        wanted = rng.sample(
            game_of("triple-shot-bonus").action_names,
            len(game_of("triple-shot-bonus").action_names),
        )
        for decision in wanted:
            if allowed([*decisions, decision], call):
                decisions.append(decision)
                break
        else:
            return decisions
        if rng.random() < 0.1:
            return decisions


@how_many
def test_triple_shot_bonus_seats(seats: int) -> None:
    rng = random.Random("triple-shot-bonus against the oracle")
    for _ in range(seats // 2):
        deck = [card_text(card) for card in DECK]
        rng.shuffle(deck)
        if rng.random() < 0.2:
            # Bring Aces to the front, so that splits and naturals are common.
            deck.sort(key=lambda card: (card[0] not in "AT", rng.random()))
            deck = rng.sample(deck[:8], 8) + deck[8:]
        bets = {bet: rng.randint(2, 5000) for bet in ("war", "blackjack", "poker")}
        if rng.random() < 0.8:
            bets["hat-trick"] = rng.randint(1, 5000)
        call: dict[str, Any] = {
            "deck": " ".join(deck[:30]),
            "bets": bets,
            "paytables": {
                "poker": rng.choice(("TSB-01", "TSB-02")),
                "hat-trick": rng.choice("96"),
            },
            "options": some_options(rng, BONUS_OPTIONS, "triple-shot-bonus"),
        }
        decisions = random_decisions(rng, call)
        result = settle("triple-shot-bonus", decisions=decisions, **call)
        got = [
            (line.bet, line.hand, line.wager, line.outcome.value, line.net) for line in result.lines
        ]
        expected = oracle.settle_triple_shot_bonus(
            decisions=decisions,
            **(call | {"deck": deck[:30]}),
        )
        assert got == expected, (deck[:14], decisions, call)
