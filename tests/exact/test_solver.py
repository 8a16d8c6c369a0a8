"""The solver: every game has the same calls, and they agree with each other."""

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway.exact import par
from houseway.exact.solver import solver_of
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.refusal import Refused
from houseway.rules.ruleset import make_ruleset

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.code)


@every_game
def test_a_seat_costs_what_its_par_sheet_says(game: Game) -> None:
    tables, sheet = make_ruleset(game.code).paytables, par(game.code)
    rows = list(solver_of(game).seat_rows(tables, game.options()))
    assert {row.bet for row in rows} == {bet for bet in game.wagers if bet != "progressive"}
    for row in rows:
        assert row.law == sheet.row(row.bet, row.paytable).law


@every_game
def test_what_is_solved_for_is_priced_as_on_the_sheet(game: Game) -> None:
    solver, tables = solver_of(game), make_ruleset(game.code).paytables
    rows = {row.bet: row for row in solver.seat_rows(tables, game.options())}
    whole = {made: bet for bet in rows for made in (bet, *game.counted_with(bet))}
    for bet in solver.solved:
        if bet in tables:
            assert solver.law(bet, tables, game.options()) == rows[whole[bet]].law


@every_game
def test_rows_of_a_paytable_make_its_hits(game: Game) -> None:
    """Of bets whose every paid row is a win of its own, the shares add up to the hit frequency."""
    solver, tables = solver_of(game), make_ruleset(game.code).paytables
    for row in solver.seat_rows(tables, game.options()):
        table = tables.get(row.bet)
        if table is not None:
            found = solver.frequencies(table, tables, game.options())
            assert set(found) == {hand for hand, _ in table.rows}
            assert sum(found.values(), Fraction(0)) == row.law.hit_frequency


@every_game
def test_what_a_value_leaves_out_is_a_bet_of_the_game(game: Game) -> None:
    assert game.solver is not None
    assert set(game.solver.left_out) <= set(game.wagers)


def test_a_game_without_a_solver_says_so() -> None:
    with pytest.raises(Refused, match="'three-card-poker' has no solver"):
        solver_of(replace(GAMES[0], solver=None))
