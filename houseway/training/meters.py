"""Meters: what a progressive is worth at what stands on its meters, and what envy adds.

Every figure is counted by the exact analysis of the row that is in force, folded hands in or out as
the house has it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from houseway.games.progressive import by_system, envy_clause
from houseway.house.money import CENTS_PER_DOLLAR, MeterLevel, dollars_text
from houseway.house.paytables import PayTable
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Scene
from houseway.training.felt import some_wager
from houseway.training.figures import (
    CHOICES,
    cost_text,
    costs_text,
    dollars_of,
    envy_rows,
    figure_field,
    fine_text,
    pays_text,
)
from houseway.training.skill import Maker, Question, Skill, has_envy, has_progressive

if TYPE_CHECKING:
    from houseway.exact.progressive import ProgressiveRow

OTHER_HANDS = range(1, 7)
METER_STEP = 100
"""Meters in questions are whole multiples of so many dollars."""
SHARES = tuple(Fraction(n, 20) for n in (4, 7, 10, 13, 16, 18, 22, 25, 30, 36))
"""A meter in a question, as a share of one that makes the bet fair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterLine:
    """The edge of a progressive as a line: so much with empty meters, less with each dollar."""

    row: "ProgressiveRow"
    wager_cents: int
    empty: Fraction
    """The edge with nothing on any meter."""
    per_dollar: Mapping[MeterLevel, Fraction]
    """What a dollar on each meter takes off it."""
    envy: Fraction
    """What another lit hand at the table takes off it."""

    def edge(self, meters: Mapping[MeterLevel, Fraction]) -> Fraction:
        """What a dollar costs with these meters, in dollars, alone at the table."""
        return self.empty - sum(
            (self.per_dollar[level] * amount for level, amount in meters.items()), Fraction(0)
        )

    def fair(self, level: MeterLevel, others: Mapping[MeterLevel, Fraction]) -> Fraction:
        """What must stand on a meter for the wager to cost nothing, with these others."""
        rest = {other: amount for other, amount in others.items() if other != level}
        return self.edge(rest) / self.per_dollar[level]


@lru_cache(maxsize=64)
def meter_line(ruleset: Ruleset, wager_cents: int) -> MeterLine:
    """The line of a table's progressive; it is straight, so two points of each meter say it."""
    from houseway.exact.progressive import house_edge, row_in_force

    row = row_in_force(ruleset)
    levels = row.pays.levels

    def at(full: MeterLevel | None) -> Fraction:
        meters = {level: Fraction(level == full) for level in levels}
        return house_edge(row, meters, wager_cents, options=ruleset.options)

    return MeterLine(
        row=row,
        wager_cents=wager_cents,
        empty=at(None),
        per_dollar={level: at(None) - at(level) for level in levels},
        envy=row.envy(wager_cents) * CENTS_PER_DOLLAR / wager_cents,
    )


def meter_name(level: MeterLevel) -> str:
    """A meter as people say it."""
    return "Meter" if level == "single" else f"{level.title()} meter"


def _line_of(rng: Random, ruleset: Ruleset) -> MeterLine:
    return meter_line(ruleset, some_wager(rng, ruleset, "progressive", (1,)))


def _meters(rng: Random, line: MeterLine, ruleset: Ruleset) -> dict[MeterLevel, Fraction]:
    """What stands on each meter, in whole steps of dollars: less than is fair, or more.

    Where several meters pay, each has an equal part in making the wager fair. None stands below
    what it starts again from, or above its cap.
    """
    part = line.empty / len(line.per_dollar)
    seeds, caps = dict(ruleset.options.meter_seed), dict(ruleset.options.cap)
    found: dict[MeterLevel, Fraction] = {}
    for level, per in line.per_dollar.items():
        drawn = max(1, round(part / per * rng.choice(SHARES) / METER_STEP)) * METER_STEP
        least = Fraction(seeds.get(level, 0), CENTS_PER_DOLLAR)
        most = Fraction(caps[level], CENTS_PER_DOLLAR) if level in caps else Fraction(drawn)
        found[level] = min(max(Fraction(drawn), least), max(most, least))
    return found


