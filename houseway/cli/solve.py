"""`houseway solve`: pays that bring a bet to a target edge."""

from fractions import Fraction
from typing import Annotated

from houseway.cli.arguments import GameText, Json, OptionTexts, Repeated, fill_in, read_game
from houseway.cli.output import console, pairs, parse_meters, print_json, progress, table
from houseway.games.library import chosen_bets
from houseway.house.money import CENTS_PER_DOLLAR
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import read_options


@fill_in
def solve(
    game: GameText = None,
    *,
    bet: str | None = None,
    paytable: str | None = None,
    target_edge: str | None = None,
    vary: Annotated[list[str], Repeated] = [],
    meter: Annotated[list[str], Repeated] = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    """Lock some pays of a paytable, let others vary, and find those nearest to a target edge.

    Example: `houseway solve {first} --bet pair-plus --paytable A --target-edge 0.05
    --vary flush=3..6 --vary straight=4..8`

    Parameters
    ----------
    bet
        A bet of the game that has a paytable.
    paytable
        The paytable to start from.
    target_edge
        The house edge wanted, as a share of 1: 0.05 is five per cent.
    vary
        A hand with the pays it may take, HAND=LOW..HIGH; may be given several times.
    meter
        What stands on the meter of a progressive in dollars, AMOUNT or LEVEL=AMOUNT.
    """
    found = read_game(game)
    for name, value in (("bet", bet), ("paytable", paytable), ("target-edge", target_edge)):
        if value is None:
            raise Refused(Reason.BAD_ARGUMENT, f"--{name} is not given; see houseway solve --help")
    options, _ = read_options(
        pairs(option, "option", "NAME=VALUE, such as tie_rule=push"), found.options()
    )
    ranges = pairs(vary, "vary", "HAND=LOW..HIGH, such as flush=3..6")
    chosen = next((b for b in chosen_bets(found) if b == bet), None)
    if chosen is None:
        raise Refused(
            Reason.UNKNOWN_BET,
            f"bet {bet!r} of {game} has no paytable to vary; known: {listed(chosen_bets(found))}",
        )
    with progress("pricing paytables"):
        from houseway.exact.solve import read_target
        from houseway.exact.solve import solve as nearest

        target = read_target(target_edge or "")
        given = parse_meters(meter)
        cents = {"single": given} if isinstance(given, int) else given or {}
        solutions = nearest(
            found.code,
            chosen,
            paytable or "",
            target,
            ranges,
            options=options,
            meters={level: Fraction(amount, CENTS_PER_DOLLAR) for level, amount in cents.items()},
        )
    if json:
        print_json(
            {
                "game": game,
                "bet": bet,
                "paytable": paytable,
                "target_edge": str(target),
                "solutions": [solution.to_json() for solution in solutions],
            }
        )
        return
    shown = table("house edge", *ranges, right=("house edge",))
    for solution in solutions:
        pays = [solution.pays[hand] for hand in ranges]
        shown.add_row(f"{float(solution.house_edge):.4%}", *pays)
    console().print(shown)
