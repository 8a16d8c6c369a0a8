"""Exam: questions under the rules of one house, each answered once, and what it came to.

An exam is a value: it can be left and taken up again, and whoever has its JSON can make every
question of it again and grade every answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date  # noqa: N812 - `date` is what a caller gives
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from houseway.journal.event import canonical
from houseway.refusal import Reason, Refused, listed
from houseway.rules.identity import DATED
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.training.drill import Drill, Grade, grade
from houseway.training.modules import find_module, modules_of
from houseway.training.skill import Track
from houseway.training.skills import check_seed, make_drill

QUESTIONS = 40
NEEDED = 80
MOST_QUESTIONS = 200
LONGEST_NAME = 80


class Asked(NamedTuple):
    """Where one question of an exam comes from."""

    module: str
    skill: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """An exam, from its first question to its last."""

    game: str
    options: Mapping[str, str]
    paytables: Mapping[str, str]
    seed: int
    modules: tuple[str, ...]
    questions: int = QUESTIONS
    needed: int = NEEDED
    """Right answers in a hundred that are needed to pass."""
    given: tuple[Mapping[str, Any], ...] = ()
    """The answers so far, as they were given."""
    right: tuple[bool, ...] = ()
    """Whether each of them was right."""

    @property
    def over(self) -> bool:
        """True when every question was answered."""
        return len(self.given) == self.questions

    def to_json(self) -> dict[str, Any]:
        """The exam as plain data; no answer to a question is in it but those given."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "paytables": dict(self.paytables),
            "seed": self.seed,
            "modules": list(self.modules),
            "questions": self.questions,
            "needed": self.needed,
            "given": [dict(each) for each in self.given],
            "right": list(self.right),
        }


def make_exam(
    game: str,
    options: Mapping[str, str] | None = None,
    paytables: Mapping[str, str] | None = None,
    *,
    seed: int,
    modules: Sequence[str] = (),
    questions: int = QUESTIONS,
    needed: int = NEEDED,
    track: Track = "dealer",
) -> Exam:
    """An exam before its first question; without modules it is of all of a track."""
    ruleset = make_ruleset(game, dict(options or {}), dict(paytables or {}))
    known = [module.code for module in modules_of(ruleset) if module.track == track]
    chosen = tuple(modules) or tuple(known)
    for code in chosen:
        find_module(code, ruleset)
    if len(set(chosen)) != len(chosen):
        raise Refused(Reason.GIVEN_TWICE, f"a module stands twice in {listed(chosen)}")
    _between(questions, "questions", 1, MOST_QUESTIONS)
    if questions < len(chosen):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{questions} questions are too few for {len(chosen)} modules; ask one of each at "
            "least",
        )
    return Exam(
        game=ruleset.game.code,
        options={str(name): str(value) for name, value in (options or {}).items()},
        paytables={str(name): str(value) for name, value in (paytables or {}).items()},
        seed=check_seed(seed),
        modules=chosen,
        questions=questions,
        needed=_between(needed, "needed", 1, 100),
    )


def rules_of(exam: Exam) -> Ruleset:
    """The rules that the exam is under."""
    return make_ruleset(exam.game, dict(exam.options), dict(exam.paytables))


def plan(exam: Exam) -> tuple[Asked, ...]:
    """Where each question comes from: modules in turn, as evenly as it goes, in random order."""
    ruleset = rules_of(exam)
    rng = Random(f"exam/{exam.game}/{exam.seed}")
    found = [find_module(code, ruleset) for code in exam.modules]
    waiting: dict[str, list[str]] = {module.code: [] for module in found}
    asked = []
    for number in range(exam.questions):
        module = found[number % len(found)]
        # No skill of a module is asked twice before each was asked once.
        if not waiting[module.code]:
            waiting[module.code] = rng.sample(module.skills, len(module.skills))
        asked.append(Asked(module.code, waiting[module.code].pop(), rng.getrandbits(32)))
    rng.shuffle(asked)
    return tuple(asked)


def question(exam: Exam) -> Drill:
    """The question that is open; refused when the exam is over."""
    if exam.over:
        raise Refused(Reason.WRONG_PHASE, f"all {exam.questions} questions are answered")
    asked = plan(exam)[len(exam.given)]
    return make_drill(asked.skill, asked.seed, rules_of(exam))


def answer(exam: Exam, given: Mapping[str, Any], number: int | None = None) -> tuple[Exam, Grade]:
    """The exam after an answer to the open question, and its grade.

    `number` is the question that the sender believes to be open, counted from 1: an answer that is
    sent twice is refused the second time. What cannot be read is refused and may be given again.
    """
    drill = question(exam)
    open_now = len(exam.given) + 1
    if number is not None and number != open_now:
        raise Refused(
            Reason.STALE_ROUND,
            f"the answer is for question {number!r}; question {open_now} is open, and each is "
            "answered once",
        )
    marked = grade(drill, given)
    after = replace(exam, given=(*exam.given, dict(given)), right=(*exam.right, marked.right))
    return after, marked


