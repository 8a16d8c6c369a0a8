"""App: the floor server as a whole, and what it answers when something is not to be."""

import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from houseway import __version__
from houseway.refusal import Reason, Refused
from houseway.server import commands
from houseway.server.door import NotNow, known, limit
from houseway.server.guard import Guard
from houseway.server.pages import add_description, add_screens
from houseway.server.paths import paths
from houseway.server.practice_paths import practice_paths
from houseway.server.room import Room
from houseway.server.studio_paths import studio_paths
from houseway.server.training_paths import training_paths

Handler = Callable[[Request, Exception], Coroutine[Any, Any, Response]]
LOG = logging.getLogger("uvicorn.error")
UNAVAILABLE = (
    "the journal is not available; try the same command again with the same key, and it is done "
    "once"
)
FAULT = "this is a fault of the server; nothing is known of whether it was done"
NOT_NOW = 409
TITLE = "Houseway"
ROUTES = (*paths.routes, *practice_paths.routes, *studio_paths.routes, *training_paths.routes)
LONGEST = 600
"""Characters of a sentence, of which the last ones may be a list."""
STATUS = {
    Reason.NOT_APPROVED: 403,
    Reason.BAD_ARGUMENT: 422,
    Reason.NOT_AN_AMOUNT: 422,
    Reason.BAD_RECORD: 422,
}
"""How a refusal is answered where it is not 'not now'."""


def description() -> dict[str, Any]:
    """The description of all paths, which the types of the screens are generated from."""
    return FastAPI(title=TITLE, version=__version__, routes=[*ROUTES]).openapi()


def make_app(room: Room, hosts: tuple[str, ...]) -> Guard:
    """The server of a floor, for requests that name one of these hosts."""
    return Guard(Front(room, _make_pages(room)), hosts)


def _make_pages(room: Room) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await room.open()
        try:
            yield
        finally:
            await room.close()

    app = FastAPI(
        title=TITLE,
        version=room.version,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        # Not included, which would have every path found twice.
        routes=[*ROUTES],
        exception_handlers=HANDLERS,
    )
    app.state.room = room
    add_description(app)
    add_screens(app)
    return app


class Front:
    """Whoever was let in: commands come first, and those who are not signed in take turns."""

    def __init__(self, room: Room, pages: FastAPI) -> None:
        self._turns = room.turns
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        # What is asked here has not been through the framework, which would say so.
        scope["app"] = self._pages
        if scope["method"] == "POST" and scope["path"] == commands.PATH:
            made = await _command(Request(scope, receive))
            await made(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD"):
            await self._read(Request(scope, receive), send)
        else:
            await self._pages(scope, receive, send)

    async def _read(self, request: Request, send: Send) -> None:
        signed = known(request)
        try:
            limit(request, "reads", signed)
            if not signed and self._turns.full:
                raise NotNow(503, "too_busy", "too many pages are asked for; try again in a moment")
        except NotNow as error:
            answer = await _not_now(request, error)
            await answer(request.scope, request.receive, send)
            return
        if signed:
            await self._pages(request.scope, request.receive, send)
            return
        await self._turns.take()
        ends = [self._turns.end]

        async def sent(message: Message) -> None:
            # An answer that has begun is made; a stream goes on for ever.
            if ends:
                ends.pop()()
            await send(message)

        try:
            await self._pages(request.scope, request.receive, sent)
        finally:
            if ends:
                ends.pop()()


async def _command(request: Request) -> Response:
    try:
        return await commands.answer(request)
    except ClientDisconnect:
        return Response(status_code=400)
    except Exception as error:
        answer = next(HANDLERS[kind] for kind in type(error).__mro__ if kind in HANDLERS)
        if answer is _fault:
            LOG.exception("a command failed")
        return await answer(request, error)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    if error.reason is Reason.JOURNAL_UNAVAILABLE:
        # Where the journal is kept, and why it cannot be reached, is for whoever runs it.
        LOG.error("%s", error.message)
        return _error(503, error.reason.value, UNAVAILABLE)
    unknown = error.reason is Reason.UNKNOWN_VALUE and error.message.endswith("is unknown")
    status = 404 if unknown else STATUS.get(error.reason, NOT_NOW)
    return _error(status, error.reason.value, error.message, error.clause)


async def _not_now(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NotNow)
    return JSONResponse(error.document, status_code=error.status, headers=error.headers)


async def _not_a_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")[:100]
    unparsed = first["type"] == "json_invalid"
    return _error(400 if unparsed else 422, "bad_argument", f"{where or 'body'}: {first['msg']}")


async def _plain(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = _error(error.status_code, "http", str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _fault(_: Request, __: Exception) -> JSONResponse:
    # What it was is for whoever reads the log.
    return _error(500, "fault", FAULT)


def _error(status: int, reason: str, message: str, clause: str | None = None) -> JSONResponse:
    # What is quoted may have been sent with halves of characters, which cannot be written.
    text = message[:LONGEST].encode("utf-8", "replace").decode()
    document = {"error": {"reason": reason, "clause": clause, "message": text}}
    return JSONResponse(document, status_code=status)


HANDLERS: dict[int | type[Exception], Handler] = {
    Refused: _refused,
    NotNow: _not_now,
    RequestValidationError: _not_a_request,
    HTTPException: _plain,
    Exception: _fault,
}
"""What is answered when something is not to be."""
