"""Succession: exact figures of bets on one hand that share its cards and its decisions.

The bet on all of them is priced from the joint law of its legs, never by multiplying (A-05).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from houseway.cards import DECK
from houseway.cards.hands import FiveCard
from houseway.exact import best_chart, bonus_seats, chart, three_card
from houseway.exact.blackjack import blackjack
from houseway.exact.bonus import joint_law
from houseway.exact.law import Law, law_of
from houseway.exact.legs import Legs
from houseway.exact.liability import Liability, bonus_liability
from houseway.exact.sheet import Figure, ParRow
from houseway.exact.six_cards import six_card_frequencies
from houseway.exact.solver import Choices, Solver, Strategy
from houseway.exact.table import Tables, Wagers, WholeTable, covariance
from houseway.games.base import PLAYER_WINS, Verdict, net_units
from houseway.games.contract import Game
from houseway.games.solvers import Succession
from houseway.games.triple_shot_bonus.rules import (
    BonusOptions,
    compare_war,
    hat_trick,
    poker,
    poker_leg_lost,
    war,
)
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet

if TYPE_CHECKING:
    from houseway.exact.hand_guide import HandGuide


@dataclass(frozen=True)
class SuccessionSolver(Solver):
    """Exact figures of a game that is a succession of bets on one hand."""

    game: Game
    value: Succession

    @property
    def strategies(self) -> tuple[str, ...]:
        """The hand is played for itself, or with the bet on all of them in mind."""
        return ("optimal", "joint")

    @property
    def weighs(self) -> tuple[Bet, ...]:
        """The two wagers that a decision can set against each other."""
        return (self.value.hand, self.value.together)

    @property
    def solved(self) -> tuple[Bet, ...]:
        """The bets that a paytable pays."""
        return (self.value.six_cards, self.value.together)

    def rows(self, tables: Tables, options: Chosen, choices: Choices) -> Iterator[ParRow]:
        """Every bet, and each paytable of those that have one."""
        value = self.value
        yield ParRow(bet=value.first_card, paytable=None, law=war_law(options))
        figures = blackjack(options).figures()
        yield ParRow(
            bet=value.hand,
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
        for paytable in choices(value.six_cards):
            yield ParRow(bet=value.six_cards, paytable=paytable.code, law=poker_law(paytable))
        for paytable in choices(value.together):
            yield hat_trick_row(paytable, tables[value.six_cards], options)

    def seat_rows(self, tables: Tables, options: Chosen) -> Iterator[ParRow]:
        """Every bet under its paytable."""
        value, six = self.value, tables[self.value.six_cards]
        yield ParRow(bet=value.first_card, paytable=None, law=war_law(options))
        yield ParRow(bet=value.six_cards, paytable=six.code, law=poker_law(six))
        figures = blackjack(options).figures()
        yield ParRow(bet=value.hand, paytable=None, law=figures.law, wagered=figures.wagered)
        yield hat_trick_row(tables[value.together], six, options)

    def law(self, bet: Bet, tables: Tables, options: Chosen) -> Law:
        """The law of a bet that a paytable pays."""
        six = tables[self.value.six_cards]
        if bet == self.value.six_cards:
            return poker_law(six)
        assert bet == self.value.together, bet
        return hat_trick_row(tables[bet], six, options).law

    def joint(self, tables: Tables, options: Chosen) -> dict[str, Figure]:
        """How the legs go together."""
        return joint_figures(tables[self.value.six_cards], options)

    def legs(self, tables: Tables, options: Chosen) -> Legs | None:
        """The bet on all of them, joined and multiplied (TSB-26)."""
        found = joint_probabilities(tables[self.value.six_cards], options)
        product = found["product_of_marginals"]
        pays = net_units(hat_trick((), PLAYER_WINS, (), tables[self.value.together]))
        return Legs(
            bet=self.value.together,
            won=found["hat_trick_probability"],
            product=product,
            multiplied_edge=1 - product * (pays + 1),
            pairs={
                name: found[name]
                for name in ("war_and_blackjack", "war_and_poker", "blackjack_and_poker")
            },
        )

    def best_joint_play(
        self, tables: Tables, options: Chosen, wagers: Mapping[Bet, int]
    ) -> dict[str, Figure]:
        """What the best play gives that weighs the hand and the bet on all of them."""
        return _joint_optimum(self.value, wagers, tables, options)

    def whole_table(self, tables: Tables, options: Chosen) -> WholeTable:
        """How the bets of one seat, and of two seats, go together."""
        return bonus_seats.whole_table(tables, options)

    def liability(self, tables: Tables, options: Chosen, seats: int, wagers: Wagers) -> Liability:
        """The most that one deal can cost the house."""
        return bonus_liability(tables, options, seats, wagers)

    def strategy(self, tables: Tables, options: Chosen) -> Strategy:
        """The best decision on every hand of Blackjack, and its chart of two cards."""
        return Strategy(best_chart.summary(options), best_chart.decisions(options))

    def guide(self, tables: Tables, options: Chosen) -> "HandGuide":
        """What every decision of Blackjack is worth."""
        from houseway.exact.hand_guide import make_guide

        return make_guide(blackjack(options).options)

    def frequencies(
        self, paytable: PayTable, tables: Tables, options: Chosen
    ) -> dict[str, Fraction]:
        """How often six cards are paid by a row, or no leg is lost."""
        if paytable.bet != self.value.together:
            return six_card_frequencies(paytable)
        won = hat_trick_row(paytable, tables[self.value.six_cards], options).law.hit_frequency
        return {hand: won for hand, _ in paytable.rows}


def _joint_optimum(
    value: Succession, wagers: "Mapping[Bet, int]", tables: Tables, options: Chosen
) -> dict[str, Figure]:
    """What the best joint play gives at the stakes that are wagered."""
    from houseway.exact.optimum import joint_optimum

    pays = net_units(hat_trick((), PLAYER_WINS, (), tables[value.together]))
    ratio = Fraction(wagers[value.together], wagers[value.hand])
    best = joint_optimum(options, ratio, pays, winning_categories(tables[value.six_cards]))
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
            for bet, other in combinations(bonus_seats.BETS[:-1], 2)
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
