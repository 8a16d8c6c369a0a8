"""Classroom: what those who teach see of everybody who learns, and what they assign."""

from typing import Any

from houseway.refusal import Reason, Refused
from houseway.server.learners import LearnerRow, ResultRow
from houseway.server.training import (
    MOST_SHOWN,
    Asker,
    Course,
    TrainingRoom,
    assign,
    assigned,
    course_of,
    learner_of,
    modules_for,
    offered,
    owner_of,
    progress,
    summary,
)

TEACHERS = ("trainer", "supervisor", "administrator")


def pupils(room: TrainingRoom) -> dict[str, Any]:
    """Everybody who learns, who was last here first, and what may be assigned."""
    rows = room.learners.newest(MOST_SHOWN)
    results: dict[str, list[ResultRow]] = {}
    for result in room.learners.results([row.id for row in rows]):
        results.setdefault(result.learner, []).append(result)
    return {
        "learners": [_pupil(row, results.get(row.id, [])) for row in rows],
        "games": offered(),
    }


def pupil(room: TrainingRoom, who: str) -> dict[str, Any]:
    """One of them: accuracy by skill, what was missed, exams."""
    row = room.any(who)
    found = progress(row.state, learner_of(row.state))
    return {
        **_pupil(row, room.learners.results([row.id])),
        "skills": found["skills"],
        "mistakes": found["mistakes"],
        "chosen": row.state["modules"],
        "options": course_of(row.state).options,
        "paytables": course_of(row.state).paytables,
    }


def assign_to(room: TrainingRoom, who: str, module: str, goal: int, by: str) -> dict[str, Any]:
    """Ask somebody to answer so many of a module right; 0 takes it back."""
    room.changed(who, None, lambda row: assign(row.state, module, goal, by))
    return pupil(room, who)


def enrol(room: TrainingRoom, card: str, name: str, course: Course) -> str:
    """The record of the holder of a card, made where there is none; its id."""
    if not modules_for(course):
        raise Refused(
            Reason.BAD_ARGUMENT, f"there is nothing to learn of {course.game} for a {course.track}"
        )
    return room.record(Asker(owner_of("", card), name, card), course, name).id


def _pupil(row: LearnerRow, results: list[ResultRow]) -> dict[str, Any]:
    found = progress(row.state, learner_of(row.state))
    modules = []
    for module in modules_for(course_of(row.state)):
        skills = [skill for skill in found["skills"] if skill["module"] == module.code]
        asked = sum(skill["answered"] for skill in skills)
        right = sum(skill["right"] for skill in skills)
        modules.append(
            {
                "code": module.code,
                "title": module.title,
                "answered": asked,
                "right": right,
                "accuracy": right / asked if asked else None,
            }
        )
    return {
        **summary(row),
        "streak": found["streak"],
        "modules": modules,
        "weak": found["weak"],
        "assigned": assigned(row.state),
        "given_up": row.state["given_up"],
        "results": [told(result) for result in results],
    }


def told(result: ResultRow) -> dict[str, Any]:
    """What an exam came to, as a list shows it."""
    return {
        "digest": result.digest,
        "name": result.name,
        "passed": result.passed,
        "at": result.at,
        **{name: result.state[name] for name in ("right", "asked", "modules")},
    }
