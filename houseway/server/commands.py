"""Commands: the path that is asked all day long, answered without a detour.

It is described like every other path. What the framework would find out for each request, which
is most of what a command costs, is said here once and by hand.
"""

import time
from typing import Annotated, Any, Union

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.responses import Response

from houseway.refusal import Reason, Refused
from houseway.server.door import Changing, NotNow, PinTries, changing, limit, room_at
from houseway.server.requests import MODELS, Asked

AnyCommand: Any = Annotated[Union[tuple(MODELS.values())], Field(discriminator="name")]  # noqa: UP007
COMMANDS: TypeAdapter[Asked] = TypeAdapter(AnyCommand)
PATH = "/api/commands"
JSON = "application/json"
NOT_COUNTED = ("done", "too_often", Reason.JOURNAL_UNAVAILABLE.value)
"""What came of commands that are no refusals of the floor."""


async def answer(request: Request) -> Response:
    """Answer a command; what the framework would find out is given by hand."""
    body = await request.body()
    found = await changing(request)
    return await command(_read(request, body), request, found)


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
    """Do a command; the answer comes after it is on the disk.

    A refused command is written down as well, so a card has only so many of them in a while: each
    takes a place among them, which it gives back where it was not refused.
    """
    asked: Asked = body
    room = room_at(request)
    if room.hand.full:
        raise NotNow(503, "too_busy", "too many commands are under way; try again in a moment")
    limit(request, "refused", found.card)
    began = time.perf_counter()
    outcome = "done"
    try:
        tries = PinTries(request, found.card)
        with room.hand.holding():
            answered = to_json({"answer": await room.do(found.card, asked, tries)})
            return Response(answered, media_type=JSON)
    except Refused as refused:
        outcome = refused.reason.value
        raise
    except NotNow:
        outcome = "too_often"
        raise
    finally:
        if outcome in NOT_COUNTED:
            room.limits.give_back("refused", found.card)
        room.measures.commands.labels(asked.name, outcome).inc()
        room.measures.seconds.observe(time.perf_counter() - began)
