"""Learner: what somebody has answered, what comes again, and what comes next.

All of it counts drills and not hours, so that a session replays: a learner with the same seed who
gives the same answers is asked the same questions. There is no clock and no secret in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from statistics import median
from typing import Any

from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Drill, Grade
from houseway.training.modules import Module
from houseway.training.skills import SKILLS, check_seed, make_drill

COMES_AGAIN = (3, 8, 20)
"""After how many other drills a missed one comes again, and after each right answer then."""
LAST = 10
"""Answers of a skill that its accuracy is of."""
RIGHT_FOR_SPEED = 9
"""Of the last ten, before a time is shown: accuracy comes before speed."""
FASTER = 0.9
"""A goal for the time of a skill, as a part of the time now."""
WEIGHT = 3
"""How much more often a skill comes for each of its last answers that was wrong."""
MOST_KEPT = 200
MOST_MISTAKES = 100
LONGEST_SECONDS = 3_600
GOAL = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a learner has answered of one skill."""

    right: int = 0
    wrong: int = 0
    last: tuple[bool, ...] = ()
    """The last answers, newest last."""
    times: tuple[int, ...] = ()
    """Milliseconds of the last answers."""

    @property
    def accurate(self) -> bool:
        """True when enough of the last answers were right for a time to matter."""
        return len(self.last) == LAST and sum(self.last) >= RIGHT_FOR_SPEED


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A drill that was missed and comes again, once so many drills were answered."""

    skill: str
    seed: int
    game: str
    at: int
    stage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One field that was answered wrong."""

    number: int
    """Which drill of the learner it was."""
    skill: str
    seed: int
    game: str
    given: str
    answer: str
    why: str
    clause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Who learns."""

    seed: int
    goal: int = GOAL
    answered: int = 0
    streak: int = 0
    longest: int = 0
    records: Mapping[str, Record] = field(default_factory=dict)
    due: tuple[Due, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    """The last mistakes, newest last."""
    exam: Mapping[str, Any] | None = None
    """An exam that is under way, as its own JSON."""

    def to_json(self) -> dict[str, Any]:
        """The learner as plain data."""
        return {
            "seed": self.seed,
            "goal": self.goal,
            "answered": self.answered,
            "streak": self.streak,
            "longest": self.longest,
            "records": {
                code: {
                    "right": record.right,
                    "wrong": record.wrong,
                    "last": list(record.last),
                    "times": list(record.times),
                }
                for code, record in self.records.items()
            },
            "due": [asdict(due) for due in self.due],
            "mistakes": [asdict(mistake) for mistake in self.mistakes],
            "exam": None if self.exam is None else dict(self.exam),
        }


def new_learner(seed: int, goal: int = GOAL) -> Learner:
    """Somebody who has answered nothing yet."""
    return Learner(seed=check_seed(seed), goal=_whole(goal, "goal", 1, 10_000))


def next_drill(learner: Learner, modules: Iterable[Module], ruleset: Ruleset) -> Drill:
    """What is asked next: a drill that is due again, else a new one, weak skills more often."""
    codes = tuple(
        dict.fromkeys(
            code for module in modules for code in module.skills if SKILLS[code].applies(ruleset)
        )
    )
    if not codes:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the modules that are chosen have no skill for {ruleset.game.code}; choose others",
        )
    waits = [due for due in learner.due if due.at <= learner.answered]
    for due in sorted(waits, key=lambda due: due.at):
        if due.skill in codes and due.game in ("", ruleset.game.code):
            return make_drill(due.skill, due.seed, ruleset)
    rng = Random(f"{learner.seed}/{learner.answered}")
    while True:
        weights = [1 + WEIGHT * _lately_wrong(learner, code) for code in codes]
        (code,) = rng.choices(codes, weights)
        try:
            return make_drill(code, rng.getrandbits(32), ruleset)
        except Refused:
            # A house may play so that there is nothing to ask of one skill, and of others there is.
            codes = tuple(other for other in codes if other != code)
            if not codes:
                raise


def _lately_wrong(learner: Learner, code: str) -> int:
    return learner.records.get(code, Record()).last.count(False)


def answered(
    learner: Learner, drill: Drill, grade: Grade, seconds: float, *, game: str = ""
) -> Learner:
    """The learner after an answer.

    A missed drill comes again with the same seed; of which game it was is kept where it is given.
    """
    spent = _milliseconds(seconds)
    number = learner.answered + 1
    before = learner.records.get(drill.skill, Record())
    record = replace(
        before,
        right=before.right + grade.right,
        wrong=before.wrong + (not grade.right),
        last=(*before.last, grade.right)[-LAST:],
        times=(*before.times, spent)[-LAST:],
    )
    streak = learner.streak + 1 if grade.right else 0
    return replace(
        learner,
        answered=number,
        streak=streak,
        longest=max(learner.longest, streak),
        records={**learner.records, drill.skill: record},
        due=_due_after(learner.due, drill, game, number, right=grade.right),
        mistakes=_mistakes_after(learner, drill, grade, game, number),
    )


def missed(learner: Learner, drill: Drill, grade: Grade) -> Learner:
    """The learner after an exam in which a question was missed.

    It comes again like any other, but an exam counts for itself: it is no answer of the course.
    """
    number = learner.answered
    return replace(
        learner,
        due=_due_after(learner.due, drill, "", number, right=False),
        mistakes=_mistakes_after(learner, drill, grade, "", number),
    )


def _mistakes_after(
    learner: Learner, drill: Drill, grade: Grade, game: str, number: int
) -> tuple[Mistake, ...]:
    """The last mistakes, with those of a grade."""
    more = tuple(
        Mistake(
            number=number,
            skill=drill.skill,
            seed=drill.seed,
            game=game,
            given=mark.given,
            answer=mark.answer,
            why=mark.why,
            clause=mark.clause,
        )
        for mark in grade.marks
        if not mark.right
    )
    return (learner.mistakes + more)[-MOST_MISTAKES:]


def _due_after(
    before: tuple[Due, ...], drill: Drill, game: str, number: int, *, right: bool
) -> tuple[Due, ...]:
    """What comes again: further off after a right answer, soon after a wrong one."""
    own = (drill.skill, drill.seed, game)
    waited = next((due for due in before if (due.skill, due.seed, due.game) == own), None)
    rest = tuple(due for due in before if due is not waited)
    if right and waited is None:
        return before
    stage = 0 if not right or waited is None else waited.stage + 1
    if stage == len(COMES_AGAIN):
        return rest
    again = Due(
        skill=drill.skill, seed=drill.seed, game=game, at=number + COMES_AGAIN[stage], stage=stage
    )
    return (*rest, again)[-MOST_KEPT:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a learner stands in one skill; a time only once the answers are accurate."""

    skill: str
    title: str
    right: int
    asked: int
    """Of the last answers."""
    seconds: float | None
    goal_seconds: float | None

    def to_json(self) -> dict[str, Any]:
        """The standing as plain data."""
        return asdict(self)


