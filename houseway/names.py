"""Names: the words that outside programs use for games, bets and decisions."""

import unicodedata
from typing import Literal, get_args
from unicodedata import normalize

GameCode = str
Bet = str
ProgressiveCode = Literal["three-card-progressive", "five-card-link"]
PROGRESSIVE_CODES: tuple[ProgressiveCode, ...] = get_args(ProgressiveCode)
ANYWHERE = (
    *("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL", "IDEOGRAPHIC"),
    "MODIFIER",
)
"""How Unicode begins the names of letters that may stand beside those of another script; the last
is that of apostrophes that count as letters, as in Ka\u02bbiulani."""
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


def scripts_of(name: str) -> list[str]:
    """The scripts that the letters of a name belong to, such as Latin and Cyrillic, in order.

    Those of Chinese, Japanese and Korean are left out: they look like letters of no other.
    """
    letters = (letter for letter in normalize("NFKC", name) if letter.isalpha())
    found = (unicodedata.name(letter, "UNKNOWN").split()[0] for letter in letters)
    return sorted({one.title() for one in found if one not in ANYWHERE})


BET_NAMES = {"six-card-bonus": "6 Card Bonus", "three-card-bonus": "3 Card Bonus"}


def bet_name(bet: str) -> str:
    """A bet as people say it: 'Pair Plus'."""
    return BET_NAMES.get(bet) or bet.replace("-", " ").title()
