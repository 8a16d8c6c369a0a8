"""Described: paths whose answers are declared as types, for the description of all paths.

A declared type is in `/openapi.json`, and the types of the screens come from there. Tests hold what
is really sent against it, so no request pays for a check, and a page is not refused over a field.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field


class Described(APIRoute):
    """A path that sends what its handler returns, whatever type is declared for it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, which serializes without the declared type."""
        declared = self.response_field
        if declared is not None:
            self.response_field = create_model_field("answer", Any, mode="serialization")
        try:
            return super().get_route_handler()
        finally:
            self.response_field = declared
