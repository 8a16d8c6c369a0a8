"""`houseway simulate`: a game dealt by the million, every bet beside its exact value."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import Console
from rich.markup import escape

from houseway.cli.arguments import (
    Flag,
    GameText,
    Given,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    RngSeed,
    fill_in,
    read_count,
    read_game,
    read_rounds,
    seed_or_any,
)
from houseway.cli.output import (
    can_show,
    console,
    pairs,
    parse_meters,
    parse_wagers,
    paytable_pairs,
    print_json,
    progress,
    table,
)
from houseway.games import game_of
from houseway.house.money import dollars_text
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.sim.histogram import Bar
    from houseway.sim.result import Result
    from houseway.sim.run import Run, Watch

MOST_WORKERS = 1024
BAND = 1.96


@fill_in
def simulate(
    game: GameText = None,
    *,
    rounds: str = "1e7",
    seats: str = "1",
    strategy: str = "optimal",
    workers: Annotated[str | None, Given] = None,
    processes: Annotated[bool, Flag] = False,
    dask: Annotated[str | None, Given] = None,
    rng_seed: RngSeed = None,
    checkpoint: Annotated[str | None, Given] = None,
    bet: Annotated[list[str], Repeated] = [],
    meter: Annotated[list[str], Repeated] = [],
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    svg: Annotated[str | None, Given] = None,
    json: Json = False,
) -> int:
    """Deal a game by the million and hold every bet against its exact value.

    Whole tables share the dealer and the deck. The same seed gives the same totals, whoever deals
    them. A paytable may be given several times for one bet; one run prices them all. Examples:

    `houseway simulate {first} --rounds 1e8 --paytable pair-plus=A --paytable pair-plus=C`

    `houseway simulate {second} --seats 7 --rng-seed 42 --svg table.svg`

    `houseway simulate {first} --paytable progressive=1 --option contribution_rate=0.2
    --option meter_seed=10000`

    `houseway simulate {first} --rounds 1e12 --checkpoint run.json --dask
    tcp://127.0.0.1:8786`

    Parameters
    ----------
    rounds
        Rounds to deal: a positive whole number, such as 1000000 or 1e9.
    seats
        Seats that play at the table, 1 to 7, all in the same way.
    strategy
        optimal; printed, where a source prints one; simple, a rule of thumb; or a file that
        `houseway strategy GAME --out FILE` wrote. Insurance is never taken.
    workers
        Threads that deal at the same time; one for each core unless told.
    processes
        Deal in processes of their own instead of threads.
    dask
        Deal on the cluster of the scheduler at this address.
    checkpoint
        A file that keeps the run: stopped, the same command goes on where it was, with its seed.
    bet
        What a seat wagers, NAME=AMOUNT in dollars, for the picture of net results; $1 on every
        bet unless told.
    meter
        What stands on the meter of a progressive at the beginning, AMOUNT or LEVEL=AMOUNT; the
        meter_seed unless told.
    svg
        Write the picture of net results to this file.
    """
    found = read_game(game)
    wanted = read_rounds(rounds)
    at_once = None if workers is None else read_count(workers, "workers", MOST_WORKERS)
    if dask is not None and (workers is not None or processes):
        raise Refused(
            Reason.BAD_ARGUMENT,
            "--dask brings its own workers; leave --workers and --processes out",
        )
    wagers = parse_wagers(bet)
    keeps = None if checkpoint is None else Path(checkpoint)
    with progress(f"laying out {found.code}"):
        from houseway.sim.executor import executor
        from houseway.sim.histogram import check_picture
        from houseway.sim.plan import make_job
        from houseway.sim.result import result_of
        from houseway.sim.run import carry_out, new_run

        if svg is not None:
            check_picture(svg)
        job = make_job(
            found.code,
            pairs(option, "option", "NAME=VALUE, such as tie_rule=push"),
            paytable_pairs(paytable),
            strategy=strategy,
            seats=read_count(seats, "seats", 7),
            seed=_seed(rng_seed, keeps),
            bets=wagers or None,
            meter=parse_meters(meter),
        )
        run = new_run(job, wanted, save_to=keeps)
    stopped = False
    try:
        with executor(at_once, processes=processes, dask=dask) as (who, count), _bar(run) as watch:
            each = 1 if not processes and dask is None else _blocks_each(run, count)
            carry_out(run, who, count, blocks_each=each, watch=watch)
    except KeyboardInterrupt:
        stopped = True
    if not run.done:
        return _say_stopped(run, checkpoint)
    with progress("counting the exact values"):
        result = result_of(run)
    if svg is not None:
        _draw(result, svg)
    if json:
        print_json(result.to_json())
    else:
        show(result)
    return _say_stopped(run, checkpoint) if stopped else 0


def _seed(text: str | None, keeps: Path | None) -> int:
    """The seed that is given, or that of the run that is gone on with, or any."""
    from houseway.sim.checkpoint import seed_of

    kept = seed_of(keeps) if text is None and keeps is not None else None
    return seed_or_any(text) if kept is None else kept


def _blocks_each(run: "Run", workers: int) -> int:
    """Blocks of a task that is sent away: some seconds of work, and enough tasks for all."""
    from houseway.sim.job import BLOCK

    left = -(-(run.rounds - run.done) // BLOCK)
    # Where cards depend on decisions a round takes about four times as long.
    seconds_of_work = 8 if game_of(run.job.game).by_deck else 32
    return max(1, min(seconds_of_work // run.job.seats, left // (4 * workers)))


@contextmanager
def _bar(run: "Run") -> Iterator["Watch | None"]:
    """A bar on standard error with the rate, the time left and how the first bets stand."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from houseway.sim.result import bands

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[means]}"),
        console=screen,
        transient=True,
    ) as shown:
        task = shown.add_task("dealing", total=run.rounds, completed=run.done, rate="", means="")

        def watch(run: "Run") -> None:
            means = "  ".join(f"{n} {m:+.4f} ± {BAND * e:.4f}" for n, m, e in bands(run)[:3])
            rate = f"{run.rounds_per_second / 1e6:.1f} M/s"
            shown.update(task, completed=run.done, rate=rate, means=means)

        yield watch


