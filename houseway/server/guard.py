"""Guard: what every request meets first, and what every answer carries.

Plain ASGI, because it stands in the way of everything: bodies have a largest size, hosts are
known ones, a changing request comes from our own pages, and answers tell browsers to be strict.
"""

import asyncio
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_HEAD = 65_536
LARGEST_BODY = 64 * 1024
TOO_LARGE = f"the body is larger than {LARGEST_BODY} bytes"
MOST_DIGITS = 18
BODY_SECONDS = 10.0
"""How long a body may take to come in."""
TOO_SLOW = "the body does not come in"
OWN_PAGES = (b"same-origin", b"none")
"""What a browser says of requests by our own pages, and of an address that somebody typed."""
HANG_UP_BYTES = 2**20
"""A body that is refused is let run out up to here, so that its sender hears the answer."""
POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
NOT_KEPT = ((b"cache-control", b"no-store"),)
"""What people see is for them, and for now."""


class Guard:
    """The door."""

    def __init__(self, app: App, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is not None:
            await _answer(send, *problem, hang_up=_length(scope) > HANG_UP_BYTES)
            return
        limited = _Limited(receive)
        more = NOT_KEPT if scope["path"].startswith("/api/") else ()

        async def sent(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS, *more]
            await send(message)

        await self.app(scope, limited, sent)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if self.hosts and _name(host) not in self.hosts:
            return 400, "the host is not one of this floor's"
        changes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        elsewhere = headers.get(b"sec-fetch-site", b"none") not in OWN_PAGES
        if changes and b"origin" in headers:
            elsewhere |= _host_of(headers[b"origin"].decode("latin-1")) != host
        if elsewhere and (changes or scope["path"].startswith("/api/")):
            return 403, "the request does not come from a page of this floor"
        if _length(scope) > LARGEST_BODY:
            return 413, TOO_LARGE
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
            return 431, "the head of the request is too large"
        return None


class _Limited:
    """A body that is counted and timed while it comes in."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._taken = 0
        self._ends: float | None = None
        self._whole = False

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._ends is None:
            self._ends = asyncio.get_running_loop().time() + BODY_SECONDS
        # Refused by an answer of its own: whatever reads the body would make another of any fault.
        try:
            # After the body comes only that somebody hangs up, and a stream waits long for that.
            async with asyncio.timeout_at(None if self._whole else self._ends):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, TOO_SLOW, {"connection": "close"}) from None
        self._whole = not message.get("more_body", False)
        self._taken += len(message.get("body", b""))
        if self._taken > LARGEST_BODY:
            raise HTTPException(413, TOO_LARGE, {"connection": "close"})
        return message


def _length(scope: Scope) -> float:
    """How long a body says it is; endless where it says what cannot be."""
    length: bytes = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() and len(length) <= MOST_DIGITS else math.inf


def _host_of(origin: str) -> str:
    """The host of an origin; nothing where it has none, as of a page that was not served."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _name(host: str) -> str:
    """A host without its port; nothing where what follows it is no port."""
    found = re.fullmatch(r"(\[[^]]*\]|[^:]*)(?::[0-9]*)?", host)
    return "" if found is None else found[1]


def sender(address: str) -> str:
    """Who counts as one: an address, or all that share a network of the sixth version.

    There one machine has as many addresses as it likes.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


async def _answer(send: Send, status: int, message: str, *, hang_up: bool) -> None:
    body = f'{{"error":{{"reason":"http","clause":null,"message":"{message}"}}}}'.encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *([(b"connection", b"close")] if hang_up else []),
        *HEADERS,
        *NOT_KEPT,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


RATES = {
    "sign-in": (30, 60.0),
    "card": (10, 60.0),
    "pins": (10, 60.0),
    "commands": (200, 4.0),
    "refused": (30, 60.0),
    "reads": (3000, 30.0),
    "practice": (200, 4.0),
    "practice tables": (30, 60.0),
    "training": (200, 4.0),
    "learners": (60, 3600.0),
    "exams": (60, 3600.0),
    "studio": (300, 10.0),
    "studio simulations": (30, 60.0),
    "studio exports": (60, 60.0),
    "export": (10, 60.0),
}
"""So many at once, and in how many seconds they are all there again."""
MOST_BUCKETS = 50_000


class RateLimits:
    """How often somebody may ask: a bucket that fills again with time."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        rates: Mapping[str, tuple[int, float]] = RATES,
    ) -> None:
        self._clock = clock
        self._rates = rates
        self._left: dict[tuple[str, str], tuple[float, float]] = {}
        # PINs are counted by the threads that hash them.
        self._lock = Lock()

    def allow(self, what: str, who: str) -> bool:
        """True when one more is allowed, which is then counted."""
        with self._lock:
            left, now = self._filled(what, who)
            if len(self._left) > MOST_BUCKETS:
                self._drop_full(now)
            self._left[what, who] = (max(0.0, left - 1) if left >= 1 else left, now)
            return left >= 1

    def give_back(self, what: str, who: str) -> None:
        """Count one less, which was allowed and did no harm."""
        with self._lock:
            left, now = self._filled(what, who)
            self._left[what, who] = (min(float(self._rates[what][0]), left + 1), now)

    def _filled(self, what: str, who: str) -> tuple[float, float]:
        """The tries that are left now, and the time now."""
        most, seconds = self._rates[what]
        now = self._clock()
        left, at = self._left.get((what, who), (float(most), now))
        return min(float(most), left + (now - at) * most / seconds), now

    def _drop_full(self, now: float) -> None:
        """Forget whom nothing is counted against any more, and nobody else."""
        kept = self._left.items()
        self._left = {key: found for key, found in kept if now - found[1] < self._rates[key[0]][1]}
