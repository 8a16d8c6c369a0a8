"""Prices: what bets cost on average, and how often they win.

Every figure is one of the par sheet's. Wrong choices are figures too, of other paytables and other
bets, so that none can be told by its look. Cents are of a dollar first wagered.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from houseway.games.base import net_cents, wins
from houseway.games.library import paytable_of
from houseway.house.money import ForOne, MeterShare, ToOne, dollars_text
from houseway.names import Bet, GameCode, bet_name
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Scene
from houseway.training.felt import FEW, codes_of, some_tray, some_wager, stacks
from houseway.training.figures import (
    cents_of,
    cost_text,
    costs_text,
    figure_field,
    one_in_text,
    pays_text,
    share_text,
)
from houseway.training.skill import Maker, Question, Skill, every_game, of_games

if TYPE_CHECKING:
    from houseway.exact.sheet import ParRow

CLAUSES: dict[GameCode, str] = {
    "three-card-poker": "TCP-25",
    "three-card-poker-face-up": "FUP-10",
    "triple-shot-rummy": "TSR-37",
    "triple-shot-bonus": "TSB-26",
}
"""Where the sources print figures of a game."""
SIX_CARD_BONUS = "SCB-04"
"""Where they print those of a bet that several games have."""
PACES = (30, 35, 40, 45, 50, 60)
"""Rounds an hour."""
CHIPS = (5, 10, 15, 20, 25)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """What is known of the bets of a table: their rows, and those of every other paytable."""

    rows: Mapping[Bet, "ParRow"]
    others: tuple["ParRow", ...]


@lru_cache(maxsize=32)
def price_list(ruleset: Ruleset) -> PriceList:
    """The prices of a table's bets; it takes seconds the first time and needs the extra 'fast'."""
    from houseway.exact import par

    game, options = ruleset.game, ruleset.options
    sheet = par(game.code, options, codes_of(ruleset))
    bets = [bet for bet in game.wagers if bet != "progressive"]
    return PriceList(
        rows={bet: sheet.row(bet) for bet in bets}, others=par(game.code, options).rows
    )


# Side bets and the bets that are not.


def cheapest(rng: Random, ruleset: Ruleset) -> Question:
    """Which of several bets, or of several paytables of one bet, costs least."""
    several = _bets_with_paytables(ruleset)
    if several and rng.random() < 0.5:
        return _cheapest_paytable(rng, ruleset, rng.choice(several))
    rows = price_list(ruleset).rows
    edges: dict[str, Fraction] = {bet: row.house_edge for bet, row in rows.items()}
    best = min(edges, key=lambda bet: edges[bet])
    shown = rng.sample(list(edges), len(edges))
    told = ", ".join(f"{bet_name(bet)} {cost_text(edges[bet])}" for bet in sorted_by(edges))
    return Question(
        question="A dollar on one bet: on which does it cost you least on average?",
        scene=Scene(facts=_pay_facts(ruleset, shown)),
        fields=(
            Field(
                name="bet",
                label="The bet that costs least",
                kind="choice",
                choices=tuple(Choice(bet, bet_name(bet)) for bet in shown),
                answer=best,
                costs={bet: edge - edges[best] for bet, edge in edges.items()},
                why=f"Of every dollar first wagered: {told}.",
                clause=CLAUSES[ruleset.game.code],
            ),
        ),
    )


def sorted_by(figures: Mapping[str, Fraction]) -> list[str]:
    """Names by their figures, the smallest first."""
    return sorted(figures, key=lambda name: figures[name])


def _bets_with_paytables(ruleset: Ruleset) -> list[Bet]:
    """Bets of which the house may choose among several paytables of different price."""
    rows = price_list(ruleset)
    return [
        bet
        for bet in rows.rows
        if bet in ruleset.paytables and len({r.house_edge for r in _same_bet(ruleset, bet)}) > 1
    ]


def _same_bet(ruleset: Ruleset, bet: Bet) -> list["ParRow"]:
    return [row for row in price_list(ruleset).others if row.bet == bet]


def _cheapest_paytable(rng: Random, ruleset: Ruleset, bet: Bet) -> Question:
    known = {row.paytable: row for row in _same_bet(ruleset, bet)}
    codes = [code for code in known if code is not None]
    codes = rng.sample(codes, min(3, len(codes)))
    edges = {code: known[code].house_edge for code in codes}
    best = min(edges, key=lambda code: edges[code])
    tables = {code: paytable_of(ruleset.game.code, bet, code) for code in codes}
    told = ", ".join(f"{code} {cost_text(edges[code])}" for code in sorted_by(edges))
    return Question(
        question=f"Houses pay {bet_name(bet)} by different tables. Which costs you least?",
        scene=Scene(facts=tuple((code, pays_text(table)) for code, table in tables.items())),
        fields=(
            Field(
                name="paytable",
                label="The table that costs least",
                kind="choice",
                choices=tuple(Choice(code, f"Table {code}") for code in codes),
                answer=best,
                costs={code: edge - edges[best] for code, edge in edges.items()},
                why=f"Of every dollar wagered: {told}.",
                clause=_clause(ruleset, bet),
            ),
        ),
    )


