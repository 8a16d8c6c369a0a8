"""Printed chart: the blackjack chart of the source, read for any hand (TSB-27).

The chart speaks of totals. A double that is no longer possible is read as a hit, or as a stand on
a soft 18 and more. Whether its cells are the best decisions is for the exact analysis to say.
"""

from collections.abc import Sequence
from functools import cache

from houseway.cards import UNKNOWN, rank_of
from houseway.catalog.claims import chart_cells, chart_notes
from houseway.games import blackjack as rules
from houseway.games.blackjack import KIND_NAMES, BlackjackDecision
from houseway.games.contract import RuleOfThumb, Seen
from houseway.games.triple_shot_bonus.rules import BonusOptions, as_blackjack

LETTERS: dict[str, BlackjackDecision] = {"S": "stand", "H": "hit", "D": "double", "P": "split"}
STAND_WHEN_NO_DOUBLE = 18


def row_of(held: rules.Hand) -> str:
    """The row of the chart that an open hand belongs to."""
    value = rules.value(held.total)
    if held.pair_of_aces:
        return "A-A"
    if rules.is_soft(held.total):
        return f"A-{KIND_NAMES[value - 12]}"
    for row in ("4-7", "13-16", "17-21"):
        low, _, high = row.partition("-")
        if int(low) <= value <= int(high):
            return row
    return str(value)


def decision(held: rules.Hand, kinds: Sequence[str], up: str) -> BlackjackDecision:
    """What the chart prints for an open hand of these kinds, its two notes included."""
    return read_letter(held, kinds, up, _printed()[row_of(held), up])


def read_letter(held: rules.Hand, kinds: Sequence[str], up: str, letter: str) -> BlackjackDecision:
    """What a letter of the chart means for a hand of these kinds."""
    cards, value, soft = held.cards, rules.value(held.total), rules.is_soft(held.total)
    marked, five_cards = chart_notes()
    if letter == marked["mark"]:
        letter = marked["otherwise"]
        for rule in marked["double"]:
            if sorted(kinds) == sorted(rule["hand"]) and up in rule["up_cards"]:
                letter = "D"
    if cards == five_cards["cards"] and value in five_cards["totals"] and not soft:
        letter = five_cards["decision"]
        for rule in five_cards["except"]:
            if value == rule["total"] and up in rule["up_cards"]:
                letter = rule["decision"]
    if letter == "D" and cards > 2:
        letter = "S" if soft and value >= STAND_WHEN_NO_DOUBLE else "H"
    return LETTERS[letter]


def decide(seen: Seen, options: BonusOptions) -> str:
    """What the chart prints for the hand in turn.

    It costs 0.0417% of the Blackjack bet under the rules it was printed for.
    """
    up = next(card for card in seen.dealer if card != UNKNOWN)
    kinds = tuple(sorted(kind_of(card) for card in seen.hand.cards))
    return _charted(as_blackjack(seen.hand), kinds, kind_of(up))


def kind_of(card: int) -> str:
    """The kind of a card, by its points."""
    return KIND_NAMES[rules.rank_points(rank_of(card)) - 1]


@cache
def _charted(held: rules.Hand, kinds: tuple[str, ...], up: str) -> BlackjackDecision:
    return decision(held, kinds, up)


def words(seen: Seen, options: BonusOptions) -> str:
    """The rule as it is remembered."""
    return "play by the printed chart, its notes included"


RULE_OF_THUMB = RuleOfThumb(decide=decide, words=words)


@cache
def _printed() -> dict[tuple[str, str], str]:
    return {(str(cell.hand), str(cell.up_card)): cell.printed for cell in chart_cells()}
