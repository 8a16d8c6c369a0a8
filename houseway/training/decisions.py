"""Decisions: what a player does with a hand, priced choice by choice.

Cards are dealt by a live round, so what may be decided is what the rules allow there. What each
choice is worth is the coach's figure, in Antes or Blackjack bets; what a choice costs is how far it
stays behind the best. Half of the hands are the closest of several, for these are what is got
wrong; the other half come as they come.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

from houseway.cards import ACE, DECK, make_card
from houseway.documents.terms import pair_plus_sentence
from houseway.games import blackjack
from houseway.games.blackjack import BlackjackDecision
from houseway.games.contest import contest_of
from houseway.games.contract import Seen
from houseway.games.triple_shot_bonus import INSURANCE
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live.commands import Bets
from houseway.live.phases import Phase
from houseway.live.procedure import carry_on
from houseway.live.round import act
from houseway.live.seen import seen_of
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, open_round
from houseway.names import Bet
from houseway.practice.coach import basic, decision_values
from houseway.rules.lines import action_cents
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import some_tray, some_wager, stacks
from houseway.training.skill import Maker, Question, Skill, of_games, three_card

POSITION = 1
CANDIDATES = 8
"""Hands of which the closest is taken."""
CLOSE = 0.5
"""How often that is done."""
WITH_PAIR_PLUS = 0.3
CHIPS = (5, 10, 10, 15, 20, 25)
NO_INSURANCE = "no-insurance"
"""Letting insurance pass; the live round knows only those who take it."""
LABELS = {
    "play": "Play",
    "fold": "Fold",
    "stand": "Stand",
    "hit": "Hit",
    "double": "Double",
    "split": "Split",
    "insurance": "Take insurance",
    NO_INSURANCE: "No insurance",
}
SAID = {**{name: label.lower() for name, label in LABELS.items()}, "fold": "a fold"}
SAID |= {"play": "playing", "insurance": "insurance", NO_INSURANCE: "letting it pass"}
FINE = Fraction(1, 50)
"""Closer choices than this are told to four places instead of two."""


def values_at(table: Round) -> dict[str, Fraction]:
    """What every choice is worth now, in Antes or Blackjack bets; empty where none is due."""
    worth = decision_values(table, POSITION)
    return {**worth, NO_INSURANCE: Fraction(0)} if table.offer and worth else worth


def costs_of(values: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """What every choice costs against the best."""
    best = max(values.values())
    return {name: best - value for name, value in values.items()}


def deal(ruleset: Ruleset, wagers: Bets, first: tuple[int, ...], rng: Random) -> Round:
    """A live round with one player, dealt up to a decision or its end; `first` lead the deck."""
    rest = [card for card in DECK if card not in first]
    by = "automatic" if ruleset.options.shuffler_mode == "automatic" else "training"
    deck = Shuffle("training", (*first, *rng.sample(rest, len(rest))), ruleset.game.packet, by)
    table = open_round(ruleset, positions=1)
    table, _ = act(table, c.PlaceBets(POSITION, wagers))
    table, _ = act(table, c.LoadShuffle(deck))
    return carry_on(table)


# The games of Ante and Play.


def play_or_fold(rng: Random, ruleset: Ruleset, *, exact: bool) -> Question:
    """Play or fold, by the rule of thumb or by what each is worth."""
    game = ruleset.game
    wagers: dict[Bet, int] = {"ante": some_wager(rng, ruleset, "ante", CHIPS)}
    if rng.random() < WITH_PAIR_PLUS:
        wagers["pair-plus"] = some_wager(rng, ruleset, "pair-plus", CHIPS)
    table = _closest(rng, lambda: deal(ruleset, tuple(wagers.items()), (), rng))
    values = values_at(table)
    thumb = basic(table, POSITION)
    assert thumb is not None
    up = [card for card, shown in zip(table.dealer, table.dealer_up, strict=True) if shown]
    assert game.rule_of_thumb is not None
    rule = game.rule_of_thumb.words(Seen(dealer=tuple(up)), ruleset.options)
    hidden = [None] * (len(table.dealer) - len(up))
    facts = (("Pair Plus", pair_plus_sentence(game, ruleset.paytables, ruleset.options)),)
    ante = dollars_text(wagers["ante"])
    return Question(
        question=f"Your Ante is {ante}. Do you play, for {ante} more, or fold?"
        + ("" if exact else " Go by the rule of thumb."),
        scene=Scene(
            hands=(
                Held("Your hand", table.seat(POSITION).cards),
                Held("Dealer", (*up, *hidden)),
            ),
            stacks=stacks(wagers, some_tray(rng, ruleset.options)),
            facts=facts if "pair-plus" in wagers else (),
        ),
        fields=(
            _field(
                values,
                best_of(values) if exact else thumb,
                told=_told_ante(values, forfeits="pair-plus" in wagers and values["fold"] < -1),
                rule="" if exact else f"The rule of thumb: {rule}.",
                clause=contest_of(game).folded().clause,
            ),
        ),
    )


def _told_ante(values: Mapping[str, Fraction], *, forfeits: bool) -> str:
    """Both choices in words: what a fold gives up, and what playing does on average."""
    places = _places(values)
    given_up = "the Ante and Pair Plus" if forfeits else "the Ante"
    lost = f" ({_antes(-values['fold'], places)})" if forfeits else ""
    play = values["play"]
    does = "loses" if play < 0 else "wins"
    told = f"Fold gives up {given_up}{lost}; playing {does} {_antes(abs(play), places)} on average"
    return f"{told}: {_verdict(values, places)}"


def _antes(value: Fraction, places: int) -> str:
    return f"{float(value):.{places}f} antes"


# Triple Shot Bonus.


def _bonus_wagers(rng: Random, ruleset: Ruleset) -> dict[Bet, int]:
    return {bet: some_wager(rng, ruleset, bet, CHIPS) for bet in ("war", "blackjack", "poker")}


def _past_insurance(table: Round) -> Round:
    if table.offer is None:
        return table
    table, _ = act(table, c.CloseOffer(table.offer.name))
    return carry_on(table)


def _first_two(rng: Random, ruleset: Ruleset, wagers: Mapping[Bet, int]) -> Round:
    return _past_insurance(deal(ruleset, tuple(wagers.items()), (), rng))


def _after_a_hit(rng: Random, ruleset: Ruleset, wagers: Mapping[Bet, int]) -> Round:
    """A hand that the chart has drawn to, once or until it is to stand."""
    table = _first_two(rng, ruleset, wagers)
    draws = rng.choice((1, 1, 2, 3))
    while table.phase is Phase.DECISIONS and draws:
        draws -= 1
        if basic(table, POSITION) != "hit":
            break
        table, _ = act(table, c.Decide(POSITION, "hit"))
        table = carry_on(table)
    return table


def _is_later(table: Round) -> bool:
    return len(table.seat(POSITION).cards) > 2


def _pair_of_aces(rng: Random, ruleset: Ruleset, wagers: Mapping[Bet, int]) -> Round:
    one, other = (make_card(ACE, suit) for suit in rng.sample(range(4), 2))
    up = rng.choice([card for card in DECK if card not in (one, other)])
    return _past_insurance(deal(ruleset, tuple(wagers.items()), (one, up, other), rng))


def first_two(rng: Random, ruleset: Ruleset, *, exact: bool) -> Question:
    """The decision on two cards."""
    wagers = _bonus_wagers(rng, ruleset)
    table = _closest(rng, lambda: _first_two(rng, ruleset, wagers))
    return _blackjack_question(rng, table, exact=exact)


def later(rng: Random, ruleset: Ruleset, *, exact: bool) -> Question:
    """The decision on a hand that has drawn."""
    wagers = _bonus_wagers(rng, ruleset)
    table = _closest(rng, lambda: _after_a_hit(rng, ruleset, wagers), wanted=_is_later)
    return _blackjack_question(rng, table, exact=exact)


def aces(rng: Random, ruleset: Ruleset, *, exact: bool) -> Question:
    """The decision on a pair of Aces."""
    wagers = _bonus_wagers(rng, ruleset)
    table = _some(lambda: _pair_of_aces(rng, ruleset, wagers))
    return _blackjack_question(rng, table, exact=exact)


def insurance(rng: Random, ruleset: Ruleset) -> Question:
    """Whether to insure against an Ace."""
    wagers = _bonus_wagers(rng, ruleset)
    first = rng.sample(DECK, 2)
    ace = rng.choice(
        [make_card(ACE, suit) for suit in range(4) if make_card(ACE, suit) not in first]
    )
    table = deal(ruleset, tuple(wagers.items()), (first[0], ace, first[1]), rng)
    return _blackjack_question(rng, table, exact=True)


def _blackjack_question(rng: Random, table: Round, *, exact: bool) -> Question:
    values, seat, options = values_at(table), table.seat(POSITION), table.options
    thumb = basic(table, POSITION) or NO_INSURANCE
    best = best_of(values)
    answer = best if exact else thumb
    [held, *_] = table.ruleset.game.facts(seen_of(table, seat), options).hands
    points = f"{'soft ' if blackjack.is_soft(held.total) else ''}{blackjack.value(held.total)}"
    holds = "a pair of Aces" if held.pair_of_aces else points
    soft = "stands on" if table.ruleset.options.dealer_soft_17 == "stand" else "hits"
    bet = dollars_text(seat.wagers["blackjack"])
    if table.offer:
        half = dollars_text(action_cents(INSURANCE, seat.wagers, options))
        question = f"The dealer shows an Ace. Do you insure your {bet} with {half}?"
    else:
        question = f"Your Blackjack bet is {bet} and you hold {holds}. What do you do?"
        question += "" if exact else " Go by the chart."
    return Question(
        question=question,
        scene=Scene(
            hands=(Held("Your hand", seat.cards), Held("Dealer", (table.dealer[0], None))),
            stacks=stacks({"blackjack": seat.wagers["blackjack"]}, some_tray(rng, options)),
            facts=(("Dealer", f"{soft} soft 17"),),
        ),
        fields=(
            _field(
                values,
                answer,
                told=_told_blackjack(values),
                rule="" if exact else f"The chart says: {LABELS[thumb].lower()}.",
                clause=blackjack.DECISION_CLAUSES[_clause_of(answer)],
            ),
        ),
    )


def _clause_of(decision: str) -> BlackjackDecision:
    return next((name for name in blackjack.DECISION_CLAUSES if name == decision), "insurance")


def _told_blackjack(values: Mapping[str, Fraction]) -> str:
    """Every choice in words, best first."""
    places = _places(values)
    ordered = sorted(values, key=lambda name: values[name], reverse=True)
    parts = [_does(name, values[name], places) for name in ordered]
    return f"On average, in Blackjack bets: {', '.join(parts)}. {_verdict(values, places, 'S')}"


def _does(name: str, value: Fraction, places: int) -> str:
    if value == 0:
        return f"{SAID[name]} costs nothing"
    return f"{SAID[name]} {'loses' if value < 0 else 'wins'} {float(abs(value)):.{places}f}"


# What both have in common.


def best_of(values: Mapping[str, Fraction]) -> str:
    """The choice that is worth most; of equals the one that is named first."""
    return max(values, key=lambda name: values[name])


def _field(
    values: Mapping[str, Fraction], answer: str, *, told: str, rule: str, clause: str
) -> Field:
    costs = costs_of(values)
    gives_up = ""
    if costs[answer]:
        gives_up = f" Here the rule gives up {float(costs[answer]):.4f} in order to stay easy."
    return Field(
        name="decision",
        label="Your decision",
        kind="choice",
        choices=tuple(Choice(name, LABELS[name]) for name in values),
        answer=answer,
        costs=costs,
        why=f"{rule} {told}{gives_up}".strip(),
        clause=clause,
    )


def _margin(values: Mapping[str, Fraction]) -> Fraction:
    """How far the best choice is ahead of the next."""
    first, second, *_ = sorted(values.values(), reverse=True)
    return first - second


def _places(values: Mapping[str, Fraction]) -> int:
    return 2 if _margin(values) >= FINE else 4


def _verdict(values: Mapping[str, Fraction], places: int, style: str = "") -> str:
    """Which choice is best, and by how much."""
    margin = _margin(values)
    best = SAID[best_of(values)]
    if margin == 0:
        alike = [SAID[name] for name, cost in costs_of(values).items() if cost == 0]
        told = f"{' and '.join(alike)} are worth the same."
    elif style:
        told = f"{best} is best, by {float(margin):.{places}f}."
    else:
        told = f"{best} is better by {float(margin):.{places}f}."
    return told[0].upper() + told[1:] if style else told


def _some(make: Callable[[], Round], wanted: Callable[[Round], bool] | None = None) -> Round:
    """A round in which a decision is due."""
    while True:
        table = make()
        if table.phase is Phase.DECISIONS and (wanted is None or wanted(table)):
            return table


def _closest(
    rng: Random, make: Callable[[], Round], wanted: Callable[[Round], bool] | None = None
) -> Round:
    """A round in which a decision is due, half of the time the closest of several."""
    number = CANDIDATES if rng.random() < CLOSE else 1
    tables = [_some(make, wanted) for _ in range(number)]
    return min(tables, key=lambda table: _margin(values_at(table))) if number > 1 else tables[0]


def _in_mode(make: Callable[..., Question], *, exact: bool) -> Maker:
    def made(rng: Random, ruleset: Ruleset) -> Question:
        return make(rng, ruleset, exact=exact)

    return made


def _skill(code: str, title: str, make: Maker, applies: Callable[[Ruleset], bool]) -> Skill:
    return Skill(code=code, title=title, make=make, track="player", applies=applies)


_BONUS = of_games("triple-shot-bonus")
_MADE: tuple[tuple[str, str, Callable[..., Question], Callable[[Ruleset], bool]], ...] = (
    ("ante", "Play or fold", play_or_fold, three_card),
    ("blackjack", "Blackjack with two cards", first_two, _BONUS),
    ("blackjack-later", "Blackjack after a draw", later, _BONUS),
    ("aces", "A pair of Aces", aces, _BONUS),
)
SKILLS = (
    *(
        _skill(f"decisions.{code}-simple", f"{title}: the rule", _in_mode(make, exact=False), for_)
        for code, title, make, for_ in _MADE
    ),
    *(
        _skill(f"decisions.{code}-exact", f"{title}: to the cent", _in_mode(make, exact=True), for_)
        for code, title, make, for_ in _MADE
    ),
    _skill("decisions.insurance", "Insurance", insurance, _BONUS),
)