def _clause(ruleset: Ruleset, bet: Bet) -> str:
    return SIX_CARD_BONUS if bet == "six-card-bonus" else CLAUSES[ruleset.game.code]


def _pay_facts(ruleset: Ruleset, bets: Iterable[str]) -> tuple[tuple[str, str], ...]:
    shown = {*bets}
    if "ante" in shown:
        shown |= {"ante-bonus", "play"}
    tables = ruleset.paytables
    return tuple((bet_name(bet), pays_text(tables[bet])) for bet in tables if bet in shown)


def cost_of_a_dollar(rng: Random, ruleset: Ruleset) -> Question:
    """What a dollar on a bet costs on average."""
    prices = price_list(ruleset)
    bet = rng.choice(list(prices.rows))
    edge = prices.rows[bet].house_edge
    others = [row.house_edge for row in prices.others]
    back = 100 - 100 * edge
    return Question(
        question=f"What does a dollar on {bet_name(bet)} cost you, or gain, on average?",
        scene=Scene(facts=_pay_facts(ruleset, [bet])),
        fields=(
            figure_field(
                rng,
                "Cost of a dollar",
                edge,
                others,
                cost_text,
                why=f"Played as well as can be, {float(back):.2f} cents come back of a dollar on "
                f"average, so it {costs_text(edge)}. One round does not show it; a thousand do.",
                clause=_clause(ruleset, bet),
            ),
        ),
    )


def how_often(rng: Random, ruleset: Ruleset) -> Question:
    """How often a bet wins, or one of its pays comes."""
    prices = price_list(ruleset)
    bet = rng.choice(list(prices.rows))
    law = prices.rows[bet].law
    table = ruleset.paytables.get(bet)
    odds = [o for _, o in table.rows if not isinstance(o, MeterShare)] if table else []
    chances = dict(law.distribution)
    if bet in ("pair-plus", "six-card-bonus", "poker") and rng.random() < 0.6:
        paid = rng.choice(list(dict.fromkeys(odds)))
        right = chances[paid.net]
        others = [chances[other.net] for other in odds]
        asked = f"pay {paid}"
    else:
        right = law.hit_frequency
        others = [row.law.hit_frequency for row in prices.others] + [1 - right, right / 2]
        asked = "win"
    return Question(
        question=f"How often does {bet_name(bet)} {asked}?",
        scene=Scene(facts=_pay_facts(ruleset, [bet])),
        fields=(
            figure_field(
                rng,
                "How often",
                right,
                others,
                one_in_text,
                why=f"{float(right):.4%} of all rounds, which is {one_in_text(right)}.",
                clause=_clause(ruleset, bet),
            ),
        ),
    )


def to_or_for(rng: Random, ruleset: Ruleset) -> Question:
    """What a win gains 'to 1' and 'for 1', and which of the two is more."""
    rows = [o for t in ruleset.paytables.values() for _, o in t.rows if isinstance(o, ToOne)]
    whole = sorted({odds.numerator for odds in rows if odds.denominator == 1})
    number = rng.choice(whole)
    other = number + rng.choice((0, 0, 1, 1, 2))
    spot = ruleset.game.wagers[0]
    wager = some_wager(rng, ruleset, spot, CHIPS)
    gains = {
        name: net_cents(wins(odds, "", ""), wager)
        for name, odds in (("to", ToOne(number)), ("for", ForOne(other)))
    }
    order = (gains["to"] > gains["for"]) - (gains["to"] < gains["for"])
    to, for_ = ToOne(number), ForOne(other)
    kept = f"{to} is paid on top of your {dollars_text(wager)}"
    gone = f"{for_} hands over {dollars_text(wager * other)}, your own wager in it"
    return Question(
        question=f"You win with {dollars_text(wager)}. One house pays {to}, another {for_}. By how "
        "much are you ahead in each?",
        scene=Scene(
            stacks=stacks({ruleset.game.wagers[0]: wager}, some_tray(rng, ruleset.options))
        ),
        fields=(
            _gain("to", f"Ahead with {to}", gains["to"], f"{kept}, which you keep."),
            _gain("for", f"Ahead with {for_}", gains["for"], f"{gone}."),
            Field(
                name="more",
                label="Which is more",
                kind="choice",
                choices=(
                    Choice("to", str(to)),
                    Choice("for", str(for_)),
                    Choice("same", "They are the same"),
                ),
                answer={1: "to", 0: "same", -1: "for"}[order],
                why=f"{dollars_text(gains['to'])} against {dollars_text(gains['for'])}: a number "
                "'for 1' is worth as much as one less 'to 1'.",
            ),
        ),
    )


