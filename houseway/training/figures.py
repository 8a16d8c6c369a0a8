"""Figures: how figures read in questions, and the right one among others."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from houseway.documents.terms import spaced
from houseway.house.money import CENTS_PER_DOLLAR, dollars_text
from houseway.house.options import of_few_words, register
from houseway.house.paytables import PayTable
from houseway.rules.identity import DATED
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field

CHOICES = 4


def cost_text(edge: Fraction) -> str:
    """What a dollar costs, in cents; below nothing it gains."""
    cents = f"{abs(float(edge * 100)):.2f} cents"
    return f"a gain of {cents}" if edge < 0 else cents


def costs_text(edge: Fraction) -> str:
    """The same as what a dollar does."""
    return f"{'gains' if edge < 0 else 'costs'} {abs(float(edge * 100)):.2f} cents"


def one_in_text(probability: Fraction) -> str:
    """How many rounds one takes on average."""
    rounds = float(1 / probability)
    return f"once in {rounds:.1f} rounds" if rounds < 100 else f"once in {rounds:,.0f} rounds"


def pays_text(table: PayTable) -> str:
    """The rows of a paytable in a line."""
    return ", ".join(f"{spaced(hand)} {odds}" for hand, odds in table.rows)


def house_pays(ruleset: Ruleset) -> list[dict[str, Any]]:
    """What the bets of a house pay, as plain data; a dealer knows it by heart sooner or later."""
    return [
        {
            "bet": bet,
            "paytable": table.code,
            "rows": [
                *({"hand": spaced(hand), "pays": str(odds)} for hand, odds in table.rows),
                *({"hand": f"envy for {hand}", "pays": pays} for hand, pays in envy_rows(table)),
            ],
        }
        for bet, table in ruleset.paytables.items()
    ]


def envy_rows(table: PayTable) -> Iterator[tuple[str, str]]:
    """Hands that pay envy to the others, with how much; none where a table has no envy."""
    told = table.to_json().get("envy", {"cents": {}, "per_dollar": False})
    unit = " for each $1 of wager" if told["per_dollar"] else ""
    for hand, cents in told["cents"].items():
        yield spaced(hand), f"{dollars_text(cents)}{unit}"


def house_choices(ruleset: Ruleset) -> list[dict[str, Any]]:
    """What a house decides and how it has, as plain data; open values only where they are set."""
    kind = ruleset.game.options
    usual = kind().to_json()
    return [
        {
            "option": name,
            "text": register(kind)[name].metadata["text"],
            "value": value,
            "usual": usual.get(name) == value,
        }
        for name, value in ruleset.game.shown_options(ruleset.options).items()
        if name not in DATED and (name in of_few_words(kind) or usual.get(name) != value)
    ]


def figure_choices(
    rng: Random, right: Fraction, others: Iterable[Fraction], told: Callable[[Fraction], str]
) -> tuple[tuple[Choice, ...], str]:
    """The right figure among others that read differently, in any order; and its value."""
    wrong = dict.fromkeys(told(other) for other in others)
    wrong.pop(told(right), None)
    labels = [told(right), *rng.sample(list(wrong), min(len(wrong), CHOICES - 1))]
    shuffled = rng.sample(labels, len(labels))
    choices = tuple(Choice(letter, text) for letter, text in zip("abcd", shuffled, strict=False))
    return choices, next(choice.value for choice in choices if choice.label == told(right))


def figure_field(
    rng: Random,
    label: str,
    right: Fraction,
    others: Iterable[Fraction],
    told: Callable[[Fraction], str],
    *,
    why: str,
    clause: str | None,
) -> Field:
    """A field that asks for a figure, with the right one among others."""
    choices, answer = figure_choices(rng, right, others, told)
    return Field(
        name="figure",
        label=label,
        kind="choice",
        choices=choices,
        answer=answer,
        why=why,
        clause=clause,
    )


def share_text(share: Fraction) -> str:
    """A probability in per cent, fine enough to tell two ways of counting apart."""
    return f"{float(share):.3%}"


def dollars_of(dollars: Fraction) -> str:
    """An amount of dollars, rounded to the cent."""
    return dollars_text(round(dollars * CENTS_PER_DOLLAR))


def fine_text(share: Fraction) -> str:
    """A small part of a dollar in cents."""
    return f"{float(share * 100):.3f} cents"


def cents_of(cents: Fraction) -> str:
    """A cost in cents as dollars, rounded; below nothing it is a gain."""
    text = dollars_text(abs(round(cents)))
    return f"a gain of {text}" if cents < 0 else text
