"""Views of who is signed in: what the server sends, as types."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Role = Literal[
    "dealer",
    "supervisor",
    "executive",
    "cage",
    "auditor",
    "surveillance",
    "administrator",
    "trainer",
]


Level = Literal["single", "mega", "major", "minor"]


class Person(TypedDict):
    """The holder of a card."""

    card: str
    name: str
    role: Role


class CodeAsked(TypedDict):
    """The code of a second factor is asked for."""

    asked: Literal["code"]


class Enrolment(TypedDict):
    """A second factor is to be set up first."""

    asked: Literal["enrol"]
    secret: str
    uri: str


class FloorAbout(TypedDict):
    """What runs here."""

    demo: bool
    version: str
    digest: str
    setup: bool


class Me(TypedDict):
    """GET /api/me, and the answer of POST /api/sign-in and /api/setup."""

    person: Person | None
    csrf: str | None
    second_factor: NotRequired[CodeAsked | Enrolment]
    """Of a sign-in whose card and PIN hold: a code is asked for, or a second factor is to be set
    up."""
    floor: FloorAbout
    """`setup` is true as long as the floor has no administrator; `demo` where nobody plays for
    money."""


class Done(TypedDict):
    """What a command came to; a screen looks at the view instead."""

    answer: dict[str, Any]


class ClockHealth(TypedDict):
    """How far the floor's time is ahead of the clock of the machine, and jumps nobody has seen."""

    offset_seconds: float
    alarms: int


class Health(TypedDict):
    """Whether the floor is open and can be written to, and how far its journal is."""

    status: Literal["ok", "failing"]
    problems: list[str]
    version: str
    digest: str
    position: int
    clock: ClockHealth
