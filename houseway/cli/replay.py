"""`houseway replay`: do a recorded round again and hold it against the record."""

from pathlib import Path

from rich.markup import escape

from houseway.cli.arguments import Json
from houseway.cli.output import console, print_json, seen_cards, show_lines
from houseway.live.phases import Phase
from houseway.live.record import read_record
from houseway.live.state import Round, Seat
from houseway.live.view import Viewer, view
from houseway.refusal import Reason, Refused
from houseway.rules.lines import in_order


def replay(file: str | None = None, *, json: Json = False) -> int:
    """Do a round again from its file: exit 0 when every recorded line comes out, else 1.

    A file that cannot be read as a round exits 2. Example: `houseway replay rounds/000001.round`

    Parameters
    ----------
    file
        A round file, as `houseway deal` writes them.
    """
    if file is None:
        raise Refused(Reason.BAD_ARGUMENT, "no file is given; write houseway replay FILE")
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT, f"file {file!r} cannot be read: {error.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise Refused(Reason.BAD_RECORD, f"file {file!r} is not text in UTF-8") from None
    done = read_record(text)
    if json:
        print_json(done.to_json())
        return 0 if done.identical else 1
    screen, table = console(), done.record.table
    number = escape(table.number)
    screen.print(f"[bold]{table.ruleset.game.name}[/bold]  round {number}, {table.phase}")
    screen.print(f"[dim]rules of {table.ruleset.revision}, digest {table.ruleset.digest[:16]}[/]")
    seen = view(table, Viewer("surveillance"))
    for place in ("dealer", "community"):
        if seen[place]:
            screen.print(place, seen_cards(seen[place]))
    for shown, seat in zip(seen["positions"], _betting(table), strict=True):
        screen.print()
        decided = ", ".join(seat.decisions)
        screen.print(f"position {seat.position}", seen_cards(shown["cards"]), f" {decided}")
        if table.phase is not Phase.VOID:
            show_lines(in_order(seat.lines, table.ruleset.order))
    screen.print()
    for difference in done.differences:
        screen.print(difference, style="red", markup=False)
    screen.print("identical" if done.identical else "[red]not identical[/red]")
    return 0 if done.identical else 1


def _betting(table: Round) -> list[Seat]:
    return [seat for seat in table.seats if seat.wagers]
