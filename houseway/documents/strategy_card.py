"""Strategy card: the best way to play a game as a chart, with every exception to it."""

from collections.abc import Iterator
from fractions import Fraction

from houseway.cards import DECK_SIZE
from houseway.documents.document import Block, Document, Footer, Heading, Table, Text
from houseway.documents.subject import Subject
from houseway.exact.best_chart import two_card_chart
from houseway.exact.play_lines import play_lines, summary
from houseway.exact.three_card import ante_analysis
from houseway.games.blackjack import INSURANCE_PAYS, KIND_NAMES
from houseway.games.contest import contest_of
from houseway.games.contract import Game

LETTERS = "H hit, S stand, D double, P split; T is a ten or a face card."
UNSEEN = DECK_SIZE - 3
"""Cards that a player does not see who holds two and looks at the dealer's Ace."""
TENS = 16


def strategy_card(subject: Subject, command: str) -> Document:
    """The card of a game: what to do with every hand that asks for a decision."""
    return Document(
        title=f"Strategy card: {subject.name}",
        revision=f"revision {subject.revision}",
        blocks=(
            Text(text="The decisions that cost least, counted over every deal under these rules."),
            Heading(text="How to play"),
            *strategy_blocks(subject),
        ),
        footer=Footer(command=command, digest=subject.digest),
    )


def strategy_blocks(subject: Subject) -> Iterator[Block]:
    """The chart of a game and its exceptions."""
    game = subject.ante_play
    if game is None:
        yield from _blackjack(subject)
    else:
        yield from _ante_play(subject, game)


def _ante_play(subject: Subject, game: Game) -> Iterator[Block]:
    options = subject.options
    analysis = ante_analysis(game, subject.tables, options)
    plays = analysis.optimal()
    lines = play_lines(analysis, plays, options)
    if not analysis.face_up:
        for sentence in summary(analysis, plays, options):
            yield Text(text=sentence)
        (line,) = lines
        kind = "score" if contest_of(game).lower_wins else "hand"
        end = "or less" if contest_of(game).lower_wins else "or better"
        yield Table(
            caption="When to play",
            columns=(f"your {kind}", "decision"),
            rows=((f"{line.worst} {end}", "play"), ("anything else", "fold")),
        )
        yield Text(text=f"Exceptions: {', '.join(line.folded) or 'none'}.")
        return
    yield Table(
        caption="When to play, by the dealer's card that is up",
        columns=("dealer shows", "play with", "exceptions: fold these"),
        rows=tuple(
            (line.up_card or "", f"{line.worst} or better", ", ".join(line.folded) or "none")
            for line in lines
        ),
    )
    yield Text(
        text="A hand with * is folded with some suits or held cards only; the strategy file names "
        "each. Hands of one suit are flushes and are always better than these."
    )


def _blackjack(subject: Subject) -> Iterator[Block]:
    rows = two_card_chart(subject.options)
    shown = []
    for row in rows:
        mixed = {up for _, up, _ in row.exceptions}
        cells = zip(row.letters, KIND_NAMES, strict=True)
        shown.append((row.hand, *(f"{a}*" if up in mixed else a for a, up in cells)))
    yield Text(text="War and Poker ask for no decision. Blackjack, played for itself:")
    yield Table(
        caption="First two cards against the dealer's up card",
        columns=("you hold", *KIND_NAMES),
        rows=tuple(shown),
    )
    yield Text(text=LETTERS)
    if Fraction(TENS, UNSEEN) * (INSURANCE_PAYS.net + 1) < 1:
        yield Text(text=f"Insurance at {INSURANCE_PAYS} costs money whatever you hold.")
    exceptions = [found for row in rows for found in row.exceptions]
    if exceptions:
        yield Heading(text="Exceptions to the chart", level=2)
        yield Table(
            caption="Hands that are better played otherwise than their row",
            columns=("you hold", "against", "decision"),
            rows=tuple(exceptions),
        )
    yield Text(
        text="With three cards and more a hand may depart from its total; the strategy file has "
        "every one."
    )
