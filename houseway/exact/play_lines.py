"""Play lines: which hands are played in a showdown, as data and as lines that people read."""

from collections.abc import Sequence
from typing import NamedTuple

from houseway.cards import card_text, cards_text, rank_of
from houseway.exact.tabulate import three_card_hands
from houseway.exact.three_card import AnteAnalysis, Plays
from houseway.games.contest import contest_of
from houseway.house.options import Chosen


def decisions(analysis: AnteAnalysis, plays: Plays) -> dict[str, str]:
    """A decision for one hand of every class; in Face Up for each of the 52 up cards."""
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
