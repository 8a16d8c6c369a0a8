"""Pages: the built screens, served as files, and the answers that every path may give."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

SCREENS = Path(__file__).parent / "screens"
ROUTES = (
    "/",
    "/sign-in",
    "/setup",
    "/inbox",
    "/administration",
    "/cage",
    "/pit",
    "/reports",
    "/tables/{n}",
    "/sign/{n}",
    "/practice",
    "/practice/{n}",
    "/practice/{n}/dealer",
    "/recall/{n}",
    "/recall/{n}/{round}",
    "/audit",
    "/training",
    "/training/{n}",
    "/training/{n}/exam",
    "/learn",
    "/learn/{n}",
    "/instructor",
    "/studio",
)
"""Addresses of the screens; the page that is sent finds out which one it is."""
FOLDERS = ("assets", "cards")
"""Where scripts, styles and pictures are."""
_TOLD: dict[str, Any] = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["error"],
                "properties": {
                    "error": {
                        "type": "object",
                        "required": ["reason", "clause", "message"],
                        "properties": {
                            "reason": {"type": "string"},
                            "clause": {"type": ["string", "null"]},
                            "message": {"type": "string"},
                        },
                    }
                },
            }
        }
    }
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    code: {"description": text, **_TOLD}
    for code, text in {
        400: "not JSON",
        401: "not signed in",
        403: "not allowed",
        404: "unknown",
        408: "too slow",
        409: "not now",
        413: "too large",
        422: "not a request",
        429: "too often",
        503: "the journal cannot be written, or too much is asked at once",
    }.items()
}
"""What every path may answer when something is not to be, for the description."""
NOT_BUILT = "The screens are not built. Run 'make screens' in a checkout, or install a wheel."


def add_description(app: FastAPI) -> None:
    """Serve the description of all paths: bytes that are made when somebody asks for them first."""

    @cache
    def made() -> tuple[bytes, str]:
        body = json.dumps(app.openapi(), separators=(",", ":")).encode()
        return body, f'"{sha256(body).hexdigest()[:32]}"'

    async def description(request: Request) -> Response:
        body, tag = made()
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)

    app.add_api_route("/openapi.json", description, methods=["GET"], include_in_schema=False)


def add_screens(app: FastAPI) -> None:
    """Serve the screens."""

    async def screen() -> Response:
        index = SCREENS / "index.html"
        if not index.is_file():
            return PlainTextResponse(NOT_BUILT, status_code=503)
        return FileResponse(index, headers={"cache-control": "no-cache"})

    for route in ROUTES:
        app.add_api_route(route, screen, methods=["GET"], include_in_schema=False)
    for folder in FOLDERS:
        if (SCREENS / folder).is_dir():
            app.mount(f"/{folder}", StaticFiles(directory=SCREENS / folder), name=folder)
