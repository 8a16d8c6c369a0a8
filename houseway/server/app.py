"""App: the floor server as a whole, and what it answers when something is not to be."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from houseway.refusal import Reason, Refused
from houseway.server.door import NotNow
from houseway.server.guard import HEADERS, NOT_KEPT, Guard
from houseway.server.pages import add_screens
from houseway.server.paths import paths
from houseway.server.practice_paths import practice_paths
from houseway.server.room import Room
from houseway.server.studio_paths import studio_paths
from houseway.server.training_paths import training_paths

LOG = logging.getLogger("uvicorn.error")
UNAVAILABLE = (
    "the journal is not available; try the same command again with the same key, and it is done "
    "once"
)
FAULT = "this is a fault of the server; nothing is known of whether it was done"
NOT_NOW = 409
LONGEST = 600
"""Characters of a sentence, of which the last ones may be a list."""
STATUS = {
    Reason.NOT_APPROVED: 403,
    Reason.BAD_ARGUMENT: 422,
    Reason.NOT_AN_AMOUNT: 422,
    Reason.BAD_RECORD: 422,
}
"""How a refusal is answered where it is not 'not now'."""


def make_app(room: Room, hosts: tuple[str, ...]) -> FastAPI:
    """The server of a floor, for requests that name one of these hosts."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await room.open()
        try:
            yield
        finally:
            await room.close()

    app = FastAPI(
        title="Houseway",
        version=room.version,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # Not included, which would have every path found twice.
        routes=[
            *paths.routes,
            *practice_paths.routes,
            *studio_paths.routes,
            *training_paths.routes,
        ],
        exception_handlers={
            Refused: _refused,
            NotNow: _not_now,
            RequestValidationError: _not_a_request,
            HTTPException: _plain,
            Exception: _fault,
        },
    )
    app.state.room = room
    add_screens(app)
    app.add_middleware(Guard, hosts=hosts)
    return app


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
    return JSONResponse(error.document, status_code=error.status)


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
    # It is answered outside of the guard; what it was is for whoever reads the log.
    answer = _error(500, "fault", FAULT)
    answer.raw_headers.extend([*HEADERS, *NOT_KEPT])
    return answer


def _error(status: int, reason: str, message: str, clause: str | None = None) -> JSONResponse:
    # What is quoted may have been sent with halves of characters, which cannot be written.
    text = message[:LONGEST].encode("utf-8", "replace").decode()
    document = {"error": {"reason": reason, "clause": clause, "message": text}}
    return JSONResponse(document, status_code=status)
