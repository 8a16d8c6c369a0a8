"""Names: the words that outside programs use for games, bets and decisions."""

from typing import Literal, get_args
from unicodedata import normalize

GameCode = str
Bet = str
ProgressiveCode = Literal["three-card-progressive", "five-card-link"]
PROGRESSIVE_CODES: tuple[ProgressiveCode, ...] = get_args(ProgressiveCode)
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


BET_NAMES = {"six-card-bonus": "6 Card Bonus", "three-card-bonus": "3 Card Bonus"}


def bet_name(bet: str) -> str:
    """A bet as people say it: 'Pair Plus'."""
    return BET_NAMES.get(bet) or bet.replace("-", " ").title()
