"""Pricing: the par sheet of a game, counted from the rules that pay people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.exact import three_card
from houseway.exact.bands import with_bands
from houseway.exact.long_run import LongRun, long_run
from houseway.exact.mix import whole_game_edge
from houseway.exact.presets import preset
from houseway.exact.progressive import (
    AnteDecision,
    ProgressiveRow,
    ante_decision,
    house_edge,
    progressive_row,
)
from houseway.exact.sheet import Figure, ParRow, ParSheet
from houseway.exact.solver import Solver, solver_of
from houseway.exact.spread import confidence_band, volatility_index
from houseway.exact.table import Tables, check_seats
from houseway.exact.winners import MOST_SEATS, simultaneous
from houseway.games import GAMES, game_of
from houseway.games.contract import Game
from houseway.games.library import designator, paytables_of
from houseway.house.meters import MeterSettings, settings_json
from houseway.house.money import CENTS_PER_DOLLAR
from houseway.house.options import Chosen, Options
from houseway.house.paytables import PayTable
from houseway.names import PROGRESSIVE_CODES, Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.seat import Pairs, paytable_pairs, read_house, read_meters
from houseway.rules.wagers import check_wagers, choose_paytables, choose_progressives, read_options


def par(
    game: str,
    options: Chosen | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
    *,
    bets: Mapping[str, int] | None = None,
    meter: int | Mapping[str, int] | None = None,
    seats: int | None = None,
    strategy: str = "optimal",
) -> ParSheet:
    """The par sheet of a game; without paytables, every paytable of every bet.

    With `bets` in cents the whole game is priced for that mix of wagers; with `meter` in cents
    each progressive also gets the edge at what stands there. A progressive may be asked for as if
    it were a game: 'three-card-progressive', 'five-card-link'. With `seats` the spread of a whole
    table is added. The strategy 'joint' plays Blackjack with the Hat Trick in mind, and needs the
    bets on both.

    >>> str(par("three-card-poker").row("ante", "A").house_edge)
    '686689/20358520'
    """
    if game in PROGRESSIVE_CODES:
        return _progressive_sheet(game, options, paytables, bets, meter)
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=False)
    asked = _asked(game, paytables)
    solver = solver_of(found)
    _check_strategy(game, solver, strategy, bets, seats)
    wagers = check_wagers(found, bets, tables, chosen) if bets else {}

    def choices(bet: Bet) -> tuple[PayTable, ...]:
        return (tables[bet],) if bet in asked else paytables_of(game, bet)

    rows = tuple(solver.rows(tables, chosen, choices))
    progressives: tuple[PricedProgressive, ...] = ()
    if "progressive" in found.wagers:
        analyses = [solver.played(tables, chosen)]
        own, unit = wagers.get("progressive"), wagers.get(found.unit)
        progressives = tuple(
            priced(paytable, analyses, chosen, meter, own, unit)
            for paytable in choices("progressive")
        )
    weighed = strategy != solver.strategies[0]
    return ParSheet(
        game=game,
        options=chosen,
        strategy=strategy,
        rows=tuple(with_bands(row) for row in rows),
        progressives=progressives,
        joint=solver.joint(tables, chosen),
        whole_game=_whole_game(found, rows, wagers, tables),
        joint_optimum=solver.best_joint_play(tables, chosen, wagers) if weighed else {},
        table={} if seats is None else _table(found, tables, chosen, seats, wagers),
    )


def _check_strategy(
    game: str, solver: Solver, strategy: str, bets: Mapping[str, int] | None, seats: int | None
) -> None:
    if strategy not in STRATEGIES:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"strategy {strategy!r} is unknown; known: {listed(STRATEGIES)}",
        )
    if strategy not in solver.strategies:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"strategy {strategy!r} of {game} is unknown; known: {listed(solver.strategies)}",
        )
    if strategy == solver.strategies[0]:
        return
    if not set(solver.weighs) <= set(bets or {}):
        raise Refused(
            Reason.MISSING_BET,
            f"strategy {strategy!r} weighs two wagers; give the bets {' and '.join(solver.weighs)}",
        )
    if seats is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"seats {seats} do not go with strategy {strategy!r}; a table is counted for seats "
            f"that play {solver.strategies[0]}",
        )


STRATEGIES = ("optimal", "joint")
BAND = 0.99
"""The probability of the confidence bands of a sheet."""


def _table(
    game: Game, tables: Tables, options: Chosen, seats: int, wagers: Mapping[Bet, int]
) -> dict[str, Figure]:
    """What a whole table wins for the house in a round, and how widely that spreads.

    Without wagers a unit is on what the game asks for: the bets that every seat makes, or the one
    that decisions are valued in (TSB-02).
    """
    check_seats(seats)
    solver = solver_of(game)
    rows = {row.bet: row for row in solver.seat_rows(tables, options)}
    staked: dict[Bet, Fraction] = {
        bet: Fraction(wagers.get(bet, 0), CENTS_PER_DOLLAR) for bet in game.wagers if bet in rows
    }
    spread = solver.whole_table(tables, options)
    if not any(staked.values()):
        staked |= dict.fromkeys(game.required or (game.unit,), Fraction(1))
    most = solver.liability(tables, options, seats, staked)
    deviation = spread.standard_deviation(seats, staked)
    mean = seats * sum((rows[bet].house_edge * stake for bet, stake in staked.items()), Fraction(0))
    return {
        "seats": seats,
        "wagers": {bet: stake for bet, stake in staked.items() if stake},
        "mean_win": mean,
        "variance": spread.variance(seats, staked),
        "standard_deviation": deviation,
        "volatility_index": volatility_index(deviation),
        "covariance_within": {f"{a},{b}": value for (a, b), value in spread.within.items()},
        "covariance_between": {f"{a},{b}": value for (a, b), value in spread.between.items()},
        "maximum_liability": most.at_most,
        "confidence_bands": {
            str(rounds): {"low": band.low, "high": band.high}
            for rounds in (10**3, 10**4, 10**5, 10**6, 10**7)
            for band in [confidence_band(mean, deviation, rounds, BAND)]
        },
    }


@dataclass(frozen=True, slots=True)
class PricedProgressive:
    """A progressive row, with the edge at the meters that are given."""

    row: ProgressiveRow
    house_edge: Fraction | None
    long_run: LongRun | None
    decision: AnteDecision | None = None
    """How the Ante is best played where a fold gives the progressive up, at these stakes."""

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        document = self.row.to_json()
        if self.house_edge is not None:
            document["house_edge"] = str(self.house_edge)
        if self.decision is not None:
            document["ante_decision"] = self.decision.to_json()
        if self.long_run is not None:
            document["long_run"] = self.long_run.to_json()
        document["preset"] = settings_json(preset(self.row))
        seats = range(2, MOST_SEATS + 1)
        document["simultaneous_hits"] = {
            str(count): str(simultaneous(self.row.pays, count)) for count in seats
        }
        return document


def priced(
    paytable: PayTable,
    analyses: Sequence[three_card.AnteAnalysis],
    options: Chosen,
    meter: int | Mapping[str, int] | None,
    wager_cents: int | None,
    ante_cents: int | None = None,
) -> PricedProgressive:
    """A progressive paytable, and its edge where what stands on its meters is given."""
    row = progressive_row(paytable, analyses)
    run = _long_run(row, options)
    if meter is None or (isinstance(meter, Mapping) and set(meter) != set(paytable.levels)):
        return PricedProgressive(row, None, run)
    if not isinstance(meter, Mapping) and paytable.levels != ("single",):
        return PricedProgressive(row, None, run)
    cents = read_meters(meter, paytable, options)
    dollars = {level: Fraction(amount, CENTS_PER_DOLLAR) for level, amount in cents.items()}
    edge = house_edge(row, dollars, wager_cents or CENTS_PER_DOLLAR, options=options)
    decision = None
    if ante_cents and wager_cents and len(analyses) == 1:
        decision = ante_decision(
            analyses[0],
            paytable,
            dollars,
            ante_cents=ante_cents,
            wager_cents=wager_cents,
            options=options,
        )
    return PricedProgressive(row, edge, run, decision)


def _long_run(row: ProgressiveRow, options: Chosen) -> LongRun | None:
    """The long run where the options set how every meter of the paytable grows, else None."""
    rates, seeds = dict(options.contribution_rate), dict(options.meter_seed)
    reserves = dict(options.reserve_rate)
    if not all(level in rates for level in row.pays.levels) or options.cap:
        return None
    settings = {
        level: MeterSettings(
            contribution_ppm=rates[level],
            reserve_ppm=reserves.get(level, 0),
            meter_seed_cents=seeds.get(level, 0),
        )
        for level in row.pays.levels
    }
    return long_run(row, settings)


def _progressive_sheet(
    code: str,
    options: Chosen | Mapping[str, str] | None,
    paytables: str | Mapping[str, str] | Pairs | None,
    bets: Mapping[str, int] | None,
    meter: int | Mapping[str, int] | None,
) -> ParSheet:
    """The sheet of a progressive by itself, with what a fold changes in every base game."""
    base = [game for game in GAMES if "progressive" in game.wagers]
    by_option: list[tuple[str | None, str]] = []
    chosen = options if isinstance(options, Options) else Options()
    if isinstance(options, Mapping):
        chosen, by_option = read_options(options, chosen)
    wanted = choose_progressives(code, [*by_option, *paytable_pairs(paytables)])
    analyses = [
        solver_of(game).played(choose_paytables(game, []), chosen.into(game.options))
        for game in base
    ]
    wager = (bets or {}).get("progressive")
    return ParSheet(
        game=code,
        options=chosen,
        strategy="optimal",
        rows=(),
        progressives=tuple(priced(pt, analyses, chosen, meter, wager) for pt in wanted),
    )


def _whole_game(
    game: Game, rows: Sequence[ParRow], wagers: Mapping[Bet, int], tables: Tables
) -> dict[str, Figure]:
    """The expected loss of a mix of wagers per unit first wagered (TSB-28)."""
    chosen = {
        bet: row
        for bet in wagers
        for row in rows
        if row.bet == bet and row.paytable in (None, _label(game, bet, tables))
    }
    if not chosen:
        return {}
    staked = {bet: Fraction(wagers[bet]) for bet in chosen}
    return {
        "house_edge": whole_game_edge(chosen, staked),
        "wagers": {bet: int(stake) for bet, stake in staked.items()},
    }


def _label(game: Game, bet: Bet, tables: Tables) -> str | None:
    """The paytable that labels the row of a bet: its own, or that of a bet that rides on it."""
    riding = (found.code for found in game.bets if found.rides == bet)
    found = tables.get(next(riding, bet))
    return None if found is None else found.code


def _asked(game: str, paytables: str | Mapping[str, str] | Pairs | None) -> set[str]:
    """The bets for which a paytable was chosen; the others show all of theirs."""
    asked: set[str] = set()
    for bet, code in paytable_pairs(paytables):
        asked |= {bet} if bet else set(designator(game, code).paytables)
    return asked
