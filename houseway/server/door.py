"""Door: who asks, and whether this is for them."""

import hmac
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from houseway.server.guard import sender
from houseway.server.hub import Holder
from houseway.server.practice import is_browser, new_browser
from houseway.server.room import Room
from houseway.server.session import Session, token_hash

COOKIE = "houseway_session"
CSRF_HEADER = "x-houseway-token"
READERS = ("administrator", "auditor", "executive", "surveillance")
BOOKS = (*READERS, "supervisor", "cage")
"""Who may read the books."""
PITS = ("supervisor", "executive", "surveillance", "auditor")
CAGES = ("cage", *PITS)
INBOXES = ("supervisor", "executive", "surveillance", "cage")


RETRY_SECONDS = {429: 2, 503: 1}
"""After how long it makes sense to ask again, by what was answered."""
TOO_OFTEN = "too many tries; wait a moment"


class NotNow(Exception):  # noqa: N818 - an answer, not a fault
    """An answer that ends a request."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = (
            {"retry-after": str(RETRY_SECONDS[status])} if status in RETRY_SECONDS else {}
        )
        self.document: dict[str, Any] = {
            "error": {"reason": reason, "clause": None, "message": message}
        }


def room_at(request: HTTPConnection) -> Room:
    """The room that is served."""
    found: Room = request.app.state.room
    return found


async def room_of(request: Request) -> Room:
    """The same, for whoever is asked without waiting."""
    return room_at(request)


async def session_of(request: Request) -> Session | None:
    """Who is signed in, if anybody."""
    token = request.cookies.get(COOKIE)
    return await room_at(request).sessions.find(token) if token else None


async def signed_in(request: Request) -> Session:
    """Who is signed in; refused when nobody is."""
    found = await session_of(request)
    if found is None or not room_at(request).role_of(found.card):
        raise NotNow(401, "not_signed_in", "sign in first")
    return found


async def changing(request: Request) -> Session:
    """Who wants to change something, from a page of the own session, and not too often."""
    found = await signed_in(request)
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), found.csrf.encode()):
        raise NotNow(403, "forged", "the request does not come from a page of this session")
    limit(request, "commands", found.card)
    return found


def known(request: HTTPConnection) -> str:
    """The hash of the token of a session that was seen lately; nothing where there is none."""
    token = request.cookies.get(COOKIE)
    hashed = token_hash(token) if token else ""
    return hashed if room_at(request).sessions.knows(hashed) else ""


def holder_of(request: Request, found: Session | None) -> Holder | None:
    """Whose stream it is, so that it ends with the session."""
    if found is None:
        return None
    return Holder(found.card, token_hash(request.cookies[COOKIE]))


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return sender(request.client.host) if request.client else ""


def limit(request: HTTPConnection, what: str, who: str = "") -> None:
    """Refuse what is asked for too often, by a person or from an address."""
    if not room_at(request).limits.allow(what, who or address_of(request)):
        raise NotNow(429, "too_often", TOO_OFTEN)


class PinTries:
    """Counts the PINs that come with a command: by card tried, by card that types, by address.

    A PIN that held is not counted, so that no work runs out of tries.
    """

    def __init__(self, request: Request, typist: str) -> None:
        self._limits = room_at(request).limits
        self._typist = typist
        self._request = request

    def begin(self, card: str) -> None:
        """Count a try of a card's PIN; refused when there were too many."""
        counted: list[tuple[str, str]] = []
        for what, who in self._buckets(card):
            if not self._limits.allow(what, who):
                for one in counted:
                    self._limits.give_back(*one)
                raise NotNow(429, "too_often", TOO_OFTEN)
            counted.append((what, who))

    def held(self, card: str) -> None:
        """Take the try back."""
        for what, who in self._buckets(card):
            self._limits.give_back(what, who)

    def _buckets(self, card: str) -> tuple[tuple[str, str], ...]:
        return ("card", card), ("pins", self._typist), ("sign-in", address_of(self._request))


def check_role(request: Request, found: Session, roles: tuple[str, ...]) -> str:
    """The role of who asks; refused when the page is for others."""
    role = room_at(request).role_of(found.card)
    if role not in roles:
        raise NotNow(403, "not_approved", f"this page is not for a {role}")
    return role


def set_cookie(response: Response, token: str, request: Request) -> None:
    """Give the browser its token."""
    response.set_cookie(
        COOKIE,
        token,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )


BROWSER = "houseway_practice"
"""What a browser is known by at practice tables: random, and known to nobody else."""
BROWSER_DAYS = 7


def browser_of(request: Request) -> str:
    """What a browser is known by at practice tables; nothing where it was given nothing yet."""
    token = request.cookies.get(BROWSER, "")
    return token if is_browser(token) else ""


async def practising(request: Request) -> str:
    """Which browser wants to change something at a practice table, from a page of its own."""
    token = browser_of(request)
    given = request.headers.get(CSRF_HEADER, "")
    own = room_at(request).practice.csrf_of(token)
    if not token or not hmac.compare_digest(given.encode(), own.encode()):
        raise NotNow(403, "forged", "the request does not come from a page of this browser")
    limit(request, "practice")
    return token


def know_browser(request: Request, response: Response) -> str:
    """What a browser is known by; one that was given nothing yet is given it now."""
    token = browser_of(request) or new_browser()
    response.set_cookie(
        BROWSER,
        token,
        max_age=BROWSER_DAYS * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        # Pages have no use for it: what is shown comes by these paths alone.
        path="/api",
    )
    return token


TheRoom = Annotated[Room, Depends(room_of)]
Signed = Annotated[Session, Depends(signed_in)]
Changing = Annotated[Session, Depends(changing)]
Practising = Annotated[str, Depends(practising)]
