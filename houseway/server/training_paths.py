"""Training paths: what learners ask, and what those who teach them see.

Nobody has to sign in to learn: a browser is known by a cookie of its own. Whoever is signed in
learns as the holder of the card. A change carries the token that `GET /api/training` has told the
page, and comes from our own origin like every other.
"""

import asyncio
import hmac
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from houseway.refusal import Reason, Refused
from houseway.server import examining
from houseway.server.classroom import TEACHERS, assign_to, enrol, pupil, pupils
from houseway.server.described import Described
from houseway.server.door import (
    CSRF_HEADER,
    Changing,
    NotNow,
    Signed,
    TheRoom,
    check_role,
    limit,
    room_at,
    session_of,
    signed_in,
)
from houseway.server.pages import ANSWERS
from houseway.server.practice import is_browser, new_browser
from houseway.server.reporting import Paper
from houseway.server.requests import PLAIN, WHOLE, Body
from houseway.server.training import Asker, Course, csrf_of, owner_of
from houseway.server.views.training import (
    TrainingAnswered,
    TrainingClass,
    TrainingExam,
    TrainingGrade,
    TrainingLessons,
    TrainingOffer,
    TrainingPupilView,
    TrainingView,
)
from houseway.training.exam import MOST_QUESTIONS, QUESTIONS
from houseway.training.learner import LONGEST_SECONDS
from houseway.training.skills import LARGEST_SEED

Answer = dict[str, Any]
Code = Annotated[str, Field(max_length=60, pattern=PLAIN)]
Chosen = Annotated[dict[Code, Code], Field(max_length=40)]
Changed = Annotated[str, Field(max_length=420)]
"""The code of a paytable, perhaps with changes."""
Written = Annotated[str, Field(max_length=420, pattern=PLAIN)]
"""What an option is set to: a word, or an amount for each of several spots."""
Pair = Annotated[str, Field(max_length=500, pattern="^[^=]+=")]
"""A name and what is chosen for it, such as `tie_rule=push`."""
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED), WHOLE]
Text = Annotated[str, Field(max_length=60)]
Given = Text | Annotated[list[Text], Field(max_length=30)]
training_paths = APIRouter(
    prefix="/api/training", responses=ANSWERS, tags=["training"], route_class=Described
)
COOKIE = "houseway_learner"
"""What a browser is known by where people learn: random, and known to nobody else."""
COOKIE_DAYS = 400
"""As long as browsers keep any: a record is of no use to who cannot find it again."""


class Begin(Body):
    """Who learns what: the rules of a house, or those of a table of this floor."""

    name: Annotated[str, Field(max_length=40, pattern=PLAIN)] = ""
    track: Literal["dealer", "player"]
    game: Code
    table: Code | None = None
    options: Annotated[dict[Code, Written], Field(max_length=60)] = Field(default_factory=dict)
    paytables: Annotated[dict[Code, Changed], Field(max_length=10)] = Field(default_factory=dict)
    modules: Annotated[list[Code], Field(max_length=40)] = Field(default_factory=list)
    rng_seed: Seed | None = None


class Assign(Body):
    """A module with a number of right answers, for a learner or for the holder of a card."""

    learner: Code | None = None
    card: Code | None = None
    track: Literal["dealer", "player"] = "dealer"
    game: Code = ""
    table: Code | None = None
    module: Code
    goal: Annotated[int, Field(ge=0, le=1000), WHOLE]


class GiveAnswer(Body):
    """The answer to a drill: which one, after how many, and what was given for each field."""

    skill: Code
    seed: Seed
    number: Annotated[int, Field(ge=0, le=10**9), WHOLE]
    given: Annotated[dict[Code, Given], Field(max_length=20)]
    seconds: Annotated[float, Field(ge=0, le=LONGEST_SECONDS)] = 0.0


class BeginExam(Body):
    """What is examined, all modules of the course where none is named, and how many questions."""

    modules: Annotated[list[Code], Field(max_length=40)] = Field(default_factory=list)
    questions: Annotated[int, Field(ge=1, le=MOST_QUESTIONS), WHOLE] = QUESTIONS


class AnswerExam(Body):
    """The answer to a question of an exam, by its number from 1."""

    number: Annotated[int, Field(ge=1, le=MOST_QUESTIONS), WHOLE]
    given: Annotated[dict[Code, Given], Field(max_length=20)]


