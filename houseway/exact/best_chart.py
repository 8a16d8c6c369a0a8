"""Best chart: the best decision on every hand of Blackjack, as data and as a chart."""

from typing import NamedTuple

from houseway.exact.blackjack import KINDS, blackjack, hand_of_kinds, hands_of
from houseway.exact.chart import LETTERS, hand_text, row_of
from houseway.games import blackjack as rules
from houseway.house.options import Chosen


def decisions(options: Chosen) -> dict[str, dict[str, str]]:
    """The best decision on every open hand, by its kinds and by the up card."""
    game = blackjack(options)
    found: dict[str, dict[str, str]] = {}
    for cards in range(2, rules.SIX_CARDS):
        for hand in hands_of(cards):
            held = hand_of_kinds(hand)
            if rules.status(held, game.options) is not rules.Status.OPEN:
                continue
            found[hand_text(hand)] = {
                rules.KIND_NAMES[up]: game.best(hand, up)
                for up in range(KINDS)
                if hand in game.by_up[up].values
            }
    return found


class ChartRow(NamedTuple):
    """What to do with the first two cards of a row, by the dealer's up card."""

    hand: str
    letters: tuple[str, ...]
    """What most hands of the row do, '-' where there is none."""
    exceptions: tuple[tuple[str, str, str], ...]
    """Hands of the row that do otherwise: the hand, the up card, its letter."""


def two_card_chart(options: Chosen) -> tuple[ChartRow, ...]:
    """The chart of the first two cards by total, with every hand that departs from its row."""
    game = blackjack(options)
    rows: dict[str, list[dict[str, list[str]]]] = {}
    for hand in hands_of(2):
        if rules.status(hand_of_kinds(hand), game.options) is not rules.Status.OPEN:
            continue
        cells = rows.setdefault(row_of(hand), [{} for _ in range(KINDS)])
        for up in range(KINDS):
            if hand in game.by_up[up].values:
                cells[up].setdefault(LETTERS[game.best(hand, up)], []).append(hand_text(hand))
    found = []
    for row, cells in rows.items():
        shown = tuple(max(cell, key=lambda x: len(cell[x])) if cell else "-" for cell in cells)
        others = tuple(
            (hand, rules.KIND_NAMES[up], letter)
            for up, cell in enumerate(cells)
            for letter, hands in cell.items()
            if letter != shown[up]
            for hand in hands
        )
        found.append(ChartRow(row, shown, others))
    return tuple(found)


def summary(options: Chosen) -> list[str]:
    """The two-card chart as lines, with a mark where some hands depart from their row."""
    lines = [f"{'':>6} " + " ".join(rules.KIND_NAMES)]
    for row in two_card_chart(options):
        mixed = {up for _, up, _ in row.exceptions}
        marks = ["*" if up in mixed else " " for up in rules.KIND_NAMES]
        cells = "".join(a + b for a, b in zip(row.letters, marks, strict=True))
        lines.append(f"{row.hand:>6} {cells}")
    lines.append("* some hands of this total are better played otherwise; the file names each.")
    return lines
