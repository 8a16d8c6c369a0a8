"""Training: what a browser or a card learns here: drills asked and graded, and how far somebody is.

A record is a value of `houseway.training` in the database with a few things beside it: the course,
what was answered last, what was assigned. What comes next follows from the record alone, so a
page that is loaded again asks the same thing, and an answer that is sent twice counts once.
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Engine

from houseway.games import game_of
from houseway.house.options import register, value_text
from houseway.journal.timekeeper import utc_now
from houseway.names import bet_name
from houseway.practice.choices import check_choices, choices
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.server.learners import LearnerRow, Learners, ResultRow
from houseway.server.preparing import Figures, Preparing, make_lessons
from houseway.studio.offer import offer as studio_offer
from houseway.training.drill import Drill, Grade, grade
from houseway.training.figures import house_choices, house_pays
from houseway.training.learner import (
    Learner,
    Record,
    Standing,
    answered,
    learner_from_json,
    new_learner,
    next_drill,
    standings,
    weak_spots,
)
from houseway.training.meters import meter_points
from houseway.training.modules import Module, find_module, modules_of
from houseway.training.skills import SKILLS, find_skill, make_drill

TRIES = 5
"""How often a change is made again where somebody else was faster."""
MOST_SHOWN = 500
"""Learners that an instructor is shown."""
MOST_ASSIGNED = 20
MOST_WEAK = 3
MOST_MISTAKES_SHOWN = 40
MOST_KEPT_RULES = 64
State = dict[str, Any]


class Asker(NamedTuple):
    """Who asks: what the record belongs to, and the card where somebody is signed in."""

    owner: str
    name: str = ""
    card: str | None = None


class Course(NamedTuple):
    """What somebody learns: a track of a game by its rules."""

    track: str
    game: str
    options: dict[str, str]
    paytables: dict[str, str]
    seed: int | None = None
    """Given where a session is gone through again: then it is a record of its own."""

    @property
    def key(self) -> str:
        """The digest under which it is found again."""
        return sha256(json.dumps(self, sort_keys=True).encode()).hexdigest()


def owner_of(browser: str, card: str | None) -> str:
    """Whose a record is: of a card, or of a browser that nobody else can name."""
    return f"card:{card}" if card else f"browser:{sha256(browser.encode()).hexdigest()}"


def csrf_of(browser: str) -> str:
    """What a page of a browser sends with every change; it outlives a restart of the server."""
    return sha256(f"training:{browser}".encode()).hexdigest()


class TrainingRoom:
    """Everybody who learns on a floor. All of it may take a moment: it reads and writes rows."""

    def __init__(
        self,
        engine: Engine,
        forget: Callable[[str], None],
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self.learners = Learners(engine)
        self.preparing = Preparing(forget)
        self.draw = draw
        """Draws the seed of a course or exam for which none is given, below a number."""

    # What may be learned.

    def offer(self, asker: Asker) -> dict[str, Any]:
        """Games with their modules, and what this browser or card has begun."""
        return {
            "games": offered(),
            "you": {"name": asker.name, "card": asker.card},
            "learners": [summary(row) for row in self.learners.of_owner(asker.owner)],
        }

    def begin(self, asker: Asker, course: Course, modules: list[str], name: str) -> dict[str, Any]:
        """A new record, or the one that there is of this course, with these modules chosen."""
        called = asker.name or name
        if not called:
            raise Refused(Reason.BAD_ARGUMENT, "name '' is empty; give the name you learn under")
        if not called.isprintable():
            raise Refused(
                Reason.BAD_ARGUMENT, f"name {called!r} cannot be printed; use letters and digits"
            )
        chosen = _chosen(course, modules)
        found = self.record(asker, course, called)

        def again(row: LearnerRow) -> State:
            if course.seed is not None:
                # Gone through again from the start, which is what the seed is for.
                under_way = row.state["learner"]["exam"] is not None
                return {
                    **fresh(course, chosen, course.seed),
                    "assigned": row.state["assigned"],
                    "given_up": row.state["given_up"] + under_way,
                }
            return {**row.state, "modules": chosen}

        return self._view(self.changed(found.id, asker.owner, again, called))

    def has(self, asker: Asker, course: Course) -> bool:
        """True where a course is begun already."""
        return self.learners.of_course(asker.owner, course.key) is not None

    def record(self, asker: Asker, course: Course, name: str) -> LearnerRow:
        """What somebody has of a course; made where there is nothing yet."""
        found = self.learners.of_course(asker.owner, course.key)
        if found is not None:
            return found
        seed = self.draw(10**9) if course.seed is None else course.seed
        return self.learners.add(
            LearnerRow(
                id="",
                owner=asker.owner,
                course=course.key,
                name=name,
                person=asker.card,
                state=fresh(course, _chosen(course, []), seed),
            )
        )

    def view(self, who: str, asker: Asker) -> dict[str, Any]:
        """What is asked next, and how far somebody is."""
        return self._view(self.own(who, asker.owner))

    # Drills.

    def answer(
        self,
        who: str,
        asker: Asker,
        *,
        skill: str,
        seed: int,
        number: int,
        given: Mapping[str, Any],
        seconds: float,
    ) -> dict[str, Any]:
        """The grade of an answer, and what comes next; the same answer once more counts once."""
        told: dict[str, Any] = {}

        def made(row: LearnerRow) -> State:
            state, last = dict(row.state), row.state["last"]
            done = state["answered"]
            if last is not None and number == done - 1 and last["drill"] == [skill, seed]:
                told.update(last["told"])
                return state
            self._check_ready(state)
            learner = learner_of(state)
            drill = asked(state, learner)
            if (number, skill, seed) != (done, drill.skill, drill.seed):
                # A drill that there is not is told first.
                make_drill(skill, seed, rules_of(course_of(state)))
                raise Refused(
                    Reason.STALE_ROUND,
                    f"the answer is for question {number + 1}, {skill!r} with seed {seed}; "
                    f"asked is question {done + 1}, {drill.skill!r} with seed {drill.seed}",
                )
            marked = grade(drill, given)
            told.update(graded(drill, marked))
            learner = answered(learner, drill, marked, seconds)
            return {
                **state,
                "learner": learner.to_json(),
                "answered": done + 1,
                "right": state["right"] + marked.right,
                "again": None,
                "last": {"drill": [skill, seed], "told": dict(told)},
                "assigned": _counted(state, skill) if marked.right else state["assigned"],
            }

        row = self.changed(who, asker.owner, made)
        return {"grade": told, "next": self._view(row)}

    def again(self, who: str, asker: Asker, skill: str, seed: int) -> dict[str, Any]:
        """Put a drill that was missed first."""

        def made(row: LearnerRow) -> State:
            make_drill(skill, seed, rules_of(course_of(row.state)))
            mistakes = learner_of(row.state).mistakes
            # Any other would be answered for who is asked it in an exam.
            if (skill, seed) not in {(missed.skill, missed.seed) for missed in mistakes}:
                raise Refused(
                    Reason.BAD_ARGUMENT,
                    f"{skill!r} with seed {seed} was not missed; what was missed is asked again",
                )
            return {**row.state, "again": [skill, seed]}

        return self._view(self.changed(who, asker.owner, made))

    # Lessons.

    def lessons(self, course: Course) -> dict[str, Any]:
        """The lessons of a game as it is played here, once their figures are counted."""
        ruleset = rules_of(course)
        figures = self.preparing.lessons(ruleset)
        return {
            "game": course.game,
            "game_name": ruleset.game.name,
            "options": course.options,
            "paytables": course.paytables,
            "figures": figures,
            "lessons": make_lessons(ruleset) if figures == "ready" else [],
            "meter": meter_points(ruleset) if figures == "ready" else None,
        }

    def check(
        self, course: Course, skill: str, seed: int, given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The grade of a question at the end of a lesson, which counts for nothing."""
        ruleset = rules_of(course)
        if find_skill(skill).track != course.track:
            raise Refused(
                Reason.BAD_ARGUMENT, f"skill {skill!r} is not for a {course.track}; ask another"
            )
        if self.preparing.lessons(ruleset) != "ready":
            raise _not_ready(self.preparing.lessons(ruleset))
        drill = make_drill(skill, seed, ruleset)
        return graded(drill, grade(drill, given))

    def _check_ready(self, state: Mapping[str, Any]) -> None:
        came = self.preparing.state(rules_of(course_of(state)), learned(state))
        if came != "ready":
            raise _not_ready(came)

    # Records.

    def own(self, who: str, owner: str) -> LearnerRow:
        """A record of somebody's own; refused where there is none, or it is another's."""
        found = self.learners.find(who)
        if found is None or found.owner != owner:
            raise Refused(Reason.UNKNOWN_VALUE, f"learner {who[:40]!r} is unknown")
        return found

    def any(self, who: str) -> LearnerRow:
        """A record of anybody's, for those who teach."""
        found = self.learners.find(who)
        if found is None:
            raise Refused(Reason.UNKNOWN_VALUE, f"learner {who[:40]!r} is unknown")
        return found

    def changed(
        self,
        who: str,
        owner: str | None,
        change: Callable[[LearnerRow], State],
        name: str = "",
        result: Callable[[], ResultRow | None] = lambda: None,
    ) -> LearnerRow:
        """A record after a change, which is made again where somebody else was faster.

        `result` is asked after the change for what an exam came to with it.
        """
        for _ in range(TRIES):
            row = self.any(who) if owner is None else self.own(who, owner)
            state = change(row)
            if state == row.state and name in ("", row.name):
                return row
            here = owner is not None
            kept = self.learners.keep(row, state, name or row.name, result(), here=here)
            if kept is not None:
                return kept
        raise Refused(
            Reason.STALE_VERSION, "somebody answers at the same time in another window; try again"
        )

    def _view(self, row: LearnerRow) -> dict[str, Any]:
        state = row.state
        course = course_of(state)
        figures = self.preparing.state(rules_of(course), learned(state))
        learner = learner_of(state)
        drill = asked(state, learner) if figures == "ready" else None
        return {
            **summary(row),
            "options": course.options,
            "paytables": course.paytables,
            "pays": house_pays(rules_of(course)),
            "house": house_choices(rules_of(course)),
            "chosen": state["modules"],
            "modules": [module.to_json() for module in modules_for(course)],
            "number": state["answered"],
            "figures": figures,
            "drill": None if drill is None else drill.to_json(),
            "again": drill is not None and _missed_before(learner, drill),
            "goal": {"of": learner.goal, "done": _stretch(state["right"], learner.goal)},
            "assigned": assigned(state),
            **progress(state, learner),
        }


