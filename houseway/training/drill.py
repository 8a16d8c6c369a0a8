"""Drill: one question about the rules with its answer, and the grading of what somebody gives.

A drill is made from a ruleset, the code of a skill and a seed, and from nothing else, so whoever
has these three has the same question and the same answer again. No answer is typed in anywhere:
each comes from the rules that pay people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from houseway.cards import card_text
from houseway.house.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused, listed

Kind = Literal["amount", "number", "choice", "order", "several", "chips"]
"""How a field is answered: dollars, a whole number, one of the choices, some or all of the choices
in their order, a set of choices, or chips by denomination."""
Answer = int | str | tuple[str, ...]
"""Cents, a number, or values of choices. Chips are `denomination x count` in the order of paying,
such as '10000x2'."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: its value in an answer, and what a person reads."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that is asked."""

    name: str
    label: str
    kind: Kind
    answer: Answer
    why: str
    """One line: why the answer is what it is."""
    clause: str | None = None
    choices: tuple[Choice, ...] = ()
    costs: Mapping[str, Fraction] | None = None
    """What each choice costs against the best, in units; for decisions of players."""


@dataclass(frozen=True, slots=True)
class Held:
    """Cards in front of somebody; None is a card face down."""

    label: str
    cards: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    """Chips on a spot, as cents by denomination with their number, largest first."""

    spot: str
    label: str
    cents: int
    chips: tuple[tuple[int, int], ...] = ()
    position: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What lies on the table."""

    hands: tuple[Held, ...] = ()
    stacks: tuple[Stack, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Names with what they are, such as ('Meter', '$8,000.00')."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """A question with one field or several."""

    skill: str
    seed: int
    question: str
    scene: Scene = Scene()
    fields: tuple[Field, ...]

    def __post_init__(self) -> None:
        names = [field.name for field in self.fields]
        assert names
        assert len(set(names)) == len(names), names
        for field in self.fields:
            _check_answer(field)

    def to_json(self) -> dict[str, Any]:
        """The question as a screen takes it; no answer is in it."""
        return {
            "skill": self.skill,
            "seed": self.seed,
            "question": self.question,
            "scene": _scene(self.scene),
            "fields": [
                {
                    "name": field.name,
                    "label": field.label,
                    "kind": field.kind,
                    "choices": [{"value": c.value, "label": c.label} for c in field.choices],
                }
                for field in self.fields
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What became of one field."""

    name: str
    right: bool
    given: str
    answer: str
    """What is right, as a person reads it."""
    why: str
    clause: str | None
    cost: Fraction | None = None

    def to_json(self) -> dict[str, Any]:
        """The mark as plain data."""
        return {
            "name": self.name,
            "right": self.right,
            "given": self.given,
            "answer": self.answer,
            "why": self.why,
            "clause": self.clause,
            "cost": None if self.cost is None else str(self.cost),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A drill that was answered."""

    marks: tuple[Mark, ...]

    @property
    def right(self) -> bool:
        """True when nothing was wrong."""
        return all(mark.right for mark in self.marks)

    @property
    def cost(self) -> Fraction:
        """What the choices cost against the best, in units."""
        return sum((mark.cost for mark in self.marks if mark.cost is not None), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """The grade as plain data."""
        return {"right": self.right, "marks": [mark.to_json() for mark in self.marks]}


def grade(drill: Drill, given: Mapping[str, Any]) -> Grade:
    """Each field right or wrong; refused where something cannot be read, and nothing is counted."""
    unknown = [name for name in given if name not in {field.name for field in drill.fields}]
    if unknown:
        known = listed(field.name for field in drill.fields)
        raise Refused(
            Reason.BAD_ARGUMENT, f"answer {unknown[0]!r} was not asked for; asked: {known}"
        )
    return Grade(marks=tuple(_mark(field, given.get(field.name)) for field in drill.fields))


def _mark(field: Field, given: Any) -> Mark:
    read = read_answer(field, given)
    costs = field.costs
    right = (
        set(_values(read)) == set(_values(field.answer))
        if field.kind == "several"
        # What costs nothing against the best is as right as the answer that is shown.
        else (read == field.answer or (costs is not None and costs[str(read)] == 0))
    )
    return Mark(
        name=field.name,
        right=right,
        given=shown(field, read),
        answer=shown(field, field.answer),
        why=field.why,
        clause=field.clause,
        cost=costs[str(read)] if costs is not None else None,
    )


def read_answer(field: Field, given: Any) -> Answer:
    """An answer as it is compared; refused with what is expected."""
    if given is None or given == "" or given == []:
        raise Refused(Reason.BAD_ARGUMENT, f"{field.label!r} has no answer yet; {_wanted(field)}")
    match field.kind:
        case "amount":
            return parse_amount(str(given), field.label, zero=True)
        case "number":
            text = str(given).strip()
            if not (text.isascii() and text.isdecimal()) or len(text) > 9:
                raise Refused(
                    Reason.BAD_ARGUMENT, f"{field.label} {text[:20]!r} is not a whole number"
                )
            return int(text)
        case "choice":
            return _known(field, str(given))
        case "order" | "several":
            values = tuple(_known(field, value) for value in _texts(field, given))
            if len(set(values)) != len(values):
                raise Refused(Reason.GIVEN_TWICE, f"{field.label}: something stands twice")
            return values
        case "chips":
            return tuple(_chip(field, value) for value in _texts(field, given))


def shown(field: Field, answer: Answer) -> str:
    """An answer as a person reads it."""
    labels = {choice.value: choice.label for choice in field.choices}
    match field.kind:
        case "amount":
            assert isinstance(answer, int)
            return dollars_text(answer)
        case "number":
            return str(answer)
        case "choice":
            return labels[str(answer)]
        case "order":
            return ", then ".join(labels[value] for value in _values(answer))
        case "several":
            return ", ".join(labels[value] for value in _values(answer))
        case "chips":
            pairs = (value.split("x") for value in _values(answer))
            return ", ".join(f"{count} x {dollars_text(int(worth))}" for worth, count in pairs)


def _known(field: Field, value: str) -> str:
    known = [choice.value for choice in field.choices]
    if value not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"{field.label}: {value[:40]!r} is not one of the choices; known: {listed(known)}",
        )
    return value


def _texts(field: Field, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(value, str) for value in given):
        raise Refused(
            Reason.BAD_ARGUMENT, f"{field.label}: the answer cannot be read; {_wanted(field)}"
        )
    return tuple(given)


def _chip(field: Field, value: str) -> str:
    worth, _, count = value.partition("x")
    if not (worth.isdecimal() and count.isdecimal()) or len(value) > 20 or int(count) == 0:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{field.label}: chips {value[:20]!r} cannot be read; write cents and how many, such "
            "as 2500x3",
        )
    return f"{int(worth)}x{int(count)}"


def _wanted(field: Field) -> str:
    return {
        "amount": "write dollars and cents, such as 12.50",
        "number": "write a whole number",
        "choice": "choose one",
        "order": "put them in order",
        "several": "choose those that apply",
        "chips": "put out the chips",
    }[field.kind]


def _values(answer: Answer) -> tuple[str, ...]:
    return answer if isinstance(answer, tuple) else (str(answer),)


def _check_answer(field: Field) -> None:
    """The answer of a field is one that could be given."""
    known = {choice.value for choice in field.choices}
    match field.kind:
        case "amount" | "number":
            assert isinstance(field.answer, int), field
        case "choice":
            assert field.answer in known, field
            assert len(known) == len(field.choices) > 1, field
        case "order" | "several":
            assert isinstance(field.answer, tuple), field
            assert set(field.answer) <= known, field
        case "chips":
            assert isinstance(field.answer, tuple), field


def _scene(scene: Scene) -> dict[str, Any]:
    return {
        "hands": [
            {
                "label": held.label,
                "cards": [None if card is None else card_text(card) for card in held.cards],
            }
            for held in scene.hands
        ],
        "stacks": [
            {
                "spot": stack.spot,
                "label": stack.label,
                "cents": stack.cents,
                "chips": [list(chip) for chip in stack.chips],
                "position": stack.position,
            }
            for stack in scene.stacks
        ],
        "facts": [list(fact) for fact in scene.facts],
    }
