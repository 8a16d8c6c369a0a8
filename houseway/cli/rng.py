"""`houseway rng`: raw words and dealt cards, as a file or a pipe for outside test batteries."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console

from houseway.cli.arguments import Given, Json, RngSeed, fill_in, one_of, read_count, read_seed
from houseway.cli.output import console, print_json, progress
from houseway.games import GAMES, game_of
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.sim.evidence import Collection

SOURCES = ("simulator", "shuffler")
KINDS = ("raw", "final")
MOST_COLLECTED = 10**11
MOST_SEATS = 7
USUAL_GAME = GAMES[0].code
STANDARD_OUTPUT = "-"


@fill_in
def rng(
    source: str | None = None,
    kind: str | None = None,
    *,
    count: Annotated[str | None, Given] = None,
    out: Annotated[str | None, Parameter(show_default=False, allow_leading_hyphen=True)] = None,
    game: Annotated[str | None, Given] = None,
    seats: Annotated[str | None, Given] = None,
    rng_seed: RngSeed = None,
    json: Json = False,
) -> None:
    """Write what a generator gives, or what is dealt from it, for outside test batteries.

    Raw are words of 32 bits with the low byte first. Final are cards by the very code that deals
    them, a byte from 0 to 51 each: the rank from deuce to Ace times four, plus 0 for clubs to 3
    for spades. Examples:

    `houseway rng simulator raw --count 50000000 --rng-seed 1 --out words.bin`

    `houseway rng simulator final --count 1000000 --rng-seed 1 --seats 7 --out cards.bin`

    `houseway rng shuffler final --count 10000 --game {second} --out decks.bin`

    `houseway rng shuffler raw --count 2000000000 --out - | dieharder -g 200 -d 0`

    Parameters
    ----------
    source
        simulator, the seeded generator of `houseway simulate`; or shuffler, the operating
        system's generator, by which live tables are dealt.
    kind
        raw or final.
    count
        How many: raw words, final rounds of the simulator or final decks of the shuffler.
    out
        The file to write, or - for standard output.
    game
        The game that is dealt, for final cards; {first} unless told.
    seats
        Seats at the simulated table, for its final cards, 1 to 7; 1 unless told.
    """
    chosen, drawn = one_of(source, "source", SOURCES), one_of(kind, "kind", KINDS)
    if count is None:
        raise Refused(Reason.BAD_ARGUMENT, "no count is given; write --count NUMBER")
    number = read_count(count, "count", MOST_COLLECTED)
    _check_out(out, as_json=json)
    _check_use("game", game, "final cards", used=drawn == "final")
    simulated = (chosen, drawn) == ("simulator", "final")
    _check_use("seats", seats, "final cards of the simulator", used=simulated)
    seeded = "the simulator, as the operating system's generator has no seed"
    _check_use("rng-seed", rng_seed, seeded, used=chosen == "simulator")
    given_seed = read_seed(rng_seed)
    seed = secrets.randbelow(10**9) if given_seed is None else given_seed
    played = game_of(game or USUAL_GAME).code
    seated = read_count(seats or "1", "seats", MOST_SEATS)
    drawn_from: dict[str, object] = {"rng_seed": None, "game": None, "seats": None}
    with progress(f"laying out {played}"):
        from houseway.sim import evidence
        from houseway.sim.plan import make_job

        match chosen, drawn:
            case "simulator", "raw":
                collection = evidence.simulator_words(seed, number)
                drawn_from |= {"rng_seed": seed}
            case "simulator", _:
                job = make_job(played, seats=seated, seed=seed)
                collection = evidence.simulator_cards(job, number)
                drawn_from |= {"rng_seed": seed, "game": played, "seats": seated}
            case _, "raw":
                collection = evidence.shuffler_words(SystemRandom(), number)
            case _:
                collection = evidence.shuffler_decks(SystemRandom(), played, number)
                drawn_from |= {"game": played}
    digest = _write(collection, str(out))
    document = {
        "source": chosen,
        "kind": drawn,
        "generator": collection.generator,
        **drawn_from,
        "count": number,
        "unit": collection.unit,
        "unit_bytes": collection.unit_bytes,
        "bytes": collection.size,
        "replacement": drawn == "raw",
        "file": out,
        "sha256": digest,
    }
    if json:
        print_json(document)
    elif out != STANDARD_OUTPUT:
        _show(document)


def _check_out(out: str | None, *, as_json: bool) -> None:
    """Refuse to write nowhere, into a terminal, or two things to one place."""
    if not out:
        raise Refused(
            Reason.BAD_ARGUMENT, "no file is given; write --out FILE, or --out - for a pipe"
        )
    if out != STANDARD_OUTPUT:
        if out.startswith("-"):
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"file {out!r} reads like an option; write --out './{out}', or --out - for a pipe",
            )
        return
    if as_json:
        raise Refused(
            Reason.BAD_ARGUMENT,
            "--out '-' and --json would both write to standard output; name a file",
        )
    if sys.stdout.isatty():
        raise Refused(
            Reason.BAD_ARGUMENT,
            "--out '-' is a terminal here; pipe it into a program or name a file",
        )


def _check_use(name: str, text: str | None, where: str, *, used: bool) -> None:
    if text is not None and not used:
        raise Refused(Reason.BAD_ARGUMENT, f"{name} {text!r} is only for {where}; leave it out")


def _write(collection: "Collection", out: str) -> str:
    """Write what is collected; returns its digest."""
    digest = sha256()
    with _opened(out) as write, _bar(collection.size) as advance:
        for piece in collection.pieces:
            digest.update(piece)
            write(piece)
            advance(len(piece))
    return digest.hexdigest()


Write = Callable[[bytes], object]
Advance = Callable[[int], None]


@contextmanager
def _opened(out: str) -> Iterator[Write]:
    """Where the bytes go; a pipe that is closed is the affair of whoever started the command."""
    if out == STANDARD_OUTPUT:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    try:
        with Path(out).open("wb") as file:
            yield file.write
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"file {out!r} cannot be written: {error.strerror}"
        ) from None


@contextmanager
def _bar(size: int) -> Iterator[Advance]:
    """A bar on standard error that shows how many bytes are written."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as shown:
        task = shown.add_task("collecting", total=size)
        yield lambda written: shown.advance(task, written)


def _show(document: dict[str, object]) -> None:
    seed = "" if document["rng_seed"] is None else f"  seed {document['rng_seed']}"
    screen = console()
    screen.print(
        f"[bold]{document['source']} {document['kind']}[/bold]  {document['count']:,} "
        f"{document['unit']}, {document['bytes']:,} bytes{seed}"
    )
    screen.print(str(document["file"]), markup=False, soft_wrap=True)
    screen.print(f"sha256 {document['sha256']}", soft_wrap=True)
