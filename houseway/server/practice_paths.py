"""Practice paths: what may be asked of practice tables. Nobody signs in for them.

A browser is known by its cookie; a change carries the token that `GET /api/practice` has told the
page, and comes from our own origin like every other. What is answered is the table as it is now.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from houseway.practice import table as practice
from houseway.practice.seat import Mode, PracticeSeat, When
from houseway.practice.table import LARGEST_SEED, PracticeTable
from houseway.server.described import Described
from houseway.server.door import (
    Practising,
    TheRoom,
    address_of,
    browser_of,
    know_browser,
    limit,
)
from houseway.server.pages import ANSWERS
from houseway.server.requests import PLAIN, WHOLE, Body, Cents, Name, Position
from houseway.server.views.practice import PracticeOffer, PracticeView

Answer = dict[str, Any]
Code = Annotated[str, Field(max_length=40, pattern=PLAIN)]
Chosen = Annotated[dict[Code, Code], Field(max_length=40)]
Changed = Annotated[str, Field(max_length=420)]
"""The code of a paytable, perhaps with changes."""
SEED = f"A whole number up to {LARGEST_SEED}, as digits."
practice_paths = APIRouter(
    prefix="/api/practice", responses=ANSWERS, tags=["practice"], route_class=Described
)


class MakePracticeTable(Body):
    """A new table: the game, what is chosen for it, how many may sit and who deals."""

    game: Code
    options: Chosen = Field(default_factory=dict)
    paytables: Annotated[dict[Code, Changed], Field(max_length=10)] = Field(default_factory=dict)
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,20}$", description=SEED)] | None = None
    positions: Annotated[int, Field(ge=1, le=7), WHOLE] = 1
    dealing: Literal["automatic", "person"] = "automatic"


class Sit(Body):
    """A seat, and the name of who takes it."""

    position: Position
    player: Annotated[str, Field(max_length=200)]


class PlaceBets(Body):
    """All bets of the seat in cents, in place of those before; `ready` asks for cards as well."""

    bets: Annotated[dict[Name, Cents], Field(max_length=12)]
    ready: bool = False


class Decide(Body):
    """A decision, in which round, and after how many decisions of this seat in it."""

    decision: Code
    round: Code
    after: Annotated[int, Field(ge=0, le=100), WHOLE]


class Deal(Body):
    """The step that the dealer has pressed."""

    step: Code


class SetCoach(Body):
    """When the coach speaks, and whether by a rule of thumb or with exact values."""

    when: When
    mode: Mode


@practice_paths.get("", response_model=PracticeOffer)
async def offer(request: Request, response: Response, room: TheRoom) -> Answer:
    """What may be chosen; the browser is given what it is known by."""
    browser = know_browser(request, response)
    return {"token": room.practice.csrf_of(browser), "games": room.practice.offer()}


@practice_paths.post("/tables", response_model=PracticeView)
async def make(
    body: MakePracticeTable, request: Request, room: TheRoom, browser: Practising
) -> Answer:
    """Make a table; whoever makes one where a person deals is its dealer."""
    limit(request, "practice tables")
    name = room.practice.make(
        browser,
        address_of(request),
        game=body.game,
        options=body.options,
        paytables=body.paytables,
        seed=None if body.seed is None else int(body.seed),
        positions=body.positions,
        person=body.dealing == "person",
    )
    return room.practice.look(name, browser)


@practice_paths.get("/tables/{table}", response_model=PracticeView)
async def look(table: str, request: Request, room: TheRoom) -> Answer:
    """The table as this browser may see it; whoever was away is back."""
    return room.practice.look(table, browser_of(request))


@practice_paths.post("/tables/{table}/sit", response_model=PracticeView)
async def sit(table: str, body: Sit, room: TheRoom, browser: Practising) -> Answer:
    """Take a seat."""
    return room.practice.sit(table, browser, body.position, body.player)


@practice_paths.post("/tables/{table}/leave", response_model=PracticeView)
async def leave(table: str, room: TheRoom, browser: Practising) -> Answer:
    """Leave the seat; a hand that is dealt is played out by the rule of thumb."""
    return room.practice.do(table, browser, lambda at, seat: practice.leave(at, seat.position))


@practice_paths.post("/tables/{table}/bets", response_model=PracticeView)
async def place_bets(table: str, body: PlaceBets, room: TheRoom, browser: Practising) -> Answer:
    """Make all bets of the seat."""

    def placed(at: PracticeTable, seat: PracticeSeat) -> PracticeTable:
        at = practice.place_bets(at, seat.position, body.bets)
        return practice.say_ready(at, seat.position) if body.ready else at

    return room.practice.do(table, browser, placed)


@practice_paths.post("/tables/{table}/ready", response_model=PracticeView)
async def say_ready(table: str, room: TheRoom, browser: Practising) -> Answer:
    """Wait for cards with the bets that lie there; without any, sit the round out."""
    return room.practice.do(table, browser, lambda at, seat: practice.say_ready(at, seat.position))


@practice_paths.post("/tables/{table}/decide", response_model=PracticeView)
async def decide(table: str, body: Decide, room: TheRoom, browser: Practising) -> Answer:
    """Decide what is asked."""
    return room.practice.decide(table, browser, body.decision, body.round, body.after)


@practice_paths.post("/tables/{table}/chips", response_model=PracticeView)
async def take_chips(table: str, room: TheRoom, browser: Practising) -> Answer:
    """Take more chips; they cost nothing and count for nothing."""
    return room.practice.do(table, browser, lambda at, seat: practice.take_chips(at, seat.position))


@practice_paths.post("/tables/{table}/coach", response_model=PracticeView)
async def set_coach(table: str, body: SetCoach, room: TheRoom, browser: Practising) -> Answer:
    """When and how the coach speaks to this seat."""

    def changed(at: PracticeTable, seat: PracticeSeat) -> PracticeTable:
        return practice.set_coach(at, seat.position, body.when, body.mode)

    return room.practice.do(table, browser, changed)


@practice_paths.post("/tables/{table}/deal", response_model=PracticeView)
async def deal(table: str, body: Deal, room: TheRoom, browser: Practising) -> Answer:
    """The next step of the person who deals."""
    return room.practice.deal(table, browser, body.step)
