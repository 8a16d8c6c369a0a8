"""Studio paths: what may be asked of the studio. Nobody signs in for it.

A browser is known as for practice. What takes time is a task: whoever asks gets what is known so
far and asks again with the version that was seen, until it is done.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import Field

from houseway.refusal import Reason, Refused
from houseway.rules.variant import MOST_FILE, read_draft, read_variant
from houseway.server.described import Described
from houseway.server.door import (
    Practising,
    TheRoom,
    browser_of,
    know_browser,
    limit,
    practising,
)
from houseway.server.pages import ANSWERS
from houseway.server.requests import PLAIN, WHOLE, Body
from houseway.server.views import studio as views
from houseway.server.worker import Task
from houseway.studio.offer import offer

Answer = dict[str, Any]
Code = Annotated[str, Field(max_length=40, pattern=PLAIN)]
Value = Annotated[str, Field(max_length=420)]
Chosen = Annotated[dict[Code, Value], Field(max_length=60)]
Meters = Annotated[dict[Code, Annotated[int, Field(ge=0, le=10**14), WHOLE]], Field(max_length=4)]
Others = Annotated[int, Field(ge=0, le=6), WHOLE]
"""Other lit hands at the table, who bring envy."""
Number = Annotated[int, Path(ge=0, le=2**53)]
FIRST_SECONDS = 0.6
"""How long a first answer waits for the end of what was asked."""
NEXT_SECONDS = 5.0
studio_paths = APIRouter(
    prefix="/api/studio", responses=ANSWERS, tags=["studio"], route_class=Described
)


class Draft(Body):
    """A variant as it is being worked on."""

    name: Annotated[str, Field(max_length=200)]
    game: Code
    options: Chosen = Field(default_factory=dict)
    paytables: Chosen = Field(default_factory=dict)
    note: Annotated[str, Field(max_length=4_000)] = ""


class AskBoard(Body):
    """A draft to be priced, with meters in cents by level and other lit hands at the table."""

    variant: Draft
    meters: Meters = Field(default_factory=dict)
    others: Others = 0


class AskSection(Body):
    """A part of the sheet of a draft."""

    variant: Draft
    section: Code


class AskCompare(Body):
    """Two drafts of one game."""

    left: Draft
    right: Draft


class AskSolve(Body):
    """The pays of a bet that may vary, and the edge wanted."""

    variant: Draft
    bet: Code
    target: Annotated[str, Field(max_length=60)]
    ranges: Annotated[dict[Code, Annotated[str, Field(max_length=20)]], Field(max_length=20)]
    meters: Meters = Field(default_factory=dict)
    others: Others = 0


class AskSimulate(Body):
    """How many rounds of a draft to deal, and from which seed."""

    variant: Draft
    rounds: Annotated[int, Field(ge=1, le=10**9), WHOLE] = 10_000_000
    seed: Annotated[int, Field(ge=0, le=2**53 - 1), WHOLE] = 42


class AskExport(Body):
    """A draft as a file."""

    variant: Draft
    kind: Literal["pdf", "html", "csv", "json", "card", "pack", "variant"]
    author: Annotated[str, Field(max_length=200)] | None = None


class Import(Body):
    """The text of a variant file."""

    text: Annotated[str, Field(max_length=MOST_FILE + 1)]


@studio_paths.get("", response_model=views.StudioOffer)
async def begin(request: Request, response: Response, room: TheRoom) -> Answer:
    """What may be chosen; the browser is given what it is known by."""
    browser = know_browser(request, response)
    room.studio.warm()
    return {"token": room.practice.csrf_of(browser), **offer()}


@studio_paths.post("/board", response_model=views.BoardTask)
async def ask_board(body: AskBoard, request: Request, room: TheRoom, browser: Practising) -> Answer:
    """Every figure of a draft."""
    limit(request, "studio")
    return await _asked(room, browser, "board", body)


@studio_paths.post("/section", response_model=views.SectionTask)
async def ask_section(
    body: AskSection, request: Request, room: TheRoom, browser: Practising
) -> Answer:
    """A part of the par sheet of a draft."""
    limit(request, "studio")
    return await _asked(room, browser, "section", body)


@studio_paths.post("/compare", response_model=views.ComparisonTask)
async def ask_compare(
    body: AskCompare, request: Request, room: TheRoom, browser: Practising
) -> Answer:
    """Two drafts side by side."""
    limit(request, "studio")
    return await _asked(room, browser, "compare", body)


@studio_paths.post("/solve", response_model=views.SolveTask)
async def ask_solve(body: AskSolve, request: Request, room: TheRoom, browser: Practising) -> Answer:
    """The pays nearest to a target edge."""
    limit(request, "studio")
    return await _asked(room, browser, "solve", body)


@studio_paths.post("/simulate", response_model=views.SimulationTask)
async def ask_simulate(
    body: AskSimulate, request: Request, room: TheRoom, browser: Practising
) -> Answer:
    """Deal a draft in the background."""
    limit(request, "studio simulations")
    return await _asked(room, browser, "simulate", body)


@studio_paths.post("/export", response_model=views.ExportTask)
async def ask_export(
    body: AskExport, request: Request, room: TheRoom, browser: Practising
) -> Answer:
    """Make a file of a draft; it is fetched when the task is done."""
    limit(request, "studio exports")
    return await _asked(room, browser, "export", body)


@studio_paths.post("/import", response_model=views.VariantView, dependencies=[Depends(practising)])
async def read_file(body: Import) -> Answer:
    """The variant of a file, as it is saved."""
    return read_variant(body.text).to_json()


@studio_paths.get("/tasks/{number}", response_model=views.Task)
async def look(
    number: Number,
    request: Request,
    room: TheRoom,
    seen: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Answer:
    """How far a task is; answered as soon as more is known than was seen."""
    task = room.studio.find(browser_of(request), number)
    await task.wait(seen, NEXT_SECONDS)
    return _plain(task)


@studio_paths.post("/tasks/{number}/stop")
async def stop(number: Number, room: TheRoom, browser: Practising) -> Answer:
    """Stop a task."""
    room.studio.stop(room.studio.find(browser, number))
    return {}


@studio_paths.get("/tasks/{number}/file")
async def take_file(number: Number, request: Request, room: TheRoom) -> Response:
    """The file that a task has made."""
    task = room.studio.find(browser_of(request), number)
    await task.wait(0, NEXT_SECONDS, to_the_end=True)
    answer = _plain(task)
    if task.what != "export" or not answer["done"]:
        raise Refused(Reason.NOT_DONE_YET, f"task {number} has made no file yet")
    name, media, content = task.result
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media, headers=headers)


async def _asked(room: TheRoom, browser: str, what: str, body: Body) -> Answer:
    asked = body.model_dump()
    for key in ("variant", "left", "right"):
        if key in asked:
            # What cannot be played is refused at once, and in its own words.
            asked[key] = read_draft(asked[key]).to_json()
    task = room.studio.ask(browser, what, asked)
    await task.wait(0, FIRST_SECONDS, to_the_end=True)
    return _plain(task)


def _plain(task: Task) -> Answer:
    if task.refused is not None:
        raise task.refused
    name = task.result[0] if task.done and task.what == "export" else None
    return {
        "task": task.number,
        "version": task.version,
        "done": task.done,
        "known": task.known if not task.done else {"name": name} if name else task.result,
    }