def standings(learner: Learner) -> tuple[Standing, ...]:
    """How the learner stands in every skill that was asked, the weakest first."""
    found = []
    for code, record in learner.records.items():
        if not record.last or code not in SKILLS:
            continue
        seconds = round(median(record.times) / 1000, 1) if record.accurate else None
        found.append(
            Standing(
                skill=code,
                title=SKILLS[code].title,
                right=sum(record.last),
                asked=len(record.last),
                seconds=seconds,
                goal_seconds=None if seconds is None else round(seconds * FASTER, 1),
            )
        )
    return tuple(sorted(found, key=lambda s: (s.right / s.asked, -s.asked, s.skill)))


def weak_spots(learner: Learner, most: int = 5) -> tuple[Standing, ...]:
    """The skills with mistakes among the last answers, the weakest first."""
    return tuple(s for s in standings(learner) if s.right < s.asked)[:most]


def learner_from_json(data: Any) -> Learner:
    """The learner from plain data; refused when it is not what `to_json` writes.

    What is of a skill that this program no longer has is left out.
    """
    try:
        return _read(data)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Refused(
            Reason.BAD_RECORD, "the learner's record cannot be read; begin with a new one"
        ) from None


def _read(data: Mapping[str, Any]) -> Learner:
    exam = data["exam"]
    if exam is not None and not isinstance(exam, Mapping):
        raise TypeError("exam")
    due = tuple(
        Due(
            skill=_text(entry["skill"]),
            seed=check_seed(entry["seed"]),
            game=_text(entry["game"]),
            at=_whole(entry["at"], "at"),
            stage=_whole(entry["stage"], "stage", 0, len(COMES_AGAIN) - 1),
        )
        for entry in _listed(data["due"], MOST_KEPT)
    )
    mistakes = tuple(
        Mistake(
            number=_whole(entry["number"], "number"),
            skill=_text(entry["skill"]),
            seed=check_seed(entry["seed"]),
            game=_text(entry["game"]),
            given=_text(entry["given"]),
            answer=_text(entry["answer"]),
            why=_text(entry["why"]),
            clause=None if entry["clause"] is None else _text(entry["clause"]),
        )
        for entry in _listed(data["mistakes"], MOST_MISTAKES)
    )
    records = {
        code: Record(
            right=_whole(entry["right"], "right"),
            wrong=_whole(entry["wrong"], "wrong"),
            last=tuple(_flag(value) for value in _listed(entry["last"], LAST)),
            times=tuple(_whole(value, "time") for value in _listed(entry["times"], LAST)),
        )
        for code, entry in data["records"].items()
        if code in SKILLS
    }
    return Learner(
        seed=check_seed(data["seed"]),
        goal=_whole(data["goal"], "goal", 1, 10_000),
        answered=_whole(data["answered"], "answered"),
        streak=_whole(data["streak"], "streak"),
        longest=_whole(data["longest"], "longest"),
        records=records,
        due=tuple(entry for entry in due if entry.skill in SKILLS),
        mistakes=tuple(entry for entry in mistakes if entry.skill in SKILLS),
        exam=exam,
    )


def _whole(value: Any, what: str, least: int = 0, most: int = 10**9) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{what} {repr(value)[:40]} is not allowed; a whole number from {least} to {most} is",
        )
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 2_000:
        raise TypeError(value)
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _listed(value: Any, most: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise TypeError(value)
    return value


def _milliseconds(seconds: Any) -> int:
    plain = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not plain or not 0 <= seconds <= LONGEST_SECONDS:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"seconds {repr(seconds)[:40]} are not allowed; 0 to {LONGEST_SECONDS} are",
        )
    spent: int = round(seconds * 1000)
    return spent