def misses(exam: Exam) -> Iterator[tuple[Drill, Grade]]:
    """The questions that were not answered rightly, each with its grade, once all were asked."""
    if not exam.over:
        return
    ruleset = rules_of(exam)
    for asked, given, right in zip(plan(exam), exam.given, exam.right, strict=True):
        if not right:
            drill = make_drill(asked.skill, asked.seed, ruleset)
            yield drill, grade(drill, given)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleResult:
    """How many questions of a module were asked so far, and how many were right."""

    code: str
    title: str
    right: int
    asked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an exam came to, so far or in the end."""

    right: int
    answered: int
    questions: int
    needed: int
    over: bool
    passed: bool
    modules: tuple[ModuleResult, ...]

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "right": self.right,
            "answered": self.answered,
            "questions": self.questions,
            "needed": self.needed,
            "over": self.over,
            "passed": self.passed,
            "modules": [
                {"code": m.code, "title": m.title, "right": m.right, "asked": m.asked}
                for m in self.modules
            ],
        }


def result(exam: Exam) -> Result:
    """What the exam has come to; passed only when it is over."""
    ruleset = rules_of(exam)
    answered = list(zip(plan(exam), exam.right, strict=False))
    right = sum(exam.right)
    rows = []
    for code in exam.modules:
        own = [ok for asked, ok in answered if asked.module == code]
        title = find_module(code, ruleset).title
        rows.append(ModuleResult(code=code, title=title, right=sum(own), asked=len(own)))
    return Result(
        right=right,
        answered=len(exam.right),
        questions=exam.questions,
        needed=exam.needed,
        over=exam.over,
        passed=exam.over and right * 100 >= exam.needed * exam.questions,
        modules=tuple(rows),
    )


def certificate_data(exam: Exam, name: str, date: str) -> dict[str, Any]:
    """What stands on the certificate of an exam that was passed, with a hash over all of it."""
    found = result(exam)
    if not found.passed:
        state = "was not passed" if found.over else "is not over"
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the exam {state}: {found.right} of {found.questions} right, {found.needed}% needed",
        )
    ruleset = rules_of(exam)
    data: dict[str, Any] = {
        "name": _name(name),
        "date": _day(date),
        "game": ruleset.game.code,
        "game_name": ruleset.game.name,
        "revision": ruleset.revision,
        "ruleset": ruleset.digest,
        "options": house_options(ruleset),
        "paytables": {bet: table.code for bet, table in ruleset.paytables.items()},
        "right": found.right,
        "questions": found.questions,
        "needed": found.needed,
        "modules": found.to_json()["modules"],
        "seed": exam.seed,
    }
    return {**data, "sha256": certificate_hash(data)}


def house_options(ruleset: Ruleset) -> dict[str, str]:
    """The options of a house that differ from the defaults; the day is none of them."""
    usual = ruleset.game.options().to_json()
    return {
        name: value
        for name, value in ruleset.game.shown_options(ruleset.options).items()
        if name not in DATED and usual.get(name) != value
    }


def certificate_hash(data: Mapping[str, Any]) -> str:
    """Sixty-four hexadecimal digits over everything on a certificate but themselves."""
    content = {key: value for key, value in data.items() if key != "sha256"}
    return sha256(canonical(content).encode()).hexdigest()


def exam_from_json(data: Any) -> Exam:
    """The exam from plain data, every answer graded again; refused when it is not an exam."""
    try:
        given = data["given"]
        claimed = data["right"]
        fresh = make_exam(
            data["game"],
            data["options"],
            data["paytables"],
            seed=data["seed"],
            modules=tuple(data["modules"]),
            questions=data["questions"],
            needed=data["needed"],
        )
        if not fresh.modules or len(given) > fresh.questions or len(given) != len(claimed):
            raise ValueError("answers")
        asked = plan(fresh)
        ruleset = rules_of(fresh)
        right = tuple(
            grade(make_drill(at.skill, at.seed, ruleset), dict(each)).right
            for at, each in zip(asked, given, strict=False)
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Refused(
            Reason.BAD_RECORD, "the exam's record cannot be read; begin a new one"
        ) from None
    if list(right) != list(claimed):
        raise Refused(
            Reason.BAD_RECORD,
            "the exam's record says of an answer what the rules do not; begin a new one",
        )
    return replace(fresh, given=tuple(dict(each) for each in given), right=right)


def _between(value: Any, what: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{what} {repr(value)[:40]} is not allowed; a whole number from {least} to {most} is",
        )
    return value


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise Refused(Reason.BAD_ARGUMENT, f"name {repr(name)[:60]} cannot stand on a certificate")
    if len(name) > LONGEST_NAME:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the name has {len(name)} characters; at most {LONGEST_NAME} are allowed",
        )
    return name.strip()


def _day(text: Any) -> str:
    try:
        if Date.fromisoformat(text).isoformat() == text:
            return str(text)
    except (TypeError, ValueError):
        pass
    raise Refused(Reason.UNKNOWN_DATE, f"date {repr(text)[:40]} is no day; write it as 2024-01-31")
