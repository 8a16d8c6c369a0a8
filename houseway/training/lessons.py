"""Lessons: the rules of a table at one's own pace, said by the rules themselves.

Sentences follow the options in force, examples are dealt and settled, and prices are those of the
par sheet.
"""

from fractions import Fraction
from functools import lru_cache
from random import Random

from houseway.documents.terms import (
    HELP_LINE,
)
from houseway.house.money import dollars_text
from houseway.names import bet_name
from houseway.rules.ruleset import Ruleset
from houseway.training.ante_lessons import ante_lessons
from houseway.training.bonus_lessons import bonus_lessons
from houseway.training.figures import cents_of
from houseway.training.lesson import (
    Lesson,
    checks,
    lesson_wagers,
)
from houseway.training.prices import price_list
from houseway.training.skill import three_card

PACE = 40
"""Rounds in the hour that the last lesson prices."""


@lru_cache(maxsize=16)
def lessons_of(ruleset: Ruleset) -> tuple[Lesson, ...]:
    """The lessons of a game as this house plays it, in the order in which they are read.

    The prices in them take seconds the first time and need the extra 'fast'.
    """
    game = ruleset.game
    own = ante_lessons(ruleset, game) if three_card(ruleset) else bonus_lessons(ruleset)
    return (*own, _responsible(ruleset))


def _responsible(ruleset: Ruleset) -> Lesson:
    rows = price_list(ruleset).rows
    base = [bet for bet in rows if bet in ("ante", "war", "blackjack", "poker")]
    stakes = lesson_wagers(Random("hour"), ruleset, *base)
    hour = sum((rows[bet].house_edge * cents for bet, cents in stakes), Fraction(0)) * PACE
    said = " and ".join(f"{dollars_text(cents)} on {bet_name(bet)}" for bet, cents in stakes)
    return Lesson(
        code="responsible",
        title="Playing within bounds",
        sentences=(
            (
                "As a rule the house keeps a share of every bet: play is the price of an evening, "
                "and no way to earn."
            ),
            (
                f"Betting {said}, {PACE} rounds an hour cost {cents_of(hour)} on average, and a "
                "single hour may cost far more."
            ),
            "A bet that is due does not exist: cards that are shuffled remember nothing.",
            HELP_LINE,
        ),
        clauses=("CMP-13", "CMP-18"),
        checks=checks("prices.hour", "prices.cheapest"),
    )
