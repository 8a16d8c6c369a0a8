"""Pricing: the par sheet of a game, counted from the rules that pay people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations
from operator import ge
from typing import Any

from houseway.cards import DECK
from houseway.exact import bonus_seats, chart, three_card, three_card_seats
from houseway.exact.bands import with_bands
from houseway.exact.blackjack import blackjack
from houseway.exact.bonus import joint_law
from houseway.exact.law import Law, law_of
from houseway.exact.liability import bonus_liability, maximum_liability
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
from houseway.exact.spread import confidence_band, volatility_index
from houseway.exact.table import Tables, check_seats, covariance
from houseway.exact.winners import MOST_SEATS, simultaneous
from houseway.games import GAMES, game_of
from houseway.games.base import PLAYER_WINS, Verdict, net_units
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.games.library import designator, paytables_of
from houseway.games.triple_shot_bonus.rules import (
    BonusOptions,
    compare_war,
    hat_trick,
    poker,
    poker_leg_lost,
    war,
)
from houseway.hands import QUEEN_SIX_FOUR, FiveCard
from houseway.meters import MeterSettings, settings_json
from houseway.money import CENTS_PER_DOLLAR
from houseway.names import PROGRESSIVE_CODES, Bet
from houseway.options import Chosen, Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.seat import Pairs, paytable_pairs, read_house, read_meters
from houseway.wagers import check_wagers, choose_paytables, choose_progressives, read_options

RUMMY_THRESHOLDS = range(16, 26)


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
    _check_strategy(game, strategy, bets, seats)
    joint: dict[str, Figure] = {}
    progressives: tuple[PricedProgressive, ...] = ()
    wagers = check_wagers(found, bets, tables, chosen) if bets else {}
    if found.contest is not None:
        rows = tuple(_three_card_rows(found, chosen, tables, asked))
        analyses = [three_card.ante_analysis(found, tables, chosen)]
        choices = _choices(game, "progressive", tables, asked)
        progressives = tuple(
            priced(paytable, analyses, chosen, meter, wagers.get("progressive"), wagers.get("ante"))
            for paytable in choices
        )
    else:
        rows = tuple(_bonus_rows(chosen, tables, asked))
        joint = joint_figures(tables["poker"], chosen)
    return ParSheet(
        game=game,
        options=chosen,
        strategy=strategy,
        rows=tuple(with_bands(row) for row in rows),
        progressives=progressives,
        joint=joint,
        whole_game=_whole_game(rows, wagers, tables),
        joint_optimum=_joint_optimum(wagers, tables, chosen) if strategy == "joint" else {},
        table={} if seats is None else _table(found, tables, chosen, seats, wagers),
    )


def _check_strategy(
    game: str, strategy: str, bets: Mapping[str, int] | None, seats: int | None
) -> None:
    if strategy not in STRATEGIES:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"strategy {strategy!r} is unknown; known: {listed(STRATEGIES)}",
        )
    if strategy == "joint" and game != "triple-shot-bonus":
        raise Refused(
            Reason.UNKNOWN_VALUE, f"strategy 'joint' of {game} is unknown; known: optimal"
        )
    if strategy == "joint" and not {"hat-trick", "blackjack"} <= set(bets or {}):
        raise Refused(
            Reason.MISSING_BET,
            "strategy 'joint' weighs two wagers; give the bets blackjack and hat-trick",
        )
    if strategy == "joint" and seats is not None:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"seats {seats} do not go with strategy 'joint'; a table is counted for seats that "
            "play optimal",
        )


STRATEGIES = ("optimal", "joint")
BAND = 0.99
"""The probability of the confidence bands of a sheet."""


def _joint_optimum(wagers: Mapping[Bet, int], tables: Tables, options: Chosen) -> dict[str, Figure]:
    """What the best joint play gives at the stakes that are wagered."""
    from houseway.exact.optimum import joint_optimum

    pays = net_units(hat_trick((), PLAYER_WINS, (), tables["hat-trick"]))
    ratio = Fraction(wagers["hat-trick"], wagers["blackjack"])
    best = joint_optimum(options, ratio, pays, winning_categories(tables["poker"]))
    return {
        "blackjack_house_edge": best.blackjack_house_edge,
        "hat_trick_probability": best.hat_trick_probability,
        "hat_trick_house_edge": best.hat_trick_house_edge,
        "gain": best.gain,
        "stake_ratio": ratio,
        "narrowest_margin": best.narrowest_margin,
        "close_decisions": best.close_decisions,
        "departures": {
            f"{d.hand} against {d.up_card}": {
                "blackjack_only": d.blackjack_only,
                "joint": d.joint,
                "share": d.share,
                "frequency": d.frequency,
            }
            for d in best.departures
        },
    }


def _table(
    game: Game, tables: Tables, options: Chosen, seats: int, wagers: Mapping[Bet, int]
) -> dict[str, Figure]:
    """What a whole table wins for the house in a round, and how widely that spreads.

    Without wagers a unit is on what the game asks for: the Ante, or the three bets of Triple Shot
    Bonus (TSB-02).
    """
    check_seats(seats)
    rows = {row.bet: row for row in seat_rows(game, tables, options)}
    staked: dict[Bet, Fraction] = {
        bet: Fraction(wagers.get(bet, 0), CENTS_PER_DOLLAR) for bet in game.wagers if bet in rows
    }
    if game.contest is not None:
        least: tuple[Bet, ...] = ("ante",)
        spread = three_card_seats.whole_table(game, tables, options)
    else:
        least = game.required
        spread = bonus_seats.whole_table(tables, options)
    if not any(staked.values()):
        staked |= dict.fromkeys(least, Fraction(1))
    if game.contest is not None:
        most = maximum_liability(game, tables, options, seats, staked)
    else:
        most = bonus_liability(tables, options, seats, staked)
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


def seat_rows(game: Game, tables: Tables, options: Chosen) -> Iterator[ParRow]:
    """A row for every bet of a seat, under the paytables that are chosen, quickest first.

    Without what is counted beside the edge, such as simple strategies; so a pay that is changed is
    priced again in a moment.
    """
    if game.contest is not None:
        bonus = three_card.six_card_bonus_law(game, tables["six-card-bonus"])
        yield ParRow(bet="six-card-bonus", paytable=tables["six-card-bonus"].code, law=bonus)
        yield _ante_alone(game, three_card.paying(tables), options)
        best = three_card.ante_analysis(game, tables, options).optimal()
        pairs = three_card.pair_plus_law(game, tables["pair-plus"], options, best)
        yield ParRow(bet="pair-plus", paytable=tables["pair-plus"].code, law=pairs)
    else:
        yield ParRow(bet="war", paytable=None, law=war_law(options))
        poker_table = tables["poker"]
        yield ParRow(bet="poker", paytable=poker_table.code, law=poker_law(poker_table))
        figures = blackjack(options).figures()
        yield ParRow(bet="blackjack", paytable=None, law=figures.law, wagered=figures.wagered)
        yield hat_trick_row(tables["hat-trick"], poker_table, options)


@lru_cache(maxsize=64)
def _ante_alone(game: Game, tables: tuple[tuple[Bet, PayTable], ...], options: Chosen) -> ParRow:
    """The Ante with Play and Ante Bonus, by the paytables that pay it, without anything beside."""
    analysis = three_card.ante_analysis(game, dict(tables), options)
    best = analysis.optimal()
    return ParRow(
        bet="ante",
        paytable=_label("ante", dict(tables)),
        law=analysis.law(best),
        wagered=1 + analysis.play_frequency(best),
    )


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
    base = [game for game in GAMES if game.contest is not None]
    by_option: list[tuple[str | None, str]] = []
    chosen = options if isinstance(options, Options) else Options()
    if isinstance(options, Mapping):
        chosen, by_option = read_options(options, chosen)
    wanted = choose_progressives(code, [*by_option, *paytable_pairs(paytables)])
    analyses = [
        three_card.ante_analysis(game, choose_paytables(game, []), chosen.into(game.options))
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
    rows: Sequence[ParRow], wagers: Mapping[Bet, int], tables: Tables
) -> dict[str, Figure]:
    """The expected loss of a mix of wagers per unit first wagered (TSB-28)."""
    chosen = {
        bet: row
        for bet in wagers
        for row in rows
        if row.bet == bet and row.paytable in (None, _label(bet, tables))
    }
    if not chosen:
        return {}
    staked = {bet: Fraction(wagers[bet]) for bet in chosen}
    return {
        "house_edge": whole_game_edge(chosen, staked),
        "wagers": {bet: int(stake) for bet, stake in staked.items()},
    }


def _label(bet: Bet, tables: Tables) -> str | None:
    """The paytable that labels the row of a bet."""
    found = tables.get("ante-bonus" if bet == "ante" else bet)
    return None if found is None else found.code


def _asked(game: str, paytables: str | Mapping[str, str] | Pairs | None) -> set[str]:
    """The bets for which a paytable was chosen; the others show all of theirs."""
    asked: set[str] = set()
    for bet, code in paytable_pairs(paytables):
        asked |= {bet} if bet else set(designator(game, code).paytables)
    return asked


def _choices(game: str, bet: Bet, tables: Tables, asked: set[str]) -> tuple[PayTable, ...]:
    return (tables[bet],) if bet in asked else paytables_of(game, bet)


def _three_card_rows(
    game: Game, options: Chosen, tables: Tables, asked: set[str]
) -> Iterator[ParRow]:
    if "ante-bonus" in tables:
        bonuses = _choices(game.code, "ante-bonus", tables, asked)
        for bonus in bonuses:
            yield ante_row(game, {**tables, "ante-bonus": bonus}, options, bonus.code)
    else:
        yield ante_row(game, tables, options, None)
    plays = three_card.ante_analysis(game, tables, options).optimal()
    for paytable in _choices(game.code, "pair-plus", tables, asked):
        law = three_card.pair_plus_law(game, paytable, options, plays)
        yield ParRow(bet="pair-plus", paytable=paytable.code, law=law)
    for paytable in _choices(game.code, "six-card-bonus", tables, asked):
        law = three_card.six_card_bonus_law(game, paytable)
        yield ParRow(bet="six-card-bonus", paytable=paytable.code, law=law)


def ante_row(game: Game, tables: Tables, options: Chosen, paytable: str | None) -> ParRow:
    """Ante with Play and Ante Bonus, played as well as can be, beside some plain strategies."""
    analysis = three_card.ante_analysis(game, tables, options)
    best = analysis.optimal()
    law = analysis.law(best)
    played = analysis.play_frequency(best)
    extra: dict[str, Figure] = {
        "play_frequency": played,
        "fold_frequency": 1 - played,
        "dealer_plays_frequency": three_card.dealer_plays_frequency(game, options),
        "exposed_card": _exposed_card(analysis, tables, options),
        "simple_strategies": {
            name: {"house_edge": -plain.mean, "cost": law.mean - plain.mean}
            for name, plain in _simple_strategies(analysis, options)
        },
    }
    return ParRow(bet="ante", paytable=paytable, law=law, wagered=1 + played, extra=extra)


def _exposed_card(
    analysis: three_card.AnteAnalysis, tables: Tables, options: Chosen
) -> dict[str, Figure]:
    """What one of the dealer's cards, seen by mistake, is worth to the player (TSR-25, TCP-18)."""
    if analysis.face_up:
        return {}
    plain, seen = three_card.exposed_card(analysis.game, tables, options)
    return {"house_edge": -seen.mean, "gain": seen.mean - plain.mean}


