"""Lesson: a few sentences, a seat that was settled, clauses, and questions at its end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from houseway.cards import cards_text
from houseway.documents.terms import (
    spaced,
)
from houseway.games.base import Outcome
from houseway.house.money import dollars_text
from houseway.house.options import spot_amount, wager_limit
from houseway.names import Bet, bet_name
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement
from houseway.training.drill import Held
from houseway.training.felt import codes_of, some_wager
from houseway.training.figures import costs_text, one_in_text
from houseway.training.prices import price_list

CHIPS = (5, 10, 15, 20)
CHECKS = 2
"""Questions of each skill at the end of a lesson."""
MOST_DEALS = 5_000
"""Seats that are dealt for one example: a house may pay only what hardly ever comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A seat, dealt and settled; `seat` holds what `houseway.settle` was given, as plain data."""

    about: str
    hands: tuple[Held, ...]
    seat: Mapping[str, Any]
    settled: Settlement

    def to_json(self) -> dict[str, Any]:
        """The example as plain data."""
        return {
            "about": self.about,
            "hands": [
                {"label": held.label, "cards": cards_text(c for c in held.cards if c is not None)}
                for held in self.hands
            ],
            "seat": dict(self.seat),
            "lines": [
                {**line.to_json(), "name": bet_name(line.bet)} for line in self.settled.lines
            ],
            "net": self.settled.net,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pays:
    """A small table: a heading for each column, and the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A question at the end of a lesson: whoever has these two has the drill."""

    skill: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One step of learning a game."""

    code: str
    title: str
    sentences: tuple[str, ...]
    clauses: tuple[str, ...]
    pays: Pays | None = None
    example: Example | None = None
    checks: tuple[Check, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The lesson as plain data."""
        return {
            "code": self.code,
            "title": self.title,
            "sentences": list(self.sentences),
            "clauses": list(self.clauses),
            "pays": None
            if self.pays is None
            else {"columns": list(self.pays.columns), "rows": [list(r) for r in self.pays.rows]},
            "example": None if self.example is None else self.example.to_json(),
            "checks": [{"skill": each.skill, "seed": each.seed} for each in self.checks],
        }


def limit_sentences(ruleset: Ruleset) -> Iterator[str]:
    """What the table posts and the law allows."""
    options = ruleset.options
    for bet in ruleset.game.wagers:
        least = spot_amount(options.table_minimum, bet)
        most = spot_amount(options.table_maximum, bet)
        if least is not None:
            yield f"The least that is taken on {bet_name(bet)} is {dollars_text(least)}."
        if most is not None:
            yield f"The most that is taken on {bet_name(bet)} is {dollars_text(most)}."
    limit = wager_limit(options)
    if limit is not None:
        yield f"By law no single wager is above {dollars_text(limit.most)} ({limit.citation})."


def price_sentences(ruleset: Ruleset, bet: Bet) -> Iterator[str]:
    """The honest price of a bet: what a dollar costs, and how often it wins."""
    row = price_list(ruleset).rows[bet]
    edge, hits = row.house_edge, row.law.hit_frequency
    yield f"On average a dollar on it {costs_text(edge)}; it wins {one_in_text(hits)}."
    if edge > 0:
        yield "No way of betting changes that: more rounds only bring you nearer to it."


def order_sentence(ruleset: Ruleset) -> str:
    """In which order the bets of a seat are settled."""
    wagers = [bet for bet in ruleset.order if bet not in ("envy", "insurance")]
    return f"A seat is settled in this order: {', '.join(bet_name(bet) for bet in wagers)}."


def pays_of(ruleset: Ruleset, bet: Bet) -> Pays:
    """What a bet is paid, as it is posted."""
    rows = [(spaced(hand), str(odds)) for hand, odds in ruleset.paytables[bet].rows]
    return Pays(columns=("score" if bet == "play" else "hand", "pays"), rows=tuple(rows))


def checks(*skills: str) -> tuple[Check, ...]:
    """A few questions of each of these skills."""
    return tuple(Check(skill=skill, seed=seed) for skill in skills for seed in range(CHECKS))


Wanted = Callable[[Settlement], bool]


def became(bet: Bet, outcome: Outcome) -> Wanted:
    """A test for a seat whose bet came out like this."""

    def wanted(found: Settlement) -> bool:
        return any(line.bet == bet and line.outcome is outcome for line in found.lines)

    return wanted


def house_of(ruleset: Ruleset) -> dict[str, Any]:
    """The game, options and paytables of a table, as settling takes them."""
    game = ruleset.game.code
    return {
        "game": game,
        "options": ruleset.game.shown_options(ruleset.options),
        "paytables": codes_of(ruleset),
    }


def lesson_wagers(rng: Random, ruleset: Ruleset, *bets: Bet) -> tuple[tuple[Bet, int], ...]:
    """Wagers that may be made on these spots."""
    few = ("progressive", "six-card-bonus")
    return tuple((b, some_wager(rng, ruleset, b, (1,) if b in few else CHIPS)) for b in bets)


def lowered(sentence: str) -> str:
    """A sentence as the second part of another."""
    return sentence[0].lower() + sentence[1:]
