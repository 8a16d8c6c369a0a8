"""Names: the words that outside programs use for games, bets and decisions."""

from typing import Literal, get_args
from unicodedata import normalize

GameCode = str
Bet = str
ProgressiveCode = Literal["three-card-progressive", "five-card-link"]
Decision = Literal["play", "fold"]
BlackjackDecision = Literal["insurance", "hit", "stand", "double", "split"]

BETS: tuple[Bet, ...] = (
    *("ante", "play", "ante-bonus", "pair-plus", "six-card-bonus", "progressive", "envy"),
    *("war", "insurance", "blackjack", "poker", "hat-trick"),
)
GAME_CODES: tuple[GameCode, ...] = (
    *("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy", "triple-shot-bonus"),
)
PROGRESSIVE_CODES: tuple[ProgressiveCode, ...] = get_args(ProgressiveCode)
DECISIONS: tuple[Decision, ...] = get_args(Decision)
BLACKJACK_DECISIONS: tuple[BlackjackDecision, ...] = get_args(BlackjackDecision)


HAND_NAMES = {
    "akq_spades": "A-K-Q of spades",
    "akq_other_suit": "A-K-Q of another suit",
}


def hand_name(hand: str) -> str:
    """A hand of a paytable, as its button says it."""
    return HAND_NAMES.get(hand, hand.replace("_", " ").capitalize())


def known_as(name: str) -> str:
    """A person's name as it is compared: in other letters or with other spaces it is the same."""
    return " ".join(normalize("NFKC", name).split()).casefold()


def bet_name(bet: str) -> str:
    """A bet as people say it: 'Pair Plus'."""
    return "6 Card Bonus" if bet == "six-card-bonus" else bet.replace("-", " ").title()