def _simple_strategies(
    analysis: three_card.AnteAnalysis, options: Chosen
) -> Iterator[tuple[str, Law]]:
    game = analysis.game
    wanted: dict[str, Callable[[int], bool]] = {
        "always_play": lambda value: True,  # noqa: ARG005
        "mimic_dealer": lambda value: bool(contest_of(game).dealer_plays(value)),
    }
    if game.code == "triple-shot-rummy":
        for most in RUMMY_THRESHOLDS:
            wanted[f"score_{most}_or_less"] = partial(ge, most)
    else:
        wanted["queen_or_better"] = wanted["mimic_dealer"]
        wanted["queen_six_four_or_better"] = lambda value: value >= QUEEN_SIX_FOUR
    for name, wants in wanted.items():
        yield name, analysis.law(analysis.where(wants, options))


def _bonus_rows(options: Chosen, tables: Tables, asked: set[str]) -> Iterator[ParRow]:
    code = "triple-shot-bonus"
    yield ParRow(bet="war", paytable=None, law=war_law(options))
    figures = blackjack(options).figures()
    yield ParRow(
        bet="blackjack",
        paytable=None,
        law=figures.law,
        wagered=figures.wagered,
        extra={
            "win": figures.win,
            "tie": figures.tie,
            "split_not_lose": figures.split_not_lose,
            "not_lose": figures.not_lose,
            "printed_chart": _printed_chart(options),
        },
    )
    for paytable in _choices(code, "poker", tables, asked):
        yield ParRow(bet="poker", paytable=paytable.code, law=poker_law(paytable))
    for paytable in _choices(code, "hat-trick", tables, asked):
        yield hat_trick_row(paytable, tables["poker"], options)