def _not_ready(figures: Figures) -> Refused:
    why = {
        "missing": "need the extra 'fast' of the program, which is not installed here",
        "failed": "could not be counted by these rules; the server's log says why",
    }.get(figures, "are being counted; try again in a moment")
    return Refused(Reason.NOT_DONE_YET, f"the figures behind these questions {why}")


@cache
def offered() -> list[dict[str, Any]]:
    """Every game with what may be chosen for it, and its modules by the usual rules."""
    houses = {game["game"]: game for game in studio_offer()["games"]}
    return [
        {
            **{name: game[name] for name in ("game", "name", "paytables", "options")},
            "house": _house(houses[game["game"]]),
            "modules": [one.to_json() for one in modules_of(make_ruleset(game["game"]))],
        }
        for game in choices()
    ]


def _house(game: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that a house decides, for dealers; of paytables the usual one first."""
    found = {}
    for choice in game["paytables"]:
        codes = dict.fromkeys([choice["usual"], *(table["code"] for table in choice["tables"])])
        found[choice["bet"]] = list(codes)
    return {
        "paytables": [{"bet": bet, "codes": codes} for bet, codes in found.items()],
        "options": game["options"],
    }


def rules_of(course: Course) -> Ruleset:
    """The rules of a course; refused where they cannot be played.

    A dealer learns the rules of any house. What a player is told was counted exactly, so there are
    the choices of practice and no others.
    """
    if course.track == "player":
        check_choices(course.game, course.options, course.paytables)
    return _rules(
        course.game, tuple(sorted(course.options.items())), tuple(sorted(course.paytables.items()))
    )


@lru_cache(MOST_KEPT_RULES)
def _rules(
    game: str, options: tuple[tuple[str, str], ...], paytables: tuple[tuple[str, str], ...]
) -> Ruleset:
    return make_ruleset(game, dict(options), dict(paytables))


def modules_for(course: Course) -> tuple[Module, ...]:
    """The modules of a course."""
    rules = (course.game, tuple(sorted(course.options.items())))
    return _modules(course.track, *rules, tuple(sorted(course.paytables.items())))


@lru_cache(MOST_KEPT_RULES)
def _modules(
    track: str,
    game: str,
    options: tuple[tuple[str, str], ...],
    paytables: tuple[tuple[str, str], ...],
) -> tuple[Module, ...]:
    found = modules_of(rules_of(Course(track, game, dict(options), dict(paytables))))
    return tuple(module for module in found if module.track == track)


def find_for(course: Course, code: str) -> Module:
    """A module of a course; refused where it has none of that code."""
    found = find_module(code, rules_of(course))
    if found.track != course.track:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"module {code!r} is for a {found.track}; this is the track of a {course.track}",
        )
    return found


def _chosen(course: Course, modules: list[str]) -> list[str]:
    """The codes of modules that were chosen; all of the track where none was."""
    for code in modules:
        find_for(course, code)
    known = [module.code for module in modules_for(course)]
    if not known:
        raise Refused(
            Reason.BAD_ARGUMENT, f"there is nothing to learn of {course.game} for a {course.track}"
        )
    return [code for code in known if code in modules] or known


def fresh(course: Course, modules: Sequence[str], seed: int) -> State:
    """The record of who has not answered yet."""
    return {
        "course": list(course),
        "modules": list(modules),
        "learner": new_learner(seed).to_json(),
        "answered": 0,
        "right": 0,
        "again": None,
        "last": None,
        "assigned": [],
        "given_up": 0,
        "handed_in": None,
    }


def course_of(state: Mapping[str, Any]) -> Course:
    """The course of a record."""
    return Course(*state["course"])


def learner_of(state: Mapping[str, Any]) -> Learner:
    """The learner of a record."""
    return learner_from_json(state["learner"])


def learned(state: Mapping[str, Any]) -> list[Module]:
    """The modules that somebody has chosen."""
    found = modules_for(course_of(state))
    return [module for module in found if module.code in state["modules"]]


def asked(state: Mapping[str, Any], learner: Learner) -> Drill:
    """What is asked now."""
    ruleset = rules_of(course_of(state))
    if state["again"] is not None:
        skill, seed = state["again"]
        return make_drill(skill, seed, ruleset)
    return next_drill(learner, learned(state), ruleset)


def graded(drill: Drill, marked: Grade) -> dict[str, Any]:
    """A grade with what each choice would have cost, where it costs something."""
    costs = {
        field.name: {value: str(cost) for value, cost in field.costs.items()}
        for field in drill.fields
        if field.costs is not None
    }
    return {**marked.to_json(), "costs": costs}


def _missed_before(learner: Learner, drill: Drill) -> bool:
    return any((due.skill, due.seed) == (drill.skill, drill.seed) for due in learner.due)


def _stretch(right: int, goal: int) -> int:
    """Right answers of this stretch: a full one stays full until the next answer begins another."""
    return (right - 1) % goal + 1 if right else 0


def _counted(state: Mapping[str, Any], skill: str) -> list[State]:
    """What is assigned, with one right answer of a skill more."""
    modules = {module.code: module.skills for module in modules_for(course_of(state))}
    return [
        {**one, "done": one["done"] + (skill in modules.get(one["module"], ()))}
        for one in state["assigned"]
    ]


def assign(state: Mapping[str, Any], module: str, goal: int, by: str) -> State:
    """A record with a module assigned in place of what was asked of it before; 0 withdraws it."""
    find_for(course_of(state), module)
    kept = [one for one in state["assigned"] if one["module"] != module]
    if goal and len(kept) >= MOST_ASSIGNED:
        raise Refused(
            Reason.ABOVE_LIMIT, f"{len(kept)} modules are assigned; at most {MOST_ASSIGNED} can be"
        )
    added = {"module": module, "goal": goal, "done": 0, "by": by, "at": utc_now()}
    return {**state, "assigned": [*kept, added] if goal else kept}


def assigned(state: Mapping[str, Any]) -> list[State]:
    """What is assigned, with titles."""
    titles = {module.code: module.title for module in modules_for(course_of(state))}
    return [{**one, "title": titles.get(one["module"], one["module"])} for one in state["assigned"]]


def summary(row: LearnerRow) -> dict[str, Any]:
    """What a list shows of a record."""
    course = course_of(row.state)
    return {
        "learner": row.id,
        "name": row.name,
        "person": row.person,
        "track": course.track,
        "game": course.game,
        "game_name": game_of(course.game).name,
        "own": own_rules(course),
        "seed": course.seed,
        "answered": row.state["answered"],
        "right": row.state["right"],
        "exam": row.state["learner"]["exam"] is not None,
        "begun_at": row.begun_at,
        "updated_at": row.updated_at,
    }


def own_rules(course: Course) -> list[str]:
    """What a course has of its own, by which two of one game are told apart."""
    usual = {name: value_text(name, entry.default) for name, entry in register().items()}
    found = [
        f"{name.replace('_', ' ')} {value.replace('_', ' ')}"
        for name, value in course.options.items()
        if usual.get(name) != value
    ]
    return found + [f"{bet_name(bet)} {code}" for bet, code in course.paytables.items()]


def progress(state: Mapping[str, Any], learner: Learner) -> dict[str, Any]:
    """How somebody stands in every skill of the course, what is weak, and what was missed."""
    modules = modules_for(course_of(state))
    titles = {code: SKILLS[code].title for module in modules for code in module.skills}
    standing = {found.skill: found for found in standings(learner)}
    weak = [found.skill for found in weak_spots(learner, MOST_WEAK) if found.skill in titles]
    skills = [
        _skill(code, module.code, learner.records.get(code, Record()), standing.get(code))
        for module in modules
        for code in module.skills
    ]
    by_code = {skill["code"]: skill for skill in skills}
    return {
        "streak": learner.streak,
        "due": len(learner.due),
        "skills": skills,
        "weak": [by_code[code] for code in weak],
        "mistakes": _mistakes(learner, titles),
    }


def _skill(code: str, module: str, record: Record, standing: Standing | None) -> dict[str, Any]:
    asked = record.right + record.wrong
    return {
        "code": code,
        "title": SKILLS[code].title,
        "module": module,
        "answered": asked,
        "right": record.right,
        "accuracy": record.right / asked if asked else None,
        "recent": None if standing is None else standing.right / standing.asked,
        "timed": record.accurate,
        "seconds": None if standing is None else standing.seconds,
        "goal_seconds": None if standing is None else standing.goal_seconds,
    }


def _mistakes(learner: Learner, titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """The drills that were missed, the newest first, with what was wrong the last time."""
    waits = {(due.skill, due.seed) for due in learner.due}
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for mistake in reversed(learner.mistakes):
        key = (mistake.skill, mistake.seed)
        if mistake.skill not in titles:
            continue
        one = found.setdefault(
            key,
            {
                "skill": mistake.skill,
                "title": titles[mistake.skill],
                "seed": mistake.seed,
                "numbers": set(),
                "wrong": [],
                "waits": key in waits,
            },
        )
        if not one["numbers"] or mistake.number in one["numbers"]:
            told = ("given", "answer", "why", "clause")
            one["wrong"].insert(0, {name: getattr(mistake, name) for name in told})
        one["numbers"].add(mistake.number)
    newest = [*found.values()][:MOST_MISTAKES_SHOWN]
    return [{"times": len(one.pop("numbers")), **one} for one in newest]
