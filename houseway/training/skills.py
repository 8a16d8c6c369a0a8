"""Skills: every kind of question by its code, and the one way to make a drill.

A room is a module that ends with a tuple of its skills; a new one is added to `ROOMS` and to a
module of `catalog/training.toml`.
"""

from random import Random

from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset
from houseway.training import (
    exceptions,
    irregularities,
    keypad,
    machine,
    order,
    payouts,
    protection,
    reading,
    words,
)
from houseway.training.drill import Drill
from houseway.training.player import PLAYER_ROOMS
from houseway.training.skill import Skill

ROOMS: tuple[tuple[Skill, ...], ...] = (
    payouts.SKILLS,
    reading.SKILLS,
    words.SKILLS,
    order.SKILLS,
    irregularities.SKILLS,
    keypad.SKILLS,
    protection.SKILLS,
    exceptions.SKILLS,
    machine.SKILLS,
    *PLAYER_ROOMS,
)
SKILLS: dict[str, Skill] = {skill.code: skill for room in ROOMS for skill in room}
"""Every skill, dealers' first."""
LARGEST_SEED = 2**53 - 1
"""The largest whole number that every reader of JSON keeps as it is."""
MOST_DRAWS = 30_000
"""What one question may draw; those that look longest for their case draw some thousand times."""

assert len(SKILLS) == sum(map(len, ROOMS)), "two skills have one code"


class _DrawnOutError(Exception):
    """So much was drawn that the case looked for will not come."""


class _Draws(Random):
    """A generator that ends: under some rules what a maker draws for never comes."""

    left = MOST_DRAWS

    def random(self) -> float:
        """The next number."""
        self._count()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """The next bits."""
        self._count()
        return super().getrandbits(k)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _DrawnOutError


def make_drill(skill: str, seed: int, ruleset: Ruleset) -> Drill:
    """The drill of a skill with this seed under these rules: the same three, the same drill.

    Refused where these rules never bring about what would be asked.
    """
    found = find_skill(skill)
    check_seed(seed)
    if not found.applies(ruleset):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"skill {skill!r} is not for {ruleset.game.code} as this house plays it; for it are: "
            f"{listed(each.code for each in skills_of(ruleset))}",
        )
    try:
        made = found.make(_Draws(f"{skill}/{seed}"), ruleset)
    except _DrawnOutError:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"by these rules there is nothing to ask of {found.title!r}; choose other questions",
        ) from None
    return Drill(
        skill=skill, seed=seed, question=made.question, scene=made.scene, fields=made.fields
    )


def find_skill(code: object) -> Skill:
    """The skill of that code; refused with the known ones when there is none."""
    found = SKILLS.get(code) if isinstance(code, str) else None
    if found is None:
        shown = repr(code)[:60]
        raise Refused(Reason.UNKNOWN_VALUE, f"skill {shown} is unknown; known: {listed(SKILLS)}")
    return found


def skills_of(ruleset: Ruleset) -> tuple[Skill, ...]:
    """The skills that apply to a game as a house plays it."""
    return tuple(skill for skill in SKILLS.values() if skill.applies(ruleset))


def check_seed(seed: object) -> int:
    """The seed itself; refused when it is no whole number in range."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"seed {repr(seed)[:40]} is not allowed; a whole number from 0 to {LARGEST_SEED} is",
        )
    return seed