class OneDrill(Body):
    """A drill by its skill and seed."""

    skill: Code
    seed: Seed


class LessonRules(Body):
    """What is played differently from the usual rules, in an address."""

    option: Annotated[list[Pair], Field(max_length=40)] = Field(default_factory=list)
    paytable: Annotated[list[Pair], Field(max_length=10)] = Field(default_factory=list)


class CheckAnswer(OneDrill):
    """The answer to a drill that counts for nothing, by the rules that the lesson was told by."""

    given: Annotated[dict[Code, Given], Field(max_length=20)]
    options: Chosen = Field(default_factory=dict)
    paytables: Annotated[dict[Code, Changed], Field(max_length=10)] = Field(default_factory=dict)


async def asker_of(request: Request) -> Asker:
    """Who asks; nobody where the browser was given nothing yet."""
    token = request.cookies.get(COOKIE, "")
    browser = token if is_browser(token) else ""
    found = await session_of(request)
    person = None if found is None else room_at(request).person(found.card)
    if found is not None and person is not None:
        return Asker(owner_of(browser, found.card), person.name, found.card)
    return Asker(owner_of(browser, None) if browser else "")


async def learning(request: Request) -> Asker:
    """Who wants to change something of what they learn, from a page of their own."""
    token = request.cookies.get(COOKIE, "")
    given = request.headers.get(CSRF_HEADER, "")
    right = is_browser(token) and hmac.compare_digest(given.encode(), csrf_of(token).encode())
    if not right:
        raise NotNow(403, "forged", "the request does not come from a page of this browser")
    limit(request, "training")
    return await asker_of(request)


Asking = Annotated[Asker, Depends(asker_of)]
Learning = Annotated[Asker, Depends(learning)]


@training_paths.get("", response_model=TrainingOffer)
async def offer(request: Request, response: Response, room: TheRoom) -> Answer:
    """What may be learned and what was begun; the browser is given what it is known by."""
    known = request.cookies.get(COOKIE, "")
    token = known if is_browser(known) else new_browser()
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_DAYS * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/api/training",
    )
    asker = await asker_of(request)
    found = await asyncio.to_thread(room.training.offer, asker)
    tables = room.house_tables() if asker.card is not None else []
    return {"token": csrf_of(token), "tables": tables, **found}


@training_paths.post("/learners", response_model=TrainingView)
async def begin(body: Begin, request: Request, room: TheRoom, asker: Learning) -> Answer:
    """Begin to learn a game, or go on where it was left."""
    game, options, paytables = body.game, body.options, body.paytables
    if body.table is not None:
        await signed_in(request)
        game, options, paytables = room.house_rules(body.table)
    course = Course(body.track, game, options, paytables, body.rng_seed)
    name = " ".join(body.name.split())
    if asker.card is None and not await asyncio.to_thread(room.training.has, asker, course):
        limit(request, "learners")
    return await asyncio.to_thread(room.training.begin, asker, course, body.modules, name)


@training_paths.get("/learners/{learner}", response_model=TrainingView)
async def look(learner: str, room: TheRoom, asker: Asking) -> Answer:
    """What is asked next, and how far this learner is."""
    return await asyncio.to_thread(room.training.view, learner, asker)


@training_paths.post("/learners/{learner}/answer", response_model=TrainingAnswered)
async def answer(learner: str, body: GiveAnswer, room: TheRoom, asker: Learning) -> Answer:
    """Answer a drill; it is graded at once, and counts once."""

    def graded() -> Answer:
        return room.training.answer(
            learner,
            asker,
            skill=body.skill,
            seed=body.seed,
            number=body.number,
            given=body.given,
            seconds=body.seconds,
        )

    return await asyncio.to_thread(graded)


@training_paths.post("/learners/{learner}/again", response_model=TrainingView)
async def again(learner: str, body: OneDrill, room: TheRoom, asker: Learning) -> Answer:
    """Ask a drill that was missed once more, before any other."""
    return await asyncio.to_thread(room.training.again, learner, asker, body.skill, body.seed)


# Lessons.


@training_paths.get("/lessons/{game}", response_model=TrainingLessons)
async def lessons(game: str, asked: Annotated[LessonRules, Query()], room: TheRoom) -> Answer:
    """The lessons of a game, by the usual rules or by others, each with questions at its end."""
    course = Course("player", game, _chosen(asked.option), _chosen(asked.paytable))
    return await asyncio.to_thread(room.training.lessons, course)


