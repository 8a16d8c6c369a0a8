"""`houseway hold`: what a model expects a house to keep of what players buy in for."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from houseway.cli.arguments import (
    GameText,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    fill_in,
    given,
    read_game,
    read_number,
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
from houseway.house.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.exact.hold import ExpectedHold


@fill_in
def hold(
    game: GameText = None,
    *,
    bet: Annotated[list[str], Repeated] = [],
    rounds_per_hour: str | None = None,
    play_seconds: str | None = None,
    cycle_seconds: str | None = None,
    decks: int | None = None,
    hours: str | None = None,
    buy_in: str | None = None,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    """The hold, win over drop, that a model expects of one player's visit. A model, not a count.

    The edges are exact; pace, hours and buy-in are what you know of your own floor. win = edge x
    first wagers x rounds, drop = the buy-in, hold = win / drop and at most 100%. The model takes
    it that the player buys in once, for cash, wagers the same on every round until the hours are
    over, never runs out before, and plays as well as can be. Where no --paytable is chosen the
    hold is a range over all paytables of the bets. Examples:

    `houseway hold {second} {second_bets}
    --rounds-per-hour 40 --hours 2 --buy-in 200`

    `houseway hold {first} {first_bets} --bet pair-plus=5 --paytable TCP-03
    --rounds-per-hour 60 --hours 4 --buy-in 300`

    `houseway hold {first} {first_bets} --play-seconds 60 --cycle-seconds 20 --hours 4
    --buy-in 300`

    Parameters
    ----------
    bet
        A wager of every round, NAME=AMOUNT in dollars; may be given several times. Play and
        doubled wagers come on top and are in the edge.
    rounds_per_hour
        Rounds that the table deals in an hour, such as 60.
    play_seconds
        Instead of rounds an hour: seconds from the first bet to the last payment of a round.
    cycle_seconds
        With play seconds: seconds that one cycle of the shuffler takes.
    decks
        With play seconds: 1 if play waits for the shuffler, as it does where nothing is said; 2 if
        one deck is shuffled while the other is played.
    hours
        How long a player stays, such as 4 or 2.5.
    buy_in
        Buy-in of a player, in dollars.
    """
    found = read_game(game)
    wagers = parse_wagers(bet)
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    pace = _read_pace(rounds_per_hour, play_seconds, cycle_seconds, decks)
    length = read_number(hours, "hours", "4")
    drop = parse_amount(given(buy_in, "buy-in", "200"), "buy-in")
    with progress(f"counting {found.code}"):
        from houseway.exact.hold import hold as expected

        result = expected(
            found.code,
            options,
            paytable_pairs(paytable),
            bets=wagers,
            rounds_per_hour=pace,
            hours=length,
            buy_in_cents=drop,
        )
    if json:
        print_json(result.to_json())
    else:
        _show(result)


def _read_pace(
    rounds_per_hour: str | None,
    play_seconds: str | None,
    cycle_seconds: str | None,
    decks: int | None,
) -> Fraction:
    """Rounds an hour as given, or from the seconds of play and of the shuffler (ACE-04)."""
    if play_seconds is None and cycle_seconds is None and decks is None:
        return read_number(rounds_per_hour, "rounds-per-hour", "60")
    if rounds_per_hour is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"--rounds-per-hour {rounds_per_hour} is given beside seconds or decks; leave it out "
            "or leave them out",
        )
    from houseway.exact.pace import rounds_per_hour as pace

    return pace(
        play_seconds=read_number(play_seconds, "play-seconds", "60"),
        cycle_seconds=read_number(cycle_seconds, "cycle-seconds", "20"),
        decks=1 if decks is None else decks,
    )


def _show(result: "ExpectedHold") -> None:
    from houseway.exact.hold import ASSUMPTIONS

    screen = console()
    screen.print(f"[bold]{result.game}[/bold]  expected hold: a model, not a count")
    headings = ("bet", "paytable", "wager", "house edge", "wins a round")
    shown = table(*headings, right=headings[2:])
    for row in result.rows:
        shown.add_row(
            row.bet,
            row.paytable or "",
            dollars_text(row.wager_cents),
            f"{float(row.house_edge):.4%}",
            f"${float(row.win_cents / 100):.4f}",
        )
    screen.print(shown)
    pace, hours = float(result.rounds_per_hour), float(result.hours)
    edges = (result.lowest_edge, result.highest_edge)
    holds = (result.lowest, result.highest)
    lines = {
        "first wagered": f"{dollars_text(result.wagered_cents)} a round",
        "rounds": f"{float(result.rounds):g} ({pace:g} an hour for {hours:g} hours)",
        "house edge": _range(*(f"{float(edge):.4%}" for edge in edges)),
        "expected win": _range(*(dollars_text(round(result.win_cents(edge))) for edge in edges)),
        "drop": f"{dollars_text(result.buy_in_cents)} (the buy-in)",
        "expected hold": _range(*(f"{float(held):.2%}" for held in holds)),
    }
    if result.printed is not None:
        printed = result.printed
        where = "inside" if result.within_printed else "not inside"
        lines["printed hold"] = (
            f"{float(printed.low):.0%} to {float(printed.high):.0%}, whose assumptions are not "
            f"printed; the model is {where} [{printed.clause}, {printed.source}]"
        )
    screen.print()
    for name, text in lines.items():
        screen.print(f"{name + ':':<15}{text}", markup=False)
    screen.print("\n[bold]The model takes it that[/bold]")
    for assumption in ASSUMPTIONS:
        screen.print(f"- {assumption}", markup=False)


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
