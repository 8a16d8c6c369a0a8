"""Solvers: the values by which a game says how its exact figures are counted.

A value names what a count needs of the game's own rules, and no more. The counting itself stands
in `houseway.exact`, which chooses by the type of the value; a game without one has none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.games.contest import Contest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Showdown:
    """A hand against the dealer's, with one decision between: play or fold."""

    contest: "Contest"
    looks_at: tuple[str, ...] = ()
    """The options that change what a hand is worth."""
    plain: Mapping[str, Callable[[int], bool]] = field(default_factory=dict)
    """Plain strategies beside the best, by name: whether a hand that is worth so much is played."""
    thumb: Callable[[int, int], bool]
    """The rule of thumb, by what the hand is worth and the rank of the dealer's card that is up."""
    left_out: tuple[str, ...] = ("progressive",)
    """Bets that a decision may change and that its value leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """Bets in succession on one hand: its first card, Blackjack, six cards, and all of them.

    The bets share cards and decisions, so they are counted from one joint law.
    """

    first_card: str
    """The bet on the first card against the dealer's."""
    hand: str
    """The bet on the hand as Blackjack plays it."""
    six_cards: str
    """The bet on the six cards, by its paytable."""
    together: str
    """The bet that none of the others is lost."""
    left_out: tuple[str, ...]
    """Bets that a decision may change and that its value leaves out."""


Solver = Showdown | Succession