def _gain(name: str, label: str, cents: int, why: str) -> Field:
    return Field(name=name, label=label, kind="amount", answer=cents, why=why)


def cost_of_an_hour(rng: Random, ruleset: Ruleset) -> Question:
    """What a mix of bets costs in an hour."""
    prices = price_list(ruleset)
    game = ruleset.game
    needed: list[Bet] = [*game.wagers[:3]] if game.code == "triple-shot-bonus" else ["ante"]
    extra = [bet for bet in prices.rows if bet not in needed]
    bets = needed + rng.sample(extra, rng.randint(0 if len(needed) > 1 else 1, len(extra)))
    wagers: dict[Bet, int] = {
        bet: some_wager(rng, ruleset, bet, CHIPS if bet in needed else FEW)
        for bet in game.wagers
        if bet in bets
    }
    pace = rng.choice(PACES)
    parts = {bet: prices.rows[bet].house_edge * cents for bet, cents in wagers.items()}
    hour = sum(parts.values(), Fraction(0)) * pace
    staked = sum(wagers.values())
    wrong = [hour * 2, hour / 2, hour / len(parts), hour - pace * parts[bets[0]], hour * 3 / 2]
    rows = [
        (
            bet_name(bet),
            f"{dollars_text(cents)} a round at {cost_text(prices.rows[bet].house_edge)}",
        )
        for bet, cents in wagers.items()
    ]
    return Question(
        question=f"You bet like this for {pace} rounds, an hour. What does it cost, or gain?",
        scene=Scene(
            stacks=stacks(wagers, some_tray(rng, ruleset.options)),
            facts=(*rows, ("Rounds an hour", str(pace))),
        ),
        fields=(
            figure_field(
                rng,
                "Cost of the hour",
                hour,
                wrong,
                cents_of,
                why=f"{cents_of(hour / pace)} a round, {pace} times, is {cents_of(hour)}: "
                f"{float(hour / pace / staked):.2%} of the {dollars_text(staked)} first wagered.",
                clause=CLAUSES[game.code],
            ),
        ),
    )


LEGS: dict[str, str] = {"war": "War", "blackjack": "Blackjack", "poker": "Poker"}


def joint(rng: Random, ruleset: Ruleset) -> Question:
    """How often no leg is lost, against what multiplying the legs would give."""
    from houseway.exact.bonus import joint_law
    from houseway.exact.succession import winning_categories

    law = joint_law(ruleset.options)
    kept = winning_categories(ruleset.paytables["poker"])
    named = rng.choice(
        (("war", "blackjack"), ("war", "poker"), ("blackjack", "poker"), tuple(LEGS))
    )

    def chance(*legs: str) -> Fraction:
        return law.probability(
            war="war" in legs,
            blackjack="blackjack" in legs,
            poker=kept if "poker" in legs else None,
        )

    alone = {leg: chance(leg) for leg in named}
    product = Fraction(1)
    for probability in alone.values():
        product *= probability
    together = chance(*named)
    more = together > product
    listed = " and ".join(LEGS[leg] for leg in named)
    return Question(
        question=f"How often is none of {listed} lost?",
        scene=Scene(
            facts=tuple((f"{LEGS[leg]} not lost", share_text(p)) for leg, p in alone.items())
        ),
        fields=(
            figure_field(
                rng,
                "None of them lost",
                together,
                [product, sum(alone.values(), Fraction(0)) / len(alone), min(alone.values())],
                share_text,
                why=f"The same cards decide all of them, so they are counted together: "
                f"{share_text(together)}. Multiplying gives {share_text(product)}, which is too "
                f"{'little' if more else 'much'}: that is right only for bets that have nothing to "
                "do with one another.",
                clause="TSB-26",
            ),
        ),
    )


def _skill(
    code: str, title: str, make: Maker, applies: Callable[[Ruleset], bool] = every_game
) -> Skill:
    return Skill(code=code, title=title, make=make, track="player", applies=applies)


SKILLS = (
    _skill("prices.cheapest", "Which bet costs least", cheapest),
    _skill("prices.cost", "What a dollar costs", cost_of_a_dollar),
    _skill("prices.how-often", "How often it wins", how_often),
    _skill("prices.to-or-for", "To 1 and for 1", to_or_for),
    _skill("prices.hour", "What an hour costs", cost_of_an_hour),
    _skill("prices.joint", "Bets that hang together", joint, of_games("triple-shot-bonus")),
)
