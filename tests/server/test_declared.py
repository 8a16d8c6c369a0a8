"""Declared types: every path has one, and the check of all answers finds what does not fit."""

from typing import Any

import pytest
from pydantic import ValidationError
from typing_extensions import is_typeddict

from tests.server.declared import ROUTES, TOPICS, check, check_message, declared_of, strict

SIGN: dict[str, Any] = {
    "link": "Main",
    "name": "Three Card Progressive",
    "paytable": "1",
    "meters": [{"level": "single", "shown_cents": 100, "pending": False, "cap_cents": None}],
    "pays": [],
    "envy": [],
    "pending": [],
    "notices": [],
    "closed": "",
}
PLAIN = {"POST /api/studio/tasks/{number}/stop"}
"""What answers with nothing."""


def test_every_path_that_sends_json_declares_a_view() -> None:
    for route in ROUTES:
        if getattr(route.response_class, "media_type", "application/json") != "application/json":
            continue
        for method in route.methods or ():
            if route.response_model is None or f"{method} {route.path}" in PLAIN:
                continue
            assert "dict" not in str(route.response_model), route.path


def test_every_topic_is_declared() -> None:
    assert all(is_typeddict(declared) for declared in TOPICS.values())
    assert all(strict(declared) for declared in TOPICS.values())


def changed(**fields: Any) -> dict[str, Any]:
    """A sign with other fields in its meter."""
    return {**SIGN, "meters": [{**SIGN["meters"][0], **fields}]}


@pytest.mark.parametrize(
    "sent",
    [
        changed(secret="As"),
        changed(shown_cents="100"),
        changed(shown_cents=1.5),
        changed(level="huge"),
        {name: value for name, value in SIGN.items() if name != "closed"},
    ],
)
def test_what_does_not_fit_is_found(sent: dict[str, Any]) -> None:
    check_message("sign:Main", SIGN)
    with pytest.raises(ValidationError):
        check(declared_of("GET", "/api/links/Main/sign"), sent)
    with pytest.raises(ValidationError):
        check_message("sign:Main", sent)
