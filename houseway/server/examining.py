"""Examining: exams begun, left, taken up again and handed in, and the certificates of those passed.

An exam is part of the record of who takes it, so it waits for as long as the record does. Nothing
is told of an answer before the last one is given.
"""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from houseway.documents.certificate import certificate
from houseway.documents.print_sheet import pdf_of
from houseway.documents.web_page import html_of
from houseway.journal.event import canonical
from houseway.refusal import Reason, Refused
from houseway.server.classroom import told
from houseway.server.learners import LearnerRow, ResultRow
from houseway.server.training import (
    Asker,
    State,
    TrainingRoom,
    course_of,
    find_for,
    learner_of,
    modules_for,
    rules_of,
    summary,
)
from houseway.training.exam import (
    NEEDED,
    QUESTIONS,
    Exam,
    answer,
    certificate_data,
    make_exam,
    misses,
    question,
    result,
)
from houseway.training.figures import house_choices, house_pays
from houseway.training.learner import missed
from houseway.training.skills import LARGEST_SEED

LENGTHS = (10, 20, QUESTIONS, 80)
"""How many questions may be asked for."""


def exam_view(room: TrainingRoom, row: LearnerRow) -> dict[str, Any]:
    """The exam that is under way, if any, and what was examined before."""
    course = course_of(row.state)
    exam = _exam(row.state)
    shown = summary(row)
    return {
        **{name: shown[name] for name in ("learner", "name", "game", "game_name")},
        "modules": [module.to_json() for module in modules_for(course)],
        # Before it begins: in an exam a dealer knows what the house pays.
        "pays": house_pays(rules_of(course)) if exam is None else [],
        "house": house_choices(rules_of(course)) if exam is None else [],
        "examined": [] if exam is None else list(exam.modules),
        "questions": 0 if exam is None else exam.questions,
        "answered": 0 if exam is None else len(exam.given),
        "needed": NEEDED / 100 if exam is None else exam.needed / 100,
        "lengths": list(LENGTHS),
        "drill": None if exam is None else question(exam).to_json(),
        "results": [told(found) for found in room.learners.results([row.id])],
    }


def look(room: TrainingRoom, who: str, asker: Asker) -> dict[str, Any]:
    """The exam of somebody's own record."""
    return exam_view(room, room.own(who, asker.owner))


def begin(
    room: TrainingRoom, who: str, asker: Asker, modules: list[str], questions: int
) -> dict[str, Any]:
    """Begin an exam; one that is under way goes on instead, whatever is asked for."""

    def made(row: LearnerRow) -> State:
        if _exam(row.state) is not None:
            return dict(row.state)
        course = course_of(row.state)
        if course.track != "dealer":
            raise Refused(
                Reason.BAD_ARGUMENT, "exams are for dealers; players learn for themselves"
            )
        for code in modules:
            find_for(course, code)
        exam = make_exam(
            course.game,
            course.options,
            course.paytables,
            # Never that of the course, or an exam could be gone through beforehand.
            seed=room.draw(LARGEST_SEED + 1),
            modules=modules or [module.code for module in modules_for(course)],
            questions=questions,
        )
        return _with(row.state, exam)

    return exam_view(room, room.changed(who, asker.owner, made))


def hand_in(
    room: TrainingRoom,
    who: str,
    asker: Asker,
    *,
    number: int,
    given: Mapping[str, Any],
    day: str,
) -> dict[str, Any]:
    """Answer the open question; the same answer sent twice counts once."""
    came: ResultRow | None = None

    def made(row: LearnerRow) -> State:
        nonlocal came
        came = None
        handed = {"number": number, "given": dict(given)}
        if row.state["handed_in"] == handed:
            return dict(row.state)
        exam = _exam(row.state)
        if exam is None:
            raise Refused(Reason.WRONG_PHASE, "no exam is under way; begin one")
        after, _ = answer(exam, given, number)
        state = _with(row.state, None if after.over else after)
        if after.over:
            came = _result(row, after, day)
            # What was missed is practised afterwards, like every other question.
            learner = learner_of(state)
            for drill, marked in misses(after):
                learner = missed(learner, drill, marked)
            state["learner"] = learner.to_json()
        return {**state, "handed_in": handed}

    return exam_view(room, room.changed(who, asker.owner, made, result=lambda: came))


def leave(room: TrainingRoom, who: str, asker: Asker) -> dict[str, Any]:
    """Give an exam up; that it was is noted."""

    def made(row: LearnerRow) -> State:
        if _exam(row.state) is None:
            raise Refused(Reason.WRONG_PHASE, "no exam is under way; begin one")
        return {**_with(row.state, None), "given_up": row.state["given_up"] + 1}

    return exam_view(room, room.changed(who, asker.owner, made))


def paper(room: TrainingRoom, digest: str, asker: Asker, form: str, *, teaches: bool) -> bytes:
    """The certificate of a digest; for who has passed, and for those who teach."""
    unknown = Refused(Reason.UNKNOWN_VALUE, f"certificate {digest[:64]!r} is unknown")
    found = room.learners.result(digest)
    if found is None:
        raise unknown
    row = room.learners.find(found.learner)
    if not teaches and (row is None or row.owner != asker.owner):
        raise unknown
    data = found.state["certificate"]
    if data is None:
        raise Refused(Reason.NOT_DONE_YET, "the exam was not passed, so there is no certificate")
    document = certificate(data)
    return pdf_of(document) if form == "pdf" else html_of(document)


def _exam(state: Mapping[str, Any]) -> Exam | None:
    """The exam that is under way. What we wrote ourselves is not graded all over again."""
    data = state["learner"]["exam"]
    if data is None:
        return None
    return Exam(
        game=data["game"],
        options=data["options"],
        paytables=data["paytables"],
        seed=data["seed"],
        modules=tuple(data["modules"]),
        questions=data["questions"],
        needed=data["needed"],
        given=tuple(data["given"]),
        right=tuple(data["right"]),
    )


def _with(state: Mapping[str, Any], exam: Exam | None) -> State:
    kept = None if exam is None else exam.to_json()
    learner = replace(learner_of(state), exam=kept)
    return {**state, "learner": learner.to_json(), "handed_in": None}


def _result(row: LearnerRow, exam: Exam, day: str) -> ResultRow:
    came = result(exam)
    data = certificate_data(exam, row.name, day) if came.passed else None
    state = {
        "right": came.right,
        "asked": came.questions,
        "modules": came.to_json()["modules"],
        "exam": exam.to_json(),
        "certificate": data,
    }
    whole = sha256(canonical({"learner": row.id, **state}).encode()).hexdigest()
    return ResultRow(
        digest=whole if data is None else data["sha256"],
        learner=row.id,
        name=row.name,
        person=row.person,
        game=exam.game,
        passed=came.passed,
        state=state,
    )
