"""`houseway meter-lab`: how a progressive grows, when it hits, whether it runs dry."""

from typing import TYPE_CHECKING, Annotated, Any

from houseway.cli.arguments import (
    Given,
    Json,
    OptionTexts,
    RngSeed,
    read_count,
    read_rounds,
    seed_or_any,
)
from houseway.cli.output import can_show, console, pairs, print_json, progress, table
from houseway.house.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.sim.meter_lab import LabReport

MOST_ROUNDS, MOST_PATHS = 10**9, 10_000
COLUMNS, ROWS, LEAST_COLUMNS = 72, 12, 10


def meter_lab(
    paytable: str | None = None,
    *,
    option: OptionTexts = [],
    seats: str = "6",
    wager: str = "1",
    rounds: str = "1e6",
    paths: str = "20",
    rng_seed: RngSeed = None,
    svg: Annotated[str | None, Given] = None,
    json: Json = False,
) -> None:
    """A progressive on the bench: growth, time to a hit, awards, back-to-back hits, running dry.

    By formula where there is one, and played out beside it. Options set how meters grow. Examples:

    `houseway meter-lab 1 --option contribution_rate=0.2 --option meter_seed=10000`

    `houseway meter-lab 1 --option all_from_meter=on --option contribution_rate=0.6 --option
    meter_seed=500 --svg dry.svg`

    `houseway meter-lab ML01 --option contribution_rate=mega=0.1,major=0.05 --option
    meter_seed=mega=50000,major=5000`

    Parameters
    ----------
    paytable
        The code of a progressive: 1, 2, 01, ML01 or ML03.
    seats
        Wagers of a round, 1 to 7.
    wager
        Dollars of each wager.
    rounds
        Rounds of a path.
    paths
        How many paths are played out.
    svg
        Write the first path as a picture to this file.
    """
    found = _paytable(paytable)
    texts = pairs(option, "option", "NAME=VALUE, such as contribution_rate=0.2")
    played = read_rounds(rounds, MOST_ROUNDS)
    many = read_count(paths, "paths", MOST_PATHS)
    with progress("playing meters out"):
        from houseway.house.options import Options
        from houseway.rules.wagers import read_options
        from houseway.sim.histogram import check_picture
        from houseway.sim.meter_lab import make_lab, run_lab

        if svg is not None:
            check_picture(svg)
        lab = make_lab(
            found,
            read_options(texts, Options())[0],
            seats=read_count(seats, "seats", 7),
            wager_cents=parse_amount(wager, "wager"),
        )
        report = run_lab(lab, played, many, seed_or_any(rng_seed))
    if svg is not None:
        _draw(report, svg)
    if json:
        print_json(report.to_json())
    else:
        _show(report)


def _paytable(code: str | None) -> Any:
    from houseway.games.library import progressives

    known = progressives().paytables
    for paytable in known:
        if paytable.code == code:
            return paytable
    said = "no progressive is given" if code is None else f"progressive {code!r} is unknown"
    raise Refused(Reason.UNKNOWN_PAYTABLE, f"{said}; known: {listed(t.code for t in known)}")


def _show(report: "LabReport") -> None:
    lab, screen, document = report.lab, console(), report.to_json()
    screen.print(
        f"[bold]progressive {lab.paytable.code}[/bold]  {lab.seats} wagers of "
        f"{dollars_text(lab.wager_cents)} a round, {len(report.paths)} paths of "
        f"{report.rounds:,} rounds"
    )
    headings = ("meter", "grows a round", "hit once in", "half by", "90% by", "hits", "mean award")
    shown = table(*headings, right=headings[1:])
    for level, figures in document["levels"].items():
        seats = lab.seats
        by = figures["wagers_to_hit"]
        once = figures["mean_wagers_between_hits"]
        award = figures["mean_award"]
        shown.add_row(
            level,
            f"${float(lab.growth_cents(level)) / 100:,.4f}",
            "" if once is None else f"{float(1 / lab.whole_probability(level)) / seats:,.0f}",
            f"{by['50%'] / seats:,.0f}" if by else "",
            f"{by['90%'] / seats:,.0f}" if by else "",
            f"{figures['hits']:,}",
            "" if award is None else dollars_text(round(award)),
        )
    screen.print(shown)
    screen.print("Rounds until a hit are by formula; hits and awards were played out.", style="dim")
    for level, figures in document["levels"].items():
        second = figures["second_hit"]["100"]
        screen.print(
            f"A second hit of {level} within 100 rounds comes {second['probability']:.3%} of the "
            f"time and finds {dollars_text(second['meter'])} or less.",
            markup=False,
        )
    run = lab.long_run()
    if run is not None:
        screen.print(f"Long-run hold: {float(run.hold):.4%} of a $1 wager, by formula.")
    if lab.all_from_meter:
        screen.print(
            f"The meter ran dry in {report.dry_share:.1%} of the paths; the house laid out "
            f"{dollars_text(round(document['mean_short']))} on average. [PRC-02]",
            markup=False,
        )
    for level, points in report.paths[0].points.items():
        screen.print(f"\n{level}, the first path")
        _plot(points)


def _plot(points: list[tuple[int, int]]) -> None:
    """A path as columns of blocks, as many as the terminal has room for."""
    last, highest = points[-1][0], max(cents for _, cents in points)
    width = max(14, len(dollars_text(highest)))
    columns = max(LEAST_COLUMNS, min(COLUMNS, console().width - width - 1))
    tallest = [-1] * columns
    for number, cents in points:
        column = min(columns - 1, number * columns // last)
        tallest[column] = max(tallest[column], cents)
    for column in range(1, columns):
        if tallest[column] < 0:
            tallest[column] = tallest[column - 1]
    block = "█" if can_show("█") else "#"
    for row in range(ROWS, 0, -1):
        line = "".join(
            block if cents and cents * ROWS >= highest * (row - 0.5) else " " for cents in tallest
        )
        label = dollars_text(highest * row // ROWS) if row in (ROWS, ROWS // 2) else ""
        console().print(f"{label:>{width}} {line.rstrip()}", markup=False)
    console().print(f"{'':>{width}} 0 to {last:,} rounds")


def _draw(report: "LabReport", path: str) -> None:
    from houseway.sim.histogram import write_picture

    rows = [
        {"round": number, "dollars": cents / 100, "meter": level}
        for level, points in report.paths[0].points.items()
        for number, cents in points
    ]
    write_picture(
        path,
        {
            "title": f"progressive {report.lab.paytable.code}, one path",
            "width": 640,
            "height": 260,
            "data": {"values": rows},
            "mark": {"type": "line", "strokeWidth": 1},
            "encoding": {
                "x": {"field": "round", "type": "quantitative", "title": "rounds"},
                "y": {"field": "dollars", "type": "quantitative", "axis": {"format": "$,.0f"}},
                "color": {"field": "meter", "type": "nominal"},
            },
        },
    )
