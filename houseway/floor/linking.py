"""Linking: which tables may play for one link, by date (PML-03, A-29, WAC 230-15-685).

Tables of one game may. Tables of different games may if the same hand wins at each with the same
probability, which is counted, not assumed; and, before a date, only with one meter.
"""

from collections.abc import Mapping
from fractions import Fraction

from houseway.floor.table import FloorTable
from houseway.games import game_of
from houseway.house.money import MeterShare
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import choose_paytables

SEVERAL_METERS_FROM = "2023-07-20"
"""The day of the hearing on the rule that lets several meters span different games."""


def check_linkable(paytable: PayTable, tables: list[FloorTable], date: str) -> None:
    """Refuse tables that may not play for one link on a date."""
    for table in tables:
        if "progressive" not in game_of(table.game).wagers:
            raise Refused(
                Reason.NOT_APPROVED,
                f"{table.game} has no progressive wager, so {table.name!r} plays for no link",
                "PML-03",
            )
    games = sorted({table.game for table in tables})
    if len(games) == 1:
        return
    if not paytable.community:
        raise Refused(
            Reason.NOT_APPROVED,
            f"progressive {paytable.code!r} links tables of one game; {listed(games)} are several",
            "PGM-19",
        )
    if len(paytable.levels) > 1 and date < SEVERAL_METERS_FROM:
        raise Refused(
            Reason.NOT_APPROVED,
            f"several meters over different games were not allowed on {date}; they are from "
            f"{SEVERAL_METERS_FROM} on",
            "PML-03",
        )
    _check_probabilities(paytable, tables)


def _check_probabilities(paytable: PayTable, tables: list[FloorTable]) -> None:
    first = tables[0]
    expected = winning_probabilities(paytable, first)
    for table in tables[1:]:
        for hand, p in winning_probabilities(paytable, table).items():
            if p != expected[hand]:
                name = paytable.name_of(hand)
                raise Refused(
                    Reason.NOT_APPROVED,
                    f"{name} wins with probability {p} at {table.name!r} and {expected[hand]} at "
                    f"{first.name!r}; linked games need the same",
                    "PML-03",
                )


def winning_probabilities(paytable: PayTable, table: FloorTable) -> Mapping[int, Fraction]:
    """How often each hand that is paid from a meter wins at a table, exactly.

    Where a folded hand does not win, that depends on which hands the game makes one fold.
    """
    from houseway.exact.progressive import row_of

    game = game_of(table.game)
    tables = {**choose_paytables(game, []), "progressive": paytable}
    row = row_of(game, tables, table.house_options)
    return {
        hand: p
        for hand, p in row.probabilities.items()
        if isinstance(paytable.odds(hand), MeterShare)
    }
