"""Session: who is signed in, kept in the database by the hash of a token that only the browser has.

Every process that serves the floor finds the same sessions, and a session that is ended is ended
for all of them.
"""

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import product

import pyotp
from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from houseway.journal import schema
from houseway.journal.store import told, unavailable
from houseway.server.hub import Holder

HOURS = 12
"""How long a session lasts: longer than a shift."""
LONGEST = timedelta(hours=HOURS, minutes=1)
REMEMBERED_SECONDS = 5.0
"""How long a process believes what it has read of a session; so late may a revocation reach it."""
MOST_REMEMBERED = 10_000
ISSUER = "Houseway"
WAITING = -1
SESSION, FACTOR = schema.session, schema.second_factor


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in."""

    card: str
    csrf: str
    ends_at: str


def token_hash(token: str) -> str:
    """What the database knows of a token."""
    return sha256(token.encode()).hexdigest()


class Sessions:
    """All sessions of a floor."""

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], datetime] | None = None,
        machine: Callable[[], datetime] | None = None,
    ) -> None:
        self._engine = engine
        self.clock = clock or _utc_now
        """The time of day by which sessions hold, and codes."""
        self.machine = machine or self.clock
        """The machine's clock, by which codes hold too: a floor whose time was corrected to a wrong
        year would otherwise let nobody in to correct it."""
        self._known: dict[str, Session | None] = {}
        self._as_of = -math.inf
        """When what is known was read."""
        self._reading: asyncio.Task[None] | None = None
        self._ended = -math.inf
        """When a session was last ended; what was asked for before may be out of date."""

    def _now(self) -> str:
        return _text(self.clock())

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with told(""), self._engine.begin() as connection:
            yield connection

    def open(self, card: str) -> tuple[str, Session]:
        """A new session, with the token that goes to the browser."""
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
        ends = _text(self.clock() + timedelta(hours=HOURS))
        row = {"token": token_hash(token), "card": card, "csrf": csrf, "ends_at": ends}
        with self._connected() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.ends_at < self._now()))
            connection.execute(insert(SESSION), [row])
        return token, Session(card, csrf, ends)

    async def read(self) -> None:
        """Read all sessions, so that people who come back after a restart are known at once."""
        await self._renewed()

    async def find(self, token: str) -> Session | None:
        """The session of a token, while it lasts."""
        hashed = token_hash(token)
        while time.monotonic() - self._as_of >= REMEMBERED_SECONDS:
            await self._renewed()
        if hashed in self._known:
            found = self._known[hashed]
        else:
            asked = time.monotonic()
            found = (await asyncio.to_thread(self._read, SESSION.c.token == hashed)).get(hashed)
            if asked >= self._ended and len(self._known) < MOST_REMEMBERED:
                self._known[hashed] = found
        # One that ends later than any opened now was opened by a clock that was ahead.
        if found is None:
            return None
        now, ends = self.clock().replace(microsecond=0), datetime.fromisoformat(found.ends_at)
        return found if now <= ends <= now + LONGEST else None

    def knows(self, hashed: str) -> bool:
        """True when a token with this hash was found not long ago, without another look."""
        return self._known.get(hashed) is not None

    async def _renewed(self) -> None:
        """Read all sessions, once for all who wait for it: one by one it would be a query each."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._renew())
        # Who gives up does not take it away from the others.
        await asyncio.shield(self._reading)

    async def _renew(self) -> None:
        asked = time.monotonic()
        try:
            found = await asyncio.to_thread(self._read, SESSION.c.ends_at >= self._now())
        finally:
            self._reading = None
        if asked >= self._ended:
            self._known, self._as_of = {**found}, asked

    def _read(self, which: ColumnElement[bool]) -> dict[str, Session]:
        with self._connected() as connection:
            rows = connection.execute(select(SESSION).where(which)).all()
        return {row.token: Session(row.card, row.csrf, row.ends_at) for row in rows}

    def lasting(self, holders: frozenset[Holder]) -> frozenset[Holder]:
        """Of these the sessions that still last."""
        with self._connected() as connection:
            ends = SESSION.c.ends_at
            latest = _text(self.clock() + LONGEST)
            query = select(SESSION.c.card, SESSION.c.token).where(
                ends >= self._now(), ends <= latest
            )
            return holders & {Holder(*row) for row in connection.execute(query)}

    def close(self, token: str) -> None:
        """End a session."""
        self._end(SESSION.c.token == token_hash(token))

    def revoke(self, card: str) -> None:
        """End every session of a card."""
        self._end(SESSION.c.card == card)

    def _end(self, which: ColumnElement[bool]) -> None:
        with self._connected() as connection:
            connection.execute(delete(SESSION).where(which))
        self._ended = time.monotonic()
        self._as_of = -math.inf
        self._known.clear()

    # The second factor. A secret that nobody has proved to hold yet waits, with a step below 0.

    def has_second_factor(self, card: str) -> bool:
        """True when a card has a second factor that was used once."""
        return card in self.with_second_factor()

    def with_second_factor(self) -> frozenset[str]:
        """The cards that have a second factor."""
        with self._connected() as connection:
            query = select(FACTOR.c.card).where(FACTOR.c.step >= 0)
            return frozenset(connection.execute(query).scalars())

    def waiting_secret(self, card: str) -> str:
        """The secret that a card is about to get: the same until it is used, for every server."""
        found = self._secret_of(card)
        if found is None:
            row = {"card": card, "secret": pyotp.random_base32(), "step": WAITING}
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(FACTOR), [row])
            except IntegrityError:
                # Somebody else was a moment earlier.
                pass
            except SQLAlchemyError as error:
                raise unavailable(error) from None
            found = self._secret_of(card)
        assert found is not None
        return found

    def _secret_of(self, card: str) -> str | None:
        with self._connected() as connection:
            row = connection.execute(select(FACTOR.c.secret).where(FACTOR.c.card == card)).first()
        return None if row is None else str(row.secret)

    def forget(self, card: str) -> None:
        """Let go of the secret of a card."""
        with self._connected() as connection:
            connection.execute(delete(FACTOR).where(FACTOR.c.card == card))

    def code_holds(self, card: str, code: str) -> bool:
        """True for the present code of a card, which then holds no second time."""
        secret = self._secret_of(card)
        if secret is None or not code.isdecimal():
            return False
        totp = pyotp.TOTP(secret)
        for now, off in product((self.clock(), self.machine()), (0, -1, 1)):
            if totp.verify(code, now + timedelta(seconds=off * totp.interval), valid_window=0):
                step = totp.timecode(now) + off
                with self._connected() as connection:
                    used = connection.execute(
                        update(FACTOR)
                        .where(FACTOR.c.card == card, FACTOR.c.step < step)
                        .values(step=step)
                    )
                return used.rowcount == 1
        return False


def secret_uri(card: str, secret: str) -> str:
    """What an authenticator reads from a picture."""
    return pyotp.TOTP(secret).provisioning_uri(name=card, issuer_name=ISSUER)


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
