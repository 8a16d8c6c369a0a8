"""Paths: what may be asked of the floor server. Handlers check who asks, and hand on."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import Field

from houseway.server import commands
from houseway.server.described import Described
from houseway.server.door import (
    BOOKS,
    CAGES,
    COOKIE,
    INBOXES,
    PITS,
    READERS,
    Changing,
    Signed,
    TheRoom,
    address_of,
    browser_of,
    check_role,
    holder_of,
    limit,
    session_of,
    set_cookie,
)
from houseway.server.games import games
from houseway.server.live import EventStream, Live, check_places, check_topic
from houseway.server.opening import OPENERS
from houseway.server.pages import ANSWERS
from houseway.server.recall import RECALLERS, recall, rounds
from houseway.server.reporting import (
    Paper,
    Picture,
    link_paper,
    make_answer,
    make_picture,
    slip_paper,
    tray_paper,
)
from houseway.server.requests import PLAIN, ChartAsked, LinkPriceAsked, ReportAsked, SetUp, SignIn
from houseway.server.room import Room
from houseway.server.trail import EXPORTS, Filter, export, trail
from houseway.server.views.administration import Administration, LinkPrice, Openings
from houseway.server.views.audit import AuditStatus, Trail
from houseway.server.views.cage import Cage
from houseway.server.views.console import Console
from houseway.server.views.games import Games
from houseway.server.views.inbox import Inbox
from houseway.server.views.live import Topics
from houseway.server.views.lobby import Lobby
from houseway.server.views.people import Done, Health, Me
from houseway.server.views.pit import Pit
from houseway.server.views.recall import RecalledRound, RoundList
from houseway.server.views.reports import Report, Reports
from houseway.server.views.sign import Sign

Topic = Annotated[str, Field(max_length=80, pattern=PLAIN)]
Number = Annotated[int, Query(ge=0, le=2**62)]
Answer = Mapping[str, Any]
paths = APIRouter(responses=ANSWERS, route_class=Described)


async def filtered(
    stream: Topic = "",
    table: Topic = "",
    kind: Topic = "",
    person: Topic = "",
    number: Annotated[int, Query(alias="round", ge=0, le=2**62)] = 0,
) -> Filter:
    """Which events are asked for."""
    return Filter(stream, table, kind, person, number)


Filtered = Annotated[Filter, Depends(filtered)]
ReportName = Annotated[str, Path(max_length=40, pattern=PLAIN)]


async def books_room(request: Request, room: TheRoom, found: Signed) -> Room:
    """The floor, for who may read its books."""
    check_role(request, found, BOOKS)
    return room


BooksRoom = Annotated[Room, Depends(books_room)]

# Described here like every other; it is asked most, and answered before paths are looked through.
paths.add_api_route(
    commands.PATH, commands.command, methods=["POST"], tags=["commands"], response_model=Done
)


@paths.get("/healthz", response_model=Health, tags=["health"])
async def healthz(room: TheRoom, response: Response) -> Answer:
    """Whether the floor is open and can be written to, and how far its journal is.

    503 with a sentence for each problem when it cannot.
    """
    health = await room.health()
    if health["problems"]:
        response.status_code = 503
    return health


@paths.get("/metrics", tags=["health"], response_class=PlainTextResponse)
async def metrics(room: TheRoom) -> Response:
    """Numbers for Prometheus."""
    room.measures.streams.set(room.hub.open)
    room.measures.position.set(room.mirror.state.position)
    return Response(generate_latest(room.measures.registry), media_type=CONTENT_TYPE_LATEST)


@paths.get("/api/me", response_model=Me, tags=["people"])
async def me(request: Request, room: TheRoom) -> Answer:
    """Who is signed in, and what runs here."""
    return room.me(await session_of(request))


@paths.get("/api/games", response_model=Games, tags=["pages"])
async def get_games() -> Games:
    """The words of every game, and what its decisions do; for everybody."""
    return games()


@paths.post("/api/sign-in", response_model=Me, tags=["people"])
async def sign_in(body: SignIn, request: Request, response: Response, room: TheRoom) -> Answer:
    """Sign in with card and PIN, and the code of the second factor where one is asked for."""
    limit(request, "sign-in")
    limit(request, "card", body.card)
    token, found, more = await asyncio.to_thread(room.sign_in, body.card, body.pin, body.code)
    if found is not None:
        await _end_before(request, room)
        set_cookie(response, token, request)
    return {**room.me(found), **more}


async def _end_before(request: Request, room: TheRoom) -> None:
    """End the session that a browser had, whose token nobody would ever use again by right."""
    before = await session_of(request)
    if before is not None and room.role_of(before.card):
        await asyncio.to_thread(room.sign_out, request.cookies[COOKIE], before.card)


@paths.post("/api/sign-out", response_model=Me, tags=["people"])
async def sign_out(request: Request, response: Response, room: TheRoom, found: Changing) -> Answer:
    """End the session."""
    await asyncio.to_thread(room.sign_out, request.cookies[COOKIE], found.card)
    response.delete_cookie(COOKIE)
    return room.me(None)


@paths.post("/api/setup", response_model=Me, tags=["people"])
async def set_up(body: SetUp, request: Request, response: Response, room: TheRoom) -> Answer:
    """Make the first administrator, with the token that the server printed when it started."""
    limit(request, "sign-in")
    token, found = await asyncio.to_thread(room.set_up, body.token, body.card, body.name, body.pin)
    set_cookie(response, token, request)
    return room.me(found)


@paths.get("/api/lobby", response_model=Lobby, tags=["pages"])
async def lobby(room: TheRoom, found: Signed) -> Answer:
    """Tables, links, what needs attention."""
    return room.view("lobby", room.role_of(found.card))


@paths.get("/api/tables/{table}", response_model=Console, tags=["pages"])
async def table_page(table: str, room: TheRoom, found: Signed) -> Answer:
    """The dealer console."""
    return room.view(f"table:{table}", room.role_of(found.card))


@paths.get("/api/inbox", response_model=Inbox, tags=["pages"])
async def inbox(request: Request, room: TheRoom, found: Signed) -> Answer:
    """What waits for a person."""
    return room.view("inbox", check_role(request, found, INBOXES))


@paths.get("/api/links/{link}/sign", response_model=Sign, tags=["pages"])
async def sign(link: str, room: TheRoom) -> Answer:
    """The sign above a table; for everybody."""
    return room.view(f"sign:{link}", "")


@paths.get("/api/administration", response_model=Administration, tags=["pages"])
async def administration(request: Request, room: TheRoom, found: Signed) -> Answer:
    """People, tables, links and the register."""
    check_role(request, found, ("administrator",))
    return await room.administration()


@paths.post("/api/administration/link-price", response_model=LinkPrice, tags=["pages"])
async def link_price(
    body: LinkPriceAsked, request: Request, room: TheRoom, found: Changing
) -> Answer:
    """The exact edge before and after a change of a link, and the advice that it goes against."""
    check_role(request, found, ("administrator",))
    return await asyncio.to_thread(room.link_price, body.model_dump())


@paths.get("/api/openings", response_model=Openings, tags=["pages"])
async def openings(request: Request, room: TheRoom, found: Signed) -> Answer:
    """Which tables are open, what may stand at them, and why one cannot be opened."""
    check_role(request, found, OPENERS)
    return room.openings()


@paths.get("/api/cage", response_model=Cage, tags=["pages"])
async def cage(request: Request, room: TheRoom, found: Signed) -> Answer:
    """Trays, slips and boxes."""
    return room.view("cage", check_role(request, found, CAGES))


@paths.get("/api/cage/slips/{number}", tags=["cage"], response_class=Paper)
async def get_slip(
    number: Annotated[int, Path(ge=1, le=2**62)], request: Request, room: TheRoom, found: Signed
) -> Response:
    """A fill or credit slip, to print."""
    check_role(request, found, CAGES)
    return await slip_paper(room, number)


@paths.get("/api/cage/trays/{table}/{session}/{what}", tags=["cage"], response_class=Paper)
async def get_tray(
    table: Annotated[str, Path(max_length=60, pattern=PLAIN)],
    session: Annotated[int, Path(ge=1, le=2**62)],
    what: Literal["opener", "closer"],
    request: Request,
    room: TheRoom,
    found: Signed,
) -> Response:
    """A table inventory slip, to print."""
    check_role(request, found, CAGES)
    return await tray_paper(room, table, session, what)


@paths.get("/api/links/{link}/papers/{what}/{number}", tags=["reports"], response_class=Paper)
async def get_paper(
    link: Annotated[str, Path(max_length=60, pattern=PLAIN)],
    what: Literal["win-page", "slip"],
    number: Annotated[int, Path(ge=1, le=2**62)],
    request: Request,
    room: TheRoom,
    found: Signed,
) -> Response:
    """A win page or an adjustment slip, to print."""
    check_role(request, found, BOOKS)
    return await link_paper(room, link, what, number)


@paths.get("/api/pit", response_model=Pit, tags=["pages"])
async def pit(request: Request, room: TheRoom, found: Signed) -> Answer:
    """A tile for each table, meters, what waits, alerts."""
    return room.view("pit", check_role(request, found, PITS))


@paths.get("/api/reports", response_model=Reports, tags=["reports"])
async def reports(request: Request, room: TheRoom, found: Signed) -> Answer:
    """The reports there are, and the present gaming day."""
    check_role(request, found, BOOKS)
    return room.reports()


@paths.get("/api/reports/{name}", response_model=Report, tags=["reports"])
async def get_report(
    name: ReportName, asked: Annotated[ReportAsked, Query()], room: BooksRoom
) -> Response:
    """A report for a period: on a screen, or as a file."""
    return await make_answer(room, name, asked)


@paths.get("/api/reports/{name}/chart", tags=["reports"], response_class=Picture)
async def get_chart(
    name: ReportName, asked: Annotated[ChartAsked, Query()], room: BooksRoom
) -> Response:
    """A report as a picture; what is in it is in the rows of the report too."""
    return await make_picture(room, name, asked)


@paths.get("/api/tables/{table}/rounds", response_model=RoundList, tags=["recall"])
async def get_rounds(
    request: Request, table: str, room: TheRoom, found: Signed, before: Number = 0
) -> Answer:
    """Rounds of a table, newest first."""
    check_role(request, found, RECALLERS)
    return await rounds(room, table, before)


@paths.get("/api/tables/{table}/rounds/{number}", response_model=RecalledRound, tags=["recall"])
async def get_round(
    request: Request,
    table: str,
    number: Annotated[int, Path(ge=1, le=2**62)],
    room: TheRoom,
    found: Signed,
) -> Answer:
    """A round that is over, step by step."""
    return await recall(room, table, number, check_role(request, found, RECALLERS))


@paths.get("/api/trail", response_model=Trail, tags=["audit"])
async def get_trail(
    request: Request, room: TheRoom, found: Signed, asked: Filtered, before: Number = 0
) -> Answer:
    """Events, newest first."""
    check_role(request, found, READERS)
    return await trail(room, asked, before)


@paths.get(
    "/api/trail/export",
    tags=["audit"],
    response_class=StreamingResponse,
    responses={200: {"content": {kind: {} for kind in EXPORTS.values()}}},
)
async def get_export(
    request: Request,
    room: TheRoom,
    found: Signed,
    asked: Filtered,
    before: Number = 0,
    form: Annotated[Literal["csv", "jsonl"], Query(alias="format")] = "csv",
) -> StreamingResponse:
    """The same events as a file."""
    check_role(request, found, READERS)
    limit(request, "export", found.card)
    made = await export(room, asked, before, form)
    named = {"content-disposition": f'attachment; filename="{made.name}"'}
    return StreamingResponse(made.pieces, media_type=made.kind, headers=named)


@paths.get("/api/audit", response_model=AuditStatus, tags=["audit"])
async def get_audit(request: Request, room: TheRoom, found: Signed) -> Answer:
    """Whether the journal holds, as far as it was checked."""
    check_role(request, found, READERS)
    return await room.audit()


@paths.post("/api/audit", response_model=AuditStatus, tags=["audit"])
async def check_audit(
    request: Request,
    room: TheRoom,
    found: Changing,
    first: Annotated[int, Query(ge=1, le=2**62)] = 1,
) -> Answer:
    """Read the journal from a record on and see whether it holds; one under way goes on."""
    check_role(request, found, READERS)
    room.checkup.start(found.card, room.mirror.state.position, first)
    return await room.audit()


@paths.get(
    "/api/live", tags=["live"], response_class=EventStream, responses={200: {"model": Topics}}
)
async def live(
    request: Request, room: TheRoom, topic: Annotated[list[Topic], Query(max_length=8)]
) -> Live:
    """Server-sent events: the views of these topics as they change."""
    found = await session_of(request)
    role = room.role_of(found.card) if found is not None else ""
    for name in topic:
        check_topic(room, name, role)
    holder, address = holder_of(request, found), address_of(request)
    check_places(room, holder, address)
    last = request.headers.get("last-event-id", "")
    since = int(last) if last.isascii() and last.isdecimal() and len(last) < 19 else None
    browser = browser_of(request)
    topics = tuple(room.topic(name, role, browser) for name in topic)
    return Live(room, topics, holder, address, since)
