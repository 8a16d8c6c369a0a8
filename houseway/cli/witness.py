"""`houseway witness`: every bet dealt and held against the exact figure."""

from typing import Annotated

from rich.console import Console

from houseway.cli.arguments import Flag, Given, Json, RngSeed, read_count, read_rounds, seed_or_any
from houseway.cli.output import console, print_json, progress, table
from houseway.cli.simulate import MOST_WORKERS
from houseway.refusal import Reason, Refused

SHORT, LONG = "2e6", "2e8"
LEAST_ROUNDS = 10**6
"""With fewer, what is rare is too rare for the normal law by which all is judged."""


def witness(
    *,
    rounds: Annotated[str | None, Given] = None,
    long: Annotated[bool, Flag] = False,
    workers: Annotated[str | None, Given] = None,
    rng_seed: RngSeed = None,
    json: Json = False,
) -> int:
    """Deal every bet of every game under every paytable and hold each against its exact figure.

    All figures are judged together: the test fails by chance once in a thousand times. It shows
    errors of counting, indexing and dealing; both sides read the same rules. Exit 1 when it does
    not hold. Examples:

    `houseway witness`

    `houseway witness --long --rng-seed 7`

    Parameters
    ----------
    rounds
        Hands dealt for every game, 1e6 or more; 2e6 unless told, 2e8 in the long form.
    long
        Also other ways of playing and house options.
    workers
        Threads that deal at the same time; one for each core unless told.
    """
    wanted = read_rounds(rounds if rounds is not None else LONG if long else SHORT)
    if wanted < LEAST_ROUNDS:
        raise Refused(
            Reason.BELOW_MINIMUM, f"rounds {rounds!r} are too few to judge by; write 1e6 or more"
        )
    at_once = None if workers is None else read_count(workers, "workers", MOST_WORKERS)
    seed = seed_or_any(rng_seed)
    screen = Console(stderr=True)
    with progress("dealing every game"):
        from houseway.sim.executor import executor
        from houseway.sim.witness import hear

        def watch(what: str) -> None:
            if screen.is_terminal:
                screen.print(what, style="dim")

        with executor(at_once) as (who, count):
            found = hear(wanted, seed, who, count, long=long, watch=watch)
    if json:
        print_json(found.to_json())
        return 0 if found.holds else 1
    headings = ("game", "seats", "strategy", "figure", "dealt", "exact", "z")
    shown = table(*headings, right=("seats", "dealt", "exact", "z"))
    for heard in found.heard:
        shown.add_row(
            heard.game,
            str(heard.seats),
            heard.strategy,
            heard.figure,
            f"{heard.dealt:+.6f}",
            f"{heard.exact:+.6f}",
            f"{heard.z:+.2f}",
        )
    console().print(shown)
    far = found.furthest
    console().print(
        f"{len(found.heard)} figures, {found.rounds:,} hands a game, seed {found.seed}: the "
        f"furthest off is {far.figure} of {far.game} with z {far.z:+.2f}; chance alone stays "
        f"within {found.limit:.2f} in 99.9% of such tests. "
        + ("[green]It holds.[/green]" if found.holds else "[red]It does not hold.[/red]")
    )
    return 0 if found.holds else 1
