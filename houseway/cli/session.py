"""`houseway session`: what becomes of a bankroll, and of a shift at the table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.markup import escape

from houseway.cli.arguments import (
    GameText,
    Given,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    RngSeed,
    fill_in,
    given,
    read_count,
    read_game,
    read_number,
    read_rounds,
    seed_or_any,
)
from houseway.cli.output import (
    console,
    pairs,
    parse_wagers,
    paytable_pairs,
    print_json,
    progress,
    table,
)
from houseway.cli.simulate import MOST_WORKERS, show_bars
from houseway.games.registry import shown_options
from houseway.house.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.sim.histogram import Bar
    from houseway.sim.session import Sessions, Shifts

BAND = 1.96
MOST_ROUNDS = 1_000_000
MOST_SESSIONS = 10_000_000
MOST_SHIFTS = 1_000_000


@fill_in
def session(
    game: GameText = None,
    *,
    bankroll: Annotated[str | None, Given] = None,
    bet: Annotated[list[str], Repeated] = [],
    rounds: str = "200",
    goal: Annotated[str | None, Given] = None,
    sessions: str = "100000",
    seats: str = "1",
    rounds_per_hour: str = "60",
    hours: str = "8",
    shifts: str = "10000",
    strategy: str = "optimal",
    workers: Annotated[str | None, Given] = None,
    rng_seed: RngSeed = None,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    svg: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """A player's session and a table's shift, played many thousand times.

    For the player: how results spread, the risk of ruin, time at the table, how far a purse falls
    from its peak. For the house: drop, win and hold of a shift. A player leaves after the rounds,
    with the goal reached, or when what is left does not cover all that a round may ask for; then
    the next one sits down and buys in for as much. Examples:

    `houseway session {first} --bankroll 300 {first_bets} --bet pair-plus=5`

    `houseway session {second} --bankroll 500 {second_bets}
    --rounds 400 --seats 6 --hours 8 --svg shift.svg`

    Parameters
    ----------
    bankroll
        What the player buys in for, in dollars.
    bet
        A wager of every round, NAME=AMOUNT in dollars; may be given several times.
    rounds
        Rounds that the player means to stay.
    goal
        A purse in dollars at which the player leaves a winner; none unless told.
    sessions
        How many sessions are played.
    seats
        Seats of the table in a shift, 1 to 7; each player plays and leaves alike.
    rounds_per_hour
        Rounds that the table deals in an hour.
    hours
        Hours of a shift.
    shifts
        How many shifts are played.
    strategy
        optimal, printed, simple, or a file of `houseway strategy GAME --out FILE`.
    workers
        Threads that deal at the same time; one for each core unless told.
    svg
        Write the pictures to this file.
    """
    found = read_game(game)
    brought = given(bankroll, "bankroll", "300")
    if not bet:
        raise Refused(Reason.MISSING_BET, "no bet is given; write --bet ante=10, or so")
    wagers = parse_wagers(bet)
    pace = read_number(rounds_per_hour, "rounds-per-hour", "60")
    length = read_number(hours, "hours", "8")
    stay = read_rounds(rounds, MOST_ROUNDS)
    shift_rounds = int(pace * length)
    if not 1 <= shift_rounds <= MOST_ROUNDS:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{rounds_per_hour} rounds an hour for {hours} hours are {shift_rounds} rounds; a "
            f"shift has 1 to {MOST_ROUNDS:,}",
        )
    many_sessions = read_rounds(sessions, MOST_SESSIONS, "sessions")
    many_shifts = read_rounds(shifts, MOST_SHIFTS, "shifts")
    seed = seed_or_any(rng_seed)
    at_once = None if workers is None else read_count(workers, "workers", MOST_WORKERS)
    with progress(f"laying out {found.code}"):
        from houseway.sim.executor import executor
        from houseway.sim.histogram import check_picture
        from houseway.sim.plan import make_job
        from houseway.sim.session import Visit, check_visit, play_sessions, play_shifts

        if svg is not None:
            check_picture(svg)
        visit = Visit(
            bankroll=parse_amount(brought, "bankroll"),
            rounds=stay,
            goal=0 if goal is None else parse_amount(goal, "goal"),
        )
        options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
        jobs = [
            make_job(
                found.code,
                options,
                paytable_pairs(paytable),
                strategy=strategy,
                seats=at_table,
                seed=seed,
                bets=wagers,
            )
            for at_table in (1, read_count(seats, "seats", 7))
        ]
        check_visit(jobs[0], visit)
    with executor(at_once) as (who, _), _share("playing sessions") as done:
        played = play_sessions(jobs[0], visit, many_sessions, who, done)
    with executor(at_once) as (who, _), _share("playing shifts") as done:
        worked = play_shifts(jobs[1], visit, shift_rounds, many_shifts, who, done)
    if svg is not None:
        _draw(played, worked, svg)
    if json:
        print_json(_document(played, worked, jobs[1].seats))
    else:
        _show(played, worked, float(pace))


def _document(played: "Sessions", worked: "Shifts", seats: int) -> dict[str, Any]:
    job, visit = played.job, played.visit
    return {
        "game": job.game,
        "bankroll": visit.bankroll,
        "bets": dict(job.wagers),
        "rounds": visit.rounds,
        "goal": visit.goal or None,
        "paytables": {row.paytable.bet: row.paytable.code for row in job.rows if row.paytable},
        "strategy": job.way.name,
        "rng_seed": job.seed,
        "options": shown_options(job.game, job.options),
        "player": played.to_json(),
        "house": {"seats": seats, **worked.to_json()},
    }


@contextmanager
def _share(what: str) -> Iterator[Callable[[float], None] | None]:
    """A bar on standard error that shows which share is done."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as shown:
        task = shown.add_task(what, total=1.0)
        yield lambda share: shown.update(task, completed=share)


