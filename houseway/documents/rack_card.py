"""Rack card: how a game is played and what it pays, for the rack beside the table."""

from collections.abc import Iterator

from houseway.documents.document import Block, Document, Facts, Footer, Heading, Table, Text
from houseway.documents.subject import Subject
from houseway.documents.terms import (
    DECISION,
    HELP_LINE,
    bets_sentence,
    bonus_sentences,
    contest_rows,
    folded_progressive_sentence,
    idle_sentence,
    order_sentences,
    pair_plus_sentence,
    qualifier,
    six_card_sentence,
    spaced,
)
from houseway.documents.words import bet_name
from houseway.games.contract import Game
from houseway.house.money import dollars_text
from houseway.house.options import games_limit, spot_amount, wager_limit
from houseway.rules.rulebook import pay_rows

OWN_ART = (
    "The look of this card is our own. Names of games belong to their owners and only say which "
    "rules are meant; no art, layout or trade dress of theirs is used."
)


def rack_card(subject: Subject, command: str) -> Document:
    """The card of a game: rules in short, pays, limits, where help is, and its revision (CMP-18).

    Of Rummy it says what players must be told (TSR-38), all of it read off the rules in force.
    """
    return Document(
        title=subject.name,
        revision=f"Rack card {revision_code(subject)}",
        blocks=tuple(_blocks(subject)),
        footer=Footer(command=command, digest=subject.digest),
    )


def revision_code(subject: Subject) -> str:
    """The code by which two cards are told apart: the rules' date and the head of their digest."""
    return f"{subject.revision}/{subject.digest[:8]}"


def _blocks(subject: Subject) -> Iterator[Block]:
    game = subject.ante_play
    yield Heading(text="How it is played")
    if game is None:
        yield Text(
            text="One hand plays three games: War, Blackjack and six-card Poker. You bet on "
            "all three, and on the Hat Trick if you like."
        )
        for sentence in bonus_sentences(subject.tables, subject.options):
            yield Text(text=sentence)
    else:
        for sentence in ante_play_sentences(subject, game):
            yield Text(text=sentence)
        yield contest_table(subject, game)
    yield Heading(text="What is paid")
    yield from pay_tables(subject)
    yield Heading(text="Limits")
    yield Facts(rows=tuple(_limits(subject)))
    yield Heading(text="Please note")
    yield Text(text=HELP_LINE)
    yield Text(text=OWN_ART)


def ante_play_sentences(subject: Subject, game: Game) -> Iterator[str]:
    """The game of Ante and Play in a few sentences."""
    options, tables = subject.options, subject.tables
    yield bets_sentence(options)
    yield from order_sentences(game, options)
    if game.code == "three-card-poker-face-up":
        yield "One of the dealer's three cards is dealt face up."
    yield DECISION
    yield f"The dealer plays with {qualifier(game, options)}."
    yield idle_sentence(game, tables, options)
    yield pair_plus_sentence(game, tables, options)
    yield six_card_sentence(tables)
    yield folded_progressive_sentence(options)


def contest_table(subject: Subject, game: Game) -> Table:
    """The results of Play and Ante, situation by situation."""
    return Table(
        caption="Play and Ante of a hand that is played",
        columns=("when", "Play", "Ante"),
        rows=tuple(contest_rows(game, subject.tables, subject.options)),
    )


def pay_tables(subject: Subject) -> Iterator[Table]:
    """Every paytable in force, as it is posted."""
    for bet, table in subject.tables.items():
        yield Table(
            caption=bet_name(bet, table.code),
            columns=("hand" if bet != "play" else "your score", "pays"),
            rows=tuple((spaced(hand), pays) for hand, pays in pay_rows(table.to_json())),
        )


def _limits(subject: Subject) -> Iterator[tuple[str, str]]:
    options = subject.options
    for bet in subject.game.wagers:
        least = spot_amount(options.table_minimum, bet)
        most = spot_amount(options.table_maximum, bet)
        if least is None and most is None:
            continue
        low = "any" if least is None else dollars_text(least)
        high = "any" if most is None else dollars_text(most)
        yield bet_name(bet), f"{low} to {high}"
    if not (options.table_minimum or options.table_maximum):
        yield "At the table", "as posted there"
    limit = wager_limit(options)
    if limit is not None:
        yield "By law", f"no single wager above {dollars_text(limit.most)} ({limit.citation})"
    games = games_limit(subject.game.code, options)
    if games is not None:
        yield "Games at once", f"at most {games.most} for a player ({games.citation})"
