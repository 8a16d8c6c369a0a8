"""Records: a round is written as text, read back and done again, and nothing differs."""

from collections.abc import Iterator

from houseway.conformance.rounds import deal
from houseway.games.contract import Game
from houseway.live.commands import Command
from houseway.live.record import Record, read_record
from houseway.live.text import command_text, parse_command
from houseway.refusal import Refused


def rounds_replay(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each command or round that does not come back from its text."""
    played = deal(game, seed)
    record = Record(played.ruleset, "000001", len(played.opened.seats))
    half = len(played.commands) // 2
    for number, command in enumerate(played.commands):
        yield from reads_back(command)
        record.do(command)
        if number in (half, len(played.commands) - 1):
            yield from _again(record, game)


def reads_back(command: Command) -> Iterator[str]:
    """Yields what is wrong with the text of a command."""
    text = command_text(command)
    try:
        read = parse_command(text)
    except Refused as refused:
        yield f"the line {text!r} is written and cannot be read: {refused.message}"
        return
    if read != command:
        yield f"the line {text!r} of {command} reads back as {read}"
    elif command_text(read) != text:
        yield f"the line {text!r} is written again as {command_text(read)!r}"


def _again(record: Record, game: Game) -> Iterator[str]:
    text = record.text()
    try:
        replay = read_record(text, lambda _: game)
    except Refused as refused:
        yield f"the file of the round cannot be read: {refused.message}"
        return
    for difference in replay.differences:
        yield f"the round done again from its file differs: {difference}"
    if replay.record.text() != text:
        yield "the file of the round done again is another text"
    if replay.record.table != record.table:
        yield "the round done again from its file stands otherwise"
