"""Training: what a browser or a card learns here: drills asked and graded, progress, assignments.

A record is a value of `houseway.training` in the database with a few things beside it: the course,
what was answered last, what was assigned. What comes next follows from the record alone, so a
page that is loaded again asks the same thing, and an answer that is sent twice counts once.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Engine

from houseway.games import game_of
from houseway.practice.choices import check_choices, choices
from houseway.refusal import Reason, Refused
from houseway.ruleset import Ruleset, make_ruleset
from houseway.server.learners import LearnerRow, Learners
from houseway.training.drill import Drill, Grade, grade
from houseway.training.learner import Learner, answered, next_drill
from houseway.training.modules import Module, find_module, modules_of
from houseway.training.skills import make_drill

TRIES = 5
"""How often a change is made again where somebody else was faster."""
MOST_SHOWN = 500
"""Learners that an instructor is shown."""
GOAL = 20
MOST_KEPT_RULES = 64


class Asker(NamedTuple):
    """Who asks: what the record belongs to, and the card where somebody is signed in."""

    owner: str
    name: str = ""
    card: str | None = None


class Course(NamedTuple):
    """What somebody learns: a track of a game by its rules, some modules or all of them."""

    track: str
    game: str
    options: dict[str, str]
    paytables: dict[str, str]
    seed: int | None
    """Given where a session is played again: then it is a record of its own."""

    @property
    def key(self) -> str:
        """The digest under which it is found again."""
        return sha256(json.dumps(self, sort_keys=True).encode()).hexdigest()


State = dict[str, Any]


def owner_of(browser: str, card: str | None) -> str:
    """Whose a record is: of a card, or of a browser that nobody else can name."""
    return f"card:{card}" if card else f"browser:{sha256(browser.encode()).hexdigest()}"


def csrf_of(browser: str) -> str:
    """What a page of a browser sends with every change; it outlives a restart of the server."""
    return sha256(f"training:{browser}".encode()).hexdigest()


class TrainingRoom:
    """Everybody who learns on a floor. All of it may take a moment: it reads and writes rows."""

    def __init__(self, engine: Engine) -> None:
        self.learners = Learners(engine)

    # What may be learned.

    def offer(self, asker: Asker) -> dict[str, Any]:
        """Games with their modules, and what this browser or card has begun."""
        return {
            "games": _offer(),
            "tables": [],
            "you": {"name": asker.name, "card": asker.card},
            "learners": [_summary(row) for row in self.learners.of_owner(asker.owner)],
        }

    def begin(self, asker: Asker, course: Course, modules: list[str], name: str) -> dict[str, Any]:
        """A new record, or the one that there is of this course, with these modules chosen."""
        ruleset = rules_of(course)
        chosen = _chosen(course, modules, ruleset)
        called = asker.name or name
        found = self.learners.of_course(asker.owner, course.key)
        if found is None:
            found = self.learners.add(
                LearnerRow(
                    id="",
                    owner=asker.owner,
                    course=course.key,
                    name=called,
                    person=asker.card,
                    state=_fresh(course, chosen),
                )
            )
            return self._view(found)

        def again(row: LearnerRow) -> State:
            if course.seed is not None:
                return {**_fresh(course, chosen), "assigned": row.state["assigned"]}
            return {**row.state, "modules": chosen}

        return self._view(self._changed(found.id, asker.owner, again, called))

    def view(self, who: str, asker: Asker) -> dict[str, Any]:
        """What is asked next, and how far somebody is."""
        return self._view(self._own(who, asker.owner))

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
        seconds: int,
    ) -> dict[str, Any]:
        """The grade of an answer, and what comes next; the same answer once more counts once."""
        told: dict[str, Any] = {}

        def made(row: LearnerRow) -> State:
            state, last = dict(row.state), row.state["last"]
            done = state["answered"]
            if last is not None and number == done - 1 and last["drill"] == [skill, seed]:
                told.update(last["told"])
                return state
            drill = _asked(state)
            if (number, skill, seed) != (done, drill.skill, drill.seed):
                make_drill(skill, seed, rules_of(_course(state)))
                raise Refused(
                    Reason.STALE_ROUND,
                    f"the answer is for drill {number + 1}, {skill!r} with seed {seed}; asked is "
                    f"drill {done + 1}, {drill.skill!r} with seed {drill.seed}",
                )
            marked = grade(drill, given)
            told.update(_told(drill, marked))
            learner = answered(_learner(state), drill, marked, seconds)
            return {
                **state,
                "learner": learner.to_json(),
                "answered": done + 1,
                "right": state["right"] + marked.right,
                "again": None,
                "last": {"drill": [skill, seed], "told": dict(told)},
            }

        row = self._changed(who, asker.owner, made)
        return {"grade": told, "next": self._view(row)}

    def again(self, who: str, asker: Asker, skill: str, seed: int) -> dict[str, Any]:
        """Put a drill that was missed first."""

        def made(row: LearnerRow) -> State:
            make_drill(skill, seed, rules_of(_course(row.state)))
            return {**row.state, "again": [skill, seed]}

        return self._view(self._changed(who, asker.owner, made))

    # Records.

    def _own(self, who: str, owner: str) -> LearnerRow:
        found = self.learners.find(who)
        if found is None or found.owner != owner:
            raise Refused(Reason.UNKNOWN_VALUE, f"learner {who[:40]!r} is unknown")
        return found

    def _changed(
        self, who: str, owner: str, change: Callable[[LearnerRow], State], name: str = ""
    ) -> LearnerRow:
        for _ in range(TRIES):
            row = self._own(who, owner)
            state = change(row)
            if state == row.state and name in ("", row.name):
                return row
            if self.learners.keep(row, state, name):
                return self._own(who, owner)
        raise Refused(
            Reason.STALE_VERSION, "somebody answers at the same time in another window; try again"
        )

    def _view(self, row: LearnerRow) -> dict[str, Any]:
        state = row.state
        course = _course(state)
        return {
            **_summary(row),
            "options": course.options,
            "paytables": course.paytables,
            "chosen": state["modules"],
            "modules": [
                module.to_json()
                for module in modules_of(rules_of(course))
                if module.track == course.track
            ],
            "number": state["answered"],
            "again": False,
            "streak": _learner(state).streak,
            "due": len(_learner(state).due),
            "skills": [], "weak": [], "mistakes": [], "assigned": [],
            "drill": _asked(state).to_json(),
            "goal": {"of": GOAL, "done": state["right"] % GOAL},
        }


@cache
def _offer() -> list[dict[str, Any]]:
    return [
        {**game, "modules": [one.to_json() for one in modules_of(make_ruleset(game["game"]))]}
        for game in choices()
    ]


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


def _chosen(course: Course, modules: list[str], ruleset: Ruleset) -> list[str]:
    """The codes of modules that were chosen; all of the track where none was."""
    known = [module.code for module in modules_of(ruleset) if module.track == course.track]
    for code in modules:
        if find_module(code, ruleset).track != course.track:
            raise Refused(
                Reason.UNKNOWN_VALUE, f"module {code!r} is not of the track {course.track!r}"
            )
    if not known:
        raise Refused(
            Reason.BAD_ARGUMENT, f"there is nothing to learn of {course.game} as a {course.track}"
        )
    return [code for code in known if code in modules] or known


def _modules(state: Mapping[str, Any]) -> tuple[Module, ...]:
    """The modules that somebody learns now."""
    found = modules_of(rules_of(_course(state)))
    return tuple(module for module in found if module.code in state["modules"])


def _asked(state: Mapping[str, Any]) -> Drill:
    ruleset = rules_of(_course(state))
    if state["again"] is not None:
        skill, seed = state["again"]
        return make_drill(skill, seed, ruleset)
    return next_drill(_learner(state), _modules(state), ruleset)


def _told(drill: Drill, marked: Grade) -> dict[str, Any]:
    """A grade with what each choice would have cost, where it costs something."""
    costs = {
        field.name: {value: str(cost) for value, cost in field.costs.items()}
        for field in drill.fields
        if field.costs is not None
    }
    return {**marked.to_json(), "costs": costs}


def _course(state: Mapping[str, Any]) -> Course:
    return Course(*state["course"])


def _learner(state: Mapping[str, Any]) -> Learner:
    return Learner.from_json(state["learner"])


def _summary(row: LearnerRow) -> dict[str, Any]:
    course = _course(row.state)
    return {
        "learner": row.id,
        "name": row.name,
        "person": row.person,
        "track": course.track,
        "game": course.game,
        "game_name": game_of(course.game).name,
        "seed": course.seed,
        "exam": False,
        "answered": row.state["answered"],
        "right": row.state["right"],
        "begun_at": row.begun_at,
        "updated_at": row.updated_at,
    }


def _fresh(course: Course, modules: list[str]) -> State:
    seed = secrets.randbelow(10**9) if course.seed is None else course.seed
    return {
        "course": list(course),
        "modules": modules,
        "learner": Learner(seed=seed).to_json(),
        "answered": 0,
        "right": 0,
        "again": None,
        "last": None,
        "assigned": [],
    }
