"""Strategy: the best way to play a game, as data a simulator reads and as words people read."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from houseway import printed_chart
from houseway.cards import card_text, cards_text, rank_of
from houseway.exact.blackjack import KINDS, blackjack, hand_of_kinds, hands_of
from houseway.exact.chart import hand_text, row_of
from houseway.exact.three_card import AnteAnalysis, Plays, ante_analysis
from houseway.games import blackjack as rules
from houseway.games import game_of
from houseway.games.contest import contest_of
from houseway.games.registry import shown_options
from houseway.options import Chosen
from houseway.printed_chart import KIND_NAMES
from houseway.seat import Pairs, read_house
from houseway.tabulate import three_card_hands

VERSION = 1


def strategy_document(
    game: str,
    options: Chosen | Mapping[str, str] | None = None,
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
        "options": shown_options(game, chosen),
        "strategy": "optimal",
    }
    if found.contest is not None:
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


class PlayLine(NamedTuple):
    """The worst hand that is played, and the hands above it that are not."""

    up_card: str | None
    """The rank of the dealer's card that is seen, in Face Up."""
    worst: str
    exceptions: int
    """Hands at or above the line that are folded, and below it that are played."""
    folded: tuple[str, ...]
    """Ranks of folded hands at or above the line; '*' where only some suits are folded."""


def play_lines(analysis: AnteAnalysis, plays: Plays, options: Chosen) -> tuple[PlayLine, ...]:
    """Where to draw the line between playing and folding, once or for each rank that is up."""
    hands, game = three_card_hands(), analysis.game
    values = [
        contest_of(game).value((int(row[0]), int(row[1]), int(row[2])), options)
        for row in hands.cards[hands.canonical]
    ]
    if not analysis.face_up:
        worse = max if contest_of(game).lower_wins else min
        line = worse(v for v, played in zip(values, plays, strict=True) if played)
        wrong = [
            n
            for n, value in enumerate(values)
            if (value <= line if contest_of(game).lower_wins else value >= line) != plays[n]
        ]
        words = contest_of(game).describe(_cards_of(values.index(line)), options)
        exceptions = sum(int(hands.weight[n]) for n in wrong)
        return (PlayLine(None, words, exceptions, _rank_names(wrong, set(), values)),)
    lines = []
    for rank in range(13):
        ups = [rank * 4 + suit for suit in range(4)]
        dealt = [(n, up) for n in range(len(values)) for up in ups if _deals(n, up)]
        line = min(values[n] for n, up in dealt if plays[n, up])
        folded = [n for n, up in dealt if not plays[n, up] and values[n] >= line]
        played = {values[n] for n, up in dealt if plays[n, up]}
        words = contest_of(game).describe(_cards_of(values.index(line)), options)
        found = _rank_names(folded, played, values)
        lines.append(PlayLine(card_text(ups[0])[0], words, len(folded), found))
    return tuple(lines)


def _rank_names(folded: Sequence[int], played: set[int], values: Sequence[int]) -> tuple[str, ...]:
    """The ranks of folded hands, best first; marked where equal hands of other suits are played."""
    found = {values[n]: n for n in folded}
    names = []
    for value in sorted(found, reverse=True):
        ranks = sorted((rank_of(card) for card in _cards_of(found[value])), reverse=True)
        text = "-".join(card_text(rank * 4)[0] for rank in ranks)
        names.append(f"{text}*" if value in played else text)
    return tuple(names)


def summary(analysis: AnteAnalysis, plays: Plays, options: Chosen) -> list[str]:
    """The strategy in a few sentences: where to draw the line, and how often the line is not it."""
    lines = play_lines(analysis, plays, options)
    if not analysis.face_up:
        (line,) = lines
        low = contest_of(analysis.game).lower_wins
        kind, end = ("a score of ", " or less") if low else ("", " or better")
        sentence = f"Play {kind}{line.worst}{end}; fold everything else."
        return [sentence, f"Hands for which that is not the best: {line.exceptions} of 22,100."]
    found = []
    for line in lines:
        over = line.exceptions
        exact = "always" if not over else f"with {over} exceptions by suit or blocked cards"
        found.append(f"Against {line.up_card} up: play {line.worst} or better, {exact}.")
    return found


def _deals(number: int, up: int) -> bool:
    hands = three_card_hands()
    return up not in hands.cards[hands.canonical[number]]


def _cards_of(number: int) -> tuple[int, int, int]:
    hands = three_card_hands()
    a, b, c = (int(card) for card in hands.cards[hands.canonical[number]])
    return a, b, c


def _blackjack_decisions(options: Chosen) -> dict[str, dict[str, str]]:
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


LETTERS: dict[str, str] = {decision: letter for letter, decision in printed_chart.LETTERS.items()}


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
            (hand, KIND_NAMES[up], letter)
            for up, cell in enumerate(cells)
            for letter, hands in cell.items()
            if letter != shown[up]
            for hand in hands
        )
        found.append(ChartRow(row, shown, others))
    return tuple(found)


def _blackjack_chart(options: Chosen) -> list[str]:
    """The two-card chart as lines, with a mark where some hands depart from their row."""
    lines = [f"{'':>6} " + " ".join(KIND_NAMES)]
    for row in two_card_chart(options):
        mixed = {up for _, up, _ in row.exceptions}
        marks = ["*" if up in mixed else " " for up in KIND_NAMES]
        cells = "".join(a + b for a, b in zip(row.letters, marks, strict=True))
        lines.append(f"{row.hand:>6} {cells}")
    lines.append("* some hands of this total are better played otherwise; the file names each.")
    return lines
