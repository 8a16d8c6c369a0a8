"""Plan: what a person asks to be simulated, read and checked, as a job."""

from collections.abc import Iterator, Mapping

import numpy as np

from houseway.exact.table import check_seats
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.library import chosen_bets, designator, paytable_of
from houseway.house.meters import MICROCENTS, Meter, check_cap
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel
from houseway.house.options import Options, paytable_bet
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused
from houseway.rules.seat import Pairs, paytable_pairs, read_house, read_meters
from houseway.rules.wagers import check_wagers
from houseway.sim.jackpot import check_meter_wager, meter_settings
from houseway.sim.job import Job, Row
from houseway.sim.table import Tables
from houseway.sim.way import Way, read_way

LARGEST_SEED = 2**64 - 1


def make_job(
    game: str,
    options: Options | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
    *,
    strategy: str = "optimal",
    seats: int = 1,
    seed: int = 0,
    bets: Mapping[str, int] | None = None,
    meter: int | Mapping[str, int] | None = None,
) -> Job:
    """The job of simulating a game.

    A bet may be given several paytables; the first settles a seat, and all are priced. Without
    `bets` a dollar is on every bet that is priced. A progressive is simulated when a paytable for
    it is given.
    """
    found = game_of(game)
    check_seats(seats)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise Refused(
            Reason.BAD_ARGUMENT, f"rng-seed {seed!r} is no seed; it is a whole number from 0"
        )
    several = _several(found, _by_options(options) + paytable_pairs(paytables))
    first: list[tuple[str | None, str]] = [(bet, codes[0].code) for bet, codes in several.items()]
    chosen, tables = read_house(found, options, first, community=False)
    progressives = tuple(several.get("progressive", ()))
    wagers = _wagers(found, bets, tables, chosen, bool(progressives))
    if meter is not None and not progressives:
        raise Refused(
            Reason.UNKNOWN_METER,
            f"meter {meter!r} is given and no progressive; add --paytable progressive=CODE",
        )
    meters: dict[MeterLevel, int] = {}
    for paytable in progressives:
        check_meter_wager(wagers["progressive"])
        settings = meter_settings(paytable, chosen)
        for level, cents in read_meters(meter, paytable, chosen).items():
            check_cap(Meter(amount=cents * MICROCENTS), settings[level])
            meters[level] = cents
    way = read_way(found, strategy, tables, chosen)
    # Who lacks the bet that is asked about has nothing to decide and never folds, as at the table.
    decides = found.question.needs in ("", *wagers)
    return Job(
        game=game,
        options=chosen,
        tables=tables,
        rows=tuple(
            row
            for row in _rows(found, tables, several)
            if decides or row.bet != found.question.needs
        ),
        way=way if decides else Way(way.name, np.ones_like(way.decisions)),
        seats=seats,
        seed=seed,
        wagers=wagers,
        progressives=progressives,
        meters=meters,
    )


def _by_options(options: Options | Mapping[str, str] | None) -> list[tuple[str | None, str]]:
    """The paytables that options choose, which is another spelling of giving them."""
    if not isinstance(options, Mapping):
        return []
    return [(bet, str(text)) for name, text in options.items() if (bet := paytable_bet(name))]


def _several(game: Game, pairs: list[tuple[str | None, str]]) -> dict[Bet, list[PayTable]]:
    """The paytables that are given for each bet, in order."""
    found: dict[Bet, list[PayTable]] = {}
    for bet, code in pairs:
        named = {bet: code} if bet else designator(game.code, code).paytables
        for name, chosen in named.items():
            if name not in chosen_bets(game):
                raise Refused(
                    Reason.UNKNOWN_BET,
                    f"bet {name!r} of {game.code} has no paytable to choose; paytables are chosen "
                    f"for {', '.join(chosen_bets(game))}",
                )
            paytable = paytable_of(game.code, name, chosen)
            listed_so_far = found.setdefault(paytable.bet, [])
            if paytable not in listed_so_far:
                listed_so_far.append(paytable)
    return found


def _rows(game: Game, tables: Tables, several: Mapping[Bet, list[PayTable]]) -> Iterator[Row]:
    """Every bet, with each paytable that is given for it."""
    for bet in _counted(game):
        riding = (found.code for found in game.bets if found.rides == bet)
        priced_by = next(riding, bet)
        for paytable in several.get(priced_by, [tables.get(priced_by)]):
            yield Row(bet, paytable)


def _counted(game: Game) -> tuple[Bet, ...]:
    """The bets of a seat that no meter pays."""
    return tuple(bet for bet in game.wagers if bet != "progressive")


def _wagers(
    game: Game,
    bets: Mapping[str, int] | None,
    tables: Tables,
    options: Options,
    progressive: bool,
) -> dict[Bet, int]:
    if bets:
        wagers = check_wagers(game, bets, tables, options)
        if progressive and "progressive" not in wagers:
            raise Refused(
                Reason.MISSING_BET,
                "a progressive paytable is given and no wager on it; add --bet progressive=1, or "
                "leave the paytable out",
            )
        return wagers
    found: dict[Bet, int] = dict.fromkeys(_counted(game), CENTS_PER_DOLLAR)
    if progressive:
        found["progressive"] = CENTS_PER_DOLLAR
    return found