def _chosen(pairs: list[str]) -> dict[str, str]:
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


@training_paths.post("/lessons/{game}/check", response_model=TrainingGrade)
async def check(game: str, body: CheckAnswer, room: TheRoom, _: Learning) -> Answer:
    """Grade a question at the end of a lesson; nothing is counted."""
    course = Course("player", game, body.options, body.paytables)
    asked = (body.skill, body.seed, body.given)
    return await asyncio.to_thread(room.training.check, course, *asked)


# Exams.


@training_paths.get("/learners/{learner}/exam", response_model=TrainingExam)
async def exam(learner: str, room: TheRoom, asker: Asking) -> Answer:
    """The exam that waits or is under way, and what was examined before."""
    return await asyncio.to_thread(examining.look, room.training, learner, asker)


@training_paths.post("/learners/{learner}/exam", response_model=TrainingExam)
async def begin_exam(
    learner: str, body: BeginExam, request: Request, room: TheRoom, asker: Learning
) -> Answer:
    """Begin an exam, or go on with the one that waits."""
    limit(request, "exams")
    asked = (body.modules, body.questions)
    return await asyncio.to_thread(examining.begin, room.training, learner, asker, *asked)


@training_paths.post("/learners/{learner}/exam/answer", response_model=TrainingExam)
async def answer_exam(learner: str, body: AnswerExam, room: TheRoom, asker: Learning) -> Answer:
    """Answer the open question; nothing is told before the last one."""
    day = room.clock.day(room.now())

    def handed_in() -> Answer:
        return examining.hand_in(
            room.training, learner, asker, number=body.number, given=body.given, day=day
        )

    return await asyncio.to_thread(handed_in)


@training_paths.post("/learners/{learner}/exam/leave", response_model=TrainingExam)
async def leave_exam(learner: str, room: TheRoom, asker: Learning) -> Answer:
    """Give the exam up."""
    return await asyncio.to_thread(examining.leave, room.training, learner, asker)


@training_paths.get("/certificates/{digest}", response_class=Paper)
async def certificate(
    digest: str,
    room: TheRoom,
    asker: Asking,
    form: Annotated[Literal["pdf", "html"], Query(alias="format")] = "pdf",
) -> Response:
    """A certificate, to print or to keep."""
    teaches = asker.card is not None and room.role_of(asker.card) in TEACHERS

    def made() -> bytes:
        return examining.paper(room.training, digest, asker, form, teaches=teaches)

    content = await asyncio.to_thread(made)
    # A page of its own style is not shown within ours, so it is kept as a file.
    how = "inline" if form == "pdf" else "attachment"
    headers = {"content-disposition": f'{how}; filename="certificate-{digest[:12]}.{form}"'}
    kind = "application/pdf" if form == "pdf" else "text/html; charset=utf-8"
    return Response(content, media_type=kind, headers=headers)


# For those who teach.


@training_paths.get("/class", response_model=TrainingClass)
async def classroom(request: Request, room: TheRoom, found: Signed) -> Answer:
    """Everybody who learns."""
    check_role(request, found, TEACHERS)
    told = await asyncio.to_thread(pupils, room.training)
    return {**told, "people": room.pupils(), "tables": room.house_tables()}


@training_paths.get("/class/{learner}", response_model=TrainingPupilView)
async def one_of_class(learner: str, request: Request, room: TheRoom, found: Signed) -> Answer:
    """One who learns, skill by skill."""
    check_role(request, found, TEACHERS)
    return await asyncio.to_thread(pupil, room.training, learner)


@training_paths.post("/class/assign", response_model=TrainingPupilView)
async def give_out(body: Assign, request: Request, room: TheRoom, found: Changing) -> Answer:
    """Assign a module to somebody who learns, or to the holder of a card who has not begun."""
    check_role(request, found, TEACHERS)
    by = room.person_of(found.card).name
    who = body.learner
    if who is None:
        if body.card is None:
            raise Refused(Reason.BAD_ARGUMENT, "give a learner, or a card with a game or a table")
        game, options, paytables = body.game, dict[str, str](), dict[str, str]()
        if body.table is not None:
            game, options, paytables = room.house_rules(body.table)
        course = Course(body.track, game, options, paytables)
        name = room.person_of(body.card).name
        who = await asyncio.to_thread(enrol, room.training, body.card, name, course)
    return await asyncio.to_thread(assign_to, room.training, who, body.module, body.goal, by)
