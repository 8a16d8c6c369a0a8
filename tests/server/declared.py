"""What is sent, held against what is declared: every field, no field more, nothing converted."""

import json
from functools import cache
from typing import Any, get_type_hints

import httpx
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, create_model

from houseway.server.paths import paths
from houseway.server.practice_paths import practice_paths
from houseway.server.studio_paths import studio_paths
from houseway.server.training_paths import training_paths
from houseway.server.views.live import Topics

ROUTES = [
    route
    for router in (paths, practice_paths, studio_paths, training_paths)
    for route in router.routes
    if isinstance(route, APIRoute)
]
TOPICS = get_type_hints(Topics)


@cache
def strict(declared: Any) -> type[BaseModel]:
    """A model that refuses every other field, in parts of a view as well."""
    config = ConfigDict(extra="forbid", strict=True)
    return create_model("Sent", __config__=config, sent=(declared, ...))


def check(declared: Any, sent: Any) -> None:
    """Fail unless JSON is what is declared."""
    strict(declared).model_validate_json(json.dumps({"sent": sent}))


def declared_of(method: str, path: str) -> Any:
    """The type that is declared for a path; None where it sends no JSON of ours."""
    for route in ROUTES:
        if method in (route.methods or ()) and route.path_regex.fullmatch(path):
            return route.response_model
    return None


def check_answer(response: httpx.Response) -> None:
    """Hold an answer against its path; a client calls this for every one."""
    kind = response.headers.get("content-type", "")
    if response.status_code != 200 or not kind.startswith("application/json"):
        return
    declared = declared_of(response.request.method, response.request.url.path)
    if declared is not None:
        response.read()
        check(declared, response.json())


def check_message(topic: str, data: Any) -> None:
    """Hold a message of a stream against its topic."""
    check(TOPICS[topic.partition(":")[0]], data)