def _printed_chart(options: Chosen) -> dict[str, Figure]:
    """The chart of 2002 played as printed, beside the best play (TSB-27)."""
    played = chart.printed_play(options).law.mean
    return {"house_edge": -played, "cost": blackjack(options).figures().law.mean - played}


def hat_trick_row(paytable: PayTable, poker_paytable: PayTable, options: Chosen) -> ParRow:
    """The Hat Trick, priced from the joint law of the three legs, never by multiplying (A-05)."""
    law = joint_law(options)
    won = law.probability(war=True, blackjack=True, poker=winning_categories(poker_paytable))
    paid = net_units(hat_trick((), PLAYER_WINS, (), paytable))
    taken = net_units(hat_trick(("war",), PLAYER_WINS, (), paytable))
    return ParRow(
        bet="hat-trick",
        paytable=paytable.code,
        law=law_of([(paid, won.numerator), (taken, won.denominator - won.numerator)]),
        extra={"break_even_payoff": (1 - won) / won},
    )


def joint_figures(poker_paytable: PayTable, options: Chosen) -> dict[str, Figure]:
    """P(no named leg loses), and what multiplying the three would have given (TSB-26)."""
    together = covariance(bonus_seats.BETS, *bonus_seats.seat_means(poker_paytable, options))
    return {
        **joint_probabilities(poker_paytable, options),
        "covariance": {
            f"{bet},{other}": together[bet, other]
            for bet, other in combinations(game_of("triple-shot-bonus").required, 2)
        },
    }


