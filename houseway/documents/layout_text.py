"""Layout text: the words and pays that a table layout carries, from the rules in force."""

from collections.abc import Iterator

from houseway.documents.document import Block, Document, Footer, Heading, Table, Text
from houseway.documents.rack_card import contest_table, pay_tables, revision_code
from houseway.documents.subject import Subject
from houseway.documents.terms import bonus_sentences, lowest_paid, qualifier
from houseway.documents.words import bet_name
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.house.options import games_notices


def layout_text(subject: Subject, command: str) -> Document:
    """The words on the layout of a game, spot by spot (TSB-30, FUP-11, CMP-14, CMP-19)."""
    game = subject.ante_play
    blocks: list[Block] = [
        Text(text="Words for the layout; its drawing is the house's own."),
        Heading(text="Spots"),
        Table(
            caption="Where wagers are placed, in the order they are settled",
            columns=("spot", "what it says"),
            rows=tuple(_spots(subject)),
        ),
        Heading(text="Lettering"),
    ]
    lines = (
        bonus_sentences(subject.tables, subject.options)
        if game is None
        else _ante_play_lines(subject, game)
    )
    blocks += [Text(text=line) for line in lines]
    # A letter asks for it on the layout or on a placard (CMP-14).
    blocks += [Text(text=f"{line}.") for line in games_notices(subject.game.code, subject.options)]
    if game is not None:
        blocks.append(contest_table(subject, game))
    blocks.append(Heading(text="Pays"))
    blocks += pay_tables(subject)
    return Document(
        title=f"Layout text: {subject.name}",
        revision=f"revision {revision_code(subject)}",
        blocks=tuple(blocks),
        footer=Footer(command=command, digest=subject.digest),
    )


def _ante_play_lines(subject: Subject, game: Game) -> Iterator[str]:
    yield "Play must equal Ante."
    if contest_of(game).lower_wins:
        yield "The lowest total wins."
    yield f"The dealer plays with {qualifier(game, subject.options)}."
    bet, paytable = game.side("pair-plus"), subject.tables["pair-plus"]
    kept = bet.folded(paytable, subject.options) is None
    yield f"A fold {'leaves Pair Plus in action' if kept else 'gives up Pair Plus'}."


def _spots(subject: Subject) -> Iterator[tuple[str, str]]:
    for bet in subject.game.order:
        if bet == "envy":
            continue
        table = subject.tables.get(bet)
        if bet == "insurance":
            said = "only when the dealer shows an Ace; half of the Blackjack bet"
        elif bet == "play":
            said = "equal to the Ante, once your cards are seen"
        elif table is None:
            said = "optional" if bet not in ("ante", *_required(subject)) else "your wager"
        else:
            said = f"paytable {table.code}; pays from {lowest_paid(table)}"
        yield bet_name(bet), said


def _required(subject: Subject) -> tuple[str, ...]:
    return () if subject.ante_play else ("war", "blackjack", "poker")
