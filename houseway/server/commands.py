"""Commands: the path that is asked all day long, answered without a detour.

It is described like every other path. What the framework would find out for each request, which
is most of what a command costs, is said here once and by hand.
"""

import time
from typing import Annotated, Any, Union

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import Field, TypeAdapter, ValidationError
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from houseway.refusal import Refused
from houseway.server.door import Changing, NotNow, PinTries, changing, room_at
from houseway.server.requests import MODELS, Asked

AnyCommand: Any = Annotated[Union[tuple(MODELS.values())], Field(discriminator="name")]  # noqa: UP007
COMMANDS: TypeAdapter[Asked] = TypeAdapter(AnyCommand)
JSON = "application/json"


class CommandRoute(APIRoute):
    """The path of `command`, with its three arguments given by hand."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] != "POST":
            await super().handle(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        found = await changing(request)
        answer = await command(_read(request, body), request, found)
        await answer(scope, receive, send)


def _read(request: Request, body: bytes) -> Asked:
    """The command that a body holds; refused when it holds none."""
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != JSON:
        told = {"type": "not_json", "loc": ("content-type",), "msg": f"{kind!r} is not {JSON!r}"}
        raise RequestValidationError([told])
    try:
        return COMMANDS.validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None


async def command(body: AnyCommand, request: Request, found: Changing) -> Response:
    """Do a command; the answer comes after it is on the disk."""
    asked: Asked = body
    room = room_at(request)
    began = time.perf_counter()
    outcome = "done"
    try:
        tries = PinTries(request, found.card)
        return JSONResponse({"answer": await room.do(found.card, asked, tries)})
    except Refused as refused:
        outcome = refused.reason.value
        raise
    except NotNow:
        outcome = "too_often"
        raise
    finally:
        room.measures.commands.labels(asked.name, outcome).inc()
        room.measures.seconds.observe(time.perf_counter() - began)