def _meter_facts(
    ruleset: Ruleset, line: MeterLine, meters: Mapping[MeterLevel, Fraction]
) -> tuple[tuple[str, str], ...]:
    table = ruleset.paytables["progressive"]
    facts = [(meter_name(level), dollars_of(amount)) for level, amount in meters.items()]
    return (*facts, ("Pays", pays_text(table)), ("Wager", dollars_text(line.wager_cents)))


def _clause(ruleset: Ruleset) -> str:
    table = ruleset.paytables["progressive"]
    return by_system(table, ruleset.options, "PGM-19", "PNX-19", "PML-12")


def better_than_fair(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the progressive costs or gains at what stands on its meters."""
    line = _line_of(rng, ruleset)
    meters = _meters(rng, line, ruleset)
    edge = line.edge(meters)
    level = next(iter(meters))
    fair = line.fair(level, meters)
    beside = "" if len(meters) == 1 else ", with what the others stand at,"
    return Question(
        question="Is the progressive better or worse than fair now? You are alone at the table.",
        scene=Scene(facts=_meter_facts(ruleset, line, meters)),
        fields=(
            Field(
                name="fair",
                label="The wager is",
                kind="choice",
                choices=(
                    Choice("worse", "Worse than fair: it costs"),
                    Choice("even", "Exactly fair"),
                    Choice("better", "Better than fair: it gains"),
                ),
                answer="worse" if edge > 0 else "better" if edge < 0 else "even",
                why=f"It is fair{beside} when the {meter_name(level).lower()} shows "
                f"{dollars_of(max(fair, Fraction(0)))}. Now a dollar {costs_text(edge)} on "
                "average. Either way nearly every wager is lost.",
                clause=_clause(ruleset),
            ),
        ),
    )


def cost_at_meter(rng: Random, ruleset: Ruleset) -> Question:
    """What a dollar on the progressive costs at what stands on its meters."""
    line = _line_of(rng, ruleset)
    meters = _meters(rng, line, ruleset)
    edge = line.edge(meters)
    fixed = line.empty
    others = [line.edge(_meters(rng, line, ruleset)) for _ in range(CHOICES)]
    returned = ", ".join(
        f"{dollars_of(amount)} on the {meter_name(level).lower()} "
        f"{float(line.per_dollar[level] * amount * 100):.2f} cents"
        for level, amount in meters.items()
    )
    return Question(
        question="What does a dollar on the progressive cost on average now?",
        scene=Scene(facts=_meter_facts(ruleset, line, meters)),
        fields=(
            figure_field(
                rng,
                "Cost of a dollar",
                edge,
                [*others, fixed, 1 - fixed],
                cost_text,
                why=f"Of a dollar the fixed pays return {float((1 - fixed) * 100):.2f} cents, and "
                f"{returned}.",
                clause=_clause(ruleset),
            ),
        ),
    )


def fair_meter(rng: Random, ruleset: Ruleset) -> Question:
    """What must stand on the meter for the progressive to cost nothing."""
    line = _line_of(rng, ruleset)
    if line.empty <= 0:
        raise Refused(
            Reason.BAD_ARGUMENT,
            "by these pays the progressive costs nothing with empty meters; no meter is fair",
        )
    meters = _meters(rng, line, ruleset)
    level = next(iter(meters))
    while (fair := line.fair(level, meters)) <= 0:
        # The others alone are worth more than the wager; with less on them there is a question.
        meters = {each: amount / 2 for each, amount in meters.items()}
    beside = {other: amount for other, amount in meters.items() if other != level}
    # Whoever forgets the fixed pays asks for as many dollars as there are hands to one award.
    naive = 1 / line.per_dollar[level]
    facts = [fact for fact in _meter_facts(ruleset, line, meters) if fact[0] != meter_name(level)]
    return Question(
        question=f"At which {meter_name(level).lower()} does the progressive cost nothing?",
        scene=Scene(facts=tuple(facts)),
        fields=(
            figure_field(
                rng,
                "Fair meter",
                fair,
                [naive, fair * 3 / 2, fair / 2, fair * 2, fair / 4],
                dollars_of,
                why=f"With nothing on it a dollar costs {cost_text(line.edge(beside))}, and each "
                f"$1,000 on it gives back {float(line.per_dollar[level] * 100_000):.2f} cents: so "
                f"{dollars_of(fair)} make up for it.",
                clause=_clause(ruleset),
            ),
        ),
    )


def envy(rng: Random, ruleset: Ruleset) -> Question:
    """What envy is worth with so many other lit hands."""
    line = _line_of(rng, ruleset)
    others = rng.choice(OTHER_HANDS)
    worth = line.envy * others
    return Question(
        question=f"Other lit hands at the table: {others}. What does envy give back of your dollar "
        "on average?",
        scene=Scene(facts=tuple(_envy_facts(ruleset.paytables["progressive"]))),
        fields=(
            figure_field(
                rng,
                "Worth of envy",
                worth,
                [line.envy * n for n in (1, *OTHER_HANDS, 8, 10) if n != others],
                fine_text,
                why=f"Each other lit hand is worth {fine_text(line.envy)} of a dollar, and there "
                f"{'is' if others == 1 else 'are'} {others}. Your own hand earns none.",
                clause=envy_clause(ruleset.paytables["progressive"], ruleset.options),
            ),
        ),
    )


def _envy_facts(table: PayTable) -> Iterable[tuple[str, str]]:
    for hand, pays in envy_rows(table):
        yield f"Envy for {hand}", pays


def meter_points(ruleset: Ruleset) -> dict[str, Any] | None:
    """What a screen needs to tell what a meter is worth: it only multiplies and adds.

    The cost of a dollar is `empty` less, for each meter, `per_dollar` times its dollars, less
    `envy` for each other lit hand. None where no progressive is offered.
    """
    if not has_progressive(ruleset):
        return None
    # The smallest wager that may be made; a share of a meter does not grow with it by default.
    line = meter_line(ruleset, some_wager(Random(0), ruleset, "progressive", (1,)))
    part = line.empty / len(line.per_dollar)
    seeds = dict(ruleset.options.meter_seed)
    levels = []
    for level, per in line.per_dollar.items():
        fair = part / per
        start = seeds.get(level, 0)
        # Long enough for the fair amount while the other meters stand at half of their part.
        reach = fair * (1 + len(line.per_dollar))
        most = max(round(reach / METER_STEP), 1) * METER_STEP * CENTS_PER_DOLLAR
        levels.append(
            {
                "level": level,
                "name": meter_name(level),
                "per_dollar": float(per),
                "per_dollar_exact": str(per),
                "start_cents": start,
                "fair_part_cents": round(fair * CENTS_PER_DOLLAR),
                "most_cents": max(most, 2 * start),
            }
        )
    return {
        "paytable": line.row.paytable,
        "wager_cents": line.wager_cents,
        "empty": float(line.empty),
        "empty_exact": str(line.empty),
        "envy": float(line.envy),
        "hit_frequency": float(line.row.hit_frequency),
        "levels": levels,
    }


def _skill(
    code: str, title: str, make: Maker, applies: Callable[[Ruleset], bool] = has_progressive
) -> Skill:
    return Skill(code=code, title=title, make=make, track="player", applies=applies)


SKILLS = (
    _skill("meters.better", "Better or worse than fair", better_than_fair),
    _skill("meters.cost", "What a dollar costs at a meter", cost_at_meter),
    _skill("meters.fair", "The meter that is fair", fair_meter),
    _skill("meters.envy", "What envy is worth", envy, has_envy),
)
