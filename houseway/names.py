"""Names: the words that outside programs use for games, bets and decisions."""

import unicodedata
from typing import Literal, get_args
from unicodedata import normalize

GameCode = str
Bet = str
ProgressiveCode = Literal["three-card-progressive", "five-card-link"]
PROGRESSIVE_CODES: tuple[ProgressiveCode, ...] = get_args(ProgressiveCode)
EAST_ASIAN = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "BOPOMOFO",
    "HANGUL",
    "IDEOGRAPHIC",
)
"""How Unicode begins the names of letters that stand beside each other in one name."""
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

    Japanese, Chinese and Korean write one name in several, and count as one.
    """
    letters = (letter for letter in normalize("NFKC", name) if letter.isalpha())
    found = (unicodedata.name(letter, "UNKNOWN").split()[0] for letter in letters)
    # An apostrophe that counts as a letter, as in Ka\u02bbiulani, goes with all of them.
    named = ("East Asian" if one in EAST_ASIAN else one.title() for one in found)
    return sorted({one for one in named if one != "Modifier"})


BET_NAMES = {"six-card-bonus": "6 Card Bonus", "three-card-bonus": "3 Card Bonus"}


def bet_name(bet: str) -> str:
    """A bet as people say it: 'Pair Plus'."""
    return BET_NAMES.get(bet) or bet.replace("-", " ").title()
