"""Strategy: the best way to play a game, as data a simulator reads and as words people read."""

from collections.abc import Mapping
from typing import Any

from houseway.cards import card_text, cards_text
from houseway.exact.blackjack import KINDS, blackjack, hand_of_kinds, hands_of
from houseway.exact.chart import hand_text, row_of
from houseway.exact.three_card import AnteAnalysis, Plays, ante_analysis
from houseway.games import blackjack as rules
from houseway.games import game_of
from houseway.games.base import AntePlayGame
from houseway.options import Options
from houseway.printed_chart import KIND_NAMES
from houseway.seat import Pairs, read_house
from houseway.tabulate import three_card_hands

VERSION = 1


def strategy_document(
    game: str,
    options: Options | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
) -> dict[str, Any]:
    """The optimal strategy as plain data: a decision for every hand that asks for one.

    Three-card games name one hand of every class up to a change of suits; in Face Up the
    decisions stand in the order of the 52 up cards, '-' where a card is in the hand. Blackjack
    names hands by kinds and gives a decision for every up card.
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=False)
    document: dict[str, Any] = {
        "houseway_strategy": VERSION,
        "game": game,
        "options": chosen.to_json(game),
        "strategy": "optimal",
    }
    if isinstance(found, AntePlayGame):
        analysis = ante_analysis(found, tables, chosen)
        plays = analysis.optimal()
        document["summary"] = summary(analysis, plays, chosen)
        document["hands"] = _three_card_decisions(analysis, plays)
    else:
        document["summary"] = _blackjack_chart(chosen)
        document["hands"] = _blackjack_decisions(chosen)
    return document


def _three_card_decisions(analysis: AnteAnalysis, plays: Plays) -> dict[str, str]:
    hands = three_card_hands()
    found = {}
    for number, hand in enumerate(hands.canonical):
        cards = [int(card) for card in hands.cards[hand]]
        if analysis.face_up:
            decided = "".join(
                "-" if up in cards else "P" if plays[number, up] else "F" for up in range(52)
            )
        else:
            decided = "play" if plays[number] else "fold"
        found[cards_text(cards)] = decided
    return found


def summary(analysis: AnteAnalysis, plays: Plays, options: Options) -> list[str]:
    """The strategy in a few sentences: where to draw the line, and how often the line is not it."""
    hands, game = three_card_hands(), analysis.game
    values = [
        game.value((int(row[0]), int(row[1]), int(row[2])), options)
        for row in hands.cards[hands.canonical]
    ]
    lower_is_better = game.code == "triple-shot-rummy"
    if not analysis.face_up:
        worst = [v for v, played in zip(values, plays, strict=True) if played]
        line = max(worst) if lower_is_better else min(worst)
        at_line = values.index(line)
        words = game.describe(_cards_of(at_line), options)
        wrong = sum(
            int(hands.weight[n])
            for n, value in enumerate(values)
            if (value <= line if lower_is_better else value >= line) != plays[n]
        )
        kind = "a score of " if lower_is_better else ""
        end = " or less" if lower_is_better else " or better"
        sentence = f"Play {kind}{words}{end}; fold everything else."
        return [sentence, f"Hands for which that is not the best: {wrong} of 22,100."]
    lines = []
    for rank in range(13):
        ups = [rank * 4 + suit for suit in range(4)]
        played = [v for n, v in enumerate(values) for up in ups if plays[n, up] and _deals(n, up)]
        folded = [
            v for n, v in enumerate(values) for up in ups if not plays[n, up] and _deals(n, up)
        ]
        line = min(played)
        at_line = values.index(line)
        over = sum(1 for v in folded if v >= line)
        words = game.describe(_cards_of(at_line), options)
        exact = "always" if not over else f"with {over} exceptions by suit or blocked cards"
        lines.append(f"Against {card_text(ups[0])[0]} up: play {words} or better, {exact}.")
    return lines


def _deals(number: int, up: int) -> bool:
    hands = three_card_hands()
    return up not in hands.cards[hands.canonical[number]]


def _cards_of(number: int) -> tuple[int, int, int]:
    hands = three_card_hands()
    a, b, c = (int(card) for card in hands.cards[hands.canonical[number]])
    return a, b, c


def _blackjack_decisions(options: Options) -> dict[str, dict[str, str]]:
    game = blackjack(options)
    found: dict[str, dict[str, str]] = {}
    for cards in range(2, rules.SIX_CARDS):
        for hand in hands_of(cards):
            held = hand_of_kinds(hand)
            if rules.status(held, game.options) is not rules.Status.OPEN:
                continue
            found[hand_text(hand)] = {
                KIND_NAMES[up]: game.best(hand, up)
                for up in range(KINDS)
                if hand in game.by_up[up].values
            }
    return found


def _blackjack_chart(options: Options) -> list[str]:
    """The two-card chart by total, with the number of hands that depart from their row."""
    game = blackjack(options)
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
    rows: dict[str, list[dict[str, int]]] = {}
    for hand in hands_of(2):
        if rules.status(hand_of_kinds(hand), game.options) is not rules.Status.OPEN:
            continue
        cells = rows.setdefault(row_of(hand), [{} for _ in range(KINDS)])
        for up in range(KINDS):
            if hand in game.by_up[up].values:
                letter = letters[game.best(hand, up)]
                cells[up][letter] = cells[up].get(letter, 0) + 1
    lines = [f"{'':>6} " + " ".join(KIND_NAMES)]
    for row, cells in rows.items():
        shown = [max(cell, key=lambda x: cell[x]) if cell else "-" for cell in cells]
        mixed = ["*" if len(cell) > 1 else " " for cell in cells]
        lines.append(f"{row:>6} " + "".join(a + b for a, b in zip(shown, mixed, strict=True)))
    lines.append("* some hands of this total are better played otherwise; the file names each.")
    return lines