def joint_probabilities(poker_paytable: PayTable, options: Chosen) -> dict[str, Fraction]:
    """How often legs are not lost together, and the three of them multiplied."""
    law, wins = joint_law(options), winning_categories(poker_paytable)
    legs = [
        law.probability(war=True),
        law.probability(blackjack=True),
        law.probability(poker=wins),
    ]
    return {
        "hat_trick_probability": law.probability(war=True, blackjack=True, poker=wins),
        "product_of_marginals": legs[0] * legs[1] * legs[2],
        "war_and_blackjack": law.probability(war=True, blackjack=True),
        "war_and_poker": law.probability(war=True, poker=wins),
        "blackjack_and_poker": law.probability(blackjack=True, poker=wins),
    }


def winning_categories(paytable: PayTable) -> frozenset[int]:
    """The categories with which Poker is not lost."""
    return frozenset(
        category for category in FiveCard if not poker_leg_lost(poker(category, paytable).outcome)
    )


def war_law(options: Chosen) -> Law:
    """The law of War: every first card of the player against every one of the dealer."""
    return _war_law(BonusOptions(war_ace=options.war_ace))


@cache
def _war_law(options: BonusOptions) -> Law:
    verdicts: dict[int, Verdict] = {n: war(n, options) for n in range(3)}
    return law_of(
        (net_units(verdicts[compare_war(player, dealer, options)]), 1)
        for player in DECK
        for dealer in DECK
        if player != dealer
    )


def poker_law(paytable: PayTable) -> Law:
    """The law of the six-card Poker bet."""
    return law_of(
        (net_units(poker(category, paytable)), count)
        for category, count in enumerate(three_card.six_card_counts())
    )