def _show(played: "Sessions", worked: "Shifts", pace: float) -> None:
    job, visit, screen = played.job, played.visit, console()
    player, house = played.to_json(), worked.to_json()
    wagers = ", ".join(f"{bet} {dollars_text(cents)}" for bet, cents in job.wagers.items())
    screen.print(
        f"[bold]{job.game}[/bold]  {wagers} for {visit.rounds:,} rounds from a bankroll of "
        f"{dollars_text(visit.bankroll)}  seed {job.seed}  strategy "
        f"{escape(job.way.name)}"
    )
    screen.print(f"\n[bold]The player[/bold], {player['sessions']:,} sessions")
    _show_quantiles({"result": player["quantiles"], "best standing": player["peak"]}, _won)
    _show_quantiles({"furthest fall": player["drawdown"]}, _money)
    _show_quantiles({"rounds played": player["rounds_played"]}, lambda n: f"{n:,.0f}")
    hours = player["rounds_played"]["mean"] / pace
    lines = {
        "mean result": f"{_won(player['mean'])} ± {_money(BAND * player['standard_error'])}",
        "with an endless purse": f"{_won(player['mean_if_never_short'])}, exactly",
        "ahead at the end": f"{player['probability_ahead']:.2%}",
        "ruin": f"{player['probability_of_ruin']:.2%} ± {BAND * player['ruin_standard_error']:.2%}",
        "time at the table": f"{player['rounds_played']['mean']:,.0f} rounds, {hours:.1f} hours",
    }
    if player["probability_of_goal"] is not None:
        goal = f"{player['probability_of_goal']:.2%}"
        lines[f"left with {dollars_text(visit.goal)} or more"] = goal
    _show_lines(lines)
    show_bars(_bars(played.results))
    screen.print(
        f"\n[bold]The house[/bold], {house['shifts']:,} shifts of {house['rounds_per_shift']:,} "
        "rounds"
    )
    _show_quantiles({"win": house["win"]}, _won)
    _show_quantiles({"drop": house["drop"]}, _money)
    _show_quantiles({"hold": house["hold_per_shift"]}, lambda share: f"{share:.1%}")
    _show_lines(
        {
            "mean win": _won(house["win"]["mean"]),
            "mean drop": f"{_money(house['drop']['mean'])} in {house['buy_ins']:,.1f} buy-ins",
            "hold": f"{house['hold']:.2%} of the drop",
            "shifts that lose": f"{house['probability_house_loses']:.2%}",
        }
    )
    show_bars(_bars(worked.wins))


def _won(cents: float) -> str:
    return dollars_text(round(cents), sign=True)


def _money(cents: float) -> str:
    return dollars_text(round(cents))


def _show_lines(lines: dict[str, str]) -> None:
    width = max(map(len, lines)) + 2
    for name, text in lines.items():
        console().print(f"{name + ':':<{width}}{text}", markup=False)


def _show_quantiles(rows: dict[str, dict[str, float]], words: Callable[[float], str]) -> None:
    names = [name for name in next(iter(rows.values())) if name != "mean"]
    shown = table("", *names, right=names)
    for row, found in rows.items():
        shown.add_row(row, *(words(found[name]) for name in names))
    console().print(shown)


def _bars(values: Any) -> "list[Bar]":
    import numpy as np

    from houseway.sim.histogram import bars

    cents, counts = np.unique(values, return_counts=True)
    return bars(list(zip(cents.tolist(), counts.tolist(), strict=True)))


def _draw(played: "Sessions", worked: "Shifts", path: str) -> None:
    from houseway.sim.histogram import bar_chart, write_picture

    charts = [
        bar_chart(_bars(played.results), "what a session wins the player", "result"),
        bar_chart(_bars(-played.ended[:, 3]), "how far the purse falls from its peak", "fall"),
        bar_chart(_bars(worked.wins), "what a shift wins the house", "win"),
    ]
    write_picture(path, {"title": played.job.game, "vconcat": charts})
