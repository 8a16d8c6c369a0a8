"""`houseway deal`: whole rounds at a table that deals itself, one file each."""

import random
from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from houseway.cli.arguments import (
    GameText,
    Json,
    OptionTexts,
    PaytableTexts,
    RngSeed,
    fill_in,
    read_count,
    read_seed,
)
from houseway.cli.output import console, counted, pairs, paytable_pairs, print_json, table
from houseway.cli.practice import find_bot, read_stakes, table_rules
from houseway.house.money import dollars_text
from houseway.live.procedure import play_round
from houseway.live.record import Record
from houseway.live.shuffler import Shuffler
from houseway.live.state import MOST_POSITIONS, Round
from houseway.refusal import Reason, Refused

MOST_ROUNDS = 1_000_000


@fill_in
def deal(
    game: GameText = None,
    *,
    rounds: str = "1",
    rng_seed: RngSeed = None,
    out: Annotated[str | None, Parameter(help="The folder for the files.")] = None,
    positions: str = "1",
    bot: str = "optimal",
    bet: Annotated[list[str], Parameter(negative=(), show_default=False)] = [],
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    """Deal whole rounds by the procedures and write each as a text file that can be replayed.

    The same seed gives the same files, byte for byte. Example:

    ```
    houseway deal {first} --rounds 20 --rng-seed 7 --out rounds --positions 3
    ```

    Parameters
    ----------
    rounds
        How many rounds.
    positions
        How many positions bet, 1 to 7.
    bot
        How they play: optimal, from the exact analysis, or basic, by a simple rule.
    bet
        A bet of every position, NAME=AMOUNT in dollars; may be given several times. Without any,
        every bet of the game but the progressive. A progressive pays from meters at their
        meter_seed, or else from $10,000, and $50,000, $5,000 and $500 where there are levels.
    """
    ruleset = table_rules(game, pairs(option, "option", "NAME=VALUE"), paytable_pairs(paytable))
    if not out:
        raise Refused(Reason.BAD_ARGUMENT, "no folder is given; write --out FOLDER")
    number = read_count(rounds, "rounds", MOST_ROUNDS)
    seats = read_count(positions, "positions", MOST_POSITIONS)
    seed = read_seed(rng_seed)
    randomness = random.SystemRandom() if seed is None else random.Random(seed)
    stakes, meters = read_stakes(ruleset, bet)
    player = find_bot(bot)
    folder = _folder(out)
    shuffler = Shuffler(game=ruleset.game.code)
    wagered: Counter[str] = Counter()
    net: Counter[str] = Counter()
    files: list[str] = []
    last: Round | None = None
    for place in counted(range(1, number + 1), f"dealing {ruleset.game.name}"):
        shuffler, shuffle = shuffler.shuffle(randomness)
        record = Record(ruleset, f"{place:06d}", seats, after=last)
        play_round(record, shuffle, dict.fromkeys(range(1, seats + 1), stakes), player, meters)
        last = record.table
        files.append(_write(folder / f"{place:06d}.round", record.text()))
        for seat in last.seats:
            for line in seat.lines:
                wagered[line.bet] += line.wager
                net[line.bet] += line.net
    document = {
        "game": ruleset.game.code,
        "rounds": number,
        "positions": seats,
        "rng_seed": seed,
        "files": files,
        "bets": [
            {"bet": name, "wagered": wagered[name], "net": net[name]}
            for name in ruleset.game.order
            if name in wagered
        ],
    }
    if json:
        print_json(document)
        return
    shown = table("bet", "wagered", "net", right=("wagered", "net"))
    for name in ruleset.game.order:
        if name in wagered:
            shown.add_row(name, dollars_text(wagered[name]), dollars_text(net[name], sign=True))
    shown.add_row("all", "", dollars_text(sum(net.values()), sign=True))
    rounds_dealt = f"{number} round{'' if number == 1 else 's'}"
    console().print(f"[bold]{ruleset.game.name}[/bold]  {rounds_dealt} in {escape(str(folder))}")
    console().print(shown)


def _folder(out: str) -> Path:
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"folder {out!r} cannot be made: {error.strerror}"
        ) from None
    return folder


def _write(path: Path, text: str) -> str:
    """Write a file; refused when it would replace another round."""
    try:
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"file '{path}' holds another round; choose an empty folder",
            )
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"file '{path}' cannot be written: {error.strerror}"
        ) from None
    return str(path)
