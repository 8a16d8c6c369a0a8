"""Par: the par sheet of a game, counted from the rules that pay people."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from operator import ge

from houseway.cards import DECK, parse_cards
from houseway.exact import three_card
from houseway.exact.blackjack import blackjack
from houseway.exact.bonus import joint_law
from houseway.exact.law import Law, law_of
from houseway.exact.sheet import Figure, ParRow, ParSheet
from houseway.games import game_of
from houseway.games.base import PLAYER_WINS, AntePlayGame, Verdict, net_units
from houseway.games.triple_shot_bonus import compare_war, hat_trick, poker, poker_leg_lost, war
from houseway.hands import FiveCard, rank3
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import PayTable, library
from houseway.seat import Pairs, paytable_pairs, read_house

Tables = Mapping[Bet, PayTable]
QUEEN_SIX_FOUR = rank3(*parse_cards("Qc 6d 4h"))
RUMMY_THRESHOLDS = range(16, 26)


def par(
    game: str,
    options: Options | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
) -> ParSheet:
    """The par sheet of a game; without paytables, every paytable of every bet.

    >>> str(par("three-card-poker").row("ante", "A").house_edge)
    '686689/20358520'
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=False)
    asked = _asked(game, paytables)
    joint: dict[str, Figure] = {}
    if isinstance(found, AntePlayGame):
        rows = tuple(_three_card_rows(found, chosen, tables, asked))
    else:
        rows = tuple(_bonus_rows(chosen, tables, asked))
        joint = joint_figures(tables["poker"], chosen)
    return ParSheet(game=game, options=chosen, strategy="optimal", rows=rows, joint=joint)


def _asked(game: str, paytables: str | Mapping[str, str] | Pairs | None) -> set[str]:
    """The bets for which a paytable was chosen; the others show all of theirs."""
    asked: set[str] = set()
    for bet, code in paytable_pairs(paytables):
        asked |= {bet} if bet else set(library().designator(game, code).paytables)
    return asked


def _choices(game: str, bet: Bet, tables: Tables, asked: set[str]) -> tuple[PayTable, ...]:
    return (tables[bet],) if bet in asked else library().of(game, bet)


def _three_card_rows(
    game: AntePlayGame, options: Options, tables: Tables, asked: set[str]
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


def ante_row(game: AntePlayGame, tables: Tables, options: Options, paytable: str | None) -> ParRow:
    """Ante with Play and Ante Bonus, played as well as can be, beside some plain strategies."""
    analysis = three_card.ante_analysis(game, tables, options)
    best = analysis.optimal()
    law = analysis.law(best)
    played = analysis.play_frequency(best)
    extra: dict[str, Figure] = {
        "play_frequency": played,
        "fold_frequency": 1 - played,
        "dealer_plays_frequency": three_card.dealer_plays_frequency(game, options),
        "simple_strategies": {
            name: {"house_edge": -plain.mean, "cost": law.mean - plain.mean}
            for name, plain in _simple_strategies(analysis, options)
        },
    }
    return ParRow(bet="ante", paytable=paytable, law=law, wagered=1 + played, extra=extra)


def _simple_strategies(
    analysis: three_card.AnteAnalysis, options: Options
) -> Iterator[tuple[str, Law]]:
    game = analysis.game
    wanted: dict[str, Callable[[int], bool]] = {
        "always_play": lambda value: True,  # noqa: ARG005
        "mimic_dealer": lambda value: bool(game.dealer_plays(value)),
    }
    if game.code == "triple-shot-rummy":
        for most in RUMMY_THRESHOLDS:
            wanted[f"score_{most}_or_less"] = partial(ge, most)
    else:
        wanted["queen_or_better"] = wanted["mimic_dealer"]
        wanted["queen_six_four_or_better"] = lambda value: value >= QUEEN_SIX_FOUR
    for name, wants in wanted.items():
        yield name, analysis.law(analysis.where(wants, options))


def _bonus_rows(options: Options, tables: Tables, asked: set[str]) -> Iterator[ParRow]:
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
        },
    )
    for paytable in _choices(code, "poker", tables, asked):
        yield ParRow(bet="poker", paytable=paytable.code, law=poker_law(paytable))
    for paytable in _choices(code, "hat-trick", tables, asked):
        yield hat_trick_row(paytable, tables["poker"], options)


def hat_trick_row(paytable: PayTable, poker_paytable: PayTable, options: Options) -> ParRow:
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


def joint_figures(poker_paytable: PayTable, options: Options) -> dict[str, Figure]:
    """P(no named leg loses), and what multiplying the three would have given (TSB-26)."""
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
        category for category in FiveCard if not poker_leg_lost(poker(category, paytable))
    )


def war_law(options: Options) -> Law:
    """The law of War: every first card of the player against every one of the dealer."""
    return _war_law(replace(Options(), war_ace=options.war_ace))


@cache
def _war_law(options: Options) -> Law:
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


def mean_edge(rows: Mapping[str, tuple[ParRow, Fraction]]) -> Fraction:
    """The edge of several bets together, weighted by what is wagered on each (TSB-28)."""
    staked = sum((stake for _, stake in rows.values()), Fraction(0))
    return sum((row.house_edge * stake for row, stake in rows.values()), Fraction(0)) / staked
