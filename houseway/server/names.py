"""Names: codes as people read them."""

from houseway.games import game_of
from houseway.games.progressive import NAMES as PROGRESSIVES
from houseway.house.money import CENTS_PER_DOLLAR, dollars_text
from houseway.house.paytables import PayTable
from houseway.names import hand_name as hand_name

CHIPS = (10_000, 2_500, 500, 100, 50, 25, 10, 5, 1)
"""Chips and coins, largest first."""


def game_name(code: str) -> str:
    """A game."""
    return game_of(code).name


def progressive_name(code: str) -> str:
    """A progressive."""
    return PROGRESSIVES[code]


def pays_text(paytable: PayTable, hand: str) -> str:
    """What a hand is paid."""
    odds = paytable.odds(paytable.hand_of(hand))
    return "" if odds is None else str(odds)


def envy_text(paytable: PayTable, hand: int) -> str:
    """What others are paid for a hand."""
    text = dollars_text(paytable.envy_cents[hand])
    return f"{text} for each $1" if paytable.envy_per_dollar else text


def chips_text(cents: int) -> str:
    """An amount in as few chips as it takes: '1 x 25, 2 x 5'."""
    found = []
    for chip in CHIPS:
        count, cents = divmod(cents, chip)
        if count:
            dollars, rest = divmod(chip, CENTS_PER_DOLLAR)
            named = f"{dollars}" if dollars else f"{rest}c"
            found.append(f"{count} x {named}")
    return ", ".join(found)