def _say_stopped(run: "Run", checkpoint: str | None) -> int:
    kept = f"; the same command goes on from {checkpoint}" if checkpoint else ""
    told = f"stopped after {run.done:,} of {run.rounds:,} rounds{kept}"
    Console(stderr=True).print(told, markup=False)
    return 130


def show(result: "Result") -> None:
    """The final tables."""
    run, job, screen = result.run, result.job, console()
    tables = f"tables of {job.seats} seats" if job.seats > 1 else "rounds"
    screen.print(
        f"[bold]{job.game}[/bold]  {run.done:,} {tables}  seed {job.seed}  strategy "
        f"{escape(job.way.name)}"
    )
    if (aside := Console(stderr=True)).is_terminal:
        aside.print(f"{run.rounds_per_second / 1e6:.1f} million rounds a second", style="dim")
    headings = ("bet", "paytable", "mean", "standard error", "exact", "z")
    shown = table(*headings, right=headings[2:])
    for row in result.estimates:
        shown.add_row(
            row.bet,
            row.paytable or "",
            f"{row.mean:+.6f}",
            f"{row.standard_error:.6f}",
            "" if row.expected is None else f"{row.expected:+.6f}",
            "" if row.z is None else f"{row.z:+.2f}",
        )
    screen.print(shown)
    screen.print("Net of the player per unit first wagered.", style="dim")
    _show_covariance(result)
    _show_jackpots(result)
    _show_histogram(result)


def _names(result: "Result") -> list[str]:
    rows = result.job.rows
    several = {row.bet for row in rows if sum(other.bet == row.bet for other in rows) > 1}
    return [
        f"{row.bet} {row.paytable.code}" if row.bet in several and row.paytable else row.bet
        for row in rows
    ]


def _show_covariance(result: "Result") -> None:
    names = _names(result)
    matrices = [("covariance of a seat's bets", result.covariance)]
    if result.between is not None:
        matrices.append(("covariance between two seats", result.between))
    for title, matrix in matrices:
        shown = table(title, *names, right=names)
        for name, row in zip(names, matrix.tolist(), strict=True):
            shown.add_row(name, *(f"{value:.4f}" for value in row))
        console().print()
        console().print(shown)


def _show_jackpots(result: "Result") -> None:
    for jackpot in result.run.jackpots:
        headings = ("meter", "stands at", "reserve", "highest", "awards", "mean award")
        shown = table(*headings, right=headings[1:])
        for level, counted in jackpot.levels.items():
            meter = jackpot.meters[level]
            mean = counted.paid_cents // counted.awards if counted.awards else None
            shown.add_row(
                level,
                dollars_text(meter.shown_cents),
                dollars_text(meter.reserve // 10**6),
                dollars_text(counted.highest_cents),
                f"{counted.awards:,}",
                "" if mean is None else dollars_text(mean),
            )
        console().print()
        console().print(f"progressive {jackpot.paytable.code}, after {jackpot.round:,} rounds")
        console().print(shown)
        if jackpot.envy_cents:
            console().print(f"envy paid: {dollars_text(jackpot.envy_cents)}")


def _show_histogram(result: "Result") -> None:
    staked = [(b, c) for b, c in result.job.wagers.items() if b != "progressive"]
    wagers = ", ".join(f"{bet} {dollars_text(cents)}" for bet, cents in staked)
    whose = "the table" if result.job.seats > 1 else "the seat"
    console().print()
    console().print(f"what {whose} wins in a round, with {wagers}", markup=False)
    show_bars(_bars(result))


def show_bars(found: "list[Bar]") -> None:
    """Bars of a histogram in the terminal."""
    widest = max((bar.share for bar in found), default=1.0)
    width = max(len(bar.words) for bar in found)
    room = max(10, min(50, console().width - width - 12))
    block = "█" if can_show("█") else "#"
    for bar in found:
        drawn = block * round(bar.share / widest * room)
        console().print(f"{bar.words:>{width}} {bar.share:8.4%} {drawn}", markup=False)


def _bars(result: "Result") -> "list[Bar]":
    from houseway.sim.histogram import bars
    from houseway.sim.job import laid_out

    if result.job.seats == 1:
        return bars(result.net_histogram())
    layout = laid_out(result.job)
    return bars(result.net_histogram(), each=layout.width, last=layout.last)


def _draw(result: "Result", path: str) -> None:
    from houseway.sim.histogram import bar_chart, write_picture

    job = result.job
    title = f"{job.game}: net of a round, {job.seats} seat{'s' if job.seats > 1 else ''}"
    write_picture(path, bar_chart(_bars(result), title, "net"))
